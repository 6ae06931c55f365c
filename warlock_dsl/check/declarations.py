"""Declarations: names collected, definitions typed after those they use, rules and invariants put together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from attrs import evolve

from warlock_dsl.check import program as checked
from warlock_dsl.check.calls import needs_me, past_calls
from warlock_dsl.check.context import CheckContext, bad
from warlock_dsl.check.expressions import written_type
from warlock_dsl.check.fit import bind, expression, typed, where_it_holds
from warlock_dsl.check.giving import check_stand_ins, check_ways, find_given, refused
from warlock_dsl.check.hooks import (
    Law,
    at_the_end,
    hook_parameters,
    hook_target,
    hooks_by_rule,
    refuse_hook_on_finish,
)
from warlock_dsl.check.laws.properties import Property, checked_property
from warlock_dsl.check.names import DefineEntry, FamilyEntry, Past, RuleEntry, Scope, address, in_library, new_scope
from warlock_dsl.check.order import check_falls, ordered
from warlock_dsl.check.rule_summary import check_private, check_together, check_would, summaries
from warlock_dsl.check.statements import inner_block
from warlock_dsl.diagnostics.diagnostic import Related, Span
from warlock_dsl.syntax import tree as syntax
from warlock_dsl.syntax.walk import nodes
from warlock_dsl.tables.citations import check_cite, parse_cite
from warlock_dsl.tables.components import Cite, Variable, table_of_keys
from warlock_dsl.types import NUMBER, PLAYER, TRUTH, UNKNOWN, ListType, Type

MAX_ROUNDS = 4  # how often a definition that calls itself is looked at until its type is known
MAX_HEIGHT = 100  # definitions that use one another in a row

ScoreOrLaw = TypeVar("ScoreOrLaw", syntax.Score, syntax.Invariant, syntax.Property)


def program_of(ctx: CheckContext, modules: Sequence[syntax.Module]) -> checked.Program:
    """Everything the files declare, checked."""
    for module in modules:
        for node in module.declarations:
            collect(ctx, node)
    key_families(ctx)
    for define_ in ctx.names.defines.values():
        define_.parameters = parameter_types(ctx, define_.node.parameters)
    entries = list(ctx.names.rules.values())
    for rule in entries:
        find_parameters(ctx, rule)
    compare_members(ctx)
    defines = definitions(ctx)
    find_given(ctx, checked_rule)
    bodies = [checked_rule(ctx, rule) for rule in entries]
    check_stand_ins(ctx, entries)
    scores = tuple(checked_score(ctx, node) for node in ctx.names.scores.values())
    laws = [checked_law(ctx, node) for node in ctx.names.invariants.values()]
    hooks = hooks_by_rule(ctx, entries, laws)
    rules = tuple(evolve(body, hooks=hooks.get(body.address, ())) for body in bodies)
    known = summaries(rules)
    ctx.diagnostics.extend(check_together(rules, known))
    ctx.diagnostics.extend(check_private(rules, known))
    ctx.diagnostics.extend(check_would((defines, rules, scores, [law.made for law in laws]), rules, known))
    return checked.Program(
        ctx.unit,
        defines,
        rules,
        checked_families(ctx),
        scores,
        tuple(law.made for law in laws if law.node.hook is None),
        start_rule(ctx),
        tuple(law.made for law in laws if law.at_the_end),
    )


# ------------------------------------------------------------------ collecting


def collect(ctx: CheckContext, node: syntax.Declaration) -> None:
    match node:
        case syntax.Define():
            if is_free(ctx, node.name):
                ctx.names.defines[node.name.text] = DefineEntry(len(ctx.names.defines), node)
        case syntax.Rule():
            collect_rule(ctx, node)
        case syntax.Score():
            only_one(ctx, node, ctx.names.scores, "score")
        case syntax.Invariant():
            only_one(ctx, node, ctx.names.invariants, "invariant")
        case syntax.Property():
            only_one(ctx, node, ctx.names.properties, "property")
        case syntax.Reveals():
            cites(ctx, node)  # whether they are known; what is revealed is looked at when the rules are checked


def collect_rule(ctx: CheckContext, node: syntax.Rule) -> None:
    where = address(node.name.text, node.key)
    entry = RuleEntry(len(ctx.names.rules), node)
    first = ctx.names.rule_names.get(node.name.text)
    if node.key is not None and first is not None and first.node.key is not None:
        other = ctx.names.rules.get(where)
        if other is not None:
            declared_twice(ctx, f"rule '{where}'", node.key.span, other.node.name.span)
            return
    elif not is_free(ctx, node.name):
        return
    ctx.names.rule_names.setdefault(node.name.text, entry)
    ctx.names.rules[where] = entry
    if node.key is not None and node.hook is None:
        family = ctx.names.families.setdefault(node.name.text, FamilyEntry(node.name.text, node.name.span))
        family.members[node.key.text] = entry


def is_free(ctx: CheckContext, name: syntax.Name) -> bool:
    """Whether a name may be declared; an error with the other place if it is taken."""
    text = name.text
    known = ctx.names.declared(text) or ctx.names.given(text)
    first = ctx.names.rule_names.get(text)
    if known is None and first is not None:
        known = (f"rule '{first.address}'", first.node.name.span)
    word = ctx.names.word(text)
    if known is None and not word and text not in ctx.components.kinds:
        return True
    ctx.contested.add(text)
    if known is not None:
        declared_twice(ctx, known[0], name.span, known[1])
    elif word:
        ctx.error(
            "W302",
            f"'{text}' already stands for {word}",
            name.span,
            "this name is taken",
            "choose a name that the language does not use",
        )
    else:
        declared_twice(ctx, f"kind '{text}'", name.span, ctx.components.kinds[text].span)
    return False


def declared_twice(ctx: CheckContext, what: str, span: Span, other: Span) -> None:
    related = (Related(other, "first declared here"),)
    ctx.error("W302", f"there already is {what}", span, "declared again here", "choose another name", related)


def only_one(ctx: CheckContext, node: ScoreOrLaw, others: dict[str, ScoreOrLaw], what: str) -> None:
    other = others.setdefault(node.name.text, node)
    if other is not node:
        declared_twice(ctx, f"{what} '{node.name.text}'", node.name.span, other.name.span)


# -------------------------------------------------------------------- families


def key_families(ctx: CheckContext) -> None:
    """A family whose keys are all rows of one table is keyed by that table."""
    rows = {name: table.rows for name, table in ctx.components.tables.items()}
    for family in ctx.names.families.values():
        family.table = table_of_keys(family.members, rows)


def compare_members(ctx: CheckContext) -> None:
    for family in ctx.names.families.values():
        first = next(iter(family.members.values()))
        for rule in family.members.values():
            types = [type_ for _, type_ in rule.parameters]
            if types != [type_ for _, type_ in first.parameters]:
                shown = ", ".join(f"{name}: {type_}" for name, type_ in first.parameters)
                ctx.error(
                    "W320",
                    f"the members of '{family.name}' must have the same parameters",
                    rule.node.span if rule.node.key is None else rule.node.key.span,
                    "differs from the first member",
                    f"the first has ({shown})" if shown else "the first has none",
                    (Related(first.node.name.span, "the first member"),),
                )


def checked_families(ctx: CheckContext) -> dict[str, checked.Family]:
    return {
        name: checked.Family(
            name, tuple(family.members), tuple(rule.number for rule in family.members.values()), family.table
        )
        for name, family in ctx.names.families.items()
    }


# ----------------------------------------------------------------- definitions


def parameter_types(ctx: CheckContext, given: Sequence[syntax.Parameter]) -> tuple[tuple[str, Type], ...]:
    return tuple((node.name.text, written_type(ctx, node.type)) for node in given)


def with_parameters(ctx: CheckContext, scope: Scope, names: Sequence[syntax.Name], types: Sequence[Type]) -> Scope:
    """The scope inside a rule or definition: its parameters in the slots after `me`."""
    for name, type_ in zip(names, types, strict=True):
        scope = bind(ctx, scope, name, type_)
    return scope


def definitions(ctx: CheckContext) -> tuple[checked.Define, ...]:
    """Every definition, typed after those it uses."""
    entries = ctx.names.defines
    order = ordered({name: entry.node for name, entry in entries.items()})
    for ring in order.rings:
        report_ring(ctx, ring)
    for name in order.names:
        if not order.rings and order.heights[name] == MAX_HEIGHT + 1:
            hint = "write some of them out where they are used"
            ctx.error(
                "W339",
                f"definition '{name}' stands on more than {MAX_HEIGHT} others in a row",
                entries[name].node.name.span,
                "too high a tower",
                hint,
            )
        type_definition(ctx, name, entries[name], name in order.recursive)
    for name in {name for ring in order.rings for name in ring}:
        entries[name].made = None
    return tuple(entry.made or placeholder(name, entry.node) for name, entry in entries.items())


def placeholder(name: str, node: syntax.Define) -> checked.Define:
    """What keeps the number of a definition that needs itself."""
    return checked.Define(name, len(node.parameters), 1, bad(node.span), UNKNOWN, (), node.span)


def report_ring(ctx: CheckContext, ring: tuple[str, ...]) -> None:
    entries = ctx.names.defines
    through = f" (through {', '.join(ring[1:5])}{', ...' if len(ring) > 5 else ''})" if len(ring) > 1 else ""
    last = entries[ring[-1]].node
    used = (inner for inner in nodes(last.value) if isinstance(inner, syntax.Name) and inner.text == ring[0])
    ctx.error(
        "W311",
        f"definition '{ring[0]}' needs itself{through}",
        next(used).span,
        "used within its own value",
        "a definition may not go in a circle; a rule may call itself",
        (Related(entries[ring[0]].node.name.span, "defined here"),),
    )


def type_definition(ctx: CheckContext, name: str, entry: DefineEntry, recursive: bool) -> None:
    """A definition that calls itself is looked at until its type is known, and then once more to tell its errors."""
    for _ in range(MAX_ROUNDS if recursive else 0):
        told, before = len(ctx.diagnostics), entry.made
        make_definition(ctx, name, entry, recursive)
        del ctx.diagnostics[told:]
        if before is not None and entry.made is not None and before.type == entry.made.type:
            break
    wrong = len(ctx.diagnostics)
    make_definition(ctx, name, entry, recursive)
    if recursive and len(ctx.diagnostics) == wrong and not check_falls(ctx, entry):
        entry.made = None


def make_definition(ctx: CheckContext, name: str, entry: DefineEntry, recursive: bool) -> None:
    node = entry.node
    scope = with_parameters(
        ctx, new_scope(), [p.name for p in node.parameters], [type_ for _, type_ in entry.parameters]
    )
    value = expression(ctx, scope, node.value)
    marks = cites(ctx, node)
    if any(needs_me(ctx, inner) for inner in nodes(value)):
        ctx.about_me.add(entry.number)
    made = (name, len(node.parameters), scope.frame.slots, value, value.type, marks, node.span)
    entry.made = checked.Define(*made, recursive)


# ----------------------------------------------------------------------- rules


def find_parameters(ctx: CheckContext, rule: RuleEntry) -> None:
    """Finds the parameters of a rule; those of a hook are its target's, so that targets come first."""
    fresh: list[RuleEntry] = []
    last: RuleEntry | None = rule
    while last is not None and not last.settled:
        last.settled = True
        fresh.append(last)
        if last.node.hook is None:
            last.parameters = parameter_types(ctx, last.node.parameters)
            break
        last.target = hook_target(ctx, last.node.hook)
        if last.node.parameters:
            hint = "it is given those of its target, by the names after it"
            place = last.node.parameters[0].span
            ctx.error("W321", "a rule that hangs on another has no parameters of its own", place, "not here", hint)
        last = last.target
    for hung in reversed(fresh):
        if hung.node.hook is not None:
            hung.parameters = hook_parameters(ctx, hung.node.hook, hung.target)


