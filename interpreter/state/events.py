"""What happened, for a log: events with who noticed what of them. Kept in a state only where somebody wants to read it.

An event is told when it happens, as each seat sees the table then: nothing that is hidden later is taken back, and
nothing that comes out later is told before. What a player *heard* is what the events told him.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from attrs import evolve, frozen

from interpreter.state.labels import Shown, show_bound, show_cell, show_piece, show_value
from interpreter.state.layout import Layout
from interpreter.state.state import State
from interpreter.state.visibility import notices, owner_seat, sees_piece, sees_variable
from warlock_dsl.check.program import Constant
from warlock_dsl.types import Type

Told = tuple[tuple[str, Shown], ...]  # what a player noticed of an event, by name
View = Callable[[int], Told | None]


@frozen
class Event:
    """`what` is move, swap, shuffle, show, variable, roll, say or answer. `seen` are the seats that know which piece it
    was (`other_seen`: which was the other piece of a swap); `who` acted or was asked, `name` is the question, the roll
    or what was said, `bound` what the names of its rule meant, by seat.

    `told` is what each seat noticed, by seat, None where it noticed nothing; the last is for one who sees everything.
    `secret`: an answer that waits until all have answered."""

    what: str
    piece: int = -1
    source: int = -1
    place: int = -1
    old_cell: int = -1
    cell: int = -1
    seen: frozenset[int] = frozenset()
    other: int = -1
    other_seen: frozenset[int] = frozenset()
    variable: int = -1
    value: Constant = 0
    type: Type | None = None
    name: str = ""
    who: int = -1
    bound: tuple[Told, ...] = ()
    to: frozenset[int] = frozenset()
    told: tuple[Told | None, ...] = ()
    secret: bool = False


@frozen
class Heard:
    """What one player noticed of an event. `who` is the seat that acted or was asked, or -1; `name` the address of the
    question or the roll, what was said, or the variable; `values` what is known of it, by name."""

    what: str
    who: int
    name: str
    values: Told

    def data(self) -> dict[str, Any]:
        values = {name: shown.data() for name, shown in self.values}
        return {"what": self.what, "who": self.who, "name": self.name, "values": values}


def heard(event: Event, seat: int) -> Heard | None:
    """An event as a seat noticed it (-1: one who sees everything); None where it did not. A bystander, of a number that
    no seat has, notices what all seats notice alike."""
    values = for_seat(event.told, seat) if event.told else None
    return None if values is None else Heard(event.what, event.who, event.name, values)


def for_seat(by_seat: Sequence[Told | None], seat: int) -> Told | None:
    """What is for a seat, of what there is by seat, the last for one who sees everything."""
    if seat < len(by_seat) - 1:
        return by_seat[seat]
    return by_seat[0] if all(one == by_seat[0] for one in by_seat[1:-1]) else None


# ------------------------------------------------------------------ recording


def watchers(layout: Layout, state: State, piece: int) -> frozenset[int]:
    """The seats that see which piece this is; nobody where no log is kept."""
    if state.events is None:
        return frozenset()
    return frozenset(seat for seat in range(layout.players) if sees_piece(layout, state, piece, seat))


def bound_by_seat(
    layout: Layout, state: State, names: Mapping[int, tuple[str, Type]], slots: Sequence[Any], known: frozenset[int]
) -> tuple[Told, ...]:
    """What each seat may know of the names of a rule in progress, `me` being who acts."""
    me = ("me", Shown("player", f"seat{slots[0]}", owner=slots[0]))
    return tuple((me, *show_bound(layout, state, names, slots, known, seat)) for seat in (*range(layout.players), -1))


def record(layout: Layout, state: State, event: Event, audience: Collection[int] | None = None) -> None:
    """Add an event to the log of a state; `seen` is completed by who sees the pieces after it.

    `audience` are the seats it is for (None: all that can notice it)."""
    if state.events is None:
        return
    view: View
    match event.what:
        case "move" | "swap":
            seen = event.seen | watchers(layout, state, event.piece)
            other_seen = event.other_seen | (watchers(layout, state, event.other) if event.other >= 0 else frozenset())
            event = evolve(event, seen=seen, other_seen=other_seen)
            view = _Moved(layout, state, event)
        case "shuffle" | "show":
            view = _Placed(layout, state, event)
        case "variable":
            slot = layout.slots[event.variable]
            held = slot.owner_kind not in ("", "player")
            seen = watchers(layout, state, slot.owner) if held else event.seen
            who = slot.owner if slot.owner_kind == "player" else -1
            event = evolve(event, value=state.variables[event.variable], seen=seen, name=slot.name, who=who)
            view = _Changed(layout, state, event)
        case _:
            view = _Said(layout, state, event)
    told = tuple(view(seat) if _among(audience, seat) else None for seat in (*range(layout.players), -1))
    state.events.append(evolve(event, told=told))


def _among(audience: Collection[int] | None, seat: int) -> bool:
    return audience is None or seat < 0 or seat in audience


def reveal(layout: Layout, state: State) -> None:
    """Tell everybody what was answered in secret: the answers that lie on top of the log."""
    waiting: list[Event] = []
    while state.events and state.events[-1].secret:
        waiting.append(state.events.pop())
    for event in reversed(waiting):
        record(layout, state, evolve(event, secret=False), event.to)


# --------------------------------------------------------------------- views


@frozen
class _Moved:
    """A move, or two pieces that changed places: to whoever notices one of the places (both, of a swap)."""

    layout: Layout
    state: State
    event: Event

    def __call__(self, seat: int) -> Told | None:
        event = self.event
        noticed = [seat < 0 or notices(self.layout, self.state, place, seat) for place in (event.source, event.place)]
        if not (all(noticed) if event.what == "swap" else any(noticed)):
            return None
        pieces = [("piece", self.piece(event.piece, event.seen, seat))]
        if event.what == "swap":
            pieces.append(("other", self.piece(event.other, event.other_seen, seat)))
        places = [("source", event.source), ("place", event.place)]
        cells = [("old_cell", event.old_cell), ("cell", event.cell)]
        found = [(name, zone_label(self.layout, self.state, place, seat)) for name, place in places]
        known = [on for on, is_noticed in zip(cells, noticed, strict=True) if is_noticed and on[1] >= 0]
        found += [(name, show_cell(self.layout, self.state, cell, seat, True)) for name, cell in known]
        return (*pieces, *found)

    def piece(self, piece: int, seen: frozenset[int], seat: int) -> Shown:
        kind = self.layout.kind_names[self.layout.kind_of[piece]]
        return Shown("piece", self.layout.piece_names[piece] if seat < 0 or seat in seen else "", kind)


@frozen
class _Placed:
    """Something that happens to a place, or to a piece there: to whoever notices the place."""

    layout: Layout
    state: State
    event: Event

    def __call__(self, seat: int) -> Told | None:
        layout, state, event = self.layout, self.state, self.event
        if seat >= 0 and seat not in event.to and not notices(layout, state, event.place, seat):
            return None
        found: Told = (("place", zone_label(layout, state, event.place, seat)),)
        if event.what == "shuffle":
            return found
        players = tuple(Shown("player", f"seat{one}", owner=one) for one in sorted(event.to))
        piece = show_piece(layout, state, event.piece, seat, placed=notices(layout, state, event.place, seat))
        return ("piece", piece), ("to", Shown("list", items=players)), *found


@frozen
class _Changed:
    """A variable: to whoever sees its value; one of a piece that is not seen by the place of the piece."""

    layout: Layout
    state: State
    event: Event

    def __call__(self, seat: int) -> Told | None:
        layout, state, number = self.layout, self.state, self.event.variable
        slot = layout.slots[number]
        if seat >= 0 and not sees_variable(layout, state, number, seat):
            return None
        value: Told = (("value", show_value(layout, state, self.event.value, slot.type, seat)),)
        value = (*value, ("row", Shown("row", slot.row, slot.by))) if slot.row else value
        if slot.owner_kind in ("", "player"):
            return value
        if seat >= 0 and not notices(layout, state, state.place[slot.owner], seat):
            return None
        return ("piece", show_piece(layout, state, slot.owner, seat, placed=True)), *value


@frozen
class _Said:
    """A roll, an answer, or what somebody says: as each seat sees the pieces in it."""

    layout: Layout
    state: State
    event: Event

    def __call__(self, seat: int) -> Told | None:
        event = self.event
        if event.secret and seat not in (event.who, -1):
            return None
        if event.what == "say":
            return event.bound[seat]
        assert event.type is not None
        name = event.name.rpartition(".")[2]
        told: Told = ((name, show_value(self.layout, self.state, event.value, event.type, seat, placed=True)),)
        cell = self.state.cell[event.value] if self.is_seen_piece(told[0][1]) else -1  # type: ignore[index]
        return (*told, ("at", show_cell(self.layout, self.state, cell, seat, True))) if cell >= 0 else told

    def is_seen_piece(self, shown: Shown) -> bool:
        """Whether somebody chose a piece that is seen: where it lay is told with it."""
        return self.event.what == "answer" and shown.what == "piece" and bool(shown.name)


def zone_label(layout: Layout, state: State, number: int, seat: int) -> Shown:
    """A place as a seat notices it, with whose it is, through the pieces that own it; nothing where it does not."""
    if seat >= 0 and not notices(layout, state, number, seat):
        return Shown("none")
    place = layout.places[number]
    holder = None
    if place.owner_kind not in ("", "player"):
        holder = show_piece(layout, state, place.owner, seat, placed=True)
    owner = owner_seat(layout, state, number)
    return Shown("zone", place.name, owner=owner, holder=holder, for_row=place.by, for_name=place.row)
