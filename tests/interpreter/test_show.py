"""`show X to P`: from then on P knows which pieces these are, wherever they go, until they are shuffled in."""

from __future__ import annotations

import json

import pytest

from interpreter import Game, GameFileError
from interpreter.machine import machine_for
from interpreter.plain.machine import PlainMachine
from interpreter.state import random as chance
from tests.interpreter.tiny import CARDS, TABLES, keys, ruleset, zone
from warlock_dsl.load import load_files
from workbench.fuzz.laws import hidden, replays, round_trips

SEATS = range(3)
RULES = """
rule play:
    for p in players: move top(deck, 2) to p.hand
    for me in [first(players)]: turn()
    finish []

rule turn:
    choose card in my.hand: show card to next(me)
    wait()
    show my.hand to players
    wait()
    move my.hand to deck
    wait()
    shuffle deck
    wait()

rule wait: choose n in 1..2: add n to my.gold
"""


def shown(game: Game) -> list[list[str]]:
    """The first hand, as each seat sees it."""
    return [zone(game, "hand", 0, seat) for seat in SEATS]


def test_a_piece_that_was_shown_is_known_until_it_is_shuffled_in() -> None:
    game = Game.start(ruleset(RULES), 3, log=True)
    assert type(machine_for(game.ruleset, 3, False)) is PlainMachine
    one, other = zone(game, "hand", 0)
    game.answer(one)
    assert shown(game) == [[one, other], [one, "unseen card"], ["unseen card", "unseen card"]]
    game.choose(0)
    assert shown(game) == [[one, other]] * 3
    game.choose(0)
    assert [zone(game, "deck", viewer=seat) for seat in SEATS] == [[one, other]] * 3
    game.choose(0)
    assert [zone(game, "deck", viewer=seat) for seat in SEATS] == [["unseen card"] * 2] * 3


def test_it_is_part_of_the_state_but_only_where_it_is_used() -> None:
    game = Game.start(ruleset(RULES), 3)
    before = game.digest()
    assert "known" not in game.save()["state"]
    game.choose(0)
    data = json.loads(json.dumps(game.save()))
    assert data["state"]["known"]
    assert Game.load(game.ruleset, data).digest() == game.digest()
    copy = game.copy()
    copy.undo()
    assert (copy.digest(), copy.state.known) == (before, {}) and game.state.known
    other = game.state.copy()
    other.known = {}
    assert other != game.state and hash(other) != hash(game.state)
    assert game.machine.identity(other, False) != game.machine.identity(game.state, False)
    for wrong in ([[0]], [[99, 1]], [[0, 8]], [[0, 0]], {"0": 1}, 3):
        data["state"]["known"] = wrong
        with pytest.raises(GameFileError):
            Game.load(game.ruleset, data)


def test_nobody_deals_anew_what_he_was_shown() -> None:
    game = Game.start(ruleset(RULES), 3)
    one = zone(game, "hand", 0)[0]
    game.answer(one)
    found: dict[int, set[tuple[str, ...]]] = {1: set(), 2: set()}
    for seat, hands in found.items():
        for stream in range(40):
            _, state = game.machine.redeal(game.state, seat, chance.seeded(stream))
            world = game.at(state)
            hands.add(tuple(zone(world, "hand", 0)))
            assert zone(world, "hand", 0, 1)[0] == zone(world, "hand", 0)[0], "in every world he knows the first one"
    assert {hand[0] for hand in found[1]} == {one} and len({hand[1] for hand in found[1]}) > 1
    assert len({hand[0] for hand in found[2]}) > 1


def test_pieces_alike_are_apart_where_somebody_knows_one_of_them() -> None:
    rules = """
rule play:
    for me in [first(players)]:
        move [c in deck where c.colour is red and c.value is 1] to my.hand
        {show}
        choose card in my.hand: move card to heap
    finish []
"""
    alike = Game.start(ruleset(rules.format(show="pass")), 2)
    assert alike.over
    known = Game.start(ruleset(rules.format(show="show my.hand[2] to next(me)")), 2)
    assert keys(known) == ["r1", "r2"]
    assert keys(Game.start(ruleset(rules.format(show="show my.hand to next(me)")), 2)) == []


# A guard looks behind an effect of a hook where the player knows what comes of it.
GUARDED = """
rule play:
    for me in players: move top(deck, 2) to my.hand
    for me in [first(players)]: choose act in action where can action[act](): action[act]()
    finish []

rule action[look]: move top(deck) to heap

rule action[rest]: add 1 to my.gold

rule first_this before action[look](): {show}

rule then_that before action[look](): require count(my.hand) > 5
"""


@pytest.mark.parametrize("show", ["show my.hand to next(me)", "show deck to me", "show my.hand to players, deck to me"])
def test_a_guard_looks_behind_it_since_no_rule_reads_what_somebody_knows(show: str) -> None:
    files = {"game.toml": TABLES, "cards.csv": CARDS, "rules.warlock": GUARDED.format(show=show)}
    assert "W335" not in {one.code for one in load_files(files, "tiny").diagnostics}
    game = Game.start(ruleset(GUARDED.format(show=show)), 2)
    assert game.over and not game.answers, "to look is not on offer, and to rest is no question then"


def test_whole_games_keep_what_is_hidden() -> None:
    tables = TABLES.replace('heap = { holds = "card", sees = "top" }', 'heap = { holds = "card", sees = "none" }')
    rules = """
rule play:
    shuffle deck
    for p in players: move top(deck, 2) to p.hand
    repeat 3:
        for me in players: turn()
    finish []

rule turn: choose act in action where can action[act](): action[act]()

rule action[let_see]: choose card in my.hand, who in opponents: show card to who

rule action[swap_one]: choose card in my.hand, who in opponents, theirs in who.hand: swap card with theirs

rule action[mix]:
    move my.hand to heap
    shuffle heap
    move heap to my.hand
"""
    for seed in range(6):
        game, stream = Game.start(ruleset(rules, tables), 3, seed, log=True), chance.seeded(seed)
        while not game.over:
            hidden(game, deals=3)
            round_trips(game, 0)
            stream, pick = chance.below(stream, game.option_count)
            game.choose(pick)
        replays(game)
