"""Results of scenarios beside the declarations that they use."""

from __future__ import annotations

from pathlib import Path

from warlock_dsl import Loaded, load_files
from workbench.service.margin import Margin, changed, ran

GAME = Path(__file__).parents[3] / "rules" / "classics" / "tic-tac-toe"
SCENARIO = """
[[scenario]]
name = "who is asked next"
players = ["ann", "ben"]

[scenario.given]
begin = "play()"

[[scenario.step]]
answers = ["ann: board@0,0"]

[[scenario.step]]
asks = "ben"

[[scenario]]
name = "of another stack"
ruleset = "tic-tac-toe+nowhere"
players = ["ann", "ben"]

[[scenario.step]]
asks = "ann"
"""


def loaded(more: str = "") -> Loaded:
    files = {file.name: file.read_text() for file in GAME.iterdir() if file.suffix in (".toml", ".warlock")}
    files |= {f"names/{file.name}": file.read_text() for file in (GAME / "names").glob("*.toml")}
    found = load_files({**files, "rules.warlock": files["rules.warlock"] + more}, "tic-tac-toe")
    assert found.ruleset is not None, found.diagnostics
    return found


def run(found: Loaded, margin: Margin, text: str = SCENARIO) -> list[str]:
    assert found.ruleset is not None
    results = ran(found.ruleset, {"scenarios/a.toml": text}, margin, lambda case: True)
    return [f"{one['name']}: {one['outcome']}" for one in results]


def test_what_a_scenario_uses_has_its_result() -> None:
    margin = Margin()
    assert run(loaded(), margin) == ["who is asked next: passed"]
    rows = {row["address"]: row for row in margin.data()["rules.warlock"]}
    assert rows["play"]["passed"] == rows["play"]["count"] == 1 and rows["play"]["failed"] == []


def test_one_that_fails_is_named() -> None:
    margin = Margin()
    assert run(loaded(), margin, SCENARIO.replace('asks = "ben"', 'asks = "ann"')) == ["who is asked next: failed"]
    row = next(row for row in margin.data()["rules.warlock"] if row["address"] == "play")
    assert row["passed"] == 0 and row["failed"][0]["name"] == "who is asked next"


def test_what_touches_a_change() -> None:
    margin, old = Margin(), loaded()
    run(old, margin)
    new = loaded("\ndefine never_used = 3\n")
    addresses = changed(old, new)
    case = next(iter(margin.cases))
    assert addresses == {"never_used"} and not margin.touches(case, addresses)
    assert margin.touches(case, frozenset({"play"}))
    assert margin.touches(("scenarios/new.toml", 1), addresses), "one that never ran may touch anything"
