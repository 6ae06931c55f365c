"""What the game itself counts on: at some place a condition holds, or the game would come to a dead end by itself.

Whatever happens from that place on, the same player can come to a question of the game that needs the same and has no
other way out; no rule gives more of it before, and no overlay ever takes any. So a hook may require it there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import IntEnum

from attrs import field, frozen

from warlock_dsl.check import program as checked
from warlock_dsl.check.guards.effects import ME, Effects, Frame, Thing, is_me, overlap
from warlock_dsl.check.nonempty import Shape, selection, shape
from warlock_dsl.check.rule_summary import called_by
from warlock_dsl.primitives import assumed
from warlock_dsl.syntax.walk import nodes

MAX_DEPTH = 40  # rules that call one another; beyond that nothing is counted on


class Way(IntEnum):
    """What comes of going on: more may be given, or the game may end; nothing of the kind; the question comes."""

    UNSURE = 0
    OPEN = 1
    MET = 2


@frozen
class CountedOn:
    """A program, ready to be asked what it counts on."""

    effects: Effects
    found: dict[tuple[int, str, Shape], bool] = field(factory=dict)

    def at(self, number: int, when: str, test: checked.Expr) -> bool:
        """Whether a condition holds before a rule is called, or after, in every game that is sound by itself."""
        match test:
            case checked.Primitive(arguments=(some,)) if assumed(test.name).result == "nonempty":
                wanted = shape(some)
            case _:
                return False
        if (number, when, wanted) not in self.found:
            things = self.effects.reads(some)
            search = _Search(self.effects, wanted, things)
            plain = bool(things) and self.effects.grows(test) == things and _is_of_me(some)
            self.found[number, when, wanted] = plain and not self._taken(things) and search.comes(number, when)
        return self.found[number, when, wanted]

    def _taken(self, things: frozenset[Thing]) -> bool:
        """Whether an overlay takes any of it."""
        rules = enumerate(self.effects.program.rules)
        return any(overlap(self.effects.taken(number), things) for number, rule in rules if _in_overlay(rule))


@frozen
class _Search:
    """Looks for the question that needs a list to have an element."""

    effects: Effects
    wanted: Shape
    things: frozenset[Thing]

    @property
    def rules(self) -> Sequence[checked.Rule]:
        return self.effects.program.rules

    def comes(self, number: int, when: str) -> bool:
        way = self.call(number, self.anything(number), ()) if when == "before" else self.hooks(number, "after", ())
        return way is Way.MET or (way is Way.OPEN and self.later(number, ()))

    def anything(self, number: int) -> Frame:
        """In a rule of which nobody knows what its names mean."""
        slots = {node.slot for node in nodes(self.rules[number].body) if isinstance(node, checked.Local)}
        return Frame(dict.fromkeys(slots - {ME}))

    # ------------------------------------------------------------------ on from here

    def call(self, number: int, frame: Frame, outer: tuple[int, ...]) -> Way:
        """Through a rule, with what hangs on it."""
        rule = self.rules[number]
        lasting = frozenset(("variable", one) for one in rule.lasts)
        if number in outer or len(outer) > MAX_DEPTH or overlap(lasting, self.things):
            return Way.UNSURE
        outer = (*outer, number)
        way = self.hooks(number, "before", outer)
        if way is Way.OPEN:
            way = self.block(rule.body, frame, outer)
            if any(hook.when == "instead" and hook.rule >= 0 for hook in rule.hooks):
                way = min(way, self.hooks(number, "instead", outer))
        return self.hooks(number, "after", outer) if way is Way.OPEN else way

    def hooks(self, number: int, when: str, outer: tuple[int, ...]) -> Way:
        """Through what hangs on a rule, which may or may not run."""
        found = [hook.rule for hook in self.rules[number].hooks if hook.when == when and hook.rule >= 0]
        return min([Way.OPEN, *(self.call(hook, self.anything(hook), outer) for hook in found)])

    def block(self, statements: Sequence[checked.Stmt], frame: Frame, outer: tuple[int, ...]) -> Way:
        for node in statements:
            way = self.statement(node, frame, outer)
            if way is not Way.OPEN:
                return way
            frame = self.effects.bound_by(node, frame)
        return Way.OPEN

    def statement(self, node: checked.Stmt, frame: Frame, outer: tuple[int, ...]) -> Way:
        match node:
            case checked.Choose():
                return self.choose(node, frame, outer)
            case checked.If():
                return min(self.block(node.then, frame, outer), self.block(node.otherwise, frame, outer))
            case checked.For() | checked.Together():
                return min(Way.OPEN, self.block(node.body, self.effects.in_loop(node, frame), outer))
            case checked.Repeat():
                return min(Way.OPEN, self.block(node.body, frame, outer))
            case checked.Do():
                found = [self.call(one, self.effects.called(node, frame), outer) for one in called_by(node.target)]
                way = min(found, default=Way.OPEN)
                return way if node.by is None or is_me(node.by) else min(way, Way.OPEN)
            case checked.Move() | checked.Swap() | checked.Change():
                effects = self.effects.of_statement(node, frame)
                return Way.UNSURE if any(overlap(one.gives, self.things) for one in effects) else Way.OPEN
            case checked.Finish() | checked.Give():
                return Way.UNSURE
            case _:
                return Way.OPEN

    def choose(self, node: checked.Choose, frame: Frame, outer: tuple[int, ...]) -> Way:
        """One may always decline what one may; else any answer may be given."""
        first = node.questions[0]
        if first.may:
            return self.block(node.otherwise or (), frame, outer)
        body = self.block(node.body, self.effects.chosen(node, frame), outer)
        if node.otherwise is not None:
            return min(body, self.block(node.otherwise, frame, outer))
        asked = selection(first.source, first.slot, first.where)
        own = not _in_overlay(self.rules[outer[-1]])
        return Way.MET if own and first.mode == "one" and asked == self.wanted else body

    # ---------------------------------------------------------------- behind a rule

    def later(self, number: int, outer: tuple[int, ...]) -> bool:
        """Whether the question comes behind a rule, wherever that is called."""
        hangs = any(hook.rule == number for rule in self.rules for hook in rule.hooks)
        if number in outer or len(outer) > MAX_DEPTH or hangs or number == self.effects.program.start:
            return False
        ways = []
        for caller, rule in enumerate(self.rules):
            for way in self.behind(rule.body, number, self.anything(caller), (caller,)):
                if way is Way.OPEN:
                    way = self.hooks(caller, "after", (caller,))
                ways.append(way is Way.MET or (way is Way.OPEN and self.later(caller, (*outer, number))))
        return bool(ways) and all(ways)

    def behind(
        self, statements: Sequence[checked.Stmt], number: int, frame: Frame, outer: tuple[int, ...]
    ) -> Iterator[Way]:
        """From each call of a rule to the end of the statements."""
        for place, node in enumerate(statements):
            for way in self.behind_in(node, number, frame, outer):
                yield self.block(statements[place + 1 :], frame, outer) if way is Way.OPEN else way

    def behind_in(self, node: checked.Stmt, number: int, frame: Frame, outer: tuple[int, ...]) -> Iterator[Way]:
        """From each call of a rule to the end of a statement."""
        match node:
            case checked.Do() if number in called_by(node.target):
                yield Way.OPEN if node.by is None or is_me(node.by) else Way.UNSURE
            case checked.Choose():
                yield from self.behind(node.body, number, frame, outer)
                yield from self.behind(node.otherwise or (), number, frame, outer)
            case checked.If():
                yield from self.behind(node.then, number, frame, outer)
                yield from self.behind(node.otherwise, number, frame, outer)
            case checked.For() | checked.Together() | checked.Repeat():
                others = isinstance(node, checked.Together) or (isinstance(node, checked.For) and node.slot == ME)
                again = Way.UNSURE if others else min(Way.OPEN, self.block(node.body, frame, outer))
                stops = any(isinstance(one, checked.Stop) for one in nodes(node.body))
                for way in self.behind(node.body, number, frame, outer):
                    yield again if way is Way.OPEN else Way.UNSURE if stops else way
            case _:
                pass


def _in_overlay(rule: checked.Rule) -> bool:
    return rule.span.file.startswith("+")


def _is_of_me(expr: checked.Expr) -> bool:
    """Whether an expression speaks of nobody but who acts."""
    return all(node.slot == ME for node in nodes(expr) if isinstance(node, checked.Local))
