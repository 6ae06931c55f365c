"""Which machine plays: the generated one, or the plain one that is the meaning of the language."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from ctypes import CDLL
from functools import lru_cache, partial
from typing import Protocol

from interpreter.errors import AnswerError
from interpreter.generate.flow import TangledFlowError
from interpreter.generate.folds import UnknownPrimitiveError
from interpreter.generate.text import TooLongError
from interpreter.generate.write import VERSION, generate
from interpreter.generated import Generated
from interpreter.ir.blocks import Code
from interpreter.ir.lower import lower
from interpreter.native.expressions import NotNativeError
from interpreter.native.library import Library
from interpreter.native.write import native_source
from interpreter.outcome import Outcome
from interpreter.plain.machine import Machine
from interpreter.state.layout import Layout
from warlock_dsl.ruleset import Ruleset

BACKENDS = ("generated", "plain")
# Rules nested beyond what Python takes, and primitives that have no generated function.
TOO_HARD = (
    TangledFlowError, TooLongError, UnknownPrimitiveError, RecursionError, SyntaxError, MemoryError, OverflowError,
)  # fmt: skip


class Store(Protocol):
    """Keeps generated source between runs, under all it was made from. This package reads and writes no file."""

    def get(self, parts: Mapping[str, str]) -> str | None: ...

    def put(self, parts: Mapping[str, str], source: str) -> None: ...


class Compiler(Protocol):
    """Makes libraries of C, and keeps them, under all they were made from. This package starts no other program."""

    def find(self, parts: Mapping[str, str]) -> CDLL | None: ...

    def make(self, parts: Mapping[str, str], source: str) -> CDLL | None: ...


_stores: list[Store] = []  # none, or the one that is in use
_compilers: list[Compiler] = []  # likewise


def keep_in(store: Store | None) -> None:
    """Keep generated source in this store from now on."""
    _stores[:] = [] if store is None else [store]


def compile_with(compiler: Compiler | None) -> None:
    """Play whole games in C from now on, where this can make it."""
    _compilers[:] = [] if compiler is None else [compiler]


@lru_cache(maxsize=32)
def machine_for(ruleset: Ruleset, players: int, laws: bool, backend: str = BACKENDS[0]) -> Machine:
    """The machine for a ruleset and a number of players. Rules that cannot be generated are played plainly."""
    if backend not in BACKENDS:
        raise AnswerError(f"there is no backend '{backend}': {' or '.join(BACKENDS)}")
    layout = Layout(ruleset.program, ruleset.components, players)
    codes = lower(ruleset.program)
    if backend == "generated":
        try:
            find = partial(_library, ruleset, layout, codes, laws)
            return Generated(layout, codes, laws, _kept_source(ruleset, layout, codes, laws), find)
        except TOO_HARD:
            pass
    return Machine(layout, codes, laws)


def _kept_source(ruleset: Ruleset, layout: Layout, codes: tuple[Code, ...], laws: bool) -> str:
    """The generated source, from the store where it is known there."""
    if not _stores or not ruleset.digest:
        return _source(ruleset, layout, codes, laws)
    parts = {**_parts(ruleset, layout, laws), "python": sys.version}
    source = _stores[0].get(parts)
    if source is None:
        source = _source(ruleset, layout, codes, laws)
        _stores[0].put(parts, source)
    return source


def _parts(ruleset: Ruleset, layout: Layout, laws: bool) -> dict[str, str]:
    return {
        "ruleset": ruleset.digest,
        "players": str(layout.players),
        "laws": str(laws),
        "generator": str(VERSION),
    }


def _library(ruleset: Ruleset, layout: Layout, codes: tuple[Code, ...], laws: bool, compiling: bool) -> Library | None:
    """The ruleset in C: from what was compiled before or, if it may be compiled now, made."""
    if not _compilers or not ruleset.digest:
        return None
    parts = _parts(ruleset, layout, laws)
    found = _compilers[0].find(parts)
    if found is None and compiling:
        try:
            found = _compilers[0].make(parts, native_source(layout, codes, laws, _title(ruleset, layout, laws)))
        except (NotNativeError, RecursionError):
            return None
    return None if found is None else Library(layout, found)


def native_source_for(ruleset: Ruleset, players: int, laws: bool) -> str:
    """The ruleset in C, as `warlock show --native` prints it; AnswerError where there is none."""
    layout = Layout(ruleset.program, ruleset.components, players)
    try:
        return native_source(layout, lower(ruleset.program), laws, _title(ruleset, layout, laws))
    except (NotNativeError, RecursionError):
        raise AnswerError("these rules cannot be written in C; they are played without") from None


def source_for(ruleset: Ruleset, players: int, laws: bool) -> str:
    """The generated source, as `warlock show --generated` prints it; AnswerError where there is none."""
    layout = Layout(ruleset.program, ruleset.components, players)
    try:
        return _source(ruleset, layout, lower(ruleset.program), laws)
    except TOO_HARD:
        raise AnswerError("these rules cannot be generated; the plain machine plays them") from None


def _source(ruleset: Ruleset, layout: Layout, codes: tuple[Code, ...], laws: bool) -> str:
    return generate(layout, codes, laws, _title(ruleset, layout, laws))


def _title(ruleset: Ruleset, layout: Layout, laws: bool) -> str:
    on = "on" if laws else "off"
    return f"{ruleset.name} ({ruleset.hash}) for {layout.players}, laws {on}. Generated: do not edit."


def play_random(ruleset: Ruleset, players: int, seed: int, backend: str = BACKENDS[0], laws: bool = False) -> Outcome:
    """A whole game of random answers."""
    return machine_for(ruleset, players, laws, backend).play_games(seed, 1)[0]
