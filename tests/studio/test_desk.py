"""What the process of a page does with files, scenarios and tables, without a page."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from warlock_studio.desk import Desk
from warlock_studio.export import hashed, page
from warlock_studio.worker import Opened

GAME = "variants/connect-four/mine"


class Asked:
    """A desk, and what it told."""

    def __init__(self, folder: Path, stack: str) -> None:
        self.told: list[tuple[str, dict[str, Any]]] = []
        self.desk = Desk(Opened(folder, stack), lambda event, data: self.told.append((event, data)))
        self("project/open")

    def __call__(self, method: str, **params: Any) -> dict[str, Any]:
        found = self.desk.handle(method, params)
        assert "result" in found, found
        result: dict[str, Any] = found["result"]
        return result

    def refused(self, method: str, **params: Any) -> str:
        return str(self.desk.handle(method, params)["error"]["message"])

    def rest(self) -> None:
        while self.desk.busy:
            self.desk.go_on()

    def last(self, event: str) -> dict[str, Any]:
        return next(data for name, data in reversed(self.told) if name == event)


def test_a_change_of_the_game_itself_is_tried_and_kept_as_an_overlay(tmp_path: Path) -> None:
    desk = Asked(tmp_path, "connect-four")
    before = desk("document/open", name="game.toml")
    assert not before["own"]
    changed = re.sub(r"(streak\s*=\s*(?:\{\s*is\s*=\s*)?)4", r"\g<1>3", before["text"])
    assert changed != before["text"]
    desk("document/edit", name="game.toml", text=changed)
    desk.rest()
    assert desk.last("table/rules")["sound"]
    assert desk.refused("document/save", name="game.toml", known=before["known"]) != ""
    made = desk("overlay/keep", name="mine")
    assert made == {"stack": "connect-four+mine", "file": "+mine/overlay.toml"}
    text = (tmp_path / GAME / "overlay.toml").read_text()
    assert "was = 4" in text and "now = 3" in text
    desk("project/open", stack=made["stack"])
    assert desk("document/open", name="game.toml")["text"] == before["text"]
    desk("table/new", seed=1)
    desk.rest()
    assert desk.desk.ruleset is not None and desk.desk.ruleset.name == "connect-four+mine"


def test_a_change_that_says_nothing_new_is_no_overlay(tmp_path: Path) -> None:
    desk = Asked(tmp_path, "connect-four")
    text = desk("document/open", name="rules.warlock")["text"]
    desk("document/edit", name="rules.warlock", text=f"# a remark\n{text}")
    assert desk.refused("overlay/keep", name="mine") == "nothing that the rules say has been changed"
    assert desk("document/discard", name="rules.warlock")["text"] == text


def test_a_file_that_somebody_else_writes(tmp_path: Path) -> None:
    desk = Asked(tmp_path, "connect-four")
    desk("project/open", stack=desk("overlay/new", name="mine")["stack"])
    desk.rest()
    file = tmp_path / GAME / "rules.warlock"
    name, mine = "+mine/rules.warlock", file.read_text()
    desk.desk.watch()
    assert not any(event == "disk/changed" for event, _ in desk.told)
    file.write_text(f"{mine}# theirs\n")
    desk.desk.watch()
    changed = desk.last("disk/changed")["changed"]
    assert [(one["name"], one["edited"]) for one in changed] == [(name, False)]
    assert desk("document/open", name=name)["text"].endswith("# theirs\n")
    desk("document/edit", name=name, text="# mine\n")
    file.write_text(f"{mine}# theirs again\n")
    desk.desk.watch()
    assert desk.last("disk/changed")["changed"][0]["edited"]
    assert desk("document/open", name=name)["text"] == "# mine\n"


def test_scenarios_run_again_and_open_as_tables(tmp_path: Path) -> None:
    desk = Asked(tmp_path, "connect-four")
    desk("table/new", seed=1)
    desk.rest()
    results = desk.last("scenarios/results")
    assert results["done"] and results["results"] and all(one["outcome"] == "passed" for one in results["results"])
    assert any(row["address"] == "play" for row in results["margin"]["rules.warlock"])
    first = results["results"][0]
    shown = desk("scenarios/open", file=first["file"], line=first["line"])
    assert shown["placed"] and shown["at"] == 0 and shown["length"] == 7 and shown["names"] == ["Ann", "Ben"]
    assert desk("table/go", at=3)["at"] == 3
    assert desk("table/choose", number=1)["at"] == 4
    kept = desk("table/keep", name="from there")
    assert kept["path"] == "scenarios/from-there.toml"
    desk.rest()
    own = [one for one in desk.last("scenarios/results")["results"] if one["own"]]
    assert [(one["name"], one["outcome"]) for one in own] == [("from there", "passed")]


def test_a_table_of_a_comparison(tmp_path: Path) -> None:
    desk = Asked(tmp_path, "connect-four")
    report = desk("compare/open", stacks=["connect-four", "connect-four+small"], lang="en")
    assert [one["ruleset"] for one in report["editions"]] == ["connect-four", "connect-four+small"]
    shown = desk("compare/play", stack=1, replay={"players": 2, "seed": 1, "answers": []})
    assert shown["foreign"] == "connect-four+small" and shown["ruleset"] == "connect-four+small"
    assert "open that stack" in desk.refused("table/keep", name="x")
    assert desk("table/new", seed=1)["foreign"] == ""
    assert desk.refused("compare/open", stacks=["connect-four"]) == "name two rulesets or more"


def test_looking_ahead_is_for_who_is_asked(tmp_path: Path) -> None:
    desk = Asked(tmp_path, "go-fish")
    asked = desk("table/new", seed=1, viewer=-2)["table"]["to_move"]
    assert desk("table/preview", number=1)["table"]["viewer"] == asked
    desk("table/show", viewer=(asked + 1) % 3)
    assert desk.refused("table/preview", number=1) == "only who is asked can look ahead"
    assert desk.refused("table/why", key="x") == "only who is asked knows the options"


@pytest.mark.usefixtures("built_page")
def test_an_exported_page_allows_its_own_script_alone(tmp_path: Path) -> None:
    hostile = "</script><script>alert(1)</script>"
    text = page({"kind": "game", "title": hostile, "lang": "en", "ruleset": hostile, "told": "", "parts": [],
                 "moments": []})  # fmt: skip
    assert "alert(1)</script>" not in text.replace("&lt;", "")
    scripts = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    assert len(scripts) == 1 and hashed(scripts[0]) in text and "unsafe" not in text.partition("</title>")[0]
    data = re.search(r'id="data">(.*?)</script>', text, re.DOTALL)
    assert data is not None and json.loads(data[1])["title"] == hostile
    assert "http-equiv" in text and "default-src 'none'" in text and "Jason Miller" in text
