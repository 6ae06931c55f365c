"""Whole games of random answers, as fast as they go: for simulation, search and benchmarks.

The answers come from one stream of their own (`chance`, seeded apart from the game's): for each question a number
below the count of its answers. It is cheaper than the dice of the bots, which begin anew at every decision, and gives
other games than theirs; with the same seeds both backends play the same one.
"""

from __future__ import annotations

from interpreter.backend import BACKENDS, machine_for
from interpreter.machine import answer_stream
from interpreter.outcome import Outcome
from warlock_dsl.ruleset import Ruleset

__all__ = ["answer_stream", "play_random"]


def play_random(
    ruleset: Ruleset, players: int, seed: int, backend: str = BACKENDS[0], laws: bool = False
) -> Outcome:
    """A whole game of random answers."""
    return machine_for(ruleset, players, laws, backend).play_games(seed, 1)[0]
