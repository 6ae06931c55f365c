"""Effects for everybody at once: `move X to Z for p in S where P`, and so swap, set, add and take."""

from __future__ import annotations

import pytest

from interpreter import Game, RulesError
from tests.interpreter.tiny import CARDS, TABLES, keys, ruleset, variable, zone
from warlock_dsl.diagnostics.diagnostic import Severity
from warlock_dsl.load import load_files

DEAL = """rule play:
    for p in players:
        move top(deck) to p.hand
        set p.step to count(deck)
    act()
    finish players

"""


def played(act: str, players: int = 3) -> Game:
    """Three players: b1 (5), g2 (2) and g1 (1) in hand, and 5, 4, 3 as their steps."""
    game = Game.start(ruleset(f"{DEAL}rule act:\n    {act}\n"), players, 0)
    assert game.over
    return game


def hands(game: Game, name: str = "hand") -> list[list[str]]:
    return [zone(game, name, seat) for seat in range(game.players)]


def steps(game: Game) -> list[str]:
    return [variable(game, "step", seat) for seat in range(game.players)]


def test_hands_are_passed_on() -> None:
    assert hands(played("move p.hand to next(p).hand for p in players")) == [["g1"], ["b1"], ["g2"]]
    one_by_one = played("for p in players: move p.hand to next(p).hand")
    assert hands(one_by_one) == [["g1", "g2", "b1"], [], []], "a loop hands on what it was handed"


def test_everything_is_read_before_anything_happens() -> None:
    assert steps(played("set p.step to next(p).step for p in players")) == ["4", "3", "5"]
    assert steps(played("add next(p).step to p.step for p in players")) == ["9", "7", "8"]
    assert steps(played("take next(p).step from p.step for p in players where p.step > 3")) == ["1", "1", "3"]
    swapped = played("swap first(p.hand) with first(next(p).hand) for p in players where p is not previous(me)")
    assert hands(swapped) == [["g1"], ["b1"], ["g2"]], "b1 with g2, then g2 with g1, wherever they are by then"


def test_several_pairs_and_a_condition() -> None:
    game = played("move p.hand to p.shown, top(deck) to p.hand for p in players where p.step > 3")
    assert hands(game, "shown") == [["b1"], ["g2"], []]
    assert hands(game) == [[], ["r3"], ["g1"]], "both read the same top card, and it lies where it was last moved"


def test_a_name_ends_with_its_line_and_nothing_is_left_of_it() -> None:
    lines = "move c to my.shown for c in my.hand\n    choose c in my.shown + next(me).hand: move c to heap"
    game = Game.start(ruleset(f"{DEAL}rule act:\n    {lines}\n"), 2, 0)
    assert keys(game) == ["b1", "seat1.hand[1]"] and zone(game, "hand", 0) == []
    assert all(value is None for value in game.state.stack[-1].locals[1:])


def test_a_guard_tries_it_out_and_would_does() -> None:
    rules = f"""{DEAL}rule act:
    choose n in 1..2 where would pass_on(n): first(my.hand).value is 2
    pass_on(n)

rule pass_on(n: number):
    repeat n: move p.hand to next(p).hand for p in players
"""
    game = Game.start(ruleset(rules), 3, 0)
    assert game.over and hands(game) == [["g2"], ["g1"], ["b1"]], "one answer is left, and nobody is asked"
    hook = f"""{DEAL}rule act:
    choose card in my.hand + next(me).shown
    lay(card)

rule lay(card: card): move c to my.shown for c in my.hand where c is card

rule need after lay(card): require any(my.shown)
"""
    price = "\nrule price before lay(card): move c to heap for c in my.hand\n"
    assert zone(Game.start(ruleset(hook), 2, 0), "shown", 0) == ["b1"]
    with pytest.raises(RulesError, match="there is nothing to choose"):
        Game.start(ruleset(hook + price), 2, 0)


def test_no_room_is_an_error_at_its_place() -> None:
    with pytest.raises(RulesError, match="no room for the piece") as error:
        played("move c to my.board for c in deck + heap + my.hand + next(me).hand", 2)
    assert error.value.rule == "act"


def test_much_at_once_is_counted() -> None:
    rules = f"{DEAL}rule act:\n    add sum(b in 1..1000: b) - sum(b in 1..1000: b) to my.step for a in 1..90000\n"
    with pytest.raises(RulesError, match="too much work"):
        Game.start(ruleset(rules), 2, 0)


WRONG = (
    ("W302", "move my.hand to my.shown for me in players", "me"),
    ("W301", "move p.hand to my.shown for q in players", "'p'"),
    ("W304", "move p.hand to my.shown for p in leader", "list"),
    ("W304", "move p.hand to my.shown for p in players where p.step", "condition"),
)


@pytest.mark.parametrize(("code", "act", "message"), WRONG)
def test_what_can_be_wrong(code: str, act: str, message: str) -> None:
    rules = f"{DEAL}rule act:\n    {act}\n"
    loaded = load_files({"game.toml": TABLES, "cards.csv": CARDS, "rules.warlock": rules}, "tiny")
    errors = [error for error in loaded.diagnostics if error.severity is Severity.ERROR]
    assert loaded.ruleset is None and [error.code for error in errors] == [code], [str(e) for e in errors]
    assert message in errors[0].message
