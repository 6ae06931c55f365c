"""Compares syntax trees, their places left aside."""

from __future__ import annotations

import attrs

from warlock_dsl.diagnostics.diagnostic import Span
from warlock_dsl.syntax.tree import Module


def same_tree(one: object, other: object) -> bool:
    """Whether two trees are equal but for their places; of modules the declarations count."""
    todo = [(one, other)]
    while todo:
        a, b = todo.pop()
        if isinstance(a, Module) and isinstance(b, Module):
            todo.append((a.declarations, b.declarations))
        elif type(a) is not type(b):
            return False
        elif isinstance(a, tuple) and isinstance(b, tuple):
            if len(a) != len(b):
                return False
            todo.extend(zip(a, b, strict=True))
        elif attrs.has(kind := type(a)):
            if kind is not Span:
                todo.extend((getattr(a, field.name), getattr(b, field.name)) for field in attrs.fields(kind))
        elif a != b:
            return False
    return True
