"""Where the time goes: a stack counts for its innermost purpose, and the purposes are those of functions that exist."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from benchmarks import where

INTERPRETER = Path(__file__).parents[2] / "interpreter"


@pytest.mark.parametrize(
    ("stack", "group"),
    [
        ([("/x/runtime.py", "within"), ("<generated 3>", "can_go_1"), ("<generated 3>", "ask_go_2_1")], where.GUARDS),
        ([("<generated 3>", "the_sum_4"), ("<generated 3>", "ask_go_1"), ("<generated 3>", "go_2_1")], where.ASKING),
        ([("<generated 3>", "<listcomp>"), ("<generated 3>", "can_go_1"), ("<generated 3>", "go_2_1")], where.GUARDS),
        ([("/x/runtime.py", "within"), ("<generated 3>", "go_2_1"), ("/x/generated.py", "run")], where.RULES),
        ([("/x/state/random.py", "shuffled"), ("<generated 3>", "go_2_1")], where.CHANCE),
        ([("/x/generate/moves.py", "lay"), ("<generated 3>", "go_2_1")], where.MOVES),
        ([("/x/generated.py", "play_out_here"), ("/x/ours.py", "play_whole")], where.LOOP),
        ([("/x/evaluate.py", "ev")] * 900 + [("/x/machine.py", "completes")], where.GUARDS),
        ([("/x/ours.py", "play_whole")], where.OTHER),
    ],
)
def test_a_stack_counts_for_its_innermost_purpose(stack: list[tuple[str, str]], group: str) -> None:
    assert where.purpose(stack) == group


@pytest.mark.parametrize(("file", "name"), [(file, name) for file, name, _ in where.WRITTEN])
def test_every_function_with_a_purpose_exists(file: str, name: str) -> None:
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in INTERPRETER.rglob(file)]
    names = {node.name for tree in trees for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    assert trees and (name in names or not name)


def test_little_of_a_game_is_elsewhere() -> None:
    counts = where.profile("maldorf:4", 1.0)
    assert counts.total() > 50
    assert counts[where.OTHER] < 0.1 * counts.total()
    assert {where.SETS, where.GUARDS, where.ASKING, where.RULES} <= set(counts)
    assert "| samples |" in where.shares(["tic-tac-toe"], 0.05)
