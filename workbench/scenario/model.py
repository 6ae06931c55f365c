"""The nouns of scenarios: a position, the steps that are played from it, and what became of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from attrs import field, frozen

from warlock_dsl import CallFragment, Diagnostic, Fragment, Span, render_json
from warlock_dsl.check.program import Constant

# ----------------------------------------------------------------- a scenario


@frozen
class Word:
    """A word of a scenario and where it stands. `count` is that of `word*3`; `who` that of `who: word`."""

    text: str
    span: Span
    count: int = 1
    who: str = ""


@frozen
class Filling:
    """What lies in one place, from the bottom up; `cells` has the cell of each word, -1: none, or the next free one."""

    place: int
    pieces: tuple[Word, ...]
    cells: tuple[int, ...]
    span: Span


@frozen
class Setting:
    """A variable, by its slot in the state, and the value it has."""

    slot: int
    value: Constant
    span: Span


@frozen
class Moment:
    """`at`: the n-th beginning of a rule in a real game, for a player (-1: anyone), where a condition holds."""

    rule: int
    me: int
    where: Fragment | None
    nth: int
    text: str
    span: Span


@frozen
class Given:
    """A position, and what runs from it: one rule alone (`begin`), a real game (`at`), or nothing."""

    settings: tuple[Setting, ...] = ()
    fillings: tuple[Filling, ...] = ()
    rest: Mapping[int, int] = field(factory=dict)  # by kind: the place where the pieces not mentioned lie
    chance: tuple[Word, ...] = ()
    begin: CallFragment | None = None
    begin_span: Span | None = None
    at: Moment | None = None


@frozen
class Test:
    """An expression that must be true, or false."""

    __test__ = False  # not one of pytest's

    text: str
    fragment: Fragment
    holds: bool
    span: Span


@frozen
class Points:
    """What a seat must have of one part of the score, or in total (`part` is then -1)."""

    seat: int
    part: int
    name: str
    value: Fraction
    span: Span


@frozen
class Sight:
    """Whether a seat can name every piece of a place, or none; how many there are (`counts`); the value of a variable.

    `number` is that of the place, or (`variable`) of the variable.
    """

    seat: int
    number: int
    name: str
    seen: bool
    span: Span
    counts: bool = False
    variable: bool = False


@frozen
class Hearing:
    """Whether a seat has heard an answer, a roll or what was said, by its address; with these values, if there are."""

    seat: int
    name: str
    values: str
    heard: bool
    span: Span


@frozen
class Naming:
    """Which pieces of a place a seat can name: exactly these."""

    seat: int
    filling: Filling
    name: str


@frozen
class Step:
    """What must hold now, and the answers that are given then. `asks` is a seat, NOBODY, or None: not said."""

    span: Span
    asks: tuple[int, Span] | None = None
    question: Word | None = None
    offers: tuple[Word, ...] = ()
    refuses: tuple[Word, ...] = ()
    offers_only: tuple[Word, ...] | None = None
    offers_only_span: Span | None = None
    tests: tuple[Test, ...] = ()
    points: tuple[Points, ...] = ()
    sights: tuple[Sight, ...] = ()
    namings: tuple[Naming, ...] = ()
    hearings: tuple[Hearing, ...] = ()
    settings: tuple[Setting, ...] = ()  # variables that have these values
    holds: tuple[Filling, ...] = ()  # exactly these pieces lie there
    over: tuple[bool, Span] | None = None
    winners: tuple[tuple[int, ...], Span] | None = None
    error: Word | None = None
    answers: tuple[Word, ...] = ()


NOBODY = -1


@frozen
class Obstacle:
    """What a scenario asks for that the rules it is to run under do not have, and where it asks."""

    reason: str
    span: Span

    @property
    def text(self) -> str:
        return f"{self.span.file}:{self.span.line}:{self.span.column}: {self.reason}"


@frozen
class Scenario:
    """One test of a ruleset, every word of it checked against that ruleset.

    Under other rules than its own (`warlock test --under`) the last four say what that means for it.
    """

    name: str
    ruleset: str
    players: tuple[str, ...]
    cites: tuple[str, ...]
    seed: int
    given: Given = field(repr=False)
    steps: tuple[Step, ...] = field(repr=False)
    span: Span
    written_for: str = ""  # its own rules, where it runs under others
    overridden: str = ""  # its own `ruleset`, where it runs under another
    absent: frozenset[int] = frozenset()  # pieces that its own rules play with and these do not
    obstacle: Obstacle | None = None  # why it cannot be run under these


# ------------------------------------------------------------------- a result


@frozen
class Failure:
    """What did not come out as written. `step` counts from 1; 0 is the position itself."""

    step: int
    span: Span
    expected: str
    found: str

    @property
    def text(self) -> str:
        place = f"{self.span.file}:{self.span.line}:{self.span.column}"
        where = f"step {self.step}" if self.step else "the position"
        return f"{place}: {where}\n  expected: {self.expected}\n  found:    {self.found}"

    def data(self) -> dict[str, Any]:
        return {
            "step": self.step,
            "file": self.span.file,
            "line": self.span.line,
            "column": self.span.column,
            "expected": self.expected,
            "found": self.found,
        }


@frozen
class Result:
    """What became of one scenario."""

    scenario: Scenario
    failures: tuple[Failure, ...]
    obstacle: Obstacle | None = None  # why it was not run

    @property
    def outcome(self) -> str:
        return "not run" if self.obstacle is not None else "failed" if self.failures else "passed"

    @property
    def passed(self) -> bool:
        return self.outcome == "passed"

    def data(self) -> dict[str, Any]:
        return {
            "name": self.scenario.name,
            "ruleset": self.scenario.ruleset,
            "cites": list(self.scenario.cites),
            "file": self.scenario.span.file,
            "line": self.scenario.span.line,
            "passed": self.passed,
            "outcome": self.outcome,
            "reason": self.obstacle.reason if self.obstacle is not None else "",
            "overrides": self.scenario.overridden,
            "failures": [failure.data() for failure in self.failures],
        }


def counted(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


@frozen
class Report:
    """What became of all scenarios of a path; `diagnostics` are the errors of the files and of the rules."""

    files: tuple[str, ...]
    results: tuple[Result, ...]
    diagnostics: tuple[Diagnostic, ...]
    sources: Mapping[str, str] = field(repr=False)

    @property
    def failed(self) -> int:
        return self.count("failed")

    @property
    def not_run(self) -> int:
        """How many ask for something that the rules they were to run under do not have."""
        return self.count("not run")

    def count(self, outcome: str) -> int:
        return sum(result.outcome == outcome for result in self.results)

    @property
    def passed(self) -> bool:
        """Whether there was something to run, and all of it came out as written."""
        return self.count("passed") > 0 and not self.failed and not self.diagnostics

    def text(self) -> str:
        """What failed or was not run, and a last line that counts. Errors of the files are for `render_text`."""
        lines = [*self.overrides()]
        for result in self.results:
            if not result.passed:
                lines.append(f"{result.outcome.upper()} {result.scenario.span.file}: {result.scenario.name}")
                lines += [one.text for one in (result.obstacle, *result.failures) if one is not None]
        lines.append(f"{counted(len(self.results), 'scenario')} in {counted(len(self.files), 'file')}, {self.counts()}")
        return "\n".join(lines)

    def overrides(self) -> Iterator[str]:
        """A line for each `ruleset` that scenarios of a file name and do not run under."""
        named = [(one.scenario.span.file, one.scenario.overridden, one.scenario.ruleset) for one in self.results]
        for (file, own, other), many in Counter(one for one in named if one[1]).items():
            yield f'{file}: {counted(many, "scenario")} with ruleset = "{own}", run under {other} instead'

    def counts(self) -> str:
        """How many there are of each outcome, in words."""
        if not self.failed and not self.not_run:
            return "all passed" if self.results else "nothing to run"
        passed = [f"{self.count('passed')} passed"] if self.not_run else []
        failed = [f"{self.failed} failed"] if self.failed else []
        return ", ".join([*passed, *failed, *([f"{self.not_run} not run"] if self.not_run else [])])

    def data(self) -> dict[str, Any]:
        return {
            "passed": self.passed,
            "files": list(self.files),
            "failed": self.failed,
            "not_run": self.not_run,
            "scenarios": [result.data() for result in self.results],
            "diagnostics": render_json(self.diagnostics),
        }
