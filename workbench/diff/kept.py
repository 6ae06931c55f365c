"""What a comparison has found so far, for a checkpoint: a run that was killed, or had no more time, goes on from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import field, frozen

from warlock_dsl import Ruleset
from workbench.diff.laid_out import LaidOut, Spot
from workbench.diff.model import DIVERGENCES
from workbench.support.checkpoint import Checkpoint
from workbench.support.packed import DamagedError, checked
from workbench.transcripts.transcript import Move, Transcript

MAX_ROUNDS = 100  # of a search
MOVES = [(int, str, str)]
TRANSCRIPT = {"players": int, "seed": int, "moves": MOVES}
LAID = {
    "seats": [str], "seed": int, "spots": [(str, int, str)], "variables": dict, "rest": {str: str}, "begin": str,
}  # fmt: skip
ROUND = {"hits": {str: {"transcript": TRANSCRIPT, "kind": str}}, "tallies": {str: (int, int, float)}}
FINDING = {"transcript": TRANSCRIPT, "laid?": LAID, "answers": MOVES, "kind": str, "reached": bool}


@frozen
class Hit:
    """A place where the two part: the transcript that leads there, and in which way they do."""

    transcript: Transcript
    kind: str

    @property
    def size(self) -> tuple[bool, int, int]:
        """What makes one place better than another: a breakdown is the last resort, then shorter is better."""
        return self.kind == "error", len(self.transcript.moves), self.transcript.players


@frozen
class Tally:
    """How much was played for a difference."""

    games: int = 0
    decisions: int = 0
    seconds: float = 0.0

    def plus(self, other: Tally) -> Tally:
        return Tally(self.games + other.games, self.decisions + other.decisions, self.seconds + other.seconds)


@frozen
class Trip:
    """What games found: by the number of a difference, the place and how much was played for it."""

    hits: Mapping[int, Hit] = field(factory=dict)
    tallies: Mapping[int, Tally] = field(factory=dict)


@frozen
class Finding:
    """What took time to find for one reading: a game as short as it could be made, and the smallest table with the
    answers until the two diverge on it, in which way (`kind`), and whether it was reached in play. `hasty`: there was
    no time to look for more."""

    transcript: Transcript
    laid: LaidOut | None = None
    answers: tuple[Move, ...] = ()
    kind: str = ""
    reached: bool = False
    hasty: bool = False


class Kept:
    """What is known already, and where what is found is noted. Without a checkpoint nothing is kept."""

    def __init__(self, book: Checkpoint | None = None) -> None:
        self.book = book
        done = book.done if book is not None else {}
        self.findings: dict[str, Finding] = {
            key.removeprefix("found "): found for key, found in done.items() if isinstance(found, Finding)
        }

    def found(self, key: str, finding: Finding) -> None:
        if self.book is not None and key not in self.findings:
            self.book.note(f"found {key}", _finding_data(finding))

    def rounds(self, keys: Mapping[int, str], base: int = 0) -> Rounds:
        return Rounds(self.book, keys, base)


class Rounds:
    """The rounds of a search that are done. `keys` are the names of the differences by number; `base` is the number of
    the ruleset they are laid on."""

    def __init__(self, book: Checkpoint | None = None, keys: Mapping[int, str] | None = None, base: int = 0) -> None:
        self.book = book
        self.keys = keys or {}
        self.base = base

    def known(self, number: int) -> Trip | None:
        """What a round found, if it was played."""
        data = self.book.done.get(f"round {self.base * MAX_ROUNDS + number}") if self.book is not None else None
        if data is None:
            return None
        numbers = {key: number for number, key in self.keys.items()}
        hits, tallies = data["hits"], data["tallies"]
        return Trip(
            {numbers[key]: Hit(transcript_from(hit["transcript"]), hit["kind"]) for key, hit in hits.items()
             if key in numbers},
            {numbers[key]: Tally(*tally) for key, tally in tallies.items() if key in numbers},
        )  # fmt: skip

    def note(self, number: int, trip: Trip) -> None:
        if self.book is None:
            return
        hits = {self.keys[n]: {"transcript": _transcript_data(hit.transcript), "kind": hit.kind}
                for n, hit in trip.hits.items()}  # fmt: skip
        tallies = {self.keys[n]: [one.games, one.decisions, one.seconds] for n, one in trip.tallies.items()}
        self.book.note(f"round {self.base * MAX_ROUNDS + number}", {"hits": hits, "tallies": tallies})


# --------------------------------------------------------------------------- files


def heading(rulesets: Sequence[Ruleset], seed: int) -> dict[str, Any]:
    """What names a comparison: other rulesets or another seed are another one."""
    return {"command": "diff", "rulesets": [[one.name, one.digest] for one in rulesets], "seed": seed}


def read_kept(players: range, key: str, data: Any) -> Any:
    """What a checkpoint has for a round or a finding, if a comparison writes such: it may be a stranger's."""
    what, _, name = key.partition(" ")
    if what == "round" and name.isascii() and name.isdecimal() and len(name) < 4:
        found = checked(data, ROUND)
        if any(hit["kind"] not in DIVERGENCES for hit in found["hits"].values()):
            raise DamagedError("it is no way to diverge")
        _check_players([hit["transcript"] for hit in found["hits"].values()], players)
        return found
    if what == "found" and name:
        found = checked(data, FINDING)
        _check_players([found["transcript"]], players)
        if "laid" in found and (len(found["laid"]["seats"]) not in players or found["kind"] not in DIVERGENCES):
            raise DamagedError("it is no position of this game")
        return _finding_from(found)
    raise DamagedError("it is no part of a comparison")


def _check_players(transcripts: Sequence[Mapping[str, Any]], players: range) -> None:
    if any(one["players"] not in players for one in transcripts):
        raise DamagedError("it is a game for another number of players")


def _transcript_data(transcript: Transcript) -> dict[str, Any]:
    return {"players": transcript.players, "seed": transcript.seed, "moves": _moves(transcript.moves)}


def _moves(moves: Sequence[Move]) -> list[list[int | str]]:
    return [[move.player, move.question, move.key] for move in moves]


def transcript_from(data: Mapping[str, Any]) -> Transcript:
    return Transcript(data["players"], data["seed"], tuple(Move(*move) for move in data["moves"]))


def _finding_data(found: Finding) -> dict[str, Any]:
    data: dict[str, Any] = {
        "transcript": _transcript_data(found.transcript), "answers": _moves(found.answers), "kind": found.kind,
        "reached": found.reached,
    }  # fmt: skip
    if found.laid is not None:
        laid = found.laid
        spots = [[spot.place, spot.cell, spot.piece] for spot in laid.spots]
        data["laid"] = {
            "seats": [*laid.seats], "seed": laid.seed, "spots": spots, "variables": dict(laid.variables),
            "rest": dict(laid.rest), "begin": laid.begin,
        }  # fmt: skip
    return data


def _finding_from(data: Mapping[str, Any]) -> Finding:
    laid = data.get("laid")
    table = None
    if laid is not None:
        spots = tuple(Spot(*spot) for spot in laid["spots"])
        table = LaidOut(tuple(laid["seats"]), laid["seed"], spots, laid["variables"], laid["rest"], laid["begin"])
    answers = tuple(Move(*move) for move in data["answers"])
    return Finding(transcript_from(data["transcript"]), table, answers, data["kind"], data["reached"])
