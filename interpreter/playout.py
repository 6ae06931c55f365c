"""Whole games of random answers, as fast as they go: for simulation, search and benchmarks.

The answers come from one stream of their own (`chance`, seeded apart from the game's): for each question a number
below the count of its answers. It is cheaper than the dice of the bots, which begin anew at every decision, and gives
other games than theirs; with the same seeds both backends play the same one.
"""

from __future__ import annotations

from attrs import frozen

from interpreter.backend import BACKENDS, machine_for
from interpreter.chance import seeded
from interpreter.machine import Machine
from interpreter.state import State
from warlock_dsl.ruleset import Ruleset


@frozen
class Outcome:
    """How a game came out: the winners, each seat's points in units, and how many questions were answered."""

    winners: tuple[int, ...]
    totals: tuple[int, ...]
    decisions: int


def play_random(
    ruleset: Ruleset, players: int, seed: int, backend: str = BACKENDS[0], laws: bool = False
) -> Outcome:
    """A whole game of random answers."""
    machine = machine_for(ruleset, players, laws, backend)
    state = machine.start(seed)
    _, decisions = machine.play_out(state, answer_stream(seed))
    return outcome(machine, state, decisions)


def answer_stream(seed: int) -> int:
    """The stream the answers of a random game come from."""
    return seeded(seed ^ 0x5DEECE66D)


def outcome(machine: Machine, state: State, decisions: int) -> Outcome:
    machine.work = 0
    totals = tuple(sum(machine.parts(state, player)) for player in range(machine.layout.players))
    return Outcome(state.winners or (), totals, decisions)
