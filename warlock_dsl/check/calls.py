"""Calls: definitions, primitive functions, folds, and the rules a statement or `can` calls."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve

from warlock_dsl.check import program as checked
from warlock_dsl.check.context import CheckContext, bad
from warlock_dsl.check.fit import (
    as_list,
    as_lists,
    bind,
    expression,
    fit_hint,
    list_expression,
    typed,
    where_it_holds,
)
from warlock_dsl.check.lookups import nobody_acts
from warlock_dsl.check.names import FamilyEntry, Past, RuleEntry, Scope, listed
from warlock_dsl.diagnostics.diagnostic import Fix, Remedy, Span, TextEdit
from warlock_dsl.primitives import FUNCTION_NAMES, KEYED_NAMES, assumed, reads_me
from warlock_dsl.signatures import ListOf, Pattern, Signature, filled, matches, result_of, said, signatures, takes_list
from warlock_dsl.syntax import tree as syntax
from warlock_dsl.syntax.walk import nodes
from warlock_dsl.types import (
    PLAYER,
    TRUTH,
    ListType,
    PlayerType,
    RowType,
    Type,
    UnknownType,
    ZoneType,
    fits,
    words,
)

WAS = "was"
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")


def ordinal(place: int) -> str:
    return ORDINALS[place] if place < len(ORDINALS) else f"{place + 1}th"


def call(ctx: CheckContext, scope: Scope, node: syntax.Call) -> checked.Expr:
    text = node.name.text
    if text in scope.names:
        return ctx.failed("W309", f"'{text}' is a value, not a function", node.name.span, "cannot be called")
    if text in ctx.names.families or text in ctx.names.rules:
        if text in ctx.contested:
            return bad(node.span)
        hint = f"'let x = {text}(...)' takes what a rule gives; whether it could begin is asked with can {text}(...)"
        return ctx.failed("W309", f"'{text}' is a rule, not a value", node.name.span, "a rule, not a value", hint)
    if node.key is not None:
        return ctx.failed("W309", f"'{text}' is no family of rules", node.name.span, "has no members")
    if text == WAS:
        return was(ctx, scope, node)
    if text in ctx.names.defines:
        return apply_definition(ctx, scope, node)
    if text in FUNCTION_NAMES:
        return primitive_call(ctx, scope, node)
    if text in KEYED_NAMES:
        hint = f"write {text}(x in ...: key)"
        return ctx.failed("W314", f"'{text}' needs a key for each element", node.span, "no key is given", hint)
    known = [*ctx.names.defines, *FUNCTION_NAMES, *KEYED_NAMES]
    return ctx.failed("W310", f"there is no function '{text}'", node.name.span, "unknown", ctx.closest(text, known))


def apply_definition(ctx: CheckContext, scope: Scope, node: syntax.Call) -> checked.Expr:
    text = node.name.text
    entry = ctx.names.defines[text]
    if not entry.node.parameters and not node.arguments:
        hint = Remedy(f"write {text} alone", Fix(f"write '{text}' alone", (TextEdit(node.span, text),)))
        return ctx.failed("W308", f"'{text}' has no parameters", node.span, "no brackets", hint)
    arguments = fitted_arguments(ctx, scope, text, entry.parameters, node.arguments, node.span)
    if entry.made is None or arguments is None:
        return bad(node.span)
    return checked.Apply(entry.number, arguments, entry.made.type, node.span)


def fitted_arguments(
    ctx: CheckContext,
    scope: Scope,
    text: str,
    parameters: Sequence[tuple[str, Type]],
    given: Sequence[syntax.Expression],
    span: Span,
) -> tuple[checked.Expr, ...] | None:
    """The arguments of a definition or a rule, each made to fit its parameter."""
    if len(given) != len(parameters):
        shown = ", ".join(f"{name}: {type_}" for name, type_ in parameters)
        hint = f"its parameters: {shown}" if parameters else "it has no parameters"
        message = f"'{text}' takes {several(len(parameters))}, {len(given)} given"
        ctx.error("W308", message, span, "wrong number of arguments", hint)
        for argument in given:  # their own errors are worth telling all the same
            expression(ctx, scope, argument)
        return None
    return tuple(
        typed(ctx, scope, argument, type_, f"'{name}' of '{text}'")
        for argument, (name, type_) in zip(given, parameters, strict=True)
    )


# ---------------------------------------------------------- primitive functions


def primitive_call(ctx: CheckContext, scope: Scope, node: syntax.Call) -> checked.Expr:
    signature = signatures()[node.name.text]
    maximum = signature.maximum
    if len(node.arguments) < signature.minimum or (maximum is not None and len(node.arguments) > maximum):
        message = f"'{signature.name}' does not take {several(len(node.arguments))}"
        ctx.error("W308", message, node.span, "wrong number of arguments", f"it is {signature.text}")
        for argument in node.arguments:
            expression(ctx, scope, argument)
        return bad(node.span)
    bound: dict[str, Type] = {}
    given: list[checked.Expr] = []
    for place, argument in enumerate(node.arguments):
        pattern = signature.parameter(place)
        value = expression(ctx, scope, argument, filled(pattern, bound))
        given.append(matched_argument(ctx, scope, signature, place, value, bound))
    return checked.Primitive(signature.name, tuple(given), result_of(signature.result, bound), node.span)


def matched_argument(
    ctx: CheckContext, scope: Scope, signature: Signature, place: int, value: checked.Expr, bound: dict[str, Type]
) -> checked.Expr:
    """One argument of a function, in the shape its signature wants."""
    pattern = signature.parameter(place)
    shaped = in_shape(scope, value, pattern)
    if matches(pattern, shaped.type, bound, ctx.kind_order):
        return shaped
    known = filled(pattern, bound)
    wanted = said(pattern) if known is None else words(known)
    many = len(signature.parameters) > 1
    what = f"the {ordinal(place)} argument of '{signature.name}'" if many else f"what '{signature.name}' takes"
    hint = fit_hint(value, known) if known is not None else f"it is {signature.text}"
    return ctx.failed("W304", f"{what} must be {wanted}", value.span, f"this is {words(value.type)}", hint)


def in_shape(scope: Scope, value: checked.Expr, pattern: Pattern) -> checked.Expr:
    if isinstance(pattern, ListOf):
        value = as_list(value)
        if isinstance(pattern.item, ListOf):
            value = as_lists(scope, value)
    return value


# ------------------------------------------------------------------------ past


def was(ctx: CheckContext, scope: Scope, node: syntax.Call) -> checked.Expr:
    """`was(E)`: the value E had when the rule began after which an invariant is tested, or another rule runs."""
    past = scope.past
    if past is None:
        hint = "write it in what hangs after a rule: rule f after g(x): ..., or invariant f after g(x) = ..."
        return ctx.failed("W333", "'was' looks back to where a rule began, and none has here", node.span, "", hint)
    if scope.in_was:
        return ctx.failed("W333", "'was' looks back once, not twice", node.span, "inside another 'was'")
    if len(node.arguments) != 1:
        message = f"'was' takes 1 argument, {len(node.arguments)} given"
        return ctx.failed("W308", message, node.span, "wrong number of arguments", "write was(E)")
    value = as_list(expression(ctx, evolve(scope, in_was=True), node.arguments[0]))
    if isinstance(value.type, ListType) and isinstance(value.type.item, ZoneType):
        value = as_lists(scope, value)
    if isinstance(value.type, UnknownType):
        return value
    if scope.other_me and any(needs_me(ctx, inner) for inner in nodes(value)):
        hint = "give the player a name of his own: for p in players: ... was(count(p.hand)) ..."
        return ctx.failed("W333", "'me' is another player here than when the rule began", node.span, "whose?", hint)
    return past_value(ctx, scope, past, value, node)


def past_value(ctx: CheckContext, scope: Scope, past: Past, value: checked.Expr, node: syntax.Call) -> checked.Expr:
    """A slot that holds the value; where it depends on a player or a row bound here, one value for each of them."""
    slot = past.places[node.span] if node.span in past.places else scope.frame.new_slot()
    found: checked.Expr = checked.Local(slot, value.type, node.span)
    kept = value
    keys = bound_later(past, value)
    for key in keys:
        source = all_values(ctx, key.type, node.span)
        if source is None:
            name = next((name for name, bound in scope.names.items() if bound.slot == key.slot), "")
            hint = "take the whole list back then: was([x in ...: ...])"
            message = f"'{name}' is bound here and cannot be asked for when the rule began"
            return ctx.failed("W333", message, key.span, "not known then", hint)
        kept = checked.Gather(key.slot, source, None, kept, ListType(kept.type), node.span)
    whole = checked.Local(slot, kept.type, node.span)
    for place, key in enumerate(reversed(keys)):
        inner = whole if place == 0 else found
        assert isinstance(inner.type, ListType) and inner.type.item is not None
        found = checked.Lookup("map", "", inner, (key,), inner.type.item, node.span)
    past.kept.append((slot, kept))
    return found


def past_calls(hook: syntax.Hook | None, body: object) -> list[syntax.Call]:
    """Every `was` of a rule that hangs after another, in reading order; elsewhere it is an error."""
    if hook is None or hook.when != "after":
        return []
    return [one for one in nodes((hook.where, body)) if isinstance(one, syntax.Call) and one.name.text == WAS]


def needs_me(ctx: CheckContext, node: object) -> bool:
    """Whether a part of an expression speaks of who acts."""
    match node:
        case checked.Local():
            return node.slot == 0
        case checked.Primitive():
            return reads_me(node.name)
        case checked.Apply():
            return node.define in ctx.about_me
        case checked.Would():
            return node.by is None
        case _:
            return isinstance(node, checked.Can)


def bound_later(past: Past, value: checked.Expr) -> list[checked.Local]:
    """The names in an expression that neither the rule nor the expression itself binds, each once."""
    own = {node.slot for node in nodes(value) if isinstance(node, checked.Gather | checked.Keyed)}
    found: dict[int, checked.Local] = {}
    for node in nodes(value):
        if isinstance(node, checked.Local) and node.slot > past.parameters and node.slot not in own:
            found.setdefault(node.slot, node)
    return list(found.values())


def all_values(ctx: CheckContext, type_: Type, span: Span) -> checked.Expr | None:
    """All values of a type, in the order of their numbers; None where there may be too many."""
    if isinstance(type_, PlayerType):
        return checked.Primitive("players", (), ListType(type_), span)
    if isinstance(type_, RowType):
        count = len(ctx.components.tables[type_.table].rows)
        return checked.Const(tuple(range(count)), ListType(type_), span)
    return None


# ----------------------------------------------------------------------- folds


def fold(ctx: CheckContext, scope: Scope, node: syntax.Fold) -> checked.Expr:
    text = node.name.text
    if text in KEYED_NAMES:
        return keyed_fold(ctx, scope, node)
    gathered = gather(ctx, scope, node.binder, node.body, node.span)
    if text in FUNCTION_NAMES:
        bound: dict[str, Type] = {}
        signature = signatures()[text]
        if signature.minimum > 1 or not takes_list(signature.parameter(0)):
            hint = f"it is {signature.text}"
            return ctx.failed("W314", f"'{text}' does not run over a selection", node.span, "not a fold", hint)
        value = matched_argument(ctx, scope, signature, 0, gathered, bound)
        return checked.Primitive(text, (value,), result_of(signature.result, bound), node.span)
    if text in ctx.names.defines or text in ctx.names.rules or text in ctx.names.families:
        hint = f"hand it a list: {text}([x in ...: ...])"
        return ctx.failed("W314", f"'{text}' is no fold", node.name.span, "takes no selection", hint)
    hint = ctx.suggest(text, [*FUNCTION_NAMES, *KEYED_NAMES], "folds")
    return ctx.failed("W310", f"there is no fold '{text}'", node.name.span, "unknown", hint)


def gather(
    ctx: CheckContext, scope: Scope, binder: syntax.Binder, body: syntax.Expression | None, span: Span
) -> checked.Expr:
    """`x in S where P: E` as a list."""
    source, inner, where = bind_source(ctx, scope, binder, shown=False)
    made = None if body is None else expression(ctx, inner, body)
    local = inner.names[binder.name.text]
    item = local.type if made is None else made.type
    return checked.Gather(local.slot, source, where, made, ListType(item), span)


def bind_source(
    ctx: CheckContext, scope: Scope, binder: syntax.Binder, *, shown: bool
) -> tuple[checked.Expr, Scope, checked.Expr | None]:
    """The source of a binder, the scope in which its name is bound, and its condition."""
    source, item = list_expression(ctx, scope, binder.source, f"what '{binder.name.text}' is taken from")
    inner = bind(ctx, scope, binder.name, item, shown=shown)
    where = None if binder.where is None else typed(ctx, inner, binder.where, TRUTH, "a condition")
    return source, where_it_holds(ctx, inner, where), where


def keyed_fold(ctx: CheckContext, scope: Scope, node: syntax.Fold) -> checked.Expr:
    source, inner, where = bind_source(ctx, scope, node.binder, shown=False)
    local = inner.names[node.binder.name.text]
    if node.body is None:
        hint = f"write {node.name.text}({node.binder.name.text} in ...: key)"
        return ctx.failed("W314", f"'{node.name.text}' needs a key", node.span, "no key is given", hint)
    key = asked_of_each(ctx, inner, node, local.type)
    if where is not None and not assumed(node.name.text).selects:
        name = node.name.text
        hint = f"the first: {name}(x in [y in S where P]: ...); the second: {name}(x in S: [y in ... where P])"
        message = f"a condition could be about what '{name}' begins with, or about what it finds"
        return ctx.failed("W314", message, where.span, "which of them?", hint)
    return checked.Keyed(node.name.text, local.slot, source, where, key, ListType(local.type), node.span)


def asked_of_each(ctx: CheckContext, inner: Scope, node: syntax.Fold, item: Type) -> checked.Expr:
    """What a keyed fold asks of each element: a key to compare, or what its signature says."""
    pattern = signatures()[node.name.text].key
    assert pattern is not None and node.body is not None
    wanted = filled(pattern, {"T": item})
    key = as_list(expression(ctx, inner, node.body, wanted))
    if fits(key.type, wanted) if wanted is not None else matches(pattern, key.type, {}, ctx.kind_order):
        return key
    what = "a key must be a number or a list of numbers"
    if wanted is not None:
        what = f"what '{node.name.text}' asks of each element must be {words(wanted)}"
    return ctx.failed("W304", what, key.span, f"this is {words(key.type)}")


# ----------------------------------------------------------------------- rules


def can(ctx: CheckContext, scope: Scope, node: syntax.Can) -> checked.Expr:
    if is_value(ctx, node.call, "'can' asks for the guard of a rule"):
        return bad(node.span)
    found = rule_target(ctx, scope, node.call)
    if found is None:
        return bad(node.span)
    return checked.Can(found[0], found[1], TRUTH, node.span)


def would(ctx: CheckContext, scope: Scope, node: syntax.Would, expected: Type | None) -> checked.Expr:
    """`would f(a) by p: E`. That the rule neither asks nor rolls is checked once all rules are known."""
    by = None if node.by is None else typed(ctx, scope, node.by, PLAYER, "who acts")
    value = expression(ctx, scope, node.value, expected)
    if is_value(ctx, node.call, "'would' runs a rule on a copy; a value changes nothing, write it alone"):
        return bad(node.span)
    if by is None and not scope.me:
        nobody_acts(ctx, "me", node.call.span)
    found = rule_target(ctx, scope, node.call)
    if found is None:
        return bad(node.span)
    value = as_lists(scope, as_list(value))  # the pieces that lie there then
    return checked.Would(*found, by, value, value.type, node.span)


def is_value(ctx: CheckContext, call: syntax.Call, hint: str) -> bool:
    """Whether a definition or a function is called where a rule is wanted: an error."""
    text = call.name.text
    if text not in ctx.names.defines and text not in FUNCTION_NAMES:
        return False
    ctx.error("W309", f"'{text}' is no rule", call.name.span, "not a rule", hint)
    return True


def rule_target(
    ctx: CheckContext, scope: Scope, call: syntax.Call
) -> tuple[checked.Target, tuple[checked.Expr, ...]] | None:
    """The rule a call means, and its arguments."""
    text = call.name.text
    if call.key is not None:
        return member_target(ctx, scope, call, call.key)
    if text in ctx.names.families:
        keys = ", ".join(ctx.names.families[text].members)
        hint = f"write {text}[key](...); its keys: {keys}"
        ctx.error("W309", f"'{text}' is a family of rules", call.name.span, "which member?", hint)
        return None
    rule = ctx.names.rules.get(text)
    if rule is None:
        unknown_rule(ctx, text, call.name.span)
        return None
    if refuse_hook(ctx, rule, call.name.span):
        return None
    arguments = fitted_arguments(ctx, scope, text, rule.parameters, call.arguments, call.span)
    return None if arguments is None else (checked.Target(rule.number, None, ()), arguments)


def refuse_hook(ctx: CheckContext, rule: RuleEntry, span: Span) -> bool:
    if rule.node.hook is None:
        return False
    hint = f"it runs by itself, {rule.node.hook.when} '{rule.node.hook.target.text}'"
    ctx.error("W309", f"'{rule.address}' hangs on another rule and is not called", span, "a hook", hint)
    return True


def unknown_rule(ctx: CheckContext, text: str, span: Span) -> None:
    if text in ctx.contested:
        return
    hint = ctx.closest(text, ctx.names.callable_rules())
    if text in ctx.names.defines or text in FUNCTION_NAMES or text in KEYED_NAMES:
        hint = "it has a value and does nothing; a statement calls a rule"
    ctx.error("W310", f"there is no rule '{text}'", span, "unknown rule", hint)


def member_target(
    ctx: CheckContext, scope: Scope, call: syntax.Call, key: syntax.Expression
) -> tuple[checked.Target, tuple[checked.Expr, ...]] | None:
    """`f[k](a)`: a member known by now, or one that a key picks in play."""
    text = call.name.text
    family = ctx.names.families.get(text)
    if family is None:
        if text in ctx.names.rules:
            ctx.error("W309", f"'{text}' is no family of rules", call.name.span, "a single rule", f"write {text}(...)")
        elif any(address.startswith(f"{text}.") for address in ctx.names.rules):
            ctx.error("W309", f"the rules of '{text}' hang on others and are not called", call.name.span, "hooks")
        else:
            ctx.error(
                "W310",
                f"there is no family '{text}'",
                call.name.span,
                "unknown family",
                ctx.closest(text, ctx.names.families),
            )
        return None
    target = picked_member(ctx, scope, family, key)
    first = next(iter(family.members.values()))
    arguments = fitted_arguments(ctx, scope, text, first.parameters, call.arguments, call.span)
    return None if target is None or arguments is None else (target, arguments)


def picked_member(
    ctx: CheckContext, scope: Scope, family: FamilyEntry, key: syntax.Expression
) -> checked.Target | None:
    if isinstance(key, syntax.Name) and key.text not in scope.names and key.text in family.members:
        return checked.Target(family.members[key.text].number, None, ())
    wanted = family.key_type
    value = typed(ctx, scope, key, wanted, f"the key of '{family.name}'")
    if isinstance(value.type, UnknownType):
        return None
    if isinstance(wanted, RowType):
        rows = ctx.components.tables[wanted.table].rows
        missing = [row for row in rows if row not in family.members]
        if missing:
            message = f"family '{family.name}' has no member for {listed(missing)}"
            hint = f"a key of table '{wanted.table}' may be any of its rows: give each a rule"
            ctx.error("W319", message, key.span, "any row may come here", hint)
            return None
    else:
        rows = tuple(family.members)
    members = tuple(family.members[row].number for row in rows)
    return checked.Target(-1, value, members)


def several(count: int) -> str:
    return {0: "no arguments", 1: "1 argument"}.get(count, f"{count} arguments")
