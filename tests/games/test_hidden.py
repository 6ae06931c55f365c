"""Hidden information holds: what a player cannot see changes nothing the player sees or is offered."""

from __future__ import annotations

import pytest

from interpreter import Game, PlayFault, chance
from tests.conftest import ruleset_named
from tests.games.playing import random_game
from workbench.redeal import redealt


def imagined(game: Game, stream: int) -> Game | None:
    """The same moment with everything the asked player cannot see dealt anew; None where it could not have come up."""
    try:
        _, state = redealt(game.machine, game.state, game.to_move, stream)
    except PlayFault:
        return None
    other = Game(game.ruleset, game.machine, state, game.seed, game.seats)
    other._go()
    return other


@pytest.mark.parametrize("players", [3, 5])
@pytest.mark.parametrize("name", ["maldorf", "goblin-warlord", "warlock-1980"])
def test_what_is_hidden_changes_neither_view_nor_options(name: str, players: int) -> None:
    ruleset = ruleset_named(name)
    stream, compared, moved = chance.seeded(9), 0, 0
    for seed in range(4):
        for game in random_game(ruleset, players, seed):
            stream, skip = chance.below(stream, 3)
            if game.over or skip:
                continue
            other = imagined(game, stream)
            if other is None:
                continue
            seat = game.to_move
            assert other.to_move == seat
            assert other.observe(seat) == game.observe(seat)
            mine, theirs = game.decision, other.decision
            assert mine is not None and theirs is not None
            shown = [(option.what, option.value) for option in mine.options]
            assert [(option.what, option.value) for option in theirs.options] == shown
            assert (theirs.rule, theirs.name) == (mine.rule, mine.name)
            assert (theirs.bound, theirs.partial) == (mine.bound, mine.partial)
            compared += 1
            moved += other.state.zones != game.state.zones
    assert compared > 200 and moved > compared * 0.9
