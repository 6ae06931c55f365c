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
    known = [number for number in hidden if t.bounded(layout.slots[number].type, layout.slots[number].low is not None)]
    whole = [number for number in known if not isinstance(layout.slots[number].type, t.ListType)]
    return HiddenParts(
        tuple(number for number in range(len(layout.places)) if not is_open_count(layout, number)),
        tuple(known),
        tuple(layout.slots[number] for number in hidden if number not in whole),
    )


def kept_hidden(layout: Layout) -> list[str]:
    """What is hidden and cannot be dealt anew, in words."""
    slots = {slot.name: slot for slot in hidden_parts(layout).kept}
    known = [name for name, slot in slots.items() if t.bounded(slot.type, slot.low is not None)]
    return [f"how long '{name}' is" if name in known else f"'{name}'" for name in slots]


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
        case t.ListType(t.PieceType(kinds)):
            return _several(stream, [n for n, kind in enumerate(layout.kind_of) if _fits(layout, kind, kinds)], old)
        case t.ListType(t.CellType()):
            return _several(stream, list(range(len(layout.cell_place))), old)
        case t.ListType(item) | t.MapType(_, item) if item is not None:
            values = []
            for one in old:
                stream, value = _deal(layout, item, low, high, one, stream)
                values.append(value)
            return stream, tuple(values)
        case _:
            return stream, old


def _fits(layout: Layout, kind: int, kinds: tuple[str, ...]) -> bool:
    return not kinds or layout.kind_names[kind] in kinds


def _several(stream: int, all_: list[int], old: Any) -> tuple[int, Any]:
    """As many different pieces or cells as there were."""
    stream, dealt = chance.shuffled(stream, all_)
    return stream, tuple(dealt[: len(old)])
