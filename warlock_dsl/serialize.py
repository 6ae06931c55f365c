"""A checked ruleset as JSON and back, for a cache: only the frozen values of the language, nothing that could run.

A value is a plain number, truth, text or null, or a list that begins with what it is: 0 a tuple, 1 a mapping, 2 a
fraction, 3 a frozen set, 4 a place in the table of values that are used in many places, from 10 on a class of the list
below with its parts in order. Whatever else a text holds is an error of the text.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import attrs

from warlock_dsl import types
from warlock_dsl.check import program as checked
from warlock_dsl.check.laws import properties
from warlock_dsl.diagnostics.diagnostic import NOWHERE, Span
from warlock_dsl.overlay import changes as claims
from warlock_dsl.ruleset import Ruleset
from warlock_dsl.tables import components as model

FORMAT = 1
TUPLE, MAPPING, FRACTION, SET, SHARED, FIRST_CLASS = 0, 1, 2, 3, 4, 10


class ArchiveError(Exception):
    """A text that is not an archive of this version."""


def _classes() -> list[type]:
    found = [
        kind
        for module in (checked, properties, model, types)
        for kind in vars(module).values()
        if isinstance(kind, type) and attrs.has(kind) and kind.__module__ == module.__name__
    ]
    found.sort(key=lambda kind: (kind.__module__, kind.__name__))
    return [Span, claims.Applied, claims.Layer, Ruleset, *found]


CLASSES = _classes()
NUMBER = {kind: FIRST_CLASS + number for number, kind in enumerate(CLASSES)}
NAMES = {kind: tuple(part.name for part in attrs.fields(kind)) for kind in CLASSES}


def shape() -> list[Any]:
    """What the classes look like: an archive made with others is of no use."""
    return [FORMAT, [[kind.__name__, *NAMES[kind]] for kind in CLASSES]]


class _Packing:
    def __init__(self) -> None:
        self.table: list[Any] = []
        self.places: dict[Any, int] = {}

    def pack(self, value: Any) -> Any:
        kind = type(value)
        if kind in (int, bool, str) or value is None:
            return value
        if kind in NUMBER:
            parts = [NUMBER[kind], *(self.pack(getattr(value, name)) for name in NAMES[kind])]
            return self.shared(value, parts) if kind is Span or kind.__module__ == types.__name__ else parts
        if kind is tuple:
            return [TUPLE, *map(self.pack, value)]
        if isinstance(value, Mapping):
            return [MAPPING, *(self.pack(part) for pair in value.items() for part in pair)]
        if kind is Fraction:
            return [FRACTION, value.numerator, value.denominator]
        if kind is frozenset:
            return [SET, *sorted(map(self.pack, value))]
        raise TypeError(f"no part of a ruleset: {kind.__name__}")

    def shared(self, value: Any, parts: list[Any]) -> list[Any]:
        if value not in self.places:
            self.places[value] = len(self.table)
            self.table.append(parts)
        return [SHARED, self.places[value]]


def pack_ruleset(ruleset: Ruleset) -> str:
    """The text of a ruleset."""
    packing = _Packing()
    whole = packing.pack(ruleset)
    return json.dumps([shape(), packing.table, whole], separators=(",", ":"))


def unpack_ruleset(text: str) -> Ruleset:
    """The ruleset of a text that `packed` made; `ArchiveError` for any other."""
    try:
        found_shape, table, whole = json.loads(text)
        if found_shape != shape():
            raise ArchiveError("made by another version")
        ruleset = _unpacking(table)(whole)
    except (ValueError, TypeError, LookupError, RecursionError, ZeroDivisionError) as error:
        raise ArchiveError(str(error)) from None
    if not isinstance(ruleset, Ruleset):
        raise ArchiveError("not a ruleset")
    return ruleset


def _unpacking(table: list[Any]) -> Callable[[Any], Any]:
    shared: list[Any] = []

    def unpack(value: Any) -> Any:
        if type(value) is not list:
            return value
        tag = value[0]
        if tag == SHARED:
            return shared[value[1]]
        if tag >= FIRST_CLASS:
            return CLASSES[tag - FIRST_CLASS](*[unpack(part) if type(part) is list else part for part in value[1:]])
        if tag == TUPLE:
            return tuple([unpack(part) if type(part) is list else part for part in value[1:]])
        if tag == MAPPING:
            parts = [unpack(part) if type(part) is list else part for part in value[1:]]
            return dict(zip(parts[::2], parts[1::2], strict=True))
        if tag == FRACTION:
            return Fraction(value[1], value[2])
        if tag == SET:
            return frozenset(map(unpack, value[1:]))
        raise ArchiveError("a value of no kind")

    for parts in table:
        found = unpack(parts)
        shared.append(NOWHERE if found == NOWHERE else found)
    return unpack
