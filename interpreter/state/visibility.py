"""Who sees what at a moment of a game: the only module that knows what the words of `sees` and `count` mean there.

A zone says who sees the pieces that lie in it and who sees how many there are, a variable who sees its value. All that
anybody is shown, offered, told or dealt anew asks here. A new word is added here and to `warlock_dsl/sight`,
which has the words and what they promise before anything is played.
"""

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


# ---------------------------------------------------------------------- zones


def sees_piece(layout: Layout, state: State, piece: int, viewer: int) -> bool:
    """Whether a player sees which piece this is, or has been shown it."""
    if state.known and state.known.get(piece, 0) >> viewer & 1:
        return True
    number = state.place[piece]
    place = layout.places[number]
    hider = layout.hider.get((place.zone, layout.kind_of[piece]))
    if hider is not None and state.variables[layout.variable(hider, piece)]:
        return False
    if place.sees == "top":
        cell = state.cell[piece]
        return (state.at[cell] if cell >= 0 and layout.stacks[cell] else state.zones[number][-1]) == piece
    return _sees_all_of(layout, state, number, viewer)


def _sees_all_of(layout: Layout, state: State, number: int, viewer: int) -> bool:
    """Whether a place is open to a player, pieces that lie turned aside."""
    word = layout.places[number].sees
    return word == "all" or _sees(state, word, owner_seat(layout, state, number), layout.place_viewers[number], viewer)


def _sees(state: State, word: str, owner: int, viewers: int, viewer: int) -> bool:
    """Whether a word of the tables includes a player; `viewers` is where the variable stands that it names, or -1."""
    match word:
        case "all":
            return True
        case "owner":
            return owner == viewer
        case "others":
            return owner != viewer
        case "none" | "top":
            return False
        case _:
            named: object = state.variables[viewers]
            return viewer in named if isinstance(named, tuple) else viewer == named


def sees_count(layout: Layout, state: State, place: int, viewer: int) -> bool:
    """Whether a player sees how many pieces lie here."""
    return layout.places[place].counted_by != "owner" or owner_seat(layout, state, place) == viewer


def is_open_count(layout: Layout, place: int) -> bool:
    """Whether everybody sees how many pieces lie here."""
    return layout.places[place].counted_by == "all"


def notices(layout: Layout, state: State, number: int, viewer: int) -> bool:
    """Whether a player notices what comes, goes and lies in a place: he sees how many there are, and all around it."""
    while viewer < 0 or sees_count(layout, state, number, viewer):
        place = layout.places[number]
        if viewer < 0 or place.owner_kind in ("", "player") or sees_piece(layout, state, place.owner, viewer):
            return True
        number = state.place[place.owner]
    return False


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
    held = slot.owner_kind not in ("", "player")
    owner = owner_seat(layout, state, state.place[slot.owner]) if held else slot.owner
    return _sees(state, slot.sees, owner, layout.slot_viewers[number], viewer)


def is_open_variable(layout: Layout, number: int) -> bool:
    """Whether everybody sees the value of a variable."""
    return layout.slots[number].sees == "all"


def sees_wholly(layout: Layout, state: State, piece: int, viewer: int) -> bool:
    """Whether a player sees all there is to a piece: which it is, its variables, those that may name it, and how much
    it holds."""
    kind = layout.kind_of[piece]
    return (
        sees_piece(layout, state, piece, viewer)
        and all(
            sees_variable(layout, state, number, viewer)
            for variable in layout.piece_variables.get(kind, ())
            for number in layout.variables_with(variable, piece)
        )
        and all(sees_variable(layout, state, number, viewer) for number in layout.naming.get(kind, ()))
        and all(sees_count(layout, state, owned, viewer) for owned in layout.owned.get(piece, ()))
    )


def declared_sight(layout: Layout) -> tuple[object, ...]:
    """All that a table says about who sees what: equal for two layouts in which everybody sees the same."""
    words = [(place.sees, place.counted_by) for place in layout.places], [slot.sees for slot in layout.slots]
    return *words, layout.hider, layout.place_viewers, layout.slot_viewers


def other_sight(old: Layout, new: Layout) -> tuple[int, ...]:
    """The places of which two layouts with the same places say something else about who sees what lies there; none
    where they differ in anything beside that."""

    def beside(layout: Layout) -> tuple[object, ...]:
        counted = [place.counted_by for place in layout.places]
        sees = [slot.sees for slot in layout.slots]
        return counted, sees, layout.hider, layout.place_viewers, layout.slot_viewers

    if beside(old) != beside(new):
        return ()
    both = zip(old.places, new.places, strict=True)
    return tuple(number for number, (one, other) in enumerate(both) if one.sees != other.sees)
