"""Shorter games with the same breach, by playing many in the manner of the shortest known.

Leaving answers out of a game can only get it shorter by so much: the right pieces come when they come. So games with
other seeds are played, each answer the likelier the more often the best games gave one like it to the same question;
whoever breaks the law sooner joins the best.
"""

from __future__ import annotations

from collections import Counter

from interpreter import Game, chance
from warlock_dsl.ruleset import Ruleset
from workbench.fuzz.pilots import weighted
from workbench.fuzz.walk import Walk, watch_for
from workbench.lab.course import Course, question_of
from workbench.lab.likeness import likeness
from workbench.seats import own_stream

ELITE = 4  # games that are imitated
WEIGHT = 40  # of an answer that all of them gave, beside 1 for one that none gave


class Sampler:
    """Looks for games in which the same law breaks, in fewer decisions."""

    def __init__(self, ruleset: Ruleset, law: str, key: str) -> None:
        self.ruleset = ruleset
        self.law, self.key = law, key
        self.elite: list[Course] = []
        self.number = 0
        self._given: dict[str, Counter[str]] = {}

    def imitate(self, course: Course) -> None:
        """Imitate this game, too; the shortest are kept."""
        self.elite = sorted([course, *self.elite], key=lambda one: len(one.moves))[:ELITE]
        self._given = {}
        for one in self.elite:
            for move in one.moves:
                self._given.setdefault(move.question, Counter())[self._like(move.key)] += 1

    def sample(self, players: int, longest: int) -> Course | None:
        """One game; what was played up to the breach, if there is one within so many decisions."""
        self.number += 1
        walk = Walk(self.ruleset, players, self.number - 1, watch_for(self.law, longest))
        self._stream = own_stream(self.number, players, longest)
        while (game := walk.standing) is not None:
            walk.choose(self._pick(game))
        if walk.breach is None or walk.breach.key != self.key:
            return None
        return walk.course

    def _pick(self, game: Game) -> int:
        decision = game.decision
        assert decision is not None
        given = self._given.get(question_of(decision))
        if given is None:
            self._stream, number = chance.below(self._stream, len(decision.options))
            return number
        total = given.total()
        likes = [self._like(option.key) for option in decision.options]
        alike = Counter(likes)
        weights = [1000 * (total + WEIGHT * given[like]) // (total * alike[like]) for like in likes]
        self._stream, number = weighted(self._stream, weights)
        return number

    def _like(self, key: str) -> str:
        return likeness(self.ruleset, key) or key
