"""`warlock list` and `warlock check`: which rulesets there are, and what is wrong with one."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from rich import box
from rich.table import Table
from rich.text import Text

from warlock_dsl.diagnostics import Severity
from warlock_dsl.library import available
from warlock_dsl.load import load
from warlock_dsl.render import render_json, render_text
from workbench.output import clean_lines, console, put_json, put_text, say
from workbench.rulesets import load_named, roots
from workbench.words import Words


def list_rulesets(arguments: Namespace) -> int:
    """Every ruleset that can be found by name."""
    where = roots(arguments)
    found: list[dict[str, Any]] = []
    for one in available(where):
        loaded = load(one.name, where)
        rules = loaded.ruleset
        found.append(
            {
                "name": one.name,
                "title": Words(rules).title() if rules is not None else "",
                "players": [rules.components.least_players, rules.components.most_players] if rules else None,
                "hash": rules.hash if rules is not None else None,
                "errors": loaded.count(Severity.ERROR),
                "path": str(one.path),
            }
        )
    if arguments.json:
        put_json({"rulesets": found})
        return 0
    if not found:
        say("no rulesets found")
        return 0
    table = Table(box=box.SIMPLE_HEAD)
    for heading in ("name", "title", "players", "hash", "where"):
        table.add_column(heading, overflow="fold")
    for entry in found:
        players = "–".join(map(str, dict.fromkeys(entry["players"]))) if entry["players"] else ""  # noqa: RUF001
        faulty = f"{entry['errors']} errors: warlock check {entry['name']}"
        row = (entry["name"], entry["title"] or faulty, players, entry["hash"] or "", entry["path"])
        table.add_row(*(Text(clean_lines(cell)) for cell in row))
    console().print(table)
    return 0


def check(arguments: Namespace) -> int:
    """Every fault of a ruleset, in one pass."""
    loaded = load_named(arguments.ruleset, roots(arguments))
    errors = loaded.count(Severity.ERROR)
    shown = [one for one in loaded.diagnostics if arguments.notes or one.severity is not Severity.NOTE]
    name = loaded.ruleset.name if loaded.ruleset is not None else arguments.ruleset
    if arguments.json:
        put_json(
            {
                "ruleset": name,
                "hash": loaded.ruleset.hash if loaded.ruleset is not None else None,
                "errors": errors,
                "warnings": loaded.count(Severity.WARNING),
                "notes": loaded.count(Severity.NOTE),
                "diagnostics": render_json(shown),
            }
        )
    elif shown:
        put_text(render_text(shown, loaded.sources))
    else:
        notes = loaded.count(Severity.NOTE)
        more = f" ({notes} notes: --notes shows them)" if notes else ""
        say(f"{name}: no faults{more}")
    return 1 if errors else 0
