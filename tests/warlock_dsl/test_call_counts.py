"""How often a rule is called at most: never less than in play; a limit that no game comes to is not warned about."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from interpreter import PlayError
from interpreter.ir.lower import lower
from interpreter.plain.machine import PlainMachine
from interpreter.state.layout import Layout
from interpreter.state.random import below, seeded
from interpreter.state.state import State
from tests.conftest import ruleset_named
from tests.random_rules.rulebook import seeded_case
from tests.random_rules.search import load_case
from tests.warlock_dsl.test_counted_on import told
from warlock_dsl.check.guards.call_counts import CallCounts
from warlock_dsl.ruleset import Ruleset

LIMIT = "    require my.mark < 3\n    add 1 to my.mark"


class Counted(PlainMachine):
    """The plain machine; it notes which player began which rule."""

    def __init__(self, ruleset: Ruleset, players: int) -> None:
        super().__init__(Layout(ruleset.program, ruleset.components, players), lower(ruleset.program), False)
        self.begun: Counter[tuple[int, Any]] = Counter()

    def push(self, s: State, rule: int, arguments: list[Any], me: Any) -> None:
        self.begun[rule, me] += not self.trying
        super().push(s, rule, arguments, me)


def exceeded(ruleset: Ruleset, players: int, seed: int, decisions: int) -> list[str]:
    """The rules that a game of random answers comes to more often than was said, by all or by one player."""
    machine, counts = Counted(ruleset, players), CallCounts(ruleset.program, ruleset.components)
    dice, state = seeded(seed), machine.start(seed)
    try:
        machine.run(state)
        while machine.count(state) and decisions:
            dice, pick = below(dice, machine.count(state))
            machine.choose(state, pick)
            machine.run(state)
            decisions -= 1
    except PlayError:
        pass  # what was begun until then counts
    found = []
    for number, rule in enumerate(ruleset.program.rules):
        begun = [times for (one, _), times in machine.begun.items() if one == number]
        everybody, one = counts.of(number)
        if sum(begun) > everybody or max(begun, default=0) > one:
            found.append(f"{rule.address}: {begun}, said {everybody}, {one}")
    return found


@pytest.mark.parametrize("name", ["maldorf", "maldorf+draft", "goblin-warlord", "warlock-1980", "hearts", "go-fish"])
def test_no_game_comes_to_a_rule_more_often(name: str) -> None:
    ruleset = ruleset_named(name)
    for players in {ruleset.components.min_players, ruleset.components.max_players}:
        assert exceeded(ruleset, players, players, 600) == []


def test_no_random_ruleset_does() -> None:
    bounded = 0
    for seed in range(60):
        ruleset = load_case(seeded_case(seed).files).ruleset
        if ruleset is not None:
            assert exceeded(ruleset, ruleset.components.max_players, seed, 60) == [], seed
            counts = CallCounts(ruleset.program, ruleset.components)
            bounded += sum(1 < counts.of(number)[0] < 10**6 for number in range(len(ruleset.program.rules)))
    assert bounded > 50


def limited(hook: str, was: str = "", now: str = "", more: str = "") -> list[str]:
    """What is told of a hook that limits a counter, on the small game of the tests of what is counted on."""
    return told(f"rule limit {hook}:\n{LIMIT}", was, now, more, added="mark")


@pytest.mark.parametrize("place", ["before turn()", "after turn()", "before look()", "after pay()"])
def test_a_limit_that_is_never_reached_is_not_told_of(place: str) -> None:
    """Each player has three turns, and begins all of that once a turn."""
    assert limited(place) == []


@pytest.mark.parametrize(
    ("hook", "was", "now", "more"),
    [
        ("before turn()", "repeat 3:", "repeat 4:", ""),
        ("before look()", "    deeds()\n", "    deeds()\n    look()\n", ""),  # called twice a turn
        ("before turn()", "for me in players: turn()", "for me in players + players: turn()", ""),
        ("before turn()", "for me in players: turn()", "for me in players: turn() by next(me)", ""),
        ("before turn()", "", "", "rule more after pay(): add 1 to my.mark"),  # another adds to it
        ("before turn()", "", "", "rule more after pay(): set my.mark to 3"),
        ("before turn()", "", "", "rule more after pay(): add 1 to next(me).mark"),
        ("before look()", "rule look: shuffle deck", "rule look:\n    shuffle deck\n    if any(heap): look()", ""),
    ],
)
def test_one_that_may_be_is(hook: str, was: str, now: str, more: str) -> None:
    assert "W336" in limited(hook, was, now, more)
