"""Whole games among bots, each as a small record: what simulations count and what two rulesets are compared by.

A setup says everything that decides a game, so that every machine that plays it gives the same record.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from attrs import field, frozen

from interpreter import Game, PlayError, Said, twin_names, words_in
from warlock_dsl import Ruleset
from workbench.players.base import play_among
from workbench.players.registry import bot_of
from workbench.sim.stated_shares import Outcome, outcome_of
from workbench.support.game_values import MAX_PLACES
from workbench.support.ruleset_source import RulesetSource
from workbench.transcripts.transcript import MAX_DECISIONS

MAX_UNIT = 10**6  # parts that a whole is counted in
MAX_SCORE = 10**18  # in those parts


@frozen
class Setup:
    """A game to be played: the rules, who sits where (as `--seats` writes it), and what chance begins with.

    `laws` tests the invariants at every decision; `cap` is how many decisions a game may have before it is given up.
    """

    source: RulesetSource
    seats: tuple[str, ...]
    seed: int
    laws: bool = False
    cap: int = MAX_DECISIONS

    @property
    def players(self) -> int:
        return len(self.seats)


Uses = Mapping[tuple[str, str], tuple[int, ...]]
"""How often each seat took an option, by question (`rule.name`) and key of the option, alike pieces under one key."""


@frozen
class GameRecord:
    """How a game went. `parts` are the parts of the score by seat, in the order of the rules, as numbers of units.

    `finished` is false for a game that was given up at its cap, or that broke its rules: `error` then says how.
    """

    seed: int
    seats: tuple[str, ...]
    decisions: int
    finished: bool
    winners: tuple[int, ...]
    unit: int
    parts: tuple[tuple[int, ...], ...]
    uses: Uses
    error: str = ""
    cooperative: bool = False  # everybody wins, or nobody
    shares: Outcome = field(factory=dict)  # what it adds to the shares that the rules state

    @property
    def totals(self) -> tuple[int, ...]:
        """The points of each seat, as numbers of units."""
        return tuple(sum(parts) for parts in self.parts)

    def points(self, seat: int) -> float:
        return sum(self.parts[seat]) / self.unit

    def share(self, seat: int) -> float:
        """What a seat has of the win: all of it, or a part if it is shared, or nothing. A table wins as one."""
        if self.cooperative:
            return float(bool(self.winners))
        return 1 / len(self.winners) if seat in self.winners else 0.0

    def data(self, uses: bool = True) -> dict[str, Any]:
        """The record as JSON would hold it: uses by question and key, a count for each seat."""
        by_question: dict[str, dict[str, list[int]]] = {}
        for (question, key), counts in self.uses.items() if uses else ():
            by_question.setdefault(question, {})[key] = [*counts]
        return {
            "seed": self.seed,
            "seats": list(self.seats),
            "decisions": self.decisions,
            "finished": self.finished,
            "winners": list(self.winners),
            "unit": self.unit,
            "parts": [list(parts) for parts in self.parts],
            "uses": by_question,
            **({"error": self.error} if self.error else {}),
            **({"cooperative": True} if self.cooperative else {}),
            **({"shares": {name: list(values) for name, values in self.shares.items()}} if self.shares else {}),
        }


def belongs(record: GameRecord, setup: Setup, scores: int) -> bool:
    """Whether a record can be that of this game; `scores` is how many parts a score has."""
    seats = setup.players
    expected = scores if any(record.parts) or not record.error else 0  # none of a game that did not begin
    return (
        (record.seed, record.seats) == (setup.seed, setup.seats)
        and 0 <= record.decisions <= setup.cap
        and 0 < record.unit <= MAX_UNIT
        and all(0 <= seat < seats for seat in record.winners)
        and len(set(record.winners)) == len(record.winners)
        and len(record.parts) == seats
        and all(len(parts) == expected for parts in record.parts)
        and all(abs(part) <= MAX_SCORE for parts in record.parts for part in parts)
        and all(len(one) == seats and all(0 <= count <= setup.cap for count in one) for one in record.uses.values())
        and all(len(one) <= MAX_PLACES and set(one) <= {0, 1} for one in record.shares.values())
    )


def record_from(data: Mapping[str, Any]) -> GameRecord:
    """The record that JSON data hold."""
    by_question = data["uses"].items()
    return _record(data, {(q, key): tuple(counts) for q, keys in by_question for key, counts in keys.items()})


def _record(data: Mapping[str, Any], uses: Uses) -> GameRecord:
    return GameRecord(
        data["seed"],
        tuple(data["seats"]),
        data["decisions"],
        data["finished"],
        tuple(data["winners"]),
        data["unit"],
        tuple(map(tuple, data["parts"])),
        uses,
        data.get("error", ""),
        data.get("cooperative", False),
        data.get("shares", {}),
    )


# --------------------------------------------------------------- many records

GAMES = {
    "uses": [(str, str)],
    "games": [
        {
            "seed": int,
            "seats": [str],
            "decisions": int,
            "finished": bool,
            "winners": [int],
            "unit": int,
            "parts": [[int]],
            "uses": [int],
            "error?": str,
            "cooperative?": bool,
            "shares?": {str: [int]},
        }
    ],
}
"""The shape of many records as data: each question and key once, and of a game its number and the counts of its seats,
one use after another."""


def together(records: Sequence[GameRecord]) -> dict[str, Any]:
    """Records as data, in little space."""
    numbers: dict[tuple[str, str], int] = {}
    games = []
    for record in records:
        row: list[int] = []
        for use, counts in record.uses.items():
            row.append(numbers.setdefault(use, len(numbers)))
            row += counts
        games.append({**record.data(uses=False), "uses": row})
    return {"uses": list(numbers), "games": games}


def apart(data: Mapping[str, Any]) -> list[GameRecord]:
    """The records that data hold; a LookupError where they name uses that there are not."""
    names = [(question, key) for question, key in data["uses"]]
    found = []
    for one in data["games"]:
        row, width = one["uses"], 1 + len(one["seats"])
        if len(row) % width or min(row[::width], default=0) < 0:
            raise LookupError("a use that is none")
        counts = zip(*(row[place::width] for place in range(1, width)), strict=True)
        found.append(_record(one, dict(zip([names[number] for number in row[::width]], counts, strict=True))))
    return found


# ----------------------------------------------------------------------- play


def play_one(setup: Setup) -> GameRecord:
    """Play a game to its end. Rules that break down are part of the record, not an exception."""
    ruleset = setup.source.ruleset()
    bots = [bot_of(seat, setup.seed) for seat in setup.seats]
    game: Game | None = None
    said: list[Said] = []
    error = ""
    try:
        game = Game.start(ruleset, setup.players, setup.seed, setup.seats, laws=setup.laws)
        play_among(game, bots, setup.cap, said)
    except PlayError as broken:
        error = str(broken)
    uses = uses_of(ruleset, setup.players, said)
    if game is None:
        return GameRecord(setup.seed, setup.seats, 0, False, (), 1, ((),) * setup.players, {}, error)
    parts, more = _parts(game)
    error = error or more
    over = game.over and not error
    winners = game.winners if over else ()
    shares: dict[str, list[int]] = {}
    if over:
        try:
            shares = outcome_of(game)
        except PlayError as broken:
            error, over = str(broken), False
    return GameRecord(
        setup.seed, setup.seats, len(game.answers), over, winners, game.machine.unit, parts, uses, error,
        ruleset.components.cooperative, shares,
    )  # fmt: skip


def _parts(game: Game) -> tuple[tuple[tuple[int, ...], ...], str]:
    """The parts of every seat's score as the table stands, and what went wrong in counting them."""
    try:
        return tuple(tuple(parts) for parts in game.machine.points(game.state)), ""
    except PlayError as broken:
        return ((0,) * len(game.ruleset.program.scores),) * game.players, str(broken)


