"""What is written otherwise: gathered by the differences of the documents, or by what hangs together."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.workbench.diff.little import changed, little
from warlock_dsl.load import load
from workbench.diff.bots import Drive, drives, in_turn
from workbench.diff.editions import table_of_differences
from workbench.diff.relevance import ranks, scored, unread
from workbench.diff.structure import Strand, strands
from workbench.support.errors import UsageError

ROOT = Path(__file__).parents[3]
HOLDERS = ROOT / "tests" / "workbench" / "data" / "holders"


def by_id(a: str, b: str) -> dict[str, Strand]:
    return {strand.difference.id: strand for strand in strands(load(a), load(b))}


def test_the_editions_differ_where_the_documents_say() -> None:
    found = by_id("maldorf+en", "maldorf+de")
    assert list(found) == ["ED-02", "ED-12", "ED-14", "ED-20", "ED-25", "ED-33", "ED-35", "ED-51", "ED-55"]
    moving = found["ED-33"].difference
    assert moving.kind == "mechanical" and set(moving.says) == {"en", "fr", "de"}
    assert {"build.no_move", "build.no_move_exception"} <= set(moving.rules)
    assert all(one.document == "de" for source in moving.sources for one in source.said[-1:])
    targets = [unit.target for unit in moving.units]
    assert {"figure.limit.moves", "landings", "shift", "names.de.rule.shift"} <= set(targets)
    [jester] = [unit for unit in found["ED-20"].difference.units if unit.target == "covers"]
    assert jester.verb == "replace" and "jesters" in jester.old and "jesters" not in jester.new


def test_what_errata_mend_is_no_difference_any_more() -> None:
    """The points of the French errata are the common reading again; what is no slip still differs."""
    mended = {"ED-01", "ED-17", "ED-19", "ED-27", "ED-42"}
    before, after = set(by_id("maldorf+fr", "maldorf")), set(by_id("maldorf+fr+fr_errata", "maldorf"))
    assert mended <= before and not mended & after
    assert before - mended == after


def test_a_house_rule_is_one_difference_with_what_it_says_of_itself() -> None:
    [strand] = strands(load("maldorf"), load("maldorf+omens"))
    assert strand.difference.id == "action.castle"
    assert strand.difference.title == "Each day an omen names a race whose power rests"
    assert strand.difference.rules == ("castle.face_up", "castle.power_now", "power.trigger")


def test_kinds_of_differences_that_no_document_speaks_of() -> None:
    changes = changed("size.hand", "4", "3") + changed("zone.hand.sees", '"owner"', '"all"')
    found = {
        one.difference.id: one.difference for one in strands(little(), little(changes, "rule action[wait]: pass\n"))
    }
    assert {id: one.kind for id, one in found.items()} == {
        "size.hand": "value", "zone.hand.sees": "visibility", "action.wait": "rule",
    }  # fmt: skip
    assert found["size.hand"].rules == ("hands",)


def test_what_no_document_lists_is_called_by_what_became_of_it_or_as_its_overlay_says() -> None:
    hand = changed("size.hand", "4", "3")
    both = little(hand + changed("zone.hand.sees", '"owner"', '"all"'))
    for lang, said in (("en", "size.hand: another value"), ("fr", "size.hand\u202f: une autre valeur")):
        found = {row.difference.id: row.difference.title for row in table_of_differences((little(), both), lang)}
        assert found["size.hand"] == said
    [only] = table_of_differences((little(), little(hand, about="Three cards in a hand")))
    assert only.difference.title == "Three cards in a hand"


def test_the_same_twice_and_different_games() -> None:
    assert strands(little(), little()) == ()
    with pytest.raises(UsageError, match="are different games"):
        strands(little(), load(str(HOLDERS)))


# ------------------------------------------------------------------- what it is about


def test_what_lies_near_a_difference() -> None:
    """Where a dragon goes that is built over: a full grid is what to look for, and the rules lead there."""
    a = load("maldorf+en")
    over = next(one for one in strands(a, load("maldorf+de")) if one.difference.id == "ED-35")
    found = ranks(a, over.units)
    assert found["lost"] == 0 and 0 < found["empire"] <= 3
    assert a.ruleset is not None
    wanted = drives(a.ruleset.components, found)
    assert Drive("zone", "empire") in wanted[:6] and wanted[-1] == Drive("score")


def test_what_no_rule_reads_and_what_the_points_depend_on() -> None:
    a = load("maldorf+en")
    found = {one.difference.id: one.units for one in strands(a, load("maldorf+fr"))}
    assert unread(a, found["ED-02"]) == "size.reference_cards"
    assert not any(unread(a, units) for id, units in found.items() if id != "ED-02")
    assert [id for id, units in found.items() if scored(a, units)] == ["ED-57"]


def test_wishes_are_heard_in_turn() -> None:
    one, two, three = Drive("zone", "a"), Drive("zone", "b"), Drive("zone", "c", False)
    assert in_turn([[one, two], [three, one]]) == [one, three, two]
    assert str(three) == "less c"
