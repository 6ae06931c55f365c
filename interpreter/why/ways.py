"""The least sets of clauses that keep something from being so: found by leaving clauses out, one more each time."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from heapq import heappop, heappush
from itertools import count
from typing import Any

from attrs import frozen

from interpreter.why.model import Key

MAX_RUNS = 90  # how often it is tried whether it is so
MAX_WAYS = 3
MAX_SIZE = 6  # of the clauses that together stand in the way


@frozen
class Removal:
    """A clause to be left out. `what` is clause (it is then as `wanted`), member (the list then has `wanted` too),
    without (the list lacks it, every copy) or limit (of a set: at least and at most so many; None: no longer as few as
    can be)."""

    key: Key
    what: str
    wanted: Any


@frozen
class Blamed:
    """A clause that failed: where, with which values in its slots, and how far it was from holding."""

    removal: Removal
    node: Any
    slots: tuple[Any, ...]
    path: tuple[str, ...]
    distance: int
    fixed: bool  # it is a figure of the rules: no play changes it


Way = tuple[Blamed, ...]
Noted = dict[Removal, Blamed]
Attempt = Callable[[Iterable[Removal], Noted | None], bool]  # whether it is so without these; what fails is noted


def least_ways(attempt: Attempt) -> list[Way]:
    """The nearest to being met first."""
    found: list[Way] = []
    order = count()
    first: Way = ()
    waiting: list[tuple[tuple[int, int, int], int, Way]] = [((0, 0, 0), next(order), first)]
    seen: set[frozenset[Removal]] = set()
    runs = 0

    def counted(removals: Iterable[Removal], noted: Noted | None) -> bool:
        nonlocal runs
        runs += 1
        return attempt(removals, noted)

    while waiting and runs < MAX_RUNS and len(found) < MAX_WAYS:
        _, _, way = heappop(waiting)
        left_out = frozenset(one.removal for one in way)
        if any(left_out >= {one.removal for one in known} for known in found):
            continue
        noted: Noted = {}
        if counted(left_out, noted):
            least = pared(counted, way)
            if not any({one.removal for one in least} == {one.removal for one in known} for known in found):
                found.append(least)
            continue
        if len(way) >= MAX_SIZE:
            continue
        for blamed in noted.values():
            longer = left_out | {blamed.removal}
            if longer not in seen:
                seen.add(longer)
                more = (*way, blamed)
                heappush(waiting, (nearness(more), next(order), more))
    return sorted(found, key=nearness)


def pared(attempt: Attempt, way: Way) -> Way:
    """The way without what is not needed."""
    for one in way:
        fewer = tuple(other for other in way if other is not one)
        if attempt([other.removal for other in fewer], None):
            return pared(attempt, fewer)
    return way


def nearness(way: Way) -> tuple[int, int, int]:
    """Clauses that no play can change come last; then the least distance, then the fewest clauses."""
    return sum(one.fixed for one in way), sum(one.distance for one in way), len(way)
