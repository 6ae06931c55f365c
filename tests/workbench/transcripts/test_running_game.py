"""Games in progress are kept, answer by answer: nothing that was shown as taken is lost, whatever ends the play."""

from __future__ import annotations

import json
import os
import random
import re
import select
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from interpreter import Game
from tests.workbench.terminal.test_play import Desk, ones, tiny
from warlock_dsl.ruleset import Ruleset
from workbench.cli import main
from workbench.support.errors import UsageError
from workbench.terminal.sitting import End, Start, keep, take_up
from workbench.transcripts import running_game
from workbench.transcripts.running_game import Record, RunningGame, games_folder, read_running, unfinished

ROOT = Path(__file__).parents[3]
GAME = Path(__file__).parents[1] / "data" / "tiny"
SEATS = "human=Ann,random"
__all__ = ["tiny"]


@pytest.fixture(autouse=True)
def own_state(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def begun(ruleset: Ruleset, seats: str = SEATS, seed: int = 4) -> tuple[Start, RunningGame]:
    start = Start(Game.start(ruleset, 2, seed, seats.split(","), log=True))
    return start, keep(start, "en")


def records() -> list[Record]:
    found = unfinished()
    assert all(isinstance(one, Record) for one in found)
    return [one for one in found if isinstance(one, Record)]


# ------------------------------------------------------------------ the file


def test_every_answer_is_in_the_file_when_the_next_question_is_shown(tiny: Ruleset) -> None:
    start, kept = begun(tiny)
    seen = []

    def look(desk: Desk, prompt: str) -> str:
        assert list(read_running(kept.path).answers) == desk.game.answers
        seen.append(len(desk.game.answers))
        return "1"

    desk = Desk(tiny, SEATS, look, start=start, kept=kept)
    assert desk.play() is End.OVER
    record = read_running(kept.path)
    assert len(seen) > 3 and record.over and list(record.answers) == desk.game.answers
    assert not unfinished()


def test_an_answer_that_is_not_written_is_noticed(tiny: Ruleset, monkeypatch: pytest.MonkeyPatch) -> None:
    """The look above fails where answers are not kept."""
    start, kept = begun(tiny)
    monkeypatch.setattr(RunningGame, "answered", lambda self, key: None)
    desk = Desk(tiny, SEATS, ["1", None], start=start, kept=kept)
    desk.play()
    assert desk.game.answers and not read_running(kept.path).answers


def test_taken_back_and_given_again(tiny: Ruleset) -> None:
    start, kept = begun(tiny)
    found: list[list[str]] = []

    def winding(desk: Desk, prompt: str) -> str | None:
        found.append(list(read_running(kept.path).answers))
        assert found[-1] == desk.game.answers
        return ["1", "1", "u", "u", "r", "r", "r", "u", "2", "r", None][len(found) - 1]

    desk = Desk(tiny, SEATS, winding, start=start, kept=kept)
    assert desk.play() is End.LEFT
    assert found[3] == found[5] == found[8] == found[1] and found[4] == found[0] and found[6] == found[7] == found[2]
    assert found[9][: len(found[1])] == found[1] and found[9] != found[2]
    assert desk.text.count(desk.words.phrases("nothing_to_redo")) == 2
    (record,) = records()
    assert list(record.answers) == desk.game.answers and "--resume" in desk.text


def test_going_on(tiny: Ruleset) -> None:
    start, kept = begun(tiny)
    left = Desk(tiny, SEATS, ["1", "1", None], start=start, kept=kept)
    left.play()
    (record,) = records()
    again = take_up(tiny, record)
    assert again.game.digest() == left.game.digest() and again.whole
    desk = Desk(tiny, SEATS, ones, start=again, kept=RunningGame.reopen(record))
    desk.play()
    whole = Desk(tiny, SEATS, ones)
    whole.play()
    assert desk.game.answers == whole.game.answers == list(read_running(record.path).answers)


def test_a_save_that_no_answers_lead_to(tiny: Ruleset) -> None:
    """Its state is kept in the heading, and the answers after it."""
    game = Game.start(tiny, 2, 4, SEATS.split(","))
    game.choose(0)
    game.answers.clear()
    game.answers.append("nonsense")
    start = Start(Game.load(tiny, json.loads(json.dumps(game.save()))))
    desk = Desk(tiny, SEATS, ["1", "1", "u", None], start=start, kept=keep(start, "en"))
    desk.play()
    (record,) = records()
    assert take_up(tiny, record).game.digest() == desk.game.digest() != game.digest()


def test_a_game_nobody_answered_in_is_not_kept(tiny: Ruleset) -> None:
    start, kept = begun(tiny)
    Desk(tiny, SEATS, [None], start=start, kept=kept).play()
    assert not unfinished() and not kept.path.exists()


def test_games_that_are_over_are_kept_for_a_while(tiny: Ruleset, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running_game, "MAX_OVER", 2)
    for seed in range(5):
        kept = begun(tiny, seed=seed)[1]
        kept.over()
        os.utime(kept.path, (1000 + seed, 1000 + seed))
        kept.close()
    begun(tiny)[1].close()
    over = [record for path in games_folder().iterdir() if (record := read_running(path)).over]
    assert sorted(record.heading["seed"] for record in over) == [3, 4]


def test_one_window_at_a_time(tiny: Ruleset) -> None:
    _, kept = begun(tiny)
    kept.answered("x")
    (record,) = records()
    with pytest.raises(UsageError, match="another run"):
        RunningGame.reopen(record)
    kept.close()
    RunningGame.reopen(record).close()


# ----------------------------------------------------------- files of strangers


def damaged(path: Path, lines: list[Any], end: str = "\n") -> Path:
    path.write_text("\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines) + end)
    return path


HEAD = {
    "format": "warlock-game/1", "ruleset": "t", "hash": "h", "players": 2, "seats": ["human", "first"],
    "seed": 1, "lang": "en",
}  # fmt: skip


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ([""], ":1: this line is damaged"),
        (["{}"], "is no game of this version"),
        (['{"format":"warlock-game/7"}'], "is no game of this version"),
        ([HEAD | {"more": 1}], ":1: this line is damaged"),
        ([HEAD | {"seed": "1"}], ":1: this line is damaged"),
        ([HEAD, {"answer": 5}], ":2: this line is damaged"),
        ([HEAD, {"answer": "a" * 2001}], ":2: this line is damaged"),
        ([HEAD, {"answer": "a", "b": 1}], ":2: this line is damaged"),
        ([HEAD, {"answer": "a"}, {"left": 2}], ":3: this line is damaged"),
        ([HEAD, {"answer": "a"}, {"left": True}], ":3: this line is damaged"),
        ([HEAD, {"left": -1}], ":2: this line is damaged"),
        ([HEAD, "[" * 100_000], ":2: this line is damaged"),
        ([HEAD, "not json"], ":2: this line is damaged"),
        ([HEAD, "\x00"], ":2: this line is damaged"),
    ],
)
def test_damaged_files(tmp_path: Path, lines: list[Any], told: str) -> None:
    with pytest.raises(UsageError, match=re.escape(told)):
        read_running(damaged(tmp_path / "g.jsonl", lines))


