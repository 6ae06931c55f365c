"""Shares that the rules state (`share f in 20..30 = P`): counted over games, with an interval and a verdict.

A share of a list is one for each of its places, as of each seat. All intervals of one share hold together at 95 %.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from attrs import frozen

from interpreter import Game
from warlock_dsl import Property, Ruleset
from workbench.sim.statistics import Estimate, among, rate
from workbench.support.game_values import values_for

Outcome = Mapping[str, Sequence[int]]
"""By the name of a share that counts a game: for each of its places 1 or 0."""


def stated_shares(ruleset: Ruleset) -> list[Property]:
    return [one for one in ruleset.properties if one.kind == "share"]


def outcome_of(game: Game) -> dict[str, list[int]]:
    """What a game that is over adds to each share that counts it."""
    found: dict[str, list[int]] = {}
    for one in stated_shares(game.ruleset):
        values = values_for(game.ruleset, game.players)
        state = values.position(game)
        if values.applies(state, one, game.winners):
            value = values.value(state, one, game.winners)
            places = value if isinstance(value, tuple) else (value,)
            found[one.name] = [int(place) for place in places]
    return found


@frozen
class ShareTests:
    """How a share fared: an estimate for each of its places."""

    name: str
    bounds: tuple[int, int]
    games: int  # that were played, counted or not
    places: tuple[Estimate, ...]

    def verdict_of(self, one: Estimate) -> str:
        low, high = (bound / 100 for bound in self.bounds)
        if one.low >= low and one.high <= high:
            return "holds"
        return "broken" if one.high < low or one.low > high else "too few games to tell"

    @property
    def verdict(self) -> str:
        """broken, holds, too few games to tell, or never: no game that was played counts."""
        if not self.places:
            return "never"
        verdicts = {self.verdict_of(one) for one in self.places}
        return next(word for word in ("broken", "too few games to tell", "holds") if word in verdicts)

    def lines(self) -> Iterable[str]:
        stated = f"{self.name}, stated as {self.bounds[0]} to {self.bounds[1]} %"
        if self.verdict == "never":
            yield f"{stated}: never tested"
            yield f"  its condition held in none of {self.games:,} games"
            return
        yield f"{stated}: {self.verdict}"
        yield f"  counted in {self.places[0].count:,} of {self.games:,} games"
        for number, one in enumerate(self.places, 1):
            value, low, high = (f"{part * 100:.1f}" for part in (one.value, one.low, one.high))
            place = f"{number}: " if len(self.places) > 1 else ""
            yield f"  {place}{value} % ({low} to {high}): {self.verdict_of(one)}"

    def data(self) -> dict[str, Any]:
        return {
            "law": f"share.{self.name}",
            "percent": list(self.bounds),
            "verdict": self.verdict,
            "games": self.games,
            "places": [{**one.data(), "verdict": self.verdict_of(one)} for one in self.places],
        }


class _Counts:
    """By place of a share: hits, and games that were counted."""

    def __init__(self) -> None:
        self.hits: list[int] = []
        self.games: list[int] = []

    def add(self, values: Sequence[int]) -> None:
        more = [0] * (len(values) - len(self.hits))
        self.hits += more
        self.games += more
        for place, value in enumerate(values):
            self.hits[place] += value
            self.games[place] += 1

    def estimates(self) -> tuple[Estimate, ...]:
        level = among(len(self.hits))
        return tuple(rate(hits, games, level) for hits, games in zip(self.hits, self.games, strict=True))


def share_tests(ruleset: Ruleset, outcomes: Iterable[Outcome]) -> tuple[ShareTests, ...]:
    """The verdict on every share, from what the games came to."""
    stated = stated_shares(ruleset)
    games, counts = 0, {one.name: _Counts() for one in stated}
    for outcome in outcomes:
        games += 1
        for name, values in outcome.items():
            if name in counts:
                counts[name].add(values)
    return tuple(ShareTests(one.name, one.bounds, games, counts[one.name].estimates()) for one in stated)
