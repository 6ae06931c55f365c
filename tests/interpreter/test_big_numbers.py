"""Everything that can make a number grow ends in the same error, with its rule and line, on every machine."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from interpreter import Game, PlayError
from interpreter.machine import machine_for
from interpreter.plain.primitives import BEYOND, MAX_NUMBER
from tests.interpreter.pair import side_by_side, told
from tests.interpreter.tiny import TABLES, ruleset
from warlock_dsl.primitives import RECORDS

WHOLE = TABLES.replace("moon = { worth = 0.5 }", "moon = { worth = 1 }")  # no half of anything: the unit is 1
UNITS = {1: WHOLE, 2: TABLES}

# What is done again and again to `n`, a number without a range that begins at 3.
GROWING: Mapping[str, str] = {
    "+": "set n to n + n",
    "-": "set n to 0 - n - n",
    "*": "set n to n * n",
    "add": "add n to n",
    "take": "take 0 - n - n from n",
    "sum of a list": "set n to sum([n, n])",
    "sum of a binder": "set n to sum(p in 1..50: n)",
    "sum of sums": "set n to sum(p in 1..50: sum(q in 1..50: n))",
    "sums": "set n to first(sums([[n, n + 1], [n]]))",
    "sums of sums": "set n to last(sums([sums([[n], [n]]), [n, 1]]))",
    "total": "set n to total(first(players))",
    "max": "set n to max(n, n + n)",
    "min": "set n to 0 - min(0 - n - n, 0)",
    "max of a list": "set n to max([n, sum([n, n])])",
    "a condition": "set n to if n > 0 then n + n else 0 - n",
    "a definition": "set n to twice(n)",
    "a rule with a parameter": "grown(n + n)",
    "a list": "set nums to [sum([n, n])]\n        set n to first(nums)",
    "a condition of a binder": "set n to sum(p in 1..9 where sum([n, n]) is not 0: n)",
    "an index": "set n to n * 1000\n        set n to sum([n, nums[1]])",
    "a score": "add total(first(players)) to n",
}
RULES = """
define twice(k: number) = sum([k, k])
rule play:
    set n to 3
    set nums to [1]
    repeat 100:
        {step}
    choose k in colour: pass
rule grown(k: number): set n to k
score one = n
score two = n
"""


def tables(unit: int) -> str:
    return UNITS[unit].replace('ring = "[player]"', 'ring = "[player]"\nn = "number"\nnums = "[number]"')


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("name", GROWING)
def test_a_number_that_grows(name: str, unit: int) -> None:
    made = ruleset(RULES.format(step=GROWING[name]), tables(unit))
    assert machine_for(made, 2, True, "plain").unit == unit
    errors = []
    for backend in ("plain", "vm"):
        with pytest.raises(PlayError) as raised:
            Game.start(made, 2, backend=backend)
        errors.append(told(raised.value))
    assert errors[0] == errors[1]
    assert raised.value.message == BEYOND and raised.value.rule and raised.value.span.line > 1


def test_every_primitive_that_makes_numbers_is_here() -> None:
    """A new one that gives a number or a list of them needs its line above, or a reason here."""
    small = {"count", "first", "last"}  # no more than there are elements; elements that were numbers before
    shares = {"divide_up", "divide_down"}  # below
    numbers = {name for name, record in RECORDS.items() if str(record.signature).endswith(("-> number", "-> [number]"))}
    written = " ".join(GROWING.values())
    assert numbers and {one for one in numbers - small - shares if f"{one}(" not in written} == set()


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("call", ["divide_up", "divide_down"])
def test_shares_of_less_than_one(call: str, unit: int) -> None:
    """Where a whole has two parts, a share of half a piece doubles the pot."""
    made = ruleset(RULES.format(step=f"set n to {call}(n, moon.worth)"), tables(unit))
    if unit == 1:
        side_by_side(made, 2, 0)
        assert not Game.start(made, 2).over
        return
    with pytest.raises(PlayError, match=BEYOND):
        Game.start(made, 2, backend="plain")
    side_by_side(made, 2, 0)


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize(
    "step",
    [
        "set n to 999999999999999999",
        "set n to [999999999999999999][1]",
        "if n < 999999999999999999: set n to 1",
        "set n to min(999999999999999999, 5)",
        "set n to count(1..n)",
        "set n to divide_up(999999999999999999, 7)",
        "set n to divide_down(0 - 999999999999, 999999999999999999)",
        "set n to sum(p in [999999999999999999, 1]: p)",
        "set n to sum([999999999999999999, 0 - 999999999])",
        "set nums to sums([[999999999999999999], [1]])",
        "set n to 999999999999 * 999999999999",
        "set n to 999999999999999999 - 999999999999999998",
        "set nums to 999999999999999990..999999999999999999",
        "set nums to 1..999999999999999999",
        "set n to count(p in 1..3 where sum([999999999999, 999999999999]) > 0)",
        "set n to if n > 0 or sum([999999999999, 999999999999]) > 0 then 1 else 2",
    ],
)
def test_large_constants(step: str, unit: int) -> None:
    """The same game or the same error."""
    made = ruleset(RULES.format(step=step), tables(unit))
    side_by_side(made, 2, 0)


def test_the_bound_itself() -> None:
    for unit in UNITS:
        most = MAX_NUMBER // unit
        for value, fits in ((most, True), (most + 1, False)):
            half = value // 2
            made = ruleset(RULES.format(step=f"set n to sum([{half}, {value - half}])"), tables(unit))
            if fits:
                assert not Game.start(made, 2).over
            else:
                with pytest.raises(PlayError, match=BEYOND):
                    Game.start(made, 2)
            side_by_side(made, 2, 0)
