"""Places between us and an editor: we count lines and characters from 1, editors from 0 and in units of a code."""

from __future__ import annotations

from collections.abc import Sequence

from lsprotocol import types as lsp

from warlock_dsl import Span


def units(text: str, encoding: str) -> int:
    """How long a text is in the units that were agreed on."""
    if encoding == "utf-32":
        return len(text)
    coded = text.encode("utf-8" if encoding == "utf-8" else "utf-16-le", "surrogatepass")
    return len(coded) if encoding == "utf-8" else len(coded) // 2


def column_at(line: str, offset: int, encoding: str) -> int:
    """The column, from 1, of an offset in units; one inside a character is at that character."""
    passed = 0
    for column, sign in enumerate(line, start=1):
        passed += units(sign, encoding)
        if passed > offset:
            return column
    return len(line) + 1


def range_of(span: Span, lines: Sequence[str], encoding: str) -> lsp.Range:
    return lsp.Range(
        _position(span.line, span.column, lines, encoding), _position(span.end_line, span.end_column, lines, encoding)
    )


def _position(line: int, column: int, lines: Sequence[str], encoding: str) -> lsp.Position:
    text = lines[line - 1] if 0 < line <= len(lines) else ""
    return lsp.Position(max(line - 1, 0), units(text[: column - 1], encoding))
