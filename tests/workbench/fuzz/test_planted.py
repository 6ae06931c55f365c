"""Planted errors: `warlock fuzz` finds each by the law it breaks, and shrinks it to about the shortest game known."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from workbench.cli import main

ERRORS = Path(__file__).parents[2] / "planted" / "variants"
SECONDS = 60
MORE = 6  # decisions beyond the shortest game known

# By error: the laws that may tell of it, and the decisions of the shortest game known that shows it.
PLANTED = {
    "maldorf/uncounted_dragons": (("invariant.dragons_limited",), 45),
    "maldorf/kept_payment": (("invariant.spent_is_discarded", "invariant.spent_lies_open"), 11),
    "maldorf/equal_bids": (("invariant.bids_differ",), 69),
    "maldorf/guarded_ruin": (("invariant.guarded_is_safe",), 19),
    "maldorf/told_hand": (("hidden",), 11),
    "goblin-warlord/forgotten_band": (("invariant.goblins_conserved", "invariant.spare_camps_empty"), 20),
    "goblin-warlord/two_orders": (("invariant.order_is_given", "invariant.one_order_each"), 3),
    "goblin-warlord/sneaks_twice": (("invariant.one_sneak_a_turn",), 10),
    "goblin-warlord/no_exit": (("ends", "dead_end"), 1),
    "warlock-1980/skipped_defence": (("invariant.target_stands_next",), 8),
    "warlock-1980/greedy_learner": (("invariant.hands_limited",), 4),
    "warlock-1980/unpaid_spell": (("invariant.spent_are_not_awake",), 36),
}
QUICK = ("maldorf/kept_payment", "goblin-warlord/two_orders", "warlock-1980/greedy_learner")


def found(error: str, out: Path, capsys: pytest.CaptureFixture[str], *more: str) -> dict[str, Any]:
    code = main(["fuzz", str(ERRORS / error), "--first", "--json", "--out", str(out), *more])
    told = json.loads(capsys.readouterr().out)
    assert code == 1, f"{told['games']} games broke no law"
    return min(told["findings"], key=lambda finding: int(finding["decisions"]))


def judge(error: str, finding: dict[str, Any]) -> None:
    laws, shortest = PLANTED[error]
    assert finding["law"] in laws
    assert finding["decisions"] <= shortest + MORE
    assert len(finding["moves"]) == finding["decisions"]


def test_every_planted_error_is_on_the_list() -> None:
    there = {f"{path.parent.parent.name}/{path.parent.name}" for path in ERRORS.rglob("overlay.toml")}
    assert set(PLANTED) | {"maldorf/complete_attacked"} == there


@pytest.mark.parametrize("error", QUICK)
def test_an_error_is_found_quickly(error: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    judge(error, found(error, tmp_path, capsys, "--games", "12", "--jobs", "1"))


@pytest.mark.long
@pytest.mark.parametrize("error", PLANTED)
def test_an_error_is_found_within_a_minute(error: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    judge(error, found(error, tmp_path, capsys, "--seconds", str(SECONDS)))


@pytest.mark.long
def test_a_law_of_whole_empires_is_tested_by_play_that_aims_for_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Uniformly random play all but never completes an empire; branching off from the fullest ones does."""
    finding = found("maldorf/complete_attacked", tmp_path, capsys, "--seconds", "600")
    assert finding["law"] in ("invariant.guarded_is_safe", "invariant.traded_was_open")
