"""`would f(a): E`: what a value would be after a rule, found on a copy and bounded like everything else."""

from __future__ import annotations

import pytest

from interpreter import Game, LawViolationError, RulesError, machine_for
from interpreter.vm.machine import VmMachine
from tests.interpreter.tiny import CARDS, TABLES, keys, ruleset, variable, zone
from warlock_dsl.diagnostics.diagnostic import Severity
from warlock_dsl.load import load_files
from workbench.coverage.counting_machine import begun, counting_machine

DEAL = """rule play:
    for me in players: move top(deck, 3) to my.hand
    act()
    finish [leader]

rule put(card: card):
    move card to my.shown
    add card.value to my.step

rule own(card: card):
    require my.hand has card
    put(card)

rule put_all(cards: [card]):
    for card in cards: put(card)
"""


def started(rules: str, players: int = 2, seed: int = 0) -> Game:
    return Game.start(ruleset(rules), players, seed)


def values(text: str) -> Game:
    """A game in which an expression sets `step` of the first player."""
    return started(f"{DEAL}\nrule act:\n    set my.step to {text}\n    choose c in my.hand: put(c)\n")


# The first player has b1 (5), g2 (2) and g1 (1) in hand, the second r3, r2 and r1 (3, 1, 1).
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("would put(my.hand[1]): my.step", "5"),
        ("would put(my.hand[3]): my.step", "1"),
        ("would put_all(my.hand): my.step * 10 + count(my.shown)", "83"),
        ("sum(c in my.hand: would put(c): my.step + c.value)", "16"),
        ("would put(my.hand[1]): would put(my.hand[2]): my.step * 10 + count(my.shown)", "62"),
        ("would put(next(me).hand[1]) by next(me): next(me).step + my.step", "3"),
        ("if would put(my.hand[1]): my.step > 3 then 1 else 2", "1"),
        ("if false or not would put(my.hand[1]): my.step > 3 then 1 else 2", "2"),
    ],
)
def test_the_value_is_that_of_the_position_after_the_rule(text: str, expected: str) -> None:
    game = values(text)
    assert variable(game, "step", 0) == expected
    assert zone(game, "shown", 0) == [] and len(zone(game, "hand", 0)) == 3, "and nothing has happened"


def test_it_decides_what_is_on_offer() -> None:
    rules = DEAL + "rule act:\n    choose c in my.hand where would put(c): sum(x in my.shown: x.value) >= 2: put(c)\n"
    game = started(rules)
    assert keys(game) == ["b1", "g2"]
    game.choose(0)
    assert game.over and zone(game, "shown", 0) == ["b1"] and variable(game, "step", 0) == "5"


def test_it_serves_definitions_scores_laws_and_guards() -> None:
    rules = (
        DEAL
        + """
define promise(card: card, p: player) = would put(card) by p: p.step

define best(p: player) = sum(c in p.hand: promise(c, p))

rule act:
    choose c in my.hand
    careful(c)

rule careful(card: card):
    require would put(card): my.step < 5
    put(card)

score hope = best(me)

invariant known = all(p in players: best(p) >= sum(c in p.hand: c.value))

invariant grown after put(card) = best(me) is was(would put(card): sum(c in my.hand: would put(c): my.step))
"""
    )
    game = started(rules)
    assert keys(game) == ["g2", "g1"], "the guard has tried b1 out as well"
    assert [sheet.total for sheet in game.scores()] == [8, 5]
    game.choose(0)
    assert game.over and [sheet.total for sheet in game.scores()] == [10, 5]


def test_a_rule_that_ends_the_game_is_read_in_the_last_position() -> None:
    rules = (
        DEAL
        + """
rule last_card(card: card):
    put(card)
    if my.step > 1: finish [me]
    put(my.hand[1])

rule act:
    choose c in my.hand where would last_card(c): count(my.shown) is 1: last_card(c)
"""
    )
    assert keys(started(rules)) == ["b1", "g2"]


def test_hooks_run_and_invariants_are_not_tested() -> None:
    hooked = (
        DEAL
        + """
rule act:
    if would put(my.hand[1]): my.gold is 1 and my.step is 5: set my.mood to angry
    choose c in my.hand where c.value < 5: put(c)

rule paid after put(card): add 1 to my.gold

invariant small after put(card) = my.step < 5

invariant honest before put(card) = my.step is 0
"""
    )
    game = started(hooked)
    assert variable(game, "mood", 0) == "angry"
    game.choose(0)
    assert variable(game, "gold", 0) == "1"
    with pytest.raises(LawViolationError, match="'small' does not hold"):
        started(hooked.replace("c.value < 5", "c.value is 5"))


