"""Games from data. A game is named as on the command line, with the number of players after a colon if it matters.

`whole` plays whole games of random answers: by one call for many games where the machine has one, game by game else;
`each` always does so game by game. `game` is driven from Python, decision by decision, through the public face of a
game; `machine` likewise, through what lies below it, which keeps no way back and no record of the answers.
"""

from __future__ import annotations

import sys
from functools import partial
from importlib.metadata import version
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.lanes.serve import Play, serve
from interpreter import Game
from interpreter.backend import BACKENDS, machine_for
from interpreter.playout import answer_stream
from warlock_dsl.load import load
from warlock_dsl.ruleset import Ruleset

ROOT = Path(__file__).parents[2]
WAYS = ("whole", "each", "game", "machine")


def play_whole(machine: Any, first: int, count: int) -> tuple[int, list[int]]:
    """Many whole games of random answers."""
    if hasattr(machine, "play_games"):
        decisions, wins = machine.play_games(first, count)
        return decisions, list(wins)
    return play_each(machine, first, count)


def play_each(machine: Any, first: int, count: int) -> tuple[int, list[int]]:
    """The same, game by game."""
    decisions, wins = 0, [0] * machine.layout.players
    for seed in range(first, first + count):
        state = machine.start(seed)
        decisions += machine.play_out(state, answer_stream(seed))[1]
        for seat in state.winners or ():
            wins[seat] += 1
    return decisions, wins


def play_game(ruleset: Ruleset, players: int, backend: str, first: int, count: int) -> tuple[int, list[int]]:
    """The same, with a program that asks how many options there are and takes one."""
    decisions, wins, draw = 0, [0] * players, Random(first).random
    for seed in range(first, first + count):
        game = Game.start(ruleset, players, seed, laws=False, backend=backend)
        while not game.over:
            game.choose(int(draw() * game.option_count))
            decisions += 1
        for seat in game.winners:
            wins[seat] += 1
    return decisions, wins


def play_machine(machine: Any, first: int, count: int) -> tuple[int, list[int]]:
    """The same, below the public face."""
    decisions, wins, draw = 0, [0] * machine.layout.players, Random(first).random
    for seed in range(first, first + count):
        state = machine.start(seed)
        while (offer := machine.run(state)) is not None:
            machine.take(state, offer.answers[int(draw() * offer.count)])
            decisions += 1
        for seat in state.winners or ():
            wins[seat] += 1
    return decisions, wins


def find(way: str, backend: str, game: str) -> Play | None:
    name, _, seats = game.partition(":")
    loaded = load(name, [ROOT / "rules", ROOT / "benchmarks" / "rules"])
    if loaded.ruleset is None:
        raise SystemExit("\n".join(str(fault) for fault in loaded.diagnostics))
    ruleset = loaded.ruleset
    players = int(seats) if seats else ruleset.components.least_players
    if way == "game":
        return partial(play_game, ruleset, players, backend)
    played = {"whole": play_whole, "each": play_each, "machine": play_machine}[way]
    return partial(played, machine_for(ruleset, players, False, backend))


def main(way: str, backend: str = BACKENDS[0]) -> None:
    assert way in WAYS and backend in BACKENDS, (way, backend)
    serve(partial(find, way, backend), f"Warlock {version('warlock-rules')}")


if __name__ == "__main__":
    main(*sys.argv[1:])
