"""Variables that hold cells and pieces: empty at first, shown by place, carried along by saves and redealing."""

from __future__ import annotations

import json

import pytest

from interpreter import Game
from interpreter.errors import GameFileError
from interpreter.machine import machine_for
from interpreter.plain.machine import PlainMachine
from interpreter.state import random as chance
from interpreter.state.redeal import redealt
from tests.interpreter.tiny import keys, ruleset, variable, zone
from warlock_dsl.ruleset import Ruleset
from workbench.scenario.run import read_scenarios, run_scenario

TABLES = """
[game]
players = 2

[kind.man]
count = 4

[kind.card]
rows = "cards.csv"
fields = { value = "number", colour = "shade" }

[table.shade]
rows = ["red", "green", "blue"]

[grid.row]
cells = ["................"]

[zone]
box = { holds = "man", start = "man" }
board = { holds = "man", grid = "row" }
deck = { holds = "card", sees = "none", start = "card" }
hand = { each = "player", holds = "card", sees = "owner" }

[variable.game]
skipped = { type = "[cell]", lasts = "turn" }
last_moved = "[man]"
drawn = "[card]"
trail = "[[cell]]"
"""
RULES = """
rule play:
    shuffle deck
    for p in players: move top(deck, 2) to p.hand
    set drawn to [first(hand_of(first(players)))]
    move first(box) to first(cells(board)), last(box) to last(cells(board))
    repeat 3:
        for me in players: turn()
    finish []

define hand_of(p: player) = p.hand

rule turn:
    choose man in board, far in 1..2, spot in [c in step(man.cell, far, 0) where not any(at(c))]
    let over = [c in step(man.cell, 1, 0) where far is 2]
    move man to spot
    set skipped to over, last_moved to [man], trail to trail + [over]
"""


@pytest.fixture(scope="module")
def rules() -> Ruleset:
    made = ruleset(RULES, TABLES)
    return made


def value_of(game: Game, name: str, viewer: int = -1) -> str:
    found = next(v for v in game.observe(viewer).variables if v.name == name)
    assert found.value is not None
    return found.value.key()


def play(rules: Ruleset, seed: int, *answers: str) -> Game:
    game = Game.start(rules, 2, seed)
    for answer in answers:
        game.choose(keys(game).index(answer))
    return game


def test_they_are_empty_at_first_and_last_as_long_as_others(rules: Ruleset) -> None:
    game = Game.start(rules, 2, 1)
    assert (variable(game, "skipped"), variable(game, "last_moved")) == ("none", "none")
    game = play(rules, 1, "2")  # the first man is alone in being able to move
    assert variable(game, "last_moved") == "man#1" and variable(game, "trail") != "none"
    assert variable(game, "skipped") == "none"  # the next turn has begun
    assert value_of(game, "trail") == "[board@0,1]"


def test_a_save_keeps_them(rules: Ruleset) -> None:
    game = play(rules, 1, "2")
    saved = json.loads(json.dumps(game.save()))
    again = Game.load(rules, saved)
    assert again.state == game.state and value_of(again, "trail") == "[board@0,1]"


@pytest.mark.parametrize(
    ("name", "value"), [("last_moved", [77]), ("last_moved", [5]), ("trail", [[99]]), ("trail", [1])]
)
def test_a_save_that_names_what_there_is_not_is_refused(rules: Ruleset, name: str, value: object) -> None:
    game = play(rules, 1, "2")
    saved = json.loads(json.dumps(game.save()))
    names = [slot.name for slot in game.machine.layout.slots]
    saved["state"]["variables"][names.index(name)] = value
    with pytest.raises(GameFileError, match=f"value for '{name}'"):
        Game.load(rules, saved)


# ------------------------------------------------------------------ what is seen


def test_a_piece_one_cannot_see_is_shown_by_its_place(rules: Ruleset) -> None:
    game = Game.start(rules, 2, 1)
    own = zone(game, "hand", 0)[0]
    assert value_of(game, "drawn", 0) == own
    assert value_of(game, "drawn", 1) == "seat0.hand[1]"


