"""Boards whose cells are the rows of a table: neighbours in data, cells by their rows, drawn from coordinates."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from interpreter import Game, PlayError
from interpreter.machine import machine_for
from interpreter.state.layout import Layout
from interpreter.vm.machine import VmMachine
from tests.interpreter.tiny import keys, ruleset, variable
from warlock_dsl.load import load_files
from warlock_dsl.ruleset import Ruleset
from workbench.diff.as_scenario import _picture
from workbench.language.sentences import Words
from workbench.pages.drawing import draw
from workbench.scenario.run import read_scenarios, run_scenario
from workbench.service.table import table_for
from workbench.terminal.board import Board

TABLES = """
[game]
players = 2

[table.town]
columns = { roads = "[town]", right = "number", down = "number", port = "truth", worth = "number" }
rows.north = { roads = ["east", "west"], right = 1, down = 0, port = true, worth = 5 }
rows.west = { roads = ["north", "south"], right = 0, down = 1, port = false, worth = 1 }
rows.east = { roads = ["north", "south"], right = 2, down = 1, port = false, worth = 2 }
rows.south = { roads = ["west", "east"], right = 1, down = 2, port = true, worth = 3 }
rows.isle = { roads = [], right = 4, down = 1, port = true, worth = 9 }

[kind.army]
count = 4

[grid.map]
cells = "town"
near = "roads"
regions = { coast = "port" }

[zone]
camp = { holds = "army", start = "army" }
land = { holds = "army", grid = "map" }

[variable.game]
found = "number"

[look]
"town.isle" = { short = "I." }
"""
RULES = """
define beside(c: cell) = [t in town[c].roads: land[t]]

rule play:
    move top(camp) to land[west], top([a in camp where a is not first(top(camp))]) to land[isle]
    {}
    choose a in land, c in beside(a.cell) where not any(at(c))
    move a to c
    set found to town[c].worth
    choose again in 1..2
"""


def made(statement: str = "pass", tables: str = TABLES) -> Ruleset:
    found = ruleset(RULES.format(statement), tables)
    assert isinstance(machine_for(found, 2, False), VmMachine)
    return found


def value(expression: str) -> str:
    return variable(Game.start(made(f"set found to {expression}"), 2, 0), "found")


@pytest.mark.parametrize(
    ("expression", "found"),
    [
        ("town[land[east]].worth", "2"),
        ("count(near(land[north]))", "1"),
        ("count(around(land[north]))", "1"),
        ("count(near(land[isle]))", "0"),
        ("count(groups(land))", "2"),
        ("count(cells(land, coast))", "3"),
        ("count(free(land))", "3"),
        ("town[cells(land)[3]].worth", "2"),
        ("count(c in cells(land) where coast has c and town[c].worth > 3)", "2"),
        ("sum(t in [town[2]]: t.worth)", "1"),
        ("count([land[1]])", "1"),
        ("count(step(land[west], 2, 0))", "1"),
        ("count(ray(land[west], 2, 0))", "2"),
        ("count(step(land[west], 1, 0))", "0"),
    ],
)
def test_what_rules_ask_of_such_a_board(expression: str, found: str) -> None:
    assert value(expression) == found


def test_cells_are_in_the_order_of_the_table_and_so_are_neighbours() -> None:
    found = made()
    layout = Layout(found.program, found.components, 2)
    assert [layout.cell_plan[cell] for cell in layout.near[0]] == [1, 2]  # west, east: as the rows stand
    assert found.components.grids["map"].cells == ((0, 1), (1, 0), (1, 2), (2, 1), (1, 4))


def test_cells_are_called_by_their_rows() -> None:
    game = Game.start(made(), 2, 0)
    assert keys(game) == ["land@north", "land@south"]  # one army is alone on its isle
    game.choose(1)
    assert variable(game, "found") == "3"
    words = Words(game.ruleset).seeing(game.observe(0))
    decision = Game.start(made(), 2, 0).decision
    assert decision is not None
    assert [words.shown(option.value) for option in decision.options] == ["north", "south"]


def test_a_cell_that_is_none_of_the_table_is_an_error() -> None:
    with pytest.raises(PlayError, match="this cell is no row of 'town'"):
        value("town[first(camp).cell].worth")


# ------------------------------------------------------------------------------ drawing


def test_it_is_drawn_from_its_coordinates() -> None:
    game = Game.start(made(), 2, 0)
    out = io.StringIO()
    Console(file=out, width=70).print(Board(table_for(Words(game.ruleset), game, 0)).shared())
    lines = [line[2:-2].rstrip() for line in out.getvalue().splitlines()]
    at = lines.index("land")
    assert lines[at + 1 : at + 4] == [
        "        north ·",
        "west Ar         east : I. Ar",
        "        south ·",
    ]
    (area,) = (area for area in draw(table_for(Words(game.ruleset), game, 0)).table.areas if area.rows)
    shown = [[None if cell is None else cell.name for cell in row] for row in area.rows]
    assert shown[1] == ["west", None, "east", None, "isle"] and shown[0][1] == "north"


# --------------------------------------------------------------------------- scenarios

MARCH = """
[[scenario]]
name = "an army marches"
players = ["ann", "ben"]

