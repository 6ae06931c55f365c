"""The shape of the rules: which need a frame, which can be answered in secret, where a rule can be entered."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from interpreter.ir import blocks as ir
from interpreter.ir.analysis import called_rules, successors

ENDLESS = 1_000_000


def called_by(end: ir.End) -> tuple[int, ...]:
    """The rules a block may call."""
    if isinstance(end, ir.Call):
        return called_rules(end.target)
    if isinstance(end, ir.Instead):
        return tuple(hook.rule for hook in end.hooks)
    return ()


class Shape:
    """Facts about all rules of a program together."""

    def __init__(self, lowered_rules: tuple[ir.LoweredRule, ...]) -> None:
        self.lowered_rules = lowered_rules
        self.secret = frozenset(self._secret())
        self.leaf = frozenset(self._leaves())
        self.heights = self._heights()
        self.highest = max((height for height in self.heights.values() if height < ENDLESS), default=0)

    def reach(self, rule: int, start: int, without: Iterable[int] = ()) -> frozenset[int]:
        """The blocks of a rule that can follow a block, itself included."""
        return _reach(self.lowered_rules[rule], start, frozenset(without))

    def _secret(self) -> Iterator[int]:
        """Rules that may run while somebody answers in secret: what they do first has to wait."""
        waiting: list[int] = []
        for lowered in self.lowered_rules:
            for block in lowered.blocks:
                if isinstance(block.end, ir.Seats):
                    yield lowered.rule
                    inside = self.reach(lowered.rule, block.end.body)
                    waiting += [rule for b in inside for rule in called_by(lowered.blocks[b].end)]
        seen: set[int] = set()
        while waiting:
            rule = waiting.pop()
            if rule not in seen:
                seen.add(rule)
                waiting += [other for block in self.lowered_rules[rule].blocks for other in called_by(block.end)]
        yield from seen

    def _leaves(self) -> Iterator[int]:
        """Rules that run from end to end without a question: plain functions."""
        leaf: dict[int, bool] = {}

        def visit(rule: int) -> bool:
            if rule not in leaf:
                leaf[rule] = False  # a ring of rules needs frames
                ends = [block.end for block in self.lowered_rules[rule].blocks]
                asks = any(isinstance(end, ir.Ask | ir.Seats | ir.FinishEnd) for end in ends)
                called = [visit(other) for end in ends for other in called_by(end)]
                leaf[rule] = not asks and all(called) and rule not in self.secret
            return leaf[rule]

        return (lowered.rule for lowered in self.lowered_rules if visit(lowered.rule))

    def _heights(self) -> dict[int, int]:
        """How many frames a rule and what it calls can need, its own included; ENDLESS where rules call in a ring."""
        heights: dict[int, int] = {}
        open_rules: set[int] = set()

        def visit(rule: int) -> int:
            if rule in open_rules:
                return ENDLESS
            if rule not in heights:
                open_rules.add(rule)
                called = {other for block in self.lowered_rules[rule].blocks for other in called_by(block.end)}
                heights[rule] = min(ENDLESS, 1 + max(map(visit, sorted(called)), default=0))
                open_rules.discard(rule)
            return heights[rule]

        for lowered in self.lowered_rules:
            visit(lowered.rule)
        return heights

    def room(self, rule: int) -> int:
        """How many frames must be left, that of the rule included, so that no bound of the depth can matter."""
        return 1 + (self.heights[rule] if self.bounded(rule) else 1 + self.highest)

    def bounded(self, rule: int) -> bool:
        """Whether no ring of calls begins here, so that its functions may call each other."""
        return self.heights[rule] < ENDLESS

    def calls_leaf(self, end: ir.Call | ir.Instead) -> bool:
        return all(rule in self.leaf for rule in called_by(end))

    def leaves_rule(self, end: ir.End) -> bool:
        """Whether a frame is left behind here: the rule goes on in another function, later."""
        match end:
            case ir.Ask() | ir.Seats():
                return True
            case ir.Call() | ir.Instead():
                return not self.calls_leaf(end)
            case _:
                return False

    def closed(self, rule: int, head: int) -> bool:
        """Whether a loop runs from its head to its end within one function."""
        lowered = self.lowered_rules[rule]
        end = lowered.blocks[head].end
        assert isinstance(end, ir.NextOf | ir.Again)
        inside = self.reach(rule, end.body, (head, end.out))
        return not any(self.leaves_rule(lowered.blocks[b].end) for b in inside)

    def entries(self, rule: int) -> frozenset[int]:
        """The blocks of a rule with a frame where a function begins."""
        lowered = self.lowered_rules[rule]
        found = {lowered.entry}
        for number, block in enumerate(lowered.blocks):
            end = block.end
            if isinstance(end, ir.NextOf | ir.Again) and not self.closed(rule, number):
                found.add(number)
            elif self.leaves_rule(end):
                found |= {n for n in successors(end) if n >= 0}
                if isinstance(end, ir.Ask | ir.Seats):
                    found.add(number)
            if rule in self.secret and (block.acts or isinstance(end, ir.RollEnd)):
                found.add(number)
        return frozenset(found)


def _reach(lowered: ir.LoweredRule, start: int, without: frozenset[int]) -> frozenset[int]:
    seen: set[int] = set()
    waiting = [start] if start >= 0 else []
    while waiting:
        block = waiting.pop()
        if block in seen or block in without:
            continue
        seen.add(block)
        waiting += [n for n in successors(lowered.blocks[block].end) if n >= 0]
    return frozenset(seen)
