"""Sets of pieces: which ones there are, each once per kind of piece, and which have nothing to spare.

Candidates come in classes of interchangeable members. A set is held as how many of each class, so that sets that
differ only by interchangeable pieces are one set.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

Counts = tuple[int, ...]


def how_many(sizes: Sequence[int], low: int, high: int, most: int) -> int:
    """How many sets of low to high members there are, counted no further than past `most`."""
    ways = [1] + [0] * high
    for size in sizes:
        new = [0] * (high + 1)
        for total in range(high + 1):
            new[total] = min(sum(ways[total - taken] for taken in range(min(size, total) + 1)), most + 1)
        ways = new
    return min(sum(ways[low:]), most + 1)


def all_sets(sizes: Sequence[int], low: int, high: int, start: Counts | None = None, at: int = 0) -> Iterator[Counts]:
    """Every set of low to high members that contains `start` and adds only from class `at` on.

    Smaller sets of earlier classes come first; the order is the same every time.
    """
    counts = list(start) if start is not None else [0] * len(sizes)
    spare = sum(sizes[i] - counts[i] for i in range(at, len(sizes)))
    total = sum(counts)
    if total > high or total + spare < low:
        return
    yield from _grow(sizes, low, high, counts, at, total)


def _grow(sizes: Sequence[int], low: int, high: int, counts: list[int], at: int, total: int) -> Iterator[Counts]:
    if total >= low:
        yield tuple(counts)
    if total == high:
        return
    for place in range(at, len(sizes)):
        if counts[place] < sizes[place]:
            counts[place] += 1
            yield from _grow(sizes, low, high, counts, place, total + 1)
            counts[place] -= 1


def minimal_sets(sizes: Sequence[int], enough: Callable[[Counts], bool]) -> Iterator[Counts]:
    """Every set that is enough with nothing to spare, for a test that never turns false by adding.

    From a pool that is enough, what can be left out is left out: one minimal set. Any other must do with one fewer
    of some class of it, so the search goes on in each such smaller pool (Reiter's tree), each pool looked at once.
    """
    pools = [tuple(sizes)]
    seen = set(pools)
    found: set[Counts] = set()
    while pools:
        pool = pools.pop(0)
        least = next((known for known in sorted(found) if all(k <= p for k, p in zip(known, pool, strict=True))), None)
        if least is None:
            if not enough(pool):
                continue
            least = _pared(pool, enough)
            found.add(least)
            yield least
        for place, count in enumerate(least):
            if count:
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
