"""Means, rates and paired differences with their intervals: what many games tell, and how surely."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import inf, pi, sqrt, tan
from statistics import NormalDist, fmean, variance

from attrs import frozen

LEVEL = 0.95


@frozen
class Estimate:
    """A value and the interval it lies in at the level asked for; `count` is how many games speak for it."""

    value: float
    low: float
    high: float
    count: int

    @property
    def sure(self) -> bool:
        """Whether it is certainly not zero."""
        return self.low > 0 or self.high < 0

    def data(self) -> dict[str, object]:
        ends = [None if abs(end) == inf else round(end, 6) for end in (self.low, self.high)]
        return {"value": round(self.value, 6), "interval": ends, "games": self.count}


def student(level: float, freedom: int) -> float:
    """The quantile of Student's t for an interval of this level, by the expansion of Cornish and Fisher.

    Within two in a thousand at three degrees of freedom, closer beyond; one and two have closed forms.
    """
    tail = (1 + level) / 2
    if freedom < 1:
        return inf
    if freedom == 1:
        return tan(pi * (tail - 0.5))
    if freedom == 2:
        return (2 * tail - 1) * sqrt(2 / (4 * tail * (1 - tail)))
    z, n = NormalDist().inv_cdf(tail), float(freedom)
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + sum(term / n**order for order, term in enumerate(terms, 1))


def mean(values: Sequence[float], level: float = LEVEL) -> Estimate:
    """The mean of independent values, with Student's interval. A single value tells nothing about its spread."""
    count = len(values)
    if count == 0:
        return Estimate(0.0, -inf, inf, 0)
    middle = fmean(values)
    if count == 1:
        return Estimate(middle, -inf, inf, 1)
    half = student(level, count - 1) * sqrt(variance(values, middle) / count)
    return Estimate(middle, middle - half, middle + half, count)


def rate(hits: float, count: int, level: float = LEVEL) -> Estimate:
    """How often something happens, with Wilson's interval, which holds for rare things too.

    Hits may be parts of one (half a win): values between 0 and 1 spread less than those at the ends, so that the
    interval is then rather too wide than too narrow.
    """
    if count == 0:
        return Estimate(0.0, 0.0, 1.0, 0)
    z = NormalDist().inv_cdf((1 + level) / 2)
    share, scale = hits / count, 1 + z * z / count
    middle = (share + z * z / (2 * count)) / scale
    half = z * sqrt(share * (1 - share) / count + z * z / (4 * count * count)) / scale
    return Estimate(share, max(0.0, middle - half), min(1.0, middle + half), count)


class Running:
    """A mean gathered value by value (Welford's way), for what is counted too often to be kept."""

    __slots__ = ("_middle", "_spread", "count")

    def __init__(self) -> None:
        self.count = 0
        self._middle = 0.0
        self._spread = 0.0

    def add(self, value: float) -> None:
        self.count += 1
        away = value - self._middle
        self._middle += away / self.count
        self._spread += away * (value - self._middle)

    @classmethod
    def of(cls, values: Iterable[float]) -> Running:
        """The same of many values at once."""
        count, middle, spread = 0, 0.0, 0.0
        for value in values:
            count += 1
            away = value - middle
            middle += away / count
            spread += away * (value - middle)
        found = cls()
        found.count, found._middle, found._spread = count, middle, spread
        return found

    def mean(self, level: float = LEVEL) -> Estimate:
        """The mean so far, as `mean` gives it."""
        if self.count < 2:
            return Estimate(self._middle, -inf, inf, self.count)
        half = student(level, self.count - 1) * sqrt(self._spread / (self.count - 1) / self.count)
        return Estimate(self._middle, self._middle - half, self._middle + half, self.count)

    def rate(self, level: float = LEVEL) -> Estimate:
        """The same for values from 0 to 1, as `rate` gives it."""
        return rate(self._middle * self.count, self.count, level)


def mean_of_sums(total: int, moments: int, count: int, level: float = LEVEL) -> Estimate:
    """The mean of whole numbers known by their sum and their second moments; noughts need not have been added."""
    if count < 2:
        return Estimate(float(total), -inf, inf, count)
    middle = total / count
    half = student(level, count - 1) * sqrt((moments * count - total * total) / count / (count - 1) / count)
    return Estimate(middle, middle - half, middle + half, count)


def among(many: int, level: float = LEVEL) -> float:
    """The level each of many intervals needs so that all of them hold together at the level asked for (Bonferroni)."""
    return 1 - (1 - level) / max(1, many)


@frozen
class Spread:
    """How values lie: all of them, in order."""

    values: tuple[float, ...]

    @property
    def quartiles(self) -> tuple[float, ...]:
        """Least, quarter, median, three quarters and most; each the nearest value at it or below."""
        return tuple(self.values[(len(self.values) - 1) * part // 4] for part in range(5))

    def data(self) -> dict[str, object]:
        return {"quartiles": [round(end, 6) for end in self.quartiles]} if self.values else {}


def spread(values: Iterable[float]) -> Spread:
    return Spread(tuple(sorted(values)))


def paired(before: Sequence[float], after: Sequence[float], level: float = LEVEL) -> Estimate:
    """The mean of the differences of paired values: what a change does to one and the same game."""
    return mean([b - a for a, b in zip(before, after, strict=True)], level)
