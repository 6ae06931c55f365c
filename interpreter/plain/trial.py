"""Which effects a guard may try out: those whose outcome the player who is asked knows beforehand.

Beyond them a guard must not look. Whether a play is on offer would depend on what nobody is to know, and the offer
itself would say it.
"""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.ir import blocks as ir
from interpreter.plain.evaluate import Evaluator, Locals
from interpreter.state.state import State
from interpreter.state.visibility import sees_piece, sees_variable
from warlock_dsl import overlay_of
from warlock_dsl.check import program as checked

NEED_HINT = "test it with `can` before the call"


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


def hanging(program: checked.Program, under_way: Sequence[int]) -> str:
    """What hangs on the innermost of these rules that has hooks, in order, each with its overlay: what is missing there
    was perhaps taken by one of them, and then the author of the rule cannot mend it. "" where nothing hangs."""
    for rule in (program.rules[number] for number in reversed(under_way)):
        hooks = [
            hook
            for when in ("before", "instead", "after")
            for hook in rule.hooks
            if hook.rule >= 0 and hook.when == when
        ]
        if hooks:
            listed = [f"{hook.when} it '{program.rules[hook.rule].address}'{overlay_of(hook.span)}" for hook in hooks]
            return f"on '{rule.address}' hangs {', '.join(listed)}: one of them may take what is needed after it"
    return ""
