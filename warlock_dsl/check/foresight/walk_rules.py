"""A walk through the rules as they would run, with what is known at each place: where pieces lie, who acts.

Every rule is walked with what all its calls have in common, hooks after the rule they hang on. What is not followed (a
call that acts, a piece moved as part of a list) is forgotten, so that nothing is claimed that may not be so.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence

from attrs import define, evolve, field

from warlock_dsl.check import program as checked
from warlock_dsl.check.context import CheckInput
from warlock_dsl.check.foresight.estimate import (
    ME,
    NOTHING_KNOWN,
    Env,
    Estimate,
    Estimator,
    Place,
    Who,
    element,
    named,
)
from warlock_dsl.check.rule_summary import Summary, called_by, summaries
from warlock_dsl.diagnostics.diagnostic import Span
from warlock_dsl.memo import kept_by_identity
from warlock_dsl.syntax.walk import fields_of
from warlock_dsl.types import PLAYER, ListType, Type

MAX_STEPS = 300_000  # statements and expressions looked at; what lies beyond is not looked at
MAX_DEPTH = 100  # expressions within one another, through definitions
MAX_TURNS = 30  # how often a rule is walked before its parameters are taken as they are

Visit = Callable[[object, Env, tuple[Span, ...]], None]  # a node, what is known there, the calls it was reached by


@define
class Flow:
    """Walks a program and shows every expression and question to a visitor."""

    estimator: Estimator
    visit: Visit
    known: Sequence[Summary] = field(init=False)
    entries: dict[int, tuple[Estimate, ...]] = field(factory=dict)  # by rule: what its parameters are when it begins
    waiting: deque[int] = field(factory=deque)
    turns: dict[int, int] = field(factory=dict)
    showing: bool = False  # the last walk, in which the visitor is called
    leaving: list[Env] = field(factory=list)  # what is known where a loop is left
    given: list[Env] = field(factory=list)  # what is known where the rule gives its value
    steps: int = 0
    depth: int = 0
    shown: set[tuple[int, Estimate, tuple[Estimate, ...]]] = field(factory=set)

    def __attrs_post_init__(self) -> None:
        self.known = summaries(self.program.rules)

    @property
    def program(self) -> checked.Program:
        return self.estimator.program

    def run(self) -> None:
        """All rules for the visitor, with what is known of their parameters."""
        self.entries = dict(entries_of(self.estimator))
        self.showing = True
        for number in sorted(self.entries):
            self.rule(number)
        for score in self.program.scores:
            self.look(score.value, Env())
        for law in (*self.program.invariants, *self.program.endings):
            self.look(law.test, Env())

    def find_entries(self) -> None:
        """Rules until what is known of their parameters no longer changes."""
        self.enter(self.program.start, ())
        while self.waiting:
            self.rule(self.waiting.popleft())

    def enter(self, rule: int, given: tuple[Estimate, ...]) -> None:
        """A call of a rule with these arguments."""
        if self.showing:
            return
        before = self.entries.get(rule)
        found = given if before is None else tuple(a.either(b) for a, b in zip(before, given, strict=True))
        if found != before and self.turns.get(rule, 0) < MAX_TURNS:
            self.turns[rule] = self.turns.get(rule, 0) + 1
            self.entries[rule] = found
            if rule not in self.waiting:
                self.waiting.append(rule)

    # ------------------------------------------------------------ rules and their hooks

    def rule(self, number: int) -> None:
        rule = self.program.rules[number]
        env = Env({0: Estimate(who=ME), **dict(enumerate(self.entries[number], start=1))})
        for hook in rule.hooks:
            self.look(tuple(value for _, value in hook.kept), env)
        env = self.hooks(rule, "before", env)
        self.hooks(rule, "instead", env)
        self.leaving, self.given = [], []
        after = self.block(rule.body, env)
        for way in self.given:
            after = either(after, way)
        if any(hook.when == "instead" for hook in rule.hooks):
            after = forgotten(env)
        if after is not None:
            self.hooks(rule, "after", after)

    def hooks(self, rule: checked.Rule, when: str, env: Env) -> Env:
        for hook in rule.hooks:
            if hook.when != when:
                continue
            slots = range(1, len(rule.parameters) + 1)
            there = Env({slot: env.slots.get(slot, NOTHING_KNOWN) for slot in (0, *slots)})
            if hook.where is not None:
                self.look(hook.where, there)
                there = self.estimator.given(hook.where, True, there)
            if hook.law is not None:
                self.look(hook.law.test, there)
            elif hook.rule >= 0:
                self.enter(hook.rule, tuple(passed(there.slots[slot]) for slot in slots))
                env = forgotten(env) if self.known[hook.rule].acts is not None else env
        return env

    # ------------------------------------------------------------ statements

    def block(self, statements: Sequence[checked.Stmt], env: Env) -> Env | None:
        """What is known after these statements; None where none of the ways goes on."""
        for statement in statements:
            self.steps += 1
            after = self.statement(statement, env)
            if after is None or self.steps > MAX_STEPS:
                return after
            env = after
        return env

    def statement(self, node: checked.Stmt, env: Env) -> Env | None:
        match node:
            case checked.Choose():
                return self.choose(node, env)
            case checked.Roll():
                self.look((node.count, node.source), env)
                after = env.bind(node.slot, element(self.estimator.of(node.source, env), node.slot, node.source.type))
                return self.where(node.where, after)
            case checked.Require():
                return self.where(node.test, env)
            case checked.Let():
                self.look(node.value, env)
                return env.bind(node.slot, named(self.estimator.of(node.value, env), node.slot, node.value.type))
            case checked.Move() | checked.Swap():
                env = self.each(node.each, env)
                self.look(node.pairs, env)
                return self.moved(node, env)
            case checked.Change():
                self.look(node.changes, self.each(node.each, env))
                return evolve(env, bounds={})
            case checked.Do():
                return self.call(node, env)
            case checked.If():
                self.look(node.test, env)
                then = self.block(node.then, self.estimator.given(node.test, True, env))
                return either(then, self.block(node.otherwise, self.estimator.given(node.test, False, env)))
            case checked.For() | checked.Together() | checked.Repeat():
                return self.loop(node, env)
            case checked.Stop():
                self.leaving.append(env)
                return None
            case checked.Finish():
                self.look(node.winners, env)
                return None
            case checked.Give():
                self.look(node.value, env)
                self.given.append(env)
                return None
            case _:
                self.look(node, env)
                return evolve(env, bounds={})

    def where(self, test: checked.Expr | None, env: Env) -> Env:
        if test is None:
            return env
        self.look(test, env)
        return self.estimator.given(test, True, env)

    def each(self, node: checked.Each | None, env: Env) -> Env:
        """What is known of each of those for which something happens at once."""
        if node is None:
            return env
        self.look(node.source, env)
        source = self.estimator.of(node.source, env)
        return self.where(node.where, env.bind(node.slot, element(source, node.slot, node.source.type)))

    def choose(self, node: checked.Choose, env: Env) -> Env | None:
        inner = env
        for question in node.questions:
            self.look((question.low, question.high, question.source, question.by), inner)
            if self.showing:
                self.visit(question, inner, ())
            source = self.estimator.of(question.source, inner)
            one = element(source, question.slot, question.source.type) if question.mode == "one" else source
            inner = self.where(question.where, inner.bind(question.slot, one))
        body = self.block(node.body, inner)
        return body if node.otherwise is None else either(body, self.block(node.otherwise, env))

    def moved(self, node: checked.Move | checked.Swap, env: Env) -> Env:
        """Pieces lie elsewhere: those that have a name are followed, others that may have been among them forgotten."""
        of = self.estimator.of
        ends = [(what, of(what, env).places, of(where, env).places) for what, where in node.pairs]
        if isinstance(node, checked.Swap):
            ends += [(where, of(where, env).places, of(what, env).places) for what, where in node.pairs]
        slots = dict(env.slots)
        for _, from_, _ in ends:
            for slot, found in slots.items():
                if found.places is not None and (from_ is None or from_ & found.places):
                    slots[slot] = found.at(None)
        for what, _, to in ends:
            if isinstance(what, checked.Local):
                slots[what.slot] = slots.get(what.slot, NOTHING_KNOWN).at(to)
        return Env(slots)

    def call(self, node: checked.Do, env: Env) -> Env:
        target = node.target
        self.look((target.key, node.arguments, node.by), env)
        by = None if node.by is None else self.estimator.of(node.by, env).who
        players = {}
        for place, argument in enumerate(node.arguments, start=1):
            if isinstance(argument, checked.Local) and argument.type == PLAYER:
                players[argument.slot] = place
        found = [self.estimator.of(argument, env) for argument in node.arguments]
        given = tuple(
            passed(found_by(one, by, players), place, argument.type)
            for place, (one, argument) in enumerate(zip(found, node.arguments, strict=True), start=1)
        )
        acts = False
        for number in called_by(target):
            self.enter(number, given)
            acts = acts or self.known[number].acts is not None
        after = forgotten(env) if acts else env
        return after if node.slot < 0 else after.bind(node.slot, NOTHING_KNOWN)

    def loop(self, node: checked.For | checked.Together | checked.Repeat, env: Env) -> Env:
        self.look(node.count if isinstance(node, checked.Repeat) else node.source, env)
        outside, showing = self.leaving, self.showing
        self.leaving, self.showing = [], False
        entered = self.entries, self.waiting, self.turns
        if showing:
            self.entries, self.waiting, self.turns = dict(self.entries), deque(), dict(self.turns)
        once = self.turn(node, env)
        self.entries, self.waiting, self.turns = entered
        self.showing = showing
        before = evolve(env, bounds={})
        before = before if once is None else before.join(once)
        again = self.turn(node, before)
        for way in (again, *self.leaving):
            before = before if way is None else before.join(way)
        self.leaving = outside
        return before

    def turn(self, node: checked.For | checked.Together | checked.Repeat, env: Env) -> Env | None:
        """One turn of a loop, and what of it holds outside."""
        if isinstance(node, checked.Repeat):
            return self.block(node.body, self.where(node.where, env))
        source = self.estimator.of(node.source, env)
        if node.slot:
            inner = env.bind(node.slot, element(source, node.slot, node.source.type))
            return self.block(node.body, self.where(node.where, inner))
        inner = Env({slot: found_by(one, Who(None, source.who.is_), {}) for slot, one in env.slots.items()})
        inner = self.where(node.where, inner.bind(0, Estimate(who=ME)))
        after = self.block(node.body, inner)
        return None if after is None else forgotten(env)

    # ------------------------------------------------------------ expressions

    def look(self, node: object, env: Env, via: tuple[Span, ...] = ()) -> None:
        """Shows an expression and everything in it to the visitor, definitions with the arguments they are given."""
        if not self.showing or node is None or self.steps > MAX_STEPS or self.depth > MAX_DEPTH:
            return
        self.steps += 1
        self.depth += 1
        self.look_into(node, env, via)
        self.depth -= 1

    def look_into(self, node: object, env: Env, via: tuple[Span, ...]) -> None:
        given = self.estimator.given
        match node:
            case checked.Conditional():
                self.look(node.test, env, via)
                self.look(node.then, given(node.test, True, env), via)
                self.look(node.otherwise, given(node.test, False, env), via)
            case checked.Binary(op="and" | "or"):
                self.look(node.left, env, via)
                self.look(node.right, given(node.left, node.op == "and", env), via)
            case checked.Gather() | checked.Keyed():
                self.look(node.source, env, via)
                whole = self.estimator.inside(evolve(node, where=None), env)
                self.look(node.where, whole, via)
                last = node.body if isinstance(node, checked.Gather) else node.key
                self.look(last, self.estimator.inside(node, env), via)
            case checked.Would():
                self.look((node.target.key, node.arguments, node.by), env, via)
                self.look(node.value, forgotten(env), via)
            case checked.Apply():
                self.look(node.arguments, env, via)
                self.definition(node, env, via)
            case tuple():
                for item in node:
                    self.look(item, env, via)
            case _ if type(node).__module__ == checked.__name__:
                self.visit(node, env, via)
                for name in fields_of(type(node)):
                    if name not in ("span", "type"):
                        self.look(getattr(node, name), env, via)
            case _:
                pass

    def definition(self, node: checked.Apply, env: Env, via: tuple[Span, ...]) -> None:
        arguments = tuple(self.estimator.of(argument, env) for argument in node.arguments)
        if self.program.defines[node.define].recursive:  # once is enough, whatever it is given
            arguments = (NOTHING_KNOWN,) * len(arguments)
        me = env.slots.get(0, NOTHING_KNOWN)
        if (node.define, me, arguments) in self.shown:
            return
        self.shown.add((node.define, me, arguments))
        inner = Env({0: me, **dict(enumerate(arguments, start=1))})
        self.look(self.program.defines[node.define].value, inner, (*via, node.span))


@kept_by_identity(4)
def estimator_of(given: CheckInput) -> Estimator:
    """What estimates the expressions of a program: one for all checks of it."""
    return Estimator(given.program, given.components)


@kept_by_identity(4)
def entries_of(estimator: Estimator) -> Mapping[int, tuple[Estimate, ...]]:
    """What is known of the parameters of every rule that is called, when it begins."""
    flow = Flow(estimator, lambda *seen: None)
    flow.find_entries()
    return flow.entries


def either(one: Env | None, other: Env | None) -> Env | None:
    """After one of two ways, of which some may not go on."""
    if one is None or other is None:
        return other if one is None else one
    return one.join(other)


def forgotten(env: Env) -> Env:
    """What is still known after something acted that was not followed."""
    return Env({slot: one.at(None) for slot, one in env.slots.items()})


def passed(found: Estimate, slot: int = 0, type_: Type | None = None) -> Estimate:
    """What a rule knows of an argument: numbers are not followed through calls."""
    who = found.who
    if type_ == PLAYER and who.is_ != "me":
        who = Who(slot, who.is_)
    elif isinstance(type_, ListType):
        who = Who(None, who.is_)
    return Estimate(found.places, who, length=found.length)


def found_by(found: Estimate, by: Who | None, players: dict[int, int]) -> Estimate:
    """The same, seen by another who acts (`by`); `players` are the slots that players have there."""

    def seen(who: Who) -> Who:
        if by is None:
            slot = 0 if who.is_ == "me" else None if who.slot is None else players.get(who.slot)
            return Who(slot, who.is_)
        if by.slot is not None and who.slot == by.slot:
            return ME
        apart = by.is_ == "other" and who.is_ == "me"
        return Who(None if who.slot is None else players.get(who.slot), "other" if apart else "")

    places = found.places
    if places is not None:
        places = frozenset(Place(place.zone, seen(place.owner)) for place in places)
    return found.at(places).of_player(seen(found.who))
