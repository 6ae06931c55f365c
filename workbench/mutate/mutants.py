"""Mutants: small changes to the text of a ruleset, each with a name that stays the same while its place does."""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping

from attrs import evolve, frozen

from warlock_dsl import Loaded, Span

Texts = tuple[tuple[str, str], ...]


@frozen
class RulesetTexts:
    """The files of a game and of the overlays on it, to be changed and loaded again."""

    name: str
    base: Texts
    stack: tuple[tuple[str, Texts, Texts], ...]  # of each overlay: its name, the parameters given, its files


@frozen
class Mutant:
    """One change: in which file, from where to where (offsets), what stood there and what stands there now.

    `address` is the declaration or the figure that changes, `begin` and `finish` the lines of the whole of it.
    """

    id: str
    operator: str
    address: str
    file: str
    line: int
    begin: int
    finish: int
    start: int
    end: int
    was: str
    now: str

    def told(self) -> str:
        """The change in words."""
        return f"{_flat(self.was) or 'nothing'} -> {_flat(self.now) or 'nothing'}"

    def applied(self, text: str) -> str:
        return text[: self.start] + self.now + text[self.end :]


def _flat(text: str) -> str:
    return " ".join(text.split())


class Source:
    """A file as text, with its places as offsets."""

    def __init__(self, file: str, text: str) -> None:
        self.file = file
        self.text = text
        self.starts = [0]
        for number, char in enumerate(text):
            if char == "\n":
                self.starts.append(number + 1)

    def offsets(self, span: Span) -> tuple[int, int]:
        start = self.starts[span.line - 1] + span.column - 1
        return start, self.starts[span.end_line - 1] + span.end_column - 1

    def read(self, span: Span) -> str:
        start, end = self.offsets(span)
        return self.text[start:end]

    def line(self, offset: int) -> int:
        return bisect_right(self.starts, offset)

    def lines(self) -> list[str]:
        return self.text.split("\n")


class Collector:
    """Gathers the mutants of one declaration. Two that read the same are one; one that changes nothing is none."""

    def __init__(self, source: Source, address: str, whole: tuple[int, int]) -> None:
        self.source = source
        self.address = address
        self.whole = whole
        self.found: dict[tuple[int, int, str], Mutant] = {}

    def change(self, operator: str, span: Span, now: str) -> None:
        start, end = self.source.offsets(span)
        self.replace(operator, start, end, now)

    def replace(self, operator: str, start: int, end: int, now: str) -> None:
        text = self.source.text
        was = text[start:end]
        if was == now:
            return
        first, last = self.whole
        seal = hashlib.sha256(f"{text[first:last]}\n{start - first}\n{end - first}\n{now}".encode()).hexdigest()[:8]
        line, begin, finish = (self.source.line(offset) for offset in (start, first, last))
        mutant = Mutant(
            f"{self.address}:{operator}:{seal}", operator, self.address, self.source.file,
            line, begin, finish, start, end, was, now,
        )  # fmt: skip
        self.found.setdefault((start, end, now), mutant)


def sources_of(loaded: Loaded) -> dict[str, Source]:
    """The files whose mutants are of interest: those of the overlay on top of a stack, or of the game itself."""
    if loaded.stack:
        use, files = loaded.stack[-1]
        return {f"+{use.name}/{file}": Source(f"+{use.name}/{file}", text) for file, text in sorted(files.items())}
    return {file: Source(file, text) for file, text in sorted(loaded.base.items())}


def texts_of(loaded: Loaded) -> RulesetTexts:
    """The texts of what was loaded."""
    stack = tuple((use.name, _sorted(use.given), _sorted(files)) for use, files in loaded.stack)
    return RulesetTexts(loaded.name, _sorted(loaded.base), stack)


def _sorted(texts: Mapping[str, str]) -> Texts:
    return tuple(sorted(texts.items()))


def altered(source: RulesetTexts, mutant: Mutant) -> RulesetTexts:
    """The texts with the change made."""
    if not mutant.file.startswith("+"):
        return evolve(source, base=_altered(source.base, mutant.file, mutant))
    overlay, _, file = mutant.file[1:].partition("/")
    stack = tuple(
        (name, given, _altered(files, file, mutant) if name == overlay else files)
        for name, given, files in source.stack
    )
    return evolve(source, stack=stack)


def _altered(texts: Texts, file: str, mutant: Mutant) -> Texts:
    return tuple((name, mutant.applied(text) if name == file else text) for name, text in texts)


def in_order(mutants: Iterable[Mutant]) -> Iterator[Mutant]:
    """Every mutant once, by file and place."""
    seen: dict[tuple[str, int, int, str], Mutant] = {}
    for mutant in mutants:  # pieces made from a table are changed with it
        seen.setdefault((mutant.file, mutant.start, mutant.end, mutant.now), mutant)
    yield from sorted(seen.values(), key=lambda one: (one.file, one.start, one.end, one.id))


def excerpt(mutant: Mutant, texts: Mapping[str, str]) -> tuple[str, str]:
    """The line as it stands and as the mutant has it, with what follows where the change runs over lines."""
    text = texts[mutant.file]
    first = text.rfind("\n", 0, mutant.start) + 1
    last = text.find("\n", mutant.end)
    last = len(text) if last < 0 else last
    before = text[first:last]
    after = text[first : mutant.start] + mutant.now + text[mutant.end : last]
    return _flat(before), _flat(after)
