"""The board: what stands where, nothing wider than the terminal, nothing that the viewer may not see."""

from __future__ import annotations

import io
import re
from fractions import Fraction
from pathlib import Path

import pytest
from rich.console import Console

from interpreter import Game, ScoreSheet
from interpreter.state.visibility import sees_piece
from tests.conftest import ruleset_named
from warlock_dsl.load import load
from warlock_dsl.ruleset import Ruleset
from workbench.language.sentences import Words
from workbench.players.base import Random
from workbench.service.table import EVERYBODY, region_marks, table_for
from workbench.terminal.board import BACK, Board, score_sheet, verdict


@pytest.fixture(scope="module")
def tiny() -> Ruleset:
    loaded = load(str(Path(__file__).parents[1] / "data" / "tiny"))
    assert loaded.ruleset is not None, loaded.diagnostics
    return loaded.ruleset


@pytest.fixture
def large(maldorf: Ruleset) -> Ruleset:
    return maldorf


def drawn(game: Game, viewer: int, words: Words, width: int = 100, colour: bool = False) -> str:
    out = io.StringIO()
    console = Console(file=out, width=width, force_terminal=colour, color_system="truecolor" if colour else None)
    console.print(Board(table_for(words, game, viewer)).draw(console))
    return out.getvalue()


def played(ruleset: Ruleset, players: int, answers: int, seed: int = 3) -> Game:
    game = Game.start(ruleset, players, seed, laws=False, backend="plain")
    bot = Random(seed)
    while not game.over and len(game.answers) < answers:
        game.choose(bot.pick(game))
    return game


def test_the_little_game(tiny: Ruleset) -> None:
    """Two answers in: both have shown a card, the one who leads has the marker, the grid is free."""
    game = played(tiny, 2, 2)
    text = drawn(game, 0, Words(tiny, "en", ["Ann", "Bob"]), width=60)
    lines = [line.rstrip() for line in text.splitlines()]
    assert lines[0].startswith("╭─ The little game ")
    assert f"│ deck 10 {BACK}" in text
    assert "│ stock 4  token\u00d74" in text
    assert text.count("◆ leader") == 1
    assert "Ann (you)" in text and "Bob" in text
    assert re.search(r"│ 1 : {2}· ", text) and re.search(r"│ 2 · {2}· ", text)
    own = re.findall(r"k\d\d \w+ \d", lines[-1])
    assert lines[-1].startswith("hand 3") and len(own) == 3
    assert f"hand 3 {BACK}" in text  # the other's


def test_nobody_sees_the_hand_of_another(tiny: Ruleset) -> None:
    words = Words(tiny, "en", ["Ann", "Bob", "Eve"])
    for answers in range(0, 24, 2):
        game = played(tiny, 3, answers)
        layout, state = game.machine.layout, game.state
        for viewer in range(3):
            text = drawn(game, viewer, words)
            for piece, name in enumerate(layout.piece_names):
                if name.startswith("k") and not sees_piece(layout, state, piece, viewer):
                    assert name not in text


@pytest.mark.parametrize(("players", "width"), [(3, 100), (4, 100), (5, 100), (5, 80), (4, 60), (3, 30)])
def test_it_is_as_wide_as_the_terminal(large: Ruleset, players: int, width: int) -> None:
    game = played(large, players, 150)
    words = Words(large, "fr", ["Ann", "Bob", "Carla", "Dieter", "Eve"][:players])
    text = drawn(game, 0, words, width)
    assert max(len(line) for line in text.splitlines()) <= width
    if width == 100:
        assert len(text.splitlines()) <= 32  # the rest of 40 lines is for the question


def test_colours_come_from_the_tables_and_an_unknown_one_is_plain(tiny: Ruleset) -> None:
    game = played(tiny, 2, 0)
    text = drawn(game, 0, Words(tiny), colour=True)
    assert re.search(r"\x1b\[38;2;236;0;0mk\d\d red", text) or re.search(r"\x1b\[38;2;96;96;255mk\d\d blue", text)
    assert not re.search(r"\x1b\[3[0-9]mk\d\d green", text)


