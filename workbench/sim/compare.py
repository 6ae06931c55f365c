"""Several rulesets on common seeds: what changes from one to another, game by game.

The same numbers of games have the same seeds and the same players in the same seats, so that a difference is taken
within each pair, and only what the rules do remains.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from attrs import frozen

from workbench.sim.games import GameRecord
from workbench.sim.statistics import Estimate, Running, among
from workbench.sim.tally import MIN_GAMES, metrics


@frozen
class Change:
    """One figure under two rulesets. `sure`: the difference is none of chance, all figures looked at together."""

    name: str
    before: Estimate
    after: Estimate
    difference: Estimate
    sure: bool

    def data(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "before": self.before.data(),
            "after": self.after.data(),
            "difference": self.difference.data(),
            "sure": self.sure,
        }


@frozen
class Comparison:
    """Two rulesets. `pairs` are the games that both finished; `alike` those that went the same way in both."""

    pairs: int
    left_out: int
    alike: Estimate
    changes: tuple[Change, ...]
    uses: tuple[Change, ...]  # times a game each option is taken; the name is `question key`

    def data(self) -> dict[str, Any]:
        return {
            "pairs": self.pairs,
            "left_out": self.left_out,
            "alike": self.alike.data(),
            "changes": [change.data() for change in self.changes],
            "uses": [change.data() for change in self.uses],
        }


class _Pair:
    """One figure, pair by pair."""

    __slots__ = ("after", "before", "difference")

    def __init__(self) -> None:
        self.before, self.after, self.difference = Running(), Running(), Running()

    def add(self, before: float, after: float) -> None:
        self.before.add(before)
        self.after.add(after)
        self.difference.add(after - before)

    def change(self, name: str, level: float) -> Change:
        sure = self.difference.count >= MIN_GAMES and self.difference.mean(level).sure
        won = name.startswith("won: ")
        before = self.before.rate() if won else self.before.mean()
        after = self.after.rate() if won else self.after.mean()
        return Change(name, before, after, self.difference.mean(), sure)


def compare(
    before: Iterator[GameRecord], after: Iterator[GameRecord], parts: tuple[Sequence[str], Sequence[str]]
) -> Comparison:
    """Compare two rulesets game by game. A part of the score that one of them lacks counts as nought there."""
    found: dict[str, _Pair] = {}
    counts: dict[str, list[tuple[int, int, int]]] = {}
    pairs = left_out = 0
    alike = Running()
    for a, b in zip(before, after, strict=True):
        if not (a.finished and b.finished):
            left_out += 1
            continue
        alike.add(same_transcript(a, b))
        ours, theirs = metrics(a, parts[0]), metrics(b, parts[1])
        for name in dict.fromkeys((*ours, *theirs)):
            found.setdefault(name, _Pair()).add(ours.get(name, 0.0), theirs.get(name, 0.0))
        own, other = _times(a), _times(b)
        for key in own.keys() | other.keys():
            counts.setdefault(key, []).append((pairs, own[key], other[key]))
        pairs += 1
    uses = {key: _use(games, pairs) for key, games in sorted(counts.items())}
    return Comparison(
        pairs,
        left_out,
        alike.rate(),
        tuple(pair.change(name, among(len(found))) for name, pair in found.items()),
        tuple(pair.change(name, among(len(uses))) for name, pair in uses.items()),
    )


def same_transcript(a: GameRecord, b: GameRecord) -> bool:
    """Whether two games went the same way, as far as records tell."""
    return (a.decisions, a.winners, a.parts, a.uses) == (b.decisions, b.winners, b.parts, b.uses)


def _times(record: GameRecord) -> Counter[str]:
    found: Counter[str] = Counter()
    for (question, key), counts in record.uses.items():
        found[f"{question} {key}"] += sum(counts)
    return found


def _use(games: Sequence[tuple[int, int, int]], pairs: int) -> _Pair:
    """The times an option was taken in each pair of games; those not listed are noughts."""
    pair, at = _Pair(), 0
    for number, before, after in games:
        while at < number:
            pair.add(0, 0)
            at += 1
        pair.add(before, after)
        at += 1
    while at < pairs:
        pair.add(0, 0)
        at += 1
    return pair


# ------------------------------------------------------------ several rulesets


@frozen
class Table:
    """Figures by ruleset: each with its own estimate and with its difference from the first ruleset."""

    pairs: int
    left_out: int
    names: tuple[str, ...]
    values: tuple[tuple[Estimate, ...], ...]  # by ruleset, then by figure
    differences: tuple[tuple[Estimate, ...], ...]

    def data(self, rulesets: Sequence[str]) -> dict[str, Any]:
        return {
            "pairs": self.pairs,
            "left_out": self.left_out,
            "rulesets": [
                {
                    "ruleset": ruleset,
                    "figures": {name: value.data() for name, value in zip(self.names, values, strict=True)},
                    "from_the_first": {name: one.data() for name, one in zip(self.names, differences, strict=True)},
                }
                for ruleset, values, differences in zip(rulesets, self.values, self.differences, strict=True)
            ],
        }


def _rows(
    games: Sequence[Iterator[GameRecord]], parts: Sequence[Sequence[str]]
) -> Iterator[list[dict[str, float]] | None]:
    """The figures of each game under every ruleset; None where one of them did not finish."""
    for records in zip(*games, strict=True):
        if all(record.finished for record in records):
            yield [metrics(record, names) for record, names in zip(records, parts, strict=True)]
        else:
            yield None


def table(games: Sequence[Iterator[GameRecord]], parts: Sequence[Sequence[str]]) -> Table:
    """Rulesets side by side."""
    values: list[dict[str, _Pair]] = [{} for _ in games]
    pairs = left_out = 0
    names: dict[str, None] = {}
    rows = []
    for row in _rows(games, parts):
        if row is None:
            left_out += 1
            continue
        pairs += 1
        rows.append(row)
        names.update(dict.fromkeys(name for figures in row for name in figures))
    for row in rows:
        for found, figures in zip(values, row, strict=True):
            for name in names:
                found.setdefault(name, _Pair()).add(row[0].get(name, 0.0), figures.get(name, 0.0))
    changes = (
        [[found[name].change(name, among(1)) for name in names] for found in values] if pairs else [[]] * len(games)
    )
    return Table(
        pairs,
        left_out,
        tuple(names),
        tuple(tuple(change.after for change in row) for row in changes),
        tuple(tuple(change.difference for change in row) for row in changes),
    )


@frozen
class Shares:
    """What each overlay of a stack contributes to what the whole stack changes, figure by figure."""

    pairs: int
    left_out: int
    names: tuple[str, ...]
    whole: tuple[Estimate, ...]  # by figure
    overlays: tuple[tuple[Estimate, ...], ...]  # by overlay, then by figure

    def data(self, overlays: Sequence[str]) -> dict[str, Any]:
        return {
            "pairs": self.pairs,
            "left_out": self.left_out,
            "whole": {name: one.data() for name, one in zip(self.names, self.whole, strict=True)},
            "overlays": [
                {"overlay": overlay, "shares": {name: one.data() for name, one in zip(self.names, row, strict=True)}}
                for overlay, row in zip(overlays, self.overlays, strict=True)
            ],
        }


def shares(
    games: Sequence[Iterator[GameRecord]], parts: Sequence[Sequence[str]], weights: Sequence[Sequence[float]]
) -> Shares:
    """Weigh the figures of every game (see `families.Steps`): one value a game and overlay, hence an interval."""
    found: dict[str, list[Running]] = {}
    kept: list[list[dict[str, float]]] = []
    left_out = 0
    for row in _rows(games, parts):
        if row is None:
            left_out += 1
        else:
            kept.append(row)
    names = tuple(dict.fromkeys(name for row in kept for figures in row for name in figures))
    for row in kept:
        for name in names:
            values = [figures.get(name, 0.0) for figures in row]
            sums = found.setdefault(name, [Running() for _ in range(len(weights) + 1)])
            sums[0].add(values[-1] - values[0])
            for running, factors in zip(sums[1:], weights, strict=True):
                running.add(sum(factor * value for factor, value in zip(factors, values, strict=True)))
    return Shares(
        len(kept),
        left_out,
        names,
        tuple(found[name][0].mean() for name in names),
        tuple(tuple(found[name][place + 1].mean() for name in names) for place in range(len(weights))),
    )
