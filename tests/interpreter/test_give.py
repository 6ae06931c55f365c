"""Rules that give a value back: how it comes to whoever called, through hooks, loops, guards and saves."""

from __future__ import annotations

import pytest

from interpreter import Game
from interpreter.plain.machine import PlainMachine
from interpreter.state.redeal import redealt
from tests.interpreter.tiny import CARDS, TABLES, keys, ruleset, variable, zone
from warlock_dsl.diagnostics.diagnostic import Severity
from warlock_dsl.load import load_files

DEAL = """rule play:
    for me in players: move top(deck, 3) to my.hand
    act()
    finish [leader]

"""


def started(rules: str, players: int = 2, seed: int = 0) -> Game:
    """In hand: b1 (5), g2 (2), g1 (1) of the first player, r3, r2, r1 (3, 1, 1) of the second."""
    return Game.start(ruleset(DEAL + rules), players, seed)


def finished(rules: str, *answers: int) -> Game:
    game = started(rules)
    for answer in answers:
        game.choose(answer)
    assert game.over
    return game


AUCTION = """
rule act:
    let winner = auction()
    set leader to winner
    let price = worth(first(winner.shown))
    set winner.step to price

rule auction:
    for me in players:
        choose c in my.hand
        move c to my.shown
        if c.value > 4: give me
    give first(most(p in players: sum(c in p.shown: c.value)))

rule worth(card: card):
    if card.colour is blue: give 10
    give card.value
"""


@pytest.mark.parametrize(
    ("answers", "winner", "price"), [((0,), "seat0", "10"), ((1, 0), "seat1", "3"), ((1, 1), "seat0", "2")]
)
def test_the_value_is_bound_where_the_rule_was_called(answers: tuple[int, ...], winner: str, price: str) -> None:
    game = finished(AUCTION, *answers)
    assert variable(game, "leader") == winner
    assert variable(game, "step", int(winner[-1])) == price


def test_giving_from_a_loop_over_who_acts_leaves_who_acted_before() -> None:
    hook = """
rule paid after auction():
    add 1 to my.gold

invariant same after auction() = me is first(players)
"""
    rules = AUCTION.replace("c.value > 4", "c.value > 2").replace("for me in players", "for me in clockwise(next(me))")
    game = finished(rules + hook, 0)
    assert variable(game, "leader") == "seat1", "the second player, asked first, has shown r3"
    assert [variable(game, "gold", seat) for seat in (0, 1)] == ["1", "0"]


def test_a_rule_may_take_its_own_value_and_that_of_one_that_takes_its() -> None:
    rules = """
rule act:
    let n = triangle(4)
    let even = is_even(7)
    set my.step to n
    if even: add 100 to my.step

rule triangle(n: number):
    if n <= 0: give 0
    let rest = triangle(n - 1)
    give rest + n

rule is_even(n: number):
    if n is 0: give true
    let odd = is_odd(n - 1)
    give odd

rule is_odd(n: number):
    if n is 0: give false
    let even = is_even(n - 1)
    give even
"""
    assert variable(finished(rules), "step", 0) == "10"
    assert variable(finished(rules.replace("is_even(7)", "is_even(8)")), "step", 0) == "110"


def test_by_and_members_of_a_family() -> None:
    rules = """
rule act:
    for k in colour:
        let n = worth[k](2) by next(me)
        add n to my.step
    let three = worth[green](1)
    add 100 * three to my.step

rule worth[red](n: number): give n

rule worth[green](n: number):
    add n to my.gold
    give 3

rule worth[blue](n: number): give count(my.hand where_blue)
""".replace("count(my.hand where_blue)", "10 * count(c in my.hand where c.colour is red)")
    game = finished(rules)
    assert variable(game, "step", 0) == "335"
    assert [variable(game, "gold", seat) for seat in (0, 1)] == ["1", "2"]


def test_what_stands_in_gives_and_what_hangs_around_does_not_disturb() -> None:
    rules = """
rule act:
    let a = roll_up(3)
    let b = roll_up(30)
    roll_up(3)
    set my.step to a + b

rule roll_up(n: number):
    add 1 to my.gold
    give n

rule cheat instead roll_up(n) where n > 10:
    let half = small(n)
    give half + 100

rule small(n: number): give 5

rule first_look before roll_up(n):
    let m = small(n)
    set next(me).step to next(me).step + m

rule last_look after roll_up(n):
    let m = small(n)
    set next(me).step to next(me).step + m
"""
    game = finished(rules)
    assert variable(game, "step", 0) == "108" and variable(game, "step", 1) == "30"
    assert variable(game, "gold", 0) == "2", "the stand-in takes nothing"


GUARDED = """
rule act:
    choose c in my.hand
    let price = cost(c)
    require price <= 2
    move c to my.shown
    let dear = cost(c)
    set my.step to dear

rule cost(card: card):
    if card.value > 4: give 9
    give card.value
"""


def test_a_guard_follows_the_value() -> None:
    game = started(GUARDED)
    assert keys(game) == ["g2", "g1"]
    game.choose(0)
    assert game.over and variable(game, "step", 0) == "2"
    hooked = GUARDED + "\nrule cheap instead cost(card) where card.value > 4: give 1\n"
    assert keys(started(hooked)) == ["b1", "g2", "g1"]
    beyond = GUARDED + "\nrule taxed before cost(card): add 1 to my.gold\n"
    assert keys(started(beyond.replace("    require price <= 2\n", ""))) == ["b1", "g2", "g1"], "it ends at the effect"


