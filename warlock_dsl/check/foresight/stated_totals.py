"""Totals that the condition of a set states: `sum(c in cards: c.value) is 15`. With them sets are found by their total,
not tried one after another; and the check knows that there are never too many pieces to look through.
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from warlock_dsl.check import program as checked
from warlock_dsl.primitives import assumed
from warlock_dsl.syntax.walk import nodes

FOLDS = ("sum", "length")  # what a total is the result of
MAX_CALLS = 12  # definitions that call one another
TURNED = {"is": "is", "<": ">", "<=": ">=", ">": "<", ">=": "<="}  # what an operator is with its sides exchanged


@frozen
class StatedTotal:
    """A total of the members of a set, and what it is compared with. `op` is is, has (one of a list), or < <= > >=.

    `gather` binds one member and gives its part; `counts` where each counts one. It stands in the definition that
    the innermost of `within` calls, each of which the one before it calls, or in the question if there are none.
    """

    op: str
    other: checked.Expr
    gather: checked.Gather
    counts: bool
    within: tuple[checked.Apply, ...] = ()


def stated_totals(question: checked.Question, defines: Sequence[checked.Define]) -> tuple[StatedTotal, ...]:
    """The totals that the condition of a question for a set states; each of them must hold."""
    if question.mode not in ("some", "count"):
        return ()
    found = [_stated(part, question.slot, defines) for part in conditions(question.where)]
    return tuple(one for one in found if one is not None)


def conditions(where: checked.Expr | None) -> list[checked.Expr]:
    """The parts of a condition that must all hold."""
    if where is None:
        return []
    if isinstance(where, checked.Binary) and where.op == "and":
        return [*conditions(where.left), *conditions(where.right)]
    return [where]


def _stated(test: checked.Expr, slot: int, defines: Sequence[checked.Define]) -> StatedTotal | None:
    if not isinstance(test, checked.Binary):
        return None
    sides = []
    if test.op in TURNED:
        sides = [(test.op, test.left, test.right), (TURNED[test.op], test.right, test.left)]
    elif test.op == "has":
        sides = [("has", test.right, test.left)]
    for op, total, other in sides:
        found = _total(total, slot, defines, ())
        if found is not None and not _mentions(other, slot):
            return StatedTotal(op, other, *found)
    return None


def _total(
    total: checked.Expr, slot: int, defines: Sequence[checked.Define], within: tuple[checked.Apply, ...]
) -> tuple[checked.Gather, bool, tuple[checked.Apply, ...]] | None:
    """A fold over the members of the set in a slot, be it in a definition that is handed the set."""
    match total:
        case checked.Primitive(arguments=(checked.Gather() as gather,)) if assumed(total.name).result in FOLDS:
            counts = assumed(total.name).result == "length"
            parts = (gather.where, None if counts else gather.body)
            if not _is(gather.source, slot) or _mentions(parts, slot):
                return None
            return (gather, counts, within) if counts or gather.body is not None else None
        case checked.Apply():
            handed = [place for place, argument in enumerate(total.arguments) if _is(argument, slot)]
            others = [argument for argument in total.arguments if not _is(argument, slot)]
            if len(handed) != 1 or _mentions(others, slot) or len(within) == MAX_CALLS:
                return None
            return _total(defines[total.define].value, 1 + handed[0], defines, (*within, total))
        case _:
            return None


def _is(expr: checked.Expr, slot: int) -> bool:
    return isinstance(expr, checked.Local) and expr.slot == slot


def _mentions(parts: object, slot: int) -> bool:
    return any(isinstance(node, checked.Local) and node.slot == slot for node in nodes(parts))
