"""Who may win, laws of the end of a game, and those that every game has: pieces in one place, counters in range."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.errors import LawViolationError, RulesError, broken
from interpreter.ir.cost import cost
from interpreter.plain.evaluate import Evaluator, Locals
from interpreter.state.layout import Layout
from interpreter.state.state import State
from warlock_dsl import Span


def check_pieces(layout: Layout, s: State) -> None:
    """Each piece lies in one place, and on the cell that it says; alone there, or in a stack."""
    for place, pieces in enumerate(s.zones):
        for number, piece in enumerate(pieces):
            cell = s.cell[piece]
            if s.place[piece] == place and (cell < 0 or s.at[cell] == piece):
                continue
            above = pieces[number + 1] if number + 1 < len(pieces) else -1
            if s.place[piece] != place or not layout.stacks[cell] or above < 0 or s.cell[above] != cell:
                raise LawViolationError(f"'{layout.piece_names[piece]}' lies in two places", law="pieces")
    if sum(len(pieces) for pieces in s.zones) != layout.piece_count:
        raise LawViolationError("a piece lies nowhere or twice", law="pieces")


def check_counters(layout: Layout, s: State) -> None:
    """Each counter is in its range."""
    for slot, value in zip(layout.slots, s.variables, strict=True):
        if slot.low is not None and isinstance(value, int) and not slot.low <= value <= (slot.high or 0):
            raise LawViolationError(f"'{slot.name}' is out of its range", law="counters")


def check_invariants(machine: Evaluator, s: State, costs: Sequence[int]) -> None:
    """The invariants of every moment; `costs` is what each takes."""
    for invariant, steps in zip(machine.layout.program.invariants, costs, strict=True):
        machine.tick(steps)
        slots: Locals = [None] * invariant.slots
        slots[0] = 0
        if not machine.ev(s, invariant.test, slots):
            raise broken(invariant.name, invariant.span)


def check_endings(machine: Evaluator, s: State, winners: tuple[int, ...]) -> None:
    """The invariants of the end of a game, which comes once."""
    for ending in machine.layout.program.endings:
        machine.tick(1 + cost(ending.test))
        slots: Locals = [None] * ending.slots
        slots[0], slots[1] = 0, winners
        if not machine.ev(s, ending.test, slots):
            raise broken(ending.name, ending.span)


def table_winners(layout: Layout, winners: Sequence[int], span: Span) -> tuple[int, ...]:
    """The winners in order; of a cooperative game all or none, since the table wins or loses as one."""
    found = tuple(sorted(set(winners)))
    if layout.components.cooperative and 0 < len(found) < layout.players:
        raise RulesError(
            "a cooperative game is won by everybody or by nobody", span=span,
            hint="`finish players` where the table wins, `finish []` where it loses",
        )  # fmt: skip
    return found
