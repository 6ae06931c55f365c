"""Chance asked as players are: what a roll or a shuffle gives is a branch, not a stroke of luck."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import factorial
from typing import Any, Protocol

from interpreter.state.alike import exchangeable
from interpreter.state.layout import Layout
from interpreter.state.state import State

CHANCES = ("fixed", "rolls", "all")  # what is branched over: nothing, rolls, rolls and shuffles


class Fork(Exception):
    """Chance has to give one of `ways` things, and nobody has said which."""

    def __init__(self, ways: int) -> None:
        super().__init__(ways)
        self.ways = ways


class TooManyOrdersError(Exception):
    """A shuffle has more orders than are looked at."""

    def __init__(self, pieces: int, orders: int) -> None:
        super().__init__(pieces, orders)
        self.pieces = pieces
        self.orders = orders


class Told:
    """What chance is to give, in its order."""

    def __init__(self, ways: Sequence[int], chance: str, max_orders: int) -> None:
        self.ways = ways
        self.rolls, self.shuffles = chance != "fixed", chance == "all"
        self.max_orders = max_orders
        self.used = 0

    def pick(self, ways: int) -> int:
        """What it gives next; a Fork where nothing more is said."""
        if ways < 2:
            return 0
        if self.used == len(self.ways):
            raise Fork(ways)
        self.used += 1
        if not 0 <= self.ways[self.used - 1] < ways:
            raise LookupError("chance was told to give what there is not")
        return self.ways[self.used - 1]

    def ordered(self, layout: Layout, s: State, pieces: list[int]) -> list[int]:
        """One of the orders of a pile. Pieces that are alike in all that can be told of them are not told apart."""
        groups: dict[Any, list[int]] = {}
        for piece in sorted(pieces):
            groups.setdefault(exchangeable(layout, s, piece), []).append(piece)
        counts = Counter({number: len(group) for number, group in enumerate(groups.values())})
        orders = arrangements(counts)
        if orders > self.max_orders:
            raise TooManyOrdersError(len(pieces), orders)
        left = [list(group) for group in groups.values()]
        return [left[group].pop(0) for group in arrangement(counts, self.pick(orders))]


class Runner(Protocol):
    """What branching needs of a machine."""

    told: Told | None

    def run(self, s: State) -> object: ...


def run_branching(machine: Runner, s: State, told: Sequence[int], chance: str, max_orders: int) -> int:
    """Go on to the next question, one with a single answer included, or to the end, with chance giving what was told;
    0, or in how many ways it could go on where nothing more is said."""
    machine.told = Told(told, chance, max_orders)
    try:
        machine.run(s)
    except Fork as fork:
        return fork.ways
    finally:
        machine.told = None
    return 0


def arrangements(counts: Counter[int]) -> int:
    """In how many orders things of these classes can lie."""
    found = factorial(sum(counts.values()))
    for count in counts.values():
        found //= factorial(count)
    return found


def arrangement(counts: Counter[int], which: int) -> list[int]:
    """One of those orders by its number, as the classes of the things one after another."""
    left = Counter(counts)
    found = []
    while sum(left.values()):
        for group in sorted(left):
            if not left[group]:
                continue
            left[group] -= 1
            ways = arrangements(left)
            if which < ways:
                found.append(group)
                break
            which -= ways
            left[group] += 1
    return found
