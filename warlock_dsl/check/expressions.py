"""Expressions: every form of the language, resolved and typed."""

from __future__ import annotations

from warlock_dsl.check import program as checked
from warlock_dsl.check.calls import call, can, fold, gather, would
from warlock_dsl.check.context import CheckContext, bad
from warlock_dsl.check.fit import as_list, expression, fit, is_of_kind, typed, where_it_holds
from warlock_dsl.check.lookups import attribute, index, name_value, not_whole
from warlock_dsl.check.names import Names, Scope
from warlock_dsl.diagnostics.diagnostic import Span
from warlock_dsl.signatures import NAMED
from warlock_dsl.syntax import tree as syntax
from warlock_dsl.tables.components import Components
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


def new_context(components: Components, names: Names, unit: int) -> CheckContext:
    """The state of a check that has found nothing yet."""
    return CheckContext(components, names, form, unit)


def form(ctx: CheckContext, scope: Scope, node: syntax.Expression, expected: Type | None) -> checked.Expr:
    """What each form of expression means; `fit.expression` is the way in, which counts how deep they are nested."""
    match node:
        case syntax.Number():
            return checked.Const(int(node.value * ctx.unit), NUMBER, node.span)
        case syntax.Truth():
            return checked.Const(node.value, TRUTH, node.span)
        case syntax.Name():
            return not_whole(ctx, name_value(ctx, scope, node, expected))
        case syntax.Attribute():
            return not_whole(ctx, attribute(ctx, scope, node))
        case syntax.Index():
            return index(ctx, scope, node)
        case syntax.Call():
            return call(ctx, scope, node)
        case syntax.Fold():
            return fold(ctx, scope, node)
        case syntax.Listing():
            return listing(ctx, scope, node, expected)
        case syntax.Comprehension():
            return gather(ctx, scope, node.binder, node.body, node.span)
        case syntax.Range():
            low = typed(ctx, scope, node.low, NUMBER, "the start of a range")
            high = typed(ctx, scope, node.high, NUMBER, "the end of a range")
            return checked.RangeOf(low, high, ListType(NUMBER), node.span)
        case syntax.Binary():
            return binary(ctx, scope, node, expected)
        case syntax.Not():
            return checked.Not(typed(ctx, scope, node.of, TRUTH, "what 'not' denies"), TRUTH, node.span)
        case syntax.Conditional():
            return conditional(ctx, scope, node, expected)
        case syntax.Can():
            return can(ctx, scope, node)
        case syntax.Would():
            return would(ctx, scope, node, expected)


# ----------------------------------------------------------------------- lists


