"""PettingZoo: as its pages show it, and with all that is not the game left out."""

from __future__ import annotations

import sys
from functools import partial
from importlib.metadata import version
from random import Random
from typing import Any

from pettingzoo.classic import connect_four_v3, tictactoe_v3

from benchmarks.lanes.serve import Play, serve

GAMES = {"tic-tac-toe": tictactoe_v3, "connect-four": connect_four_v3}


def play_shown(env: Any, first: int, count: int) -> tuple[int, list[int]]:
    """The environment with its wrappers, an action sampled from the mask of the legal ones."""
    decisions, wins = 0, [0, 0]
    for seed in range(first, first + count):
        env.reset(seed=seed)
        for agent in env.agent_iter():
            observation, reward, termination, truncation, _ = env.last()
            if termination or truncation:
                wins[env.possible_agents.index(agent)] += reward > 0
                env.step(None)
                continue
            env.step(env.action_space(agent).sample(observation["action_mask"]))
            decisions += 1
    return decisions, wins


def play_bare(env: Any, first: int, count: int) -> tuple[int, list[int]]:
    """The environment without its wrappers, and a program that stops at the end of the game."""
    decisions, wins, draw = 0, [0, 0], Random(first).random
    one, two = env.possible_agents
    for _ in range(count):
        env.reset()
        while not env.terminations[one]:
            legal = env.observe(env.agent_selection)["action_mask"].nonzero()[0].tolist()
            env.step(legal[int(draw() * len(legal))])
            decisions += 1
        wins[0] += env.rewards[one] > 0
        wins[1] += env.rewards[two] > 0
    return decisions, wins


def find(way: str, game: str) -> Play | None:
    if game not in GAMES:
        return None
    if way == "bare":
        return partial(play_bare, GAMES[game].raw_env())
    env = GAMES[game].env()
    env.reset()
    for seat, agent in enumerate(env.possible_agents):
        env.action_space(agent).seed(seat)
    return partial(play_shown, env)


if __name__ == "__main__":
    serve(partial(find, sys.argv[1]), f"PettingZoo {version('pettingzoo')}")
