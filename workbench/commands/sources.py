"""`warlock sources`: which rules of the documents are followed, which are not and why, and what is left over."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Mapping, Sequence

from rich import box
from rich.table import Table
from rich.text import Text

from workbench.inspect.traceability import WORDS, Departure, Traces, trace
from workbench.support.arguments import add_ruleset, output
from workbench.support.output import console, put_json
from workbench.support.rulesets import roots, sound_ruleset

ALWAYS = ("followed", "left over")  # what is counted even if there is none

EXAMPLES = (
    ("warlock sources maldorf", "every rule of the rulebooks and what follows it"),
    ("warlock sources maldorf+fr --json", "the same of the French edition, as data"),
)


def add_arguments(parser: ArgumentParser) -> None:
    add_ruleset(parser.add_argument_group("what to look through"))
    output(parser)


def run(arguments: Namespace) -> int:
    """The report; 1 when a rule of the ledger is left over."""
    ruleset, loaded = sound_ruleset(arguments.ruleset, roots(arguments))
    traces = trace(ruleset, loaded.sources, loaded.final.modules if loaded.final is not None else None)
    if arguments.json:
        put_json(traces.data())
    else:
        _print_traces(traces)
    return 1 if traces.unaccounted else 0


def _print_traces(traces: Traces) -> None:
    out = console()
    if not any((traces.followed, traces.other_reading, traces.set_aside, traces.idle, traces.unaccounted)):
        out.print(Text(f"{traces.ruleset} has no ledger"))
        return
    out.print(Text("followed", "bold"))
    _citers(traces.followed)
    _departures("another reading of the documents is followed", traces.other_reading)
    _departures("set aside", traces.set_aside)
    _left_over("not said by this edition", traces.silent, "dim")
    out.print(Text("without effect on play", "bold"))
    for id, why in traces.idle.items():
        out.print(Text.assemble("  ", (id, "cyan"), f"  {why}"), soft_wrap=True)
    out.print(Text("rulings followed", "bold"))
    _citers(traces.rulings)
    for id, why in traces.idle_rulings.items():
        out.print(Text.assemble("  ", (id, "cyan"), f"  without effect: {why}"), soft_wrap=True)
    out.print(_standings(traces))
    _left_over("rulings that nothing follows", traces.unfollowed, "yellow")
    _left_over("rules that nothing accounts for", traces.unaccounted, "red")
    counts = {
        "followed": len(traces.followed),
        "in another reading": len(traces.other_reading),
        "set aside": len(traces.set_aside),
        "not said by this edition": len(traces.silent),
        "without effect on play": len(traces.idle),
        "left over": len(traces.unaccounted),
    }
    told = ", ".join(f"{count} {what}" for what, count in counts.items() if count or what in ALWAYS)
    out.print(Text(f"{sum(counts.values())} rules: {told}", "bold"), soft_wrap=True)


def _departures(title: str, found: Mapping[str, Departure]) -> None:
    if found:
        console().print(Text(title, "bold"))
    for id, departure in found.items():
        why = ", ".join((*departure.differences, *departure.rulings))
        told = f"  {', '.join(departure.by)}" + (f" ({why})" if why else "")
        console().print(Text.assemble("  ", (id, "cyan"), told), soft_wrap=True)


def _citers(by: Mapping[str, Sequence[str]]) -> None:
    for id, addresses in by.items():
        console().print(Text.assemble("  ", (id, "cyan"), f"  {', '.join(addresses)}"), soft_wrap=True)


def _left_over(what: str, ids: Sequence[str], style: str) -> None:
    if ids:
        console().print(Text.assemble((f"{what}: ", f"bold {style}"), ", ".join(ids)), soft_wrap=True)


def _standings(traces: Traces) -> Table:
    table = Table(title=Text("by standing", "bold"), title_justify="left", box=box.SIMPLE_HEAD)
    table.add_column("")
    for standing in WORDS:
        table.add_column(standing, justify="right")
    rows = {"rules of the ledger": traces.ledger, "declarations": traces.declarations, **traces.figures}
    for name, counts in rows.items():
        table.add_row(Text(name), *(str(counts.get(standing, "")) for standing in WORDS))
    return table
