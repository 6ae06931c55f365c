"""Whole games among bots, each as a small record: what simulations count and what two rulesets are compared by.

A setup says everything that decides a game, so that every machine that plays it gives the same record.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from attrs import field, frozen

from interpreter import Game, PlayError, class_name, words_in
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


@frozen
class Use:
    """How often a seat took an option: the question (`rule.name`), and the option's key, alike pieces under one key."""

    seat: int
    question: str
    key: str
    count: int


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
    uses: tuple[Use, ...]
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

    def data(self) -> dict[str, Any]:
        """The record as JSON would hold it, in little space: uses by question and key, a count for each seat."""
        uses: dict[str, dict[str, list[int]]] = {}
        for use in self.uses:
            uses.setdefault(use.question, {}).setdefault(use.key, [0] * len(self.seats))[use.seat] = use.count
        return {
            "seed": self.seed,
            "seats": list(self.seats),
            "decisions": self.decisions,
            "finished": self.finished,
            "winners": list(self.winners),
            "unit": self.unit,
            "parts": [list(parts) for parts in self.parts],
            "uses": uses,
            **({"error": self.error} if self.error else {}),
            **({"cooperative": True} if self.cooperative else {}),
            **({"shares": {name: list(values) for name, values in self.shares.items()}} if self.shares else {}),
        }


RECORD = {
    "seed": int,
    "seats": [str],
    "decisions": int,
    "finished": bool,
    "winners": [int],
    "unit": int,
    "parts": [[int]],
    "uses": {str: {str: [int]}},
    "error?": str,
    "cooperative?": bool,
    "shares?": {str: [int]},
}
"""The shape of a record as data."""


def belongs(data: Mapping[str, Any], setup: Setup, scores: int) -> bool:
    """Whether data of the right shape can be the record of this game; `scores` is how many parts a score has."""
    seats = setup.players
    expected = scores if any(data["parts"]) or not data.get("error") else 0  # none of a game that did not begin
    counts = [counts for keys in data["uses"].values() for counts in keys.values()]
    return (
        (data["seed"], tuple(data["seats"])) == (setup.seed, setup.seats)
        and 0 <= data["decisions"] <= setup.cap
        and 0 < data["unit"] <= MAX_UNIT
        and all(0 <= seat < seats for seat in data["winners"])
        and len(set(data["winners"])) == len(data["winners"])
        and len(data["parts"]) == seats
        and all(len(parts) == expected for parts in data["parts"])
        and all(abs(part) <= MAX_SCORE for parts in data["parts"] for part in parts)
        and all(len(one) == seats and all(0 <= count <= setup.cap for count in one) for one in counts)
        and all(len(one) <= MAX_PLACES and set(one) <= {0, 1} for one in data.get("shares", {}).values())
    )


def record_from(data: Mapping[str, Any]) -> GameRecord:
    """The record that JSON data hold."""
    uses = [
        Use(seat, question, key, count)
        for question, keys in data["uses"].items()
        for key, counts in keys.items()
        for seat, count in enumerate(counts)
        if count
    ]
    return GameRecord(
        data["seed"],
        tuple(data["seats"]),
        data["decisions"],
        data["finished"],
        tuple(data["winners"]),
        data["unit"],
        tuple(tuple(parts) for parts in data["parts"]),
        tuple(sorted(uses, key=_place)),
        data.get("error", ""),
        data.get("cooperative", False),
        data.get("shares", {}),
    )


def _place(use: Use) -> tuple[str, str, int]:
    return use.question, use.key, use.seat


# ----------------------------------------------------------------------- play


def play_one(setup: Setup) -> GameRecord:
    """Play a game to its end. Rules that break down are part of the record, not an exception."""
    ruleset = setup.source.ruleset()
    bots = [bot_of(seat, setup.seed) for seat in setup.seats]
    game: Game | None = None
    taken: Counter[tuple[int, str, str]] = Counter()
    error = ""
    try:
        game = Game.start(ruleset, setup.players, setup.seed, setup.seats, laws=setup.laws)
        while not game.over and len(game.answers) < setup.cap:
            seat, question = game.to_move, game.question
            game.choose(bots[seat].pick(game))
            for key in keys_in(game, game.answers[-1]):
                taken[seat, question, key] += 1
    except PlayError as broken:
        error = str(broken)
    uses = tuple(sorted((Use(*key, count) for key, count in taken.items()), key=_place))
    if game is None:
        return GameRecord(setup.seed, setup.seats, 0, False, (), 1, ((),) * setup.players, uses, error)
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


def keys_in(game: Game, answer: str) -> Iterator[str]:
    """What an answer takes, each by a key: the members of a set, a piece by the first that is just like it."""
    layout = game.machine.layout
    for word in words_in(answer):
        piece = layout.piece_number.get(word)
        yield word if piece is None else class_name(layout, piece)


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
