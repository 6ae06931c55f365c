"""Whether a law was really tested: a law whose condition never comes up holds, and says nothing.

A law that speaks of all things of a kind is tested where there is such a thing, one that hangs on a rule where the rule
is called and its `where` holds. Counted is on a plain machine, which plays beside the usual one in some games.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from attrs import field, frozen

from interpreter import Layout, Locals, PlainMachine, State, lower
from interpreter.ir import blocks as ir
from warlock_dsl import RECORDS, Ruleset
from warlock_dsl import types as t
from warlock_dsl.check import program as checked

_SOME = next(name for name, record in RECORDS.items() if record.assume.result == "nonempty")


def premise(e: checked.Expr) -> checked.Expr:
    """What must hold for a condition to say anything: true where it always does, false where it never does."""
    match e:
        case checked.Const(value=True):
            return _truth(False, e)
        case checked.Primitive(arguments=(checked.Gather() as gather,)) if RECORDS[e.name].assume.result == "every":
            body = _truth(True, e) if gather.body is None else premise(gather.body)
            where = _both(gather.where, body)
            some = checked.Gather(gather.slot, gather.source, where, None, gather.source.type, gather.span)
            return checked.Primitive(_SOME, (some,), t.TRUTH, e.span)
        case checked.Binary(op="and"):
            return _either(premise(e.left), premise(e.right))
        case checked.Binary(op="or", left=checked.Not() as no):  # if .of then .right
            return _both(no.of, premise(e.right))
        case checked.Conditional():
            return checked.Conditional(e.test, premise(e.then), premise(e.otherwise), t.TRUTH, e.span)
        case _:
            return _truth(True, e)


def _truth(value: bool, at: checked.Expr) -> checked.Const:
    return checked.Const(value, t.TRUTH, at.span)


def _both(left: checked.Expr | None, right: checked.Expr) -> checked.Expr:
    if left is None or right == _truth(False, right):
        return right
    return left if right == _truth(True, right) else checked.Binary("and", left, right, t.TRUTH, right.span)


def _either(left: checked.Expr, right: checked.Expr) -> checked.Expr:
    if _truth(True, left) == left or _truth(False, right) == right:
        return left
    return right if left == _truth(False, left) else checked.Binary("or", left, right, t.TRUTH, left.span)


def law_names(ruleset: Ruleset) -> list[str]:
    """The invariants of a ruleset by name: of every moment, of the end, then those that hang on a rule."""
    program = ruleset.program
    hung = [hook.law.invariant for rule in program.rules for hook in rule.hooks if hook.law is not None]
    return [*dict.fromkeys([law.name for law in (*program.invariants, *program.endings)] + hung)]


class LawCounter(PlainMachine):
    """The plain machine, which counts for each law how often its condition was tested."""

    def __init__(self, layout: Layout, lowered_rules: tuple[ir.LoweredRule, ...]) -> None:
        super().__init__(layout, lowered_rules)
        self.tested: Counter[str] = Counter()
        program = layout.program
        self._always = [(law, premise(law.test)) for law in program.invariants]
        self._at_the_end = [(law, premise(law.test)) for law in program.endings]
        self._hung: dict[int, checked.Expr] = {  # by the identity of a step, which lasts as long as its rule
            id(step): _both(step.where, premise(step.test))
            for lowered in lowered_rules
            for block in lowered.blocks
            for step in block.steps
            if isinstance(step, ir.LawStep)
        }

    def law(self, s: State, step: ir.LawStep, slots: Locals) -> None:
        self._count(s, step.name, self._hung[id(step)], slots)
        super().law(s, step, slots)

    def check_laws(self, s: State) -> None:
        self.work = 0
        for law, when in self._always:
            self._count(s, law.name, when, [0, *[None] * (law.slots - 1)])
        if s.winners is not None:
            for law, when in self._at_the_end:
                self._count(s, law.name, when, [0, s.winners, *[None] * (law.slots - 2)])
        super().check_laws(s)

    def _count(self, s: State, name: str, when: checked.Expr, slots: Locals) -> None:
        """What is counted is no work of the rules."""
        work = self.work
        self.tested[name] += bool(self.ev(s, when, slots))
        self.work = work


@lru_cache(maxsize=16)
def law_counter(ruleset: Ruleset, players: int) -> LawCounter:
    return LawCounter(Layout(ruleset.program, ruleset.components, players), lower(ruleset.program))


# ---------------------------------------------------------------------- report

ENOUGH = 24  # games in which it is counted, after which a law that was never tested is a finding


@frozen
class LawTests:
    """How often each law's condition came up, and in how many of the games in which that was counted."""

    laws: Sequence[str]
    games: int
    times: Mapping[str, int] = field(factory=dict)
    in_games: Mapping[str, int] = field(factory=dict)

    @property
    def never(self) -> list[str]:
        """The laws that were never tested."""
        return [name for name in self.laws if self.games and not self.times.get(name)]

    @property
    def found(self) -> list[str]:
        """Those of them that have had their chance."""
        return self.never if self.games >= ENOUGH else []

    def data(self) -> dict[str, Any]:
        tests = [
            {"law": f"invariant.{name}", "times": self.times.get(name, 0), "games": self.in_games.get(name, 0)}
            for name in self.laws
        ]
        return {"law_tests": tests, "law_test_games": self.games, "never_tested": self.found}

    def lines(self) -> list[str]:
        """A line a law; first those that were never tested."""
        if not self.games or not self.laws:
            return []
        width = max(len(name) for name in self.laws)
        told = [f"how often each law's condition came up, counted in {number_of_games(self.games)}:"]
        for name in self.never:
            what = "warning: it says nothing of these rules" if name in self.found else "too few games to tell"
            told.append(f"  {name:{width}}  never in {number_of_games(self.games)} ({what})")
        for name in self.laws:
            if times := self.times.get(name, 0):
                often = f"{times:,} {'time' if times == 1 else 'times'}"
                told.append(f"  {name:{width}}  {often} in {number_of_games(self.in_games[name])}")
        return told


def number_of_games(number: int) -> str:
    return f"{number:,} {'game' if number == 1 else 'games'}"
