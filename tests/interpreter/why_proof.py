"""Proof that a "why not" names the right clauses: they are taken out of the rules, and the rules are played.

What is named is believed of no one: the checked program is written anew without the clauses, lowered, and an ordinary
plain machine says whether the candidate is on offer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
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
from interpreter.why.explainer import Explainer, Removal, key_of
from interpreter.why.universe import values_of
from warlock_dsl import Ruleset
from warlock_dsl import types as t
from warlock_dsl.check import program as checked

OTHER_SETS = 50


def without_clauses(part: Any, removals: dict[Any, list[Removal]], unit: int) -> Any:
    """A part of a checked program in which clauses are replaced by what they should have been."""
    if isinstance(part, tuple):
        return tuple(without_clauses(one, removals, unit) for one in part)
    if type(part).__module__ != checked.__name__:
        return part
    found = attrs.evolve(
        part,
        **{
            field.name: without_clauses(getattr(part, field.name), removals, unit)
            for field in attrs.fields(type(part))
            if field.name not in ("span", "type", "slot_names")
        },
    )
    for removal in removals.get(key_of(part), ()) if hasattr(part, "span") else ():
        found = _replaced(found, removal, unit)
    return found


def _replaced(part: Any, removal: Removal, unit: int) -> Any:
    if removal.what == "clause":
        return checked.Const(removal.wanted, part.type, part.span)
    if removal.what == "limit":
        if removal.wanted is None:
            return attrs.evolve(part, mode="some")
        low, high = (checked.Const(n * unit, t.NUMBER, part.span) for n in removal.wanted)
        return attrs.evolve(part, mode="count", low=low, high=high)
    one = checked.Const((removal.wanted,), part.type, part.span)
    return checked.Binary("join" if removal.what == "member" else "without", part, one, part.type, part.span)


def grafted(ruleset: Ruleset, players: int, removals: Iterable[Removal]) -> PlainMachine:
    """An ordinary machine for the rules without these clauses."""
    by_key: dict[Any, list[Removal]] = {}
    for removal in removals:
        by_key.setdefault(removal.key, []).append(removal)
    program = ruleset.program
    program = attrs.evolve(
        program,
        rules=without_clauses(program.rules, by_key, program.unit),
        defines=without_clauses(program.defines, by_key, program.unit),
    )
    return PlainMachine(Layout(program, ruleset.components, players), lower(program), laws=False)


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
    """Every value of the type of a question; of sets, those one piece away from one on offer, and fifty others."""
    question = ask.question
    universe = list(values_of(explainer.layout, item_type(question)))
    if question.mode == "one":
        yield from universe
        return
    slots = dry_run(s).slots[:]
    slots[question.slot] = None
    source = list(explainer.ev(s, question.source, slots))
    offered = [answer.value for answer in s.offer.answers if answer.what == "value"]
    near: set[tuple[Any, ...]] = set()
    for one in offered[:10]:
        near.update(tuple(x for x in one if x != gone) for gone in one)
        near.update((*one, more) for more in source if more not in one)
        near.update((*one, more) for more in universe[:3] if more not in one)
    yield from sorted(near)[:40]
    for _ in range(OTHER_SETS if source else 0):
        yield tuple(random.sample(source, random.randint(0, min(len(source), 6))))


class Tally(Counter[str]):
    """What was proven, and how often."""


def prove(ruleset: Ruleset, players: int, explainer: Explainer, s: State, random: Random, maximum: int) -> Tally:
    """Prove the answers at one question, for at most so many candidates; an AssertionError for one that is wrong."""
    tally = Tally()
    ask = s.offer.ask
    plain = PlainMachine(explainer.layout, explainer.lowered_rules, laws=False)
    everything = list(candidates(explainer, s, ask, random))
    picked = everything if len(everything) <= maximum else random.sample(everything, maximum)
    for value in picked:
        where = f"{explainer.question(s)}: {value}"
        offered = on_offer(plain, s, value)
        assert explainer.attempt(s, ask, value, ()) == offered, where
        if offered:
            tally["offered"] += 1
            continue
        ways = explainer.ways(s, ask, value)
        tally["not offered"] += 1
        broken = [] if ways else explainer.breaking(s, ask, value)
        tally["rules break without"] += bool(broken)
        tally["no clause found"] += not ways and not broken
        for way in ways:
            removals = [one.removal for one in way]
            assert on_offer(grafted(ruleset, players, removals), s, value), (where, removals)
            for one in removals:
                kept = [other for other in removals if other != one]
                assert not on_offer(grafted(ruleset, players, kept), s, value), (where, removals, one)
            tally["ways"] += 1
            tally["clauses"] += len(way)
    return tally
