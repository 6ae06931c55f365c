"""Which effects a guard may try out: those whose outcome the player who is asked knows beforehand.

Beyond them a guard must not look. Whether a play is on offer would depend on what nobody is to know, and the offer
itself would say it.
"""

from __future__ import annotations

from interpreter.ir import blocks as ir
from interpreter.plain.evaluate import Evaluator, Locals
from interpreter.state.state import State
from interpreter.state.visibility import sees_piece, sees_variable


def foreseen(machine: Evaluator, state: State, step: ir.Step, slots: Locals, viewer: int) -> bool:
    """Whether a player knows what an acting step does: moves of pieces he sees, changes of variables he sees."""
    match step:
        case ir.MoveStep():
            found = [machine.ev(state, what, slots) for what, _, _ in step.pairs]
        case ir.SwapStep():
            found = [machine.ev(state, side, slots) for pair in step.pairs for side in pair]
        case ir.ChangeStep():
            owners = [
                (variable, -1 if owner is None else machine.ev(state, owner, slots))
                for variable, owner, _ in step.changes
            ]
            numbers = [machine.layout.variable(variable, owner) for variable, owner in owners]
            return all(sees_variable(machine.layout, state, number, viewer) for number in numbers)
        case ir.ResetStep():
            return True  # what a variable begins with is a rule
        case _:
            return False  # chance
    pieces = [piece for one in found for piece in (one if isinstance(one, tuple) else (one,))]
    return all(sees_piece(machine.layout, state, piece, viewer) for piece in pieces)
