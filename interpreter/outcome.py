"""How games came out, however they were played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, overload

from attrs import frozen

from interpreter.state.labels import number_text

Number = int | Fraction


def exact_number(units: int, unit: int) -> Number:
    """A number that a machine holds in units, in whole ones: an integer wherever it is one."""
    found = Fraction(units, unit)
    return found.numerator if found.denominator == 1 else found


@frozen
class ScoreSheet:
    """A player's points by part, in the order in which the rules name them, and all of them together."""

    parts: Mapping[str, Number]
    total: Number

    @property
    def part_texts(self) -> dict[str, str]:
        """The parts in plain digits: 3, 4.5, or 1/3 where no decimal ends."""
        return {name: _digits(points) for name, points in self.parts.items()}

    @property
    def total_text(self) -> str:
        return _digits(self.total)

    def data(self) -> dict[str, Any]:
        """As JSON holds it exactly: numbers in plain digits."""
        return {"total": self.total_text, "parts": self.part_texts}


def score_sheets(names: Sequence[str], points: Sequence[Sequence[int]], unit: int) -> tuple[ScoreSheet, ...]:
    """The points of every seat, by part in units, as sheets."""
    sheets = []
    for parts in points:
        shown = {name: exact_number(part, unit) for name, part in zip(names, parts, strict=True)}
        sheets.append(ScoreSheet(shown, exact_number(sum(parts), unit)))
    return tuple(sheets)


def _digits(number: Number) -> str:
    return number_text(number.numerator, number.denominator)


@frozen
class Outcome:
    """The winners, each seat's points in units, and how many questions were answered."""

    winners: tuple[int, ...]
    totals: tuple[int, ...]
    decisions: int


class Outcomes(Sequence[Outcome]):
    """Many of them, in order, held as one row of numbers: of each game its decisions, its winners as bits, the points
    of every seat. An outcome is made when somebody looks at it."""

    def __init__(self, players: int, numbers: list[int] | None = None) -> None:
        self.players = players
        self.width = 2 + players
        self.numbers = numbers if numbers is not None else []

    def add(self, outcome: Outcome) -> None:
        self.numbers += (outcome.decisions, sum(1 << seat for seat in outcome.winners), *outcome.totals)

    @property
    def decisions(self) -> int:
        """Of all games together."""
        return sum(self.numbers[:: self.width])

    def __len__(self) -> int:
        return len(self.numbers) // self.width

    @overload
    def __getitem__(self, index: int) -> Outcome: ...
    @overload
    def __getitem__(self, index: slice) -> list[Outcome]: ...
    def __getitem__(self, index: int | slice) -> Outcome | list[Outcome]:
        if isinstance(index, slice):
            return [self[number] for number in range(*index.indices(len(self)))]
        at = range(len(self))[index] * self.width
        decisions, won, *totals = self.numbers[at : at + self.width]
        return Outcome(seats_of(won, self.players), tuple(totals), decisions)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Outcomes) and (self.players, self.numbers) == (other.players, other.numbers)

    __hash__ = None  # type: ignore[assignment]


def seats_of(bits: int, players: int) -> tuple[int, ...]:
    """The seats whose bits are set."""
    return tuple([seat for seat in range(players) if bits >> seat & 1])


@frozen
class Snapshot:
    """How things stood at a moment of a game: each seat's points in units, and the winners, if it was over."""

    totals: tuple[int, ...]
    winners: tuple[int, ...] | None
