"""A permutation of the pieces, carried through a whole state.

Through the zones, the cells, the variables and zones a piece owns, and every slot of every rule in progress (by its
type, `LoweredRule.slot_types`), the parked answers of a secret choice included. What a piece is marked with and holds
stays where it is: the piece that takes its place takes it over.
"""

from __future__ import annotations

from typing import Any

from interpreter.ir import blocks as ir
from interpreter.ir.analysis import answers_slots
from interpreter.state.layout import Layout
from interpreter.state.state import Frame, State
from warlock_dsl import types as t


class Renaming:
    """Carries a permutation of the pieces through a state."""

    def __init__(self, layout: Layout, lowered_rules: tuple[ir.LoweredRule, ...], renamed: list[int]) -> None:
        self.lowered_rules = lowered_rules
        self.layout = layout
        self.renamed = renamed
        self.places = [self._place(number) for number in range(len(self.layout.places))]
        self.answer_slots: dict[int, frozenset[int]] = {}  # by rule: where parked answers wait

    def _place(self, number: int) -> int:
        """Where a place goes: the zones a piece owns go with it."""
        place = self.layout.places[number]
        if place.owner_kind in ("", "player"):
            return number
        return self.layout.place_with(number, self.renamed[place.owner])

    def cell(self, cell: int) -> int:
        if cell < 0:
            return cell
        old = self.layout.cell_place[cell]
        new = self.places[old]
        return cell + self.layout.places[new].first_cell - self.layout.places[old].first_cell

    def state(self, old: State) -> State:
        new = old.copy()
        for number, pieces in enumerate(old.zones):
            new.zones[self.places[number]] = [self.renamed[piece] for piece in pieces]
        for piece, other in enumerate(self.renamed):
            new.place[other] = self.places[old.place[piece]]
            new.cell[other] = self.cell(old.cell[piece])
        for cell, piece in enumerate(old.at):
            new.at[self.cell(cell)] = self.renamed[piece] if piece >= 0 else -1
        for number, slot in enumerate(self.layout.slots):
            owned = slot.owner_kind not in ("", "player")
            target = self.layout.variable_with(number, self.renamed[slot.owner]) if owned else number
            new.variables[target] = self.value(old.variables[number], slot.type)
        new.known = {self.renamed[piece]: seats for piece, seats in old.known.items()}
        new.stack = [Frame(f.rule, f.block, list(self.slots(f.rule, f.locals))) for f in old.stack]
        return new

    def slots(self, rule: int, slots: Any) -> tuple[Any, ...]:
        lowered = self.lowered_rules[rule]
        if rule not in self.answer_slots:
            self.answer_slots[rule] = answers_slots(lowered)
        parked = self.answer_slots[rule]
        return tuple(
            self.parked(value) if number in parked else self.value(value, lowered.slot_types.get(number, t.UNKNOWN))
            for number, value in enumerate(slots)
        )

    def parked(self, answers: Any) -> Any:
        """What waits for its turn: frames of each seat that has answered."""
        if answers is None:
            return None
        return tuple(tuple((rule, block, self.slots(rule, own)) for rule, block, own in seat) for seat in answers)

    def value(self, value: Any, kind: t.Type) -> Any:
        if value is None:
            return None
        match kind:
            case t.PieceType():
                return self.renamed[value]
            case t.ZoneType():
                return self.places[value]
            case t.CellType():
                return self.cell(value)
            case t.ListType(item) | t.MapType(_, item) if isinstance(value, tuple):
                return tuple(self.value(one, item or t.UNKNOWN) for one in value)
            case _:
                return value
