"""Tables of a game: what its files become."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from warlock_dsl.diagnostics.diagnostic import NOWHERE
from warlock_dsl.files import read_folder
from warlock_dsl.tables.citations import check_cite, parse_cite
from warlock_dsl.tables.components import Components
from warlock_dsl.tables.read import read_tables
from warlock_dsl.types import NUMBER, PLAYER, REGION, TRUTH, ListType, MapType, RowType

ROOT = Path(__file__).resolve().parents[2]
SAMPLE, _ = read_folder(Path(__file__).resolve().parent / "sample_game")
GAME, SOURCES, CARDS = SAMPLE["game.toml"], SAMPLE["sources.toml"], SAMPLE["cards.csv"]
FILES = {"game": "game.toml", "sources": "sources.toml", "cards": "cards.csv", "en": "names/en.toml"}


def files(**changed: str) -> dict[str, str]:
    """The sample game with some of its files changed."""
    return {**SAMPLE, **{FILES[name]: text for name, text in changed.items()}}


def read(**changed: str) -> Components:
    components, errors = read_tables(files(**changed), "sample")
    assert errors == []
    assert components is not None
    return components


# ---------------------------------------------------------------- what the tables become


def test_tables_and_their_columns() -> None:
    game = read()
    colour = game.tables["colour"]
    assert colour.rows == ("red", "blue")
    assert [(one.name, one.type, one.values) for one in colour.columns.values()] == [
        ("worth", NUMBER, (Fraction(1, 2), Fraction(2))),
        ("wild", TRUTH, (False, True)),
        ("home", REGION, ((0, 1, 2), (3, 4))),
        ("pair", ListType(RowType("colour")), ((1,), ())),
    ]
    assert game.tables["face"].columns["power"].type == MapType("colour", NUMBER)
    assert game.tables["face"].columns["power"].values == ((1, 2), (3, 4))
    assert game.tables["mood"].rows == ("calm", "cross")
    assert game.tables["clash"].rows == ("nothing", "win")


def test_a_cell_without_a_mark_has_that_of_its_row_or_its_table() -> None:
    worth = read().tables["colour"].columns["worth"].cites
    wild = read().tables["colour"].columns["wild"].cites
    assert [cite and (cite.standing, cite.ids) for cite in worth] == [
        ("assumed", ("deck.red", "R-1")),  # two marks: the ids of both, the standing of the weaker
        ("derived", ("deck.blue",)),
    ]
    assert [cite and (cite.standing, cite.ids) for cite in wild] == [
        ("printed", ("deck.colours",)),
        ("derived", ("deck.blue",)),
    ]
    assert worth[0] is not None
    assert worth[0].remark == "a guess"


def test_pieces_from_a_csv_file() -> None:
    card = read().kinds["card"]
    assert (card.first, card.pieces, card.called_by, card.table) == (0, ("c-1", "c-2"), "colour", "")
    assert card.fields["colour"].values == (0, 1)
    assert card.fields["likes"].values == ((0, 1), ())
    assert card.fields["sums"].values == ((Fraction(1, 2), Fraction(2)), ())
    assert card.fields["force"].values == ((1, 2), (-1, 0))
    cites = [cite and (cite.standing, cite.ids) for cite in card.fields["value"].cites]
    assert cites == [("printed", ()), ("derived", ())]
    cites = [cite and (cite.standing, cite.ids) for cite in card.fields["likes"].cites]
    assert cites == [("assumed", ("R-1",)), ("printed", ())]
    span = card.fields["likes"].spans[0]
    assert (span.file, span.line, span.column, span.end_column) == ("cards.csv", 2, 11, 19)


def test_pieces_from_a_table_and_pieces_alike() -> None:
    game = read()
    tile, token = game.kinds["tile"], game.kinds["token"]
    assert (tile.first, tile.pieces, tile.table, tile.faces) == (2, ("sun#1", "sun#2", "moon#1"), "face", (0, 0, 1))
    assert tile.fields["power"].values == ((1, 2), (1, 2), (3, 4))
    assert (token.first, token.pieces) == (5, ("token#1", "token#2", "token#3"))
    assert token.fields["value"].values == (1, 1, 1)
    assert game.piece_count == 8


def test_grids() -> None:
    board = read().grids["board"]
    assert (board.width, board.height, board.slots) == (3, 2, False)
    assert board.cells == ((0, 0), (0, 1), (1, 0), (1, 1), (1, 2))
    assert board.near == ((1, 2), (0, 3), (0, 3), (1, 2, 4), (3,))
    assert board.around == ((1, 2, 3), (0, 2, 3, 4), (0, 1, 3), (0, 1, 2, 4), (1, 3))
    assert board.regions == {"rim": (0, 1, 2), "hub": (3, 4), "whole": (0, 1, 2, 3, 4)}
    assert read().grids["row"].slots


def test_zones() -> None:
    zones = read().zones
    assert list(zones) == ["deck", "hand", "aside", "pile", "table_top", "field", "bag"]
    assert [zone.number for zone in zones.values()] == list(range(7))
    assert (zones["deck"].sees, zones["deck"].counted_by, zones["deck"].start) == ("none", "all", (0, 1))
    assert (zones["aside"].owner, zones["aside"].sees, zones["aside"].counted_by) == ("player", "owner", "owner")
    assert zones["pile"].hidden_by == "turned"
    assert zones["table_top"].start == (2, 3, 4, 5, 6, 7)
    assert (zones["field"].kinds, zones["field"].grid) == (("card", "token"), "board")
    assert zones["bag"].owner == "tile"
    assert [cite.ids for cite in zones["deck"].cites] == [("deck.colours",)]


def test_variables() -> None:
    variables = read().variables
    assert {key: (one.type, one.low, one.high, one.first) for key, one in variables.items()} == {
        ("", "leader"): (PLAYER, None, None, 0),
        ("", "stage"): (NUMBER, 1, 3, 1),
        ("", "ring"): (ListType(PLAYER), None, None, ()),
        ("player", "score_track"): (NUMBER, -5, 50, 0),
        ("player", "mood"): (RowType("mood"), None, None, 0),
        ("player", "favourite"): (RowType("colour"), None, None, 1),
        ("card", "turned"): (TRUTH, None, None, False),
    }
    assert [one.number for one in variables.values()] == list(range(7))
    assert (variables["", "stage"].lasts, variables["card", "turned"].lasts) == ("round", "move")
    assert variables["player", "favourite"].sees == "owner"
    assert [cite.ids for cite in variables["player", "mood"].cites] == [("deck.score",)]
    assert [cite.ids for cite in variables["player", "favourite"].cites] == [("R-1",)]


def test_figures_series_matrices_and_dice() -> None:
    game = read()
    figures = {".".join(key): (one.type, one.value) for key, one in game.figures.items()}
    assert figures == {
        "size.hand": (NUMBER, Fraction(5)),
        "size.spare": (NUMBER, Fraction(2)),
        "option.strict": (TRUTH, True),
        "option.lead_colour": (RowType("colour"), 1),
        "option.order": (ListType(RowType("colour")), (1, 0)),
        "option.forms": (ListType(ListType(RowType("colour"))), ((0,), (0, 1))),
        "option.steps_up": (ListType(NUMBER), (1, 2)),
    }
    assert [cite.ids for cite in game.figures["size", "hand"].cites] == [("deck.colours",)]
    spare = game.figures["size", "spare"]
    assert (spare.low, spare.high, spare.idle) == (Fraction(1), Fraction(3), "nobody asks")
    assert [cite.ids for cite in spare.cites] == [("R-1",)]
    steps = game.series["steps"]
    assert (steps.first, steps.values, steps.beyond) == (1, (Fraction(1), Fraction(5, 2), Fraction(4)), "last")
    clash = game.matrices["clash"]
    assert (clash.of, clash.cells) == ("clash", ((0, 1), (0, 0)))
    assert (game.dice["cube"].of, game.dice["cube"].faces) == ("colour", (1, 0, 0))


def test_cells_of_a_matrix_bear_marks() -> None:
    """A cell has its own mark, else that of its row, else that of the matrix; what is not given has none."""
    found = files()
    found["game.toml"] = found["game.toml"].replace(
        'cells = { red = { blue = "win" } }',
        """assumed = "R-1"
