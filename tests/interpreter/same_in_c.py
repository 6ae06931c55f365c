"""Plays whole games in C and in Python and compares how they end."""

from __future__ import annotations

import pytest

from interpreter import PlayError
from interpreter.generated import Generated
from interpreter.machine import compile_with, machine_for
from interpreter.native.library import Library
from interpreter.plain.machine import MAX_ANSWERS, answer_stream
from warlock_dsl.ruleset import Ruleset
from workbench.support.native import Libraries, compiler


def fresh(ruleset: Ruleset, players: int, laws: bool = False) -> Generated:
    """A machine of its own, which knows of no library yet."""
    machine = machine_for.__wrapped__(ruleset, players, laws)
    assert isinstance(machine, Generated)
    return machine


def need_compiler() -> None:
    """The test that asks is skipped where there is no C compiler: `gcc`, or the extra `native`."""
    if not compiler():
        pytest.skip("needs a C compiler (gcc, cc, clang or the extra 'native')")


def compiled(ruleset: Ruleset, players: int, laws: bool = False) -> tuple[Generated, Library]:
    need_compiler()
    compile_with(Libraries())
    machine = fresh(ruleset, players, laws)
    library = machine.quick.ready(compiling=True)
    assert library is not None, "this ruleset cannot be played in C"
    return machine, library


def same_games(ruleset: Ruleset, players: int, seeds: range, laws: bool = False) -> None:
    """The same ends, state for state. Where the rules are wrong, C leaves the game to Python."""
    machine, library = compiled(ruleset, players, laws)
    for seed in seeds:
        here, there = machine.start(seed), machine.start(seed)
        stream = answer_stream(seed)
        found = library.play_out(there, stream, MAX_ANSWERS)
        try:
            expected = machine.play_out_here(here, stream, MAX_ANSWERS)
        except PlayError:
            assert found is None, seed
            continue
        assert found == expected, seed
        assert there.data() == here.data() and (there.place, there.at) == (here.place, here.at), seed
        assert [type(value) for value in there.variables] == [type(value) for value in here.variables]
