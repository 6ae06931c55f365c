"""`warlock sim`: reports that depend on nothing but what was asked, runs that can be stopped and gone on with."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.workbench.odds import write_odds
from workbench.cli import main


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.chdir(tmp_path)
    write_odds(tmp_path)
    return tmp_path


def sim(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> str:
    assert main(["sim", *words]) == code
    return capsys.readouterr().out


def data(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(sim(capsys, *words, "--json"))
    return found


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["sim", *words]) == 2
    return capsys.readouterr().err


def test_the_report(capsys: pytest.CaptureFixture[str]) -> None:
    text = sim(capsys, "odds", "-n", "60", "--jobs", "1", "--seed", "4")
    assert "60 games of 2 players (2 random), seeds 4 to 63" in text
    assert "decisions a game: 2.00 (2.00 to 2.00)" in text
    assert "play.call 2" in text
    assert "95 % intervals" in text


def test_the_same_on_one_process_and_on_two(capsys: pytest.CaptureFixture[str]) -> None:
    one = sim(capsys, "odds", "-n", "50", "--jobs", "1", "--seats", "random,first", "--json")
    two = sim(capsys, "odds", "-n", "50", "--jobs", "2", "--seats", "random,first", "--json")
    assert one == two


def test_everybody_sits_everywhere_and_is_counted_by_kind(capsys: pytest.CaptureFixture[str]) -> None:
    found = data(capsys, "odds", "-n", "40", "--jobs", "1", "--seats", "random,first")["findings"][0]
    assert [line["name"] for line in found["kinds"]] == ["random", "first"]
    assert sum(line["won"]["value"] for line in found["kinds"]) == pytest.approx(1)
    first = found["kinds"][1]
    assert first["points"]["value"] == 1  # it always calls 1
    assert [seat["points"]["value"] < 1.5 for seat in found["seats"]] == [True, True]


def test_two_rulesets_on_common_seeds(capsys: pytest.CaptureFixture[str]) -> None:
    found = data(capsys, "odds", "-n", "80", "--jobs", "1", "--compare", "odds+bonus")
    changes = {change["name"]: change for change in found["compare"]["changes"]}
    assert changes["points: bonus"]["difference"]["value"] == 0.5
    assert changes["won: seat 1"]["difference"]["value"] == 0
    assert changes["points: bonus"]["sure"] and not changes["won: seat 1"]["sure"]
    text = sim(capsys, "odds", "-n", "80", "--jobs", "1", "--compare", "odds+bonus")
    assert "80 pairs of games" in text


def test_a_sweep_runs_a_parameter_through_its_values(capsys: pytest.CaptureFixture[str]) -> None:
    found = data(capsys, "odds+bonus", "-n", "30", "--jobs", "1", "--sweep", "luck.of_four=1..2")
    names = [one["ruleset"] for one in found["rulesets"]]
    assert names == ["odds+bonus+luck(of_four=1)", "odds+bonus+luck(of_four=2)"]
    first, second = found["sweep"]["rulesets"]
    assert first["from_the_first"]["won: seat 1"]["value"] == 0
    assert second["figures"]["won: seat 1"]["value"] > first["figures"]["won: seat 1"]["value"]
    assert "from the first" in sim(capsys, "odds", "-n", "30", "--jobs", "1", "--sweep", "luck.of_four=0,4")


def test_the_share_of_each_overlay(capsys: pytest.CaptureFixture[str]) -> None:
    found = data(capsys, "odds+luck(of_four=0)+bonus", "-n", "40", "--jobs", "1", "--attribute")
    assert len(found["rulesets"]) == 4
    assert found["attribute"]["by"] == "shapley"
    luck, bonus = found["attribute"]["overlays"]
    assert (luck["overlay"], bonus["overlay"]) == ("luck(of_four=0)", "bonus")
    assert luck["shares"]["points"]["value"] == 0 and bonus["shares"]["points"]["value"] == 0.5
    assert luck["shares"]["won: seat 1"]["value"] < 0 == bonus["shares"]["won: seat 1"]["value"]
    text = sim(capsys, "odds+luck+bonus", "-n", "40", "--jobs", "1", "--attribute")
    assert "all together" in text


def test_games_as_parquet_answer_questions(capsys: pytest.CaptureFixture[str], place: Path) -> None:
    report = data(capsys, "odds", "-n", "40", "--jobs", "1", "--parquet", "games.parquet")
    by_seat = "select seat, avg(share) won, sum(points) points from games group by seat order by seat"
    found = data(capsys, "games.parquet", "--query", by_seat)
    assert found["columns"] == ["seat", "won", "points"]
    seats = report["findings"][0]["seats"]
    assert [row[1] for row in found["rows"]] == pytest.approx([seat["won"]["value"] for seat in seats])
    twos = data(capsys, "games.parquet", "--query", "select sum(times) from uses where key = '2'")
    [two] = [use for use in report["findings"][0]["uses"] if use["key"] == "2"]
    assert twos["rows"] == [[pytest.approx(two["times"]["value"] * 40)]]
    parts = data(capsys, "games.parquet", "--query", "select part, sum(points) from parts group by part")
    assert parts["rows"] == [["called", sum(row[2] for row in found["rows"])]]
    assert "called" in sim(capsys, "games.parquet", "--query", "select part from parts limit 1")


def test_questions_to_a_file_of_games_that_go_wrong(capsys: pytest.CaptureFixture[str], place: Path) -> None:
    (place / "text.parquet").write_text("no games")
    assert "is no file of games" in refused(capsys, "text.parquet", "--query", "select 1")
    assert "there is no file" in refused(capsys, "nowhere.parquet", "--query", "select 1")
    assert "it is left alone" in refused(capsys, "odds", "-n", "2", "--jobs", "1", "--parquet", "text.parquet")
    sim(capsys, "odds", "-n", "2", "--jobs", "1", "--parquet", "games.parquet")
    assert "the query fails" in refused(capsys, "games.parquet", "--query", "select nothing from games")
    assert "the query fails" in refused(capsys, "games.parquet", "--query", "select * from 'games.parquet'")


def test_without_duckdb_a_sentence_says_so(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "duckdb", None)
    assert "warlock-rules[lab]" in refused(capsys, "odds", "-n", "2", "--parquet", "games.parquet")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["odds", "--players", "3"], "for 2 to 2 players, not 3"),
        (["odds", "--seats", "random,first,first"], "not 3"),
        (["odds", "--seats", "random=Ann,first"], "have no names"),
        (["odds", "--seats", "oracle"], "no seat is called 'oracle'"),
        (["odds", "--seats", "greedy(luck=3)"], "has no parameter 'luck'"),
        (["odds", "--seats", "greedy(tries=0)"], "from 1 to 1000"),
        (["odds", "--seats", "greedy(tries)"], "write name=number"),
        (["odds", "--compare", "odds"], "are the same"),
        (["odds", "--attribute"], "has no overlays"),
        (["odds", "--sweep", "luck.of_four"], "is no sweep"),
        (["odds", "--sweep", "luck.of_four=1,1"], "a value twice"),
        (["odds", "--sweep", "luck.of_four=0..900"], "more than 64"),
        (["odds", "--sweep", "luck.of_four=1..2", "--attribute"], "give one of them"),
        (["odds", "--html", "no/such/folder.html"], "there is no folder"),
        (["odds", "--cluster", "nonsense://x"], "no scheduler answers"),
    ],
)
def test_what_cannot_be_done_is_told_in_a_sentence(
    capsys: pytest.CaptureFixture[str], words: list[str], message: str
) -> None:
    assert message in refused(capsys, *words)


def test_a_value_out_of_range_is_the_overlay_s_own_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sim", "odds", "--sweep", "luck.of_four=4..5"]) == 1
    assert "W607" in capsys.readouterr().err


# --------------------------------------------------------------------- resume


def test_a_checkpoint_is_gone_on_with_and_made_longer(capsys: pytest.CaptureFixture[str], place: Path) -> None:
    words = ("odds", "--jobs", "1", "--checkpoint", "run.jsonl")
    whole = data(capsys, "odds", "--jobs", "1", "-n", "90")
    assert data(capsys, *words, "-n", "30")["games"] == 30
    lines = (place / "run.jsonl").read_bytes().splitlines(keepends=True)
    (place / "run.jsonl").write_bytes(b"".join(lines[:-2]) + lines[-1][:20])  # as a kill would leave it
    assert data(capsys, *words, "-n", "90") == whole
    before = (place / "run.jsonl").read_bytes()
    assert data(capsys, *words, "-n", "90") == whole
    assert (place / "run.jsonl").read_bytes() == before  # nothing was played again
    assert "belongs to another run" in refused(capsys, *words, "--seed", "5")


def test_a_finished_run_leaves_nothing_behind(capsys: pytest.CaptureFixture[str], place: Path) -> None:
    sim(capsys, "odds", "-n", "5", "--jobs", "1")
    assert list((place / "state").rglob("*.jsonl")) == []


def alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def children(pid: int) -> list[int]:
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[1]) == pid:
                found.append(int(entry.name))
    return found


def test_a_killed_run_goes_on_and_reports_as_if_nothing_had_happened(place: Path) -> None:
    """SIGKILL in mid-run: two workers were playing, nobody stays behind, and the second run only plays the rest."""
    command = [sys.executable, "-m", "workbench.cli", "sim", "odds", "-n", "4000", "--jobs", "2", "--json"]
    root = str(Path(__file__).parents[3])
    environment = {**os.environ, "PYTHONPATH": root}
    run = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    until = time.monotonic() + 60
    noted = 0
    while noted < 20 and time.monotonic() < until and run.poll() is None:
        time.sleep(0.02)
        noted = sum(book.read_bytes().count(b"\n") for book in (place / "state").rglob("sim-*.jsonl"))
    workers = children(run.pid)
    assert run.poll() is None and len(workers) >= 2
    run.send_signal(signal.SIGKILL)
    run.wait()
    [book] = (place / "state").rglob("sim-*.jsonl")
    kept = book.read_bytes().count(b"\n")
    assert 20 <= kept < 101
    while any(map(alive, workers)) and time.monotonic() < until:
        time.sleep(0.05)
    assert not any(map(alive, workers))
    again = subprocess.run(command, env=environment, capture_output=True, check=True, timeout=120)
    fresh = subprocess.run([*command, "--checkpoint", "other.jsonl"], env=environment, capture_output=True, timeout=120)
    assert again.stdout == fresh.stdout
    assert json.loads(again.stdout)["findings"][0]["finished"] == 4000


def test_an_interrupted_run_says_that_it_can_go_on(place: Path) -> None:
    command = [sys.executable, "-m", "workbench.cli", "sim", "odds", "-n", "90000", "--jobs", "2"]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])}
    run = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    while not list((place / "state").rglob("sim-*.jsonl")) and run.poll() is None:
        time.sleep(0.05)
    time.sleep(0.5)
    run.send_signal(signal.SIGINT)
    _, told = run.communicate(timeout=60)
    assert run.returncode == 130
    assert b"the same command goes on from there" in told
    assert b"Traceback" not in told, told.decode()


def test_the_tables_fit_a_terminal_of_eighty_columns(capsys: pytest.CaptureFixture[str]) -> None:
    text = sim(capsys, "maldorf", "-n", "36", "--jobs", "2", "--players", "3")
    assert "more than others %" in text
    assert max(map(len, text.splitlines()[5:])) <= 80
    assert "its users win (* sure, all together)" in text, "headings are whole"
    [line] = [line for line in text.splitlines() if line.startswith(" turn.act empire ")]
    assert line.rstrip().endswith((")", ") *"))
