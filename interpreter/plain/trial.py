"""What is tried out on a copy of the state: effects that a guard looks behind, and rules that `would` asks about.

A guard tries out effects whose outcome the player who is asked knows beforehand. Beyond them it must not look: whether
a play is on offer would depend on what nobody is to know, and the offer itself would say it. What `would` may look at
is up to the author of the rule, as is everything that a condition reads.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from interpreter.errors import PlayError, RulesError
from interpreter.ir import blocks as ir
from interpreter.ir.analysis import called_rules
from interpreter.plain.effects import Effects
from interpreter.plain.evaluate import TOO_DEEP, Locals
from interpreter.state.state import Local, State
from interpreter.state.visibility import sees_piece, sees_variable
from warlock_dsl import nodes, overlay_of
from warlock_dsl.check import program as checked

NEED_HINT = "test it with `can` before the call"
MAX_TRIALS = 8  # `would` within `would`, by way of rules and definitions


class Runner(Protocol):
    """What a machine that runs rules has to offer."""

    trying: int

    def ev(self, s: State, e: checked.Expr, slots: Locals) -> Any: ...

    def tick(self, amount: int = 1) -> None: ...

    def called(self, s: State, end: checked.Would, slots: Locals) -> tuple[int, list[Any], Local]: ...

    def push(self, s: State, rule: int, arguments: list[Any], me: Local) -> None: ...

    def block(self, s: State) -> object: ...

    def placed(self, s: State, error: PlayError) -> PlayError: ...


def trial_copy(machine: Runner | Effects, state: State) -> State:
    """A position to try something out in; making it is work."""
    machine.tick(1 + (len(state.place) + len(state.variables) >> 2))
    return state.position()


def value_after(machine: Runner, state: State, node: checked.Would, slots: Locals) -> Any:
    """What `would f(a): E` is: the rule runs on a copy, to its end or to that of the game, and E is read there."""
    if machine.trying >= MAX_TRIALS:
        raise RulesError(
            f"'would' within 'would', more than {MAX_TRIALS} deep", span=node.span,
            hint="a rule or a definition asks what would be after itself; it needs a way out",
        )  # fmt: skip
    rule, arguments, me = machine.called(state, node, slots)
    after = trial_copy(machine, state)
    machine.trying += 1
    try:
        machine.push(after, rule, arguments, me)
        while after.stack:
            machine.block(after)
        return machine.ev(after, node.value, slots)
    except RulesError as error:
        if error.hint == NEED_HINT:
            error.hint = "test it first: can f(x) and would f(x): ..."
        raise machine.placed(after, error) from None
    except RecursionError:
        raise RulesError(TOO_DEEP, span=node.span) from None
    finally:
        machine.trying -= 1


def for_laws(step: ir.Step, lowered: ir.LoweredRule) -> bool:
    """Whether a step only serves laws: a position that is tried out need not keep them."""
    return isinstance(step, ir.LawStep) or (isinstance(step, ir.Bind) and step.slot in lowered.kept)


def after_effect(machine: Effects, s: State, block: ir.Block, slots: Locals, viewer: int) -> State | None:
    """The state after an acting block; None where the viewer cannot know it, or the game ends."""
    if isinstance(block.end, ir.FinishEnd):
        return None
    state = trial_copy(machine, s)
    for step in block.steps:
        if not foreseen(machine, state, step, slots, viewer):
            return None
        machine.act(state, step, slots)
    return state


def foreseen(machine: Effects, state: State, step: ir.Step, slots: Locals, viewer: int) -> bool:
    """Whether a player knows what an acting step does: moves of pieces he sees, changes of variables he sees."""
    match step:
        case ir.MoveStep():
            found = [machine.ev(state, what, slots) for what, _, _ in machine.operands(state, step, step.pairs, slots)]
        case ir.SwapStep():
            pairs = machine.operands(state, step, step.pairs, slots)
            found = [machine.ev(state, side, slots) for pair in pairs for side in pair]
        case ir.ChangeStep():
            owners = [
                (variable, -1 if owner is None else machine.ev(state, owner, slots))
                for variable, owner, _ in machine.operands(state, step, step.changes, slots)
            ]
            numbers = [machine.layout.variable(variable, owner) for variable, owner in owners]
            return all(sees_variable(machine.layout, state, number, viewer) for number in numbers)
        case ir.SayStep():
            return True  # it changes nothing
        case ir.ShowStep():
            shown = [(machine.ev(state, what, slots), machine.ev(state, to, slots)) for what, to in step.pairs]
            found = [what for what, to in shown if viewer in (to if isinstance(to, tuple) else (to,))]
        case ir.ResetStep():
            return True  # what a variable begins with is a rule
        case _:
            return False  # chance
    pieces = [piece for one in found for piece in (one if isinstance(one, tuple) else (one,))]
    return all(sees_piece(machine.layout, state, piece, viewer) for piece in pieces)


def hanging(program: checked.Program, under_way: Sequence[int]) -> str:
    """What hangs on the innermost of these rules that has hooks, in order, each with its overlay: what is missing there
    was perhaps taken by one of them, and then the author of the rule cannot mend it. Where none has, what hangs on the
    first rule with a hook of an overlay that the innermost leads to: because of it there may be no answer. "" where
    nothing hangs."""
    for number in reversed(under_way):
        if listed := _hooks_on(program.rules[number], program):
            return f"{listed}: one of them may take what is needed after it"
    waiting = list(under_way[-1:])
    seen = set(waiting)
    while waiting:
        rule = program.rules[waiting.pop(0)]
        if any(overlay_of(hook.span) for hook in rule.hooks) and (listed := _hooks_on(rule, program)):
            return f"{listed}: it may leave no answer here that can be completed"
        targets = [node for node in nodes(rule.body) if isinstance(node, checked.Target)]
        ahead = [one for target in targets for one in called_rules(target) if one not in seen]
        seen.update(ahead)
        waiting += dict.fromkeys(ahead)
    return ""


def _hooks_on(rule: checked.Rule, program: checked.Program) -> str:
    hooks = [
        hook for when in ("before", "instead", "after") for hook in rule.hooks if hook.rule >= 0 and hook.when == when
    ]
    listed = [f"{hook.when} it '{program.rules[hook.rule].address}'{overlay_of(hook.span)}" for hook in hooks]
    return f"on '{rule.address}' hangs {', '.join(listed)}" if hooks else ""
