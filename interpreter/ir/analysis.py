"""What can be said about blocks without running them: what follows, what is read, what is live, what surely completes.

One copy for everybody who asks: redealing, state keys, coverage, the compiler of the fast machine.
"""

from __future__ import annotations

from interpreter.ir import blocks as ir
from warlock_dsl import nodes
from warlock_dsl.check import program as checked


def successors(end: ir.End) -> tuple[int, ...]:
    """The blocks of the same rule that may follow a block that ends so."""
    match end:
        case ir.Goto():
            return (end.to,)
        case ir.Branch():
            return (end.yes, end.no)
        case ir.Ask():
            return (end.then, end.otherwise) if end.otherwise >= 0 else (end.then,)
        case ir.RollEnd() | ir.Call():
            return (end.then,)
        case ir.Instead():
            return (end.body, end.then)
        case ir.NextOf() | ir.Again() | ir.Seats():
            return (end.body, end.out)
        case _:
            return ()


def called_rules(target: checked.Target) -> tuple[int, ...]:
    """The rules that a call may mean."""
    return (target.rule,) if target.key is None else target.members


def answers_slots(lowered: ir.LoweredRule) -> frozenset[int]:
    """The slots of a rule that hold the parked frames of a secret choice."""
    ends = (block.end for block in lowered.blocks)
    return frozenset(end.statement.answers_slot for end in ends if isinstance(end, ir.Seats))


# ------------------------------------------------------------------ live slots


def live_slots(lowered: ir.LoweredRule) -> list[tuple[int, ...]]:
    """For each block of a rule, the slots whose value may be read before it is bound anew. The others do not matter."""
    slots = [_block_slots(block) for block in lowered.blocks]
    follow = [successors(block.end) for block in lowered.blocks]
    live = [set(used) for used, _ in slots]
    changed = True
    while changed:
        changed = False
        for number in reversed(range(len(lowered.blocks))):
            used, bound = slots[number]
            out = set().union(*(live[to] for to in follow[number])) if follow[number] else set()
            now = used | (out - bound)
            if now != live[number]:
                live[number], changed = now, True
    return [tuple(sorted(found)) for found in live]


def _block_slots(block: ir.Block) -> tuple[set[int], set[int]]:
    """What a block reads that it has not bound before, and what it surely binds."""
    used: set[int] = set()
    bound: set[int] = set()
    for part in block.steps:
        used |= slots_read(part) - bound
        bound |= slots_bound(part)
    used |= slots_read(block.end) - bound
    return used, bound


def slots_read(part: ir.Step | ir.End) -> set[int]:
    """The slots a step or an end reads, those of a question in progress and of loops included."""
    found = named_slots(part)
    match part:
        case ir.Keep():
            found.add(part.other)
        case ir.NextOf():
            found |= {part.list_slot, part.place_slot}
            found -= {part.slot}
        case ir.Again():
            found.add(part.slot)
        case ir.Ask():
            found |= {0, part.question.slot}
        case ir.RollEnd():
            found -= {part.roll.slot}
        case ir.Seats():
            statement = part.statement
            found |= {0, statement.seats_slot, statement.place_slot, statement.answers_slot}
        case ir.Call():
            found.add(0)
        case ir.Return(result=result) if result >= 0:
            found.add(result)
        case ir.Instead():
            found |= set(range(1 + part.parameters))
    return found


def named_slots(part: object) -> set[int]:
    """The slots that values name, but for those that folds within them bind."""
    read: set[int] = set()
    inner: set[int] = set()
    for node in nodes(part):
        match node:
            case checked.Local():
                read.add(node.slot)
            case checked.Gather() | checked.Keyed() | checked.Each():
                inner.add(node.slot)
            case checked.Apply() | checked.Can() | checked.Would() | checked.Primitive():
                read.add(0)  # `me` is handed on
    return read - inner


def slots_bound(part: ir.Step) -> set[int]:
    """The slots a step binds."""
    match part:
        case ir.Bind() | ir.Clear() | ir.Keep() | ir.Times():
            return {part.slot}
        case ir.Enter():
            return {part.list_slot, part.place_slot}
    return set()


# --------------------------------------------------------------------- dry runs


class DryRuns:
    """Follows dry runs through the blocks of a ruleset: an effect, a loop or a roll is the end of one."""

    def __init__(self, lowered_rules: tuple[ir.LoweredRule, ...]) -> None:
        self.lowered_rules = lowered_rules
        self.known: dict[int, set[int] | None] = {}  # by rule, from its entry; None while it is looked at

    def sure(self, lowered: ir.LoweredRule, number: int, back: bool = False) -> bool:
        """Whether a play can be completed from a block on, whatever the state (`back`: or comes back to the caller)."""
        block = lowered.blocks[number]
        if block.acts:
            return True
        if any(isinstance(step, ir.Need) for step in block.steps):
            return False
        match block.end:
            case ir.Goto(to=to):
                return self.sure(lowered, to, back)
            case ir.Branch(yes=yes, no=no):
                return self.sure(lowered, yes, back) and self.sure(lowered, no, back)
            case ir.Ask(otherwise=otherwise):
                return otherwise >= 0 and self.sure(lowered, otherwise, back)
            case ir.NextOf() | ir.Again() | ir.RollEnd() | ir.Seats():
                return True
            case ir.Return():
                return back
            case _:
                return False

    def slots(self, lowered: ir.LoweredRule, number: int) -> set[int]:
        """The slots whose values may matter to a dry run from a block on."""
        found: set[int] = set()
        seen: set[int] = set()
        waiting = [number]
        while waiting:
            at = waiting.pop()
            block = lowered.blocks[at]
            if at in seen or block.acts:
                continue
            seen.add(at)
            for step in block.steps:
                found |= slots_read(step)
            if isinstance(block.end, ir.Goto | ir.Branch | ir.Ask | ir.Instead):
                # A question that is asked in a dry run begins anew: what has been picked before does not matter.
                found |= named_slots(block.end) if isinstance(block.end, ir.Ask) else slots_read(block.end)
                waiting += successors(block.end)
            elif isinstance(block.end, ir.Call):
                found |= self.handed_on(block.end)
                waiting.append(block.end.then)
        return found

    def handed_on(self, end: ir.Call) -> set[int]:
        """The slots that a call reads: of its arguments only those that matter to the rule called."""
        found = {0} | named_slots(end.target.key) | named_slots(end.by)
        for rule in called_rules(end.target):
            wanted = self.entry(rule)
            for place, argument in enumerate(end.arguments):
                if wanted is None or 1 + place in wanted:
                    found |= named_slots(argument)
        return found

    def entry(self, rule: int) -> set[int] | None:
        """The slots that matter when a rule is called; None: all of them may."""
        if rule not in self.known:
            self.known[rule] = None
            self.known[rule] = self.slots(self.lowered_rules[rule], self.lowered_rules[rule].entry)
        return self.known[rule]