[matrix.clash.cells]
red = { red = "win", blue = { is = "win", secondary = "deck.red: a letter" } }
blue = { red = "win", derived = "deck.blue" }""",
    )
    game, errors = read_tables(found, "sample")
    assert not errors and game is not None
    clash = game.matrices["clash"]
    assert clash.cells == ((1, 1), (1, 0))
    marks = {at: [(cite.standing, cite.ids, cite.remark) for cite in cell.cites] for at, cell in clash.given.items()}
    assert marks == {
        (0, 0): [("assumed", ("R-1",), "")],
        (0, 1): [("secondary", ("deck.red",), "a letter")],
        (1, 0): [("derived", ("deck.blue",), "")],
    }
    assert clash.given[0, 1].span.line == 1 + found["game.toml"][: found["game.toml"].index("a letter")].count("\n")


def test_ledger_names_looks_and_the_rest() -> None:
    game = read()
    assert (game.name, game.min_players, game.max_players) == ("sample", 2, 4)
    assert (game.limits.listed, game.limits.depth) == (50, 64)
    assert game.documents == {"en": "The rules"}
    assert game.ledger["deck.red"].rulings == ("R-1",)
    assert game.ledger["deck.tokens"].idle == "only counted"
    assert game.rulings["R-1"].options == ("two", "three")
    assert {key: entry.text for key, entry in game.names["en"].items()} == {
        "colour.red": "red",
        "action.draw": "draw {card}",
    }
    assert game.looks["colour.red"] == {"colour": "red", "short": "Re"}
    assert "play.warlock" in game.files


def test_marks_has_those_no_component_keeps() -> None:
    game, _ = read_tables(files(), "sample")
    assert game is not None
    cited = {(cite.standing, cite.ids) for cite in game.marks}
    assert ("printed", ("deck.tokens",)) in cited  # of a count
    assert ("assumed", ("R-1",)) in cited  # of the number of players


def test_sections_may_be_spread_over_files() -> None:
    more = (
        "[table.colour.rows]\ngreen = { worth = 1, wild = false, home = 'rim', pair = [] }\n[figure.size]\nextra = 1\n"
    )
    game, errors = read_tables({**files(), "more.toml": more}, "sample")
    # `power` and `force` must now be given for the new row: the error stands with them, not with the row.
    assert {(error.code, error.span.file) for error in errors} == {("W210", "game.toml"), ("W210", "cards.csv")}
    assert game is not None and game.tables["colour"].rows[-1] == "green"


def test_the_shipped_game_reads_without_an_error() -> None:
    texts, unread = read_folder(ROOT / "rules" / "maldorf")
    game, errors = read_tables(texts, "maldorf")
    assert (unread, errors) == ([], [])
    assert game is not None
    assert game.piece_count == 149
    assert len(game.ledger) > 200


# ---------------------------------------------------------------- citations


@pytest.mark.parametrize(
    ("text", "ids", "remark"),
    [
        ("a.b", ("a.b",), ""),
        ("a.b, R-1", ("a.b", "R-1"), ""),
        ("a.b: why: because", ("a.b",), "why: because"),
        (" a#1 ,b_2 : x", ("a#1", "b_2"), "x"),
        (": only a remark", (), "only a remark"),
        ("", (), ""),
        ("two words, c", ("two words", "c"), ""),
    ],
)
def test_a_mark_is_ids_and_a_remark(text: str, ids: tuple[str, ...], remark: str) -> None:
    cite = parse_cite("printed", text, NOWHERE)
    assert (cite.standing, cite.ids, cite.remark, cite.span) == ("printed", ids, remark, NOWHERE)


def test_unknown_ids_of_a_mark() -> None:
    cite = parse_cite("printed", "a.one, a.tow, zzz", NOWHERE)
    errors = list(check_cite(cite, ["a.one", "a.two"]))
    assert errors[0].hint == "did you mean 'a.two'?"
    assert len(errors) == 2
