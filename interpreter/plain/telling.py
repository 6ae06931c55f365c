"""What is told of rolls, answers and what somebody says: events that change nothing by themselves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from interpreter.ir import blocks as ir
from interpreter.plain.evaluate import Evaluator, Locals
from interpreter.plain.questions import Answer, Offer, item_type
from interpreter.state.events import Event, bound_by_seat, record
from interpreter.state.labels import show_value
from interpreter.state.layout import Layout
from interpreter.state.state import State
from warlock_dsl import types as t


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
    """An answer is heard by all; one in secret only when all have answered. That a set is complete says nothing new."""
    if s.events is None or answer.what == "stop":
        return
    offer: Offer = s.offer
    question = offer.ask.question
    kind = item_type(question) if answer.what == "add" else question.type
    bound = bound_by_seat(layout, s, lowered.names, s.stack[-1].locals, offer.ask.known)
    name, secret = f"{lowered.address}.{question.name}", s.asking >= 0
    event = Event("answer", name=name, who=offer.player, value=answer.value, type=kind, bound=bound, secret=secret)
    record(layout, s, event)


def tell_said(layout: Layout, s: State, name: str, me: int, values: Sequence[tuple[str, Any, t.Type]], to: Any) -> None:
    """What is said, as each seat sees it; `to` is a player, a list of them, or None for all."""
    told = [("me", me, t.PLAYER), *values]
    bound = tuple(
        tuple((name, show_value(layout, s, value, kind, seat, placed=True)) for name, value, kind in told)
        for seat in (*range(layout.players), -1)
    )
    audience = None if to is None else (me, *(to if isinstance(to, tuple) else (to,)))
    record(layout, s, Event("say", name=name, who=me, bound=bound), audience)
