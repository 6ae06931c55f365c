"""Properties of many games: what is sometimes so, how often, and how two stacks compare. No machine tests them in play.

A `sometimes` is looked for, a `share` is counted over whole games, a `relation` compares two games with equal answers.
"""

from __future__ import annotations

from attrs import frozen

from warlock_dsl.check import program as checked
from warlock_dsl.check.context import CheckContext
from warlock_dsl.check.fit import bind, expression, fit, typed, where_it_holds
from warlock_dsl.check.hooks import at_the_end, refuse_hook_on_finish
from warlock_dsl.check.names import Scope, new_scope
from warlock_dsl.diagnostics.diagnostic import Span
from warlock_dsl.format.formatter import value_text
from warlock_dsl.syntax import tree as syntax
from warlock_dsl.syntax.walk import nodes
from warlock_dsl.tables.components import Cite
from warlock_dsl.types import NUMBER, PLAYER, TRUTH, ListType, Type, UnknownType, words

OPTIONS = "options"  # in a relation: how many options the question has


@frozen
class Property:
    """`kind` is sometimes, share or relation. Slot 1 holds the winners, if it hangs on the end; the number of options
    in a relation, whose `test` is the value that is compared. `where` says which games a share counts."""

    kind: str
    name: str
    slots: int
    test: checked.Expr
    where: checked.Expr | None
    ending: bool
    bounds: tuple[int, int]  # of a share, in percent
    other: tuple[str, str]  # of a relation: `with` or `without`, and the overlay with its settings
    sign: str  # of a relation: how the value compares with what it is there
    text: str  # of a relation: the value as it is written
    cites: tuple[Cite, ...]
    span: Span

    @property
    def address(self) -> str:
        return f"{self.kind}.{self.name}"


def checked_property(ctx: CheckContext, node: syntax.Property, cites: tuple[Cite, ...]) -> Property:
    """A property with its names resolved and its types checked."""
    scope = new_scope(me=False)
    where, other, sign, text = None, ("", ""), "", ""
    if node.hook is not None:
        scope, where = _at_the_end(ctx, scope, node.hook)
    if node.kind == "relation":
        assert isinstance(node.value, syntax.Binary) and node.other is not None
        scope = bind(ctx, scope, syntax.Name(OPTIONS, node.name.span), NUMBER, shown=False)
        test = expression(ctx, scope, node.value.left)
        _comparable(ctx, test, node.value.op)
        other, sign, text = (node.other.word, node.other.use), node.value.op, value_text(node.value.left)
    elif node.kind == "share":
        test = expression(ctx, scope, node.value)
        if test.type != ListType(TRUTH):
            test = fit(ctx, scope, test, TRUTH, "a share")
    else:
        test = typed(ctx, scope, node.value, TRUTH, "what is sometimes so")
    _nobody_acts(ctx, (test, where))
    ending = node.kind == "share" or node.hook is not None
    slots = scope.frame.slots
    return Property(
        node.kind, node.name.text, slots, test, where, ending, node.bounds, other, sign, text, cites, node.span
    )


def _at_the_end(ctx: CheckContext, scope: Scope, hook: syntax.Hook) -> tuple[Scope, checked.Expr | None]:
    if not at_the_end(hook):
        hint = "leave the hook out, or hang it on the end of the game: after finish(winners)"
        ctx.error("W321", "only an invariant or a rule hangs on a rule", hook.span, "not on a rule", hint)
    else:
        refuse_hook_on_finish(ctx, hook)
    for name in hook.names:
        scope = bind(ctx, scope, name, ListType(PLAYER), shown=False)
    if hook.where is None:
        return scope, None
    where = typed(ctx, scope, hook.where, TRUTH, "a condition")
    return where_it_holds(ctx, scope, where), where


def _comparable(ctx: CheckContext, value: checked.Expr, sign: str) -> None:
    """What two stacks can be compared by: numbers, one by one in a list; with `is` truths as well."""
    item: Type = value.type.item if isinstance(value.type, ListType) else value.type  # type: ignore[assignment]
    if item == NUMBER or (item == TRUTH and sign == "is") or isinstance(item, UnknownType):
        return
    hint = "count it, or list numbers: [p in players: count(p.hand)] <= there"
    message = "two stacks are compared by numbers" + (" or truths" if sign == "is" else "")
    ctx.error("W304", message, value.span, f"this is {words(value.type)}", hint)


def _nobody_acts(ctx: CheckContext, found: object) -> None:
    for inner in nodes(found):
        if isinstance(inner, checked.Apply) and inner.define in ctx.about_me:
            name = list(ctx.names.defines)[inner.define]
            message = f"'{name}' speaks of who acts, and in a property of whole games nobody does"
            ctx.error("W330", message, inner.span, "who?", "speak of everybody, or give the definition a player")
