"""`was(E)` in a rule that hangs after another: what E was when that rule began, on every machine."""

from __future__ import annotations

import pytest

from interpreter import Game
from interpreter.machine import BACKENDS
from interpreter.state.redeal import redealt
from tests.interpreter.pair import same_games
from tests.interpreter.tiny import CARDS, TABLES, game, keys, ruleset
from warlock_dsl.load import load_files

# A card is robbed from the next player's open cards; what hangs on it says what it was before.
ROBBERY = """
rule play:
    shuffle deck
    for me in players: move top(deck) to my.shown
    for me in players: move top(deck) to my.hand
    for me in players:
        choose card in next(me).shown: rob(card)
    finish most(p in players: p.step)

rule rob(card: card):
    may choose k in colour: add 1 to my.gold
    move card to my.hand
    if count(my.hand) < 3: choose other in my.hand: move other to heap
    add 1 to my.step
"""


def played(hooks: str, backend: str) -> Game:
    """The game with these hooks up to its end, always the first option; three players."""
    found = Game.start(ruleset(ROBBERY + hooks), 3, 4, backend=backend)
    while not found.over:
        found.choose(0)
    return found


LAW = "invariant told after rob(card) = "
HOOKS = (
    # whose piece it was: the rule itself has moved it away
    ("rule r after rob(card): add 10 to was(card.owner).step\n", LAW + "next(me).step is was(next(me).step) + 10"),
    ("rule r after rob(card) where was(card.owner) is next(me): add 5 to my.step\n",
     LAW + "my.step is was(my.step) + 6"),
    ("rule r after rob(card) where was(card.owner) is me: add 5 to my.step\n", LAW + "my.step is was(my.step) + 1"),
    ("rule r after rob(card): set my.step to was(my.step)\n", LAW + "my.step is was(my.step)"),
    # the past is older than what hangs before, and than the first of two that hang after
    (
        "rule b before rob(card): add 7 to my.step\nrule a after rob(card): add 3 to my.step\n"
        "rule r after rob(card): set my.step to was(my.step) + count(was(card.owner.shown)) - 1\n",
        LAW + "my.step is was(my.step)",
    ),
    # a player that is bound in the rule that hangs, and a let before
    (
        "rule r after rob(card):\n    let n = count(was(card.owner.shown)) + was(my.step)\n"
        "    for p in opponents: add was(p.step) + n - n to p.step\n",
        LAW + "all(p in opponents: p.step is 2 * was(p.step))",
    ),
    # a question of the hook, after which the past is still there
    (
        "rule r after rob(card) where any(was(my.hand)):\n    choose k in colour: add 1 to my.gold\n"
        "    set my.step to count(was(my.hand)) + was(my.step)\n",
        LAW + "my.step is was(my.step) + count(was(my.hand))",
    ),
    # hooks on hooks: each has a past of its own, and none disturbs another
    (
        "rule r after rob(card): add was(my.step) + count(was(my.shown)) to my.step\n"
        "rule s before r(c) where any(x in my.hand where x.value < 9): add 100 to my.step\n"
        "rule t after r(c) where was(c.owner) is me: set my.step to was(my.step) + was(c.value)\n",
        LAW + "my.step is was(my.step) + 1 + card.value",
    ),
    ("rule r after rob(card): add was(my.step) to my.step\nrule i instead r(c): add 4 to my.step\n",
     LAW + "my.step is was(my.step) + 5"),
)  # fmt: skip


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(("hooks", "law"), HOOKS)
def test_a_rule_that_hangs_after_another_looks_back(hooks: str, law: str, backend: str) -> None:
    assert played(f"{hooks}{law}\n", backend).over
    with pytest.raises(Exception, match="'told' does not hold"):
        played(f"{hooks}{law} + 1\n" if "all(" not in law else f"{hooks}{LAW}false\n", backend)


@pytest.mark.parametrize(("hooks", "law"), HOOKS)
def test_every_machine_plays_it_alike(hooks: str, law: str) -> None:
    for seed in range(3):
        assert game(f"{ROBBERY}{hooks}{law}\n", 3, seed)
    rules = ruleset(f"{ROBBERY}{hooks}{law}\n")
    same_games(rules, 3, range(3))


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(("hooks", "law"), HOOKS)
def test_a_save_in_the_middle_keeps_the_past(hooks: str, law: str, backend: str) -> None:
    rules = ruleset(f"{ROBBERY}{hooks}{law}\n")
    found = Game.start(rules, 3, 4, backend=backend)
    while not found.over:
        found = Game.load(rules, found.save(), backend=backend)
        found.choose(0)


