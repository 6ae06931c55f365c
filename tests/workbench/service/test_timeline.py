"""A game that can be gone through, branched, and carried over to other rules."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter import AnswerError
from tests.conftest import ruleset_named
from warlock_dsl.load import load
from workbench.service.timeline import Timeline

RULES = [Path(__file__).parents[3] / "rules"]


def begun(answers: int) -> Timeline:
    line = Timeline(ruleset_named("tic-tac-toe"), 2, 1)
    for _ in range(answers):
        line.choose(0)
    return line


def test_back_and_forward_again() -> None:
    line = begun(4)
    end = line.game.digest()
    line.go(1)
    assert line.at == 1 and len(line.answers) == 4
    line.go(99)
    assert line.at == 4 and line.game.digest() == end
    line.go(-5)
    assert line.at == 0


def test_another_answer_keeps_the_old_line() -> None:
    line = begun(4)
    old = tuple(line.answers)
    line.go(2)
    line.choose(0)
    assert line.branches == [] and tuple(line.answers) == old  # the same answer is the same line
    line.go(2)
    line.choose(3)
    assert line.branches == [old] and len(line.answers) == 3
    line.take(0)
    assert line.at == 2 and tuple(line.answers) == old and len(line.branches) == 1
    with pytest.raises(AnswerError):
        line.take(5)


def test_a_game_goes_on_under_other_rules() -> None:
    line = Timeline(ruleset_named("connect-four+small"), 2, 1)
    for _ in range(3):
        line.choose(0)
    line.go(2)
    taller = load("connect-four+small+taller", RULES).ruleset
    assert taller is not None
    found = line.carry_over(taller)
    assert found.kept == 3 and not found.stopped and line.game.ruleset is taller
    assert line.at == 2 and len(line.answers) == 3 and not line.branches


def test_a_game_stops_where_an_answer_is_no_longer_on_offer() -> None:
    line = Timeline(ruleset_named("connect-four"), 2, 1)
    width = line.game.option_count
    line.choose(0)
    line.choose(width - 1)
    line.choose(0)
    small = load("connect-four+small", RULES).ruleset
    assert small is not None
    found = line.carry_over(small)
    assert found.kept == 1 and found.stopped and line.at == 1 and len(line.branches) == 1
