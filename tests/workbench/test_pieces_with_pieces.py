"""Pieces that carry marks and other pieces: how they are named on the board, in options and in the log."""

from __future__ import annotations

import io

import pytest
from rich.color import ColorSystem
from rich.console import Console

from interpreter import Game
from warlock_dsl.diagnostics.diagnostic import Severity
from warlock_dsl.load import load_files
from warlock_dsl.ruleset import Ruleset
from workbench.language.event_log import tell
from workbench.language.sentences import Words
from workbench.scenario.values import Vocabulary
from workbench.service.table import EVERYBODY, table_for
from workbench.terminal.board import Board
from workbench.terminal.colours import style_of

TABLES = """
[game]
players = "2..3"

[table.weather]
columns = { worth = "number" }
rows = { fair = { worth = 1 }, foul = { worth = 2 } }

[die.sky]
of = "weather"
faces = { fair = 1, foul = 1 }

[kind.ship]
count = 6

[kind.crate]
count = 7

[kind.chart]
rows = "weather"

[zone]
yard = { holds = "ship", sees = "all", start = "ship" }
quay = { holds = "crate", sees = "all", start = "crate" }
chest = { holds = "chart", sees = "all", start = "chart" }
fleet = { each = "player", holds = "ship", sees = "all" }
hold = { each = "ship", holds = "crate", sees = "all" }

[variable.player]
late = "truth"

[variable.ship]
rig = ["sloop", "brig"]
tired = "truth"

[look]
"kind.ship" = { by = "rig" }
"kind.chart" = { by = "face" }
"weather.foul" = { colour = "red", short = "!!" }
"rig.sloop" = { colour = "green" }
"rig.brig" = { colour = "magenta" }
"""

RULES = """
rule play:
    for me in players: fit_out()
    for me in players: sail()

rule fit_out:
    repeat 2: move yard[1] to my.fleet
    for ship in my.fleet: move top(quay, 2) to ship.hold

rule sail:
    choose goal in union(p in opponents: p.fleet)
    set goal.tired to true, goal.rig to brig, my.late to true
    roll sky_now in sky
    choose 2 freight in union(c in my.fleet: c.hold): move freight to quay

score worth = sum(c in chest: c.worth) + (if my.late then 1 else 0)
"""

NAMES = """
"game" = "Ships"
"weather.fair" = "fair"
"weather.foul" = "foul"
"rig.sloop" = "sloop"
"rig.brig" = "brig"
"kind.ship" = "ship"
"kind.crate" = "crate"
"kind.chart" = "chart"
"piece.ship" = "ship {number}"
"piece.crate" = "crate"
"piece.chart" = "{face}"
"card.ship" = "a ship"
"card.crate" = "a crate"
"card.chart" = "a chart"
"now.ship" = "{rig} {number} with {hold}"
"zone.yard" = "yard"
"zone.quay" = "quay"
"zone.chest" = "chest"
"zone.fleet" = "fleet"
"zone.hold" = "hold"
"variable.late" = "late"
"variable.rig" = "rig"
"variable.tired" = "tired"
"score.worth" = "worth"
"ask.sail.goal" = "Where to?"
"ask.sail.freight" = "What goes ashore on the way to {goal}?"
"roll.sail.sky_now" = "{me} sails to {goal}: {sky_now}"
"""


def load(tables: str = TABLES, names: str = NAMES) -> Ruleset:
    loaded = load_files({"game.toml": tables, "rules.warlock": RULES, "names/en.toml": names}, "ships")
    errors = [error.message for error in loaded.diagnostics if error.severity is not Severity.NOTE]
    assert loaded.ruleset is not None and not errors, errors
    return loaded.ruleset


@pytest.fixture(scope="module")
def ships() -> Ruleset:
    return load()


def words(ruleset: Ruleset) -> Words:
    return Words(ruleset, "en", ["Ann", "Bob", "Eve"])


def options(game: Game) -> list[str]:
    decision = game.decision
    assert decision is not None
    view = game.observe(decision.player)
    return words(game.ruleset).seeing(view).options(decision, view)


def drawn(game: Game, width: int = 100, colour: bool = False) -> str:
    out = io.StringIO()
    console = Console(file=out, width=width, force_terminal=colour, color_system="truecolor" if colour else None)
    console.print(Board(table_for(words(game.ruleset), game, 0)).draw(console))
    return out.getvalue()


