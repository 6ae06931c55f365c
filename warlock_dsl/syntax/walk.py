"""Walks trees of frozen values: every node of a syntax tree or of a checked program, outermost first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import NoneType

import attrs

from warlock_dsl import types
from warlock_dsl.diagnostics.diagnostic import Span

_known: dict[type, tuple[str, ...]] = {}
_PLAIN = (str, int, bool, NoneType, Span)  # most of what is met; that they are no tables need not be asked


def fields_of(kind: type) -> tuple[str, ...]:
    """The names of the parts of a node; none for a type, a span or a plain value."""
    if kind not in _known:
        entered = attrs.has(kind) and kind is not Span and kind.__module__ != types.__name__
        _known[kind] = tuple(field.name for field in attrs.fields(kind)) if entered else ()
    return _known[kind]


def nodes(root: object) -> Iterator[object]:
    """The root and everything inside it, in reading order. Types and spans are not entered."""
    stack: list[object] = [root]
    while stack:
        node = stack.pop()
        parts = _known.get(type(node))
        if parts is None:
            parts = fields_of(type(node))
        if parts:
            yield node
            stack.extend([getattr(node, name) for name in reversed(parts)])
        elif isinstance(node, tuple | list):
            stack.extend(reversed(node))
        elif type(node) not in _PLAIN and isinstance(node, Mapping):
            stack.extend(reversed(list(node.values())))
