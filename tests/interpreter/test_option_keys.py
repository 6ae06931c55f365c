"""Keys of options: no two of one question share one, so that an answer by its key means one option."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from interpreter import Game, play_again
from interpreter.state import random as chance
from tests.conftest import ruleset_named
from tests.interpreter.tiny import keys, ruleset
from warlock_dsl.files import available
from workbench.language.sentences import Words
from workbench.scenario.run import read_scenarios, run_scenario

ROOT = Path(__file__).parents[2]
MAX_DECISIONS = 150  # of a game looked at
TABLES = """
[game]
players = 2

[kind.card]
rows = "suit"
copies = 1

[table.suit]
rows = ["red", "blue"]

[kind.man]
count = 4

[table.verdict]
rows = ["accept", "decline", "none"]

[grid.plan]
cells = ["ab", "ab"]
regions = { west = "a", east = "b" }

[zone]
box = { holds = "man", start = "man" }
deck = { holds = "card", sees = "none", start = "card" }
board = { each = "player", holds = "man", grid = "plan" }
chest = { each = ["player", "suit"], holds = "man" }
bag = { each = "card", holds = "man" }
cart = { each = "card", holds = "man", grid = "plan" }

[variable.game]
kept = "[cell]"
"""
RULES = """
rule play:
    move top(box) to first(players).board
    CHOICE
    finish players
"""


def asking(choice: str) -> Game:
    """A game at its only question."""
    return Game.start(ruleset(RULES.replace("CHOICE", choice), TABLES), 2, 1)


@pytest.mark.parametrize(
    ("choice", "wanted"),
    [
        ("choose x in [p in players: p.board]: say it(x)", ["board", "seat1.board"]),
        ("choose x in union(p in players: free(p.board, east)): say it(x)",
         ["board@0,1", "board@1,1", "seat1.board@0,1", "seat1.board@1,1"]),
        ("choose x in [p in players: p.chest[red]]: say it(x)", ["chest[red]", "seat1.chest[red]"]),
        ("choose x in [c in deck: c.bag]: say it(x)", ["deck[1].bag", "deck[2].bag"]),
        ("choose x in union(c in deck: cells(c.cart, west)): say it(x)",
         ["deck[1].cart@0,0", "deck[1].cart@1,0", "deck[2].cart@0,0", "deck[2].cart@1,0"]),
        ("choose x in [west, east]: say it(x)", ["west", "east"]),
        ("choose x in [[[1, 2], [3]], [[1], [2, 3]]]: say it(x)", ["[1+2]+[3]", "[1]+[2+3]"]),
        ("choose x in [[[1], []], [[1]]]: say it(x)", ["[1]+[none]", "[1]"]),
        ("choose 0..1 x in verdict: say it(x)", ["none", "accept", "[decline]", "[none]"]),
        ("may choose x in verdict: say it(x)", ["accept", "[decline]", "none", "decline"]),
    ],
)  # fmt: skip
def test_no_two_options_share_a_key(choice: str, wanted: list[str]) -> None:
    game = asking(choice)
    assert keys(game) == wanted and len({*wanted}) == len(wanted)
    words = Words(game.ruleset, "en")
    assert game.decision is not None
    said = [words.option(game.decision, option) for option in game.options()]
    assert len({*said}) == len(said), said
    for number, key in enumerate(wanted):
        by_key, by_number = game.copy(), game.copy()
        by_key.answer(key)
        by_number.choose(number)
        assert by_key.digest() == by_number.digest()
        assert play_again(game.ruleset, json.loads(json.dumps(by_key.replay()))).answers == [key]


SCENARIO = """
[[scenario]]
name = "a word for each option"
players = ["ann", "ben"]

[scenario.given]
rest = { man = "box", card = "deck" }
begin = "play() by ann"

[[scenario.step]]
offers_only = OFFERS
answers = ["ANSWER"]
"""


def test_a_question_is_answered_alike_in_every_seat() -> None:
    """What is one's own is called the same by everybody, what is another's by his seat."""
    one, other = (asking(f"choose x in union(p in players: free(p.board, west)) by {who}: say it(x)")
                  for who in ("me", "next(me)"))  # fmt: skip
    assert keys(one) == ["board@1,0", "seat1.board@0,0", "seat1.board@1,0"]
    assert keys(other) == ["seat0.board@1,0", "board@0,0", "board@1,0"]


@pytest.mark.parametrize(
    ("choice", "offers", "answer"),
    [
        ("choose x in union(p in players: cells(p.board, west)): move top(box) to x",
         ["ann.board@0,0", "board@1,0", "ben.board@0,0", "ben.board@1,0"], "seat1.board@1,0"),
        ("choose x in [p in players: p.board]: move top(box) to x", ["ann.board", "seat1.board"], "ben.board"),
        ("choose x in [[[1, 2], [3]], [[1], [2, 3]]]: say it(x)", ["[1+2]+[3]", "[1]+[2+3]"], "[1]+[2+3]"),
        ("may choose x in verdict: say it(x)", ["accept", "[decline]", "none", "decline"], "[decline]"),
    ],
)  # fmt: skip
def test_scenarios_have_a_word_for_each(choice: str, offers: list[str], answer: str) -> None:
    rules = asking(choice).ruleset
    text = SCENARIO.replace("OFFERS", json.dumps(offers)).replace("ANSWER", answer)
    (scenario,), errors = read_scenarios(text, "test.toml", lambda _: rules, "tiny")
    assert not errors, errors
    result = run_scenario(rules, scenario)
    assert result.passed, result.failures


def test_a_word_that_two_cells_have_is_refused_with_what_it_could_mean() -> None:
    rules = asking("choose x in union(p in players: cells(p.board, west)): move top(box) to x").ruleset
    text = SCENARIO.replace("offers_only = OFFERS", "over = false").replace("ANSWER", "0,0")
    (scenario,), errors = read_scenarios(text, "test.toml", lambda _: rules, "tiny")
    (failure,) = run_scenario(rules, scenario).failures
    assert not errors and "ann.board@0,0" in failure.found and "ben.board@0,0" in failure.found


SHIPPED = [one.name for one in available([ROOT / "rules"])]


@pytest.mark.parametrize("name", SHIPPED)
def test_in_games_of_every_shipped_game_the_keys_of_a_question_differ(name: str) -> None:
    rules = ruleset_named(name)
    for seed in range(2):
        game = Game.start(rules, rules.components.max_players, seed, laws=False)
        dice = chance.seeded(seed)
        while not game.over and len(game.answers) < MAX_DECISIONS:
            found = keys(game)
            assert len({*found}) == len(found), (game.question, found)
            dice, pick = chance.below(dice, len(found))
            game.answer(found[pick])
