"""Results of scenarios beside the rules they use: each runs once, counted, and is told at what it needs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from attrs import define, field, frozen

from warlock_dsl import Loaded, Ruleset, Span, derive, parse_stack
from workbench.coverage.counting_machine import lines_of
from workbench.scenario.model import Scenario
from workbench.scenario.read import read_scenarios
from workbench.scenario.run import run_scenario
from workbench.scenario.stage import MAX_WORK, WorkBudget
from workbench.service.usage import Line, traced

MAX_SCENARIOS = 1000
MAX_NAMED = 6  # scenarios that one declaration names

Case = tuple[str, int]  # the file of a scenario, and its line
Report = dict[str, Any]


@frozen
class Used:
    """How a scenario came out, and the lines it used."""

    name: str
    outcome: str
    lines: frozenset[Line]


@define(eq=False)
class Margin:
    """What scenarios use, and how they came out, under one state of the rules."""

    cases: dict[Case, Used] = field(factory=dict)
    declared: Mapping[str, Span] = field(factory=dict)  # by address: where it is written

    def touches(self, case: Case, addresses: frozenset[str]) -> bool:
        """Whether a scenario used one of these declarations; one that never ran may."""
        used = self.cases.get(case)
        if used is None:
            return True
        spans = [self.declared[one] for one in addresses if one in self.declared]
        return any(_uses(used, span) for span in spans)

    def data(self) -> Report:
        """By file, each declaration that a scenario uses: its line, how many passed, and which did not."""
        found: Report = {}
        for address, span in self.declared.items():
            own = [(case, used) for case, used in self.cases.items() if _uses(used, span)]
            if own and not span.file.startswith("std/"):
                failed = [{"file": file, "line": line, "name": used.name}
                          for (file, line), used in own if used.outcome == "failed"]  # fmt: skip
                row = {"line": span.line, "address": address, "failed": failed[:MAX_NAMED], "count": len(own)}
                found.setdefault(span.file, []).append({**row, "passed": len(own) - len(failed)})
        return found


def _uses(used: Used, span: Span) -> bool:
    return any((span.file, line) in used.lines for line in range(span.line, span.end_line + 1))


def declarations(ruleset: Ruleset) -> dict[str, Span]:
    """Where every rule, definition and figure is written."""
    program, components = ruleset.program, ruleset.components
    found = {one.address: one.span for one in program.rules} | {one.address: one.span for one in program.defines}
    return found | {f"{one.group}.{one.name}": one.span for one in components.figures.values()}


def changed(old: Loaded | None, new: Loaded) -> frozenset[str]:
    """The addresses at which two states of the rules differ."""
    if old is None or old.ruleset is None or new.ruleset is None or old.name != new.name:
        return frozenset()
    return frozenset(unit.target for unit in derive(old, new))


def ran(ruleset: Ruleset, texts: Mapping[str, str], margin: Margin, first: Callable[[Case], bool]) -> Iterator[Report]:
    """Runs the scenarios of some files, those first that the callback wants, and gives the result of each. A scenario
    that is written for another stack, which this one does not hold, is left out."""
    margin.declared = declarations(ruleset)
    cases: list[tuple[str, Scenario]] = []
    for file, text in texts.items():
        scenarios, errors = read_scenarios(text, file, lambda _: ruleset, ruleset.name, ruleset)
        if errors:
            one = errors[0]
            yield {"file": file, "line": one.span.line, "name": "", "outcome": "failed", "why": one.message}
        cases += [(file, one) for one in scenarios if _fits(one.overridden, ruleset.name)]
    order = sorted(cases[:MAX_SCENARIOS], key=lambda one: not first((one[0], one[1].span.line)))
    for file, scenario in order:
        machine = traced(ruleset, len(scenario.players))
        found = run_scenario(ruleset, scenario, WorkBudget(MAX_WORK), machine)
        line = scenario.span.line
        margin.cases[file, line] = Used(scenario.name, found.outcome, frozenset(lines_of(ruleset, machine)))
        why = found.failures[0].text if found.failures else found.obstacle.reason if found.obstacle else ""
        yield {"file": file, "line": line, "name": scenario.name, "outcome": found.outcome, "why": why}


def _fits(written_for: str, stack: str) -> bool:
    """Whether a stack has all that a scenario is written for."""
    wanted, here = parse_stack(written_for or stack), parse_stack(stack)
    if isinstance(wanted, str) or isinstance(here, str):
        return False
    return wanted.base == here.base and {use.name for use in wanted.uses} <= {use.name for use in here.uses}
