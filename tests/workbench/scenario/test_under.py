"""Scenarios under other rules than their own: positions fit them, and what they do not have is no failure."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

import pytest

from tests.conftest import ruleset_named
from warlock_dsl.load import load_files
from warlock_dsl.ruleset import Loaded, Ruleset
from workbench.cli import main
from workbench.scenario.model import Report, Result
from workbench.scenario.run import read_scenarios, run_path, run_scenario

ROOT = Path(__file__).parents[3]
SMALL = Path(__file__).parents[1] / "data" / "small"
HEAD = '[[scenario]]\nname = "x"\nplayers = ["anna", "ben"]\n'
CHANGES = {
    "game.toml": [
        ('stock = { holds = "card", sees = "none", start = "card" }', 'stock = { holds = "card", sees = "none" }'),
        ("[zone]\n", '[figure.size]\ncards = 11\n[zone]\nchest = { holds = "card", start = "card" }\n'),
    ],
    "rules.warlock": [
        ("rule play:\n", "rule play:\n    move top(chest, size.cards) to stock\n"),
        ("invariant few", "invariant kept = count(everywhere[card]) - count(chest) is size.cards\ninvariant few"),
    ],
}


@cache
def rules(name: str, *changes: tuple[str, str]) -> Ruleset:
    """The small game with its cards in a chest from which the set-up takes them, and with these changes."""
    files = {path.name: path.read_text(encoding="utf-8") for path in SMALL.iterdir()}
    for file, pairs in CHANGES.items():
        for old, new in pairs:
            assert old in files[file], old
            files[file] = files[file].replace(old, new)
    for old, new in changes:
        assert any(old in text for text in files.values()), old
        files = {file: text.replace(old, new) for file, text in files.items()}
    loaded = load_files(files, name)
    assert loaded.ruleset is not None, loaded.diagnostics
    return loaded.ruleset


def whole() -> Ruleset:
    return rules("whole")


def fewer() -> Ruleset:
    """Two red cards stay in the chest."""
    return rules("fewer", ("cards = 11", "cards = 9"))


def under(body: str, other: Ruleset, own: Ruleset | None = None) -> Result:
    """One scenario of its own rules, where it passes, run under others."""
    own = own or whole()
    text = HEAD + body
    [scenario], errors = read_scenarios(text, "test.toml", lambda _: own, "own")
    assert not errors and run_scenario(own, scenario).passed, (errors, run_scenario(own, scenario).failures)
    [scenario], errors = read_scenarios(text, "test.toml", lambda _: own, "own", other)
    assert not errors, errors
    return run_scenario(other, scenario)


# ------------------------------------------------------------------ positions


def test_rest_leaves_out_what_the_rules_do_not_play_with() -> None:
    result = under(
        """
    given.zones = { "anna.hand" = ["red", "blue"] }
    given.rest = { card = "stock" }
    given.begin = "turn() by anna"
    [[scenario.step]]
    asks = "anna"
    true = ["count(stock) is size.cards - 2", "count(chest) is 11 - size.cards"]
    zones = { "anna.hand" = ["red", "blue"] }
    """,
        fewer(),
    )
    assert result.passed, result.failures


def test_a_real_game_takes_no_piece_from_those_left_out() -> None:
    result = under(
        """
    given.at = { rule = "turn" }
    given.zones = { "anna.hand" = ["red"], "ben.hand" = ["blue"] }
    given.rest = { card = "stock" }
    [[scenario.step]]
    true = ["count(chest) is 11 - size.cards"]
    """,
        fewer(),
    )
    assert result.passed, result.failures


def test_what_the_own_set_up_leaves_where_it_starts_is_part_of_the_game() -> None:
    """A pile from which some are dealt is no chest: all its pieces are in the game, under a larger deal too."""
    drop = ("invariant kept = count(everywhere[card]) - count(chest) is size.cards\n", "")
    own, other = (rules("dealt", ("top(chest, size.cards)", f"top(chest, {many})"), drop) for many in (4, 5))
    body = 'given.rest = { card = "stock" }\n[[scenario.step]]\ntrue = ["count(stock) is 11"]'
    assert under(body, other, own).passed


def test_a_difference_is_a_failure_still() -> None:
    body = 'given.rest = { card = "stock" }\n[[scenario.step]]\ntrue = ["count(stock) is 11"]'
    result = under(body, fewer())
    assert (result.outcome, result.failures[0].found) == ("failed", "false: 9 is 11")


# ------------------------------------------------------------ what is not there


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("given.zones = { 'ben.hand' = ['R-1'] }", "there is no piece 'R-1'"),
        ("given.grids = { 'ben.board' = ['R-2 .', '. .'] }", "there is no piece 'R-2'"),
        ("given.variables = { 'R-1.turned' = true }", "there is no piece 'R-1'"),
        (
            "given.zones = { 'ben.hand' = ['red*2'] }",
            "the position needs 2 of 'red': 1 left that nothing else has taken",
        ),
    ],
)
def test_pieces_the_rules_do_not_play_with_are_told_and_no_failure(body: str, reason: str) -> None:
    result = under(body + "\n[[scenario.step]]\nover = false", fewer())
    assert result.outcome == "not run" and not result.passed and not result.failures
    assert result.obstacle is not None and result.obstacle.reason == f"under fewer {reason}"
    assert result.obstacle.span.line == 4


def test_a_piece_that_only_a_step_names() -> None:
    result = under(
        """
    given.zones = { "anna.hand" = ["R-3", "red"] }
    given.rest = { card = "stock" }
    given.begin = "turn() by anna"
    [[scenario.step]]
    asks = "anna"
    answers = ["lay", "R-1"]
    """,
        rules("fewer", ("cards = 11", "cards = 10")),
    )
    assert result.obstacle is not None and result.obstacle.reason == "under fewer there is no piece 'R-1'"


@pytest.mark.parametrize(
    ("change", "body", "reason"),
    [
        (("R-1,red,1\n", ""), "given.zones = { 'ben.hand' = ['R-1'] }", "there is no piece 'R-1'"),
        (
            ("rule pick(n: number)", "rule pick(n: number, m: number)"),
            "given = { begin = 'pick(0)', rest = { card = 'stock' } }",
            "'pick' takes 2 ",
        ),
        (("2..3", "3..3"), "given.variables = { turns = 1 }", "under other the game is for 3 to 3 players, not 2"),
    ],
)
def test_whatever_else_the_rules_do_not_have(change: tuple[str, str], body: str, reason: str) -> None:
    result = under(body + "\n[[scenario.step]]\nover = false", rules("other", change))
    assert result.obstacle is not None and reason in result.obstacle.reason


def test_a_mistake_in_the_file_is_an_error_under_any_rules() -> None:
    text = HEAD + "given.zones = { 'ben.hand' = ['rad'] }\n[[scenario.step]]\nover = false"
    found, errors = read_scenarios(text, "test.toml", lambda _: whole(), "own", fewer())
    assert not found and [error.code for error in errors] == ["W510"]


def test_under_its_own_rules_want_of_pieces_is_a_failure() -> None:
    text = HEAD + "given.zones = { 'ben.hand' = ['red*4'] }\n[[scenario.step]]\nover = false"
    [scenario], _ = read_scenarios(text, "test.toml", lambda _: whole(), "own", whole())
    assert run_scenario(whole(), scenario).outcome == "failed"


# -------------------------------------------------------------------- reports


def report_of(tmp_path: Path, *bodies: str, folder: str = "game/scenarios", own: Ruleset | None = None) -> Report:
    (tmp_path / folder).mkdir(parents=True)
    file = tmp_path / folder / "x.toml"
    texts = [HEAD.replace('"x"', f'"{number}"') + body for number, body in enumerate(bodies)]
    file.write_text("\n".join(texts), encoding="utf-8")
    return run_path(file, lambda _: Loaded(own, (), {}), fewer())


PASSES = "[[scenario.step]]\nover = false"
FAILS = "given.rest = { card = 'stock' }\n[[scenario.step]]\ntrue = ['count(stock) is 11']"
NAMES_ONE = "given.zones = { 'ben.hand' = ['R-1'] }\n[[scenario.step]]\nover = false"


def test_what_is_not_run_is_counted_apart(tmp_path: Path) -> None:
    report = report_of(tmp_path, PASSES, FAILS, NAMES_ONE, own=whole())
    assert report.text().endswith("3 scenarios in 1 file, 1 passed, 1 failed, 1 not run")
    assert "NOT RUN " in report.text() and "under fewer there is no piece 'R-1'" in report.text()
    data = json.loads(json.dumps(report.data()))
    assert (data["failed"], data["not_run"]) == (1, 1)
    assert [one["outcome"] for one in data["scenarios"]] == ["passed", "failed", "not run"]
    assert data["scenarios"][2]["reason"] == "under fewer there is no piece 'R-1'"


def test_what_is_not_run_does_not_fail_and_does_not_pass(tmp_path: Path) -> None:
    assert report_of(tmp_path / "a", PASSES, NAMES_ONE, own=whole()).passed
    assert not report_of(tmp_path / "b", NAMES_ONE, own=whole()).passed


def test_a_ruleset_that_is_overridden_is_told(tmp_path: Path) -> None:
    said = 'ruleset = "whole"\n' + PASSES
    report = report_of(tmp_path, said, PASSES, said, own=whole())
    assert report.text().startswith(f'{report.files[0]}: 2 scenarios with ruleset = "whole", run under fewer instead\n')
    assert [one["overrides"] for one in report.data()["scenarios"]] == ["whole", "", "whole"]
    assert report.passed


def test_rules_that_cannot_be_had_are_overridden_too(tmp_path: Path) -> None:
    report = report_of(tmp_path, 'ruleset = "gone"\n' + PASSES, PASSES)
    assert report.passed and 'ruleset = "gone", run under fewer' in report.text()


def test_a_file_in_the_folder_of_no_game_runs_under_what_is_named(tmp_path: Path) -> None:
    assert report_of(tmp_path, PASSES, folder="elsewhere").passed


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "x.toml"
    text = '[[scenario]]\nname = "x"\nplayers = ["anna", "ben"]\n[[scenario.step]]\nover = false\n'
    file.write_text(text, encoding="utf-8")
    assert main(["test", str(file), "--under", "tic-tac-toe"]) == 0
    file.write_text(text.replace("players", 'ruleset = "connect-four"\nplayers'), encoding="utf-8")
    assert main(["test", str(file), "--under", "tic-tac-toe"]) == 0
    assert '1 scenario with ruleset = "connect-four", run under tic-tac-toe instead' in capsys.readouterr().out


# ------------------------------------------------------------ what is shipped


@pytest.mark.parametrize("edition", ["fr", "en", "de"])
def test_no_position_of_the_game_breaks_the_laws_of_an_edition(edition: str) -> None:
    """The French edition has five cards fewer: nothing fails for want of them."""
    own = ruleset_named("maldorf")
    report = run_path(ROOT / "rules" / "maldorf", lambda _: Loaded(own, (), {}), ruleset_named(f"maldorf+{edition}"))
    assert not report.diagnostics
    assert report.count("passed") > 100 and report.not_run < 20
    assert "invariant" not in report.text()


def test_the_report_in_the_manual(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    text = (ROOT / "docs" / "scenarios.md").read_text(encoding="utf-8")
    [(call, shown)] = re.findall(r"```console\n\$ warlock (test [^\n]*)\n(.*?)```", text, re.DOTALL)
    assert main(call.split()) == 0
    assert capsys.readouterr().out == shown
