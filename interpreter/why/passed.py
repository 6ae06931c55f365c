"""Why a player was not asked: the questions that the rules passed over since his last answer, found by playing on from
there while every place is watched at which a question could have been put to him."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

from attrs import frozen

from interpreter.ir import blocks as ir
from interpreter.ir.analysis import successors
from interpreter.ir.trials import called, started_in
from interpreter.plain.dry_run import dry_run
from interpreter.plain.evaluate import Locals
from interpreter.plain.questions import Offer
from interpreter.plain.telling import written
from interpreter.state.labels import Shown, show_value
from interpreter.state.layout import Layout
from interpreter.state.state import Frame, State
from interpreter.why.explainer import Explainer
from interpreter.why.ways import Attempt, Way
from warlock_dsl import nodes
from warlock_dsl import types as t
from warlock_dsl.check import program as checked

ME = 0  # the slot of the player who acts


@frozen
class Passed:
    """Questions that were not put. `what` is nothing (there was nothing to choose), only (there was one answer, which
    was given), branch (a condition led elsewhere) or turn (the seat was not among those who are asked). `at` is the
    state there, as it was."""

    what: str
    questions: tuple[str, ...]
    at: State
    rules: tuple[str, ...]  # in progress, the outermost first
    ways: tuple[Way, ...] = ()
    given: Shown | None = None
    hides: bool = False


class Watcher(Explainer):
    """Plays on for one seat, and notes which questions it passes over. What it cannot tell without saying something
    that is hidden from that seat ends the watching: `dark`."""

    def __init__(self, layout: Layout, lowered_rules: tuple[ir.LoweredRule, ...]) -> None:
        super().__init__(layout, lowered_rules)
        self.seat = -1
        self.found: list[Passed] = []
        self.dark = False
        self.watching = False
        self.behind: dict[tuple[int, int], tuple[str, ...]] = {}
        self.asks: dict[int, tuple[str, ...]] = {}  # by rule: the questions that it and those it calls may put

    # ------------------------------------------------------------------ watching

    def watch(self, s: State, answers: Sequence[str], seat: int) -> None:
        """Give these answers, and go on to the next question."""
        self.seat, self.found, self.dark, self.watching = seat, [], False, True
        if s.events is None:
            s.events = []
        try:
            self.run(s)
            for key in answers:
                keys = [self.option(s, number).key for number in range(s.offer.count)]
                self.give(s, keys.index(key))
                self.run(s)
        finally:
            self.watching = False

    def give(self, s: State, number: int) -> None:
        """An answer; what the seat does not hear of is dark from then on, unless it is about pieces: whether those are
        seen is known of each."""
        offer: Offer = s.offer
        answer = offer.answers[number]
        self.choose(s, number)
        if offer.player == self.seat:  # what was passed over before his last answer is not asked about
            self.found, self.dark = [], False
        event = s.events[-1] if s.events and s.events[-1].what == "answer" else None
        if event is not None and offer.player != self.seat and self.seat not in event.to:
            self.dark = self.dark or not _about_pieces(event.type or t.UNKNOWN)
        elif event is None and answer.what == "decline" and offer.player != self.seat:
            self.dark = True

    @contextmanager
    def looking(self) -> Iterator[None]:
        """What is read here decides where the rules go: if the seat does not see it, the rest is dark."""
        if not self.watching or self.trying or self.dark:
            yield
            return
        work = self.work
        with self.seen_by(self.seat):
            yield
            self.dark = self.tainted
        self.work = work

    def pass_over(
        self, s: State, what: str, questions: tuple[str, ...], attempt: Attempt | None, given: Shown | None = None
    ) -> None:
        """Remember what was passed over, and which clauses made it so."""
        if not self.watching or self.trying or self.dark or not questions:
            return
        ways: tuple[Way, ...] = ()
        at, hides, work = s.copy(), False, self.work
        if attempt is not None:
            self.watching = False
            try:
                with self.seen_by(self.seat):
                    ways = tuple(self.ways_to(attempt))
                    hides = self.tainted
            finally:
                self.watching = True
        self.work = work
        rules = tuple(dict.fromkeys(self.lowered_rules[frame.rule].address for frame in s.stack))
        self.found.append(Passed(what, questions, at, rules, () if hides else ways, given, hides))

    # ------------------------------------------------------- where questions are

    def asks_of(self, rule: int) -> tuple[str, ...]:
        """The questions that a rule may put, or one that it calls."""
        if rule not in self.asks:
            self.asks[rule] = ()  # one that calls itself
            self.asks[rule] = self.asks_from(rule, self.lowered_rules[rule].entry)
        return self.asks[rule]

    def asks_from(self, rule: int, block: int) -> tuple[str, ...]:
        """The questions that may come from a block of a rule on, before its end and before the next turn of a loop that
        is under way; those that come first stand first."""
        if (rule, block) not in self.behind:
            lowered, waiting, found = self.lowered_rules[rule], [block], dict[str, None]()
            begun, seen = set[int](), set[tuple[int, bool]]()
            for place in waiting:  # which grows
                end = lowered.blocks[place].end
                begun |= started_in(lowered.blocks[place])
                loop = end.list_slot if isinstance(end, ir.NextOf) else end.slot if isinstance(end, ir.Again) else -1
                if (place, loop in begun) in seen:
                    continue
                seen.add((place, loop in begun))
                if isinstance(end, ir.Ask):
                    found[f"{lowered.address}.{end.question.name}"] = None
                for number in called(end):
                    found |= dict.fromkeys(self.asks_of(number))
                under_way = isinstance(end, ir.NextOf | ir.Again) and loop not in begun
                waiting += [end.out] if under_way else successors(end)  # type: ignore[union-attr]
            self.behind[rule, block] = tuple(found)
        return self.behind[rule, block]

    def only_from(self, rule: int, block: int, other: int) -> tuple[str, ...]:
        """The questions that may come from one block on, and not from the other."""
        also = self.asks_from(rule, other)
        return tuple(name for name in self.asks_from(rule, block) if name not in also)

    # ------------------------------------------------------------- what is passed

    def ask(self, s: State, frame: Frame, ask: ir.Ask) -> Offer | None:
        slot, begun = ask.question.slot, frame.locals[ask.question.slot] is not None
        if not self.watching or self.trying or self.dark or begun:
            return super().ask(s, frame, ask)
        own = self.asked(s, ask.question, frame.locals) == self.seat
        at, work = s.copy() if own else s, self.work
        with self.seen_by(self.seat):
            offer = super().ask(s, frame, ask)
            hidden = self.tainted
        self.work += work
        if offer is not None:
            return offer  # all hear what is answered
        name = f"{self.lowered_rules[frame.rule].address}.{ask.question.name}"
        if own and frame.locals[slot] is not None:
            shown = show_value(self.layout, s, frame.locals[slot], ask.question.type, self.seat)
            self.pass_over(at, "only", (name,), None, given=shown)
        elif own:
            self.pass_over(at, "nothing", (name,), partial(self.attempted, partial(self.is_answerable, at, ask)))
        self.dark = self.dark or (hidden and (own or not self.comes_out(s, frame, ask)))
        return offer

    def comes_out(self, s: State, frame: Frame, ask: ir.Ask) -> bool:
        """Of another's question that was not put, for reasons the seat does not see: whether that makes no difference
        to where the rules go on, and what was taken is known to the seat, piece by piece or where it is written."""
        question, rule = ask.question, self.layout.program.rules[frame.rule]
        if ask.otherwise >= 0:
            return False
        if _about_pieces(question.type):
            return True
        player = self.asked(s, question, frame.locals)
        hidden = any(True for _ in written(self.layout, frame.rule, question.slot, player, frozenset()))
        changes = [new for node in nodes(rule.body) if isinstance(node, checked.Change) for _, _, new in node.changes]
        return not hidden and any(
            isinstance(node, checked.Local) and node.slot == question.slot for value in changes for node in nodes(value)
        )

    def is_answerable(self, s: State, ask: ir.Ask) -> bool:
        """Whether there is anything that may be answered."""
        dry = dry_run(s)
        dry.slots[ask.question.slot] = None
        return any(self.leads_on(s, ask, dry, value) for value in self.possible(s, ask, dry))

    def end(self, s: State, frame: Frame, end: ir.End) -> Offer | None:
        match end:
            case ir.Branch():
                self.branch(s, frame, end)
            case ir.NextOf():
                self.loop(s, frame, end)
            case ir.Again() if end.where is not None and frame.locals[end.slot]:
                with self.looking():
                    self.ev(s, end.where, frame.locals)
            case ir.Instead():
                with self.looking():
                    self.replacement(s, end, frame.locals)
        return super().end(s, frame, end)

    def branch(self, s: State, frame: Frame, end: ir.Branch) -> None:
        """Which questions stand only on the side that is not gone."""
        slots = frame.locals
        with self.looking():
            holds = bool(self.ev(s, end.test, slots))
        if slots[ME] != self.seat:
            return
        gone, left = (end.yes, end.no) if holds else (end.no, end.yes)
        only = self.only_from(frame.rule, left, gone)
        self.pass_over(s, "branch", only, self.attempt_test(s, end.test, slots, not holds) if only else None)

    def loop(self, s: State, frame: Frame, end: ir.NextOf) -> None:
        """A loop over players, at its first turn: whether the seat has one; and whether it is left out at this turn."""
        slots = frame.locals
        items: Any = slots[end.list_slot]
        place: Any = slots[end.place_slot]
        if not self.watching or self.dark:
            return
        if end.where is not None and place < len(items):
            self.left_out(s, frame, end, items[place:])
        if end.slot != ME or place or self.seat in items:
            return
        source = self.source_of(frame.rule, frame.block, end)
        questions = self.only_from(frame.rule, end.body, end.out)
        if source is None or not questions:
            return

        with self.looking():
            self.ev(s, source, slots)
        self.pass_over(s, "turn", questions, partial(self.attempted, partial(self.has, s, source, slots)))

    def has(self, s: State, source: Any, slots: Locals) -> bool:
        found = self.seat in self.ev(s, source, slots)
        if not found and self.noted is not None:
            self.lacks(s, source, slots, self.seat)
        return found

    def left_out(self, s: State, frame: Frame, end: ir.NextOf, items: Sequence[Any]) -> None:
        """The seat's own turn that is coming up, if a condition leaves it out."""
        own = frame.locals[:]
        for item in items:
            own[end.slot] = item
            with self.looking():
                fits = bool(self.ev(s, end.where, own))  # type: ignore[arg-type]
            if fits:
                return
            if end.slot == ME and item == self.seat:
                questions = self.only_from(frame.rule, end.body, end.out)
                self.pass_over(s, "turn", questions, self.attempt_test(s, end.where, own[:], True))

    def source_of(self, rule: int, place: int, end: ir.NextOf) -> Any:
        """What a loop goes through, as it is written: it begins in its own block or in one before it."""
        blocks = self.lowered_rules[rule].blocks
        before = [blocks[place], *(block for block in blocks if place in successors(block.end))]
        steps = [step for block in before for step in block.steps]
        found = (step.source for step in steps if isinstance(step, ir.Enter) and step.list_slot == end.list_slot)
        return next(found, None)

    def attempt_test(self, s: State, test: Any, slots: Locals, wanted: bool) -> Attempt:
        def told() -> bool:
            holds = bool(self.ev(s, test, slots)) == wanted
            if not holds and self.noted is not None:
                self.blame(s, test, slots, wanted)
            return holds

        return partial(self.attempted, told)


def _about_pieces(kind: t.Type) -> bool:
    return isinstance(kind.item if isinstance(kind, t.ListType) else kind, t.PieceType)
