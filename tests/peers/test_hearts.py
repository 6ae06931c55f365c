"""Hearts beside OpenSpiel, which plays single hands: whole games to 100, each hand with a game of theirs."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from interpreter import Game, Option
from tests.conftest import ruleset_named
from tests.peers.beside import Pair, pieces, variable

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: pip install -e '.[peers]'")

SUITS, RANKS = "CDHS", "23456789TJQKA"
PASSING = [1, 3, 2, 0]  # seats to the left, hand by hand


def card(key: str) -> int:
    return RANKS.index(key[1]) * 4 + SUITS.index(key[0])


def action(game: Game, option: Option) -> int:
    return card(option.key.removeprefix("+"))


def dealt(game: Game, seats: int, theirs: str) -> Any:
    """A hand of theirs with the cards that ours has dealt."""
    state = pyspiel.load_game(f"hearts({theirs})").new_initial_state()
    state.apply_action(seats)
    hands = [[card(key) for key in pieces(game, "hand", seat) + pieces(game, "played", seat)] for seat in range(4)]
    assert [len(hand) for hand in hands] == [13] * 4
    for number in range(52):
        state.apply_action(hands[number % 4][number // 4])
    return state


def pass_cards(game: Game, theirs: Any, pick: Random) -> None:
    """Three cards of everybody's: ours asks for a set, theirs for card after card."""
    for seat in range(4):
        hand = pieces(game, "hand", seat)
        assert theirs.current_player() == game.to_move == seat
        assert sorted(card(key) for key in hand) == theirs.legal_actions()
        for number in sorted(pick.sample(range(13), 3)):
            theirs.apply_action(card(hand[number]))
            if (game.to_move, game.question) == (seat, "pass_cards.cards"):  # the last card of all is not asked for
                game.answer(f"+{hand[number]}")


def follow(seed: int, ruleset: str = "hearts", parameters: str = "qs_breaks_hearts=false") -> tuple[int, int]:
    """A whole game; the hands played and the decisions compared."""
    ours, pick, compared, hands = Game.start(ruleset_named(ruleset), 4, seed), Random(seed), 0, 0
    penalties = [0] * 4
    while not ours.over:
        seats = PASSING[hands % 4]
        theirs = dealt(ours, seats, parameters)
        if seats:
            pass_cards(ours, theirs, pick)
            compared += 4
        pair = Pair(ours, theirs, action)
        while not theirs.is_terminal():
            pair.step(pick)
        compared, hands = compared + pair.compared, hands + 1
        penalties = [before + 26 - int(kept) for before, kept in zip(penalties, theirs.returns(), strict=True)]
        assert [int(variable(ours, "penalty", seat)) for seat in range(4)] == penalties
    assert max(penalties) >= 100
    assert ours.winners == tuple(seat for seat in range(4) if penalties[seat] == min(penalties))
    return hands, compared


def test_a_game_or_two() -> None:
    assert sum(follow(seed)[0] for seed in range(2)) > 10


def test_with_the_queen_breaking_hearts() -> None:
    assert follow(5, "hearts+queen_breaks", "qs_breaks_hearts=true")[0] > 5


@pytest.mark.long
def test_hundreds_of_games() -> None:
    found = [follow(seed) for seed in range(100, 250)]
    found += [follow(seed, "hearts+queen_breaks", "qs_breaks_hearts=true") for seed in range(250, 300)]
    hands, compared = (sum(column) for column in zip(*found, strict=True))
    print(f"{len(found)} games, {hands} hands, {compared} decisions")
    assert hands > 200 * 8 and compared > 200 * 8 * 30
