"""Every value of a type, as far as they can be listed: what one can ask about at a question."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from interpreter.state.layout import Layout
from warlock_dsl import types as t

MAX_NUMBER = 40  # whole numbers that are listed


def values_of(layout: Layout, kind: t.Type) -> Iterator[Any]:
    """In the order of their numbers; nothing for lists and for what is not known."""
    match kind:
        case t.PlayerType():
            yield from range(layout.players)
        case t.TruthType():
            yield from (False, True)
        case t.NumberType():
            yield from range(0, (MAX_NUMBER + 1) * layout.unit, layout.unit)
        case t.RowType(table):
            yield from range(len(layout.components.tables[table].rows))
        case t.KeyType(family):
            yield from range(len(layout.program.families[family].keys))
        case t.PieceType(kinds):
            wanted = {layout.kind_names.index(name) for name in kinds} or set(range(len(layout.kind_names)))
            yield from (piece for piece in range(layout.piece_count) if layout.kind_of[piece] in wanted)
        case t.CellType():
            yield from range(len(layout.cell_place))
        case t.ZoneType():
            yield from range(len(layout.places))
        case t.RegionType():
            yield from layout.region_names
        case _:
            return
