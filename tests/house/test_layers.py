"""Imports go one way: warlock_rules -> workbench -> interpreter -> warlock_dsl. Lazy imports count."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LADDER = ["warlock_dsl", "interpreter", "workbench", "warlock_rules"]


def imported(path: Path) -> set[str]:
    tops = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            tops |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name}: a relative import"
            tops.add((node.module or "").partition(".")[0])
    return tops


FILES = [path for package in LADDER for path in sorted((ROOT / package).rglob("*.py"))]


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_import_goes_up(path: Path) -> None:
    rung = LADDER.index(path.relative_to(ROOT).parts[0])
    assert not imported(path) & set(LADDER[rung + 1 :])


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_file_can_be_read_in_one_sitting(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 600
    if text.strip():
        assert ast.get_docstring(ast.parse(text)), f"{path.name} does not say what it is for"


def test_the_interpreter_reads_no_file() -> None:
    for path in (ROOT / "interpreter").rglob("*.py"):
        own = {"importlib"} if path.name == "__init__.py" else set()  # a package imports its own modules when asked
        assert not imported(path) & ({"pathlib", "os", "io", "tomllib", "importlib"} - own), path.name


RUNS = {"generated.py": {"compile", "exec"}}  # runs what was generated from checked rules, and nothing else


STARTS = {"native.py": {"subprocess"}}  # calls the C compiler on what was generated from checked rules


def test_nothing_runs_strings() -> None:
    """Rule files may come from strangers: but for the generated machine, nothing runs text as Python or unpickles."""
    for path in FILES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                banned = {"eval", "exec", "compile", "__import__"} - RUNS.get(path.name, set())
                assert node.func.id not in banned, f"{path.name}:{node.lineno}"
        allowed = STARTS.get(path.name, set())
        assert not imported(path) & ({"pickle", "marshal", "shelve", "subprocess"} - allowed), path.name
