"""The index: every name of the rules of every game is in it, with the place where it is declared."""

from __future__ import annotations

import pytest

from warlock_dsl.index import index_of
from warlock_dsl.index_tables import REMOVED
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
    places = [(one.span.file, one.span.line, one.span.column) for one in found.of(place.symbol)]
    rules = [("a.warlock", *where) for where in ((2, 12), (2, 31), (2, 52), (3, 14))]
    assert places == [*rules, ("names/en.toml", 2, 11)]  # the key of the question's text


def test_texts_of_catalogues_name_what_their_expressions_read() -> None:
    """In a key what the rule binds, in braces names of the rule, of the piece and of the tables."""
    texts = (
        '"ask.play.card" = "which card, {me}? {count(c in my.hand: c.worth > size.hand)}"\n'
        '"choose.play.card" = "{card}: {card.worth} of {twice(size.hand)}"\n'
        '"piece.card" = "{worth}"\n'
    )
    rules = FILES["a.warlock"] + "\ndefine twice(n: number) = 2 * n\n"
    files = {**FILES, "a.warlock": rules, "names/en.toml": texts}
    found = index_of(load_files(files, "g"))
    named = {
        (place.span.line, files["names/en.toml"].split("\n")[place.span.line - 1][place.span.column - 1 :][:4])
        for symbol, places in found.places.items()
        for place in places
        if place.span.file == "names/en.toml" and symbol[0] != "rule"
    }
    first = {(1, "card"), (1, "c in"), (1, "hand"), (1, "c.wo"), (1, "wort"), (1, "size")}
    second = {(2, "card"), (2, "wort"), (2, "twic"), (2, "size"), (2, "hand")}
    assert named == first | second | {(3, "card"), (3, "wort")}
    card = next(symbol for symbol in found.places if symbol[0] == "local" and symbol[-1] == "card")
    lines = [place.span.line for place in found.of(card) if place.span.file == "names/en.toml"]
    assert lines == [1, 2, 2, 2]  # two keys, and twice in a text


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
    unknown = [symbol for symbol in found.places if not found.definitions(symbol) and symbol[0] != "local"]
    assert all(symbol[0] == REMOVED for symbol in unknown)


@pytest.mark.parametrize(
    ("stack", "word", "symbol"),
    [
        ("goblin-warlord+tiny", "camp", ("kind", "camp")),
        ("goblin-warlord+fierce_hoozits", "zaap", ("row", "omen", "zaap")),
        ("goblin-warlord+slow_masons", "may_construct", ("define", "may_construct")),
        ("goblin-warlord+slow_masons", "works_done", ("variable", "player", "works_done")),
        ("connect-four+small", "rack", ("grid", "rack")),
        ("maldorf+de+de_errata", "pay", ("rule", "pay")),
        ("connect-four+small", "c5", (REMOVED, "c5")),
        ("maldorf+de+de_errata", "shift", (REMOVED, "shift")),
    ],
)
def test_overlays_name_what_they_change_by_its_address(stack: str, word: str, symbol: tuple[str, ...]) -> None:
    loaded = load(stack)
    file = f"+{loaded.stack[-1][0].name}/overlay.toml"
    places = [place for place in index_of(loaded).of(symbol) if place.span.file == file]
    assert places
    for place in places:
        line = loaded.sources[file].split("\n")[place.span.line - 1]
        assert line[place.span.column - 1 : place.span.end_column - 1] == word


@pytest.mark.parametrize("symbol", [("rule", "pay"), (REMOVED, "shift")])
def test_an_overlay_names_the_texts_it_takes_away_by_their_keys(symbol: tuple[str, ...]) -> None:
    loaded = load("maldorf+de+de_errata")
    file = "+de_errata/overlay.toml"
    lines = loaded.sources[file].split("\n")
    texts = {number for number, line in enumerate(lines, start=1) if f"names.de.ask.{symbol[-1]}." in line}
    found = {place.span.line for place in index_of(loaded).of(symbol) if place.span.file == file}
    assert texts and found >= texts
