"""Playing ahead and comparing states: every machine does it as the plain one, and looks at nothing it must not."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from interpreter import BACKENDS, Machine, MachineBot, PlayError, Snapshot, machine_for
from interpreter.plain.ahead import worth
from interpreter.state import random as chance
from tests.interpreter.tiny import ruleset as tiny
from warlock_dsl.load import load
from warlock_dsl.ruleset import Ruleset

RULES = [Path(__file__).parents[2] / "rules"]
GAMES = ["goblin-warlord", "warlock-1980", "tic-tac-toe", "goofspiel", "liars-dice", "go-fish"]
MACHINE_BOTS = (MachineBot("first"), MachineBot("random", 4), MachineBot("greedy", 5, tries=2, horizon=3))


@cache
def loaded(name: str) -> Ruleset:
    found = load(name, RULES).ruleset
    assert found is not None
    return found


def moments(machine: Machine, every: int = 4, most: int = 6) -> Iterator[Any]:
    """States of a random game at their questions, some answers apart."""
    state, stream = machine.start(11), chance.seeded(5)
    for number in range(every * most):
        machine.run(state)
        if machine.winners(state) is not None:
            return
        if number % every == 0:
            yield machine.copy(state)
        stream, pick = chance.below(stream, machine.count(state))
        machine.choose(state, pick)


def ahead(machine: Machine) -> list[Any]:
    """All that playing ahead gives, at some moments of a game."""
    found: list[Any] = []
    for number, state in enumerate(moments(machine)):
        before = machine.digest(state)
        me, secret = machine.to_move(state), machine.secret_depth(state)
        found.append(list(machine.look_ahead(state, 7 + number, 8)))
        found += [machine.follow(state, 90 + number, 10, 3, me, secret, tried) for tried in (0, 1, 2, 5)]
        found += [machine.pick(state, bot, number) for bot in MACHINE_BOTS]
        assert machine.digest(state) == before and machine.count(state) > 1  # all on copies
    return found


@pytest.mark.parametrize("name", GAMES)
def test_every_machine_plays_ahead_alike(name: str) -> None:
    players = loaded(name).components.min_players
    first, *others = (ahead(machine_for(loaded(name), players, False, one)) for one in reversed(BACKENDS))
    assert len(first) > 8 and all(one == first for one in others)


def queries(machine: Machine) -> list[Any]:
    found: list[Any] = []
    states = list(moments(machine))
    for number, state in enumerate(states):
        found += [list(machine.sizes(state)), list(machine.values(state)), list(machine.rules(state))]
        again = machine.unpack(machine.pack(state), trusted=True)
        assert machine.table(again) == machine.table(state)
        seen = [machine.same_view(state, other, seat) for other in states for seat in range(machine.players)]
        views = [
            machine.observe(state, seat) == machine.observe(other, seat)
            for other in states
            for seat in range(machine.players)
        ]
        assert seen == views and any(seen)
        found += [seen, [machine.table(other) == machine.table(state) for other in states]]
        seat = machine.to_move(state)
        try:
            stream, other = machine.redeal(state, seat, 5 + number)
            machine.run(other)
        except PlayError:
            found.append("no such deal")
            continue
        assert machine.same_view(state, other, seat)
        found += [stream, machine.digest(other)]
    return found


@pytest.mark.parametrize("name", GAMES)
def test_every_machine_tells_the_same_of_a_state(name: str) -> None:
    players = loaded(name).components.max_players if name != "warlock-1980" else 3
    first, *others = (queries(machine_for(loaded(name), players, False, one)) for one in reversed(BACKENDS))
    assert len(first) > 6 and all(one == first for one in others)


def test_what_a_moment_is_worth() -> None:
    assert worth(Snapshot((5, 9, 7), None), 1, False) == 2
    assert worth(Snapshot((5, 9, 7), ()), 0, False) == -4
    assert worth(Snapshot((5, 9, 7), (0, 2)), 0, False) == 5 * 10**14 - 4
    assert worth(Snapshot((5, 9, 7), (0,)), 1, False) == 2 - 10**15
    assert worth(Snapshot((5, 9), (0, 1)), 1, True) == 14 + 10**15
    assert worth(Snapshot((5, 9), ()), 1, True) == 14 - 10**15


SECRETS = """
rule play:
    together me in players:
        choose n in 1..3
        add n to my.step
    for me in players: choose end in 1..2
    finish most(p in players: total(p))
score steps = my.step
"""


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_secret_choice_is_played_to_its_end(backend: str) -> None:
    """Before all have answered nothing has happened, so that there would be nothing to count."""
    machine = machine_for(tiny(SECRETS), 3, True, backend)
    state = machine.start(2)
    machine.run(state)
    assert machine.secret_depth(state) >= 0 and machine.to_move(state) == 0
    found = machine.look_ahead(state, 4, 8)
    # in halves, the unit of that game
    assert [one.totals[0] for one in found] == [2, 4, 6] and len({one.totals[1:] for one in found}) == 1
    assert all(min(one.totals) > 0 for one in found)
