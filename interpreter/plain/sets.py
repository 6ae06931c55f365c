"""Sets of pieces: which ones there are, each once per kind of piece, and which have nothing to spare.

Candidates come in classes of interchangeable members. A set is held as how many of each class, so that sets that
differ only by interchangeable pieces are one set.
"""

from __future__ import annotations

from bisect import insort
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Protocol

Counts = tuple[int, ...]


class Wanted(Protocol):
    """Which sets are wanted, as far as that can be told of a set and of all that contain it at once."""

    def is_met(self, counts: Sequence[int]) -> bool:
        """By a set."""
        ...

    def can_be_met(self, counts: Sequence[int], place: int) -> bool:
        """By a set that has none of the classes behind `place`, or by one with more from `place` on."""
        ...


def how_many(sizes: Sequence[int], low: int, high: int, maximum: int, wanted: Sequence[Wanted] = ()) -> int:
    """How many sets of low to high members there are, counted no further than past `maximum`."""
    return sum(1 for _ in islice(all_sets(sizes, low, high, wanted=wanted), maximum + 1))


def all_sets(
    sizes: Sequence[int],
    low: int,
    high: int,
    start: Counts | None = None,
    at: int = 0,
    wanted: Sequence[Wanted] = (),
) -> Iterator[Counts]:
    """Every wanted set of low to high members that contains `start` and adds only from class `at` on.

    Smaller sets of earlier classes come first; the order is the same every time. Only ways that lead to a set are
    gone, and without recursion: there may be thousands of members.
    """
    counts = list(start) if start is not None else [0] * len(sizes)
    spare = [0] * (len(sizes) + 1)  # what the classes from here on could still give
    for place in reversed(range(at, len(sizes))):
        spare[place] = spare[place + 1] + sizes[place] - counts[place]
    total, path, place = sum(counts), list[int](), at
    if total > high or total + spare[at] < low or not all(one.can_be_met(counts, at) for one in wanted):
        return
    if total >= low and all(one.is_met(counts) for one in wanted):
        yield tuple(counts)
    while True:
        while place < len(sizes) and counts[place] >= sizes[place]:
            place += 1
        room = place < len(sizes) and total < high
        if room and total + sizes[place] - counts[place] + spare[place + 1] >= low:
            counts[place] += 1
            if not all(one.can_be_met(counts, place) for one in wanted):
                counts[place] -= 1
                place += 1
                continue
            total += 1
            path.append(place)
            if total >= low and all(one.is_met(counts) for one in wanted):
                yield tuple(counts)
        elif path:
            place = path.pop()
            counts[place] -= 1
            total -= 1
            place += 1
        else:
            return


def _free(amount: int) -> None:
    """Nobody counts the work."""


def minimal_sets(
    sizes: Sequence[int], enough: Callable[[Counts], bool], spend: Callable[[int], None] = _free
) -> Iterator[Counts]:
    """Every set that is enough with nothing to spare, for a test that never turns false by adding.

    From a pool that is enough, what can be left out is left out: one minimal set. Any other must do with one fewer
    of some class of it, so the search goes on in each such smaller pool (Reiter's tree), each pool looked at once.
    `spend` is told of the work.
    """
    pools = deque([tuple(sizes)])
    seen = set(pools)
    found: list[Counts] = []  # in order
    while pools:
        pool = pools.popleft()
        spend(1 + (len(found) * len(sizes) >> 3))
        minimum = next((known for known in found if all(k <= p for k, p in zip(known, pool, strict=True))), None)
        if minimum is None:
            if not enough(pool):
                continue
            minimum = _pared(pool, enough)
            insort(found, minimum)
            yield minimum
        for place, count in enumerate(minimum):
            if count:
                spend(1 + (len(sizes) >> 2))
                smaller = (*pool[:place], count - 1, *pool[place + 1 :])
                if smaller not in seen:
                    seen.add(smaller)
                    pools.append(smaller)


def _pared(pool: Counts, enough: Callable[[Counts], bool]) -> Counts:
    """The pool with everything left out that can be, from the last class on."""
    counts = list(pool)
    for place in reversed(range(len(counts))):
        while counts[place]:
            counts[place] -= 1
            if not enough(tuple(counts)):
                counts[place] += 1
                break
    return tuple(counts)
