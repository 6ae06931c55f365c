"""Statements: each form resolved, its names bound to slots, the rest of a block put where it belongs."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve

from warlock_dsl.check import program as checked
from warlock_dsl.check.calls import bind_source, is_value, rule_target
from warlock_dsl.check.context import MAX_DEPTH, CheckContext
from warlock_dsl.check.fit import as_list, bind, expression, fit, list_expression, typed, where_it_holds
from warlock_dsl.check.giving import given_type
from warlock_dsl.check.lookups import nobody_acts
from warlock_dsl.check.names import Scope, listed
from warlock_dsl.diagnostics.diagnostic import Severity
from warlock_dsl.syntax import tree as syntax
from warlock_dsl.tables.components import Variable
from warlock_dsl.types import (
    NUMBER,
    PLAYER,
    TRUTH,
    UNKNOWN,
    CellType,
    ListType,
    NumberType,
    PieceType,
    PlayerType,
    Type,
    UnknownType,
    ZoneType,
    words,
)

Statements = tuple[checked.Stmt, ...]


def block(ctx: CheckContext, scope: Scope, statements: Sequence[syntax.Statement]) -> Statements:
    """Statements one after another. A `choose` without a block of its own takes the rest as its block."""
    scope = evolve(scope, depth=scope.depth + 1)
    if scope.depth > MAX_DEPTH:
        ctx.error(
            "W339",
            "statements are nested too deeply",
            statements[0].span,
            "too deep",
            "move a part into a rule of its own",
        )
        return ()
    made: list[checked.Stmt] = []
    for place, node in enumerate(statements):
        rest = statements[place + 1 :]
        if isinstance(node, syntax.Choose) and node.body is None:
            made.append(choose(ctx, scope, node, rest))
            break
        stmts, scope = statement(ctx, scope, node)
        made.extend(stmts)
        if rest and isinstance(node, syntax.Stop | syntax.Finish | syntax.Give):
            word = type(node).__name__.lower()
            hint = f"nothing follows '{word}' in its block"
            ctx.error("W403", "this is never reached", rest[0].span, "never runs", hint, (), Severity.WARNING)
    return tuple(made)


def inner_block(ctx: CheckContext, scope: Scope, node: syntax.Block | None) -> Statements:
    return () if node is None else block(ctx, scope, node.statements)


def statement(ctx: CheckContext, scope: Scope, node: syntax.Statement) -> tuple[Statements, Scope]:
    """One statement, and the scope after it."""
    span = node.span
    match node:
        case syntax.Choose():
            return (choose(ctx, scope, node, ()),), scope
        case syntax.May():
            return (may(ctx, scope, node),), scope
        case syntax.Roll():
            return roll(ctx, scope, node)
        case syntax.Let() if is_rule_call(ctx, scope, node):
            return let_call(ctx, scope, node)
        case syntax.Let():
            value = expression(ctx, scope, node.value)
            after = bind(ctx, scope, node.name, value.type)
            return (checked.Let(after.names[node.name.text].slot, value, span),), after
        case syntax.Require():
            needs: list[checked.Require] = []
            for wanted in node.tests:
                needs.append(checked.Require(typed(ctx, scope, wanted, TRUTH, "what is required"), wanted.span))
                scope = where_it_holds(ctx, scope, needs[-1].test)
            return tuple(needs), scope
        case syntax.Do():
            return do(ctx, scope, node), scope
        case syntax.Finish():
            return (finish(ctx, scope, node),), scope
        case syntax.Give():
            return (give(ctx, scope, node),), scope
        case syntax.If():
            test = typed(ctx, scope, node.test, TRUTH, "the condition of 'if'")
            then = inner_block(ctx, where_it_holds(ctx, scope, test), node.then)
            otherwise = inner_block(ctx, where_it_holds(ctx, scope, test, False), node.otherwise)
            return (checked.If(test, then, otherwise, span),), scope
        case syntax.For():
            return (for_loop(ctx, scope, node),), scope
        case syntax.Together():
            return (together(ctx, scope, node),), scope
        case syntax.Repeat():
            return (repeat(ctx, scope, node),), scope
        case syntax.Stop():
            if not scope.loop:
                ctx.error(
                    "W318",
                    "there is no loop to leave here",
                    span,
                    "no loop around this",
                    "'stop' leaves the innermost 'for' or 'repeat'",
                )
            return (checked.Stop(span),), scope
        case syntax.Pass():
            return (), scope
        case _:
            return (effect(ctx, scope, node),), scope


# ------------------------------------------------------------------- questions


def choose(ctx: CheckContext, scope: Scope, node: syntax.Choose, rest: Sequence[syntax.Statement]) -> checked.Choose:
    inner = scope
    questions: list[checked.Question] = []
    for place, ask in enumerate(node.asks):
        question, inner = question_of(ctx, inner, ask, node.may and place == 0)
        questions.append(question)
    body = block(ctx, inner, rest) if node.body is None and rest else inner_block(ctx, inner, node.body)
    otherwise = None if node.otherwise is None and not node.may else inner_block(ctx, scope, node.otherwise)
    return checked.Choose(tuple(questions), body, otherwise, node.span)


def question_of(ctx: CheckContext, scope: Scope, ask: syntax.Ask, may: bool) -> tuple[checked.Question, Scope]:
    text = ask.name.text
    source, item = list_expression(ctx, scope, ask.source, f"what '{text}' is chosen from")
    by = None if ask.by is None else typed(ctx, scope, ask.by, PLAYER, "who is asked")
    low = None if ask.low is None else typed(ctx, scope, ask.low, NUMBER, "how many are chosen")
    high = low if ask.high == ask.low else None
    if ask.high is not None and high is None:
        high = typed(ctx, scope, ask.high, NUMBER, "how many are chosen")
    if by is None and not scope.me:
        nobody_acts(ctx, "me", ask.span)
    bound: Type = item if ask.mode == "one" else ListType(item)
    after = bind(ctx, scope, ask.name, bound)
    where = None if ask.where is None else typed(ctx, after, ask.where, TRUTH, "a condition")
    if ask.mode == "minimal" and where is None:
        ctx.error(
            "W331",
            "'choose minimal' needs a condition to satisfy",
            ask.span,
            "no 'where'",
            f"write choose minimal {text} in ... where P({text})",
        )
    slot = after.names[text].slot
    after = where_it_holds(ctx, after, where)
    return checked.Question(ask.mode, low, high, slot, text, source, where, by, may, bound, ask.span), after


def may(ctx: CheckContext, scope: Scope, node: syntax.May) -> checked.Choose:
    """A question with one answer that may be declined: yes or no. Its name is for people, and binds nothing."""
    by = None if node.by is None else typed(ctx, scope, node.by, PLAYER, "who is asked")
    if by is None and not scope.me:
        nobody_acts(ctx, "me", node.asked)
    slot = scope.frame.new_slot()
    yes = checked.Const((True,), ListType(TRUTH), node.name.span)
    asked = checked.Question("one", None, None, slot, node.name.text, yes, None, by, True, TRUTH, node.asked)
    body = inner_block(ctx, scope, node.body)
    return checked.Choose((asked,), body, inner_block(ctx, scope, node.otherwise), node.span)


def roll(ctx: CheckContext, scope: Scope, node: syntax.Roll) -> tuple[Statements, Scope]:
    text = node.name.text
    count = None if node.count is None else typed(ctx, scope, node.count, NUMBER, "how many are rolled")
    source, item = list_expression(ctx, scope, node.source, f"what '{text}' is rolled from")
    where: checked.Expr | None = None
    bound: Type = item if count is None else ListType(item)
    after = bind(ctx, scope, node.name, bound)
    local = after.names[text]
    if node.where is not None:  # the condition speaks of one candidate, also where several are rolled
        one = evolve(after, names={**after.names, text: evolve(local, type=item)})
        where = typed(ctx, one, node.where, TRUTH, "a condition")
    by = None if node.by is None else typed(ctx, scope, node.by, PLAYER, "who learns it")
    return (checked.Roll(count, local.slot, text, source, where, bound, node.span, by),), after


# ----------------------------------------------------------------------- loops


def acting_seats(
    ctx: CheckContext, scope: Scope, binder: syntax.Binder
) -> tuple[checked.Expr, Scope, checked.Expr | None]:
    """`me in S where P`: who acts changes."""
    inner = evolve(scope, me=True, other_me=True)
    source = typed(ctx, scope, binder.source, ListType(PLAYER), "who acts in turn")
    where = None if binder.where is None else typed(ctx, inner, binder.where, TRUTH, "a condition")
    return source, where_it_holds(ctx, inner, where), where


def for_loop(ctx: CheckContext, scope: Scope, node: syntax.For) -> checked.For:
    frame = scope.frame
    if node.binder.name.text == "me":
        source, inner, where = acting_seats(ctx, scope, node.binder)
        slot = 0
    else:
        source, inner, where = bind_source(ctx, scope, node.binder, shown=True)
        slot = inner.names[node.binder.name.text].slot
    hidden = (frame.new_slot(), frame.new_slot(), frame.new_slot())
    body = inner_block(ctx, inner.looping(), node.body)
    return checked.For(slot, source, where, body, *hidden, node.span)


def together(ctx: CheckContext, scope: Scope, node: syntax.Together) -> checked.Stmt:
    frame = scope.frame
    if node.binder.name.text != "me":
        ctx.error(
            "W325",
            "a together block binds 'me'",
            node.binder.name.span,
            "must be 'me'",
            "write together me in ...: every seat answers for itself",
        )
    source, inner, where = acting_seats(ctx, scope, node.binder)
    hidden = (frame.new_slot(), frame.new_slot(), frame.new_slot(), frame.new_slot())
    refused = "nothing is given in a together block: every seat would give a value of its own"
    body = inner_block(ctx, evolve(inner, loop=False, no_giving=scope.no_giving or refused), node.body)
    return checked.Together(0, source, where, body, *hidden, node.span)


def repeat(ctx: CheckContext, scope: Scope, node: syntax.Repeat) -> checked.Repeat:
    count = typed(ctx, scope, node.count, NUMBER, "how often to repeat")
    where = None if node.where is None else typed(ctx, scope, node.where, TRUTH, "a condition")
    slot = scope.frame.new_slot()
    inner = where_it_holds(ctx, scope.looping(), where)
    return checked.Repeat(count, where, inner_block(ctx, inner, node.body), slot, node.span)


def do(ctx: CheckContext, scope: Scope, node: syntax.Do) -> Statements:
    by = None if node.by is None else typed(ctx, scope, node.by, PLAYER, "who acts")
    member = node.call.key is not None and node.call.name.text in ctx.names.families
    if node.call.name.text in scope.names and not member:
        ctx.error("W309", f"'{node.call.name.text}' is a value, not a rule", node.call.name.span, "cannot be called")
        return ()
    found = rule_target(ctx, scope, node.call)
    return () if found is None else (checked.Do(found[0], found[1], by, node.span),)


def finish(ctx: CheckContext, scope: Scope, node: syntax.Finish) -> checked.Finish:
    winners = typed(ctx, scope, node.winners, ListType(PLAYER), "who wins")
    count = len(winners.items) if isinstance(winners, checked.ListOf) else 0
    if ctx.components.cooperative and 0 < count < ctx.components.min_players:
        hint = "write 'finish players' where the table wins, 'finish []' where it loses"
        message = "a cooperative game is won by everybody or by nobody"
        ctx.error("W342", message, winners.span, "not everybody", hint)
    return checked.Finish(winners, node.span)


# ---------------------------------------------------------------- values given


def give(ctx: CheckContext, scope: Scope, node: syntax.Give) -> checked.Give:
    giving = scope.giving
    value = expression(ctx, scope, node.value, None if giving is None else giving.type)
    if scope.no_giving:
        ctx.error("W341", scope.no_giving, node.span, "nothing can be given here")
    elif giving is not None and not giving.settled:
        giving.found.append(value.type)
    elif giving is not None and giving.type is not None:
        value = fit(ctx, scope, value, giving.type, "what this rule gives")
    return checked.Give(value, node.span)


def is_rule_call(ctx: CheckContext, scope: Scope, node: syntax.Let) -> bool:
    """Whether `let` takes the value that a rule gives; `by` says so, and a rule by its name does."""
    if node.by is not None:
        return True
    value = node.value
    if not isinstance(value, syntax.Call) or value.name.text in scope.names:
        return False
    return value.name.text in ctx.names.rules or value.name.text in ctx.names.families


def let_call(ctx: CheckContext, scope: Scope, node: syntax.Let) -> tuple[Statements, Scope]:
    by = None if node.by is None else typed(ctx, scope, node.by, PLAYER, "who acts")
    call, type_, made = node.value, None, None
    if not isinstance(call, syntax.Call) or call.name.text in scope.names:
        ctx.error("W309", "only a call of a rule is done by somebody", call.span, "no call of a rule")
    elif not is_value(ctx, call, "'by' says who acts in a rule; a value is the same whoever acts"):
        made = rule_target(ctx, scope, call)
        type_ = None if made is None else given_type(ctx, made[0], call)
    after = bind(ctx, scope, node.name, type_ or UNKNOWN)
    if made is None:
        return (), after
    slot = after.names[node.name.text].slot
    return (checked.Do(*made, by, node.span, slot, type_ or UNKNOWN),), after


# --------------------------------------------------------------------- effects


def effect(
    ctx: CheckContext,
    scope: Scope,
    node: syntax.Move | syntax.Swap | syntax.Shuffle | syntax.Show | syntax.Say | syntax.Assign,
) -> checked.Stmt:
    if isinstance(node, syntax.Shuffle):
        return checked.Shuffle(tuple(shuffled_zone(ctx, scope, zone) for zone in node.zones), node.span)
    if isinstance(node, syntax.Show):
        return checked.Show(tuple(shown_pair(ctx, scope, pair) for pair in node.pairs), node.span)
    if isinstance(node, syntax.Say):
        values = tuple((name.text, as_list(expression(ctx, scope, name))) for name in node.values)
        to = None if node.to is None else players(ctx, scope, node.to)
        return checked.Say(node.name.text, values, to, node.span)
    each: checked.Each | None = None
    if node.each is not None:
        source, scope, where = bind_source(ctx, scope, node.each, shown=False)
        each = checked.Each(scope.names[node.each.name.text].slot, source, where, node.each.span)
    match node:
        case syntax.Move():
            return checked.Move(tuple(moved_pair(ctx, scope, pair) for pair in node.pairs), node.span, each)
        case syntax.Swap():
            piece = PieceType()
            pairs = tuple(
                (
                    typed(ctx, scope, pair.left, piece, "what is swapped"),
                    typed(ctx, scope, pair.right, piece, "what it is swapped with"),
                )
                for pair in node.pairs
            )
            return checked.Swap(pairs, node.span, each)
        case syntax.Assign():
            changes = [change(ctx, scope, node.verb, pair) for pair in node.pairs]
            made = tuple(change for change in changes if change is not None)
            return checked.Change(node.verb, made, node.span, each)


def pieces(ctx: CheckContext, scope: Scope, node: syntax.Expression, verb: str) -> tuple[checked.Expr, Type | None]:
    """A piece, a list of pieces or a zone, and of what kind they are."""
    what = as_list(expression(ctx, scope, node))
    item = what.type.item if isinstance(what.type, ListType) else what.type
    if not isinstance(item, PieceType | UnknownType) and item is not None:
        label = f"this is {words(what.type)}"
        what = ctx.failed("W304", f"only a piece, a list of pieces or a zone is {verb}", what.span, label)
    return what, item


def players(ctx: CheckContext, scope: Scope, node: syntax.Expression) -> checked.Expr:
    """A player, or a list of players."""
    who = expression(ctx, scope, node)
    one = isinstance(who.type, PlayerType | UnknownType)
    return who if one else fit(ctx, scope, who, ListType(PLAYER), "who learns it")


def shown_pair(ctx: CheckContext, scope: Scope, pair: syntax.Pair) -> tuple[checked.Expr, checked.Expr]:
    return pieces(ctx, scope, pair.left, "shown")[0], players(ctx, scope, pair.right)


def moved_pair(ctx: CheckContext, scope: Scope, pair: syntax.Pair) -> tuple[checked.Expr, checked.Expr]:
    what, item = pieces(ctx, scope, pair.left, "moved")
    where = expression(ctx, scope, pair.right)
    if not isinstance(where.type, ZoneType | CellType | UnknownType):
        label = f"this is {words(where.type)}"
        where = ctx.failed("W304", "pieces are moved to a zone or a cell", where.span, label)
    if isinstance(item, PieceType) and isinstance(where.type, ZoneType) and where.type.kinds:
        never = [kind for kind in item.kinds if kind not in where.type.kinds]
        if never:
            message = f"{listed(never)} can never lie there"
            hint = f"it holds {listed(where.type.kinds)}"
            ctx.error("W316", message, pair.span, f"this moves {words(what.type)}", hint)
    return what, where


def shuffled_zone(ctx: CheckContext, scope: Scope, node: syntax.Expression) -> checked.Expr:
    zone = expression(ctx, scope, node)
    if isinstance(zone.type, ZoneType) and zone.type.grid:
        return ctx.failed("W304", "a grid is not shuffled", zone.span, "this is a grid", "its pieces lie on cells")
    return fit(ctx, scope, zone, ZoneType(), "what is shuffled")


def change(
    ctx: CheckContext, scope: Scope, verb: str, pair: syntax.Pair
) -> tuple[int, checked.Expr | None, checked.Expr] | None:
    target, amount = (pair.left, pair.right) if verb == "set" else (pair.right, pair.left)
    found = changed_variable(ctx, scope, target)
    if found is None:
        expression(ctx, scope, amount)
        return None
    variable, owner = found
    if verb != "set" and not isinstance(variable.type, NumberType):
        hint = "write set ... to ... + [x]" if isinstance(variable.type, ListType) else "only numbers are added to"
        message = f"'{variable.name}' is {words(variable.type)}, not a number"
        ctx.error("W317", message, target.span, f"cannot be changed by '{verb}'", hint)
        return None
    value = typed(ctx, scope, amount, variable.type, f"the value of '{variable.name}'")
    return variable.number, owner, value


def changed_variable(
    ctx: CheckContext, scope: Scope, node: syntax.Expression
) -> tuple[Variable, checked.Expr | None] | None:
    """The variable a change is about, and whose it is."""
    if isinstance(node, syntax.Name) and node.text not in scope.names:
        variable = ctx.names.game_variable(node.text)
        if variable is not None and not variable.by:
            ctx.note(scope, node, checked.VariableOf(variable.number, None, variable.type, node.span))
            return variable, None
    value = expression(ctx, scope, node)
    if isinstance(value, checked.VariableOf):
        number = value.variable
        variable = next(v for v in ctx.components.variables.values() if v.number == number)
        return variable, value.owner
    if not isinstance(value.type, UnknownType):
        ctx.error("W317", "only a variable can be changed", node.span, why_unchangeable(value), variables_hint(ctx))
    return None


def why_unchangeable(value: checked.Expr) -> str:
    match value:
        case checked.Local():
            return "a name bound here never changes"
        case checked.FigureRef() | checked.Field() | checked.Cell():
            return "a figure never changes in play"
        case checked.ZoneOf():
            return "the pieces of a zone change by 'move'"
        case _:
            return "not a variable"


def variables_hint(ctx: CheckContext) -> str:
    known = [name if not owner else f"{owner}.{name}" for owner, name in ctx.components.variables]
    return ctx.suggest("", known, "variables")
