"""How fast a ruleset is: whole random games, decisions and copies a second, for each backend, side by side."""

from __future__ import annotations

import sys
import tracemalloc
from collections.abc import Callable
from functools import partial
from time import perf_counter, process_time
from typing import TypeVar

from attrs import define, frozen

from interpreter.backend import BACKENDS, keep_in, machine_for
from interpreter.machine import Machine
from interpreter.playout import answer_stream
from interpreter.state import State
from warlock_dsl.ruleset import Ruleset
from workbench import cache

T = TypeVar("T")
SLICE = 0.2  # seconds one backend runs before the other has its turn: a busy machine is busy for both
COPYING = 0.1  # seconds for copies
COPIES = 200  # at once


@define
class Tally:
    """What a backend has done so far, in seconds of processor time."""

    games: int = 0
    decisions: int = 0
    seconds: float = 0.0


@frozen
class Speed:
    """What a backend does in a second, and what it takes to load."""

    games: float
    decisions: float
    copies: float
    load_cold: float
    load_cached: float | None  # None: there is no cache to load from


@frozen
class Bench:
    players: int
    seconds: float
    speeds: dict[str, Speed]
    decisions: float  # of a game, on average
    state_bytes: int  # of a state in the middle of a game
    peak_bytes: int | None  # of the whole process; None where the system does not tell


def measure(
    seats: Callable[[], int], seconds: float, cold: Callable[[], Ruleset], cached: Callable[[], Ruleset]
) -> tuple[Ruleset, Bench]:
    """Load, play and copy. `cold` loads the ruleset from its files, `cached` from the cache where there is one."""
    loads: dict[str, tuple[float, float | None]] = {}
    keep_in(None)
    ruleset, read = _timed(cold)
    players = seats()
    for backend in BACKENDS:
        loads[backend] = (read + _timed(partial(_machine, ruleset, players, backend))[1], None)
    if cache.folder() is not None:
        keep_in(cache.CodeStore())
        for backend in BACKENDS:
            _machine(cached(), players, backend)  # so that it is there
            loads[backend] = (loads[backend][0], _timed(partial(_anew, cached, players, backend))[1])
    tallies, middle = _play(ruleset, players, seconds)
    copies = {backend: _copies(middle) for backend in BACKENDS}
    speeds = {b: _speed(tallies[b], copies[b], *loads[b]) for b in BACKENDS}
    games = sum(tally.games for tally in tallies.values())
    decisions = sum(tally.decisions for tally in tallies.values()) / max(games, 1)
    return ruleset, Bench(players, seconds, speeds, decisions, _state_bytes(middle), peak())


def _timed(work: Callable[[], T]) -> tuple[T, float]:
    start = perf_counter()
    done = work()
    return done, perf_counter() - start


def _machine(ruleset: Ruleset, players: int, backend: str) -> Machine:
    """A machine made anew, whatever this process has made before."""
    return machine_for.__wrapped__(ruleset, players, False, backend)


def _anew(cached: Callable[[], Ruleset], players: int, backend: str) -> Machine:
    return _machine(cached(), players, backend)


def _speed(tally: Tally, copies: float, cold: float, cached: float | None) -> Speed:
    seconds = max(tally.seconds, 1e-9)
    return Speed(tally.games / seconds, tally.decisions / seconds, copies, cold, cached)


def _play(ruleset: Ruleset, players: int, seconds: float) -> tuple[dict[str, Tally], State]:
    """Random games by turns: a slice of time for each backend, the same games for both from the first on."""
    machines = {backend: machine_for(ruleset, players, False, backend) for backend in BACKENDS}
    tallies = {backend: Tally() for backend in BACKENDS}
    end = perf_counter() + seconds
    while True:
        for backend in BACKENDS:
            _slice(machines[backend], tallies[backend])
        if perf_counter() >= end:
            break
    machine = machines[BACKENDS[0]]
    whole = machine.play_out(machine.start(0), answer_stream(0))[1]
    middle = machine.start(0)
    machine.play_out(middle, answer_stream(0), whole // 2)
    machine.run(middle)
    return tallies, middle


def _slice(machine: Machine, tally: Tally) -> None:
    start = process_time()
    while process_time() - start < SLICE:
        state = machine.start(tally.games)
        tally.decisions += machine.play_out(state, answer_stream(tally.games))[1]
        tally.games += 1
    tally.seconds += process_time() - start


def _copies(state: State) -> float:
    done, start = 0, process_time()
    while process_time() - start < COPYING:
        for _ in range(COPIES):
            state.copy()
        done += COPIES
    return done / (process_time() - start)


def _state_bytes(state: State) -> int:
    tracemalloc.start()
    kept = [state.copy() for _ in range(COPIES)]
    used = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    return used // len(kept)


def peak() -> int | None:
    """The most memory this process has used."""
    if sys.platform == "win32":
        return None
    import resource

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024
