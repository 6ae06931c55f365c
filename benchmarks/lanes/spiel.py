"""OpenSpiel: its C++ games driven from Python, its Python games, and its rollouts that stay inside C++."""

from __future__ import annotations

import sys
from functools import partial
from importlib.metadata import version
from random import Random
from typing import Any

import open_spiel.python.games  # noqa: F401  (registers the games written in Python)
import pyspiel

from benchmarks.lanes.serve import Play, serve

COMPILED = {"tic-tac-toe": "tic_tac_toe", "connect-four": "connect_four"}
PYTHON = {"tic-tac-toe": "python_tic_tac_toe"}


def play_driven(game: Any, first: int, count: int) -> tuple[int, list[int]]:
    """A Python program asks for the legal actions and applies one of them."""
    decisions, wins, draw = 0, [0, 0], Random(first).random
    for _ in range(count):
        state = game.new_initial_state()
        while not state.is_terminal():
            actions = state.legal_actions()
            state.apply_action(actions[int(draw() * len(actions))])
            decisions += 1
        returns = state.returns()
        wins[0] += returns[0] > 0
        wins[1] += returns[1] > 0
    return decisions, wins


def play_inside(game: Any, first: int, count: int) -> tuple[int, list[int]]:
    """Rollouts by the evaluator of its tree search. They can only be had through a search, and of one visit: that one
    is spent on the position asked about, and its value is the mean of so many rollouts. Decisions are not told."""
    evaluator = pyspiel.RandomRolloutEvaluator(count, first + 1)
    bot = pyspiel.MCTSBot(game, evaluator, 1.0, 1, 1, False, first + 1, False)
    found = bot.mcts_search(game.new_initial_state())
    assert found.explore_count == 1 and not found.children, "more than the one visit"
    return 0, [0, 0]


def find(way: str, game: str) -> Play | None:
    names = PYTHON if way == "python" else COMPILED
    if game not in names:
        return None
    return partial(play_inside if way == "inside" else play_driven, pyspiel.load_game(names[game]))


if __name__ == "__main__":
    serve(partial(find, sys.argv[1]), f"OpenSpiel {version('open_spiel')}")
