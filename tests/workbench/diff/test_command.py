"""`warlock diff`, `warlock replay --under` and `warlock test --under`: what they print, write and refuse."""

from __future__ import annotations

import io
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from tests.workbench.diff.little import changed, compared, little
from workbench.cli import main
from workbench.diff.report import tell_report

GOLDEN = Path(__file__).parents[2] / "golden" / "diff"
TINY = Path(__file__).parents[1] / "data" / "tiny"
OVERLAYS = {
    "short": changed("size.rounds", "2", "1"),
    "open_hands": changed("zone.hand.sees", '"owner"', '"all"'),
}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the little game and overlays on it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    shutil.copytree(TINY, tmp_path / "rules" / "tiny")
    for name, text in OVERLAYS.items():
        folder = tmp_path / "variants" / "tiny" / name
        folder.mkdir(parents=True)
        head = f'[overlay]\non = "tiny"\nabout = "{name}"\n\n'
        (folder / "overlay.toml").write_text(head + text, encoding="utf-8")
    return tmp_path


def warlock(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    capsys.readouterr()
    code = main(words)
    found = capsys.readouterr()
    assert "Traceback" not in found.out + found.err
    return code, found.out, found.err


def data(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    return json.loads(warlock(capsys, *words, "--json")[1])


def test_what_is_said_at_the_terminal(golden: Callable[[Path, str], None]) -> None:
    rules = "rule action[wait]: pass\n"
    a = little()
    b = little(changed("size.rounds", "2", "1") + changed("zone.hand.sees", '"owner"', '"all"'), rules)
    out = io.StringIO()
    console = Console(file=out, width=100, highlight=False, markup=False, emoji=False)
    tell_report(console, compared(a, b), moves=True)
    golden(GOLDEN / "tiny.txt", out.getvalue())


def test_the_report_as_data(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = data(capsys, "diff", "tiny", "tiny+short", "--jobs", "1", "--seed", "4")
    assert (found["format"], found["game"], found["seed"]) == ("warlock-diff/3", "tiny", 4)
    [one] = found["differences"]
    assert (one["id"], one["kind"], one["rules"]) == ("size.rounds", "value", ["hands"])
    [reading] = one["readings"]
    [unit] = reading["units"]
    assert (unit["target"], unit["verb"], unit["kind"]) == ("size.rounds", "change", "value")
    assert (unit["old"], unit["new"]) == ("2", "1") and reading["editions"] == [1]
    assert [cell["reading"] for cell in one["cells"]] == [0, 1]
    assert [edition["ruleset"] for edition in found["editions"]] == ["tiny", "tiny+short"]
    witness = reading["witness"]
    assert witness["replay"]["format"] == "warlock-replay/2"
    assert witness["decisions"] == len(witness["replay"]["answers"]) and witness["what"]
    assert reading["search"]["games"] >= 1 and found["effect"] is None


def test_what_is_found_is_written_and_can_be_tried(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, text, _ = warlock(capsys, "diff", "tiny", "tiny+open_hands", "--jobs", "1", "--out", "found", "--moves")
    assert code == 0 and "1 of 1 shown by a position" in text
    name = "zone_hand_sees"
    assert sorted(file.name for file in (here / "found").iterdir()) == [
        name, f"{name}.replay.json", f"{name}.scenario.toml", f"{name}.table.toml",
    ]  # fmt: skip
    other = f"tiny+found/{name}"
    assert warlock(capsys, "test", f"found/{name}.table.toml")[0] == 0
    assert warlock(capsys, "test", f"found/{name}.table.toml", "--under", other)[0] == 1
    scenario = f"found/{name}.scenario.toml"
    assert warlock(capsys, "test", scenario)[0] == 0
    code, text, _ = warlock(capsys, "test", scenario, "--under", other)
    assert code == 1 and "can name in" in text
    parts = data(capsys, "replay", f"found/{name}.replay.json", "--under", other)["parts"]
    assert (parts["after"], parts["divergence"]) == (0, "sight")
    assert data(capsys, "replay", f"found/{name}.replay.json", "--under", "tiny")["parts"] is None
    code, _, told = warlock(capsys, "diff", "tiny", "tiny+short", "--out", "found")
    assert code == 2 and "is there already" in told


def test_a_page_with_the_effect(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--jobs", "1", "--games", "4", "--seats", "random,random", "--html", "page.html")
    code, text, _ = warlock(capsys, "diff", "tiny", "tiny+short", *words)
    assert code == 0 and "4 pairs of games" in text and "written: page.html" in text
    assert "<html" in (here / "page.html").read_text(encoding="utf-8")


def test_what_is_written_alone(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    [one] = data(capsys, "diff", "tiny+open_hands", "tiny", "--structure")["differences"]
    [reading] = one["readings"]
    assert one["kind"] == "visibility" and reading["witness"] is None and reading["search"] is None
    code, text, _ = warlock(capsys, "diff", "tiny", "tiny")
    assert code == 0 and "tiny and tiny say the same" in text
    assert data(capsys, "diff", "tiny", "tiny")["differences"] == []


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (("diff", "tiny", "tinyy"), 2, "did you mean 'tiny'?"),
        (("diff", "tiny", "tiny+shrot"), 2, "did you mean 'short'?"),
        (("diff", "tiny", "maldorf"), 2, "different games"),
        (("diff", "tiny", "tiny+short", "--games", "2", "--seats", "random"), 2, "2 to 3"),
        (("diff", "tiny", "tiny+short", "--games", "2", "--seats", "random,clever"), 2, "no seat is called 'clever'"),
        (("diff", "tiny", "tiny+short", "--structure", "--html", "no/such/page.html"), 2, "cannot be written"),
        (("diff", "tiny", "tiny+short", "--out", "rules/tiny/game.toml"), 2, "is there already"),
        (("diff", "tiny", "tiny+short", "--out", "rules/tiny/game.toml/x"), 2, "cannot be written"),
        (("test", "rules/tiny", "--under", "tinyy"), 2, "did you mean 'tiny'?"),
    ],
)
def test_what_cannot_be_done_is_told(
    here: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], code: int, told: str
) -> None:
    found, out, err = warlock(capsys, *words)
    assert found == code and told in out + err


def test_a_replay_under_another_game(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    warlock(capsys, "play", "tiny", "--seats", "random,first", "--seed", "1", "--replay", "game.json", "--quiet")
    code, _, told = warlock(capsys, "replay", "game.json", "--under", "maldorf")
    assert code == 2 and "different games" in told
    code, text, _ = warlock(capsys, "replay", "game.json", "--under", "tiny+short")
    assert code == 0 and "they part after" in text and "answers are legal under tiny+short" in text
    code, text, _ = warlock(capsys, "replay", "game.json", "--under", "tiny")
    assert code == 0 and "nothing differs along the way" in text
