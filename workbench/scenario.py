"""Runs scenarios: lay out the position, judge each step, give its answers; whole folders of them too."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

from attrs import evolve

from interpreter.faults import PlayFault
from interpreter.shown import number_text
from warlock_dsl import core
from warlock_dsl.diagnostics import NOWHERE, Diagnostic, Severity, Span
from warlock_dsl.limits import MOST_BYTES
from warlock_dsl.ruleset import Loaded, Ruleset
from warlock_dsl.walk import nodes
from workbench.matching import paired
from workbench.positions import Unlaid, stage_for
from workbench.scenario_file import read_scenarios
from workbench.scenario_model import (
    NOBODY,
    Failure,
    Filling,
    Points,
    Report,
    Result,
    Scenario,
    Sight,
    Step,
    Test,
    Word,
)
from workbench.stage import Stage

__all__ = ["Failure", "Report", "Result", "Scenario", "read_scenarios", "run_path", "run_scenario"]

MOST_LISTED = 24  # options named in a message
MOST_FILES = 500
FOLDER = "scenarios"

Load = Callable[[str], Loaded]


def run_scenario(ruleset: Ruleset, scenario: Scenario) -> Result:
    """Play a scenario and collect everything that does not come out as written."""
    run = _Run(ruleset, scenario)
    run.play()
    return Result(scenario, tuple(run.failures))


class _Run:
    """One scenario in play."""

    def __init__(self, ruleset: Ruleset, scenario: Scenario) -> None:
        self.ruleset = ruleset
        self.scenario = scenario
        self.failures: list[Failure] = []
        self.number = 0
        self.fault: PlayFault | None = None  # met when the rule began, and not yet judged

    def fail(self, span: Span, expected: str, found: str) -> None:
        self.failures.append(Failure(self.number, span, expected, found))

    def play(self) -> None:
        try:
            stage = stage_for(self.ruleset, self.scenario)
        except Unlaid as unlaid:
            self.fail(unlaid.span, unlaid.expected, unlaid.found)
            return
        except PlayFault as fault:
            self.fail(self.begin_span(), "a rule that can begin", told(fault))
            return
        if stage.state.stack:  # else nothing runs: only the position is judged
            try:
                stage.go()
            except PlayFault as fault:
                self.fault = fault
        for number, step in enumerate(self.scenario.steps, 1):
            self.number = number
            if not self.step(stage, step):
                return
        if self.fault is not None:
            self.fail(self.begin_span(), "a rule that runs to its first question", told(self.fault))

    def begin_span(self) -> Span:
        given = self.scenario.given
        return given.begin_span or (given.at.span if given.at is not None else self.scenario.span)

    # ------------------------------------------------------------------ steps

    def step(self, stage: Stage, step: Step) -> bool:
        """Judge a step and give its answers; False when the scenario cannot go on."""
        fault, self.fault = self.fault, None
        if fault is not None and step.fault is None:
            self.fail(self.begin_span(), "a rule that runs to its first question", told(fault))
            return False
        try:
            self.judge(stage, step)
            if fault is None:
                for word in step.answers:
                    if not self.give(stage, word):
                        return False
        except PlayFault as met:
            fault = met
        return self.judge_fault(step, fault)

    def judge_fault(self, step: Step, fault: PlayFault | None) -> bool:
        if step.fault is None:
            if fault is not None:
                self.fail(step.span, "a step that can be played", told(fault))
            return fault is None
        if fault is None or step.fault.text not in str(fault):
            found = "everything could be played" if fault is None else told(fault)
            self.fail(step.fault.span, f"a fault that says '{step.fault.text}'", found)
            return fault is None
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
            among = ", ".join(meant.among[:MOST_LISTED])
            self.fail(word.span, f"one option that '{word.text}' means", f"it could be any of: {among}")
            return False
        if not meant.path:
            self.fail(word.span, f"'{word.text}' among the options", situation(stage))
            return False
        for number in meant.path:
            stage.choose(number)
        return True

    # ----------------------------------------------------------------- judging

    def judge(self, stage: Stage, step: Step) -> None:
        if step.asks is not None:
            seat, span = step.asks
            if stage.to_move != seat:
                who = "nobody" if seat == NOBODY else stage.seats[seat]
                self.fail(span, f"{who} is asked", situation(stage))
        if step.question is not None and step.question.text != stage.address:
            self.fail(step.question.span, f"the question {step.question.text}", situation(stage))
        for word in step.offers:
            if not stage.meant(word.text).found:
                self.fail(word.span, f"'{word.text}' among the options", situation(stage))
        for word in step.refuses:
            if stage.address == "" or stage.meant(word.text).found:
                self.fail(word.span, f"'{word.text}' not among the options", situation(stage))
        if step.offers_only is not None:
            self.judge_all_options(stage, step.offers_only, step.offers_only_span or step.span)
        for test in step.tests:
            self.judge_test(stage, test)
        for points in step.points:
            self.judge_points(stage, points)
        for sight in step.sights:
            self.judge_sight(stage, sight)
        for filling in step.holds:
            self.judge_place(stage, filling)
        self.judge_end(stage, step)

    def judge_all_options(self, stage: Stage, words: tuple[Word, ...], span: Span) -> None:
        choices = stage.choices()
        fitting = [[n for n, word in enumerate(words) if stage.matches(choice, word.text)] for choice in choices]
        if len(words) != len(choices) or not paired(fitting):
            wanted = ", ".join(word.text for word in words) or "none"
            self.fail(span, f"exactly these options: {wanted}", situation(stage))

    def judge_test(self, stage: Stage, test: Test) -> None:
        me = stage.to_move
        if me < 0 and speaks_of_me(test.fragment.value):
            self.fail(test.span, "somebody is asked, since the expression speaks of `me`", situation(stage))
            return
        value = bool(stage.evaluate(test.fragment, max(me, 0)))
        if value != test.holds:
            self.fail(test.span, f"{test.text}: {str(test.holds).lower()}", self.sides(stage, test))

    def sides(self, stage: Stage, test: Test) -> str:
        """What a comparison compared; of anything else only that it is not so."""
        value = test.fragment.value
        plain = str(not test.holds).lower()
        if not isinstance(value, core.Binary) or value.op in ("and", "or"):
            return plain
        said = []
        for side in (value.left, value.right):
            found = stage.evaluate(evolve(test.fragment, value=side), max(stage.to_move, 0))
            said.append(stage.words.say(stage.state, found, side.type))
        return f"{plain}: {said[0]} {value.op} {said[1]}"

    def judge_points(self, stage: Stage, points: Points) -> None:
        unit = stage.machine.unit
        stage.machine.work = 0
        parts = stage.machine.parts(stage.state, points.seat)
        stage.pay()
        found = sum(parts) if points.part < 0 else parts[points.part]
        if Fraction(found, unit) != points.value:
            who = stage.seats[points.seat]
            sheet = " + ".join(
                f"{score.name} {number_text(part, unit)}"
                for score, part in zip(self.ruleset.program.scores, parts, strict=True)
            )
            wanted = number_text(int(points.value * unit), unit)
            self.fail(points.span, f"{who} has {points.name} {wanted}", f"{sheet} = {number_text(sum(parts), unit)}")

    def judge_sight(self, stage: Stage, sight: Sight) -> None:
        view = stage.observe(sight.seat).zones[sight.place]
        there = stage.state.zones[sight.place]
        named = [piece.name for piece in view.pieces if piece.name]
        who = stage.seats[sight.seat]
        if not there:
            self.fail(sight.span, f"pieces in {sight.name}", "it is empty, so there is nothing to see or to hide")
        elif sight.seen and len(named) != len(there):
            self.fail(sight.span, f"{who} sees every piece of {sight.name}", f"{len(named)} of {len(there)}")
        elif not sight.seen and named:
            seen = ", ".join(named[:MOST_LISTED])
            self.fail(sight.span, f"{who} sees no piece of {sight.name}", f"{who} sees {seen}")

    def judge_place(self, stage: Stage, filling: Filling) -> None:
        """Exactly these pieces lie there: in any order, or cell by cell where a picture was given."""
        state, words = stage.state, stage.words
        there = state.zones[filling.place]
        wanted = [(word.text, cell) for word, cell in zip(filling.pieces, filling.cells, strict=True)]
        spread = [one for one, word in zip(wanted, filling.pieces, strict=True) for _ in range(word.count)]
        fitting = [
            [n for n, (text, cell) in enumerate(spread) if text in words.calls[piece] and cell in (-1, state.cell[piece])]
            for piece in there
        ]
        if len(spread) != len(there) or not paired(fitting):
            named = ", ".join(f"{text}@{words.say_cell(cell)}" if cell >= 0 else text for text, cell in spread)
            found = ", ".join(words.say_piece(state, piece) for piece in there[:MOST_LISTED]) or "nothing"
            name = words.place_name(filling.place)
            self.fail(filling.span, f"in {name}: {named or 'nothing'}", f"{found} ({len(there)} in all)")

    def judge_end(self, stage: Stage, step: Step) -> None:
        if step.over is not None and stage.over != step.over[0]:
            self.fail(step.over[1], "the game is over" if step.over[0] else "the game is not over", situation(stage))
        if step.winners is not None and (not stage.over or stage.winners != step.winners[0]):
            names = ", ".join(stage.seats[seat] for seat in step.winners[0]) or "nobody"
            self.fail(step.winners[1], f"won by {names}", situation(stage))


def speaks_of_me(value: core.Expr) -> bool:
    """Whether an expression itself says `me` or `opponents`."""
    for node in nodes(value):
        if isinstance(node, core.Local) and node.slot == 0:
            return True
        if isinstance(node, core.Primitive) and node.name == "opponents":
            return True
    return False


def told(fault: PlayFault) -> str:
    """A fault of the rules in one line, with its place in them and what to do."""
    place = "" if fault.span is NOWHERE else f"{fault.span.file}:{fault.span.line}: "
    rule = f" (in rule {fault.rule})" if fault.rule else ""
    hint = f"; {fault.hint}" if fault.hint else ""
    return f"{place}{fault.message}{rule}{hint}"


def situation(stage: Stage) -> str:
    """What stands open: who is asked what, and the options in words."""
    if stage.over:
        return f"the game is over, won by {', '.join(stage.seats[seat] for seat in stage.winners) or 'nobody'}"
    if stage.address == "":
        return "nobody is asked: the rule has run its course"
    said = [stage.say(choice) for choice in stage.choices()]
    more = f" and {len(said) - MOST_LISTED} more" if len(said) > MOST_LISTED else ""
    return f"{stage.seats[stage.to_move]} is asked {stage.address}: {', '.join(said[:MOST_LISTED])}{more}"


# ---------------------------------------------------------------------- paths


def run_path(path: Path, load: Load) -> Report:
    """Run a scenario file, a folder of them, or the folder of a game that has a folder of them.

    `load` is given the name of a ruleset, or the path of its folder where the file lies in one.
    """
    files, diagnostics = scenario_files(path)
    loader = _Loader(load)
    sources: dict[str, str] = {}
    results: list[Result] = []
    for file in files:
        name = file.as_posix()
        text, fault = read_text(file)
        if fault is not None:
            diagnostics.append(fault)
            continue
        sources[name] = text
        scenarios, faults = read_scenarios(text, name, loader.ruleset, home_of(file))
        diagnostics += faults
        for scenario in scenarios:
            ruleset = loader.by_name[scenario.ruleset]
            results.append(run_scenario(ruleset, scenario))
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
    """The folder of the game a scenario file belongs to, or "" if it lies in none."""
    folder = file.resolve().parent
    return str(folder.parent) if folder.name == FOLDER else ""


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
    if len(found) > MOST_FILES:
        message = f"there are more than {MOST_FILES} scenario files here"
        return [], [Diagnostic("W505", message, Span(path.as_posix(), 1, 1, 1, 1))]
    return found, []


def read_text(file: Path) -> tuple[str, Diagnostic | None]:
    """The text of a scenario file, or why it cannot be read."""
    place = Span(file.as_posix(), 1, 1, 1, 1)
    try:
        if not file.is_file():  # a pipe would wait for ever
            return "", Diagnostic("W501", "this is not a file", place)
        with file.open("rb") as stream:
            content = stream.read(MOST_BYTES + 1)
    except OSError as fault:
        reason = fault.strerror or "the system refuses"
        return "", Diagnostic("W501", f"this file cannot be read: {reason}", place)
    if len(content) > MOST_BYTES:
        return "", Diagnostic("W501", f"this file is larger than {MOST_BYTES:,} bytes", place)
    try:
        return content.decode("utf-8-sig").replace("\r\n", "\n"), None
    except UnicodeDecodeError:
        return "", Diagnostic("W501", "this file is not UTF-8 text", place, hint="save it as UTF-8")
