"""OpenSpiel's own simulation test, as it is, on every game that is shipped; its bots at our tables; and two games that
it has, too, state by state."""

# ruff: noqa: E402 - what follows needs what may not be installed
from __future__ import annotations

import pickle
from random import Random
from typing import Any

import pytest

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: pip install -e '.[peers]'")

import numpy as np
from open_spiel.python.algorithms import ismcts, mcts

from interpreter import Game
from tests.conftest import ruleset_named
from tests.peers.shipped import EVERY_TABLE, tables
from workbench.adaptors.openspiel_game import openspiel_game, resampled
from workbench.support.errors import UsageError

STOCHASTIC = [table for table in tables() if table[0] not in ("chess", "connect-four", "hex", "tic-tac-toe")]
LONG = ["chess"]  # games of random moves that take a minute


def made(name: str, players: int, **parameters: int) -> Any:
    return openspiel_game(ruleset_named(name), players, rng_seed=1, **parameters)


# ----------------------------------------------------------------------- their suite


def test_the_kinds_of_game() -> None:
    kinds = {name: made(name, players).get_type() for name, players in tables()}
    modes = pyspiel.GameType.ChanceMode
    fixed = {name for name, kind in kinds.items() if kind.chance_mode == modes.DETERMINISTIC}
    assert fixed == {"chess", "connect-four", "hex", "tic-tac-toe"}
    assert {kind.chance_mode for name, kind in kinds.items() if name not in fixed} == {modes.SAMPLED_STOCHASTIC}
    open_ones = pyspiel.GameType.Information.PERFECT_INFORMATION
    assert {name for name, kind in kinds.items() if kind.information == open_ones} == {*fixed, "backgammon"}


def simulate(name: str, players: int, sims: int = 1) -> None:
    game = made(name, players)
    # OpenSpiel can write down no Python game whose chance is sampled: it asks C++ for the state of the dice.
    written = game.get_type().chance_mode == pyspiel.GameType.ChanceMode.DETERMINISTIC
    pyspiel.random_sim_test(game, num_sims=sims, serialize=written, verbose=False)


@pytest.mark.parametrize(("name", "players"), [one for one in tables() if one[0] not in LONG], ids=str)
def test_random_sim_test(name: str, players: int) -> None:
    simulate(name, players)


@pytest.mark.long
@EVERY_TABLE
def test_random_sim_test_again_and_again(name: str, players: int) -> None:
    simulate(name, players, sims=5 if name not in LONG else 1)


def test_the_beginning_of_a_long_game() -> None:
    """Broken off after so many decisions, a game is over and worth nothing to anybody."""
    game = made("chess", 2, max_decisions=25)
    pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False)


@pytest.mark.parametrize(("name", "players"), STOCHASTIC, ids=str)
def test_random_sim_test_where_chance_has_a_few_outcomes(name: str, players: int) -> None:
    game = made(name, players, outcomes=3, max_decisions=60)
    assert game.get_type().chance_mode == pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("name", ["tic-tac-toe", "liars-dice"])
def test_pickles(name: str) -> None:
    state = advanced(made(name, 2, outcomes=2).new_initial_state(), Random(2), 3)
    again = pickle.loads(pickle.dumps(state))
    assert str(again) == str(state) and again.history() == state.history()
    assert again.legal_actions() == state.legal_actions() and again.observation_string() == state.observation_string()


# --------------------------------------------------------------------------- chance


def advanced(state: Any, pick: Random, decisions: int) -> Any:
    """A state so many decisions later, at a question or at the end."""
    while not state.is_terminal() and (decisions or state.is_chance_node()):
        decisions -= not state.is_chance_node()
        state.apply_action(pick.choice(state.legal_actions()))
    return state


def test_every_shuffle_and_every_roll_is_a_chance_node() -> None:
    """In Backgammon between any two turns; in Hearts only where cards are dealt; never where nothing is random."""
    at = {}
    for name, players in (("backgammon", 2), ("hearts", 4), ("tic-tac-toe", 2)):
        game = made(name, players)
        state, at[name], pick = game.new_initial_state(), [], Random(1)
        for _ in range(120):
            if state.is_terminal():
                break
            if state.is_chance_node():
                assert state.chance_outcomes() == [(0, 1.0)]
                at[name].append(state.decisions)
            state.apply_action(pick.choice(state.legal_actions()))
    assert len(at["backgammon"]) > 20 and not at["tic-tac-toe"]
    assert at["hearts"][0] == 0 < len(at["hearts"]) < 5