def test_a_redeal_keeps_the_place_and_changes_the_piece(rules: Ruleset) -> None:
    game = Game.start(rules, 2, 1)
    layout = game.machine.layout
    named = set()
    for stream in range(12):
        _, state = redealt(game.machine, game.state, 1, chance.seeded(stream))
        (number,) = (n for n, slot in enumerate(layout.slots) if slot.name == "drawn")
        (piece,) = state.variables[number]  # type: ignore[misc]
        hand = state.zones[state.place[piece]]  # type: ignore[index]
        assert layout.places[state.place[piece]].name == "hand" and hand.index(piece) == 0  # type: ignore[arg-type,index]
        named.add(piece)
        assert state.variables[number - 1] == game.state.variables[number - 1]  # the men are seen
    assert len(named) > 2


# --------------------------------------------------------------------- pieces alike


def test_a_piece_that_is_named_is_like_no_other() -> None:
    """All men in the box are one option, but for the one that a variable names."""
    rule = """
rule play:
    {}
    choose man in box: move man to board
    choose again in [1, 2]

rule turn
"""
    for said, count in (("pass", 0), ("set last_moved to [last(box)]", 2), ("set last_moved to [m in box]", 0)):
        game = Game.start(ruleset(rule.format(said), TABLES), 2, 0)
        asked = game.decision
        assert asked is not None
        assert (len(asked.options) if asked.name == "man" else 0) == count


def test_states_are_the_same_where_twins_change_places(rules: Ruleset) -> None:
    machine = machine_for(rules, 2, False, backend="plain")
    assert isinstance(machine, PlainMachine)
    played = play(rules, 1, "2")
    state = played.machine.position(played.state).copy()
    state.stack = []  # the man who moves is bound there
    names = [slot.name for slot in machine.layout.slots]
    at = names.index("last_moved")
    (moved,) = state.variables[at]  # type: ignore[misc]
    other = next(p for p in state.zones[1] if p != moved)
    swapped = state.copy()
    swapped.zones[1] = [other if p == moved else moved for p in state.zones[1]]
    swapped.cell[moved], swapped.cell[other] = swapped.cell[other], swapped.cell[moved]  # type: ignore[index]
    different = machine.identity(swapped, False)
    swapped.variables[at] = (other,)
    assert machine.identity(swapped, False) == machine.identity(state, False) != different


# ------------------------------------------------------------------------ scenarios

SCENARIO = """
[[scenario]]
name = "a man that was passed"
players = ["ann", "ben"]

[scenario.given]
grids = { board = ["man#1 . man#2 . . . . . . . . . . . . ."] }
rest = { man = "box", card = "deck" }
variables = { skipped = ["0,1"], last_moved = ["man#2"], trail = [["board@0,4"], []] }
begin = "turn() by ann"

[[scenario.step]]
variables = { last_moved = ["man#2"], skipped = [] }
answers = ["man#2", "2"]

[[scenario.step]]
variables = { last_moved = ["man#2"], skipped = ["0,3"], trail = [["0,4"], [], ["0,3"]] }
"""


def test_scenarios_name_cells_and_pieces(rules: Ruleset) -> None:
    (scenario,), errors = read_scenarios(SCENARIO, "test.toml", lambda _: rules, "tiny")
    assert not errors
    assert run_scenario(rules, scenario).passed, run_scenario(rules, scenario).failures


@pytest.mark.parametrize(("was", "now"), [('"0,1"', '"7,7"'), ('["man#2"]', '["man#9"]'), ('["man#2"]', '["r1"]')])
def test_a_scenario_that_names_what_there_is_not_is_told_so(rules: Ruleset, was: str, now: str) -> None:
    _, errors = read_scenarios(SCENARIO.replace(was, now, 1), "test.toml", lambda _: rules, "tiny")
    assert [error.code for error in errors] == ["W515"]
