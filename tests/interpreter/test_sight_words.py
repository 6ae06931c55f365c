"""Who sees what: hands that all but their owner see, and players named by a variable that rules set."""

from __future__ import annotations

import pytest

from interpreter import Game, Observation
from interpreter.state import random as chance
from tests.interpreter.pair import side_by_side
from tests.interpreter.tiny import TABLES, keys, ruleset, zone
from workbench.fuzz.laws import hidden, replays, round_trips
from workbench.language.sentences import Words

SEATS = range(3)
# Hands that one holds with their backs to oneself; what one is told of a card lies on it for all to see.
HINTS = """
[game]
players = "2..3"

[table.colour]
rows = ["red", "green", "blue"]

[kind.card]
rows = "cards.csv"
fields = { colour = "colour", value = "number" }

[zone]
deck = { holds = "card", sees = "none", start = "card" }
hand = { each = "player", holds = "card", sees = "others" }
row = { holds = "card", sees = "all" }

[variable.game]
points = "number"

[variable.card]
told = "truth"
"""
PLAY = """
rule play:
    shuffle deck
    for p in players: move top(deck, 2) to p.hand
    repeat 2:
        for me in players: turn()
    finish []

rule turn: choose act in action where can action[act](): action[act]()

rule action[hint]: choose other in opponents, card in other.hand where not card.told: set card.told to true

rule action[lay]:
    choose card in my.hand
    move card to row
    add card.value to points
"""


def hints(seed: int = 3) -> Game:
    return Game.start(ruleset(PLAY, HINTS), 3, seed, log=True)


def names(view: Observation, owner: int) -> list[str]:
    hand = next(zone for zone in view.zones if (zone.name, zone.owner) == ("hand", owner))
    return [piece.name for piece in hand.pieces]


def test_all_but_the_owner_see_a_hand() -> None:
    game = hints()
    for viewer in SEATS:
        for owner in SEATS:
            assert [bool(name) for name in names(game.observe(viewer), owner)] == [viewer != owner] * 2


def test_a_fact_that_all_see_is_seen_on_a_card_that_its_owner_does_not() -> None:
    game = hints()
    told = zone(game, "hand", 1)[1]
    for key in ("hint", "seat1", told):
        game.answer(key)
    assert game.to_move == 1
    marks = {(v.holder, v.value.key()) for v in game.observe(1).variables if v.name == "told" and v.value}
    assert ("seat1.hand[2]", "true") in marks and not any(holder == told for holder, _ in marks)
    assert (told, "true") in {(v.holder, v.value.key()) for v in game.observe(0).variables if v.value}
    game.answer("lay")
    decision = game.decision
    assert decision is not None and keys(game) == ["hand[1]", "hand[2]"]
    words = Words(game.ruleset, "en", ["Ann", "Ben", "Cid"])
    view = game.observe(1)
    assert words.seeing(view).options(decision, view) == ["card 1 of hand", "card 2 of hand (told: yes)"]


def test_whole_games_keep_what_is_hidden() -> None:
    for seed in range(6):
        game, stream = hints(seed), chance.seeded(seed)
        while not game.over:
            hidden(game, deals=3)
            round_trips(game, 0)
            stream, pick = chance.below(stream, game.option_count)
            game.choose(pick)
        replays(game)


def test_the_generated_machine_asks_what_it_does_not_know() -> None:
    made = ruleset(PLAY, HINTS)
    for seed in range(10):
        side_by_side(made, 3, seed)


# ---------------------------------------------------------- players named by a variable

SPIES = """
rule play:
    for p in players: move top(deck, 2) to p.hand
    for me in [first(players)]: turn()
    finish []

rule turn:
    choose spy in opponents: {widen}
    choose n in 1..2: add n to my.gold
"""


@pytest.mark.parametrize(
    ("sees", "where", "declared", "widen"),
    [
        ("ring", "hand = { each", "", "set ring to [spy]"),
        ("leader", "hand = { each", "", "set leader to spy"),
        ("spies", "hand = { each", "spies = '[player]'", "for p in players: set p.spies to [spy]"),
    ],
    ids=["a list of the game", "a player of the game", "a list of each owner"],
)
def test_a_variable_names_who_sees_a_zone(sees: str, where: str, declared: str, widen: str) -> None:
    tables = TABLES.replace('hand = { each = "player", holds = "card", sees = "owner" }',
                            f'hand = {{ each = "player", holds = "card", sees = "{sees}" }}')  # fmt: skip
    tables = tables.replace('gold = "0..5"', f'gold = "0..5"\n{declared}')
    game = Game.start(ruleset(SPIES.format(widen=widen), tables), 3)
    first = {"leader": [0], "ring": [], "spies": []}[sees]
    for owner in SEATS:
        assert [seat for seat in SEATS if all(names(game.observe(seat), owner))] == first
    game.answer("seat2")
    for owner in SEATS:
        assert [seat for seat in SEATS if all(names(game.observe(seat), owner))] == [2]
    hidden(game, deals=3)


@pytest.mark.parametrize(("sees", "seen"), [("others", [1, 2]), ("ring", [2]), ("owner", [0]), ("none", [])])
def test_who_sees_a_variable(sees: str, seen: list[int]) -> None:
    tables = TABLES.replace('step = "number"', f'step = {{ type = "0..9", sees = "{sees}" }}')
    rules = """
rule play:
    for p in [first(players)]: set p.step to 4
    set ring to [last(players)]
    for me in [first(players)]: choose card in deck: move card to heap
    finish []
"""
    game = Game.start(ruleset(rules, tables), 3)
    for seat in SEATS:
        view = next(v for v in game.observe(seat).variables if (v.name, v.owner) == ("step", 0))
        assert (view.value is not None and view.value.name == "4") == (seat in seen)
