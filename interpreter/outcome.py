"""How a game came out, however it was played."""

from __future__ import annotations

from attrs import frozen


@frozen
class Outcome:
    """The winners, each seat's points in units, and how many questions were answered."""

    winners: tuple[int, ...]
    totals: tuple[int, ...]
    decisions: int


@frozen
class Glimpse:
    """How things stood at a moment of a game: each seat's points in units, and the winners, if it was over."""

    totals: tuple[int, ...]
    winners: tuple[int, ...] | None
