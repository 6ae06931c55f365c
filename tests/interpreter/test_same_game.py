"""The fast machine gives the same game as the plain one: every game and overlay, several seeds and tables."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from interpreter.machine import play_random
from tests.interpreter.pair import side_by_side
from warlock_dsl.files import available, available_overlays, stack_of
from warlock_dsl.load import load
from warlock_dsl.ruleset import Ruleset

ROOT = Path(__file__).parents[2]
RULES = [ROOT / "rules"]
GAMES = [game.name for game in available(RULES)]
OVERLAYS = [(game, overlay.name) for game in GAMES for overlay in available_overlays(game, RULES)]


@cache
def loaded(name: str) -> Ruleset:
    found = load(name, RULES).ruleset
    assert found is not None
    return found


def tables(ruleset: Ruleset) -> range:
    return range(ruleset.components.min_players, ruleset.components.max_players + 1)


@pytest.mark.parametrize("game", GAMES)
def test_both_machines_give_the_same_game(game: str) -> None:
    ruleset = loaded(game)
    whole = tables(ruleset)[0]  # one game to its end, the others for a while
    for players in tables(ruleset):
        assert side_by_side(ruleset, players, players, players % 2 == 0, 10_000 if players == whole else 80) > 0


def test_random_games_are_the_same_on_either_machine() -> None:
    ruleset = loaded("tic-tac-toe")
    outcomes = [play_random(ruleset, 2, seed) for seed in range(60)]
    assert outcomes == [play_random(ruleset, 2, seed, "plain") for seed in range(60)]
    assert {len(outcome.winners) for outcome in outcomes} >= {1}
    assert all(5 <= outcome.decisions <= 9 for outcome in outcomes)


@pytest.mark.parametrize(("game", "overlay"), OVERLAYS[:: max(1, len(OVERLAYS) // 6)])
def test_some_overlays(game: str, overlay: str) -> None:
    ruleset = loaded(stack_of(ROOT / "variants" / game / overlay))
    assert side_by_side(ruleset, tables(ruleset)[0], 3, laws=True, maximum=120) > 0


@pytest.mark.long
@pytest.mark.parametrize(("game", "overlay"), [*((game, "") for game in GAMES), *OVERLAYS])
def test_all_overlays_tables_and_laws(game: str, overlay: str) -> None:
    ruleset = loaded(stack_of(ROOT / "variants" / game / overlay) if overlay else game)
    for players in tables(ruleset):
        for laws in (False, True):
            assert side_by_side(ruleset, players, 10 + players, laws) > 0
