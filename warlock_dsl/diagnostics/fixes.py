"""Fixes of diagnostics as data: what an editor can do where a hint says what was meant."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from warlock_dsl.diagnostics.diagnostic import Diagnostic, Entry, Fix, Remedy, Span, Suggestion, TextEdit


def fixes_of(error: Diagnostic, sources: Mapping[str, str]) -> tuple[Fix, ...]:
    """The fixes of an error: the edits that its hint knows, or a word for another, if that word stands once where the
    error is."""
    hint = error.hint
    if isinstance(hint, Remedy):
        return hint.fixes
    if isinstance(hint, Entry):
        return (_entered(hint, sources),) if hint.file in sources else ()
    if not isinstance(hint, Suggestion) or not hint.word:
        return ()
    place = place_of_word(error.span, hint.word, sources)
    if place is None:
        return ()
    titles = [hint.does or f"change '{hint.word}' to '{meant}'" for meant in hint.meant]
    return tuple(Fix(title, (TextEdit(place, meant),)) for title, meant in zip(titles, hint.meant, strict=True))


def _entered(hint: Entry, sources: Mapping[str, str]) -> Fix:
    """A line below the heading of its section; the section is made at the end of the file where there is none."""
    lines = sources[hint.file].split("\n")
    title = f"write {hint.line} under [{hint.section}]"
    for number, line in enumerate(lines, start=1):
        if re.match(rf"\[{re.escape(hint.section)}\]\s*(?:#.*)?$", line):
            place = Span(hint.file, number, len(line) + 1, number, len(line) + 1)
            return Fix(title, (TextEdit(place, f"\n{hint.line}"),))
    end = Span(hint.file, len(lines), len(lines[-1]) + 1, len(lines), len(lines[-1]) + 1)
    gap = "\n" if lines[-1] else ""
    return Fix(title, (TextEdit(end, f"{gap}\n[{hint.section}]\n{hint.line}\n"),))


def place_of_word(span: Span, word: str, sources: Mapping[str, str]) -> Span | None:
    """Where a word stands within a stretch; None where it is not there, or there twice. An error of a table may point
    at a key or a heading: then at the word in the line, or in the lines below the heading."""
    lines = sources.get(span.file, "").split("\n")
    if span.end_line > len(lines):
        return None
    found = _in_stretch(span, word, lines)
    if not found and span.file.endswith(".toml"):
        end = span.end_line
        while lines[span.line - 1].startswith("[") and end < len(lines) and not lines[end].startswith("["):
            end += 1
        found = _in_stretch(Span(span.file, span.line, 1, end, len(lines[end - 1]) + 1), word, lines)
    return found[0] if len(found) == 1 else None


def _in_stretch(span: Span, word: str, lines: Sequence[str]) -> list[Span]:
    found: list[Span] = []
    for number in range(span.line, span.end_line + 1):
        line = lines[number - 1]
        first = span.column - 1 if number == span.line else 0
        last = span.end_column - 1 if number == span.end_line else len(line)
        for match in re.finditer(rf"(?<![\w-]){re.escape(word)}(?![\w-])", line[first:last]):
            start = first + match.start() + 1
            found.append(Span(span.file, number, start, number, start + len(word)))
    return found
