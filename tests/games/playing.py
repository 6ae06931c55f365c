"""Random games for tests, of any shipped game."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter import Game
from interpreter.state import random as chance
from interpreter.state.observe import ZoneView
from warlock_dsl.ruleset import Ruleset


def random_game(ruleset: Ruleset, players: int, seed: int, log: bool = False) -> Iterator[Game]:
    """A game of random answers; yields at every decision, and once when it is over."""
    game = Game.start(ruleset, players, seed, log=log)
    dice = chance.seeded(seed + 1_000_003)
    while not game.over:
        yield game
        dice, pick = chance.below(dice, game.option_count)
        game.choose(pick)
    yield game


def last_of(ruleset: Ruleset, players: int, seed: int) -> Game:
    *_, game = random_game(ruleset, players, seed)
    return game


def zone(game: Game, name: str, owner: int = -1) -> ZoneView:
    return next(z for z in game.observe(-1).zones if z.name == name and z.owner == owner)
