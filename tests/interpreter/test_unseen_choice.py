"""Options over pieces that whoever is asked cannot see: each is an option of its own, told by its place."""

from __future__ import annotations

import pytest

from interpreter import Game, GameFileError, Shown
from interpreter.machine import machine_for
from interpreter.plain.machine import PlainMachine
from tests.interpreter.pair import same_games
from tests.interpreter.tiny import TABLES, game, keys, ruleset, zone
from workbench.language.sentences import Words

STEAL = """
rule play:
    for p in players: move top(deck, 3) to p.hand
    for me in [first(players)]: steal()
    finish []

rule steal: choose {ask}: move card to my.hand
"""


def test_every_piece_can_be_picked_and_none_is_named() -> None:
    found = []
    for number in range(3):
        thief = game(STEAL.format(ask="card in next(me).hand"))
        there = zone(thief, "hand", 1)
        assert keys(thief) == ["seat1.hand[1]", "seat1.hand[2]", "seat1.hand[3]"]
        assert all(piece not in repr(thief.options()) for piece in there)
        thief.choose(number)
        assert thief.over and zone(thief, "hand", 0)[-1] == there[number]
        found.append(thief.answers)
    assert found == [["seat1.hand[1]"], ["seat1.hand[2]"], ["seat1.hand[3]"]]


def test_pieces_one_sees_keep_their_names_and_classes() -> None:
    owner = game(STEAL.format(ask="card in my.hand"))
    assert set(keys(owner)) <= set(zone(owner, "hand", 0))
    both = game(STEAL.format(ask="card in my.hand + next(me).hand"))
    assert keys(both)[-3:] == ["seat1.hand[1]", "seat1.hand[2]", "seat1.hand[3]"]


def test_sets_of_unseen_pieces() -> None:
    pairs = game(STEAL.format(ask="2 card in next(me).hand"))
    assert keys(pairs) == [
        "seat1.hand[1]+seat1.hand[2]", "seat1.hand[1]+seat1.hand[3]", "seat1.hand[2]+seat1.hand[3]",
    ]  # fmt: skip


def test_every_machine_tells_them_apart() -> None:
    made = ruleset(STEAL.format(ask="card in next(me).hand") + "\nscore gold = sum(c in my.hand: c.value)\n")
    same_games(made, 2, range(20))


def test_an_open_pile_with_a_hidden_rest() -> None:
    rules = """
rule play:
    move top(deck, 3) to heap
    for me in [first(players)]: choose card in heap: move card to my.hand
    finish []
"""
    pile = game(rules)
    top = zone(pile, "heap")[-1]
    assert keys(pile) == ["heap[1]", "heap[2]", top]


SECRET = TABLES + '\nmark = { type = "0..3", sees = "none" }\n'
MARKED = """
rule play:
    for me in [first(players)]:
        move [c in deck where c.colour is red and c.value is 1] to my.shown
        choose card in my.shown: move card to heap
    finish []
"""


def test_pieces_that_look_alike_but_have_a_secret_are_told_apart() -> None:
    assert game(MARKED).over, "two cards that are alike are one option, and one option is no question"
    made = ruleset(MARKED, SECRET)
    assert type(machine_for(made, 2, False)) is PlainMachine
    secret = Game.start(made, 2)
    assert keys(secret) == ["r1", "r2"], "which of the two has the mark, nobody knows"


def test_a_piece_in_a_piece() -> None:
    tables = TABLES.replace('band = { each = "card", holds = "token", sees = "all" }',
                            'band = { each = "card", holds = "token", sees = "none" }')  # fmt: skip
    rules = """
rule play:
    move top(deck) to first(players).hand
    for c in first(players).hand: move pool to c.band
    for me in [last(players)]: choose t in union(c in first(players).hand: c.band): move t to pool
    finish []
"""
    nested = game(rules, tables=tables)
    assert keys(nested)[:2] == ["seat0.hand[1].band[1]", "seat0.hand[1].band[2]"]


@pytest.mark.parametrize(
    ("lang", "said"),
    [("en", "card 2 of Ben's hand"), ("fr", "card 2 (hand de Ben)"), ("de", "card 2 (hand von Ben)")],
)
def test_in_words(lang: str, said: str) -> None:
    thief = game(STEAL.format(ask="card in next(me).hand"))
    words = Words(thief.ruleset, lang, ["Ann", "Ben"])
    decision = thief.decision
    assert decision is not None
    assert words.options(decision, thief.observe(0))[1] == said


def test_in_words_of_cells_and_of_nobody() -> None:
    words = Words(ruleset(STEAL.format(ask="card in next(me).hand")), "en", ["Ann", "Ben"])
    assert words.shown(Shown("piece", "", "card", zone="deck", number=7)) == "card 7 of deck"
    assert words.shown(Shown("piece", "", "card", 1, 1, 0, zone="board"), 1) == "card A2 of board"
    holder = Shown("piece", "r1", "card")
    assert words.shown(Shown("piece", "", "token", zone="band", number=1, holder=holder)) == "token 1 of r1's band"


# ---------------------------------------------------------------------- files


def test_an_earlier_format_is_refused_with_the_release_that_reads_it() -> None:
    thief = game(STEAL.format(ask="card in next(me).hand"))
    for data, read in ((thief.save(), Game.load), (thief.replay(), Game.from_replay)):
        what = data["format"].partition("/")[0]
        assert data["format"] == f"{what}/2"
        assert read(thief.ruleset, data).digest() == thief.digest()
        with pytest.raises(GameFileError, match=f"{what} of an earlier version .{what}/1.; warlock 0.3 reads it"):
            read(thief.ruleset, {**data, "format": f"{what}/1"})
        with pytest.raises(GameFileError, match="is not a"):
            read(thief.ruleset, {**data, "format": f"{what}/9"})


# ---------------------------------------------------------------- bound names


def test_a_question_does_not_know_the_names_of_a_loop_that_is_over() -> None:
    rules = """
rule play:
    for me in [first(players)]: turn()
    finish []

rule turn:
    for p in players:
        choose card in deck where card.value > 1: move card to p.hand
    let wanted = 2
    choose last_one in my.hand + deck where last_one.value >= wanted: move last_one to heap
"""
    turn = game(rules)
    assert [name for name, _ in turn.decision.bound] == ["p"]  # type: ignore[union-attr]
    turn.choose(0)
    turn.choose(0)
    assert turn.question == "turn.last_one"
    assert [name for name, _ in turn.decision.bound] == ["wanted"]  # type: ignore[union-attr]
