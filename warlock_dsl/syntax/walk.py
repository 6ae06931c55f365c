"""Walks trees of frozen values: every node of a syntax tree or of a checked program, outermost first."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from types import NoneType

import attrs

from warlock_dsl import types
from warlock_dsl.diagnostics.diagnostic import Span
from warlock_dsl.memo import kept_by_identity

_known: dict[type, tuple[str, ...]] = {}
_inner: dict[type, tuple[str, ...]] = {}  # of those, the parts that can have nodes in them, the last first
_PLAIN = (str, int, bool, NoneType, Span)  # most of what is met; that they are no tables need not be asked
_LEAVES = frozenset({"str", "int", "bool", "None", "Span", "Type", "Fraction", "Value", "tuple"})  # in annotations


def fields_of(kind: type) -> tuple[str, ...]:
    """The names of the parts of a node; none for a type, a span or a plain value."""
    if kind not in _known:
        entered = attrs.has(kind) and kind is not Span and kind.__module__ != types.__name__
        _known[kind] = tuple(field.name for field in attrs.fields(kind)) if entered else ()
    return _known[kind]


def _inside(kind: type) -> tuple[str, ...]:
    """The parts of a node that can have nodes in them, by what they are declared to be; the last first."""
    if kind not in _inner:
        parts = attrs.fields(kind) if fields_of(kind) else ()
        plain = {part.name for part in parts if _LEAVES.issuperset(re.findall(r"\w+", str(part.type)))}
        _inner[kind] = tuple(name for name in reversed(fields_of(kind)) if name not in plain)
    return _inner[kind]


def nodes(root: object) -> Iterator[object]:
    """The root and everything inside it, in reading order. Types and spans are not entered."""
    stack: list[object] = [root]
    while stack:
        node = stack.pop()
        kind = type(node)
        if kind in _PLAIN:
            continue
        parts = _inner.get(kind)
        if parts is None:
            parts = _inside(kind)
        if parts or _known[kind]:
            yield node
            for name in parts:
                stack.append(getattr(node, name))
        elif kind is tuple or isinstance(node, tuple | list):
            stack.extend(reversed(node))  # type: ignore[call-overload]
        elif isinstance(node, Mapping):
            stack.extend(reversed(list(node.values())))


@kept_by_identity(1024)
def nodes_of_declaration(declaration: object) -> tuple[object, ...]:
    """The nodes of a declaration as it is written: while a file is edited, nearly all of them stay as they are."""
    return tuple(nodes(declaration))


@kept_by_identity(4)
def nodes_of_program(program: object) -> tuple[object, ...]:
    """The nodes of a checked program, which is walked by one check after another."""
    return tuple(nodes(program))
