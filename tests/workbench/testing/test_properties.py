"""The Hypothesis module: strategies for games, positions and stacks; a state machine that shrinks to short games."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, find, given, reproduce_failure, settings
from hypothesis.stateful import run_state_machine_as_test
from hypothesis.strategies import just

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
    states,
)
from workbench.testing.searched_games import SearchedGames

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


@FEW
@given(states(SOUND, maximum=20))
def test_states_can_be_loaded(state: dict[str, object]) -> None:
    game = Game.load(SOUND, state)
    assert len(game.answers) <= 20 and game.digest() == state["digest"]


@FEW
@given(positions(SOUND, maximum=20, search=12))
def test_positions_of_a_search_are_on_the_way(game: Game) -> None:
    assert len(game.answers) <= 20
    assert Game.again(SOUND, game.players, game.seed, game.answers).digest() == game.digest()


def test_a_search_gives_the_same_games_and_ends_at_a_broken_law() -> None:
    first, again = SearchedGames(SOUND), SearchedGames(SOUND)
    assert [first.game(number) for number in (14, 3)] == [again.game(number) for number in (14, 3)]
    assert not first.game(14).broken
    greedy = SearchedGames(GREEDY)
    assert greedy.game(500).broken and greedy.game(500) == greedy.game(600)


@pytest.mark.parametrize("machine", [False, True])
def test_a_law_that_a_search_breaks_comes_out_of_what_is_drawn(machine: bool) -> None:
    with pytest.raises(LawsViolatedError) as told:
        if machine:
            run_state_machine_as_test(state_machine(GREEDY, search=60), settings=settings(FEW, max_examples=5))
        else:
            settings(FEW, max_examples=5)(given(positions(GREEDY, search=60))(lambda game: None))()
    assert told.value.violation.law == "invariant.modest" and len(told.value.transcript.moves) == 3


def test_the_games_of_a_search_have_their_own_players() -> None:
    with pytest.raises(ValueError, match="search or players"):
        positions(SOUND, players=just(2), search=5)


def test_a_position_shrinks_to_few_answers() -> None:
    fixed = settings(max_examples=2000, database=None, derandomize=True)
    game = find(positions(SOUND), lambda one: one.observe(-1).variables[2].value.key() == "2", settings=fixed)  # type: ignore[union-attr]
    assert game.answers.count("earn") >= 2 and len(game.answers) <= 8, "of 24"


def test_positions_lie_anywhere_in_a_game() -> None:
    """Four players answer 24 questions: the draws are spread over them, the last ones included."""
    lengths: list[int] = []

    @settings(max_examples=400, database=None, derandomize=True, suppress_health_check=list(HealthCheck))
    @given(positions(SOUND, players=just(4)))
    def draw(game: Game) -> None:
        lengths.append(len(game.answers))

    draw()
    quarters = [sum(low <= length < low + 6 for length in lengths) for low in (0, 6, 12, 18)]
    assert min(quarters) >= 16 and lengths.count(24) >= 4, (quarters, lengths.count(24))


def test_a_broken_law_comes_out_of_a_position() -> None:
    with pytest.raises(LawsViolatedError, match=r"invariant\.modest") as told:
        find(positions(GREEDY), lambda one: False, settings=settings(max_examples=200, database=None))
    assert told.value.transcript.players == 1, "whatever was drawn, the shrinker of fuzz has made it small"
    assert [move.key for move in told.value.transcript.moves] == ["earn", "earn", "earn"]


def test_a_failure_can_be_reproduced() -> None:
    fixed = settings(max_examples=200, database=None, derandomize=True, print_blob=True)

    def tested(game: Game) -> None:
        assert game.to_move >= -1

    with pytest.raises(LawsViolatedError) as told:
        fixed(given(positions(GREEDY))(tested))()
    blob = re.search(r"@reproduce_failure\('(.+?)', (b'.+?')\)", "\n".join(told.value.__notes__))
    assert blob is not None
    again = reproduce_failure(blob[1], ast.literal_eval(blob[2]))
    with pytest.raises(LawsViolatedError) as twice:
        again(settings(database=None)(given(positions(GREEDY))(tested)))()
    assert str(twice.value) == str(told.value)


def test_the_state_machine_passes_a_sound_game() -> None:
    run_state_machine_as_test(state_machine(SOUND), settings=settings(FEW, stateful_step_count=12))


def test_the_state_machine_has_a_step_count_of_its_own() -> None:
    assert state_machine(SOUND, steps=7).TestCase.settings.stateful_step_count == 7


def test_few_steps_lead_to_the_end_of_a_game() -> None:
    """Four players answer 24 questions; twelve steps that are an answer each would not get there."""
    machine, ended = state_machine(SOUND), []

    class Counting(machine):  # type: ignore[misc, valid-type]
        def teardown(self) -> None:
            ended.append(self.walk.players == 4 and self.walk.game.over)

    few = settings(max_examples=60, database=None, derandomize=True, stateful_step_count=12)
    run_state_machine_as_test(Counting, settings=settings(few, suppress_health_check=list(HealthCheck)))
    assert any(ended)


def test_the_state_machine_shrinks_to_the_shortest_game() -> None:
    machine = state_machine(GREEDY)
    phases = (Phase.generate, Phase.shrink)
    with pytest.raises(LawsViolatedError) as told:
        run_state_machine_as_test(machine, settings=settings(max_examples=200, database=None, phases=phases))
    assert [move.key for move in told.value.transcript.moves] == ["earn", "earn", "earn"]
    assert "players=1, seed=0, answers=['earn', 'earn', 'earn'])\n" in str(told.value), "it can be pasted"
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


def test_the_folder_of_an_overlay_is_a_ruleset() -> None:
    folder = Path(__file__).parents[2] / "planted" / "variants" / "warlock-1980" / "greedy_learner"
    assert ruleset_of(str(folder)).name.endswith("greedy_learner")
