"""What happened, for a log: events with who could see them. Kept in a state only where somebody wants to read it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import evolve, frozen

from interpreter.state.labels import Shown, show_bound
from interpreter.state.layout import Layout
from interpreter.state.state import State
from interpreter.state.visibility import sees_piece
from warlock_dsl.check.program import Constant
from warlock_dsl.types import Type


@frozen
class Event:
    """`what` is move, swap, shuffle, variable or roll. `seen` are the seats that know which piece it was (a
    swap: which two; a variable of a piece: that saw the piece then). `bound` is what the names of the rule that rolled
    meant, by seat."""

    what: str
    piece: int = -1
    source: int = -1
    place: int = -1
    old_cell: int = -1
    cell: int = -1
    seen: frozenset[int] = frozenset()
    other: int = -1
    variable: int = -1
    value: Constant = 0
    name: str = ""
    bound: tuple[tuple[tuple[str, Shown], ...], ...] = ()
    to: frozenset[int] = frozenset()


def watchers(layout: Layout, state: State, piece: int) -> frozenset[int]:
    """The seats that see which piece this is; nobody where no log is kept."""
    if state.events is None:
        return frozenset()
    return frozenset(seat for seat in range(layout.players) if sees_piece(layout, state, piece, seat))


def bound_by_seat(
    layout: Layout, state: State, names: Mapping[int, tuple[str, Type]], slots: Sequence[Any], known: frozenset[int]
) -> tuple[tuple[tuple[str, Shown], ...], ...]:
    """What each seat may know of the names of a rule in progress, `me` being who acts."""
    me = ("me", Shown("player", f"seat{slots[0]}", owner=slots[0]))
    return tuple((me, *show_bound(layout, state, names, slots, known, seat)) for seat in range(layout.players))


def record(layout: Layout, state: State, event: Event) -> None:
    """Add an event to the log of a state; `seen` is completed by who sees the pieces after it."""
    if state.events is None:
        return
    if event.what == "move":
        event = evolve(event, seen=event.seen | watchers(layout, state, event.piece))
    if event.what == "swap":
        event = evolve(event, seen=watchers(layout, state, event.piece) & watchers(layout, state, event.other))
    if event.what == "variable":
        slot = layout.slots[event.variable]
        held = slot.owner_kind not in ("", "player")
        seen = watchers(layout, state, slot.owner) if held else event.seen
        event = evolve(event, value=state.variables[event.variable], seen=seen)
    state.events.append(event)
