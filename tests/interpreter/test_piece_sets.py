"""Pieces without toil: a number of copies, two kinds from one table, a set of pieces for each player."""

from __future__ import annotations

import pytest

from interpreter.game import Game
from warlock_dsl.load import load_files
from warlock_dsl.ruleset import Loaded

TABLES = """
[game]
players = "2..4"

[table.suit]
columns = { worth = "number" }
rows = { sun = { worth = 1 }, moon = { worth = 2 } }

[kind.card]
rows = "suit"
copies = 3

[kind.bid]
rows = "suit"
each = "player"

[kind.coin]
count = 2
each = "player"

[kind.seal]
rows = "seals.csv"
fields = { worth = "number" }
each = "player"

[zone]
deck = { holds = "card", start = "card" }
box = { holds = ["bid", "coin", "seal"] }
hand = { each = "player", holds = ["bid", "coin"], start = ["bid", "coin"] }
shelf = { each = "player", holds = "seal", start = "seal" }
"""
SEALS = "id,worth\nlion,3\nbear,4\n"
RULES = """
rule play:
    for me in players: choose bid in my.hand[bid] where bid.face is sun: move bid to box
    finish []

score worth = sum(b in my.hand[bid]: b.worth) + sum(s in my.shelf: s.worth) + count(deck) + count(my.hand[coin])
"""


def loaded(tables: str = TABLES) -> Loaded:
    return load_files({"game.toml": tables, "rules.warlock": RULES, "seals.csv": SEALS}, "sets")


@pytest.mark.parametrize("backend", ["plain", None])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_player_has_a_set(players: int, backend: str | None) -> None:
    found = loaded()
    assert found.ruleset is not None, [one.message for one in found.diagnostics]
    game = Game.start(found.ruleset, players, 1, backend=backend)
    while not game.over:
        game.choose(0)
    layout = game.machine.layout
    held: dict[tuple[str, int], list[str]] = {}
    for piece, place in enumerate(game.state.place):
        where = layout.places[place]
        held.setdefault((where.name, where.owner), []).append(layout.piece_names[piece])
    for seat in range(players):
        coins = [f"coin#{2 * seat + 1}", f"coin#{2 * seat + 2}"]
        assert held["hand", seat] == [f"bid.moon#{seat + 1}", *coins]
        assert held["shelf", seat] == [f"lion#{seat + 1}", f"bear#{seat + 1}"]
    assert len(held["box", -1]) == players + 6 * (4 - players), "the suns, and the sets of those who are not there"
    assert [sheet.total for sheet in game.scores()] == [2 + 7 + 6 + 2] * players


def test_the_first_kind_of_a_table_keeps_its_ids() -> None:
    ruleset = loaded().ruleset
    assert ruleset is not None
    kinds = ruleset.components.kinds
    assert kinds["card"].pieces == ("sun#1", "sun#2", "sun#3", "moon#1", "moon#2", "moon#3")
    assert kinds["bid"].pieces[:4] == ("bid.sun#1", "bid.moon#1", "bid.sun#2", "bid.moon#2")
    assert kinds["bid"].first == 6 and kinds["coin"].first == 14


WRONG = [
    ('each = "player"\n\n[kind.coin]', 'each = "seat"\n\n[kind.coin]', "W229", "'each' cannot be 'seat'"),
    ("copies = 3", "copies = 1.5", "W209", "a whole number is wanted here, not 1.5"),
    ("copies = 3", "copies = true", "W209", "a number is wanted here, not a truth"),
    ("copies = 3", 'copies = "three"', "W220", "there is no column 'three'"),
    ("copies = 3", "copies = 90000", "W237", "a game may have at most"),
    ('holds = ["bid", "coin", "seal"]', 'holds = ["bid", "coin"]', "W225", "players who are not there start nowhere"),
    ('count = 2\neach = "player"', "count = 2", "W227", "for each player, so no piece can start in it"),
]


@pytest.mark.parametrize(("old", "new", "code", "message"), WRONG)
def test_what_is_wrong(old: str, new: str, code: str, message: str) -> None:
    assert old in TABLES
    errors = [one for one in loaded(TABLES.replace(old, new)).diagnostics if one.severity.value == "error"]
    assert errors[0].code == code and message in errors[0].message, errors