def test_a_line_that_was_cut_off_is_dropped(tmp_path: Path) -> None:
    path = damaged(tmp_path / "g.jsonl", [HEAD, {"answer": "a"}, '{"answer":"b'], "")
    record = read_running(path)
    assert record.answers == ("a",)
    again = RunningGame.reopen(record)
    again.answered("c")
    again.close()
    assert read_running(path).answers == ("a", "c")


def test_a_line_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running_game, "MAX_LINE", 1000)
    with pytest.raises(UsageError, match="too long"):
        read_running(damaged(tmp_path / "g.jsonl", [HEAD, "x" * 3000]))


def test_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running_game, "MAX_BYTES", 1000)
    with pytest.raises(UsageError, match="larger than"):
        read_running(damaged(tmp_path / "g.jsonl", [HEAD, *[{"answer": "a"}] * 200]))


def test_answers_that_do_not_fit(tiny: Ruleset, tmp_path: Path) -> None:
    kept = begun(tiny)[1]
    kept.answered("no such answer")
    kept.close()
    with pytest.raises(UsageError, match="is not on offer"):
        take_up(tiny, read_running(kept.path))
    other = HEAD | {"ruleset": tiny.name}
    with pytest.raises(UsageError, match="made with other rules"):
        take_up(tiny, read_running(damaged(tmp_path / "g.jsonl", [other])))


def test_a_path_in_the_heading_is_not_followed(capsys: pytest.CaptureFixture[str]) -> None:
    damaged(games_folder() / "g.jsonl", [HEAD | {"ruleset": "/etc"}, {"answer": "a"}])
    assert main(["play", "--resume"]) == 1
    assert "by a path" in capsys.readouterr().err


# ----------------------------------------------------------------- the command


