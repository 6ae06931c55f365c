"""`warlock rebase`: a game that changed under an overlay; what no longer fits, and what --write makes of it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from workbench.cli import main

ROOT = Path(__file__).parents[3]
OVERLAY = """\
# A house rule with a comment.
[overlay]
on = "connect-four"
about = "A test"

[[change]]
at = "goal.streak"     # how many in a row
was   =   4            # as printed
now = 5

[[change]]
at = "team.supply"
where = { supply = 21 }
was = 21
now = 22

[replace]
vacant = "22bf19a1"    # the free places
"""
RULES = "define vacant(s: shaft) = free(board, s.channel) + []\n"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of a game with an overlay on it that fits."""
    monkeypatch.chdir(tmp_path)
    shutil.copytree(ROOT / "rules" / "classics" / "connect-four", tmp_path / "rules" / "connect-four")
    folder = tmp_path / "variants" / "connect-four" / "mine"
    folder.mkdir(parents=True)
    (folder / "overlay.toml").write_text(OVERLAY, encoding="utf-8")
    (folder / "rules.warlock").write_text(RULES, encoding="utf-8")
    return tmp_path


def alter(here: Path, file: str, old: str, new: str) -> None:
    path = here / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


GAME, OWN = "rules/connect-four/game.toml", "variants/connect-four/mine/overlay.toml"


def rebased(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, dict[str, Any]]:
    code = main(["rebase", "connect-four+mine", "--json", *words])
    return code, json.loads(capsys.readouterr().out)


def test_an_overlay_that_fits(capsys: pytest.CaptureFixture[str]) -> None:
    code, data = rebased(capsys)
    assert code == 0 and data["stale"] == [] and data["errors"] == []
    assert main(["rebase", "variants/connect-four/mine"]) == 0
    assert capsys.readouterr().out == "mine fits connect-four\n"


def test_values_and_digests_are_taken_over_and_nothing_else_changes(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    alter(here, GAME, "streak = { is = 4", "streak = { is = 3")
    alter(here, "rules/connect-four/rules.warlock", "free(board, s.channel)", "free(board, s.channel) where true")
    alter(here, "rules/connect-four/rules.warlock", " where true", "")
    alter(here, "rules/connect-four/rules.warlock", "vacant(s: shaft) = free", "vacant(s: shaft) = [] + free")
    code, data = rebased(capsys, "--old", str(ROOT / "rules" / "classics" / "connect-four"))
    assert code == 1 and not data["written"]
    value, rule = data["stale"]
    assert (value["at"], value["expected"], value["found"], value["makes"]) == ("goal.streak", "4", "3", "5")
    assert (value["file"], value["line"], value["write"]) == ("+mine/overlay.toml", 8, "3")
    assert rule["expected"] == "22bf19a1" and rule["text"].endswith("= [] + free(board, s.channel)")
    assert rule["was_text"] == "define vacant(s: shaft) = free(board, s.channel)" and rule["makes"] == RULES.strip()
    assert (here / OWN).read_text(encoding="utf-8") == OVERLAY
    code, data = rebased(capsys, "--write")
    assert code == 0 and data["written"] and data["errors"] == []
    now = (here / OWN).read_text(encoding="utf-8")
    assert now == OVERLAY.replace("was   =   4 ", "was   =   3 ").replace("22bf19a1", rule["found"])
    assert rebased(capsys)[0] == 0 and main(["check", "connect-four+mine"]) == 0


def test_line_ends_and_a_byte_order_mark_stay(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    alter(here, GAME, "streak = { is = 4", "streak = { is = 3")
    raw = ("\ufeff" + OVERLAY).replace("\n", "\r\n").encode()
    (here / OWN).write_bytes(raw)
    assert rebased(capsys, "--write")[0] == 0
    assert (here / OWN).read_bytes() == raw.replace(b"=   4 ", b"=   3 ")


def test_what_cannot_be_taken_over_is_left_to_the_modder(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    alter(here, GAME, "streak = { is = 4", "streak = { is = 5")  # what the overlay wanted
    alter(here, GAME, "red = { supply = 21 }", "red = { supply = 20 }")  # one of two rows
    alter(here, OWN, 'vacant = "22bf19a1"', 'vakant = "22bf19a1"')
    code, data = rebased(capsys, "--write")
    assert code == 1 and not data["written"]
    why = {one["at"]: one["why"] for one in data["stale"]}
    assert why["goal.streak"] == "it is so already: the change can be taken out"
    assert why["vakant"] == "it is gone; did you mean 'vacant'?"
    assert set(why) == {"goal.streak", "vakant"}  # the other row still is as expected
    alter(here, GAME, "yellow = { supply = 21 }", "yellow = { supply = 20 }")
    assert {one["at"]: one["why"] for one in rebased(capsys)[1]["stale"]}["team.supply"].endswith("'where' says")


def test_what_else_is_wrong_is_shown(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    alter(here, GAME, "streak = { is = 4", "streak = { is = 3")
    (here / "variants/connect-four/mine/rules.warlock").write_text(RULES.replace("s.channel", "s.chanel"))
    assert main(["rebase", "connect-four+mine"]) == 1
    shown = capsys.readouterr().out
    assert "  the overlay expects:  4\n  the game has now:     3\n  the overlay makes it: 5\n" in shown
    assert "once this is taken over the check still says:" in shown and "chanel" in shown
    assert "1 out of date, 1 can be taken over with --write" in shown
