"""How often a rule can be called in one game, at most: by all players together, and by one who acts.

A counter that only grows, by so much at each call, stays below what it has grown to after the last one. So a hook may
require that it is not beyond that: "at most three times" never fails where the game comes there three times.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from math import inf

from attrs import field, frozen

from warlock_dsl.check import program as checked
from warlock_dsl.check.foresight.estimate import Env, Estimator
from warlock_dsl.check.guards.effects import ME, is_me
from warlock_dsl.check.rule_summary import called_by
from warlock_dsl.primitives import assumed
from warlock_dsl.syntax.walk import nodes
from warlock_dsl.tables.components import Components
from warlock_dsl.types import PlayerType


@frozen
class Times:
    """How often something happens, at most, in one call of a rule: for everybody; for one player, for each call by
    him (`own`), and for each call by anybody (`turns`), where the rule lets others act."""

    all: float = 1
    own: float = 1
    turns: float = 0

    def __add__(self, other: Times) -> Times:
        return Times(self.all + other.all, self.own + other.own, self.turns + other.turns)

    def either(self, other: Times) -> Times:
        return Times(max(self.all, other.all), max(self.own, other.own), max(self.turns, other.turns))

    def looped(self, turns: float) -> Times:
        """Inside a loop in which the same player acts."""
        return Times(_product(self.all, turns), _product(self.own, turns), _product(self.turns, turns))

    def by_each(self, turns: float, of_one: float) -> Times:
        """Inside a loop in which others act, one of them at most so often."""
        return Times(_product(self.all, turns), 0, _product(self.all, of_one))

    def by_another(self) -> Times:
        return Times(self.all, 0, self.all)


Found = Mapping[Hashable, Times]  # by number of a rule that is called, and by place of a change
ONCE = Times()
NEVER = Times(0, 0, 0)


@frozen
class CallCounts:
    """A program, ready to be asked."""

    program: checked.Program
    components: Components
    known: dict[int, tuple[float, float]] = field(factory=dict)

    @cached_property
    def estimator(self) -> Estimator:
        return Estimator(self.program, self.components)

    @cached_property
    def inside(self) -> list[Found]:
        """What each rule does in one call, with what hangs on it."""
        found = []
        for rule in self.program.rules:
            own = self.block(rule.body, ONCE)
            for hook in rule.hooks:
                own = _both(own, {hook.rule: ONCE} if hook.rule >= 0 else {})
            found.append(own)
        return found

    def of(self, number: int) -> tuple[float, float]:
        """How often a rule is called by all, and by one player."""
        if number not in self.known:
            everybody, one = (1.0, 1.0) if number == self.program.start else (0.0, 0.0)
            if self.comes_back(number):
                everybody = one = inf
            else:
                for caller, found in enumerate(self.inside):
                    if number in found:
                        more, his = self.times(found[number], caller)
                        everybody, one = everybody + more, one + his
            self.known[number] = everybody, one
        return self.known[number]

    def comes_back(self, number: int) -> bool:
        """Whether a rule may call itself, by way of others too."""
        waiting, seen = [number], set[Hashable]()
        while waiting:
            called = {one for one in self.inside[waiting.pop()] if isinstance(one, int)} - seen
            if number in called:
                return True
            seen |= called
            waiting += called
        return False

    def times(self, inside: Times, rule: int) -> tuple[float, float]:
        """How often something in a rule happens in a game: for all, for one."""
        everybody, one = self.of(rule)
        return _product(everybody, inside.all), _product(one, inside.own) + _product(everybody, inside.turns)

    # ------------------------------------------------------------------ counters

    def always(self, test: checked.Expr | None, rule: int) -> bool:
        """Whether a requirement at the beginning of a rule holds in every game, as it only limits a counter that does
        not come so far."""
        match test:
            case checked.Binary(op="and"):
                return self.always(test.left, rule) and self.always(test.right, rule)
            case checked.Binary(op="<" | "<=", left=checked.VariableOf() as counter):
                high, limit = self.highest(counter, rule), self.number(test.right)
                return limit is not None and (high < limit or (test.op == "<=" and high == limit))
            case _:
                return False

    def highest(self, counter: checked.VariableOf, rule: int) -> float:
        """What a counter can have grown to when a rule begins: its first value, and all that is ever added."""
        variable = next(one for one in self.components.variables.values() if one.number == counter.variable)
        a_player = counter.owner is not None
        own = variable.owner == "player" and counter.owner is not None and is_me(counter.owner)
        whose = own or (not a_player and not variable.owner)
        if variable.by or not whose or not isinstance(variable.first, Fraction):
            return inf
        high = float(variable.first * self.program.unit)
        for number, found in enumerate(self.program.rules):
            for node in nodes(found.body):
                if isinstance(node, checked.Change) and any(one == counter.variable for one, _, _ in node.changes):
                    growth = self.growth(node, a_player)
                    times = self.times(self.inside[number].get(node.span, NEVER), number)[1 if a_player else 0]
                    last = 1 if number == rule and node in found.body else 0  # it comes after the requirement
                    high += _product(growth, max(times - last, 0))
        return high

    def growth(self, node: checked.Change, a_player: bool) -> float:
        """What one change adds to a counter at most, where it is that of who acts."""
        ((_, owner, value), *others) = node.changes
        amount = self.number(value)
        known = not others and node.each is None and amount is not None and amount >= 0
        if not known or node.verb == "set" or (a_player and not (owner is not None and is_me(owner))):
            return inf
        return 0 if node.verb == "take" or amount is None else amount

    def number(self, expr: checked.Expr) -> int | None:
        """A number that is written there, or a figure of this ruleset."""
        value = expr.value if isinstance(expr, checked.Const | checked.FigureRef) else None
        return value if isinstance(value, int) and not isinstance(value, bool) else None

    # ------------------------------------------------------------------ statements

    def block(self, statements: Sequence[checked.Stmt], times: Times) -> Found:
        found: Found = {}
        for node in statements:
            found = _both(found, self.statement(node, times))
        return found

    def statement(self, node: checked.Stmt, times: Times) -> Found:
        match node:
            case checked.Choose():
                return _either(self.block(node.body, times), self.block(node.otherwise or (), times))
            case checked.If():
                return _either(self.block(node.then, times), self.block(node.otherwise, times))
            case checked.Repeat():
                return self.block(node.body, times.looped(self.turns(node)))
            case checked.For() | checked.Together():
                length = self.estimator.of(node.source, Env()).length
                turns = inf if length is None else length
                if node.slot != ME:
                    return self.block(node.body, times.looped(turns))
                return self.block(node.body, times.by_each(turns, self.of_one(node.source)))
            case checked.Do():
                own = times if node.by is None or is_me(node.by) else times.by_another()
                return dict.fromkeys(called_by(node.target), own)
            case checked.Change():
                return {node.span: times}
            case _:
                return {}

    def turns(self, node: checked.Repeat) -> float:
        number = self.number(node.count)
        if number is None:
            number = self.estimator.of(node.count, Env()).high
        return inf if number is None else number // self.program.unit

    def of_one(self, source: checked.Expr) -> float:
        """How often one player can be in a list of players."""
        match source:
            case checked.Primitive() if assumed(source.name).distinct:
                return 1
            case checked.ListOf():
                return len(source.items)
            case checked.Gather(body=None):
                return self.of_one(source.source)
            case checked.Keyed() if assumed(source.name).selects:
                return self.of_one(source.source)
            case checked.Binary(op="join"):
                return self.of_one(source.left) + self.of_one(source.right)
            case checked.Binary(op="without"):
                return self.of_one(source.left)
            case checked.Conditional(test=checked.FigureRef(value=chosen)):
                return self.of_one(source.then if chosen else source.otherwise)
            case checked.Conditional():
                return max(self.of_one(source.then), self.of_one(source.otherwise))
            case checked.Apply() if not self.program.defines[source.define].recursive:
                return self.of_one(self.program.defines[source.define].value)
            case _:
                return 1 if isinstance(source.type, PlayerType) else inf


def _product(one: float, other: float) -> float:
    return 0 if not one or not other else one * other


def _both(one: Found, other: Found) -> Found:
    return {key: one.get(key, NEVER) + other.get(key, NEVER) for key in {**one, **other}}


def _either(one: Found, other: Found) -> Found:
    return {key: one.get(key, NEVER).either(other.get(key, NEVER)) for key in {**one, **other}}
