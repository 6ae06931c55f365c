"""`warlock check`: every error of a ruleset, in one pass."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from workbench.support.arguments import add_ruleset, output
from workbench.support.output import put_json, put_text, say
from workbench.support.rulesets import roots, summary

EXAMPLES = (
    ("warlock check maldorf", "a game that is shipped"),
    ("warlock check maldorf+fr+hand_size(cards=5)", "a game with overlays"),
    ("warlock check variants/maldorf/truce --notes", "the overlay in a folder, with notes"),
)


def add_arguments(parser: ArgumentParser) -> None:
    add_ruleset(parser.add_argument_group("what to check"))
    output(parser).add_argument("--notes", action="store_true", help="show notes, too")


def run(arguments: Namespace) -> int:
    """Print the errors; 1 if there are any."""
    found = summary(arguments.ruleset, roots(arguments))
    name, counts = found.name or arguments.ruleset, found.counts
    text = found.text_with_notes if arguments.notes else found.text
    if arguments.json:
        shown = [one for one in found.diagnostics if arguments.notes or one["severity"] != "note"]
        totals = {"errors": counts["error"], "warnings": counts["warning"], "notes": counts["note"]}
        put_json({"ruleset": name, "hash": found.hash, **totals, "diagnostics": shown})
    elif text:
        put_text(text)
    else:
        notes = counts["note"]
        more = f" ({notes} notes: --notes shows them)" if notes else ""
        say(f"{name}: no errors{more}")
    return 1 if counts["error"] else 0
