"""What a game may hide besides which piece is which: how many lie somewhere, and the values of variables.

Found once for a layout, for whoever deals anew what a player cannot see. A value can be dealt anew only where it is
known what it could be: a number needs a declared range, and of a list nobody knows how long it could be.
"""

from __future__ import annotations

from typing import Any

from attrs import frozen

from interpreter.state import random as chance
from interpreter.state.layout import Layout, Slot
from interpreter.state.visibility import is_open_count, is_open_variable
from warlock_dsl import types as t


@frozen
class HiddenParts:
    """Places of which not everybody sees how many pieces they have; variables that not everybody sees, by number.

    `kept` are those whose value, or the length of it, cannot be dealt anew: every imagined table has them as they are.
    """

    places: tuple[int, ...]
    variables: tuple[int, ...]
    kept: tuple[Slot, ...]


def hidden_parts(layout: Layout) -> HiddenParts:
    hidden = [number for number in range(len(layout.slots)) if not is_open_variable(layout, number)]
    return HiddenParts(
        tuple(number for number in range(len(layout.places)) if not is_open_count(layout, number)),
        tuple(number for number in hidden if can_deal(layout.slots[number].type, layout.slots[number].low)),
        tuple(layout.slots[number] for number in hidden if not all_of_it(layout.slots[number])),
    )


def all_of_it(slot: Slot) -> bool:
    """Whether the whole value of a variable can be dealt anew, and not only what stands in a list."""
    return can_deal(slot.type, slot.low) and not isinstance(slot.type, t.ListType)


def can_deal(kind: t.Type, low: int | None) -> bool:
    """Whether it is known what a value could be."""
    match kind:
        case t.NumberType():
            return low is not None
        case t.TruthType() | t.PlayerType() | t.RowType() | t.KeyType():
            return True
        case t.ListType(item) | t.MapType(_, item):
            return item is not None and can_deal(item, low)
        case _:
            return False


def deal_value(layout: Layout, slot: Slot, old: Any, stream: int) -> tuple[int, Any]:
    """The stream, and any value that a variable could have, each as likely."""
    return _deal(layout, slot.type, slot.low or 0, slot.high or 0, old, stream)


def _deal(layout: Layout, kind: t.Type, low: int, high: int, old: Any, stream: int) -> tuple[int, Any]:
    match kind:
        case t.NumberType():
            stream, step = chance.below(stream, (high - low) // layout.unit + 1)
            return stream, low + step * layout.unit
        case t.TruthType():
            stream, coin = chance.below(stream, 2)
            return stream, coin == 1
        case t.PlayerType():
            return chance.below(stream, layout.players)
        case t.RowType(table):
            return chance.below(stream, len(layout.components.tables[table].rows))
        case t.KeyType(family):
            return chance.below(stream, len(layout.program.families[family].keys))
        case t.ListType(item) | t.MapType(_, item) if item is not None:
            values = []
            for one in old:
                stream, value = _deal(layout, item, low, high, one, stream)
                values.append(value)
            return stream, tuple(values)
        case _:
            return stream, old
