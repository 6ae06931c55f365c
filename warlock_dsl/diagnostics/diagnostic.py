"""Errors, warnings and notes of a rules folder as values: code, place, what was expected, hint. `render` makes text."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from enum import Enum

from attrs import field, frozen


@frozen(order=True)
class Span:
    """A stretch of a source file; lines and columns count from 1, the end column is exclusive."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int

    def to(self, other: Span) -> Span:
        """The stretch from the start of this one to the end of the other."""
        return Span(self.file, self.line, self.column, other.end_line, other.end_column)


NOWHERE = Span("<nowhere>", 1, 1, 1, 1)


class Severity(Enum):
    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@frozen
class Related:
    """A second place that explains an error, such as where the other one of two is."""

    span: Span
    text: str


@frozen
class Diagnostic:
    """One error. `message` says what is wrong, `label` is shown beside the caret, `hint` says what to do."""

    code: str
    message: str
    span: Span
    label: str = ""
    hint: str = ""
    severity: Severity = Severity.ERROR
    related: tuple[Related, ...] = field(default=())


def closest(word: str, known: Iterable[str]) -> str:
    """A did-you-mean clause for a misspelt word, or nothing."""
    words = sorted(set(known))
    near = difflib.get_close_matches(word, words, n=1, cutoff=0.6)
    return f"did you mean '{near[0]}'?" if near else ""


def suggest(word: str, known: Iterable[str], what: str, maximum: int = 8) -> str:
    """A did-you-mean clause, or the list of what there is."""
    words = sorted(set(known))
    near = closest(word, words)
    if near:
        return near
    if not words:
        return f"there are no {what} here"
    shown = ", ".join(words[:maximum]) + (", ..." if len(words) > maximum else "")
    return f"known {what}: {shown}"
