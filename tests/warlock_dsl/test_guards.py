"""What comes too late for a guard: requirements after an effect, and needs behind what nobody can foresee."""

from __future__ import annotations

import pytest

from tests.interpreter.tiny import CARDS, TABLES
from warlock_dsl.diagnostics.diagnostic import Severity
from warlock_dsl.load import load_files

PLAY = """
rule play:
    for me in players: turn()
    finish(players)

rule turn:
    choose act in doing: doing[act]()
    else: pass

rule doing[lay]:
    choose card in my.shown: move card to heap

rule doing[rest]: add 1 to my.step
"""
POWERS = """
rule power[red](card: card):
    require my.gold > 0
    take 1 from my.gold

rule power[green](card: card): add 1 to my.gold

rule power[blue](card: card): pass
"""


def told(rules: str) -> list[tuple[str, int]]:
    """The errors of rules, each with the line of them where it is."""
    loaded = load_files({"game.toml": TABLES, "cards.csv": CARDS, "play.warlock": PLAY, "rules.warlock": rules}, "tiny")
    errors = [error for error in loaded.diagnostics if error.severity is Severity.ERROR]
    assert all(error.span.file == "rules.warlock" for error in errors), errors
    return [(error.code, error.span.line) for error in errors]


def act(*lines: str) -> str:
    return "\n".join(("rule doing[act]:", *(f"    {line}" for line in lines))) + "\n"


LATE = [
    (act("add 1 to my.step", "require my.gold > 0"), 3),
    (act("roll sign in omens", "require my.gold > 0"), 3),
    (act("for p in players: pass", "require my.gold > 0"), 3),
    (act("for p in players: require p.gold > 0"), 2),
    (act("repeat 2: require my.gold > 0"), 2),
    (act("if my.gold > 1: take 1 from my.gold", "require my.gold > 0"), 3),
    (act("may choose card in my.hand: move card to heap", "require my.gold > 0"), 3),
    (act("choose card in my.hand", "move card to heap", "power[card.colour](card)") + POWERS, 4),
    (act("choose card in my.hand", "move card to heap", "power[red](card)") + POWERS, 4),
    (act("choose card in my.hand where can power[blue](card)", "move card to heap", "power[red](card)") + POWERS, 4),
    (act("add 1 to my.step", "second()") + "rule second: third()\nrule third: require my.gold > 0\n", 3),
]


@pytest.mark.parametrize(("rules", "line"), LATE)
def test_a_requirement_after_an_effect_is_an_error(rules: str, line: int) -> None:
    assert told(rules) == [("W334", line)]


IN_TIME = [
    act("require my.gold > 0", "take 1 from my.gold"),
    act("choose card in my.hand", "require card.value > 1", "move card to heap"),
    act("add 1 to my.step", "choose card in my.hand", "require card.value > 1", "move card to heap"),
    act("repeat 2:", "    may choose card in my.hand: power[card.colour](card)") + POWERS,
    act("choose card in my.hand", "power[card.colour](card)") + POWERS,
    act("choose card in my.hand where can power[card.colour](card)", "move card to heap", "power[card.colour](card)")
    + POWERS,
    act("choose card in my.hand", "move card to heap", "if can power[red](card): power[red](card)") + POWERS,
    act("add 1 to my.step", "power[green](deck[1])") + POWERS,
    "rule after_all after doing[rest](): require my.gold > 0\n",  # guards look behind effects for hooks
]


@pytest.mark.parametrize("rules", IN_TIME)
def test_a_requirement_that_a_guard_tests_is_none(rules: str) -> None:
    assert told(rules) == []


BLIND = [
    "rule draws before doing[lay](): move top(deck) to my.shown\n\n"
    "rule few before doing[lay](): require count(my.shown) < 3\n",
    "rule draws before doing[lay](): move top(my.shown) to heap, top(deck) to my.shown\n",
    "rule draws before doing[lay]() where my.gold > 1: draw(1, heap, my.shown, my.hand)\n",
    "rule robs before doing[lay]():\n    may choose p in opponents, card in p.hand: swap card with first(my.shown)\n",
    "rule rolls before doing[lay]():\n    roll sign in omens\n    if sign is sun: move my.shown to heap\n",
    "rule rolls before doing[rest]():\n    roll sign in omens\n    set my.gold to sign.worth * 2\n\n"
    "rule needs before doing[rest](): require my.gold > 0\n",
    "rule rolls before doing[rest]():\n    roll sign in omens\n    set my.gold to sign.worth * 2\n\n"
    "rule passes_on before doing[rest](): set my.step to my.gold\n\n"
    "rule needs after doing[rest](): require my.step > 0\n",
    "rule other instead doing[rest]():\n    roll card in my.hand\n    move card to heap\n\n"
    "rule owes after doing[rest](): choose card in my.hand: move card to heap\n",
]


@pytest.mark.parametrize("rules", BLIND)
def test_a_need_behind_what_nobody_can_foresee_is_an_error(rules: str) -> None:
    assert [code for code, _ in told(rules)] == ["W335"]


