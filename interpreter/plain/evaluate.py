"""What an expression means: the plain evaluator, one short method for each form of the checked program."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from typing import Any

from interpreter.errors import SCORE, RulesError
from interpreter.ir.cost import cost, size, turn_cost
from interpreter.plain.primitives import BEYOND, MAX_NUMBER, PRIMITIVES
from interpreter.state.layout import Layout
from interpreter.state.state import Local, State
from warlock_dsl import FUNCTIONS, Either, primitive_signatures
from warlock_dsl import types as t
from warlock_dsl.check import program as checked

Locals = list[Local]
MAX_ITEMS = 100_000
TOO_DEEP = "definitions nested too deep"
STACK_ROOM = 10_000  # calls of Python, while a definition calls itself: `limits.depth` is the bound, not Python's own
# Folds over truths that stop where the answer is known, with that answer.
STOPPING = {one.name: found == "nonempty" for one in FUNCTIONS if (found := one.assume.result) in ("nonempty", "every")}
# Functions of a cell that take a piece for the cell it lies on.
CELL_OR_PIECE = {name for name, one in primitive_signatures().items() if isinstance(one.parameter(0), Either)}


class Evaluator:
    """Evaluates expressions over a state and the slots of a frame. Values are integers, truths and tuples."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.unit = layout.unit
        self.defines = layout.program.defines
        self.score_parts = layout.program.scores
        self.work = 0
        self.nested = 0  # calls of definitions that call themselves, within one another
        self.max_work = layout.components.limits.work
        self.turn_costs: dict[int, tuple[Any, int]] = {}  # by identity, which lasts as long as the node is kept here
        self.score_cost = 1 + cost(*(score.value for score in self.score_parts))
        self.define_costs = tuple(1 + cost(define.value) for define in self.defines)
        self.forms: dict[type, Callable[[State, Any, Locals], Any]] = {
            checked.Const: self.constant,
            checked.FigureRef: self.constant,
            checked.Local: self.local,
            checked.ListOf: self.list_of,
            checked.RangeOf: self.range_of,
            checked.Binary: self.binary,
            checked.Not: self.negated,
            checked.Conditional: self.conditional,
            checked.Field: self.field,
            checked.Cell: self.cell,
            checked.Lookup: self.lookup,
            checked.ZoneOf: self.zone_of,
            checked.OfRow: self.of_row,
            checked.PiecesOf: self.pieces_of,
            checked.Narrow: self.narrow,
            checked.VariableOf: self.variable_of,
            checked.Primitive: self.primitive,
            checked.Gather: self.gather,
            checked.Keyed: self.keyed,
            checked.Apply: self.apply,
            checked.Can: self.can,
            checked.Would: self.would,
        }

    def ev(self, s: State, e: checked.Expr, slots: Locals) -> Any:
        return self.forms[type(e)](s, e, slots)

    def tick(self, amount: int = 1) -> None:
        """Count work, so that no rule can run for ever."""
        self.work += amount
        if self.work > self.max_work:
            raise RulesError(
                "the rules ask for too much work between two decisions",
                hint="a loop or a definition multiplies; `limits.work` of the game sets the bound",
            )

    def weigh(self, value: Any) -> None:
        """Count the work of looking at every part of a value."""
        if isinstance(value, tuple):
            self.tick(1 + (len(value) >> 3))
            if value and isinstance(value[0], tuple):
                for inner in value:
                    self.weigh(inner)

    def stored(self, value: Any) -> Any:
        """A value that is kept: lists within lists count in full, since a save writes them out."""
        if isinstance(value, tuple) and size(value, MAX_ITEMS) > MAX_ITEMS:
            raise RulesError("a list of more than a hundred thousand elements, those of inner lists counted")
        return value

    # ------------------------------------------------------------------- forms

    def constant(self, s: State, e: checked.Const | checked.FigureRef, slots: Locals) -> Any:
        return e.value

    def local(self, s: State, e: checked.Local, slots: Locals) -> Any:
        return slots[e.slot]

    def list_of(self, s: State, e: checked.ListOf, slots: Locals) -> tuple[Any, ...]:
        return tuple(self.ev(s, item, slots) for item in e.items)

    def range_of(self, s: State, e: checked.RangeOf, slots: Locals) -> tuple[int, ...]:
        low, high = self.ev(s, e.low, slots), self.ev(s, e.high, slots)
        if (high - low) // self.unit > MAX_ITEMS:
            raise RulesError("a range of more than a hundred thousand numbers", span=e.span)
        self.tick(max(high - low, 0) // self.unit)
        return tuple(range(low, high + 1, self.unit))

    def binary(self, s: State, e: checked.Binary, slots: Locals) -> Any:
        op = e.op
        left = self.ev(s, e.left, slots)
        if op == "and":
            return left and self.ev(s, e.right, slots)
        if op == "or":
            return left or self.ev(s, e.right, slots)
        right = self.ev(s, e.right, slots)
        match op:
            case "is":
                self.weigh(left)
                return left == right
            case "<":
                return left < right
            case "<=":
                return left <= right
            case ">":
                return left > right
            case ">=":
                return left >= right
            case "has":
                self.weigh(left)
                if isinstance(e.left.type, t.RegionType):
                    return right >= 0 and self.layout.cell_plan[right] in left
                return right in left
            case "join":
                return self.joined(left, right, e)
            case "without":
                self.weigh(left)
                self.weigh(right)
                return without(left, right)
            case _:
                return self.arithmetic(op, left, right, e)

    def arithmetic(self, op: str, left: int, right: int, e: checked.Binary) -> int:
        if op == "+":
            value = left + right
        elif op == "-":
            value = left - right
        else:
            value, rest = divmod(left * right, self.unit)
            if rest:
                raise RulesError("a product finer than the smallest unit of the ruleset", span=e.span)
        if abs(value) > MAX_NUMBER:
            raise RulesError(BEYOND, span=e.span)
        return value

    def joined(self, left: tuple[Any, ...], right: tuple[Any, ...], e: checked.Binary) -> tuple[Any, ...]:
        if len(left) + len(right) > MAX_ITEMS:
            raise RulesError("a list of more than a hundred thousand elements", span=e.span)
        self.tick((len(left) + len(right)) >> 4)
        return left + right

    def negated(self, s: State, e: checked.Not, slots: Locals) -> bool:
        return not self.ev(s, e.of, slots)

    def conditional(self, s: State, e: checked.Conditional, slots: Locals) -> Any:
        return self.ev(s, e.then if self.ev(s, e.test, slots) else e.otherwise, slots)

    def field(self, s: State, e: checked.Field, slots: Locals) -> Any:
        return self.layout.fields[e.name][self.ev(s, e.of, slots)]

    def cell(self, s: State, e: checked.Cell, slots: Locals) -> Any:
        return self.layout.columns[e.table, e.column][self.ev(s, e.of, slots)]

    def lookup(self, s: State, e: checked.Lookup, slots: Locals) -> Any:
        keys = [self.ev(s, key, slots) for key in e.keys]
        if e.what == "matrix":
            return self.layout.matrices[e.name][keys[0]][keys[1]]
        if e.what == "map":
            assert e.of is not None
            return self.ev(s, e.of, slots)[keys[0]]
        if e.what == "cell":
            assert e.of is not None
            return self.layout.places[self.ev(s, e.of, slots)].first_cell + keys[0]
        if e.what == "row":
            return self.row_of(keys[0], e)
        number, rest = divmod(keys[0], self.unit)
        if e.what == "series":
            first, values, beyond = self.layout.series[e.name]
        else:
            assert e.of is not None
            first, values, beyond = 1, self.ev(s, e.of, slots), "error"
        if rest == 0 and first <= number < first + len(values):
            return values[number - first]
        if number >= first and values and beyond == "last":
            return values[-1]
        if beyond == "zero":
            return 0
        last = first + len(values) - 1
        raise RulesError(f"there is no entry {number} here: they run from {first} to {last}", span=e.span)

    def row_of(self, cell: int, e: checked.Lookup) -> int:
        if cell >= 0 and self.layout.cell_table[cell] == e.name:
            return self.layout.cell_plan[cell]
        raise RulesError(f"this cell is no row of '{e.name}'", span=e.span, hint="is the piece on that board?")

    def zone_of(self, s: State, e: checked.ZoneOf, slots: Locals) -> int:
        return self.layout.place(e.zone, -1 if e.owner is None else self.ev(s, e.owner, slots))

    def of_row(self, s: State, e: checked.OfRow, slots: Locals) -> int:
        owner: int = 0 if e.owner is None else self.ev(s, e.owner, slots)
        row: int = self.ev(s, e.key, slots)
        return owner * e.rows + row

    def pieces_of(self, s: State, e: checked.PiecesOf, slots: Locals) -> tuple[int, ...]:
        pieces = s.zones[self.ev(s, e.zone, slots)]
        self.tick(len(pieces) >> 4)
        return tuple(pieces)

    def narrow(self, s: State, e: checked.Narrow, slots: Locals) -> tuple[int, ...]:
        wanted = {self.layout.kind_names.index(kind) for kind in e.kinds}
        kind_of = self.layout.kind_of
        pieces = self.ev(s, e.of, slots)
        self.tick(len(pieces) >> 3)
        return tuple(piece for piece in pieces if kind_of[piece] in wanted)

    def variable_of(self, s: State, e: checked.VariableOf, slots: Locals) -> Any:
        owner = -1 if e.owner is None else self.ev(s, e.owner, slots)
        return s.variables[self.layout.variable(e.variable, owner)]

    def primitive(self, s: State, e: checked.Primitive, slots: Locals) -> Any:
        if e.name in STOPPING and isinstance(e.arguments[0], checked.Gather):
            return self.some_or_all(s, e.name, e.arguments[0], slots)
        arguments = [self.ev(s, argument, slots) for argument in e.arguments]
        name = e.name
        self.tick(sum(len(argument) for argument in arguments if isinstance(argument, tuple)) >> 4)
        if name in CELL_OR_PIECE and isinstance(e.arguments[0].type, t.PieceType):
            arguments[0] = s.cell[arguments[0]]
        try:
            return PRIMITIVES[name](self, s, slots, *arguments)
        except RulesError as error:
            raise error.at("", e.span) from None

    def tick_turns(self, e: checked.Gather | checked.Keyed | checked.Each, count: int) -> None:
        """Count the work of so many turns of a binder."""
        known = self.turn_costs.get(id(e))
        if known is None:
            known = self.turn_costs[id(e)] = (e, turn_cost(e))
        self.tick(count * known[1])

    def turns(
        self,
        s: State,
        e: checked.Gather | checked.Keyed | checked.Each,
        slots: Locals,
        elements: list[Any] | None = None,
    ) -> Generator[Any, None, None]:
        """The elements of a binder, each bound to its slot while it lasts; afterwards the slot is as it was before.

        `elements`: instead of those of its source; there may be more of them as it goes on.
        """
        source = self.ev(s, e.source, slots) if elements is None else elements
        self.tick_turns(e, len(source))
        self.tick()
        slot, where = e.slot, e.where
        before = slots[slot]
        try:
            for item in source:
                slots[slot] = item
                if where is None or self.ev(s, where, slots):
                    yield item
        finally:
            slots[slot] = before

    def gather(self, s: State, e: checked.Gather, slots: Locals) -> tuple[Any, ...]:
        if e.body is None:
            return tuple(self.turns(s, e, slots))
        return tuple(self.ev(s, e.body, slots) for _ in self.turns(s, e, slots))

    def some_or_all(self, s: State, name: str, e: checked.Gather, slots: Locals) -> bool:
        """A fold over truths looks at one element after another, and stops where the answer is known."""
        with closing(self.turns(s, e, slots)) as turns:
            if STOPPING[name]:
                return any(True for _ in turns)
            return all(item if e.body is None else self.ev(s, e.body, slots) for item in turns)

    def keyed(self, s: State, e: checked.Keyed, slots: Locals) -> tuple[Any, ...]:
        pairs = KeyedPairs(self, s, e, slots)
        with closing(pairs.found):
            found: tuple[Any, ...] = PRIMITIVES[e.name](self, s, slots, pairs)
        return found

    def apply(self, s: State, e: checked.Apply, slots: Locals) -> Any:
        self.tick(self.define_costs[e.define])
        define = self.defines[e.define]
        own: Locals = [None] * define.slots
        own[0] = slots[0]
        for place, argument in enumerate(e.arguments):
            own[1 + place] = self.ev(s, argument, slots)
        return self.within_itself(s, define, own, e) if define.recursive else self.ev(s, define.value, own)

    def within_itself(self, s: State, define: checked.Define, own: Locals, e: checked.Apply) -> Any:
        """A definition that calls itself, at most `limits.depth` times within one another."""
        before = sys.getrecursionlimit()
        if before < STACK_ROOM:
            sys.setrecursionlimit(STACK_ROOM)
        self.nested += 1
        try:
            if self.nested > self.layout.components.limits.depth:
                hint = "`limits.depth` of the game sets the bound"
                raise RulesError(f"'{define.address}' calls itself too often", span=e.span, hint=hint)
            return self.ev(s, define.value, own)
        finally:
            self.nested -= 1
            if not self.nested:
                sys.setrecursionlimit(before)

    def can(self, s: State, e: checked.Can, slots: Locals) -> bool:
        """The guard of a call; the machine, which knows how rules run, says."""
        raise NotImplementedError

    def would(self, s: State, e: checked.Would, slots: Locals) -> Any:
        """A value in the position after a call; the machine, too."""
        raise NotImplementedError

    # ------------------------------------------------------------------- score

    def parts(self, s: State, player: int) -> tuple[int, ...]:
        """The parts of a player's score, in the order of their definition."""
        self.tick(self.score_cost)
        found = []
        for score in self.score_parts:
            slots: Locals = [None] * score.slots
            slots[0] = player
            try:
                found.append(self.ev(s, score.value, slots))
            except RulesError as error:
                raise error.at(f"{SCORE}{score.name}", score.value.span) from None
        return tuple(found)

    def total(self, s: State, player: int) -> int:
        self.tick()
        return sum(self.parts(s, player))


class KeyedPairs:
    """The elements of a binder, each with its key, as far as somebody asks for them."""

    def __init__(self, evaluator: Evaluator, s: State, e: checked.Keyed, slots: Locals) -> None:
        self.evaluator = evaluator
        self.node = e
        self.elements = list(evaluator.ev(s, e.source, slots))
        self.found = self.one_by_one(s, slots)

    def __iter__(self) -> Iterator[tuple[Any, Any]]:
        return self.found

    def one_by_one(self, s: State, slots: Locals) -> Generator[tuple[Any, Any], None, None]:
        for item in self.evaluator.turns(s, self.node, slots, self.elements):
            key = self.evaluator.ev(s, self.node.key, slots)
            self.evaluator.weigh(key)
            yield key, item

    def follow(self, items: Sequence[Any]) -> None:
        """Go on with these after all others."""
        self.evaluator.tick_turns(self.node, len(items))
        self.elements += items


def without(left: tuple[Any, ...], right: tuple[Any, ...]) -> tuple[Any, ...]:
    """The first list less the second, doubles counted, the order kept."""
    rest = Counter(right)
    kept = []
    for item in left:
        if rest[item] > 0:
            rest[item] -= 1
        else:
            kept.append(item)
    return tuple(kept)
