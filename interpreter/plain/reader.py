"""A plain machine that notices when an expression reads what a viewer does not see."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from interpreter.ir import blocks as ir
from interpreter.plain.evaluate import Locals
from interpreter.plain.machine import PlainMachine
from interpreter.state.layout import Layout
from interpreter.state.state import State
from interpreter.state.visibility import sees_count, sees_piece, sees_variable
from warlock_dsl import assumed
from warlock_dsl import types as t
from warlock_dsl.check import program as checked


class Reader(PlainMachine):
    """`tainted` says whether something was read that `viewer` does not see; a viewer of -1 sees everything."""

    def __init__(self, layout: Layout, lowered_rules: tuple[ir.LoweredRule, ...]) -> None:
        super().__init__(layout, lowered_rules, laws=False)
        self.viewer = -1
        self.tainted = False

    @contextmanager
    def seen_by(self, viewer: int) -> Iterator[None]:
        """Notice what this viewer does not see, from now on."""
        self.work, self.viewer, self.tainted = 0, viewer, False
        try:
            yield
        finally:
            self.viewer = -1

    def pieces_of(self, s: State, e: checked.PiecesOf, slots: Locals) -> tuple[int, ...]:
        return self.seen(s, super().pieces_of(s, e, slots))

    def seen(self, s: State, pieces: tuple[int, ...]) -> tuple[int, ...]:
        if not self.tainted and self.viewer >= 0:
            self.tainted = not all(sees_piece(self.layout, s, piece, self.viewer) for piece in pieces)
        return pieces

    def primitive(self, s: State, e: checked.Primitive, slots: Locals) -> Any:
        before = self.tainted
        counts = assumed(e.name).result in ("length", "nonempty")  # how many pieces there are, and not which
        value = super().primitive(s, e, slots)
        if counts and not before and self.tainted and self.only_counted(s, e.arguments[0], slots):
            self.tainted = False
        elif isinstance(e.type, t.PieceType) and isinstance(value, int) and value >= 0:
            self.seen(s, (value,))
        elif isinstance(e.type, t.ListType) and isinstance(e.type.item, t.PieceType):
            self.seen(s, value)
        return value

    def only_counted(self, s: State, e: checked.Expr, slots: Locals) -> bool:
        """Whether an expression is whole zones, put together, and the viewer sees how many pieces lie in each."""
        match e:
            case checked.PiecesOf():
                return sees_count(self.layout, s, self.ev(s, e.zone, slots), self.viewer)
            case checked.Binary(op="join"):
                return self.only_counted(s, e.left, slots) and self.only_counted(s, e.right, slots)
            case _:
                return False

    def field(self, s: State, e: checked.Field, slots: Locals) -> Any:
        self.seen(s, (self.ev(s, e.of, slots),))
        return super().field(s, e, slots)

    def variable_of(self, s: State, e: checked.VariableOf, slots: Locals) -> Any:
        owner = -1 if e.owner is None else self.ev(s, e.owner, slots)
        number = self.layout.variable(e.variable, owner)
        if self.viewer >= 0 and not sees_variable(self.layout, s, number, self.viewer):
            self.tainted = True
        return super().variable_of(s, e, slots)


def at_question(machine: PlainMachine, packed: dict[str, Any]) -> State:
    """The state of any machine, at its question on this one."""
    state = machine.unpack(packed, trusted=True)
    machine.run(state)
    return state
