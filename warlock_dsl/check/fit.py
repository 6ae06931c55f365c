"""Making types fit: an expression checked against the type that is wanted, and names bound to what has a type."""

from __future__ import annotations

from attrs import evolve

from warlock_dsl.check import program as checked
from warlock_dsl.check.context import MAX_DEPTH, CheckContext, Seen, bad
from warlock_dsl.check.names import Bound, Scope, in_library
from warlock_dsl.diagnostics.diagnostic import Related, Span
from warlock_dsl.primitives import assumed
from warlock_dsl.syntax import tree as syntax
from warlock_dsl.types import (
    TRUTH,
    UNKNOWN,
    ListType,
    PieceType,
    RowType,
    Type,
    UnknownType,
    ZoneType,
    fits,
    pieces_of,
    words,
)


def expression(ctx: CheckContext, scope: Scope, node: syntax.Expression, expected: Type | None = None) -> checked.Expr:
    """An expression, resolved and typed. `expected` only helps to tell rows of the same name apart."""
    ctx.depth += 1
    try:
        if ctx.depth <= MAX_DEPTH:
            return ctx.note(scope, node, ctx.form(ctx, scope, node, expected), expected)
        if ctx.too_deep:
            return bad(node.span)
        ctx.too_deep = True
        hint = "give parts of it names with 'define' or 'let'"
        return ctx.failed("W339", "this expression is nested too deeply", node.span, "too deep", hint)
    finally:
        ctx.depth -= 1
        ctx.too_deep = ctx.too_deep and ctx.depth > 0


def typed(ctx: CheckContext, scope: Scope, node: syntax.Expression, wanted: Type, what: str) -> checked.Expr:
    """An expression that must have a type."""
    return fit(ctx, scope, expression(ctx, scope, node, wanted), wanted, what)


def list_expression(ctx: CheckContext, scope: Scope, node: syntax.Expression, what: str) -> tuple[checked.Expr, Type]:
    """An expression that must be a list, and the type of its elements."""
    value = as_list(expression(ctx, scope, node))
    if isinstance(value.type, ListType):
        return value, item_type(value.type)
    if isinstance(value.type, UnknownType):
        return value, UNKNOWN
    hint = ""
    if str(value.type) == "region":
        hint = "a region is tested, not listed: [f in cells(G) where R has f]"
    wrong = ctx.failed("W304", f"{what} must be a list or a zone", value.span, f"this is {words(value.type)}", hint)
    return wrong, UNKNOWN


def item_type(type_: ListType) -> Type:
    return UNKNOWN if type_.item is None else type_.item


# --------------------------------------------------------------- shapes


def as_list(value: checked.Expr) -> checked.Expr:
    """A zone read as the list of its pieces; anything else as it is."""
    if isinstance(value.type, ZoneType):
        return checked.PiecesOf(value, pieces_of(value.type), value.span)
    return value


def as_lists(scope: Scope, value: checked.Expr) -> checked.Expr:
    """A list of zones read as a list of lists of pieces."""
    type_ = value.type
    if not isinstance(type_, ListType) or not isinstance(type_.item, ZoneType):
        return value
    wanted = ListType(pieces_of(type_.item))
    if isinstance(value, checked.ListOf):
        return checked.ListOf(tuple(as_list(item) for item in value.items), wanted, value.span)
    if isinstance(value, checked.Gather) and value.body is not None:
        return checked.Gather(value.slot, value.source, value.where, as_list(value.body), wanted, value.span)
    slot = scope.frame.new_slot()
    one = as_list(checked.Local(slot, type_.item, value.span))
    return checked.Gather(slot, value, None, one, wanted, value.span)


def fit(ctx: CheckContext, scope: Scope, value: checked.Expr, wanted: Type, what: str) -> checked.Expr:
    """The value made to fit the type that is wanted, where a zone may be given for a list; or an error."""
    shaped = value
    if isinstance(wanted, ListType):
        shaped = as_list(value)
        if isinstance(wanted.item, ListType):
            shaped = as_lists(scope, shaped)
    if fits(shaped.type, wanted):
        return shaped
    hint = fit_hint(value, wanted)
    return ctx.failed("W304", f"{what} must be {words(wanted)}", value.span, f"this is {words(value.type)}", hint)


def fit_hint(value: checked.Expr, wanted: Type) -> str:
    """How a value of the wrong type could be turned into one of the type that is wanted."""
    found = as_list(value).type
    if isinstance(found, ListType) and found.item is not None and fits(found.item, wanted):
        return "take one element: first(...), last(...) or an index like [1]"
    if isinstance(wanted, ListType) and wanted.item is not None and fits(value.type, wanted.item):
        return "a list of one element is written in brackets: [x]"
    if isinstance(found, PieceType) and isinstance(wanted, PieceType):
        return f"narrow the list it comes from to its kind, as in Z[{wanted.kinds[0]}]"
    if isinstance(found, ListType) and isinstance(wanted, ListType) and isinstance(found.item, PieceType):
        kinds = wanted.item.kinds if isinstance(wanted.item, PieceType) else ()
        return f"narrow it to its kind, as in Z[{kinds[0]}]" if kinds else ""
    if isinstance(wanted, ZoneType) and wanted.grid and isinstance(found, ListType):
        return "only a zone declared with a grid has cells"
    return ""


