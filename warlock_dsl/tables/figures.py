"""Figures of the game: single ones in groups, series, matrices and dice."""

from __future__ import annotations

from fractions import Fraction

from warlock_dsl.diagnostics.collect import near, quoted
from warlock_dsl.diagnostics.diagnostic import Diagnostic, Severity, Span, Suggestion
from warlock_dsl.limits import MAX_ENTRIES
from warlock_dsl.tables.components import Die, Figure, GivenCell, Matrix, Series
from warlock_dsl.tables.context import Reading
from warlock_dsl.tables.merge import Item
from warlock_dsl.tables.rows import row_marks
from warlock_dsl.tables.schema import MisfitError, RawDie, RawFigure, RawMatrix, RawSeries, is_mark
from warlock_dsl.tables.toml_spans import Inexact, Path
from warlock_dsl.tables.values import Ranged, narrowed, number, parse_type, read_cell, read_value
from warlock_dsl.types import NUMBER, TRUTH, UNKNOWN, ListType, MapType, PlayerType, RowType, Type

BEYOND = ("last", "error", "zero")
RENAMED = {"fault": "error"}  # words of `beyond` that older games write
MAX_FACES = 1000


# ---------------------------------------------------------------- single figures


def read_figures(reading: Reading) -> dict[tuple[str, str], Figure]:
    """Every figure, by group and name."""
    return {key: _figure(reading, key[0], item) for key, item in reading.sections.figures.items()}


def _figure(reading: Reading, group: str, item: Item[RawFigure]) -> Figure:
    raw = item.raw
    wanted = _figure_type(reading, item)
    if raw.range:
        wanted = narrowed(reading, wanted, raw.range, (*item.path, "range"))
    return Figure(
        group,
        item.name,
        wanted.type,
        read_value(reading, raw.is_, item.value_path, wanted),
        wanted.low,
        wanted.high,
        reading.inherited(reading.marks(raw, item.path), item.around),
        raw.idle,
        reading.places.key(item.path),
    )


def _figure_type(reading: Reading, item: Item[RawFigure]) -> Ranged:
    """The type a figure says it has, or the one its value shows."""
    raw = item.raw
    span = reading.places.of((*item.path, "type"))
    shown = _shown_type(raw.is_)
    if not raw.type:
        if shown is None:
            hint = 'say of which table it is a row: { is = "red", type = "colour" }'
            where = reading.places.of(item.value_path)
            reading.errors.add("W206", f"the figure {quoted(item.name)} is a word and needs a 'type'", where, hint=hint)
            return Ranged(UNKNOWN)
        return Ranged(shown)
    wanted = parse_type(reading, raw.type, span)
    if isinstance(wanted.type, MapType | PlayerType):
        reading.errors.add("W207", f"a figure cannot be a {wanted.type}", span, hint="name a table")
        return Ranged(UNKNOWN)
    value, type = raw.is_, wanted.type
    if not isinstance(type, ListType):  # a list of rows names the table of its rows
        while isinstance(value, list):
            value, type = next(iter(value), None), ListType(type)
    return wanted.of(type)


def _shown_type(value: object) -> Type | None:
    """The type of a bare value; none for a word, which may be a row of any table."""
    if isinstance(value, bool):
        return TRUTH
    if isinstance(value, int | Fraction | Inexact):
        return NUMBER
    if isinstance(value, list):
        items = [_shown_type(item) for item in value[:MAX_ENTRIES]]  # a longer one is refused
        if None in items:
            return None
        return ListType(next((item for item in items if item != ListType(None)), items[0] if items else None))
    return None if isinstance(value, str) else NUMBER  # a table or a date is reported as no number


# ---------------------------------------------------------------- series


def read_series(reading: Reading) -> dict[str, Series]:
    return {name: _series(reading, item) for name, item in reading.sections.series.items()}


def _series(reading: Reading, item: Item[RawSeries]) -> Series:
    raw, path = item.raw, item.path
    at = (*path, "is")
    values: tuple[Fraction, ...] = ()
    if not isinstance(raw.is_, list):
        reading.errors.add("W205", str(MisfitError("a list of numbers", raw.is_)), reading.places.of(at))
    elif not raw.is_:
        reading.errors.add("W205", f"the series {quoted(item.name)} is empty", reading.places.of(at))
    elif len(raw.is_) > MAX_ENTRIES:
        reading.errors.add("W237", f"a series may have at most {MAX_ENTRIES:,} entries", reading.places.of(at))
    else:
        values = tuple(
            number(reading, entry, Ranged(NUMBER), reading.places.of((*at, index)))
            for index, entry in enumerate(raw.is_)
        )
    beyond = _beyond(reading, raw.beyond, reading.places.of((*path, "beyond")))
    return Series(item.name, raw.from_, values, beyond, reading.marks(raw, path), reading.places.key(path))


