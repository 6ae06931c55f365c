"""Source text in the making: functions with their lines, and for each line the place in the rules it carries out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from attrs import define, field, frozen

from warlock_dsl import Span

ATOM = re.compile(r"-?\w+\Z")
STATE = {"Z": "zones", "P": "place", "C": "cell", "A": "at", "V": "variables"}  # short names of the parts of a state
USED = re.compile(r"(?<![\w.\"'])(?:" + "|".join(STATE) + r")\b")
MAX_WIDTH = 60  # of a name taken from the rules
MAX_LENGTH = 20_000  # lines of a function


class TooLongError(Exception):
    """A function that nobody would want to run."""


@frozen
class Mark:
    """What an error without a place of its own is told with: a rule and where its block begins."""

    address: str
    span: Span


def atomic(text: str) -> bool:
    """Whether an expression costs nothing to read twice."""
    return ATOM.match(text) is not None


def word(name: str) -> str:
    """A name of the rules as part of a name of the source: nothing in it but letters, digits and underscores."""
    return re.sub(r"[^A-Za-z0-9_]+", "_", name)[:MAX_WIDTH]


def _binds(text: str, names: set[str]) -> bool:
    """Whether a line gives one of these names a value."""
    if text.startswith("for "):
        return text[4:].partition(" ")[0] in names
    return text.partition(" = ")[0] in names


def remark(text: str) -> str:
    """A text that may stand in a comment: one line, printable."""
    return "".join(c if c.isprintable() else "?" for c in text)[:160]


@define
class Head:
    """The head of an open loop over a list: where it stands, and what was worked out before it because it could be."""

    index: int
    level: int
    ready: dict[object, str] = field(factory=dict)


@define
class Body:
    """The lines of one function."""

    name: str
    parameters: list[str]
    lines: list[tuple[int, str, Mark | None]] = field(factory=list)
    level: int = 1
    heads: list[Head] = field(factory=list)
    made: int = 0
    mark: Mark | None = None
    about: str = ""

    def line(self, text: str) -> None:
        if len(self.lines) > MAX_LENGTH:
            raise TooLongError(self.name)
        self.lines.append((self.level, text, self.mark))

    def comment(self, text: str) -> None:
        self.line(f"# {remark(text)}")

    def fresh(self, stem: str = "t") -> str:
        self.made += 1
        return f"{stem}_{self.made}"

    def held(self, text: str, stem: str = "t") -> str:
        """The expression in a name, so that it is worked out once."""
        if atomic(text):
            return text
        name = self.fresh(stem)
        self.line(f"{name} = {text}")
        return name

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        self.line(head)
        before = self.level
        self.level += 1
        size = len(self.lines)
        yield
        if len(self.lines) == size:
            self.line("pass")
        self.level = before

    # ------------------------------------------------------------------- loops

    def enter(self, name: str, items: str) -> None:
        """Open a loop over a list. Nothing acts inside it, so what does not change in it may be worked out before."""
        self.heads.append(Head(len(self.lines), self.level))
        self.line(f"for {name} in {items}:")
        self.level += 1

    def here(self) -> tuple[int, int]:
        return self.level, len(self.heads)

    def back_to(self, place: tuple[int, int]) -> None:
        """Close what was opened since."""
        self.level = place[0]
        del self.heads[place[1] :]

    def outside(self, names: set[str]) -> int:
        """How many of the open loops bind one of these names, or lie around one that does."""
        for depth in range(len(self.heads), 0, -1):
            start = self.heads[depth - 1].index
            if any(_binds(text, names) for _, text, _ in self.lines[start:]):
                return depth
        return 0

    @contextmanager
    def before(self, head: Head) -> Iterator[None]:
        """Lines written here go before the head of an open loop."""
        rest, level = self.lines[head.index :], self.level
        inner = self.heads[next(n for n, one in enumerate(self.heads) if one is head) :]
        outer = self.heads[: len(self.heads) - len(inner)]
        kept, self.heads = self.heads, outer
        del self.lines[head.index :]
        self.level = head.level
        yield
        shift = len(self.lines) - head.index
        self.lines += rest
        self.level, self.heads = level, kept
        for one in inner:
            one.index += shift

    # ------------------------------------------------------------------ markers

    def marker(self) -> tuple[int, str, Mark | None]:
        """A line to come back to; lines before it may still be written."""
        found = (self.level, f"# marker {self.fresh()}", None)
        self.lines.append(found)
        return found

    def at(self, marker: tuple[int, str, Mark | None]) -> int:
        return next(n for n in range(len(self.lines) - 1, -1, -1) if self.lines[n] is marker)

    def source(self) -> Iterator[tuple[str, Mark | None]]:
        """The finished lines: the head, the parts of the state that are used, and the rest."""
        if self.about:
            yield f"# {remark(self.about)}", None
        yield f"def {self.name}({', '.join(self.parameters)}):", None
        used = sorted({found for _, text, _ in self.lines for found in USED.findall(text)})
        if used and "s" in self.parameters:
            yield f"    {', '.join(used)} = {', '.join(f's.{STATE[short]}' for short in used)}", None
        for level, text, mark in self.lines:
            yield f"{'    ' * level}{text}", mark
