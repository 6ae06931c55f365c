"""Every primitive, on generated arguments, gives the same value or the same error on every machine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import pytest
from attrs import evolve, fields, has

from interpreter import PlayError
from interpreter.errors import AnswerError
from interpreter.generate.calls import Calls
from interpreter.generate.facts import UNKNOWN, Facts
from interpreter.generate.folds import UnknownPrimitiveError
from interpreter.generated import Generated
from interpreter.machine import compile_with, machine_for, native_source_for, source_for
from interpreter.native.library import Library
from interpreter.plain.machine import MAX_ANSWERS, PlainMachine
from interpreter.plain.primitives import PRIMITIVES
from interpreter.state.layout import Layout
from interpreter.state.state import State
from tests.interpreter.pair import told
from tests.interpreter.probes import Probe, all_probes, probing_game
from tests.interpreter.same_in_c import compiled
from tests.interpreter.tiny import ruleset
from warlock_dsl.check import program as checked
from warlock_dsl.check.nonempty import full
from warlock_dsl.primitives import RECORDS, Primitive
from workbench.support.native import compiler

PROBES = 10  # for each primitive
MORE = 60  # where nothing has to be generated
STATES = 12
PLAYERS = 3
NAMES = list(RECORDS)
PLAIN_ONLY = ("step", "ray", "until", "reach")  # no other machine knows them
GENERATED = [name for name in NAMES if name not in PLAIN_ONLY]
PLAIN_FORMS = (*PLAIN_ONLY, "min", "max")  # and these over a list
SHARED = ("groups", "owner_of")  # generated Python calls the plain function
# They fail only beyond a hundred thousand totals, or beyond all bounds (test_big_numbers.py).
CANNOT_FAIL_HERE = ("sums", "sum", "divide_up", "divide_down")


class Machines:
    """The same game on every machine, and states in which it asks which expression to look at."""

    def __init__(self, names: Sequence[str] = GENERATED) -> None:
        probes = all_probes(PROBES, True) if names is GENERATED else all_probes(MORE, False)
        self.probes = [probe for probe in probes if probe.record.function in names]
        game = probing_game(self.probes)
        self.plain = machine_for(game, PLAYERS, False, "plain")
        self.states = [self.plain.start(seed) for seed in range(STATES)]
        self.offers = [self.plain.run(state) for state in self.states]
        self.library: Library | None = None
        if names is not GENERATED:
            return
        found = machine_for(game, PLAYERS, False)
        assert isinstance(found, Generated), "the probes were not generated"
        self.generated = found
        if compiler():
            self.library = compiled(game, PLAYERS)[1]
            compile_with(None)

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
def machines() -> Machines:
    return Machines()


@cache
def plain_only() -> Machines:
    return Machines(PLAIN_FORMS)


def result(machine: PlainMachine, state: State) -> tuple[Any, ...]:
    """How an expression ends: with a state that holds its value, or with an error."""
    try:
        assert machine.run(state) is None
    except PlayError as error:
        return told(error)
    return state.data()["variables"], state.winners


def in_c(library: Library, state: State) -> tuple[Any, ...] | None:
    """The same in C, which leaves every error to the other machines."""
    if library.play_out(state, 1, MAX_ANSWERS) is None:
        return None
    return state.data()["variables"], state.winners


def differences(all_of: Machines, record: Primitive) -> list[tuple[str, str, Any, Any]]:
    """Where a machine does not do what the plain one does: its name, the expression, what was expected, what found."""
    found = []
    for probe, state in all_of.asked(record):
        expected = result(all_of.plain, state.copy())
        others = {"generated": result(all_of.generated, state.copy())}
        if all_of.library is not None:
            there = in_c(all_of.library, state.copy())
            others["C"] = expected if there is None and failed(expected) else there or ()
        found += [(name, probe.text, expected, one) for name, one in others.items() if one != expected]
    return found


def failed(ending: tuple[Any, ...]) -> bool:
    return isinstance(ending[0], type)


@pytest.mark.parametrize("name", GENERATED)
def test_every_machine_does_what_the_plain_one_does(name: str) -> None:
    assert not differences(machines(), RECORDS[name])


@pytest.mark.parametrize("name", NAMES)
def test_most_calls_give_a_value_and_what_is_safe_never_fails(name: str) -> None:
    """The errors of a call are its own: no argument can fail."""
    record = RECORDS[name]
    found = plain_only() if name in PLAIN_FORMS else machines()
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


@pytest.mark.parametrize("name", [name for name in GENERATED if name in PRIMITIVES])
def test_a_primitive_that_is_wrong_on_one_machine_is_noticed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if name in SHARED and machines().library is None:
        pytest.skip("without a compiler there is no second function")
    right = PRIMITIVES[name]
    monkeypatch.setitem(PRIMITIVES, name, lambda *given: wrong(right(*given)))
    assert differences(machines(), RECORDS[name])


def test_a_wrong_generated_function_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(machines().generated.names, "WITHIN", lambda part, whole: True)
    found = differences(machines(), RECORDS["within"])
    assert found and {name for name, *_ in found} == {"generated"}


# ------------------------------------------------------------------- falling back


@pytest.mark.parametrize("name", PLAIN_FORMS)
def test_what_only_the_plain_machine_knows_is_played_by_it(name: str) -> None:
    game = probing_game([probe for probe in all_probes(PROBES, False) if probe.record.function == name])
    assert not isinstance(machine_for(game, PLAYERS, False), Generated)


@pytest.fixture
def nothing_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Source that an earlier test left in a store is not asked for."""
    monkeypatch.setattr("interpreter.machine._stores", [])


