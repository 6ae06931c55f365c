"""Every primitive, on generated arguments, gives the same value or the same error on both machines."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from attrs import evolve, fields, has

from interpreter import PlayError
from interpreter.machine import Machine, machine_for
from interpreter.plain.primitives import PRIMITIVES
from interpreter.state.state import State
from interpreter.vm.machine import VmMachine
from tests.interpreter.pair import both, told
from tests.interpreter.probes import Probe, all_probes, probing_game
from tests.interpreter.tiny import ruleset
from warlock_dsl.check import program as checked
from warlock_dsl.check.nonempty import full
from warlock_dsl.primitives import RECORDS, Primitive

PROBES = 24  # for each primitive
MORE = 80  # for those that seldom fail
SELDOM = ("min", "max")
STATES = 12
PLAYERS = 3
NAMES = list(RECORDS)
# They fail only beyond a hundred thousand totals, or beyond all bounds (test_big_numbers.py).
CANNOT_FAIL_HERE = ("sums", "sum", "divide_up", "divide_down")


class Machines:
    """The same game on both machines, and states in which it asks which expression to look at."""

    def __init__(self, seldom: bool) -> None:
        probes = all_probes(MORE if seldom else PROBES, False)
        self.probes = [probe for probe in probes if (probe.record.function in SELDOM) == seldom]
        plain, self.fast = both(probing_game(self.probes), PLAYERS, False)
        self.plain = plain.plain
        self.states = [self.plain.start(seed) for seed in range(STATES)]
        self.offers = [self.plain.run(state) for state in self.states]

    def asked(self, record: Primitive) -> Iterator[tuple[Probe, State]]:
        """The expressions that call a primitive, each in every state."""
        for option, probe in enumerate(self.probes):
            for state, offer in zip(self.states, self.offers, strict=True):
                if probe.record == record:
                    assert offer is not None and offer.count == len(self.probes)
                    there = state.copy()
                    self.plain.take(there, offer.answers[option])
                    yield probe, there


@cache
def machines(seldom: bool = False) -> Machines:
    return Machines(seldom)


def result(machine: Machine, position: State) -> tuple[Any, ...]:
    """How an expression ends: with a state that holds its value, or with an error."""
    state = machine.adopt(position)
    try:
        assert machine.run(state) is None
    except PlayError as error:
        return told(error)
    return machine.pack(state)["variables"], machine.winners(state)


def differences(all_of: Machines, record: Primitive) -> list[tuple[str, Any, Any]]:
    """Where the fast machine does not do what the plain one does: the expression, what was expected, what found."""
    found = []
    for probe, state in all_of.asked(record):
        expected, other = result(all_of.plain, state.copy()), result(all_of.fast, state.copy())
        if expected != other:
            found.append((probe.text, expected, other))
    return found


def failed(ending: tuple[Any, ...]) -> bool:
    return isinstance(ending[0], type)


@pytest.mark.parametrize("name", NAMES)
def test_the_fast_machine_does_what_the_plain_one_does(name: str) -> None:
    assert not differences(machines(name in SELDOM), RECORDS[name])


@pytest.mark.parametrize("name", NAMES)
def test_most_calls_give_a_value_and_what_is_safe_never_fails(name: str) -> None:
    """The errors of a call are its own: no argument can fail."""
    record = RECORDS[name]
    found = machines(name in SELDOM)
    ends = [result(found.plain, state) for _, state in found.asked(record)]
    assert ends
    assert sum(map(failed, ends)) < len(ends) / 2
    assert any(map(failed, ends)) == any(record.assume.fails) or name in CANNOT_FAIL_HERE


def wrong(value: Any) -> Any:
    """Another value of the same type."""
    match value:
        case bool():
            return not value
        case int():
            return (value + 1) % PLAYERS
        case ():
            return ()
        case _:
            return value[:-1]


@pytest.mark.parametrize("name", [name for name in NAMES if name in PRIMITIVES])
def test_a_primitive_that_is_wrong_on_one_machine_is_noticed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    right = PRIMITIVES[name]
    monkeypatch.setitem(PRIMITIVES, name, lambda *given: wrong(right(*given)))
    assert differences(machines(name in SELDOM), RECORDS[name])


# ------------------------------------------------------------------- falling back


@pytest.mark.parametrize("expression", ["unheard_of([1, 2])", "first(unheard_of(p in players: p.gold))"])
def test_what_the_compiler_does_not_know_is_left_to_the_plain_machine(expression: str) -> None:
    """The records come first: the fast machine may learn a primitive later."""
    known = expression.replace("unheard_of([1", "sum([1").replace("unheard_of(p", "most(p")
    rules = ruleset(f"rule play:\n    choose n in 1..3\n    let found = {known}\n    set my.step to n\n")
    unheard = evolve(rules, program=renamed(rules.program))
    machine = machine_for.__wrapped__(unheard, 2, False)
    assert not isinstance(machine, VmMachine) and "unheard_of" in machine.why_plain


def renamed(node: Any) -> Any:
    """A program with every `sum` and `most` under a name that nobody knows."""
    if isinstance(node, tuple):
        return tuple(renamed(part) for part in node)
    if not has(type(node)):
        return node
    changes = {one.name: renamed(getattr(node, one.name)) for one in fields(type(node)) if one.init}
    if isinstance(node, checked.Primitive | checked.Keyed) and node.name in ("sum", "most"):
        changes["name"] = "unheard_of"
    return evolve(node, **changes)


def test_an_analysis_assumes_nothing_of_what_no_record_names() -> None:
    rules = ruleset("rule play:\n    choose n in 1..3\ndefine f = most(p in players: p.gold)\n")
    keyed = next(one.value for one in renamed(rules.program).defines if one.address == "f")
    assert not full(frozenset(), keyed)
