"""The plain machine: walks the intermediate form from decision to decision. It is the meaning of the language."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from interpreter.errors import AnswerError, PlayError, RulesError, broken
from interpreter.ir import blocks as ir
from interpreter.ir.cost import cost
from interpreter.ir.trials import Trials, may_follow, started_in
from interpreter.outcome import Outcome, Outcomes, ScoreSheet, Snapshot, exact_number
from interpreter.plain.dry_run import Dry, Search, behind_hook, receive
from interpreter.plain.effects import Effects
from interpreter.plain.evaluate import MAX_ITEMS, TOO_DEEP, Locals
from interpreter.plain.laws import check_counters, check_endings, check_pieces, table_winners
from interpreter.plain.questions import NO_OPTION_HINT, Answer, Offer, Questions, holds_pieces, item_type
from interpreter.plain.telling import tell_answer, tell_roll
from interpreter.plain.trial import NEED_HINT, after_effect, for_laws, hanging, value_after
from interpreter.state import random as chance
from interpreter.state.decision import Decision, Option
from interpreter.state.events import Event, reveal
from interpreter.state.hidden_parts import hidden_parts
from interpreter.state.labels import YES, Shown, show_bound, show_value
from interpreter.state.layout import Layout
from interpreter.state.observe import Observation, observe
from interpreter.state.redeal import EVERYTHING, Anew, redealt
from interpreter.state.state import Frame, Local, State, opening_state, state_from_data, state_unpacked
from warlock_dsl import Span, unrelated_hooks
from warlock_dsl.check import program as checked

MAX_ANSWERS = 50_000  # of one game
SEARCH_SHARE = 6  # a guard that looks behind effects has a part of `limits.work`: one half, six times over
MAX_TRIES = 12  # effects that a guard tries out, one after another, before it takes the rest for granted
MIX = 0x5DEECE66D  # tells the answers of a random game from its chance


def answer_stream(seed: int) -> int:
    """The stream the answers of a random game come from."""
    return chance.seeded(seed ^ MIX)


class PlainMachine(Questions, Effects):
    """Runs states of one ruleset for one number of players. It holds nothing of a game: the state does."""

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
        self.hidden_parts = hidden_parts(layout)
        self.trials = Trials(lowered_rules, layout.program, unrelated_hooks(layout.program, layout.components))
        self.depth = layout.components.limits.depth
        self.trying = 0  # how many `would` are being answered, each within the one before
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
        """Play on with random answers, at most `maximum`; the stream after it, and how many they were."""
        for number in range(maximum):
            offer = self.run(s)
            if offer is None:
                return stream, number
            stream, pick = chance.below(stream, offer.count)
            self.take(s, offer.answers[pick])
        return stream, maximum

    def play_games(self, first: int, count: int) -> Outcomes:
        """`count` whole games of random answers, with the seeds from `first` on."""
        found = Outcomes(self.layout.players)
        for seed in range(first, first + count):
            found.add(self.played(seed))
        return found

    def played(self, seed: int) -> Outcome:
        state = self.start(seed)
        _, decisions = self.play_out(state, answer_stream(seed))
        self.work = 0
        totals = tuple(sum(self.parts(state, player)) for player in range(self.layout.players))
        return Outcome(state.winners or (), totals, decisions)

    def follow(
        self, s: State, stream: int, steps: int, quarter: int, me: int, secret: int, tried: int = 0
    ) -> tuple[Snapshot | None, Snapshot | None, Snapshot] | None:
        """Play on for `steps` answers, on a copy, with a snapshot when another than `me` was first asked (but not in
        the secret choice at depth `secret`), one after `quarter` answers, and one at the end. Each answer is the best
        at once of `tried` answers (see `look` of the players), or any for 0. None: this machine is no faster at it than
        whoever asks."""
        return None

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
        if s.fate:
            pick = s.fate.pop(0)
            if pick >= n:
                raise RulesError(f"chance was told to pick number {pick + 1} of {n}")
            return pick
        s.rng, pick = chance.below(s.rng, n)
        return pick

    # ---------------------------------------------------------- secret choices

    def seats(self, s: State, frame: Frame, end: ir.Seats) -> None:
        """Ask every seat against the same state and park its frames; then run the effects, seat by seat."""
        statement, slots = end.statement, frame.locals
        answers: Any = slots[statement.answers_slot]
        seats: Any = slots[statement.seats_slot]
        if answers is None:
            self.tick(len(seats) * self.cost_here(frame))
            seats = tuple(seat for seat in seats if self.sits(s, statement, slots, seat))
            slots[statement.seats_slot] = seats
            answers = slots[statement.answers_slot] = ()
        place: Any = slots[statement.place_slot]
        if len(answers) < len(seats):
            s.asking = len(s.stack) - 1
            self.sit(s, frame, end, seats[len(answers)])
        elif place < len(seats):
            reveal(self.layout, s)
            slots[statement.place_slot] = place + 1
            s.stack += [Frame(rule, block, list(parked)) for rule, block, parked in answers[place]]
        else:
            slots[statement.answers_slot] = None
            frame.block = end.out

    def sits(self, s: State, statement: checked.Together, slots: Locals, seat: int) -> bool:
        slots[statement.slot] = seat
        return statement.where is None or bool(self.ev(s, statement.where, slots))

    def sit(self, s: State, frame: Frame, end: ir.Seats, seat: int) -> None:
        slots = frame.locals[:]
        slots[end.statement.slot] = seat
        slots[end.statement.answers_slot] = None  # a seat keeps no copy of what the others have answered
        s.stack.append(Frame(frame.rule, end.body, slots))

    def park(self, s: State) -> None:
        """The seat has answered: what it began waits until all have."""
        frame = s.stack[s.asking]
        end = self.lowered_rules[frame.rule].blocks[frame.block].end
        assert isinstance(end, ir.Seats)
        waiting: Any = tuple((f.rule, f.block, tuple(f.locals)) for f in s.stack[s.asking + 1 :])
        answers: Any = frame.locals[end.statement.answers_slot]
        frame.locals[end.statement.answers_slot] = (*answers, waiting)
        del s.stack[s.asking + 1 :]
        s.asking = -1

    # ------------------------------------------------------------------ guards

    def completes(
        self, s: State, dry: Dry | None, viewer: int, tries: int = MAX_TRIES, search: Search | None = None
    ) -> bool:
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
                if not tries or not self.looks_behind(dry):
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
                s, tries = after, tries - 1
            elif not self.dry_steps(s, block, dry.slots):
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
                    for value in self.answers(s, end, dry):
                        if self.completes(s, dry.with_answer(end, value), viewer, tries, search):
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

    def dry_steps(self, s: State, block: ir.Block, slots: Locals) -> bool:
        for step in block.steps:
            if isinstance(step, ir.Need):
                if not self.ev(s, step.test, slots):
                    return False
            else:
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

    def option(self, s: State, number: int) -> Option:
        offer = self.offered(s)
        answer = offer.answers[number]
        return Option(answer.what, self.answer_label(s, answer), self.key(s, number))

    def key(self, s: State, number: int) -> str:
        answer = self.offered(s).answers[number]
        if answer.what in ("stop", "decline"):
            return answer.what
        word = self.answer_label(s, answer).key()
        return f"+{word}" if answer.what == "add" else word

    def answer_label(self, s: State, answer: Answer) -> Shown:
        if answer.what in ("stop", "decline"):
            return Shown("none")
        offer = self.offered(s)
        if offer.ask.question.yes_no:
            return YES
        kind = offer.ask.question.type if answer.what == "value" else item_type(offer.ask.question)
        return show_value(self.layout, s, answer.value, kind, offer.player, placed=True)

    def decision(self, s: State) -> Decision | None:
        if s.offer is None:
            return None
        offer = self.offered(s)
        player, question, lowered = offer.player, offer.ask.question, self.lowered_rules[offer.rule]
        bound = show_bound(self.layout, s, lowered.names, s.stack[-1].locals, offer.ask.known, player)
        mode = "one" if question.mode == "one" else "set" if offer.partial is None else "step"
        mode = "yes_no" if question.yes_no else mode
        item = item_type(question)
        partial = tuple(show_value(self.layout, s, p, item, player, placed=True) for p in offer.partial or ())
        options = tuple(self.option(s, number) for number in range(len(offer.answers)))
        return Decision(
            player, lowered.address, question.name, mode, question.may, bound, partial, options, offer.ask.span
        )

    def choose(self, s: State, number: int) -> None:
        answer = self.offered(s).answers[number]
        tell_answer(self.layout, s, self.lowered_rules[s.offer.rule], answer)
        self.take(s, answer)

    def winners(self, s: State) -> tuple[int, ...] | None:
        return s.winners

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

    def digest(self, s: State) -> str:
        return s.digest()

    def observe(self, s: State, seat: int) -> Observation:
        return observe(self.layout, s, seat)

    def redeal(self, s: State, seat: int, stream: int, anew: Anew = EVERYTHING) -> tuple[int, State]:
        return redealt(self, s, seat, stream, anew)

    def scores(self, s: State) -> tuple[ScoreSheet, ...]:
        self.work = 0
        names = [score.name for score in self.score_parts]
        sheets = []
        for player in range(self.layout.players):
            parts = self.parts(s, player)
            shown = {name: exact_number(part, self.unit) for name, part in zip(names, parts, strict=True)}
            sheets.append(ScoreSheet(shown, exact_number(sum(parts), self.unit)))
        return tuple(sheets)

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
        for invariant, steps in zip(self.layout.program.invariants, self.law_costs, strict=True):
            self.tick(steps)
            slots: Locals = [None] * invariant.slots
            slots[0] = 0
            if not self.ev(s, invariant.test, slots):
                raise broken(invariant.name, invariant.span)
