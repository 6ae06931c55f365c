"""When two states of a game are the same: a key that neither twins that change places alter, nor what nobody reads.

Twins (pieces of one kind with the same fields) are named by where they lie, walking over the zones in their order;
zones that a piece owns are walked after those met before. So two states that differ by exchanging twins have the same
key. The order of pieces in a zone counts: the top of a pile is something a rule can ask for.
"""

from __future__ import annotations

import hashlib
from typing import Any

from interpreter import Layout, PlainMachine, State, answers_slots, live_slots
from warlock_dsl import types as t

BYTES = 12  # of a key: among ten million states two share one by accident in fewer than one of 10^14 runs


class StateKeys:
    """Makes the keys of the states of one machine. `chance` says whether the random stream is part of a state."""

    def __init__(self, machine: PlainMachine, chance: bool) -> None:
        self.layout = machine.layout
        self.chance = chance
        self.live = [live_slots(lowered) for lowered in machine.lowered_rules]
        self.answers_slots = [answers_slots(lowered) for lowered in machine.lowered_rules]
        # By rule and block: each slot that matters, and its type where its values must be named anew.
        self.told = [
            [[(slot, _named(lowered.slot_types.get(slot)), slot in parked) for slot in slots] for slots in live]
            for lowered, live, parked in zip(machine.lowered_rules, self.live, self.answers_slots, strict=True)
        ]

    def key(self, s: State) -> bytes:
        """The key of a state at a question or at its end."""
        naming = _Naming(self.layout, s)
        told = [
            naming.zones,
            naming.variables(),
            [self.frame(naming, frame.rule, frame.block, frame.locals) for frame in s.stack],
            s.asking,
            s.winners,
            s.fate,
            s.rng if self.chance else 0,
        ]
        if s.known:
            told.append(sorted((naming.piece(piece), seats) for piece, seats in s.known.items()))
        return hashlib.blake2b(repr(told).encode(), digest_size=BYTES).digest()

    def frame(self, naming: _Naming, rule: int, block: int, slots: Any) -> list[Any]:
        """A rule in progress: the slots that may still be read."""
        found: list[Any] = [rule, block]
        for slot, kind, parks in self.told[rule][block]:
            value = slots[slot]
            if value is None:
                found.append(value)
            elif parks:
                found.append([[self.frame(naming, *f) for f in frames] for frames in value])
            else:
                found.append(value if kind is None else naming.value(value, kind))
        return found


def _named(kind: t.Type | None) -> t.Type | None:
    """A type whose values mean pieces, or what belongs to pieces; None for the others, which say what they are."""
    inner = kind
    while isinstance(inner, t.ListType):
        inner = inner.item
    return kind if isinstance(inner, t.PieceType | t.ZoneType | t.CellType) else None


class _Naming:
    """The names of the pieces of one state, and of what belongs to them: where each is met on a walk over the zones."""

    def __init__(self, layout: Layout, s: State) -> None:
        self.layout = layout
        self.state = s
        self.places: dict[int, int] = {}  # place -> where it stands in the walk
        self.zones: list[Any] = []
        owned = layout.owned
        waiting = [number for number, place in enumerate(layout.places) if place.owner_kind in ("", "player")]
        twins, zones, cells = layout.twin, s.zones, s.cell
        for number in waiting:  # grows as owners are met
            self.places[number] = len(self.places)
            pieces = zones[number]
            if not pieces:
                self.zones.append(0)
                continue
            entry = [twins[piece] for piece in pieces]
            if layout.places[number].first_cell >= 0:
                first = layout.places[number].first_cell
                entry += [cells[piece] - first for piece in pieces]
            self.zones.append(entry)
            if owned:
                for piece in pieces:
                    waiting += owned.get(piece, ())

    def piece(self, piece: int) -> int:
        """The name of a piece: the place it lies at, and how many lie before it."""
        place = self.state.place[piece]
        return self.places[place] * self.layout.piece_count + self.state.zones[place].index(piece)

    def variables(self) -> list[Any]:
        """The variables that have not their first value, those of pieces by the names of these."""
        layout = self.layout
        found = []
        for number, (value, first) in enumerate(zip(self.state.variables, layout.first_values, strict=True)):
            if value != first:
                slot = layout.slots[number]
                owner = slot.owner if slot.owner_kind in ("", "player") else self.piece(slot.owner)
                row = [slot.row] if slot.row else []
                found.append([slot.variable, owner, *row, self.value(value, slot.type)])
        return sorted(found, key=lambda one: one[:-1])

    def value(self, value: Any, kind: t.Type | None) -> Any:
        """A value with pieces, and what belongs to them, by their names."""
        if value is None or isinstance(value, bool):
            return value
        match kind:
            case t.PieceType():
                return self.piece(value)
            case t.ZoneType():
                return self.places[value]
            case t.CellType() if value >= 0:
                place = self.layout.cell_place[value]
                return [self.places[place], value - self.layout.places[place].first_cell]
            case t.ListType():
                return [self.value(item, kind.item) for item in value]
        return value
