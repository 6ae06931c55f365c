"""Folds over a selection: the greatest and the least, and all that is reached."""

from __future__ import annotations

import pytest

from interpreter import Game, PlayError
from interpreter.machine import machine_for
from interpreter.vm.machine import VmMachine
from tests.interpreter.tiny import keys, ruleset, variable

DEALT = """
rule play:
    move [c in deck where c.colour is red] to my.hand
    {statement}
    choose n in 1..2
"""


def found(expression: str, name: str = "step") -> str:
    """The value of an expression where seat 0 holds the red cards (1, 1 and 3)."""
    made = ruleset(DEALT.format(statement=f"set my.{name} to {expression}"))
    assert isinstance(machine_for(made, 2, False), VmMachine)
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
    assert isinstance(machine_for(made, 2, False), VmMachine)
    assert variable(Game.start(made, 2, 0), "step", 0) == "6"


# ------------------------------------------------------------------------------ reach

POND = """
[game]
players = 2

[table.way]
columns = { right = "number", down = "number" }
rows.east = { right = 1, down = 0 }
rows.south = { right = 0, down = 1 }
rows.west = { right = -1, down = 0 }
rows.north = { right = 0, down = -1 }

[kind.stone]
count = 9

[grid.field]
cells = ["s.x.", ".xx.", "x..t"]
regions = { start = "s", wall = "x", goal = "t" }

[zone]
box = { holds = "stone", start = "stone" }
board = { holds = "stone", grid = "field" }

[variable.game]
seen = "number"
"""
FLOOD = """
define beside(c: cell) = union(d in way: step(c, d.right, d.down))

define pond(c: cell) = reach(x in [c]: [y in beside(x) where not any(at(y))])

define island(s: stone) = reach(x in [s]: near(x)[stone])

rule play:
    for c in cells(board, wall): move top(box) to c
    set seen to {}
    choose c in pond(first(cells(board, start)))
    wade(c)

rule wade(c: cell):
    require pond(c) has first(cells(board, start))
    move top(box) to c
    choose n in 1..2

score dry = count(free(board)) - count(pond(first(cells(board, goal))))

invariant wet = all(c in free(board): pond(c) has c)
"""


def flooded(expression: str) -> Game:
    made = ruleset(FLOOD.format(expression), POND)
    assert isinstance(machine_for(made, 2, False), VmMachine)
    return Game.start(made, 2, 0)


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("count(pond(first(cells(board, start))))", "3"),
        ("count(pond(first(cells(board, goal))))", "5"),
        ("count(reach(x in cells(board): [x]))", "12"),
        ("count(reach(x in cells(board): beside(x)))", "12"),
        ("count(reach(x in [1, 1, 2]: [n in [x * 2] where n < 40]))", "6"),
        ("sum(n in reach(x in [3]: if x > 0 then [x - 1] else []))", "6"),
        ("max([s in board: count(island(s))], 0)", "3"),
        ("count(reach(x in [y in cells(board) where false]: beside(x)))", "0"),
    ],
)
def test_all_that_can_be_reached(expression: str, value: str) -> None:
    assert variable(flooded(expression), "seen") == value


def test_it_is_found_in_order_and_once() -> None:
    """From the corner: what is east of it, then south, as the ways stand."""
    assert keys(flooded("0")) == ["board@0,0", "board@0,1", "board@1,0"]
    assert variable(flooded("[n in reach(x in [5]: [x, 4, 3, 4])][3]"), "seen") == "3"


def test_what_never_ends_meets_the_bound_of_work() -> None:
    with pytest.raises(PlayError, match="too much work"):
        flooded("count(reach(n in [1]: [n + 1]))")


def test_laws_scores_and_guards_may_ask_for_it() -> None:
    game = flooded("0")
    assert game.scores()[0].total == 8 - 5
    game.choose(1)
    assert game.decision is not None and game.decision.name == "n"
