"""Cells, directions and what lies on a board: small games with boards of their own, played by the plain machine."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from interpreter import Game, PlayError
from interpreter.machine import machine_for
from interpreter.vm.machine import VmMachine
from tests.interpreter.tiny import keys, ruleset
from warlock_dsl.diagnostics.diagnostic import Severity
from warlock_dsl.load import load_files

SQUARE = """
[game]
players = 2

[table.way]
columns = { right = "number", down = "number" }
rows.east = { right = 1, down = 0 }
rows.north_west = { right = -1, down = -1 }
rows.leap = { right = 1, down = 2 }
rows.nowhere = { right = 0, down = 0 }
rows.half = { right = 0.5, down = 0 }
rows.down = { right = 0, down = 1 }

[kind.stone]
count = 9

[grid.field]
cells = ["a....", ".b...", ".. ..", "....."]
regions = { home = "a", inner = "b" }

[zone]
box = { holds = "stone", start = "stone" }
board = { holds = "stone", grid = "field" }
"""
PLAY = """
define home_cell = first(cells(board, home))
define inner_cell = first(cells(board, inner))

rule play:
    move top(box) to first(step(inner_cell, 2, 0))
    choose c in {cells}
    move top(box) to c
    choose again in cells(board)
"""


def offered(cells: str) -> list[str]:
    """The cells a question gives the choice of, each as row and column from 0."""
    made = ruleset(PLAY.format(cells=f"{cells} + [home_cell, home_cell]"), SQUARE)
    assert isinstance(machine_for(made, 2, False), VmMachine)
    found = [key.partition("@")[2] for key in keys(Game.start(made, 2, 0))]
    return found[: found.index("0,0")]


@pytest.mark.parametrize(
    ("way", "found"), [("east", ["1,2"]), ("leap", ["3,2"]), ("nowhere", ["1,1"]), ("half", []), ("down", ["2,1"])]
)
def test_a_step_gives_the_cell_or_nothing(way: str, found: list[str]) -> None:
    assert offered(f"step(inner_cell, way.{way}.right, way.{way}.down)") == found


def test_beyond_the_edge_in_a_gap_and_from_no_cell_at_all_there_is_nothing() -> None:
    assert offered("step(inner_cell, 4, 0)") == offered("step(inner_cell, 1, 1)") == []
    assert offered("step(first(box).cell, 1, 0)") == offered("ray(first(box).cell, 1, 0)") == []


@pytest.mark.parametrize(
    ("way", "found"),
    [("east", ["1,2", "1,3", "1,4"]), ("leap", ["3,2"]), ("nowhere", []), ("half", []), ("down", ["2,1", "3,1"])],
)
def test_a_ray_gives_the_cells_the_nearest_first(way: str, found: list[str]) -> None:
    assert offered(f"ray(inner_cell, way.{way}.right, way.{way}.down)") == found


def test_a_gap_ends_a_ray() -> None:
    """The plan has none at the third row, third column."""
    assert offered("ray(home_cell, 1, 1)") == ["1,1"]
    assert offered("ray(last(step(home_cell, 2, 0)), 0, 1)") == ["1,2"]


def test_a_ray_that_a_piece_blocks_ends_with_it() -> None:
    """A stone lies two cells to the right."""
    assert offered("until(c in ray(inner_cell, 1, 0): any(at(c)))") == ["1,2", "1,3"]
    assert offered("[c in until(c in ray(inner_cell, 1, 0): any(at(c))) where not any(at(c))]") == ["1,2"]
    assert offered("until(c in ray(inner_cell, 0, 1): any(at(c)))") == ["2,1", "3,1"]


def test_until_looks_no_further_than_it_has_to() -> None:
    """Beyond the first one that fits, the condition would be an error; so it is before."""
    rules = "rule play: choose n in until(x in {}: [5, 6][x] is 6)\n"
    game = Game.start(ruleset(rules.format("[1, 2, 9]"), SQUARE), 2, 0)
    assert keys(game) == ["1", "2"]
    with pytest.raises(PlayError, match="there is no entry 9"):
        keys(Game.start(ruleset(rules.format("[1, 9, 2]"), SQUARE), 2, 0))


@pytest.mark.parametrize(
    ("cells", "noted"), [("cells(board)", False), ("cells(board, home)", True), ("free(board)", True)]
)
def test_a_board_has_a_cell_and_a_region_of_it_may_have_none(cells: str, noted: bool) -> None:
    rules = f"rule play:\n    move top(box) to first({cells})\n    choose n in 1..2\n"
    found = load_files({"game.toml": SQUARE, "rules.warlock": rules}, "tiny").diagnostics
    assert ("W451" in {one.code for one in found}) == noted


# ----------------------------------------------------------------------------- the page of the manual


def blocks(language: str) -> list[str]:
    page = (Path(__file__).parents[2] / "docs" / "boards.md").read_text(encoding="utf-8")
    return re.findall(rf"```{language}\n(.*?)```", page, re.DOTALL)


def test_the_examples_of_the_manual_are_sound() -> None:
    more = "[game]\nplayers = 2\n[kind.stone]\ncount = 9\n[kind.army]\ncount = 3\n"
    more += '[zone]\nbox = { holds = ["stone", "army"], start = ["stone", "army"] }\n'
    more += 'hive = { holds = "stone", grid = "comb" }\n'
    files = {f"{number}.toml": text for number, text in enumerate([more, *blocks("toml")])}
    rules = "rule play: choose c in slides(cells(board)[1]) + pond(cells(board)[1]) + cells(hive) + cells(land)\n"
    loaded = load_files({**files, "rules.warlock": "".join(blocks("warlock")) + rules}, "tiny")
    assert not [error for error in loaded.diagnostics if error.severity is Severity.ERROR]
    assert loaded.ruleset is not None
    found = keys(Game.start(loaded.ruleset, 2, 0))
    assert {"board@1,1", "hive@1,0", "land@north"} <= set(found)
