"""From checked rules to the intermediate form: statements become blocks, hooks are woven in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from interpreter.ir import blocks as ir
from interpreter.ir.analysis import called_rules
from interpreter.ir.cost import cost
from interpreter.ir.replace import replaced
from warlock_dsl import Span, nodes, private_slots
from warlock_dsl import types as t
from warlock_dsl.check import program as checked

MAX_LENGTH = 40  # steps of a block


def lower(program: checked.Program) -> tuple[ir.LoweredRule, ...]:
    """Every rule of a program, lowered; the number of a rule is its place."""
    return tuple(_Lowering(program, number).lowered() for number in range(len(program.rules)))


def known_slots(statements: Sequence[checked.Stmt], known: frozenset[int]) -> Iterator[tuple[Span, frozenset[int]]]:
    """For each question and roll, by its place, the slots of the names that are in scope there."""
    for s in statements:
        match s:
            case checked.Choose():
                inside = known
                for question in s.questions:
                    yield question.span, inside
                    inside |= {question.slot}
                yield from known_slots(s.body, inside)
                yield from known_slots(s.otherwise or (), known)
            case checked.If():
                yield from known_slots(s.then, known)
                yield from known_slots(s.otherwise, known)
            case checked.For():
                yield from known_slots(s.body, known | {s.slot})
            case checked.Together() | checked.Repeat():
                yield from known_slots(s.body, known)
            case checked.Let() | checked.Do() if s.slot >= 0:
                known |= {s.slot}
            case checked.Roll():
                yield s.span, known
                known |= {s.slot}
            case _:
                pass


class _Lowering:
    """One rule. Blocks are made from the end backwards: each statement is given the block that follows it."""

    def __init__(self, program: checked.Program, number: int) -> None:
        self.program = program
        self.number = number
        self.rule = program.rules[number]
        self.blocks: list[ir.Block | None] = []
        self.outs: list[int] = []  # where `stop` leads, innermost loop last
        self.types: dict[int, t.Type] = {0: t.PLAYER}
        self.bound: list[int] = []  # the slots that questions, rolls and `let` bind, in order of lowering
        self.own_slots = max([self.rule.slots] + [hook.slots for hook in self.rule.hooks])
        self.result = self.new_place(self.rule.gives is not None)  # what it gives, until it is back with its caller
        takes = any(isinstance(node, checked.Do) and node.slot >= 0 for node in nodes(self.rule.body))
        stands_in = any(hook.when == "instead" for hook in self.rule.hooks)
        self.received = self.new_place(takes or (stands_in and self.result >= 0))  # what a rule gave that it called
        if self.rule.gives is not None:
            self.types[self.result] = self.rule.gives
        self.given = -1  # where it goes on once it has given
        self.acting: list[int] = []  # of the loops over who acts, the outermost first: who acted before
        self.kept: dict[tuple[str, int], int] = {}  # by law and slot of it: where its past waits, behind all others
        self.handed: dict[tuple[int, int], int] = {}  # the same of rules that hang on it, by number and slot
        parameters = frozenset(range(1, 1 + len(self.rule.parameters)))
        private = private_slots(self.rule.body)  # no question shows what only one player learnt
        self.known = {span: slots - private for span, slots in known_slots(self.rule.body, parameters)}

    def new_place(self, needed: bool) -> int:
        """A slot behind those of the rule; -1 where none is needed."""
        self.own_slots += needed
        return self.own_slots - 1 if needed else -1

    def lowered(self) -> ir.LoweredRule:
        rule = self.rule
        for place, (_, kind) in enumerate(rule.parameters):
            self.types[1 + place] = kind
        for place, kind in enumerate(rule.past, start=1 + len(rule.parameters)):
            self.types[place] = kind
        entry = self.weave(rule)
        blocks = tuple(block for block in self.blocks if block is not None)
        if len(blocks) != len(self.blocks):
            raise AssertionError(f"an unfinished block in {rule.address}")
        names = dict(rule.slot_names)
        kept = frozenset(self.kept.values())
        slots = self.own_slots + len(kept) + len(self.handed)
        return ir.LoweredRule(
            self.number, rule.address, entry, slots, blocks, self.types, names, rule.span, kept, self.received
        )

    # ------------------------------------------------------------------ blocks

    def add(self, block: ir.Block) -> int:
        self.blocks.append(block)
        return len(self.blocks) - 1

    def hole(self) -> int:
        """A block to be filled in later: the head of a loop."""
        self.blocks.append(None)
        return len(self.blocks) - 1

    def step(self, step: ir.Step, acts: bool, k: int) -> int:
        """A step, then block k; joined with the steps of k where both only read or both act, and k is not long."""
        block = self.blocks[k]
        if block is not None and 0 < len(block.steps) < MAX_LENGTH and block.acts == acts:
            return self.add(ir.Block((step, *block.steps), acts, block.end, block.cost + 1 + cost(step)))
        return self.add(ir.Block((step,), acts, ir.Goto(k, step.span), 2 + cost(step)))

    def end(self, end: ir.End) -> int:
        return self.add(ir.Block((), isinstance(end, ir.FinishEnd), end, 2 + cost(end)))

    def binds(self, slot: int, kind: t.Type) -> None:
        self.types[slot] = kind
        self.bound.append(slot)

    def turn(self, body: Sequence[checked.Stmt], head: int, out: int, span: Span) -> int:
        """The body of a loop. What a turn binds is cleared before the next, so that no turn remembers another."""
        before = len(self.bound)
        self.outs.append(out)
        entry = self.run(body, head)
        self.outs.pop()
        for slot in sorted(set(self.bound[before:])):
            entry = self.step(ir.Clear(slot, span), False, entry)
        return entry

    # ------------------------------------------------------------------- hooks

    def weave(self, rule: checked.Rule) -> int:
        """Resets, `before`, the body or its `instead`, `after`, and back to the caller."""
        span = rule.span
        k = self.end(ir.Return(span, self.result))
        for hook in reversed([h for h in rule.hooks if h.when == "after"]):
            k = self.hook(hook, k)
        self.given = k
        body = self.run(rule.body, k)
        instead = tuple(hook for hook in rule.hooks if hook.when == "instead")
        if instead:
            if self.result >= 0:  # it gives what its stand-in gave
                k = self.step(ir.Clear(self.received, span), False, k)
                k = self.step(ir.Keep(self.result, self.received, span), False, k)
            body = self.end(ir.Instead(instead, len(rule.parameters), body, k, span))
        k = body
        for hook in reversed([h for h in rule.hooks if h.when == "before"]):
            k = self.hook(hook, k)
        k = self.step(ir.ResetStep(rule.lasts, span), True, k) if rule.lasts else k
        for hook in reversed(rule.hooks):
            k = self.keep_past(hook, k)
        return k

    def keep_past(self, hook: checked.HookRef, k: int) -> int:
        """When the rule begins: what something that hangs on it will want to know of this moment."""
        for slot, value in reversed(hook.kept if hook.law is None else hook.law.kept):
            place = self.handed[hook.rule, slot] if hook.law is None else self.kept[hook.law.invariant, slot]
            k = self.step(ir.Bind(place, replaced(value, self.key(hook)), hook.span), False, k)
        return k

    def key(self, hook: checked.HookRef) -> dict[int, checked.Expr]:
        """What hangs on a whole family finds the key in the slot behind the parameters: here it is this member's."""
        return {} if hook.key is None else {1 + len(self.rule.parameters): hook.key}

    def past(self, law: checked.Ensure, k: int) -> int:
        """What a law wants to know of the moment when the rule began is brought to where the law looks for it.

        It waits in slots that no statement uses, since the law's own slots are used by others in between.
        """
        for slot, value in reversed(law.kept):
            place = self.kept[law.invariant, slot] = self.waiting_place(value.type)
            k = self.step(ir.Keep(slot, place, law.span), False, k)
        return k

    def waiting_place(self, kind: t.Type) -> int:
        place = self.own_slots + len(self.kept) + len(self.handed)
        self.types[place] = kind
        return place

    def hook(self, hook: checked.HookRef, k: int) -> int:
        known = self.key(hook)
        if hook.law is not None:
            where, test = replaced(hook.where, known), replaced(hook.law.test, known)
            return self.past(hook.law, self.step(ir.LawStep(hook.law.invariant, where, test, hook.law.span), False, k))
        for slot, value in hook.kept:
            place = self.handed[hook.rule, slot] = self.waiting_place(value.type)
            known[slot] = checked.Local(place, value.type, hook.span)
        arguments = (*self.passed_on(hook.span), *known.values())
        call = self.end(ir.Call(checked.Target(hook.rule, None, ()), arguments, None, k, hook.span))
        if hook.where is None:
            return call
        return self.end(ir.Branch(replaced(hook.where, known), call, k, hook.span))

    def passed_on(self, span: Span) -> tuple[checked.Expr, ...]:
        return tuple(checked.Local(1 + place, kind, span) for place, (_, kind) in enumerate(self.rule.parameters))

    # -------------------------------------------------------------- statements

    def run(self, statements: Sequence[checked.Stmt], k: int) -> int:
        for statement in reversed(statements):
            k = self.statement(statement, k)
        return k

    def statement(self, s: checked.Stmt, k: int) -> int:
        match s:
            case checked.Choose():
                return self.choose(s, k)
            case checked.Roll():
                self.binds(s.slot, s.type)
                return self.end(ir.RollEnd(s, k, s.span, self.known[s.span]))
            case checked.Require():
                return self.step(ir.Need(s.test, s.span), False, k)
            case checked.Let():
                self.binds(s.slot, s.value.type)
                return self.step(ir.Bind(s.slot, s.value, s.span), False, k)
            case checked.Move():
                pairs = tuple((what, to, isinstance(to.type, t.CellType)) for what, to in s.pairs)
                return self.step(ir.MoveStep(pairs, s.span, s.each), True, k)
            case checked.Swap():
                return self.step(ir.SwapStep(s.pairs, s.span, s.each), True, k)
            case checked.Shuffle():
                return self.step(ir.ShuffleStep(s.zones, s.span), True, k)
            case checked.Show():
                return self.step(ir.ShowStep(s.pairs, s.span), True, k)
            case checked.Say():
                return self.step(ir.SayStep(s, s.span), True, k)
            case checked.Change():
                return self.step(ir.ChangeStep(s.verb, s.changes, s.span, s.each), True, k)
            case checked.Do():
                return self.end(ir.Call(s.target, s.arguments, s.by, self.taken(s, k), s.span))
            case checked.Give():
                if self.acting:  # whoever acted when the rule began
                    k = self.step(ir.Keep(0, self.acting[0], s.span), False, self.given)
                return self.step(ir.Bind(self.result, s.value, s.span), False, k if self.acting else self.given)
            case checked.Finish():
                return self.end(ir.FinishEnd(s.winners, s.span))
            case checked.If():
                return self.end(ir.Branch(s.test, self.run(s.then, k), self.run(s.otherwise, k), s.span))
            case checked.For():
                return self.each(s, k)
            case checked.Together():
                return self.together(s, k)
            case checked.Repeat():
                return self.repeat(s, k)
            case checked.Stop():
                return self.outs[-1]
            case checked.Ensure():
                return self.step(ir.LawStep(s.invariant, None, s.test, s.span), False, k)

    def taken(self, s: checked.Do, k: int) -> int:
        """What a rule gave waits in one slot of whoever called it, and is taken from there at once."""
        gives = any(self.program.rules[number].gives is not None for number in called_rules(s.target))
        if self.received < 0 or not gives:
            return k
        k = self.step(ir.Clear(self.received, s.span), False, k)
        if s.slot < 0:
            return k
        assert s.gives is not None
        self.binds(s.slot, s.gives)
        return self.step(ir.Keep(s.slot, self.received, s.span), False, k)

    def choose(self, s: checked.Choose, k: int) -> int:
        may = s.questions[0].may
        otherwise = self.run(s.otherwise, k) if s.otherwise is not None else k if may else -1
        then = self.run(s.body, k)
        for place in reversed(range(len(s.questions))):
            question = s.questions[place]
            self.binds(question.slot, question.type)
            known = self.known[question.span]
            ask = self.end(ir.Ask(question, then, otherwise if place == 0 else -1, question.span, known))
            then = self.step(ir.Clear(question.slot, question.span), False, ask)
        return then

    def each(self, s: checked.For, k: int) -> int:
        self.types[s.list_slot] = s.source.type
        if isinstance(s.source.type, t.ListType) and s.source.type.item is not None:
            self.types[s.slot] = s.source.type.item
        me = s.slot == 0
        out = self.step(ir.Keep(0, s.keep_slot, s.span), False, k) if me else k
        head = self.hole()
        self.acting += [s.keep_slot] if me else []
        body = self.turn(s.body, head, out, s.span)
        del self.acting[len(self.acting) - me :]
        end = ir.NextOf(s.slot, s.list_slot, s.place_slot, s.where, body, out, s.span)
        self.blocks[head] = ir.Block((), False, end, 2 + cost(end.where))
        enter = self.step(ir.Enter(s.list_slot, s.place_slot, s.source, s.span), False, head)
        return self.step(ir.Keep(s.keep_slot, 0, s.span), False, enter) if me else enter

    def repeat(self, s: checked.Repeat, k: int) -> int:
        head = self.hole()
        body = self.turn(s.body, head, k, s.span)
        end = ir.Again(s.count_slot, s.where, body, k, s.span)
        self.blocks[head] = ir.Block((), False, end, 2 + cost(s.where))
        return self.step(ir.Times(s.count_slot, s.count, s.span), False, head)

    def together(self, s: checked.Together, k: int) -> int:
        self.types[s.seats_slot] = s.source.type
        out = self.step(ir.Keep(0, s.keep_slot, s.span), False, k)
        body = self.run(s.body, self.end(ir.Return(s.span)))
        head = self.end(ir.Seats(s, body, out, s.span))
        enter = self.step(ir.Enter(s.seats_slot, s.place_slot, s.source, s.span), False, head)
        clear = self.step(ir.Clear(s.answers_slot, s.span), False, enter)
        return self.step(ir.Keep(s.keep_slot, 0, s.span), False, clear)
