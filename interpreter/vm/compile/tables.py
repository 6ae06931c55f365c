"""What stays the same through a game, as sections of the image: pieces, places, cells, variables."""

from __future__ import annotations

from itertools import pairwise

from interpreter.state.layout import Layout
from interpreter.vm import opcodes as op
from interpreter.vm.compile.image import BOUNDS, FIRST_VALUES, Image, NotForTheVm
from warlock_dsl import GRID_SHAPES

SIGHT = {"all": 0, "owner": 1, "others": 2, "none": 3, "top": 4}
NAMED = 5  # a variable says who sees it
BEYOND = {"error": 0, "last": 1, "zero": 2}
MAX_AREA = 1 << 16  # of a grid: rows times columns
MAX_SEATS = 31  # seats are bits of a signed number


def lay_out_tables(image: Image, layout: Layout) -> None:
    """Fill in everything but the rules."""
    if layout.players > MAX_SEATS:
        raise NotForTheVm(f"more than {MAX_SEATS} players")
    assert image.own_list(layout.first_values) == FIRST_VALUES
    assert image.own_list([bound for slot in layout.slots for bound in (slot.low, slot.high)]) == BOUNDS
    _pieces(image, layout)
    _places(image, layout)
    _cells(image, layout)
    _variables(image, layout)
    for first, values, beyond in layout.series.values():
        image.row("SERIES", first=first, list=image.list_at(values), beyond=BEYOND[beyond])


def kind_bits(layout: Layout, kinds: frozenset[int]) -> list[int]:
    """A set of kinds as numbers of 32 bits."""
    words = (len(layout.kind_names) + 31) // 32
    bits = sum(1 << kind for kind in kinds)
    return [_signed(bits >> 32 * word & 0xFFFFFFFF) for word in range(words)]


def _signed(bits: int) -> int:
    return bits - (1 << 32) if bits >> 31 else bits


def meta(layout: Layout, laws: bool, trials: bool, score_cost: int) -> list[int]:
    """The first section."""
    limits = layout.components.limits
    found = {
        "players": layout.players,
        "unit": layout.unit,
        "pieces": layout.piece_count,
        "places": len(layout.places),
        "cells": len(layout.cell_place),
        "slots": len(layout.slots),
        "variables": len(layout.variable_first),
        "kinds": len(layout.kind_names),
        "kind_words": (len(layout.kind_names) + 31) // 32,
        "work": limits.work,
        "depth": limits.depth,
        "listed": limits.listed,
        "cooperative": int(layout.components.cooperative),
        "start": layout.program.start,
        "laws": int(laws),
        "trials": int(trials),
        "zones": len(layout.zones),
        "score_cost": score_cost,
    }
    if max(found.values()) >= 1 << 31:
        raise NotForTheVm("a limit that is too large")
    return [found[name] for name in op.META]


def _pieces(image: Image, layout: Layout) -> None:
    sections = image.sections
    sections["KIND_OF"] += layout.kind_of
    sections["FACE"] += layout.faces
    sections["TWIN"] += layout.twin
    image.starts("OWNED_AT", "OWNED", [layout.owned.get(piece, ()) for piece in range(layout.piece_count)])


def _places(image: Image, layout: Layout) -> None:
    sections = image.sections
    grids = list(layout.components.grids)
    for number, place in enumerate(layout.places):
        grid = layout.components.grids[place.grid] if place.grid else None
        sections["PLACE_FIRST_CELL"].append(place.first_cell)
        sections["PLACE_CELLS"].append(0 if grid is None else len(grid.cells))
        sections["PLACE_OWNER"].append(place.owner)
        sections["PLACE_OWNER_KIND"].append(_owner_kind(place.owner_kind))
        sections["PLACE_KINDS"] += kind_bits(layout, place.kinds)
        sections["PLACE_SEES"].append(_sight(place.sees, layout.place_viewers[number]))
        sections["PLACE_COUNTED"].append(int(place.counted_by == "owner"))
        sections["PLACE_VIEWERS"].append(layout.place_viewers[number])
        sections["PLACE_ZONE"].append(place.zone)
        sections["PLACE_SLOTS_ONLY"].append(int(layout.slots_only(number)))
        sections["PLACE_GRID"].append(grids.index(place.grid) if place.grid else -1)
    image.starts("STARTS_AT", "STARTS", layout.starts)
    sections["ZONE_FIRST"] += layout.zone_first
    sections["ZONE_SHIFT"] += layout.zone_shift
    sections["ZONE_PLACES"] += _lengths(layout.zone_first, len(layout.places))
    kinds = range(len(layout.kind_names))
    sections["HIDER"] += [layout.hider.get((zone.number, kind), -1) for zone in layout.zones for kind in kinds]


