"""Several pieces on one cell: their order, what rules see of them, saves, redealing, swaps and drawing."""

from __future__ import annotations

import io
import json

import pytest
from rich.console import Console

from interpreter import Game
from interpreter.errors import GameFileError, LawViolationError
from interpreter.plain.laws import check_pieces
from interpreter.state import random as chance
from interpreter.state.redeal import redealt
from interpreter.state.state import pieces_on
from tests.interpreter.tiny import keys, ruleset, variable, zone
from warlock_dsl.ruleset import Ruleset
from workbench.diff.as_scenario import _picture
from workbench.language.sentences import TIMES, Words, whereabouts
from workbench.pages.drawing import draw
from workbench.scenario.run import read_scenarios, run_scenario
from workbench.service.table import table_for
from workbench.terminal.board import Board

TABLES = """
[game]
players = 2

[table.side]
rows = ["white", "black"]

[kind.man]
rows = "side"
copies = 4

[grid.track]
cells = ["....", "...."]
stacks = true

[zone]
box = { holds = "man", start = "man" }
board = { holds = "man", grid = "track" }

[variable.game]
seen = "number"

[look]
"kind.man" = { by = "face" }
"side.white" = { short = "W" }
"side.black" = { short = "B" }
"""
RULES = """
define spot(n: number) = cells(board)[n]

define whites = [m in box where m.face is white]

define blacks = [m in box where m.face is black]

rule play:
    move top(whites, 2) to spot(1), top(blacks) to spot(1)
    move top(whites) to spot(2), top(blacks) to spot(6)
    choose c in cells(board) where any(at(c)), far in 1..2
    hop(c, far)
    choose again in 1..2

rule hop(c: cell, far: number):
    move top(at(c)) to first(step(c, far, 0), c)
"""


@pytest.fixture(scope="module")
def rules() -> Ruleset:
    made = ruleset(RULES, TABLES)
    return made


def value(rules: str, expression: str) -> str:
    """An expression where two white men lie under a black one, a white man beside them, a black one below that."""
    told = rules.replace("    choose c in", f"    set seen to {expression}\n    choose c in", 1)
    return variable(Game.start(ruleset(told, TABLES), 2, 0), "seen")


@pytest.mark.parametrize(
    ("expression", "found"),
    [
        ("count(at(spot(1)))", "3"),
        ("count(m in top(at(spot(1))[man]) where m.face is black)", "1"),
        ("count(m in top(at(spot(1))[man], 3) where m.face is white)", "2"),
        ("count(free(board))", "5"),
        ("count(near(spot(2)))", "4"),
        ("count(around(spot(5)))", "5"),
        ("count(groups(board))", "1"),
        ("count(first(groups(board)))", "5"),
        ("count(groups(at(spot(1))))", "1"),
        ("count(board)", "5"),
        ("count(m in board where m.cell is spot(1))", "3"),
    ],
)
def test_what_rules_see_of_a_stack(expression: str, found: str) -> None:
    assert value(RULES, expression) == found


def play(rules: Ruleset, *answers: str) -> Game:
    game = Game.start(rules, 2, 0)
    for answer in answers:
        game.choose(keys(game).index(answer))
    return game


def test_a_piece_is_taken_from_the_top_and_laid_on_top(rules: Ruleset) -> None:
    game = Game.start(rules, 2, 0)
    assert zone(game, "board") == ["white#4", "white#3", "black#4", "white#2", "black#3"]
    game = play(rules, "board@0,0", "1")
    assert zone(game, "board") == ["white#4", "white#3", "white#2", "black#4", "black#3"]
    layout, state = game.machine.layout, game.state
    first = layout.places[1].first_cell
    names = [[layout.piece_names[p] for p in pieces_on(layout, state, first + n)] for n in (0, 1, 2)]
    assert names == [["white#4", "white#3"], ["white#2", "black#4"], []]
    assert [layout.piece_names[state.at[first + n]] for n in (0, 1)] == ["white#3", "black#4"]
    check_pieces(layout, state)


def test_a_wrong_top_breaks_the_law_of_pieces(rules: Ruleset) -> None:
    game = Game.start(rules, 2, 0)
    state = game.state.copy()
    cell = game.machine.layout.places[1].first_cell
    state.at[cell] = state.zones[1][0]
    with pytest.raises(LawViolationError, match="lies in two places"):
        check_pieces(game.machine.layout, state)


def test_a_save_keeps_the_order_and_what_is_unpacked_has_the_tops(rules: Ruleset) -> None:
    game = play(rules, "board@0,0", "1")
    again = Game.load(rules, json.loads(json.dumps(game.save())))
    assert again.state == game.state and again.state.at == game.state.at
    trusted = game.machine.unpack(json.loads(json.dumps(game.machine.pack(game.state))), trusted=True)
    assert trusted.at == game.state.at


def test_without_stacks_a_save_with_two_pieces_on_a_cell_is_refused(rules: Ruleset) -> None:
    plain = ruleset(
        RULES.replace("top(whites, 2) to spot(1), top(blacks) to spot(1)", "top(whites) to spot(3)"),
        TABLES.replace("stacks = true", ""),
    )
    saved = json.loads(json.dumps(Game.start(plain, 2, 0).save()))
    piece, other = (saved["state"]["zones"][1][n] for n in (0, 1))
    saved["state"]["cells"][piece] = saved["state"]["cells"][other]
    with pytest.raises(GameFileError, match="two pieces on the cell"):
        Game.load(plain, saved)


