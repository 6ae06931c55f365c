"""Long runs that are killed again and again: nothing that was shown as done is lost, and the end is the same."""

from __future__ import annotations

import base64
import json
import os
import pty
import random
import re
import select
import signal
import subprocess
import sys
import time
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.house.hostile_runs import records_of
from workbench.sim.runs import unpacked

TABLES = '[game]\nplayers = "2..2"\n\n[variable.game]\nn = "0..99999"\nlast = "0..9"\n'
RULES = """rule play:
    repeat 12:
        for me in players:
            choose k in 1..6: note(k)

rule note(k: number):
    if k is last: add 2 * k to n
    else: add k to n
    set last to k

score s = n
invariant small = n < 70
"""
RUN = [sys.executable, "-m", "workbench.cli"]


def done_in_lines(count: Callable[[Any], int]) -> Callable[[bytes], int]:
    def done(content: bytes) -> int:
        lines = content.split(b"\n")[1:-1]  # without the heading, and without what was cut off
        return sum(count(json.loads(line)["data"]) for line in lines)

    return done


def games_of_sim(data: str) -> int:
    return len(unpacked(data))


def games_of_fuzz(data: Mapping[str, Any]) -> int:
    return len(json.loads(zlib.decompress(base64.b64decode(data["games"]))))


def looked_at(content: bytes) -> int:
    whole = 0  # bytes of records that are not cut off
    while len(content) >= whole + 12:
        length = 12 + int.from_bytes(content[whole + 4 : whole + 8], "little")
        if len(content) < whole + length:
            break
        whole += length
    return sum(record["count"] for record in records_of("explore", content[:whole])[1:])


# The words of a command, the file it is kept in, how much of it is done, and what of the end must be the same.
RUNS: Mapping[str, tuple[list[str], str, Callable[[bytes], int], tuple[str, ...]]] = {
    "sim": (["sim", "./g", "-n", "2000", "--checkpoint", "run"], "run", done_in_lines(games_of_sim), ("findings",)),
    "fuzz": (
        ["fuzz", "./g", "--games", "240", "--out", "out"],
        "out/checkpoint.jsonl",
        done_in_lines(games_of_fuzz),
        ("games", "decisions", "traits"),
    ),
    "mutate": (
        ["mutate", "./g", "--games", "8", "--checkpoint", "run"],
        "run",
        done_in_lines(lambda data: 1),
        ("mutants", "killed", "killed_by", "rate"),
    ),
    "explore": (
        ["explore", "./g", "--checkpoint", "run", "--max-states", "2500"],
        "run",
        looked_at,
        ("states", "looked_at", "transitions", "by_depth", "findings"),
    ),
}


def begin(words: list[str], folder: Path) -> tuple[subprocess.Popen[bytes], int]:
    """A run on a terminal of its own, so that it shows how far it has come."""
    above, below = pty.openpty()
    run = subprocess.Popen([*RUN, *words, "--jobs", "1"], cwd=folder, stdin=below, stdout=below, stderr=below)
    os.close(below)
    return run, above


def watched(run: subprocess.Popen[bytes], above: int, count_of: re.Pattern[bytes], seconds: float) -> bytes:
    """What a run shows until it has been at work for so long, or is done."""
    shown, until = b"", 0.0
    while run.poll() is None and (not until or time.monotonic() < until):
        if select.select([above], [], [], 0.02)[0]:
            try:
                shown += os.read(above, 65536)
            except OSError:
                break
            if not until and count_of.search(shown):
                until = time.monotonic() + seconds
    return shown


def finished(words: list[str], folder: Path) -> dict[str, Any]:
    run = subprocess.run([*RUN, *words, "--jobs", "1", "--json"], cwd=folder, capture_output=True, timeout=600)
    assert b"Traceback" not in run.stderr
    found: dict[str, Any] = json.loads(run.stdout)
    return found


@pytest.mark.parametrize("kills", [2, pytest.param(50, marks=pytest.mark.long)])
@pytest.mark.parametrize("command", RUNS)
def test_killed(command: str, kills: int, tmp_path: Path) -> None:
    words, name, done, same = RUNS[command]
    rules = RULES.replace("n < 70", "n < 99999") if command == "mutate" else RULES
    title = {"sim": b"games", "fuzz": b"fuzz g", "mutate": b"mutants", "explore": b"states"}[command]
    count_of = re.compile(title + rb"[^/]*?([\d,]+)/[\d,]+")
    for folder in (tmp_path / "killed", tmp_path / "whole"):
        (folder / "g").mkdir(parents=True)
        (folder / "g" / "game.toml").write_text(TABLES, encoding="utf-8")
        (folder / "g" / "rules.warlock").write_text(rules, encoding="utf-8")
    folder, dice = tmp_path / "killed", random.Random(command)
    file = folder / name
    before, killed, seen = b"", 0, 0
    while killed < kills:
        run, above = begin(words, folder)
        shown = watched(run, above, count_of, dice.choice([0.0, 0.05, 0.2, 0.6]))
        over = run.poll() is not None
        run.send_signal(signal.SIGKILL)
        run.wait()
        os.close(above)
        assert b"Traceback" not in shown, shown
        content = file.read_bytes() if file.exists() else b""
        counts = [int(count.replace(b",", b"")) for count in count_of.findall(shown)]
        seen += bool(counts)
        assert max(counts, default=0) <= done(content), "what was shown as done was not kept"
        assert content[: len(before)] == before or before[: len(content)] == content, "what was kept has changed"
        assert done(content) >= done(before), "what was kept is lost"
        before = content
        if over:  # begun anew: there is nothing left to be killed at
            file.unlink()
            before = b""
        else:
            killed += 1
        if command == "fuzz":
            told = re.findall(rb"replay (\S+\.json)", shown)
            assert all((folder / one.decode()).is_file() for one in told), "a finding that was shown is not there"
    end, expected = finished(words, folder), finished(words, tmp_path / "whole")
    assert {key: end[key] for key in same} == {key: expected[key] for key in same}
    assert seen, "nothing was ever shown"
