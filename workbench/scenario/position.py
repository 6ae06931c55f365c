"""Reads the position of a scenario: its variables, zones, grids, and how it begins."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from interpreter import Slot
from warlock_dsl import Span, quoted, suggest
from warlock_dsl import types as t
from warlock_dsl.check.program import Constant
from warlock_dsl.tables.schema import named
from warlock_dsl.tables.toml_spans import Path
from warlock_dsl.types import words
from workbench.scenario.model import Filling, Given, Moment, Setting, Word
from workbench.scenario.names import Names
from workbench.scenario.schema import MAX_WORDS, RawGiven, RawMoment


def read_given(names: Names, value: object, path: Path) -> Given | None:
    """The position, or None after an error that keeps it from being laid out."""
    raw = names.shaper.shaped(value, RawGiven, path)
    if raw is None:
        return None
    reader = _Reader(names, path)
    begin_path = (*path, "begin")
    if raw.begin and raw.at is not None:
        message = "a scenario begins with a rule or at a moment of a game, not both"
        names.errors.add("W520", message, names.of(begin_path))
    return Given(
        read_settings(names, raw.variables, path),
        read_fillings(names, raw.zones, raw.grids, path),
        reader.rest(raw),
        names.answers(raw.chance, (*path, "chance")),
        names.call(raw.begin, names.of(begin_path)) if raw.begin else None,
        names.of(begin_path) if raw.begin else None,
        reader.moment(raw.at) if raw.at is not None else None,
    )


def read_settings(names: Names, variables: Mapping[str, Any], path: Path) -> tuple[Setting, ...]:
    """The variables that are mentioned, with their values."""
    reader = _Reader(names, path)
    found = [reader.setting(name, given) for name, given in variables.items()]
    return tuple(setting for setting in found if setting is not None)


class _Reader:
    def __init__(self, names: Names, path: Path) -> None:
        self.names = names
        self.errors = names.errors
        self.layout = names.layout
        self.path = path

    # ------------------------------------------------------------ variables

    def setting(self, name: str, value: Any) -> Setting | None:
        path = (*self.path, "variables", name)
        slot = self.slot(name, self.names.shaper.places.key(path))
        if slot is None:
            return None
        found = self.value(value, self.layout.slots[slot], self.layout.slots[slot].type, self.names.of(path))
        return None if found is None else Setting(slot, found, self.names.of(path))

    def slot(self, name: str, span: Span) -> int | None:
        """Which variable of the table a name means: `round`, `anna.coins`, `R-01.turned`."""
        known = self.names.variable_names
        if name in known:
            return self.present(known[name], span)
        plain = [slot for slot in self.layout.slots if slot.name == name]
        hint = suggest(name, known, "variables")
        if plain:
            why = "it has an owner" if plain[0].owner_kind else "there is one for each row"
            hint = f"{why}: write {quoted(self.names.slot_name(plain[0]))}"
        self.errors.add("W514", f"there is no variable {quoted(name)}", span, hint=hint)
        return None

    def present(self, number: int, span: Span) -> int | None:
        """The slot, unless its owner is a piece that the rules do not play with."""
        slot, vocabulary = self.layout.slots[number], self.names.vocabulary
        if slot.owner_kind in ("", "player") or slot.owner not in vocabulary.absent:
            return number
        piece = self.layout.piece_names[slot.owner]
        self.names.missing("W510", "piece", piece, span, vocabulary.piece_words, "pieces")
        return None

    def value(self, value: Any, slot: Slot, kind: t.Type, span: Span) -> Constant | None:
        """A value of TOML as the machine holds it."""
        match kind:
            case t.NumberType():
                return self.number(value, slot, span)
            case t.TruthType() if isinstance(value, bool):
                return value
            case t.PlayerType() if isinstance(value, str):
                return self.names.seat(value, span)
            case t.RowType() | t.KeyType() if value in (words_ := self.layout.components.words_of(kind)):
                return words_.index(value)
            case t.PieceType() if isinstance(value, str):
                return self.piece(value, kind, slot, span)
            case t.CellType() if isinstance(value, str):
                return self.spot(value, slot, span)
            case t.ListType(item) if isinstance(value, list):
                found = [self.value(one, slot, item or t.UNKNOWN, span) for one in value[:MAX_WORDS]]
                return None if None in found else tuple(one for one in found if one is not None)
            case _:
                self.unfit(kind, value, slot, span)
                return None

    def piece(self, value: str, kind: t.PieceType, slot: Slot, span: Span) -> int | None:
        """A piece by its own name: no other word means one alone."""
        number = self.layout.piece_number.get(value)
        if number is None or (kind.kinds and self.layout.kind_names[self.layout.kind_of[number]] not in kind.kinds):
            self.unfit(kind, value, slot, span)
            return None
        return number

    def spot(self, value: str, slot: Slot, span: Span) -> int | None:
        """A cell as its row and column, with the zone before an @ where several have one."""
        cells = range(len(self.layout.cell_place))
        found = [cell for cell in cells if self.names.vocabulary.fits_cell(value, cell)]
        if len(found) == 1:
            return found[0]
        text = "no cell" if not found else "a cell of several zones"
        hint = "write its row and column, from 0, with the zone before it: board@0,2"
        self.errors.add("W515", f"{quoted(slot.name)}: {quoted(value)} is {text}", span, hint=hint)
        return None

    def number(self, value: Any, slot: Slot, span: Span) -> int | None:
        number = self.names.number(value, span, "W515", f"{quoted(slot.name)}")
        if number is None:
            return None
        units = int(number * self.layout.unit)
        if slot.low is not None and slot.high is not None and not slot.low <= units <= slot.high:
            low, high = slot.low // self.layout.unit, slot.high // self.layout.unit
            hint = f"it runs from {low} to {high}"
            self.errors.add("W515", f"{quoted(slot.name)} is never {number}", span, hint=hint)
            return None
        return units

    def unfit(self, kind: t.Type, value: Any, slot: Slot, span: Span) -> None:
        found = quoted(value) if isinstance(value, str) else named(value)
        hint = ""
        known = self.layout.components.words_of(kind)
        if known and isinstance(value, str):
            hint = suggest(value[:60], known, "rows" if isinstance(kind, t.RowType) else "keys")
        self.errors.add("W515", f"{quoted(slot.name)} must be {words(kind)}, not {found}", span, hint=hint)

    # -------------------------------------------------------- rest, moment

    def rest(self, raw: RawGiven) -> dict[int, int]:
        found = {}
        for kind, name in raw.rest.items():
            path = (*self.path, "rest", kind)
            if kind not in self.layout.kind_names:
                span = self.names.shaper.places.key(path)
                self.names.missing("W510", "kind of piece", kind, span, self.layout.kind_names, "kinds")
                continue
            place = self.names.place(name, self.names.of(path))
            if place is not None and self.names.may_lie(Word(kind, self.names.of(path)), place):
                found[self.layout.kind_names.index(kind)] = place
        return found

    def moment(self, value: object) -> Moment | None:
        path = (*self.path, "at")
        raw = self.names.shaper.shaped(value, RawMoment, path)
        if raw is None:
            return None
        rule = self.names.known.rules.get(raw.rule)
        if rule is None:
            span = self.names.of((*path, "rule"))
            self.names.missing("W517", "rule", raw.rule, span, self.names.known.rules, "rules")
        seat = self.names.seat(raw.me, self.names.of((*path, "me"))) if raw.me else -1
        where = self.names.expression(raw.where, self.names.of((*path, "where"))) if raw.where else None
        if not 1 <= raw.nth <= MAX_WORDS:
            self.errors.add("W503", f"nth counts from 1 to {MAX_WORDS:,}", self.names.of((*path, "nth")))
            return None
        if rule is None or seat is None:
            return None
        text = f"'{raw.rule}'" + (f" number {raw.nth}" if raw.nth > 1 else "")
        text += (f" for {raw.me}" if raw.me else "") + (f" where {raw.where}" if raw.where else "")
        return Moment(rule, seat, where, raw.nth, text, self.names.of(path))


def read_fillings(names: Names, zones: Mapping[str, Any], grids: Mapping[str, Any], path: Path) -> tuple[Filling, ...]:
    """Every place that is mentioned, with its pieces; each place and each named piece once."""
    reader = _FillingReader(names, path)
    found = [reader.zone(name, given) for name, given in zones.items()]
    found += [reader.grid(name, given) for name, given in grids.items()]
    fillings = tuple(filling for filling in found if filling is not None)
    reader.each_once(fillings)
    return fillings


def read_zone(names: Names, name: str, value: Any, path: Path) -> Filling | None:
    """The pieces of one zone, in any order; `path` is where they stand."""
    return _FillingReader(names, path).pieces(name, value, path)


class _FillingReader:
    def __init__(self, names: Names, path: Path) -> None:
        self.names = names
        self.errors = names.errors
        self.layout = names.layout
        self.path = path

    def zone(self, name: str, value: Any) -> Filling | None:
        return self.pieces(name, value, (*self.path, "zones", name))

    def pieces(self, name: str, value: Any, path: Path) -> Filling | None:
        place = self.names.place(name, self.names.shaper.places.key(path))
        texts = self.names.shaper.texts(value, path)
        if place is None or texts is None:
            return None
        if len(texts) > MAX_WORDS:
            self.errors.add("W505", f"at most {MAX_WORDS:,} words are read", self.names.of(path))
            return None
        found = [self.names.piece(text, self.names.of((*path, n))) for n, text in enumerate(texts)]
        pieces = tuple(word for word in found if word is not None and self.names.may_lie(word, place))
        return Filling(place, pieces, (-1,) * len(pieces), self.names.of(path))

    def grid(self, name: str, value: Any) -> Filling | None:
        """A picture: one text a row, one word a cell (`red*2/blue` a stack, the top last), a dot for a free one.

        Where the cells are the rows of a table: what lies on each, by its row.
        """
        path = (*self.path, "grids", name)
        place = self.names.place(name, self.names.shaper.places.key(path))
        if place is None:
            return None
        found = self.layout.places[place]
        if found.grid and self.layout.components.grids[found.grid].table:
            return self.by_row(place, value, path)
        rows = self.names.shaper.texts(value, path)
        if rows is None:
            return None
        if not found.grid:
            self.errors.add("W513", f"{quoted(name)} has no cells", self.names.of(path), hint="fill it under zones")
            return None
        grid = self.layout.components.grids[found.grid]
        if len(rows) != grid.height:
            text = f"this picture has {len(rows)} rows, the grid has {grid.height}"
            self.errors.add("W513", text, self.names.of(path))
            return None
        plan = {spot: number for number, spot in enumerate(grid.cells)}
        pieces: list[Word] = []
        cells: list[int] = []
        for row, text in enumerate(rows):
            span = self.names.of((*path, row))
            row_words = text.split()
            if len(row_words) != grid.width:
                message = f"this row has {len(row_words)} cells, the grid has {grid.width}"
                self.errors.add("W513", message, span, hint="one word a cell, a dot for a free one")
                continue
            for column, text_of_cell in enumerate(row_words):
                if text_of_cell == ".":
                    continue
                if (row, column) not in plan:
                    text = f"there is no cell for {quoted(text_of_cell)}"
                    self.errors.add("W513", text, span, hint="write a dot")
                    continue
                lying = self.lying(text_of_cell, place, span)
                pieces += lying
                cells += [found.first_cell + plan[row, column]] * len(lying)
        return Filling(place, tuple(pieces), tuple(cells), self.names.of(path))

    def by_row(self, place: int, value: Any, path: Path) -> Filling | None:
        """`{ harbour = "red*2", hill = "blue" }`"""
        found = self.layout.places[place]
        table = self.layout.components.tables[self.layout.components.grids[found.grid].table]
        if not isinstance(value, dict):
            hint = f'write each with what lies on it: {{ {table.rows[0]} = "..." }}'
            self.errors.add("W513", f"the cells here are rows of {quoted(table.name)}", self.names.of(path), hint=hint)
            return None
        pieces: list[Word] = []
        cells: list[int] = []
        for row, text in value.items():
            span = self.names.of((*path, row))
            if row not in table.rows or not isinstance(text, str):
                hint = suggest(row[:60], table.rows, "cells")
                self.errors.add("W513", f"there is no cell for {quoted(row)}", span, hint=hint)
                continue
            lying = self.lying(text, place, span)
            pieces += lying
            cells += [found.first_cell + table.rows.index(row)] * len(lying)
        return Filling(place, tuple(pieces), tuple(cells), self.names.of(path))

    def lying(self, text: str, place: int, span: Span) -> list[Word]:
        """What lies on one cell: a piece, or a stack of them."""
        stacks = self.layout.components.grids[self.layout.places[place].grid].stacks
        found = []
        for part in text.split("/") if stacks else [text]:
            word = self.names.piece(part, span)
            if word is not None and word.count != 1 and not stacks:
                self.errors.add("W513", "a cell holds one piece", span)
            elif word is not None and self.names.may_lie(word, place):
                found.append(word)
        return found

    def each_once(self, fillings: tuple[Filling, ...]) -> None:
        places: set[int] = set()
        pieces: set[str] = set()
        for filling in fillings:
            if filling.place in places:
                name = self.names.vocabulary.place_name(filling.place)
                self.errors.add("W523", f"{quoted(name)} is filled twice", filling.span)
            places.add(filling.place)
            for word in filling.pieces:
                if word.text in pieces:
                    self.errors.add("W511", f"{quoted(word.text)} lies in two places", word.span)
                if word.text in self.layout.piece_number:
                    pieces.add(word.text)
