"""Words for values: which values a word of a scenario means, and the word for a value in a message."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from fractions import Fraction
from typing import Any

from interpreter import Layout, State, number_text, value_class, words_in
from warlock_dsl import types as t

NUMBER = re.compile(r"-?[0-9]{1,15}(\.[0-9]{1,15})?\Z")
CELL = re.compile(r"[0-9]{1,4},[0-9]{1,4}\Z")
PLACED = re.compile(r"(.+)\[([0-9]{1,4})\]\Z")  # `ann.hand[2]`: the second piece there
COUNTED = re.compile(r"(.+?)\s*\*\s*([0-9]{1,6})\Z")
WHOLE_WORDS = frozenset({"yes", "no", "stop", "none", "decline", "true", "false"})


def parts_of(word: str) -> list[str]:
    """The words of a set: `red + blue*2` is red, blue, blue; `none` is none."""
    if word == "none":
        return []
    parts: list[str] = []
    for part in (piece.strip() for piece in word.split("+")):
        counted = COUNTED.match(part)
        parts += [counted[1]] * min(int(counted[2]), 1000) if counted else [part]
    return parts


class Vocabulary:
    """The words for everything on a table: its pieces, places, seats, rows and keys. No word means an absent piece."""

    def __init__(self, layout: Layout, seats: Sequence[str], absent: Collection[int] = ()) -> None:
        self.layout = layout
        self.seats = tuple(seats)
        self.absent = absent
        self.calls = [() if piece in absent else self._calls(piece) for piece in range(layout.piece_count)]
        self.piece_words = {word for words in self.calls for word in words}
        self.place_of = {name: number for number in range(len(layout.places)) for name in self._place_names(number)}

    def _calls(self, piece: int) -> tuple[str, ...]:
        """What a piece may be called: its name, the row it was made from, the value it is called by, its kind."""
        layout = self.layout
        kind = layout.components.kinds[layout.kind_names[layout.kind_of[piece]]]
        words = [layout.piece_names[piece]]
        if kind.table:
            words.append(layout.components.tables[kind.table].rows[kind.faces[kind.pieces.index(words[0])]])
        if kind.called_by:
            column = kind.fields[kind.called_by]
            words.append(self._plain(layout.fields[kind.called_by][piece], column.type))
        return (*words, kind.name)

    def _plain(self, value: Any, kind: t.Type) -> str:
        if isinstance(kind, t.RowType):
            return str(self.layout.components.tables[kind.table].rows[value])
        if isinstance(kind, t.NumberType):
            return number_text(value, self.layout.unit)
        return str(value).lower()

    def _place_names(self, number: int) -> list[str]:
        place = self.layout.places[number]
        if place.owner_kind == "player":
            return [f"{self.seats[place.owner]}.{place.word}"]
        if place.owner_kind:
            return [f"{self.layout.piece_names[place.owner]}.{place.word}"]
        return [place.word]

    def place_name(self, number: int) -> str:
        return self._place_names(number)[0]

    # ------------------------------------------------------------------- fits

    def fits(self, state: State, word: str, value: Any, kind: t.Type) -> bool:
        """Whether a word means a value of a type."""
        layout = self.layout
        match kind:
            case t.NumberType():
                return NUMBER.match(word) is not None and Fraction(word) * layout.unit == value
            case t.TruthType():
                return word == ("true" if value else "false")
            case t.PlayerType():
                return bool(word == self.seats[value])
            case t.RowType() | t.KeyType():
                return word == self.say(state, value, kind)
            case t.PieceType():
                return self.fits_piece(state, word, value)
            case t.ZoneType():
                return word in (layout.places[value].word, self.place_name(value))
            case t.CellType():
                return self.fits_cell(word, value)
            case t.ListType(item):
                return self.fits_set(state, parts_of(word), value, item or t.UNKNOWN)
            case _:
                return False

    def fits_piece(self, state: State, word: str, piece: int) -> bool:
        """`red`, or `red@1,2` and `red@hand` for one that lies there; `ann.hand[2]` for the second that lies there."""
        if placed := PLACED.match(word):
            place = self.place_of.get(placed[1], -1)
            return place == state.place[piece] and state.zones[place].index(piece) + 1 == int(placed[2])
        call, _, where = word.partition("@")
        if call not in self.calls[piece]:
            return False
        if not where:
            return True
        place = state.place[piece]
        return where in (self.layout.places[place].word, self.place_name(place)) or self.fits_cell(
            where, state.cell[piece]
        )

    def fits_cell(self, word: str, cell: int) -> bool:
        """`1,2`, or the row of its table, with the zone before an @ where several could be meant."""
        where, _, spot = word.rpartition("@")
        if cell < 0 or spot != self.say_cell(cell):
            return False
        number = self.layout.cell_place[cell]
        return where in ("", self.layout.places[number].word, self.place_name(number))

    def fits_set(self, state: State, words: list[str], values: Sequence[Any], item: t.Type, part: bool = False) -> bool:
        """Whether each value can be given a word of its own, and none is left; `part`: words may be left."""
        if len(values) > len(words) or (len(values) < len(words) and not part):
            return False
        fitting = [[n for n, word in enumerate(words) if self.fits(state, word, value, item)] for value in values]
        return paired(fitting)

    # ------------------------------------------------------------------ alike

    def essence(self, value: Any, kind: t.Type) -> Any:
        """What makes a value another one for a word: pieces alike in kind and fields are the same."""
        if isinstance(kind, t.ListType):
            return sorted(self.essence(item, kind.item or t.UNKNOWN) for item in value)
        return value_class(self.layout, value, kind)

    # -------------------------------------------------------------------- say

    def say(self, state: State, value: Any, kind: t.Type) -> str:
        """The word for a value, long enough to tell it from others."""
        layout = self.layout
        match kind:
            case t.NumberType():
                return number_text(value, layout.unit)
            case t.PlayerType():
                return str(self.seats[value])
            case t.KeyType(family):
                return str(layout.program.families[family].keys[value])
            case t.PieceType():
                return self.say_piece(state, value)
            case t.ZoneType():
                return self.place_name(value)
            case t.CellType():
                place = self.layout.cell_place[value] if value >= 0 else -1
                whose = f"{self.place_name(place)}@" if place >= 0 and layout.places[place].owner_kind else ""
                return f"{whose}{self.say_cell(value)}"
            case t.ListType(item):
                return " + ".join(self.say(state, one, item or t.UNKNOWN) for one in value) or "none"
            case _:
                return self._plain(value, kind)

    def say_piece(self, state: State, piece: int) -> str:
        """`red (R-01)`, and the cell it lies on."""
        name, *others = self._calls(piece)
        cell = state.cell[piece]
        spot = "" if cell < 0 or self.layout.slots_only(state.place[piece]) else f"@{self.say_cell(cell)}"
        return f"{others[0]}{spot} ({name})"

    def say_cell(self, cell: int) -> str:
        if cell < 0:
            return "no cell"
        place = self.layout.places[self.layout.cell_place[cell]]
        if table := self.layout.cell_table[cell]:
            return str(self.layout.components.tables[table].rows[self.layout.cell_plan[cell]])
        row, column = self.layout.components.grids[place.grid].cells[self.layout.cell_plan[cell]]
        return f"{row},{column}"

    # ------------------------------------------------------------------ known

    def words(self) -> Iterator[str]:
        """Every plain word that can mean something."""
        layout = self.layout
        yield from WHOLE_WORDS
        yield from self.seats
        yield from (f"seat{number}" for number in range(len(self.seats)))
        yield from self.piece_words
        yield from self.place_of
        yield from (place.word for place in layout.places)
        yield from (f"seat{place.owner}.{place.word}" for place in layout.places if place.owner_kind == "player")
        for table in layout.components.tables.values():
            yield from table.rows
        for family in layout.program.families.values():
            yield from family.keys

    def unknown(self, word: str, known: frozenset[str]) -> str:
        """The part of an answer word that means nothing at any table, or ""."""
        if word in known:
            return ""
        for part in (one for whole in words_in(word) for one in parts_of(whole)):
            for piece in PLACED.sub(r"\1", part).split("@"):
                if piece not in known and not NUMBER.match(piece) and not CELL.match(piece):
                    return piece or word
        return ""


def paired(fitting: list[list[int]]) -> bool:
    """Whether each can have one of those that fit it, nobody sharing (augmenting paths, found breadth first)."""
    owner: dict[int, int] = {}
    held: dict[int, int] = {}
    for start in range(len(fitting)):
        reached: dict[int, int] = {}  # what could be had, and who would take it
        free = _free(fitting, owner, reached, start)
        if free < 0:
            return False
        while free >= 0:
            one = reached[free]
            owner[free] = one
            held[one], free = free, held.get(one, -1)
    return True


def _free(fitting: list[list[int]], owner: dict[int, int], reached: dict[int, int], start: int) -> int:
    """One that nobody has yet, to be had by letting others change; -1 if there is none."""
    queue = [start]
    for one in queue:
        for other in fitting[one]:
            if other not in reached:
                reached[other] = one
                if other not in owner:
                    return other
                queue.append(owner[other])
    return -1
