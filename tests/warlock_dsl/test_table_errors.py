"""Errors in tables: every code has its cases, each found once and in its place."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from warlock_dsl.diagnostics.codes import HARD_CODES, codes_of
from warlock_dsl.diagnostics.diagnostic import Diagnostic, Severity
from warlock_dsl.files import read_folder
from warlock_dsl.syntax.keywords import RESERVED
from warlock_dsl.tables.components import Components
from warlock_dsl.tables.read import read_tables
from warlock_dsl.types import RowType

ROOT = Path(__file__).resolve().parents[2]
SAMPLE, _ = read_folder(Path(__file__).resolve().parent / "sample_game")
GAME, SOURCES, CARDS = SAMPLE["game.toml"], SAMPLE["sources.toml"], SAMPLE["cards.csv"]
FILES = {"game": "game.toml", "sources": "sources.toml", "cards": "cards.csv", "en": "names/en.toml"}


def files(**changed: str) -> dict[str, str]:
    """The sample game with some of its files changed."""
    return {**SAMPLE, **{FILES[name]: text for name, text in changed.items()}}


def errors_of(**changed: str) -> list[Diagnostic]:
    return read_tables(files(**changed), "sample")[1]


def read(**changed: str) -> Components:
    components, errors = read_tables(files(**changed), "sample")
    assert errors == []
    assert components is not None
    return components


# code, file, text to replace, replacement, the text the error points at (after the change), part of message or hint
ERRORS = [
    ("W201", "game", "listed = 50 }", "listed = }", "}", "not TOML"),
    ("W202", "game", "players = {", "deep = " + "[" * 30 + "]" * 30 + "\nplayers = {", "[", "too deeply"),
    ("W203", "game", "[zone]", "[zoen]", "zoen", "did you mean 'zone'"),
    ("W203", "game", "[game]", "[magic]\n[game]", "magic", "known sections"),
    ("W204", "game", 'each = "tile"', 'eech = "tile"', "eech", "did you mean 'each'"),
    ("W204", "game", "limits = { listed", "limits = { lsited", "lsited", "did you mean 'listed'"),
    ("W204", "game", "[kind.tile]", "[kind.tile]\nvalues = { a = 1 }", "values", "no meaning"),
    ("W204", "sources", "takes =", "gives = 1\ntakes =", "gives", "there is no key 'gives'"),
    ("W204", "game", '"0..9", printed', '"0..9", prnted', "prnted", "did you mean 'printed'"),
    ("W205", "game", "listed = 50", 'listed = "many"', '"many"', "a whole number is wanted here, not a text"),
    ("W205", "game", 'holds = "token" }', "holds = 3 }", "3", "not a number"),
    ("W205", "game", '["rr ", "rhh"]', '["rr ", 4]', "4", "a text is wanted here, not a number"),
    ("W205", "game", "slots = true", "slots = 1", "1", "true or false"),
    ("W205", "game", 'leader = "player"', "leader = 1979-05-27", "1979-05-27", "not a date"),
    ("W205", "game", 'mood = ["calm", "cross"]', "mood = []", "[]", "has no rows"),
    ("W205", "game", 'is = "2..4"', "is = true", "true", "a range like"),
    ("W205", "game", 'red = { blue = "win" }', "red = 3", "3", "a table with a word"),
    ("W206", "game", "[game]\nplayers", "[game]\n#", "game", "the key 'players' is missing"),
    (
        "W206",
        "game",
        'lead_colour = { is = "blue", type = "colour" }',
        'lead_colour = "blue"',
        '"blue"',
        "needs a 'type'",
    ),
    ("W206", "game", 'copies = "copies"', "count = 2", "tile", "either 'rows' or 'count'"),
    ("W206", "sources", 'says = "Red is half.", ', "", '"deck.red"', "the key 'says' is missing"),
    ("W207", "game", 'worth = "number"', 'worth = "nubmer"', '"nubmer"', "did you mean 'number'"),
    ("W207", "game", 'favourite = { type = "colour"', 'favourite = { type = "color"', '"color"', "mean 'colour'"),
    ("W207", "game", 'power = "number by colour"', 'power = "number by truth"', '"number by truth"', "number by TABLE"),
    ("W207", "game", 'leader = "player"', 'leader = "region"', '"region"', "cannot be"),
    ("W207", "game", 'leader = "player"', 'leader = "zone"', '"zone"', "what rules speak of, not of what a table"),
    ("W207", "game", 'leader = "player"', 'leader = "[grid]"', '"[grid]"', "here it can be a number"),
    ("W207", "game", 'leader = "player"', 'leader = "[[colour]"', '"[[colour]"', "a list is written"),
    ("W208", "cards", "red blue,0.5", "red bleu,0.5", "bleu", "did you mean 'blue'"),
    ("W208", "game", 'pair = ["blue"]', 'pair = ["bluw"]', '"bluw"', "did you mean 'blue'"),
    ("W208", "game", "faces = { blue", "faces = { blu", "blu", "did you mean 'blue'"),
    ("W208", "game", 'red = { blue = "win"', 'rad = { blue = "win"', "rad", "did you mean 'red'"),
    ("W208", "game", 'red = { blue = "win"', 'red = { blue = "wim"', '"wim"', "did you mean 'win'"),
    ("W208", "game", "is = { red = 3, blue", "is = { red = 3, blau", "blau", "did you mean 'blue'"),
    ("W209", "game", "wild = false", 'wild = "no"', '"no"', "true or false is wanted here, not a text"),
    ("W209", "game", "blue = { worth = 2", "blue = { worth = [2]", "[2]", "a number is wanted here, not a list"),
    ("W209", "game", "power = { red = 1, blue = 2 }", "power = 3", "3", "a value for each colour"),
    ("W209", "game", "sun = { copies = 2", "sun = { copies = 1.5", "1.5", "whole number of copies"),
    ("W209", "game", "count = { is = 3", "count = { is = 1.5", "1.5", "a whole number"),
    ("W209", "cards", "c-1,red,3", "c-1,red,three", "three", "a number is wanted here"),
    ("W210", "game", "blue = { worth = 2, ", "blue = { ", "blue", "has no value for 'worth'"),
    ("W210", "game", 'values = { value = { is = 1, assumed = "R-1" } }', "", "value", "no value for the field 'value'"),
    ("W210", "cards", "c-1,red,3", "c-1,red,", "", "this cell is empty"),
    ("W210", "cards", "blue=0 red=-1", "blue=0", "blue=0", "no value for 'red'"),
    ("W211", "game", "blue = { worth = 2", "blue = { wroth = 1, worth = 2", "wroth", "did you mean 'worth'"),
    ("W211", "game", "values = { value", "values = { valeu = 1, value", "valeu", "did you mean 'value'"),
    (
        "W212",
        "sources",
        "[document]",
        "[figure.size]\nhand = 6\n[document]",
        "hand",
        "'figure.size.hand' is given twice",
    ),
    ("W212", "game", "pile = {", "hand = { holds = 'card' }\npile = {", "hand", "the zone 'hand' is given twice"),
    ("W212", "game", '["calm", "cross"]', '["calm", "calm"]', '"calm"', "the row 'calm' is given twice"),
    (
        "W212",
        "sources",
        '"deck.blue" =',
        '"R-1" = { says = "x", standing = "printed" }\n"deck.blue" =',
        '"R-1"',
        "ruling",
    ),
    ("W212", "en", "[action]", '"action.draw" = "x"\n[action]', "draw", "'action.draw' is given twice"),
    ("W213", "cards", "c-2,", "c-1,", "c-1", "two pieces 'c-1'"),
    (
        "W214",
        "cards",
        "c-1,red,3,",
        "c-1,red,",
        "c-1,red,red blue,0.5 2,red=1 blue=2,PA",
        "6 cells, but the header has 7",
    ),
    ("W214", "cards", "c-1,red", 'c-1,"red', '"red,3,red blue,0.5 2,red=1 blue=2,PA', "in quotes"),
    ("W214", "cards", "id,colour", "name,colour", "name", "the first column is 'id'"),
    ("W214", "cards", "id,colour,value", "id,colour,colour", "colour", "two columns 'colour'"),
    ("W214", "cards", CARDS, "", "", "this file is empty"),
    ("W214", "cards", "c-2,", "c 2,", "c 2", "cannot be the id"),
    ("W215", "game", 'each = "tile"', 'each = "tiel"', '"tiel"', "did you mean 'tile'"),
    ("W215", "game", 'holds = ["card", "tile"]', 'holds = ["crad", "tile", "card"]', '"crad"', "did you mean 'card'"),
    ("W215", "game", "[variable.card]", "[variable.tile]\na = 'truth'\n[variable.crad]", "crad", "mean 'card'"),
    ("W216", "game", 'grid = "board"', 'grid = "bord"', '"bord"', "did you mean 'board'"),
    ("W217", "game", 'home = "hub"', 'home = "hubb"', '"hubb"', "did you mean 'hub'"),
    ("W218", "game", 'hidden_by = "turned"', 'hidden_by = "tuned"', '"tuned"', "did you mean 'turned'"),
    ("W219", "game", 'of = "colour"', 'of = "colours"', '"colours"', "did you mean 'colour'"),
    ("W219", "game", 'rows = "face"', 'rows = "faces"', '"faces"', "did you mean 'face'"),
    ("W219", "game", 'columns = "colour"', 'columns = "coulour"', '"coulour"', "did you mean 'colour'"),
    ("W220", "game", 'called_by = "colour"', 'called_by = "color"', '"color"', "did you mean 'colour'"),
    ("W220", "game", 'of = ["value"', 'of = ["valu"', '"valu"', "did you mean 'value'"),
    ("W220", "game", 'by = "colour"', 'by = "shade"', '"shade"', "known fields"),
    ("W220", "game", 'copies = "copies"', 'copies = "copys"', '"copys"', "did you mean 'copies'"),
    ("W221", "game", '"cards.csv"', '"crads.csv"', '"crads.csv"', "did you mean 'cards.csv'"),
    ("W222", "game", '["rr ", "rhh"]', '["rr", "rhh"]', '"rhh"', "this line is 3 wide, but the first is 2"),
    ("W222", "game", 'cells = ["...."]', 'cells = ["  "]', '["  "]', "has no cell"),
    ("W222", "game", 'rim = "r"', 'rim = "rx"', '"rx"', "marked 'x'"),
    ("W223", "game", 'is = "2..4"', 'is = "two"', '"two"', "not a range"),
    ("W223", "game", 'is = "2..4"', 'is = "0..4"', '"0..4"', "no number of players"),
    ("W223", "game", 'range = "1..3"', 'range = "3..1"', '"3..1"', "not a range"),
    (
        "W223",
        "game",
        '{ is = "blue", type',
        '{ is = "blue", range = "1..3", type',
        '"1..3"',
        "only numbers have a range",
    ),
    ("W223", "game", 'type = "1..3"', 'type = "1..x"', '"1..x"', "not a range"),
    ("W224", "game", "spare = { is = 2", "spare = { is = 4.25", "4.25", "4.25 is outside the range 1..3"),
    ("W224", "game", "worth = { is = 0.5", "worth = { is = -1", "-1", "outside the range 0..9"),
    ("W224", "game", "first = 0", "first = 51", "51", "outside the range -5..50"),
    ("W224", "cards", "c-1,red,3", "c-1,red,10", "10", "outside the range 0..9"),
    ("W224", "game", "listed = 50", "listed = 0", "0", "outside the range 1..10000"),
    ("W224", "game", 'leader = "player"', 'leader = { type = "player", first = 2 }', "2", "no seat '2'"),
    ("W225", "game", 'start = "card", ', "", "card", "start nowhere"),
    ("W226", "game", 'hidden_by = "turned"', 'start = "card"', '"card"', "start in two zones"),
    ("W227", "game", "deck = { holds", 'deck = { each = "player", holds', '"card"', "for each player"),
    ("W227", "game", 'deck = { holds = "card"', 'deck = { holds = "tile"', '"card"', "does not hold the kind 'card'"),
    (
        "W227",
        "game",
        'start = ["tile", "token"]',
        'start = ["tile", "token"], grid = "row"',
        '["tile", "token"]',
        "cells",
    ),
    ("W228", "cards", ",PA", ",PX", "PX", "P is printed"),
    ("W228", "cards", ",PA", ",P", "P", "a letter for each of: value, likes"),
    ("W229", "game", 'sees = "none"', 'sees = "nobody"', '"nobody"', "known words"),
    ("W229", "game", 'sees = "none"', 'sees = "owner"', '"owner"', "has no owner"),
    ("W229", "game", 'first = "blue", sees = "owner"', 'first = "blue", sees = "onwer"', '"onwer"', "mean 'owner'"),
    ("W229", "game", 'lasts = "round"', 'lasts = "round", sees = "owner"', '"owner"', "has no owner"),
    ("W229", "game", 'beyond = "last"', 'beyond = "lest"', '"lest"', "did you mean 'last'"),
    ("W229", "game", 'lasts = "round"', 'lasts = "move"', '"move"', "only a variable of a piece"),
    ("W229", "sources", 'standing = "derived"', 'standing = "deduced"', '"deduced"', "'standing' cannot be 'deduced'"),
    ("W243", "game", 'sees = "none"', 'sees = "stage"', '"stage"', "is no player and no list of players"),
    ("W243", "game", 'assumed = "R-1" }\n[variable.card]', 'assumed = "R-1" }\nspy = { type = "player", sees = "spy" }'
     '\n[variable.card]', '"spy"', "not everybody sees 'spy'"),
    ("W230", "game", 'printed = "deck.score"', 'printed = "deck.scroe"', '"deck.scroe"', "did you mean 'deck.score'"),
    ("W230", "game", "R-1: a guess", "R-2, deck.red", '"R-2, deck.red"', "did you mean 'R-1'"),
    ("W230", "game", "R-1: a guess", "a mere guess", '"a mere guess"', "a remark follows a colon"),
    ("W230", "game", 'is = "2..4", assumed = "R-1"', 'is = "2..4", assumed = "R-7"', '"R-7"', "no"),
    ("W230", "sources", 'ruling = "R-1"', 'ruling = "R-9"', '"R-9"', "no ruling 'R-9'"),
    ("W231", "game", 'turned = { type = "truth"', 'turned = { type = "number"', '"turned"', "is no truth"),
    ("W232", "game", "[figure.size]", "[figure.deck]", "deck", "has the name of a zone"),
    ("W232", "game", 'leader = "player"', 'steps = "player"', "steps", "has the name of a variable"),
    ("W232", "game", 'hub = "h"', 'colour = "h", hub = "h"', "colour", "the region 'colour' has the name of a table"),
    ("W232", "game", '"[player]"', '"[player]"\nmood = "number"', "mood", "has the name of a variable"),
    ("W232", "game", "[variable.card]", "[variable.card]\nvalue = 'truth'", "value", "has the name of a field"),
    ("W232", "game", "[variable.player]", "[variable.player]\nhand = 'number'", "hand", "has the name of a zone"),
    ("W233", "game", "[series.steps]", "[series.Steps]", "Steps", "small letters"),
    ("W233", "game", "[series.steps]", "[series.repeat]", "repeat", "a word of the language"),
    ("W233", "game", '"hand, aside"', '"hand, 2nd"', '"hand, 2nd"', "'2nd' cannot be a name"),
    ("W233", "game", '"calm", "cross"', '"calm", "not"', '"not"', "a word of the language"),
    ("W233", "game", "[series.steps]", "[series.players]", "players", "a meaning of its own"),
    (
        "W233",
        "game",
        'fields = { value = "number" }',
        'fields = { value = "number", owner = "truth" }',
        "owner",
        "already",
    ),
    ("W233", "game", 'columns = { worth = "number"', 'columns = { printed = "number"', "printed", "is a mark"),
    ("W233", "sources", '"deck.blue"', '"deck blue"', '"deck blue"', "cannot be an id"),
    ("W234", "en", "draw =", "draw", '"', "not TOML"),
    ("W234", "en", '"draw {card}"', "3", "3", "a text is wanted here, not a number"),
    ("W234", "en", '"draw {card}"', '"draw {card"', '"draw {card"', "braces"),
    ("W235", "game", '"colour.red" = {', '"colour.rad" = {', '"colour.rad"', "did you mean 'colour.red'"),
    ("W235", "game", '"kind.card"', '"kind.crad"', '"kind.crad"', "did you mean 'kind.card'"),
    ("W236", "game", 'colour = "red", short', 'colour = "<b>", short', '"<b>"', "is not a colour"),
    ("W236", "game", '{ by = "colour" }', "{}", "{}", "says nothing"),
    ("W236", "game", '{ by = "colour" }', '{ by = "value" }', '"value"', "is no row of a table"),
    ("W236", "game", 'short = "Re"', 'by = "colour"', '"colour"', "only a kind"),
    ("W236", "game", 'short = "Re"', 'short = "Reddest one"', '"Reddest one"', "1 to 8 characters"),
    ("W237", "game", "count = { is = 3", "count = { is = 9000000000", "9000000000", "at most 5,000 pieces"),
    ("W237", "game", "sun = { copies = 2", "sun = { copies = 4999", "tile", "at most 5,000 pieces"),
    ("W237", "game", "faces = { blue = 1, red = 2 }", "faces = { blue = 0 }", "{ blue = 0 }", "faces"),
    ("W237", "game", "faces = { blue = 1", "faces = { blue = -1", "-1", "0 to 1000 times"),
    ("W238", "game", "is = [1, 2.5, 4]", "is = [1, nan, 4]", "nan", "not exact"),
    ("W238", "game", "is = [1, 2.5, 4]", "is = [1, 1e900, 4]", "1e900", "not exact"),
    ("W238", "game", "is = [1, 2.5, 4]", "is = [1, 0.1234567, 4]", "0.1234567", "six digits"),
    ("W238", "game", "hand = 5", "hand = 5000000000000", "5000000000000", "too large"),
    ("W239", "sources", "at = { en", "at = { enn", "enn", "did you mean 'en'"),
    ("W253", "game", '"cards.csv"', '"../cards.csv"', '"../cards.csv"', "without a path"),
    ("W253", "game", '"cards.csv"', "'..\\cards.csv'", "'..\\cards.csv'", "without a path"),
]


def at_span(texts: dict[str, str], error: Diagnostic) -> str:
    span = error.span
    line = texts[span.file].split("\n")[span.line - 1]
    return line[span.column - 1 : span.end_column - 1] if span.line == span.end_line else line[span.column - 1 :]


@pytest.mark.parametrize(
    ("code", "file", "old", "new", "marked", "said"), ERRORS, ids=[f"{row[0]}-{row[3][:30]!r}" for row in ERRORS]
)
def test_each_error_is_found_once_and_in_its_place(
    code: str, file: str, old: str, new: str, marked: str, said: str
) -> None:
    original = SAMPLE[FILES[file]]
    assert old in original
    changed = {file: original.replace(old, new, 1)}
    found = [error for error in errors_of(**changed) if error.code == code]
    assert len(found) == 1
    assert at_span(files(**changed), found[0]) == marked
    assert said in found[0].message + "\n" + found[0].hint
    assert found[0].severity is Severity.ERROR


# An error of these leads to others that are errors of their own; of all the rest it must be the only one.
CASCADES = {"W201", "W202", "W203", "W210", "W211", "W214", "W215", "W218", "W219", "W227", "W231", "W232", "W233"}


@pytest.mark.parametrize(("code", "file", "old", "new"), [row[:4] for row in ERRORS if row[0] not in CASCADES])
def test_one_error_is_reported_once(code: str, file: str, old: str, new: str) -> None:
    original = SAMPLE[FILES[file]]
    game, errors = read_tables(files(**{file: original.replace(old, new, 1)}), "sample")
    assert [error.code for error in errors] == [code]
    assert (game is None) == (code in HARD_CODES)


def test_every_code_has_a_test() -> None:
    tested = {row[0] for row in ERRORS}
    elsewhere = {"W250", "W251", "W252", "W299"}  # of files on a disk, and of floods: below and in test_library
    elsewhere |= {"W240", "W241"}  # of stated totals: test_totals
    elsewhere |= {"W242"}  # a note, not an error: below
    assert tested | elsewhere == set(codes_of("W2"))


def test_an_old_word_is_read_as_the_new_one_with_a_note() -> None:
    game, errors = read_tables(files(game=GAME.replace('beyond = "last"', 'beyond = "fault"')), "sample")
    assert [(error.code, error.severity, error.hint) for error in errors] == [
        ("W242", Severity.NOTE, 'write beyond = "error"')
    ]
    assert game is not None and game.series["steps"].beyond == "error"


def test_no_table_that_is_shipped_writes_an_old_word() -> None:
    paths = [path for top in ("rules", "variants") for path in (ROOT / top).rglob("*.toml")]
    assert len(paths) > 50
    assert not [path for path in paths if re.search(r'"fault"', path.read_text(encoding="utf-8"))]


def test_an_address_given_twice_shows_both_places() -> None:
    [error] = errors_of(sources="[figure.size]\nhand = 6\n" + SOURCES)
    assert (error.span.file, error.span.line) == ("sources.toml", 2)
    assert [(other.span.file, GAME.split("\n")[other.span.line - 1]) for other in error.related] == [
        ("game.toml", "hand = 5")
    ]


def test_names_that_collide_show_both_places() -> None:
    [error] = errors_of(game=GAME.replace("[figure.size]", "[figure.deck]"))
    assert at_span(files(game=GAME.replace("[figure.size]", "[figure.deck]")), error) == "deck"
    assert GAME.split("\n")[error.related[0].span.line - 1].startswith("deck = {")


def test_a_kind_may_have_the_name_of_its_table_and_no_other() -> None:
    same = GAME.replace("[kind.tile]", "[kind.face]").replace('"tile"', '"face"')
    read(game=same)
    other = GAME.replace("[kind.token]", "[kind.colour]").replace('"token"', '"colour"')
    assert {error.code for error in errors_of(game=other)} == {"W232"}


def test_a_variable_of_the_game_may_have_the_name_of_its_own_words() -> None:
    game = read(game=GAME.replace('leader = "player"', 'weather = ["wet", "dry"]'))
    assert game.variables["", "weather"].type == RowType("weather")
    twice = GAME.replace('leader = "player"', 'mood = ["calm", "cross"]')
    assert {error.code for error in errors_of(game=twice)} == {"W232"}


@pytest.mark.parametrize("word", sorted(RESERVED))
def test_no_word_of_the_language_can_be_a_name(word: str) -> None:
    errors = errors_of(game=GAME.replace("[series.steps]", f"[series.{word}]"))
    assert [error.code for error in errors] == ["W233"]


def test_all_errors_of_all_files_are_found_in_one_pass() -> None:
    errors = errors_of(
        game=GAME.replace("slots = true", "slots = 1").replace('sees = "none"', 'sees = "nobody"'),
        sources=SOURCES.replace("takes", "gives"),
        cards=CARDS.replace("red blue", "red bleu"),
        en=SAMPLE["names/en.toml"].replace('"red"', "1"),
    )
    codes = [(error.span.file, error.code) for error in errors]
    assert codes == [
        ("cards.csv", "W208"),
        ("game.toml", "W205"),
        ("game.toml", "W229"),
        ("names/en.toml", "W234"),
        ("sources.toml", "W206"),
        ("sources.toml", "W204"),
    ]


def test_what_refers_to_a_erroneous_declaration_is_not_blamed() -> None:
    broken = GAME.replace('cells = ["rr ", "rhh"]', 'cels = ["rr ", "rhh"]').replace('"hub"', '"rim"')
    codes = [error.code for error in errors_of(game=broken)]
    assert codes.count("W216") == 0
    broken = GAME.replace('rows = "cards.csv"', "rows = 7")
    assert [error.code for error in errors_of(game=broken)] == ["W205"]


def test_without_a_ledger_any_id_may_be_cited() -> None:
    errors = errors_of(game=GAME.replace("deck.red", "anything at all"), sources="")
    assert errors == []


def test_a_game_needs_its_section_game() -> None:
    _, errors = read_tables({}, "empty")
    assert [(error.code, error.message) for error in errors] == [("W206", "the section 'game' is missing")]


def test_a_names_file_needs_the_code_of_a_language() -> None:
    _, errors = read_tables({**files(), "names/English!.toml": ""}, "sample")
    assert [(error.code, error.span.file) for error in errors] == [("W234", "names/English!.toml")]


def test_columns_of_a_csv_file_that_are_missing_or_too_many() -> None:
    [missing] = errors_of(cards=re.sub(r",[^,\n]*,([^,\n]*)$", r",\1", CARDS, flags=re.M))
    assert (missing.code, missing.span.line, missing.message) == ("W210", 1, "the file has no column 'force'")
    extra = CARDS.replace(",marks", ",marks,shade").replace("PA", "PA,1").replace("DP", "DP,2")
    [error] = errors_of(cards=extra)
    assert (error.code, error.message) == ("W211", "there is no field 'shade'")
    [no_marks] = errors_of(game=GAME.replace('column = "marks"', 'column = "standing"'), cards=CARDS)[:1]
    assert no_marks.code in ("W211", "W220")


def test_quoted_csv_cells() -> None:
    text = 'id,colour,value,likes,sums,force,marks\n"c-1","red", 3 ,"red blue","0.5 2","red=1 blue=2",PA\n'
    assert read(cards=text).kinds["card"].fields["likes"].values == ((0, 1),)
    assert read(cards=text.replace("\n", "\r\n")).kinds["card"].pieces == ("c-1",)


def test_two_pieces_of_one_id_are_told_with_their_kinds() -> None:
    kinds = '[kind.bar]\nrows = "bars.csv"\n[kind.ring]\nrows = "rings.csv"\n'
    zones = '[zone]\nbox = { holds = ["bar", "ring"], start = ["bar", "ring"] }\n'
    texts = {"game.toml": f"[game]\nplayers = 2\n{kinds}{zones}", "bars.csv": "id\ntin\n", "rings.csv": "id\ntin\n"}
    _, (error,) = read_tables(texts, "g")
    assert (error.code, error.message) == ("W213", "the kinds 'bar' and 'ring' have a piece 'tin' each")
    assert [other.text for other in error.related] == ["the other one, of kind 'bar'"]
