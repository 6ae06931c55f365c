"""What is known of an expression before a game runs: value, range, length, cost, whether it can fail."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from interpreter.plain.evaluate import Evaluator
from interpreter.plain.primitives import MAX_NUMBER, PRIMITIVES
from interpreter.state.layout import Layout
from warlock_dsl import Reads, assumed, fields_of, reads_me
from warlock_dsl import types as t
from warlock_dsl.check import program as checked

UNKNOWN = object()
Range = tuple[int, int] | None
MANY = 1_000_000_000  # a cost beyond all counting


def children(node: Any) -> Iterable[Any]:
    """The parts of a node that are nodes, in order."""
    stack = [getattr(node, name) for name in fields_of(type(node))][::-1]
    while stack:
        part = stack.pop()
        if isinstance(part, tuple | list):
            stack.extend(reversed(part))
        elif fields_of(type(part)):
            yield part


class Facts:
    """Answers, each found once for each node."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.unit = layout.unit
        self.defines = layout.program.defines
        self.evaluator = Evaluator(layout)
        self.known: dict[tuple[str, int], Any] = {}
        self.kept: list[Any] = []  # an identity lasts as long as the node is kept

    def once(self, what: str, e: Any, found: Any) -> Any:
        self.known[what, id(e)] = found
        self.kept.append(e)
        return found

    # ------------------------------------------------------------------ values

    def constant(self, e: checked.Expr) -> Any:
        """The value, where it is the same in every game of this ruleset and number of players; else UNKNOWN."""
        key = ("constant", id(e))
        return self.known[key] if key in self.known else self.once("constant", e, self._constant(e))

    def _constant(self, e: checked.Expr) -> Any:
        match e:
            case checked.Const() | checked.FigureRef():
                return e.value
            case checked.ListOf():
                items = [self.constant(item) for item in e.items]
                return UNKNOWN if any(item is UNKNOWN for item in items) else tuple(items)
            case checked.Not():
                of = self.constant(e.of)
                return UNKNOWN if of is UNKNOWN else not of
            case checked.Conditional():
                test = self.constant(e.test)
                return UNKNOWN if test is UNKNOWN else self.constant(e.then if test else e.otherwise)
            case checked.Binary():
                return self._binary(e)
            case checked.Primitive(arguments=()):
                return UNKNOWN if assumed(e.name).reads else PRIMITIVES[e.name](self.evaluator, None, [])
            case checked.Primitive() if assumed(e.name).result == "length":
                items = self.constant(e.arguments[0])
                return UNKNOWN if items is UNKNOWN else len(items) * self.unit
            case checked.Apply():
                return self.constant(self.defines[e.define].value) if not e.arguments else UNKNOWN
            case _:
                return UNKNOWN

    def _binary(self, e: checked.Binary) -> Any:
        left, right = self.constant(e.left), self.constant(e.right)
        if e.op in ("and", "or"):
            if left is UNKNOWN:
                return UNKNOWN
            return right if bool(left) == (e.op == "and") else left
        if left is UNKNOWN or right is UNKNOWN:
            return UNKNOWN
        match e.op:
            case "is":
                return left == right
            case "<":
                return left < right
            case "<=":
                return left <= right
            case ">":
                return left > right
            case ">=":
                return left >= right
            case "+" | "-":
                value = left + right if e.op == "+" else left - right
                return value if abs(value) <= MAX_NUMBER else UNKNOWN
            case "*":
                value, rest = divmod(left * right, self.unit)
                return value if not rest and abs(value) <= MAX_NUMBER else UNKNOWN
            case _:
                return UNKNOWN

    def range(self, e: checked.Expr) -> Range:
        """The least and the most a number can be; None where that is not known."""
        key = ("range", id(e))
        if key not in self.known:
            self.once("range", e, self._range(e))
        found: Range = self.known[key]
        return found

    def _range(self, e: checked.Expr) -> Range:
        value = self.constant(e)
        if value is not UNKNOWN:
            return (int(value), int(value)) if isinstance(value, int) else None
        match e:
            case checked.Binary(op="+" | "-" | "*"):
                left, right = self.range(e.left), self.range(e.right)
                if left is None or right is None:
                    return None
                if e.op == "*":
                    ends = [a * b // self.unit for a in left for b in right]
                    return min(ends) - 1, max(ends) + 1
                low, high = right if e.op == "+" else (-right[1], -right[0])
                return left[0] + low, left[1] + high
            case checked.Conditional():
                return _both(self.range(e.then), self.range(e.otherwise))
            case checked.Field():
                return _ends(self.layout.fields[e.name])
            case checked.Cell():
                return _ends(self.layout.columns[e.table, e.column])
            case checked.VariableOf():
                slot = self.layout.slots[self.layout.variable_first[e.variable]] if self._owned(e.variable) else None
                if slot is None or slot.low is None or slot.high is None:
                    return None
                return slot.low, slot.high
            case checked.Lookup(what="series"):
                _, values, beyond = self.layout.series[e.name]
                return _ends((*values, 0) if beyond == "zero" else values)
            case checked.Primitive():
                return self._range_of_primitive(e)
            case checked.Apply():
                return self.range(self.defines[e.define].value)
            case _:
                return None

    def _range_of_primitive(self, e: checked.Primitive) -> Range:
        match assumed(e.name).result:
            case "length":
                maximum = self.length(e.arguments[0])
                return (0, maximum * self.unit) if maximum is not None else None
            case "least" | "greatest":
                found = self.range(e.arguments[0])
                for argument in e.arguments[1:]:
                    found = _both(found, self.range(argument))
                return found
            case "sum":
                return self._sum(e.arguments[0])
            case _:
                return None

    def _owned(self, variable: int) -> bool:
        return self.layout.variable_first[variable] < len(self.layout.slots)

    def _sum(self, e: checked.Expr) -> Range:
        maximum = self.length(e)
        each = self.range(e.body) if isinstance(e, checked.Gather) and e.body is not None else None
        if maximum is None or each is None:
            return None
        return min(0, each[0]) * maximum, max(0, each[1]) * maximum

    # ----------------------------------------------------------------- lengths

    def length(self, e: checked.Expr) -> int | None:
        """How many elements a list can have at most; None where that is not known."""
        key = ("length", id(e))
        if key not in self.known:
            self.once("length", e, self._length(e))
        found: int | None = self.known[key]
        return found

    def _length(self, e: checked.Expr) -> int | None:
        value = self.constant(e)
        if value is not UNKNOWN:
            return len(value) if isinstance(value, tuple) else None
        layout = self.layout
        match e:
            case checked.ListOf():
                return len(e.items)
            case checked.PiecesOf():
                return self._pieces(e.zone)
            case checked.Narrow() | checked.Gather():
                return self.length(e.of if isinstance(e, checked.Narrow) else e.source)
            case checked.Keyed():
                return self.length(e.source) if assumed(e.name).selects else None
            case checked.Field():
                return _longest(layout.fields[e.name])
            case checked.Cell():
                return _longest(layout.columns[e.table, e.column])
            case checked.Conditional():
                return _most(self.length(e.then), self.length(e.otherwise))
            case checked.Binary(op="join"):
                left, right = self.length(e.left), self.length(e.right)
                return left + right if left is not None and right is not None else None
            case checked.Binary(op="without"):
                return self.length(e.left)
            case checked.Primitive():
                return self._length_of_primitive(e)
            case checked.Apply():
                return self.length(self.defines[e.define].value)
            case _:
                return None

    def _length_of_primitive(self, e: checked.Primitive) -> int | None:
        match assumed(e.name).max_length(len(e.arguments)):
            case "players":
                return self.layout.players
            case "neighbours":
                return max(map(len, self.layout.around), default=0)
            case "cells":
                return max((len(grid.cells) for grid in self.layout.components.grids.values()), default=0)
            case "one":
                return 1
            case "list":
                return self.length(e.arguments[0])
            case _:
                return None

    def _pieces(self, zone: checked.Expr) -> int:
        """How many pieces can lie in a zone: all of its kinds."""
        layout = self.layout
        kinds = {layout.kind_names.index(kind) for kind in zone.type.kinds} if isinstance(zone.type, t.ZoneType) else ()
        if isinstance(zone, checked.ZoneOf):
            kinds = {layout.kind_names.index(kind) for kind in layout.zones[zone.zone].kinds}
            grid = layout.zones[zone.zone].grid
            if grid:
                return len(layout.components.grids[grid].cells)
        return sum(1 for kind in layout.kind_of if not kinds or kind in kinds)

    # ------------------------------------------------------------------- costs

    def cost(self, e: Any) -> int:
        """Steps at most for one evaluation, those of folds counted with what is known of their length.

        A fold over a list of unknown length counts itself while it runs, so here it counts as one turn.
        """
        key = ("cost", id(e))
        if key in self.known:
            return int(self.known[key])
        self.known[key] = MANY  # a ring, which no checked program has, would be endless
        match e:
            case None:
                found = 0
            case checked.Gather() | checked.Keyed():
                inner = 1 + self.cost(e.where) + self.cost(e.body if isinstance(e, checked.Gather) else e.key)
                found = self.cost(e.source) + inner * (self.length(e.source) or 1)
            case checked.Apply():
                found = 1 + self.cost(self.defines[e.define].value) + sum(map(self.cost, e.arguments))
            case checked.Primitive():
                found = (1 if assumed(e.name).cheap else CALLED) + sum(self.cost(part) for part in children(e))
                if Reads.SCORES in assumed(e.name).reads:
                    found += sum(self.cost(score.value) for score in self.layout.program.scores)
            case checked.Binary(op="join" | "without"):
                found = CALLED + sum(self.cost(part) for part in children(e))
            case _:
                found = 1 + sum(self.cost(part) for part in children(e))
        return int(self.once("cost", e, min(found, MANY)))

    # ------------------------------------------------------------------ errors

    def safe(self, e: Any) -> bool:
        """Whether evaluating this can never end in an error, that of too much work aside."""
        if e is None:
            return True
        key = ("safe", id(e))
        if key not in self.known:
            self.once("safe", e, self._safe(e))
        found: bool = self.known[key]
        return found

    def _safe(self, e: Any) -> bool:
        match e:
            case checked.Binary(op="+" | "-" | "*"):
                if not self.bounded(e) or (e.op == "*" and self.unit != 1 and self.constant(e) is UNKNOWN):
                    return False
            case checked.Binary(op="join"):
                if self.length(e) is None:
                    return False
            case checked.Lookup(what="series"):
                if self.layout.series[e.name][2] == "error" or not self.layout.series[e.name][1]:
                    return False
            case checked.Lookup(what="list") | checked.RangeOf() | checked.Can():
                return False
            case checked.Primitive():
                if assumed(e.name).can_fail(len(e.arguments)) and not self.stays_small(e):
                    return False
            case checked.Keyed():
                if assumed(e.name).can_fail(1):
                    return False
            case checked.Apply():
                if not self.safe(self.defines[e.define].value):
                    return False
            case _:
                pass
        return all(self.safe(part) for part in children(e))

    def stays_small(self, e: checked.Primitive) -> bool:
        """Whether a primitive that fails only beyond all bounds is known to stay within them."""
        return assumed(e.name).result == "sum" and self.bounded(e)

    def bounded(self, e: checked.Expr) -> bool:
        """Whether a number is known to stay within all bounds."""
        found = self.range(e)
        return found is not None and found[0] >= -MAX_NUMBER and found[1] <= MAX_NUMBER

    def counted(self, e: checked.Gather | checked.Keyed) -> bool:
        """Whether a fold has to count its work while it runs: nobody knows how long, or it is dear."""
        return self.length(e.source) is None or self.cost(e) > DEAR

    # ------------------------------------------------------------------- slots

    def reads(self, e: Any) -> frozenset[int]:
        """The slots of the frame that an expression reads; what it binds itself is not among them."""
        if e is None:
            return frozenset()
        key = ("reads", id(e))
        if key not in self.known:
            self.once("reads", e, self._reads(e))
        found: frozenset[int] = self.known[key]
        return found

    def _reads(self, e: Any) -> frozenset[int]:
        match e:
            case checked.Local():
                return frozenset((e.slot,))
            case checked.Gather() | checked.Keyed():
                inner = self.reads(e.where) | self.reads(e.body if isinstance(e, checked.Gather) else e.key)
                return self.reads(e.source) | (inner - {e.slot})
            case _:
                found = frozenset[int]().union(*(self.reads(part) for part in children(e)))
        if isinstance(e, checked.Primitive) and reads_me(e.name):
            return found | {0}
        if isinstance(e, checked.Can) or (
            isinstance(e, checked.Apply) and 0 in self.reads(self.defines[e.define].value)
        ):
            return found | {0}
        return found

    # ------------------------------------------------------------- distinctness

    def distinct(self, e: checked.Expr) -> bool:
        """Whether no element can stand twice in a list."""
        value = self.constant(e)
        if value is not UNKNOWN:
            return isinstance(value, tuple) and len(set(value)) == len(value)
        match e:
            case checked.PiecesOf() | checked.RangeOf():
                return True
            case checked.Narrow():
                return self.distinct(e.of)
            case checked.Gather():
                return e.body is None and self.distinct(e.source)
            case checked.Keyed():
                return assumed(e.name).selects and self.distinct(e.source)
            case checked.Conditional():
                return self.distinct(e.then) and self.distinct(e.otherwise)
            case checked.Binary(op="without"):
                return self.distinct(e.left)
            case checked.Primitive():
                known = assumed(e.name)
                return known.distinct or (known.selects and self.distinct(e.arguments[0]))
            case checked.Apply():
                return self.distinct(self.defines[e.define].value)
            case _:
                return False


CALLED = 4  # steps a function of a list counts for
DEAR = 1000  # steps of a fold beyond which it counts its work


def _ends(values: Iterable[Any]) -> Range:
    numbers = [int(value) for value in values if isinstance(value, int)]
    return (min(numbers), max(numbers)) if numbers else None


def _longest(values: Iterable[Any]) -> int | None:
    return max((len(value) for value in values if isinstance(value, tuple)), default=None)


def _both(a: Range, b: Range) -> Range:
    return (min(a[0], b[0]), max(a[1], b[1])) if a is not None and b is not None else None


def _most(a: int | None, b: int | None) -> int | None:
    return max(a, b) if a is not None and b is not None else None
