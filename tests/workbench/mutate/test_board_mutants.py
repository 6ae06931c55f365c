"""Mutants of boards and of what rules ask of them."""

from __future__ import annotations

from pathlib import Path

from warlock_dsl.load import load
from workbench.mutate.run import every_mutant

TABLES = """
[game]
players = 2

[kind.stone]
count = 9

[grid.field]
shape = "hex"
stacks = true
cells = ["..", ".."]

[zone]
box = { holds = "stone", start = "stone" }
board = { holds = "stone", grid = "field" }
"""
RULES = """
rule play:
    choose c in until(x in ray(first(cells(board)), 1, 0): any(at(x)))
    move top(box) to c
    finish [me]

score most_there = max(p in players: count(board))
"""


def test_what_a_slip_makes_of_a_board(tmp_path: Path) -> None:
    for name, text in (("game.toml", TABLES), ("play.warlock", RULES)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    loaded = load(str(tmp_path))
    assert loaded.ruleset is not None
    changes = {(m.operator, m.was, m.now) for m in every_mutant(loaded)}
    assert {
        ("turned", '"hex"', '"square"'),
        ("flipped", "true", "false"),
        ("twin", "ray", "step"),
        ("twin", "max", "min"),
        ("number", "1", "2"),
    } <= changes
