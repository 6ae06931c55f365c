"""The games of a search, to draw from: game after game of the campaign that `warlock fuzz` would play with seed 0.

Independent games of bots hardly ever come to what takes a plan. Those of a search branch off from rare positions. They
are the same in every process, and played when they are first asked for.
"""

from __future__ import annotations

from functools import lru_cache

from attrs import frozen

from warlock_dsl import Ruleset
from workbench.fuzz.campaign import WAVE, Campaign, Plan
from workbench.fuzz.playthrough import MAX_LENGTH
from workbench.fuzz.task import Quarry, task
from workbench.support.ruleset_source import source_of


@frozen
class SearchedGame:
    """A game by its answers; `broken` if the last of them breaks a law."""

    players: int
    seed: int
    keys: tuple[str, ...]
    broken: bool


class SearchedGames:
    """The games of one ruleset so far. The first that breaks a law is the last."""

    def __init__(self, ruleset: Ruleset) -> None:
        parts = ruleset.components
        numbers = tuple(range(parts.min_players, parts.max_players + 1))
        self._campaign = Campaign(Plan(source_of(ruleset), numbers, 0, MAX_LENGTH))
        self._games: list[SearchedGame] = []

    def game(self, number: int) -> SearchedGame:
        """The game of a number, or the one that broke a law before it."""
        while len(self._games) <= number and not (self._games and self._games[-1].broken):
            found = [task(one) for one in self._campaign.next_wave(WAVE)]
            self._campaign.absorb(found)
            for quarry in sorted(found, key=lambda one: one.number):
                self._games.append(_of(quarry))
                if self._games[-1].broken:
                    break
        return self._games[min(number, len(self._games) - 1)]


def _of(quarry: Quarry) -> SearchedGame:
    if quarry.transcript is None:
        return SearchedGame(quarry.players, quarry.seed, quarry.answers, False)
    keys = tuple(move.key for move in quarry.transcript.moves)
    return SearchedGame(quarry.players, quarry.seed, keys, True)


@lru_cache(maxsize=8)
def searched_games(ruleset: Ruleset) -> SearchedGames:
    return SearchedGames(ruleset)
