"""Boards of hexagons: neighbours, lines, directions, groups, and how they are drawn."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from interpreter import Game
from interpreter.state.layout import Layout
from tests.interpreter.pair import side_by_side
from tests.interpreter.tiny import keys, ruleset
from warlock_dsl.ruleset import Ruleset
from workbench.language.sentences import Words
from workbench.pages.drawing import draw
from workbench.service.table import table_for
from workbench.terminal.board import Board

TABLES = """
[game]
players = 2

[table.side]
rows = ["white", "black"]

[kind.stone]
rows = "side"
copies = 9

[grid.field]
shape = "hex"
cells = [CELLS]
regions = { upper = "ab", lower = "yz" }

[zone]
bag = { holds = "stone", start = "stone" }
board = { holds = "stone", grid = "field" }

[look]
"kind.stone" = { by = "face" }
"side.white" = { short = "W" }
"side.black" = { short = "B" }
"""
RHOMBUS = TABLES.replace("CELLS", '"aba", "...", "zyz"')
HEXAGON = TABLES.replace("CELLS", '" ab", "...", "zy "')
RULES = """
define side_of(p: player) = if p is first(players) then white else black

define across(p: player) = any(g in groups([s in board where s.face is side_of(p)])
    where touches(g, upper) and touches(g, lower))

define touches(g: [stone], edge: region) = any(s in g where edge has s.cell)

rule play:
    repeat 9 where any(free(board)):
        for me in players where any(free(board)): turn()
    finish []

rule turn:
    choose c in free(board)
    move first([s in bag where s.face is side_of(me)]) to c
    if across(me): finish [me]

score sides = count(lines(first(cells(board)), 3)) - count(around(first(cells(board))))
"""


def cell_at(layout: Layout, row: int, column: int) -> int:
    return layout.cell_at[0 if layout.places[0].grid else layout.cell_place[0], row, column]


@pytest.fixture(scope="module")
def rhombus() -> Ruleset:
    return ruleset(RULES, RHOMBUS)


def spots(layout: Layout, cells: tuple[int, ...]) -> list[tuple[int, int]]:
    return [layout.cell_spot[cell][1:] for cell in cells]


def test_a_cell_has_six_neighbours_and_no_diagonals(rhombus: Ruleset) -> None:
    layout = Layout(rhombus.program, rhombus.components, 2)
    middle = cell_at(layout, 1, 1)
    assert spots(layout, layout.near[middle]) == [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)]
    assert layout.around == layout.near
    assert spots(layout, layout.near[cell_at(layout, 0, 0)]) == [(0, 1), (1, 0)]
    assert spots(layout, layout.near[cell_at(layout, 0, 2)]) == [(0, 1), (1, 1), (1, 2)]


def test_lines_run_three_ways(rhombus: Ruleset) -> None:
    """Across, down to the right, down to the left; each from its upper or left end."""
    layout = Layout(rhombus.program, rhombus.components, 2)
    found = [spots(layout, line) for line in layout.lines(cell_at(layout, 1, 1), 3)]
    assert found == [[(1, 0), (1, 1), (1, 2)], [(0, 1), (1, 1), (2, 1)], [(0, 2), (1, 1), (2, 0)]]
    assert [spots(layout, line) for line in layout.lines(cell_at(layout, 0, 0), 3)] == [
        [(0, 0), (0, 1), (0, 2)],
        [(0, 0), (1, 0), (2, 0)],
    ]


def play(rules: Ruleset, cells: list[str]) -> Game:
    game = Game.start(rules, 2, 0)
    for cell in cells:
        game.choose(keys(game).index(f"board@{cell}"))
    return game


def test_a_chain_from_edge_to_edge_wins(rhombus: Ruleset) -> None:
    """Down the slope of the right-hand column, and down to the left; straight down over a gap is no chain."""
    for chain in (["0,2", "1,2", "2,2"], ["0,2", "1,1", "2,0"]):
        others = [spot for spot in ("0,0", "0,1", "1,0") if spot not in chain]
        moves = [spot for pair in zip(chain, others, strict=True) for spot in pair]
        game = play(rhombus, moves[:-1])
        assert game.over and game.winners == (0,)
    game = play(rhombus, ["0,0", "0,1", "1,1", "1,0", "2,1"])
    assert not game.over  # 0,0 and 1,1 touch at no side


@pytest.mark.parametrize("tables", [RHOMBUS, HEXAGON])
def test_both_machines_play_it(tables: str) -> None:
    for seed in range(3):
        assert side_by_side(ruleset(RULES, tables), 2, seed) > 2


def drawn(game: Game) -> list[str]:
    """The lines of the board below its name."""
    out = io.StringIO()
    Console(file=out, width=60).print(Board(table_for(Words(game.ruleset), game, 0)).shared())
    lines = [line[2:-2].rstrip() for line in out.getvalue().splitlines()]
    return lines[lines.index("board") + 1 : -1]


def test_rows_are_slanted_on_the_terminal(rhombus: Ruleset) -> None:
    """A label of two letters takes two half cells more, and every row stays half a cell to the right."""
    moves = ["1,1", "1,2"]
    assert drawn(play(rhombus, moves)) == [" A B C", "1 · · ·", " 2 : W B", "  3 + + +"]
    longer = ruleset(RULES, RHOMBUS.replace('"W"', '"Wh"'))
    assert drawn(play(longer, moves)) == ["A   B   C", "1 ·   ·   ·", "  2 :   Wh  B", "    3 +   +   +"]


def test_a_hexagon_stands_upright() -> None:
    assert drawn(Game.start(ruleset(RULES, HEXAGON), 2, 0)) == ["A B C", " 1 : :", "2 · · ·", " 3 + +"]


def test_rows_are_slanted_on_a_page(rhombus: Ruleset) -> None:
    game = play(rhombus, ["1,1"])
    picture = draw(table_for(Words(rhombus), game, 0))
    (board,) = (area for area in picture.table.areas if area.rows)
    assert board.slanted and [len(row) for row in board.rows] == [3, 3, 3]
