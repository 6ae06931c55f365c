"""Folds over a selection that the plain machine alone knows: the greatest and the least of a list."""

from __future__ import annotations

import pytest

from interpreter import Game, PlayError
from interpreter.generated import Generated
from interpreter.machine import machine_for
from tests.interpreter.tiny import ruleset, variable

DEALT = """
rule play:
    move [c in deck where c.colour is red] to my.hand
    {statement}
    choose n in 1..2
"""


def found(expression: str, name: str = "step") -> str:
    """The value of an expression where seat 0 holds the red cards (1, 1 and 3)."""
    made = ruleset(DEALT.format(statement=f"set my.{name} to {expression}"))
    assert not isinstance(machine_for(made, 2, False), Generated)
    return variable(Game.start(made, 2, 0), name, 0)


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("max(c in my.hand: c.value)", "3"),
        ("min(c in my.hand: c.value)", "1"),
        ("max(c in my.hand where c.value < 3: c.value + 0.5)", "1.5"),
        ("max([c in my.hand: c.value], 5, 4)", "5"),
        ("min([c in my.hand: c.value], 5)", "1"),
        ("max([c in shown_nowhere: c.value], 0 - 2)", "-2"),
        ("max([4, 9, 2])", "9"),
    ],
)
def test_the_greatest_and_the_least(expression: str, value: str) -> None:
    assert found(expression.replace("shown_nowhere", "my.shown")) == value


@pytest.mark.parametrize(("fold", "word"), [("max", "greatest"), ("min", "least")])
def test_nothing_has_neither(fold: str, word: str) -> None:
    with pytest.raises(PlayError, match=f"the {word} of nothing") as error:
        found(f"{fold}(c in my.shown: c.value)")
    assert error.value.hint == "give a second argument for the empty list"


def test_numbers_alone_are_generated_as_before() -> None:
    made = ruleset("rule play:\n    set my.step to max(1, count(deck))\n    choose n in 1..2\n")
    assert isinstance(machine_for(made, 2, False), Generated)
    assert variable(Game.start(made, 2, 0), "step", 0) == "6"