def uses_of(ruleset: Ruleset, players: int, said: Iterable[Said]) -> Uses:
    """What was taken in a game, counted: the members of a set each by its own key."""
    names = twin_names(ruleset)
    found: dict[tuple[str, str], list[int]] = {}
    for one, count in Counter(said).items():
        for word in words_in(one.key):
            use = one.question, names.get(word, word)
            counts = found.get(use)
            if counts is None:
                counts = found[use] = [0] * players
            counts[one.seat] += count
    return {use: tuple(found[use]) for use in sorted(found)}


def play_some(setups: Sequence[Setup]) -> list[dict[str, Any]]:
    """Several games, one after another, as data: a task for a worker."""
    return [play_one(setup).data() for setup in setups]


def seated(kinds: Sequence[str], number: int) -> tuple[str, ...]:
    """Who sits where in the game of this number: everybody moves on by one seat from game to game."""
    shift = number % len(kinds)
    return tuple(kinds[(seat - shift) % len(kinds)] for seat in range(len(kinds)))


def setups(
    source: RulesetSource,
    kinds: Sequence[str],
    seed: int,
    numbers: Iterable[int],
    laws: bool = False,
    cap: int = MAX_DECISIONS,
) -> Iterator[Setup]:
    """The games of these numbers in a run: game 0 begins with the seed of the run, the next with the one after.

    Two rulesets under the same kinds, seed and numbers are played in pairs that differ in their rules alone.
    """
    for number in numbers:
        yield Setup(source, seated(kinds, number), seed + number, laws, cap)
