"""A machine that asks chance as it asks players: what a roll or a shuffle gives is a branch, not a stroke of luck."""

from __future__ import annotations

from collections import Counter
from math import factorial
from typing import Any

from interpreter import (
    Answer,
    Frame,
    Layout,
    Locals,
    Offer,
    PlainMachine,
    State,
    exchangeable,
    machine_for,
    source_for,
)
from interpreter.generated import Generated, SegmentFunction
from interpreter.ir import blocks as ir
from warlock_dsl import Ruleset

CHANCES = ("fixed", "rolls", "all")


class Fork(Exception):
    """Chance has to give one of `ways` things, and nobody has said which."""

    def __init__(self, ways: int) -> None:
        super().__init__(ways)
        self.ways = ways


class Forced(Exception):
    """A question that has one answer. The state stands at the question."""

    def __init__(self, player: int, answer: Answer) -> None:
        super().__init__(player, answer)
        self.player = player
        self.answer = answer


class TooManyOrdersError(Exception):
    """A shuffle has more orders than are looked at."""

    def __init__(self, pieces: int, orders: int) -> None:
        super().__init__(pieces, orders)
        self.pieces = pieces
        self.orders = orders


class BranchingMachine(PlainMachine):
    """A machine with two changes. A question that has one answer is raised as `Forced` instead of being passed over, so
    that every position is a state of its own. And where `chance` says so, rolls, or rolls and shuffles, take what
    `told_ways` has next; when that is used up they raise a Fork."""

    chance = "fixed"
    max_orders = 0
    told_ways: tuple[int, ...] = ()  # what chance gives, in its order
    used = 0
    seat = -1  # who is being asked, while the machine looks for answers

    def next_told(self, ways: int) -> int:
        if self.used == len(self.told_ways):
            raise Fork(ways)
        self.used += 1
        return self.told_ways[self.used - 1]

    def next_random(self, s: State, n: int) -> int:
        if self.chance == "fixed":
            return super().next_random(s, n)
        return self.next_told(n) if n > 1 else 0

    def act(self, s: State, step: ir.Step, slots: Locals) -> None:
        if self.chance != "all" or not isinstance(step, ir.ShuffleStep):
            super().act(s, step, slots)
            return
        for place in [self.ev(s, zone, slots) for zone in step.zones]:
            self.tick(len(s.zones[place]))
            s.zones[place] = self.ordered(s, s.zones[place])
            self.forget(s, place)

    def ordered(self, s: State, pieces: list[int]) -> list[int]:
        """One of the orders of a pile. Pieces that are alike in all that can be told of them are not told apart."""
        groups: dict[Any, list[int]] = {}
        for piece in sorted(pieces):
            groups.setdefault(exchangeable(self.layout, s, piece), []).append(piece)
        counts = Counter({number: len(group) for number, group in enumerate(groups.values())})
        orders = arrangements(counts)
        if orders > self.max_orders:
            raise TooManyOrdersError(len(pieces), orders)
        left = [list(group) for group in groups.values()]
        which = self.next_told(orders) if orders > 1 else 0
        return [left[group].pop(0) for group in arrangement(counts, which)]

    def ask(self, s: State, frame: Frame, ask: ir.Ask) -> Offer | None:
        self.seat = self.asked(s, ask.question, frame.locals)
        try:
            return super().ask(s, frame, ask)
        finally:
            self.seat = -1

    def take(self, s: State, answer: Answer) -> None:
        if self.seat >= 0:  # the machine is about to answer for the player
            raise Forced(self.seat, answer)
        super().take(s, answer)


class GeneratedBranchingMachine(BranchingMachine, Generated):
    """The same on the generated machine: what generated code calls for chance, and its questions, are wrapped."""

    def __init__(self, layout: Layout, lowered_rules: tuple[ir.LoweredRule, ...], source: str, chance: str) -> None:
        super().__init__(layout, lowered_rules, True, source)
        self.running: State | None = None
        if chance != "fixed":
            self.names["FATED"] = self.next_random
        if chance == "all":
            self.names["SHUFFLED"] = self.shuffled
        for rule, segments in enumerate(self.segments):
            for block, segment in enumerate(segments):
                end = lowered_rules[rule].blocks[block].end
                if isinstance(end, ir.Ask) and segment is not None:
                    segments[block] = self.names[segment.__name__] = self.asking_all(end, segment)

    def run(self, s: State) -> Offer | None:
        self.running = s
        return super().run(s)

    def shuffled(self, stream: int, pieces: list[int]) -> tuple[int, list[int]]:
        assert self.running is not None
        return stream, self.ordered(self.running, pieces)

    def asking_all(self, ask: ir.Ask, asks: SegmentFunction) -> SegmentFunction:
        """The function of a question; where that would pass over a single answer, the state stays and it is raised."""
        slot, listed = ask.question.slot, ask.question.mode == "one"

        def question(s: State, frame: Frame) -> Offer | None:
            block, before = frame.block, frame.locals[slot]
            if not listed:  # such a question is answered by `take`
                self.seat = self.asked(s, ask.question, frame.locals)
            try:
                offer = asks(s, frame)
            finally:
                self.seat = -1
            value = frame.locals[slot]
            if listed and offer is None and value is not None:
                frame.block, frame.locals[slot] = block, before
                raise Forced(self.asked(s, ask.question, frame.locals), Answer("value", value))
            return offer

        return question


def branching_machine(ruleset: Ruleset, players: int, chance: str, max_orders: int, backend: str) -> BranchingMachine:
    """The machine of a search."""
    made = machine_for(ruleset, players, True, backend)
    machine: BranchingMachine
    if isinstance(made, Generated):
        machine = GeneratedBranchingMachine(made.layout, made.lowered_rules, source_for(ruleset, players, True), chance)
    else:
        machine = BranchingMachine(made.layout, made.lowered_rules, True)
    machine.chance, machine.max_orders = chance, max_orders
    return machine


def arrangements(counts: Counter[int]) -> int:
    """In how many orders things of these classes can lie."""
    found = factorial(sum(counts.values()))
    for count in counts.values():
        found //= factorial(count)
    return found


def arrangement(counts: Counter[int], which: int) -> list[int]:
    """One of those orders by its number, as the classes of the things one after another."""
    left = Counter(counts)
    found = []
    while sum(left.values()):
        for group in sorted(left):
            if not left[group]:
                continue
            left[group] -= 1
            ways = arrangements(left)
            if which < ways:
                found.append(group)
                break
            which -= ways
            left[group] += 1
    return found
