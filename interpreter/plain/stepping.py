"""How the plain machine goes on: one answer that is taken whole or not at all, and games of random answers."""

from __future__ import annotations

from typing import Protocol

from interpreter.errors import AnswerError
from interpreter.outcome import Outcome, Outcomes
from interpreter.plain.questions import Answer, Offer
from interpreter.state import random as chance
from interpreter.state.layout import Layout
from interpreter.state.state import State

MAX_ANSWERS = 50_000  # of one game
MIX = 0x5DEECE66D  # tells the answers of a random game from its chance


class Running(Protocol):
    """What this needs of the machine."""

    layout: Layout

    def start(self, seed: int, log: bool = False) -> State: ...
    def run(self, s: State) -> Offer | None: ...
    def take(self, s: State, answer: Answer) -> None: ...
    def choose(self, s: State, number: int) -> None: ...
    def count(self, s: State) -> int: ...
    def key(self, s: State, number: int) -> str: ...
    def laws(self, s: State) -> None: ...
    def totals(self, s: State) -> tuple[int, ...]: ...


def advance(machine: Running, s: State, number: int) -> tuple[State, str]:
    if not 0 <= number < machine.count(s):
        raise AnswerError("there is no such option")
    before, key = s.copy(), machine.key(s, number)
    try:
        machine.choose(s, number)
        machine.run(s)
        machine.laws(s)
    except BaseException:  # an interrupted answer must not leave half a move behind either
        s.become(before)
        raise
    return before, key


def play_out(machine: Running, s: State, stream: int, maximum: int) -> tuple[int, int]:
    for number in range(maximum):
        offer = machine.run(s)
        if offer is None:
            return stream, number
        stream, pick = chance.below(stream, offer.count)
        machine.take(s, offer.answers[pick])
    return stream, maximum


def answer_stream(seed: int) -> int:
    """The stream the answers of a random game come from."""
    return chance.seeded(seed ^ MIX)


def play_games(machine: Running, first: int, count: int) -> Outcomes:
    found = Outcomes(machine.layout.players)
    for seed in range(first, first + count):
        state = machine.start(seed)
        _, decisions = play_out(machine, state, answer_stream(seed), MAX_ANSWERS)
        found.add(Outcome(state.winners or (), machine.totals(state), decisions))
    return found
