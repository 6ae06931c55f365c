"""What an option leads to, as far as whoever is asked can know it."""

from __future__ import annotations

from typing import Any

import pytest

from interpreter import Game
from tests.conftest import ruleset_named
from workbench.language.sentences import Words
from workbench.service.foresight import foreseen
from workbench.service.table import EVERYBODY

PLAYERS = {"go-fish": 3, "maldorf": 3, "hearts": 4, "tic-tac-toe": 2}


def begun(name: str, answers: int, log: bool = True) -> tuple[Words, Game]:
    ruleset = ruleset_named(name)
    game = Game.start(ruleset, PLAYERS[name], 5, log=log)
    for number in range(answers):
        game.choose(number % game.option_count)
    return Words(ruleset, "en", ("Ann", "Ben", "Cid", "Dot")[: game.players]), game


@pytest.mark.parametrize("name", ["go-fish", "maldorf"])
def test_it_is_the_same_for_every_game_that_looks_the_same(name: str) -> None:
    """So nothing of the real game that the seat does not see can be in it."""
    for answers in (0, 7, 20):
        words, game = begun(name, answers)
        seat = game.to_move
        other = game.imagine(seat, 12345)
        assert other.digest() != game.digest(), "the other game hides something else"
        for number in range(min(3, game.option_count)):
            found = [foreseen(words, one, seat, number) for one in (game, other)]
            assert without_log(found[0]) == without_log(found[1])


def without_log(table: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in table.items() if name not in ("log", "events")}


def test_what_nobody_can_know_is_marked() -> None:
    """A draw of a card: that a card comes is known, which one is not."""
    words, game = begun("go-fish", 1)
    unknown = []
    for number in range(game.option_count):
        table = foreseen(words, game, game.to_move, number)
        unknown += [zone["key"] for zone in table["zones"] if zone.get("unknown")]
    assert unknown


def test_where_nothing_is_hidden_it_is_what_comes() -> None:
    words, game = begun("tic-tac-toe", 2)
    found, real = foreseen(words, game, game.to_move, 3), foreseen(words, game, EVERYBODY, 3)
    assert list(found["zones"]) == list(real["zones"]) and not any(zone.get("unknown") for zone in found["zones"])
