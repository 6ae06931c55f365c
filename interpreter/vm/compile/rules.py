"""Lowered rules as instructions: one function a rule with all of its blocks, and one for each part of a question."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import frozen

from interpreter.ir import blocks as ir
from interpreter.ir.cost import cost, turn_cost
from interpreter.ir.sure import sure_blocks
from interpreter.ir.trials import Trials, called, must_follow, started_in
from interpreter.plain.questions import holds_pieces, item_type
from interpreter.plain.trial import for_laws
from interpreter.vm import opcodes as op
from interpreter.vm.compile.expressions import Compiling, Function, fragment, may_be_list
from interpreter.vm.compile.image import NotForTheVm
from warlock_dsl import Span, StatedTotal, conditions, stated_totals
from warlock_dsl import types as t
from warlock_dsl.check import program as checked

MODES = {"one": 0, "count": 1, "some": 2, "minimal": 3}
TOTAL_OPS = {"is": 0, "has": 1, "<": 2, "<=": 3, ">": 4, ">=": 5}
VERBS = {"set": 0, "add": 1, "take": 2}
MAX_LOOPS = 64  # of a rule
MAX_REPLACING = 60
MAX_PAIRS = 8  # of a step that is done for each of some


@frozen
class Asked:
    """A question of the program: the end of a block of a rule."""

    rule: int
    ask: ir.Ask


class Rules:
    """The rules of a program, one after another. What faults need to tell is kept by number."""

    def __init__(self, compiling: Compiling, lowered_rules: Sequence[ir.LoweredRule], trials: Trials) -> None:
        self.compiling = compiling
        self.image = compiling.image
        self.lowered_rules = lowered_rules
        self.trials = trials
        self.sure = sure_blocks(lowered_rules, trials)
        self.questions: list[Asked] = []
        self.laws: list[tuple[str, Span]] = []
        self.replacements: list[ir.Instead] = []
        self.first_blocks: list[int] = []
        count = 0
        for lowered in lowered_rules:
            self.first_blocks.append(count)
            count += len(lowered.blocks)

    def compile(self) -> None:
        for lowered in self.lowered_rules:
            _Rule(self, lowered).compile()
        hooks = [(rule, hook) for rule, known in enumerate(self.trials.hooks) for hook in sorted(known)]
        self.image.sections["HOOKS"] += [number for pair in hooks for number in pair]
        self.image.sections["UNRELATED"] += [number for pair in sorted(self.trials.unrelated) for number in pair]


class _Rule(Function):
    """One rule."""

    def __init__(self, rules: Rules, lowered: ir.LoweredRule) -> None:
        super().__init__(rules.compiling, lowered.slots)
        self.rules = rules
        self.lowered = lowered
        self.waiting: list[tuple[int, int]] = []  # jumps, and the block that each leads to
        self.trials = rules.trials
        loops = sorted({slot for block in lowered.blocks for slot in started_in(block)})
        if len(loops) > MAX_LOOPS:
            raise NotForTheVm(f"more than {MAX_LOOPS} loops in '{lowered.address}'")
        self.loops = {slot: bit for bit, slot in enumerate(loops)}
        self.all_loops = frozenset(loops)

    def compile(self) -> None:
        lowered = self.lowered
        at = []
        for number, block in enumerate(lowered.blocks):
            at.append(self.here())
            self.emit_wide(op.BLOCK, 0, self.rules.first_blocks[lowered.rule] + number)
            for step in block.steps:
                self.step(step)
            self.end(number, block)
        for jump, block_number in self.waiting:
            self.lead(jump, at[block_number])
        self.finish(lowered.address)
        seats = {number: self.seats_row(end) for number, end in self.ends(ir.Seats)}
        for number, ask in self.ends(ir.Ask):
            self.question(number, ask)
        for number, block in enumerate(lowered.blocks):
            self.block_row(number, block, at[number], seats.get(number, -1))
        self.rule_row()

    def ends(self, kind: type) -> list[tuple[int, Any]]:
        return [(number, block.end) for number, block in enumerate(self.lowered.blocks) if isinstance(block.end, kind)]

    def rule_row(self) -> None:
        lowered = self.lowered
        slots = [
            slot for slot, kind in sorted(lowered.slot_types.items()) if holds_pieces(kind) and slot not in lowered.kept
        ]
        numbers = self.image.sections["PIECE_SLOTS"]
        self.image.row(
            "RULES", entry=lowered.entry, slots=lowered.slots, window=self.window, received=lowered.received,
            first_block=self.rules.first_blocks[lowered.rule], blocks=len(lowered.blocks), piece_slots=len(numbers),
            n_piece_slots=len(slots), gives=int(lowered.rule in self.trials.givers),
        )  # fmt: skip
        numbers += slots

    def block_row(self, number: int, block: ir.Block, pc: int, seats: int) -> None:
        """What is known of a block before it runs; what lies ahead of it as `Trials` sees it."""
        callees = [(rule, self.trials.rule_ahead(rule)) for rule in called(block.end)]
        own = self.trials.hooks[self.lowered.rule]
        fails = any(isinstance(step, ir.Need) for step in block.steps)
        fails |= isinstance(block.end, ir.Ask) and block.end.otherwise < 0
        fails |= any(ahead.fails for _, ahead in callees)
        hook_fails = any(ahead.fails if rule in own else ahead.hook_fails for rule, ahead in callees)
        started = sum(1 << self.loops[slot] for slot in started_in(block))
        following = must_follow(block.end, self.all_loops)
        loop = -1
        if isinstance(block.end, ir.NextOf):
            loop = self.loops.get(block.end.list_slot, -2) if block.end.slot else -2
        elif isinstance(block.end, ir.Again):
            loop = self.loops.get(block.end.slot, -2)
        self.image.row(
            "BLOCKS", pc=pc, cost=block.cost, acts=int(block.acts),
            sure=int(number in self.rules.sure[self.lowered.rule]), finish=int(isinstance(block.end, ir.FinishEnd)),
            started_low=_signed(started & 0xFFFFFFFF), started_high=_signed(started >> 32), fails=int(fails),
            hook_fails=int(hook_fails), returns=int(isinstance(block.end, ir.Return)), loop=loop,
            next=following[0] if following else -1, other=following[1] if len(following) > 1 else -1, seats=seats,
        )  # fmt: skip

    # -------------------------------------------------------------------- steps

    def step(self, step: ir.Step) -> None:
        mark = self.top
        match step:
            case ir.Bind():
                skip = [self.jump(op.SKIPPAST)] if for_laws(step, self.lowered) else []
                self.keep(step.value, step.slot)
                self.land(*skip)
            case ir.Clear():
                self.put(None, step.slot)
            case ir.Keep():
                self.emit(op.MOV, step.slot, step.other)
            case ir.Need():
                self.emit(op.NEED, self.value(step.test), span=step.span)
            case ir.Enter():
                self.keep(step.source, step.list_slot)
                self.put(0, step.place_slot)
            case ir.Times():
                self.emit(op.TIMES, step.slot, self.value(step.count))
            case ir.LawStep():
                self.law(step)
            case _:
                if self.trials.needed:
                    self.sight(step)
                self.top = mark
                self.act(step)
        self.top = mark

    def keep(self, value: checked.Expr, slot: int) -> None:
        """A value that stays in a slot."""
        found = self.temps()
        self.into(value, found)
        self.emit(op.STORE if may_be_list(value.type) else op.MOV, slot, found)

    def law(self, step: ir.LawStep) -> None:
        skip = [self.jump(op.SKIPLAW)]
        if step.where is not None:
            skip += self.unless(step.where)
        self.emit(op.LAW, self.value(step.test), len(self.rules.laws), span=step.span)
        self.rules.laws.append((step.name, step.span))
        self.land(*skip)

    def act(self, step: ir.Step) -> None:
        match step:
            case ir.MoveStep() if step.each is None:
                read = [(self.value(what), self.value(to), is_cell) for what, to, is_cell in step.pairs]
                for what, to, is_cell in read:
                    self.emit(op.MOVE, what, to, int(is_cell), step.span)
            case ir.MoveStep():
                cells = sum(is_cell << place for place, (_, _, is_cell) in enumerate(step.pairs))
                read_all = self.each(step, [side for what, to, _ in step.pairs for side in (what, to)], step.pairs)
                self.emit(op.MOVES, read_all, len(step.pairs) << 8 | cells, span=step.span)
            case ir.SwapStep() if step.each is None:
                for left, right in [(self.value(left), self.value(right)) for left, right in step.pairs]:
                    self.emit(op.SWAP, left, right, span=step.span)
            case ir.SwapStep():
                read_all = self.each(step, [side for pair in step.pairs for side in pair], step.pairs)
                self.emit(op.SWAPS, read_all, span=step.span)
            case ir.ShuffleStep():
                for zone in [self.value(zone) for zone in step.zones]:
                    self.emit(op.SHUFFLE, zone)
            case ir.ShowStep():
                for what, to in [(self.value(what), self.value(to)) for what, to in step.pairs]:
                    self.emit(op.SHOW, what, to)
            case ir.SayStep():
                for _, value in step.say.values:
                    said = self.value(value)
                    if may_be_list(value.type):
                        self.emit(op.SIZE, said)
                if step.say.to is not None:
                    self.value(step.say.to)
            case ir.ChangeStep() if step.each is None:
                for slot, by in [self.changed(*change) for change in step.changes]:
                    self.emit(op.CHANGE, slot, by, VERBS[step.verb], step.span)
            case ir.ChangeStep():
                read_all = self.each(step, step.changes, step.changes)
                self.emit(op.CHANGES, read_all, VERBS[step.verb], span=step.span)
            case ir.ResetStep():
                for variable in step.variables:
                    self.emit(op.RESET, variable)
            case _:
                raise AssertionError(step)

    def changed(self, variable: int, owner: checked.Expr | None, value: checked.Expr) -> tuple[int, int]:
        """Where a variable stands, and what is done to it with."""
        slot = self.temps()
        self.variable_at(variable, owner, slot)
        return slot, self.value(value)

    def each(self, step: Any, parts: Sequence[Any], costed: Sequence[Any], places: bool = False) -> int:
        """The operands of a step for each of those it is done for, in one list. `places`: of changes, only where."""
        each: checked.Each = step.each
        if len(step.changes if isinstance(step, ir.ChangeStep) else step.pairs) > MAX_PAIRS:
            raise NotForTheVm("a step with too many parts for each")
        loop, made = self.temps(3), self.temps()
        self.emit(op.LOOP, loop, self.value(each.source), turn_cost(each))
        self.emit(op.LNEW, made, loop, 2 * len(parts))
        item, before = self.bind(each.slot)
        again = self.here()
        over = self.emit(op.NEXTKEEP, loop, item)
        for jump in self.unless(each.where) if each.where is not None else ():
            self.lead(jump, again)
        self.emit_wide(op.TICK, 0, cost(costed))
        for part in parts:
            mark = self.top
            if isinstance(part, tuple):  # a change
                slot = self.temps()
                self.variable_at(part[0], part[1], slot)
                found = [slot] if places else [slot, self.value(part[2])]
            else:
                found = [self.value(part)]
            for register in found:
                self.emit(op.PUSH, made, register)
            self.top = mark
        self.go(again)
        self.land(over)
        self.unbind(each.slot, before)
        return made

    def sight(self, step: ir.Step) -> None:
        """Before an effect is tried out: whether who is asked knows what it does."""
        if isinstance(step, ir.SayStep | ir.ResetStep):
            return  # it changes nothing, or to what is a rule
        skip = self.jump(op.SKIPSIGHT)
        match step:
            case ir.MoveStep() if step.each is None:
                for what in [self.value(what) for what, _, _ in step.pairs]:
                    self.emit(op.SEEN, what)
            case ir.MoveStep():
                self.emit(op.SEEN, self.each(step, [what for what, _, _ in step.pairs], step.pairs))
            case ir.SwapStep() if step.each is None:
                for side in [self.value(side) for pair in step.pairs for side in pair]:
                    self.emit(op.SEEN, side)
            case ir.SwapStep():
                self.emit(op.SEEN, self.each(step, [side for pair in step.pairs for side in pair], step.pairs))
            case ir.ChangeStep() if step.each is None:
                places = []
                for variable, owner, _ in step.changes:
                    places.append(self.temps())
                    self.variable_at(variable, owner, places[-1])
                for place in places:
                    self.emit(op.SEENVAR, place)
            case ir.ChangeStep():
                self.emit(op.SEENVAR, self.each(step, step.changes, step.changes, places=True))
            case ir.ShowStep():
                for what, to in [(self.value(what), self.value(to)) for what, to in step.pairs]:
                    self.emit(op.SEENBY, what, to)
            case _:
                self.emit(op.UNSEEN)
        self.land(skip)

    # --------------------------------------------------------------------- ends

    def to_block(self, number: int, after: int = -2) -> None:
        """Go on at a block; `after`: the block that ends here, behind which the next one stands."""
        if number == after + 1:
            return
        self.waiting.append((self.jump(op.JMP), number))

    def end(self, number: int, block: ir.Block) -> None:
        end, mark = block.end, self.top
        match end:
            case ir.Goto():
                self.to_block(end.to, number)
            case ir.Branch():
                self.waiting += [(jump, end.no) for jump in self.unless(end.test)]
                self.to_block(end.yes, number)
            case ir.Ask():
                self.emit(op.ASK, len(self.rules.questions))
                self.rules.questions.append(Asked(self.lowered.rule, end))
            case ir.RollEnd():
                self.roll(end)
            case ir.Call():
                self.emit_wide(op.AT, 0, self.rules.first_blocks[self.lowered.rule] + end.then)
                window = self.call_window(end.target, end.arguments, end.by, kept=True)
                call = self.compiling.call(end.target, len(end.arguments), end.then)
                self.emit(op.DO, 0, window, call)
            case ir.Instead():
                self.instead(end)
            case ir.NextOf():
                self.next_of(end)
            case ir.Again():
                self.again(end)
            case ir.Seats():
                made = len(self.image.sections["SEATS"]) // len(op.RECORDS["seats"])
                self.emit(op.SEATS, made + self.seats_before(number))
            case ir.FinishEnd():
                self.emit(op.FINISH, self.value(end.winners), span=end.span)
            case ir.Return():
                self.emit(op.RETURN, end.result + 1)
        self.top = mark

    def seats_before(self, number: int) -> int:
        """How many secret choices of this rule come before a block: their records are made in that order."""
        return sum(1 for at, _ in self.ends(ir.Seats) if at < number)

    def roll(self, end: ir.RollEnd) -> None:
        roll = end.roll
        self.emit(op.ROLLHEAD)
        items = self.temps(2)  # and how many are picked
        self.into(roll.source, items)
        self.emit(op.TURNS, items)
        if roll.where is not None:
            loop = self.temps(3)
            made = self.temps()
            self.emit(op.OVER, loop, items)
            self.emit(op.LNEW, made, loop, 1)
            again = self.here()
            over = self.emit(op.NEXT, loop, roll.slot)
            for jump in self.unless(roll.where):
                self.lead(jump, again)
            self.emit(op.PUSH, made, roll.slot)
            self.go(again)
            self.land(over)
            self.emit(op.MOV, items, made)
        if roll.count is None:
            self.put(0, items + 1)
        else:
            self.into(roll.count, items + 1)
        self.emit(op.ROLL, roll.slot, items, int(roll.count is not None), roll.span)
        self.to_block(end.then)

    def instead(self, end: ir.Instead) -> None:
        if len(end.hooks) > MAX_REPLACING:
            raise NotForTheVm(f"more than {MAX_REPLACING} rules stand in for '{self.lowered.address}'")
        marked = self.temps()
        self.put(0, marked)
        for bit, hook in enumerate(end.hooks):
            mark = self.top
            if hook.where is None:
                holds = self.temps()
                self.put(True, holds)
            else:
                holds = self.value(hook.where)
            self.emit(op.MARK, marked, holds, bit)
            self.top = mark
        members = self.image.sections["MEMBERS"]
        record = self.image.row(
            "STANDINS", parameters=end.parameters, body=end.body, then=end.then, rules=len(members),
            n_rules=len(end.hooks),
        )  # fmt: skip
        members += [hook.rule for hook in end.hooks]
        self.rules.replacements.append(end)
        self.emit(op.INSTEAD, marked, record)

    def next_of(self, end: ir.NextOf) -> None:
        self.emit(op.HEAD)
        loop = self.temps(2)
        self.emit(op.MOV, loop, end.list_slot)
        self.emit(op.MOV, loop + 1, end.place_slot)
        again = self.here()
        over = self.emit(op.STEP, loop, end.slot)
        for jump in self.unless(end.where) if end.where is not None else ():
            self.lead(jump, again)
        self.emit(op.MOV, end.place_slot, loop + 1)
        self.to_block(end.body)
        self.land(over)
        self.to_block(end.out)

    def again(self, end: ir.Again) -> None:
        self.emit(op.HEAD)
        number, left = self.temps(), self.temps()
        self.put(0, number)
        self.emit(op.LT, left, number, end.slot)
        out = [self.jump(op.JF, left)]
        if end.where is not None:
            out += self.unless(end.where)
        self.put(1, number)
        self.emit(op.SUB, end.slot, end.slot, number)
        self.to_block(end.body)
        self.land(*out)
        self.to_block(end.out)

    # ---------------------------------------------------- functions of their own

    def part(self, e: checked.Expr | None) -> int:
        """A part of a question as a function in the window of the rule; -1 where there is none."""
        if e is None:
            return -1
        start, window = fragment(self.compiling, e, self.lowered.slots, self.lowered.address)
        self.window = max(self.window, window)
        return start

    def seats_row(self, end: ir.Seats) -> int:
        s = end.statement
        return self.image.row(
            "SEATS", slot=s.slot, seats=s.seats_slot, place=s.place_slot, answers=s.answers_slot, body=end.body,
            out=end.out, where=self.part(s.where),
        )  # fmt: skip

    def question(self, number: int, ask: ir.Ask) -> None:
        q = ask.question
        totals = stated_totals(q, self.layout.program.defines)
        rows = [(TOTAL_OPS[one.op], self.part(one.other), self.parts_of(one), int(one.counts)) for one in totals]
        at = len(self.image.sections["TOTALS"]) // len(op.RECORDS["totals"])
        for of, other, part, counts in rows:
            self.image.row("TOTALS", op=of, other=other, part=part, counts=counts)
        self.image.row(
            "QUESTIONS", mode=MODES[q.mode], slot=q.slot, may=int(q.may),
            piece=int(isinstance(item_type(q), t.PieceType)), then=ask.then,
            otherwise=ask.otherwise, rule=self.lowered.rule, block=number, where_cost=cost(q.where), by=self.part(q.by),
            source=self.part(q.source), where=self.part(q.where), low=self.part(q.low), high=self.part(q.high),
            totals=at, n_totals=len(rows), conditions=len(conditions(q.where)),
        )  # fmt: skip

    def parts_of(self, total: StatedTotal) -> int:
        """A function that gives what each member of a class adds to a total; the members are in its first register."""
        f = Function(self.compiling, self.lowered.slots)
        members = f.temps()
        for call in total.within:
            own = f.temps(max(self.layout.program.defines[call.define].slots, 1 + len(call.arguments)))
            for place, argument in enumerate(call.arguments):
                f.into(argument, own + 1 + place)
            f.emit(op.MOV, own, f.slot(0))
            f.env = {slot: own + slot for slot in range(f.top - own)}
        gather = total.gather
        loop, made = f.temps(3), f.temps()
        f.emit(op.EACH, members, turn_cost(gather))
        f.emit(op.OVER, loop, members)
        f.emit(op.LNEW, made, loop, 1)
        item, _ = f.bind(gather.slot)
        again = f.here()
        over = f.emit(op.NEXT, loop, item)
        nothing = f.unless(gather.where) if gather.where is not None else []
        part = f.temps()
        if total.counts:
            f.put(self.layout.unit, part)
        elif gather.body is not None:
            f.into(gather.body, part)
        else:
            f.put(0, part)
        f.emit(op.PUSH, made, part)
        f.go(again)
        f.land(*nothing)
        f.put(0, part)
        f.emit(op.PUSH, made, part)
        f.go(again)
        f.land(over)
        f.emit(op.RET, made)
        start = f.finish(self.lowered.address)
        self.window = max(self.window, f.window)
        return start


def _signed(bits: int) -> int:
    return bits - (1 << 32) if bits >> 31 else bits
