"""Go Fish beside OpenSpiel: whom one may ask for what, and who wins."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from interpreter import Game
from tests.conftest import ruleset_named
from tests.peers.beside import pieces, shares

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: pip install -e '.[peers]'")

RANKS = ["ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king"]


def rank(key: str) -> int:
    return RANKS.index(key.partition("#")[0])


def chance(theirs: Any, pool: list[str]) -> None:
    """Cards are drawn in the order in which our pool lies."""
    while theirs.is_chance_node():
        theirs.apply_action(rank(pool.pop()))


def settle(game: Game, theirs: Any, pool: list[str]) -> None:
    """Theirs goes on to where ours is: what chance gives, and what cannot be chosen."""
    chance(theirs, pool)
    while not theirs.is_terminal() and len(theirs.legal_actions()) == 1:
        theirs.apply_action(theirs.legal_actions()[0])
        chance(theirs, pool)


def follow(players: int, seed: int) -> int:
    """A game of random asking in both; how many times somebody was asked. None is made of a deal with a book in it:
    then theirs deals on until the hand has as many cards without the book."""
    ours, pick, asked = Game.start(ruleset_named("go-fish"), players, seed), Random(seed), 0
    if any(pieces(ours, "books", seat) for seat in range(players)):
        return 0
    theirs = pyspiel.load_game(f"go_fish(players={players})").new_initial_state()
    pool = pieces(ours, "pool")
    for seat in range(players):
        for key in pieces(ours, "hand", seat):
            theirs.apply_action(rank(key))
    settle(ours, theirs, pool)
    while not ours.over:
        legal = theirs.legal_actions()
        assert ours.to_move == theirs.current_player()
        friend, wanted = divmod(pick.choice(legal), 13)
        friends = {action // 13 for action in legal}
        if len(friends) > 1:
            assert ours.question == "turn.friend"
            assert {int(option.key.removeprefix("seat")) for option in ours.options()} == friends
            ours.answer(f"seat{friend}")
        ranks = {action % 13 for action in legal if action // 13 == friend}
        if len(ranks) > 1:
            assert ours.question == "turn.wanted"
            assert {rank(option.key) for option in ours.options()} == ranks
            ours.answer(RANKS[wanted])
        theirs.apply_action(friend * 13 + wanted)
        settle(ours, theirs, pool)
        asked += 1
        hands = [sorted(rank(key) for key in pieces(ours, "hand", seat)) for seat in range(players)]
        if not ours.over:
            assert hands == hands_of(str(theirs), players)
    assert theirs.is_terminal() and theirs.returns() == pytest.approx(shares(ours.winners, players))
    return asked


def hands_of(text: str, players: int) -> list[list[int]]:
    """The hands in their picture of a position: a letter and a number for each rank, then the books."""
    hands = [line.partition(":")[0] for line in text.splitlines()[2 : 2 + players]]
    return [[ord(hand[at]) - 97 for at in range(0, len(hand), 2) for _ in range(int(hand[at + 1]))] for hand in hands]


@pytest.mark.parametrize("players", [2, 3, 6])
def test_a_few_games(players: int) -> None:
    assert sum(follow(players, seed) for seed in range(5)) > 5 * 20


@pytest.mark.long
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_hundreds_of_games(players: int) -> None:
    asked = sum(follow(players, seed) for seed in range(100, 300))
    print(f"{players} players: {asked} times somebody was asked")
    assert asked > 200 * 20