def test_a_requirement_that_does_not_hold_is_the_error_of_the_call() -> None:
    with pytest.raises(RulesError, match="whose requirement does not hold") as error:
        values("would own(next(me).hand[1]): my.step")
    assert error.value.rule == "own" and error.value.span.line == 11
    assert error.value.hint == "test it first: can f(x) and would f(x): ..."
    tested = "sum(c in everywhere[card] where can own(c) and would own(c): my.step > 1: c.value)"
    assert variable(values(tested), "step", 0) == "7"
    full = "rule fill:\n    for c in deck + my.hand: move c to my.board\n\n"
    with pytest.raises(RulesError, match="no room for the piece") as error:
        started(f"{DEAL}{full}rule act:\n    if would fill(): my.gold is 1: put(my.hand[1])\n", 1)
    assert error.value.rule == "fill"


def test_what_would_be_after_itself_is_bounded() -> None:
    endless = "rule again:\n    if would again(): my.gold is 1: add 1 to my.gold\n\n"
    with pytest.raises(RulesError, match="'would' within 'would', more than 8 deep"):
        started(f"{DEAL}{endless}rule act: again()\n")
    deep = "rule again: again()\n\nrule act:\n    if would again(): my.gold is 1: add 1 to my.gold\n"
    with pytest.raises(RulesError, match="rules call rules more than"):
        started(DEAL + deep)


def test_the_copies_are_counted_as_work() -> None:
    many = "sum(a in 1..100: sum(b in 1..100: sum(c in 1..100: would put(my.hand[1]): my.step)))"
    with pytest.raises(RulesError, match="too much work"):
        values(many)


def test_what_is_tried_out_is_not_counted_as_played() -> None:
    rules = ruleset(DEAL + "rule act:\n    choose c in my.hand where would put(c): my.step > 1: put(c)\n")
    machine = counting_machine(rules, 2)
    game = begun(rules, machine, 0)
    put = next(n for n, rule in enumerate(rules.program.rules) if rule.address == "put")
    assert machine.watch.rules[put] == 0 and sum(machine.watch.moves.values()) == 6
    game.choose(0)
    assert machine.watch.rules[put] == 1 and sum(machine.watch.moves.values()) == 7


def test_the_fast_machine_plays_it() -> None:
    rules = ruleset(DEAL + "rule act:\n    choose c in my.hand where would put(c): my.step > 1: put(c)\n")
    assert isinstance(machine_for(rules, 2, laws=True), VmMachine)
    without = ruleset(DEAL + "rule act:\n    choose c in my.hand: put(c)\n")
    assert isinstance(machine_for(without, 2, laws=True), VmMachine)


WRONG = (
    ("W340", "rule act: probe()\nrule probe:\n    roll c in deck\n    move c to my.hand", "leaves something to chance"),
    ("W340", "rule act: probe()\nrule probe: shuffle deck", "leaves something to chance"),
    ("W340", "rule act: probe()\nrule probe:\n    choose c in my.hand: put(c)", "it asks"),
    ("W340", "rule act: probe()\nrule probe: put(my.hand[1])\nrule h after put(c):\n    may choose d in deck: put(d)",
     "it asks"),
    ("W340", "rule act: probe()\nrule probe: pass\nrule h before probe(): shuffle heap", "leaves something to chance"),
    ("W310", "rule act: drew()\nrule drew: pass", "there is no rule 'probe'"),
    ("W309", "rule act: pass\ndefine probe = 1", "'probe' is no rule"),
)  # fmt: skip


@pytest.mark.parametrize(("code", "text", "message"), WRONG)
def test_a_rule_that_cannot_be_tried_out_is_told_once(code: str, text: str, message: str) -> None:
    rules = f"{DEAL}\nscore hope = would probe(): my.step\n{text}\n"
    loaded = load_files({"game.toml": TABLES, "cards.csv": CARDS, "rules.warlock": rules}, "tiny")
    errors = [error for error in loaded.diagnostics if error.severity is Severity.ERROR]
    assert loaded.ruleset is None and [error.code for error in errors] == [code], [str(e) for e in errors]
    assert message in errors[0].message


def test_nobody_acts_in_an_invariant_of_the_whole_game() -> None:
    rules = DEAL + "rule act: pass\n\ninvariant odd = would act(): true\n"
    loaded = load_files({"game.toml": TABLES, "cards.csv": CARDS, "rules.warlock": rules}, "tiny")
    assert [error.code for error in loaded.diagnostics if error.severity is Severity.ERROR] == ["W330"]


def test_a_leak_through_it_is_a_warning_and_one_that_is_none_is_not() -> None:
    """A condition that tries out a move of a card nobody sees tells it; one's own card tells nothing."""
    choose = "choose n in 1..2 where would {}: sum(x in my.shown: x.value) > n: add n to my.step"
    act = f"rule act:\n    {choose}\n    else: pass\n"
    reveal = "rule reveal: move top(deck) to my.shown\n"
    for call, expected in (("reveal()", ["W456"]), ("put(my.hand[1])", [])):
        files = {"game.toml": TABLES, "cards.csv": CARDS, "rules.warlock": DEAL + reveal + act.format(call)}
        codes = [found.code for found in load_files(files, "tiny").diagnostics]
        assert [code for code in codes if code == "W456"] == expected
