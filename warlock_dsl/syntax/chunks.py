"""Cuts a text into chunks, one declaration each, and finds its comments; an error in one chunk spares the others."""

from __future__ import annotations

import re
from itertools import pairwise

from attrs import frozen

from warlock_dsl.diagnostics.diagnostic import Diagnostic, Fix, Remedy, Span, TextEdit
from warlock_dsl.syntax.tree import Comment

# Reading takes some ten seconds a megabyte; no rules of a game come near this.
MAX_TEXT_SIZE = 250_000
MAX_LINE_LENGTH = 10_000
MAX_BRACKET_DEPTH = 60

PIECES = re.compile(r'"[^"\n]*"?|#[^\n]*|[()\[\]]|\n')
# A word that can only begin a declaration ends an open bracket: what follows is read as if the bracket were closed.
OPENING = re.compile(r"@|(?:define|rule|score|invariant|sometimes|share|relation|reveals)\b")
# Characters that end a line for some programs and not for others, or that no editor shows.
UNSEEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\x85\u2028\u2029\ufeff\ud800-\udfff]|\r(?!\n)")

Place = tuple[int, int]


@frozen
class Remark:
    """A comment and where it is: behind code on its line or alone, and inside which brackets."""

    comment: Comment
    trailing: bool
    opened: Place | None

    @property
    def place(self) -> Place:
        return (self.comment.line, self.comment.column)


@frozen
class Bracket:
    sign: str
    line: int
    column: int


@frozen
class Chunk:
    """The text of one declaration with the marks above it; `line` is its first line in the file."""

    line: int
    text: str


@frozen
class Cut:
    chunks: tuple[Chunk, ...]
    remarks: tuple[Remark, ...]


def unreadable(text: str, file: str) -> Diagnostic | None:
    """The reason why a text is not read at all: too large, or with characters nobody can see."""
    if len(text) > MAX_TEXT_SIZE:
        message = f"this file has {len(text):,} characters; at most {MAX_TEXT_SIZE:,} are read"
        return Diagnostic("W100", message, Span(file, 1, 1, 1, 2), hint="cut it into several files")
    found = UNSEEN.search(text)
    if not found:
        return None
    line, column = place_of(text, found.start())
    name = f"U+{ord(found.group()[0]):04X}"
    message = f"there is an invisible character ({name}) here"
    span = Span(file, line, column, line, column + 1)
    gone = Fix("delete the invisible character", (TextEdit(span, ""),))
    return Diagnostic("W102", message, span, hint=Remedy("delete it, or save the file as plain UTF-8 text", gone))


def cut(text: str) -> Cut:
    """The chunks and the comments of a text."""
    starts, remarks = _scan(text)
    chunks = [
        Chunk(line, text[start:end].rstrip(" \r\n") + "\n")
        for (line, start), (_, end) in pairwise([*starts, (0, len(text))])
    ]
    return Cut(tuple(chunks), tuple(remarks))


def _scan(text: str) -> tuple[list[tuple[int, int]], list[Remark]]:
    """Where chunks begin (line and offset), and the comments, in one pass over strings, comments and brackets."""
    starts: list[tuple[int, int]] = []
    remarks: list[Remark] = []
    open_at: list[Place] = []
    line, line_start, after_marks = 1, 0, False

    def begin_line() -> None:
        nonlocal after_marks
        head = text[line_start : line_start + 1]
        if head in ("", "\n", "\r", "#") or (head in " \t" and (starts or not _code(text, line_start))):
            return
        opens = OPENING.match(text, line_start)
        if open_at and not opens:
            return
        open_at.clear()
        if not after_marks or not starts:
            starts.append((line, line_start))
        after_marks = head == "@"

    begin_line()
    for piece in PIECES.finditer(text):
        sign, at = piece.group(), piece.start()
        if sign == "\n":
            line, line_start = line + 1, piece.end()
            begin_line()
        elif sign[0] == "#":
            trailing = not text[line_start:at].isspace() and at > line_start
            comment = Comment(sign.rstrip(), line, at - line_start + 1)
            remarks.append(Remark(comment, trailing, open_at[-1] if open_at else None))
        elif sign in "([":
            open_at.append((line, at - line_start + 1))
        elif sign in ")]" and open_at:
            open_at.pop()
    return starts, remarks


def _code(text: str, line_start: int) -> bool:
    """Whether the line that starts here holds code, and not only spaces or a comment."""
    end = text.find("\n", line_start)
    held = text[line_start : len(text) if end < 0 else end].strip()
    return bool(held) and not held.startswith("#")


def masked(text: str) -> str:
    """The text with comments and the insides of strings blanked, each character at its old offset."""

    def blank(piece: re.Match[str]) -> str:
        sign = piece.group()
        if sign[0] == "#":
            return " " * len(sign)
        return '"' + "_" * (len(sign) - 2) + '"' if sign[0] == '"' and len(sign) > 1 else sign

    return PIECES.sub(blank, text)


def open_brackets(code: str, end: int) -> list[Bracket]:
    """The brackets of masked text that are still open at an offset, outermost first."""
    stack: list[int] = []
    for found in re.finditer(r"[()\[\]]", code[:end]):
        if found.group() in "([":
            stack.append(found.start())
        elif stack:
            stack.pop()
    return [Bracket(code[at], *place_of(code, at)) for at in stack[-MAX_BRACKET_DEPTH:]]


def place_of(text: str, at: int) -> Place:
    """Line and column of an offset, both from 1."""
    return text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)


def too_much(chunk: Chunk, file: str) -> Diagnostic | None:
    """The error of a chunk with a line too long or brackets too deep to be worth reading."""
    for number, text in enumerate(chunk.text.split("\n"), start=chunk.line):
        if len(text) > MAX_LINE_LENGTH:
            message = f"this line has {len(text):,} characters; at most {MAX_LINE_LENGTH:,} are read"
            return Diagnostic("W100", message, Span(file, number, 1, number, 2), hint="break it inside brackets")
    depth = 0
    for found in PIECES.finditer(chunk.text):
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(found.group(), 0)
        if depth > MAX_BRACKET_DEPTH:
            line, column = place_of(chunk.text, found.start())
            line += chunk.line - 1
            message = f"brackets are nested deeper than {MAX_BRACKET_DEPTH}"
            hint = "give the inner parts names with 'define' or 'let'"
            return Diagnostic("W140", message, Span(file, line, column, line, column + 1), hint=hint)
    return None
