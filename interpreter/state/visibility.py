"""Who sees what: derived from what each zone declares, never written by hand."""

from __future__ import annotations

from interpreter.state.layout import Layout
from interpreter.state.state import State


def owner_seat(layout: Layout, state: State, place: int) -> int:
    """The player a place belongs to, through the pieces that own it; -1 for the table."""
    found = layout.places[place]
    while found.owner_kind not in ("", "player"):
        found = layout.places[state.place[found.owner]]
    return found.owner


def encloses(layout: Layout, state: State, piece: int, place: int) -> bool:
    """Whether a place belongs to a piece, or to one that lies in it, however deep."""
    found = layout.places[place]
    while found.owner_kind not in ("", "player"):
        if found.owner == piece:
            return True
        found = layout.places[state.place[found.owner]]
    return False


def sees_piece(layout: Layout, state: State, piece: int, viewer: int) -> bool:
    """Whether a player sees which piece this is."""
    number = state.place[piece]
    place = layout.places[number]
    hider = layout.hider.get((place.zone, layout.kind_of[piece]))
    if hider is not None and state.variables[layout.variable(hider, piece)]:
        return False
    match place.sees:
        case "all":
            return True
        case "owner":
            return owner_seat(layout, state, number) == viewer
        case "top":
            return state.zones[number][-1] == piece
        case _:
            return False


def sees_count(layout: Layout, state: State, place: int, viewer: int) -> bool:
    """Whether a player sees how many pieces lie here."""
    return layout.places[place].counts != "owner" or owner_seat(layout, state, place) == viewer


def sees_variable(layout: Layout, state: State, number: int, viewer: int) -> bool:
    """Whether a player sees the value of a variable."""
    slot = layout.slots[number]
    if slot.sees == "none":
        return False
    seat = slot.owner if slot.owner_kind == "player" else -1
    if slot.owner_kind not in ("", "player"):
        seat = owner_seat(layout, state, state.place[slot.owner])
    return slot.sees != "owner" or seat == viewer


def alike(layout: Layout, state: State, piece: int, viewer: int) -> tuple[object, ...]:
    """What makes a piece different from another for a player: pieces with the same key are interchangeable."""
    place = state.place[piece]
    cell = -1 if layout.slots_only(place) else state.cell[piece]
    return (essence(layout, state, piece, viewer), place, cell)


def essence(layout: Layout, state: State, piece: int, viewer: int) -> tuple[object, ...]:
    """What a piece is for a player, wherever it lies: its face, its variables, what it holds."""
    seen = viewer < 0 or sees_piece(layout, state, piece, viewer)
    kind = layout.kind_of[piece]
    face: object = layout.twin[piece] if seen else -1 - kind
    flags = tuple(state.variables[layout.variable(v, piece)] for v in layout.piece_variables.get(kind, ()))
    holds = tuple(
        tuple(sorted((essence(layout, state, inner, viewer) for inner in state.zones[owned]), key=repr))
        for owned in layout.owned.get(piece, ())
    )
    return (face, flags, holds)
