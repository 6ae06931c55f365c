"""`--rules PATH`: a folder of rulesets, one that holds `rules` and `variants`, or either of them; what was searched."""

from __future__ import annotations

from pathlib import Path

import pytest

from warlock_dsl.files import rules_roots
from workbench.cli import main

OVERLAY = '[overlay]\non = "maldorf"\nabout = "A test"\n\n[[change]]\nat = "limit.gift"\nwas = 2\nnow = 3\n'


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of somebody's own, with a house rule in it, seen from another folder."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = tmp_path / "home"
    (folder / "variants" / "maldorf" / "gifts").mkdir(parents=True)
    (folder / "variants" / "maldorf" / "gifts" / "overlay.toml").write_text(OVERLAY, encoding="utf-8")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    return folder


@pytest.mark.parametrize("inside", ["", "variants", "rules"])
def test_the_folder_above_or_one_of_the_two(inside: str, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / "rules").mkdir()
    assert main(["check", "maldorf+gifts", "--rules", str(home / inside)]) == 0
    assert "no errors" in capsys.readouterr().out


def test_a_folder_that_holds_games_beside(home: Path) -> None:
    assert rules_roots(home) == [home / "rules"]
    (home / "chess").mkdir()
    (home / "chess" / "game.toml").write_text("")
    assert rules_roots(home) == [home / "rules", home]
    assert rules_roots(home / "chess") == [home / "chess"]


def test_what_is_not_there_is_told_with_the_folders_that_were_searched(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", "maldorf+no_such", "--rules", str(home)]) == 2
    told = capsys.readouterr().err
    assert f"looked in {home.as_posix()}/variants/maldorf/, variants/maldorf/, what is shipped" in told
    assert main(["check", "no-such-game", "--rules", str(home)]) == 2
    assert f"looked in {home.as_posix()}/rules/, rules/, what is shipped" in capsys.readouterr().err
