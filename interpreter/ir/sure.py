"""Where a guard need not look on: an effect, chance or the turn of a loop surely comes, whatever is answered."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.ir import blocks as ir
from interpreter.ir.trials import Trials


def sure_blocks(lowered_rules: Sequence[ir.LoweredRule], trials: Trials) -> tuple[frozenset[int], ...]:
    """By rule, the blocks from which on nothing can fail before that; none where effects are tried out."""
    return tuple(frozenset() if trials.needed else _of_rule(lowered.blocks) for lowered in lowered_rules)


def _of_rule(blocks: Sequence[ir.Block]) -> frozenset[int]:
    found: frozenset[int] = frozenset()
    while (more := frozenset(n for n, block in enumerate(blocks) if _is_sure(block, found))) != found:
        found = more
    return found


def _is_sure(block: ir.Block, known: frozenset[int]) -> bool:
    """Nothing is required, no rule is called and none ends."""
    if block.acts:
        return True
    if any(isinstance(step, ir.Need) for step in block.steps):
        return False
    match block.end:
        case ir.Goto(to=to):
            return to in known
        case ir.Branch(yes=yes, no=no):
            return yes in known and no in known
        case ir.Ask(then=then, otherwise=otherwise):
            return then in known and otherwise in known
        case ir.Call() | ir.Instead() | ir.Return():
            return False
    return True
