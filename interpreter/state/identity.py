"""When two states of a game are the same: words that neither twins that change places alter, nor what nobody reads.

Twins (pieces of one kind with the same fields) are named by where they lie, walking over the zones in their order;
zones that a piece owns are walked after those met before. So two states that differ by exchanging twins have the same
identity. The order of pieces in a zone counts: the top of a pile is something a rule can ask for.

An identity is a row of 64-bit words, so that every machine can write the same: lists have their length before them, and
a value says before it what it is.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Any

from interpreter.ir import blocks as ir
from interpreter.ir.analysis import answers_slots, live_slots
from interpreter.state.layout import Layout
from interpreter.state.state import State
from warlock_dsl import types as t

NOTHING, TRUTH, NUMBER, LIST, CELL, PARKED = range(6)  # what a word says of the value after it
RAW, PIECE, ZONE, CELLS, WAITING = range(5)  # how the values of a slot are named


def naming(kind: t.Type | None) -> int:
    """How values of a type are named: those that mean pieces, or what belongs to pieces, by where these lie."""
    while isinstance(kind, t.ListType):
        kind = kind.item
    match kind:
        case t.PieceType():
            return PIECE
        case t.ZoneType():
            return ZONE
        case t.CellType():
            return CELLS
        case _:
            return RAW


def told_slots(lowered_rules: Sequence[ir.LoweredRule]) -> list[list[list[tuple[int, int]]]]:
    """By rule and block: each slot that may still be read, and how its values are named."""
    found = []
    for lowered in lowered_rules:
        parked = answers_slots(lowered)
        kinds = [WAITING if n in parked else naming(lowered.slot_types.get(n)) for n in range(lowered.slots)]
        found.append([[(slot, kinds[slot]) for slot in slots] for slots in live_slots(lowered)])
    return found


class Identities:
    """Makes the identities of states of one ruleset and number of players."""

    def __init__(self, layout: Layout, lowered_rules: Sequence[ir.LoweredRule]) -> None:
        self.layout = layout
        self.told = told_slots(lowered_rules)
        self.namings = [naming(slot.type) for slot in layout.slots]

    def of(self, s: State, chance: bool) -> bytes:
        """The identity of a state; `chance` says whether the random stream is part of it."""
        return array("q", _Writing(self, s).whole(chance)).tobytes()


class _Writing:
    """One state being written: the names of its pieces, and of what belongs to them."""

    def __init__(self, made: Identities, s: State) -> None:
        self.made, self.layout, self.state = made, made.layout, s
        self.places: dict[int, int] = {}  # place -> where it stands in the walk
        self.words: list[int] = []
        layout, zones, twins = self.layout, s.zones, self.layout.twin
        waiting = [number for number, place in enumerate(layout.places) if place.owner_kind in ("", "player")]
        for number in waiting:  # grows as owners are met
            self.places[number] = len(self.places)
            pieces = zones[number]
            self.words.append(len(pieces))
            self.words += [twins[piece] for piece in pieces]
            first = layout.places[number].first_cell
            if first >= 0:
                self.words += [s.cell[piece] - first for piece in pieces]
            for piece in pieces if layout.owned else ():
                waiting += layout.owned.get(piece, ())

    def whole(self, chance: bool) -> list[int]:
        s = self.state
        self.variables()
        self.words.append(len(s.stack))
        for frame in s.stack:
            self.frame(frame.rule, frame.block, frame.locals)
        winners = -1 if s.winners is None else sum(1 << seat for seat in s.winners)
        self.words += (s.asking, winners, len(s.fate), *s.fate)
        self.words += (s.rng >> 32, s.rng & 0xFFFFFFFF) if chance else (0, 0)
        known = sorted((self.piece(piece), seats) for piece, seats in s.known.items())
        self.words.append(len(known))
        for pair in known:
            self.words += pair
        return self.words

    def piece(self, piece: int) -> int:
        """The name of a piece: the place it lies at, and how many lie before it."""
        place = self.state.place[piece]
        return self.places[place] * self.layout.piece_count + self.state.zones[place].index(piece)

    def variables(self) -> None:
        """The variables that have not their first value, those of pieces by the names of these."""
        layout, values = self.layout, self.state.variables
        changed = []
        for number, first_value in enumerate(layout.first_values):
            if values[number] != first_value:
                slot = layout.slots[number]
                own = slot.owner_kind in ("", "player")
                owner = -1 if own else self.piece(slot.owner)
                first_owner = layout.slots[layout.variable_first[slot.variable]].owner
                name = number if own else layout.variable_with(number, first_owner)
                changed.append((name, owner, number))
        self.words.append(len(changed))
        for name, owner, number in sorted(changed):
            self.words += (name, owner)
            self.value(values[number], self.made.namings[number])

    def frame(self, rule: int, block: int, slots: Any) -> None:
        """A rule in progress: the slots that may still be read."""
        self.words += (rule, block)
        for slot, kind in self.made.told[rule][block]:
            value = slots[slot]
            if kind != WAITING or value is None:
                self.value(value, kind)
                continue
            self.words += (PARKED, len(value))
            for frames in value:
                self.words.append(len(frames))
                for frame in frames:
                    self.frame(*frame)

    def value(self, value: Any, kind: int) -> None:
        """A value with pieces, and what belongs to them, by their names."""
        if value is None:
            self.words.append(NOTHING)
        elif isinstance(value, bool):
            self.words += (TRUTH, value)
        elif isinstance(value, tuple):
            self.words += (LIST, len(value))
            for item in value:
                self.value(item, kind)
        elif kind == PIECE:
            self.words += (NUMBER, self.piece(value))
        elif kind == ZONE:
            self.words += (NUMBER, self.places[value])
        elif kind == CELLS and value >= 0:
            place = self.layout.cell_place[value]
            self.words += (CELL, self.places[place], value - self.layout.places[place].first_cell)
        else:
            self.words += (NUMBER, value)
