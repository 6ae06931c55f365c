"""Rules as Python functions: one for each segment between two decisions, with the loops and tests of the rule in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from interpreter.generate.acts import Acts
from interpreter.generate.facts import UNKNOWN
from interpreter.generate.text import Body, Mark
from interpreter.ir import blocks as ir
from warlock_dsl.check import program as checked

if TYPE_CHECKING:
    from interpreter.generate.module import Module


class TangledFlowError(Exception):
    """A rule whose blocks do not nest: it is left to the plain machine."""


class Flow(Acts):
    """Writes the blocks of a rule from one block on, until the function is left."""

    def __init__(self, module: Module, body: Body, rule: int) -> None:
        super().__init__(module, body)
        self.shape = module.shape
        self.lowered = module.lowered_rules[rule]
        self.rule = rule
        self.scope = module.slot_names(rule)
        self.loops: list[tuple[int, int]] = []  # head and way out of each loop that is open, innermost last
        self.joins: list[int] = []  # where the ways of each open test meet, innermost last

    # ------------------------------------------------------------------ blocks

    def flow(self, block: int, first: bool = False) -> None:
        """The code from a block on."""
        while True:
            if not first:
                if self.loops and block == self.loops[-1][0]:
                    self.body.line("continue")
                    return
                if self.loops and block == self.loops[-1][1]:
                    self.body.line("break")
                    return
                if self.joins and block == self.joins[-1]:
                    self.body.line("pass")
                    return
                if block in self.joins or any(block in pair for pair in self.loops):
                    raise TangledFlowError(self.lowered.address)
                if self.is_entry(block):
                    self.go(block)
                    return
            first = False
            self.steps(block)
            end = self.lowered.blocks[block].end
            following = self.end(block, end)
            if following is None:
                return
            block = following

    def steps(self, block: int) -> None:
        found = self.lowered.blocks[block]
        self.body.mark = self.m.mark(self.rule, block)
        self.about(found)
        if found.acts or isinstance(found.end, ir.RollEnd):
            self.before_acting(block)
        for step in found.steps:
            self.step(step, self.scope)

    def about(self, block: ir.Block) -> None:
        spans = {step.span.line: step.span for step in block.steps if step.span.line}
        if spans:
            first, last = spans[min(spans)], spans[max(spans)]
            lines = f"{first.line}" if first.line == last.line else f"{first.line}-{last.line}"
            self.body.comment(f"{first.file}:{lines}")

    def end(self, block: int, end: ir.End) -> int | None:
        """The end of a block; the block to go on with, or None where nothing follows here."""
        match end:
            case ir.Goto():
                return end.to
            case ir.Branch():
                return self.branch(end)
            case ir.NextOf():
                return self.next_of(block, end)
            case ir.Again():
                return self.again(block, end)
            case ir.RollEnd():
                return self.roll(end)
            case ir.Call() | ir.Instead():
                return self.call(block, end)
            case ir.Return():
                self.leave()
            case ir.Ask():
                self.go(block)
            case ir.Seats():
                self.body.line(f"f.block = {block}")
                self.body.line(f"SEATS(s, f, {self.m.end_name(self.rule, block)})")
                self.body.line("return")
            case ir.FinishEnd():
                self.body.line(f"winners = tuple(sorted(set({self.items(end.winners, self.scope)})))")
                self.body.line("s.winners = winners")
                self.body.line("s.stack.clear()")
                self.body.line("return")
        return None

    def ways(self, test: str, yes: int, no: int) -> int | None:
        """Two ways, and where they meet again."""
        join = self.meeting(yes, no)
        if join is not None:
            self.joins.append(join)
        with self.body.block(f"if {test}:"):
            self.flow(yes)
        if no != join:
            with self.body.block("else:"):
                self.flow(no)
        if join is not None:
            self.joins.pop()
        return join

    def meeting(self, yes: int, no: int) -> int | None:
        """The first block both ways come to within this function. Blocks are numbered from the end of a rule."""
        limits = {n for pair in self.loops for n in pair}
        both = self.inside(yes, limits) & self.inside(no, limits)
        return max(both, default=None)

    def inside(self, start: int, limits: set[int]) -> frozenset[int]:
        seen: set[int] = set()
        waiting = [start]
        while waiting:
            block = waiting.pop()
            if block in seen or block in limits or block < 0:
                continue
            if self.is_entry(block):
                continue
            seen.add(block)
            if not self.shape.leaves_rule(self.lowered.blocks[block].end):
                waiting += self.m.successors(self.rule, block)
        return frozenset(seen)

    def branch(self, end: ir.Branch) -> int | None:
        known = self.facts.constant(end.test)
        if known is not UNKNOWN:
            return end.yes if known else end.no
        return self.ways(self.test(end.test, self.scope), end.yes, end.no)

    # ------------------------------------------------------------------- calls

    def arguments(self, end: ir.Call | ir.Instead) -> tuple[str, list[str]]:
        """`me` and the arguments of a call."""
        if isinstance(end, ir.Instead):
            return self.scope[0], [self.scope[1 + place] for place in range(end.parameters)]
        self.body.mark = self.m.mark(self.rule, end.then)
        texts = [self.body.held(self.stored(argument, self.scope)) for argument in end.arguments]
        me = self.scope[0] if end.by is None else self.body.held(self.value(end.by, self.scope))
        return me, texts

    def call(self, block: int, end: ir.Call | ir.Instead) -> int | None:
        if isinstance(end, ir.Instead):
            return self.instead(end)
        key = None
        if end.target.key is not None:
            self.body.mark = self.m.mark(self.rule, end.then)
            key = self.body.held(self.value(end.target.key, self.scope))
        me, arguments = self.arguments(end)
        return self.hand_over(end.target, key, me, arguments, end.then)

    def hand_over(
        self, target: checked.Target, key: str | None, me: str, arguments: Sequence[str], then: int
    ) -> int | None:
        """Call a rule: a leaf at once, another by a frame of its own."""
        rules = (target.rule,) if key is None else target.members
        if all(rule in self.shape.leaf for rule in rules):
            name = self.m.leaf(target.rule) if key is None else f"{self.m.leaves(rules)}[{key}]"
            self.body.line(f"{name}({', '.join(['s', me, *arguments])})")
            self.body.mark = None
            return then
        rule = str(target.rule) if key is None else f"{self.m.literal(rules)}[{key}]"
        self.push(rule, me, arguments, then)
        return None

    def instead(self, end: ir.Instead) -> int | None:
        """The one stand-in whose condition holds is called; two are an error; none, and the rule runs itself."""
        fits = [
            "True" if hook.where is None else self.body.held(self.test(hook.where, self.scope)) for hook in end.hooks
        ]
        if len(fits) > 1:
            hooks = self.m.end_name(self.rule, self.m.block_of(self.rule, end))
            total = " + ".join(f"bool({fit})" for fit in fits)
            self.body.line(f"if {total} > 1: raise TWO({hooks}, [{', '.join(fits)}])")
        me, arguments = self.arguments(end)
        join = end.then if self.shape.calls_leaf(end) else None
        if join is not None:
            self.joins.append(join)
        for fit, hook in zip(fits, end.hooks, strict=True):
            with self.body.block(f"if {fit}:"):
                following = self.hand_over(checked.Target(hook.rule, None, ()), None, me, arguments, end.then)
                if following is not None:
                    self.flow(following)
            self.body.line("else:")
            self.body.level += 1
        self.flow(end.body)
        self.body.level -= len(fits)
        if join is not None:
            self.joins.pop()
        return join

    # ------------------------------------------------------------------- rolls

    def roll(self, end: ir.RollEnd) -> int:
        """Chance picks from what passes the test."""
        roll, scope = end.roll, self.scope
        source = self.body.held(self.items(roll.source, scope))
        self.body.line(f"if len({source}) > MANY: SPEND(len({source}))")
        if roll.where is not None:
            name, item = self.body.fresh("list"), self.body.fresh("x")
            self.body.line(f"{name} = []")
            with self.body.block(f"for {item} in {source}:"):
                self.unless(roll.where, {**scope, roll.slot: item}, "continue")
                self.body.line(f"{name}.append({item})")
            source = name
        span = self.m.span(roll.span)
        if roll.count is None:
            self.body.line(f"if not {source}: raise NO_ROLL({roll.name!r}, {span})")
            self.bind(roll.slot, f"{source}[FATED(s, len({source}))]")
        else:
            count = self.body.held(self.whole(roll.count, scope))
            self.bind(roll.slot, f"ROLLS(s, {source}, {count}, {roll.name!r}, {span})")
        return end.then

    # ---------------------------------------------------- what kind of function

    def is_entry(self, block: int) -> bool:
        return False

    def go(self, block: int) -> None:
        raise AssertionError

    def before_acting(self, block: int) -> None:
        pass

    def leave(self) -> None:
        self.body.line("return")

    def push(self, rule: str, me: str, arguments: Sequence[str], then: int) -> None:
        raise AssertionError

    def next_of(self, block: int, end: ir.NextOf) -> int | None:
        raise AssertionError

    def again(self, block: int, end: ir.Again) -> int | None:
        raise AssertionError


class Leaf(Flow):
    """A rule that asks nothing: a function of its own, its slots plain names."""

    def bind(self, slot: int, text: str) -> None:
        if self.scope[slot] != text:
            self.body.line(f"{self.scope[slot]} = {text}")

    def turn(self, head: int, end: ir.NextOf | ir.Again) -> None:
        self.loops.append((head, end.out))
        joins, self.joins = self.joins, []
        self.flow(end.body)
        self.joins = joins
        self.loops.pop()

    def next_of(self, block: int, end: ir.NextOf) -> int | None:
        with self.body.block(f"for {self.scope[end.slot]} in {self.scope[end.list_slot]}:"):
            self.body.line(f"SPEND({self.lowered.blocks[block].cost})")
            self.unless(end.where, self.scope, "continue")
            self.turn(block, end)
        return end.out

    def again(self, block: int, end: ir.Again) -> int | None:
        left = self.scope[end.slot]
        with self.body.block(f"while {left} > 0:"):
            self.body.line(f"SPEND({self.lowered.blocks[block].cost})")
            self.unless(end.where, self.scope, "break")
            self.body.line(f"{left} -= 1")
            self.turn(block, end)
        return end.out


class Framed(Flow):
    """A segment of a rule that may ask: its slots are those of the frame, and names for what is read."""

    def __init__(self, module: Module, body: Body, rule: int, entry: int) -> None:
        super().__init__(module, body, rule)
        self.entry = entry
        self.entries = module.entries[rule]
        self.secret = rule in module.shape.secret

    def bind(self, slot: int, text: str) -> None:
        name = self.scope[slot]
        self.body.line(f"L[{slot}] = {name} = {text}" if name != text else f"L[{slot}] = {name}")

    def is_entry(self, block: int) -> bool:
        return block in self.entries

    def go(self, block: int) -> None:
        self.body.line(f"f.block = {block}")
        found = self.lowered.blocks[block]
        asks = isinstance(found.end, ir.Ask) and not found.steps
        self.body.line(f"return {self.m.ask_name(self.rule, block)}(s, f)" if asks else "return")

    def before_acting(self, block: int) -> None:
        if self.secret:
            with self.body.block("if s.asking >= 0:"):
                self.body.line(f"f.block = {block}")
                self.body.line("PARK(s)")
                self.body.line("return")

    def leave(self) -> None:
        self.body.line("s.stack.pop()")
        if self.secret:
            self.body.line("if s.asking >= 0 and len(s.stack) == s.asking + 1: PARK(s)")
        self.body.line("return")

    def push(self, rule: str, me: str, arguments: Sequence[str], then: int) -> None:
        """A frame for a rule that may ask. Where no ring of calls can begin, its function is called at once."""
        self.body.line(f"f.block = {then}")
        given = "".join(f"{argument}, " for argument in arguments)
        if rule.isdecimal() and self.shape.bounded(int(rule)):
            lowered = self.m.lowered_rules[int(rule)]
            deepest = self.layout.components.limits.depth - self.shape.room(int(rule))
            self.body.line(f"if len(s.stack) >= {deepest}: return PUSH(s, {rule}, {me}, ({given}))")
            rest = ", ".join(["None"] * (lowered.slots - 1 - len(arguments)))
            self.body.line(f"f = Frame({rule}, {lowered.entry}, [{me}, {given}{rest}])")
            self.body.line("s.stack.append(f)")
            self.body.line(f"return {self.m.segment_name(int(rule), lowered.entry)}(s, f)")
            return
        self.body.line(f"return PUSH(s, {rule}, {me}, ({given}))")

    # ------------------------------------------------------------------- loops

    def next_of(self, block: int, end: ir.NextOf) -> int | None:
        closed = self.shape.closed(self.rule, block)
        items, place = self.scope[end.list_slot], self.scope[end.place_slot]
        if closed:
            with self.body.block(f"while {place} < len({items}):"):
                self.body.line(f"SPEND({self.lowered.blocks[block].cost})")
                self.take_item(end, "continue")
                self.closed_turn(block, end)
            return end.out
        at = self.body.fresh("at")
        self.body.line(f"{at} = {place}")
        if end.where is None:
            with self.body.block(f"if {place} < len({items}):"):
                self.body.line(f"L[{end.slot}] = {self.scope[end.slot]} = {items}[{place}]")
                self.body.line(f"L[{end.place_slot}] = {place} = {place} + 1")
            return self.ways(f"{at} < {place}", end.body, end.out)
        with self.body.block(f"while {at} < len({items}):"):
            self.body.line(f"L[{end.slot}] = {self.scope[end.slot]} = {items}[{at}]")
            self.body.line(f"{at} += 1")
            self.unless(end.where, self.scope, "continue")
            self.body.line(f"L[{end.place_slot}] = {place} = {at}")
            self.body.line("break")
        with self.body.block("else:"):
            self.body.line(f"{at} = -1")
        return self.ways(f"{at} >= 0", end.body, end.out)

    def take_item(self, end: ir.NextOf, otherwise: str) -> None:
        """The next element of a closed loop. The place that is kept is that of the last turn that was taken."""
        items, place = self.scope[end.list_slot], self.scope[end.place_slot]
        self.body.line(f"L[{end.slot}] = {self.scope[end.slot]} = {items}[{place}]")
        self.body.line(f"{place} += 1")
        self.unless(end.where, self.scope, otherwise)
        self.body.line(f"L[{end.place_slot}] = {place}")

    def closed_turn(self, head: int, end: ir.NextOf | ir.Again) -> None:
        self.loops.append((head, end.out))
        joins, self.joins = self.joins, []
        self.flow(end.body)
        self.joins = joins
        self.loops.pop()

    def again(self, block: int, end: ir.Again) -> int | None:
        left = self.scope[end.slot]
        if self.shape.closed(self.rule, block):
            with self.body.block(f"while {left} > 0:"):
                self.body.line(f"SPEND({self.lowered.blocks[block].cost})")
                self.unless(end.where, self.scope, "break")
                self.body.line(f"L[{end.slot}] = {left} = {left} - 1")
                self.closed_turn(block, end)
            return end.out
        test = self.body.held(f"{left} > 0")
        if end.where is not None:
            with self.body.block(f"if {test}:"):
                self.body.line(f"{test} = {self.test(end.where, self.scope)}")
        with self.body.block(f"if {test}:"):
            self.body.line(f"L[{end.slot}] = {left} = {left} - 1")
        return self.ways(test, end.body, end.out)


def marked(lowered: ir.LoweredRule, block: int) -> Mark:
    """What the plain machine tells of an error here."""
    found = lowered.blocks[block]
    return Mark(lowered.address, found.steps[0].span if found.steps else found.end.span)
