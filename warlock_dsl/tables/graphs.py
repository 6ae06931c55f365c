"""Boards that are no picture: their cells are the rows of a table, which says what lies beside what, and where."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from warlock_dsl.diagnostics.collect import near, quoted
from warlock_dsl.limits import MAX_CELLS
from warlock_dsl.tables.components import Column, Grid, Table, Value
from warlock_dsl.tables.context import Reading
from warlock_dsl.tables.merge import Item
from warlock_dsl.tables.schema import RawGrid
from warlock_dsl.tables.toml_spans import Path
from warlock_dsl.types import NUMBER, TRUTH, UNKNOWN, ListType, RowType, Type

ACROSS, DOWN = "right", "down"  # the columns that say where a cell is drawn
MAX_SPOT = 200  # cells to the right, or down


def read_graphs(reading: Reading, tables: Mapping[str, Table]) -> dict[str, Grid]:
    """Every grid whose cells are the rows of a table, and whose table can be read."""
    found = {}
    for name, item in reading.sections.grids.items():
        if isinstance(item.raw.cells, str):
            reading.marks(item.raw, item.path)
            grid = _Graph(reading, item, tables).read()
            if grid is None:
                reading.sections.broken.add(("grid", name))
            else:
                found[name] = grid
    return found


class _Graph:
    """One board, and the columns of its table."""

    def __init__(self, reading: Reading, item: Item[RawGrid], tables: Mapping[str, Table]) -> None:
        self.reading = reading
        self.item = item
        self.tables = tables

    def read(self) -> Grid | None:
        raw, reading = self.item.raw, self.reading
        name = str(raw.cells)
        if name not in self.tables:
            reading.unknown("W219", "table", name, (*self.item.path, "cells"), self.tables, "tables")
            return None
        table = self.tables[name]
        if len(table.rows) > MAX_CELLS:
            self.error("W237", f"a grid may have at most {MAX_CELLS} cells", "cells")
            return None
        beside = self.column(table, raw.near, ListType(RowType(name)), "near")
        spots = [self.column(table, one, NUMBER, "cells") for one in (ACROSS, DOWN)]
        regions = {region: self.column(table, one, TRUTH, "regions", region) for region, one in raw.regions.items()}
        if beside is None or None in spots or None in regions.values():
            return None
        neighbours = self.neighbours(table, beside)
        cells = self.cells(table, [one for one in spots if one is not None])
        if neighbours is None or cells is None:
            return None
        return Grid(
            self.item.name,
            1 + max(column for _, column in cells),
            1 + max(row for row, _ in cells),
            cells,
            neighbours,
            neighbours,
            raw.slots,
            {name: _rows_with(column, True) for name, column in regions.items() if column is not None},
            reading.places.key(self.item.path),
            "graph",
            raw.stacks,
            name,
            (raw.near, ACROSS, DOWN, *raw.regions.values()),
        )

    def error(self, code: str, text: str, *path: str, hint: str = "") -> None:
        self.reading.errors.add(code, text, self.reading.places.of((*self.item.path, *path)), hint=hint)

    def column(self, table: Table, name: str, wanted: Type, *path: str) -> Column | None:
        """A column of the table, of the type that is wanted; None where it is not there, or was reported."""
        found = table.columns.get(name)
        at: Path = (*self.item.path, *path)
        if not name:
            whole, advice = self.reading.places.key(self.item.path), f'near = "paths", a column of [{table.name}]'
            self.reading.errors.add("W206", "the key 'near' is missing", whole, hint=advice)
        elif found is None:
            text = f"the table {quoted(table.name)} has no column {quoted(name)}"
            drawn = "the columns right and down say where a cell is drawn"
            hint = (lambda: drawn) if name in (ACROSS, DOWN) else near(name, table.columns, "columns")
            self.reading.errors.add("W220", text, self.reading.places.of(at), hint=hint)
        elif found.type == UNKNOWN:
            return None
        elif found.type != wanted:
            text = f"the column {quoted(name)} is a {found.type}, and a {wanted} is wanted"
            self.reading.errors.add("W209", text, self.reading.places.of(at))
        else:
            return found
        return None

    def neighbours(self, table: Table, column: Column) -> tuple[tuple[int, ...], ...] | None:
        """The neighbours of each cell, in the order of the table; each is one of the other, unless ways go one way."""
        found = tuple(tuple(sorted(set(_numbers(value)))) for value in column.values)
        for cell, others in enumerate(found):
            if cell in others:
                text = f"{quoted(table.rows[cell])} lies beside itself"
                self.reading.errors.add("W222", text, column.spans[cell])
                return None
            lacking = next((other for other in others if cell not in found[other]), None)
            if lacking is not None and not self.item.raw.one_way:
                one, other = quoted(table.rows[cell]), quoted(table.rows[lacking])
                text = f"{other} lies beside {one}, but {one} not beside {other}"
                hint = "name each in the row of the other, or say one_way = true"
                self.reading.errors.add("W222", text, column.spans[cell], hint=hint)
                return None
        return found

    def cells(self, table: Table, columns: list[Column]) -> tuple[tuple[int, int], ...] | None:
        """Where each cell is drawn: row and column."""
        found: dict[tuple[int, int], int] = {}
        for cell, name in enumerate(table.rows):
            spot = []
            for column in columns:
                value = column.values[cell]
                if not isinstance(value, Fraction) or value.denominator != 1 or not 0 <= value <= MAX_SPOT:
                    text = f"where {quoted(name)} is drawn must be a whole number from 0 to {MAX_SPOT}"
                    self.reading.errors.add("W222", text, column.spans[cell])
                    return None
                spot.append(int(value))
            across, down = spot
            if (down, across) in found:
                text = f"{quoted(name)} is drawn where {quoted(table.rows[found[down, across]])} is"
                self.reading.errors.add("W222", text, columns[0].spans[cell])
                return None
            found[down, across] = cell
        return tuple(found)


def _numbers(value: Value) -> tuple[int, ...]:
    return tuple(one for one in value if isinstance(one, int)) if isinstance(value, tuple) else ()


def _rows_with(column: Column, wanted: Value) -> tuple[int, ...]:
    return tuple(row for row, value in enumerate(column.values) if value == wanted)
