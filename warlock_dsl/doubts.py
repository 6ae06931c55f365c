"""What a faulty declaration might have said: names that may exist after all, and words that may be in use.

One mistake is told once. A name whose own declaration could not be read is not called unknown where it is used, and what
a declaration with a fault mentions is not called unused.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from attrs import frozen

from warlock_dsl.chunks import cut
from warlock_dsl.diagnostics import Diagnostic, Severity, Span

TOKEN = re.compile(r"[A-Za-z_][\w.-]*")
DECLARED = re.compile(r"^(?:rule|define|score|invariant)\s+([a-z_]\w*)", re.MULTILINE)


@frozen
class Doubts:
    """`words` stand in a faulty declaration; `names` are declared by one that could not be read."""

    words: frozenset[str]
    names: frozenset[str]

    def about(self, fault: Diagnostic, sources: Mapping[str, str]) -> bool:
        """Whether a fault only follows from another: it points at a name whose declaration could not be read."""
        lines = sources.get(fault.span.file, "").split("\n")
        if fault.span.line > len(lines) or fault.span.end_line != fault.span.line:
            return False
        text = lines[fault.span.line - 1][fault.span.column - 1 : fault.span.end_column - 1]
        return any(part in self.names for part in re.findall(r"\w+", text)[:2])


def doubts(faults: Iterable[Diagnostic], sources: Mapping[str, str]) -> Doubts:
    words: set[str] = set()
    names: set[str] = set()
    for fault in faults:
        if fault.severity is not Severity.ERROR:
            continue
        for span in (fault.span, *(related.span for related in fault.related)):
            text = _around(span, sources.get(span.file, ""))
            tokens = TOKEN.findall(text)
            words |= {part for token in tokens for part in (token, *re.split(r"[.-]", token))}
            names |= set(DECLARED.findall(text) if span.file.endswith(".warlock") else _keys(text))
    return Doubts(frozenset(words), frozenset(names))


def _around(span: Span, text: str) -> str:
    """The declaration a fault stands in; in a table, its line and the heading above it."""
    if span.file.endswith(".warlock"):
        chunks = [chunk for chunk in cut(text).chunks if chunk.line <= span.line]
        return chunks[-1].text if chunks else ""
    lines = text.split("\n")[: span.line]
    headings = [line for line in lines if line.startswith("[")]
    return "\n".join((*headings[-1:], *lines[-1:]))


def _keys(text: str) -> Iterator[str]:
    """What lines of a table may declare: the parts of a heading, or a key."""
    for line in text.split("\n"):
        yield from re.findall(r"\w+", line if line.startswith("[") else line.partition("=")[0])
