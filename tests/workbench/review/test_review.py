"""`warlock review`: every part on house rules that are sound, careless, broken, or held against a bound on time."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from workbench.cli import main

GOOD = {
    "overlay.toml": '[overlay]\non = "connect-four"\nabout = "Five in a row"\n\n'
    '[[change]]\nat = "goal.streak"\nwas = 4\nnow = 5\n'
}
HEAD = '[overlay]\non = "connect-four"\nabout = "A test"\n'
FAILS = """[[scenario]]
name = "it is six"
players = ["ann", "ben"]

[[scenario.step]]
true = ["goal.streak is 6"]
"""
PARTS = ["check", "own_scenarios", "game_scenarios", "changes", "laws", "effect", "coverage", "mutants"]


def house_rule(root: Path, name: str, files: dict[str, str]) -> str:
    for file, text in files.items():
        path = root / "variants" / "connect-four" / name / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return f"connect-four+{name}"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def reviewed(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, dict[str, Any], dict[str, Any]]:
    """The exit code of a review, its data, and its parts by name."""
    code = main(["review", *words, "--json", "--jobs", "1", "--games", "16"])
    data = json.loads(capsys.readouterr().out)
    assert [part["part"] for part in data["parts"]] == PARTS
    return code, data, {part["part"]: part for part in data["parts"]}


def test_a_value_that_no_scenario_holds(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, data, parts = reviewed(capsys, house_rule(here, "five", GOOD))
    assert code == 0 and data["verdict"] == "look" and data["base"] == "connect-four"
    marks = {name: part["mark"] for name, part in parts.items()}
    assert marks == {
        "check": "ok", "own_scenarios": "look", "game_scenarios": "look", "changes": "ok",
        "laws": "ok", "effect": "ok", "coverage": "ok", "mutants": "look",
    }  # fmt: skip
    other = parts["game_scenarios"]["data"]["otherwise"]
    assert other and all(one["uses"] == ["goal.streak"] and one["before"] == "passed" for one in other)
    assert "too few games to tell, at least 30 are needed" in parts["effect"]["says"]
    assert parts["coverage"]["data"]["came_up"] == 1
    assert {"length", "decisions"} & {one["name"] for one in parts["effect"]["data"]["changes"]}
    assert parts["mutants"]["data"]["survivors"]


def test_the_same_seed_gives_the_same_review(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = house_rule(here, "five", GOOD)
    one, other = (reviewed(capsys, name, "--seed", "3")[1] for _ in range(2))
    assert one.pop("seconds") >= 0 and other.pop("seconds") >= 0
    assert one == other


def test_the_folder_of_an_overlay(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    house_rule(here, "five", GOOD)
    _, data, _ = reviewed(capsys, "variants/connect-four/five")
    assert (data["ruleset"], data["overlay"]) == ("connect-four+five", "five")


def test_an_overlay_of_an_overlay_is_compared_with_the_one_below(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    house_rule(here, "five", GOOD)
    text = HEAD + 'builds_on = ["five"]\n\n[[change]]\nat = "goal.streak"\nwas = 5\nnow = 6\n'
    _, data, parts = reviewed(capsys, "connect-four+five+" + house_rule(here, "six", {"overlay.toml": text})[13:])
    assert data["base"] == "connect-four+five"
    [one] = parts["changes"]["data"]["differences"]
    assert [unit["old"] for unit in one["readings"][0]["units"]] == ["5"]


# --------------------------------------------------------------------- wrong


def test_an_error_of_the_check_holds_everything_else(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = GOOD["overlay.toml"].replace("was = 4", "was = 3")
    code, data, parts = reviewed(capsys, house_rule(here, "stale", {"overlay.toml": text}))
    assert code == 1 and parts["check"]["mark"] == "wrong" and data["verdict"] == "wrong"
    assert {part["mark"] for name, part in parts.items() if name != "check"} == {"not run"}
    assert any("was expected to be 3, but is 4" in line for line in parts["check"]["lines"])


def test_a_scenario_of_its_own_that_fails(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, parts = reviewed(capsys, house_rule(here, "five", {**GOOD, "scenarios/six.toml": FAILS}))
    assert code == 1 and parts["own_scenarios"]["mark"] == "wrong"
    assert "six.toml:2: it is six: failed" in parts["own_scenarios"]["lines"]
    assert parts["mutants"]["mark"] == "not run" and "mend that first" in parts["mutants"]["says"]


def test_a_law_of_its_own_that_is_broken(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    law = "invariant low = all(s in shaft: count(vacant(s)) > 2)\n"
    name = house_rule(here, "low", {**GOOD, "low.warlock": law})
    code, _, parts = reviewed(capsys, name)
    assert code == 1 and parts["laws"]["mark"] == "wrong"
    assert parts["laws"]["data"]["own"] == ["low"] and parts["laws"]["data"]["broken_without_it"] == []
    assert "1 law broken" in parts["laws"]["says"] and any("invariant.low" in line for line in parts["laws"]["lines"])
    assert not list(here.glob("findings*"))


def test_findings_are_written_where_they_are_asked_for(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    law = "invariant low = all(s in shaft: count(vacant(s)) > 2)\n"
    reviewed(capsys, house_rule(here, "low", {**GOOD, "low.warlock": law}), "--out", "kept")
    assert sorted(path.suffix for path in (here / "kept").iterdir()) == [".json", ".toml", ".txt"]


# --------------------------------------------------------------------- look


def test_lines_that_never_come_up(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rule = "rule idle after turn(disc):\n    if goal.streak > 6: pass\n"
    _, _, parts = reviewed(capsys, house_rule(here, "idle", {"overlay.toml": HEAD, "idle.warlock": rule}))
    assert parts["coverage"]["mark"] == "look" and "never" in parts["coverage"]["says"]
    assert parts["coverage"]["data"]["games"] == 16
    assert any("+idle/idle.warlock:2" in line for line in parts["coverage"]["lines"])


def test_a_law_that_is_dropped_is_named(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["show", "connect-four", "invariant.in_turn", "--json"])
    digest = json.loads(capsys.readouterr().out)["definitions"][0]["facts"]["digest"]
    text = GOOD["overlay.toml"] + f'\n[drop]\n"invariant.in_turn" = "{digest}"\n'
    _, _, parts = reviewed(capsys, house_rule(here, "lawless", {"overlay.toml": text}))
    assert parts["laws"]["mark"] == "look" and parts["laws"]["says"].endswith("no longer a law: in_turn")


def test_a_bound_on_the_time_leaves_parts_out(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = house_rule(here, "five", GOOD)
    code, _, parts = reviewed(capsys, name, "--seconds", "0.000001")
    assert code == 0 and parts["check"]["mark"] == "ok"
    assert {part["says"] for part in parts.values() if part["mark"] == "not run"} == {"the time was over"}
    assert sum(part["mark"] == "not run" for part in parts.values()) == 7


# -------------------------------------------------------------------- output


def test_one_screen(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = house_rule(here, "five", GOOD)
    assert main(["review", name, "--jobs", "1", "--games", "8", "--html", "page.html"]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert shown[0] == "connect-four+five, compared with connect-four" and shown[1] == "Five in a row"
    assert [line.split()[0] for line in shown[3:11]] == ["ok", "look", "look", "ok", "ok", "ok", "ok", "look"]
    assert shown[-2:] == ["3 to look at, 5 ok; seed 0, 8 games", "written: page.html"] and len(shown) < 60
    page = (here / "page.html").read_text(encoding="utf-8")
    assert "Review of connect-four+five" in page and "goal.streak" in page and 'class="mark look"' in page


def test_a_game_alone_is_no_house_rule(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["review", "connect-four"]) == 2
    assert "name a game with an overlay" in capsys.readouterr().err
