"""What is told of rolls, answers and what somebody says: events that change nothing by themselves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from interpreter.ir import blocks as ir
from interpreter.ir.analysis import called_rules
from interpreter.plain.evaluate import Evaluator, Locals
from interpreter.plain.questions import Answer, Offer, item_type
from interpreter.state.events import Event, bound_by_seat, record
from interpreter.state.labels import show_value
from interpreter.state.layout import Layout
from interpreter.state.state import State
from interpreter.state.visibility import sees_variable
from warlock_dsl import nodes, seen_by_all
from warlock_dsl import types as t
from warlock_dsl.check import program as checked


def tell_roll(machine: Evaluator, s: State, lowered: ir.LoweredRule, end: ir.RollEnd, slots: Locals) -> None:
    """What chance gave, to all or to the only one who learns it."""
    roll, layout = end.roll, machine.layout
    audience = None if roll.by is None else (machine.ev(s, roll.by, slots),)
    bound = bound_by_seat(layout, s, lowered.names, slots, end.known)
    who: Any = slots[0]
    value: Any = slots[roll.slot]  # of a roll of none, the empty list
    name = f"{lowered.address}.{roll.name}"
    record(layout, s, Event("roll", name=name, who=who, value=value, type=roll.type, bound=bound), audience)


def tell_answer(layout: Layout, s: State, lowered: ir.LoweredRule, answer: Answer) -> None:
    """An answer is heard by all; one in secret only when all have answered. That a set is complete says nothing new.

    What the rules write down where somebody does not see it, is not told to him either.
    """
    if s.events is None or answer.what == "stop":
        return
    offer: Offer = s.offer
    question = offer.ask.question
    kind = item_type(question) if answer.what == "add" else question.type
    bound = bound_by_seat(layout, s, lowered.names, s.stack[-1].locals, offer.ask.known)
    name, secret = f"{lowered.address}.{question.name}", s.asking >= 0
    to = frozenset(
        seat
        for seat in range(layout.players)
        if seat == offer.player
        or all(
            number >= 0 and sees_variable(layout, s, number, seat)
            for number in written(layout, lowered.rule, question.slot, offer.player, frozenset())
        )
    )
    more = {"value": answer.value, "type": kind, "bound": bound, "secret": secret, "to": to}
    record(layout, s, Event("answer", name=name, who=offer.player, **more), to)


def written(layout: Layout, rule: int, slot: int, me: int, seen: frozenset[tuple[int, int]]) -> Iterator[int]:
    """Where the hidden variables stand that a name of a rule is written into, by the rule or by one that it calls; -1
    for one whose owner is not who acts."""
    if (rule, slot) in seen:
        return
    hidden = {one.number: one for one in layout.components.variables.values() if not seen_by_all(one)}
    for node in nodes(layout.program.rules[rule].body) if hidden else ():
        if isinstance(node, checked.Change):
            for number, owner, value in node.changes:
                if number in hidden and _reads(value, slot):
                    own = owner is None or (isinstance(owner, checked.Local) and owner.slot == 0)
                    yield layout.variable(number, -1 if owner is None else me) if own else -1
        elif isinstance(node, checked.Do):
            for called in called_rules(node.target):
                for place, argument in enumerate(node.arguments):
                    if _reads(argument, slot):
                        yield from written(layout, called, 1 + place, me, seen | {(rule, slot)})


def _reads(value: object, slot: int) -> bool:
    return any(isinstance(node, checked.Local) and node.slot == slot for node in nodes(value))


def tell_said(layout: Layout, s: State, name: str, me: int, values: Sequence[tuple[str, Any, t.Type]], to: Any) -> None:
    """What is said, as each seat sees it; `to` is a player, a list of them, or None for all."""
    told = [("me", me, t.PLAYER), *values]
    bound = tuple(
        tuple((name, show_value(layout, s, value, kind, seat, placed=True)) for name, value, kind in told)
        for seat in (*range(layout.players), -1)
    )
    audience = None if to is None else (me, *(to if isinstance(to, tuple) else (to,)))
    record(layout, s, Event("say", name=name, who=me, bound=bound), audience)
