"""How to add a visibility, done for once: `others` (everybody but the owner sees the pieces), in a copy of the house.

The change touches at most three files, data aside; what observes, offers, deals anew, logs and plays follows by itself.
"""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
COPIED = ("warlock_dsl", "interpreter", "workbench", "rules/std", "rules/classics", "docs/tables.md")
MAX_FILES = 3

# The change: file, what is written there, what is to be written there.
EDITS = (
    ("warlock_dsl/tables/zones.py", '"none": False, "top"', '"others": True, "none": False, "top"'),
    (
        "interpreter/state/visibility.py",
        "            return owner_seat(layout, state, number) == viewer\n        case _:",
        "            return owner_seat(layout, state, number) == viewer\n"
        '        case "others":\n'
        "            return owner_seat(layout, state, number) != viewer\n"
        "        case _:",
    ),
    ("docs/tables.md", "`owner`, `none`, or `top`", "`owner`, `others` (all but the owner), `none`, or `top`"),
)  # fmt: skip


def test_the_visibility_others_takes_three_files(tmp_path: Path) -> None:
    for name in COPIED:
        source, copy = ROOT / name, tmp_path / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, copy, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, copy)
    for name, old, new in EDITS:
        text = (tmp_path / name).read_text(encoding="utf-8")
        assert text.count(old) == 1, f"{name} has not one place that reads {old!r}"
        (tmp_path / name).write_text(text.replace(old, new), encoding="utf-8")
    assert len({name for name, _, _ in EDITS}) <= MAX_FILES
    shutil.copy(Path(__file__).with_name("held_hands.py"), tmp_path)
    run = subprocess.run(
        [sys.executable, "held_hands.py"],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(tmp_path), "PYTHONSAFEPATH": "1"},
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr[-3000:]
    assert run.stdout.startswith("played")


READERS = {
    "interpreter/state/visibility.py",  # what the words mean
    "interpreter/state/layout.py",  # copies the words from the tables
    "workbench/inspect/addresses.py",  # prints them
    "workbench/scenario/steps.py",  # a key of scenarios that has the same name
}


def test_one_module_knows_what_the_words_of_visibility_mean() -> None:
    """Outside the generated machine, which asks that module for every word it does not know."""
    found = set()
    for package in ("interpreter", "workbench"):
        for path in (ROOT / package).rglob("*.py"):
            name = path.relative_to(ROOT).as_posix()
            if not name.startswith(("interpreter/generate/", "interpreter/native/")):
                nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
                if any(isinstance(node, ast.Attribute) and node.attr == "sees" for node in nodes):
                    found.add(name)
    assert found <= READERS