SEEN = [
    "rule draws before doing[lay](): move top(deck) to my.shown\n",  # more never hurts
    "rule draws before doing[lay](): draw(1, deck, heap, my.shown)\n",
    "rule mixes before doing[lay](): shuffle my.shown\n",
    "rule draws before doing[lay](): move top(deck) to my.shown\n\n"
    "rule needs before doing[lay](): require count(my.shown) >= 2, any(c in my.shown where c.value > 1)\n",
    "rule draws before doing[rest](): move top(deck) to my.hand\n\n"
    "rule needs after doing[rest]():\n    choose pile in [my.hand, my.shown] where any(pile) or any(my.hand)\n"
    "    move top(pile) to heap\n",
    "rule draws before turn(): move top(deck) to my.hand\n",  # `turn` does without
    "rule draws before doing[lay](): move top(deck) to my.hand\n",  # shown cards are needed, no others
    "rule mixes before doing[lay](): shuffle deck\n",
    "rule draws after doing[lay](): move top(deck) to my.shown\n",
    "rule draws before doing[rest](): move top(deck) to my.shown\n",  # which needs nothing
    "rule costs before doing[lay](): choose card in my.hand: move card to my.shown\n",
    "rule shows before doing[lay](): move top(heap) to my.shown\n",  # the top of it everybody sees
    "rule needs before doing[lay](): require my.gold > 0\n\n"
    "rule draws before doing[lay](): move top(deck) to my.hand\n",
    "rule draws before doing[rest](): move top(deck) to my.hand\n\n"
    "rule picks after doing[rest](): choose min(1, count(my.hand)) cards in my.hand: move cards to heap\n",
    "rule draws before doing[rest](): move top(deck) to my.hand\n\n"
    "rule picks after doing[rest]() where any(my.hand): choose card in my.hand: move card to heap\n",
]


@pytest.mark.parametrize("rules", SEEN)
def test_what_is_proven_or_unrelated_is_none(rules: str) -> None:
    assert told(rules) == []


# Hooks where no guard looks, and what ends the guard there; none where a guard looks.
UNGUARDED = [
    ("rule taxed before turn(): require my.gold > 0\n", "nobody chooses to begin 'turn'"),
    ("rule taxed before turn(): choose card in my.hand: move card to heap\n", "nobody chooses to begin 'turn'"),
    ("rule taxed before turn():\n    choose card in my.hand: move card to heap\n    else: pass\n", ""),
    ("rule taxed before turn() where any(my.hand): choose card in my.hand: move card to heap\n", ""),
    ("rule taxed before turn() where any(my.hand): due()\n\nrule due: choose card in my.hand: move card to heap\n", ""),
    ("rule taxed before doing[lay](): require my.gold > 0\n", ""),
    ("rule taxed after doing[lay](): require my.gold > 0\n", ""),
    ("rule taxed after doing[luck](): require my.gold > 0\n", "where no guard looks"),
    ("rule taxed after doing[two](): require my.gold > 0\n", "where no guard looks"),
    ("rule taxed before second(): require my.gold > 0\n", ""),
    ("rule taxed after second(): require my.gold > 0\n", "where no guard looks"),
    ("rule taxed after doing[maybe](): require my.gold > 0\n", ""),
    ("rule taxed after doing[maybe](): require any(my.hand)\n", "where no guard looks"),
    ("rule taxed before sure(): move my.shown to heap\n", "nobody chooses to begin 'sure'"),
    ("rule taxed before sure(): move top(deck) to my.shown\n", ""),
    ("rule taxed after doing[rest](): move my.shown to heap\n", "nobody chooses to begin 'sure'"),
    ("rule taxed after doing[rest](): move my.hand to heap\n", ""),
    ("rule taxed before tested(): require my.gold > 0\n", ""),
    ("rule taxed before untested(): require my.gold > 0\n", "nobody chooses to begin 'untested'"),
]
MORE = """
rule play:
    for me in players: turn()
    for me in players: sure()
    for me in players: if can tested(): tested()
    for me in players: if my.gold > 1: untested()
    finish(players)

rule turn:
    choose act in doing: doing[act]()
    else: pass

rule doing[lay]: choose card in my.shown: move card to heap

rule doing[rest]: add 1 to my.step

rule doing[luck]:
    roll sign in omens
    if sign is sun: add 1 to my.gold

rule doing[two]:
    repeat 2:
        choose card in my.hand: move card to heap
        else: pass

rule doing[twice]: repeat 2: may choose card in my.hand: second()

rule second:
    move top(deck) to my.hand
    add 1 to my.step

rule doing[maybe]: may choose card in my.hand: move card to heap

rule sure: choose card in my.shown: move card to heap

rule tested: add 1 to my.step

rule untested: add 1 to my.step
"""


@pytest.mark.parametrize(("rules", "why"), UNGUARDED)
def test_a_need_where_no_guard_looks_is_told(rules: str, why: str) -> None:
    files = {"game.toml": TABLES, "cards.csv": CARDS, "play.warlock": MORE, "rules.warlock": rules}
    loaded = load_files(files, "tiny")
    assert loaded.ruleset is not None, [(one.code, one.message) for one in loaded.diagnostics]
    told = [one.message for one in loaded.diagnostics if one.code == "W336"]
    assert [why in one for one in told] == ([True] if why else []), told
