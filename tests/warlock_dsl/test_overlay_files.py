"""Pieces and rows of an overlay from its own CSV files."""

from __future__ import annotations

from collections.abc import Mapping

from tests.warlock_dsl.test_goldens import base
from warlock_dsl.load import load_files
from warlock_dsl.ruleset import Loaded
from warlock_dsl.stack import Use

HEAD = '[overlay]\non = "base"\nabout = "A test"\n\n'
COINS = """
[table.coin]
columns = { worth = "number", gold = "truth", shows = "[colour]" }
rows = { penny = { worth = 1, gold = false, shows = ["red"] } }
"""
WORTH = "score worth = sum(c in coin where c.gold: c.worth * count(c.shows))\n"


def stacked(files: Mapping[str, str], **game: str) -> Loaded:
    more = {name.replace("_", ".", 1): text for name, text in game.items()}
    return load_files({**base(), **more}, "base", (), [(Use("one", {}), files)])


def told(found: Loaded) -> list[tuple[str, str, int]]:
    return [(one.code, one.span.file, one.span.line) for one in found.diagnostics]


def test_pieces_of_a_kind() -> None:
    overlay = HEAD + '[[add]]\nat = "card"\nnow = "more.csv"\n'
    found = stacked({"overlay.toml": overlay, "more.csv": "id,value,colour\nr5,5,red\nb5,5,blue\n"})
    assert found.ruleset is not None, told(found)
    kind = found.ruleset.components.kinds["card"]
    assert kind.pieces[-2:] == ("r5", "b5") and kind.fields["value"].values[-2:] == (5, 5)
    (layer,) = found.ruleset.layers
    assert [one.target for one in layer.changes] == ["r5", "b5"]


def test_rows_of_a_table() -> None:
    overlay = HEAD + '[[add]]\nat = "coin"\nbefore = "penny"\nnow = "more.csv"\n'
    rows = "id,worth,gold,shows\nducat,2.5,true,red blue\n"
    found = stacked({"overlay.toml": overlay, "more.csv": rows}, coins_toml=COINS, coins_warlock=WORTH)
    assert found.ruleset is not None, told(found)
    table = found.ruleset.components.tables["coin"]
    assert table.rows == ("ducat", "penny")
    assert [column.values[0] for column in table.columns.values()] == [2.5, True, (0, 1)]


def test_a_new_kind_from_a_file_of_the_overlay() -> None:
    kind = '[[add]]\nat = "kind.seal"\nnow = { rows = "seals.csv", fields = { worth = "number" } }\n'
    zone = '[[add]]\nat = "zone.chest"\nnow = { holds = "seal", start = "seal" }\n'
    rules = "score seals = sum(s in chest: s.worth)\n"
    files = {"overlay.toml": HEAD + kind + zone, "seals.csv": "id,worth\nlion,3\nbear,4\n", "seals.warlock": rules}
    found = stacked(files)
    assert found.ruleset is not None, told(found)
    assert found.ruleset.components.kinds["seal"].pieces == ("lion", "bear")


def test_errors_are_at_their_place_in_the_file() -> None:
    cards = HEAD + '[[add]]\nat = "card"\nnow = "more.csv"\n'
    wrong = stacked({"overlay.toml": cards, "more.csv": "id,colour,value\nr5,red,5\nb5,green,5\n"})
    assert told(wrong) == [("W208", "+one/more.csv", 3)]
    taken = stacked({"overlay.toml": cards, "more.csv": "id,colour,value\nr1,red,5\n"})
    assert told(taken) == [("W612", "+one/more.csv", 2)]
    coins = HEAD + '[[add]]\nat = "coin"\nnow = "more.csv"\n'
    rows = "id,worth,gold,shows\nducat,2,true,red\nsou,some,true,red\n"
    worth = stacked({"overlay.toml": coins, "more.csv": rows}, coins_toml=COINS, coins_warlock=WORTH)
    assert told(worth) == [("W209", "+one/more.csv", 3)]


def test_an_overlay_that_changes_a_piece_of_another_file_collides() -> None:
    files = {
        "overlay.toml": HEAD + '[[add]]\nat = "card"\nnow = "more.csv"\n',
        "more.csv": "id,colour,value\nr5,red,5\n",
    }
    change = HEAD + '[[change]]\nat = "r5.value"\nwas = 5\nnow = 6\n'
    both = load_files(base(), "base", (), [(Use("one", {}), files), (Use("two", {}), {"overlay.toml": change})])
    assert [one.code for one in both.diagnostics] == ["W610"]
    built = change.replace("\n\n", '\nbuilds_on = ["one"]\n\n', 1)
    again = load_files(base(), "base", (), [(Use("one", {}), files), (Use("two", {}), {"overlay.toml": built})])
    assert again.ruleset is not None, told(again)
