"""The long hostile run finds what was planted, and nothing else."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.hostile_cases import KINDS, fragments
from tests.house.hostile_run import run

HOLES = {"crash": "traceback", "hang": "hang", "memory": "memory", "death": "death"}


@pytest.mark.parametrize("hole", HOLES)
def test_a_planted_hole_is_found(hole: str) -> None:
    """A reader of replays with a hole in it: told as what it is, with the number that repeats it."""
    report = run(40, 300.0, kinds=("replays",), hole=hole, patience=1.0)
    assert report.count() == 40 and report.count(HOLES[hole]) > 0
    assert {one["end"] for one in report.holes} == {HOLES[hole]}
    number = report.holes[0]["number"]
    again = run(1, 60.0, first=number, kinds=("replays",), hole=hole, patience=1.0)
    assert [one["end"] for one in again.holes] == [HOLES[hole]]
    assert not run(1, 60.0, first=number, kinds=("replays",)).holes, "without the hole nothing is found"
    if hole == "crash":
        assert "KeyError: 'seats'" in report.holes[0]["text"]


OUTSIDE = """
import sys
from pathlib import Path
from tests.house.hostile_cases import called, enter
enter(Path(sys.argv[1]))
assert called(["fmt", sys.argv[2]]) == 2
assert called(["new", "game", "mine", "--out", sys.argv[2]]) == 2
for change in (lambda: Path(sys.argv[2], "more").mkdir(), lambda: Path(sys.argv[2], "r.warlock").unlink()):
    try:
        change()
    except PermissionError:
        continue
    sys.exit("it was changed")
Path("own").write_text("x", encoding="utf-8")
"""


def test_a_case_changes_nothing_outside_its_folder(tmp_path: Path) -> None:
    """Whatever a command line asks for: formatting all there is, or a new folder elsewhere."""
    (tmp_path / "own").mkdir()
    (tmp_path / "other").mkdir()
    rules = tmp_path / "other" / "r.warlock"
    rules.write_text("rule   play :  pass\n", encoding="utf-8")
    words = [sys.executable, "-c", OUTSIDE, str(tmp_path / "own"), str(tmp_path / "other")]
    run = subprocess.run(words, capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stderr
    assert rules.read_text(encoding="utf-8") == "rule   play :  pass\n"
    assert [path.name for path in (tmp_path / "other").iterdir()] == ["r.warlock"]
    assert (tmp_path / "own" / "here" / "own").is_file()


def test_every_kind_has_cases_and_none_finds_a_hole() -> None:
    report = run(180, 300.0, first=7_000_000, kinds=tuple(KINDS))
    assert not report.holes, report.holes[0]["text"]
    assert all(report.ends[kind, "sound"] == 20 for kind in KINDS)
    assert report.text().splitlines()[-2].split() == ["all", "180", "0", "0", "0", "0"]


LARGE = """
from tests.house.hostile_run import MEMORY, run
had = b"x" * (MEMORY + 100_000_000)
report = run(1, 60.0, kinds=("replays",))
assert not report.holes and 0 < report.memory < MEMORY, report
"""


def test_what_a_process_had_is_not_counted_for_those_it_starts() -> None:
    run = subprocess.run([sys.executable, "-c", LARGE], capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stderr


def test_rules_are_made_of_pieces_of_rules() -> None:
    """Nodes are exchanged with others of their kind, so that much of what is made is read to its end."""
    assert len(fragments()) > 30 and sum(map(len, fragments().values())) > 1000


@pytest.mark.long
def test_a_long_run() -> None:
    report = run(5000, 1200.0, first=8_000_000)
    assert not report.holes, report.holes[0]["text"]
    assert report.count() > 1000
