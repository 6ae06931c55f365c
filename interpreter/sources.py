"""The generated machine from its sources: made from the rules, or kept from an earlier run; in Python, and in C."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from ctypes import CDLL
from functools import partial
from typing import Protocol

from interpreter.errors import AnswerError
from interpreter.generate.flow import TangledFlowError
from interpreter.generate.folds import UnknownPrimitiveError
from interpreter.generate.text import TooLongError
from interpreter.generate.write import VERSION, generate
from interpreter.generated import Generated
from interpreter.ir.blocks import LoweredRule
from interpreter.native.expressions import NotNativeError
from interpreter.native.library import Library
from interpreter.native.write import native_source
from interpreter.state.layout import Layout
from warlock_dsl import Ruleset, nodes
from warlock_dsl.check import program as checked

LoweredRules = tuple[LoweredRule, ...]
# The forms of the checked program that generated code knows. Rules with any other are played by the plain machine.
KNOWN_FORMS = frozenset({
    "Apply", "Binary", "Can", "Cell", "Change", "Choose", "Conditional", "Const", "Define", "Do", "Ensure", "Family",
    "Field", "FigureRef", "Finish", "For", "Gather", "HookRef", "If", "Invariant", "Keyed", "Let", "ListOf", "Local",
    "Lookup", "Move", "Narrow", "Not", "PiecesOf", "Primitive", "Program", "Question", "RangeOf", "Repeat", "Require",
    "Roll", "Rule", "Score", "Shuffle", "Stop", "Swap", "Target", "Together", "VariableOf", "ZoneOf",
})  # fmt: skip


class UnknownFormError(Exception):
    """Rules with a form that only the plain machine knows."""


# Rules nested beyond what Python takes, forms that are not known, primitives that have no generated function.
TOO_HARD = (
    TangledFlowError, TooLongError, UnknownPrimitiveError, RecursionError, SyntaxError, MemoryError, OverflowError,
    UnknownFormError,
)  # fmt: skip


class Store(Protocol):
    """Keeps generated source between runs, under all it was made from. This package reads and writes no file."""

    def get(self, parts: Mapping[str, str]) -> str | None: ...

    def put(self, parts: Mapping[str, str], source: str) -> None: ...


class Compiler(Protocol):
    """Makes libraries of C, and keeps them, under all they were made from. This package starts no other program."""

    def find(self, parts: Mapping[str, str]) -> CDLL | None: ...

    def make(self, parts: Mapping[str, str], source: str) -> CDLL | None: ...


def generated(
    ruleset: Ruleset,
    layout: Layout,
    lowered_rules: LoweredRules,
    laws: bool,
    stores: Sequence[Store],
    compilers: Sequence[Compiler],
) -> Generated | None:
    """The generated machine; None for rules that are too hard for it. At most one store and compiler is in use."""
    try:
        source = _kept_source(ruleset, layout, lowered_rules, laws, stores)
        return Generated(
            layout, lowered_rules, laws, source, partial(_library, ruleset, layout, lowered_rules, laws, compilers)
        )
    except TOO_HARD:
        return None


def _kept_source(
    ruleset: Ruleset, layout: Layout, lowered_rules: LoweredRules, laws: bool, stores: Sequence[Store]
) -> str:
    """The generated source, from the store where it is known there."""
    if not stores or not ruleset.digest:
        return _source(ruleset, layout, lowered_rules, laws)
    parts = {**_parts(ruleset, layout, laws), "python": sys.version}
    source = stores[0].get(parts)
    if source is None:
        source = _source(ruleset, layout, lowered_rules, laws)
        stores[0].put(parts, source)
    return source


def _parts(ruleset: Ruleset, layout: Layout, laws: bool) -> dict[str, str]:
    return {
        "ruleset": ruleset.digest,
        "players": str(layout.players),
        "laws": str(laws),
        "generator": str(VERSION),
    }


def _library(
    ruleset: Ruleset,
    layout: Layout,
    lowered_rules: LoweredRules,
    laws: bool,
    compilers: Sequence[Compiler],
    compiling: bool,
) -> Library | None:
    """The ruleset in C: from what was compiled before or, if it may be compiled now, made."""
    if not compilers or not ruleset.digest:
        return None
    parts = _parts(ruleset, layout, laws)
    found = compilers[0].find(parts)
    if found is None and compiling:
        try:
            found = compilers[0].make(parts, native_source(layout, lowered_rules, laws, _title(ruleset, layout, laws)))
        except (NotNativeError, RecursionError):
            return None
    return None if found is None else Library(layout, found)


def in_c(ruleset: Ruleset, layout: Layout, lowered_rules: LoweredRules, laws: bool) -> str:
    """The ruleset in C; AnswerError where there is none."""
    try:
        refuse_unknown_forms(layout)
        return native_source(layout, lowered_rules, laws, _title(ruleset, layout, laws))
    except (NotNativeError, UnknownFormError, RecursionError):
        raise AnswerError("these rules cannot be written in C; they are played without") from None


def in_python(ruleset: Ruleset, layout: Layout, lowered_rules: LoweredRules, laws: bool) -> str:
    """The generated source; AnswerError where there is none."""
    try:
        return _source(ruleset, layout, lowered_rules, laws)
    except TOO_HARD:
        raise AnswerError("these rules cannot be generated; the plain machine plays them") from None


def refuse_unknown_forms(layout: Layout) -> None:
    if any(place.by for place in layout.places) or any(slot.by for slot in layout.slots):
        raise UnknownFormError("what there is by row")
    if layout.components.cooperative:
        raise UnknownFormError("cooperative")
    for node in nodes(layout.program):
        if type(node).__module__ == checked.__name__ and type(node).__name__ not in KNOWN_FORMS:
            raise UnknownFormError(type(node).__name__)


def _source(ruleset: Ruleset, layout: Layout, lowered_rules: LoweredRules, laws: bool) -> str:
    refuse_unknown_forms(layout)
    return generate(layout, lowered_rules, laws, _title(ruleset, layout, laws))


def _title(ruleset: Ruleset, layout: Layout, laws: bool) -> str:
    on = "on" if laws else "off"
    return f"{ruleset.name} ({ruleset.hash}) for {layout.players}, laws {on}. Generated: do not edit."
