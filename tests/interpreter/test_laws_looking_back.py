"""Laws that look back, on both machines: what was kept when a rule began is there wherever the rule is asked about."""

from __future__ import annotations

from interpreter import Game
from tests.interpreter.tiny import ruleset

LOOKING_BACK = ruleset("""
rule play:
    move deck to first(players, me).hand
    for me in players where any(my.hand): hand_in()

rule hand_in:
    choose 0..2 cards in my.hand
    choose cover in cards: move cards - [cover] + [cover] to heap
    else: pass

invariant none_gained after hand_in() = count(my.hand) <= was(count(my.hand))
""")


def test_both_machines_offer_the_same_where_a_law_looks_back() -> None:
    games = [Game.start(LOOKING_BACK, 2, 0, backend=backend) for backend in ("plain", "vm")]
    while not games[0].over:
        plain, fast = (game.decision for game in games)
        assert plain == fast
        for game in games:
            game.choose(0)
        assert games[0].digest() == games[1].digest()
    assert games[1].over
