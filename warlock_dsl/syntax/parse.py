"""Reads `.warlock` text: every declaration that can be read, and every error, in one pass."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from warlock_dsl.diagnostics.diagnostic import Diagnostic, Span
from warlock_dsl.syntax.chunks import Chunk, cut, too_much, unreadable
from warlock_dsl.syntax.tree import Declaration, Do, Expression, Module

MAX_ERRORS = 100


def parse(text: str, file: str) -> tuple[Module, list[Diagnostic]]:
    """All declarations of a file that could be read, its comments, and every syntax error."""
    module, errors = _parsed(text, file)
    return module, list(errors)


@lru_cache(maxsize=64)  # the files of a game are read anew for every stack of overlays on it
def _parsed(text: str, file: str) -> tuple[Module, tuple[Diagnostic, ...]]:
    refusal = unreadable(text, file)
    if refusal is not None:
        return Module(file, (), ()), (refusal,)
    pieces = cut(text)
    declarations: list[Declaration] = []
    errors: list[Diagnostic] = []
    bodiless = False
    for chunk in pieces.chunks:
        declaration, found = _read(chunk, file, "chunk")
        codes = {error.code for error in found}
        if bodiless and "W120" in codes:
            continue  # the body that was missed above, not indented: that has been reported
        bodiless = "W111" in codes
        errors.extend(found)
        if declaration is not None:
            declarations.append(declaration)
        if len(errors) >= MAX_ERRORS:
            line = chunk.line + chunk.text.count("\n")
            message = f"reading stopped after {MAX_ERRORS} errors"
            errors.append(Diagnostic("W141", message, Span(file, line, 1, line, 2), hint="mend these first"))
            break
    return Module(file, tuple(declarations), tuple(remark.comment for remark in pieces.remarks)), tuple(errors)


def parse_expression(text: str, file: str) -> tuple[Expression | None, list[Diagnostic]]:
    """One value, such as `count(deck) is 3`."""
    return _read_alone(text, file, "lone_expression")


def parse_call(text: str, file: str) -> tuple[Do | None, list[Diagnostic]]:
    """One call, such as `f(a, 3) by p`."""
    return _read_alone(text, file, "lone_call")


def _read_alone(text: str, file: str, start: str) -> tuple[Any, list[Diagnostic]]:
    refusal = unreadable(text, file)
    if refusal is not None:
        return None, [refusal]
    result, errors = _read(Chunk(1, text.rstrip(" \r\n") + "\n"), file, start)
    return result, list(errors)


@lru_cache(maxsize=1024)  # while a file is edited, all declarations but one stay as they are
def _read(chunk: Chunk, file: str, start: str) -> tuple[Any, tuple[Diagnostic, ...]]:
    """One chunk: what it says, and its errors."""
    refusal = too_much(chunk, file) or _indented_start(chunk, file, start)
    if refusal is not None:
        return None, (refusal,)
    from warlock_dsl.syntax.lark_parser import read_chunk  # here, as a ruleset from the cache needs no lark

    return read_chunk(chunk, file, start)


def _indented_start(chunk: Chunk, file: str, start: str) -> Diagnostic | None:
    """The error of a file whose first line of code is indented."""
    if start != "chunk" or not chunk.text.startswith(" "):
        return None
    column = len(chunk.text) - len(chunk.text.lstrip(" ")) + 1
    span = Span(file, chunk.line, column, chunk.line, column + 1)
    message = "the first declaration is indented"
    return Diagnostic("W109", message, span, "expected the first column", "a declaration begins in the first column")
