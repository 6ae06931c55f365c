"""The parts of a review that play no games: the check, the overlay's scenarios, and the game's under the stack."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from attrs import frozen

from warlock_dsl import Severity, render_json, render_text
from workbench.coverage.counting_machine import lines_of, traced_machine
from workbench.review.model import LOOK, OK, WRONG, Part
from workbench.review.subject import Subject, counted, shortened
from workbench.scenario.model import Report, Result
from workbench.scenario.run import FOLDER, run_path, run_scenario

MAX_USES = 3  # lines of the overlay that are named
MAX_SCENARIOS = 4  # that are shown


def check(subject: Subject) -> Part:
    """What the check says of the whole stack."""
    loaded = subject.stack
    errors, warnings, notes = (loaded.count(one) for one in (Severity.ERROR, Severity.WARNING, Severity.NOTE))
    louder = [one for one in loaded.diagnostics if one.severity is not Severity.NOTE]
    says = [counted(errors, "error") if errors else "no errors"]
    says += [counted(warnings, "warning")] if warnings else []
    says += [counted(notes, "note")] if notes else []
    mark = WRONG if errors else LOOK if warnings else OK
    lines = tuple(render_text(louder, loaded.sources).rstrip("\n").split("\n")) if louder else ()
    return Part("check", mark, ", ".join(says), lines, data={"diagnostics": render_json(loaded.diagnostics)})


# ------------------------------------------------------------------- its own


def own_scenarios(subject: Subject) -> Part:
    """The overlay's scenarios, under what they are written for and under the stack that is reviewed."""
    if not any((subject.folder / FOLDER).glob("*.toml")):
        says = f"it has none: nothing says what it should do ({subject.folder.name}/{FOLDER}/*.toml)"
        return Part("own_scenarios", LOOK, says)
    report = run_path(subject.folder, subject.load)
    data = {"report": report.data()}
    if not report.passed:
        lines = [*render_text(report.diagnostics, report.sources).splitlines(), *_failed(report)]
        return Part("own_scenarios", WRONG, _counts(report), tuple(lines), data=data)
    if subject.at_home:
        return Part("own_scenarios", OK, _counts(report), data=data)
    under = run_path(subject.folder, subject.load, subject.ruleset)
    data["under"] = under.data()
    if under.passed:
        return Part("own_scenarios", OK, f"{_counts(report)}, alone and in this stack", data=data)
    says = f"{_counts(report)} alone; in this stack {under.counts()}"
    return Part("own_scenarios", LOOK, says, tuple(_failed(under)), data=data)


def _counts(report: Report) -> str:
    return f"{counted(len(report.results), 'scenario')}, {report.counts()}"


def _failed(report: Report) -> list[str]:
    shown = [result for result in report.results if not result.passed]
    lines = [line for result in shown[:MAX_SCENARIOS] for line in _told(result, result.outcome)]
    return [*lines, f"and {len(shown) - MAX_SCENARIOS} more"] if len(shown) > MAX_SCENARIOS else lines


def _told(result: Result, outcome: str) -> list[str]:
    """A scenario that did not pass: its place and its name, what it expected and found."""
    span = result.scenario.span
    lines = [f"{Path(span.file).name}:{span.line}: {shortened(result.scenario.name)}: {outcome}"]
    if result.obstacle is not None:
        lines.append(f"  {shortened(result.obstacle.reason)}")
    for failure in result.failures[:1]:
        lines.append(f"  expected: {shortened(failure.expected)}")
        lines.append(f"  found:    {shortened(failure.found)}")
    return lines


# ---------------------------------------------------------------- the game's


@frozen
class Otherwise:
    """A scenario of the game that comes out otherwise under the overlay; `uses` are the lines of it that it needs."""

    before: Result
    after: Result
    uses: tuple[str, ...]

    @property
    def why(self) -> str:
        """Whether the overlay's own lines explain it."""
        if self.after.obstacle is not None:
            return "it needs what the house rule has taken away, or has other pieces than the house rule"
        if not self.uses:
            return "it uses no line and no value of the house rule: it must differ by what is on the table"
        more = " and more" if len(self.uses) > MAX_USES else ""
        return f"it uses {_places(self.uses[:MAX_USES])}{more}: look whether it should come out so"

    def data(self) -> dict[str, object]:
        return {**self.after.data(), "before": self.before.outcome, "uses": list(self.uses)}


def _places(uses: Sequence[str]) -> str:
    """Values and lines, each file named once."""
    found: dict[str, list[str]] = {}
    for use in uses:
        file, colon, line = use.rpartition(":")
        found.setdefault(file if colon else use, []).extend([line] if colon else [])
    return ", ".join(f"{name}:{' '.join(lines)}".rstrip(":").replace(" ", ", ") for name, lines in found.items())


NOW = {"failed": "now failed", "not run": "now cannot be run", "passed": "now passed"}


def game_scenarios(subject: Subject) -> Part:
    """The game's scenarios under the stack, compared with what they come to without the overlay."""
    before = run_path(subject.game, subject.load, subject.before)
    if not before.results:
        return Part("game_scenarios", OK, "the game has none")
    after = run_path(subject.game, subject.load, subject.ruleset)
    known = {_key(result): result for result in before.results}
    other = [
        Otherwise(known[_key(result)], result, _uses(subject, result))
        for result in after.results
        if _key(result) in known and result.outcome != known[_key(result)].outcome
    ]
    same, every = len(after.results) - len(other), counted(len(after.results), "scenario")
    data = {"same": same, "otherwise": [one.data() for one in other]}
    if not other:
        return Part("game_scenarios", OK, f"{every}, all as without it", data=data)
    outcomes = [one.after.outcome for one in other]
    many = [f"{outcomes.count(word)} {told}" for word, told in NOW.items() if word in outcomes]
    lines = [line for one in other[:MAX_SCENARIOS] for line in _lines(one)]
    lines += [f"and {len(other) - MAX_SCENARIOS} more: --json has all of them"] if len(other) > MAX_SCENARIOS else []
    return Part("game_scenarios", LOOK, f"{every}, {same} as without it, {', '.join(many)}", tuple(lines), data=data)


def _key(result: Result) -> tuple[str, str]:
    return result.scenario.span.file, result.scenario.name


def _lines(one: Otherwise) -> list[str]:
    return [*_told(one.after, f"{one.before.outcome} before, {one.after.outcome} now"), f"  {one.why}"]


def _uses(subject: Subject, result: Result) -> tuple[str, ...]:
    """The values of the overlay that a scenario reads, and the lines of it that it runs through."""
    if result.obstacle is not None:
        return ()
    machine = traced_machine(subject.ruleset, len(result.scenario.players))
    run_scenario(subject.ruleset, result.scenario, machine=machine)
    watch, tables = machine.watch, subject.ruleset.components.tables
    read = {f"{group}.{name}" for group, name in watch.figures} | {name for _, name in watch.lookups}
    read |= {f"{table}.{tables[table].rows[row]}.{column}" for table, column, row in watch.cells}
    found = sorted(line for line in lines_of(subject.ruleset, machine) if subject.owns(line[0]))
    return (*sorted(read & subject.changed.keys()), *(f"{file}:{number}" for file, number in found))
