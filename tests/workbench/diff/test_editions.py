"""The editions of a real game: every difference that matters in play has a witness, whatever the seed."""

from __future__ import annotations

import pytest

from warlock_dsl.files import available_overlays
from warlock_dsl.load import load
from workbench.diff.model import DiffReport
from workbench.diff.run import Plan, compare
from workbench.support.workers import worker_pool

HOUSE = sorted(
    found.name for found in available_overlays("maldorf") if not found.name.endswith(("fr", "de", "en", "errata"))
)


def report(a: str, b: str, seed: int) -> DiffReport:
    with worker_pool() as workers:
        return compare((load(a), load(b)), workers, Plan(seed), lambda *_: None)


def test_a_quick_pair() -> None:
    """A house rule that shows in the first deal."""
    [one] = report("maldorf", "maldorf+open_hands", 7).differences
    assert one.witness is not None and (one.witness.divergence, one.witness.decisions) == ("sight", 0)


@pytest.mark.long
@pytest.mark.parametrize(
    ("a", "b"), [("maldorf+en", "maldorf+fr"), ("maldorf+en", "maldorf+de"), ("maldorf+fr", "maldorf+de")]
)
@pytest.mark.parametrize("seed", [0, 20260801])
def test_every_difference_of_play_or_sight_is_seen(a: str, b: str, seed: int) -> None:
    found = report(a, b, seed)
    sought = [one for one in found.differences if one.kind in ("mechanical", "visibility")]
    assert len(sought) >= 8
    assert [one.id for one in sought if one.witness is None] == []
    assert all(one.witness.scenario for one in sought if one.witness is not None)


@pytest.mark.long
@pytest.mark.parametrize("name", HOUSE)
def test_every_house_rule_is_seen(name: str) -> None:
    found = report("maldorf", f"maldorf+{name}", 1)
    assert any(one.witness is not None for one in found.differences)
