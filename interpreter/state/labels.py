"""Values as somebody sees them: structured labels for pieces, places, players and numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from attrs import frozen

from interpreter.ir.cost import size
from interpreter.state.layout import Layout, Place, word_for
from interpreter.state.state import State, pieces_on
from interpreter.state.visibility import sees_piece
from warlock_dsl import types as t

MAX_LIST_LENGTH = 200  # a bound list in a label


@frozen
class Shown:
    """A label. `what` is piece, row, key, player, zone, cell, region, number, truth, list or none.

    `name` is the piece ("" when unseen), the row, the key, the zone, the region, or the number in plain digits; `of`
    the kind, the table, the family or the zone of a cell; `owner` the seat a zone or cell belongs to (-1: nobody's),
    `holder` the piece. An unseen piece may be told by its place: `zone`, whose it is, and there its `number` from 1
    on, or its cell. Of a zone that there is for each row of a table, `for_row` is that table and `for_name` the row.
    """

    what: str
    name: str = ""
    of: str = ""
    owner: int = -1
    row: int = -1
    column: int = -1
    items: tuple[Shown, ...] = ()
    zone: str = ""
    number: int = 0
    holder: Shown | None = None
    for_row: str = ""
    for_name: str = ""

    def key(self, me: int = -1) -> str:
        """A short word for it that no language changes: what replays and scenarios write.

        Two different values of one type have different keys, so that no question has two options with the same one.
        What belongs to the seat `me` is not said to be somebody's.
        """
        match self.what:
            case "piece":
                return self.name or self._place(me) or f"unseen {self.of}"
            case "cell":
                return f"{self._zone(self.of, me)}@{self.name or f'{self.row},{self.column}'}"
            case "zone":
                return self._zone(self.name, me)
            case "list":
                words = "+".join(f"[{one.key(me)}]" if one.what == "list" else one.key(me) for one in self.items)
                return in_brackets(words, "none") if self.items else "none"
            case _:
                return self.name

    def _zone(self, name: str, me: int) -> str:
        """A zone with whose it is: `deck`, `seat1.hand`, `red#1.bag`, `seat1.chest[ruby]`."""
        if self.holder is not None:
            return f"{self.holder.key(me)}.{word_for(name, self.for_name, True)}"
        whose = f"seat{self.owner}." if self.owner not in (-1, me) else ""
        return f"{whose}{word_for(name, self.for_name, self.owner >= 0)}"

    def _place(self, me: int) -> str:
        """Where an unseen piece is: `seat1.hand[2]`, `deck[7]`, `board@1,2`, `board@1,2[3]`; "" where nobody says."""
        if not self.zone:
            return ""
        spot = f"@{self.row},{self.column}" if self.row >= 0 else ""
        spot += f"[{self.number}]" if self.number else ""
        return f"{self._zone(self.zone, me)}{spot}"

    def data(self) -> dict[str, Any]:
        """As JSON shows it: only what is there."""
        found: dict[str, Any] = {"what": self.what, "key": self.key()}
        if self.of:
            found["of"] = self.of
        if self.owner >= 0:
            found["owner"] = self.owner
        if self.zone:
            found["zone"] = self.zone
        if self.number:
            found["number"] = self.number
        if self.holder is not None:
            found["holder"] = self.holder.data()
        if self.row >= 0:
            found["row"], found["column"] = self.row, self.column
        if self.for_name:
            found["for_row"] = self.for_name
        if self.what == "list":
            found["items"] = [item.data() for item in self.items]
        return found


YES = Shown("truth", "yes")  # the answer to a question that may be declined and has no other


def in_brackets(word: str, taken: str) -> str:
    """A word, told apart from the one that has a meaning of its own where it stands alone."""
    return f"[{word}]" if word == taken else word


def answer_key(what: str, value: Shown, me: int) -> str:
    """The key of an option for whoever is asked: `decline`, `stop`, a value, or one more member of a set.

    It is the same in every seat: what is one's own has no owner in it, what is another's has his seat.
    """
    if what in ("stop", "decline"):
        return what
    return f"+{value.key(me)}" if what == "add" else in_brackets(value.key(me), "decline")


def change_words(key: str, change: Callable[[str], str]) -> str:
    """A key with every word in it changed; the words of a list stand between plus signs, an inner list in brackets."""
    return "+".join(f"{before}{change(word)}{after}" for before, word, after in map(_bare, key.split("+")))


def words_in(key: str) -> list[str]:
    """The words of a key: of a list each of its members."""
    return [word for _, word, _ in map(_bare, key.removeprefix("+").split("+"))]


def _bare(part: str) -> tuple[str, str, str]:
    """The brackets of lists before a word, the word, and those after it; `hand[2]` keeps its own."""
    word = part.lstrip("[")
    after = max(word.count("]") - word.count("["), 0)
    return part[: len(part) - len(word)], word[: len(word) - after], "]" * after


def number_text(value: int, unit: int) -> str:
    """An exact number in plain digits: 3, 4.5, or 1/3 where no decimal ends."""
    whole, rest = divmod(abs(value), unit)
    sign = "-" if value < 0 else ""
    if not rest:
        return f"{sign}{whole}"
    digits = ""
    for _ in range(9):
        rest *= 10
        digits += str(rest // unit)
        rest %= unit
        if not rest:
            return f"{sign}{whole}.{digits}"
    return f"{value}/{unit}"


def show_value(layout: Layout, state: State, value: Any, kind: t.Type, viewer: int, placed: bool = False) -> Shown:
    """A value of a type, as a player sees it (viewer -1: somebody who sees everything).

    `placed`: pieces that the player cannot see are told by their place. That is for what he may choose; where a rule
    has found a piece, its place may say what the rule knows of it.
    """
    if value is None:
        return Shown("none")
    match kind:
        case t.NumberType():
            return Shown("number", number_text(value, layout.unit))
        case t.TruthType():
            return Shown("truth", "true" if value else "false")
        case t.PlayerType():
            return Shown("player", f"seat{value}", owner=value)
        case t.RowType(table):
            return Shown("row", layout.components.tables[table].rows[value], table)
        case t.KeyType(family):
            return Shown("key", layout.program.families[family].keys[value], family)
        case t.PieceType():
            return show_piece(layout, state, value, viewer, placed)
        case t.ZoneType():
            place = layout.places[value]
            owner, holder = _whose(layout, state, place, viewer, placed)
            return Shown("zone", place.name, owner=owner, holder=holder, for_row=place.by, for_name=place.row)
        case t.CellType():
            return show_cell(layout, state, value, viewer, placed)
        case t.RegionType():
            return Shown("region", layout.region_names.get(value, ""))
        case t.ListType(item):
            inner = item if item is not None else t.UNKNOWN
            return Shown("list", items=tuple(show_value(layout, state, v, inner, viewer, placed) for v in value))
        case _:
            return Shown("none")


def show_bound(
    layout: Layout,
    state: State,
    names: Mapping[int, tuple[str, t.Type]],
    slots: Sequence[Any],
    known: frozenset[int],
    viewer: int,
) -> tuple[tuple[str, Shown], ...]:
    """What the names of a rule in progress that are in scope mean for a player."""
    return tuple(
        (name, show_value(layout, state, slots[slot], kind, viewer))
        for slot, (name, kind) in sorted(names.items())
        if slot in known and slots[slot] is not None and _short(slots[slot])
    )


def _short(value: object) -> bool:
    """Whether a bound name is worth a place in a label: nobody reads a list of hundreds."""
    return not isinstance(value, tuple) or size(value, MAX_LIST_LENGTH) <= MAX_LIST_LENGTH


def show_piece(layout: Layout, state: State, piece: int, viewer: int, placed: bool = False) -> Shown:
    kind = layout.kind_names[layout.kind_of[piece]]
    if viewer < 0 or sees_piece(layout, state, piece, viewer):
        return Shown("piece", layout.piece_names[piece], kind)
    return _by_place(layout, state, piece, kind, viewer) if placed else Shown("piece", "", kind)


def _by_place(layout: Layout, state: State, piece: int, kind: str, viewer: int) -> Shown:
    """A piece that a player cannot see, told by where it lies."""
    number = state.place[piece]
    place, cell = layout.places[number], state.cell[piece]
    row, column, index = -1, -1, state.zones[number].index(piece) + 1
    if cell >= 0:
        row, column = layout.components.grids[place.grid].cells[layout.cell_plan[cell]]
        index = pieces_on(layout, state, cell).index(piece) + 1 if layout.stacks[cell] else 0
    owner, holder = _whose(layout, state, place, viewer, True)
    return Shown("piece", "", kind, owner, row, column, (), place.name, index, holder, place.by, place.row)


def _whose(layout: Layout, state: State, place: Place, viewer: int, placed: bool) -> tuple[int, Shown | None]:
    """The seat a place belongs to (-1: to none), and the piece."""
    if place.owner_kind in ("", "player"):
        return place.owner, None
    return -1, show_piece(layout, state, place.owner, viewer, placed)


def show_cell(layout: Layout, state: State, cell: int, viewer: int, placed: bool = False) -> Shown:
    if cell < 0:
        return Shown("none")
    place = layout.places[layout.cell_place[cell]]
    row, column = layout.components.grids[place.grid].cells[layout.cell_plan[cell]]
    table = layout.cell_table[cell]
    owner, holder = _whose(layout, state, place, viewer, placed)
    name = layout.components.tables[table].rows[layout.cell_plan[cell]] if table else ""
    by, row_name = place.by, place.row
    return Shown("cell", name, place.name, owner, row, column, holder=holder, for_row=by, for_name=row_name)
