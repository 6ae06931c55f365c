"""What a stack changes, in sentences."""

from __future__ import annotations

from pathlib import Path

from warlock_dsl.load import load
from workbench.inspect.summary import Changed, changes_in_words

ROOT = Path(__file__).parents[3]


def changes(name: str) -> list[Changed]:
    ruleset = load(name, [ROOT / "rules"]).ruleset
    assert ruleset is not None
    return list(changes_in_words(ruleset))


def test_an_edition_speaks_in_the_words_of_its_document() -> None:
    (found,) = changes("maldorf+fr")
    assert found.about == "The French edition to the letter"
    assert "Whether a card in the castle lies open: face down (ED-18)" in found.sentences
    assert not any("option." in sentence for sentence in found.sentences)


def test_an_erratum_says_what_it_does_about_a_difference() -> None:
    _, found = changes("maldorf+fr+fr_errata")
    assert "Number of wizard cards: race.wizard.cards is 25, was 20 (ED-01)" in found.sentences


def test_a_house_rule_says_what_was_and_where_its_rules_hang() -> None:
    dragons, tribute = changes("maldorf+dragons(limit=2)+tribute")
    assert dragons.sentences == ("limit.dragons is 2, was 3", "relation.none_leaves_least is added")
    assert tribute.sentences == ("give_captive is added, before power.orc", "3 names or looks")


def test_a_game_alone_changes_nothing() -> None:
    assert changes("maldorf") == []
