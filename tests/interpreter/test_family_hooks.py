"""A hook on a whole family of rules, its key bound: `rule r after f[k in T](x)`."""

from __future__ import annotations

import pytest

from interpreter import Game, LawViolationError
from interpreter.machine import BACKENDS
from tests.interpreter.pair import same_games
from tests.interpreter.tiny import CARDS, TABLES, game, ruleset
from warlock_dsl.load import load_files

# Two families: one keyed by the rows of a table, one by keys of its own.
PLAYS = """
rule play:
    for me in players: move top(deck, 2) to my.hand
    for me in players:
        choose card in my.hand: power[card.colour](card)
        choose act in doing where can doing[act](): doing[act]()
    finish most(p in players: p.step)

rule power[red](card: card): move card to heap

rule power[green](it: card):
    may choose other in my.hand where other is not it: move other to heap
    move it to my.shown

rule power[blue](card: card):
    let next_one = next(me)
    move card to next_one.shown

rule doing[rest]: add 1 to my.step

rule doing[work]:
    require my.step < 50
    choose card in my.hand + my.shown: add card.value to my.step
"""
ON_ALL = "rule on_all after power[k in colour](card): "
LAW = "invariant told after power[k in colour](card) = "
HOOKS = (
    (ON_ALL + "if k is card.colour: add 7 to my.step\n", LAW + "my.step is was(my.step) + 7"),
    ("rule red_only after power[k in colour](card) where k is red: add 7 to my.step\n",
     "invariant told after power[k in colour](c) where k is red and c.colour is k = my.step is was(my.step) + 7"),
    (ON_ALL + "add was(count(c in my.hand where c.colour is k)) to my.step\n",
     LAW + "my.step is was(my.step) + was(count(c in my.hand where c.colour is k))"),
    ("rule early before power[kind in power](card):\n    let n = if kind is card.colour then 2 else 1000\n"
     "    may choose c in my.hand where c.colour is kind: add 0 to my.gold\n    add n to my.step\n",
     LAW + "my.step is was(my.step) + 2"),
    (ON_ALL + "add 5 to my.step\nrule again after on_all(card, k) where was(my.step) >= 0 and k is card.colour:\n"
     "    choose c in colour: add 1 to my.step\n", LAW + "my.step is was(my.step) + 6"),
    ("rule seen before doing[act in doing]() where act is rest: add 3 to my.step\n",
     "invariant told after doing[act in doing]() where act is rest = my.step is was(my.step) + 4"),
)  # fmt: skip


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(("hooks", "law"), HOOKS)
def test_it_runs_for_every_member_with_its_key(hooks: str, law: str, backend: str) -> None:
    broken = False
    for seed in range(6):
        for rules, wrong in ((f"{PLAYS}{hooks}{law}\n", False), (f"{PLAYS}{hooks}{law} + 1\n", True)):
            found = Game.start(ruleset(rules), 3, seed, backend=backend)
            try:
                while not found.over:
                    found.choose(seed % found.option_count)
            except LawViolationError:
                assert wrong
                broken = True
    assert broken


@pytest.mark.parametrize(("hooks", "law"), HOOKS)
def test_every_machine_plays_it_alike(hooks: str, law: str) -> None:
    for seed in range(3):
        assert game(f"{PLAYS}{hooks}{law}\n", 3, seed)
    rules = ruleset(f"{PLAYS}{hooks}{law}\n")
    same_games(rules, 3, range(3))


@pytest.mark.parametrize("backend", BACKENDS)
def test_its_requirements_are_part_of_every_guard(backend: str) -> None:
    hook = "rule tired before doing[act in doing](): require act is rest or my.gold > 0\n"
    found = Game.start(ruleset(PLAYS + hook), 3, 0, backend=backend)
    while not found.over:
        assert found.decision is not None
        assert "work" not in [option.key for option in found.decision.options]
        found.choose(0)


WRONG = (
    ("rule f after power[k in omen](card): add 1 to my.step", "rows of table 'colour', not of 'omen'"),
    ("rule f after power[k in color](card): add 1 to my.step", "rows of table 'colour', not of 'color'"),
    ("rule f after doing[k in colour](): add 1 to my.step", "are its own, not of 'colour'"),
    ("rule f after powr[k in colour](card): add 1 to my.step", "no family 'powr'"),
    ("rule f after play[k in colour](): add 1 to my.step", "no family 'play'"),
    ("rule f after power[k](card): add 1 to my.step", "names one member of the family"),
    ("rule f instead power[k in colour](card): add 1 to my.step", "stands in for one member"),
    ("rule f after power[k in colour](): add 1 to my.step", "takes 1 argument, 0 named here"),
    ("invariant f after power[k in omen](card) = true", "rows of table 'colour', not of 'omen'"),
    ("invariant f after finish[k in colour](w) = any(w)", "no family"),
)


@pytest.mark.parametrize(("text", "message"), WRONG)
def test_a_family_that_does_not_fit_is_told(text: str, message: str) -> None:
    loaded = load_files({"game.toml": TABLES, "cards.csv": CARDS, "rules.warlock": f"{PLAYS}{text}\n"}, "tiny")
    errors = [error for error in loaded.diagnostics if error.code == "W321"]
    assert loaded.ruleset is None and len(errors) == 1, [str(error) for error in loaded.diagnostics]
    assert message in errors[0].message
