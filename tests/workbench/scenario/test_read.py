"""Scenario files: every error has its place, its code and a hint; hostile files end in seconds; whole folders run."""

from __future__ import annotations

import json
import time
from functools import cache
from pathlib import Path

import pytest

from warlock_dsl.diagnostics.codes import codes_of
from warlock_dsl.diagnostics.diagnostic import Diagnostic
from warlock_dsl.load import load, load_files
from warlock_dsl.ruleset import Loaded, Ruleset
from workbench.scenario.model import Result
from workbench.scenario.run import read_scenarios, run_path, run_scenario

SMALL = Path(__file__).parents[1] / "data" / "small"
HEAD = '[[scenario]]\nname = "x"\nplayers = ["anna", "ben"]\n'


@cache
def small() -> Ruleset:
    loaded = load(str(SMALL))
    assert loaded.ruleset is not None, loaded.diagnostics
    return loaded.ruleset


def read(text: str) -> list[Diagnostic]:
    return read_scenarios(text, "test.toml", lambda name: small() if name == "small" else None, "small")[1]


def run(text: str) -> list[Result]:
    scenarios, errors = read_scenarios(text, "test.toml", lambda _: small(), "small")
    assert not errors, errors
    return [run_scenario(small(), scenario) for scenario in scenarios]


# --------------------------------------------------------------- faulty files


def scenario(given: str = "", step: str = "over = false") -> str:
    return f"{HEAD}[scenario.given]\n{given}\n[[scenario.step]]\n{step}\n"


ERRORS = [
    ("W201", "= 3", "", 1),
    ("W502", HEAD + "givven = 3\n", "did you mean 'given'?", 4),
    ("W502", scenario(step="ask = 'anna'"), "did you mean 'asks'?", 7),
    ("W503", HEAD + "step = 3", "", 4),
    ("W503", scenario("zones = { stock = 3 }"), "", 5),
    ("W503", scenario(step="score = { anna = { laid = 'x' } }"), "", 7),
    ("W503", scenario("at = { rule = 'turn', nth = 0 }"), "", 5),
    ("W504", "[[scenario]]\nplayers = ['anna', 'ben']", "", 1),
    ("W505", scenario("zones = { 'anna.hand' = ['red*99999'] }"), "", 5),
    ("W506", "[[scenario]]\nname = 'x'\nplayers = ['anna']", "", 3),
    ("W507", "[[scenario]]\nname = 'x'\nplayers = ['anna', 'Ben']", "small letters", 3),
    ("W507", "[[scenario]]\nname = 'x'\nplayers = ['anna', 'anna']", "", 3),
    ("W507", "[[scenario]]\nname = 'x'\nplayers = ['anna', 'stock']", "choose another", 3),
    ("W507", "[[scenario]]\nname = 'x'\nplayers = ['anna', 'turn']", "choose another", 3),
    ("W507", "[[scenario]]\nname = 'x'\nplayers = ['seat1', 'anna']", "choose another", 3),
    ("W507", "[[scenario]]\nname = 'x'\nplayers = ['nobody', 'anna']", "choose another", 3),
    ("W508", scenario(step="asks = 'bem'"), "did you mean 'ben'?", 7),
    ("W508", scenario("variables = { leader = 'bem' }"), "did you mean 'ben'?", 5),
    ("W509", scenario("zones = { 'anna.hant' = [] }"), "did you mean 'anna.hand'?", 5),
    ("W509", scenario("zones = { hand = [] }"), "write 'anna.hand'", 5),
    ("W509", scenario("zones = { 'bem.hand' = [] }"), "did you mean 'ben'?", 5),
    ("W510", scenario("zones = { stock = ['rad'] }"), "did you mean 'red'?", 5),
    ("W510", scenario("rest = { cart = 'stock' }"), "did you mean 'card'?", 5),
    ("W511", scenario("zones = { stock = ['R-1'], 'ben.hand' = ['R-1'] }"), "", 5),
    ("W511", scenario("zones = { stock = ['R-1*2'] }"), "", 5),
    ("W512", scenario("zones = { stock = ['token'] }"), "it holds: card", 5),
    ("W512", scenario("rest = { token = 'stock' }"), "it holds: card", 5),
    ("W513", scenario("grids = { 'ben.board' = ['. .'] }"), "", 5),
    ("W513", scenario("grids = { 'ben.board' = ['. . .', '. .'] }"), "one word a cell", 5),
    ("W513", scenario("grids = { 'ben.board' = ['. .', '. red'] }"), "write a dot", 5),
    ("W513", scenario("grids = { stock = ['. .', '. .'] }"), "fill it under zones", 5),
    ("W514", scenario("variables = { turnz = 1 }"), "did you mean 'turns'?", 5),
    ("W514", scenario("variables = { gold = 1 }"), "write 'anna.gold'", 5),
    ("W515", scenario("variables = { turns = 10 }"), "from 0 to 9", 5),
    ("W515", scenario("variables = { turns = 'x' }"), "", 5),
    ("W515", scenario("variables = { 'anna.gold' = 0.25 }"), "steps of 1/2", 5),
    ("W515", scenario("variables = { luck = 'bleu' }"), "did you mean 'blue'?", 5),
    ("W515", scenario("variables = { 'R-1.turned' = 1 }"), "", 5),
    ("W516", scenario(step="question = 'action.lay.cart'"), "did you mean 'action.lay.card'?", 7),
    ("W516", scenario(step="heard = { anna = ['action.lay.cart = 2'] }"), "did you mean 'action.lay.card'?", 7),
    ("W517", scenario("at = { rule = 'trun' }"), "did you mean 'turn'?", 5),
    ("W518", HEAD + "cites = ['draw.tpo']\nstep = [{ over = false }]", "did you mean 'draw.top'?", 4),
    ("W519", scenario(step="score = { anna = { layd = 1 } }"), "did you mean 'laid'?", 7),
    ("W520", scenario("begin = 'turn()'\nat = { rule = 'turn' }"), "", 5),
    ("W521", HEAD + "ruleset = 'other'", "mend", 4),
    ("W522", scenario(step="over = false\nanswers = ['drew']"), "did you mean 'draw'?", 8),
    ("W522", scenario("chance = ['bleu']"), "did you mean 'blue'?", 5),
    ("W523", scenario("zones = { 'ben.board' = [] }\ngrids = { 'ben.board' = ['. .', '. .'] }"), "", 6),
    ("W524", HEAD, "say in a [[scenario.step]]", 2),
    ("W525", scenario() + scenario(), "", 9),
    ("W526", "about = 'nothing'", "[[scenario]]", 1),
    ("W527", scenario("variables = { turns = nan }"), "", 5),
    ("W301", scenario(step="true = ['count(anna.hand) is 1', 'leaber is anna']"), "did you mean 'leader'?", 7),
    ("W304", scenario(step="true = ['count(anna.hand)']"), "", 7),
    ("W310", scenario("begin = 'trun() by anna'"), "did you mean 'turn'?", 5),
    ("W332", scenario(step="true = ['anna.gold is 0.25']"), "steps of 1/2", 7),
]


