"""Whole games in C are the games of the other machines: state for state at their end, for every game and many rules."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from interpreter import Game, PlayError
from interpreter.machine import compile_with, machine_for, native_source_for
from interpreter.plain.machine import MAX_ANSWERS, PlainMachine, answer_stream
from interpreter.plain.questions import Offer
from interpreter.state import random as chance
from interpreter.state.state import State
from tests.interpreter.pair import PLAIN
from tests.interpreter.same_in_c import compiled, fresh, need_compiler, same_games
from tests.interpreter.tiny import IN_C
from tests.interpreter.tiny import ruleset as tiny
from warlock_dsl.files import available, available_overlays, stack_of
from warlock_dsl.load import load
from warlock_dsl.ruleset import Ruleset
from workbench.players.base import Bot
from workbench.players.rollouts import best_answer
from workbench.players.search import Mcts, MonteCarlo
from workbench.support.native import Libraries

ROOT = Path(__file__).parents[2]
RULES = [ROOT / "rules"]
GAMES = [game.name for game in available(RULES) if game.name not in PLAIN]
OVERLAYS = [(game, overlay.name) for game in GAMES for overlay in available_overlays(game, RULES)]


@pytest.fixture(autouse=True, scope="module")
def libraries(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        compile_with(Libraries())
        yield
        compile_with(None)


@cache
def loaded(name: str) -> Ruleset:
    found = load(name, RULES).ruleset
    assert found is not None
    return found


@pytest.mark.parametrize("game", GAMES)
def test_a_game_in_c_is_the_same_game(game: str) -> None:
    ruleset = loaded(game)
    same_games(ruleset, ruleset.components.min_players, range(6))
    same_games(ruleset, ruleset.components.max_players, range(6, 9), laws=True)


@pytest.mark.parametrize(("game", "overlay"), OVERLAYS[:: max(1, len(OVERLAYS) // 3)])
def test_some_overlays(game: str, overlay: str) -> None:
    ruleset = loaded(stack_of(ROOT / "variants" / game / overlay))
    same_games(ruleset, ruleset.components.min_players, range(3))


@pytest.mark.long
@pytest.mark.parametrize(("game", "overlay"), OVERLAYS)
def test_every_overlay(game: str, overlay: str) -> None:
    ruleset = loaded(stack_of(ROOT / "variants" / game / overlay))
    for players in range(ruleset.components.min_players, ruleset.components.max_players + 1):
        same_games(ruleset, players, range(10))


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_many_games(game: str) -> None:
    ruleset = loaded(game)
    for players in range(ruleset.components.min_players, ruleset.components.max_players + 1):
        same_games(ruleset, players, range(100))


@pytest.mark.long
def test_the_small_games_of_the_other_tests() -> None:
    """Every form of the language has its small game in the tests of the machine; here each is played in C as well."""
    files = [str(ROOT / "tests" / "interpreter" / name) for name in ("test_machine.py", "test_sets.py", "test_laws.py")]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *files]
    done = subprocess.run(command, cwd=ROOT, env={**os.environ, IN_C: "1"}, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-4000:]


# ------------------------------------------------------------------ whole batches


def test_batches_are_the_games_one_by_one() -> None:
    ruleset = loaded("goblin-warlord")
    machine, _ = compiled(ruleset, 3)
    many = machine.play_games(40, 70)
    machine.quick.off()
    assert many == machine.play_games(40, 70) and len(many) == 70
    assert many.decisions == sum(one.decisions for one in many)
    assert many[:2] == machine_for(ruleset, 3, False, "plain").play_games(40, 2)[:]


def test_seeds_that_c_does_not_know_are_played_all_the_same() -> None:
    machine, _ = compiled(loaded("tic-tac-toe"), 2)
    for seed in (-3, 1 << 62, 1 << 200):
        (found,) = machine.play_games(seed, 1)
        assert found == machine_for(loaded("tic-tac-toe"), 2, False, "plain").played(seed)


def followed(
    machine: PlainMachine, state: State, stream: int, steps: int, me: int, secret: int, tried: int
) -> list[tuple[int, ...]]:
    """The points of every seat when another is first asked, after a quarter, and at the end: the long way."""
    found: dict[str, tuple[int, ...]] = {}

    def points() -> tuple[int, ...]:
        return tuple(sum(machine.parts(state, seat)) for seat in range(machine.layout.players))

    offer: Offer | None = None
    for step in range(steps):
        offer = machine.run(state)
        if offer is None:
            break
        if offer.player != me and (secret < 0 or state.asking != secret):
            found.setdefault("turn", points())
        if step == steps // 4:
            found["quarter"] = points()
        if tried:
            stream, pick = best_answer(machine, state, offer, tried, stream)
        else:
            stream, pick = chance.below(stream, offer.count)
        machine.take(state, offer.answers[pick])
    else:
        machine.run(state)
    end = points()
    return [found.get("turn", end), found.get("quarter", end), end]


@pytest.mark.parametrize("tried", [0, 3])
@pytest.mark.parametrize("game", ["maldorf", "goblin-warlord", "warlock-1980"])
def test_following_from_the_middle_of_a_game(game: str, tried: int) -> None:
    ruleset = loaded(game)
    machine, _ = compiled(ruleset, 3)
    compared = 0
    for seed in range(6):
        state = machine.start(seed)
        machine.play_out_here(state, answer_stream(seed), 20 + 13 * seed)
        offer = machine.run(state)
        if offer is None:
            continue
        secret = state.asking
        machine.take(state, offer.answers[0])
        before = state.key()
        ahead = machine.follow(state, 99 + seed, 40, 10, offer.player, secret, tried)
        assert ahead is not None and state.key() == before
        end = ahead[2].totals
        found = [end if one is None else one.totals for one in ahead]
        assert found == followed(machine, state.copy(), 99 + seed, 40, offer.player, secret, tried)
        compared += 1
    assert compared > 2


@pytest.mark.parametrize("bot", [Mcts(5, iterations=24, horizon=12), MonteCarlo(5, iterations=24, horizon=12)])
def test_a_search_comes_to_the_same_with_c_and_without(bot: Bot) -> None:
    machine, _ = compiled(loaded("goblin-warlord"), 2)
    picks = []
    for in_c in (True, False):
        if not in_c:
            machine.quick.off()
        state = machine.start(3)
        game = Game(loaded("goblin-warlord"), machine, state, 3, ["one", "other"])
        game._go()
        dice, found = chance.seeded(8), []
        for _ in range(12):
            found.append(bot.pick(game))
            dice, pick = chance.below(dice, game.option_count)
            game.choose(pick)
        picks.append(found)
    assert picks[0] == picks[1] and len(set(picks[0])) > 1


# ----------------------------------------------------------------------- the rim


def test_an_error_in_the_rules_is_told_as_without_c() -> None:
    ruleset = tiny("rule play:\n    choose n in 1..3\n    choose c in [x in deck where x.value > 90]: pass\n")
    machine, library = compiled(ruleset, 2)
    state = machine.start(1)
    assert library.play_out(state, answer_stream(1), MAX_ANSWERS) is None
    with pytest.raises(PlayError, match="nothing to choose") as told:
        machine.play_out(state, answer_stream(1))
    assert told.value.span.line == 2


def test_a_game_without_end_is_given_up_as_without_c() -> None:
    machine, library = compiled(loaded("tic-tac-toe"), 2)
    assert library.play_out(machine.start(1), answer_stream(1), 3) is None


def test_nothing_of_a_save_goes_to_c() -> None:
    """A save may be a stranger's, and C trusts what it is given."""
    ruleset = loaded("tic-tac-toe")
    game = Game.start(ruleset, 2, 1)
    game.choose(0)
    again = Game.load(ruleset, game.save())
    assert again.state.foreign and again.state.copy().foreign and not game.state.foreign
    machine, _ = compiled(ruleset, 2)
    assert machine.quick.play_out(again.state.copy(), 1, MAX_ANSWERS) is None
    assert machine.quick.follow(again.state.copy(), 1, 4, 1, 0, -1, 0) is None
    assert machine.quick.play_out(game.state.copy(), 1, MAX_ANSWERS) is not None


def test_a_few_games_are_not_worth_compiling() -> None:
    need_compiler()
    machine = fresh(loaded("maldorf+dragons"), 3)
    machine.play_games(0, 2)
    assert machine.quick.library is None
    machine.quick.spent = 60.0
    found = machine.play_games(0, 2)
    assert machine.quick.library is not None
    machine.quick.off()
    assert found == machine.play_games(0, 2)


def test_names_of_a_ruleset_cannot_leave_their_comment() -> None:
    from attrs import evolve

    source = native_source_for(evolve(loaded("tic-tac-toe"), name="*/ int evil;\n#error /*"), 2, False)
    assert "evil" in source.splitlines()[0] and source.splitlines()[0].count("*/") == 1
    assert "#error" not in source
