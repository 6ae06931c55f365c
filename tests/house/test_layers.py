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


def test_nothing_runs_strings() -> None:
    """Rule files may come from strangers: nothing runs text as Python, unpickles, or starts another program."""
    for path in FILES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                banned = {"eval", "exec", "compile", "__import__"}
                assert node.func.id not in banned, f"{path.name}:{node.lineno}"
        assert not imported(path) & {"pickle", "marshal", "shelve", "subprocess"}, path.name


# Who asks a game what a seat observes: the view of a table, for all that draws; and these, which draw nothing.
OBSERVES = {
    "workbench/service/table.py": "makes the view that everything else draws",
    "workbench/adaptors/encoding.py": "numbers for learners, one for each place and value",
    "workbench/adaptors/openspiel_game.py": "the text by which OpenSpiel tells two information states apart",
    "workbench/scenario/expect.py": "a scenario's own expectation of what somebody heard",
    "workbench/testing/conformance.py": "writes down everything there is, for a golden playthrough",
    "workbench/diff/lockstep.py": "compares what a seat observes under two rulesets",
    "workbench/diff/as_scenario.py": "writes a position down as the givens of a scenario",
    "workbench/diff/laid_out.py": "lays a position out as the givens of a scenario",
    "workbench/diff/smallest.py": "looks for the least position, piece by piece",
    "workbench/diff/table_in_words.py": "the names of zones in the givens of a scenario",
}


def observers(root: Path) -> set[str]:
    """The files of the workbench that call `observe`; an environment's own method of that name is no call."""
    return {
        str(path.relative_to(root))
        for path in sorted((root / "workbench").rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and node.attr == "observe"
    }


def test_everything_that_draws_asks_the_view_of_a_table() -> None:
    assert observers(ROOT) == set(OBSERVES)


def test_somebody_else_who_observes_is_found(tmp_path: Path) -> None:
    (tmp_path / "workbench").mkdir()
    (tmp_path / "workbench" / "page.py").write_text("def draw(game):\n    return game.observe(0)\n", encoding="utf-8")
    assert observers(tmp_path) == {"workbench/page.py"}
