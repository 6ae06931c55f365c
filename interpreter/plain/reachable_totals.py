"""Sets by their total: what the classes that are left can still add, so that no way is gone that leads to nothing.

Totals are kept as bits of one number for each class: which totals it and the classes after it can add. A set is
followed up only if one of them leads to a total that is wanted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import gcd

MAX_WIDTH = 1 << 20  # totals from the least to the greatest; beyond, nothing is told


class ReachableTotals:
    """Whether sets of low to high members have, or can still get, one of the totals that are wanted.

    `parts`: for each class, what none, the first, the first two, ... of its members add to the total.
    """

    def __init__(
        self,
        parts: Sequence[Sequence[int]],
        bounds: tuple[int, int],
        op: str,
        other: int | Iterable[int],
        tick: Callable[[int], None],
    ) -> None:
        self.parts = parts
        self.low, self.high = bounds
        self.step = gcd(*(value for class_ in parts for value in class_)) or 1
        self.least = [0] * (len(parts) + 1)  # by class: the least total that it and those after it add
        greatest = 0
        for place in reversed(range(len(parts))):
            self.least[place] = self.least[place + 1] + min(parts[place])
            greatest += max(parts[place])
        self.width = (greatest - self.least[0]) // self.step + 1
        self.tick = tick
        self.known = self.width <= MAX_WIDTH
        self.any_size = self.low <= 1 and self.high >= sum(len(class_) - 1 for class_ in parts)
        if self.known:
            self.wanted = self.totals_that(op, other)
            self.ahead = self.all_ahead()

    # -------------------------------------------------------------- what sets are asked

    def is_met(self, counts: Sequence[int]) -> bool:
        return not self.known or bool(self.wanted >> self.place_of(self.total(counts)) & 1)

    def can_be_met(self, counts: Sequence[int], place: int) -> bool:
        if not self.known:
            return True
        if place == len(self.parts):
            return self.is_met(counts)
        class_, had, size = self.parts[place], counts[place], sum(counts)
        rest = self.total(counts) - class_[had] + self.least[place + 1]
        for more in range(len(class_) - had):
            self.tick(1 + (self.width >> 8))
            wanted = self.wanted >> self.place_of(rest + class_[had + more])
            if any(wanted & totals for totals in self.added(place + 1, size + more)):
                return True
        return False

    def total(self, counts: Sequence[int]) -> int:
        return sum([class_[count] for class_, count in zip(self.parts, counts, strict=True)])

    def place_of(self, total: int) -> int:
        """The bit that stands for a total."""
        return (total - self.least[0]) // self.step

    def added(self, place: int, size: int) -> Sequence[int]:
        """What the classes from a place on can add to a set of that size, by how many members that takes."""
        if self.any_size:
            return self.ahead[place]
        return self.ahead[place][max(self.low - size, 0) : max(self.high - size + 1, 0)]

    # ------------------------------------------------------------------------ made once

    def totals_that(self, op: str, other: int | Iterable[int]) -> int:
        """The totals that are wanted."""
        if not isinstance(other, int):
            return sum({1 << self.place_of(total) for total in other if self.is_one(total)})
        if op == "is":
            return 1 << self.place_of(other) if self.is_one(other) else 0
        below = self.place_of(other - (op in ("<", ">="))) + 1  # how many there are below it, or up to it
        low = (1 << min(max(below, 0), self.width)) - 1
        return low if op in ("<", "<=") else (1 << self.width) - 1 & ~low

    def is_one(self, total: int) -> bool:
        """Whether a total lies between the least and the greatest, in steps of what all members have in common."""
        return (total - self.least[0]) % self.step == 0 and 0 <= self.place_of(total) < self.width

    def all_ahead(self) -> list[list[int]]:
        """For each class, which totals it and those after it can add: with any number of members, or by number."""
        found = [[1]]
        for place in reversed(range(len(self.parts))):
            after, class_ = found[-1], self.parts[place]
            self.tick(len(after) * len(class_) * (1 + (self.width >> 8)))
            shifts = [(value - min(class_)) // self.step for value in class_]
            sizes = 1 if self.any_size else len(after) + len(class_) - 1
            totals = [0] * sizes
            for size, known in enumerate(after):
                for more, shift in enumerate(shifts):
                    totals[0 if self.any_size else size + more] |= known << shift
            found.append(totals)
        return found[::-1]
