"""The greedy player: what does each option come to, at once?"""

from __future__ import annotations

from interpreter import MachineBot
from interpreter.state import random as chance
from workbench.players.base import Simple


class Greedy(Simple):
    """Tries each option in positions it could be in, plays on at random for a little, and takes the best on average.

    It looks at nothing hidden. `budget` is how many tries one decision may take in all.
    """

    def __init__(self, seed: int, tries: int = 4, horizon: int = 8, budget: int = 64) -> None:
        super().__init__(MachineBot("greedy", chance.seeded(seed), tries, horizon, budget))
