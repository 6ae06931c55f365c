"""What the ledger says of a stack: followed, in another reading, set aside, not said; and what each document says."""

from __future__ import annotations

from pathlib import Path

import pytest

from warlock_dsl.load import load
from workbench.inspect.statements import said_where, statements
from workbench.inspect.traceability import Traces, trace

ROOT = Path(__file__).parents[3]


def traces_of(name: str) -> Traces:
    loaded = load(name, [ROOT / "rules"])
    assert loaded.ruleset is not None and loaded.final is not None
    return trace(loaded.ruleset, loaded.sources, loaded.final.modules)


def test_the_common_reading_says_what_it_does_not_follow() -> None:
    found = traces_of("maldorf")
    assert {id: one.differences for id, one in found.other_reading.items()} == {
        "exhaust.trigger": ("ED-09",), "build.over_removed": ("ED-35",), "wizard.power_own_protected": ("ED-55",),
    }  # fmt: skip
    assert {id: one.rulings for id, one in found.set_aside.items()} == {
        "deal.reshuffle_moment": ("AM-09",), "exhaust.target": ("AM-13",), "discard.second_face_up": ("AM-21",),
    }  # fmt: skip
    assert not found.silent and not found.unaccounted
    assert "visit_bar" in found.followed["post.hand_back"] and "clear_bar" not in found.followed["post.hand_back"]


@pytest.mark.parametrize(
    ("edition", "follows", "otherwise"),
    [
        ("en", "wizard.power_own_protected", None),
        ("en", "build.over_removed", None),
        ("fr", "deal.reshuffle_moment", "giant.skill_trigger"),
        ("fr", "discard.second_face_up", "dungeon.face_up"),
        ("de", "exhaust.trigger", "orc.power_complete"),
    ],
)
def test_an_edition_follows_what_its_own_book_says(edition: str, follows: str, otherwise: str | None) -> None:
    found = traces_of(f"maldorf+{edition}")
    assert follows in found.followed and not found.unaccounted
    if otherwise is not None:
        assert found.other_reading[otherwise].differences and otherwise not in found.followed


def test_an_erratum_takes_back_what_its_edition_says() -> None:
    assert "giant.skill_trigger" in traces_of("maldorf+fr").other_reading
    assert "giant.skill_trigger" in traces_of("maldorf+fr+fr_errata").followed


def test_what_a_book_does_not_say_is_not_left_over() -> None:
    assert traces_of("maldorf+en").silent == ("deal.source", "discard.reveal_simultaneous")


def test_every_rule_stands_in_one_place() -> None:
    for name in ("maldorf", "maldorf+en", "maldorf+fr", "maldorf+de", "goblin-warlord", "warlock-1980"):
        found = traces_of(name)
        groups = [found.followed, found.other_reading, found.set_aside, found.silent, found.idle, found.unaccounted]
        listed = [id for group in groups for id in group]
        ruleset = load(name, [ROOT / "rules"]).ruleset
        assert ruleset is not None and sorted(listed) == sorted(ruleset.components.ledger)


def test_each_document_is_given_its_own_words() -> None:
    ruleset = load("maldorf", [ROOT / "rules"]).ruleset
    assert ruleset is not None
    parts = ruleset.components
    said = statements(parts.ledger["dungeon.face_up"], parts.differences)
    assert [(one.document, one.status) for one in said] == [("en", "silent"), ("fr", "differs"), ("de", "same")]
    text = said_where(said)
    assert text.startswith("de 2.3 A; fr 2.3 A otherwise: it lies face down") and text.endswith("; en silent")
