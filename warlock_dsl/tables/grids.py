"""Grids: from their pictures, cells in reading order with neighbours and regions; and from tables of cells."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from attrs import frozen

from warlock_dsl.diagnostics.collect import near, quoted
from warlock_dsl.limits import MAX_CELLS, MAX_COLUMNS
from warlock_dsl.tables.components import Column, Grid, Table, Value
from warlock_dsl.tables.context import Reading
from warlock_dsl.tables.merge import Item
from warlock_dsl.tables.schema import RawGrid
from warlock_dsl.tables.toml_spans import Path
from warlock_dsl.types import NUMBER, TRUTH, UNKNOWN, ListType, RowType, Type

ACROSS, DOWN = "right", "down"  # the columns that say where a cell is drawn
MAX_SPOT = 200  # cells to the right, or down
Steps = tuple[tuple[int, int], ...]  # rows down, columns to the right


@frozen
class Shape:
    """What cells of a shape have: neighbours side by side, corners that touch, and the ways of straight lines."""

    sides: Steps
    corners: Steps
    ways: Steps


SHAPES = {
    # Lines across, down, and on the two diagonals.
    "square": Shape(
        ((-1, 0), (0, -1), (0, 1), (1, 0)), ((-1, -1), (-1, 1), (1, -1), (1, 1)), ((0, 1), (1, 0), (1, 1), (1, -1))
    ),
    # Each row begins half a cell to the right of the one above. Lines across, down to the right, down to the left.
    "hex": Shape(((-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0)), (), ((0, 1), (1, 0), (1, -1))),
}


def read_grids(reading: Reading) -> dict[str, Grid]:
    """Every grid whose picture can be read. Its regions are noted for the types of the tables."""
    grids = {}
    for name, item in reading.sections.grids.items():
        if isinstance(item.raw.cells, str):
            continue  # of a table, which is read later
        reading.marks(item.raw, item.path)
        if _sound(reading, item):
            grids[name] = _grid(reading, item)
        else:
            reading.sections.broken.add(("grid", name))
    reading.all_regions = all(key[0] != "grid" for key in reading.sections.broken)
    return grids


def _sound(reading: Reading, item: Item[RawGrid]) -> bool:
    lines, path, errors = item.raw.cells, (*item.path, "cells"), reading.errors
    if item.raw.near or item.raw.one_way:
        hint = 'cells = "point", a table, has them in a column'
        key = reading.places.key((*item.path, "near" if item.raw.near else "one_way"))
        errors.add("W204", "a picture says itself what lies beside what", key, hint=hint)
        return False
    if item.raw.shape not in SHAPES:
        text, known = f"'shape' cannot be {quoted(item.raw.shape)}", near(item.raw.shape, SHAPES, "words")
        errors.add("W229", text, reading.places.of((*item.path, "shape")), hint=known)
        return False
    hint = "a grid is a list of lines of the same length, a character a cell; a space is no cell"
    if not any(line.strip(" ") for line in lines):
        errors.add("W222", f"the grid {quoted(item.name)} has no cell", reading.places.of(path), hint=hint)
        return False
    if sum(len(line) for line in lines) > MAX_CELLS:
        errors.add("W237", f"a grid may have at most {MAX_CELLS} cells", reading.places.of(path))
        return False
    sound = True
    for index, line in enumerate(lines):
        if len(line) != len(lines[0]):
            text = f"this line is {len(line)} wide, but the first is {len(lines[0])}"
            errors.add("W222", text, reading.places.of((*path, index)), hint=hint)
            sound = False
        elif not line.isprintable():
            errors.add("W222", "a cell is a character one can see", reading.places.of((*path, index)), hint=hint)
            sound = False
    drawn = set("".join(lines)) - {" "}
    if len(item.raw.regions) > MAX_COLUMNS:
        text = f"a grid may have at most {MAX_COLUMNS} regions"
        errors.add("W237", text, reading.places.of((*item.path, "regions")))
        return False
    for region, signs in item.raw.regions.items():
        missing = [sign for sign in signs if sign not in drawn]
        if missing or not signs:
            text = f"no cell of the picture is marked {quoted(missing[0])}" if missing else "this region has no cells"
            errors.add("W222", text, reading.places.of((*item.path, "regions", region)))
            sound = False
    return sound


def _grid(reading: Reading, item: Item[RawGrid]) -> Grid:
    lines = item.raw.cells
    cells = tuple((y, x) for y, line in enumerate(lines) for x, sign in enumerate(line) if sign != " ")
    numbers = {cell: number for number, cell in enumerate(cells)}

    def beside(steps: Steps) -> tuple[tuple[int, ...], ...]:
        spots = (((y + dy, x + dx) for dy, dx in steps) for y, x in cells)
        return tuple(tuple(sorted(numbers[spot] for spot in group if spot in numbers)) for group in spots)

    regions = {
        region: tuple(number for number, (y, x) in enumerate(cells) if lines[y][x] in signs)
        for region, signs in item.raw.regions.items()
    }
    reading.regions |= regions
    shape = SHAPES[item.raw.shape]
    return Grid(
        item.name,
        len(lines[0]),
        len(lines),
        cells,
        beside(shape.sides),
        beside(shape.sides + shape.corners),
        item.raw.slots,
        regions,
        reading.places.key(item.path),
        item.raw.shape,
        item.raw.stacks,
        from_below=item.raw.from_below,
    )


def lines_through(grid: Grid, cell: int, length: int) -> tuple[tuple[int, ...], ...]:
    """Every straight line of `length` cells with this one in it, each from its upper or left end; a gap ends one."""
    numbers = {place: number for number, place in enumerate(grid.cells)}
    y, x = grid.cells[cell]
    if length > max(grid.width, grid.height):
        return ()
    found: dict[tuple[int, ...], None] = {}  # a line of one cell has every direction
    for dy, dx in SHAPES.get(grid.shape, SHAPES["square"]).ways:
        for back in range(length - 1, -1, -1):
            places = [(y + (step - back) * dy, x + (step - back) * dx) for step in range(length)]
            if all(place in numbers for place in places):
                found[tuple(numbers[place] for place in places)] = None
    return tuple(found)


# ------------------------------------------------------------------------- tables of cells


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
