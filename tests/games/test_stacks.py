"""Overlays that hang costs, requirements and marks on the same rule, stacked in every order: no dead end."""

from __future__ import annotations

from functools import cache
from itertools import combinations, permutations
from pathlib import Path

import pytest

from interpreter import Game, RulesError
from tests.games.made_overlays import told
from warlock_dsl.diagnostics.diagnostic import Severity
from warlock_dsl.files import available, available_overlays
from warlock_dsl.load import load
from warlock_dsl.ruleset import Ruleset
from workbench.fuzz.bots import GUIDED_BOTS, GuidedBot

ROOT = Path(__file__).parents[2]
RULES = [ROOT / "rules"]
# What hangs before and after one power: two costs, a requirement, a due, a mark, and no attacks on the first day.
HOOKED = ("tribute", "war_chest", "war_council", "blood_money", "weary_orcs", "truce")
GAMES = 20
COLLIDE = {"W605", "W606", "W609", "W610", "W612", "W613", "W614"}  # what overlays that are no pair say of it


def ruleset_of(*names: str) -> Ruleset | None:
    """The ruleset of a stack; None for one that does not load."""
    return load("+".join(names), RULES).ruleset


def plays(ruleset: Ruleset, seeds: range, backend: str | None = None) -> None:
    """Games of the bots of `fuzz`, one kind after the other, with every law tested."""
    minimum, maximum = ruleset.components.min_players, ruleset.components.max_players
    for seed in seeds:
        game = Game.start(ruleset, minimum + seed % (maximum - minimum + 1), seed, backend=backend)
        bot = GuidedBot(ruleset, GUIDED_BOTS[seed % len(GUIDED_BOTS)], seed + 11, {})
        while not game.over:
            game.choose(bot.pick(game))


@pytest.mark.parametrize("pair", [("tribute", "war_council"), ("war_council", "tribute"), ("war_chest", "blood_money")])
def test_two_overlays_on_one_rule_play_on(pair: tuple[str, str]) -> None:
    ruleset = ruleset_of("maldorf", *pair)
    assert ruleset is not None
    plays(ruleset, range(1))


def test_all_of_them_at_once() -> None:
    ruleset = ruleset_of("maldorf", *HOOKED)
    assert ruleset is not None
    plays(ruleset, range(1))


def test_without_looking_behind_effects_there_is_a_dead_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """What these tests look for can be found: a guard that ends at the first effect offers what cannot be completed."""
    ruleset = ruleset_of("maldorf", "war_chest", "blood_money")
    assert ruleset is not None
    monkeypatch.setattr("interpreter.plain.machine.PlainMachine.looks_behind", lambda self, dry: False)
    with pytest.raises(RulesError) as found:
        plays(ruleset, range(GAMES), "plain")
    assert "'pay_warriors' (overlay war_chest)" in found.value.hint
    assert "'pay_blood_money' (overlay blood_money)" in found.value.hint


@pytest.mark.long
@pytest.mark.parametrize("stack", list(permutations(HOOKED, 2)), ids="+".join)
def test_every_pair_that_acts_in_both_orders(stack: tuple[str, ...]) -> None:
    ruleset = ruleset_of("maldorf", *stack)
    assert ruleset is not None
    plays(ruleset, range(GAMES))


@pytest.mark.long
@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("stack", list(combinations(HOOKED, 3))[::2], ids="+".join)
def test_triples_that_act_in_two_orders(stack: tuple[str, ...], turned: bool) -> None:
    ruleset = ruleset_of("maldorf", *(reversed(stack) if turned else stack))
    assert ruleset is not None
    plays(ruleset, range(GAMES))


PAIRS = [
    (game, one.name, other.name)
    for game in (found.name for found in available(RULES))
    for one, other in permutations(available_overlays(game, RULES), 2)
]


@cache
def alone(game: str, overlay: str) -> frozenset[str]:
    """What a check tells of one overlay, where it can do without others."""
    return frozenset(told(load(f"{game}+{overlay}", RULES)))


def same_rules(one: Ruleset, other: Ruleset | None) -> bool:
    """Whether the order of two overlays changes nothing at all: then both orders have the very same games."""
    return other is not None and (one.program, one.components) == (other.program, other.components)


@pytest.mark.long
@pytest.mark.parametrize("stack", PAIRS, ids="+".join)
def test_every_pair_of_shipped_overlays_in_both_orders(stack: tuple[str, ...]) -> None:
    """A pair that loads is sound, whichever comes first, and is not warned about; one that does not load says why it
    is none. One game's share alone: `-k maldorf`, or `-k maldorf+days` for one overlay below all others."""
    loaded = load("+".join(stack), RULES)
    if loaded.ruleset is None:
        errors = {one.code for one in loaded.diagnostics if one.severity is Severity.ERROR}
        assert errors and errors <= COLLIDE, errors
        return
    assert set(told(loaded)) <= alone(stack[0], stack[1]) | alone(stack[0], stack[2])
    if stack[1] < stack[2] or not same_rules(loaded.ruleset, ruleset_of(stack[0], stack[2], stack[1])):
        plays(loaded.ruleset, range(GAMES))
