"""`warlock check`: every error of a ruleset, in one pass."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from warlock_dsl import parse_stack
from workbench.support.arguments import add_games, add_ruleset, output
from workbench.support.errors import UsageError
from workbench.support.output import put_json, put_text, say
from workbench.support.rulesets import full_name, load_named, roots, summary

if TYPE_CHECKING:
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
    output(parser).add_argument("--notes", action="store_true", help="show notes, too")


def run(arguments: Namespace) -> int:
    """Print the errors; 1 if there are any, or if a game shows that the order of the overlays matters."""
    found = summary(arguments.ruleset, roots(arguments))
    name, counts = found.name or arguments.ruleset, found.counts
    text = found.text_with_notes if arguments.notes else found.text
    orders = _orders(arguments) if arguments.permute else None
    if arguments.json:
        shown = [one for one in found.diagnostics if arguments.notes or one["severity"] != "note"]
        totals = {"errors": counts["error"], "warnings": counts["warning"], "notes": counts["note"]}
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
    return 1 if counts["error"] or (orders is not None and orders.matters) else 0


def _orders(arguments: Namespace) -> Orders:
    """What other orders of the overlays come to."""
    from workbench.diff.permute import permuted

    where = roots(arguments)
    stack = parse_stack(full_name(arguments.ruleset, where))
    if isinstance(stack, str) or len(stack.uses) < 2:
        raise UsageError("--permute is for a stack of two overlays or more")
    return permuted(stack, lambda name: load_named(name, where), arguments.games)
