"""A study: a run that has been carried out and counted. Everything a report says is here, and nothing of how it ran."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import frozen

from workbench.sim.compare import Comparison, Shares, Table, compare, shares, table
from workbench.sim.runs import Plan, Played
from workbench.sim.stated_shares import ShareTests, share_tests, stated_shares
from workbench.sim.sweeps import Steps
from workbench.sim.tally import Findings, tally


@frozen
class Heading:
    """What was played."""

    rulesets: tuple[tuple[str, str], ...]  # names and hashes
    kinds: tuple[str, ...]
    seed: int
    games: int

    @property
    def players(self) -> int:
        return len(self.kinds)

    def data(self) -> dict[str, Any]:
        return {
            "rulesets": [{"ruleset": name, "hash": digest} for name, digest in self.rulesets],
            "players": self.players,
            "seats": list(self.kinds),
            "games": self.games,
            "seeds": [self.seed, self.seed + self.games - 1],
        }


@frozen
class Study:
    """A run, counted. Of `contrast`, `table` and `shares` there is at most one."""

    heading: Heading
    findings: tuple[Findings, ...]  # of the one ruleset, or of both that are compared
    compare: Comparison | None = None
    table: Table | None = None
    shares: Shares | None = None
    steps: Steps | None = None
    stated: tuple[tuple[ShareTests, ...], ...] = ()  # by ruleset: the shares that it states

    @property
    def broken_shares(self) -> int:
        return sum(one.verdict == "broken" for tests in self.stated for one in tests)

    def data(self) -> dict[str, Any]:
        """The study as JSON."""
        found = self.heading.data()
        if self.findings:
            names = [name for name, _ in self.heading.rulesets]
            found["findings"] = [
                {"ruleset": name, **one.data()} for name, one in zip(names, self.findings, strict=True)
            ]
        if any(self.stated):
            found["shares"] = [
                {"ruleset": name, "shares": [one.data() for one in tests]}
                for (name, _), tests in zip(self.heading.rulesets, self.stated, strict=True)
            ]
        if self.compare is not None:
            found["compare"] = self.compare.data()
        if self.table is not None:
            found["sweep"] = self.table.data([name for name, _ in self.heading.rulesets])
        if self.shares is not None and self.steps is not None:
            found["attribute"] = {
                "by": "shapley" if self.steps.shapley else "one at a time",
                **self.shares.data(self.steps.overlays),
            }
        return found


def part_names(plan: Plan, branch: int) -> Sequence[str]:
    return [score.name for score in plan.branches[branch].source.ruleset().program.scores]


def study(plan: Plan, played: Played, kind: str, steps: Steps | None = None) -> Study:
    """Count a run. `kind` is plain, compare, sweep or attribute."""
    rulesets = tuple((branch.name, branch.source.ruleset().hash) for branch in plan.branches)
    heading = Heading(rulesets, plan.kinds, plan.seed, plan.games)
    branches = range(len(plan.branches))
    parts = [part_names(plan, branch) for branch in branches]

    def games() -> list[Any]:
        return [played.records(branch, plan.games) for branch in branches]

    if kind == "sweep":
        return Study(heading, (), table=table(games(), parts))
    if kind == "attribute":
        assert steps is not None
        return Study(heading, (), shares=shares(games(), parts, steps.weights), steps=steps)
    findings = tuple(tally(one, names, plan.kinds) for one, names in zip(games(), parts, strict=True))
    stated = tuple(_stated(plan, played, branch) for branch in branches)
    if kind == "plain":
        return Study(heading, findings, stated=stated)
    before, after = games()
    return Study(heading, findings, compare=compare(before, after, (parts[0], parts[1])), stated=stated)


def _stated(plan: Plan, played: Played, branch: int) -> tuple[ShareTests, ...]:
    ruleset = plan.branches[branch].source.ruleset()
    if not stated_shares(ruleset):
        return ()
    return share_tests(ruleset, (record.shares for record in played.records(branch, plan.games)))
