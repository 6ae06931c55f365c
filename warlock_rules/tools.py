"""What the commands `warlock diff`, `fuzz` and `sim` find, as values: each has `.data()` for JSON.

With `jobs` over 1 the work is shared out to as many processes (0: one a core); a script that asks for that needs the
usual `if __name__ == "__main__":`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from warlock_rules.rulesets import Roots, loaded
from workbench.diff.model import DiffReport
from workbench.diff.run import Plan as DiffPlan
from workbench.diff.run import compare as compared
from workbench.fuzz.campaign import Plan as FuzzPlan
from workbench.fuzz.search import Limits, Search, Searched
from workbench.players.registry import spec
from workbench.sim.runs import Branch, Plan, carry_out
from workbench.sim.study import Study, study
from workbench.support.errors import UsageError
from workbench.support.ruleset_source import source_of
from workbench.support.which_machine import speed_up
from workbench.support.workers import worker_pool
from workbench.transcripts.transcript import MAX_DECISIONS


def _silent(*_: object) -> None:
    """Nobody is told how far the work has got."""


def diff(
    a: str | Path, b: str | Path, *more: str | Path, play: bool = True, seed: int = 0, seconds: float = 0.0,
    lang: str = "en", jobs: int = 1, rules: Roots = (),
) -> DiffReport:  # fmt: skip
    """What rulesets of one game do otherwise than the first, and, with `play`, positions that show each difference."""
    speed_up()
    with worker_pool(jobs) as workers:
        found = [loaded(name, rules) for name in (a, b, *more)]
        return compared(found, workers, DiffPlan(seed, lang, play, seconds), _silent)


def fuzz(
    ruleset: str | Path, *, out: str | Path, games: int = 0, seconds: float = 0.0, players: Sequence[int] = (),
    seed: int = 0, first: bool = False, max_decisions: int = MAX_DECISIONS, jobs: int = 1, rules: Roots = (),
) -> Searched:  # fmt: skip
    """Look for games that break a law; each that is found is written to the folder `out`, as short as it can be made.

    It ends after so many games or seconds, one of which must be given, or, with `first`, at the first finding.
    """
    if not games and not seconds:
        raise UsageError("say when to stop: games=N, or seconds=S")
    speed_up()
    found = loaded(ruleset, rules)
    assert found.ruleset is not None
    parts = found.ruleset.components
    numbers = tuple(players) or tuple(range(parts.min_players, parts.max_players + 1))
    for number in numbers:
        _fits(found.ruleset.name, parts.min_players, parts.max_players, number)
    search = Search(found, FuzzPlan(source_of(found), numbers, seed, max_decisions), Path(out), keep=False)
    with worker_pool(jobs) as workers:
        return search.run(workers, Limits(games, seconds, first), _silent, _silent)


def sim(
    ruleset: str | Path, *, compare: str | Path | None = None, games: int = 100, seats: Sequence[str] = ("random",),
    players: int = 0, seed: int = 0, laws: bool = False, max_decisions: int = MAX_DECISIONS, jobs: int = 1,
    rules: Roots = (),
) -> Study:  # fmt: skip
    """Play many games of bots and count them; with `compare`, another ruleset on the same seeds."""
    speed_up()
    sides = [loaded(name, rules) for name in (ruleset, compare) if name is not None]
    first = sides[0].ruleset
    assert first is not None
    kinds = [spec(seat).bot for seat in seats]
    if len(kinds) == 1:
        kinds *= players or max(first.components.min_players, min(first.components.max_players, 4))
    if players not in (0, len(kinds)):
        raise UsageError(f"{len(kinds)} seats for {players} players")
    branches = []
    for side in sides:
        assert side.ruleset is not None
        parts = side.ruleset.components
        _fits(side.ruleset.name, parts.min_players, parts.max_players, len(kinds))
        branches.append(Branch(side.ruleset.name, source_of(side)))
    plan = Plan(tuple(branches), tuple(kinds), seed, games, laws, max_decisions)
    with worker_pool(jobs) as workers:
        return study(plan, carry_out(plan, workers, None, _silent), "plain" if compare is None else "compare")


def _fits(name: str, minimum: int, maximum: int, players: int) -> None:
    if not minimum <= players <= maximum:
        raise UsageError(f"{name} is for {minimum} to {maximum} players, not {players}")
