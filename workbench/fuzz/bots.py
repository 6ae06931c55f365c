"""Who answers in the search: at random, by the whims of one game, or towards what has been tried least.

Whims are what makes long plans happen by chance: for the length of one game every class of options is loved, liked or
shunned, so that some games do one thing all the time that evenly random play hardly does twice.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping

from interpreter import Game
from interpreter.state import random as chance
from warlock_dsl import Ruleset
from workbench.fuzz.features import option_classes

WHIMS = (1, 8, 8, 64)  # how likely an option is to be taken, by how its class is liked: shunned, liked, loved
GUIDED_BOTS = ("even", "whims", "curious")


def weighted(stream: int, weights: list[int]) -> tuple[int, int]:
    """The stream after it, and a place in the list, each as likely as its weight says."""
    stream, left = chance.below(stream, sum(weights))
    for place, weight in enumerate(weights):
        left -= weight
        if left < 0:
            return stream, place
    raise AssertionError("weights that do not add up")


class GuidedBot:
    """Picks options; its dice are its own."""

    def __init__(self, ruleset: Ruleset, kind: str, seed: int, seen: Mapping[tuple[str, str], int]) -> None:
        self.ruleset = ruleset
        self.kind = kind
        self.seen = seen
        self._stream = chance.seeded(seed)
        self._salt = str(seed)
        self._whims: dict[tuple[str, str], int] = {}
        self._own: dict[tuple[str, str], int] = {}

    def pick(self, game: Game) -> int:
        if self.kind == "even":
            return self._below(game.option_count)
        question = game.question
        classes = [(question, like) for like in option_classes(self.ruleset).of(game)]
        alike = Counter(classes)
        return self._weighted([self._weight(one, alike[one]) for one in classes], classes)

    def _weight(self, one: tuple[str, str], alike: int) -> int:
        """Options of one class share what their class is worth."""
        if self.kind == "curious":
            weight = 1_000_000 // (1 + self.seen.get(one, 0) + 4 * self._own.get(one, 0))
        else:
            weight = 10_000 * self._whim(one)
        return max(1, weight // alike)

    def _whim(self, one: tuple[str, str]) -> int:
        if one not in self._whims:
            text = "\n".join((self._salt, *one)).encode()
            self._whims[one] = WHIMS[hashlib.sha256(text).digest()[0] % len(WHIMS)]
        return self._whims[one]

    def _weighted(self, weights: list[int], classes: list[tuple[str, str]]) -> int:
        self._stream, number = weighted(self._stream, weights)
        self._own[classes[number]] = self._own.get(classes[number], 0) + 1
        return number

    def _below(self, n: int) -> int:
        self._stream, found = chance.below(self._stream, n)
        return found
