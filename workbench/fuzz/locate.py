"""Which statement broke a law: the last answer of a course is carried out step by step on the plain machine."""

from __future__ import annotations

from attrs import frozen

from interpreter import Game, Offer, PlainMachine, PlayError, State
from interpreter.ir import blocks as ir
from warlock_dsl import NOWHERE, Ruleset, Span
from workbench.fuzz.violation import Violation
from workbench.scenario.stage import machine_for
from workbench.transcripts.transcript import Transcript


@frozen
class Culprit:
    """A rule, and the statement of it that ran last."""

    rule: str
    span: Span


def culprit(ruleset: Ruleset, transcript: Transcript, violation: Violation) -> Culprit:
    """The statement after which the law no longer held; where none can be found, the place the violation names."""
    named = Culprit(violation.rule, violation.span)
    if not violation.law.startswith("invariant") and violation.law not in ("pieces", "counters"):
        return named
    machine = machine_for(ruleset, transcript.players)
    try:
        state = _before_last(ruleset, machine, transcript)
        return _Steps(machine, state).run() or named
    except (PlayError, ValueError):
        return named


def _before_last(ruleset: Ruleset, machine: PlainMachine, transcript: Transcript) -> State:
    """The state in which the last answer has been given and nothing has come of it yet."""
    if not transcript.moves:
        return machine.start(transcript.seed)
    game = Game.start(ruleset, transcript.players, transcript.seed, laws=False)
    for move in transcript.moves[:-1]:
        game.answer(move.key)
    keys = [option.key for option in game.options()]
    state = game.machine.position(game.state).copy()
    offer = machine.run(state)
    assert offer is not None
    machine.take(state, offer.answers[keys.index(transcript.moves[-1].key)])
    return state


class _Steps:
    """Carries out one step after another and asks after each whether the laws hold."""

    def __init__(self, machine: PlainMachine, state: State) -> None:
        self.machine = machine
        self.state = state
        self.last: Culprit | None = None  # what acted last, or called another rule
        self.found: Culprit | None = None  # after this the laws have not held to the end

    def run(self) -> Culprit | None:
        state = self.state
        self.machine.work = 0
        try:
            while state.winners is None and state.stack:
                if self._block() is not None:
                    break
        except PlayError:
            return self.last
        return self.found

    def _block(self) -> Offer | None:
        machine, state = self.machine, self.state
        frame = state.stack[-1]
        lowered = machine.lowered_rules[frame.rule]
        block = lowered.blocks[frame.block]
        if isinstance(block.end, ir.Call) and not block.acts:
            self.last = Culprit(lowered.address, block.end.span)
        if not block.acts or state.asking >= 0:
            return machine.block(state)
        for step in block.steps:
            machine.act(state, step, frame.locals)
            self._after(lowered.address, step.span)
        if isinstance(block.end, ir.Call):
            self.last = Culprit(lowered.address, block.end.span)
        offer = machine.end(state, frame, block.end)
        if isinstance(block.end, ir.FinishEnd):
            self._after(lowered.address, block.end.span)
        return offer

    def _after(self, rule: str, span: Span) -> None:
        self.last = Culprit(rule, span)
        try:
            self.machine.check_laws(self.state)
            self.found = None
        except PlayError:
            self.found = self.found or self.last


def known(span: Span) -> bool:
    return span is not NOWHERE and span.file != NOWHERE.file
