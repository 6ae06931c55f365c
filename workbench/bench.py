"""How fast a ruleset is: whole random games, decisions from Python, copies, compiling; for each machine, side by side.

Everything is processor time. The machines take turns, so that a busy computer is busy for both.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from time import perf_counter, process_time
from typing import Any, TypeVar

from attrs import define, frozen

from interpreter import BACKENDS, Game, Machine, PlayError, answer_stream, machine_for, why_plain
from interpreter.state.random import below
from warlock_dsl import Ruleset, entries_folder

T = TypeVar("T")
SLICE = 0.2  # seconds one machine plays before the other has its turn
SMALL = 0.1  # seconds for what is quick: copies, compiling
AT_ONCE = 100  # copies between two looks at the clock


@define
class Tally:
    """What a machine has done so far, in seconds of processor time."""

    games: int = 0
    decisions: int = 0
    seconds: float = 0.0
    steps: int = 0  # decisions one by one
    stepping: float = 0.0


@frozen
class Speed:
    """What a machine does in a second, and what it takes to load."""

    games: float
    decisions: float
    steps: float
    copies: float
    compiling: float  # seconds, from a checked ruleset
    load_cold: float
    load_cached: float | None  # None: there is no cache to load from


@frozen
class Bench:
    players: int
    seconds: float
    speeds: dict[str, Speed]
    runs: str  # the machine that plays this ruleset where nothing else is said
    why: str  # why that is the plain one; "" where it is not
    decisions: float  # of a game, on average
    state_bytes: int  # of a state in the middle of a game
    peak_bytes: int | None  # of the whole process; None where the system does not tell


def measure(
    seats: Callable[[], int], seconds: float, cold: Callable[[], Ruleset], cached: Callable[[], Ruleset]
) -> tuple[Ruleset, Bench]:
    """Load, play and copy. `cold` loads the ruleset from its files, `cached` from the cache where there is one."""
    ruleset, read = _timed(cold)
    again = None
    if entries_folder() is not None:
        cached()  # so that it is there
        again = _timed(cached)[1]
    players = seats()
    why = why_plain(machine_for(ruleset, players, False))
    names = ("plain",) if why else BACKENDS
    machines = {name: _machine(ruleset, players, name) for name in names}
    compiling = {name: _seconds(partial(_machine, ruleset, players, name)) for name in names}
    tallies = _play(ruleset, machines, seconds)
    middle = {name: _middle(machine) for name, machine in machines.items()}
    speeds = {}
    for name, machine in machines.items():
        tally, made = tallies[name], compiling[name]
        speeds[name] = Speed(
            games=tally.games / max(tally.seconds, 1e-9),
            decisions=tally.decisions / max(tally.seconds, 1e-9),
            steps=tally.steps / max(tally.stepping, 1e-9),
            copies=1 / _seconds(partial(machine.copy, middle[name])),
            compiling=made,
            load_cold=read + made,
            load_cached=None if again is None else again + made,
        )
    games = sum(tally.games for tally in tallies.values())
    decisions = sum(tally.decisions for tally in tallies.values()) / max(games, 1)
    size = sys.getsizeof(middle[names[0]])
    return ruleset, Bench(players, seconds, speeds, names[0], why, decisions, size, peak())


def _timed(work: Callable[[], T]) -> tuple[T, float]:
    start = process_time()
    done = work()
    return done, process_time() - start


def _machine(ruleset: Ruleset, players: int, backend: str) -> Machine:
    """A machine made anew, whatever this process has made before."""
    return machine_for.__wrapped__(ruleset, players, False, backend)


def _seconds(work: Callable[[], object]) -> float:
    """How long something takes, on average: once where that is long, many times where it is not."""
    work()
    done, start, count = 0, process_time(), 1
    while (taken := process_time() - start) < SMALL:
        for _ in range(count):
            work()
        done += count
        count = min(2 * count, AT_ONCE)
    return taken / done


def _play(ruleset: Ruleset, machines: dict[str, Machine], seconds: float) -> dict[str, Tally]:
    """Random games by turns: a slice of time for each machine, the same games for all from the first on."""
    tallies = {name: Tally() for name in machines}
    end = perf_counter() + seconds
    while True:
        for name, machine in machines.items():
            _slice(ruleset, machine, tallies[name])
            _steps(machine, tallies[name])
        if perf_counter() >= end:
            return tallies


def _slice(ruleset: Ruleset, machine: Machine, tally: Tally) -> None:
    start, count = process_time(), 1
    while (taken := process_time() - start) < SLICE:
        try:
            tally.decisions += machine.play_games(tally.games, count).decisions
        except PlayError:
            _play_again(machine, ruleset, tally.games, count)
            raise
        tally.games += count
        if taken < SLICE / 8:
            count *= 2
    tally.seconds += taken


def _steps(machine: Machine, tally: Tally) -> None:
    """Decisions one by one, as a program takes them: how many options there are, one of them, and on."""
    start, seed = process_time(), tally.steps
    while (taken := process_time() - start) < SLICE / 2:
        seed += 1
        state, stream = machine.start(seed), answer_stream(seed)
        machine.run(state)
        while options := machine.count(state):
            stream, pick = below(stream, options)
            machine.choose(state, pick)
            machine.run(state)
            tally.steps += 1
    tally.stepping += taken


def _play_again(machine: Machine, ruleset: Ruleset, first: int, count: int) -> None:
    """The games of a slice in which the rules broke down, answer by answer, so that the error can say how it came."""
    for seed in range(first, first + count):
        game, stream = Game.start(ruleset, machine.players, seed, laws=False), answer_stream(seed)
        while not game.over:
            stream, pick = below(stream, game.option_count)
            game.choose(pick)
        game.scores()


def _middle(machine: Machine) -> Any:
    """A state in the middle of the first game."""
    whole = machine.play_out(machine.start(0), answer_stream(0))[1]
    middle = machine.start(0)
    machine.play_out(middle, answer_stream(0), whole // 2)
    machine.run(middle)
    return middle


def peak() -> int | None:
    """The most memory this process has used."""
    if sys.platform == "win32":
        return None
    import resource

    maximum = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return maximum if sys.platform == "darwin" else maximum * 1024
