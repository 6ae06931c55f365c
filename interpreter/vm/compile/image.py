"""The image of a program while it is made: sections of numbers, a pool of words, functions of instructions."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterable, Sequence
from typing import Any

from interpreter.vm import opcodes as op
from warlock_dsl import Span

TRUTH_TAG = 1 << 60
LIST_TAG = 1 << 61
NONE_WORD = -(1 << 63)
FIRST_VALUES, BOUNDS = 0, 1  # the numbers of the lists that every program has


class NotForTheVm(Exception):
    """What this ruleset needs is beyond what the fast machine has room for: the plain one plays it."""


class Image:
    """Sections are filled in by those who compile; `data` is what the core reads."""

    def __init__(self) -> None:
        self.sections: dict[str, list[int]] = {name: [] for name in op.SECTIONS}
        self.pool = array("q")
        self.code: list[tuple[int, int, int, int]] = []
        self.spans: list[Span | None] = []  # by instruction
        self.names: list[str] = []  # by function: the rule, definition, score or law that it is of
        self._lists: dict[tuple[int, ...], int] = {}  # where a list stands in the pool, by its words
        self._words: dict[int, int] = {}  # where a word stands in the pool
        self._numbers: dict[int, int] = {}  # the number of a list, by where it stands

    # --------------------------------------------------------------------- pool

    def word(self, value: Any) -> int:
        """A value as the machine holds it."""
        if value is None:
            return NONE_WORD
        if isinstance(value, bool):
            return TRUTH_TAG | value
        if isinstance(value, int):
            if abs(value) >= TRUTH_TAG:
                raise NotForTheVm("a number that is too large")
            return value
        return LIST_TAG | self.list_at(value)

    def list_at(self, values: Iterable[Any]) -> int:
        """Where a list stands in the pool."""
        words = tuple([self.word(value) for value in values])
        at = self._lists.get(words)
        if at is None:
            at = self._lists[words] = len(self.pool)
            self.pool.append(len(words))
            self.pool.extend(words)
        return at

    def constant(self, value: Any) -> int:
        """Where a word stands in the pool that is this value."""
        word = self.word(value)
        at = self._words.get(word)
        if at is None:
            at = self._words[word] = len(self.pool)
            self.pool.append(word)
        return at

    def new_list(self, values: Iterable[Any]) -> int:
        """The number of a list that instructions name; the same list has one number."""
        at = self.list_at(values)
        if at not in self._numbers:
            self._numbers[at] = len(self.sections["LISTS"])
            self.sections["LISTS"].append(at)
        return self._numbers[at]

    def own_list(self, values: Iterable[Any]) -> int:
        """The number of a list that has one of its own, whatever others hold."""
        self.sections["LISTS"].append(self.list_at(values))
        return len(self.sections["LISTS"]) - 1

    # ----------------------------------------------------------------- sections

    def row(self, section: str, **fields: int) -> int:
        """A record behind the others of a section; its number."""
        names = op.RECORDS[section.lower()]
        rows = self.sections[section]
        rows.extend([fields[name] for name in names])
        return len(rows) // len(names) - 1

    def starts(self, at: str, of: str, rows: Iterable[Sequence[int]]) -> None:
        """Rows of numbers in one section, and in another where each begins."""
        numbers = self.sections[of]
        for row in rows:
            self.sections[at].append(len(numbers))
            numbers.extend(row)
        self.sections[at].append(len(numbers))

    def data(self) -> bytes:
        """The image. Its numbers are as this computer writes them: it is made where it is run."""
        flat = array("H")
        for instruction in self.code:
            flat.extend(instruction)
        made: dict[str, bytes] = {"POOL": self.pool.tobytes(), "CODE": flat.tobytes()}
        parts = [made[name] if name in made else array("i", self.sections[name]).tobytes() for name in op.SECTIONS]
        head = array("i", [op.FORMAT, len(op.SECTIONS), *(len(part) // 4 for part in parts)])
        assert head.itemsize == 4 and sys.byteorder in ("little", "big")
        return head.tobytes() + b"".join(parts)
