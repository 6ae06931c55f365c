"""Expressions as Python: straight lines and plain loops; nothing is built that nobody looks at."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

from interpreter.generate.facts import UNKNOWN
from interpreter.generate.text import Body, atomic
from warlock_dsl import types as t
from warlock_dsl.check import program as checked

if TYPE_CHECKING:
    from interpreter.generate.module import Module

Scope = Mapping[int, str]  # by slot: the name that holds it
COMPARES = {"<": "<", "<=": "<=", ">": ">", ">=": ">="}
WORTH = 4  # steps of an expression that is worked out before a loop that does not change it
MAX_DEPTH = 8  # loops within loops of one function; a definition beyond that gets a function of its own


class Expressions:
    """Writes expressions into the body of a function.

    `value` gives an expression with the very value the plain machine has; `test` one that is true or false alike;
    `items` a list in any shape that can be gone through at once; `each` a loop over its elements.
    """

    def __init__(self, module: Module, body: Body) -> None:
        self.m = module
        self.facts = module.facts
        self.layout = module.layout
        self.body = body

    # ------------------------------------------------------------------ values

    def value(self, e: checked.Expr, scope: Scope) -> str:
        known = self.facts.constant(e)
        if known is not UNKNOWN:
            return self.m.literal(known)
        if (ready := self.early(e, scope, self.plain_value)) is not None:
            return ready
        return self.plain_value(e, scope)

    def plain_value(self, e: checked.Expr, scope: Scope) -> str:
        if isinstance(e.type, t.ListType):
            text = self.list_or_early(e, scope)
            return text if self.is_tuple(e) else f"tuple({text})"
        return self.settled(e, self.text(e, scope))

    def early(self, e: checked.Expr, scope: Scope, how: Emit, minimum: int = WORTH) -> str | None:
        """The name of what was worked out before the loops that do not change it; None where it is not worth it."""
        body = self.body
        if not body.heads or self.facts.cost(e) < minimum or not self.facts.safe(e):
            return None
        names = {scope[slot] for slot in self.facts.reads(e)}
        key = (id(e), how.__name__, tuple(sorted(names)))
        for head in body.heads:
            if key in head.ready:
                return head.ready[key]
        depth = body.outside(names)
        if depth == len(body.heads):
            return None
        head = body.heads[depth]
        with body.before(head):
            text = how(e, scope)
            name = body.fresh("early")
            body.line(f"{name} = {text}")
        head.ready[key] = name
        return name

    def settled(self, e: checked.Expr, text: str) -> str:
        """What can fail is worked out where it stands, so that errors come in the order of the rules."""
        return text if self.facts.safe(e) else self.body.held(text)

    def text(self, e: checked.Expr, scope: Scope) -> str:
        match e:
            case checked.Local():
                return scope[e.slot]
            case checked.Binary():
                return self.binary(e, scope)
            case checked.Not():
                return f"(not {self.test(e.of, scope)})"
            case checked.Conditional():
                return self.conditional(e, scope, self.value)
            case checked.Field():
                return f"{self.m.table('fields', e.name)}[{self.value(e.of, scope)}]"
            case checked.Cell():
                return f"{self.m.table('columns', e.table, e.column)}[{self.value(e.of, scope)}]"
            case checked.Lookup():
                return self.lookup(e, scope)
            case checked.ZoneOf():
                return self.zone(e, scope)
            case checked.VariableOf():
                return self.variable(e, scope)
            case checked.Primitive():
                return self.primitive(e, scope)
            case checked.Apply():
                return self.apply(e, scope, self.value)
            case checked.Can():
                return self.m.can(self, e, scope)
            case _:
                raise AssertionError(e)

    def is_tuple(self, e: checked.Expr) -> bool:
        """Whether `items` gives a tuple."""
        match e:
            case (
                checked.Local()
                | checked.Field()
                | checked.Cell()
                | checked.VariableOf()
                | checked.Lookup()
                | checked.Const()
            ):
                return True
            case checked.FigureRef() | checked.ListOf():
                return True
            case checked.Apply():
                inner = self.facts.defines[e.define].value
                return not self.written_out(e) or self.is_tuple(inner) or self.facts.constant(inner) is not UNKNOWN
            case checked.Primitive():
                return e.name in ("opponents", "clockwise", "cells", "groups", "lines", "sums", "distinct", "at")
            case _:
                return False

    # -------------------------------------------------------------------- tests

    def test(self, e: checked.Expr, scope: Scope) -> str:
        known = self.facts.constant(e)
        if known is not UNKNOWN:
            return repr(bool(known))
        if (ready := self.early(e, scope, self.plain_test)) is not None:
            return ready
        return self.plain_test(e, scope)

    def plain_test(self, e: checked.Expr, scope: Scope) -> str:
        match e:
            case checked.Not():
                return f"(not {self.test(e.of, scope)})"
            case checked.Binary(op="and" | "or"):
                return self.junction(e, scope, self.test)
            case checked.Conditional():
                return self.conditional(e, scope, self.test)
            case checked.Primitive(name="any"):
                return self.any(e.arguments[0], scope)
            case checked.Apply():
                return self.apply(e, scope, self.test)
            case _:
                return self.value(e, scope)

    def conditions(self, e: checked.Expr | None) -> Iterator[checked.Expr]:
        """The parts of a condition that must all hold, those that always do left out."""
        if e is None or (self.facts.constant(e) is not UNKNOWN and self.facts.constant(e)):
            return
        if isinstance(e, checked.Binary) and e.op == "and":
            yield from self.conditions(e.left)
            yield from self.conditions(e.right)
        else:
            yield e

    def unless(self, e: checked.Expr | None, scope: Scope, otherwise: str) -> None:
        """Lines that do something else where a condition does not hold."""
        for part in self.conditions(e):
            text = self.test(part, scope)
            if text == "False":
                self.body.line(otherwise)
            elif text != "True":
                inner = text[5:-1] if text.startswith("(not ") and _whole(text) else f"not {text}"
                self.body.line(f"if {inner}: {otherwise}")

    def in_order(self, first: checked.Expr, second: checked.Expr, scope: Scope) -> tuple[str, str]:
        left = self.value(first, scope)
        return left, self.value(second, scope)

    # ------------------------------------------------------------------ binary

    def binary(self, e: checked.Binary, scope: Scope) -> str:
        if e.op in ("and", "or"):
            return self.junction(e, scope, self.value)
        if e.op == "has":
            return self.has(e, scope)
        if e.op in ("join", "without"):
            return self.items(e, scope)
        left, right = self.in_order(e.left, e.right, scope)
        if e.op == "is":
            return f"({left} == {right})"
        if e.op in COMPARES:
            return f"({left} {e.op} {right})"
        return self.arithmetic(e, left, right)

    def arithmetic(self, e: checked.Binary, left: str, right: str) -> str:
        unit, span = self.facts.unit, self.m.span(e.span)
        if e.op == "*" and unit != 1:
            return f"TIMES({left}, {right}, {span})"
        text = f"({left} {e.op} {right})"
        if self.facts.bounded(e):
            return text
        name = self.body.held(text)
        self.body.line(f"if not -MAX_NUMBER <= {name} <= MAX_NUMBER: raise TOO_BIG({span})")
        return name

    def has(self, e: checked.Binary, scope: Scope) -> str:
        left = self.items(e.left, scope) if isinstance(e.left.type, t.ListType) else self.value(e.left, scope)
        left = self.body.held(left) if not atomic(left) and not left.startswith(("Z[", "(")) else left
        right = self.body.held(self.value(e.right, scope))
        if isinstance(e.left.type, t.RegionType):
            return f"({right} >= 0 and PLAN[{right}] in {left})"
        return f"({right} in {left})"

    def junction(self, e: checked.Binary, scope: Scope, how: Emit) -> str:
        known = self.facts.constant(e.left)
        if known is not UNKNOWN:
            return how(e.right, scope) if bool(known) == (e.op == "and") else repr(known)
        known = self.facts.constant(e.right)
        if known is not UNKNOWN and bool(known) == (e.op == "and"):
            return how(e.left, scope)
        left = how(e.left, scope)
        body = self.body
        marker, level = body.marker(), body.level
        body.level += 1
        right = how(e.right, scope)
        body.level = level
        if body.lines[-1] is marker:
            body.lines.pop()
            return f"({left} {e.op} {right})"
        name = body.fresh()
        place = body.at(marker)
        test = name if e.op == "and" else f"not {name}"
        body.lines[place : place + 1] = [(level, f"{name} = {left}", body.mark), (level, f"if {test}:", body.mark)]
        body.lines.append((level + 1, f"{name} = {right}", body.mark))
        return name

    def conditional(self, e: checked.Conditional, scope: Scope, how: Emit) -> str:
        known = self.facts.constant(e.test)
        if known is not UNKNOWN:
            return how(e.then if known else e.otherwise, scope)
        test = self.test(e.test, scope)
        body, level = self.body, self.body.level
        first = body.marker()
        body.level += 1
        then = how(e.then, scope)
        second = body.marker()
        otherwise = how(e.otherwise, scope)
        body.level = level
        if body.lines[-2] is first and body.lines[-1] is second:
            del body.lines[-2:]
            return f"({then} if {test} else {otherwise})"
        name, mark = body.fresh(), body.mark
        body.lines.append((level + 1, f"{name} = {otherwise}", mark))
        place = body.at(second)
        body.lines[place : place + 1] = [(level + 1, f"{name} = {then}", mark), (level, "else:", mark)]
        body.lines[body.at(first)] = (level, f"if {test}:", mark)
        return name

    # ----------------------------------------------------------------- lookups

    def place_of(self, first: int, shift: int, owner: checked.Expr | None, scope: Scope) -> str:
        """A place in the state by its owner."""
        if owner is None:
            return str(first)
        known = self.facts.constant(owner)
        if known is not UNKNOWN:
            return str(first + known - shift)
        text = self.value(owner, scope)
        return text if first == shift else f"{text} + {first - shift}" if first > shift else f"{text} - {shift - first}"

    def zone(self, e: checked.ZoneOf, scope: Scope) -> str:
        layout = self.layout
        text = self.place_of(layout.zone_first[e.zone], layout.zone_shift[e.zone], e.owner, scope)
        return text if atomic(text) else f"({text})"

    def variable(self, e: checked.VariableOf, scope: Scope) -> str:
        layout = self.layout
        first, shift = layout.variable_first[e.variable], layout.variable_shift[e.variable]
        return f"V[{self.place_of(first, shift, e.owner, scope)}]"

    def lookup(self, e: checked.Lookup, scope: Scope) -> str:
        if e.what == "matrix":
            first, second = self.in_order(e.keys[0], e.keys[1], scope)
            return f"{self.m.table('matrices', e.name)}[{first}][{second}]"
        if e.what == "map":
            assert e.of is not None
            key, of = self.in_order(e.keys[0], e.of, scope)
            return f"{of}[{key}]"
        span = self.m.span(e.span)
        if e.what == "series":
            return f"SERIES({self.m.table('series', e.name)}, {self.value(e.keys[0], scope)}, {span})"
        assert e.of is not None
        key, of = self.in_order(e.keys[0], e.of, scope)
        return f"ENTRY({of}, {key}, {span})"

    # -------------------------------------------------------------- definitions

    def written_out(self, e: checked.Apply) -> bool:
        return len(self.body.heads) < MAX_DEPTH and self.m.small(e.define)

    def apply(self, e: checked.Apply, scope: Scope, how: Emit) -> str:
        """A definition: small ones are written out, others called."""
        if not self.written_out(e):
            arguments = [self.body.held(self.value(argument, scope)) for argument in e.arguments]
            return self.m.call_define(e.define, arguments, scope)
        return how(self.facts.defines[e.define].value, self.inner_scope(e, scope))

    def inner_scope(self, e: checked.Apply, scope: Scope) -> dict[int, str]:
        inner = {0: scope[0]} if 0 in scope else {}
        for place, argument in enumerate(e.arguments):
            inner[1 + place] = self.body.held(self.value(argument, scope), "p")
        return inner

    # --------------------------------------------------------------- delegated

    def items(self, e: checked.Expr, scope: Scope) -> str:
        raise AssertionError

    def list_or_early(self, e: checked.Expr, scope: Scope) -> str:
        raise AssertionError

    def any(self, e: checked.Expr, scope: Scope) -> str:
        raise AssertionError

    def primitive(self, e: checked.Primitive, scope: Scope) -> str:
        raise AssertionError

    @contextmanager
    def each(self, e: checked.Expr, scope: Scope) -> Iterator[str]:
        raise AssertionError
        yield ""


class Emit(Protocol):
    """How one of the ways to write an expression is called."""

    __name__: str

    def __call__(self, e: checked.Expr, scope: Scope) -> str: ...


def _whole(text: str) -> bool:
    """Whether the bracket that opens a text closes at its end."""
    depth = 0
    for place, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if not depth:
            return place == len(text) - 1
    return False
