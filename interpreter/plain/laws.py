"""The laws that every game has, whatever its rules: each piece in one place, each counter in its range."""

from __future__ import annotations

from interpreter.errors import LawViolationError
from interpreter.state.layout import Layout
from interpreter.state.state import State


def check_pieces(layout: Layout, s: State) -> None:
    """Each piece lies in one place, and on the cell that it says; alone there, or in a stack."""
    for place, pieces in enumerate(s.zones):
        for number, piece in enumerate(pieces):
            cell = s.cell[piece]
            if s.place[piece] == place and (cell < 0 or s.at[cell] == piece):
                continue
            above = pieces[number + 1] if number + 1 < len(pieces) else -1
            if s.place[piece] != place or not layout.stacks[cell] or above < 0 or s.cell[above] != cell:
                raise LawViolationError(f"'{layout.piece_names[piece]}' lies in two places", law="pieces")
    if sum(len(pieces) for pieces in s.zones) != layout.piece_count:
        raise LawViolationError("a piece lies nowhere or twice", law="pieces")


def check_counters(layout: Layout, s: State) -> None:
    """Each counter is in its range."""
    for slot, value in zip(layout.slots, s.variables, strict=True):
        if slot.low is not None and isinstance(value, int) and not slot.low <= value <= (slot.high or 0):
            raise LawViolationError(f"'{slot.name}' is out of its range", law="counters")
