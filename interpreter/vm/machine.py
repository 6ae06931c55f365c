"""The fast machine as the protocol of `interpreter.machine` has it: the core runs, counts, copies and scores.

What shows a state to people is worked out from its plain form, by the functions that the plain machine uses.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

from interpreter.errors import AnswerError, GameFileError
from interpreter.outcome import Outcome, Outcomes, ScoreSheet, exact_number, seats_of
from interpreter.plain.bots import Said
from interpreter.plain.labelled import decision, keys, move_keys, option
from interpreter.plain.machine import PlainMachine
from interpreter.plain.questions import Answer, Offer
from interpreter.plain.stepping import MAX_ANSWERS, MIX, answer_stream
from interpreter.state.decision import Decision, Option
from interpreter.state.events import Event
from interpreter.state.observe import Observation, observe
from interpreter.state.random import seeded
from interpreter.state.state import Frame, State
from interpreter.vm import library
from interpreter.vm.answer_words import Answers
from interpreter.vm.compile.image import NotForTheVm
from interpreter.vm.compile.program import Program, compile_program
from interpreter.vm.run_errors import RunErrors
from interpreter.vm.tools import Tools

__all__ = ["NotForTheVm", "VmMachine"]

Handle = Any  # a state of the core: opaque


class VmMachine:
    """Runs states of one ruleset for one number of players. It holds nothing of a game: the state does.

    The plain machine of the same ruleset is kept for what it alone has.
    """

    kind = "vm"
    why_plain = ""

    def __init__(self, plain: PlainMachine) -> None:
        layout, lowered_rules, laws = plain.layout, plain.lowered_rules, plain.with_laws
        self.plain = plain
        self.layout = layout
        self.lowered_rules = lowered_rules
        self.with_laws = laws
        self.unit = layout.unit
        self.hidden_parts = plain.hidden_parts
        self.program: Program = compile_program(layout, lowered_rules, plain.trials, laws)
        loaded = library.load(self.program.data)
        self.inner = library.Machine(loaded, RunErrors(layout, lowered_rules, self.program))
        self.run = self.inner.run
        self.choose = self.inner.choose
        self.count = self.inner.count
        self.copy = self.inner.copy
        self.to_move = self.inner.to_move
        self.over = self.inner.over
        self.secret_depth = self.inner.asking
        self.answer_words = Answers(layout, lowered_rules, self.program.questions)
        self._advance, self._known_keys = self.inner.advance, self.answer_words.keys
        tools = Tools(self)
        self.look_ahead, self.follow = tools.look_ahead, tools.follow
        self.run_branching, self.redeal = tools.run_branching, tools.redeal
        self.identity, self.table, self.same_view = tools.identity, tools.table, tools.same_view
        self.sizes, self.values, self.rules = tools.sizes, tools.values, tools.rules
        self.freeze, self.thaw = tools.freeze, tools.thaw
        self.pick, self.play_among, self.successors = tools.pick, tools.play_among, tools.successors

    @property
    def players(self) -> int:
        return self.layout.players

    @property
    def work(self) -> int:
        """What the last run has cost."""
        return int(self.inner.work)

    # ----------------------------------------------------------------- running

    def start(self, seed: int, log: bool = False) -> Handle:
        if log:
            raise AnswerError("the vm keeps no log; the plain machine does")
        return self.inner.start(seeded(seed))

    def play_out(self, state: Handle, stream: int, maximum: int = MAX_ANSWERS) -> tuple[int, int]:
        found: tuple[int, int] = self.inner.play_out(state, stream, maximum)
        return found

    def play_games(self, first: int, count: int) -> Outcomes:
        """`count` whole games of random answers, with the seeds from `first` on."""
        if first >= 0 and first + count < 1 << 62:
            return Outcomes(self.layout.players, self.inner.games(first, count, MAX_ANSWERS, MIX))
        found = Outcomes(self.layout.players)
        for seed in range(first, first + count):
            found.add(self.played(seed))
        return found

    def played(self, seed: int) -> Outcome:
        state = self.inner.start(seeded(seed))
        _, decisions = self.play_out(state, answer_stream(seed))
        return Outcome(self.winners(state) or (), self.totals(state), decisions)

    def laws(self, state: Handle) -> None:
        if self.with_laws:
            self.inner.laws(state)

    # ------------------------------------------------------ the question that waits

    def offered(self, state: Handle) -> Offer:
        found = self.inner.values(state)
        if found is None:
            raise AnswerError("no question is open")
        stop, values, partial = found
        asked = self.program.questions[self.inner.number(state)]
        return Offer(self.inner.to_move(state), asked.rule, asked.ask, values, None, partial, bool(stop))

    def question(self, state: Handle) -> str:
        number = self.inner.number(state)
        if number < 0:
            return ""
        asked = self.program.questions[number]
        return f"{self.lowered_rules[asked.rule].address}.{asked.ask.question.name}"

    def answers(self, state: Handle) -> Sequence[Answer]:
        return self.offered(state).answers

    def move_keys(self, state: Handle) -> Sequence[Hashable]:
        return move_keys(self.layout, self.offered(state))

    def option(self, state: Handle, number: int) -> Option:
        return option(self.layout, self.position(state), self.offered(state), number)

    def key(self, state: Handle, number: int) -> str:
        words = self.inner.answer(state, number)
        return self.option(state, number).key if words is None else self.answer_words.said(words).key

    def options_said(self, state: Handle) -> Sequence[Said | None]:
        said = self.answer_words.said
        return [None if words is None else said(words) for words in self.inner.answers(state)]

    def keys(self, state: Handle) -> Sequence[str]:
        found = [one.key for one in self.options_said(state) if one is not None]
        if len(found) == self.count(state):
            return found
        return keys(self.layout, self.position(state), self.offered(state))

    def advance(self, state: Handle, number: int) -> tuple[Handle, str]:
        before, words = self._advance(state, number, self.with_laws)
        key = self._known_keys.get(words)
        if key is None:
            key = self.option(before, number).key if words is None else self.answer_words.said(words).key
        return before, key

    def said(self, answer: Hashable) -> Said:
        assert isinstance(answer, bytes)
        return self.answer_words.said(answer)

    def decision(self, state: Handle) -> Decision | None:
        if self.inner.number(state) < 0:
            return None
        return decision(self.layout, self.lowered_rules, self.position(state), self.offered(state))

    # ------------------------------------------------------------------ the state

    def winners(self, state: Handle) -> tuple[int, ...] | None:
        bits = self.inner.winners(state)
        return None if bits < 0 else seats_of(bits, self.layout.players)

    def scores(self, state: Handle) -> tuple[ScoreSheet, ...]:
        names = [score.name for score in self.layout.program.scores]
        sheets = []
        for parts in self.points(state):
            shown = {name: exact_number(part, self.unit) for name, part in zip(names, parts, strict=True)}
            sheets.append(ScoreSheet(shown, exact_number(sum(parts), self.unit)))
        return tuple(sheets)

    def points(self, state: Handle) -> Sequence[Sequence[int]]:
        found: Sequence[Sequence[int]] = self.inner.points(state)
        return found

    def totals(self, state: Handle) -> tuple[int, ...]:
        return tuple([sum(parts) for parts in self.points(state)])

    def observe(self, state: Handle, seat: int) -> Observation:
        return observe(self.layout, self.position(state), seat)

    def events(self, state: Handle, mark: int = 0) -> Sequence[Event]:
        return ()

    def pack(self, state: Handle) -> dict[str, Any]:
        return self.position(state).data()

    def unpack(self, data: object, trusted: bool = False, log: bool = False) -> Handle:
        if log:
            raise AnswerError("the vm keeps no log; the plain machine does")
        return self.adopt(self.plain.unpack(data, trusted))

    def digest(self, state: Handle) -> str:
        return self.position(state).digest()

    def position(self, state: Handle) -> State:
        """A state as the plain machine holds it; what is done to it changes nothing here. One that is held so already
        is that of a game that keeps a log."""
        if isinstance(state, State):
            return state
        zones, place, cell, at, variables, known, rng, frames, asking, fate, winners = self.inner.export(state)
        found = State()
        found.zones, found.place, found.cell, found.at = zones, place, cell, at
        found.variables, found.known, found.rng = variables, known, rng
        found.stack = [Frame(*frame) for frame in frames]
        found.asking, found.fate = asking, fate
        found.winners = None if winners < 0 else seats_of(winners, self.layout.players)
        if self.inner.number(state) >= 0:
            found.offer = self.offered(state)
        return found

    def adopt(self, s: State) -> Handle:
        """A state of the plain machine, tested, as one of this machine."""
        frames = [(frame.rule, frame.block, frame.locals) for frame in s.stack]
        winners = -1 if s.winners is None else sum(1 << seat for seat in s.winners)
        try:
            return self.inner.adopt(s.zones, s.cell, s.variables, s.known, s.rng, frames, s.asking, s.fate, winners)
        except ValueError as error:
            raise GameFileError(f"the state cannot be: {error}") from None
