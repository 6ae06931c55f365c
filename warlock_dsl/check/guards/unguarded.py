"""What hangs where no guard looks: a hook that needs something, or takes what the rule needs, on a rule nobody chose.

A guard begins at a question that can do without an answer, or where `can` is asked: only what can be completed is on
offer. It looks on through calls, hooks and effects that the player can foresee. It does not reach a rule that is run
without a question, or that comes after chance, after a hidden piece, in another player's turn, in the next turn of a
loop, or after declining. What a hook needs there is tested by nobody; nor is what the game needs there, and a hook may
take it at any time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import evolve, field, frozen

from warlock_dsl.check import program as checked
from warlock_dsl.check.context import CheckInput
from warlock_dsl.check.guards.call_counts import CallCounts
from warlock_dsl.check.guards.counted_on import CountedOn
from warlock_dsl.check.guards.effects import ME, Effects, Frame, Thing, overlap
from warlock_dsl.check.guards.unforeseen import Need, Openings, first_need, overlay_of, replacements, unforeseen_hooks
from warlock_dsl.check.lint_data import warning
from warlock_dsl.check.nonempty import Shape, known
from warlock_dsl.check.rule_summary import block, called_by, summaries
from warlock_dsl.diagnostics.diagnostic import Diagnostic, Related, Span
from warlock_dsl.syntax.walk import nodes

DO_WITHOUT = "let it do without: 'else' for a question, 'if' for a requirement; or hang it on a rule that is chosen"
TAKE_LESS = "take only what is not needed, or hang it after what needs it"
MAX_DEPTH = 40  # rules that call one another, or hang on one another; beyond that nothing is said


@frozen
class Guard:
    """Whether a guard looks here; if not, where it ends (None: nobody was asked yet); what `can` was asked of."""

    looks: bool = False
    ends_at: Span | None = None
    tested: frozenset[int] = frozenset()
    sure: bool = True  # no condition decides whether this comes at all
    loose: frozenset[Thing] = frozenset()  # what was touched, or was not, as somebody liked: guards tested only one way

    def end(self, span: Span) -> Guard:
        return evolve(self, looks=False, ends_at=span) if self.looks else self

    def asking(self, *parts: object) -> Guard:
        """Once these expressions have been read."""
        asked = {rule for node in nodes(parts) if isinstance(node, checked.Can) for rule in called_by(node.target)}
        return evolve(self, tested=self.tested | asked) if asked else self

    def either(self, other: Guard) -> Guard:
        """After one of the two."""
        return self if not self.looks else other


def check_unguarded(given: CheckInput) -> Iterator[Diagnostic]:
    """Every hook that needs something, or takes what is needed, where no guard looks."""
    rules = given.program.rules
    if not any(hook.rule >= 0 for rule in rules for hook in rule.hooks):
        return
    effects = Effects(given.program, given.components)
    unforeseen = [one for one in unforeseen_hooks(given.program, given.components) if one.need is not None]
    told = {(one.rule, rule) for one in unforeseen if one.need for rule in (one.hook.rule, one.need.rule)}
    counts = CallCounts(given.program, given.components)
    walk = _Walk(effects, Openings(effects, summaries(rules)), told, CountedOn(effects), counts)
    walk.call(given.program.start, Guard(), Frame({}), ())
    walk.take_elsewhere()
    yield from walk.found.values()


@frozen
class _Walk:
    """One run through all rules from the first on, as they call one another."""

    effects: Effects
    openings: Openings
    told: set[tuple[int, int]]  # rules and hooks of which W335 tells
    counted_on: CountedOn
    counts: CallCounts
    found: dict[tuple[int, int], Diagnostic] = field(factory=dict)  # by rule and hook
    known: dict[object, Guard] = field(factory=dict)  # what is after a call, by all that it depends on
    bare: dict[Span, Need] = field(factory=dict)  # what rules need at once where no guard looks
    hanging: dict[tuple[int, int], checked.HookRef] = field(factory=dict)  # what was met, by rule and hook

    @property
    def rules(self) -> Sequence[checked.Rule]:
        return self.effects.program.rules

    def call(self, number: int, guard: Guard, frame: Frame, outer: tuple[int, ...]) -> Guard:
        """Run a rule with what hangs on it; gives the guard behind it."""
        if number in outer or len(outer) > MAX_DEPTH:
            return guard
        slots = tuple(frame.slots[slot] for slot in sorted(frame.slots))
        key = (number, guard.looks, guard.sure, guard.loose, frame.same_player, slots)
        if key not in self.known:
            self.known[key] = self._called(number, evolve(guard, tested=frozenset()), frame, (*outer, number))
        return self.known[key]

    def _called(self, number: int, guard: Guard, frame: Frame, outer: tuple[int, ...]) -> Guard:
        rule = self.rules[number]
        hooks = [hook for hook in rule.hooks if hook.rule >= 0]
        self.hanging.update({(number, hook.rule): hook for hook in hooks})
        if hooks and not guard.looks:
            self.takes(number, guard)
        for when in ("before", "after"):
            if when == "after":
                body = self.block(rule.body, guard, frame, outer)
                others = [self.call(hook.rule, evolve(guard, sure=False), frame, outer) for hook in replacements(rule)]
                for other in others:
                    body = body.either(other)
                guard = body
            for hook in hooks:
                if hook.when == when:
                    self.needs(number, hook, guard)
                    behind = evolve(self.call(hook.rule, evolve(guard, sure=False), frame, outer), sure=guard.sure)
                    if not guard.looks or self.openings.known[hook.rule].asks is not None:
                        guard = behind  # else guards go on behind it, or that is W335
        return guard

    # ------------------------------------------------------------------ statements

    def block(self, statements: Sequence[checked.Stmt], guard: Guard, frame: Frame, outer: tuple[int, ...]) -> Guard:
        for node in statements:
            frame = self.effects.bound_by(node, frame)
            guard = self.statement(node, guard, frame, outer)
        return guard

    def statement(self, node: checked.Stmt, guard: Guard, frame: Frame, outer: tuple[int, ...]) -> Guard:
        match node:
            case checked.Choose():
                guard = guard.asking(node.questions)
                inside = evolve(guard, looks=guard.looks or _has_way_out(node))
                if not inside.looks and guard.sure:
                    needs = self.openings.asked(node.questions, outer[-1], frozenset())
                    self.bare.update({need.span: need for need in needs})
                inner = self.effects.chosen(node, frame if guard.looks else evolve(frame, same_player=True))
                body = self.block(node.body, evolve(inside, sure=False), inner, outer)
                body = evolve(body, sure=guard.sure)
                other = self.block(node.otherwise or (), self.declined(node, guard, frame), frame, outer)
                return (
                    body.either(other)
                    if not guard.looks
                    else evolve(body.either(other), loose=body.loose | other.loose)
                )
            case checked.If():
                guard = guard.asking(node.test)
                perhaps = evolve(guard, sure=False)
                then = self.block(node.then, perhaps, frame, outer)
                return evolve(then.either(self.block(node.otherwise, perhaps, frame, outer)), sure=guard.sure)
            case checked.For() | checked.Repeat() | checked.Together():
                return self.loop(node, guard, frame, outer)
            case checked.Do():
                return self.do(node, guard, frame, outer)
            case checked.Require():
                return guard.asking(node.test)
            case checked.Let():
                return guard.asking(node.value)
            case _:
                unseen = next((one for one in self.effects.of_statement(node, frame) if not one.foreseen), None)
                return guard if unseen is None else guard.end(unseen.span)

    def declined(self, node: checked.Choose, guard: Guard, frame: Frame) -> Guard:
        """The guard of a question says nothing of what happens without an answer; an earlier one found some way on,
        with an answer or without."""
        if not node.questions[0].may:
            return guard
        if not guard.looks:
            return evolve(guard, looks=True).end(node.span)
        effects = self.effects.of_statement(node, frame)
        return evolve(guard, loose=guard.loose.union(*(effect.touches for effect in effects)), ends_at=node.span)

    def loop(
        self,
        node: checked.For | checked.Repeat | checked.Together,
        guard: Guard,
        frame: Frame,
        outer: tuple[int, ...],
    ) -> Guard:
        """A guard goes on through a loop in which nobody is asked and whose turns are nobody else's."""
        asks = block(node.body, self.openings.known).asks is not None
        others = isinstance(node, checked.Together) or (isinstance(node, checked.For) and node.slot == ME)
        inside = guard.end(node.span) if asks or others else guard
        if not isinstance(node, checked.Repeat):
            frame = self.effects.in_loop(node, frame)
        behind = self.block(node.body, evolve(inside, sure=guard.sure and node.where is None), frame, outer)
        behind = evolve(behind, sure=guard.sure)
        return inside if asks or others else behind.either(inside)

    def do(self, node: checked.Do, guard: Guard, frame: Frame, outer: tuple[int, ...]) -> Guard:
        inner = self.effects.called(node, frame)
        after = None
        for number in called_by(node.target):
            tested = number in guard.tested and not guard.looks
            begun = evolve(guard, looks=True) if tested else guard
            one = self.call(number, begun, evolve(inner, same_player=True) if tested else inner, outer)
            after = one if after is None else after.either(one)
        return guard if after is None else evolve(after, tested=guard.tested)

    # ---------------------------------------------------------------------- what is told

    def needs(self, number: int, hook: checked.HookRef, guard: Guard) -> None:
        """What hangs there needs something."""
        facts = frozenset[Shape]() if hook.where is None else known(hook.where)
        needs = self.openings.of_rule(hook.rule, facts, (number,))
        needs = [one for one in needs if not guard.looks or overlap(one.reads, guard.loose)]
        need = next((one for one in needs if not self.is_counted_on(number, hook, one)), None)
        if need is not None:
            name = self.rules[hook.rule]
            text = f"'{name.address}'{overlay_of(name.span)} needs something {hook.when} '{self.rules[number].address}'"
            self.tell(number, hook, text, need.span, "needed here", guard, DO_WITHOUT)

    def is_counted_on(self, number: int, hook: checked.HookRef, need: Need) -> bool:
        """Whether the game cannot go on by itself without what a hook requires, or never comes to its limit."""
        if need.test is None:
            return False
        if self.counts.always(need.test, need.rule):
            return True
        return need.rule == hook.rule and self.counted_on.at(number, hook.when, need.test)

    def takes(self, number: int, guard: Guard) -> None:
        """What hangs there acts, and takes what is needed after it."""
        parts = self.openings.parts(number)
        for place, part in enumerate(parts):
            hook = part.hook
            if hook is None or self.openings.known[hook.rule].asks is not None:
                continue  # a question tests what comes after it
            need = first_need(self.effects, hook.rule, parts[place + 1 :])
            if need is not None:
                name, other = self.rules[hook.rule], self.rules[need.rule]
                text = (
                    f"'{name.address}'{overlay_of(name.span)} may take what '{other.address}'{overlay_of(other.span)}"
                    f" needs after it"
                )
                effect = next(one for one in self.effects.of_rule(hook.rule))
                related = Related(need.span, "needed after it")
                self.tell(number, hook, text, effect.span, "taken here", guard, TAKE_LESS, related)

    def take_elsewhere(self) -> None:
        """What hangs on some rule takes what a rule of the game needs at once, where nothing tests it."""
        for (number, rule), hook in self.hanging.items():
            for effect in self.effects.of_rule(rule):
                taken = (one for one in self.bare.values() if one.grows & effect.takes and not one.kept_by(effect))
                need = next(taken, None)
                if need is not None:
                    name, other = self.rules[rule], self.rules[need.rule]
                    text = f"'{name.address}'{overlay_of(name.span)} may take what '{other.address}' needs later"
                    related = Related(need.span, "needed here")
                    self.tell(number, hook, text, effect.span, "taken here", Guard(), TAKE_LESS, related, on=need.rule)
                    break

    def tell(
        self,
        number: int,
        hook: checked.HookRef,
        text: str,
        span: Span,
        label: str,
        guard: Guard,
        hint: str,
        *related: Related,
        on: int = -1,
    ) -> None:
        if guard.ends_at is None:
            begun = self.rules[number if on < 0 else on].address
            text += f", and nobody chooses to begin '{begun}': nothing tests it before"
        else:
            text += ", where no guard looks: nothing tests it before"
            related = (*related, Related(guard.ends_at, "guards end here"))
        if (number, hook.rule) not in self.told:
            self.found.setdefault((number, hook.rule), warning("W336", text, span, label, hint, *related))


def _has_way_out(node: checked.Choose) -> bool:
    """Whether a choice can do without an answer, or picks one of several rules: if one cannot be completed, another
    may. The guard of any other question can only find that there is nothing to choose."""
    if node.otherwise is not None or node.questions[0].may:
        return True
    slots = {question.slot for question in node.questions}
    calls = [one.target for one in nodes(node.body) if isinstance(one, checked.Do)]
    keys = [(call.key, call.members) for call in calls if call.key is not None]
    return any(isinstance(key, checked.Local) and key.slot in slots and len(rules) > 1 for key, rules in keys)
