"""The examples of the rulebooks under the French edition: each passes, or the edition has one of its own for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from warlock_dsl.load import load
from workbench.scenario.run import run_path

ROOT = Path(__file__).parents[2]
GAME = ROOT / "rules" / "maldorf" / "scenarios"
FRENCH = ROOT / "variants" / "maldorf" / "fr" / "scenarios"
# By file of the game: the differences for which one of its examples takes another course under the French edition.
OTHERWISE = {
    "ex-01-set-up": {"ED-01"},
    "ex-02-laying-down": {"ED-14", "ED-17"},
    "ex-03-four-uses": {"ED-17", "ED-18"},
    "ex-09-giant-skill": {"ED-42"},
    "ex-11-goblin-power": {"ED-42"},
    "ex-14-orc-power": {"ED-50"},
}


@pytest.mark.parametrize("name", sorted(path.stem for path in GAME.glob("ex-*.toml")))
def test_an_example_passes_or_a_difference_is_named(name: str) -> None:
    under = load("maldorf+fr", [ROOT / "rules"]).ruleset
    report = run_path(GAME / f"{name}.toml", lambda folder: load(folder, [ROOT / "rules"]), under)
    assert report.results
    assert report.passed == (name not in OTHERWISE), report.text()


def test_every_difference_named_has_scenarios_of_the_french_edition_that_pass() -> None:
    report = run_path(FRENCH, lambda folder: load(folder, [ROOT / "rules"]))
    assert report.passed, report.text()
    text = "\n".join(path.read_text() for path in sorted(FRENCH.glob("*.toml")))
    for difference in sorted(set().union(*OTHERWISE.values())):
        assert f'cites = ["{difference}"' in text