def test_a_question_within_and_a_save_in_the_middle() -> None:
    rules = """
rule act:
    let first_card = pick()
    let second_card = pick()
    choose c in [first_card, second_card]
    move c to my.shown
    let last_card = pick()
    move last_card to heap

rule pick:
    choose c in my.hand + next(me).hand
    give c
"""
    game = started(rules)
    count = 0
    while not game.over:
        game = Game.load(game.ruleset, game.save())
        for stream in range(4):  # other cards where one cannot look; the game goes on with them
            state = redealt(game.machine, game.state, 0, stream)[1]
            other = game.at(state)
            while not other.over:
                other.choose(0)
        game.choose(0 if count != 1 else 1)
        count += 1
    assert zone(game, "shown", 0) == ["b1"] and zone(game, "heap") == ["g2"]


def test_nothing_is_left_behind_in_the_slots() -> None:
    """What was given waits nowhere at a question, so that positions reached in two ways are one."""
    rules = """
rule act:
    if my.gold is 0: name()
    let c = name()
    choose n in 1..2: set my.step to n
    let d = name()
    choose n in 1..2: set my.step to n

rule name:
    add 1 to my.gold
    give my.gold
"""
    game = started(rules)
    assert isinstance(game.machine, PlainMachine)
    frame = game.state.stack[-1]
    received = game.machine.lowered_rules[frame.rule].received
    assert received >= 0 and frame.locals[received] is None
    assert 4 in frame.locals, "the second value is bound, in halves"


def test_what_would_be_runs_through_it() -> None:
    rules = """
rule act:
    choose c in my.hand where would put(c): my.step > 1: put(c)

rule put(card: card):
    let n = worth(card)
    set my.step to n

rule worth(card: card): give card.value
"""
    assert keys(started(rules)) == ["b1", "g2"]


WRONG = (
    ("W341", "rule act:\n    let x = f()\n    add x to my.step\nrule f:\n    if my.gold > 0: give 1", "on every way"),
    ("W341", "rule act:\n    let x = f()\n    add x to my.step\nrule f:\n    for p in players: give 1", "on every way"),
    ("W341", "rule act:\n    let x = f()\n    add x to my.step\nrule f:\n    may choose c in deck: give 1", "way"),
    ("W341", "rule act:\n    let x = f()\n    set my.step to x\nrule f:\n    let y = f()\n    give y", "needs itself"),
    ("W341", "rule act:\n    let x = f()\nrule f: add 1 to my.gold", "gives nothing back"),
    ("W341", "rule act: f()\nrule f: add 1 to my.gold\nrule g instead f(): give 1", "gives nothing either"),
    ("W341", "rule act: f()\nrule f: add 1 to my.gold\nrule g before f(): give 1", "hangs before"),
    ("W341", "rule act:\n    together me in players:\n        choose c in my.hand: give c", "in a together block"),
    ("W341", "rule act:\n    choose k in colour\n    let x = f[k]()\nrule f[red]: give 1\nrule f[green]: give 2\n"
     "rule f[blue]: give true", "of different types"),
    ("W304", "rule act:\n    let x = f()\nrule f:\n    if my.gold > 0: give 1\n    give true", "must be a number"),
    ("W304", "rule act:\n    let x = f()\nrule f: give 1\nrule g instead f(): give true", "must be a number"),
    ("W304", "rule act:\n    let x = f()\n    set leader to x\nrule f: give 1", "must be a player"),
    ("W309", "rule act: set my.step to f()\nrule f: give 1", "a rule, not a value"),
    ("W309", "rule act:\n    let x = 1 by next(me)", "done by somebody"),
    ("W309", "rule act:\n    let x = count(deck) by next(me)", "is no rule"),
    ("W310", "rule act:\n    let x = g() by next(me)", "there is no rule 'g'"),
)  # fmt: skip


@pytest.mark.parametrize(("code", "text", "message"), WRONG)
def test_a_value_that_is_not_given_or_not_taken_is_told_once(code: str, text: str, message: str) -> None:
    files = {"game.toml": TABLES, "cards.csv": CARDS, "rules.warlock": f"{DEAL}{text}\n"}
    loaded = load_files(files, "tiny")
    errors = [error for error in loaded.diagnostics if error.severity is Severity.ERROR]
    assert loaded.ruleset is None and [error.code for error in errors] == [code], [str(e) for e in errors]
    assert message in errors[0].message


def test_many_rules_in_a_row_that_take_from_one_another_are_read() -> None:
    rules = "rule act:\n    let x = f0()\n    set my.step to x\n"
    rules += "".join(f"rule f{n}:\n    let x = f{n + 1}()\n    give x\n" for n in range(400)) + "rule f400: give 7\n"
    loaded = load_files({"game.toml": TABLES, "cards.csv": CARDS, "rules.warlock": DEAL + rules}, "tiny")
    assert loaded.ruleset is not None


def test_what_follows_it_is_never_reached() -> None:
    rules = DEAL + "rule act:\n    let x = f()\n    set my.step to x\nrule f:\n    give 1\n    add 1 to my.gold\n"
    loaded = load_files({"game.toml": TABLES, "cards.csv": CARDS, "rules.warlock": rules}, "tiny")
    assert [found.hint for found in loaded.diagnostics if found.code == "W403"] == [
        "nothing follows 'give' in its block"
    ]
