"""Hypothesis for rulesets: games, positions and stacks of overlays to draw from, and a state machine for any game.

Needs the extra `properties`. What is drawn shrinks to few players, a small seed and few answers.
"""

from __future__ import annotations

from workbench.fuzz.playthrough import Watch
from workbench.testing.properties import (
    LawsViolatedError,
    games,
    parameters,
    positions,
    ruleset_of,
    seats,
    stacks,
    state_machine,
    states,
)

__all__ = [
    "LawsViolatedError",
    "Watch",
    "games",
    "parameters",
    "positions",
    "ruleset_of",
    "seats",
    "stacks",
    "state_machine",
    "states",
]
