"""The plain machine: walks the intermediate form from decision to decision. It is the meaning of the language."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

from interpreter.errors import AnswerError, PlayError, RulesError, broken
from interpreter.ir import blocks as ir
from interpreter.ir.cost import cost
from interpreter.ir.trials import Trials, may_follow, started_in
from interpreter.outcome import Outcomes, ScoreSheet, Snapshot, score_sheets
from interpreter.plain import ahead, stepping
from interpreter.plain.bots import MachineBot, Said, pick
from interpreter.plain.branching import Told, run_branching
from interpreter.plain.dry_run import Dry, Search, behind_hook, receive
from interpreter.plain.effects import Effects
from interpreter.plain.evaluate import MAX_ITEMS, TOO_DEEP, Locals
from interpreter.plain.labelled import decision, keys, move_keys, option
from interpreter.plain.laws import check_counters, check_endings, check_invariants, check_pieces, table_winners
from interpreter.plain.questions import NO_OPTION_HINT, Answer, Offer, Questions, holds_pieces
from interpreter.plain.secret_choice import ask_seats, park
from interpreter.plain.stepping import MAX_ANSWERS
from interpreter.plain.successors import Chance, Successor, successors
from interpreter.plain.telling import tell_answer, tell_roll
from interpreter.plain.trial import NEED_HINT, after_effect, for_laws, hanging, value_after
from interpreter.state import random as chance
from interpreter.state.decision import Decision, Option
from interpreter.state.events import Event
from interpreter.state.hidden_parts import hidden_parts
from interpreter.state.identity import Identities
from interpreter.state.layout import Layout
from interpreter.state.observe import Observation, observe
from interpreter.state.redeal import EVERYTHING, Anew, redealt
from interpreter.state.state import Frame, Local, State, opening_state, state_from_data, state_unpacked, thawed
from warlock_dsl import Span, unrelated_hooks
from warlock_dsl.check import program as checked

SEARCH_SHARE = 6  # a guard that looks behind effects has a part of `limits.work`: one half, six times over


class PlainMachine(Questions, Effects):
    """Runs states of one ruleset for one number of players. It holds nothing of a game: the state does."""

    kind = "plain"

    def __init__(self, layout: Layout, lowered_rules: tuple[ir.LoweredRule, ...], laws: bool = True) -> None:
        super().__init__(layout)
        self.lowered_rules = lowered_rules
        self.piece_slots = tuple(
            tuple(
                slot
                for slot, kind in sorted(lowered.slot_types.items())
                if holds_pieces(kind) and slot not in lowered.kept
            )
            for lowered in lowered_rules
        )
        self.with_laws = laws
        self.why_plain = ""
        self.hidden_parts = hidden_parts(layout)
        self.trials = Trials(lowered_rules, layout.program, unrelated_hooks(layout.program, layout.components))
        self.depth = layout.components.limits.depth
        self.trying = 0  # how many `would` are being answered, each within the one before
        self.identities: Identities | None = None  # made when it is first asked for
        self.told: Told | None = None  # what chance is to give, while it is branched over
        self.law_costs = tuple(1 + cost(invariant.test) for invariant in layout.program.invariants)

    # ------------------------------------------------------------------- start

    def start(self, seed: int, log: bool = False) -> State:
        """A new game, not yet begun: the first rule waits on the stack. `log` keeps what happens in the state."""
        self.work = 0
        state = opening_state(self.layout, seed)
        if log:
            state.events = []
        self.push(state, self.layout.program.start, [], 0)
        return state

    def push(self, s: State, rule: int, arguments: list[Any], me: Local) -> None:
        if len(s.stack) >= self.depth:
            lowered = self.lowered_rules[rule]
            raise RulesError(
                f"rules call rules more than {self.depth} deep", lowered.address, lowered.span,
                "a rule that calls itself needs a way out; `limits.depth` of the game sets the bound",
            )  # fmt: skip
        s.stack.append(Frame(rule, self.lowered_rules[rule].entry, self.new_slots(rule, arguments, me)))

    def new_slots(self, rule: int, arguments: list[Any], me: Local) -> Locals:
        self.tick(self.lowered_rules[rule].slots >> 5)
        slots: Locals = [None] * self.lowered_rules[rule].slots
        slots[0] = me
        slots[1 : 1 + len(arguments)] = arguments
        return slots

    # --------------------------------------------------------------------- run

    def run(self, s: State) -> Offer | None:
        """Go on to the next question that somebody has to answer; None when the game is over."""
        self.work = 0
        s.offer = None
        try:
            while s.winners is None:
                if not s.stack:
                    s.winners = ()
                    break
                offer = self.block(s)
                if offer is not None:
                    s.offer = offer
                    return offer
        except PlayError as error:
            raise self.placed(s, error) from None
        except RecursionError:
            raise self.placed(s, RulesError(TOO_DEEP)) from None
        return None

    def play_out(self, s: State, stream: int, maximum: int = MAX_ANSWERS) -> tuple[int, int]:
        return stepping.play_out(self, s, stream, maximum)

    def play_games(self, first: int, count: int) -> Outcomes:
        """`count` whole games of random answers, with the seeds from `first` on."""
        return stepping.play_games(self, first, count)

    def run_branching(self, s: State, told: Sequence[int], chance: str, max_orders: int) -> int:
        return run_branching(self, s, told, chance, max_orders)

    def successors(self, packed: bytes, trusted: bool, chance: Chance) -> Sequence[Successor]:
        return successors(self, packed, trusted, chance)

    # ------------------------------------------------------------ playing ahead

    def look_ahead(self, s: State, stream: int, steps: int) -> Sequence[Snapshot]:
        return ahead.look_ahead(self, s, stream, steps)

    def follow(
        self, s: State, stream: int, steps: int, quarter: int, me: int, secret: int, tried: int = 0
    ) -> ahead.Followed:
        return ahead.follow(self, s, stream, steps, quarter, me, secret, tried)

    def placed(self, s: State, error: PlayError) -> PlayError:
        """The error with its place, and with what hangs on the rule where that may be the cause of it."""
        if s.stack:
            if error.hint in (NO_OPTION_HINT, NEED_HINT):
                error.hint = hanging(self.layout.program, [frame.rule for frame in s.stack]) or error.hint
            lowered = self.lowered_rules[s.stack[-1].rule]
            block = lowered.blocks[s.stack[-1].block]
            return error.at(lowered.address, block.steps[0].span if block.steps else block.end.span)
        return error

    def block(self, s: State) -> Offer | None:
        """Run one block of the topmost rule."""
        frame = s.stack[-1]
        block = self.lowered_rules[frame.rule].blocks[frame.block]
        self.tick(block.cost)
        if block.acts:
            if s.asking >= 0:
                self.park(s)
                return None
            for step in block.steps:
                self.act(s, step, frame.locals)
        else:
            for step in block.steps:
                if self.trying and for_laws(step, self.lowered_rules[frame.rule]):
                    continue
                self.read(s, step, frame.locals)
                if isinstance(step, ir.LawStep) and self.with_laws:
                    self.law(s, step, frame.locals)
        return self.end(s, frame, block.end)

    def cost_here(self, frame: Frame) -> int:
        """What a turn of the loop, or a candidate of the roll, counts at which a rule stands."""
        return self.lowered_rules[frame.rule].blocks[frame.block].cost

    def read(self, s: State, step: ir.Step, slots: Locals) -> None:
        """A step that only reads the state and binds slots; the dry run takes it too."""
        match step:
            case ir.Bind():
                slots[step.slot] = self.stored(self.ev(s, step.value, slots))
            case ir.Clear():
                slots[step.slot] = None
            case ir.Keep():
                slots[step.slot] = slots[step.other]
            case ir.Enter():
                slots[step.list_slot] = self.stored(self.ev(s, step.source, slots))
                slots[step.place_slot] = 0
            case ir.Times():
                slots[step.slot] = self.ev(s, step.count, slots) // self.unit
            case ir.Need():
                if not self.ev(s, step.test, slots):
                    raise RulesError("a rule was begun whose requirement does not hold", span=step.span, hint=NEED_HINT)
            case _:
                pass

    def law(self, s: State, step: ir.LawStep, slots: Locals) -> None:
        if (step.where is None or self.ev(s, step.where, slots)) and not self.ev(s, step.test, slots):
            raise broken(step.name, step.span)

    def end(self, s: State, frame: Frame, end: ir.End) -> Offer | None:
        slots = frame.locals
        match end:
            case ir.Goto():
                frame.block = end.to
            case ir.Branch():
                frame.block = end.yes if self.ev(s, end.test, slots) else end.no
            case ir.Ask():
                return self.ask(s, frame, end)
            case ir.Call():
                frame.block = end.then
                rule, arguments, me = self.called(s, end, slots)
                self.push(s, rule, arguments, me)
            case ir.Instead():
                self.instead(s, frame, end)
            case ir.Return():
                s.stack.pop()
                if end.result >= 0 and s.stack:
                    receive(s.stack[-1].locals, self.lowered_rules[s.stack[-1].rule], slots[end.result])
                if s.asking >= 0 and len(s.stack) == s.asking + 1:
                    self.park(s)
            case ir.NextOf():
                self.next_of(s, frame, end)
            case ir.Again():
                self.again(s, frame, end)
            case ir.RollEnd():
                self.roll(s, frame, end)
            case ir.Seats():
                self.seats(s, frame, end)
            case ir.FinishEnd():
                s.winners = table_winners(self.layout, self.ev(s, end.winners, slots), end.span)
                s.stack.clear()
        return None

    # ------------------------------------------------------------------- calls

    def called(self, s: State, end: ir.Call | checked.Would, slots: Locals) -> tuple[int, list[Any], Local]:
        rule = self.member(s, end.target, slots)
        arguments = [self.stored(self.ev(s, argument, slots)) for argument in end.arguments]
        return rule, arguments, slots[0] if end.by is None else self.ev(s, end.by, slots)

    def member(self, s: State, target: checked.Target, slots: Locals) -> int:
        if target.key is None:
            return target.rule
        key: int = self.ev(s, target.key, slots)
        return target.members[key]

    def instead(self, s: State, frame: Frame, end: ir.Instead) -> None:
        rule = self.replacement(s, end, frame.locals)
        frame.block = end.body if rule < 0 else end.then
        if rule >= 0:
            self.push(s, rule, frame.locals[1 : 1 + end.parameters], frame.locals[0])

    def replacement(self, s: State, end: ir.Instead, slots: Locals) -> int:
        fits = [hook for hook in end.hooks if hook.where is None or self.ev(s, hook.where, slots)]
        if len(fits) > 1:
            names = " and ".join(self.lowered_rules[hook.rule].address for hook in fits)
            raise RulesError(f"two rules want to stand in for one: {names}", span=fits[1].span)
        return fits[0].rule if fits else -1

    # ------------------------------------------------------------------- loops

    def next_of(self, s: State, frame: Frame, end: ir.NextOf) -> None:
        slots = frame.locals
        items: Any = slots[end.list_slot]
        place: Any = slots[end.place_slot]
        each = self.cost_here(frame)
        while place < len(items):
            self.tick(each)
            slots[end.slot] = items[place]
            place += 1
            if end.where is None or self.ev(s, end.where, slots):
                slots[end.place_slot] = place
                frame.block = end.body
                return
        frame.block = end.out

    def again(self, s: State, frame: Frame, end: ir.Again) -> None:
        left: Any = frame.locals[end.slot]
        if left > 0 and (end.where is None or self.ev(s, end.where, frame.locals)):
            frame.locals[end.slot] = left - 1
            frame.block = end.body
        else:
            frame.block = end.out

    def roll(self, s: State, frame: Frame, end: ir.RollEnd) -> None:
        """Chance picks. Inside a secret choice that is an effect: it waits until all have answered."""
        if s.asking >= 0:
            self.park(s)
            return
        roll, slots = end.roll, frame.locals
        items = []
        source = self.ev(s, roll.source, slots)
        self.tick(len(source) * self.cost_here(frame))
        for item in source:
            slots[roll.slot] = item
            if roll.where is None or self.ev(s, roll.where, slots):
                items.append(item)
        count = 1 if roll.count is None else self.ev(s, roll.count, slots) // self.unit
        if not items and count > 0:
            raise RulesError(f"nothing to roll '{roll.name}' from", span=roll.span)
        picks = self.several(s, items, count, roll.span)
        slots[roll.slot] = picks[0] if roll.count is None else picks
        if s.events is not None:
            tell_roll(self, s, self.lowered_rules[frame.rule], end, slots)
        frame.block = end.then

    def several(self, s: State, items: Sequence[Any], count: int, span: Span) -> tuple[Any, ...]:
        self.tick(max(count, 0))
        if count > MAX_ITEMS:
            raise RulesError("more than a hundred thousand rolls at once", span=span)
        return tuple(items[self.next_random(s, len(items))] for _ in range(count))

    def next_random(self, s: State, n: int) -> int:
        if self.told is not None and self.told.rolls:
            return self.told.pick(n)
        if s.fate:
            pick = s.fate.pop(0)
            if pick >= n:
                raise RulesError(f"chance was told to pick number {pick + 1} of {n}")
            return pick
        s.rng, pick = chance.below(s.rng, n)
        return pick

    # ---------------------------------------------------------- secret choices

    def seats(self, s: State, frame: Frame, end: ir.Seats) -> None:
        ask_seats(self, s, frame, end)

    def park(self, s: State) -> None:
        park(self.lowered_rules, s)

    # ------------------------------------------------------------------ guards

    def completes(self, s: State, dry: Dry | None, viewer: int, search: Search | None = None) -> bool:
        """Whether a play can be completed: run dry to the first effect, loop or roll.

        Where something that hangs on a rule could be missed behind an effect, the effect is tried out on a copy of the
        state, and the dry run goes on there: as far as the viewer, who is asked, knows what comes of it. What has not
        been found by a share of the work that the game allows is taken not to be there.
        """
        search = search or Search(self.work + (self.max_work >> SEARCH_SHARE))
        while dry is not None:
            block = self.lowered_rules[dry.rule].blocks[dry.block]
            self.tick(block.cost)
            if block.acts:
                if not self.looks_behind(dry):
                    return True
                search.behind = True
                if self.work > search.end:
                    return False
                try:
                    after = after_effect(self, s, block, dry.slots, viewer)
                except RulesError:
                    return False  # there is no room for it, or the like
                if after is None:
                    dry = behind_hook(dry, self.trials)
                    continue
                s = after
            elif not self.dry_steps(s, self.lowered_rules[dry.rule], block, dry.slots):
                return False
            if self.trials.needed:
                dry = dry.starting(started_in(block))
            end = block.end
            match end:
                case ir.Goto():
                    dry = dry.at(end.to)
                case ir.Branch():
                    dry = dry.at(end.yes if self.ev(s, end.test, dry.slots) else end.no)
                case ir.Ask():
                    for value in self.possible(s, end, dry):
                        if self.completes(s, dry.with_answer(end, value), viewer, search):
                            return True
                        if search.behind and self.work > search.end:
                            return False
                    if end.otherwise < 0:
                        return False
                    dry = dry.at(end.otherwise)
                case ir.Call():
                    rule, arguments, me = self.called(s, end, dry.slots)
                    dry = dry.at(end.then).calling(
                        rule, self.lowered_rules[rule].entry, self.new_slots(rule, arguments, me)
                    )
                    if dry.depth > self.depth:
                        return False
                case ir.Instead():
                    rule = self.replacement(s, end, dry.slots)
                    if rule < 0:
                        dry = dry.at(end.body)
                    else:
                        own = self.new_slots(rule, dry.slots[1 : 1 + end.parameters], dry.slots[0])
                        dry = dry.at(end.then).calling(rule, self.lowered_rules[rule].entry, own)
                        if dry.depth > self.depth:
                            return False
                case ir.Return():
                    value, dry = dry.slots[end.result], dry.back()
                    if end.result >= 0 and dry is not None:
                        receive(dry.slots, self.lowered_rules[dry.rule], value)
                case ir.NextOf() | ir.Again() if may_follow(end, dry.started) and self.looks_behind(dry):
                    frame = Frame(dry.rule, dry.block, dry.slots)
                    self.end(s, frame, end)
                    dry = dry.at(frame.block)
                case ir.RollEnd():
                    dry = behind_hook(dry, self.trials)
                case _:
                    return True
        return True

    def looks_behind(self, dry: Dry) -> bool:
        """Whether a dry run has to look behind the block where it is."""
        return self.trials.needed and self.trials.needed_at(dry.place, dry.callers())

    def dry_steps(self, s: State, lowered: ir.LoweredRule, block: ir.Block, slots: Locals) -> bool:
        for step in block.steps:
            if isinstance(step, ir.Need):
                if not self.ev(s, step.test, slots):
                    return False
            elif not for_laws(step, lowered):
                self.read(s, step, slots)
        return True

    def can(self, s: State, e: checked.Can, slots: Locals) -> bool:
        rule = self.member(s, e.target, slots)
        arguments = [self.ev(s, argument, slots) for argument in e.arguments]
        entry = Dry(rule, self.lowered_rules[rule].entry, self.new_slots(rule, arguments, slots[0]), None, 1)
        return self.completes(s, entry, viewer=int(slots[0]))  # type: ignore[arg-type]

    def would(self, s: State, e: checked.Would, slots: Locals) -> Any:
        return value_after(self, s, e, slots)

    # ------------------------------------------------- states, as callers see them

    @property
    def players(self) -> int:
        return self.layout.players

    @property
    def plain(self) -> PlainMachine:
        return self

    def position(self, s: State) -> State:
        return s

    adopt = position

    def offered(self, s: State) -> Offer:
        offer: Offer | None = s.offer
        if offer is None:
            raise AnswerError("no question is open")
        return offer

    def to_move(self, s: State) -> int:
        return s.offer.player if s.offer is not None else -1

    def question(self, s: State) -> str:
        if s.offer is None:
            return ""
        return f"{self.lowered_rules[s.offer.rule].address}.{s.offer.ask.question.name}"

    def count(self, s: State) -> int:
        return s.offer.count if s.offer is not None else 0

    def answers(self, s: State) -> Sequence[Answer]:
        return self.offered(s).answers

    def move_keys(self, s: State) -> Sequence[Hashable]:
        return move_keys(self.layout, self.offered(s))

    def secret_depth(self, s: State) -> int:
        return s.asking

    def option(self, s: State, number: int) -> Option:
        return option(self.layout, s, self.offered(s), number)

    def key(self, s: State, number: int) -> str:
        return option(self.layout, s, self.offered(s), number).key

    def keys(self, s: State) -> Sequence[str]:
        return [] if s.offer is None else keys(self.layout, s, s.offer)

    def options_said(self, s: State) -> Sequence[Said | None]:
        return [None] * self.count(s)

    def decision(self, s: State) -> Decision | None:
        return None if s.offer is None else decision(self.layout, self.lowered_rules, s, self.offered(s))

    def choose(self, s: State, number: int) -> None:
        answer = self.offered(s).answers[number]
        tell_answer(self.layout, s, self.lowered_rules[s.offer.rule], answer)
        self.take(s, answer)

    def advance(self, s: State, number: int) -> tuple[State, str]:
        return stepping.advance(self, s, number)

    def pick(self, s: State, bot: MachineBot, given: int) -> int:
        return pick(self, s, bot, given)

    def play_among(
        self, s: State, bots: Sequence[MachineBot], given: int, maximum: int
    ) -> tuple[Sequence[Hashable], int]:
        return (), -1 if s.offer is None or given >= maximum else self.pick(s, bots[s.offer.player], given)

    def said(self, answer: Hashable) -> Said:
        raise LookupError("this machine leaves every answer to whoever plays on")

    def winners(self, s: State) -> tuple[int, ...] | None:
        return s.winners

    def over(self, s: State) -> bool:
        return s.winners is not None

    def sizes(self, s: State) -> Sequence[int]:
        return [len(pieces) for pieces in s.zones]

    def values(self, s: State) -> Sequence[checked.Constant]:
        return s.variables

    def rules(self, s: State) -> Sequence[str]:
        return [self.lowered_rules[frame.rule].address for frame in s.stack]

    def table(self, s: State) -> Hashable:
        return tuple(map(tuple, s.zones)), tuple(s.cell), tuple(s.variables), tuple(sorted(s.known.items()))

    def copy(self, s: State) -> State:
        return s.copy()

    def pack(self, s: State) -> dict[str, Any]:
        return s.data()

    def unpack(self, data: object, trusted: bool = False, log: bool = False) -> State:
        if trusted:
            state = state_unpacked(self.layout, data)
        else:
            state = state_from_data(
                self.layout, data, [(len(lowered.blocks), lowered.slots) for lowered in self.lowered_rules]
            )
        state.events = [] if log else None
        return state

    def freeze(self, s: State) -> bytes:
        return s.frozen()

    def thaw(self, data: bytes, trusted: bool = False) -> State:
        return self.unpack(thawed(data), trusted)

    def digest(self, s: State) -> str:
        return s.digest()

    def identity(self, s: State, chance: bool = True) -> bytes:
        if self.identities is None:
            self.identities = Identities(self.layout, self.lowered_rules)
        return self.identities.of(s, chance)

    def observe(self, s: State, seat: int) -> Observation:
        return observe(self.layout, s, seat)

    def same_view(self, s: State, other: State, seat: int) -> bool:
        return observe(self.layout, s, seat) == observe(self.layout, other, seat)

    def redeal(self, s: State, seat: int, stream: int, anew: Anew = EVERYTHING) -> tuple[int, State]:
        return redealt(self, s, seat, stream, anew)

    def scores(self, s: State) -> tuple[ScoreSheet, ...]:
        return score_sheets([score.name for score in self.score_parts], self.points(s), self.unit)

    def points(self, s: State) -> Sequence[Sequence[int]]:
        self.work = 0
        return [self.parts(s, seat) for seat in range(self.layout.players)]

    def totals(self, s: State) -> tuple[int, ...]:
        return tuple([sum(parts) for parts in self.points(s)])

    def events(self, s: State, mark: int = 0) -> Sequence[Event]:
        return () if s.events is None else s.events[mark:]

    # -------------------------------------------------------------- invariants

    def laws(self, s: State) -> None:
        if self.with_laws:
            self.check_laws(s)

    def check_laws(self, s: State) -> None:
        """Every invariant of the ruleset, and those every game has: one place a piece, counters in range."""
        self.work = 0
        self.check_invariants(s)
        if s.winners is not None:
            check_endings(self, s, s.winners)
        check_pieces(self.layout, s)
        check_counters(self.layout, s)

    def check_invariants(self, s: State) -> None:
        check_invariants(self, s, self.law_costs)
