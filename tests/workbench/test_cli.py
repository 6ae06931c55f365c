"""The command: what it prints, what it gives scripts, and that no mistake of a user ends in a traceback."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from workbench.cli import main

ROOT = Path(__file__).parents[2]
TINY = str(Path(__file__).parent / "data" / "tiny")
BOTS = ["--seats", "random,first", "--seed", "7"]


class Ran:
    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    @property
    def data(self) -> Any:
        return json.loads(self.out)


class Command:
    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self.capsys = capsys

    def __call__(self, *words: str) -> Ran:
        self.capsys.readouterr()
        code = main(words)
        found = self.capsys.readouterr()
        assert "Traceback" not in found.out + found.err
        return Ran(code, found.out, found.err)


@pytest.fixture
def warlock(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    monkeypatch.setenv("COLUMNS", "100")
    return Command(capsys)


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    """The little game with two mistakes."""
    folder = tmp_path / "games" / "broken"
    shutil.copytree(TINY, folder)
    rules = folder / "rules.warlock"
    text = rules.read_text(encoding="utf-8")
    text = text.replace("my.bonus + 0.5", "my.bonsu + 0.5").replace("shuffle deck", "shuffle dekc")
    rules.write_text(text, encoding="utf-8")
    return folder


# ---------------------------------------------------------------- list, check


def test_list(warlock: Command) -> None:
    found = warlock("list", "--json", "--rules", str(Path(TINY).parent)).data["rulesets"]
    by_name = {entry["name"]: entry for entry in found}
    assert by_name["tiny"]["title"] == "The little game"
    assert by_name["tiny"]["players"] == [2, 3] and by_name["tiny"]["errors"] == 0
    assert by_name["tiny"]["path"] == TINY
    assert "maldorf" in by_name
    text = warlock("--rules", str(Path(TINY).parent), "list").out
    assert "The little game" in text and "2–3 players" in text  # noqa: RUF001
    assert by_name["tiny"]["hash"] not in text and TINY not in text
    assert "Tic-tac-toe. Three in a row on nine squares" in text and "+ small, taller" in text
    long = warlock("list", "--long", "--rules", str(Path(TINY).parent)).out
    assert by_name["tiny"]["hash"] in long and TINY in long.replace("\n", "")
    one = warlock("list", "connect-four").out
    assert "taller" in one and "kind" in one and "maldorf" not in one
    names = warlock("list", "--names").out.splitlines()
    assert names == sorted(names)
    assert {"connect-four", "connect-four+small", "connect-four+taller", "maldorf+fr"} <= set(names)


def test_check(warlock: Command, broken: Path) -> None:
    sound = warlock("check", TINY, "--json")
    assert sound.code == 0
    assert {**sound.data, "hash": None} == {
        "ruleset": "tiny", "hash": None, "errors": 0, "warnings": 0, "notes": 0, "diagnostics": [],
    }  # fmt: skip
    assert len(sound.data["hash"]) == 16
    wrong = warlock("check", str(broken), "--json")
    assert wrong.code == 1 and wrong.data["errors"] == 2 and wrong.data["hash"] is None
    assert {one["file"] for one in wrong.data["diagnostics"]} == {"rules.warlock"}
    text = warlock("check", str(broken))
    assert text.code == 1 and text.out.count("error[") == 2 and "did you mean 'deck'?" in text.out


def test_a_ruleset_that_is_not_there(warlock: Command) -> None:
    assert "no ruleset" in warlock("play", "maldrof", "--json").data["error"]


def test_a_broken_ruleset_is_not_played(warlock: Command, broken: Path) -> None:
    ran = warlock("play", str(broken), *BOTS)
    assert ran.code == 1 and ran.err.count("error[") == 2


# ------------------------------------------------------------------------ fmt


def test_fmt(warlock: Command, tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    untidy, tidy, wrong = tmp_path / "deep" / "a.warlock", tmp_path / "b.warlock", tmp_path / "c.warlock"
    untidy.write_text("rule  f:\n      pass\n", encoding="utf-8")
    tidy.write_text("define x = 1\n", encoding="utf-8")
    wrong.write_text("rule rule rule\n", encoding="utf-8")
    (tmp_path / "letter.txt").write_text("rule  f", encoding="utf-8")
    checked = warlock("fmt", "--check", str(tmp_path), "--json")
    assert checked.code == 1
    assert checked.data["changed"] == [untidy.as_posix()] and checked.data["unchanged"] == 1
    assert untidy.read_text(encoding="utf-8").startswith("rule  f")
    shown = warlock("fmt", "--diff", str(untidy))
    assert shown.code == 0 and "-rule  f:" in shown.out and untidy.read_text(encoding="utf-8").startswith("rule  f")
    ran = warlock("fmt", str(tmp_path))
    assert ran.code == 1 and "c.warlock" in ran.out  # the one that cannot be read
    assert untidy.read_text(encoding="utf-8").startswith("rule f")
    assert wrong.read_text(encoding="utf-8") == "rule rule rule\n"
    assert warlock("fmt", str(untidy), str(tidy)).code == 0
    assert warlock("fmt", "--check", str(untidy), str(tidy)).code == 0
    assert warlock("fmt", str(tmp_path / "letter.txt")).code == 1
    assert (tmp_path / "letter.txt").read_text(encoding="utf-8") == "rule  f"


# -------------------------------------------------------------- show, sources


@pytest.mark.parametrize(
    ("address", "what", "said"),
    [
        ("action.place", "rule", "choose card in my.hand"),
        ("gift", "rule", "hangs: after placed"),
        ("placed", "event", "parameters: card: card"),
        ("score.cards", "part of the score", "worth.red  A red card is worth half a point.  (book 1)"),
        ("invariant.conserved", "invariant", "is 18"),
        ("size.hand", "figure", "range: 2..5"),
        ("colour.red", "row", "worth: 0.5 (printed)"),
        ("colour.red.worth", "cell of a table", "value: 0.5"),
        ("zone.hand", "zone", "seen by: owner"),
        ("variable.bonus", "variable", "of each: player"),
        ("grid.plan", "grid", "regions: corner"),
        ("kind.token", "kind of piece", "tokens  There are four tokens."),
        ("k07", "piece: card", "points: 3"),
        ("k07.points", "field of a piece", "value: 3"),
        ("hands", "rule of the ledger", "cited by: size.hand, size.rounds, zone.hand"),
        ("R-1", "ruling", "because: there are cards enough"),
        ("draw", "rule", "std/piles.warlock:"),
    ],
)
def test_show(warlock: Command, address: str, what: str, said: str) -> None:
    ran = warlock("show", TINY, address)
    assert ran.code == 0 and ran.out.startswith(f"{what} {address}") and said in ran.out
    data = warlock("show", TINY, address, "--json").data["definitions"][0]
    assert data["address"] == address and data["what"] == what and data["source"]


def test_show_says_that_me_is_always_there(warlock: Command) -> None:
    assert "`me`" in warlock("show", TINY, "turn").out and "implicit parameter" in warlock("show", TINY, "turn").out


def test_show_what_is_not_there(warlock: Command) -> None:
    ran = warlock("show", TINY, "actoin.place")
    assert ran.code == 2 and "did you mean 'action.place'?" in ran.err
    assert warlock("show", TINY, "\x1b[2J").err.count("\x1b") == 0


def test_show_everything(warlock: Command) -> None:
    text = warlock("show", TINY).out
    assert "rule: play, round, turn, action.place" in text and "zone: zone.deck" in text
    groups = warlock("show", TINY, "--json").data["addresses"]
    assert len(groups["piece: card"]) == 18


def test_two_things_of_one_name_are_both_shown(warlock: Command) -> None:
    whats = [one["what"] for one in warlock("show", "maldorf", "score.printed", "--json").data["definitions"]]
    assert whats == ["part of the score", "rule of the ledger"]


def test_sources(warlock: Command, tmp_path: Path) -> None:
    ran = warlock("sources", TINY, "--json")
    assert ran.code == 0 and ran.data["unaccounted"] == []
    assert ran.data["followed"]["tokens"] == ["kind.token"]
    assert ran.data["idle"] == {"thanks": "no rule of play"}
    assert ran.data["rulings"] == {"followed": {"R-1": ["game"]}, "idle": {}, "unfollowed": []}
    assert ran.data["standing"]["figures"]["figures"] == {"printed": 1, "derived": 1}
    assert "7 rules: 6 followed, 1 without effect on play, 0 left over" in warlock("sources", TINY).out
    folder = tmp_path / "left"
    shutil.copytree(TINY, folder)
    rules = folder / "rules.warlock"
    rules.write_text(rules.read_text(encoding="utf-8").replace("end, ", ""), encoding="utf-8")
    left = warlock("sources", str(folder), "--json")
    assert left.code == 1 and left.data["unaccounted"] == ["end"]
    assert "rules that nothing accounts for: end" in warlock("sources", str(folder)).out


def test_nothing_is_left_over_in_the_shipped_game(warlock: Command) -> None:
    assert warlock("sources", "maldorf", "--json").data["unaccounted"] == []


# ----------------------------------------------------------------------- test


def test_scenarios(warlock: Command, tmp_path: Path) -> None:
    ran = warlock("test", TINY, "--json")
    assert ran.code == 0 and ran.data["passed"] and len(ran.data["scenarios"]) == 1
    folder = tmp_path / "tiny"
    shutil.copytree(TINY, folder)
    file = folder / "scenarios" / "selling.toml"
    file.write_text(file.read_text(encoding="utf-8").replace("bonus = 0.5", "bonus = 3"), encoding="utf-8")
    failed = warlock("test", str(folder))
    assert failed.code == 1 and "FAILED" in failed.out and "half a point" in failed.out


# ---------------------------------------------------------------- play, replay


def test_bots_play_to_the_end(warlock: Command) -> None:
    ran = warlock("play", TINY, *BOTS, "--json")
    assert ran.code == 0 and ran.err == ""
    data = ran.data
    assert list(data) == ["ruleset", "hash", "seed", "players", "decisions", "over", "scores", "winners", "digest"]
    assert (data["ruleset"], data["seed"], data["players"], data["over"]) == ("tiny", 7, 2, True)
    assert [(one["seat"], one["player"]) for one in data["scores"]] == [(0, "random"), (1, "first")]
    for one in data["scores"]:
        assert sum(one["parts"].values()) == one["total"]
        assert list(one["parts"]) == ["cards", "bonus"]
    assert warlock("play", TINY, *BOTS, "--json").out == ran.out
    assert warlock("play", TINY, *BOTS[:-1], "8", "--json").data["digest"] != data["digest"]
    text = warlock("play", TINY, *BOTS)
    assert "The little game, seed 7: Random bot 1, First-option bot 2" in text.out and "total" in text.out
    assert "seed 7" not in warlock("play", TINY, *BOTS, "--quiet").out


def test_the_game_of_the_issue(warlock: Command) -> None:
    words = ["play", "maldorf", "--players", "4", "--seats", "random,random,random,random", "--seed", "7", "--json"]
    data = warlock(*words).data
    assert data["players"] == 4 and data["winners"] and len(data["scores"]) == 4
    assert all(sum(one["parts"].values()) == one["total"] for one in data["scores"])


def test_a_replay_leads_to_the_same_end(warlock: Command, tmp_path: Path) -> None:
    replay, save = tmp_path / "r.json", tmp_path / "s.json"
    data = warlock("play", TINY, *BOTS, "--json", "--replay", str(replay), "--save", str(save)).data
    rules = ["--ruleset", TINY]
    for file in (replay, save):
        again = warlock("replay", str(file), *rules, "--json")
        assert again.code == 0
        assert again.data == data
    told = warlock("replay", str(replay), *rules, "--moves", "--lang", "de")
    assert told.code == 0 and "Welche Karte zeigst du" in told.out and "Summe" in told.out
    moves = warlock("replay", str(replay), *rules, "--moves", "--json").data["moves"]
    assert [move["key"] for move in moves] == json.loads(replay.read_text(encoding="utf-8"))["answers"]
    by_name = warlock("replay", str(replay), "--rules", str(Path(TINY).parent), "--json")
    assert by_name.data == data
    loaded = warlock("play", TINY, "--load", str(save), "--json")
    assert loaded.data == data


@pytest.mark.parametrize("key", ["digest", "seed", "answers", "hash", "players", "seats", "format", "state"])
def test_a_replay_that_was_altered_fails(warlock: Command, tmp_path: Path, key: str) -> None:
    save = tmp_path / "s.json"
    warlock("play", TINY, *BOTS, "--save", str(save))
    data = json.loads(save.read_text(encoding="utf-8"))
    values: list[Any] = [None, "x", 99, [], {}, "0" * 64]
    for value in values:
        save.write_text(json.dumps({**data, key: value}), encoding="utf-8")
        if value == data[key]:
            continue
        ran = warlock("replay", str(save), "--ruleset", TINY)
        assert ran.code == 1 and ran.err.startswith("warlock: "), (key, value)
        if key not in ("seed", "answers"):  # the state alone says where a saved game goes on
            assert warlock("play", TINY, "--load", str(save)).code in (1, 2)


HOSTILE = {
    "binary": b"\xff\xfe\x00\x01",
    "deep": b"[" * 500_000,
    "deep answers": b'{"format": "warlock-replay/2", "answers": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    "long number": b'{"format": "warlock-replay/2", "seed": ' + b"9" * 10_000 + b"}",
    "empty": b"",
    "a list": b"[]",
    "a word": b'"warlock-replay/2"',
    "nothing in it": b"{}",
    "no ruleset": b'{"format": "warlock-replay/2"}',
    "a path": b'{"format": "warlock-replay/2", "ruleset": "/etc"}',
    "a zero byte": b'{"format": "warlock-replay/2", "ruleset": "a\\u0000b"}',
    "a list for a ruleset": b'{"format": "warlock-replay/2", "ruleset": []}',
}


@pytest.mark.parametrize("content", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_files(warlock: Command, tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "hostile.json"
    file.write_bytes(content)
    begun = time.process_time()
    for words in (["replay", str(file)], ["replay", str(file), "--ruleset", TINY], ["play", TINY, "--load", str(file)]):
        ran = warlock(*words)
        assert ran.code in (1, 2) and ran.err
        assert "error" in warlock(*words, "--json").data
    assert time.process_time() - begun < 30


@pytest.mark.parametrize(
    "words",
    [
        ["dance"], ["play"], ["play", TINY, "--players", "0"], ["play", TINY, "--players", "9"],
        ["play", TINY, "--seats", "random"], ["play", TINY, "--seats", "random,random", "--players", "3"],
        ["play", TINY, "--seats", "robot,random"], ["play", TINY, "--seed", "x"], ["play", TINY, "--seed", "9" * 99],
        ["play", TINY, "--lang", "xx"], ["play", TINY, "--load", "/nowhere"], ["replay", "/nowhere"], ["replay", "/"],
        ["fmt"], ["fmt", "/nowhere"], ["list", "--rules", "/nowhere"], ["play", "a\0b"], ["play", "x" * 5000],
    ],
)  # fmt: skip
def test_usage(warlock: Command, words: list[str]) -> None:
    ran = warlock(*words)
    assert ran.code == 2 and ran.err


def test_help_and_version(warlock: Command) -> None:
    assert warlock("--version").out.startswith("warlock ")
    assert "Exit codes" in warlock("--help").out
    for command in ("list", "check", "fmt", "show", "sources", "test", "play", "replay"):
        assert warlock(command, "--help").code == 0


# ------------------------------------------------------- as a process of its own


def process(*words: str, **more: Any) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "100"}
    return subprocess.Popen(
        [sys.executable, "-m", "workbench.cli", *words],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment, **more,
    )  # fmt: skip


def test_a_person_plays_through_a_pipe(tmp_path: Path) -> None:
    save = tmp_path / "s.json"
    running = process("play", TINY, "--seats", "human=Zoë,first", "--seed", "3", "--lang", "fr", "--save", str(save))
    out, err = running.communicate("1\n\xff\n".encode("latin-1") + b"1\n", timeout=240)
    assert running.returncode == 0 and err == b""
    text = out.decode()
    assert "Zoë (vous)" in text and "La partie est conservée" in text and "\x1b" not in text
    assert json.loads(save.read_text(encoding="utf-8"))["seats"] == ["human=Zoë", "first"]


def test_with_json_only_json_is_on_the_output() -> None:
    running = process("play", TINY, "--seats", "human,first", "--seed", "3", "--json")
    out, err = running.communicate(b"1\n" * 60, timeout=240)
    assert running.returncode == 0
    assert json.loads(out)["over"] is True
    assert "The little game" in err.decode()


def test_nobody_reads_the_output() -> None:
    running = process("show", "maldorf")
    assert running.stdout is not None and running.stderr is not None
    running.stdout.close()
    assert running.wait(timeout=240) == 141
    assert running.stderr.read() == b""
    running.communicate()


def test_interrupted_while_bots_think() -> None:
    running = process("play", "maldorf", "--seats", "greedy,greedy,greedy", "--seed", "1")
    assert running.stdout is not None
    running.stdout.readline()  # the game has begun
    running.send_signal(signal.SIGINT)
    _, err = running.communicate(timeout=240)
    assert running.returncode == 130 and b"Traceback" not in err