@pytest.mark.parametrize(("code", "text", "hint", "line"), ERRORS)
def test_errors_of_files(code: str, text: str, hint: str, line: int) -> None:
    errors = read(text)
    assert [error.code for error in errors] == [code], errors
    assert hint in errors[0].hint
    assert errors[0].span.file == "test.toml" and errors[0].span.line == line


def test_every_code_is_shown_by_a_test() -> None:
    shown = {code for code, *_ in ERRORS} | {"W501"}  # files that cannot be read: see below
    assert set(codes_of("W5")) <= shown


def test_an_error_inside_an_expression_is_placed_to_the_column() -> None:
    [error] = read(scenario(step="true = ['any(anna.hand) and lader is anna']"))
    assert (error.span.line, error.span.column, error.span.end_column) == (7, 29, 34)


def test_all_errors_of_a_file_come_at_once() -> None:
    text = scenario("zones = { 'anna.hant' = ['red'], stock = ['rad', 'bleu'] }", "asks = 'bem'\ntrue = ['x']")
    assert sorted(error.code for error in read(text)) == ["W301", "W508", "W509", "W510", "W510"]


def test_a_erroneous_scenario_does_not_keep_others_from_running() -> None:
    text = scenario(step="asks = 'bem'") + scenario().replace("'x'", "'y'").replace('"x"', '"y"')
    found, errors = read_scenarios(text, "test.toml", lambda _: small(), "small")
    assert [one.name for one in found] == ["y"] and len(errors) == 1


def test_a_scenario_may_name_its_ruleset() -> None:
    asked: list[str] = []

    def rules(name: str) -> Ruleset:
        asked.append(name)
        return small()

    read_scenarios(HEAD + 'ruleset = "other"\n[[scenario.step]]\nover = false', "test.toml", rules, "small")
    assert asked == ["other"]


# ------------------------------------------------------------ hostile scenarios

LOOP = "any(a in 1..90000 where any(b in 1..90000 where b is a + 90000))"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("x" * 1_100_000, "W501"),
        ("a = " + "[" * 5000, "W202"),
        (HEAD + "step = [" + "{}," * 300_000 + "]", "W505"),
        ("scenario = [" + "{}," * 300_000 + "]", "W505"),
        (scenario(step="answers = [" + "'lay'," * 100_000 + "]"), "W505"),
        (scenario(step="over = false\nanswers = ['" + "red+" * 50_000 + "red']"), "W505"),
        (scenario(step="true = ['" + "(" * 5000 + "']"), "W339"),
        (scenario(step="true = ['" + "not " * 900 + "true']"), "W140"),
        (scenario(step="true = [" + "'true'," * 100_000 + "]"), "W505"),
        (scenario("zones = { stock = [" + "'red'," * 100_000 + "] }"), "W505"),
        ("\0\1\2", "W201"),
    ],
    ids=["long", "deep", "steps", "scenarios", "answers", "word", "brackets", "nots", "tests", "pieces", "binary"],
)
def test_hostile_files_end_in_seconds(text: str, code: str) -> None:
    start = time.process_time()
    assert code in {error.code for error in read(text)}
    assert time.process_time() - start < 20


