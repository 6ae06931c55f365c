"""Expressions with other values in place of some of their slots."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

import attrs

from warlock_dsl.check import program as checked

Part = TypeVar("Part")


def replaced(part: Part, values: Mapping[int, checked.Expr]) -> Part:
    """An expression in which these slots are not read: each stands for a value."""
    found: Any = _replaced(part, values) if values else part
    return found  # type: ignore[no-any-return]  # a slot and its value have one type


def _replaced(part: Any, values: Mapping[int, checked.Expr]) -> Any:
    if isinstance(part, checked.Local):
        return values.get(part.slot, part)
    if isinstance(part, tuple):
        return tuple(_replaced(one, values) for one in part)
    if type(part).__module__ != checked.__name__:
        return part
    names = [field.name for field in attrs.fields(type(part))]
    return attrs.evolve(part, **{name: _replaced(getattr(part, name), values) for name in names})