def checked_rule(ctx: CheckContext, rule: RuleEntry) -> checked.Rule:
    node = rule.node
    scope = new_scope()
    names = [p.name for p in node.parameters] if node.hook is None else list(node.hook.bound)
    scope = with_parameters(ctx, scope, names, [type_ for _, type_ in rule.parameters])
    scope = evolve(with_past(scope, rule), giving=rule.giving, no_giving=refused(rule))
    told = len(ctx.diagnostics)
    if node.hook is not None and node.hook.where is not None:
        rule.where = typed(ctx, scope, node.hook.where, TRUTH, "a condition")
        scope = where_it_holds(ctx, scope, rule.where)
    made = inner_block(ctx, scope, node.body)
    rule.frame, rule.past = scope.frame, scope.past
    check_ways(ctx, rule, made, len(ctx.diagnostics) == told)
    return checked.Rule(
        rule.address,
        node.name.text,
        "" if node.key is None else node.key.text,
        rule.parameters,
        scope.frame.slots,
        scope.frame.names,
        made,
        node.body is None and node.hook is None,
        rule.hooked,
        (),
        lasting(ctx, rule.address),
        cites(ctx, node),
        node.span,
        None if rule.giving is None else rule.giving.type,
        () if rule.past is None else tuple(value.type for _, value in rule.past.in_order),
    )


