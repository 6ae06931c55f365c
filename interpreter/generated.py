"""The generated machine: runs the functions made from the rules, and the plain machine wherever there is none.

It works on the same states as the plain machine, and may take over from it, or hand over to it, at any decision.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from itertools import count
from time import perf_counter
from types import TracebackType
from typing import Any

from interpreter.errors import PlayError, RulesError, broken
from interpreter.generate.moves import moves
from interpreter.generate.runtime import functions, kin, tables
from interpreter.ir import blocks as ir
from interpreter.native.quick import Find, Quick, never
from interpreter.outcome import Outcomes, Snapshot
from interpreter.plain.dry_run import Dry, dry_run
from interpreter.plain.evaluate import TOO_DEEP
from interpreter.plain.machine import MAX_ANSWERS, PlainMachine
from interpreter.plain.questions import NO_OPTION_HINT, Offer
from interpreter.set_asking import SetAsking, SetParts
from interpreter.state.layout import Layout
from interpreter.state.random import below
from interpreter.state.state import Frame, State
from interpreter.state.visibility import sees_piece
from warlock_dsl import NOWHERE, Span
from warlock_dsl.check import program as checked

SegmentFunction = Callable[[State, Frame], Offer | None]
numbers = count()  # of the machines of this process, so that an error finds the lines of its own
TURNS = 64  # segments between two looks at the work done


class Generated(PlainMachine):
    """Runs states of one ruleset for one number of players, as the plain machine would."""

    def __init__(
        self, layout: Layout, lowered_rules: tuple[ir.LoweredRule, ...], laws: bool, source: str, find: Find = never
    ) -> None:
        super().__init__(layout, lowered_rules, laws)
        self.quick = Quick(layout, find)
        self.file = f"<generated {next(numbers)}>"
        made = compile(source, self.file, "exec", dont_inherit=True)
        self.sets = SetAsking(self, self.names_on)
        names = {**tables(layout), **functions(self), **moves(self), **self.links()}
        exec(made, names)
        self.names = names
        self.segments: list[list[SegmentFunction | None]] = [[None] * len(lowered.blocks) for lowered in lowered_rules]
        for (rule, block), segment in names["STRETCHES"].items():
            self.segments[rule][block] = segment
        self.onwards: dict[tuple[int, int], Callable[[State, Any], int]] = names["ONWARDS"]
        for key, parts in names["SETS"].items():
            self.sets.parts[id(self.asked_at(*key))] = SetParts(*parts)
        self.lines = [line for line, _ in names["PLACES"]]
        self.told = [told for _, told in names["PLACES"]]
        self.deepest: list[int] = names["MAX_DEPTH"]  # by rule: frames beyond which the plain machine goes on

    def links(self) -> dict[str, Any]:
        """What generated code needs of this machine."""
        return {
            "__name__": "generated",
            "CODES": self.lowered_rules, "LAYOUT": self.layout, "FIRSTS": self.layout.first_values,
            "Span": Span, "NOWHERE": NOWHERE, "Offer": Offer, "SEATS": self.seats, "PARK": self.park,
            "ASK_SET": self.sets.ask,
            "LEADS_ON": self.value_leads_on, "ONWARD": self.onward, "KIN": kin(self.layout), "TOTAL": self.total,
            "CAN": self.can_call, "NO_ANSWER": self.no_answer, "TWO": self.two, "NO_ROLL": self.no_roll,
            "ROLLS": self.rolls, "SPLIT": self.split, "SEES": sees_piece,
        }  # fmt: skip

    def asked_at(self, rule: int, block: int) -> checked.Question:
        end = self.lowered_rules[rule].blocks[block].end
        assert isinstance(end, ir.Ask)
        return end.question

    # --------------------------------------------------------------------- run

    def run(self, s: State) -> Offer | None:
        if s.events is not None:  # generated code keeps no log
            return super().run(s)
        self.work = 0
        s.offer = None
        segments, deepest, stack, turns = self.segments, self.deepest, s.stack, TURNS
        try:
            while s.winners is None:
                if not stack:
                    s.winners = ()
                    break
                frame = stack[-1]
                segment = segments[frame.rule][frame.block]
                offer = self.block(s) if segment is None or len(stack) > deepest[frame.rule] + 1 else segment(s, frame)
                if offer is not None:
                    s.offer = offer
                    return offer
                turns -= 1
                if not turns:
                    turns = TURNS
                    self.tick(TURNS * 2)
        except PlayError as error:
            raise self.placed(s, self.located(error)) from None
        except RecursionError as error:
            raise self.placed(s, RulesError(TOO_DEEP)) from error
        return None

    def play_out(self, s: State, stream: int, maximum: int = MAX_ANSWERS) -> tuple[int, int]:
        """As the plain machine does: in C where that is at hand, else in Python."""
        found = self.quick.play_out(s, stream, maximum)
        if found is None:
            since = perf_counter()
            found = self.play_out_here(s, stream, maximum)
            self.quick.spend(since)
        return found

    def play_games(self, first: int, count: int) -> Outcomes:
        found, last = Outcomes(self.layout.players), first + count
        while first < last:
            numbers = self.quick.games(self.start, first, last - first)
            found.numbers += numbers
            first += len(numbers) // found.width
            if first < last:  # one that C leaves to Python
                found.add(self.played(first))
                first += 1
        return found

    def follow(
        self, s: State, stream: int, steps: int, quarter: int, me: int, secret: int, tried: int = 0
    ) -> tuple[Snapshot | None, Snapshot | None, Snapshot] | None:
        return self.quick.follow(s, stream, steps, quarter, me, secret, tried)

    def play_out_here(self, s: State, stream: int, maximum: int) -> tuple[int, int]:
        """With no answer made that is not taken."""
        for number in range(maximum):
            offer = self.run(s)
            if offer is None:
                return stream, number
            values = offer.values
            count = len(values) + offer.ask.question.may if values and offer.partial is None else offer.count
            stream, pick = below(stream, count)
            ask, frame, s.offer = offer.ask, s.stack[-1], None
            if values is None or offer.partial is not None:
                self.take(s, offer.answers[pick])
            elif pick < len(values):
                frame.locals[ask.question.slot] = values[pick]
                frame.block = ask.then
            else:
                frame.locals[ask.question.slot] = None
                frame.block = ask.otherwise
        return stream, maximum

    def located(self, error: PlayError) -> PlayError:
        """The error with the place of the rules that the innermost generated line stands for."""
        trace: TracebackType | None = error.__traceback__
        told = None
        while trace is not None:
            if trace.tb_frame.f_code.co_filename == self.file:
                told = self.told[bisect_right(self.lines, trace.tb_lineno) - 1] or told
            trace = trace.tb_next
        return error if told is None else error.at(told[0], Span(*told[1:]))

    # ------------------------------------------------------------------ guards

    def onward(self, s: State) -> int:
        """Whether the rules below the topmost can go on to an effect."""
        for depth in range(len(s.stack) - 2, s.asking if s.asking >= 0 else -1, -1):
            frame = s.stack[depth]
            guard = self.onwards.get((frame.rule, frame.block))
            if guard is None or depth > self.deepest[frame.rule]:
                return int(self.completes(s, dry_run(s).back(), -1))
            way = guard(s, frame.locals)
            if way != 2:
                return way
        return 1

    def value_leads_on(self, s: State, ask: ir.Ask, value: Any) -> bool:
        return self.leads_on(s, ask, dry_run(s), value)

    def can_call(self, s: State, rule: int, me: Any, arguments: list[Any]) -> bool:
        return self.completes(
            s, Dry(rule, self.lowered_rules[rule].entry, self.new_slots(rule, arguments, me), None, 1), -1
        )

    # -------------------------------------------------------------- candidates

    def split(self, s: State, pool: Sequence[int], keys: list[Any], own: int) -> Sequence[int]:
        """One piece of each class: a piece that has a name is not like the others."""
        named = self.names_on(s, own)
        found: dict[Any, int] = {}
        if named:
            keys = [(key, named.get(piece)) for piece, key in zip(pool, keys, strict=True)]
        for piece, key in zip(pool, keys, strict=True):
            if key not in found:
                found[key] = piece
        return list(found.values())

    def names_on(self, s: State, own: int) -> dict[int, Any]:
        """As `mentions`, for the frames of a state."""
        found: dict[int, Any] = {}
        stack, slots_of = s.stack, self.piece_slots
        for depth in range(len(stack) - 1, s.asking if s.asking >= 0 else -1, -1):
            frame = stack[depth]
            for slot in slots_of[frame.rule]:
                value: Any = frame.locals[slot]
                if value is None or (slot == own and depth == len(stack) - 1):
                    continue
                for piece in value if isinstance(value, tuple) else (value,):
                    found[piece] = (*found.get(piece, ()), (depth, slot))
        return found

    # ------------------------------------------------------------------ errors

    def no_answer(self, player: int, ask: ir.Ask) -> PlayError:
        return RulesError(
            f"seat {player + 1} must choose '{ask.question.name}', and there is nothing to choose",
            span=ask.span,
            hint=NO_OPTION_HINT,
        )

    def two(self, end: ir.Instead, holds: list[bool]) -> PlayError:
        fits = [hook for hook, holding in zip(end.hooks, holds, strict=True) if holding]
        names = " and ".join(self.lowered_rules[hook.rule].address for hook in fits)
        return RulesError(f"two rules want to stand in for one: {names}", span=fits[1].span)

    def no_roll(self, name: str, span: Span) -> PlayError:
        return RulesError(f"nothing to roll '{name}' from", span=span)

    def rolls(self, s: State, items: Sequence[Any], count: int, name: str, span: Span) -> tuple[Any, ...]:
        if not items and count > 0:
            raise self.no_roll(name, span)
        return self.several(s, items, count, span)

    # -------------------------------------------------------------- scores, laws

    def parts(self, s: State, player: int) -> tuple[int, ...]:
        self.tick(self.score_cost)
        try:
            return tuple([score(s, player) for score in self.names["SCORES"]])
        except RulesError:
            return super().parts(s, player)  # which says where it went wrong

    def check_invariants(self, s: State) -> None:
        for law, invariant, steps in zip(
            self.names["LAWS"], self.layout.program.invariants, self.law_costs, strict=True
        ):
            self.tick(steps)
            if not law(s, 0):
                raise broken(invariant.name, invariant.span)
