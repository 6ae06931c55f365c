"""Hidden information holds: what a player cannot see changes nothing the player sees or is offered."""

from __future__ import annotations

import pytest

from interpreter import Game, PlayError
from interpreter.state import random as chance
from tests.conftest import ruleset_named
from tests.games.playing import random_game
from warlock_dsl.ruleset import Ruleset


def imagined(game: Game, stream: int) -> Game | None:
    """The same moment with everything the asked player cannot see dealt anew; None where it could not have come up."""
    try:
        _, state = game.machine.redeal(game.state, game.to_move, stream)
    except PlayError:
        return None
    other = Game(game.ruleset, game.machine, state, game.seed, game.seats)
    other._go()
    return other


def same_for_the_asked(game: Game, other: Game) -> None:
    """Two moments that look the same to the asked player: the same question, options, labels and view."""
    seat = game.to_move
    assert other.to_move == seat
    assert other.observe(seat) == game.observe(seat)
    mine, theirs = game.decision, other.decision
    assert mine is not None and theirs is not None
    shown = [(option.what, option.value) for option in mine.options]
    assert [(option.what, option.value) for option in theirs.options] == shown
    assert (theirs.rule, theirs.name) == (mine.rule, mine.name)
    assert (theirs.bound, theirs.partial) == (mine.bound, mine.partial)


def compared(ruleset: Ruleset, players: int, seeds: range, one_in: int) -> tuple[int, int]:
    """Compare at one decision in so many; how many were compared, and at how many something lay elsewhere."""
    stream, all_, moved = chance.seeded(seeds.start + 9), 0, 0
    for seed in seeds:
        for game in random_game(ruleset, players, seed):
            stream, skip = chance.below(stream, one_in)
            other = None if game.over or skip else imagined(game, stream)
            if other is not None:
                same_for_the_asked(game, other)
                all_ += 1
                dealt, real = (one.machine.position(one.state) for one in (other, game))
                moved += dealt.zones != real.zones
    return all_, moved


GAMES = ["maldorf", "goblin-warlord", "warlock-1980"]


@pytest.mark.parametrize("players", [3, 5])
@pytest.mark.parametrize("name", GAMES)
def test_what_is_hidden_changes_neither_view_nor_options(name: str, players: int) -> None:
    found, moved = compared(ruleset_named(name), players, range(4), 3)
    assert found > 200 and moved > found * 0.9


@pytest.mark.long
@pytest.mark.parametrize("batch", range(20))
@pytest.mark.parametrize("name", GAMES)
def test_at_every_decision_of_two_hundred_games(name: str, batch: int) -> None:
    found, moved = compared(ruleset_named(name), 3 + batch % 3, range(100 + batch * 10, 110 + batch * 10), 1)
    assert found > 1000 and moved > found * 0.8