def test_games_are_listed(tiny: Ruleset, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "--resume"]) == 1
    assert "no game to go on with" in capsys.readouterr().err
    for seed in range(2):
        _, kept = begun(tiny, seed=seed)
        kept.close()
    damaged(games_folder() / "odd.jsonl", ["\x1b[2J"])
    assert main(["play", "--resume"]) == 2
    found = capsys.readouterr()
    assert found.out.count("human=Ann, random") == 2 and "odd.jsonl" in found.out and "\x1b" not in found.out
    assert "--resume 1" in found.err
    assert main(["play", "--resume", "9"]) == 2 and main(["play", "--resume", "--seed", "3"]) == 2
    assert "does not go with it" in capsys.readouterr().err


# ------------------------------------------------------------------- real ends

COMMAND = [sys.executable, "-m", "workbench.cli", "play", str(GAME), "--seats", SEATS, "--seed", "5"]
PROMPT = b"h for help): "


def started(words: list[str]) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    pipe = subprocess.PIPE
    return subprocess.Popen(words, cwd=ROOT, env=environment, stdin=pipe, stdout=pipe, stderr=pipe)


def prompts(run: subprocess.Popen[bytes], count: int, seconds: float = 60) -> bytes:
    """What a run prints until it has asked so often, or is over."""
    assert run.stdout is not None
    shown, until = b"", time.monotonic() + seconds
    while shown.count(PROMPT) < count and time.monotonic() < until:
        if select.select([run.stdout], [], [], 0.05)[0]:
            more = os.read(run.stdout.fileno(), 65536)
            if not more:
                break
            shown += more
    return shown


def give(run: subprocess.Popen[bytes], text: bytes) -> None:
    assert run.stdin is not None
    with suppress(BrokenPipeError):  # the game is over, and the process with it
        run.stdin.write(text)
        run.stdin.flush()


def test_interrupted(tiny: Ruleset, capfd: pytest.CaptureFixture[str]) -> None:
    run = started(COMMAND)
    prompts(run, 1)
    give(run, b"1\n")
    prompts(run, 1)
    run.send_signal(signal.SIGINT)
    out, err = run.communicate(timeout=60)
    assert run.returncode == 130 and b"--resume" in out and b"Traceback" not in err
    (record,) = records()
    assert record.answers
    again = started([*COMMAND[:4], str(GAME), "--resume"])
    shown = prompts(again, 1)
    assert f"{len(record.answers)} decisions".encode() in shown
    out, err = again.communicate(b"1 2\nu 3\n", timeout=60)  # no whole lines: not answers
    assert again.returncode == 0 and b"Traceback" not in err
    assert records()[0].answers == record.answers


@pytest.mark.parametrize("kills", [4, pytest.param(100, marks=pytest.mark.long)])
def test_killed_at_random_moments(tiny: Ruleset, kills: int) -> None:
    """What was shown as taken when the process died is in the file; going on, it is the game it would have been."""
    dice = random.Random(15)
    shown_taken = killed = 0
    words = COMMAND
    while killed < kills:
        run = started(words)
        before = prompts(run, 1)
        if PROMPT not in before:  # the game is over
            run.communicate(timeout=60)
            shown_taken, words = 0, COMMAND
            continue
        base = len(records()[0].answers) if words is not COMMAND else None
        asked = 1
        for _ in range(dice.randrange(3)):
            give(run, b"1\n")
            asked += prompts(run, 1).count(PROMPT)
        if dice.random() < 0.7:
            give(run, b"1\n" * dice.randrange(1, 4))
            time.sleep(dice.random() * 0.03)
        run.kill()
        out, _ = run.communicate(timeout=60)
        killed += run.returncode == -signal.SIGKILL
        taken = asked - 1 + out.count(PROMPT)
        found = records()
        if not found:  # it was over before it was killed
            shown_taken, words = 0, COMMAND
            continue
        game = take_up(tiny, found[0])
        own = sum(asker == 0 for asker in game.askers)
        assert own >= shown_taken + taken, f"{shown_taken + taken} answers were shown as taken, {own} are kept"
        assert base is None or len(found[0].answers) >= base
        shown_taken = own
        assert game.game.answers == straight(tiny, len(game.game.answers))
        words = [*COMMAND[:4], str(GAME), "--resume"]


def straight(ruleset: Ruleset, count: int) -> list[str]:
    """The answers of the same game, never interrupted."""
    desk = Desk(ruleset, SEATS, ones, seed=5)
    desk.play()
    return desk.game.answers[:count]
