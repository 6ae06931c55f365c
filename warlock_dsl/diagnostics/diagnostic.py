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


class Suggestion(str):
    """A hint that knows the word that was written and what was meant perhaps: a did-you-mean, or one in other words."""

    word: str
    meant: tuple[str, ...]  # the likeliest first

    does: str  # what the edit does; "" where the words say it

    def __new__(cls, word: str, *meant: str, text: str = "", does: str = "") -> Suggestion:
        made = super().__new__(cls, text or f"did you mean '{meant[0]}'?")
        made.word, made.meant, made.does = word, meant, does
        return made


@frozen
class TextEdit:
    """A stretch of a file and the text that replaces it."""

    span: Span
    text: str


@frozen
class Fix:
    """A way to mend an error: what it does, and the edits that do it."""

    title: str
    edits: tuple[TextEdit, ...]


class Remedy(str):
    """A hint that knows the edits which do what it says."""

    fixes: tuple[Fix, ...]

    def __new__(cls, text: str, *fixes: Fix) -> Remedy:
        made = super().__new__(cls, text)
        made.fixes = fixes
        return made


class Entry(str):
    """A hint to write a line into a section of a table."""

    file: str
    section: str
    line: str

    def __new__(cls, text: str, file: str, section: str, line: str) -> Entry:
        made = super().__new__(cls, text)
        made.file, made.section, made.line = file, section, line
        return made


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
    return Suggestion(word, near[0]) if near else ""


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
