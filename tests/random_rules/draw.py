"""Where random choices come from: a seed, or Hypothesis, which can then make a failing case smaller."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from random import Random
from typing import Any, TypeVar

T = TypeVar("T")


class Draw:
    """Random choices. The first of several is always the smallest: whoever shrinks a case goes towards it.

    `without` names forms and features that are left out of a case: what a machine does not know yet.
    """

    without: frozenset[str] = frozenset()

    def feature(self, name: str, percent: int) -> bool:
        """Whether a case has a feature: in this share of all cases, if it may have it at all."""
        return name not in self.without and self.chance(percent)

    def below(self, count: int) -> int:
        """A number from 0 to `count` - 1."""
        raise NotImplementedError

    def int(self, low: int, high: int) -> int:
        """A number from `low` to `high`."""
        return low + self.below(high - low + 1)

    def chance(self, percent: int) -> bool:
        """True in this share of all cases; False is the smaller answer."""
        return self.below(100) >= 100 - percent

    def choose(self, items: Sequence[T], weights: Sequence[int] | None = None) -> T:
        """One of the items; `weights` says how much more often one is chosen than another."""
        if weights is None:
            return items[self.below(len(items))]
        pick = self.below(sum(weights))
        for item, weight in zip(items, weights, strict=True):
            pick -= weight
            if pick < 0:
                return item
        raise AssertionError("no weight above 0")

    def some(self, items: Sequence[T], low: int, high: int) -> list[T]:
        """Between `low` and `high` of the items, each at most once, in their order."""
        wanted = self.int(min(low, len(items)), min(high, len(items)))
        found: list[T] = []
        for place, item in enumerate(items):
            left = len(items) - place
            if self.below(left) < wanted - len(found):
                found.append(item)
        return found


class SeedDraw(Draw):
    """The same choices for the same seed, for ever."""

    def __init__(self, seed: int, without: Collection[str] = ()) -> None:
        self.random = Random(seed).random
        self.without = frozenset(without)

    def below(self, count: int) -> int:
        return int(self.random() * count)


class HypothesisDraw(Draw):
    """Choices of Hypothesis: give it the `draw` of a composite strategy, or that of `st.data()`."""

    def __init__(self, draw: Callable[..., Any]) -> None:
        from hypothesis import strategies

        self.draw = draw
        self.numbers = strategies.integers

    def below(self, count: int) -> int:
        return int(self.draw(self.numbers(0, count - 1))) if count > 1 else 0


class Taste:
    """How much a case likes each form: some not at all, some more than others (swarm testing)."""

    def __init__(self, draw: Draw) -> None:
        self.draw = draw
        self.likes: dict[str, int] = {}

    def weight(self, form: str, base: int) -> int:
        """How often a form is to be chosen in this case."""
        if form not in self.likes:
            known = form not in self.draw.without
            self.likes[form] = self.draw.choose((1, 3, 0), (60, 20, 20)) if known else 0
        return base * self.likes[form]

    def pick(self, forms: Sequence[tuple[str, int, T]]) -> T:
        """One of several forms: name, weight, and what is given back."""
        weights = [self.weight(name, base) for name, base, _ in forms]
        if not any(weights):
            weights = [0 if name in self.draw.without else base for name, base, _ in forms]
        return self.draw.choose(forms, weights)[2]
