"""What the lab stands on: sharing out work, keeping what was found, intervals, following and shrinking a course."""

from __future__ import annotations

import math
import os
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import pytest

from interpreter import Game
from tests.interpreter.tiny import ruleset
from warlock_dsl.load import load
from workbench.players.base import Random
from workbench.sim.statistics import mean, paired, rate, student
from workbench.support.checkpoint import Checkpoint
from workbench.support.errors import UsageError
from workbench.support.ruleset_source import source_of
from workbench.support.workers import worker_pool
from workbench.transcripts.record import replay_data, replayed, scenario_text
from workbench.transcripts.shrink import Budget, shrink
from workbench.transcripts.transcript import Move, Recorder, Script, Transcript, transcript_of

COUNTING = ruleset("""
rule play:
    for me in players:
        repeat 6:
            may choose n in 1..3: add n to my.step
""")


def square(number: int) -> int:
    return number * number


@pytest.mark.parametrize("jobs", [1, 2])
def test_results_are_the_same_on_one_process_and_on_two(jobs: int) -> None:
    with worker_pool(jobs) as workers:
        assert workers.all(square, range(7)) == [0, 1, 4, 9, 16, 25, 36]


def test_workers_do_not_outlive_a_killed_run(tmp_path: Path) -> None:
    """The run is killed with no chance to tidy up; its workers notice, though they are waiting for tasks."""
    script = tmp_path / "run.py"
    script.write_text(
        "import os, time\n"
        "from workbench.support.workers import worker_pool\n"
        "def who(number): return os.getpid()\n"
        "if __name__ == '__main__':\n"
        "    with worker_pool(2) as workers:\n"
        "        print(*sorted(set(workers.all(who, range(20)))), flush=True)\n"
        "        time.sleep(60)\n",
        encoding="utf-8",
    )
    with subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True) as run:
        assert run.stdout is not None
        pids = [int(word) for word in run.stdout.readline().split()]
        assert pids
        run.kill()
    for _ in range(300):
        if not any(alive(pid) for pid in pids):
            return
        time.sleep(0.1)
    pytest.fail(f"still there: {pids}")


def alive(pid: int) -> bool:
    """Whether a process still runs; one that nobody has buried yet does not."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{pid}/stat")
    return not stat.exists() or stat.read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"


def test_a_source_makes_the_same_ruleset_again() -> None:
    loaded = load("maldorf+dragons(limit=2)")
    again = source_of(loaded).ruleset()
    assert loaded.ruleset is not None and again.hash == loaded.ruleset.hash


def kept(key: str, data: object) -> object:
    return data


def test_a_checkpoint_that_was_cut_off_keeps_every_whole_line(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    with Checkpoint(path, {"seed": 1}, kept) as book:
        book.note("a", 1)
        book.note("b", {"x": [2]})
    content = path.read_bytes()
    for cut in range(len(content)):
        path.write_bytes(content[:cut])
        whole = content[:cut].count(b"\n")
        if cut and not whole:
            with pytest.raises(UsageError, match="no checkpoint"):
                Checkpoint(path, {"seed": 1}, kept).__enter__()
            continue
        with Checkpoint(path, {"seed": 1}, kept) as book:
            assert list(book.done) == ["a", "b"][: max(0, whole - 1)]
            book.note("c", 3)
        with Checkpoint(path, {"seed": 1}, kept) as book:
            assert book.done["c"] == 3


def test_a_checkpoint_of_another_run_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    with Checkpoint(path, {"seed": 1}, kept):
        pass
    with pytest.raises(UsageError, match="another run"), Checkpoint(path, {"seed": 2}, kept):
        pass


@pytest.mark.parametrize(("freedom", "quantile"), [(1, 12.7062), (2, 4.3027), (4, 2.7764), (10, 2.2281), (60, 2.0003)])
def test_quantiles_of_student_are_those_of_the_tables(freedom: int, quantile: float) -> None:
    assert student(0.95, freedom) == pytest.approx(quantile, rel=5e-4)


def test_intervals() -> None:
    assert mean([1.0]).low == -math.inf
    few = mean([1.0, 2.0, 3.0])
    assert (few.value, round(few.low, 2), round(few.high, 2)) == (2.0, -0.48, 4.48)
    assert (round(rate(0, 10).low, 9), round(rate(0, 10).high, 3)) == (0.0, 0.278)
    assert paired([1, 2, 3, 4], [2, 3, 4, 5]).sure
    assert not paired([1, 2, 3, 4], [2, 1, 4, 3]).sure


def played(seed: int) -> Transcript:
    recorder = Recorder(Game.start(COUNTING, 2, seed))
    bot = Random(seed)
    while not recorder.game.over:
        recorder.choose(bot.pick(recorder.game))
    return recorder.transcript


def test_a_transcript_is_followed_and_its_replay_is_the_same_game() -> None:
    transcript = played(3)
    game, script = Game.start(COUNTING, 2, transcript.seed), Script(transcript.moves)
    while not game.over:
        game.choose(script.pick(game))
    assert game.answers == [move.key for move in transcript.moves]
    assert replayed(COUNTING, transcript).digest() == game.digest() == replay_data(COUNTING, transcript)["digest"]
    assert transcript_of(COUNTING, 2, transcript.seed, game.answers) == transcript


def test_shrinking_leaves_only_what_matters() -> None:
    """The second seat reaches nine: with threes it takes three answers, and the first seat's six come before."""

    def shows(transcript: Transcript) -> Transcript | None:
        recorder, script = Recorder(Game.start(COUNTING, 2, transcript.seed)), Script(transcript.moves)
        while not recorder.game.over:
            if dict(scores(recorder.game)).get(1, 0) >= 9:
                return recorder.transcript
            recorder.choose(script.pick(recorder.game))
        return None

    def scores(game: Game) -> list[tuple[int, int]]:
        found = [v for v in game.observe(-1).variables if v.name == "step"]
        return [(v.owner, int(v.value.name)) for v in found if v.value is not None]

    start = next(transcript for transcript in map(played, range(99)) if shows(transcript) is not None)
    small = shrink(start, shows, Budget(400))
    assert shows(small) == small
    assert len(small.moves) <= len(start.moves)
    assert small.moves[:6] == (Move(0, "play.n", "1"),) * 6


def test_a_transcript_as_a_scenario_is_toml_that_names_every_answer() -> None:
    transcript = played(5)
    text = scenario_text(COUNTING, transcript, "a name", "about it", [{"over": True}])
    [scenario] = tomllib.loads(text)["scenario"]
    assert scenario["seed"] == 5
    assert len(scenario["step"][0]["answers"]) == len(transcript.moves)
    assert scenario["step"][1] == {"over": True}
