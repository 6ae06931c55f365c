"""Hex beside OpenSpiel: the free cells at every turn, and who has connected."""

from __future__ import annotations

from random import Random

import pytest

from interpreter import Game, Option
from tests.conftest import ruleset_named
from tests.peers.beside import Pair, shares

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: pip install -e '.[peers]'")


def cell(game: Game, option: Option) -> int:
    row, column = option.key.removeprefix("board@").split(",")
    return int(row) * 11 + int(column)


def follow(seed: int) -> int:
    """A game of random stones; how many were laid."""
    pair = Pair(Game.start(ruleset_named("hex"), 2, seed), pyspiel.load_game("hex").new_initial_state(), cell)
    pick = Random(seed)
    while not pair.theirs.is_terminal():
        pair.step(pick)
    assert pair.ours.over and pair.theirs.returns() == shares(pair.ours.winners, 2)
    return pair.compared


def test_a_few_games() -> None:
    assert sum(follow(seed) for seed in range(4)) > 4 * 21


@pytest.mark.long
def test_hundreds_of_games() -> None:
    laid = sum(follow(seed) for seed in range(100, 400))
    print(f"300 games, {laid} stones")
    assert laid > 300 * 21
