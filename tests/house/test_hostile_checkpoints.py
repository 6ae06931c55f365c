"""Checkpoints and stores of states from strangers: bounded, checked, refused in a sentence, and left as they are."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tracemalloc
import zlib
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings

from tests.house.hostile import numbers, quickly
from tests.house.hostile_runs import (
    RUNS,
    bombs,
    bytes_about,
    checkpoint_of,
    lay_out,
    records_of,
    tampered,
    words_of,
    written,
)
from workbench.cli import main
from workbench.support.checkpoint import Checkpoint
from workbench.support.errors import UsageError
from workbench.support.packed import MAX_BYTES, DamagedError, fits, pack, unpack

PEAK = 700_000_000  # bytes that refusing a bomb may take


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    lay_out(tmp_path)
    return tmp_path


def left_behind(run: str, content: bytes) -> Path:
    file = Path(RUNS[run][1])
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(content)
    return file


@pytest.mark.parametrize("run", RUNS)
def test_a_sound_checkpoint_is_gone_on_with(run: str, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What is tampered with below is taken as it is here."""
    sound = checkpoint_of(run)
    assert written(run, records_of(run, sound)).count(b"\n") == sound.count(b"\n") or run == "explore"
    file = left_behind(run, written(run, records_of(run, sound)))
    before = file.read_bytes()
    assert main(words_of(run)) in (0, 1)
    assert file.read_bytes() == before, "nothing was left to do"


