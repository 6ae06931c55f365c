"""Who sees what: the only module that knows what the words of `sees` and `count` mean.

A zone says who sees the pieces that lie in it and who sees how many there are, a variable who sees its value. All that
anybody is shown, offered, told or dealt anew asks here. A new word is added here and to the words a table may have.
"""

from __future__ import annotations

from interpreter.state.layout import Layout, Place
from interpreter.state.state import State
from warlock_dsl.tables.components import Components, Zone


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


# ---------------------------------------------------------------------- zones


def sees_piece(layout: Layout, state: State, piece: int, viewer: int) -> bool:
    """Whether a player sees which piece this is."""
    number = state.place[piece]
    place = layout.places[number]
    hider = layout.hider.get((place.zone, layout.kind_of[piece]))
    if hider is not None and state.variables[layout.variable(hider, piece)]:
        return False
    if place.sees == "top":
        return state.zones[number][-1] == piece
    return _sees_all_of(layout, state, number, viewer)


def sees_place(layout: Layout, state: State, number: int, viewer: int) -> bool:
    """Whether a player can name whatever lies in a place, however it lies there."""
    zone = layout.places[number].zone
    return _sees_all_of(layout, state, number, viewer) and not any(zone == hiding for hiding, _ in layout.hider)


def _sees_all_of(layout: Layout, state: State, number: int, viewer: int) -> bool:
    """Whether a place is open to a player, pieces that lie turned aside."""
    match layout.places[number].sees:
        case "all":
            return True
        case "owner":
            return owner_seat(layout, state, number) == viewer
        case _:
            return False


def sees_count(layout: Layout, state: State, place: int, viewer: int) -> bool:
    """Whether a player sees how many pieces lie here."""
    return layout.places[place].counts != "owner" or owner_seat(layout, state, place) == viewer


def is_open_count(layout: Layout, place: int) -> bool:
    """Whether everybody sees how many pieces lie here."""
    return layout.places[place].counts == "all"


def is_open(zone: Zone | Place) -> bool:
    """Whether everybody sees what lies in a zone."""
    return zone.sees == "all"


def is_hand(zone: Zone | Place) -> bool:
    """Whether only the owner sees what lies in a zone, so that its order means nothing to anybody else."""
    return zone.sees == "owner"


def hides_piece(layout: Layout, state: State, number: int) -> bool:
    """Whether a variable says, where its piece lies now, that the piece lies face down: anybody can see whether it
    does."""
    slot = layout.slots[number]
    if slot.owner_kind in ("", "player"):
        return False
    zone = layout.places[state.place[slot.owner]].zone
    return layout.hider.get((zone, layout.kind_of[slot.owner])) == slot.variable


# ------------------------------------------------------------------ variables


def sees_variable(layout: Layout, state: State, number: int, viewer: int) -> bool:
    """Whether a player sees the value of a variable (whether it sees the piece that owns it is another question)."""
    slot = layout.slots[number]
    if slot.sees != "owner":
        return is_open_variable(layout, number)
    held = slot.owner_kind not in ("", "player")
    return (owner_seat(layout, state, state.place[slot.owner]) if held else slot.owner) == viewer


def is_open_variable(layout: Layout, number: int) -> bool:
    """Whether everybody sees the value of a variable."""
    return layout.slots[number].sees == "all"


def sees_wholly(layout: Layout, state: State, piece: int, viewer: int) -> bool:
    """Whether a player sees all there is to a piece: which it is, its variables, and how much it holds."""
    kind = layout.kind_of[piece]
    return (
        sees_piece(layout, state, piece, viewer)
        and all(
            sees_variable(layout, state, layout.variable(number, piece), viewer)
            for number in layout.piece_variables.get(kind, ())
        )
        and all(sees_count(layout, state, owned, viewer) for owned in layout.owned.get(piece, ()))
    )


def keeps_secrets(components: Components) -> bool:
    """Whether a piece that somebody sees may have variables, or hold a number of pieces, that he does not see."""
    held = [variable for variable in components.variables.values() if variable.owner in components.kinds]
    owned = [zone for zone in components.zones.values() if zone.owner in components.kinds]
    return any(variable.sees != "all" for variable in held) or any(zone.counts != "all" for zone in owned)


def declared_sight(layout: Layout) -> tuple[object, ...]:
    """All that a table says about who sees what: equal for two layouts in which everybody sees the same."""
    return [(place.sees, place.counts) for place in layout.places], [slot.sees for slot in layout.slots], layout.hider
