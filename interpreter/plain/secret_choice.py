"""A secret choice: every seat is asked against the same state, and what it began waits until all have answered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from interpreter.ir import blocks as ir
from interpreter.plain.evaluate import Locals
from interpreter.state.events import reveal
from interpreter.state.layout import Layout
from interpreter.state.state import Frame, State
from warlock_dsl.check import program as checked


class Runner(Protocol):
    """What a secret choice needs of a machine."""

    layout: Layout

    def ev(self, s: State, e: checked.Expr, slots: Locals) -> Any: ...

    def tick(self, amount: int = 1) -> None: ...

    def cost_here(self, frame: Frame) -> int: ...


def ask_seats(machine: Runner, s: State, frame: Frame, end: ir.Seats) -> None:
    """Ask every seat and park its frames; then run the effects, seat by seat."""
    statement, slots = end.statement, frame.locals
    answers: Any = slots[statement.answers_slot]
    seats: Any = slots[statement.seats_slot]
    if answers is None:
        machine.tick(len(seats) * machine.cost_here(frame))
        seats = tuple(seat for seat in seats if _sits(machine, s, statement, slots, seat))
        slots[statement.seats_slot] = seats
        answers = slots[statement.answers_slot] = ()
    place: Any = slots[statement.place_slot]
    if len(answers) < len(seats):
        s.asking = len(s.stack) - 1
        _sit(s, frame, end, seats[len(answers)])
    elif place < len(seats):
        reveal(machine.layout, s)
        slots[statement.place_slot] = place + 1
        s.stack += [Frame(rule, block, list(parked)) for rule, block, parked in answers[place]]
    else:
        slots[statement.answers_slot] = None
        frame.block = end.out


def _sits(machine: Runner, s: State, statement: checked.Together, slots: Locals, seat: int) -> bool:
    slots[statement.slot] = seat
    return statement.where is None or bool(machine.ev(s, statement.where, slots))


def _sit(s: State, frame: Frame, end: ir.Seats, seat: int) -> None:
    slots = frame.locals[:]
    slots[end.statement.slot] = seat
    slots[end.statement.answers_slot] = None  # a seat keeps no copy of what the others have answered
    s.stack.append(Frame(frame.rule, end.body, slots))


def park(lowered_rules: Sequence[ir.LoweredRule], s: State) -> None:
    """The seat has answered: what it began waits until all have."""
    frame = s.stack[s.asking]
    end = lowered_rules[frame.rule].blocks[frame.block].end
    assert isinstance(end, ir.Seats)
    waiting: Any = tuple((f.rule, f.block, tuple(f.locals)) for f in s.stack[s.asking + 1 :])
    answers: Any = frame.locals[end.statement.answers_slot]
    frame.locals[end.statement.answers_slot] = (*answers, waiting)
    del s.stack[s.asking + 1 :]
    s.asking = -1