def test_what_chance_gives_is_sampled_when_it_is_asked() -> None:
    """Two copies of a state before a roll come to different rolls; with a few outcomes, to the same."""
    for outcomes, different in ((0, True), (4, False)):
        state = made("liars-dice", 2, outcomes=outcomes).new_initial_state()
        found = set()
        for _ in range(12):
            clone = state.clone()
            clone.apply_action(0)
            found.add(clone.observation_string(0))
        assert (len(found) > 1) == different
    each = [state.child(action).observation_string(0) for action in range(4)]
    assert len(set(each)) > 1


def test_the_dice_of_a_game_begin_with_its_seed() -> None:
    ends = [str(advanced(made("liars-dice", 2).new_initial_state(), Random(1), 9)) for _ in range(2)]
    assert ends[0] == ends[1]


def test_all_rolls_are_as_likely_as_they_should_be() -> None:
    """The dice under a cup at the beginning, counted: chance that is asked anew is still fair."""
    game, counts = made("liars-dice", 2), dict.fromkeys(range(1, 7), 0)
    for _ in range(400):
        state = game.new_initial_state()
        state.apply_action(0)
        cup = next(v for v in state.game.observe(0).variables if (v.name, v.owner) == ("cup", 0))
        sides = list(state.game.ruleset.components.tables["side"].rows)
        for die in cup.value.items:
            counts[sides.index(die.name) + 1] += 1
    assert sum(counts.values()) == 2000 and all(270 < count < 400 for count in counts.values()), counts


# ------------------------------------------------------------------------- observations


@pytest.mark.parametrize(("name", "players"), [one for one in STOCHASTIC if one[0] != "backgammon"], ids=str)
def test_what_a_seat_cannot_see_is_in_no_string(name: str, players: int) -> None:
    state, resample, pick, changed = made(name, players).new_initial_state(), resampled(7), Random(4), 0
    for _ in range(8):
        state = advanced(state, pick, 3)
        if state.is_terminal():
            break
        seat = state.current_player()
        other = resample(state, seat)
        assert other.observation_string(seat) == state.observation_string(seat)
        assert np.array_equal(other.observation_tensor(seat), state.observation_tensor(seat))
        changed += other.game.observe(-1) != state.game.observe(-1)
        assert '"asked":null' in state.observation_string((seat + 1) % players)
    assert changed


def test_there_is_one_observer() -> None:
    game = made("hearts", 4)
    with pytest.raises(ValueError, match="what one seat sees"):
        game.make_py_observer(pyspiel.IIGObservationType(perfect_recall=True))
    assert game.new_initial_state().observation_string(0) == ""


# --------------------------------------------------------------------------------- bots


def played(state: Any, bots: list[Any]) -> Any:
    while not state.is_terminal():
        seat = state.current_player()
        state.apply_action(0 if state.is_chance_node() else bots[seat].step(state))
    return state


def searching(game: Any, seed: int, simulations: int) -> Any:
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(seed))
    return mcts.MCTSBot(game, 1.4, simulations, evaluator, random_state=np.random.RandomState(seed))


def test_mcts_does_not_lose() -> None:
    game, random = made("tic-tac-toe", 2), Random(1)
    for number in range(4):
        bots = [searching(game, number, 200), pyspiel.make_uniform_random_bot(1, random.getrandbits(30))]
        assert played(game.new_initial_state(), bots).returns()[0] >= 0


@EVERY_TABLE
def test_mcts_plays_every_game(name: str, players: int) -> None:
    game = made(name, players, outcomes=4, max_decisions=12 if name not in LONG else 3)
    state = played(game.new_initial_state(), [searching(game, seat, 6) for seat in range(players)])
    assert state.is_terminal() and state.decisions


def test_mcts_takes_what_wins() -> None:
    """Two stones of three lie in a row, and it is to move."""
    game = made("tic-tac-toe", 2)
    state = game.new_initial_state()
    for key in ("board@0,0", "board@1,0", "board@0,1", "board@1,1"):
        state.apply_action([option.key for option in state.game.options()].index(key))
    chosen = searching(game, 1, 200).step(state)
    assert state.game.options()[chosen].key == "board@0,2"


