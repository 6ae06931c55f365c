"""Hooks: rules and invariants that hang on a rule, the names they give its arguments, and hooks that are refused."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve, frozen

from warlock_dsl.check import program as checked
from warlock_dsl.check.calls import several
from warlock_dsl.check.context import CheckContext
from warlock_dsl.check.lookups import family_key
from warlock_dsl.check.names import Past, RuleEntry, address
from warlock_dsl.diagnostics.diagnostic import Related
from warlock_dsl.syntax import tree as syntax
from warlock_dsl.types import UNKNOWN, Type

FINISH = "finish"  # the verb an invariant of the end of a game hangs on


@frozen
class Law:
    """A checked invariant with what the rule it hangs on, if any, needs to know of it."""

    node: syntax.Invariant
    made: checked.Invariant
    where: checked.Expr | None  # the condition under which it is tested
    past: Past | None  # what it reads of the moment when its rule began
    target: RuleEntry | None  # the rule it hangs on, or the first of a family

    @property
    def at_the_end(self) -> bool:
        return at_the_end(self.node.hook)


def at_the_end(hook: syntax.Hook | None) -> bool:
    """Whether an invariant with this hook is one of the end of the game."""
    return hook is not None and hook.target.text == FINISH


def hook_target(ctx: CheckContext, hook: syntax.Hook) -> RuleEntry | None:
    if hook.target.text == FINISH:
        hint = "what is to happen first, call before 'finish'; an invariant may hang on it"
        ctx.error("W321", "no rule hangs on 'finish': nothing runs after it", hook.target.span, "no rule", hint)
        return None
    if hook.every is not None:
        return family_target(ctx, hook, hook.every)
    where = address(hook.target.text, hook.key)
    found = ctx.names.rules.get(where)
    if found is not None:
        return found
    family = ctx.names.families.get(hook.target.text)
    if family is not None:
        hint = ctx.suggest("" if hook.key is None else hook.key.text, family.members, "keys")
        if not hint.startswith("did you mean"):
            hint = f"{hint or 'name one'}; for all of them: {family.name}[k in {family.table or family.name}]"
        span = hook.target.span if hook.key is None else hook.key.span
        ctx.error("W321", f"a hook names one member of the family '{hook.target.text}'", span, "which member?", hint)
        return None
    hint = ctx.closest(where, ctx.names.rules)
    ctx.error("W321", f"there is no rule '{where}' to hang on", hook.target.span, "unknown rule", hint)
    return None


def family_target(ctx: CheckContext, hook: syntax.Hook, every: syntax.Every) -> RuleEntry | None:
    """`f[k in T]`: the first member, which has the parameters of all. T is what has the keys, so that no misspelt key
    can become a name."""
    text, source = hook.target.text, every.source
    family = ctx.names.families.get(text)
    if family is None:
        hint = f"write {text}(...)" if text in ctx.names.rules else ctx.closest(text, ctx.names.families)
        ctx.error("W321", f"there is no family '{text}' to hang on", hook.target.span, "no family", hint)
        return None
    if source.text not in (family.table, family.name):
        owner = family.table or family.name
        hint = ctx.closest(source.text, [owner]) or f"write {text}[{every.name.text} in {owner}]"
        what = f"rows of table '{owner}'" if family.table else "its own"
        ctx.error("W321", f"the keys of '{text}' are {what}, not of '{source.text}'", source.span, "other keys", hint)
        return None
    if hook.when == "instead":
        hint = "write one for each of them, or hang it before or after"
        ctx.error("W321", "a rule stands in for one member of a family, not for all", every.span, "for which?", hint)
        return None
    return next(iter(family.members.values()))


def members(ctx: CheckContext, hook: syntax.Hook, target: RuleEntry) -> list[tuple[RuleEntry, checked.Expr | None]]:
    """The rules on which something hangs, each with the key that it is given there, if it asks for one."""
    if hook.every is None:
        return [(target, None)]
    family, types = ctx.names.families[hook.target.text], [type_ for _, type_ in target.parameters]
    return [
        (rule, family_key(ctx, family, key, hook.every.span))
        for key, rule in family.members.items()
        if [type_ for _, type_ in rule.parameters] == types
    ]


def hook_parameters(ctx: CheckContext, hook: syntax.Hook, target: RuleEntry | None) -> tuple[tuple[str, Type], ...]:
    """The parameters of the target under the names the hook gives them, and the key of a family behind them."""
    names = [name.text for name in hook.names]
    if target is None:
        return tuple((name.text, UNKNOWN) for name in hook.bound)
    types: list[Type] = [type_ for _, type_ in target.parameters]
    if len(names) != len(types):
        shown = ", ".join(f"{name}: {type_}" for name, type_ in target.parameters)
        ctx.error(
            "W321",
            f"'{target.address}' takes {several(len(types))}, {len(names)} named here",
            hook.span,
            "give each a name",
            f"its parameters: {shown}" if shown else "it has none: write ()",
            (Related(target.node.name.span, "the rule"),),
        )
        types = [UNKNOWN] * len(names)
    if hook.every is not None:
        names.append(hook.every.name.text)
        types.append(ctx.names.families[hook.target.text].key_type)
    return tuple(zip(names, types, strict=True))


def refuse_hook_on_finish(ctx: CheckContext, hook: syntax.Hook) -> None:
    """An invariant of the end of a game: `after finish(winners)`, and nothing else."""
    if hook.when != "after":
        hint = "write 'after': the end is judged when it has come"
        ctx.error("W321", f"an invariant never hangs {hook.when} 'finish'", hook.span, "expected 'after'", hint)
    key = hook.key or hook.every
    if key is not None:
        ctx.error("W321", "'finish' is no family of rules", key.span, "has no members")
    if len(hook.names) != 1:
        hint = "it is given the winners: after finish(winners)"
        message = f"'finish' takes 1 argument, {len(hook.names)} named here"
        ctx.error("W321", message, hook.span, "give it a name", hint)


def hooks_by_rule(
    ctx: CheckContext, rules: Sequence[RuleEntry], laws: Sequence[Law]
) -> dict[str, tuple[checked.HookRef, ...]]:
    """What hangs on each rule, by its address: rules in the order of the files, then laws."""
    found: dict[str, list[checked.HookRef]] = {}
    for rule in rules:
        if rule.node.hook is not None and rule.target is not None and rule.frame is not None:
            when, kept = rule.node.hook.when, () if rule.past is None else rule.past.in_order
            ref = checked.HookRef(when, rule.number, rule.where, None, rule.frame.slots, rule.node.span, kept)
            for member, key in members(ctx, rule.node.hook, rule.target):
                found.setdefault(member.address, []).append(evolve(ref, key=key))
    for law in laws:
        hook, made = law.node.hook, law.made
        if hook is not None and not law.at_the_end and law.target is not None:
            ensure = checked.Ensure(made.name, made.test, made.span, () if law.past is None else tuple(law.past.kept))
            ref = checked.HookRef(hook.when, -1, law.where, ensure, made.slots, made.span)
            for member, key in members(ctx, hook, law.target):
                found.setdefault(member.address, []).append(evolve(ref, key=key))
    refuse_two_instead(ctx, rules)
    refuse_circles(ctx, rules)
    return {where: tuple(refs) for where, refs in found.items()}


def refuse_two_instead(ctx: CheckContext, rules: Sequence[RuleEntry]) -> None:
    first: dict[str, RuleEntry] = {}
    for rule in rules:
        hook = rule.node.hook
        if hook is None or hook.when != "instead" or hook.where is not None or rule.target is None:
            continue
        other = first.setdefault(rule.target.address, rule)
        if other is not rule:
            ctx.error(
                "W323",
                f"two rules stand in for '{rule.target.address}' without a condition",
                rule.node.name.span,
                "the second one",
                "remove one, or say with 'where' when each applies",
                (Related(other.node.name.span, "the first one"),),
            )


def refuse_circles(ctx: CheckContext, rules: Sequence[RuleEntry]) -> None:
    """A rule that hangs on itself, directly or through others without conditions, would never end."""
    seen: set[int] = set()
    for rule in rules:
        path: dict[int, RuleEntry] = {}
        step: RuleEntry | None = rule
        while step is not None and step.number not in seen:
            seen.add(step.number)
            path[step.number] = step
            step = _hangs_always_on(step)
        if step is not None and step.number in path:
            steps = list(path.values())
            report_circle(ctx, steps[steps.index(step) :])
        elif rule.target is rule:
            report_circle(ctx, [rule])


def _hangs_always_on(rule: RuleEntry) -> RuleEntry | None:
    """The rule on which one hangs without a condition."""
    return rule.target if rule.node.hook is not None and rule.node.hook.where is None else None


def report_circle(ctx: CheckContext, ring: list[RuleEntry]) -> None:
    first = ring[0].node.name.span
    if len(ring) == 1:
        ctx.error("W322", f"'{ring[0].address}' hangs on itself", first, "its own hook")
        return
    chain = " on ".join(f"'{step.address}'" for step in (*ring, ring[0]))
    related = tuple(Related(step.node.name.span, "and here") for step in ring[1:])
    hint = "give one of them a 'where' that ends the circle, or take one away"
    ctx.error("W322", f"these hooks hang in a circle: {chain}", first, "begins here", hint, related)
