"""The progress line knows its end, and a run that is interrupted says what was done."""

from __future__ import annotations

import io
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from rich.console import Console

from tests.house.hostile_runs import lay_out
from workbench.support import progress as module
from workbench.support.progress import progress, stopped_after


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> io.StringIO:
    """What a terminal would show."""
    out = io.StringIO()
    terminal = Console(file=out, force_terminal=True, width=120, color_system=None)
    monkeypatch.setattr(module, "console", lambda to_stderr: terminal)
    return out


def test_a_total_that_is_known_from_the_start(seen: io.StringIO) -> None:
    with progress("games", 40) as advance:
        advance(30, "")
        advance(2, "three findings")
    assert "32/40" in seen.getvalue() and "three findings" in seen.getvalue()


def test_a_total_that_grows(seen: io.StringIO) -> None:
    with progress("states") as advance:
        advance(0, "", 1)
        advance(1, "", 9)
        advance(3, "", 1200)
    assert "4/1,200" in seen.getvalue()


def test_a_bound_on_the_time_is_the_total_of_what_has_no_other(seen: io.StringIO) -> None:
    with progress("games", seconds=60.0) as advance:
        advance(12, "")
    assert "12, 0/60 s" in seen.getvalue()


def test_nobody_watches(capsys: pytest.CaptureFixture[str]) -> None:
    with progress("games", 3) as advance:
        advance(3, "", 4)
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(("kept", "again"), [(True, "the same command goes on"), (False, "with --checkpoint FILE")])
def test_an_interrupt(kept: bool, again: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(KeyboardInterrupt), stopped_after(lambda: "3 of 4 games", kept):
        raise KeyboardInterrupt
    assert capsys.readouterr().err.startswith(f"stopped after 3 of 4 games; {again}")


LONG = "rule play:\n    repeat 40:\n        for me in players:\n            choose k in 1..9: add k to n\nscore s = n\n"
RUNS = {
    "fuzz": (["fuzz", "./long", "--games", "1000000", "--out", "out"], "out/checkpoint.jsonl", "games, 0 findings"),
    "mutate": (["mutate", "./long", "--games", "9", "--checkpoint", "run"], "run", "mutants"),
    "explore": (["explore", "./long", "--checkpoint", "run"], "run", "states found, 0 laws break"),
}


@pytest.mark.parametrize("run", RUNS)
def test_what_was_done_is_said(run: str, tmp_path: Path) -> None:
    lay_out(tmp_path)
    (tmp_path / "calm").rename(tmp_path / "long")
    (tmp_path / "long" / "rules.warlock").write_text(LONG, encoding="utf-8")
    tables = '[game]\nplayers = "2..2"\n[variable.game]\nn = "0..99999"\n'
    (tmp_path / "long" / "game.toml").write_text(tables, encoding="utf-8")
    words, file, said = RUNS[run]
    command = [sys.executable, "-m", "workbench.cli", *words, "--jobs", "1"]
    path = tmp_path / file
    with subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as running:
        while not path.exists() or path.stat().st_size < 400:
            assert running.poll() is None, running.communicate()
            time.sleep(0.02)
        running.send_signal(signal.SIGINT)
        _, told = running.communicate(timeout=60)
    assert running.returncode == 130
    assert "stopped after " in told and said in told and "the same command goes on from there" in told
    assert "Traceback" not in told
