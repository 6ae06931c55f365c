"""Sets by kind against a second way of finding them: every subset of the members, spelt out."""

from __future__ import annotations

from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from interpreter.plain import sets

SIZES = st.lists(st.integers(0, 3), min_size=0, max_size=5)


def every(sizes: list[int]) -> list[tuple[int, ...]]:
    return list(product(*(range(size + 1) for size in sizes)))


@given(SIZES, st.integers(0, 4), st.integers(0, 6))
def test_all_sets(sizes: list[int], low: int, high: int) -> None:
    found = list(sets.all_sets(sizes, low, high))
    assert sorted(found) == sorted(n for n in every(sizes) if low <= sum(n) <= high)
    assert len(found) == len(set(found))


@given(SIZES, st.integers(0, 4), st.integers(0, 6), st.integers(0, 50))
def test_how_many(sizes: list[int], low: int, high: int, maximum: int) -> None:
    exact = sum(1 for n in every(sizes) if low <= sum(n) <= high)
    assert sets.how_many(sizes, low, high, maximum) == min(exact, maximum + 1)


@given(SIZES, st.data())
def test_sets_that_contain_a_start(sizes: list[int], data: st.DataObject) -> None:
    """Piece by piece, in one order: every set is reached from exactly one next piece."""
    start = tuple(data.draw(st.integers(0, size)) for size in sizes)
    at = data.draw(st.integers(0, len(sizes)))
    found = list(sets.all_sets(sizes, 0, 9, start, at))
    wanted = [n for n in every(sizes) if n[:at] == start[:at] and all(a >= b for a, b in zip(n, start, strict=True))]
    assert sorted(found) == sorted(n for n in wanted if sum(n) <= 9)


@settings(max_examples=300)
@given(st.lists(st.integers(1, 3), min_size=1, max_size=4), st.data())
def test_minimal_sets(sizes: list[int], data: st.DataObject) -> None:
    """For any test that never turns false by adding: exactly the sets from which nothing can be left out."""
    wants = data.draw(st.lists(st.tuples(*(st.integers(0, 3) for _ in sizes)), max_size=4))

    def enough(counts: tuple[int, ...]) -> bool:
        return any(all(c >= w for c, w in zip(counts, want, strict=True)) for want in wants)

    def spare(counts: tuple[int, ...]) -> bool:
        return any(counts[i] and enough((*counts[:i], counts[i] - 1, *counts[i + 1 :])) for i in range(len(counts)))

    found = list(sets.minimal_sets(sizes, enough))
    assert sorted(found) == sorted(n for n in every(sizes) if enough(n) and not spare(n))
    assert len(found) == len(set(found))


def test_a_crowd_of_useless_pieces_costs_nothing() -> None:
    """Forty classes, two of them needed: found at once, though there are more subsets than atoms."""
    asked = 0

    def enough(counts: tuple[int, ...]) -> bool:
        nonlocal asked
        asked += 1
        return counts[7] >= 1 and counts[31] >= 2

    assert list(sets.minimal_sets([3] * 40, enough)) == [tuple(1 if i == 7 else 2 if i == 31 else 0 for i in range(40))]
    assert asked < 500
