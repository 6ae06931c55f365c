"""Sets by a stated total: the same sets in the same order as by trying them all, and forty pieces are no trouble."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from interpreter import Game
from interpreter.plain import questions, sets
from interpreter.plain.reachable_totals import ReachableTotals
from interpreter.state import random as chance
from warlock_dsl.load import load_files
from warlock_dsl.ruleset import Ruleset

TESTS = {
    "is": lambda total, other: total == other,
    "has": lambda total, other: total in other,
    "<": lambda total, other: total < other,
    "<=": lambda total, other: total <= other,
    ">": lambda total, other: total > other,
    ">=": lambda total, other: total >= other,
}
PARTS = st.lists(st.lists(st.integers(-4, 6).map(lambda n: 2 * n), max_size=3), max_size=5)


def free(amount: int) -> None:
    """Nobody counts the work."""


@settings(max_examples=300)
@given(PARTS, st.integers(0, 3), st.integers(0, 9), st.sampled_from(sorted(TESTS)), st.data())
def test_the_same_sets_in_the_same_order(
    members: list[list[int]], low: int, high: int, op: str, data: st.DataObject
) -> None:
    """Members of one class may add different numbers, negative ones too; a set may have been begun."""
    parts = [[*accumulate(one, initial=0)] for one in members]
    sizes = [len(one) for one in members]
    numbers = st.integers(-30, 40)
    other = data.draw(st.lists(numbers, max_size=4) if op == "has" else numbers)
    wanted = ReachableTotals(parts, (low, high), op, other, free)
    at = data.draw(st.integers(0, len(sizes)))
    start = tuple(data.draw(st.integers(0, size if place <= at else 0)) for place, size in enumerate(sizes))

    def fits(counts: Sequence[int]) -> bool:
        return TESTS[op](wanted.total(counts), other)

    for begun in ((None, 0), (start, at)):
        tried = [counts for counts in sets.all_sets(sizes, low, high, *begun) if fits(counts)]
        assert [*sets.all_sets(sizes, low, high, *begun, [wanted])] == tried


@given(st.lists(st.integers(1, 9), min_size=1, max_size=8), st.integers(1, 40))
def test_no_way_is_gone_that_leads_to_nothing(values: list[int], total: int) -> None:
    """Whatever can be met is met by some set: what is looked at, leads somewhere."""
    wanted = ReachableTotals([[0, value] for value in values], (0, len(values)), "is", total, free)
    for counts in product(*([0, 1] for _ in values)):
        for place in range(len(values)):
            later = [n for n in product(*([0, 1] for _ in values)) if n[:place] == counts[:place]]
            reached = any(n[place] >= counts[place] and wanted.is_met(n) for n in later)
            if not any(counts[place + 1 :]):
                assert wanted.can_be_met(counts, place) == reached


# ------------------------------------------------------------------------------------------------- in a game

TABLES = """
[game]
players = 2
limits = { listed = %d }

[kind.gem]
rows = "gems.csv"
fields = { worth = "number" }

[zone]
mine = { holds = "gem", start = "gem" }
gems = { each = "player", holds = "gem" }
"""
RULES = """
rule play:
    shuffle mine
    for p in players: move top(mine, %d) to p.gems
    for me in players: repeat 3: turn()
    finish most(p in players: total(p))

rule turn:
    %s
    else: pass

define worth(gems: [gem], more: number) = sum(g in gems where g.worth > 1: g.worth + more)

define closest(numbers: [number], n: number) = fewest(x in numbers: max(x - n, n - x))

score worth = sum(g in my.gems: g.worth)
"""
CHOICES = [
    "choose some gems in my.gems where sum(g in gems: g.worth) is 10: move gems to mine",
    "choose 2..4 gems in my.gems where sum(g in gems: g.worth) is 15: move gems to mine",
    "choose some gems in my.gems where worth(gems, 1) is 12 and count(g in gems where g.worth < 4) is 1:"
    " move gems to mine",
    "choose some gems in my.gems where sum(g in gems: 0.5 * g.worth) <= 2.5: move gems to mine",
    "choose some gems in my.gems"
    " where closest(sums(g in my.gems: [0, g.worth]), 11.5) has sum(g in gems: g.worth): move gems to mine",
]


def ruleset(choice: str, each: int, listed: int) -> Ruleset:
    sheet = "id,worth\n" + "".join(f"g{number},{1 + number * 5 % 9}\n" for number in range(2 * each))
    files = {"game.toml": TABLES % listed, "gems.csv": sheet, "rules.warlock": RULES % (each, choice)}
    loaded = load_files(files, "gems")
    assert loaded.ruleset is not None, [(one.code, one.message) for one in loaded.diagnostics]
    assert "W455" not in [one.code for one in loaded.diagnostics]
    return loaded.ruleset


def offers(rules: Ruleset, seed: int) -> list[tuple[str, ...]]:
    """What is on offer at each question of a game of random answers."""
    game, dice, found = Game.start(rules, 2, seed), chance.seeded(seed), []
    while not game.over:
        found.append(tuple(option.key for option in game.options()))
        dice, pick = chance.below(dice, game.option_count)
        game.choose(pick)
    return found


@pytest.mark.parametrize("choice", CHOICES)
def test_a_game_offers_what_trying_every_set_would(choice: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Few enough sets are listed either way."""
    rules = ruleset(choice, 7, 200)
    by_total = [offers(rules, seed) for seed in range(6)]
    assert any(by_total)
    monkeypatch.setattr(questions, "stated_totals", lambda question, defines: ())
    from interpreter.machine import machine_for

    machine_for.cache_clear()
    assert [offers(rules, seed) for seed in range(6)] == by_total
    machine_for.cache_clear()


@pytest.mark.parametrize("choice", [*CHOICES[:2], CHOICES[3], CHOICES[4]])
@pytest.mark.parametrize("listed", [60, 3])
def test_forty_pieces_each(choice: str, listed: int) -> None:
    """Of more than a million million sets: listed if those that fit are few, else asked for piece by piece."""
    rules = ruleset(choice, 40, listed)
    total = {"is 10": {10}, "is 15": {15}, "<= 2.5": {1, 2, 3, 4, 5}, "11.5": {11, 12}}
    wanted = next(totals for text, totals in total.items() if text in choice)
    for seed in range(2):
        game, dice = Game.start(rules, 2, seed), chance.seeded(seed)
        before = game.scores()[0].total
        turns = 0
        while not game.over:
            dice, pick = chance.below(dice, game.option_count)
            seat = game.to_move
            game.choose(pick)
            after = game.scores()[seat].total
            if after != before and game.to_move == seat:
                assert before - after in wanted
                turns += 1
            before = game.scores()[max(game.to_move, 0)].total
        assert turns
