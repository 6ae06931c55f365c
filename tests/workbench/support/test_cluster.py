"""More than one machine: a Dask scheduler with two workers on loopback, one of which is killed in mid-run."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.workbench.odds import write_odds

ROOT = str(Path(__file__).parents[3])
PATIENCE = 120.0


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    write_odds(tmp_path)
    return {**os.environ, "PYTHONPATH": ROOT, "XDG_CACHE_HOME": str(tmp_path), "XDG_STATE_HOME": str(tmp_path)}


def begin(words: list[str], environment: dict[str, str], folder: Path, log: str) -> subprocess.Popen[bytes]:
    with (folder / log).open("wb") as out, (folder / f"{log}.errors").open("wb") as errors:
        return subprocess.Popen([sys.executable, *words], cwd=folder, env=environment, stdout=out, stderr=errors)


def until(holds: Callable[[], bool], what: str) -> None:
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, f"it did not happen: {what}"
        time.sleep(0.05)


@pytest.fixture
def cluster(tmp_path: Path, environment: dict[str, str]) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """The address of a scheduler, and its two workers."""
    file = tmp_path / "scheduler.json"
    quiet = ["--no-dashboard"]
    places = ["--scheduler-file", str(file)]
    words = ["-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0", *quiet, *places]
    running = [begin(words, environment, tmp_path, "scheduler.log")]
    try:
        until(file.exists, "the scheduler begins")
        single = ["--nworkers", "1", "--nthreads", "1", "--no-nanny", "--local-directory", str(tmp_path)]
        for number in range(2):
            words = ["-m", "distributed.cli.dask_worker", "--host", "127.0.0.1", *quiet, *single, *places]
            running.append(begin(words, environment, tmp_path, f"worker{number}.log"))
        for number in range(2):
            log = tmp_path / f"worker{number}.log.errors"
            until(lambda log=log: b"Registered to" in log.read_bytes(), "a worker registers")  # type: ignore[misc]
        yield json.loads(file.read_text())["address"], running[1:]
    finally:
        for process in reversed(running):
            process.kill()
            process.wait()


def test_a_lost_worker_changes_nothing_in_the_report(
    tmp_path: Path, environment: dict[str, str], cluster: tuple[str, list[subprocess.Popen[bytes]]]
) -> None:
    address, workers = cluster
    sim = ["-m", "workbench.cli", "sim", "odds", "-n", "3000", "--seats", "random,first", "--seed", "11"]
    run = begin([*sim, "--cluster", address, "--checkpoint", "far.jsonl"], environment, tmp_path, "far.txt")
    book = tmp_path / "far.jsonl"
    until(lambda: book.exists() and book.read_bytes().count(b"\n") > 8, "a few batches are done")
    assert run.poll() is None
    workers[0].send_signal(signal.SIGKILL)
    workers[0].wait()
    assert run.poll() is None, "the worker was killed too late to matter"
    assert run.wait(PATIENCE) == 0, (tmp_path / "far.txt.errors").read_text()
    near = begin([*sim, "--jobs", "1"], environment, tmp_path, "near.txt")
    assert near.wait(PATIENCE) == 0
    assert (tmp_path / "far.txt").read_bytes() == (tmp_path / "near.txt").read_bytes()
    assert b"3000 games of 2 players" in (tmp_path / "near.txt").read_bytes()
