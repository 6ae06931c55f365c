"""The index: every name of the rules of every game is in it, with the place where it is declared."""

from __future__ import annotations

import pytest

from warlock_dsl.index import index_of
from warlock_dsl.load import load, load_files
from warlock_dsl.primitives import FUNCTION_NAMES, KEYED_NAMES, VALUE_NAMES
from warlock_dsl.syntax import tree as syntax
from warlock_dsl.syntax.walk import nodes

WORDS = {*VALUE_NAMES, *FUNCTION_NAMES, *KEYED_NAMES, "my", "was", "finish", "there"}
FILES = {
    "game.toml": """
[game]
players = 2
[table.suit]
columns = { worth = "number" }
rows = { red = { worth = 1 }, blue = { worth = 2 } }
[kind.card]
rows = "suit"
[zone]
deck = { holds = "card", start = "card" }
hand = { each = "player", holds = "card" }
[variable.player]
likes = "suit"
[figure.size]
hand = 1
""",
    "names/en.toml": '"suit.red" = "red"\n"ask.play.card" = "which card, {me}?"\n',
    "a.warlock": """rule play:
    choose card in deck where card.face is red and card.worth < size.hand:
        move card to my.hand
        set my.likes to blue
    finish []

score s = count(my.hand[card])
""",
}


def texts_at(files: dict[str, str], symbol: tuple[str, ...]) -> list[tuple[str, int, bool]]:
    found = index_of(load_files(files, "g"))
    for place in found.of(symbol):
        span = place.span
        line = files[span.file].split("\n")[span.line - 1]
        assert line[span.column - 1 : span.end_column - 1] == symbol[-1]
    return [(place.span.file, place.span.line, place.defines) for place in found.of(symbol)]


@pytest.mark.parametrize(
    ("symbol", "places"),
    [
        (("row", "suit", "red"), [("a.warlock", 2, False), ("game.toml", 6, True), ("names/en.toml", 1, False)]),
        (
            ("column", "suit", "worth"),
            [("a.warlock", 2, False), ("game.toml", 5, True)] + [("game.toml", 6, False)] * 2,
        ),
        (("zone", "deck"), [("a.warlock", 2, False), ("game.toml", 10, True)]),
        (("figure", "size", "hand"), [("a.warlock", 2, False), ("game.toml", 15, True)]),
        (("variable", "player", "likes"), [("a.warlock", 4, False), ("game.toml", 13, True)]),
        (("rule", "play"), [("a.warlock", 1, True), ("names/en.toml", 2, False)]),
        (
            ("kind", "card"),
            [("a.warlock", 7, False), ("game.toml", 7, True)] + [("game.toml", n, False) for n in (10, 10, 11)],
        ),
    ],
)
def test_a_name_is_found_in_rules_tables_and_catalogues(
    symbol: tuple[str, ...], places: list[tuple[str, int, bool]]
) -> None:
    assert texts_at(FILES, symbol) == places


def test_a_local_name_is_known_by_where_it_is_bound() -> None:
    found = index_of(load_files(FILES, "g"))
    place = found.at("a.warlock", 3, 15)
    assert place is not None and place.symbol == ("local", "a.warlock", "2", "12", "card")
    assert [(one.span.line, one.span.column) for one in found.of(place.symbol)] == [(2, 12), (2, 31), (2, 52), (3, 14)]


def test_rules_with_an_error_have_an_index_too() -> None:
    files = {**FILES, "b.warlock": "rule other:\n    move first(dekc) to deck\n\nrule broken(\n"}
    assert ("b.warlock", 2, False) in texts_at(files, ("zone", "deck"))


@pytest.mark.parametrize("name", ["maldorf", "goblin-warlord", "warlock-1980", "hearts", "maldorf+de+de_errata"])
def test_every_name_in_the_rules_is_in_the_index(name: str) -> None:
    loaded = load(name)
    found = index_of(loaded)
    assert loaded.final is not None
    known = {place.span for places in found.files.values() for place in places}
    names = [node for node in nodes(loaded.final.modules) if isinstance(node, syntax.Name)]
    names = [node for node in names if node.text not in WORDS and not node.span.file.startswith("std/")]
    said = {node.name.span for node in nodes(loaded.final.modules) if isinstance(node, syntax.Say | syntax.May)}
    others = [one.other for one in nodes(loaded.final.modules) if isinstance(one, syntax.Property)]
    said |= {node.span for node in nodes(others) if isinstance(node, syntax.Name)}  # an overlay, which is not there
    assert not [node for node in names if node.span not in known | said]
    assert not [symbol for symbol in found.places if not found.definitions(symbol) and symbol[0] != "local"]
