"""What happened, for a log: events with who could see them. Kept only where somebody wants to read it."""

from __future__ import annotations

from attrs import evolve, frozen

from interpreter.layout import Layout
from interpreter.sight import sees_piece
from interpreter.state import State
from warlock_dsl.core import Constant


@frozen
class Event:
    """`what` is move, swap, shuffle, variable or roll. `seen` are the seats that know which piece it was (a
    swap: which two)."""

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


class Journal:
    """Events since it was last emptied."""

    def __init__(self) -> None:
        self.events: list[Event] = []

    def watchers(self, layout: Layout, state: State, piece: int) -> frozenset[int]:
        return frozenset(seat for seat in range(layout.players) if sees_piece(layout, state, piece, seat))

    def add(self, layout: Layout, state: State, event: Event) -> None:
        if event.what == "move":
            event = evolve(event, seen=event.seen | self.watchers(layout, state, event.piece))
        if event.what == "swap":
            both = self.watchers(layout, state, event.piece) & self.watchers(layout, state, event.other)
            event = evolve(event, seen=both)
        if event.what == "variable":
            event = evolve(event, value=state.variables[event.variable])
        self.events.append(event)
