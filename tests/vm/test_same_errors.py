"""Numbers and lists as large as rules can make them: both machines end in the same way, with rule and line."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.house.hostile_rules import hostile_game
from tests.random_rules.lockstep import Difference, Plan
from tests.random_rules.search import backend, difference_of
from tests.vm.needs import needs_vm

pytestmark = needs_vm
PLAN = Plan(max_decisions=6, work=True, log=False, every=2, play_out=6)

LARGE: Mapping[str, str] = {
    "a range of a million": "set n to count(1..1000000)",
    "a range at its bound": "set n to count(0..100000)",
    "a range beyond its bound": "set n to count(0..100001)",
    "a range from far below": "set n to count((0 - 1000000000000)..1000000000000)",
    "a list doubled": "set nums to nums + nums + [1]\n    set nums to nums + nums",
    "a product of products": "set n to 1000000 * 1000000 * 1000000",
    "a product of nothing": "set n to 1000000000000 * 0",
    "a sum of products": "set n to sum(x in 1..1000: sum(y in 1..1000: x * y))",
    "a difference below all bounds": "set n to 0 - 1000000000000 - 1",
    "the least number": "set n to 0 - 1000000000000",
    "a division by nothing": "set n to divide_up(5, 0) + divide_down(5, 0)",
    "a division of a negative number": "set n to divide_up(0 - 7, 2) * 100 + divide_down(0 - 7, 2)",
    "sums of many": "set n to count(sums([x in 1..16: [0, x * x * x * x * x]]))",
    "sums of too many": "set n to count(sums([x in 1..17: [0, x * x * x * x * x]]))",
    "an index far away": "set n to nums[1000000000000]",
    "an index of zero": "set n to nums[0]",
    "nested lists": "set n to count([x in 1..300: [y in 1..300: [z in 1..2: z]]])",
    "all pieces by all pieces": "set n to count([a in everywhere: [b in everywhere: b is a]])",
    "distinct lists": "set n to count(distinct([x in 1..2000: [y in 1..3: y]]))",
    "a list without itself": "set n to count([x in 1..50000: x] - [x in 1..50000: x])",
    "the greatest of many": "set n to max(x in 1..100000: 0 - x)",
    "sorted backwards": "set n to first(falling(x in 1..20000: x))",
}


@pytest.mark.parametrize("work", [20_000, 1_000_000])
@pytest.mark.parametrize("name", LARGE)
def test_large_numbers_and_lists(name: str, work: int) -> None:
    play = f"rule play:\n    set nums to [1]\n    {LARGE[name]}\n    choose k in colour: add 1 to n\n"
    rules = f"{play}    finish players\n"
    found = difference_of(hostile_game(rules, work), 2, 0, backend("vm"), PLAN)
    assert found is not None and not isinstance(found, Difference), str(found)


@pytest.mark.parametrize("times", [20, 150, 199, 200, 1000])
@pytest.mark.parametrize("body", ["1 + f(k - 1)", "sum(x in 1..1: sum(y in 1..1: max(f(k - 1), 0)) + (1 + (1 + 1)))"])
def test_a_definition_may_call_itself_as_often_as_the_game_says(times: int, body: str) -> None:
    """The plain machine had Python's own bound, and ended sooner than the vm."""
    rules = f"rule play:\n    set n to f({times})\n    choose k in colour: add 1 to n\n    finish players\n"
    defined = f"define f(k: number) = if k > 0 then {body} else 0\n"
    found = difference_of(hostile_game(rules + defined), 2, 0, backend("vm"), PLAN)
    assert found is not None and not isinstance(found, Difference), str(found)
    assert ("calls itself too often" in found.ending) == (times >= 200), found
