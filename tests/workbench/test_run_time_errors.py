"""Rules that break down in play: a sentence with the rule, its line and the answers that lead there, no traceback."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.workbench.test_cli import Command
from workbench.cli import main

TABLES = """
[game]
players = 2

[kind.card]
count = 4

[zone]
deck = { holds = "card", start = "card" }
hand = { each = "player", holds = "card" }

[series.worth]
is = [5]
"""
PLAY = "rule play:\n    for me in players: choose n in [1, 2]: move top(deck, n) to my.hand\n"
SCORE = f"{PLAY}    finish players\n\nscore cards = worth[count(my.hand)]\n"  # two cards are worth nothing that is told
DEALT = "rule deal:\n    choose card in deck\n    move card to my.hand\n"
DEAL = f"{PLAY}    deal() by players[1]\n    finish players\n\n{DEALT}"
AT_ONCE = "rule play:\n    require any(players[1].hand)\n    finish players\n"
RULES = {"score": SCORE, "deal": DEAL, "at_once": AT_ONCE}


@pytest.fixture
def warlock(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Command:
    """The command, in a folder with a game of each sort."""
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    for name, rules in RULES.items():
        folder = tmp_path / "rules" / name
        folder.mkdir(parents=True)
        (folder / "game.toml").write_text(TABLES, encoding="utf-8")
        (folder / "rules.warlock").write_text(rules, encoding="utf-8")
    return Command(capsys)


def test_play_names_the_score_its_line_and_the_game(warlock: Command, tmp_path: Path) -> None:
    found = warlock("play", "score", "--seats", "random,random", "--seed", "1", "--replay", "broken.json")
    assert found.code == 1
    assert "rules.warlock:5:15" in found.err and "(in score cards)" in found.err
    assert "5 | score cards = worth[count(my.hand)]" in found.err
    replay = json.loads((tmp_path / "broken.json").read_text(encoding="utf-8"))
    shown = " ".join(replay["answers"])
    assert len(replay["answers"]) == 2 and "2" in shown
    assert f"score, 2 players, seed 1, answers: {', '.join(replay['answers'])}" in found.err
    again = warlock("replay", "broken.json")
    assert again.code == 1 and "in rule score.cards, rules.warlock:5" in again.out


def test_a_replay_holds_the_answer_that_breaks_the_rules(warlock: Command, tmp_path: Path) -> None:
    seeds = range(8)
    bots = ["--seats", "random,random"]
    ran = [warlock("play", "deal", *bots, "--seed", str(n), "--replay", f"{n}.json") for n in seeds]
    broken = next(n for n in seeds if ran[n].code == 1)
    assert any(one.code == 0 for one in ran)
    assert "rules.warlock:7:12" in ran[broken].err and "(in rule deal)" in ran[broken].err
    assert len(json.loads((tmp_path / f"{broken}.json").read_text(encoding="utf-8"))["answers"]) == 2
    again = warlock("replay", f"{broken}.json")
    assert again.code == 1 and "in rule deal, rules.warlock:7" in again.out


@pytest.mark.parametrize("rules", sorted(RULES))
def test_bench(warlock: Command, rules: str) -> None:
    found = warlock("bench", rules, "--seconds", "0.1")
    assert found.code == 1 and "the rules are wrong: rules.warlock:" in found.err
    assert f"{rules}, 2 players, seed " in found.err


@pytest.mark.parametrize("rules", sorted(RULES))
def test_as_data(warlock: Command, rules: str) -> None:
    for words in (["play", rules, "--seats", "random,random", "--seed", "1"], ["bench", rules, "--seconds", "0.1"]):
        found = warlock(*words, "--json")
        if found.code == 0:  # a game that came out well
            continue
        assert found.code == 1 and "rules.warlock" in found.data["error"]
        assert found.data["replay"]["ruleset"] == rules and found.data["rule"]


@pytest.mark.parametrize("rules", sorted(RULES))
@pytest.mark.parametrize(
    "words",
    [
        ["sim", "--games", "4"],
        ["coverage", "--games", "3"],
        ["explore", "--max-states", "50"],
        ["mutate", "--games", "1", "--max", "2"],
        ["fuzz", "--games", "3", "--first"],
        ["show", "play"],
    ],
)
def test_no_other_command_shows_a_traceback(warlock: Command, rules: str, words: list[str]) -> None:
    command, *rest = words
    warlock(command, rules, *rest)  # asserts it


def test_a_person_at_the_terminal(
    warlock: Command, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", Lines(["2", "2"]))
    assert main(["play", "deal", "--seats", "human,human", "--seed", "1"]) == 1
    err = capsys.readouterr().err
    assert "answers: 2, 2" in err and "(in rule deal)" in err


class Lines:
    """A keyboard at which these lines are typed, each after the Enter that hands it over."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = [word for line in lines for word in ("", line)]

    def readline(self, size: int = -1) -> str:
        return f"{self.lines.pop(0)}\n" if self.lines else ""

    def isatty(self) -> bool:
        return False
