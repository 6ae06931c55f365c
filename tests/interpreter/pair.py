"""Plays a game on both machines side by side: the same questions, options, states, scores, work and errors."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from interpreter import PlayError, vm_is_built
from interpreter.machine import Machine, machine_for
from interpreter.state import random as chance
from interpreter.vm.machine import VmMachine
from warlock_dsl.ruleset import Ruleset


def told(error: PlayError) -> tuple[Any, ...]:
    return type(error), error.message, error.rule, error.span, error.hint


def step(machine: Machine, state: Any) -> tuple[Any, ...]:
    """How it goes on: an error, or all that is to be compared of the next question."""
    try:
        machine.run(state)
        work = machine.work
        machine.laws(state)
        points = machine.points(state)
    except PlayError as error:
        return told(error)
    count = machine.count(state)
    asked = (machine.to_move(state), machine.question(state), list(machine.answers(state)) if count else [], count)
    return asked, machine.digest(state), machine.winners(state), [list(parts) for parts in points], work


def both(ruleset: Ruleset, players: int, laws: bool) -> tuple[Machine, Machine]:
    """The plain machine and the fast one; a test that asks is skipped where the fast one was not built."""
    if not vm_is_built():
        pytest.skip("the fast machine is not built here")
    plain, fast = (machine_for(ruleset, players, laws, backend) for backend in ("plain", "vm"))
    assert isinstance(fast, VmMachine) or fast.why_plain, "these rules are left to the plain machine"
    return plain, fast


def side_by_side(ruleset: Ruleset, players: int, seed: int, laws: bool = True, maximum: int = 10_000) -> int:
    """How many decisions the game had. Every now and then the two change states: either goes on alike."""
    plain, fast = both(ruleset, players, laws)
    one, other = plain.start(seed), fast.start(seed)
    dice = chance.seeded(seed + 1)
    for number in range(maximum):
        expected, found = step(plain, one), step(fast, other)
        assert found == expected, f"decision {number} of seed {seed}, {players} players"
        if not plain.count(one):
            return number
        dice, pick = chance.below(dice, plain.count(one))
        plain.choose(one, pick)
        fast.choose(other, pick)
        if number % 50 == 49:
            one, other = plain.adopt(fast.position(other)), fast.adopt(plain.position(one))
    return maximum


def same_games(ruleset: Ruleset, players: int, seeds: Iterable[int], laws: bool = False) -> None:
    """Whole games, all of them the same."""
    for seed in seeds:
        side_by_side(ruleset, players, seed, laws)