@pytest.mark.parametrize(("name", "players"), [("liars-dice", 2), ("goofspiel", 3), ("hearts", 4), ("maldorf", 3)])
def test_a_search_that_sees_only_what_its_seat_sees(name: str, players: int) -> None:
    """Information set search asks for worlds that look the same, and holds that they do."""
    game = made(name, players, max_decisions=6)
    bots = []
    for seat in range(players):
        evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(seat))
        dice = np.random.RandomState(seat)
        bot = ismcts.ISMCTSBot(game, evaluator, 1.4, 12, random_state=dice, use_observation_string=True)
        bot.set_resampler(resampled(seat))
        bots.append(bot)
    assert played(game.new_initial_state(), bots).decisions == 6


# ----------------------------------------------------------------------- side by side


def board(game: Game, marks: dict[str, str]) -> str:
    """What lies on the board, row by row, as OpenSpiel draws it."""
    zone = next(zone for zone in game.observe(0).zones if zone.name == "board")
    found: dict[int, str] = {}
    for row, _, piece in zone.cells:
        mark = marks[zone.pieces[piece].name.partition("#")[0]] if piece >= 0 else "."
        found[row] = found.get(row, "") + mark
    return "\n".join(found.values())


def same(ours: Any, theirs: Any, marks: dict[str, str], action: Any) -> dict[int, int]:
    """Both stand in the same state; their legal actions, each with ours. Theirs asks for what is forced, too."""
    while not theirs.is_terminal() and len(theirs.legal_actions()) == 1:
        theirs.apply_action(theirs.legal_actions()[0])
    assert board(ours.game, marks) == str(theirs).strip()
    assert ours.is_terminal() == theirs.is_terminal() and ours.returns() == theirs.returns()
    if ours.is_terminal():
        return {}
    assert ours.current_player() == theirs.current_player()
    legal = {action(option.key): number for number, option in enumerate(ours.game.options())}
    assert sorted(legal) == theirs.legal_actions()
    return legal


def square(key: str) -> int:
    row, _, column = key.removeprefix("board@").partition(",")
    return int(row) * 3 + int(column)


def test_every_state_of_tic_tac_toe() -> None:
    seen: set[str] = set()
    begun = (made("tic-tac-toe", 2).new_initial_state(), pyspiel.load_game("tic_tac_toe").new_initial_state())
    waiting = [begun]
    while waiting:
        ours, theirs = waiting.pop()
        for action, number in same(ours, theirs, {"x": "x", "o": "o"}, square).items():
            mine, other = ours.clone(), theirs.child(action)
            mine.apply_action(number)
            if str(other) not in seen:
                seen.add(str(other))
                waiting.append((mine, other))
    assert len(seen) > 5000


def chute(key: str) -> int:
    return list(ruleset_named("connect-four").components.tables["shaft"].rows).index(key)


def four_in_a_row(seeds: range) -> int:
    compared = 0
    for seed in seeds:
        ours = made("connect-four", 2).new_initial_state()
        theirs = pyspiel.load_game("connect_four").new_initial_state()
        pick = Random(seed)
        while legal := same(ours, theirs, {"yellow": "x", "red": "o"}, chute):
            action = pick.choice(sorted(legal))
            ours.apply_action(legal[action])
            theirs.apply_action(action)
            compared += 1
    return compared


def test_games_of_connect_four() -> None:
    assert four_in_a_row(range(40)) > 40 * 12


@pytest.mark.long
def test_thousands_of_states_of_connect_four() -> None:
    assert four_in_a_row(range(100, 1100)) > 1000 * 12


# --------------------------------------------------------------------------- wrong use


def test_wrong_use_is_said() -> None:
    with pytest.raises(UsageError, match="name a ruleset"):
        pyspiel.load_game("warlock")
    with pytest.raises(UsageError, match="room for 8: give max_options=9"):
        made("tic-tac-toe", 2, max_options=8).new_initial_state().legal_actions()
    with pytest.raises(UsageError, match="not begun"):
        made("hearts", 4).new_initial_state().game  # noqa: B018


def test_a_ruleset_that_openspiel_cannot_name() -> None:
    """A stack with a setting: its game is called by its hash, and can be written down within this process."""
    rules = ruleset_named("liars-dice+fewer_dice(dice=1)")
    game = openspiel_game(rules, 2, outcomes=2)
    pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False)
