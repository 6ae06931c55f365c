"""Plays a game on two machines with the same answers, and compares everything that they tell of it, step by step.

Only the protocol of `interpreter/machine.py` is used: a machine may hold its states as it likes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import frozen

from interpreter import LawViolationError, Machine, PlayError
from interpreter.state import random as chance

ENDED = "ended"  # what a step gives when nobody is asked any more


@frozen
class Difference:
    """What differs, at which decision, and what each of the two machines says."""

    step: int
    what: str
    one: Any
    other: Any

    def __str__(self) -> str:
        return f"at decision {self.step}: {self.what}\n  one:   {self.one!r}\n  other: {self.other!r}"


class DifferenceFound(Exception):
    def __init__(self, difference: Difference) -> None:
        super().__init__(str(difference))
        self.difference = difference


@frozen
class Played:
    """How a game went: its decisions, how it ended (`over`, `stopped`, or the message of an error)."""

    decisions: int
    ending: str


@frozen
class Plan:
    """What is compared. `work` needs machines that count it alike, and that say so by an attribute `work`."""

    max_decisions: int = 25
    work: bool = False
    log: bool = True
    hints: bool = True  # whether the hints of errors must be the same
    every: int = 5  # after so many decisions come copies, packed states, redeals and play-outs
    play_out: int = 60  # answers of a play-out
    look: int = 1  # at every so many decisions all is compared; at the others who is asked, what, and the digest


USUAL = Plan()


def told(error: BaseException) -> tuple[Any, ...]:
    """An error as a caller sees it: its type, words, rule, place and hint."""
    if not isinstance(error, PlayError):
        return ("crash", type(error).__name__, str(error))
    law = error.law if isinstance(error, LawViolationError) else ""
    return type(error).__name__, error.message, error.rule, str(error.span), error.hint, law


def outcome(call: Callable[[], Any]) -> tuple[str, Any]:
    """What a call gives, or the error that it ends in."""
    try:
        return "value", call()
    except Exception as error:
        return "error", told(error)


class Lockstep:
    """Two machines, a state of each, and how far they are."""

    def __init__(self, one: Machine, other: Machine, plan: Plan) -> None:
        self.machines = (one, other)
        self.plan = plan
        self.step = 0
        self.mark = 0

    def both(self, what: str, call: Callable[[Machine, Any], Any], states: tuple[Any, Any]) -> tuple[str, Any]:
        """Call both machines. What they give must be the same; a crash is a difference even if both crash."""
        one, other = (outcome(lambda m=m, s=s: call(m, s)) for m, s in zip(self.machines, states, strict=True))
        if not self.plan.hints and one[0] == other[0] == "error":
            one, other = (("error", (*error[:4], *error[5:])) for _, error in (one, other))
        if one != other or (one[0] == "error" and one[1][0] == "crash"):
            raise DifferenceFound(Difference(self.step, what, one[1], other[1]))
        return one

    # ------------------------------------------------------------------ one step

    def run(self, states: tuple[Any, Any]) -> str:
        """Go on to the next question; the message of an error, ENDED, or "" where somebody is asked."""
        kind, found = self.both("run", lambda m, s: (m.run(s), m.question(s))[1], states)
        if self.plan.work and kind == "value":
            work = [getattr(machine, "work", None) for machine in self.machines]
            if work[0] != work[1]:
                raise DifferenceFound(Difference(self.step, "work", *work))
        if kind == "error":
            return str(found[1])
        return "" if found else ENDED

    def glance(self, states: tuple[Any, Any]) -> None:
        """What is asked, and the digest of the state."""
        for what, call in (
            ("who is asked", lambda m, s: m.to_move(s)),
            ("how many options", lambda m, s: m.count(s)),
            ("answers", lambda m, s: list(m.answers(s))),
            ("winners", lambda m, s: m.winners(s)),
            ("digest", lambda m, s: m.digest(s)),
        ):
            self.both(what, call, states)

    def look(self, states: tuple[Any, Any]) -> None:
        """Everything that the machines tell of a state."""
        self.glance(states)
        for what, call in (
            ("options", lambda m, s: m.decision(s)),
            ("keys", lambda m, s: [m.key(s, number) for number in range(m.count(s))]),
            ("moves", lambda m, s: list(m.move_keys(s))),
            ("secrets", lambda m, s: m.secret_depth(s)),
            ("events", lambda m, s: list(m.events(s, self.mark))),
            ("scores", lambda m, s: m.scores(s)),
            ("points", lambda m, s: [list(parts) for parts in m.points(s)]),
            ("totals", lambda m, s: tuple(m.totals(s))),
            ("laws", lambda m, s: m.laws(s)),
        ):
            self.both(what, call, states)
        for seat in range(-1, self.machines[0].players):
            self.both(f"what seat {seat} sees", lambda m, s, seat=seat: m.observe(s, seat), states)
        self.mark += len(self.machines[0].events(states[0], self.mark))

    def aside(self, states: tuple[Any, Any], stream: int) -> tuple[Any, Any]:
        """Copies, packed states, other deals and play-outs. Gives states to go on with, which came from packed ones."""
        before = self.both("digest", lambda m, s: m.digest(s), states)
        _, packed = self.both("packed state", lambda m, s: m.pack(s), states)
        again = [machine.unpack(packed, log=self.plan.log) for machine in self.machines]
        unpacked = (again[0], again[1])
        self.run(unpacked)
        mark, self.mark = self.mark, 0
        self.look(unpacked)
        copies = (self.machines[0].copy(states[0]), self.machines[1].copy(states[1]))
        kind, _ = self.both("play-out", lambda m, s: m.play_out(s, stream, self.plan.play_out), copies)
        if kind == "value":
            self.both("digest after the play-out", lambda m, s: m.digest(s), copies)
            self.both("winners of the play-out", lambda m, s: m.winners(s), copies)
        for seat in range(self.machines[0].players):
            self.both(f"redeal for seat {seat}", lambda m, s, seat=seat: self.redealt(m, s, seat, stream), states)
        if self.both("digest of what was copied", lambda m, s: m.digest(s), states) != before:
            raise DifferenceFound(Difference(self.step, "a copy changed what it was copied from", before, ""))
        self.mark = mark
        return states

    def redealt(self, machine: Machine, state: Any, seat: int, stream: int) -> Any:
        after, found = machine.redeal(state, seat, stream)
        return after, machine.digest(found)

    # --------------------------------------------------------------- a whole game

    def play(self, seed: int) -> Played:
        """A game of random answers."""
        one, other = (machine.start(seed, log=self.plan.log) for machine in self.machines)
        states = (one, other)
        stream = chance.seeded(seed + 1)
        for number in range(self.plan.max_decisions):
            self.step = number
            ending = self.run(states)
            if ending not in ("", ENDED):
                return Played(number, ending)
            if ending or number % self.plan.look == 0:
                self.look(states)
            else:
                self.glance(states)
            if ending:
                return Played(number, "over")
            if number % self.plan.every == 1:
                states = self.aside(states, stream)
            stream, pick = chance.below(stream, self.machines[0].count(states[0]))
            self.both(f"choose {pick}", lambda m, s, pick=pick: m.choose(s, pick), states)
        return Played(self.plan.max_decisions, "stopped")


def compare(one: Machine, other: Machine, seed: int, plan: Plan = USUAL) -> Difference | Played:
    """A game on both machines: how it went, or the first difference."""
    try:
        return Lockstep(one, other, plan).play(seed)
    except DifferenceFound as found:
        return found.difference
