"""What the acting steps do to a state: moves, swaps, shuffles and changes of variables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

from interpreter.errors import RulesError
from interpreter.ir import blocks as ir
from interpreter.ir.cost import cost
from interpreter.plain.branching import Told
from interpreter.plain.evaluate import Evaluator, Locals
from interpreter.plain.primitives import BEYOND, MAX_NUMBER
from interpreter.plain.telling import tell_said
from interpreter.state import random as chance
from interpreter.state.events import Event, record, watchers
from interpreter.state.state import State, lift_piece, put_piece
from interpreter.state.visibility import encloses
from warlock_dsl import Span
from warlock_dsl.check import program as checked
from warlock_dsl.check.program import Constant

Part = TypeVar("Part")


class Effects(Evaluator):
    """The evaluator, and how a step acts. Where a state keeps a log, what happened is added to it."""

    told: Told | None

    def act(self, s: State, step: ir.Step, slots: Locals) -> None:
        match step:
            case ir.MoveStep():
                self.move(s, step, slots)
            case ir.SwapStep():
                self.swap(s, step, slots)
            case ir.ShuffleStep():
                for place in [self.ev(s, zone, slots) for zone in step.zones]:
                    self.tick(len(s.zones[place]))
                    if self.told is not None and self.told.shuffles:
                        s.zones[place] = self.told.ordered(self.layout, s, s.zones[place])
                    else:
                        s.rng, s.zones[place] = chance.shuffled(s.rng, s.zones[place])
                    self.forget(s, place)
                    self.note(s, "shuffle", place=place)
            case ir.ShowStep():
                self.show(s, step, slots)
            case ir.SayStep():
                self.say(s, step.say, slots)
            case ir.ChangeStep():
                self.change(s, step, slots)
            case ir.ResetStep():
                for variable in step.variables:
                    self.reset(s, variable)
            case _:
                raise AssertionError(step)

    def operands(
        self, s: State, step: ir.MoveStep | ir.SwapStep | ir.ChangeStep, parts: Sequence[Part], slots: Locals
    ) -> Iterator[Part]:
        """The parts of a step, to be read before it acts: once, or for each of those that it is done for."""
        return iter(parts) if step.each is None else self.for_each(s, step.each, parts, slots)

    def for_each(self, s: State, each: checked.Each, parts: Sequence[Part], slots: Locals) -> Iterator[Part]:
        steps = cost(parts)
        for _ in self.turns(s, each, slots):
            self.tick(steps)
            yield from parts

    def note(self, s: State, *event: Any, **more: Any) -> None:
        """Add an event to the log; where none is kept, none is made."""
        if s.events is not None:
            record(self.layout, s, Event(*event, **more))

    def say(self, s: State, say: checked.Say, slots: Locals) -> None:
        """Nothing changes. What is said is as each seat sees it."""
        values = [(name, self.stored(self.ev(s, value, slots)), value.type) for name, value in say.values]
        to = None if say.to is None else self.ev(s, say.to, slots)
        if s.events is not None:
            me: Any = slots[0]
            address = self.layout.program.rules[s.stack[-1].rule].address
            tell_said(self.layout, s, f"{address}.{say.name}", me, values, to)

    # ------------------------------------------------------------------ pieces

    def move(self, s: State, step: ir.MoveStep, slots: Locals) -> None:
        """All operands are read before anything moves."""
        read: list[tuple[Any, int, bool]] = []
        for what, to, is_cell in self.operands(s, step, step.pairs, slots):
            pieces = self.ev(s, what, slots)
            read.append((pieces if isinstance(pieces, tuple) else (pieces,), self.ev(s, to, slots), is_cell))
        for pieces, target, is_cell in read:
            place = self.layout.cell_place[target] if is_cell else target
            self.tick(len(pieces) * (1 + (len(s.zones[place]) >> 5)))
            for piece in pieces:
                self.move_one(s, piece, target, is_cell, step)

    def move_one(self, s: State, piece: int, to: int, is_cell: bool, step: ir.MoveStep) -> None:
        layout = self.layout
        if is_cell and to < 0:
            raise RulesError("a move to a cell that is on no grid", span=step.span)
        place, cell = (layout.cell_place[to], to) if is_cell else (to, -1)
        kind = layout.kind_of[piece]
        if kind not in layout.places[place].kinds:
            name, zone = layout.kind_names[kind], layout.places[place].name
            raise RulesError(f"a {name} cannot lie in zone '{zone}'", span=step.span)
        if encloses(layout, s, piece, place):
            raise RulesError("a piece cannot lie in itself, nor in what lies in it", span=step.span)
        source, old_cell = s.place[piece], s.cell[piece]
        seen = watchers(layout, s, piece)
        lift_piece(s, piece)
        if not put_piece(layout, s, piece, place, cell):
            put_piece(layout, s, piece, source, old_cell)
            what = "that cell is taken" if is_cell else "every cell there is taken"
            raise RulesError(f"no room for the piece: {what}", span=step.span)
        self.moved(s, piece, kind)
        self.note(s, "move", piece, source, place, old_cell, s.cell[piece], seen)

    def moved(self, s: State, piece: int, kind: int) -> None:
        for variable in self.layout.move_resets.get(kind, ()):
            for number in self.layout.variables_with(variable, piece):
                s.variables[number] = self.layout.first_values[number]

    def swap(self, s: State, step: ir.SwapStep, slots: Locals) -> None:
        pairs = self.operands(s, step, step.pairs, slots)
        for a, b in [(self.ev(s, left, slots), self.ev(s, right, slots)) for left, right in pairs]:
            self.exchange(s, a, b, step.span)

    def exchange(self, s: State, a: int, b: int, span: Span) -> None:
        if a == b:
            return
        layout = self.layout
        for piece, other in ((a, b), (b, a)):
            if layout.kind_of[piece] not in layout.places[s.place[other]].kinds:
                raise RulesError("two pieces that cannot lie in each other's place", span=span)
            if encloses(layout, s, piece, s.place[other]):
                raise RulesError("a piece cannot change places with one that lies in it", span=span)
        seen_a, seen_b = watchers(layout, s, a), watchers(layout, s, b)
        place_a, place_b = s.place[a], s.place[b]
        cells = [(s.cell[one], one, other) for one, other in ((a, b), (b, a)) if s.cell[one] >= 0]
        tops = [(cell, other) for cell, one, other in cells if s.at[cell] == one]
        index_a, index_b = s.zones[place_a].index(a), s.zones[place_b].index(b)
        for place in {place_a, place_b}:
            s.zones[place] = s.zones[place][:]
        s.zones[place_a][index_a], s.zones[place_b][index_b] = b, a
        s.place[a], s.place[b] = place_b, place_a
        s.cell[a], s.cell[b] = s.cell[b], s.cell[a]
        for cell, piece in tops:
            s.at[cell] = piece
        for piece in (a, b):
            self.moved(s, piece, layout.kind_of[piece])
        self.note(s, "swap", a, place_a, place_b, s.cell[b], s.cell[a], seen_a, b, seen_b)

    def show(self, s: State, step: ir.ShowStep, slots: Locals) -> None:
        """From now on these players know which pieces these are, wherever they go."""
        for what, to in [(self.ev(s, what, slots), self.ev(s, to, slots)) for what, to in step.pairs]:
            pieces, players = (one if isinstance(one, tuple) else (one,) for one in (what, to))
            self.tick(len(pieces))
            seats = sum(1 << player for player in set(players))
            for piece in pieces if seats else ():
                s.known[piece] = s.known.get(piece, 0) | seats
                self.note(s, "show", piece, s.place[piece], s.place[piece], to=frozenset(players))

    def forget(self, s: State, place: int) -> None:
        """Nobody knows any more which piece of a place is which, nor what lies in them."""
        waiting = [place] if s.known else []
        for number in waiting:  # grows as pieces are met that hold others
            for piece in s.zones[number]:
                s.known.pop(piece, None)
                waiting += self.layout.owned.get(piece, ())

    # --------------------------------------------------------------- variables

    def change(self, s: State, step: ir.ChangeStep, slots: Locals) -> None:
        read = []
        for variable, owner, value in self.operands(s, step, step.changes, slots):
            who = -1 if owner is None else self.ev(s, owner, slots)
            read.append((self.layout.variable(variable, who), self.ev(s, value, slots)))
        for number, value in read:
            if step.verb != "set":
                old = s.variables[number]
                value = old + value if step.verb == "add" else old - value
                if abs(value) > MAX_NUMBER:
                    raise RulesError(BEYOND, span=step.span)
            self.write(s, number, self.stored(value))

    def write(self, s: State, number: int, value: Constant) -> None:
        """A counter stops at the ends of its range."""
        slot = self.layout.slots[number]
        if slot.low is not None and isinstance(value, int):
            value = max(value, slot.low)
        if slot.high is not None and isinstance(value, int):
            value = min(value, slot.high)
        if s.variables[number] != value:
            s.variables[number] = value
            self.note(s, "variable", variable=number)

    def reset(self, s: State, variable: int) -> None:
        first = self.layout.variable_first[variable]
        last = self.layout.variable_first[variable + 1] if variable + 1 < len(self.layout.variable_first) else None
        numbers = range(first, len(self.layout.slots) if last is None else last)
        self.tick(len(numbers) >> 3)
        for number in numbers:
            s.variables[number] = self.layout.first_values[number]
