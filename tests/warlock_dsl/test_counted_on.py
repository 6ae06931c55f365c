"""Hooks that require what the game itself counts on are not warned about; where it does not, they are."""

from __future__ import annotations

import pytest

from warlock_dsl.diagnostics.diagnostic import Severity
from warlock_dsl.load import load_files
from warlock_dsl.stack import Use

TABLES = """
[game]
players = 2

[kind.card]
count = 12

[zone]
deck = { holds = "card", sees = "none", start = "card" }
heap = { holds = "card" }
hand = { each = "player", holds = "card", sees = "owner" }
"""
RULES = """
rule play:
    for p in players: move top(deck, 2) to p.hand
    repeat 3:
        for me in players: turn()
    finish players

rule turn:
    look()
    deeds()
    pay()

rule look: shuffle deck

rule deeds:
    repeat 2:
        may choose deed in act: act[deed]()
        else: stop

rule act[mill]: move top(deck) to heap
rule act[wait]: pass

rule pay:
    choose card in my.hand: move card to heap
    move top(deck) to my.hand
"""


def told(hook: str, was: str = "", now: str = "", more: str = "", added: str = "") -> list[str]:
    """The codes of what is told of a house rule on the game, which may be changed before. `added`: a counter of the
    players that the house rule has of its own."""
    assert was in RULES
    game = {"game.toml": TABLES, "rules.warlock": RULES.replace(was, now, 1) if was else RULES}
    head = '[overlay]\non = "tiny"\nabout = "A house rule"\n'
    if added:
        head += f'\n[[add]]\nat = "variable.player.{added}"\nnow = {{ type = "number" }}\n'
    house = {"overlay.toml": head, "rules.warlock": f"{hook}\n{more}"}
    loaded = load_files(game, "tiny", (), [(Use("house"), house)])
    errors = [one.message for one in loaded.diagnostics if one.severity is Severity.ERROR]
    assert loaded.ruleset is not None, errors
    return [one.code for one in loaded.diagnostics if one.code == "W336"]


@pytest.mark.parametrize("place", ["before turn", "before look", "after look", "after deeds", "before pay"])
def test_what_the_game_needs_soon_may_be_required(place: str) -> None:
    assert told(f"rule needy {place}(): require any(my.hand)") == []


def test_also_in_what_is_chosen_and_tested_behind_chance() -> None:
    chance = ("    move top(deck) to heap\n", "    roll luck in 1..2\n    dig()\n\nrule dig: move top(deck) to heap\n")
    mill = ("rule act[mill]: move top(deck) to heap\n", "rule act[mill]:\n" + chance[1])
    assert told("rule needy before dig(): require any(my.hand)", *mill) == []


@pytest.mark.parametrize(
    ("hook", "was", "now", "more"),
    [
        ("rule needy after pay(): require any(my.hand)", "", "", ""),  # the next question is another's
        ("rule needy before turn(): require count(my.hand) > 1", "", "", ""),  # the game needs but one
        ("rule needy before turn(): require any(heap)", "", "", ""),  # the game needs no such thing
        ("rule needy before turn(): require any(my.hand)", "", "",
         "rule thief after look(): move top(my.hand) to heap"),  # an overlay takes it
        ("rule needy before turn(): require any(my.hand)", "rule look: shuffle deck",
         "rule look: move top(deck) to my.hand", ""),  # the game gives more before
        ("rule needy before turn(): require any(my.hand)", "rule look: shuffle deck",
         "rule look:\n    if count(deck) < 3: finish players", ""),  # the game may be over before
        ("rule needy before turn(): require any(my.hand)", "    choose card in my.hand: move card to heap\n",
         "    choose card in my.hand: move card to heap\n    else: pass\n", ""),  # the game can do without
        ("rule needy before turn(): require any(my.hand)", "    pay()\n",
         "    if any(heap): pay()\n", ""),  # it may not come
    ],
)  # fmt: skip
def test_where_the_game_does_not_count_on_it_that_is_told(hook: str, was: str, now: str, more: str) -> None:
    assert "W336" in told(hook, was, now, more)
