"""A laid-out position at the terminal: played on, replayed, and held against other rules."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from workbench.cli import main

POSITION = """
[[scenario]]
name = "the last token"
ruleset = "maldorf+en"
players = ["ann", "ben", "cid"]
given = { zones = { "ann.aside" = ["Gn-03"] }, rest = { creature = "deck" }, begin = "place_second() by ann" }
step = [
    { asks = "ann", answers = ["ann: mine"] },
    { true = ["count(ann.mine) is 1"] },
]
"""


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    path = tmp_path / "small.table.toml"
    path.write_text(POSITION, encoding="utf-8")
    return path


def warlock(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    capsys.readouterr()
    code = main(words)
    found = capsys.readouterr()
    assert "Traceback" not in found.out + found.err
    return code, found.out + found.err


def test_it_is_played_by_one_person(
    file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("h\nx\n1\n"))
    code, text = warlock(capsys, "play", file.name)
    assert code == 0 and "Ann's view" in text and "There is no answer 'x'" in text and "q leaves" in text
    assert text.rstrip().endswith("Nobody is asked any more.")
    monkeypatch.setattr("sys.stdin", io.StringIO("u\nq\n"))
    code, text = warlock(capsys, "play", "maldorf+fr", "--load", file.name, "--lang", "en")
    assert code == 0 and "(maldorf+fr)" in text and "Nobody" not in text


def test_its_answers_are_given_again_and_under_other_rules(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, text = warlock(capsys, "replay", file.name)
    assert code == 0 and "1  Ann: Where does your second card go?" in text
    code, text = warlock(capsys, "replay", file.name, "--under", "maldorf+de")
    assert code == 0 and "they part after 1 of 1 answers (outcome)" in text
    code, text = warlock(capsys, "replay", file.name, "--json", "--moves")
    assert code == 0 and '"decisions": 1' in text and '"moves"' in text


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("play", "no.toml"), "not a file"),
        (("play", "small.table.toml:2"), "has 1 scenarios, not 2"),
        (("play", "small.table.toml", "--seed", "3"), "--seed does not go with it"),
        (("play", "small.table.toml", "--json"), "replay FILE.toml --json"),
        (("play", "tic-tac-toe", "--load", "small.table.toml"), "small.table.toml"),
        (("replay", "broken.toml"), "warlock test"),
    ],
)
def test_what_cannot_be_opened_is_told(
    file: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], told: str
) -> None:
    Path("broken.toml").write_text(POSITION.replace("aside", "asdie"), encoding="utf-8")
    code, text = warlock(capsys, *words)
    assert code in (1, 2) and told in text
