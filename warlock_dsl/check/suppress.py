"""What a declaration with an error might have said: names that may exist after all, words that may be in use.

One mistake is reported once. A name whose own declaration could not be read is not called unknown where it is used, and
what a declaration with an error mentions is not called unused.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping

from attrs import frozen

from warlock_dsl.diagnostics.diagnostic import Diagnostic, Severity, Span
from warlock_dsl.syntax.chunks import cut

TOKEN = re.compile(r"[A-Za-z_][\w.-]*")
EDITED = re.compile(r"\s*at\s*=\s*[\"'](?:.*\.)?([\w-]+)[\"']")
DECLARED = re.compile(r"^(?:rule|define|score|invariant|sometimes|share|relation)\s+([a-z_]\w*)", re.MULTILINE)


class _Texts:
    """The sources, each cut once: a file may have thousands of errors."""

    def __init__(self, sources: Mapping[str, str]) -> None:
        self.sources = sources
        self._lines: dict[str, list[str]] = {}
        self._parts: dict[str, tuple[list[int], list[str]]] = {}

    def lines(self, file: str) -> list[str]:
        if file not in self._lines:
            self._lines[file] = self.sources.get(file, "").split("\n")
        return self._lines[file]

    def around(self, span: Span) -> str:
        """The declaration an error is in; in a table, its line and the heading above it."""
        starts, texts = self.parts(span.file)
        place = bisect_right(starts, span.line) - 1
        part = texts[place] if place >= 0 else ""
        if span.file.endswith(".warlock"):
            return part
        lines = self.lines(span.file)
        return f"{part}\n{lines[span.line - 1]}" if span.line <= len(lines) else part

    def edited(self, span: Span) -> set[str]:
        """What the edit of an overlay that an error is in would have declared: the last part of its address."""
        starts, texts = self.parts(span.file)
        place = bisect_right(starts, span.line) - 1
        if place < 0 or not texts[place].startswith("[["):
            return set()
        end = starts[place + 1] - 1 if place + 1 < len(starts) else None
        return {found[1] for line in self.lines(span.file)[starts[place] : end] if (found := EDITED.match(line))}

    def parts(self, file: str) -> tuple[list[int], list[str]]:
        """The first lines and the texts of the declarations of a file, or of the headings of its tables."""
        if file not in self._parts:
            if file.endswith(".warlock"):
                found = [(chunk.line, chunk.text) for chunk in cut(self.sources.get(file, "")).chunks]
            else:
                lines = self.lines(file)
                found = [(number, line) for number, line in enumerate(lines, start=1) if line.startswith("[")]
            self._parts[file] = [line for line, _ in found], [text for _, text in found]
        return self._parts[file]


@frozen
class Suspects:
    """What is in doubt: the `words` of declarations with an error, the `names` of those that could not be read."""

    words: frozenset[str]
    names: frozenset[str]
    texts: _Texts

    def about(self, error: Diagnostic) -> bool:
        """Whether an error only follows from another: it points at a name whose declaration could not be read."""
        lines = self.texts.lines(error.span.file)
        if error.span.line > len(lines) or error.span.end_line != error.span.line:
            return False
        text = lines[error.span.line - 1][error.span.column - 1 : error.span.end_column - 1]
        return any(part in self.names for part in re.findall(r"\w+", text)[:2])


def doubts(errors: Iterable[Diagnostic], sources: Mapping[str, str]) -> Suspects:
    """What the errors found so far leave in doubt."""
    words: set[str] = set()
    names: set[str] = set()
    texts = _Texts(sources)
    spans = [span for one in errors if one.severity is Severity.ERROR for span in (one.span, *_others(one))]
    lines = {(span.file, span.line): span for span in spans}  # thousands of errors may stand in one line
    for span in lines.values():
        names |= texts.edited(span)
    for file, text in {(file, texts.around(span)) for (file, _), span in lines.items()}:
        tokens = TOKEN.findall(text)
        words |= {part for token in tokens for part in (token, *re.split(r"[.-]", token))}
        names |= set(DECLARED.findall(text) if file.endswith(".warlock") else _keys(text))
    return Suspects(frozenset(words), frozenset(names), texts)


def _others(error: Diagnostic) -> Iterator[Span]:
    return (related.span for related in error.related)


def _keys(text: str) -> Iterator[str]:
    """What lines of a table may declare: the parts of a heading, or a key."""
    for line in text.split("\n"):
        yield from re.findall(r"\w+", line if line.startswith("[") else line.partition("=")[0])
