"""`warlock test`: runs the scenarios of a path and shows which did not end as written."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from warlock_dsl import find_overlay, find_ruleset, parse_stack, render_text
from workbench.scenario.run import run_path
from workbench.support.arguments import add_ruleset, completes, output
from workbench.support.errors import UsageError
from workbench.support.output import put_json, put_text
from workbench.support.rulesets import found_texts, load_named, roots, sound_ruleset
from workbench.support.which_machine import speed_up

EXAMPLES = (
    ("warlock test maldorf", "every scenario of a game"),
    ("warlock test maldorf+fr", "the scenarios of an overlay"),
    ("warlock test scenarios/first.toml", "the scenarios of a file"),
    ("warlock test maldorf --under maldorf+fr", "which examples fail under another edition"),
)


def add_arguments(parser: ArgumentParser) -> None:
    what = parser.add_argument_group("what to test")
    completes(what.add_argument("path", metavar="PATH", help="a scenario file, a folder, or a ruleset"), "ruleset")
    add_ruleset(what, "--under", "run them under these rules, whatever ruleset they name")
    output(parser)


def run(arguments: Namespace) -> int:
    """Run them all; 1 unless there was something to run and all of it passed."""
    speed_up()
    where = roots(arguments)
    path = _path(arguments.path, where)
    under = sound_ruleset(arguments.under, where)[0] if arguments.under else None
    report = run_path(path, lambda name: load_named(name, where), under)
    if arguments.json:
        put_json(report.data())
    else:
        put_text(render_text(report.diagnostics, report.sources))
        put_text(report.text())
    return 0 if report.passed else 1


def _path(name: str, where: list[Path]) -> Path:
    """The file or folder of scenarios: a path, or that of a ruleset by its name."""
    try:
        if Path(name).exists():
            return Path(name)
    except (OSError, ValueError):
        pass
    named = find_ruleset(name, where) or _last_overlay(name, where)
    if named is None and "/" not in name and not name.endswith(".toml"):
        found_texts(name, where)  # says what is missing, and what may be meant
    if named is None:
        raise UsageError(f"there is no file, folder or ruleset {name}")
    return named


def _last_overlay(name: str, where: list[Path]) -> Path | None:
    """The folder of the overlay on top of a stack: its scenarios are the ones that show what it does."""
    stack = parse_stack(name)
    if isinstance(stack, str) or not stack.uses:
        return None
    base = find_ruleset(stack.base, where)
    return find_overlay(base.resolve().name, stack.uses[-1].name, where) if base is not None else None