[scenario.given]
grids = { land = { north = "army#1", east = "army#2" } }
rest = { army = "camp" }
begin = "march() by ann"

[[scenario.step]]
offers_only = ["army#1", "army@east"]
answers = ["army#1"]

[[scenario.step]]
asks = "nobody"
grids = { land = { west = "army#1", east = "army" } }
"""
MARCHING = """
rule play: march()

rule march:
    choose a in land
    choose c in [t in town[a.cell].roads: land[t]] where not any(at(c))
    move a to c
"""


def test_scenarios_say_what_lies_on_each() -> None:
    rules = ruleset(MARCHING, TABLES)
    (scenario,), errors = read_scenarios(MARCH, "test.toml", lambda _: rules, "tiny")
    assert not errors
    assert run_scenario(rules, scenario).passed, run_scenario(rules, scenario).failures
    for was, now in (("north = ", "nroth = "), ('{ north = "army#1", east = "army#2" }', '["army#1 ."]')):
        _, errors = read_scenarios(MARCH.replace(was, now, 1), "test.toml", lambda _: rules, "tiny")
        assert [error.code for error in errors] == ["W513"]


def test_positions_found_by_diff_are_said_the_same_way() -> None:
    game = Game.start(made(), 2, 0)
    (land,) = (view for view in game.observe(-1).zones if view.name == "land")
    names = game.ruleset.components.tables["town"].rows
    assert _picture(land, names) == {"west": "army#4", "isle": "army#3"}


# --------------------------------------------------------------------- what can be wrong


@pytest.mark.parametrize(
    ("was", "now", "code", "said"),
    [
        ('cells = "town"', 'cells = "twon"', "W219", "there is no table 'twon'"),
        ('near = "roads"', "", "W206", "the key 'near' is missing"),
        ('near = "roads"', 'near = "raods"', "W220", "has no column 'raods'"),
        ('near = "roads"', 'near = "worth"', "W209", "is a number, and a [town] is wanted"),
        ('coast = "port"', 'coast = "worth"', "W209", "is a number, and a truth is wanted"),
        ('"[town]", right', '"[town]", rihgt', "W220", "has no column 'right'"),
        ('roads = ["west", "east"]', 'roads = ["west"]', "W222", "'south' lies beside 'east', but 'east' not beside"),
        ("roads = [], right", 'roads = ["isle"], right', "W222", "'isle' lies beside itself"),
        ("right = 4, down = 1", "right = 2, down = 1", "W222", "'isle' is drawn where 'east' is"),
        ("right = 4,", "right = 4.5,", "W222", "must be a whole number"),
        ("right = 4,", "right = -1,", "W222", "must be a whole number"),
    ],
)
def test_a_table_that_makes_no_board(was: str, now: str, code: str, said: str) -> None:
    tables = TABLES.replace(was, now, 1)
    if "rihgt" in now:
        tables = tables.replace("right =", "rihgt =")
    found = load_files({"game.toml": tables, "rules.warlock": RULES.format("pass")}, "tiny")
    assert found.ruleset is None
    (error,) = (one for one in found.diagnostics if one.code == code)
    assert said in error.message


def test_ways_that_go_one_way_are_said_to() -> None:
    tables = TABLES.replace('roads = ["west", "east"]', 'roads = ["west"]')
    tables = tables.replace("near = ", "one_way = true\nnear = ")
    layout = Layout(made(tables=tables).program, made(tables=tables).components, 2)
    assert 3 in layout.near[2] and 2 not in layout.near[3]


def test_columns_that_a_board_reads_are_read() -> None:
    found = load_files({"game.toml": TABLES, "rules.warlock": RULES.format("pass")}, "tiny")
    assert "W420" not in {one.code for one in found.diagnostics}
