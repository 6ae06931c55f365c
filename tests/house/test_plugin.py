"""The pytest plugin of the built wheel, in an environment of its own: a modder's repository needs only `pytest`."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
OVERLAY = """[overlay]
on = "maldorf"
about = "Four cards are dealt"

[[change]]
at = "size.hand"
was = 5
now = 4
"""
LAW = "invariant one_each after lay_down() = count(bar) is was(count(bar)) + count(players)\n"
SCENARIO = """about = "Four cards"

[[scenario]]
name = "everybody is dealt four"
players = ["scott", "sarah", "kate"]

[scenario.given]
rest = { creature = "deck" }
begin = "deal()"

[[scenario.step]]
true = ["all(p in players: count(p.hand) is 4)"]
"""


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh environment with the wheel installed. What the wheel depends on is lent by the running one."""
    folder = tmp_path_factory.mktemp("environment")
    build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "-w", str(folder)]
    subprocess.run([*build, str(ROOT)], check=True, capture_output=True)
    (wheel,) = folder.glob("warlock_rules-*.whl")
    venv.create(folder / "env", with_pip=False, symlinks=True)
    python = folder / "env" / "bin" / "python"
    (site,) = (folder / "env" / "lib").glob("python*/site-packages")
    lent = folder / "lent"
    lent.mkdir()
    for path in Path(sysconfig.get_paths()["purelib"]).iterdir():
        if "warlock" not in path.name and not path.name.startswith("__editable__"):
            (lent / path.name).symlink_to(path)
    (site / "lent.pth").write_text(f"{lent}\n", encoding="utf-8")
    install = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet", "--no-deps", "--no-index"]
    subprocess.run([*install, str(wheel)], check=True, capture_output=True)
    return python


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A modder's own: one house rule with a law and a scenario, and tests and files that have nothing to do with it."""
    rule = tmp_path / "variants" / "maldorf" / "four_cards"
    (rule / "scenarios").mkdir(parents=True)
    (rule / "overlay.toml").write_text(OVERLAY, encoding="utf-8")
    (rule / "law.warlock").write_text(LAW, encoding="utf-8")
    (rule / "scenarios" / "deal.toml").write_text(SCENARIO, encoding="utf-8")
    (tmp_path / "test_own.py").write_text("def test_own():\n    assert 1 + 1 == 2\n", encoding="utf-8")
    (tmp_path / "pytest.ini").write_text("[pytest]\nwarlock_games = 2\n", encoding="utf-8")
    (tmp_path / "scenarios").mkdir()
    (tmp_path / "scenarios" / "weather.toml").write_text("[rain]\nmuch = true\n", encoding="utf-8")
    (tmp_path / "engine").mkdir()
    (tmp_path / "engine" / "game.toml").write_text("[window]\nwidth = 3\n", encoding="utf-8")
    return tmp_path


def run(python: Path, where: Path, *arguments: str) -> tuple[int, str]:
    done = subprocess.run([str(python), "-m", "pytest", "-v", *arguments], cwd=where, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def test_plain_pytest_runs_the_scenarios_and_the_laws(python: Path, repository: Path) -> None:
    code, told = run(python, repository)
    assert code == 0, told
    for test in (
        "test_own.py::test_own PASSED",
        "four_cards/overlay.toml::check PASSED",
        "four_cards/overlay.toml::law one_each PASSED",
        "four_cards/overlay.toml::free law hidden PASSED",
        "four_cards/scenarios/deal.toml::everybody is dealt four PASSED",
    ):
        assert test in told, told
    assert "weather" not in told and "engine" not in told
    assert not (repository / ".warlock").exists()


def test_a_broken_law_and_a_failing_scenario_are_told_in_words(python: Path, repository: Path) -> None:
    rule = repository / "variants" / "maldorf" / "four_cards"
    (rule / "law.warlock").write_text(LAW.replace("count(players)", "count(players) + 1"), encoding="utf-8")
    (rule / "scenarios" / "deal.toml").write_text(SCENARIO.replace("is 4", "is 5"), encoding="utf-8")
    code, told = run(python, repository)
    assert code == 1
    assert "2 failed" in told, told
    assert "error[invariant.one_each]: the invariant 'one_each' does not hold" in told
    assert "Which card do you lay in the bar?" in told
    assert "expected: all(p in players: count(p.hand) is 5)" in told
    assert "Traceback" not in told
    assert list((repository / ".warlock").rglob("*.replay.json"))


def test_a_mistake_in_the_rules_is_a_failing_check(python: Path, repository: Path) -> None:
    rule = repository / "variants" / "maldorf" / "four_cards"
    (rule / "law.warlock").write_text("invariant one_each = count(baar) > 1\n", encoding="utf-8")
    code, told = run(python, repository, "-k", "check")
    assert code == 1 and "did you mean 'bar'?" in told


def test_the_plugin_can_be_turned_off(python: Path, repository: Path) -> None:
    code, told = run(python, repository, "-p", "no:warlock", "-c", "/dev/null", "--rootdir", str(repository))
    assert code == 0 and "1 passed" in told