@pytest.mark.usefixtures("nothing_kept")
def test_a_primitive_that_has_no_generated_function_is_played_plainly(monkeypatch: pytest.MonkeyPatch) -> None:
    """The records come first: generated Python and C may learn a primitive later."""
    rules = ruleset("rule play:\n    choose n in 1..3\n    set my.step to sum([n, 2])\n")

    def primitive(*_: Any) -> str:
        raise UnknownPrimitiveError("sum")

    assert isinstance(machine_for.__wrapped__(rules, 2, False), Generated)
    monkeypatch.setattr(Calls, "primitive", primitive)
    machine = machine_for.__wrapped__(rules, 2, False)
    assert not isinstance(machine, Generated)
    with pytest.raises(AnswerError, match="the plain machine plays them"):
        source_for(rules, 2, False)


@pytest.mark.usefixtures("nothing_kept")
@pytest.mark.parametrize("expression", ["unheard_of([1, 2])", "first(unheard_of(p in players: p.gold))"])
def test_unknown_names_are_refused_by_either_generator(expression: str) -> None:
    """What no generator knows: a checked program that names it, as one with a new record would."""
    known = expression.replace("unheard_of([1", "sum([1").replace("unheard_of(p", "most(p")
    rules = ruleset(f"rule play:\n    choose n in 1..3\n    let found = {known}\n    set my.step to n\n")
    unheard = evolve(rules, program=renamed(rules.program))
    assert not isinstance(machine_for.__wrapped__(unheard, 2, False), Generated)
    with pytest.raises(AnswerError, match="cannot be written in C"):
        native_source_for(unheard, 2, False)


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
    rules = ruleset("rule play:\n    choose n in 1..3\ndefine f = most(p in players: p.gold)\ndefine g = sum([1, 2])\n")
    program = renamed(rules.program)
    facts = Facts(Layout(program, rules.components, 2))
    keyed, number = (one.value for one in program.defines if one.address in ("f", "g"))
    assert not facts.safe(keyed) and not facts.safe(number)
    assert not facts.distinct(keyed) and facts.length(keyed) is None
    assert facts.range(number) is None and facts.constant(number) is UNKNOWN and 0 in facts.reads(number)
    assert not full(frozenset(), keyed)
