"""Hooks that act in a way nobody can foresee, and what needs something after them: there a guard cannot look.

Whether a play is on offer must not depend on chance or on a piece that the player does not see, or the offer itself
would say what it is. So a guard ends at such an effect. Where what comes later has nothing to do with what the hook
touches, the guard goes on behind the hook as if it had not run (`unrelated_hooks`); where it has, that is an error.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import field, frozen

from warlock_dsl.check import program as checked
from warlock_dsl.check.context import CheckInput
from warlock_dsl.check.guards.effects import ME, Effect, Effects, Thing, overlap
from warlock_dsl.check.nonempty import Shape, chosen, denied, known, proven
from warlock_dsl.check.rule_summary import Summary, block, called_by, summaries
from warlock_dsl.diagnostics.diagnostic import Diagnostic, Related, Span
from warlock_dsl.tables.components import Components

MAX_DEPTH = 40  # rules that call one another, or hang on one another; beyond that nothing is said


@frozen
class Need:
    """A requirement or a question that must have an answer: where, in which rule, and what decides about it."""

    span: Span
    rule: int
    reads: frozenset[Thing]
    grows: frozenset[Thing] = frozenset()  # of these: what more of never hurts
    enough: frozenset[Thing] = frozenset()  # zones of the table: with anything in one of them nothing is missing
    test: checked.Expr | None = None  # what is required, where nothing decides whether it is

    def kept_by(self, effect: Effect) -> bool:
        """Whether an effect only moves things to where they are as good: it changes nothing, or nothing is missing."""
        return bool(effect.lands) and effect.lands <= self.enough

    def hurt_by(self, touched: frozenset[Thing], taken: frozenset[Thing]) -> bool:
        """Whether an effect may take it away."""
        return overlap(self.reads - self.grows, touched) or overlap(self.grows, taken)

    def under(self, test: frozenset[Thing]) -> Need:
        """The same, needed or not as something that reads this decides."""
        return Need(self.span, self.rule, self.reads | test, self.grows - test, self.enough)


@frozen
class _Part:
    """One of the things that run when a rule is called, in order: a hook, or the rule itself with its stand-ins."""

    hook: checked.HookRef | None
    rules: tuple[int, ...]
    needs: tuple[Need, ...]


@frozen
class UnforeseenHook:
    """A hook whose effect cannot be foreseen, and the first thing after it that may be missing because of it."""

    rule: int
    hook: checked.HookRef
    effect: Effect
    need: Need | None


def check_unforeseen(given: CheckInput) -> Iterator[Diagnostic]:
    """Every hook behind whose effect something may be missing that no guard can have tested."""
    rules = given.program.rules
    for one in unforeseen_hooks(given.program, given.components):
        if one.need is None:
            continue
        hook, need, on = rules[one.hook.rule], rules[one.need.rule], rules[one.rule].address
        yield Diagnostic(
            "W335",
            f"nobody can foresee what '{hook.address}'{overlay_of(hook.span)} does {one.hook.when} '{on}', and"
            f" '{need.address}'{overlay_of(need.span)} may lack what it needs after it",
            one.effect.span,
            "chance, or a piece that the player does not see",
            "hang it after what needs something, or let that do without: 'else' for a question, 'if' for a requirement",
            related=(Related(one.need.span, "needed after it"),),
        )


def unrelated_hooks(program: checked.Program, components: Components) -> frozenset[tuple[int, int]]:
    """The hooks that cannot be foreseen but have nothing to do with what comes after: (the rule, what hangs on it)."""
    found = list(unforeseen_hooks(program, components))
    related = {(one.rule, one.hook.rule) for one in found if one.need is not None}
    return frozenset((one.rule, one.hook.rule) for one in found) - related


def overlay_of(span: Span) -> str:
    """The overlay that something is written in, in brackets; nothing for the game itself."""
    return f" (overlay {span.file[1:].partition('/')[0]})" if span.file.startswith("+") else ""


def unforeseen_hooks(program: checked.Program, components: Components) -> Iterator[UnforeseenHook]:
    """Every hook whose effect cannot be foreseen, with what is needed after it on the same rule."""
    if not any(hook.rule >= 0 for rule in program.rules for hook in rule.hooks):
        return
    effects = Effects(program, components)
    openings = Openings(effects, summaries(program.rules))
    for number, rule in enumerate(program.rules):
        if not any(hook.rule >= 0 for hook in rule.hooks):
            continue
        parts = openings.parts(number)
        for place, part in enumerate(parts):
            for hook in (part.hook,) if part.hook is not None else replacements(rule):
                effect = next((one for one in effects.of_rule(hook.rule) if not one.foreseen), None)
                if effect is not None:
                    need = first_need(effects, hook.rule, parts[place + 1 :])
                    yield UnforeseenHook(number, hook, effect, need)


def first_need(effects: Effects, hook: int, later: Sequence[_Part]) -> Need | None:
    """The first need that may depend on what a hook touches, be it by way of what runs in between."""
    own = effects.of_rule(hook)
    touched, taken = effects.touched(hook), frozenset[Thing]()  # of what runs in between
    between = frozenset[Thing]()
    for part in later:
        for need in part.needs:
            hurting = [effect for effect in own if not need.kept_by(effect)]
            if need.hurt_by(
                between.union(*(effect.touches for effect in hurting)),
                taken.union(*(effect.takes for effect in hurting)),
            ):
                return need
        condition = () if part.hook is None else (part.hook.where,)
        if overlap(effects.reads(condition, *(effects.program.rules[rule].body for rule in part.rules)), touched):
            between = between.union(*(effects.touched(rule) for rule in part.rules))
            touched |= between
            taken = taken.union(*(effects.taken(rule) for rule in part.rules))
    return None


def replacements(rule: checked.Rule) -> list[checked.HookRef]:
    """What may run instead of a rule."""
    return [hook for hook in rule.hooks if hook.when == "instead" and hook.rule >= 0]


@frozen
class Openings:
    """What rules need before their first effect, loop or roll, what hangs on them included."""

    effects: Effects
    known: Sequence[Summary]
    found: dict[tuple[int, frozenset[Shape]], list[Need]] = field(factory=dict)  # by rule, and what is known there

    def parts(self, number: int, outer: tuple[int, ...] = ()) -> list[_Part]:
        """What runs when a rule is called, in order, each with what it needs."""
        rule = self.effects.program.rules[number]
        found = {"before": list[_Part](), "after": list[_Part]()}
        for hook in rule.hooks:
            if hook.rule >= 0 and hook.when in found:
                facts = frozenset[Shape]() if hook.where is None else known(hook.where)
                needs = self.of_rule(hook.rule, facts, (*outer, number))
                found[hook.when].append(_Part(hook, (hook.rule,), tuple(needs)))
        instead = [hook.rule for hook in replacements(rule)]
        needs = [*self.block(rule.body, number, frozenset(), (*outer, number))[0]]
        for other in instead:
            needs += self.of_rule(other, frozenset(), (*outer, number))
        return [*found["before"], _Part(None, (number, *instead), tuple(needs)), *found["after"]]

    def of_rule(self, number: int, facts: frozenset[Shape], outer: tuple[int, ...]) -> list[Need]:
        """All that calling a rule needs before its own first effect, what hangs on it included."""
        if number in outer or len(outer) >= MAX_DEPTH:
            return []
        if (number, facts) not in self.found:
            if not self.effects.program.rules[number].hooks:
                needs = self.block(self.effects.program.rules[number].body, number, facts, (*outer, number))[0]
            else:
                needs = [need for part in self.parts(number, outer) for need in part.needs]
            self.found[number, facts] = needs
        return self.found[number, facts]

    def block(
        self, statements: Sequence[checked.Stmt], rule: int, facts: frozenset[Shape], outer: tuple[int, ...]
    ) -> tuple[list[Need], bool]:
        """The needs of statements, and whether the opening goes on behind them."""
        found: list[Need] = []
        for node in statements:
            match node:
                case checked.Require():
                    reads, grows = self.effects.reads(node.test), self.effects.grows(node.test)
                    found.append(Need(node.span, rule, reads, grows, self.effects.enough(node.test), node.test))
                    facts |= known(node.test)
                case checked.Choose():
                    found += self.choose(node, rule, facts, outer)
                case checked.If():
                    then, goes_on = self.block(node.then, rule, facts | known(node.test), outer)
                    other, also = self.block(node.otherwise, rule, facts | denied(node.test), outer)
                    test = self.effects.reads(node.test) if then or other else frozenset[Thing]()
                    found += [one.under(test) for one in (*then, *other)]
                    if not goes_on and not also:
                        return found, False
                    continue
                case checked.Do():
                    own = frozenset(fact for fact in facts if node.by is None and _of_me(fact))
                    for called in called_by(node.target):
                        found += self.of_rule(called, own, outer)
                case _:
                    pass
            done = block((node,), self.known)
            if done.acts is not None or done.loops is not None:
                return found, False
        return found, True

    def choose(
        self, node: checked.Choose, rule: int, facts: frozenset[Shape], outer: tuple[int, ...]
    ) -> Iterator[Need]:
        """What a choice needs: an option for each question, and what follows the answers; none where it may fail."""
        if node.otherwise is not None or node.questions[0].may:
            yield from self.block(node.otherwise or (), rule, facts, outer)[0]
            return
        yield from self.asked(node.questions, rule, facts)
        for question in node.questions:
            facts |= chosen(question, facts)
        yield from self.block(node.body, rule, facts, outer)[0]

    def asked(self, questions: Sequence[checked.Question], rule: int, facts: frozenset[Shape]) -> Iterator[Need]:
        """An option for each of these questions."""
        for question in questions:
            if not proven(question, facts):
                size = self.effects.reads(question.low, question.high)
                reads = size | self.effects.reads(question.source, question.where)
                where = question.where if question.mode == "one" else None
                grows = self.effects.selected(question.source, question.slot, where) - size
                if where is not question.where:
                    grows -= self.effects.reads(question.where)
                enough = frozenset[Thing]()
                if question.mode == "one":
                    enough = self.effects.enough_of(question.source, question.slot, question.where)
                yield Need(question.span, rule, reads, grows, enough)
            facts |= chosen(question, facts)


def _of_me(fact: Shape) -> bool:
    """Whether what is known is said of nobody and nothing but who acts: it is known in what he calls, too."""
    if isinstance(fact, tuple):
        return fact == ("slot", ME) if fact[:1] == ("slot",) else all(_of_me(part) for part in fact)
    return True
