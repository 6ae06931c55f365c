"""PettingZoo's own tests, as they are, on every game that is shipped; and what they do not ask."""


from __future__ import annotations

from random import Random
from typing import Any

import pytest

pytest.importorskip("pettingzoo", reason="PettingZoo is not installed: pip install -e '.[peers]'")

import numpy as np
from pettingzoo.test import api_test, render_test, seed_test

from interpreter import AnswerError, Game
from tests.conftest import ruleset_named
from tests.peers.shipped import EVERY_TABLE, tables
from workbench.adaptors.encoding import DECLINE, Encoding
from workbench.adaptors.menu import returns, room_for_options
from workbench.adaptors.pettingzoo_env import WarlockEnv, env
from workbench.support.errors import UsageError

CYCLES = 40  # of a suite here; its own numbers are for the long run

# The suite advises against observations that are a Dict, unless the environment is one of a few that it names; the same
# suite finds the mask of actions nowhere else in all of its tests.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
]


@EVERY_TABLE
def test_their_suite(name: str, players: int) -> None:
    rules = ruleset_named(name)
    api_test(env(rules, players), num_cycles=CYCLES)
    seed_test(lambda: env(rules, players), num_cycles=CYCLES // players)
    drawn: list[str] = []
    modes = {"ansi": lambda text: drawn.append(text) or bool(text.strip())}
    render_test(lambda render_mode: env(rules, players, render_mode=render_mode), custom_tests=modes)
    assert len(set(drawn)) > 1


@pytest.mark.long
@EVERY_TABLE
def test_their_suite_for_as_long_as_they_run_it(name: str, players: int) -> None:
    api_test(env(ruleset_named(name), players))
    seed_test(lambda: env(ruleset_named(name), players))


# ----------------------------------------------------------------- what they do not ask


def play(made: Any, seed: int, pick: Random) -> Game:
    """A whole game of random actions in an environment."""
    made.reset(seed=seed)
    for _ in made.agent_iter(max_iter=100_000):
        seen, _, done, broken, _ = made.last()
        made.step(None if done or broken else int(pick.choice(np.flatnonzero(seen["action_mask"]))))
    game: Game = made.unwrapped.game
    return game


@pytest.mark.parametrize(("name", "players"), [table for table in tables() if table[0] != "chess"], ids=str)
def test_it_is_the_game_of_that_seed(name: str, players: int) -> None:
    """The same answers to the same seed, without the environment, lead to the same end; whoever won has the rewards.
    Of chess, whose games are long, the next test has the beginning."""
    made = env(ruleset_named(name), players)
    gained = np.zeros(players)
    made.reset(seed=5)
    pick = Random(5)
    for agent in made.agent_iter(max_iter=100_000):
        seen, reward, done, broken, info = made.last()
        gained[made.possible_agents.index(agent)] += reward
        if done or broken:
            made.step(None)
            continue
        number = pick.choice(range(len(info["keys"])))
        assert list(np.flatnonzero(seen["action_mask"])) == list(range(len(info["keys"])))
        made.step(number)
    played = made.unwrapped.game
    again = Game.again(ruleset_named(name), players, 5, played.answers, laws=False)
    assert played.over and again.digest() == played.digest() and list(gained) == returns(again)


@pytest.mark.parametrize("name", ["chess", "liars-dice"])
def test_the_keys_are_those_of_the_menu(name: str) -> None:
    made = WarlockEnv(ruleset_named(name), 2)
    made.reset(seed=2)
    pick = Random(2)
    for _ in range(12):
        info = made.infos[made.agent_selection]
        other = made.infos[made.possible_agents[1 - made.possible_agents.index(made.agent_selection)]]
        assert info["question"] == made.game.question and not other
        assert info["keys"] == [option.key for option in made.game.options()]
        number = pick.randrange(len(info["keys"]))
        made.step(number)
        assert made.game.answers[-1] == info["keys"][number]


def test_a_game_that_goes_on_is_broken_off() -> None:
    made = WarlockEnv(ruleset_named("maldorf"), 3, max_decisions=7)
    game = play(made, 1, Random(1))
    assert len(game.answers) == 7 and not game.over


def test_a_menu_that_is_too_long_is_refused() -> None:
    made = WarlockEnv(ruleset_named("tic-tac-toe"), 2, max_options=8)
    with pytest.raises(UsageError, match=r"'turn\.field' has 9 options, and there is room for 8: give max_options=9"):
        made.reset(seed=1)
    made = WarlockEnv(ruleset_named("tic-tac-toe"), 2, max_options=9)
    made.reset(seed=1)
    with pytest.raises(AnswerError):
        made.step(9)


def test_wrong_use_is_said() -> None:
    made = WarlockEnv(ruleset_named("tic-tac-toe"), 2)
    with pytest.raises(UsageError, match="call reset"):
        made.observe("player_0")
    made.reset(seed=1)
    with pytest.raises(UsageError, match=r"turn\.field"):
        made.step(None)
    with pytest.raises(UsageError, match="render_mode"):
        WarlockEnv(ruleset_named("tic-tac-toe"), 2, render_mode="rgb_array")
    with pytest.raises(AnswerError, match="is for 2 to 2 players"):
        WarlockEnv(ruleset_named("tic-tac-toe"), 3)


# ------------------------------------------------------------------------ the numbers


def named(code: Encoding, game: Game, seat: int) -> dict[Any, float]:
    return {name: float(number) for name, number in zip(code.names, code.encode(game, seat), strict=True) if number}


def test_the_numbers_say_what_lies_where() -> None:
    game = Game.start(ruleset_named("tic-tac-toe"), 2, 0)
    code = Encoding(game.ruleset, 2, 9)
    game.answer("board@1,1")
    told = named(code, game, 1)
    assert told["pieces", "board", -1, "", "", 1, 1, "x"] == 1 and told["count", "board", -1, "", ""] == 1
    assert told["asked", 1] == told["observer", 1] == told["question", "turn.field"] == 1
    assert [told["option", number] for number in range(8)] == [1, 2, 3, 4, 6, 7, 8, 9]  # the cells that are free
    assert "asked" in {name[0] for name in named(code, game, 0)}
    assert not {"question", "option", "bound"} & {name[0] for name in named(code, game, 0)}


def test_numbers_lists_and_rows_in_variables() -> None:
    game = Game.start(ruleset_named("liars-dice"), 2, 0)
    code = Encoding(game.ruleset, 2, room_for_options(game.ruleset, 2))
    told = [named(code, game, seat) for seat in range(2)]
    for seat, one in enumerate(told):
        assert sum(number for name, number in one.items() if name[:3] == ("value", "cup", seat)) == 5  # dice, by side
        assert one["value", "dice", 1 - seat, "", "", ""] == 5  # a number
        assert ("known", "cup", seat, "", "") in one and ("known", "cup", 1 - seat, "", "") not in one
        assert not any(name[:3] == ("value", "cup", 1 - seat) for name in one)


def test_to_decline_is_a_number_of_its_own() -> None:
    game = Game.start(ruleset_named("liars-dice"), 2, 0)
    code = Encoding(game.ruleset, 2, 41)
    while game.question != "play_round.raise":
        game.choose(0)
    declined = [number for number, option in enumerate(game.options()) if option.what == "decline"]
    told = named(code, game, game.to_move)
    assert [number for number in range(41) if told.get(("option", number)) == DECLINE] == declined


SECRETIVE = [(name, players) for name, players in tables() if name not in ("chess", "backgammon", "hex")]


@pytest.mark.parametrize(("name", "players"), SECRETIVE, ids=str)
def test_what_a_seat_cannot_see_does_not_change_its_numbers(name: str, players: int) -> None:
    """Whoever is asked is dealt another table that looks the same to him: his numbers stay."""
    rules, pick, changed = ruleset_named(name), Random(3), 0
    code, game = Encoding(rules, players, room_for_options(rules, players)), Game.start(rules, players, 3, laws=False)
    for _ in range(12):
        seat = game.to_move
        for number in range(2):
            other = game.imagine(seat, pick.getrandbits(32) + number)
            assert np.array_equal(code.encode(other, seat), code.encode(game, seat))
            changed += other.observe(-1) != game.observe(-1)
        for _ in range(3):
            if not game.over:
                game.choose(pick.randrange(game.option_count))
        if game.over:
            break
    assert changed or name in ("tic-tac-toe", "connect-four")


def test_numbers_that_told_more_would_be_found() -> None:
    """The same comparison, with the numbers of somebody who sees everything."""
    game = Game.start(ruleset_named("hearts"), 4, 3)
    code, other = Encoding(game.ruleset, 4, 53), game.imagine(game.to_move, 1)
    assert not np.array_equal(code.encode(other, -1), code.encode(game, -1))


@EVERY_TABLE
def test_names_are_told_apart(name: str, players: int) -> None:
    """Every number has one name; what is seen at the beginning adds up to what there is."""
    rules = ruleset_named(name)
    code, game = Encoding(rules, players, room_for_options(rules, players)), Game.start(rules, players, 1, laws=False)
    assert len(set(code.names)) == code.size == len(code.encode(game, 0))
    told = named(code, game, -1)
    assert sum(number for (what, *_), number in told.items() if what == "pieces") == rules.components.piece_count
    assert not any(what == "uncounted" or "unseen" in str(rest) for what, *rest in told)
