"""Proof that a "why not" names the right clauses: they are taken out of the rules, and the rules are played.

What is named is believed of no one: the checked program is written anew without the clauses, lowered, and an ordinary
plain machine says whether the candidate is on offer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from random import Random
from typing import Any

import attrs

from interpreter.errors import RulesError
from interpreter.ir import blocks as ir
from interpreter.ir.lower import lower
from interpreter.plain.dry_run import dry_run
from interpreter.plain.machine import PlainMachine
from interpreter.plain.questions import item_type
from interpreter.state.layout import Layout
from interpreter.state.state import State
from interpreter.why.explainer import Explainer, key_of
from interpreter.why.universe import values_of
from interpreter.why.ways import Blamed, Removal
from warlock_dsl import Ruleset, nodes
from warlock_dsl import types as t
from warlock_dsl.check import program as checked

OTHER_SETS = 50
STRANGERS = 6  # that are no candidates, put into sets
COPIES = 100  # of one value in a list, at most
MAX_GRAFTS = 1500  # that are kept


Shape = tuple[
    tuple[Any, str, Any], ...
]  # of removals: where, what, of clauses what they are then, of limits whether there is none
Holes = list[list[checked.Const]]  # by removal: the values in the rules that it says


def without_clauses(part: Any, removals: dict[Any, list[int]], shape: Shape, holes: Holes) -> Any:
    """A part of a checked program in which clauses are replaced by what they should have been."""
    if isinstance(part, tuple):
        return tuple(without_clauses(one, removals, shape, holes) for one in part)
    if type(part).__module__ != checked.__name__:
        return part
    found = attrs.evolve(
        part,
        **{
            field.name: without_clauses(getattr(part, field.name), removals, shape, holes)
            for field in attrs.fields(type(part))
            if field.name not in ("span", "type", "slot_names")
        },
    )
    for number in removals.get(key_of(part), ()) if hasattr(part, "span") else ():
        found = _replaced(found, shape[number], holes[number])
    return found


def _replaced(part: Any, removal: tuple[Any, str, Any], holes: list[checked.Const]) -> Any:
    _, what, wanted = removal
    if what == "clause":
        return checked.Const(wanted, part.type, part.span)
    if what == "limit":
        if wanted:
            return attrs.evolve(part, mode="some")
        holes += [checked.Const(0, t.NUMBER, part.span), checked.Const(0, t.NUMBER, part.span)]
        return attrs.evolve(part, mode="count", low=holes[-2], high=holes[-1])
    holes.append(checked.Const((), part.type, part.span))
    return checked.Binary("join" if what == "member" else "without", part, holes[-1], part.type, part.span)


@lru_cache(maxsize=8)
def _keys(ruleset: Ruleset) -> dict[int, frozenset[Any]]:
    """The clauses that each rule and each definition has, by its identity."""
    program = ruleset.program
    return {
        id(one): frozenset(key_of(node) for node in nodes(one) if hasattr(node, "span"))
        for one in (*program.rules, *program.defines)
    }


def grafted(ruleset: Ruleset, players: int, removals: Iterable[Removal]) -> PlainMachine:
    """An ordinary machine for the rules without these clauses. One is made for all that only differ in a value that is
    added to a list, or in a limit, and the value is written into it."""
    ordered = sorted(removals, key=lambda one: (str(one.key), one.what, str(one.wanted)))
    shape = tuple((one.key, one.what, one.wanted if one.what == "clause" else one.wanted is None) for one in ordered)
    machine, holes = _grafted(ruleset, players, shape)
    for one, nodes_of_it in zip(ordered, holes, strict=True):
        for number, node in enumerate(nodes_of_it):
            if one.what == "limit":
                value = one.wanted[number % 2] * ruleset.program.unit
            else:
                value = (one.wanted,) * (COPIES if one.what == "without" else 1)
            object.__setattr__(node, "value", value)
    return machine


@lru_cache(maxsize=MAX_GRAFTS)
def _grafted(ruleset: Ruleset, players: int, shape: Shape) -> tuple[PlainMachine, Holes]:
    removals: dict[Any, list[int]] = {}
    for number, (key, _, _) in enumerate(shape):
        removals.setdefault(key, []).append(number)
    program, keys = ruleset.program, _keys(ruleset)
    holes: Holes = [[] for _ in shape]

    def changed(parts: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(
            one if keys[id(one)].isdisjoint(removals) else without_clauses(one, removals, shape, holes) for one in parts
        )

    program = attrs.evolve(program, rules=changed(program.rules), defines=changed(program.defines))
    return PlainMachine(Layout(program, ruleset.components, players), lower(program), laws=False), holes


def with_figure(ruleset: Ruleset, players: int, address: str, value: Any) -> PlainMachine:
    """An ordinary machine for the rules with another value of a figure."""
    group, _, name = address.partition(".")

    def changed(part: Any) -> Any:
        if isinstance(part, tuple):
            return tuple(changed(one) for one in part)
        if type(part).__module__ != checked.__name__:
            return part
        if isinstance(part, checked.FigureRef) and (part.group, part.name) == (group, name):
            return attrs.evolve(part, value=value)
        kept = ("span", "type", "slot_names")
        fields = [field.name for field in attrs.fields(type(part)) if field.name not in kept]
        return attrs.evolve(part, **{one: changed(getattr(part, one)) for one in fields})

    program = ruleset.program
    program = attrs.evolve(program, rules=changed(program.rules), defines=changed(program.defines))
    return PlainMachine(Layout(program, ruleset.components, players), lower(program), laws=False)


def on_offer(machine: PlainMachine, s: State, value: Any) -> bool:
    """Whether a machine offers a value, or one that is like it, at the question of a state."""
    machine.work = 0
    frame = s.stack[-1]
    ask = machine.lowered_rules[frame.rule].blocks[frame.block].end
    assert isinstance(ask, ir.Ask)
    question, dry = ask.question, dry_run(s)
    slots = dry.slots[:]
    slots[question.slot] = None
    try:
        pool = machine.classes(s, question, dry, slots)
        members = (value,) if question.mode == "one" else value
        if Counter(members) - Counter(item for group in pool.members for item in group):
            return False
        if question.mode == "one":
            return machine.fits(s, question, slots, value) and machine.leads_on(s, ask, dry, value)
        counts = pool.counts(value)
        if question.mode == "minimal":
            least = counts in set(machine.minimum(s, question, slots, pool))
            return least and machine.leads_on(s, ask, dry, pool.pick(counts))
        low, high = machine.bounds(s, question, pool, slots)
        return low <= len(value) <= high and machine.works(s, ask, dry, pool.pick(counts))
    except RulesError:
        return False


def candidates(explainer: Explainer, s: State, ask: ir.Ask, random: Random) -> Iterator[Any]:
    """Every value of the type of a question; of sets, every one that is a candidate more or a member less than one on
    offer or picked so far, with some that are no candidates, and fifty others."""
    question = ask.question
    universe = list(values_of(explainer.layout, item_type(question)))
    if question.mode == "one":
        yield from universe
        return
    slots = dry_run(s).slots[:]
    slots[question.slot] = None
    source = list(explainer.ev(s, question.source, slots))
    partial = s.offer.partial or ()
    offered = [answer.value for answer in s.offer.answers if answer.what == "value"]
    picked = [partial, *((*partial, answer.value) for answer in s.offer.answers if answer.what == "add")]
    near: dict[tuple[Any, ...], None] = {}
    strangers = [value for value in universe if value not in source]
    some = random.sample(strangers, min(len(strangers), STRANGERS))
    for one in offered or picked:
        near |= dict.fromkeys((*one[:place], *one[place + 1 :]) for place in range(len(one)))
        near |= dict.fromkeys((*one, more) for more in dict.fromkeys((*source, *some)) if more not in one)
    yield from dict.fromkeys((*offered, *(picked if s.offer.partial is not None else ()), *near))
    for _ in range(OTHER_SETS if source else 0):
        yield tuple(random.sample(source, random.randint(0, min(len(source), 6))))


class Tally(Counter[str]):
    """What was proven, and how often."""


def prove(
    ruleset: Ruleset, players: int, explainer: Explainer, s: State, random: Random, maximum: int | None = None
) -> Tally:
    """Prove the answers at one question, for every candidate or at most so many; an AssertionError for a wrong one."""
    tally = Tally(positions=1)
    ask = s.offer.ask
    plain = PlainMachine(explainer.layout, explainer.lowered_rules, laws=False)
    everything = list(candidates(explainer, s, ask, random))
    few = maximum is not None and len(everything) > maximum
    for value in random.sample(everything, maximum or 0) if few else everything:
        where = f"{explainer.question(s)}: {value}"
        offered = on_offer(plain, s, value)
        assert explainer.attempt(s, ask, value, ()) == offered, where
        if offered:
            tally += prove_why(ruleset, players, explainer, s, value)
        else:
            tally += prove_why_not(ruleset, players, explainer, s, value)
    return tally


def prove_why(ruleset: Ruleset, players: int, explainer: Explainer, s: State, value: Any) -> Tally:
    """Something on offer has a why, and it holds: without any of what is named it is not on offer."""
    where = f"{explainer.question(s)}: {value}"
    needed = explainer.needed(s, s.offer.ask, value)
    assert needed or value == (), f"nothing is named for {where}"
    for one in needed:
        assert not on_offer(grafted(ruleset, players, [one.removal]), s, value), (where, one.removal)
    return Tally(offered=1, needed=len(needed))


def prove_why_not(ruleset: Ruleset, players: int, explainer: Explainer, s: State, value: Any) -> Tally:
    """Without all clauses of a way the candidate is on offer, with any one kept it is not; the nearest way is first."""
    where, ask = f"{explainer.question(s)}: {value}", s.offer.ask
    ways = explainer.ways(s, ask, value)
    broken = [] if ways else explainer.breaking(s, ask, value)
    tally = Tally({"not offered": 1, "rules break without": bool(broken), "no clause found": not ways and not broken})
    for way in ways:
        removals = [one.removal for one in way]
        assert on_offer(grafted(ruleset, players, removals), s, value), (where, removals)
        for one in way:
            kept = [other for other in removals if other != one.removal]
            assert not on_offer(grafted(ruleset, players, kept), s, value), (where, removals, one.removal)
            assert one.distance == distance(explainer, s, one), (where, one)
        tally += Tally(ways=1, clauses=len(way), outermost=sum(is_outermost(explainer, one) for one in way))
    far = [(sum(o.fixed for o in way), sum(o.distance for o in way), len(way)) for way in ways]
    assert far == sorted(far), where
    return tally


def distance(explainer: Explainer, s: State, one: Blamed) -> int:
    """How far a comparison is from holding, worked out from its two sides; 1 for what has none."""
    compared = isinstance(one.node, checked.Binary) and one.node.op in ("<", "<=", ">", ">=")
    if not compared or one.removal.what != "clause":
        return 1
    with explainer.leaving_out(()):
        left, right = (explainer.ev(s, side, list(one.slots)) for side in (one.node.left, one.node.right))
    return int(abs(left - right) + (one.node.op in "<>"))


def is_outermost(explainer: Explainer, one: Blamed) -> bool:
    """Whether a clause is a call of a definition or of `can`, whose own clauses are not named."""
    return one.removal.what == "clause" and isinstance(one.node, checked.Apply | checked.Can)
