"""Expressions: every form of the language, resolved and typed."""

from __future__ import annotations

from attrs import define

from warlock_dsl.check import program as checked
from warlock_dsl.check.base import MAX_DEPTH, bad
from warlock_dsl.check.calls import Calls
from warlock_dsl.check.names import Scope
from warlock_dsl.diagnostics.diagnostic import Span
from warlock_dsl.signatures import NAMED
from warlock_dsl.syntax import tree as syntax
from warlock_dsl.types import (
    CELL,
    NUMBER,
    TRUTH,
    UNKNOWN,
    ListType,
    NumberType,
    PieceType,
    RegionType,
    RowType,
    Type,
    UnknownType,
    ZoneType,
    comparable,
    fits,
    join,
    words,
)


@define
class Expressions(Calls):
    """The meaning of expressions and of types as written."""

    def expr(self, scope: Scope, node: syntax.Expression, expected: Type | None = None) -> checked.Expr:
        self.depth += 1
        try:
            if self.depth <= MAX_DEPTH:
                return self.form(scope, node, expected)
            if self.drowned:
                return bad(node.span)
            self.drowned = True
            hint = "give parts of it names with 'define' or 'let'"
            return self.failed("W339", "this expression is nested too deeply", node.span, "too deep", hint)
        finally:
            self.depth -= 1
            self.drowned = self.drowned and self.depth > 0

    def form(self, scope: Scope, node: syntax.Expression, expected: Type | None) -> checked.Expr:
        match node:
            case syntax.Number():
                return self.number(node.value, node.span)
            case syntax.Truth():
                return checked.Const(node.value, TRUTH, node.span)
            case syntax.Name():
                return self.name(scope, node, expected)
            case syntax.Attribute():
                return self.attribute(scope, node)
            case syntax.Index():
                return self.index(scope, node)
            case syntax.Call():
                return self.call(scope, node)
            case syntax.Fold():
                return self.fold(scope, node)
            case syntax.Listing():
                return self.listing(scope, node, expected)
            case syntax.Comprehension():
                return self.gather(scope, node.binder, node.body, node.span)
            case syntax.Range():
                low = self.typed(scope, node.low, NUMBER, "the start of a range")
                high = self.typed(scope, node.high, NUMBER, "the end of a range")
                return checked.RangeOf(low, high, ListType(NUMBER), node.span)
            case syntax.Binary():
                return self.binary(scope, node, expected)
            case syntax.Not():
                return checked.Not(self.typed(scope, node.of, TRUTH, "what 'not' denies"), TRUTH, node.span)
            case syntax.Conditional():
                return self.conditional(scope, node, expected)
            case syntax.Can():
                return self.can(scope, node)

    # ---------------------------------------------------------------- lists

    def listing(self, scope: Scope, node: syntax.Listing, expected: Type | None) -> checked.Expr:
        wanted = expected.item if isinstance(expected, ListType) else None
        items: list[checked.Expr] = []
        type_: Type | None = None
        for item in node.items:
            value = self.expr(scope, item, wanted or type_)
            both = value.type if type_ is None else join(type_, value.type, self.kind_order)
            if both is None and isinstance(type_, ListType | ZoneType):
                value, items = self.as_list(value), [self.as_list(other) for other in items]
                both = join(items[0].type, value.type, self.kind_order)
            if both is None:
                assert type_ is not None
                value = self.failed(
                    "W312",
                    "the elements of a list must have one type",
                    value.span,
                    f"this is {words(value.type)}",
                    f"the ones before are each {words(type_)}",
                )
                both = type_
            type_ = both
            items.append(value)
        return checked.ListOf(tuple(items), ListType(type_), node.span)

    def open_row(self, scope: Scope, node: syntax.Expression) -> bool:
        """Whether only what is expected can tell what this is: a row of several tables, or a key of a family."""
        if isinstance(node, syntax.Listing):
            return any(self.open_row(scope, item) for item in node.items)
        if not isinstance(node, syntax.Name) or node.text in scope.names or self.names.declared(node.text):
            return False
        if len(self.names.rows.get(node.text, ())) > 1:
            return True
        keys = (node.text in family.members for family in self.names.families.values())
        return self.names.given(node.text) is None and any(keys)

    # ------------------------------------------------------------ operators

    def binary(self, scope: Scope, node: syntax.Binary, expected: Type | None) -> checked.Expr:
        if node.op in ("and", "or"):
            left = self.typed(scope, node.left, TRUTH, f"what stands before '{node.op}'")
            right = self.typed(scope, node.right, TRUTH, f"what stands after '{node.op}'")
            return checked.Binary(node.op, left, right, TRUTH, node.span)
        if node.op == "is":
            return self.same(scope, node)
        if node.op == "has":
            return self.has(scope, node)
        if node.op in ("+", "-"):
            return self.sum_or_bag(scope, node, expected)
        left = self.typed(scope, node.left, NUMBER, f"what stands before '{node.op}'")
        right = self.typed(scope, node.right, NUMBER, f"what stands after '{node.op}'")
        return checked.Binary(node.op, left, right, NUMBER if node.op == "*" else TRUTH, node.span)

    def same(self, scope: Scope, node: syntax.Binary) -> checked.Expr:
        if isinstance(node.right, syntax.Not):  # `a is not b`
            return checked.Not(self.same_as(scope, node.left, node.right.of, node.span), TRUTH, node.span)
        return self.same_as(scope, node.left, node.right, node.span)

    def same_as(self, scope: Scope, one: syntax.Expression, other: syntax.Expression, span: Span) -> checked.Expr:
        if self.open_row(scope, one):
            right = self.expr(scope, other)
            left = self.expr(scope, one, right.type)
        else:
            left = self.expr(scope, one)
            right = self.expr(scope, other, left.type)
        if isinstance(left.type, ListType) != isinstance(right.type, ListType):
            left, right = self.as_list(left), self.as_list(right)
        if not comparable(left.type, right.type):
            found = f"{words(left.type)} is never {words(right.type)}"
            return self.failed("W312", found, span, "never the same", "'is' compares two values of one type")
        return checked.Binary("is", left, right, TRUTH, span)

    def has(self, scope: Scope, node: syntax.Binary) -> checked.Expr:
        if self.open_row(scope, node.left):
            right = self.expr(scope, node.right)
            left = self.as_list(self.expr(scope, node.left, ListType(right.type)))
        else:
            left = self.as_list(self.expr(scope, node.left))
            item = left.type.item if isinstance(left.type, ListType) else None
            right = self.expr(scope, node.right, item)
        if isinstance(left.type, RegionType):
            right = self.fit(scope, right, CELL, "what a region has")
        elif isinstance(left.type, ListType):
            item = left.type.item
            if isinstance(item, ListType):
                right = self.as_list(right)
            if item is not None and not comparable(item, right.type):
                message = f"a list of {item} never has {words(right.type)}"
                return self.failed("W312", message, node.span, "always false", "'S has x' tests for an element")
        elif not isinstance(left.type, UnknownType):
            message = "what stands before 'has' must be a list, a zone or a region"
            return self.failed("W304", message, left.span, f"this is {words(left.type)}")
        return checked.Binary("has", left, right, TRUTH, node.span)

    def sum_or_bag(self, scope: Scope, node: syntax.Binary, expected: Type | None) -> checked.Expr:
        left = self.as_list(self.expr(scope, node.left, expected))
        right = self.as_list(self.expr(scope, node.right, left.type))
        if isinstance(left.type, UnknownType) or isinstance(right.type, UnknownType):
            return bad(node.span)
        if isinstance(left.type, NumberType) and isinstance(right.type, NumberType):
            return checked.Binary(node.op, left, right, NUMBER, node.span)
        if isinstance(left.type, ListType) and isinstance(right.type, ListType):
            both = join(left.type, right.type, self.kind_order)
            if both is not None:
                name, type_ = ("join", both) if node.op == "+" else ("without", left.type)
                return checked.Binary(name, left, right, type_, node.span)
        hint = f"'{node.op}' takes two numbers or two lists"
        if isinstance(left.type, ListType) and left.type.item is not None and fits(right.type, left.type.item):
            hint = "a single element is written in brackets: [x]"
        message = f"'{node.op}' does not go with {words(left.type)} and {words(right.type)}"
        return self.failed("W312", message, node.span, "do not go together", hint)

    def conditional(self, scope: Scope, node: syntax.Conditional, expected: Type | None) -> checked.Expr:
        test = self.typed(scope, node.test, TRUTH, "the condition of 'if'")
        if expected is None and self.open_row(scope, node.then):
            otherwise = self.expr(scope, node.otherwise)
            then = self.expr(scope, node.then, otherwise.type)
        else:
            then = self.expr(scope, node.then, expected)
            otherwise = self.expr(scope, node.otherwise, expected or then.type)
        both = join(then.type, otherwise.type, self.kind_order)
        if both is None:
            then, otherwise = self.as_list(then), self.as_list(otherwise)
            both = join(then.type, otherwise.type, self.kind_order)
        if both is None:
            message = f"one branch is {words(then.type)}, the other {words(otherwise.type)}"
            return self.failed("W312", message, node.span, "two types", "both branches must have one type")
        return checked.Conditional(test, then, otherwise, both, node.span)

    # ---------------------------------------------------------------- types

    def written_type(self, node: syntax.TypeName) -> Type:
        """A type as written beside a parameter."""
        if node.items is not None:
            return ListType(self.written_type(node.items))
        if node.text in NAMED:
            return NAMED[node.text]
        if node.text in self.components.kinds:
            return PieceType((node.text,))
        if node.text in self.components.tables:
            return RowType(node.text)
        known = [*NAMED, *self.components.kinds, *self.components.tables]
        self.error(
            "W315",
            f"there is no type '{node.text}'",
            node.span,
            "unknown type",
            self.suggest(node.text, known, "types"),
        )
        return UNKNOWN
