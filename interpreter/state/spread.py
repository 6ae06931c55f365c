"""How many pieces lie where a player cannot count them, dealt anew.

The unseen pieces that lie in all such places are laid out over them again, each way to share them out being as likely
as any other; a place takes only what it holds and has room for. A piece that is seen stays where it is, and a place
with a piece that a rule in progress has in mind, or an open variable names, keeps its count.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from interpreter.ir import blocks as ir
from interpreter.state import random as chance
from interpreter.state.layout import Layout
from interpreter.state.state import State, lift_piece, put_piece
from interpreter.state.visibility import sees_count, sees_piece, sees_variable
from warlock_dsl import types as t


def spread(layout: Layout, state: State, uncounted: Sequence[int], viewer: int, stream: int) -> State | None:
    """A state with other counts; None where a piece would come to lie where the viewer sees it, or finds no room.

    `uncounted` are the places whose count may change. The state given is not touched."""
    loose: dict[int, list[int]] = {}
    for place in uncounted:
        for piece in state.zones[place]:
            if piece not in layout.owned and not sees_piece(layout, state, piece, viewer):
                loose.setdefault(layout.kind_of[piece], []).append(piece)
    moving = {piece for pieces in loose.values() for piece in pieces}
    lying = {place: [piece for piece in state.zones[place] if piece not in moving] for place in uncounted}
    coming: dict[int, list[int]] = {place: [] for place in uncounted}
    for kind, pieces in sorted(loose.items()):
        fitting = [place for place in uncounted if kind in layout.places[place].kinds]
        rooms = tuple(
            min(len(pieces), _room(layout, place) - len(lying[place]) - len(coming[place])) for place in fitting
        )
        stream, counts = share_out(len(pieces), rooms, stream)
        if counts is None:
            return None
        # which of them goes where matters only for what they are marked with: names are dealt out afterwards
        pieces.sort(key=lambda piece: _marks(layout, state, piece, viewer))
        stream, dealt = chance.shuffled(stream, pieces)
        for place, count in zip(fitting, counts, strict=True):
            coming[place] += dealt[:count]
            del dealt[:count]
    new = state.copy()
    for piece in moving:
        lift_piece(new, piece)
    for place in uncounted:
        stream = _lay(layout, new, place, lying[place], coming[place], stream)
    return None if any(sees_piece(layout, new, piece, viewer) for piece in moving) else new


def uncounted(
    layout: Layout, lowered_rules: tuple[ir.LoweredRule, ...], state: State, places: Sequence[int], viewer: int
) -> list[int]:
    """Those of some places whose count a player does not see, and may imagine to be another; none, if it is one alone:
    what lies there is what lies nowhere else."""
    unseen = [place for place in places if not sees_count(layout, state, place, viewer)]
    if len(unseen) > 1:
        named = {state.place[piece] for piece in named_pieces(layout, lowered_rules, state, viewer)}
        unseen = in_order(layout, state, [place for place in unseen if place not in named])
    return unseen if len(unseen) > 1 else []


def in_order(layout: Layout, state: State, places: Sequence[int]) -> list[int]:
    """Places in an order that does not depend on names: those of a piece come by where that piece lies."""

    def key(place: int) -> tuple[int, ...]:
        found = layout.places[place]
        if found.owner_kind in ("", "player"):
            return (place,)
        outer = state.place[found.owner]
        return (*key(outer), state.zones[outer].index(found.owner), found.zone, layout.owned[found.owner].index(place))

    return sorted(places, key=key) if layout.owned else list(places)


def named_pieces(layout: Layout, lowered_rules: tuple[ir.LoweredRule, ...], state: State, viewer: int) -> set[int]:
    """The pieces that rules in progress have in mind, and those that are named by variables the viewer sees."""
    found: set[int] = set()
    for frame in state.stack:
        for slot, kind in lowered_rules[frame.rule].slot_types.items():
            _collect(frame.locals[slot], kind, found)
    for number in {number for numbers in layout.naming.values() for number in numbers}:
        if sees_variable(layout, state, number, viewer):
            _collect(state.variables[number], layout.slots[number].type, found)
    return found


def _collect(value: Any, kind: t.Type, found: set[int]) -> None:
    if value is None:
        return
    if isinstance(kind, t.PieceType):
        found.add(value)
    elif isinstance(kind, t.ListType) and kind.item is not None and isinstance(value, tuple):
        for item in value:
            _collect(item, kind.item, found)


def _room(layout: Layout, place: int) -> int:
    """How many pieces a place can take in all."""
    cells = _cells(layout, place)
    return layout.piece_count if not cells or layout.stacks[cells[0]] else len(cells)


def _cells(layout: Layout, place: int) -> range:
    found = layout.places[place]
    first = found.first_cell
    return range(first, first + len(layout.components.grids[found.grid].cells)) if found.grid else range(0)


def _marks(layout: Layout, state: State, piece: int, viewer: int) -> list[str]:
    """What an unseen piece is marked with, as far as the viewer could know it."""
    kind = layout.kind_of[piece]
    numbers = (n for one in layout.piece_variables.get(kind, ()) for n in layout.variables_with(one, piece))
    marks = [repr(state.variables[n]) for n in numbers if sees_variable(layout, state, n, viewer)]
    return [*marks, repr(state.known.get(piece, 0))]


def _lay(layout: Layout, new: State, place: int, lying: list[int], coming: list[int], stream: int) -> int:
    """Put pieces among those that stay: on any cell with room, or at any place in the order."""
    stream, coming = chance.shuffled(stream, coming)
    cells = _cells(layout, place)
    if cells and layout.stacks[cells[0]]:
        for piece in coming:
            stream, number = chance.below(stream, len(cells))
            put_piece(layout, new, piece, place, cells[number])
    elif cells:
        stream, free = chance.shuffled(stream, [cell for cell in cells if new.at[cell] < 0])
        for piece, cell in zip(coming, free, strict=False):
            put_piece(layout, new, piece, place, cell)
    else:
        stream, numbers = chance.shuffled(stream, list(range(len(lying) + len(coming))))
        kept, stay, come = set(numbers[: len(lying)]), iter(lying), iter(coming)
        new.zones[place] = [next(stay) if number in kept else next(come) for number in range(len(numbers))]
        for piece in coming:
            new.place[piece] = place
    return stream


# ------------------------------------------------------------- sharing a number out


def share_out(total: int, rooms: tuple[int, ...], stream: int) -> tuple[int, list[int] | None]:
    """The stream, and how many each is given of a number of things, no more than it has room for: each way as likely as
    any other. None where they do not all fit."""
    counts: list[int] = []
    for place, room in enumerate(rooms):
        rest = _ways(total, rooms[place + 1 :])
        chances = [rest[total - count] for count in range(min(room, total) + 1)]
        if not sum(chances):
            return stream, None
        stream, left = _below(stream, sum(chances))
        count = 0
        while left >= chances[count]:
            left -= chances[count]
            count += 1
        counts.append(count)
        total -= count
    return stream, counts if not total else None


@lru_cache(maxsize=1024)
def _ways(most: int, rooms: tuple[int, ...]) -> tuple[int, ...]:
    """By number, from 0 to `most`: in how many ways that many things can be shared out."""
    if not rooms:
        return (1, *[0] * most)
    rest = _ways(most, rooms[1:])
    sums = [0]
    for one in rest:
        sums.append(sums[-1] + one)
    return tuple(sums[number + 1] - sums[max(0, number - rooms[0])] for number in range(most + 1))


def _below(stream: int, n: int) -> tuple[int, int]:
    """A fair number from 0 to n - 1, however large n is."""
    words = max(1, (n.bit_length() + 63) // 64)
    limit = (1 << 64 * words) - (1 << 64 * words) % n
    while True:
        number = 0
        for _ in range(words):
            stream, word = chance.step(stream)
            number = number << 64 | word
        if number < limit:
            return stream, number % n
