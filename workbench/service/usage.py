"""Which scenarios make use of which lines of the rules and tables: found by running them, one step after another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from attrs import frozen

from interpreter import Layout, lower
from interpreter.ir import blocks as ir
from warlock_dsl import Ruleset, Span
from workbench.coverage.counting_machine import Traced, lines_of
from workbench.scenario.run import read_scenarios, run_scenario
from workbench.scenario.stage import MAX_WORK, WorkBudget
from workbench.service.project import Project

Line = tuple[str, int]  # file, as places name it, and number
MAX_SCENARIOS = 1000


@frozen
class Case:
    """A scenario: the file it is in, its name, and its place."""

    file: Path
    name: str
    line: int


@frozen(eq=False)
class Usage:
    """The scenarios of a game or overlay, and those that use each line."""

    hash: str  # of the rules they ran under
    texts: Mapping[Path, str]
    cases: tuple[Case, ...]
    lines: Mapping[Line, frozenset[int]]

    def of(self, spans: Sequence[Span]) -> list[Case]:
        """The scenarios that use a line of some stretches."""
        found: set[int] = set()
        for span in spans:
            for line in range(span.line, span.end_line + 1):
                found |= self.lines.get((span.file, line), frozenset())
        return [self.cases[number] for number in sorted(found)]


def scenario_texts(project: Project, home: Path) -> dict[Path, str]:
    """The scenarios of a game or overlay as they are open, or on the disk."""
    return {file: project.text(file) for file in sorted((home / "scenarios").glob("*.toml"))}


def find_usage(ruleset: Ruleset, texts: Mapping[Path, str]) -> Iterator[Usage | None]:
    """Runs the scenarios; gives nothing after each one, so that others have their turn, and at last what was found."""
    cases: list[Case] = []
    lines: dict[Line, set[int]] = {}
    for file, text in texts.items():
        scenarios, _ = read_scenarios(text, file.as_posix(), lambda _: ruleset, ruleset.name)
        for scenario in scenarios[: MAX_SCENARIOS - len(cases)]:
            machine = traced(ruleset, len(scenario.players))
            run_scenario(ruleset, scenario, WorkBudget(MAX_WORK), machine)
            for line in lines_of(ruleset, machine):
                lines.setdefault(line, set()).add(len(cases))
            cases.append(Case(file, scenario.name, scenario.span.line))
            yield None
    yield Usage(ruleset.hash, texts, tuple(cases), {line: frozenset(used) for line, used in lines.items()})


def traced(ruleset: Ruleset, players: int) -> Traced:
    """A machine that notes which lines it uses."""
    layout, lowered = _layout(ruleset, players)
    return Traced(layout, lowered)


@lru_cache(maxsize=8)
def _layout(ruleset: Ruleset, players: int) -> tuple[Layout, tuple[ir.LoweredRule, ...]]:
    return Layout(ruleset.program, ruleset.components, players), lower(ruleset.program)
