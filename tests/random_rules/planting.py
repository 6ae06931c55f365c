"""Plain machines with one mistake each: what a comparison of machines must find.

`PLANTED` has a maker of such a machine for each primitive and for each statement that acts or asks. Another machine can
be planted with mistakes in the same way: give `found_within` its own list of names and makers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from interpreter.ir import blocks as ir
from interpreter.ir.lower import lower
from interpreter.plain.evaluate import Locals
from interpreter.plain.machine import PlainMachine
from interpreter.state import random as chance
from interpreter.state.layout import Layout
from interpreter.state.state import State, lift_piece
from tests.random_rules.lockstep import Difference, Plan
from tests.random_rules.search import Maker, Tally, difference_of, rulesets
from warlock_dsl import types as t
from warlock_dsl.check import program as checked
from warlock_dsl.primitives import RECORDS
from warlock_dsl.ruleset import Ruleset


def wrong(machine: PlainMachine, value: Any, type_: t.Type) -> Any:
    """Another value of the same type."""
    match type_:
        case t.TruthType():
            return not value
        case t.NumberType():
            return value + machine.unit
        case t.PlayerType():
            return (value + 1) % machine.players
        case t.RowType():
            return (value + 1) % len(machine.layout.components.tables[type_.table].rows)
        case t.CellType():
            return value - 1 if value > 0 else value + 1
        case _:
            return value[::-1] if len(value) > 1 and value[::-1] != value else value[:-1]


class WrongPrimitive(PlainMachine):
    """One primitive gives another value than it should."""

    name = ""

    def primitive(self, s: State, e: checked.Primitive, slots: Locals) -> Any:
        value = super().primitive(s, e, slots)
        return wrong(self, value, e.type) if e.name == self.name else value

    def keyed(self, s: State, e: checked.Keyed, slots: Locals) -> tuple[Any, ...]:
        value = super().keyed(s, e, slots)
        found: tuple[Any, ...] = wrong(self, value, e.type) if e.name == self.name else value
        return found


IDLE = {"say": "SayStep", "show": "ShowStep", "swap": "SwapStep", "reset": "ResetStep"}  # steps that do nothing


class WrongStep(PlainMachine):
    """One form of statement does something else, or nothing."""

    name = ""

    def act(self, s: State, step: ir.Step, slots: Locals) -> None:
        name = type(step).__name__
        if name == "ShuffleStep" and self.name == "shuffle":
            s.rng, _ = chance.step(s.rng)
        elif self.name in IDLE and name == IDLE[self.name]:
            return
        super().act(s, step, slots)

    def move_one(self, s: State, piece: int, to: int, is_cell: bool, step: ir.MoveStep) -> None:
        super().move_one(s, piece, to, is_cell, step)
        if self.name == "move" and s.cell[piece] < 0:  # at the bottom, not on top
            place = s.place[piece]
            lift_piece(s, piece)
            s.zones[place] = [piece, *s.zones[place]]
            s.place[piece] = place

    def write(self, s: State, number: int, value: Any) -> None:
        if self.name != "set" or isinstance(value, tuple):
            super().write(s, number, value)

    def fits(self, s: State, question: checked.Question, slots: Locals, value: Any) -> bool:
        found = super().fits(s, question, slots, value)
        return found or (self.name == "where" and question.mode == "one")

    def next_random(self, s: State, n: int) -> int:
        pick = super().next_random(s, n)
        return n - 1 - pick if self.name == "roll" else pick

    def count(self, s: State) -> int:
        found = super().count(s)
        return max(found - 1, 0) if self.name == "count_options" else found

    def tick(self, amount: int = 1) -> None:
        super().tick(amount + (self.name == "work"))

    def law(self, s: State, step: ir.LawStep, slots: Locals) -> None:
        if self.name != "law_of_a_rule":
            super().law(s, step, slots)

    def check_invariants(self, s: State) -> None:
        if self.name != "invariant":
            super().check_invariants(s)

    def again(self, s: State, frame: Any, end: ir.Again) -> None:
        if self.name == "repeat" and isinstance(frame.locals[end.slot], int) and frame.locals[end.slot] == 1:
            frame.locals[end.slot] = 0
        super().again(s, frame, end)

    def replacement(self, s: State, end: ir.Instead, slots: Locals) -> int:
        return -1 if self.name == "instead" else super().replacement(s, end, slots)

    def seats(self, s: State, frame: Any, end: ir.Seats) -> None:
        slots, statement = frame.locals, end.statement
        if self.name == "together" and slots[statement.answers_slot] is None:
            slots[statement.seats_slot] = slots[statement.seats_slot][:-1]
        super().seats(s, frame, end)

    def would(self, s: State, e: checked.Would, slots: Locals) -> Any:
        return self.ev(s, e.value, slots) if self.name == "would" else super().would(s, e, slots)

    def can(self, s: State, e: checked.Can, slots: Locals) -> bool:
        return True if self.name == "can" else super().can(s, e, slots)


STEPS = (
    *("move", "set", "swap", "shuffle", "show", "say", "reset", "roll", "where", "count_options", "work"),
    *("law_of_a_rule", "invariant", "repeat", "instead", "together", "would", "can"),
)
NO_FUNCTION = ("me", "my")  # values that are read from a slot


def _maker(kind: type[PlainMachine], planted: str) -> Maker:
    made = type(f"{kind.__name__}_{planted}", (kind,), {"name": planted})

    def make(ruleset: Ruleset, players: int, laws: bool) -> PlainMachine:
        layout = Layout(ruleset.program, ruleset.components, players)
        machine: PlainMachine = made(layout, lower(ruleset.program), laws)
        return machine

    return make


PRIMITIVE_PLANTS = {name: _maker(WrongPrimitive, name) for name in RECORDS if name not in NO_FUNCTION}
STEP_PLANTS = {name: _maker(WrongStep, name) for name in STEPS}
PLANTED: dict[str, Maker] = {**PRIMITIVE_PLANTS, **STEP_PLANTS}


def uses(ruleset: Ruleset) -> set[str]:
    """The primitives that a ruleset calls: a mistake in another cannot show."""
    from warlock_dsl import nodes

    return {node.name for node in nodes(ruleset.program) if isinstance(node, checked.Primitive | checked.Keyed)}


def found_within(
    plants: dict[str, Maker],
    seeds: Iterable[int],
    plan: Plan,
    report: Callable[[str, int], None] = lambda *_: None,
    without: Maker | None = None,
) -> dict[str, int]:
    """For each planted mistake, after how many cases it was found; those that were not are left out. `without` makes
    the machine without a mistake: a case on which that one differs, too, proves nothing."""
    found: dict[str, int] = {}
    tally = Tally()
    for seed, case, ruleset in rulesets(seeds, (), tally):
        called, sound = uses(ruleset), without is None
        for name, make in plants.items():
            if name in found or (name in PRIMITIVE_PLANTS and name not in called):
                continue
            if isinstance(difference_of(ruleset, case.players, seed, make, plan), Difference):
                if without is not None and not sound:
                    sound = not isinstance(difference_of(ruleset, case.players, seed, without, plan), Difference)
                if not sound:
                    break
                found[name] = tally.cases
                report(name, tally.cases)
        if len(found) == len(plants):
            break
    return found