def with_past(scope: Scope, rule: RuleEntry) -> Scope:
    """Behind the parameters of a rule that hangs after another: a slot for each `was`, in which it is handed over."""
    leave_past(scope, rule.node.hook, rule.target)
    hook = rule.node.hook
    if hook is None or hook.when != "after":
        return scope
    past = Past(len(rule.parameters))
    for call in past_calls(hook, rule.node.body):
        past.places[call.span] = scope.frame.new_slot()
    return evolve(scope, past=past)


def leave_past(scope: Scope, hook: syntax.Hook | None, target: RuleEntry | None) -> None:
    """What is tested before a rule that looks back leaves the slots alone in which that rule was given its past."""
    if hook is not None and hook.when != "after" and target is not None:
        scope.frame.slots += len(past_calls(target.node.hook, target.node.body))


def lasting(ctx: CheckContext, where: str) -> tuple[int, ...]:
    return tuple(variable.number for variable in ctx.components.variables.values() if variable.lasts == where)


def start_rule(ctx: CheckContext) -> int:
    """The number of the rule a game begins with; -1 if there is none."""
    for variable in ctx.components.variables.values():
        check_lasts(ctx, variable)
    play = ctx.names.rules.get("play")
    if play is None:
        own = (rule.node.span for rule in ctx.names.rules.values() if not in_library(rule.node.span))
        span = next(own, ctx.components.span)
        ctx.error("W326", "there is no rule 'play'", span, "", "a game begins with 'rule play:'")
        return -1
    if play.node.parameters or play.hooked:
        ctx.error(
            "W326",
            "the rule 'play' starts the game: it has no parameters and hangs on nothing",
            play.node.name.span,
            "must stand alone",
        )
    return play.number


