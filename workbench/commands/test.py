"""`warlock test`: runs the scenarios of a path and prints what did not come out as written."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from warlock_dsl.diagnostics.render import render_text
from warlock_dsl.files import find, find_overlay
from warlock_dsl.stack import parse_stack
from workbench.scenario.run import run_path
from workbench.support.output import put_json, put_text
from workbench.support.rulesets import load_named, roots, sound_ruleset


def test(arguments: Namespace) -> int:
    """Run them all; 1 unless there was something to run and all of it passed."""
    where = roots(arguments)
    path = Path(arguments.path)
    named = find(arguments.path, where) or _last_overlay(arguments.path, where)
    try:
        if named is not None and not path.exists():  # a ruleset by its name
            path = named
    except (OSError, ValueError):
        pass
    under = sound_ruleset(arguments.under, where)[0] if arguments.under else None
    report = run_path(path, lambda name: load_named(name, where), under)
    if arguments.json:
        put_json(report.data())
    else:
        put_text(render_text(report.diagnostics, report.sources))
        put_text(report.text())
    return 0 if report.passed else 1


def _last_overlay(name: str, where: list[Path]) -> Path | None:
    """The folder of the overlay on top of a stack: its scenarios are the ones that show what it does."""
    stack = parse_stack(name)
    if isinstance(stack, str) or not stack.uses:
        return None
    base = find(stack.base, where)
    return find_overlay(base.resolve().name, stack.uses[-1].name, where) if base is not None else None
