"""Walking through a recorded game: positions, jumps, searches; findings up to the law that breaks; two rulesets."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from interpreter import Game
from tests.workbench.terminal.test_play import tiny
from warlock_dsl.load import load
from warlock_dsl.ruleset import Ruleset
from workbench.cli import main
from workbench.language.sentences import Words
from workbench.players.base import Random, play_out
from workbench.terminal.recorded import Recorded, moves_in_words, recorded
from workbench.terminal.walk import Walk, WalkScreen, walk_in_lines

TINY = Path(__file__).parents[1] / "data" / "tiny"
TABLES = '[game]\nplayers = "2..2"\n\n[variable.game]\nn = "0..99999"\n'
RULES = """rule play:
    repeat 12:
        for me in players:
            choose k in 1..6: add k to n

score s = n
invariant small = n < 20
"""
DEAD = RULES.replace("add k to n", "note(k)").replace("invariant small = n < 20\n", "") + """
rule note(k: number):
    add k to n
    if n > 20: choose j in [i in 1..6 where i > 9]: add j to n
"""
__all__ = ["tiny"]


def played(ruleset: Ruleset, answers: int = 0) -> Game:
    game = Game.start(ruleset, 2, 4, ["human=Ann", "random"], log=True)
    bots = [Random(1), Random(2)]
    if not answers:
        play_out(game, bots)
    while len(game.answers) < answers:
        game.choose(bots[game.to_move].pick(game))
    return game


def file(path: Path, data: dict[str, Any]) -> str:
    path.write_text(json.dumps(data), encoding="utf-8")
    return str(path)


def walk_of(ruleset: Ruleset) -> Walk:
    return Walk(recorded(ruleset, played(ruleset).replay()), Words(ruleset, "en", ["Ann", "Bob"]))


# ----------------------------------------------------------------- positions


def test_every_position_is_the_one_that_was_played(tiny: Ruleset) -> None:
    game = Game.start(tiny, 2, 4, ["human=Ann", "random"], log=True)
    found = recorded(tiny, played(tiny).replay())
    assert found.count > 10 and found.violation is None
    for number, key in enumerate(found.game.answers):
        assert found.at(number).digest() == game.digest() and found.given(number) == key
        game.answer(key)
    assert found.at(found.count).digest() == game.digest() and found.given(found.count) == ""


def test_keys(tiny: Ruleset) -> None:
    walk = walk_of(tiny)
    screen = WalkScreen(walk)
    for key, place in (("right", 1), ("n", 2), ("left", 1), ("end", walk.last), ("home", 0), ("page-down", 10)):
        assert screen.walk_on(key) and walk.place == place
        assert f"after {place} of {walk.last}" in "\n".join(line.plain for line in screen.lines(80, 24))
    for key in "g7":
        screen.walk_on(key)
    assert screen.walk_on("enter") and walk.place == 7
    screen.walk_on("v")
    assert walk.viewer == 0 and "Ann (you)" in screen.draw(80, 24).text
    assert not screen.walk_on("q")


def test_what_was_answered_is_selected(tiny: Ruleset) -> None:
    walk = walk_of(tiny)
    moves = moves_in_words(walk.found, walk.words)
    for number, move in enumerate(moves):
        walk.go(number)
        screen = WalkScreen(walk)
        line = screen.view.menu.selected
        assert line is not None and line.text == move["answer"]


def test_searched(tiny: Ruleset) -> None:
    walk = walk_of(tiny)
    screen = WalkScreen(walk)
    for key in "/SQUARE":
        screen.walk_on(key)
    screen.walk_on("enter")
    first = walk.place
    assert first > 0 and any("square" in line for line in screen.view.log[-screen.view.fresh :])
    assert walk.find("deck") and walk.place != first
    for key in "/no such thing":
        screen.walk_on(key)
    screen.walk_on("enter")
    assert "no such thing" in screen.view.message


def test_line_by_line(tiny: Ruleset) -> None:
    walk, out = walk_of(tiny), io.StringIO()
    words = iter(["", "n", "p", "l", "f", "5", "/square", "/nothing such", "v", "what", "q", "n"])
    walk_in_lines(walk, Console(file=out, width=90), lambda prompt: next(words))
    text = out.getvalue()
    for place in (0, 1, 2, 5, walk.last):
        assert f"after {place} of {walk.last} decisions" in text
    assert "'nothing such'" in text and "n, p, f, l" in text and "●" in text and next(words) == "n"


# ------------------------------------------------------------------- the command


def test_a_save_in_mid_game_is_told_as_such(tiny: Ruleset, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    save = file(tmp_path / "s.json", played(tiny, 6).save())
    assert main(["replay", save, "--ruleset", str(TINY)]) == 0
    text = capsys.readouterr().out
    assert "The game is not over: 6 decisions so far." in text and "Nobody wins" not in text


def test_the_table_at_a_decision(tiny: Ruleset, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    replay = file(tmp_path / "r.json", played(tiny).replay())
    assert main(["replay", replay, "--ruleset", str(TINY), "--at", "4"]) == 0
    text = capsys.readouterr().out
    assert "after 4 of" in text and text.count("●") == 1 and "╭─ The little game" in text
    assert main(["replay", replay, "--ruleset", str(TINY), "--at", "9999"]) == 2


def test_going_on_from_there(
    tiny: Ruleset, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    replay = file(tmp_path / "r.json", played(tiny).replay())
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n" * 200))
    assert main(["replay", replay, "--ruleset", str(TINY), "--at", "6", "--play", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["over"] and found["scores"][0]["player"] == "human"
    again = Game.again(tiny, 2, 4, played(tiny).answers[:6], log=True)
    bot = Random(4)
    while not again.over:
        again.choose(0 if again.to_move == 0 else bot.pick(again))
    assert again.digest() == found["digest"]


def finding(folder: Path, rules: str, capsys: pytest.CaptureFixture[str]) -> tuple[str, dict[str, Any]]:
    game = folder / "g"
    game.mkdir()
    (game / "game.toml").write_text(TABLES, encoding="utf-8")
    (game / "rules.warlock").write_text(rules, encoding="utf-8")
    assert main(["fuzz", str(game), "--games", "6", "--jobs", "1", "--out", str(folder / "out"), "--json"]) == 1
    (found,) = json.loads(capsys.readouterr().out)["findings"]
    return str(game), found


@pytest.mark.parametrize(("rules", "law"), [(RULES, "invariant.small"), (DEAD, "dead_end")])
def test_a_finding(tmp_path: Path, capsys: pytest.CaptureFixture[str], rules: str, law: str) -> None:
    """It is told up to the answer that breaks the law, and that one is marked."""
    game, found = finding(tmp_path, rules, capsys)
    assert main(["replay", found["replay"], "--ruleset", game]) == 1
    text = capsys.readouterr().out
    marked = [line for line in text.splitlines() if line.startswith("✗ ")]
    assert len(marked) == 2 and marked[0].split()[1] == str(found["decisions"]) and law in text
    assert main(["replay", found["replay"], "--ruleset", game, "--json", "--moves"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert data["broken"]["law"] == law and data["broken"]["after"] == len(data["moves"]) == found["decisions"]
    ruleset = load(game).ruleset
    assert ruleset is not None
    walk = Walk(recorded(ruleset, json.loads(Path(found["replay"]).read_text())), Words(ruleset))
    walk.go(walk.last)
    assert law in WalkScreen(walk).draw(80, 24).text
    walk.go(walk.last - 1)
    assert law not in WalkScreen(walk).draw(80, 24).text


def test_a_finding_that_was_mended(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file that claims what is not so is not believed."""
    game, found = finding(tmp_path, RULES, capsys)
    data = json.loads(Path(found["replay"]).read_text())
    data["transcript"], data["answers"] = data["transcript"][:2], data["answers"][:2]
    ruleset = load(game).ruleset
    assert ruleset is not None
    assert recorded(ruleset, data).violation is None