# ------------------------------------------------------ kinds of pieces


def is_of_kind(ctx: CheckContext, of: checked.Expr, kind: str, span: Span) -> checked.Expr:
    """`x is KIND`: whether there is anything among this one piece that is of the kind."""
    assert isinstance(of.type, PieceType)
    if of.type.kinds and kind not in of.type.kinds:
        return ctx.failed("W316", f"this is never a {kind}", span, "always false", f"it is {words(of.type)}")
    one = checked.ListOf((of,), ListType(of.type), span)
    wanted = checked.Narrow(one, (kind,), ListType(PieceType((kind,))), span)
    return checked.Primitive("any", (wanted,), TRUTH, span)


def where_it_holds(ctx: CheckContext, scope: Scope, test: checked.Expr | None, holds: bool = True) -> Scope:
    """The scope where a test holds, or does not: a name that is tested for its kind is of that kind there."""
    match test:
        case checked.Not():
            return where_it_holds(ctx, scope, test.of, not holds)
        case checked.Binary(op="and" | "or") if (test.op == "and") == holds:
            return where_it_holds(ctx, where_it_holds(ctx, scope, test.left, holds), test.right, holds)
        case checked.Primitive(
            arguments=(checked.Narrow(of=checked.ListOf(items=(checked.Local(slot=slot),)), kinds=kinds),)
        ) if assumed(test.name).result == "nonempty":
            return _of_kinds(ctx, scope, slot, kinds, holds)
        case _:
            return scope


def _of_kinds(ctx: CheckContext, scope: Scope, slot: int, kinds: tuple[str, ...], among: bool) -> Scope:
    names = dict(scope.names)
    for name, bound in scope.names.items():
        if bound.slot == slot and isinstance(bound.type, PieceType):
            left = tuple(kind for kind in bound.type.kinds or ctx.kind_order if (kind in kinds) == among)
            names[name] = evolve(bound, type=PieceType(left) if left else bound.type)
    return evolve(scope, names=names)


# -------------------------------------------------------------- binding


def bind(ctx: CheckContext, scope: Scope, name: syntax.Name, type_: Type, *, shown: bool = True) -> Scope:
    """Binds a name; an error if it already stands for something else than the table, kind or family it is of."""
    _refuse_shadow(ctx, scope.names.get(name.text), name, type_)
    after = scope.bound(name.text, type_, name.span, shown=shown)
    ctx.seen.append(Seen(name, None, after.names[name.text]))
    return after


def _refuse_shadow(ctx: CheckContext, other: Bound | None, name: syntax.Name, type_: Type) -> None:
    if other is not None:
        known: tuple[str, Span] | None = (f"the name '{name.text}' bound before", other.span)
    elif in_library(name.span) or is_called_by_type(ctx, name.text, type_):
        known = None  # the library cannot know the names of every game, and never speaks of them
    else:
        known = ctx.names.declared(name.text) or ctx.names.given(name.text)
    word = ctx.names.word(name.text)
    if known is None and not word:
        return
    what, related = (word, ()) if known is None else (known[0], (Related(known[1], "the other one"),))
    if known is not None and known[1].file.startswith("+") and not name.span.file.startswith("+"):
        _added_over(ctx, name, known[1])
        return
    ctx.error(
        "W302",
        f"'{name.text}' already stands for {what}",
        name.span,
        "this name is taken",
        "choose another name: nothing may hide something else",
        related,
    )


def _added_over(ctx: CheckContext, name: syntax.Name, added: Span) -> None:
    """What an overlay adds may not take a name that rules of its game bind: told once, where it is added."""
    if added in ctx.taken:
        return
    ctx.taken.add(added)
    overlay = added.file[1:].partition("/")[0]
    ctx.error(
        "W302",
        f"the game's own rules use the name '{name.text}' for something else",
        added,
        "this name is taken",
        f"rename yours: a name that nobody else has, such as '{overlay}_{name.text}'",
        (Related(name.span, "bound here"),),
    )


def is_called_by_type(ctx: CheckContext, name: str, type_: Type) -> bool:
    """Whether a name is that of the table, the kind or the family its value is of, and of nothing else."""
    names = ctx.names
    if name in names.rows or names.game_variable(name) is not None or names.table_zone(name) is not None:
        return False
    if name in names.families:
        return type_ == names.families[name].key_type
    return type_ in (RowType(name), PieceType((name,))) and names.declared(name) is None
