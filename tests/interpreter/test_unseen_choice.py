"""The form a check offers for a choice among unseen pieces: by its place one can pick, by itself the first is taken."""

from __future__ import annotations

from interpreter.game import Game
from tests.warlock_dsl.test_goldens import base
from warlock_dsl.load import load_files

RULES = """
rule play:
    for p in players: move top(deck, 4) to p.hand
    for me in [first(players)]: steal()
    finish []

rule steal: {steal}
"""


def loot(steal: str) -> set[frozenset[int]]:
    """What a thief may have in hand afterwards, one set of pieces for each option."""
    ruleset = load_files({**base(), "rules.warlock": RULES.format(steal=steal)}, "base").ruleset
    assert ruleset is not None
    hands = set()
    for option in range(4):
        game = Game.start(ruleset, 2, 1, backend="plain")
        if not game.over:
            game.choose(option)
        assert game.over
        hand = next(n for n, place in enumerate(game.machine.layout.places) if (place.name, place.owner) == ("hand", 0))
        hands.add(frozenset(game.state.zones[hand]))
    return hands


def test_by_its_place_every_piece_can_be_picked() -> None:
    assert len(loot("choose n in 1..count(next(me).hand): move next(me).hand[n] to my.hand")) == 4


def test_without_it_the_first_one_is_taken() -> None:
    assert len(loot("choose prey in next(me).hand: move prey to my.hand")) == 1
