"""`warlock new game`: what it writes checks clean, passes its scenarios and plays, in any folder and under any name."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from interpreter import Game
from interpreter.state import random as chance
from warlock_dsl.load import load
from workbench.cli import main
from workbench.scenario.run import run_path
from workbench.support.starters import game_files


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_it_is_sound_as_it_is(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", "game", "my-first_game"]) == 0
    told = capsys.readouterr().out
    for command in ("check", "test", "play"):
        assert f"warlock {command} ./my-first_game" in told
    found = load("./my-first_game")
    assert found.ruleset is not None and not found.diagnostics, [error.message for error in found.diagnostics]
    assert sorted(found.ruleset.components.names) == ["de", "en", "fr"]
    assert found.ruleset.components.names["en"]["game"].text == "My first game"
    report = run_path(folder / "my-first_game", load)
    assert report.passed and len(report.results) >= 3, report.text()
    assert main(["fmt", "--check", "my-first_game"]) == 0


@pytest.mark.parametrize("players", [2, 3, 4])
def test_it_plays_to_the_end_with_its_invariants(players: int) -> None:
    assert main(["new", "game", "first"]) == 0
    ruleset = load("./first").ruleset
    assert ruleset is not None
    for seed in range(10):
        game, dice = Game.start(ruleset, players, seed), chance.seeded(seed)
        while not game.over:
            dice, pick = chance.below(dice, game.option_count)
            game.choose(pick)
        assert game.winners


def test_its_figures_may_be_what_they_say() -> None:
    """Both ends of every range hold the invariant: a first variant does not break the game."""
    files = game_files("first", "./first")
    ends = {"hand = { is = 3": "hand = { is = 5", "rounds = { is = 5": "rounds = { is = 8"}
    assert main(["new", "game", "first"]) == 0
    text = files["game.toml"]
    for old, new in ends.items():
        assert old in text
        text = text.replace(old, new)
    Path("first/game.toml").write_text(text, encoding="utf-8")
    ruleset = load("./first").ruleset
    assert ruleset is not None
    for seed in range(5):
        game, dice = Game.start(ruleset, 4, seed), chance.seeded(seed)
        while not game.over:
            lay = [number for number, option in enumerate(game.options()) if option.key == "lay"]
            dice, pick = chance.below(dice, game.option_count)
            game.choose(lay[0] if lay else pick)
        assert game.winners


def test_it_can_be_played_and_varied_from_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", "game", "first", "--out", "rules", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["folder"] == "rules/first" and "rules/first/names/fr.toml" in data["files"]
    assert main(["play", "first", "--players", "2", "--seats", "random,random", "--quiet"]) == 0
    assert main(["new", "variant", "longer", "--of", "first"]) == 0
    assert main(["check", "first+longer"]) == 0
    assert main(["test", "variants/first/longer"]) == 0


def test_nothing_that_is_there_is_touched(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "first").mkdir()
    (folder / "first" / "letter.txt").write_text("mine")
    assert main(["new", "game", "first"]) == 2
    assert "left alone" in capsys.readouterr().err
    assert [path.name for path in (folder / "first").iterdir()] == ["letter.txt"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["game", "My Game"], "small letters"),
        (["game", "../up"], "small letters"),
        (["game", "x" * 80], "small letters"),
        (["game", "first", "--of", "tic-tac-toe"], "warlock new variant first --of tic-tac-toe"),
        (["variant", "first"], "--of"),
    ],
)
def test_what_cannot_be_begun(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", *words]) == 2
    assert said in capsys.readouterr().err
