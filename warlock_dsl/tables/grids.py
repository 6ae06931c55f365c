"""Grids from their pictures: cells in reading order, neighbours, regions."""

from __future__ import annotations

from attrs import frozen

from warlock_dsl.diagnostics.collect import near, quoted
from warlock_dsl.limits import MAX_CELLS, MAX_COLUMNS
from warlock_dsl.tables.components import Grid
from warlock_dsl.tables.context import Reading
from warlock_dsl.tables.merge import Item
from warlock_dsl.tables.schema import RawGrid

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
        reading.marks(item.raw, item.path)
        if _sound(reading, item):
            grids[name] = _grid(reading, item)
        else:
            reading.sections.broken.add(("grid", name))
    reading.all_regions = all(key[0] != "grid" for key in reading.sections.broken)
    return grids


def _sound(reading: Reading, item: Item[RawGrid]) -> bool:
    lines, path, errors = item.raw.cells, (*item.path, "cells"), reading.errors
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
    )


def lines_through(grid: Grid, cell: int, length: int) -> tuple[tuple[int, ...], ...]:
    """Every straight line of `length` cells with this one in it, each from its upper or left end; a gap ends one."""
    numbers = {place: number for number, place in enumerate(grid.cells)}
    y, x = grid.cells[cell]
    if length > max(grid.width, grid.height):
        return ()
    found: dict[tuple[int, ...], None] = {}  # a line of one cell has every direction
    for dy, dx in SHAPES[grid.shape].ways:
        for back in range(length - 1, -1, -1):
            places = [(y + (step - back) * dy, x + (step - back) * dx) for step in range(length)]
            if all(place in numbers for place in places):
                found[tuple(numbers[place] for place in places)] = None
    return tuple(found)
