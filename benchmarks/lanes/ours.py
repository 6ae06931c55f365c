"""Games from data. A game is named as on the command line, with the number of players after a colon if it matters.

`whole` plays whole games of random answers, many by one call. `game` is driven from Python, decision by decision,
through the public face of a game; `machine` likewise, through what lies below it, which keeps no way back and no record
of the answers. `copy` copies a state in the middle of a game,
`branch` also answers on the copy and goes on to the next question, `compile` makes the machine of a checked ruleset:
what they count as decisions are copies and machines.
"""

from __future__ import annotations

import sys
from collections import Counter
from functools import partial
from importlib.metadata import version
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.lanes.serve import Play, serve
from interpreter import BACKENDS, Game, Machine, answer_stream, machine_for, why_plain
from warlock_dsl.load import load
from warlock_dsl.ruleset import Ruleset

ROOT = Path(__file__).parents[2]
WAYS = ("whole", "game", "machine")
WORKS = ("copy", "branch", "compile")


def play_whole(machine: Machine, first: int, count: int) -> tuple[int, list[int]]:
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


def play_machine(machine: Machine, first: int, count: int) -> tuple[int, list[int]]:
    """The same, below the public face."""
    decisions, wins, draw = 0, [0] * machine.players, Random(first).random
    run, options, choose = machine.run, machine.count, machine.choose
    for seed in range(first, first + count):
        state = machine.start(seed)
        run(state)
        while number := options(state):
            choose(state, int(draw() * number))
            run(state)
            decisions += 1
        for seat in machine.winners(state) or ():
            wins[seat] += 1
    return decisions, wins


def middle(machine: Machine) -> Any:
    """A state in the middle of the first game, where somebody is asked."""
    whole = machine.play_out(machine.start(0), answer_stream(0))[1]
    state = machine.start(0)
    machine.play_out(state, answer_stream(0), whole // 2)
    machine.run(state)
    return state


def copies(machine: Machine, state: Any, first: int, count: int) -> tuple[int, list[int]]:
    copy = machine.copy
    for _ in range(count):
        copy(state)
    return count, [0]


def branches(machine: Machine, state: Any, first: int, count: int) -> tuple[int, list[int]]:
    """Each option in turn."""
    copy, choose, run, options = machine.copy, machine.choose, machine.run, machine.count(state)
    for number in range(count):
        other = copy(state)
        choose(other, number % options)
        run(other)
    return count, [0]


def compilations(ruleset: Ruleset, players: int, backend: str, first: int, count: int) -> tuple[int, list[int]]:
    for _ in range(count):
        machine_for.__wrapped__(ruleset, players, False, backend)
    return count, [0]


def find(way: str, backend: str, game: str, rules: Path = ROOT / "rules") -> Play | None:
    name, _, seats = game.partition(":")
    loaded = load(name, [rules, ROOT / "benchmarks" / "rules"])
    if loaded.ruleset is None:
        raise SystemExit("\n".join(str(error) for error in loaded.diagnostics))
    ruleset = loaded.ruleset
    players = int(seats) if seats else ruleset.components.min_players
    if way == "game":
        return partial(play_game, ruleset, players, backend)
    if way == "compile":
        return partial(compilations, ruleset, players, backend)
    machine = machine_for(ruleset, players, False, backend)
    if backend != "plain" and why_plain(machine):
        raise SystemExit(f"the plain machine would play, because {why_plain(machine)}")
    if way in ("copy", "branch"):
        return partial(copies if way == "copy" else branches, machine, middle(machine))
    return partial(play_machine if way == "machine" else play_whole, machine)


def main(way: str, backend: str = BACKENDS[0], rules: str = str(ROOT / "rules")) -> None:
    assert way in WAYS + WORKS and backend in BACKENDS, (way, backend)
    serve(lambda game: find(way, backend, game, Path(rules)), f"Warlock {version('warlock-rules')}")


if __name__ == "__main__":
    main(*sys.argv[1:])
