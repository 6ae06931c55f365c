"""Mutants of keys, and of kinds that a piece is tested for."""

from __future__ import annotations

from pathlib import Path

from warlock_dsl.load import load
from workbench.mutate.run import every_mutant

TABLES = """
[game]
players = 2

[kind.stone]
count = 2

[kind.shell]
count = 2

[zone]
beach = { holds = ["stone", "shell"], start = ["stone", "shell"] }

[variable.player]
plan = { type = "deed", first = "dig" }
"""
RULES = """
rule play:
    for me in players: if my.plan is dig: set my.plan to swim
    for me in players: deed[my.plan]()
    finish players

rule deed[dig]: pass

rule deed[swim]: pass

score stones = count(x in beach where x is stone)
"""


def test_another_key_and_another_kind(tmp_path: Path) -> None:
    for name, text in (("game.toml", TABLES), ("play.warlock", RULES)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    loaded = load(str(tmp_path))
    assert loaded.ruleset is not None, loaded.diagnostics
    changes = {(m.operator, m.was, m.now) for m in every_mutant(loaded)}
    assert {
        ("key", "dig", "swim"),
        ("key", "swim", "dig"),
        ("row", '"dig"', '"swim"'),
        ("kind", "stone", "shell"),
    } <= changes