@pytest.mark.parametrize("run", RUNS)
def test_a_small_file_takes_little_memory(run: str, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, content in bombs(run).items():
        file = left_behind(run, content)
        tracemalloc.start()
        with quickly(60):
            code = main(words_of(run))
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        said = capsys.readouterr()
        assert (code, "left alone" in said.out) == (2, True), (name, said.out[:300])
        assert peak < PEAK, (name, peak)
        assert file.read_bytes() == content, name


TABLES: tuple[dict[str, Any], ...] = (
    *({"rest": rest} for rest in ({"nothing": "deck"}, {"card": "nowhere"}, {"\x1b": "deck"})),
    *({"variables": {"ann.mark": value}} for value in (None, 10**400, float("nan"), [[[]]], "x", {"a": None})),
    *({"begin": text} for text in ("turn() by nobody", "turn() by ann\nx", "(", "x" * 5000)),
    *({"spots": [["ann.hand", cell, "low#1"]]} for cell in (0, 10**9, -(10**9))),
    *({"seats": seats} for seats in (["", ""], ["ann", "ann"], ["\x1b", "deck"], ["x\ud800", "y"])),
)


@pytest.mark.parametrize("change", TABLES, ids=lambda change: ascii(change)[:40])
def test_a_table_that_cannot_be_laid_out(
    change: dict[str, Any], here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What a comparison keeps is a position in words, which a stranger may have written."""
    records = records_of("diff", checkpoint_of("diff"))
    kept = next(record for record in records if record.get("key", "").startswith("found "))
    kept["data"]["laid"] |= change
    left_behind("diff", written("diff", records))
    assert main(words_of("diff")) in (0, 2)
    assert "Traceback" not in capsys.readouterr().out


@settings(max_examples=60)
@given(numbers)
def test_a_tampered_checkpoint(number: int) -> None:
    dice = random.Random(number)
    run = dice.choice(sorted(RUNS))
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        lay_out(Path(folder))
        patch.chdir(folder)
        records = records_of(run, checkpoint_of(run))
        place = dice.randrange(1, len(records))
        if dice.random() < 0.7:
            records[place] = tampered(records[place], dice)
            content = written(run, records)
        else:
            content = bytes_about(checkpoint_of(run), dice)
        file = left_behind(run, content)
        with quickly():
            code = main(words_of(run))
        assert code in (0, 1, 2), folder
        if code == 2:
            assert file.read_bytes() == content, "what is refused is left alone"


@pytest.mark.parametrize("run", sorted(set(RUNS) - {"explore"}))
def test_a_damaged_line_loses_nothing_that_follows(run: str, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = checkpoint_of(run).splitlines(keepends=True)
    content = b"".join([lines[0], b"{]\n", *lines[1:]])
    file = left_behind(run, content)
    assert main(words_of(run)) == 2
    assert ":2: this line is damaged" in json.loads(capsys.readouterr().out)["error"]
    assert file.read_bytes() == content


def odd_sim(records: list[Any]) -> None:
    records[1]["data"]["games"][0]["parts"] = [[], []]


def odd_coverage(records: list[Any]) -> None:
    entry = next(one for one in records[1]["data"]["features"] if one[0] == "option")
    entry[1] = "nowhere.asked = 1"


@pytest.mark.parametrize(("run", "tamper"), [("sim", odd_sim), ("coverage", odd_coverage)])
def test_the_right_shape_is_not_enough(
    run: str, tamper: Callable[[list[Any]], None], here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Found by the long hostile run."""
    records = records_of(run, checkpoint_of(run))
    tamper(records)
    left_behind(run, written(run, records))
    assert main(words_of(run)) == 2
    assert "left alone" in capsys.readouterr().out


def test_a_damaged_record_loses_nothing_that_follows(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    content = bytearray(checkpoint_of("explore"))
    content[len(content) // 2] ^= 1
    file = left_behind("explore", bytes(content))
    assert main(words_of("explore")) == 2
    assert "damaged" in capsys.readouterr().out and file.read_bytes() == content


@pytest.mark.parametrize("run", RUNS)
def test_a_checkpoint_is_a_file(run: str, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = Path(RUNS[run][1])
    path.parent.mkdir(exist_ok=True)
    os.mkfifo(path)
    with quickly():
        assert main(words_of(run)) == 2
    assert "not a file" in capsys.readouterr().out


def test_what_is_packed_comes_back() -> None:
    data = {"a": [1, [2, "é"]], "b": None}
    assert unpack(pack(data)) == data
    for spoilt in (b"", b"x", pack(data)[:-1], zlib.compress(b"{"), zlib.compress(b"\xff")):
        with pytest.raises(DamagedError):
            unpack(spoilt)
    with pytest.raises(DamagedError):
        pack("x" * (MAX_BYTES + 1))


def test_shapes() -> None:
    shape = {"a": int, "b?": [(str, float)], "c?": {str: bool}}
    assert fits({"a": 1}, shape) and fits({"a": 1, "b": [["x", 0.5]], "c": {"y": True}}, shape)
    wrong: list[object] = [
        {},
        {"a": True},
        {"a": 1.0},
        {"a": 1, "d": 1},
        {"a": 1, "b": [["x"]]},
        [],
        None,
        {"a": 10**90},
    ]
    wrong += [{"a": 1, "c": {"y": 1}}, {"a": 1, "b": [["x", float("inf")]]}, {"a": 1, "b": [["x", float("nan")]]}]
    assert not any(fits(one, shape) for one in wrong)


# ------------------------------------------------------------------------- locks

HOLD = """
import sys, time
from pathlib import Path
from workbench.support.checkpoint import Checkpoint
with Checkpoint(Path(sys.argv[1]), {"seed": 1}, lambda key, data: data) as book:
    book.note("a", 1)
    print("held", flush=True)
    time.sleep(600)
"""


def test_one_run_at_a_time_has_a_checkpoint_and_a_killed_one_has_it_no_more(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    with subprocess.Popen([sys.executable, "-c", HOLD, str(path)], stdout=subprocess.PIPE) as other:
        assert other.stdout is not None and other.stdout.readline() == b"held\n"
        before = path.read_bytes()
        with pytest.raises(UsageError, match="another run is using"):
            Checkpoint(path, {"seed": 1}, lambda key, data: data).__enter__()
        assert path.read_bytes() == before
        other.kill()
        other.wait()
    with Checkpoint(path, {"seed": 1}, lambda key, data: data) as book:
        assert book.done == {"a": 1}


@pytest.mark.parametrize("run", ["sim", "explore", "fuzz"])
def test_two_runs_of_a_command(run: str, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import fcntl

    file = left_behind(run, checkpoint_of(run))
    with file.open("rb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert main(words_of(run)) == 2
        assert "another run is using" in capsys.readouterr().out
        assert file.read_bytes() == checkpoint_of(run)
    assert main(words_of(run)) in (0, 1)


def test_a_full_disk_is_told(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file that may not grow stands for a full disk."""
    script = (
        "import resource, signal, sys\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (400, resource.RLIM_INFINITY))\n"
        "from workbench.cli import main\n"
        f"sys.exit(main({words_of('sim')!r}))\n"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120)
    assert run.returncode == 2 and "Traceback" not in run.stderr
    assert "cannot be written" in json.loads(run.stdout)["error"]
