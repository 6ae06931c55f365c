"""Games from data. A game is named as on the command line, with the number of players after a colon if it matters.

`whole` plays whole games of random answers, many by one call: in C, where there is a compiler. `python` does so without
C. `game` is driven from Python, decision by decision, through the public face of a game; `machine` likewise, through
what lies below it, which keeps no way back and no record of the answers.
"""

from __future__ import annotations

import sys
from collections import Counter
from functools import partial
from importlib.metadata import version
from pathlib import Path
from random import Random

from benchmarks.lanes.serve import Play, serve
from interpreter import Game
from interpreter.generated import Generated
from interpreter.machine import BACKENDS, machine_for
from interpreter.plain.machine import PlainMachine
from warlock_dsl.load import load
from warlock_dsl.ruleset import Ruleset
from workbench.support.native import speed_up

ROOT = Path(__file__).parents[2]
WAYS = ("whole", "python", "game", "machine")


def play_whole(machine: PlainMachine, first: int, count: int) -> tuple[int, list[int]]:
    """Many whole games of random answers."""
    found = machine.play_games(first, count)
    by_winners = Counter(found.numbers[1 :: found.width])
    seats = range(found.players)
    return found.decisions, [sum(n for bits, n in by_winners.items() if bits >> seat & 1) for seat in seats]


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


def play_machine(machine: PlainMachine, first: int, count: int) -> tuple[int, list[int]]:
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
        raise SystemExit("\n".join(str(error) for error in loaded.diagnostics))
    ruleset = loaded.ruleset
    players = int(seats) if seats else ruleset.components.min_players
    if way == "game":
        return partial(play_game, ruleset, players, backend)
    machine = machine_for(ruleset, players, False, backend)
    if isinstance(machine, Generated):
        if way == "whole" and machine.quick.ready(compiling=True) is None:
            return None
        if way == "python":
            machine.quick.off()
    return partial(play_machine if way == "machine" else play_whole, machine)


def main(way: str, backend: str = BACKENDS[0]) -> None:
    assert way in WAYS and backend in BACKENDS, (way, backend)
    speed_up()
    serve(partial(find, way, backend), f"Warlock {version('warlock-rules')}")


if __name__ == "__main__":
    main(*sys.argv[1:])
