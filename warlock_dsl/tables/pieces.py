"""Kinds of piece: from a CSV file, from the rows of a table, or a count of equal ones. Each gets its id and number."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from attrs import define, evolve, field

from warlock_dsl.diagnostics.collect import near, quoted
from warlock_dsl.diagnostics.diagnostic import Related, Span
from warlock_dsl.limits import MAX_PIECES
from warlock_dsl.tables.citations import ID
from warlock_dsl.tables.components import Cite, Column, Kind, Table
from warlock_dsl.tables.context import Reading
from warlock_dsl.tables.csv import CsvCell, CsvFile, CsvRow, read_csv
from warlock_dsl.tables.merge import Item, too_large
from warlock_dsl.tables.rows import column
from warlock_dsl.tables.schema import ABSENT, RawKind, RawLetters
from warlock_dsl.tables.toml_spans import Path
from warlock_dsl.tables.values import MAX_VALUE, Cell, Ranged, parse_type, read_cell, read_text, whole
from warlock_dsl.types import NUMBER

_LETTERS = {"P": "printed", "D": "derived", "S": "secondary", "A": "assumed"}


@define
class PieceReader:
    """Reads the kinds in the order of their declaration and numbers the pieces through."""

    reading: Reading
    tables: Mapping[str, Table]
    kinds: dict[str, Kind] = field(factory=dict)
    ids: dict[str, tuple[str, Span]] = field(factory=dict)  # of each piece its kind, and where it is declared
    used: set[str] = field(factory=set)  # tables that a kind was made from
    count: int = 0

    def read(self) -> dict[str, Kind]:
        for item in self.reading.sections.kinds.values():
            marks = self.reading.marks(item.raw, item.path)
            kind = self.kind(item, marks)
            if kind is None:
                self.reading.sections.broken.add(("kind", item.name))
            else:
                self.kinds[item.name] = kind
                self.count += len(kind.pieces)
                self.check_called_by(item, kind)
        return self.kinds

    def kind(self, item: Item[RawKind], marks: tuple[Cite, ...]) -> Kind | None:
        raw = item.raw
        span = self.reading.places.key(item.path)
        if (raw.count is not ABSENT) == bool(raw.rows):
            text = f"the kind {quoted(item.name)} needs either 'rows' or 'count'"
            hint = 'rows = "file.csv", rows = "table", or count = 12'
            if raw.copies not in (ABSENT, None, ""):
                hint = "how many there are of one kind is its `count`; `copies` says how many are made of each row"
            self.reading.errors.add("W206", text, span, hint=hint)
            return None
        allowed = {"count"} | {"fields", "values"}
        if raw.rows.endswith(".csv"):
            allowed = {"rows", "fields", "marks"}
        elif raw.rows:
            allowed = {"rows", "copies"}
        for key in ("copies", "fields", "values", "marks"):
            if key not in allowed and getattr(raw, key) not in (ABSENT, {}, None):
                where = self.reading.places.key((*item.path, key))
                self.reading.errors.add("W204", f"{quoted(key)} has no meaning for pieces made in this way", where)
        if raw.each not in ("", "player"):
            hint = 'each = "player" makes a set of these pieces for every player'
            self.reading.errors.add("W229", f"'each' cannot be {quoted(raw.each)}", self.of(item, "each"), hint=hint)
        kind = self.one_set(item, marks, span)
        return self.sets(kind, item) if kind is not None and raw.each == "player" else kind

    def one_set(self, item: Item[RawKind], marks: tuple[Cite, ...], span: Span) -> Kind | None:
        if item.raw.rows.endswith(".csv"):
            return self.from_csv(item, marks, span)
        if item.raw.rows:
            return self.from_table(item, span)
        return self.from_count(item, marks, span)

    def of(self, item: Item[RawKind], key: str) -> Span:
        return self.reading.places.of((*item.path, key))

    def sets(self, kind: Kind, item: Item[RawKind]) -> Kind | None:
        """A set for every player, one after another; the numbers of those alike go on."""
        size, seats = len(kind.pieces), self.reading.max_seats
        if not self.room(size * seats, self.of(item, "each")):
            return None
        names = [id.rpartition("#")[0] or id for id in kind.pieces]
        made = dict.fromkeys(names, 0)
        pieces = []
        for place in range(size * seats):
            name = names[place % size]
            made[name] += 1
            pieces.append(f"{name}#{made[name]}")
        for id, place in zip(pieces, range(size * seats), strict=True):
            if id not in kind.pieces:
                self.new_id(id, *self.ids[kind.pieces[place % size]])
        several = tuple(place % size for place in range(size * seats))
        fields = {name: _copied(one, several) for name, one in kind.fields.items()}
        faces = tuple(kind.faces[place] for place in several) if kind.faces else ()
        return evolve(kind, pieces=tuple(pieces), fields=fields, faces=faces)

    def check_called_by(self, item: Item[RawKind], kind: Kind) -> None:
        if kind.called_by and kind.called_by not in kind.fields:
            at = (*item.path, "called_by")
            self.reading.unknown("W220", "field", kind.called_by, at, kind.fields, "fields")

    def room(self, wanted: int, span: Span) -> bool:
        if self.count + wanted <= MAX_PIECES:
            return True
        self.reading.errors.add("W237", f"a game may have at most {MAX_PIECES:,} pieces", span)
        return False

    def new_id(self, id: str, kind: str, span: Span) -> None:
        if id in self.ids:
            first, place = self.ids[id]
            text = f"the kind '{kind}' has two pieces {quoted(id)}"
            if first != kind:
                text = f"the kinds '{first}' and '{kind}' have a piece {quoted(id)} each"
            others = (Related(place, f"the other one, of kind '{first}'"),)
            hint = "every piece has an id of its own, in the whole game"
            self.reading.errors.add("W213", text, span, f"again here, of kind '{kind}'", hint, others)
        self.ids[id] = kind, span

    # ------------------------------------------------------------ a count of equal ones, or the rows of a table

    def from_count(self, item: Item[RawKind], marks: tuple[Cite, ...], span: Span) -> Kind | None:
        raw = item.raw
        cell = whole(self.reading, raw.count, (*item.path, "count"), 0, MAX_VALUE)
        count = cell.value
        assert isinstance(count, int)
        if not self.room(count, cell.span):
            return None
        pieces = tuple(f"{item.name}#{number}" for number in range(1, count + 1))
        for id in pieces:
            self.new_id(id, item.name, span)
        columns = {}
        for name, wanted in self.field_types(item).items():
            at = (*item.path, "values", name)
            if name not in raw.values:
                text = f"there is no value for the field {quoted(name)}"
                where = self.reading.places.key((*item.path, "fields", name))
                self.reading.errors.add("W210", text, where, f"a {wanted.type} is wanted")
                continue
            value = read_cell(self.reading, raw.values[name], at, wanted, marks)
            columns[name] = column(name, wanted, [value] * count, self.field_span(item, name))
        for name in raw.values:
            if name not in raw.fields:
                self.extra(name, raw.fields, self.reading.places.key((*item.path, "values", name)))
        return Kind(item.name, self.count, pieces, columns, raw.called_by, "", (), span)

    def from_table(self, item: Item[RawKind], span: Span) -> Kind | None:
        raw = item.raw
        if raw.rows not in self.tables:
            self.reading.unknown("W219", "table", raw.rows, (*item.path, "rows"), self.tables, "tables")
            return None
        table = self.tables[raw.rows]
        copies = self.copies(item, table)
        if copies is None or not self.room(sum(copies), span):
            return None
        faces = tuple(row for row, count in enumerate(copies) for _ in range(count))
        head = f"{item.name}." if table.name in self.used else ""  # a second kind of the same table
        self.used.add(table.name)
        names = [f"{head}{row}" for row in table.rows]
        pieces = tuple(f"{names[row]}#{n}" for row, count in enumerate(copies) for n in range(1, count + 1))
        for id, face in zip(pieces, faces, strict=True):
            self.new_id(id, item.name, table.row_spans[face])
        fields = {name: _copied(one, faces) for name, one in table.columns.items()}
        return Kind(item.name, self.count, pieces, fields, raw.called_by, table.name, faces, span)

    def copies(self, item: Item[RawKind], table: Table) -> list[int] | None:
        """How many pieces each row makes."""
        name = item.raw.copies
        at = (*item.path, "copies")
        if name is ABSENT:
            return [1] * len(table.rows)
        if not isinstance(name, str):
            count = whole(self.reading, name, at, 0, MAX_VALUE).value
            assert isinstance(count, int)
            return [count] * len(table.rows) if self.room(count * len(table.rows), self.of(item, "copies")) else None
        if name not in table.columns:
            self.reading.unknown("W220", "column", name, at, table.columns, "columns")
            return None
        one = table.columns[name]
        if one.type != NUMBER:
            text = f"the column {quoted(name)} holds no numbers"
            self.reading.errors.add("W209", text, self.reading.places.of(at), f"it is a {one.type}")
            return None
        counts = []
        for value, span in zip(one.values, one.spans, strict=True):
            if not isinstance(value, Fraction):
                return None  # reported with the table
            if value < 0 or value.denominator != 1:
                self.reading.errors.add("W209", "a row has a whole number of copies", span)
                return None
            counts.append(int(value))
        return counts

    # ------------------------------------------------------------ a CSV file

    def from_csv(self, item: Item[RawKind], marks: tuple[Cite, ...], span: Span) -> Kind | None:
        sheet = self.sheet(item)
        if sheet is None or not self.room(len(sheet.rows), sheet.header.span):
            return None
        types = self.field_types(item)
        raw = item.raw
        self.check_header(sheet, types, raw.marks, item.path)
        index = {cell.text: number for number, cell in enumerate(sheet.header.cells)}
        cells: dict[str, list[Cell]] = {name: [] for name in types if name in index}
        pieces = []
        for row in sheet.rows:
            id = row.cells[0]
            if not ID.match(id.text):
                hint = "an id has letters, digits, dots, dashes and underscores"
                self.reading.errors.add("W214", f"{quoted(id.text)} cannot be the id of a piece", id.span, hint=hint)
            self.new_id(id.text, item.name, id.span)
            pieces.append(id.text)
            letters = self.letters(row, raw.marks, index, marks)
            for name in cells:
                cells[name].append(self.csv_cell(row.cells[index[name]], types[name], letters.get(name, marks)))
        fields = {name: column(name, types[name], cells[name], self.field_span(item, name)) for name in cells}
        return Kind(item.name, self.count, tuple(pieces), fields, raw.called_by, "", (), span)

    def sheet(self, item: Item[RawKind]) -> CsvFile | None:
        """The file a kind names: one of its own folder."""
        name, at = item.raw.rows, (*item.path, "rows")
        folder = item.path and self.reading.places.of(at).file.rpartition("/")[0]
        file = f"{folder}/{name}" if folder else name
        if "/" in name or "\\" in name or name.startswith(".."):
            text = "a CSV file belongs in the folder of the game"
            self.reading.errors.add("W253", text, self.reading.places.of(at), hint="give its name without a path")
            return None
        if file not in self.reading.files:
            known = [one.rpartition("/")[2] for one in self.reading.files if one.endswith(".csv")]
            self.reading.unknown("W221", "file", name, at, known, "CSV files")
            return None
        if too_large(file, self.reading.files[file], self.reading.errors):
            return None
        return read_csv(self.reading.files[file], file, self.reading.errors)

    def check_header(self, sheet: CsvFile, types: Mapping[str, Ranged], marks: RawLetters | None, path: Path) -> None:
        reading = self.reading
        names = [cell.text for cell in sheet.header.cells]
        known = {"id", *types, *([marks.column] if marks else [])}
        for cell in sheet.header.cells:
            if cell.text not in known:
                self.extra(cell.text, known, cell.span)
        for name in types:
            if name not in names:
                text = f"the file has no column {quoted(name)}"
                other = Related(reading.places.key((*path, "fields", name)), "the field")
                reading.errors.add("W210", text, sheet.header.span, related=(other,))
        if marks is None:
            return
        if marks.column not in names:
            reading.unknown("W220", "column", marks.column, (*path, "marks", "column"), names, "columns")
        for number, name in enumerate(marks.of):
            if name not in types:
                reading.unknown("W220", "field", name, (*path, "marks", "of", number), types, "fields")

    def letters(
        self, row: CsvRow, marks: RawLetters | None, index: Mapping[str, int], around: tuple[Cite, ...]
    ) -> dict[str, tuple[Cite, ...]]:
        """The standing of the fields of one piece, a letter each; the ids are those the kind gives for it."""
        if marks is None or marks.column not in index:
            return {}
        cell = row.cells[index[marks.column]]
        wrong = [letter for letter in cell.text if letter not in _LETTERS]
        if wrong or len(cell.text) != len(marks.of):
            text = f"{quoted(cell.text)} does not give a letter for each of: {', '.join(marks.of)}"
            wanted = "1 letter" if len(marks.of) == 1 else f"{len(marks.of)} letters"
            hint = "P is printed, D derived, S secondary, A assumed"
            self.reading.errors.add("W228", text, cell.span, f"{wanted} wanted", hint)
            return {}
        found: dict[str, tuple[Cite, ...]] = {}
        for place, (letter, name) in enumerate(zip(cell.text, marks.of, strict=True)):
            standing = _LETTERS[letter]
            ids = tuple(id for cite in around if cite.standing == standing for id in cite.ids)
            found[name] = (Cite(standing, ids, "", cell.place(place, place + 1)),)
        return found

    def csv_cell(self, cell: CsvCell, wanted: Ranged, cites: tuple[Cite, ...]) -> Cell:
        return Cell(read_text(self.reading, cell.text, wanted, cell.place), cites, cell.span)

    # ------------------------------------------------------------ fields

    def field_types(self, item: Item[RawKind]) -> dict[str, Ranged]:
        return {
            name: parse_type(self.reading, text, self.reading.places.of((*item.path, "fields", name)))
            for name, text in self.reading.few(item.raw.fields, (*item.path, "fields")).items()
        }

    def field_span(self, item: Item[RawKind], name: str) -> Span:
        return self.reading.places.key((*item.path, "fields", name))

    def extra(self, name: str, known: Mapping[str, object] | set[str], span: Span) -> None:
        text = f"there is no field {quoted(name)}"
        self.reading.errors.add("W211", text, span, hint=near(name, known, "fields"))


def _copied(one: Column, faces: tuple[int, ...]) -> Column:
    return evolve(
        one,
        values=tuple(one.values[face] for face in faces),
        cites=tuple(one.cites[face] for face in faces),
        spans=tuple(one.spans[face] for face in faces),
    )
