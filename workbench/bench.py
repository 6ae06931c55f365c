"""How fast a ruleset is: whole random games, decisions and copies a second, for each backend, side by side.

The generated backend plays whole games in C where there is a compiler; what it does without is measured beside it.
"""

from __future__ import annotations

import sys
import tracemalloc
from collections.abc import Callable
from functools import partial
from time import perf_counter, process_time
from typing import TypeVar

from attrs import define, frozen

from interpreter import (
    BACKENDS,
    Game,
    PlainMachine,
    PlayError,
    State,
    answer_stream,
    compile_with,
    keep_in,
    machine_for,
    native_source_for,
)
from interpreter.generated import Generated
from interpreter.state.random import below
from warlock_dsl import Ruleset, entries_folder
from workbench.support import cache
from workbench.support.native import Libraries

T = TypeVar("T")
SLICE = 0.2  # seconds one backend runs before the other has its turn: a busy machine is busy for both
COPYING = 0.1  # seconds for copies
COPIES = 200  # at once
WITHOUT_C = "generated_without_c"


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
    plays_in_c: bool


@frozen
class Bench:
    players: int
    seconds: float
    speeds: dict[str, Speed]
    decisions: float  # of a game, on average
    state_bytes: int  # of a state in the middle of a game
    peak_bytes: int | None  # of the whole process; None where the system does not tell
    compiling: float | None  # seconds to make the C and compile it; None where there is no compiler


def measure(
    seats: Callable[[], int], seconds: float, cold: Callable[[], Ruleset], cached: Callable[[], Ruleset]
) -> tuple[Ruleset, Bench]:
    """Load, play and copy. `cold` loads the ruleset from its files, `cached` from the cache where there is one."""
    loads: dict[str, tuple[float, float | None]] = {}
    keep_in(None)
    compile_with(Libraries())
    ruleset, read = _timed(cold)
    players = seats()
    for backend in BACKENDS:
        loads[backend] = (read + _timed(partial(_machine, ruleset, players, backend))[1], None)
    if entries_folder() is not None:
        keep_in(cache.CodeStore())
        for backend in BACKENDS:
            _machine(cached(), players, backend)  # so that it is there
            loads[backend] = (loads[backend][0], _timed(partial(_anew, cached, players, backend))[1])
    machines = {backend: _machine(ruleset, players, backend) for backend in BACKENDS}
    compiling = _compile(ruleset, players, machines)
    if compiling is not None:
        loads[WITHOUT_C] = loads[BACKENDS[0]]
    tallies, middle = _play(ruleset, machines, seconds)
    copies = {name: _copies(middle) for name in machines}
    speeds = {
        name: _speed(tallies[name], copies[name], *loads[name], compiling is not None and name == BACKENDS[0])
        for name in machines
    }
    games = sum(tally.games for tally in tallies.values())
    decisions = sum(tally.decisions for tally in tallies.values()) / max(games, 1)
    return ruleset, Bench(players, seconds, speeds, decisions, _state_bytes(middle), peak(), compiling)


def _compile(ruleset: Ruleset, players: int, machines: dict[str, PlainMachine]) -> float | None:
    """The generated machine with C, and one more without; the seconds it takes to write the C and compile it."""
    machine = machines[BACKENDS[0]]
    if not isinstance(machine, Generated) or machine.quick.ready(True) is None:
        return None
    # Once more, under a name of its own: what was just made ready may have come from the cache.
    parts = {"bench": ruleset.digest, "players": str(players)}
    taken = _timed(lambda: Libraries().make(parts, native_source_for(ruleset, players, False)))[1]
    machines[WITHOUT_C] = without = _machine(ruleset, players, BACKENDS[0])
    if isinstance(without, Generated):
        without.quick.off()
    return taken


def _timed(work: Callable[[], T]) -> tuple[T, float]:
    start = perf_counter()
    done = work()
    return done, perf_counter() - start


def _machine(ruleset: Ruleset, players: int, backend: str) -> PlainMachine:
    """A machine made anew, whatever this process has made before."""
    return machine_for.__wrapped__(ruleset, players, False, backend)


def _anew(cached: Callable[[], Ruleset], players: int, backend: str) -> PlainMachine:
    machine = _machine(cached(), players, backend)
    if isinstance(machine, Generated):
        machine.quick.ready()
    return machine


def _speed(tally: Tally, copies: float, cold: float, cached: float | None, plays_in_c: bool) -> Speed:
    seconds = max(tally.seconds, 1e-9)
    return Speed(tally.games / seconds, tally.decisions / seconds, copies, cold, cached, plays_in_c)


def _play(ruleset: Ruleset, machines: dict[str, PlainMachine], seconds: float) -> tuple[dict[str, Tally], State]:
    """Random games by turns: a slice of time for each backend, the same games for all from the first on."""
    tallies = {name: Tally() for name in machines}
    end = perf_counter() + seconds
    while True:
        for name, machine in machines.items():
            _slice(ruleset, machine, tallies[name])
        if perf_counter() >= end:
            break
    machine = machines[BACKENDS[0]]
    whole = machine.play_out(machine.start(0), answer_stream(0))[1]
    middle = machine.start(0)
    machine.play_out(middle, answer_stream(0), whole // 2)
    machine.run(middle)
    return tallies, middle


def _slice(ruleset: Ruleset, machine: PlainMachine, tally: Tally) -> None:
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


def _play_again(machine: PlainMachine, ruleset: Ruleset, first: int, count: int) -> None:
    """The games of a slice in which the rules broke down, answer by answer, so that the error can say how it came."""
    for seed in range(first, first + count):
        game, stream = Game.start(ruleset, machine.players, seed, laws=False), answer_stream(seed)
        while not game.over:
            stream, pick = below(stream, game.option_count)
            game.choose(pick)
        game.scores()


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

    maximum = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return maximum if sys.platform == "darwin" else maximum * 1024