def _beyond(reading: Reading, word: str, span: Span) -> str:
    """What a number past the end of a series gives. An old word is read as the new one, with a note."""
    now = RENAMED.get(word, word)
    if now != word:
        text = f"{quoted(word)} is an old word for {quoted(now)}"
        hint = Suggestion(word, now, text=f'write beyond = "{now}"')
        reading.errors.extend([Diagnostic("W242", text, span, hint=hint, severity=Severity.NOTE)])
    elif word not in BEYOND:
        reading.errors.add("W229", f"'beyond' cannot be {quoted(word)}", span, hint=near(word, BEYOND, "words"))
    return now


# ---------------------------------------------------------------- matrices and dice


def read_matrices(reading: Reading) -> dict[str, Matrix]:
    found = {name: _matrix(reading, item) for name, item in reading.sections.matrices.items()}
    return {name: matrix for name, matrix in found.items() if matrix is not None}


def _matrix(reading: Reading, item: Item[RawMatrix]) -> Matrix | None:
    raw, path = item.raw, item.path
    of = item.name if isinstance(raw.of, list) else raw.of
    if not isinstance(of, str):
        reading.errors.add(
            "W205", str(MisfitError("a table or a list of words", raw.of)), reading.places.of((*path, "of"))
        )
        return None
    named = ((raw.rows, "rows"), (raw.columns, "columns"), (of, "of"))
    known = [known_table(reading, table, (*path, key)) for table, key in named]  # all three, to report all three
    if not all(known):
        return None
    rows, columns = reading.rows[raw.rows], reading.rows[raw.columns]
    if len(rows) * len(columns) > MAX_ENTRIES * 4:
        reading.errors.add("W237", f"a matrix may have at most {MAX_ENTRIES * 4:,} cells", reading.places.key(path))
        return None
    cells = [[0] * len(columns) for _ in rows]
    marks = reading.marks(raw, path)
    given: dict[tuple[int, int], GivenCell] = {}
    for row, line in raw.cells.items():
        at: Path = (*path, "cells", row)
        y = _row(reading, row, raw.rows, at)
        if not isinstance(line, dict):
            reading.errors.add(
                "W205", str(MisfitError("a table with a word for each column", line)), reading.places.of(at)
            )
            continue
        around = row_marks(reading, line, at) or marks
        for column, word in line.items():
            if is_mark(column):
                continue
            x = _row(reading, column, raw.columns, (*at, column))
            cell = read_cell(reading, word, (*at, column), Ranged(RowType(of)), around)
            if y is not None and x is not None and isinstance(cell.value, int):
                cells[y][x] = cell.value
                given[y, x] = GivenCell(cell.cites, cell.span)
    lines = tuple(tuple(line) for line in cells)
    return Matrix(item.name, raw.rows, raw.columns, of, lines, marks, reading.places.key(path), given)


def known_table(reading: Reading, table: str, path: Path) -> bool:
    if table not in reading.rows:
        reading.unknown("W219", "table", table, path, reading.rows, "tables")
    return table in reading.rows


def _row(reading: Reading, word: str, table: str, path: Path) -> int | None:
    """The number of a row that is named by a key."""
    rows = reading.rows[table]
    if word not in rows:
        text = f"the table '{table}' has no row {quoted(word)}"
        reading.errors.add("W208", text, reading.places.key(path), hint=near(word, rows, "rows"))
    return rows.get(word)


def read_dice(reading: Reading) -> dict[str, Die]:
    found = {name: _die(reading, item) for name, item in reading.sections.dice.items()}
    return {name: die for name, die in found.items() if die is not None}


def _die(reading: Reading, item: Item[RawDie]) -> Die | None:
    raw, path = item.raw, item.path
    if not known_table(reading, raw.of, (*path, "of")):
        return None
    faces: list[int] = []
    for word, count in raw.faces.items():
        at = (*path, "faces", word)
        row = _row(reading, word, raw.of, at)
        if not 0 <= count <= MAX_FACES:
            text = f"a face is on a die 0 to {MAX_FACES} times"
            reading.errors.add("W237", text, reading.places.of(at))
        elif row is not None:
            faces += [row] * count
    if not faces or len(faces) > MAX_FACES:
        reading.errors.add("W237", f"a die has 1 to {MAX_FACES} faces", reading.places.of((*path, "faces")))
        return None
    return Die(item.name, raw.of, tuple(faces), reading.marks(raw, path), reading.places.key(path))
