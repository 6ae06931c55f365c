"""Rules that give a value back: what type it has, whether every way through them gives it, and who may not give."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from warlock_dsl.check import program as checked
from warlock_dsl.check.context import CheckContext
from warlock_dsl.check.names import Giving, RuleEntry
from warlock_dsl.diagnostics.diagnostic import Related, Span
from warlock_dsl.syntax import tree as syntax
from warlock_dsl.syntax.walk import nodes_of_declaration
from warlock_dsl.types import Type, UnknownType, ZoneType, join, pieces_of

MAX_ROUNDS = 4  # how often rules that give one another values are looked at until their types are known


def find_given(ctx: CheckContext, check_rule: Callable[[CheckContext, RuleEntry], object]) -> None:
    """The type of what each rule gives, from all its `give`; rules in a ring are looked at until nothing changes.

    To know the types the rules are checked once more than others; what is wrong with them is told the last time.
    """
    givers = [rule for rule in ctx.names.rules.values() if _all_given(rule)]
    for rule in givers:
        rule.giving = Giving()
    told, compared = len(ctx.diagnostics), ctx.comparisons
    ctx.comparisons = 0
    changed = bool(givers)
    for _ in range(MAX_ROUNDS):
        if not changed:
            break
        changed = False
        for rule in _callees_first(ctx, givers):
            assert rule.giving is not None
            before, rule.giving.found = rule.giving.type, []
            check_rule(ctx, rule)
            rule.giving.type = _wanted(rule) or _joined(ctx, rule.giving.found)
            changed |= rule.giving.type != before
    del ctx.diagnostics[told:]
    ctx.comparisons = compared
    for rule in givers:
        assert rule.giving is not None
        rule.giving.settled = True


def _all_given(rule: RuleEntry) -> list[Span]:
    return [node.span for node in nodes_of_declaration(rule.node) if isinstance(node, syntax.Give)]


def _wanted(rule: RuleEntry) -> Type | None:
    """What stands in for a rule gives what that rule gives."""
    hook = rule.node.hook
    if hook is None or hook.when != "instead" or rule.target is None or rule.target.giving is None:
        return None
    return rule.target.giving.type


def _joined(ctx: CheckContext, found: Sequence[Type]) -> Type | None:
    whole: Type | None = None
    for type_ in found:
        if isinstance(type_, UnknownType):
            continue
        both = type_ if whole is None else join(whole, type_, ctx.kind_order)
        if both is None and whole is not None:
            both = join(_as_list(whole), _as_list(type_), ctx.kind_order) or whole
        whole = both
    return whole


def _as_list(type_: Type) -> Type:
    return pieces_of(type_) if isinstance(type_, ZoneType) else type_


def _callees_first(ctx: CheckContext, givers: Sequence[RuleEntry]) -> list[RuleEntry]:
    """Each rule after those whose value it takes, as far as there is no ring; found without recursion."""
    by_name: dict[str, list[RuleEntry]] = {}
    for rule in givers:
        by_name.setdefault(rule.node.name.text, []).append(rule)
    done: dict[int, RuleEntry] = {}
    for root in givers:
        waiting = [(root, iter(_taken_from(root, by_name)))]
        entered = {root.number}
        while waiting:
            rule, rest = waiting[-1]
            following = next(rest, None)
            if following is None:
                done[rule.number] = rule
                waiting.pop()
            elif following.number not in done and following.number not in entered:
                entered.add(following.number)
                waiting.append((following, iter(_taken_from(following, by_name))))
    return list(done.values())


def _taken_from(rule: RuleEntry, givers: dict[str, list[RuleEntry]]) -> Iterator[RuleEntry]:
    if rule.target is not None and rule.target.giving is not None:
        yield rule.target
    for node in nodes_of_declaration(rule.node):
        if isinstance(node, syntax.Let) and isinstance(node.value, syntax.Call):
            yield from givers.get(node.value.name.text, ())


# ------------------------------------------------------------------ every way


def check_ways(ctx: CheckContext, rule: RuleEntry, body: Sequence[checked.Stmt], sound: bool) -> None:
    """Every way through a rule that gives must give, and something must say what."""
    if rule.giving is None or not rule.giving.settled or not sound:
        return
    if rule.giving.type is None:
        hint = "give a value that does not come from it on some way"
        message = f"nothing says what '{rule.address}' gives: its value needs itself"
        ctx.error("W341", message, rule.node.name.span, "of which type?", hint)
    place = way_out(body, rule.node.span)
    if place is not None:
        hint = "write 'give' at the end of this way, too; every way through a rule gives, or none does"
        message = f"'{rule.address}' gives a value, but not on every way"
        related = (Related(_all_given(rule)[0], "given here"),)
        ctx.error("W341", message, place, "this way ends without one", hint, related)


def way_out(statements: Sequence[checked.Stmt], around: Span) -> Span | None:
    """Where some way through these statements ends without giving or finishing; None where none does."""
    last = around
    for node in statements:
        last = node.span
        match node:
            case checked.Give() | checked.Finish():
                return None
            case checked.If():
                found = way_out(node.then, node.span) or way_out(node.otherwise, node.span)
            case checked.Choose():
                found = way_out(node.body, node.span)
                if found is None and (node.otherwise is not None or node.questions[0].may):
                    found = way_out(node.otherwise or (), node.span)
            case _:
                found = node.span
        if found is None:
            return None
        last = found
    return last


# ---------------------------------------------------------------------- hooks


def refused(rule: RuleEntry) -> str:
    """Why a rule may not give; "" where it may."""
    hook = rule.node.hook
    if hook is not None and hook.when != "instead":
        return f"what hangs {hook.when} a rule gives nothing: the value is that of the rule"
    if rule.address == "play":
        return "nobody waits for a value of 'play'"
    return ""


def check_stand_ins(ctx: CheckContext, rules: Sequence[RuleEntry]) -> None:
    """Whatever stands in for a rule gives a value, if that rule does, and none if it does not."""
    for rule in rules:
        hook = rule.node.hook
        if hook is None or hook.when != "instead" or rule.target is None:
            continue
        wanted, given = rule.target.giving is not None, rule.giving is not None
        if wanted != given:
            name = rule.target.address
            message = f"'{name}' gives a value, and what stands in for it must, too"
            hint = "write 'give' on every way through it"
            if given:
                message, hint = f"'{name}' gives nothing, so what stands in for it gives nothing either", ""
            related = (Related(rule.target.node.name.span, "the rule"),)
            ctx.error("W341", message, rule.node.name.span, "stands in for it", hint, related)


def given_type(ctx: CheckContext, target: checked.Target, call: syntax.Call) -> Type | None:
    """The type of the value that a call gives; an error, and None, where it gives none."""
    numbers = set(target.members) if target.key is not None else {target.rule}
    called = [rule for rule in ctx.names.rules.values() if rule.number in numbers]
    silent = next((rule for rule in called if rule.giving is None), None)
    if silent is not None:
        hint = "write 'give E' in it, on every way, or call it without 'let'"
        related = (Related(silent.node.name.span, "the rule"),)
        ctx.error("W341", f"'{silent.address}' gives nothing back", call.span, "has no value", hint, related)
        return None
    types = [rule.giving.type for rule in called if rule.giving is not None and rule.giving.type is not None]
    whole = _joined(ctx, types)
    for type_ in types:
        if whole is not None and join(whole, type_, ctx.kind_order) is None:
            message = f"the members of '{call.name.text}' give values of different types: {whole} and {type_}"
            ctx.error("W341", message, call.span, "of which type?", "let all of them give the same")
            return None
    return whole
