"""Bots: each is given a game in progress and picks the number of an option; those that a machine can be by itself.

A bot's own dice are seeded from the seed, its seat and how many answers have been given, so that it never touches the
game's stream, plays the same game again after an undo or a load, and needs nothing remembered.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

import interpreter
from interpreter import Game, MachineBot, Said
from interpreter.state import random as chance


class Bot(Protocol):
    def pick(self, game: Game) -> int:
        """The number of an option of the question that waits."""
        ...


def own_stream(seed: int, seat: int, answers: int) -> int:
    """A stream of a bot's own, apart from the game's and from every other bot's."""
    return interpreter.own_stream(chance.seeded(seed), seat, answers)


class Simple:
    """A bot that a machine can be by itself."""

    def __init__(self, bot: MachineBot) -> None:
        self.bot = bot

    def pick(self, game: Game) -> int:
        if game.option_count == 1:
            return 0
        return game.search_machine.pick(game.search_state, self.bot, len(game.answers))


class First(Simple):
    """Always takes the first option."""

    def __init__(self) -> None:
        super().__init__(MachineBot("first"))

    def pick(self, game: Game) -> int:
        return 0


class Random(Simple):
    """Takes any option, each as likely."""

    def __init__(self, seed: int) -> None:
        super().__init__(MachineBot("random", chance.seeded(seed)))

    def pick(self, game: Game) -> int:
        stream = interpreter.own_stream(self.bot.stream, game.to_move, len(game.answers))
        return chance.below(stream, game.option_count)[1]


def play_among(game: Game, bots: Sequence[Bot], maximum: int, said: list[Said]) -> None:
    """Play among bots, up to a number of answers. Those given are added to `said`, also where the rules break down."""
    simple = [bot.bot for bot in bots if isinstance(bot, Simple)]
    if len(simple) == len(bots):
        game.play_among(simple, maximum, said)
        return
    while not game.over and len(game.answers) < maximum:
        seat, question = game.to_move, game.question
        game.choose(bots[seat].pick(game))
        said.append(Said(seat, question, game.answers[-1]))


def play_out(game: Game, bots: Sequence[Bot], after: Callable[[Game], None] | None = None) -> None:
    """Play a game to its end; `after` is told after each answer."""
    while not game.over:
        game.choose(bots[game.to_move].pick(game))
        if after is not None:
            after(game)