def test_each_call_has_a_past_of_its_own() -> None:
    rules = """
rule play:
    grow(3)
    finish [me]

rule grow(n: number):
    add 1 to my.step
    if n > 0: grow(n - 1)

rule grown after grow(n): set my.step to was(my.step) + 1

invariant one after grow(n) = my.step is was(my.step) + 1
"""
    assert game(rules, 1).over


GUARDED = """
rule play:
    for me in players:
        move deck[1] to my.shown, deck[2] to my.shown
        set my.gold to 1
        choose act in doing where can doing[act](): doing[act]()
    finish(players)

rule doing[lay]:
    choose card in my.shown: move card to heap

rule doing[rest]: add 1 to my.step
"""
PRICE = "rule price before doing[lay](): take 1 from my.gold\n"


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(
    ("hooks", "expected"),
    [
        ("rule fine after doing[lay](): require was(my.gold) > 0\n", ["lay", "rest"]),
        ("rule fine after doing[lay](): require was(my.gold) > 1\n", []),
        (PRICE + "rule fine after doing[lay](): require was(my.gold) > 0\n", ["lay", "rest"]),
        (PRICE + "rule fine after doing[lay](): require my.gold is was(my.gold)\n", []),
        (PRICE + "rule fine after doing[lay]() where was(my.gold) is 0: require my.gold > 0\n", ["lay", "rest"]),
        (PRICE + "rule fine after doing[lay]() where was(my.gold) > 0: require my.gold > 0\n", []),
        ("rule due after doing[lay](): choose c in my.shown where c is not was(my.shown)[1]: move c to heap\n",
         ["lay", "rest"]),
        ("rule due after doing[lay](): choose c in my.shown where not was(my.shown) has c: move c to heap\n", []),
    ],
)  # fmt: skip
def test_a_guard_looks_back_as_well(hooks: str, expected: list[str], backend: str) -> None:
    rules = ruleset(GUARDED + hooks)
    found = Game.start(rules, 1, 3, backend=backend)
    assert ([] if found.decision is None else [option.key for option in found.decision.options]) == expected
    for seed in range(10):
        found = Game.start(rules, 2, seed, backend=backend)
        while not found.over:
            found.choose(seed % found.option_count)


def test_the_past_is_dealt_anew_with_the_rest() -> None:
    """Whoever imagines other cards imagines them in what a rule has kept as well."""
    hook = "rule r after rob(card) where within(was(next(me).hand), next(me).hand): add 1 to my.step\n"
    law = "invariant told after rob(card) = my.step is was(my.step) + 2\n"
    start = Game.start(ruleset(ROBBERY + hook + law), 3, 4)
    start.choose(0)
    states = [redealt(start.machine, start.state, 0, stream)[1] for stream in range(8)]
    assert any(state.zones != start.state.zones for state in states)
    for state in states:
        other = start.at(state)
        while not other.over:
            other.choose(0)


def test_a_number_that_is_remembered_tells_no_pieces_apart() -> None:
    """It waits in a slot of its own, where nobody takes it for one of the pieces that the rule had in hand."""
    ask = "choose c in my.hand + my.shown: add 0 to my.gold\n"
    games = [
        game(f"{ROBBERY}rule r after rob(card) where {test}: {ask}", 3, 4)
        for test in ("true", "was(my.step + 1) > 0 and was(my.gold + 2) > 0 and was(my.gold + 3) > 0")
    ]
    while not games[0].over:
        assert keys(games[0]) == keys(games[1])
        for one in games:
            one.choose(0)


WRONG = (
    ("W333", "rule f before rob(card): add was(my.step) to my.step", "none has here"),
    ("W333", "rule f instead rob(card): add was(my.step) to my.step", "none has here"),
    ("W333", "rule f before rob(card) where was(my.step) > 0: add 1 to my.step", "none has here"),
    ("W333", "rule f after rob(card): add was(was(my.step)) to my.step", "once, not twice"),
    ("W333", "rule f after rob(card): choose c in my.hand: add was(c.value) to my.step", "'c' is bound here"),
    ("W333", "rule f after rob(card):\n    for me in players: add was(my.step) to my.step", "another player here"),
    ("W308", "rule f after rob(card): add was(1, 2) to my.step", "1 argument, 2 given"),
    ("W304", "rule f after rob(card) where was(my.step): add 1 to my.step", "must be"),
)


@pytest.mark.parametrize(("code", "text", "message"), WRONG)
def test_a_past_that_makes_no_sense_is_told(code: str, text: str, message: str) -> None:
    loaded = load_files({"game.toml": TABLES, "cards.csv": CARDS, "rules.warlock": f"{ROBBERY}{text}\n"}, "tiny")
    errors = [error for error in loaded.diagnostics if error.code == code]
    assert loaded.ruleset is None and len(errors) == 1, [str(error) for error in loaded.diagnostics]
    assert message in errors[0].message
