"""Files from strangers name a ruleset, never a path: nothing they say makes a command read another folder."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from interpreter import Game, GameFileError
from tests.house.hostile import GAMES, rules_of
from warlock_dsl.files import find_overlay, find_ruleset, stack_of
from warlock_dsl.stack import is_plain_name
from warlock_rules import replay
from workbench.cli import main
from workbench.scenario.read import read_scenarios

SECRET = 'password = "tiger'  # not even TOML: reading it would print it
PATHS = [
    "/{0}/secret",
    "{0}/secret",
    "./secret",
    "..",
    ".",
    "~nosuchuser/x",
    "~/x",
    "tiny+{0}/secret",
    "\\\\host\\x",
    "C:x",
]


@pytest.fixture
def secret(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that holds something private, and one is beside it."""
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "keys.toml").write_text(SECRET, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def saved(kind: str, name: str) -> str:
    game = Game.start(rules_of("tiny"), 2, 5)
    data = game.save() if kind == "save" else game.replay()
    return json.dumps({**data, "ruleset": name})


@pytest.mark.parametrize("kind", ["save", "replay"])
@pytest.mark.parametrize("path", [*PATHS, "secret", "\ud800", "x" * 3000])
def test_a_replay_names_no_path(kind: str, path: str, secret: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = path.format(secret)
    (secret / "game.json").write_text(saved(kind, name), encoding="utf-8")
    assert main(["replay", "game.json"]) in (1, 2)
    said = capsys.readouterr()
    assert "tiger" not in said.out + said.err and "password" not in said.out + said.err
    assert ("by a path" in said.err) == (not is_plain_name(name))
    with pytest.raises(Exception) as raised:
        replay(secret / "game.json")
    assert "tiger" not in str(raised.value)
    assert isinstance(raised.value, GameFileError) == (not is_plain_name(name))


def test_a_person_may_name_any_folder(secret: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (secret / "game.json").write_text(saved("replay", "../tiny"), encoding="utf-8")
    assert main(["replay", "game.json", "--ruleset", str(GAMES["tiny"])]) == 0


@pytest.mark.parametrize("path", [*PATHS, "secret", "x" * 3000])
def test_a_scenario_names_no_path(path: str, secret: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = path.format(secret)
    text = f"[[scenario]]\nname = 'a'\nruleset = {json.dumps(name)}\nplayers = ['ann', 'bob']\n"
    (secret / "s.toml").write_text(f"{text}[[scenario.step]]\nover = false\n", encoding="utf-8")
    assert main(["test", "s.toml"]) == 1
    said = capsys.readouterr()
    assert "tiger" not in said.out + said.err
    asked: list[str] = []
    _, errors = read_scenarios(text, "s.toml", lambda wanted: asked.append(wanted))
    assert asked == ([name] if is_plain_name(name) else [])
    assert [error.code for error in errors] == ["W521"]


@pytest.mark.parametrize("key", ["on", "requires", "builds_on"])
@pytest.mark.parametrize("path", PATHS)
def test_an_overlay_names_no_path(key: str, path: str, secret: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = path.format(secret)
    head = {"on": "tiny", "requires": [], "builds_on": []} | {key: name if key == "on" else [name]}
    (secret / "over").mkdir()
    lines = "".join(f"{word} = {json.dumps(value)}\n" for word, value in head.items())
    (secret / "over" / "overlay.toml").write_text(f"[overlay]\n{lines}about = 'x'\n", encoding="utf-8")
    folder = str(secret / "over")
    assert stack_of(secret / "over") == (folder if key == "on" else f"tiny+{folder}")
    for words in (["check", folder], ["play", folder, "--seats", "random"], ["check", "over"]):
        assert main([*words, "--rules", str(GAMES["tiny"].parent)]) in (1, 2)
        said = capsys.readouterr()
        assert "tiger" not in said.out + said.err


def test_a_scenario_of_a_mutation_run_names_no_path(secret: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = secret / "mine"
    assert main(["new", "game", "mine"]) == 0
    for file in (game / "scenarios").glob("*.toml"):
        file.unlink()
    (game / "scenarios" / "s.toml").write_text(
        f"[[scenario]]\nname = 'a'\nruleset = '{secret}/secret'\n", encoding="utf-8"
    )
    capsys.readouterr()
    assert main(["mutate", "./mine", "--games", "0", "--sample", "1", "--jobs", "1"]) == 1
    assert "by a path" in capsys.readouterr().err


@pytest.mark.parametrize("text", ["scenario = 3", "scenario = [1]", "x = " + "[" * 5000, "[[scenario]]\nruleset = 3"])
def test_a_scenario_of_a_mutation_run_is_a_table(text: str, secret: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", "game", "mine"]) == 0
    (secret / "mine" / "scenarios" / "s.toml").write_text(text, encoding="utf-8")
    capsys.readouterr()
    assert main(["mutate", "./mine", "--games", "0", "--sample", "1", "--jobs", "1"]) in (1, 2)
    assert "s.toml" in capsys.readouterr().err


def test_a_name_that_is_no_path(secret: Path) -> None:
    assert all(is_plain_name(name) for name in ("tiny", "tiny+fr", "tiny + fr(limit=2)", "a.b+c..d"))
    assert not any(is_plain_name(name) for name in (*PATHS, "", "a+", "a+..(n=1)", "a\0"))
    assert find_ruleset("~nosuchuser/x") is None and find_overlay("tiny", "~nosuchuser/x") is None


def test_a_folder_cannot_forge_a_line(secret: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", "game", "mine"]) == 0
    (secret / "mine").rename(secret / "d\nerror: forged")
    capsys.readouterr()
    assert main(["check", "./d\nerror: forged"]) == 0
    assert capsys.readouterr().out == "d\\x0aerror: forged: no errors\n"
