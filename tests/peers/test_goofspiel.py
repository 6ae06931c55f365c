"""Goofspiel beside OpenSpiel: what everybody may bid, and the points of everybody at the end."""

from __future__ import annotations

from random import Random

import pytest

from interpreter import Game
from tests.conftest import ruleset_named
from tests.peers.beside import pieces

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: pip install -e '.[peers]'")

RANKS = ["ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king"]


def rank(key: str) -> int:
    return RANKS.index(key.removeprefix("bid.").partition("#")[0])


def follow(players: int, seed: int) -> int:
    """A game of random bids in both; how many bids were compared."""
    names = f"players={players},imp_info=false,points_order=random,returns_type=total_points"
    theirs = pyspiel.load_game(f"goofspiel({names})").new_initial_state()
    ours, pick, compared = Game.start(ruleset_named("goofspiel"), players, seed), Random(seed), 0
    while not ours.over:
        assert theirs.is_chance_node()
        theirs.apply_action(rank(pieces(ours, "stake")[-1]))
        bids = []
        for seat in range(players):
            legal = theirs.legal_actions(seat)
            offered = [rank(option.key) for option in ours.options()]
            assert ours.to_move == seat and offered == legal
            bids.append(pick.choice(legal))
            ours.choose(offered.index(bids[-1]))
            compared += 1
        theirs.apply_actions(bids)
    assert theirs.is_terminal()
    assert [sheet.total for sheet in ours.scores()] == theirs.returns()
    most = max(theirs.returns())
    assert ours.winners == tuple(seat for seat in range(players) if theirs.returns()[seat] == most)
    return compared


@pytest.mark.parametrize("players", [2, 3, 7])
def test_a_few_games(players: int) -> None:
    assert sum(follow(players, seed) for seed in range(5)) == 5 * 12 * players


@pytest.mark.long
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6, 7])
def test_hundreds_of_games(players: int) -> None:
    assert sum(follow(players, seed) for seed in range(100, 300)) == 200 * 12 * players
