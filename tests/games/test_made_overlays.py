"""What a check tells of made house rules, against what happens in play."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.games.made_overlays import BODIES, TARGETS, House, stacked, stacks, told, untold, verdicts, witness

FRESH = 2  # the seed of stacks on which no analysis was made
MALDORF = ("hand", "mine", "deck", "discard")


@pytest.mark.parametrize(
    ("bodies", "target", "codes"),
    [
        ([("needs_b", "before")], "clear_bar", ["W336"]),  # nobody chooses it
        ([("needs_b", "before")], "power.orc", []),
        ([("needs_b", "after")], "action.draw", ["W336"]),  # behind a card that nobody sees
        ([("draws", "before")], "action.mine", []),  # a card more never hurts
        ([("mills", "before")], "action.draw", []),  # a card of the pile lies on the discards then: they are as good
        ([("draws", "before")], "action.draw", ["W335"]),  # it was perhaps the last one
        ([("at_most", "after")], "third_card", []),  # there are three
        ([("perhaps", "before")], "action.mine", ["W335"]),
        ([("cost", "before"), ("needs_two", "before")], "power.gnome", []),
        ([("costs_two", "before"), ("cost_b", "before")], "build", ["W336"]),  # a city of the bar must be built
    ],
)
def test_what_is_told_of_made_house_rules(bodies: list[tuple[str, str]], target: str, codes: list[str]) -> None:
    stack = tuple(House(body, when, target, MALDORF) for body, when in bodies)
    assert told(stacked("maldorf", stack)) == codes


def test_what_is_told_of_happens_and_what_is_not_does_not() -> None:
    """The tests below find what they look for."""
    told_of = (House("needs_b", "after", "action.draw", MALDORF),)
    assert "requirement does not hold" in witness(untold("maldorf", told_of), 4)
    assert witness(untold("maldorf", (House("needs_b", "before", "power.orc", MALDORF),)), 1) == ""


def test_made_house_rules_are_of_every_kind() -> None:
    for game, targets in TARGETS.items():
        made = [one for stack in stacks(game, 400) for one in stack]
        assert {one.body for one in made} == set(BODIES) and {one.target for one in made} == set(targets)


@pytest.mark.long
@pytest.mark.parametrize("game", sorted(TARGETS))
def test_three_in_four_that_are_told_of_have_a_dead_end_and_no_other_has(game: str) -> None:
    found: Counter[tuple[bool, bool]] = Counter()
    for one in verdicts(game, 120, 40, FRESH):
        assert one.codes or not one.seen, one
        found[bool(one.codes), bool(one.seen)] += 1
    print(found)  # (told of, seen)
    assert found[True, True] >= 3 * found[True, False], found
