"""`warlock sources`: which rules of the documents are carried out, which have no effect, and what is left over."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Mapping, Sequence

from rich import box
from rich.table import Table
from rich.text import Text

from workbench.inspect.traceability import WORDS, Traces, trace
from workbench.support.arguments import add_ruleset, output
from workbench.support.output import console, put_json
from workbench.support.rulesets import roots, sound_ruleset

EXAMPLES = (
    ("warlock sources maldorf", "every rule of the rulebooks and what carries it out"),
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
    if not traces.carried_out and not traces.idle and not traces.unaccounted:
        out.print(Text(f"{traces.ruleset} has no ledger"))
        return
    out.print(Text("carried out", "bold"))
    _citers(traces.carried_out)
    out.print(Text("without effect on play", "bold"))
    for id, why in traces.idle.items():
        out.print(Text.assemble("  ", (id, "cyan"), f"  {why}"), soft_wrap=True)
    out.print(Text("rulings followed", "bold"))
    _citers(traces.rulings)
    for id, why in traces.idle_rulings.items():
        out.print(Text.assemble("  ", (id, "cyan"), f"  without effect: {why}"), soft_wrap=True)
    out.print(_standings(traces))
    _left_over("rulings that nothing follows", traces.unfollowed, "yellow")
    _left_over("rules that nothing carries out", traces.unaccounted, "red")
    rules = len(traces.carried_out) + len(traces.idle) + len(traces.unaccounted)
    out.print(
        Text(
            f"{rules} rules: {len(traces.carried_out)} carried out, {len(traces.idle)} without effect on play, "
            f"{len(traces.unaccounted)} left over",
            "bold",
        )
    )


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