def listing(ctx: CheckContext, scope: Scope, node: syntax.Listing, expected: Type | None) -> checked.Expr:
    wanted = expected.item if isinstance(expected, ListType) else None
    items: list[checked.Expr] = []
    type_: Type | None = None
    for item in node.items:
        value = expression(ctx, scope, item, wanted or type_)
        both = value.type if type_ is None else join(type_, value.type, ctx.kind_order)
        if both is None and isinstance(type_, ListType | ZoneType):
            value, items = as_list(value), [as_list(other) for other in items]
            both = join(items[0].type, value.type, ctx.kind_order)
        if both is None:
            assert type_ is not None
            value = ctx.failed(
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


def is_ambiguous(ctx: CheckContext, scope: Scope, node: syntax.Expression) -> bool:
    """Whether only what is expected can tell what this is: a row of several tables, or a key of a family."""
    if isinstance(node, syntax.Listing):
        return any(is_ambiguous(ctx, scope, item) for item in node.items)
    if not isinstance(node, syntax.Name) or node.text in scope.names or ctx.names.declared(node.text):
        return False
    if len(ctx.names.rows.get(node.text, ())) > 1:
        return True
    keys = (node.text in family.members for family in ctx.names.families.values())
    return ctx.names.given(node.text) is None and any(keys)


# ------------------------------------------------------------------- operators


def binary(ctx: CheckContext, scope: Scope, node: syntax.Binary, expected: Type | None) -> checked.Expr:
    if node.op in ("and", "or"):
        left = typed(ctx, scope, node.left, TRUTH, f"what stands before '{node.op}'")
        beside = where_it_holds(ctx, scope, left, node.op == "and")
        right = typed(ctx, beside, node.right, TRUTH, f"what stands after '{node.op}'")
        return checked.Binary(node.op, left, right, TRUTH, node.span)
    if node.op == "is":
        return same(ctx, scope, node)
    if node.op == "has":
        return has(ctx, scope, node)
    if node.op in ("+", "-"):
        return plus_or_minus(ctx, scope, node, expected)
    left = typed(ctx, scope, node.left, NUMBER, f"what stands before '{node.op}'")
    right = typed(ctx, scope, node.right, NUMBER, f"what stands after '{node.op}'")
    return checked.Binary(node.op, left, right, NUMBER if node.op == "*" else TRUTH, node.span)


def same(ctx: CheckContext, scope: Scope, node: syntax.Binary) -> checked.Expr:
    if isinstance(node.right, syntax.Not):  # `a is not b`
        return checked.Not(same_as(ctx, scope, node.left, node.right.of, node.span), TRUTH, node.span)
    return same_as(ctx, scope, node.left, node.right, node.span)


def same_as(
    ctx: CheckContext, scope: Scope, one: syntax.Expression, other: syntax.Expression, span: Span
) -> checked.Expr:
    if is_ambiguous(ctx, scope, one):
        right = expression(ctx, scope, other)
        left = expression(ctx, scope, one, right.type)
    else:
        left = expression(ctx, scope, one)
        if isinstance(other, syntax.Name) and other.text in ctx.components.kinds and other.text not in scope.names:
            if isinstance(left.type, PieceType):
                return is_of_kind(ctx, left, other.text, span)
            if isinstance(left.type, UnknownType):
                return bad(span)
        right = expression(ctx, scope, other, left.type)
    if isinstance(left.type, ListType) != isinstance(right.type, ListType):
        left, right = as_list(left), as_list(right)
    if not comparable(left.type, right.type):
        found = f"{words(left.type)} is never {words(right.type)}"
        return ctx.failed("W312", found, span, "never the same", "'is' compares two values of one type")
    return checked.Binary("is", left, right, TRUTH, span)


def has(ctx: CheckContext, scope: Scope, node: syntax.Binary) -> checked.Expr:
    if is_ambiguous(ctx, scope, node.left):
        right = expression(ctx, scope, node.right)
        left = as_list(expression(ctx, scope, node.left, ListType(right.type)))
    else:
        left = as_list(expression(ctx, scope, node.left))
        item = left.type.item if isinstance(left.type, ListType) else None
        right = expression(ctx, scope, node.right, item)
    if isinstance(left.type, RegionType):
        right = fit(ctx, scope, right, CELL, "what a region has")
    elif isinstance(left.type, ListType):
        item = left.type.item
        if isinstance(item, ListType):
            right = as_list(right)
        if item is not None and not comparable(item, right.type):
            message = f"a list of {item} never has {words(right.type)}"
            return ctx.failed("W312", message, node.span, "always false", "'S has x' tests for an element")
    elif not isinstance(left.type, UnknownType):
        message = "what stands before 'has' must be a list, a zone or a region"
        return ctx.failed("W304", message, left.span, f"this is {words(left.type)}")
    return checked.Binary("has", left, right, TRUTH, node.span)


def plus_or_minus(ctx: CheckContext, scope: Scope, node: syntax.Binary, expected: Type | None) -> checked.Expr:
    left = as_list(expression(ctx, scope, node.left, expected))
    right = as_list(expression(ctx, scope, node.right, left.type))
    if isinstance(left.type, UnknownType) or isinstance(right.type, UnknownType):
        return bad(node.span)
    if isinstance(left.type, NumberType) and isinstance(right.type, NumberType):
        return checked.Binary(node.op, left, right, NUMBER, node.span)
    if isinstance(left.type, ListType) and isinstance(right.type, ListType):
        both = join(left.type, right.type, ctx.kind_order)
        if both is not None:
            name, type_ = ("join", both) if node.op == "+" else ("without", left.type)
            return checked.Binary(name, left, right, type_, node.span)
    hint = f"'{node.op}' takes two numbers or two lists"
    if isinstance(left.type, ListType) and left.type.item is not None and fits(right.type, left.type.item):
        hint = "a single element is written in brackets: [x]"
    message = f"'{node.op}' does not go with {words(left.type)} and {words(right.type)}"
    return ctx.failed("W312", message, node.span, "do not go together", hint)


def conditional(ctx: CheckContext, scope: Scope, node: syntax.Conditional, expected: Type | None) -> checked.Expr:
    test = typed(ctx, scope, node.test, TRUTH, "the condition of 'if'")
    yes, no = (where_it_holds(ctx, scope, test, holds) for holds in (True, False))
    if expected is None and is_ambiguous(ctx, scope, node.then):
        otherwise = expression(ctx, no, node.otherwise)
        then = expression(ctx, yes, node.then, otherwise.type)
    else:
        then = expression(ctx, yes, node.then, expected)
        otherwise = expression(ctx, no, node.otherwise, expected or then.type)
    both = join(then.type, otherwise.type, ctx.kind_order)
    if both is None:
        then, otherwise = as_list(then), as_list(otherwise)
        both = join(then.type, otherwise.type, ctx.kind_order)
    if both is None:
        message = f"one branch is {words(then.type)}, the other {words(otherwise.type)}"
        return ctx.failed("W312", message, node.span, "two types", "both branches must have one type")
    return checked.Conditional(test, then, otherwise, both, node.span)


# ----------------------------------------------------------------------- types


def written_type(ctx: CheckContext, node: syntax.TypeName) -> Type:
    """A type as written beside a parameter."""
    if node.items is not None:
        return ListType(written_type(ctx, node.items))
    if node.text in NAMED:
        return NAMED[node.text]
    if node.text in ctx.components.kinds:
        return PieceType((node.text,))
    if node.text in ctx.components.tables:
        return RowType(node.text)
    if node.text in ctx.names.families:
        return ctx.names.families[node.text].key_type
    known = [*NAMED, *ctx.components.kinds, *ctx.components.tables, *ctx.names.families]
    ctx.error(
        "W315",
        f"there is no type '{node.text}'",
        node.span,
        "unknown type",
        ctx.suggest(node.text, known, "types"),
    )
    return UNKNOWN
