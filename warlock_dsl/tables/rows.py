"""Tables of rows and columns, and lists of words that are tables too."""

from __future__ import annotations

from typing import Any

from warlock_dsl.diagnostics.collect import near, quoted
from warlock_dsl.diagnostics.diagnostic import Related, Span
from warlock_dsl.limits import MAX_ROWS
from warlock_dsl.tables.citations import weakest
from warlock_dsl.tables.components import Cite, Column, Table
from warlock_dsl.tables.context import Reading
from warlock_dsl.tables.identifiers import check_name
from warlock_dsl.tables.merge import Item, shaped
from warlock_dsl.tables.schema import Marked, MisfitError, RawTable, is_mark
from warlock_dsl.tables.toml_spans import Path
from warlock_dsl.tables.values import Cell, Ranged, parse_type, read_cell


def read_rows(reading: Reading) -> dict[str, Table]:
    """All tables with their rows, their columns still empty: the types of columns refer to any of them."""
    tables: dict[str, Table] = {}
    for name, item in reading.sections.tables.items():
        path = (*item.path, "rows")
        if isinstance(item.raw.rows, dict):
            named = [(row, reading.places.key((*path, row))) for row in item.raw.rows]
            _table(reading, tables, name, named, path)
        else:
            _word_list(reading, tables, name, item.raw.rows, path)
    for (_, name), variable in reading.sections.variables.items():
        if isinstance(variable.raw.type, list) and name not in tables:
            _word_list(reading, tables, name, variable.raw.type, variable.value_path)
    for name, matrix in reading.sections.matrices.items():
        if isinstance(matrix.raw.of, list) and name not in tables:
            _word_list(reading, tables, name, matrix.raw.of, (*matrix.path, "of"))
    reading.rows |= {name: {row: number for number, row in enumerate(one.rows)} for name, one in tables.items()}
    return tables


def _word_list(reading: Reading, tables: dict[str, Table], name: str, raw: object, path: Path) -> None:
    if not isinstance(raw, list):
        reading.errors.add("W205", str(MisfitError("a list of words or a table of rows", raw)), reading.places.of(path))
        reading.sections.broken.add(("table", name))
        return
    named: list[tuple[str, Span]] = []
    seen: dict[str, Span] = {}
    for index, word in enumerate(raw):
        span = reading.places.of((*path, index))
        if not isinstance(word, str):
            reading.errors.add("W205", str(MisfitError("a word", word)), span)
        elif word in seen:
            other = (Related(seen[word], "first given here"),)
            reading.errors.add("W212", f"the row {quoted(word)} is given twice", span, related=other)
        else:
            seen[word] = span
            named.append((word, span))
    _table(reading, tables, name, named, path)


def _table(reading: Reading, tables: dict[str, Table], name: str, named: list[tuple[str, Span]], path: Path) -> None:
    span = reading.places.key(path[:2] if path[0] == "table" else path)
    if not named:
        reading.errors.add("W205", f"the table {quoted(name)} has no rows", reading.places.of(path))
        reading.sections.broken.add(("table", name))
        return
    if len(named) > MAX_ROWS:
        reading.errors.add("W237", f"a table may have at most {MAX_ROWS:,} rows", reading.places.of(path))
        named = named[:MAX_ROWS]
    for row, place in named:
        check_name(reading, row, place)
    tables[name] = Table(name, tuple(row for row, _ in named), {}, tuple(place for _, place in named), span)


def read_columns(reading: Reading, item: Item[RawTable], table: Table) -> Table:
    """The table with the values of its columns."""
    marks = reading.marks(item.raw, item.path)
    path = item.path
    types = {
        name: parse_type(reading, text, reading.places.of((*path, "columns", name)))
        for name, text in reading.few(item.raw.columns, (*path, "columns")).items()
    }
    cells: dict[str, list[Cell]] = {name: [] for name in types}
    for row, span in zip(table.rows, table.row_spans, strict=True):
        values = item.raw.rows[row] if isinstance(item.raw.rows, dict) else {}
        at = (*path, "rows", row)
        if not isinstance(values, dict):
            text = str(MisfitError("a table with a value for each column", values))
            reading.errors.add("W205", text, reading.places.of(at))
            return table
        _read_row(reading, row, values, at, span, types, marks, cells)
    spans = {name: reading.places.key((*path, "columns", name)) for name in types}
    columns = {name: column(name, types[name], cells[name], spans[name]) for name in types}
    return Table(table.name, table.rows, columns, table.row_spans, table.span)


def _read_row(
    reading: Reading,
    row: str,
    values: dict[str, Any],
    at: Path,
    span: Span,
    types: dict[str, Ranged],
    marks: tuple[Cite, ...],
    cells: dict[str, list[Cell]],
) -> None:
    around = row_marks(reading, values, at) or marks
    for key in values:
        if key not in types and not is_mark(key):
            reading.errors.add(
                "W211",
                f"the table has no column {quoted(key)}",
                reading.places.key((*at, key)),
                hint=near(key, types, "columns"),
            )
    for name, wanted in types.items():
        if name in values:
            cells[name].append(read_cell(reading, values[name], (*at, name), wanted, around))
        else:
            text = f"the row {quoted(row)} has no value for {quoted(name)}"
            reading.errors.add("W210", text, span, f"a {wanted.type} is wanted")
            cells[name].append(Cell((), (), span))


def row_marks(reading: Reading, values: dict[str, Any], at: Path) -> tuple[Cite, ...]:
    """The marks beside the values of a row."""
    own = {key: text for key, text in values.items() if is_mark(key)}
    marked = shaped(own, Marked, at, reading.places, reading.errors) if own else None
    return reading.marks(marked, at) if marked is not None else ()


def column(name: str, wanted: Ranged, cells: list[Cell], span: Span) -> Column:
    """A column of these cells."""
    return Column(
        name,
        wanted.type,
        tuple(cell.value for cell in cells),
        tuple(weakest(cell.cites) for cell in cells),
        tuple(cell.span for cell in cells),
        span,
    )
