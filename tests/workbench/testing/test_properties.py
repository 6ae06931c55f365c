"""The Hypothesis module: strategies for games, positions and stacks; a state machine that shrinks to short games."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, Phase, find, given, settings
from hypothesis.stateful import run_state_machine_as_test

from interpreter import Game
from tests.interpreter.tiny import ruleset
from warlock_dsl.load import load
from workbench.testing.properties import (
    LawsViolatedError,
    games,
    parameters,
    positions,
    ruleset_of,
    stacks,
    state_machine,
)

TINY = """
rule play:
    repeat 6:
        for me in players: turn()
    finish most(p in players: p.gold)

rule turn:
    choose act in action: action[act]()

rule action[wait]: pass
rule action[earn]: add 1 to my.gold
"""
SOUND = ruleset(TINY)
GREEDY = ruleset(TINY + "invariant modest = all(p in players: p.gold < 3)\n")
FEW = settings(max_examples=25, suppress_health_check=list(HealthCheck))


@FEW
@given(games(SOUND))
def test_games_begin(game: Game) -> None:
    assert not game.answers and 1 <= game.players <= 4 and game.to_move >= 0


@FEW
@given(positions(SOUND, maximum=20))
def test_positions_are_on_the_way(game: Game) -> None:
    assert len(game.answers) <= 20
    assert sum(sheet.total for sheet in game.scores()) >= 0


def test_a_position_shrinks_to_few_answers() -> None:
    game = find(positions(SOUND), lambda one: one.observe(-1).variables[2].value.key() == "2")  # type: ignore[union-attr]
    assert game.players == 1 and game.seed == 0 and game.answers == ["earn", "earn"]


def test_a_broken_law_comes_out_of_a_position() -> None:
    with pytest.raises(LawsViolatedError, match=r"invariant\.modest"):
        find(positions(GREEDY), lambda one: False, settings=settings(max_examples=200, database=None))


def test_the_state_machine_passes_a_sound_game() -> None:
    run_state_machine_as_test(state_machine(SOUND), settings=settings(FEW, stateful_step_count=12))


def test_the_state_machine_shrinks_to_the_shortest_game() -> None:
    machine = state_machine(GREEDY)
    phases = (Phase.generate, Phase.shrink)
    with pytest.raises(LawsViolatedError) as told:
        run_state_machine_as_test(machine, settings=settings(max_examples=200, database=None, phases=phases))
    assert [move.key for move in told.value.transcript.moves] == ["earn", "earn", "earn"]
    assert "rules.warlock" in str(told.value) and "1 players, seed 0" in str(told.value)


@settings(max_examples=4, suppress_health_check=list(HealthCheck))
@given(stacks("maldorf", "dragons"))
def test_stacks_have_parameters_within_their_range(name: str) -> None:
    loaded = load(name)
    assert loaded.ruleset is not None
    limit = loaded.ruleset.components.figures["limit", "dragons"]
    assert name == f"maldorf+dragons(limit={limit.value})"


def test_the_default_is_what_parameters_shrink_to() -> None:
    assert find(parameters("maldorf", "dragons"), lambda given: True) == {"limit": "2"}
    with pytest.raises(ValueError, match="no overlay 'unheard_of'"):
        parameters("maldorf", "unheard_of")
    with pytest.raises(ValueError, match="no ruleset 'malldorf'"):
        ruleset_of("malldorf")
