"""The public face: what docs/api.md says is true, nothing else is public, and importing it costs next to nothing."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import interpreter
import warlock_rules
from tests.conftest import ruleset_named
from warlock_dsl import load_ruleset
from warlock_rules import Game, check, errors, fuzz, load, play, replay, sim

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
HEAVY = ("lark", "attrs", "attr", "rich", "hypothesis", "interpreter", "workbench", "warlock_dsl")


def test_the_examples_of_the_page_run(capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, Any] = {}
    for block in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL):
        exec(compile(block, "docs/api.md", "exec"), names)
    assert "Game.again('maldorf', players=3, seed=7, answers=['" in capsys.readouterr().out


def test_the_page_names_what_is_public() -> None:
    table = PAGE.partition("## A game")[0]
    named = set(re.findall(r"^\| `(\w+)", table, re.MULTILINE))
    assert named == set(warlock_rules.__all__) == set(dir(warlock_rules))
    with pytest.raises(AttributeError):
        warlock_rules.nothing  # noqa: B018


def test_the_page_names_every_method_of_a_game() -> None:
    public = {name for kind in Game.__mro__[:-1] for name in vars(kind) if not name.startswith("_")}
    named = set(re.findall(r"(?:game|Game)\.(\w+)", PAGE))
    of_the_house = {"at", "from_replay", "play_among", "search_machine", "search_state"}  # for its own tools
    assert public - named == of_the_house


def test_importing_it_imports_nothing_else() -> None:
    lines = f"import sys, warlock_rules; print([name for name in {HEAVY!r} if name in sys.modules])"
    found = subprocess.run(
        [sys.executable, "-c", lines], cwd=ROOT, capture_output=True, text=True, check=True, timeout=60
    )
    assert found.stdout.strip() == "[]"


def test_it_is_the_command_as_well() -> None:
    found = subprocess.run(
        [sys.executable, "-m", "warlock_rules", "--help"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert "warlock" in found.stdout


def test_every_package_says_that_it_is_typed() -> None:
    for package in ("warlock_rules", "warlock_dsl", "interpreter", "workbench"):
        assert (ROOT / package / "py.typed").is_file()


def test_games_by_name_and_again() -> None:
    game = Game.start("tic-tac-toe", 2, 1)
    game.choose(4)
    game.choose(0)
    again = eval(repr(game), {"Game": Game})
    assert type(again) is Game and again.answers == game.answers and again.digest() == game.digest()
    assert type(game.copy()) is Game
    saved = Game.load("tic-tac-toe", json.loads(json.dumps(game.save())))
    assert saved.digest() == game.digest()


def test_a_replay_finds_its_ruleset(tmp_path: Path) -> None:
    game = play("tic-tac-toe", seed=2)
    path = tmp_path / "game.json"
    path.write_text(json.dumps(game.replay()), encoding="utf-8")
    assert replay(path).digest() == replay(str(path), "tic-tac-toe").digest() == game.digest()
    with pytest.raises(errors.GameFileError, match="does not name"):
        replay({})
    with pytest.raises(errors.GameFileError, match="answer 1"):
        replay({**game.replay(), "answers": ["nowhere"]})


def test_what_is_wrong_with_a_ruleset_is_a_value_and_an_error(tmp_path: Path) -> None:
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "game.toml").write_text('[game]\nplayers = "2"\n', encoding="utf-8")
    (tmp_path / "bad" / "rules.warlock").write_text("rule play:\n    finish [nobody]\n", encoding="utf-8")
    found = check("bad", [tmp_path])
    assert any("nobody" in one.message for one in found)
    with pytest.raises(errors.RulesetError, match="nobody") as caught:
        load("bad", rules=[tmp_path])
    assert caught.value.diagnostics
    assert not [one for one in check("tic-tac-toe") if one.severity.name == "ERROR"]


def test_calls_that_cannot_be_carried_out() -> None:
    rules = ruleset_named("tic-tac-toe")
    with pytest.raises(errors.UsageError, match="3 seats for 2 players"):
        play(rules, players=2, seats=["random"] * 3)
    with pytest.raises(errors.AnswerError, match="not 7"):
        play(rules, players=7)
    with pytest.raises(errors.UsageError, match="no seat is called"):
        play(rules, seats=["nobody"])
    with pytest.raises(errors.UsageError, match="say when to stop"):
        fuzz("tic-tac-toe", out="findings")
    with pytest.raises(errors.UsageError, match="not 5"):
        sim("tic-tac-toe", players=5)


def test_fuzz_and_compare_give_values(tmp_path: Path) -> None:
    found = fuzz("tic-tac-toe", out=tmp_path / "findings", games=12)
    assert found.games == 12 and not found.findings and found.data()["games_over"]
    study = sim("maldorf", compare="maldorf+fr", games=2, players=3)
    assert study.compare is not None and study.data()["players"] == 3


def test_starting_with_something_else_than_a_ruleset(tmp_path: Path) -> None:
    loaded = load_ruleset("tic-tac-toe")
    with pytest.raises(TypeError, match=r"not with None; load\(\) gives None for one with errors"):
        interpreter.Game.start(None, 2)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"not with a Loaded; write \.ruleset after it"):
        interpreter.Game.start(loaded, 2)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="a ruleset, its name or its folder is wanted, not None"):
        Game.start(None, 2)  # type: ignore[arg-type]
    for wrong in (None, "2", 2.0, True):
        with pytest.raises(TypeError, match="players is how many play, a whole number"):
            Game.start("tic-tac-toe", wrong)  # type: ignore[arg-type]


def test_an_error_of_the_rules_has_the_game_that_leads_there(tmp_path: Path) -> None:
    (tmp_path / "game.toml").write_text("[game]\nplayers = 1\n", encoding="utf-8")
    rules = "rule play:\n    choose n in [1, 2]\n    choose m in [x in [1] where x is n]\n    finish players\n"
    (tmp_path / "rules.warlock").write_text(rules.replace("    choose m", "    roll k in [1]\n    choose m"), "utf-8")
    game = Game.start(tmp_path, 1)
    with pytest.raises(errors.RulesError) as met:
        game.answer("2")
    reached = met.value.reached
    assert reached is not None and reached.replay["answers"] == ["2"] and game.answers == []
    with pytest.raises(errors.RulesError, match="in rule play"):
        replay(reached.replay, tmp_path)