def check_lasts(ctx: CheckContext, variable: Variable) -> None:
    lasts = variable.lasts
    if lasts and lasts != "move" and lasts not in ctx.names.rules:
        message = f"variable '{variable.name}' lasts as long as rule '{lasts}', which does not exist"
        ctx.error("W327", message, variable.span, "no such rule", ctx.closest(lasts, ctx.names.rules))


# ------------------------------------------------------------- scores and laws


def checked_score(ctx: CheckContext, node: syntax.Score) -> checked.Score:
    scope = new_scope()
    value = typed(ctx, scope, node.value, NUMBER, "a score")
    return checked.Score(node.name.text, scope.frame.slots, value, cites(ctx, node), node.span)


def checked_law(ctx: CheckContext, node: syntax.Invariant) -> Law:
    ending = at_the_end(node.hook)
    scope = new_scope(me=node.hook is not None and not ending)
    where = target = None
    if node.hook is not None:
        scope, target = law_scope(ctx, node.hook, scope)
        if node.hook.where is not None:
            where = typed(ctx, scope, node.hook.where, TRUTH, "a condition")
            scope = where_it_holds(ctx, scope, where)
    test = typed(ctx, scope, node.value, TRUTH, "an invariant")
    if where is not None and ending:
        test = checked.Binary("or", checked.Not(where, TRUTH, where.span), test, TRUTH, node.value.span)
    for inner in nodes(test) if not scope.me else ():
        if isinstance(inner, checked.Apply) and inner.define in ctx.about_me:
            name = list(ctx.names.defines)[inner.define]
            ctx.error(
                "W330",
                f"'{name}' speaks of who acts, and in an invariant of the whole game nobody does",
                inner.span,
                "who?",
                "hang the invariant on a rule, or give the definition a player",
            )
    made = checked.Invariant(node.name.text, scope.frame.slots, test, cites(ctx, node), node.span)
    return Law(node, made, where, scope.past, target)


def law_scope(ctx: CheckContext, hook: syntax.Hook, scope: Scope) -> tuple[Scope, RuleEntry | None]:
    """What an invariant that hangs on a rule, or on the end of the game, may speak of, and the rule."""
    if at_the_end(hook):
        refuse_hook_on_finish(ctx, hook)
        return with_parameters(ctx, scope, hook.names, [ListType(PLAYER)] * len(hook.names)), None
    target = hook_target(ctx, hook)
    types = [type_ for _, type_ in hook_parameters(ctx, hook, target)]
    past = Past(len(types)) if hook.when == "after" else None
    scope = with_parameters(ctx, evolve(scope, past=past), hook.bound, types)
    leave_past(scope, hook, target)
    return scope, target


def properties_of(ctx: CheckContext) -> tuple[Property, ...]:
    """The properties of many games, checked once the definitions are."""
    return tuple(checked_property(ctx, node, cites(ctx, node)) for node in ctx.names.properties.values())


# --------------------------------------------------------------------- sources


def cites(ctx: CheckContext, node: syntax.Declaration) -> tuple[Cite, ...]:
    """The marks of a declaration; an id that no ledger has is an error."""
    made = tuple(parse_cite(mark.standing, mark.text, mark.span) for mark in node.marks)
    if ctx.components.ledger:
        known = {*ctx.components.ledger, *ctx.components.rulings, *ctx.components.differences}
        for cite in made:
            ctx.diagnostics.extend(check_cite(cite, known))
    return made
