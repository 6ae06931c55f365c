"""What the tools ask of the fast machine: looking ahead, dealing anew, telling states apart, branching, few bytes.
Every answer is the plain machine's, and bytes that are no state are refused."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest

from interpreter import EVERYTHING, Anew, GameFileError, MachineBot, PlayError, machine_for
from interpreter.state import random as chance
from interpreter.vm.library import is_built
from tests.interpreter.test_redeal import rules as secrets
from tests.interpreter.tiny import ruleset as tiny
from warlock_dsl.load import load
from warlock_dsl.ruleset import Ruleset

pytestmark = pytest.mark.skipif(not is_built(), reason="the fast machine is not built here")

RULES = [Path(__file__).parents[2] / "rules"]
GAMES = {
    "maldorf": 3, "maldorf+fr": 4, "goblin-warlord": 3, "warlock-1980": 3, "hearts": 4, "go-fish": 3, "liars-dice": 3,
    "goofspiel": 2,
}  # fmt: skip
KINDS = (EVERYTHING, Anew(names=True, within=True), Anew(names=False, counts=False, variables=frozenset()))
TOGETHER = """
rule play:
    shuffle deck
    for p in players: move top(deck, 1) to p.hand
    repeat 2:
        together me in players:
            choose card in my.hand, n in 1..3
            add n to my.step
        roll sign in omens
        for me in players:
            may choose token in pool: move token to my.board
    finish most(p in players: total(p))
score steps = my.step
"""


@cache
def loaded(name: str) -> Ruleset:
    found = load(name, RULES).ruleset
    assert found is not None
    return found


def dealt(machine: Any, state: Any, seat: int, stream: int, anew: Anew) -> Any:
    """What comes of a deal, or of the attempt."""
    try:
        stream, other = machine.redeal(state, seat, stream, anew)
        machine.run(other)
    except PlayError as error:
        return error.message
    same = machine.same_view(state, other, seat)
    return stream, machine.digest(other), same, machine.count(other), machine.to_move(other)


def branched(machine: Any, state: Any, which: str) -> list[Any]:
    """Some ways on, whatever chance gives."""
    found: list[Any] = []
    told: tuple[int, ...] = ()
    for _ in range(5):
        other = machine.copy(state)
        try:
            ways = machine.run_branching(other, told, which, 5040)
        except Exception as error:  # too many orders, or an error of the rules: of one kind, in one wording
            return [*found, type(error).__name__, str(error)]
        found.append(ways if ways else (machine.digest(other), machine.count(other), machine.identity(other, False)))
        if not ways:
            return found
        told = (*told, ways * 7 // 11)
    return found


def told(machine: Any, state: Any, number: int) -> list[Any]:
    """All that the tools ask at a moment of a game."""
    me, secret = machine.to_move(state), machine.secret_depth(state)
    found: list[Any] = [machine.identity(state), machine.identity(state, False)]
    found += [list(machine.sizes(state)), list(machine.values(state)), list(machine.rules(state))]
    for seat in range(machine.players):
        found += [dealt(machine, state, seat, chance.seeded(number * 31 + seat), anew) for anew in KINDS]
    found += [list(machine.look_ahead(state, number, 8)), machine.pick(state, MachineBot("greedy", number, 2), number)]
    found += [machine.follow(state, number, 8, 2, me, secret, tried) for tried in (0, 3)]
    after = machine.copy(state)
    machine.choose(after, 0)
    found += [branched(machine, after, which) for which in ("fixed", "rolls", "all")]
    again = machine.thaw(machine.freeze(state))
    assert machine.digest(again) == machine.digest(state) and machine.table(again) == machine.table(state)
    return found


def played(ruleset: Ruleset, players: int, backend: str, every: int, seeds: int = 2, most: int = 200) -> list[Any]:
    machine, found = machine_for(ruleset, players, False, backend), []
    for seed in range(seeds):
        state, stream = machine.start(seed), chance.seeded(seed + 5)
        for number in range(most):
            machine.run(state)
            if machine.winners(state) is not None:
                break
            if number % every == every // 2:
                found.append(told(machine, state, number))
            stream, pick = chance.below(stream, machine.count(state))
            machine.choose(state, pick)
        found.append(machine.digest(state))
    return found


@pytest.mark.parametrize("name", GAMES)
def test_games(name: str) -> None:
    plain, fast = (played(loaded(name), GAMES[name], one, 17) for one in ("plain", "vm"))
    assert len(plain) > 3 and plain == fast


@pytest.mark.long
@pytest.mark.parametrize("name", GAMES)
def test_games_at_every_fifth_decision(name: str) -> None:
    plain, fast = (played(loaded(name), GAMES[name], one, 5, seeds=6, most=600) for one in ("plain", "vm"))
    assert plain == fast


def test_secrets_of_every_kind() -> None:
    """Counts, lists, variables of pieces, faces: some are dealt by the core, some by the plain machine for it."""
    for ruleset, players in ((secrets(), 3), (tiny(TOGETHER), 3)):
        plain, fast = (played(ruleset, players, one, 1, seeds=4, most=8) for one in ("plain", "vm"))
        assert len(plain) > 8 and plain == fast


def test_bytes_that_are_no_state_are_refused() -> None:
    """Every byte of a state changed, and every length cut: what is not refused runs, or breaks with an error."""
    machine = machine_for(loaded("goblin-warlord"), 2, True, "vm")
    state = machine.start(3)
    machine.run(state)
    whole = machine.freeze(state)
    refused = 0
    for place in range(len(whole)):
        for content in (whole[:place], whole[:place] + bytes([whole[place] ^ 0x55]) + whole[place + 1 :]):
            try:
                other = machine.thaw(content)
                machine.run(other)
                machine.digest(other)
            except (GameFileError, PlayError):
                refused += 1
    assert refused > len(whole)
    with pytest.raises(GameFileError):
        machine.thaw(whole + b"\0")