def _lengths(first: list[int], end: int) -> list[int]:
    """How long rows are that begin at these places, one behind the other."""
    return [after - at for at, after in pairwise([*first, end])] if first else []


def _sight(word: str, viewers: int) -> int:
    if word not in SIGHT and viewers < 0:
        raise NotForTheVm(f"it does not know who sees '{word}'")
    return SIGHT.get(word, NAMED)


def _owner_kind(kind: str) -> int:
    return 0 if kind == "" else 1 if kind == "player" else 2


def _cells(image: Image, layout: Layout) -> None:
    sections = image.sections
    tables = list(layout.components.tables)
    sections["CELL_PLACE"] += layout.cell_place
    sections["CELL_PLAN"] += layout.cell_plan
    sections["CELL_STACKS"] += map(int, layout.stacks)
    sections["CELL_TABLE"] += [tables.index(name) if name else -1 for name in layout.cell_table]
    sections["CELL_NEAR"] += [image.list_at(cells) for cells in layout.near]
    sections["CELL_AROUND"] += [image.list_at(cells) for cells in layout.around]
    sections["CELL_ROW"] += [row for _, row, _ in layout.cell_spot]
    sections["CELL_COLUMN"] += [column for _, _, column in layout.cell_spot]
    for grid in layout.components.grids.values():
        ways = GRID_SHAPES.get(grid.shape, GRID_SHAPES["square"]).ways
        rows = [row for row, _ in grid.cells] or [0]
        columns = [column for _, column in grid.cells] or [0]
        high, wide = max(rows) - min(rows) + 1, max(columns) - min(columns) + 1
        if high * wide > MAX_AREA or high >= 1 << 12 or wide >= 1 << 12:
            raise NotForTheVm(f"the grid '{grid.name}' is too wide")
        plans = [-1] * (high * wide)
        for plan, (row, column) in enumerate(grid.cells):
            plans[(row - min(rows)) * wide + column - min(columns)] = plan
        image.row(
            "GRIDS", width=grid.width, height=grid.height, row=min(rows), column=min(columns), rows=high, columns=wide,
            map=len(sections["GRID_MAP"]), ways=len(sections["GRID_WAYS"]), n_ways=len(ways),
        )  # fmt: skip
        sections["GRID_MAP"] += plans
        sections["GRID_WAYS"] += [number for way in ways for number in way]


def _variables(image: Image, layout: Layout) -> None:
    sections = image.sections
    for number, slot in enumerate(layout.slots):
        sections["SLOT_VARIABLE"].append(slot.variable)
        sections["SLOT_OWNER"].append(slot.owner)
        sections["SLOT_OWNER_KIND"].append(_owner_kind(slot.owner_kind))
        sections["SLOT_SEES"].append(_sight(slot.sees, layout.slot_viewers[number]))
        sections["SLOT_VIEWERS"].append(layout.slot_viewers[number])
    sections["VAR_FIRST"] += layout.variable_first
    sections["VAR_SHIFT"] += layout.variable_shift
    sections["VAR_COUNT"] += _lengths(layout.variable_first, len(layout.slots))
    variables = sorted(layout.components.variables.values(), key=lambda variable: variable.number)
    tables = layout.components.tables
    sections["VAR_ROWS"] += [len(tables[variable.by].rows) if variable.by else 1 for variable in variables]
    kinds = range(len(layout.kind_names))
    image.starts("KIND_VARS_AT", "KIND_VARS", [layout.piece_variables.get(kind, ()) for kind in kinds])
    image.starts("RESETS_AT", "RESETS", [layout.move_resets.get(kind, ()) for kind in kinds])
    image.starts("NAMING_AT", "NAMING", [layout.naming.get(kind, ()) for kind in kinds])
