"""What it costs to evaluate something, known before it runs, so that the work of a rule can be counted cheaply."""

from __future__ import annotations

from typing import Any

from warlock_dsl import fields_of
from warlock_dsl.check import program as checked

NODES = 2  # parts of an expression that count as one step


def cost(*roots: object) -> int:
    """Steps for everything in these, the turns of folds aside: they are counted where they are taken."""
    found = 0
    stack: list[Any] = list(roots)
    while stack:
        node = stack.pop()
        if isinstance(node, tuple | list):
            stack.extend(node)
        elif isinstance(node, checked.Gather | checked.Keyed):
            found += 1
            stack.append(node.source)
        elif names := fields_of(type(node)):
            found += 1
            stack.extend(getattr(node, name) for name in names)
    return found // NODES


def turn_cost(node: checked.Gather | checked.Keyed | checked.Each) -> int:
    """Steps for one turn of a fold."""
    last = node.body if isinstance(node, checked.Gather) else node.key if isinstance(node, checked.Keyed) else None
    return 1 + cost(node.where, last)


def size(value: Any, maximum: int) -> int:
    """How many elements a value has, lists within lists in full; counted no further than past `maximum`."""
    if not isinstance(value, tuple):
        return 1
    total = len(value)
    if value and isinstance(value[0], tuple):
        for inner in value:
            total += size(inner, maximum - total)
            if total > maximum:
                break
    return total
