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


def mirrored(game: Game, option: Option) -> int:
    """Theirs mirrors the stone that is taken over, ours exchanges the sides: the same game in a mirror."""
    row, column = divmod(cell(game, option), 11)
    return column * 11 + row


def follow(seed: int, sides: bool) -> int:
    """A game of random stones; how many were laid."""
    name, theirs = ("hex", "hex(swap=true)") if sides else ("hex+no_swap", "hex")
    pair = Pair(Game.start(ruleset_named(name), 2, seed), pyspiel.load_game(theirs).new_initial_state(), cell)
    pick = Random(seed)
    while not pair.theirs.is_terminal():
        if pair.ours.question == "choose_side.side":
            assert 121 in pair.theirs.legal_actions() and len(pair.ours.options()) == 2
            if pick.random() < 0.5:
                pair.ours.answer("black")
                pair.theirs.apply_action(121)
                pair.action = mirrored
            else:
                pair.ours.answer("white")
                assert set(pair.legal()) == set(pair.theirs.legal_actions()) - {121}
                stone = pick.choice(sorted(pair.legal()))
                pair.ours.choose(pair.legal()[stone])
                pair.theirs.apply_action(stone)
        pair.step(pick)
    assert pair.ours.over and pair.theirs.returns() == shares(pair.ours.winners, 2)
    return pair.compared


@pytest.mark.parametrize("sides", [True, False])
def test_a_few_games(sides: bool) -> None:
    assert sum(follow(seed, sides) for seed in range(4)) > 4 * 21


@pytest.mark.long
@pytest.mark.parametrize("sides", [True, False])
def test_hundreds_of_games(sides: bool) -> None:
    laid = sum(follow(seed, sides) for seed in range(100, 300))
    print(f"200 games, {laid} stones")
    assert laid > 200 * 21
