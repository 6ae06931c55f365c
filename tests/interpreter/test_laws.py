"""Laws of a step that look back, and laws of the end of a game."""

from __future__ import annotations

import pytest

from interpreter import Game, LawViolationError
from interpreter.machine import BACKENDS
from interpreter.state.redeal import redealt
from tests.interpreter.tiny import CARDS, TABLES, game, keys, ruleset
from warlock_dsl.load import load_files

GIFTS = """
rule play:
    shuffle deck
    repeat 2:
        for me in players: move top(deck) to my.hand
    repeat 2:
        for me in players: hand_on(1)
    finish most(p in players: p.step)

rule hand_on(n: number):
    choose card in my.hand: move card to next(me).hand
    add n to my.step
"""


def played(laws: str, backend: str = BACKENDS[0]) -> Game:
    """The game with these laws, always the first option."""
    found = Game.start(ruleset(GIFTS + laws), 3, 4, backend=backend)
    while not found.over:
        found.choose(0)
    return found


HOLDING = (
    "after hand_on(n) = my.step is was(my.step) + n",
    "after hand_on(n) = count(was(my.hand) - my.hand) is 1 and count(my.hand - was(my.hand)) is 0",
    "after hand_on(n) = all(p in players where p is not me: p.step is was(p.step))",
    "after hand_on(n) = all(p in opponents where p is not next(me): p.hand is was(p.hand))",
    "after hand_on(n) = all(k in colour: count(c in union(p in players: p.hand) where c.colour is k)"
    " is was(count(c in union(p in players: p.hand) where c.colour is k)))",
    "after hand_on(n) = all(p in players: all(k in colour:"
    " count(c in p.hand where c.colour is k) <= was(count(c in p.hand where c.colour is k)) + n))",
    "after hand_on(n) where was(my.step) > 0 = my.step is 2",
    "after hand_on(n) = was([p in players: count(p.hand)]) is not [p in players: count(p.hand)]",
    "after finish(winners) = all(w in winners: w.step >= 2)",
    "after finish(winners) where count(winners) > 1 = all(w in winners: w.step is first(winners, w).step)",
)
BROKEN = (
    "after hand_on(n) = my.step is was(my.step)",
    "after hand_on(n) = my.hand is was(my.hand)",
    "after hand_on(n) = all(p in players: count(p.hand) is was(count(p.hand)))",
    "after hand_on(n) where was(my.step) > 0 = my.step is 1",
    "after finish(winners) = count(winners) is 1",
    "after finish(winners) where true = not any(winners)",
)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("law", HOLDING)
def test_a_law_that_holds(law: str, backend: str) -> None:
    assert played(f"invariant held {law}\n", backend).over


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("law", BROKEN)
def test_a_law_that_is_broken_is_named_with_its_place(law: str, backend: str) -> None:
    with pytest.raises(LawViolationError, match="'kept_up' does not hold") as error:
        played(f"invariant kept_up {law}\n", backend)
    assert error.value.law == "invariant.kept_up"
    assert error.value.span.line == GIFTS.count("\n") + 1


def test_the_past_begins_before_whatever_hangs_before_the_rule() -> None:
    first = "rule tip before hand_on(n): add 5 to my.step\n"
    assert played(first + "invariant held after hand_on(n) = my.step is was(my.step) + 5 + n\n").over


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_past_that_a_guard_runs_over_is_no_matter(backend: str) -> None:
    """Whether `lay` can be completed is found by running it dry, the law after it included."""
    rules = """
rule play:
    move top(deck, 2) to my.hand
    repeat 2:
        choose k in colour: lay(k)
        else: pass
    finish [me]

rule lay(k: colour):
    choose card in my.hand where card.colour is k
    choose other in my.hand where other is not card: move other to heap
    else: pass

invariant held after lay(k) = count(was(my.hand)) >= count(my.hand)
"""
    found = Game.start(ruleset(rules), 1, 0, backend=backend)
    while not found.over:
        found.choose(0)
    assert found.over


def test_each_call_has_a_past_of_its_own() -> None:
    rules = """
rule play:
    grow(3)
    finish [me]

rule grow(n: number):
    add 1 to my.step
    if n > 0: grow(n - 1)

invariant grown after grow(n) = my.step is was(my.step) + n + 1
"""
    assert game(rules, 1).over


def test_what_a_law_remembers_changes_no_option() -> None:
    """Alike cards are one option, though a law has them in mind."""
    plain, watched = game(GIFTS, 2, 4), game(GIFTS + "invariant held after hand_on(n) = any(was(my.hand))\n", 2, 4)
    while not plain.over:
        assert keys(plain) == keys(watched)
        plain.choose(0)
        watched.choose(0)
    assert watched.over


def test_the_state_is_the_same_whether_laws_are_tested_or_not() -> None:
    rules = ruleset(GIFTS + "invariant held after hand_on(n) = any(was(my.hand))\n")
    tested, untested = Game.start(rules, 3, 4, laws=True), Game.start(rules, 3, 4, laws=False)
    while not tested.over:
        assert tested.digest() == untested.digest()
        assert Game.load(rules, tested.save()).digest() == tested.digest()
        tested.choose(0)
        untested.choose(0)


def test_what_a_law_remembers_is_dealt_anew_with_the_rest() -> None:
    """Whoever imagines other cards imagines them in the memory of the laws as well."""
    told = GIFTS.replace(
        "    choose card in my.hand: move card to next(me).hand",
        "    may choose k in colour: set my.mood to calm\n    choose card in my.hand: move card to next(me).hand",
    )
    rules = ruleset(told + "invariant held after hand_on(n) = count(was(next(me).hand)) + 1 is count(next(me).hand)\n")
    start = Game.start(rules, 2, 4)
    _, state = redealt(start.machine, start.state, 0, 99)
    assert state.zones != start.state.zones
    other = start.at(state)
    while not other.over:
        other.choose(0)


WRONG = (
    ("W333", "invariant f before hand_on(n) = was(n) > 0", "none has here"),
    ("W333", "invariant f after hand_on(n) = was(was(n)) > 0", "once, not twice"),
    ("W333", "invariant f after hand_on(n) = all(c in deck: was(c.owner) is me)", "'c' is bound here"),
    ("W333", "invariant f after finish(w) = any(was(w))", "none has here"),
    ("W333", "define old = was(3)\ninvariant f = old > 2", "none has here"),
    ("W308", "invariant f after hand_on(n) = was(1, 2) > 0", "1 argument, 2 given"),
    ("W321", "invariant f before finish(w) = any(w)", "never hangs before 'finish'"),
    ("W321", "invariant f after finish() = true", "takes 1 argument, 0 named"),
    ("W321", "invariant f after finish[a](w) = any(w)", "no family"),
    ("W321", "rule late after finish(w): set my.mood to calm", "no rule hangs on 'finish'"),
    ("W330", "invariant f after finish(w) = w has me", "means nobody"),
    ("W304", "invariant f after finish(w) = w > 1", "must be a number"),
    ("W128", "invariant f instead finish(w) = any(w)", "before or after"),
)


@pytest.mark.parametrize(("code", "text", "message"), WRONG)
def test_a_law_that_makes_no_sense_is_told(code: str, text: str, message: str) -> None:
    loaded = load_files({"game.toml": TABLES, "cards.csv": CARDS, "rules.warlock": f"{GIFTS}{text}\n"}, "tiny")
    errors = [error for error in loaded.diagnostics if error.code == code]
    assert loaded.ruleset is None and len(errors) == 1, [str(error) for error in loaded.diagnostics]
    assert message in errors[0].message
