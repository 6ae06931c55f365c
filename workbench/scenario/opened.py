"""The position of a scenario file as a game that can be looked at and played on, by one rule or into a real game."""

from __future__ import annotations

import re
from pathlib import Path

from attrs import frozen

from interpreter import PlayError
from warlock_dsl import Ruleset
from workbench.scenario.model import Scenario
from workbench.scenario.place_pieces import PlacementError, stage_for
from workbench.scenario.read import read_scenarios
from workbench.scenario.run import home_of, read_text
from workbench.scenario.stage import Stage, WorkBudget
from workbench.support.errors import UsageError
from workbench.support.rulesets import load_named

NAME = re.compile(r"(.+\.toml)(?::([1-9][0-9]{0,3}))?\Z", re.DOTALL)
WORK = 50_000_000  # of one who plays on from a position


@frozen
class Opened:
    """A scenario and its position at the first question; nobody is asked where nothing runs from it."""

    scenario: Scenario
    ruleset: Ruleset
    stage: Stage

    @property
    def answers(self) -> tuple[str, ...]:
        """What the scenario answers, step by step, as it names it."""
        return tuple(word.text for step in self.scenario.steps for word in step.answers)

    def meant(self, word: str) -> tuple[int, ...]:
        """The options that a word of the scenario means; a UsageError where it means none, or several."""
        meant = self.stage.meant(word)
        if not meant.path:
            what = "could be several of the options" if meant.among else "is not among the options"
            raise UsageError(f"'{word}' {what} at {self.stage.question}", 1)
        return meant.path


def names_position(name: str) -> bool:
    """Whether a word of the command is the name of a scenario file: FILE.toml, or FILE.toml:2 for the second in it."""
    return NAME.match(name) is not None


def open_position(name: str, where: list[Path], under: Ruleset | None = None) -> Opened:
    """Lay out the position of a scenario, under its own rules or others. Whatever is wrong with it is a UsageError."""
    found = NAME.match(name)
    assert found is not None
    path, number = Path(found[1]), int(found[2] or 1)
    text, missing = read_text(path)
    if missing is not None:
        raise UsageError(f"{path}: {missing.message}")
    used: dict[str, Ruleset | None] = {}

    def rules(wanted: str) -> Ruleset | None:
        if wanted not in used:
            used[wanted] = load_named(wanted, where).ruleset
        return used[wanted]

    scenarios, errors = read_scenarios(text, path.name, rules, home_of(path), under)
    if errors:
        first = errors[0]
        message = f"{path}:{first.span.line}:{first.span.column}: {first.message}"
        raise UsageError(f"{message}\n  hint: `warlock test {path}` shows every error", 1)
    if number > len(scenarios):
        raise UsageError(f"{path} has {len(scenarios)} scenarios, not {number}")
    scenario = scenarios[number - 1]
    ruleset = under or rules(scenario.ruleset)
    assert ruleset is not None
    return laid_out(scenario, ruleset, str(path))


def laid_out(scenario: Scenario, ruleset: Ruleset, file: str) -> Opened:
    """The position of a scenario at its first question. What cannot be laid out is a UsageError."""
    if scenario.obstacle is not None:
        raise UsageError(f"{file}: {scenario.obstacle.reason}", 1)
    try:
        stage = stage_for(ruleset, scenario, WorkBudget(WORK))
        if stage.state.stack:
            stage.go()
    except PlacementError as error:
        raise UsageError(f"{file}: the position needs {error.expected}: {error.found}", 1) from None
    except PlayError as error:
        raise UsageError(f"{file}: {error}", 1) from None
    return Opened(scenario, ruleset, stage)