@pytest.mark.parametrize(
    ("one", "other", "order"),
    [
        ("at(spot(1))[3]", "at(spot(2))[1]", ["white#4", "white#3", "white#2", "black#4", "black#3"]),
        ("at(spot(1))[1]", "at(spot(1))[3]", ["black#4", "white#3", "white#4", "white#2", "black#3"]),
        ("at(spot(1))[2]", "first(box)", ["white#4", "white#1", "black#4", "white#2", "black#3"]),
    ],
)
def test_pieces_of_a_stack_change_places(one: str, other: str, order: list[str]) -> None:
    told = RULES.replace("    choose c in", f"    swap {one} with {other}\n    choose c in", 1)
    game = Game.start(ruleset(told, TABLES), 2, 0)
    assert zone(game, "board") == order
    check_pieces(game.machine.layout, game.state)
    tops = [pieces_on(game.machine.layout, game.state, cell)[-1:] for cell in range(8)]
    assert tops == [(top,) if top >= 0 else () for top in game.state.at]


# -------------------------------------------------------------------------- what is seen


HIDDEN = TABLES.replace('grid = "track" }', 'grid = "track", sees = "top" }')


def test_the_top_of_each_stack_is_seen_where_tops_are() -> None:
    game = Game.start(ruleset(RULES, HIDDEN), 2, 0)
    assert zone(game, "board", viewer=0) == ["unseen man", "unseen man", "black#4", "white#2", "black#3"]
    told = RULES.replace("    choose c in", "    choose m in at(spot(1))\n    choose c in", 1)
    asking = Game.start(ruleset(told, HIDDEN), 2, 0)
    assert keys(asking) == ["board@0,0[1]", "board@0,0[2]", "black#4"]
    words = Words(asking.ruleset).seeing(asking.observe(0))
    decision = asking.decision
    assert decision is not None
    assert "A1/2" in words.shown(decision.options[1].value, 0)


def test_a_redeal_keeps_the_stacks_and_their_tops() -> None:
    game = Game.start(ruleset(RULES, HIDDEN), 2, 0)
    hands = set()
    for stream in range(10):
        _, state = redealt(game.machine, game.state, 0, chance.seeded(stream))
        check_pieces(game.machine.layout, state)
        assert state.zones[1][2:] == game.state.zones[1][2:] and len(pieces_on(game.machine.layout, state, 0)) == 3
        hands.add(tuple(state.zones[1][:2]))
    assert hands == {(2, 3), (3, 2)}


def test_it_is_drawn_with_the_top_and_how_many(rules: Ruleset) -> None:
    game = Game.start(rules, 2, 0)
    out = io.StringIO()
    Console(file=out, width=60).print(Board(table_for(Words(rules), game, 0)).shared())
    lines = [line[2:-2].rstrip() for line in out.getvalue().splitlines()]
    at = lines.index("board")
    rows = [line.split() for line in lines[at + 2 : at + 4]]
    assert rows == [["1", f"B{TIMES}3", "W", "·", "·"], ["2", "·", "B", "·", "·"]]
    (area,) = (area for area in draw(table_for(Words(rules), game, 0)).table.areas if area.rows)
    chips = [cell.chip for cell in area.rows[0] if cell is not None]
    assert [(chip.text, chip.count) for chip in chips if chip is not None] == [("B", 3), ("W", 1)]


def test_every_piece_of_a_stack_is_known_to_lie_on_its_cell(rules: Ruleset) -> None:
    found = whereabouts(Game.start(rules, 2, 0).observe(0))
    assert {found[name].cell for name in ("white#4", "white#3", "black#4")} == {(0, 0)}
    assert found["white#2"].cell == (0, 1) and found["white#1"].cell is None


# ------------------------------------------------------------------------------ scenarios

SCENARIO = """
[[scenario]]
name = "the top one hops"
players = ["ann", "ben"]

[scenario.given]
grids = { board = ["white*2/black . . .", ". . black/white ."] }
rest = { man = "box" }
begin = "hop(cells(board)[1], 1) by ann"

[[scenario.step]]
grids = { board = ["white*2 black . .", ". . black/white ."] }
true = ["count(at(cells(board)[1])) is 2", "first(top(at(cells(board)[7])[man])).face is white"]
"""


def test_scenarios_draw_stacks(rules: Ruleset) -> None:
    (scenario,), errors = read_scenarios(SCENARIO, "test.toml", lambda _: rules, "tiny")
    assert not errors
    assert run_scenario(rules, scenario).passed, run_scenario(rules, scenario).failures


def test_positions_found_by_diff_are_drawn_the_same_way(rules: Ruleset) -> None:
    (board,) = (view for view in Game.start(rules, 2, 0).observe(-1).zones if view.name == "board")
    assert _picture(board) == ["white#4/white#3/black#4 white#2 . .", ". black#3 . ."]
