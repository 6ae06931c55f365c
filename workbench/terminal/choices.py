"""The options of a question as a menu: folded where there are many, narrowed by what is typed, one of them selected."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from attrs import frozen

from workbench.service.table import Choice, Question, Table

MIN_FOLDED = 10  # options: fewer are all shown


@frozen
class Line:
    """A line of a menu: an option, or several that begin alike, by their places in the list."""

    text: str
    options: tuple[int, ...]
    folded: bool = False


def fold(texts: Sequence[str], options: Sequence[int]) -> list[Line]:
    """The lines of a menu, in their order. Where there are many options, those that begin with the same words are one
    line, after the words that all of them begin with."""
    single = {number: Line(texts[number], (number,)) for number in options}
    if len(options) < MIN_FOLDED:
        return list(single.values())
    words = {number: texts[number].split() for number in options}
    shared = common([words[number] for number in options])
    groups: dict[str, list[int]] = {}
    for number in options:
        rest = words[number][shared:]
        groups.setdefault(rest[0] if rest else "", []).append(number)
    lines: list[Line] = []
    alike = [group for group in groups.values() if len(group) > 1]
    for group in groups.values():
        if len(group) == 1:
            lines.append(single[group[0]])
        elif len(alike) == 1 < len(groups):  # a single fold would only be in the way
            lines += fold(texts, group)
        else:
            begin = words[group[0]][: max(1, common([words[number] for number in group]))]
            lines.append(Line(f"{' '.join(begin)} … ({len(group)})", tuple(group), True))
    return lines if len(lines) > 1 else list(single.values())


def common(texts: Sequence[Sequence[str]]) -> int:
    """How many words all of these begin with; the whole of the shortest is never taken."""
    count = 0
    while all(len(words) > count + 1 for words in texts) and len({words[count] for words in texts}) == 1:
        count += 1
    return count


def simple(text: str) -> str:
    """A text as it is typed in a hurry: small letters, no accents."""
    parts = unicodedata.normalize("NFKD", text.casefold())
    return "".join(char for char in parts if not unicodedata.combining(char))


class Menu:
    """What can be answered, and what is selected."""

    def __init__(self, question: Question | None, table: Table, selected: int = 0, folds: bool = True) -> None:
        self.folds = folds
        self.options: tuple[Choice, ...] = question.options if question is not None else ()
        self.texts = [option.text for option in self.options]
        self.typed = ""
        self._names = [_names(option, table) for option in self.options]
        self._open: list[tuple[int, ...]] = []  # folds that were opened, the last on top
        self.place = selected
        self._lines: list[Line] | None = None

    @property
    def lines(self) -> list[Line]:
        if self._lines is None:
            among = self._open[-1] if self._open else range(len(self.options))
            left = [number for number in among if self._fits(number)]
            single = [Line(self.texts[number], (number,)) for number in left]
            self._lines = fold(self.texts, left) if self.folds else single
            self.place = max(0, min(self.place, len(self._lines) - 1))
        return self._lines

    @property
    def selected(self) -> Line | None:
        return self.lines[self.place] if self.lines else None

    @property
    def opened(self) -> bool:
        return bool(self._open)

    def _fits(self, number: int) -> bool:
        """Whether an option fits what is typed: its number, the name of a cell, or words of it in any order."""
        typed = simple(self.typed)
        if not typed.strip():
            return True
        if typed.strip().isdigit():
            return str(self.options[number].number).startswith(typed.strip()) or typed.strip() in self._names[number]
        text = simple(self.texts[number])
        return typed.strip() in self._names[number] or all(word in text for word in typed.split())

    # --------------------------------------------------------------------- steps

    def move(self, by: int) -> None:
        self.place = max(0, min(self.place + by, len(self.lines) - 1))

    def type(self, text: str) -> None:
        """Narrow the menu to what fits; an exact number is selected."""
        self.typed, self._lines, self.place = text[:60], None, 0
        if text.strip().isdigit():
            wanted = int(text.strip()) - 1
            self.place = next((n for n, line in enumerate(self.lines) if line.options == (wanted,)), 0)

    def enter(self) -> int | None:
        """Take what is selected: the place of an option, or None where that opened a fold."""
        line = self.selected
        if line is None:
            return None
        if line.folded:
            self._open.append(line.options)
            self.typed, self._lines, self.place = "", None, 0
            return None
        return line.options[0]

    def back(self) -> bool:
        """Undo what narrows the menu: what was typed, or the last fold; whether there was anything."""
        if self.typed:
            self.type("")
        elif self._open:
            last = self._open.pop()
            self._lines = None
            self.place = next((n for n, line in enumerate(self.lines) if line.options == last), 0)
        else:
            return False
        return True

    def marks(self) -> frozenset[str]:
        """The keys of what the selected line is about: pieces, cells, zones, and seats as `seat1`."""
        found: set[str] = set()
        for number in self.selected.options if self.selected is not None else ():
            option = self.options[number]
            found.update(option.pieces, option.cells, option.zones, (f"seat{seat}" for seat in option.seats))
        return frozenset(found)


def _names(option: Choice, table: Table) -> frozenset[str]:
    """The names of the cells that an option is about, as they are typed."""
    found = set()
    for zone in table.zones:
        for cell in zone.cells:
            lying = {zone.pieces[number].key for number in cell.pieces}
            if zone.is_map and (cell.key in option.cells or lying & set(option.pieces)):
                found.add(simple(cell.name))
    return frozenset(found)
