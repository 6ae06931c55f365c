"""Two little games side by side: every way in which they can part, and what does not count as parting."""

from __future__ import annotations

import pytest

from interpreter import Game
from tests.interpreter.tiny import TABLES, ruleset
from warlock_dsl.ruleset import Ruleset
from workbench.diff.lockstep import Lockstep
from workbench.diff.model import DIVERGENCES
from workbench.diff.other_rules import Crossing, play_under

PLAIN = """
rule play:
    for me in players: choose n in 1..3: add n to my.step
    for me in players: choose n in 1..3: add n to my.step

score steps = my.step
"""

DEALT = """
rule play:
    for me in players: move top(deck) to my.hand
    for me in players: choose n in 1..2: move my.hand to my.shown
"""


def crossed(old: Ruleset, new: Ruleset, answers: int = 4) -> Crossing:
    """A game of the first, always with the first option, under the second."""
    game = Game.start(old, 2, 0)
    while not game.over and len(game.answers) < answers:
        game.choose(0)
    return play_under(game, new)


def test_the_same_rules_never_part() -> None:
    found = crossed(ruleset(PLAIN), ruleset(PLAIN))
    assert (found.parts, found.how, found.legal, found.stopped) == (-1, "", 4, "")
    assert found.data()["parts"] is None


@pytest.mark.parametrize(
    ("how", "after", "change"),
    [
        ("options", 0, ("choose n in 1..3: add n to my.step\n    for", "choose n in 1..2: add n to my.step\n    for")),
        ("options", 2, ("1..3: add n to my.step\n\nscore", "1..4: add n to my.step\n\nscore")),
        ("asked", 2, ("step\n    for me in players", "step\n    for me in clockwise(next(players[1]))")),
        ("end", 2, ("step\n    for me in players", "step\n    finish players\n    for me in players")),
        ("outcome", 1, ("add n to my.step\n    for", "add n + 1 to my.step\n    for")),
        ("score", 1, ("score steps = my.step", "score steps = 2 * my.step")),
        ("error", 1, ("add n to my.step\n    for", "slip(n)\n    for")),
    ],
)
def test_they_part(how: str, after: int, change: tuple[str, str]) -> None:
    assert change[0] in PLAIN and how in DIVERGENCES
    slip = "rule slip(n: number):\n    add n to my.step\n    choose c in my.hand: move c to heap\n"
    found = crossed(ruleset(PLAIN + slip), ruleset(PLAIN.replace(*change) + slip))
    assert (found.how, found.parts) == (how, after)
    assert found.moment is not None and found.moment.what


def test_only_one_seat_sees_it() -> None:
    """The same table; what lies in a hand is shown to everybody under the other rules."""
    open_hands = TABLES.replace(
        'hand = { each = "player", holds = "card", sees = "owner" }',
        'hand = { each = "player", holds = "card", sees = "all" }',
    )
    found = crossed(ruleset(DEALT), ruleset(DEALT, open_hands))
    assert (found.how, found.parts) == ("sight", 0)
    assert found.moment is not None
    assert found.moment.only_old == ("hand (Ben): 1 unseen",) and len(found.moment.only_new) == 1
    assert "unseen" not in found.moment.only_new[0]


def test_what_nobody_has_touched_does_not_count() -> None:
    """A zone that only one has, while it is empty; a variable that only one has, as long as it does nothing."""
    more = TABLES.replace("[variable.player]", '[variable.player]\nluck = "number"').replace(
        "[zone]", '[zone]\ncellar = { holds = "card", sees = "all" }'
    )
    quiet = PLAIN + "\nrule later: move top(deck) to cellar\nrule luckier: add 1 to my.luck\n"
    assert crossed(ruleset(PLAIN), ruleset(quiet, more)).parts == -1
    assert crossed(ruleset(quiet, more), ruleset(PLAIN)).parts == -1
    for verb, how in (("move top(deck) to cellar", "outcome"), ("add 1 to my.luck", "")):
        loud = quiet.replace("rule play:", f"rule play:\n    for me in players: {verb}")
        assert crossed(ruleset(PLAIN), ruleset(loud, more)).how == how


def test_another_place_in_the_rules_that_asks_the_same_is_no_divergence() -> None:
    moved = PLAIN.replace("for me in players: choose n in 1..3: add n to my.step\n\n", "for me in players: walk()\n\n")
    moved += "\nrule walk: choose n in 1..3: add n to my.step\n"
    assert crossed(ruleset(PLAIN), ruleset(moved)).parts == -1


def test_pieces_that_are_alike_stand_for_each_other() -> None:
    """Under the second rules a twin is taken; nobody could tell them apart."""
    one = "rule play:\n    move [c in deck where c.value is 1][1] to heap\n    for me in players: choose n in 1..2"
    two = one.replace("value is 1][1]", "value is 1][2]")
    assert crossed(ruleset(one), ruleset(two)).parts == -1


def test_answers_go_on_as_far_as_they_are_legal() -> None:
    fewer = PLAIN.replace("1..3: add n to my.step\n\nscore", "2..3: add n to my.step\n\nscore")
    game = Game.start(ruleset(PLAIN), 2, 0)
    for number in (0, 0, 1, 0):
        game.choose(number)
    found = play_under(game, ruleset(fewer))
    assert (found.parts, found.how, found.legal, found.answers) == (2, "options", 3, 4)
    assert found.stopped == "'1' is not on offer at play.n"
    assert found.data()["parts"]["only_old"] == ["1"]


def test_a_copy_goes_its_own_way() -> None:
    pair = Lockstep(Game.start(ruleset(PLAIN), 2, 0), Game.start(ruleset(PLAIN.replace("1..3", "1..4")), 2, 0))
    other = pair.copy()
    pair.choose(0)
    assert len(other.old.answers) == 0 and len(pair.new.answers) == 1


def test_rules_that_break_down_at_the_start() -> None:
    broken = PLAIN.replace("rule play:", "rule play:\n    for me in players: choose c in my.hand: move c to heap")
    found = crossed(ruleset(PLAIN), ruleset(broken))
    assert (found.how, found.parts, found.legal) == ("error", 0, 0)
    assert "nothing to choose" in found.stopped and found.moment is not None and found.moment.new.table is None


def test_a_number_of_players_that_the_other_rules_do_not_allow() -> None:
    found = crossed(ruleset(PLAIN), ruleset(PLAIN, TABLES.replace('"1..4"', '"3..4"')))
    assert (found.how, found.parts) == ("error", 0) and "for 3 to 4 players" in found.stopped