def test_a_seat_cannot_steer_the_terminal(tiny: Ruleset) -> None:
    game = played(tiny, 2, 0)
    text = drawn(game, 0, Words(tiny, "en", ["\x1b[2J[bold]Ann[/bold]", "Bob"]))
    assert "\x1b" not in text and "[2J[bold]Ann[/bold]" in text


def test_what_a_piece_is_marked_with_is_told_beside_it(large: Ruleset) -> None:
    """A piece of the large game that carries a mark, where it can be seen."""
    game = played(large, 3, 30)
    table = table_for(Words(large, "en"), game, 0)
    piece = next(p for z in table.zones if z.owner == 0 for p in z.pieces if p.name)
    assert "face down" not in Board(table).full(piece).plain
    layout = game.machine.layout
    owner, variable = layout.piece_names.index(piece.name), large.components.variables[piece.kind, "face_down"].number
    game.state.variables[layout.variable(variable, owner)] = True
    table = table_for(Words(large, "en"), game, EVERYBODY)
    piece = next(p for z in table.zones for p in z.pieces if p.name == piece.name)
    assert "(face down)" in Board(table).full(piece).plain


def test_what_a_piece_holds_is_told_beside_it() -> None:
    ruleset = load(str(Path(__file__).parents[1] / "data" / "holders")).ruleset
    assert ruleset is not None
    game = Game.start(ruleset, 2, 1)
    text = drawn(game, 0, Words(ruleset, "en", ["Ann", "Bob"]))
    own = text.splitlines()[-1]
    assert own.startswith("shelf 2  sack#")
    assert sorted(re.findall(r"\(([^)]*)\)", own)) == ["weight 4, sealed, inside 1", "weight 5, sealed, inside 1"]
    assert text.count("weight") == 2  # those of the other's sacks are not told


def test_cells_of_the_same_regions_have_the_same_mark(tiny: Ruleset, large: Ruleset) -> None:
    assert region_marks(tiny.components.grids["plan"]) == [":", "·", "·", "·"]
    assert region_marks(tiny.components.grids["line"]) == ["·"] * 6
    assert len(set(region_marks(large.components.grids["fields"]))) == 3


def test_of_a_high_pile_the_top_is_told() -> None:
    """More than a hundred cards lie open in the middle: the last sixteen are named, all are counted."""
    game = played(ruleset_named("warlock-1980"), 6, 260, seed=1)
    pile = next(zone for zone in game.observe(0).zones if zone.name == "discard")
    words = Words(game.ruleset, "en")
    shown = drawn(game, 0, words, width=400)
    line = next(line for line in shown.splitlines() if line.startswith("│ discards"))
    top = [words.shown(piece) for piece in pile.pieces[-3:]]
    assert pile.count is not None and pile.count > 40 and line.startswith(f"│ discards {pile.count} …  ")
    assert line.rstrip(" │").endswith(" · ".join(top)) and 16 <= line.count("[") <= 20


def test_the_score_sheet(tiny: Ruleset) -> None:
    first = ScoreSheet({"cards": 7, "bonus": Fraction(3, 2)}, Fraction(17, 2))
    sheets = [first, ScoreSheet({"cards": 3, "bonus": 0}, 3)]
    out = io.StringIO()
    words = Words(tiny, "de", ["Ann", "Bob"])
    Console(file=out, width=60).print(score_sheet(words, sheets, [0]))
    rows = [line.split() for line in out.getvalue().splitlines() if line.strip()]
    assert rows[1] == ["Teil", "Ann", "Bob"]
    assert rows[3:] == [["ausgelegte", "Karten", "7", "3"], ["Zuschlag", "1,5", "0"], ["Summe", "8,5", "3"]]
    assert verdict(words, [0]) == "Sieger: Ann"
    assert verdict(words, []) == "Niemand gewinnt."
