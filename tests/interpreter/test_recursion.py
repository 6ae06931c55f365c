"""Definitions that call themselves with a number that falls: what they mean, what is proven, and where they end."""

from __future__ import annotations

import pytest

from interpreter import Game, PlayError
from interpreter.machine import machine_for
from interpreter.vm.machine import VmMachine
from tests.interpreter.tiny import CARDS, TABLES, keys, ruleset, variable
from warlock_dsl.diagnostics.diagnostic import Severity
from warlock_dsl.load import load_files

PLAY = """
rule play:
    set my.step to {}
    choose n in 1..2
"""
WAYS = "define ways(n: number) = if n > 1 then ways(n - 1) + ways(n - 2) else n\n"


def value(definition: str, expression: str) -> str:
    made = ruleset(definition + PLAY.format(expression))
    assert isinstance(machine_for(made, 2, False), VmMachine)
    return variable(Game.start(made, 2, 0), "step", 0)


@pytest.mark.parametrize(
    ("definition", "expression", "found"),
    [
        (WAYS, "ways(12)", "144"),
        (WAYS, "ways(0.5)", "0.5"),
        ("define sum_to(n: number) = if n <= 0 then 0 else n + sum_to(n - 1)\n", "sum_to(10)", "55"),
        ("define even(n: number) = 0 >= n or not (n > 0) or not even(n - 1)\n", "if even(6) then 1 else 0", "1"),
        (
            "define down(n: number) = if n >= 1 and true then [n] + down(n - 1) else []\n",
            "down(4)[3]",
            "2",
        ),
        (
            "define picks(n: number, left: [number]) = if n > 0 and any(left) then max([x in left: x * 10 "
            "+ picks(n - 1, left - [x])], 0) else 0\n",
            "picks(2, [1, 3, 2])",
            "50",
        ),
        (
            "define seat(n: number, p: player) = if n > 0 then seat(n - 1, next(p)) else p\n",
            "if seat(3, me) is next(me) then 1 else 0",
            "1",
        ),
    ],
)
def test_what_it_comes_to(definition: str, expression: str, found: str) -> None:
    assert value(definition, expression) == found


def test_the_most_that_can_be_used() -> None:
    """How many of the cards, one after another, can be laid down: each must be worth more than the one before."""
    rules = """
define longest(n: number, floor: number, left: [card]) = (
    if n > 0 then max([c in left where c.value > floor: 1 + longest(n - 1, c.value, left - [c])], 0) else 0)

rule play:
    move deck to my.hand
    choose c in my.hand where longest(5, c.value, my.hand - [c]) >= 3
    choose again in 1..2
"""
    assert keys(Game.start(ruleset(rules), 2, 0)) == ["r1", "g1"]


# ---------------------------------------------------------------------------------- proof


def told(definition: str, expression: str = "f(3)") -> list[str]:
    files = {"game.toml": TABLES, "cards.csv": CARDS, "rules.warlock": definition + PLAY.format(expression)}
    return [e.code for e in load_files(files, "tiny").diagnostics if e.severity is Severity.ERROR]


@pytest.mark.parametrize(
    "definition",
    [
        "define f(n: number) = if n > 0 then f(n - 0.5) else 0\n",
        "define f(n: number) = if 3 <= n then f(n - 1) else 0\n",
        "define f(n: number) = if not (n > 0) then 0 else f(n - 1)\n",
        "define f(n: number) = if n <= 0 or n > 9 then 0 else f(n - 1)\n",
        "define f(n: number) = sum(x in [1, 2] where n > 0: f(n - 1) + x)\n",
        "define f(n: number) = if n > 0 then (if f(n - 1) > 0 then f(n - 2) else 0) else 0\n",
    ],
)
def test_these_are_proven(definition: str) -> None:
    assert told(definition) == []


@pytest.mark.parametrize(
    "definition",
    [
        "define f(n: number) = if n > 0 then f(n + 1) else 0\n",
        "define f(n: number) = if n > 0 then f(n - 0) else 0\n",
        "define f(n: number) = if n > 0 then f(1) else 0\n",
        "define f(n: number) = if n < 9 then f(n - 1) else 0\n",
        "define f(n: number) = if n is not 0 then f(n - 1) else 0\n",
        "define f(n: number) = if n > 0 or true then f(n - 1) else 0\n",
        "define f(n: number) = if n > 0 then f(n - 1) else f(n - 1)\n",
        "define f(n: number) = if n > 0 then f(f(n - 1)) else 0\n",
        "define f(n: number) = f(n - 1) + 1\n",
        "define f(n: number) = f(n)\n",
        "define f(n: number) = if n > count(deck) then f(n - 1) else 0\n",
        "define f(n: number) = if n > 0 then f(n - count(deck)) else 0\n",
        "define f(n: number) = g(n - 1)\ndefine g(n: number) = if n > 0 then f(n - 1) else 0\n",
    ],
)
def test_these_are_not(definition: str) -> None:
    assert told(definition) == ["W311"]


def test_another_mistake_in_one_is_told_once() -> None:
    assert told("define f(n: number) = if n > 0 then f(n - 1) + nobody else 0\n") == ["W301"]
    assert told("define f(n: number) = if n > 0 then f(n - 1) + me else 0\n") == ["W312"]
    assert told("define f(n: number) = if n > 0 then [f(n - 1)] else 0\n") == ["W312"]


def test_two_numbers_may_take_turns_only_if_one_always_falls() -> None:
    falls = "define f(n: number, m: number) = if n > 0 and m > 0 then f(n - 1, m) + f(n - 1, m - 1) else 0\n"
    turns = "define f(n: number, m: number) = if n > 0 and m > 0 then f(n - 1, m) + f(n, m - 1) else 0\n"
    assert told(falls, "f(3, 2)") == [] and told(turns, "f(3, 2)") == ["W311"]


# ---------------------------------------------------------------------------------- bounds


def test_it_goes_no_deeper_than_the_limit() -> None:
    tables = TABLES.replace("limits = { listed = 8 }", "limits = { depth = 8 }")
    made = ruleset("define down(n: number) = if n > 0 then down(n - 1) else 0\n" + PLAY.format("down(8)"), tables)
    with pytest.raises(PlayError, match="'down' calls itself too often"):
        Game.start(made, 2, 0)
    made = ruleset("define down(n: number) = if n > 0 then down(n - 1) else 0\n" + PLAY.format("down(7)"), tables)
    assert variable(Game.start(made, 2, 0), "step", 0) == "0"


def test_work_is_counted() -> None:
    with pytest.raises(PlayError, match="too much work"):
        value(WAYS, "ways(40)")


def test_who_acts_is_handed_on() -> None:
    definition = "define mine(n: number) = if n > 0 then mine(n - 1) + count(my.hand) else 0\n"
    rules = definition + PLAY.format("mine(3)").replace("    set", "    move top(deck, 2) to my.hand\n    set")
    assert variable(Game.start(ruleset(rules), 2, 0), "step", 0) == "6"
    assert told(definition + "invariant i = mine(1) >= 0\n", "0") == ["W330"]
