"""A bot with likes and dislikes: it reaches corners of a game that play at random hardly ever comes to.

Random play spreads its answers evenly and so never keeps anything up. A biased bot draws, once for each game, how
much it likes every answer to every question, from hardly at all to very much, and holds to that. Over many games some
bots do one thing whenever they can, some never do it, and every mixture comes up.
"""

from __future__ import annotations

import zlib

from interpreter import Game, class_name
from interpreter.state import random as chance
from workbench.players.base import own_stream

LIKES = (1, 8, 60, 400, 3000)


class BiasedBot:
    """Takes an option by its own likings; which pieces of a kind it is about, it does not mind."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def pick(self, game: Game) -> int:
        question, layout = game.question, game.machine.layout
        likes = []
        for option in game.options():
            word = option.key
            piece = layout.piece_number.get(word.removeprefix("+"))
            if piece is not None:
                word = class_name(layout, piece)
            likes.append(self.liking(f"{question} {option.what if option.what != 'value' else word}"))
        stream = own_stream(self.seed, game.to_move, len(game.answers))
        _, left = chance.below(stream, sum(likes))
        for number, liking in enumerate(likes):
            left -= liking
            if left < 0:
                return number
        raise AssertionError("likings that do not add up")

    def liking(self, what: str) -> int:
        """How much it likes something: the same for a whole game, on every machine."""
        stream = chance.seeded(self.seed) ^ zlib.crc32(what.encode())
        return LIKES[chance.below(stream, len(LIKES))[1]]
