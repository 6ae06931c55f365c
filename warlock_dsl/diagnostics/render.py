"""Diagnostics as words: a text for people, with the source line and a caret under it, and plain data for tools."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from warlock_dsl.diagnostics.codes import stage_of
from warlock_dsl.diagnostics.diagnostic import Diagnostic, Severity, Span

MAX_WIDTH = 100  # columns of a source line that are shown
TAB = "    "


def in_order(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Errors before warnings before notes; causes before what may follow from them; then by file, line and column.

    The same errors always come in the same order.
    """
    severities = list(Severity)

    def place(one: Diagnostic) -> tuple[object, ...]:
        return severities.index(one.severity), stage_of(one.code), one.span, one.code, one.message, one.label, one.hint

    return sorted(diagnostics, key=place)


def render_text(diagnostics: Iterable[Diagnostic], sources: Mapping[str, str]) -> str:
    """All diagnostics and a last line that counts them. `sources` are the texts of the files, by the names in spans."""
    listed = in_order(diagnostics)
    if not listed:
        return ""
    lines = _Lines(sources)
    blocks = [_block(one, lines) for one in listed]
    return "\n\n".join([*blocks, summary(listed)]) + "\n"


def summary(diagnostics: Sequence[Diagnostic]) -> str:
    """How many there are: "3 errors, 1 warning"."""
    parts = []
    for severity in Severity:
        count = sum(one.severity is severity for one in diagnostics)
        if count:
            parts.append(f"{count} {severity.value}{'' if count == 1 else 's'}")
    return ", ".join(parts) or "no errors"


def render_json(diagnostics: Iterable[Diagnostic]) -> list[dict[str, Any]]:
    """The same as plain data, in the same order."""
    return [
        {
            "code": one.code,
            "severity": one.severity.value,
            "message": one.message,
            **_place(one.span),
            "label": one.label,
            "hint": one.hint,
            "related": [{"text": other.text, **_place(other.span)} for other in one.related],
        }
        for one in in_order(diagnostics)
    ]


def _place(span: Span) -> dict[str, Any]:
    return {
        "file": span.file,
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
    }


# ---------------------------------------------------------------- one diagnostic


class _Lines:
    """The lines of the sources; each file is split once."""

    def __init__(self, sources: Mapping[str, str]) -> None:
        self.sources = sources
        self.split: dict[str, list[str]] = {}

    def line(self, file: str, number: int) -> str | None:
        if file not in self.split:
            text = self.sources.get(file)
            self.split[file] = text.replace("\r\n", "\n").split("\n") if text is not None else []
        lines = self.split[file]
        return lines[number - 1] if 0 < number <= len(lines) else None


def _block(one: Diagnostic, lines: _Lines) -> str:
    numbers = [one.span.line, *(other.span.line for other in one.related)]
    gutter = len(str(max(numbers)))
    out = [f"{one.severity.value}[{one.code}]: {visible(one.message)}"]
    out += _excerpt(one.span, one.label, "^", gutter, lines)
    for other in one.related:
        out += _excerpt(other.span, other.text, "-", gutter, lines)
    if one.hint:
        out.append(f"hint: {visible(one.hint)}")
    return "\n".join(out)


def _excerpt(span: Span, label: str, sign: str, gutter: int, lines: _Lines) -> list[str]:
    """The place, the line itself, and an underline with the label."""
    pad = " " * gutter
    place = f"{pad}--> {visible(span.file)}:{span.line}:{span.column}"
    line = lines.line(span.file, span.line)
    if line is None:
        return [f"{place}: {visible(label)}" if label else place]
    end = span.end_column if span.end_line == span.line else len(line) + 1
    text, offset, length = _window(line, span.column - 1, end - 1)
    underline = " " * offset + sign * length
    return [
        place,
        f"{pad} |",
        f"{span.line:>{gutter}} | {text}".rstrip(),
        f"{pad} | {underline} {visible(label)}".rstrip(),
    ]


def excerpt(span: Span, sources: Mapping[str, str]) -> list[str]:
    """The line of a place and an underline, without a label; nothing where the text is not known."""
    return _excerpt(span, "", "^", len(str(span.line)), _Lines(sources))[1:]


def _window(line: str, start: int, end: int) -> tuple[str, int, int]:
    """The part of a line around an error as it is shown, the columns before the error, and the columns of the error."""
    start = max(0, min(start, len(line)))
    end = max(start, min(end, len(line)))
    left = max(0, start - MAX_WIDTH)
    cells = [visible(char) for char in line[left : start + MAX_WIDTH]]
    error = start - left
    before, after = _width(cells[:error]), _width(cells[error:])
    lead, tail = "", "..." if start + MAX_WIDTH < len(line) else ""
    if left or before + after > MAX_WIDTH:
        # Too long: a third of the room for what comes before, the rest for the error and what follows.
        while cells[:error] and _width(cells[:error]) > MAX_WIDTH // 3:
            cells.pop(0)
            error -= 1
            lead = "..."
        lead = "..." if left else lead
        while len(cells) > error + 1 and _width(cells) > MAX_WIDTH:
            cells.pop()
            tail = "..."
    shown = cells[error : error + (end - start)]
    text = lead + "".join(cells) + tail
    return text, len(lead) + _width(cells[:error]), max(1, _width(shown))


def visible(text: str) -> str:
    """Text that is safe to print: control characters and the like are written as escapes, a tab as spaces."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(_visible_char(char) for char in text)


def _visible_char(char: str) -> str:
    if char == "\t":
        return TAB
    category = unicodedata.category(char)
    if category in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"):
        code = ord(char)
        return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
    return char


def _width(cells: Iterable[str]) -> int:
    """The columns a terminal gives these characters."""
    return sum(_char_width(char) for cell in cells for char in cell)


def _char_width(char: str) -> int:
    if char.isascii():
        return 1
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in ("W", "F") else 1
