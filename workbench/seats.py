"""Who may sit at a table: the bots, under one roof."""

from __future__ import annotations

from workbench.players.base import Bot, First, Random, own_stream, play_out
from workbench.players.greedy import Greedy
from workbench.players.roster import BOTS, bot_of, spelt, split_seats, thinks
from workbench.players.search import Mcts, MonteCarlo

__all__ = [
    "BOTS",
    "Bot",
    "First",
    "Greedy",
    "Mcts",
    "MonteCarlo",
    "Random",
    "bot_of",
    "own_stream",
    "play_out",
    "spelt",
    "split_seats",
    "thinks",
]
