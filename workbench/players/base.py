"""Bots: each is given a game in progress and picks the number of an option; the simplest of them.

A bot's own dice are seeded from the seed, its seat and how many answers have been given, so that it never touches the
game's stream, plays the same game again after an undo or a load, and needs nothing remembered.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from interpreter import Game
from interpreter.state import random as chance


class Bot(Protocol):
    def pick(self, game: Game) -> int:
        """The number of an option of the question that waits."""
        ...


def own_stream(seed: int, seat: int, answers: int) -> int:
    """A stream of a bot's own, apart from the game's and from every other bot's."""
    state = chance.seeded(seed)
    for number in (seat + 1, answers + 1):
        state, word = chance.step(state ^ number)
        state ^= word
    return state


class First:
    """Always takes the first option."""

    def pick(self, game: Game) -> int:
        return 0


class Random:
    """Takes any option, each as likely."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def pick(self, game: Game) -> int:
        return chance.below(own_stream(self.seed, game.to_move, len(game.answers)), game.option_count)[1]


def play_out(game: Game, bots: Sequence[Bot], after: Callable[[Game], None] | None = None) -> None:
    """Play a game to its end; `after` is told after each answer."""
    while not game.over:
        game.choose(bots[game.to_move].pick(game))
        if after is not None:
            after(game)