# ---------------------------------------------------------------- other rules


def test_both_side_by_side(tiny: Ruleset, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    walk = walk_of(tiny)
    both = Walk(walk.found, walk.words, Recorded(walk.found.at(5)), walk.words, 5, "they differ")
    screen = WalkScreen(both)
    screen.walk_on("end")
    assert both.place == 5 and "they differ" in both.status()
    wide = [line.plain for line in screen.lines(161, 24)]
    assert all(line[80] == "│" for line in wide) and wide[0].count("The little game") == 2
    narrow = [line.plain for line in screen.lines(80, 24)]
    screen.walk_on("o")
    assert narrow[0].count("The little game") == 1 and len(screen.lines(80, 24)) == 24


def test_where_two_rulesets_part_names_those_who_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The sentence about the divergence calls the seats what the table beside it calls them."""
    for name, rules in (("old", RULES), ("new", RULES.replace("1..6", "2..6"))):
        folder = tmp_path / name / "sums"
        folder.mkdir(parents=True)
        (folder / "game.toml").write_text(TABLES, encoding="utf-8")
        (folder / "rules.warlock").write_text(rules, encoding="utf-8")
    old = load(str(tmp_path / "old" / "sums")).ruleset
    assert old is not None
    game = Game.start(old, 2, 1, ["human=Zoe", "greedy"], log=True)
    game.choose(3)
    replay = file(tmp_path / "game.json", game.replay())
    monkeypatch.chdir(tmp_path / "old")
    assert main(["replay", replay, "--under", str(tmp_path / "new" / "sums")]) == 0
    assert "Zoe is asked" in " ".join(capsys.readouterr().out.split())
