"""Runs scenarios: lay out the position, judge each step, give its answers; whole folders of them too."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from interpreter import PlainMachine, PlayError
from warlock_dsl import MAX_FILE_BYTES, NOWHERE, Diagnostic, Loaded, Ruleset, Severity, Span, stack_of
from workbench.scenario.expect import MAX_LISTED, Judge, situation
from workbench.scenario.model import Failure, Obstacle, Report, Result, Scenario, Step, Word
from workbench.scenario.place_pieces import MomentError, PlacementError, stage_for
from workbench.scenario.read import read_scenarios
from workbench.scenario.stage import MAX_WORK, Stage, WorkBudget

__all__ = ["Failure", "Report", "Result", "Scenario", "read_scenarios", "run_path", "run_scenario"]

MAX_FILES = 500
MAX_TEXT_LENGTH = 2000
MAX_WORK_OF_FILE = 3 * MAX_WORK
FOLDER = "scenarios"

Load = Callable[[str], Loaded]


def run_scenario(
    ruleset: Ruleset, scenario: Scenario, budget: WorkBudget | None = None, machine: PlainMachine | None = None
) -> Result:
    """Play a scenario and collect everything that does not come out as written.

    The machine does no more work for it than the budget allows. A machine that is given must be one of the ruleset for
    as many players; without one it runs on the plain machine.
    """
    run = _Run(ruleset, scenario, budget or WorkBudget(), machine)
    if scenario.obstacle is None:
        run.play()
    return Result(scenario, tuple(run.failures), run.obstacle)


class _Run:
    """One scenario in play."""

    def __init__(self, ruleset: Ruleset, scenario: Scenario, budget: WorkBudget, machine: PlainMachine | None) -> None:
        self.ruleset = ruleset
        self.machine = machine
        self.scenario = scenario
        self.budget = budget
        self.failures: list[Failure] = []
        self.obstacle = scenario.obstacle
        self.number = 0
        self.error: PlayError | None = None  # met when the rule began, and not yet judged

    def fail(self, span: Span, expected: str, found: str) -> None:
        self.failures.append(Failure(self.number, span, shortened(expected), shortened(found)))

    def judge(self, stage: Stage, step: Step) -> None:
        Judge(stage, self.fail).step(step)

    def play(self) -> None:
        try:
            stage = stage_for(self.ruleset, self.scenario, self.budget, self.machine)
        except PlacementError as unplaced:
            self.unplaced(unplaced)
            return
        except PlayError as error:
            self.fail(self.begin_span(), "a rule that can begin", told(error))
            return
        if stage.state.stack:  # else nothing runs: only the position is judged
            try:
                stage.go()
            except PlayError as error:
                self.error = error
        for number, step in enumerate(self.scenario.steps, 1):
            self.number = number
            if not self.step(stage, step):
                return

    def unplaced(self, error: PlacementError) -> None:
        """A failure, but for a scenario written for other rules: that its pieces do not fit these says nothing."""
        if not self.scenario.written_for or isinstance(error, MomentError):
            self.fail(error.span, error.expected, error.found)
            return
        reason = f"the position needs {error.expected}: {error.found}"
        self.obstacle = Obstacle(f"under {self.scenario.ruleset} {reason}", error.span)

    def begin_span(self) -> Span:
        given = self.scenario.given
        return given.begin_span or (given.at.span if given.at is not None else self.scenario.span)

    # ------------------------------------------------------------------ steps

    def step(self, stage: Stage, step: Step) -> bool:
        """Judge a step and give its answers; False when the scenario cannot go on."""
        error, self.error = self.error, None
        if error is not None and step.error is None:
            self.fail(self.begin_span(), "a rule that runs to its first question", told(error))
            return False
        try:
            self.judge(stage, step)
            if error is None:
                for word in step.answers:
                    if not self.give(stage, word):
                        return False
        except PlayError as met:
            error = met
        return self.judge_error(step, error)

    def judge_error(self, step: Step, error: PlayError | None) -> bool:
        if step.error is None:
            if error is not None:
                self.fail(step.span, "a step that can be played", told(error))
            return error is None
        if error is None or step.error.text not in str(error):
            found = "everything could be played" if error is None else told(error)
            self.fail(step.error.span, f"an error that says '{step.error.text}'", found)
            return error is None
        return True

    def give(self, stage: Stage, word: Word) -> bool:
        """Give one answer; False when it is not to be had."""
        if stage.address == "":
            self.fail(word.span, f"a question to answer with '{word.text}'", situation(stage))
            return False
        asked = stage.seats[stage.to_move]
        if word.who and word.who != asked:
            self.fail(word.span, f"{word.who} is asked", situation(stage))
            return False
        meant = stage.meant(word.text)
        if meant.among:
            among = ", ".join(meant.among[:MAX_LISTED])
            self.fail(word.span, f"one option that '{word.text}' means", f"it could be any of: {among}")
            return False
        if not meant.path:
            self.fail(word.span, f"'{word.text}' among the options", situation(stage))
            return False
        for number in meant.path:
            stage.choose(number)
        return True


def shortened(text: str) -> str:
    return text if len(text) <= MAX_TEXT_LENGTH else text[:MAX_TEXT_LENGTH] + " ..."


def told(error: PlayError) -> str:
    """An error of the rules in one line, with its place in them and what to do."""
    place = "" if error.span is NOWHERE else f"{error.span.file}:{error.span.line}: "
    rule = f" (in rule {error.rule})" if error.rule else ""
    hint = f"; {error.hint}" if error.hint else ""
    return f"{place}{error.message}{rule}{hint}"


# ---------------------------------------------------------------------- paths


def run_path(path: Path, load: Load, under: Ruleset | None = None) -> Report:
    """Run a scenario file, a folder of them, or the folder of a game that has a folder of them.

    `load` is given the name of a ruleset, or the path of its folder where the file lies in one. All of them run under
    `under` where it is given, whatever they say themselves; their own rules then tell what they were written for.
    """
    files, diagnostics = scenario_files(path)
    loader = _Loader(load)
    sources: dict[str, str] = {}
    results: list[Result] = []
    for file in files:
        name = file.as_posix()
        text, error = read_text(file)
        if error is not None:
            diagnostics.append(error)
            continue
        sources[name] = text
        scenarios, errors = read_scenarios(text, name, loader.ruleset, home_of(file), under)
        diagnostics += errors
        left = MAX_WORK_OF_FILE
        for scenario in scenarios:
            budget = WorkBudget(min(left, MAX_WORK))
            left -= budget.left
            results.append(run_scenario(under or loader.by_name[scenario.ruleset], scenario, budget))
            left += budget.left
    if under is None:
        diagnostics = loader.diagnostics + diagnostics
    names = tuple(file.as_posix() for file in files)
    return Report(names, tuple(results), tuple(diagnostics), {**loader.sources, **sources})


class _Loader:
    """Loads each ruleset once. Only what keeps a ruleset from being used is reported."""

    def __init__(self, load: Load) -> None:
        self.load = load
        self.by_name: dict[str, Ruleset] = {}
        self.loaded: dict[str, Ruleset | None] = {}
        self.diagnostics: list[Diagnostic] = []
        self.sources: dict[str, str] = {}

    def ruleset(self, name: str) -> Ruleset | None:
        if name not in self.loaded:
            found = self.load(name)
            self.loaded[name] = found.ruleset
            self.sources |= found.sources
            if found.ruleset is None:
                self.diagnostics += [one for one in found.diagnostics if one.severity is Severity.ERROR]
            else:
                self.by_name[found.ruleset.name] = found.ruleset
        return self.loaded[name]


def home_of(file: Path) -> str:
    """The ruleset a scenario file belongs to by the folder it lies in, or "" if it lies in none."""
    folder = file.resolve().parent
    return stack_of(folder.parent) if folder.name == FOLDER else ""


def scenario_files(path: Path) -> tuple[list[Path], list[Diagnostic]]:
    """The scenario files a path means, in order."""
    try:
        if path.is_file():
            return [path], []
        folder = path / FOLDER if (path / FOLDER).is_dir() else path
        found = sorted(folder.glob("*.toml")) if folder.is_dir() else []
    except OSError:
        found = []
    if not found:
        message = "there are no scenario files here"
        hint = f"name a .toml file, a folder of them, or the folder of a game with a folder '{FOLDER}'"
        return [], [Diagnostic("W501", message, Span(path.as_posix(), 1, 1, 1, 1), hint=hint)]
    if len(found) > MAX_FILES:
        message = f"there are more than {MAX_FILES} scenario files here"
        return [], [Diagnostic("W505", message, Span(path.as_posix(), 1, 1, 1, 1))]
    return found, []


def read_text(file: Path) -> tuple[str, Diagnostic | None]:
    """The text of a scenario file, or why it cannot be read."""
    place = Span(file.as_posix(), 1, 1, 1, 1)
    try:
        if not file.is_file():  # a pipe would wait for ever
            return "", Diagnostic("W501", "this is not a file", place)
        with file.open("rb") as stream:
            content = stream.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        reason = error.strerror or "the system refuses"
        return "", Diagnostic("W501", f"this file cannot be read: {reason}", place)
    if len(content) > MAX_FILE_BYTES:
        return "", Diagnostic("W501", f"this file is larger than {MAX_FILE_BYTES:,} bytes", place)
    try:
        return content.decode("utf-8-sig").replace("\r\n", "\n"), None
    except UnicodeDecodeError:
        return "", Diagnostic("W501", "this file is not UTF-8 text", place, hint="save it as UTF-8")
