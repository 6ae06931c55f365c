"""`warlock list` and `warlock check`: which rulesets and overlays there are, and what is wrong with one."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from rich import box
from rich.table import Table
from rich.text import Text

from warlock_dsl.diagnostics.diagnostic import Severity
from warlock_dsl.diagnostics.render import render_json, render_text
from warlock_dsl.files import Found, available, available_overlays, read_folder
from warlock_dsl.load import load
from warlock_dsl.overlay.read import Overlay, read_overlay
from warlock_dsl.tables.values import plain
from workbench.language.sentences import Words
from workbench.support.output import clean_lines, console, put_json, put_text, say
from workbench.support.rulesets import load_named, roots


def list_rulesets(arguments: Namespace) -> int:
    """Every ruleset that can be found by name, and the overlays on each."""
    where = roots(arguments)
    found: list[dict[str, Any]] = []
    for one in available(where):
        loaded = load(one.name, where)
        rules = loaded.ruleset
        found.append(
            {
                "name": one.name,
                "title": Words(rules).title() if rules is not None else "",
                "players": [rules.components.min_players, rules.components.max_players] if rules else None,
                "hash": rules.hash if rules is not None else None,
                "errors": loaded.count(Severity.ERROR),
                "path": str(one.path),
                "overlays": [_overlay(found) for found in available_overlays(one.name, where)],
            }
        )
    if arguments.json:
        put_json({"rulesets": found})
    elif not found:
        say("no rulesets found")
    else:
        _tell_rulesets(found)
    return 0


def _tell_rulesets(found: list[dict[str, Any]]) -> None:
    table = Table(box=box.SIMPLE_HEAD)
    for heading in ("name", "title", "players", "hash", "where"):
        table.add_column(heading, overflow="fold")
    for entry in found:
        players = "–".join(map(str, dict.fromkeys(entry["players"]))) if entry["players"] else ""  # noqa: RUF001
        wrong = f"{entry['errors']} errors: warlock check {entry['name']}"
        row = (entry["name"], entry["title"] or wrong, players, entry["hash"] or "", entry["path"])
        table.add_row(*(Text(clean_lines(cell)) for cell in row))
    console().print(table)
    for entry in found:
        if entry["overlays"]:
            _tell_overlays(entry)


def _overlay(found: Found) -> dict[str, Any]:
    """The head of an overlay: what it says of itself, whether or not it fits the game."""
    files, errors = read_folder(found.path)
    overlay, more = read_overlay(files, found.name, {})
    return {
        "name": found.name,
        "kind": overlay.kind if overlay is not None else "",
        "about": overlay.about if overlay is not None else "",
        "language": overlay.language if overlay is not None else "",
        "parameters": _parameters(overlay) if overlay is not None else [],
        "requires": list(overlay.requires) if overlay is not None else [],
        "conflicts": list(overlay.conflicts) if overlay is not None else [],
        "errors": len(errors) + len(more),
        "path": str(found.path),
    }


def _parameters(overlay: Overlay) -> list[dict[str, Any]]:
    return [
        {"name": name, "default": plain(value), "range": overlay.ranges.get(name, "")}
        for name, value in overlay.parameters.items()
    ]


def _tell_overlays(entry: dict[str, Any]) -> None:
    base = entry["name"]
    say(f"overlays on {base}, used as {base}+NAME or {base}+NAME(PARAMETER=VALUE)", "bold")
    table = Table(box=box.SIMPLE_HEAD)
    for heading in ("name", "kind", "parameters", "about"):
        table.add_column(heading, overflow="fold")
    for one in entry["overlays"]:
        stack = "+".join((base, *one["requires"], one["name"]))
        about = one["about"] or f"{one['errors']} errors: warlock check {stack}"
        needs = f" (on {', '.join(one['requires'])})" if one["requires"] else ""
        given = "\n".join(
            f"{parameter['name']}={parameter['default']}" + (f" ({parameter['range']})" if parameter["range"] else "")
            for parameter in one["parameters"]
        )
        table.add_row(*(Text(clean_lines(cell)) for cell in (one["name"], one["kind"], given, about + needs)))
    console().print(table)


def check(arguments: Namespace) -> int:
    """Every error of a ruleset, in one pass."""
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
        say(f"{name}: no errors{more}")
    return 1 if errors else 0
