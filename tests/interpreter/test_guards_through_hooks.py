"""No dead ends, hooks included: a play is offered only if it can be completed with everything that hangs on it."""

from __future__ import annotations

import pytest

from interpreter import Game, RulesError
from interpreter.machine import machine_for
from tests.interpreter.tiny import TABLES, ruleset
from warlock_dsl.check import check

# Two plays: one that needs a card of the two that are shown, and one that is always possible.
GAME = """
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
COST = "rule cost before doing[lay](): choose card in my.shown: move card to heap\n"
TOLL = "rule toll before doing[lay](): choose card in my.shown: move card to heap\n"
PRICE = "rule price before doing[lay](): take 1 from my.gold\n"
NEEDS_GOLD = "rule needs_gold before doing[lay](): require my.gold > 0\n"
DUE = "rule due after doing[lay](): choose card in my.shown: move card to heap\n"
EMPTIES = "rule empties before doing[lay](): for card in my.shown: move card to heap\n"
DRAWS = "rule draws before doing[lay](): move top(deck) to my.shown\n"
STANDS_IN = "rule stands_in instead doing[lay](): take 1 from my.gold\n"
MANY = "rule many before doing[lay]():\n    repeat 40: add 1 to my.step\n    for card in my.shown: move card to heap\n"
FINE = "rule fine after doing[lay](): require my.gold > 0\n"


def offered(rules: str, backend: str = "vm") -> list[str]:
    """What the first player is offered, as keys; what is left alone is done without a question."""
    game = Game.start(ruleset(rules), 1, 3, backend=backend)
    return [] if game.decision is None else [option.key for option in game.decision.options]


BOTH = ["lay", "rest"]


@pytest.mark.parametrize(
    ("hooks", "expected"),
    [
        ("", BOTH),
        (COST, BOTH),  # two cards: one for the cost, one for the play
        (COST + TOLL, []),  # the third card is missing
        (COST + DUE, []),
        (DUE, BOTH),
        (DUE + DUE.replace("due", "dues"), []),
        (PRICE, BOTH),
        (PRICE + NEEDS_GOLD, []),  # what the price takes is required after it
        (NEEDS_GOLD + PRICE, BOTH),
        (PRICE + FINE, []),
        (STANDS_IN, BOTH),
        (STANDS_IN + FINE, []),
        (EMPTIES, []),  # an acting hook alone, and a loop
        (MANY, []),  # however many effects there are
        (EMPTIES.replace("shown: move", "shown where card.value > 4: move"), BOTH),
    ],
)
def test_what_a_hook_takes_is_missed_by_what_comes_after(hooks: str, expected: list[str]) -> None:
    assert offered(GAME + hooks) == expected
    assert offered(GAME + hooks, "plain") == expected
    rules = ruleset(GAME + hooks)
    for seed in range(20):
        game = Game.start(rules, 2, seed)
        while not game.over:
            game.choose(seed % game.option_count)


@pytest.fixture
def unchecked(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a check refuses is played all the same."""
    monkeypatch.setattr(check, "CHECKS", ())


@pytest.mark.usefixtures("unchecked")
def test_a_guard_does_not_look_behind_what_the_player_cannot_see() -> None:
    """The card that is drawn could save the play; whether it does must not show in what is offered."""
    anew = EMPTIES.replace("(): for", "():\n    for") + "    move top(deck) to my.shown\n"
    assert offered(GAME + anew) == BOTH
    assert offered(GAME + anew.replace("top(deck)", "first(my.shown)")) == []


def test_a_guard_does_not_count_on_what_comes_by_chance() -> None:
    """A card that is drawn can only help: the play is looked for without it, and nothing can be missing with it."""
    assert offered(GAME + DRAWS) == BOTH
    assert offered(GAME + EMPTIES + DRAWS) == []
    assert offered(GAME + COST + DRAWS) == BOTH
    assert offered(GAME + COST + TOLL + DRAWS) == []


def test_a_search_behind_effects_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """What hangs on a rule may be missing whatever is answered. Not every way is gone then: the play is left out."""
    pays = "\n".join(f"    choose x{n} in deck: add 1 to my.step" for n in range(8))
    never = "rule never after doing[lay](): require my.gold > 4\n"
    game = GAME.replace("rule doing[lay]:\n", f"rule doing[lay]:\n{pays}\n")
    tables = TABLES.replace("limits = { listed = 8 }", "limits = { listed = 8, work = 20_000 }")
    assert Game.start(ruleset(game, tables), 1, 3).question == "play.act"
    assert Game.start(ruleset(game + never, tables), 1, 3).over
    monkeypatch.setattr("interpreter.plain.machine.SEARCH_SHARE", 0)
    machine_for.cache_clear()
    with pytest.raises(RulesError, match="too much work"):
        Game.start(ruleset(game + never, tables), 1, 3, backend="plain")
    machine_for.cache_clear()


def test_each_option_of_a_play_is_tried_with_what_hangs_on_it() -> None:
    """Not only whether the play can be begun: an option of its own behind which something is missing is left out."""
    rules = ruleset(GAME + "rule keeps_low after doing[lay](): require all(card in my.shown: card.value < 2)\n")
    for seed in range(40):
        game = Game.start(rules, 1, seed)
        worth = [card.name for zone in game.observe(0).zones if zone.name == "shown" for card in zone.pieces]
        low = [name for name in worth if name in ("r1", "r2", "g1")]
        if game.decision is None or game.decision.name != "act":
            assert not low, worth  # whatever is shown, a high card is left over
            continue
        game.answer("lay")
        kept = [card.name for zone in game.observe(0).zones if zone.name == "shown" for card in zone.pieces]
        assert game.over or game.decision is not None
        if game.over:
            assert kept and kept[0] in ("r1", "r2", "g1")


@pytest.mark.parametrize("mixing", ["shuffle deck", "roll sign in omens"])
def test_a_guard_goes_on_behind_chance_that_nothing_later_depends_on(mixing: str) -> None:
    """Neither what is shuffled nor what is rolled has to do with the cards that are needed: they are looked for."""
    mixes = f"rule mixes before doing[lay](): {mixing}\n"
    assert offered(GAME + mixes) == BOTH
    assert offered(GAME + mixes + EMPTIES) == []
    assert offered(GAME + EMPTIES + mixes) == []
    assert offered(GAME + PRICE + mixes + NEEDS_GOLD) == []
    assert offered(GAME + mixes + COST) == BOTH
    assert offered(GAME + mixes + COST + TOLL) == []


@pytest.mark.usefixtures("unchecked")
def test_a_dead_end_behind_chance_names_what_hangs_on_the_rule() -> None:
    rules = ruleset(GAME + "rule mixes before doing[lay](): move top(deck) to my.shown\n" + EMPTIES)
    game = Game.start(rules, 1, 3)
    with pytest.raises(RulesError) as found:
        game.answer("lay")
    assert "mixes" in found.value.hint and "empties" in found.value.hint