def test_an_option_tells_a_piece_as_it_is_now_and_whose_it_is(ships: Ruleset) -> None:
    """Of one opponent the owner goes without saying, of two it does not."""
    assert options(Game.start(ships, 2, 1)) == ["sloop 3 with 2", "sloop 4 with 1"]
    assert options(Game.start(ships, 3, 1)) == ["sloop 3 with 2 (Bob)", "sloop 4 with 1 (Bob)", "sloop 5 with 0 (Eve)"]


def test_pieces_within_pieces_are_told_by_what_holds_them(ships: Ruleset) -> None:
    game = Game.start(ships, 2, 1)
    game.choose(0)
    found = options(game)
    assert "2 \u00d7 crate (sloop 1 with 2)" in found
    assert "crate (sloop 1 with 2) + crate (sloop 2 with 2)" in found
    decision = game.decision
    assert decision is not None
    told = words(ships).seeing(game.observe(0)).ask(decision)
    assert told == "What goes ashore on the way to brig 3 with 2?"
    assert words(ships).ask(decision) == "What goes ashore on the way to ship 3?"


def test_without_words_for_now_a_piece_keeps_its_name() -> None:
    game = Game.start(load(names=NAMES.replace('"now.ship" = "{rig} {number} with {hold}"', "")), 2, 1)
    assert options(game) == ["ship 3", "ship 4"]
    assert "ship 1 (hold 2) · ship 2 (hold 2)" in drawn(game)


def test_the_board_tells_ships_one_by_one_and_counts_what_lies_in_the_yard(ships: Ruleset) -> None:
    game = Game.start(ships, 2, 1)
    game.choose(0)
    text = drawn(game, 120)
    assert "yard 2  ship\u00d72" in text and "quay" not in text
    assert "fleet 2  sloop 1 with 2 · sloop 2 with 2" in text
    assert "fleet 2  brig 3 with 2 (tired) · sloop 4 with 1" in text
    assert text.count("late") == 1  # what is not so is not told
    narrow = drawn(game, 30)
    assert "│   brig 3 with 2 (tired)" in narrow and max(map(len, narrow.splitlines())) == 30


def test_a_look_may_follow_a_mark_or_the_face(ships: Ruleset) -> None:
    game = Game.start(ships, 2, 1)
    game.choose(0)
    text = drawn(game, colour=True)
    for word, colour in (("brig 3", "magenta"), ("sloop 4", "green"), ("foul", "red")):
        coloured = style_of(colour).render(word, color_system=ColorSystem.TRUECOLOR)
        assert coloured.removesuffix("\x1b[0m") in text and coloured != word


def test_a_row_without_a_short_label_is_told_by_its_name(ships: Ruleset) -> None:
    table = table_for(words(ships), Game.start(ships, 2, 1), EVERYBODY)
    short = {piece.name: piece.short for zone in table.zones for piece in zone.pieces}
    assert [short[name] for name in ("foul#1", "fair#1", "ship#1")] == ["!!", "Ch", "sloop 1 with 2"]


def test_a_piece_answers_to_the_row_it_was_made_from(ships: Ruleset) -> None:
    layout = Game.start(ships, 2, 1).machine.layout
    calls = Vocabulary(layout, ["ann", "bob"]).calls
    assert {calls[layout.piece_names.index(name)] for name in ("foul#1", "fair#1")} == {
        ("foul#1", "foul", "chart"),
        ("fair#1", "fair", "chart"),
    }


def test_a_look_by_a_mark_that_is_no_row_is_refused() -> None:
    tables = TABLES.replace('{ by = "rig" }', '{ by = "tired" }')
    found = load_files({"game.toml": tables, "rules.warlock": RULES, "names/en.toml": NAMES}, "ships").diagnostics
    assert [(error.code, error.message) for error in found if error.severity is Severity.ERROR] == [
        ("W236", "'tired' is no row of a table, so it has no look")
    ]


def test_the_log_names_what_holds_a_piece_and_what_is_marked_on_one(ships: Ruleset) -> None:
    game = Game.start(ships, 2, 1, log=True)
    game.choose(0)
    lines = tell(game.events, 1, words(ships))
    assert "Ann: quay → ship 1: 2 \u00d7 crate" in lines
    assert "ship 3: rig: brig" in lines and "ship 3: tired: yes" in lines
    sky = [line for line in lines if line.startswith("Ann sails to ship 3: ")]
    assert len(sky) == 1 and sky[0].endswith(("fair", "foul"))
