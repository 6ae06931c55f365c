"""What a scenario may say of what each seat knows: variables it sees, pieces it was shown, what it heard."""

from __future__ import annotations

from functools import cache

import pytest

from tests.interpreter.tiny import CARDS
from warlock_dsl.load import load_files
from warlock_dsl.ruleset import Ruleset
from workbench.scenario.model import Failure
from workbench.scenario.run import read_scenarios, run_scenario

TABLES = """
[game]
players = "2..3"

[table.colour]
rows = ["red", "green", "blue"]

[kind.card]
rows = "cards.csv"
fields = { colour = "colour", value = "number" }
called_by = "colour"

[zone]
deck = { holds = "card", sees = "none", start = "card" }
hand = { each = "player", holds = "card", sees = "others" }

[variable.player]
die = { type = "0..6", sees = "owner" }
bid = "0..3"

[variable.card]
told = "truth"
"""
RULES = """
rule play:
    for p in players: move top(deck, 2) to p.hand
    for me in players: turn()
    finish []

rule turn:
    roll n in 1..6 by me
    set my.die to n
    choose claim in 1..6
    say bid(claim)
    choose other in opponents, card in other.hand
    set card.told to true
    choose own in my.hand
    show own to me
    together me in players: choose secret in 1..3: set my.bid to secret
"""
BEGIN = """
[[scenario]]
name = "x"
players = ["ann", "ben"]

[scenario.given]
begin = "turn() by ann"
rest = { card = "deck" }
chance = ["4"]

[scenario.given.zones]
"ann.hand" = ["r1", "g1"]
"ben.hand" = ["r2", "b1"]

[[scenario.step]]
"""
LATER = 'answers = ["5", "b1", "ann.hand[2]"]\n\n[[scenario.step]]\n'


@cache
def game() -> Ruleset:
    loaded = load_files({"game.toml": TABLES, "cards.csv": CARDS, "rules.warlock": RULES}, "hints")
    assert loaded.ruleset is not None, [(one.code, one.message) for one in loaded.diagnostics]
    return loaded.ruleset


def failures(step: str) -> tuple[Failure, ...]:
    scenarios, errors = read_scenarios(BEGIN + step, "test.toml", lambda _: game(), "hints")
    assert not errors, [error.message for error in errors]
    return run_scenario(game(), scenarios[0]).failures


@pytest.mark.parametrize(
    "step",
    [
        'sees = { ann = ["ben.hand", "ann.die"], ben = ["ann.hand"] }',
        'hidden = { ann = ["ann.hand", "ben.die"], ben = ["ben.hand", "ann.die"] }',
        'heard = { ann = ["turn.n = 4"] }\nunheard = { ben = ["turn.n"], ann = ["turn.claim"] }',
        LATER + 'sees = { ben = ["b1.told", "ann.hand"] }\nnames = { ann = { "ann.hand" = ["g1"] } }',
        LATER + 'heard = { ben = ["turn.claim = 5", "turn.bid = 5", "turn.card = ben.hand[2]", "turn.own = g1"] }',
        LATER + 'heard = { ann = ["turn.card = b1", "turn.own = ann.hand[2]"] }',
        LATER + 'answers = ["ann: 2"]\n[[scenario.step]]\nunheard = { ben = ["turn.secret"] }\nanswers = ["ben: 3"]\n'
        '[[scenario.step]]\nheard = { ben = ["turn.secret = 2"], ann = ["turn.secret = 3"] }',
    ],
)
def test_what_holds(step: str) -> None:
    assert [failure.text for failure in failures(step)] == []


@pytest.mark.parametrize(
    ("step", "expected"),
    [
        ('sees = { ben = ["ann.die"] }', "ben sees ann.die"),
        ('hidden = { ann = ["ann.die"] }', "ann does not see ann.die"),
        ('heard = { ben = ["turn.n"] }', "ben has heard turn.n"),
        ('heard = { ann = ["turn.n = 5"] }', "ann has heard turn.n = 5"),
        ('unheard = { ann = ["turn.n"] }', "ann has not heard turn.n"),
        (LATER + 'heard = { ben = ["turn.card = b1"] }', "ben has heard turn.card = b1"),
        (LATER + 'sees = { ann = ["ann.hand"] }', "ann sees every piece of ann.hand"),
    ],
)
def test_what_does_not(step: str, expected: str) -> None:
    (failure,) = failures(step)
    assert failure.expected == expected
