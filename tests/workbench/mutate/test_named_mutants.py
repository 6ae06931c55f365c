"""Mutants of keys, of kinds that a piece is tested for, and of what there is by row."""

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


BY_ROW = """
[game]
players = 2

[table.gem]
rows = ["ruby", "jade"]

[kind.stone]
rows = "gem"
copies = 2

[zone]
mine = { each = "gem", holds = "stone", start = "stone" }
heap = { each = "gem", holds = "stone" }
chest = { each = "player", holds = "stone" }

[variable.player]
purse = { type = "0..5 by gem", first = { ruby = 1, jade = 2 } }
"""
DIG = """
rule play:
    for me in players: if my.purse[jade] > 1: move top(ruby.mine) to my.chest
    finish players
"""


def test_another_row_another_zone_by_row_and_other_first_values(tmp_path: Path) -> None:
    for name, text in (("game.toml", BY_ROW), ("play.warlock", DIG)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    loaded = load(str(tmp_path))
    assert loaded.ruleset is not None, loaded.diagnostics
    changes = {(m.operator, m.address, m.was, m.now) for m in every_mutant(loaded)}
    assert {
        ("row", "play", "jade", "ruby"),
        ("row", "play", "ruby", "jade"),
        ("zone", "play", "mine", "heap"),
        ("number", "variable.player.purse.first.jade", "2", "3"),
    } <= changes