@pytest.mark.parametrize(
    "text",
    [
        scenario(step=f"true = ['{LOOP}']"),
        scenario(step=f"true = [{', '.join([repr(LOOP)] * 50)}]"),
        scenario(f"begin = 'pick(count(c in 1..9 where {LOOP}))'"),
        scenario(f"at = {{ rule = 'turn', where = '{LOOP}' }}"),
    ],
    ids=["expression", "expressions", "begin", "at"],
)
def test_hostile_expressions_end_in_seconds(text: str) -> None:
    start = time.process_time()
    [result] = run(text)
    assert any("too much work" in failure.found for failure in result.failures)
    assert time.process_time() - start < 20


@pytest.mark.parametrize("work", [100_000, 5_000_000])
def test_a_choice_among_too_many_sets_is_named_with_their_number(work: int) -> None:
    """Twenty different cards have a million sets, and a condition that few of them fit is tried on each."""
    files = {path.name: path.read_text(encoding="utf-8") for path in SMALL.iterdir()}
    files["game.toml"] = files["game.toml"].replace("[game]\n", f"[game]\nlimits = {{ work = {work} }}\n")
    files["cards.csv"] += "".join(f"G-{number},blue,{number + 10}\n" for number in range(9))
    files["rules.warlock"] += (
        "rule exact:\n    choose some cards in my.hand where max([c in cards: c.value], 0) is 9000: pass\n"
    )
    ruleset = load_files(files, "small").ruleset
    assert ruleset is not None
    given = "begin = 'exact() by anna'\nrest = { card = 'anna.hand' }"
    [one], _ = read_scenarios(scenario(given), "test.toml", lambda _: ruleset, "small")
    [failure] = run_scenario(ruleset, one).failures
    assert "too much work" in failure.found
    assert ": exact.cards is one of up to 1,048,575 sets of 20 (in rule exact)" in failure.found
    assert "say how many may be chosen" in failure.found and "several scenarios" not in failure.found


def test_a_file_of_hostile_scenarios_ends_in_seconds(tmp_path: Path) -> None:
    file = tmp_path / "many.toml"
    one = scenario(f"at = {{ rule = 'turn', where = '{LOOP}' }}")
    file.write_text("".join(one.replace('"x"', f'"{number}"\nruleset = "small"') for number in range(200)))
    start = time.process_time()
    report = run_path(file, lambda _: Loaded(small(), (), {}))
    assert len(report.results) == 200 and report.failed == 200
    assert time.process_time() - start < 30


# ---------------------------------------------------------------------- paths


def loads(name: str) -> Loaded:
    return Loaded(small(), (), {})


def written(tmp_path: Path, *texts: str) -> Path:
    folder = tmp_path / "small" / "scenarios"
    folder.mkdir(parents=True)
    for number, text in enumerate(texts):
        (folder / f"{number}.toml").write_text(text, encoding="utf-8")
    return tmp_path / "small"


def test_a_folder_of_a_game_runs_its_scenarios(tmp_path: Path) -> None:
    home = written(tmp_path, scenario(), scenario(step="over = true"))
    asked: list[str] = []
    report = run_path(home, lambda name: (asked.append(name), loads(name))[1])
    assert asked == [str(home.resolve())]
    assert not report.passed and report.failed == 1 and len(report.results) == 2
    assert "FAILED" in report.text() and report.text().endswith("2 scenarios in 2 files, 1 failed")
    data = json.loads(json.dumps(report.data()))
    assert [one["passed"] for one in data["scenarios"]] == [True, False]
    assert data["scenarios"][1]["failures"][0]["expected"] == "the game is over"


def test_one_file_or_a_folder_of_files_will_do(tmp_path: Path) -> None:
    home = written(tmp_path, scenario())
    assert run_path(home / "scenarios" / "0.toml", loads).passed
    assert run_path(home / "scenarios", loads).passed


def test_rules_with_errors_are_told_once(tmp_path: Path) -> None:
    home = written(tmp_path, scenario(), scenario())
    files = {path.name: path.read_text(encoding="utf-8") for path in SMALL.iterdir()}
    broken = load_files(files | {"rules.warlock": "rule play: stop stop"}, "small")
    report = run_path(home, lambda _: broken)
    assert not report.passed and not report.results
    assert [one.code for one in report.diagnostics].count("W521") == 2
    assert any(one.span.file == "rules.warlock" for one in report.diagnostics)


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", b"x" * 1_100_000])
def test_files_that_cannot_be_read(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "x.toml"
    file.write_bytes(content)
    [error] = run_path(file, loads).diagnostics
    assert error.code == "W501"


def test_a_path_without_scenarios(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "missing", tmp_path / "missing.toml"):
        report = run_path(path, loads)
        assert [error.code for error in report.diagnostics] == ["W501"] and not report.passed


def test_a_file_outside_a_game_must_name_its_rules(tmp_path: Path) -> None:
    file = tmp_path / "x.toml"
    file.write_text(scenario())
    [error] = run_path(file, loads).diagnostics
    assert error.code == "W521" and "ruleset" in error.hint
