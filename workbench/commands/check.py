"""`warlock check`: every error of a ruleset, in one pass."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from warlock_dsl import find_overlay, find_ruleset, parse_stack
from workbench.support.arguments import add_games, add_ruleset, output
from workbench.support.errors import UsageError
from workbench.support.output import put_json, put_text, say
from workbench.support.rulesets import Check, found_texts, full_name, load_named, roots, summary

if TYPE_CHECKING:
    from warlock_dsl import Gathered, Loaded
    from workbench.diff.permute import Orders

EXAMPLES = (
    ("warlock check maldorf", "a game that is shipped"),
    ("warlock check maldorf+fr+hand_size(cards=5)", "a game with overlays"),
    ("warlock check variants/maldorf/truce --notes", "the overlay in a folder, with notes"),
    ("warlock check maldorf+fr+hand_size --permute", "does the order of the overlays matter?"),
)


def add_arguments(parser: ArgumentParser) -> None:
    add_ruleset(parser.add_argument_group("what to check"))
    orders = parser.add_argument_group("orders of overlays")
    about = "check the overlays in other orders, too, and look for a game in which the order matters"
    orders.add_argument("--permute", action="store_true", help=about)
    add_games(orders, "with --permute: games that are played to find one, for each pair of overlays", 20)
    shown = output(parser)
    shown.add_argument("--notes", action="store_true", help="show notes, too")
    shown.add_argument("--watch", action="store_true", help="check again, and run the scenarios, when a file changes")


def run(arguments: Namespace) -> int:
    """Print the errors; 1 if there are any, or if a game shows that the order of the overlays matters."""
    return _watch(arguments) if arguments.watch else _check(arguments)


def _watch(arguments: Namespace) -> int:
    """Check, and check again whenever a file of the game or its overlays changes, until somebody interrupts."""
    if arguments.json or arguments.permute:
        raise UsageError("--watch is for people: without --json and --permute")
    try:
        from watchfiles import watch
    except ModuleNotFoundError:
        raise UsageError("--watch needs watchfiles: pip install 'warlock-rules[watch]'") from None
    from workbench.scenario.run import run_path
    from workbench.service.language_service import Language

    where = roots(arguments)
    name = full_name(arguments.ruleset, where)
    folders = _folders(name, where)
    service = Language()
    code = _check(arguments, service.check_texts)
    say(f"watching {', '.join(map(str, folders))}")
    for changed in watch(*folders, watch_filter=_is_rules, raise_interrupt=False):
        files = sorted({Path(path) for _, path in changed})
        say("\n" + ", ".join(file.name for file in files))
        code = _check(arguments, service.check_texts)
        for scenarios in _concerned(files, folders[-1]) if code == 0 else ():
            put_text(run_path(scenarios, lambda wanted: load_named(wanted, where)).text())
    return code


def _is_rules(change: object, path: str) -> bool:
    """Whether a file is one of rules, and none that an editor keeps beside it while it saves."""
    file = Path(path)
    return file.suffix in (".warlock", ".toml", ".csv") and not file.name.startswith((".", "#"))


def _concerned(changed: list[Path], folder: Path) -> list[Path]:
    """What is run after a change: the scenarios that changed, or all of them where something else did."""
    own = [file for file in changed if file.parent.name == "scenarios" and file.suffix == ".toml"]
    if len(own) == len(changed):
        return [file for file in own if file.is_file()]
    return [folder] if (folder / "scenarios").is_dir() else []


def _folders(name: str, where: list[Path]) -> list[Path]:
    """The folders of a stack, that of the game first."""
    found_texts(name, where)  # says what is missing
    stack = parse_stack(name)
    base = find_ruleset(name if isinstance(stack, str) else stack.base, where)
    assert base is not None
    uses = () if isinstance(stack, str) else stack.uses
    overlays = (find_overlay(base.resolve().name, use.name, where) for use in uses)
    return [base, *(folder for folder in overlays if folder is not None)]


def _by_service(found: Gathered) -> Loaded:
    from workbench.service.project import Project  # of the service what checks: scenarios are not asked for

    return Project().check_texts(found)


def _check(arguments: Namespace, check: Check = _by_service) -> int:
    found = summary(arguments.ruleset, roots(arguments), check)
    name, counts = found.name or arguments.ruleset, found.counts
    text = found.text_with_notes if arguments.notes else found.text
    wrong, more = _relations(arguments) if not counts["error"] else ([], "")
    text = "\n".join(part for part in (text, more) if part)
    orders = _orders(arguments) if arguments.permute else None
    if arguments.json:
        shown = [one for one in found.diagnostics if arguments.notes or one["severity"] != "note"]
        shown += wrong
        totals = {"errors": counts["error"] + len(wrong), "warnings": counts["warning"], "notes": counts["note"]}
        permuted = {} if orders is None else {"orders": orders.data()}
        put_json({"ruleset": name, "hash": found.hash, **totals, "diagnostics": shown, **permuted})
    elif text:
        put_text(text)
    else:
        notes = counts["note"]
        more = f" ({notes} notes: --notes shows them)" if notes else ""
        say(f"{name}: no errors{more}")
    if orders is not None and not arguments.json:
        say(orders.text())
    return 1 if counts["error"] or wrong or (orders is not None and orders.matters) else 0


def _relations(arguments: Namespace) -> tuple[list[dict[str, Any]], str]:
    """What is wrong with the relations to other stacks, as data and as text; only who has some waits for it."""
    where = roots(arguments)
    texts = found_texts(arguments.ruleset, where).texts()
    if not any(line.startswith("relation ") for text in texts.values() for line in text.split("\n")):
        return [], ""
    from warlock_dsl import render_json, render_text
    from workbench.fuzz.relations import relation_errors

    loaded = load_named(arguments.ruleset, where)
    errors = relation_errors(loaded, where)
    return render_json(errors), render_text(errors, loaded.sources) if errors else ""


def _orders(arguments: Namespace) -> Orders:
    """What other orders of the overlays come to."""
    from workbench.diff.permute import permuted

    where = roots(arguments)
    stack = parse_stack(full_name(arguments.ruleset, where))
    if isinstance(stack, str) or len(stack.uses) < 2:
        raise UsageError("--permute is for a stack of two overlays or more")
    return permuted(stack, lambda name: load_named(name, where), arguments.games)
