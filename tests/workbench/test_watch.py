"""`warlock check --watch`: a change of a file is noticed, checked and tested."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from workbench.cli import main

ROOT = Path(__file__).parents[2]


def _write_until(stop: threading.Event, file: Path, text: str) -> None:
    while not stop.wait(0.3):
        file.write_text(text, encoding="utf-8")


def test_a_change_is_checked_again(tmp_path: Path) -> None:
    game = tmp_path / "hearts"
    shutil.copytree(ROOT / "rules/classics/hearts", game)
    rules = game / "rules.warlock"
    text = rules.read_text(encoding="utf-8")
    command = [sys.executable, "-u", "-m", "workbench.cli", "check", str(game), "--watch"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment) as ran:
        assert ran.stdout is not None

        def until(wanted: str) -> str:
            heard = []
            for line in ran.stdout or ():
                heard.append(line)
                if wanted in line:
                    return "".join(heard)
            raise AssertionError("".join(heard))

        until("watching ")
        broken = text + "\ndefine wrong = nothing_here\n"
        stop = threading.Event()  # the watch begins a moment after it is announced: write until it is heard
        writer = threading.Thread(target=lambda: _write_until(stop, rules, broken))
        writer.start()
        until("there is no 'nothing_here' here")
        stop.set()
        writer.join()
        (game / ".rules.warlock.swp").write_text("x", encoding="utf-8")  # an editor's own files are no change
        (game / "rules.warlock~").write_text("x", encoding="utf-8")
        (game / "sedXq1").write_text(text, encoding="utf-8")
        (game / "sedXq1").replace(rules)
        heard = until("hearts: no errors")
        assert "swp" not in heard and "~" not in heard and "sedXq1" not in heard
        ran.send_signal(signal.SIGINT)
        ran.wait(60)


def test_watching_is_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "tic-tac-toe", "--watch", "--json"]) == 2
    assert "--watch is for people" in capsys.readouterr().out
    assert main(["check", "maldrof", "--watch"]) == 2
