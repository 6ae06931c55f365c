"""Which pieces are alike: by what they are, as a player sees them, to the rules, and by what one would call them.

`Layout.twin` has the classes that never change (kind, face and fields); all others are made from them here.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from interpreter.state.layout import Layout
from interpreter.state.state import State
from interpreter.state.visibility import sees_wholly
from warlock_dsl import Ruleset
from warlock_dsl import types as t
from warlock_dsl.tables.components import Components


def alike(layout: Layout, state: State, piece: int, viewer: int) -> tuple[object, ...]:
    """What makes a piece different from another for a player: pieces with the same key are interchangeable.

    One that the player does not wholly see is like no other: it may be anything, and its place tells it apart.
    """
    place = state.place[piece]
    cell = -1 if layout.slots_only(place) else state.cell[piece]
    return (essence(layout, state, piece, viewer), place, cell)


def essence(layout: Layout, state: State, piece: int, viewer: int) -> tuple[object, ...]:
    """What a piece is for a player, wherever it lies: its face, its variables, those that name it, what it holds,
    who has been shown it."""
    if viewer >= 0 and not sees_wholly(layout, state, piece, viewer):
        return (-1 - piece,)
    face, kind = layout.twin[piece], layout.kind_of[piece]
    own = (number for v in layout.piece_variables.get(kind, ()) for number in layout.variables_with(v, piece))
    flags = tuple(state.variables[number] for number in own)
    holds = tuple(
        tuple(sorted((essence(layout, state, inner, viewer) for inner in state.zones[owned]), key=repr))
        for owned in layout.owned.get(piece, ())
    )
    named = tuple(number for number in layout.naming.get(kind, ()) if _names(state.variables[number], piece))
    more = (named, state.known.get(piece, 0))  # it matters who knows a piece
    return (face, flags, holds, more) if any(more) else (face, flags, holds)


def _names(value: Any, piece: int) -> bool:
    """Whether a list, or one within it, has a piece."""
    return any(_names(one, piece) if isinstance(one, tuple) else one == piece for one in value)


def exchangeable(layout: Layout, state: State, piece: int) -> object:
    """What tells a piece from those that no rule could tell it from, wherever it lies.

    A piece that owns zones is one of its own: what lies in it would have to be alike, too.
    """
    return piece if layout.owned.get(piece) else essence(layout, state, piece, -1)


def value_class(layout: Layout, value: Any, kind: t.Type) -> Any:
    """A value with every piece in it replaced by the first that is like it."""
    if value is None:
        return None
    if isinstance(kind, t.PieceType):
        return layout.twin[value]
    if isinstance(kind, t.ListType) and isinstance(value, tuple):
        return tuple(value_class(layout, item, kind.item or t.UNKNOWN) for item in value)
    return value


def class_name(layout: Layout, piece: int) -> str:
    """The name of the first piece that is like this one."""
    return layout.piece_names[layout.twin[piece]]


@lru_cache(maxsize=64)
def twin_names(ruleset: Ruleset) -> Mapping[str, str]:
    """By the name of a piece that of the first piece that is like it: `class_name`, where no layout is at hand."""
    layout = Layout(ruleset.program, ruleset.components, ruleset.components.min_players)
    return {name: class_name(layout, piece) for piece, name in enumerate(layout.piece_names)}


def called(components: Components) -> dict[str, str]:
    """For each piece what one would call it: by the field its kind is called by, by its face, or by its kind."""
    found: dict[str, str] = {}
    for kind in components.kinds.values():
        values = kind.fields[kind.called_by].values if kind.called_by else kind.faces
        for place, piece in enumerate(kind.pieces):
            found[piece] = f"{kind.name}:{values[place]}" if values else kind.name
    return found
