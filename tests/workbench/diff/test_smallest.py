"""The smallest table of a difference: small, lawful under both rulesets, and true to what it says."""

from __future__ import annotations

import tomllib

import pytest

from tests.workbench.diff.little import changed, compared, little
from warlock_dsl.load import load_files
from warlock_dsl.ruleset import Loaded
from warlock_dsl.stack import Use
from workbench.diff.as_scenario import tried
from workbench.diff.laid_out import Arranger, LaidOut, Spot
from workbench.diff.model import SmallTable
from workbench.diff.smallest import MAX_ANSWERS, MAX_NAMED


def table(a: Loaded, b: Loaded) -> SmallTable:
    """The table of the only difference, its scenario tried on the overlay of the difference alone."""
    [difference] = compared(a, b).differences
    witness = difference.witness
    assert witness is not None and witness.table is not None and a.ruleset is not None
    other = load_files(a.base, a.name, (), (*a.stack, (Use("alone"), witness.overlay))).ruleset
    assert other is not None and tried(witness.table.scenario, a.ruleset, other)
    return witness.table


@pytest.mark.parametrize(
    ("overlay", "rules", "divergence"),
    [
        (changed("zone.hand.sees", '"owner"', '"all"'), "", "sight"),
        (changed("colour.green.worth", "2", "3"), "", "outcome"),
        ("", "rule action[wait]: pass\n", "options"),
        ("", "score tokens = count(my.purse)\n", "score"),
    ],
)
def test_every_kind_of_divergence_has_a_small_table(overlay: str, rules: str, divergence: str) -> None:
    found = table(little(), little(overlay, rules))
    assert found.divergence == divergence
    assert found.named <= MAX_NAMED and len(found.answers) <= MAX_ANSWERS
    [scenario] = tomllib.loads(found.scenario)["scenario"]
    assert sum(len(pieces) for pieces in scenario["given"].get("zones", {}).values()) <= found.named
    assert len(found.setup) >= len(scenario["given"].get("zones", {}))


def test_only_what_is_needed_is_named() -> None:
    """A hand that is open shows with one card in it: in play there are four in each."""
    found = table(little(), little(changed("zone.hand.sees", '"owner"', '"all"')))
    assert (found.named, found.begins, found.answers, found.reached) == (1, "", (), False)


def test_a_table_on_which_a_law_of_the_other_ruleset_is_broken_is_not_taken() -> None:
    """With a law that nobody's hand is without a second card, one card in a hand is too small a table."""
    law = "invariant two_or_none = all(p in players: count(p.hand) is not 1)\n"
    a = little()
    b = little(changed("zone.hand.sees", '"owner"', '"all"'), law)
    opened = next(one for one in compared(a, b).differences if one.id == "zone.hand.sees")
    assert opened.witness is not None and opened.witness.table is not None
    assert opened.witness.table.named == 2
    assert b.ruleset is not None
    seats = ("ann", "ben")
    hand = opened.witness.table.setup[0][0]
    assert hand.startswith("hand")
    laid = LaidOut(seats, 0, (Spot("ben.hand", -1, "k01"),))
    with pytest.raises(Exception, match="two_or_none"):
        Arranger(b.ruleset, seats, 0).stage(laid)
