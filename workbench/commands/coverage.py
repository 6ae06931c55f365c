"""`warlock coverage`: plays many games and shows which rules, branches, answers, pieces and sources came up."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.support import arguments as shared
from workbench.support.errors import UsageError
from workbench.support.output import put_json, say
from workbench.support.rulesets import roots, sound_ruleset

if TYPE_CHECKING:
    from workbench.coverage.report import Report

NAMES = {"rule": "rules", "branch": "branches", "definition": "definitions", "score": "parts of the score"}
NAMES |= {"question": "questions", "option": "answers", "piece": "pieces", "figure": "figures", "source": "sources"}


EXAMPLES = (
    ("warlock coverage maldorf", "200 games, every number of players in turn"),
    ("warlock coverage maldorf --games 2000 --html coverage.html", "the rule files with counts in the margin"),
    ("warlock coverage maldorf --strict", "exit 1 if a rule that could come up never did"),
)


def add_arguments(parser: ArgumentParser) -> None:
    what = parser.add_argument_group("what to play")
    shared.add_ruleset(what)
    shared.add_players(what, "every number in turn")
    shared.add_seed(what, "the seed of the first game")
    biased = "how many of the games are played by biased bots, which try what is rare (default 75)"
    what.add_argument("--guided", type=shared.percent, default=75, metavar="PERCENT", help=biased)
    long = parser.add_argument_group("how long")
    shared.add_games(long, "how many games", 200)
    shared.add_max_decisions(long, 5000)
    shared.add_jobs(long)
    shared.add_checkpoint(long)
    out = shared.output(parser)
    shared.add_file(out, "--html", "write a page of the rule files with counts in the margin")
    out.add_argument("--rarest", type=shared.count, default=12, metavar="N", help="show the N rarest (default 12)")
    out.add_argument("--strict", action="store_true", help="exit 1 if a rule that could come up never did")


def run(arguments: Namespace) -> int:
    """Play and report; 1 where a game broke its rules, or where a rule never came up and --strict is given."""
    from workbench.coverage.collect import Plan
    from workbench.coverage.page import page
    from workbench.coverage.report import questions_of, read_batch, report
    from workbench.coverage.report import run as play_games
    from workbench.pages.page import write_page
    from workbench.support.checkpoint import Checkpoint
    from workbench.support.ruleset_source import source_of
    from workbench.support.which_machine import speed_up
    from workbench.support.workers import worker_pool

    speed_up()
    ruleset, loaded = sound_ruleset(arguments.ruleset, roots(arguments))
    minimum, maximum = ruleset.components.min_players, ruleset.components.max_players
    players = arguments.players or 0
    if players and not minimum <= players <= maximum:
        raise UsageError(f"{ruleset.name} is for {minimum} to {maximum} players, not {players}")
    guided = round(arguments.guided)
    plan = Plan(source_of(loaded), players, guided, arguments.max_decisions)
    heading = {"coverage": ruleset.name, "hash": ruleset.hash, "players": players, "guided": guided}
    heading |= {"cap": arguments.max_decisions}
    path, read = arguments.checkpoint, partial(read_batch, questions_of(ruleset))
    book = Checkpoint(Path(path), heading, read) if path else nullcontext(None)
    with worker_pool(arguments.jobs) as workers, book as checkpoint:
        sums = play_games(plan, arguments.seed, arguments.games, checkpoint, workers)
    found = report(loaded, plan, arguments.seed, sums)
    if arguments.html:
        write_page(Path(arguments.html), page(found, loaded.sources))
    if arguments.json:
        put_json(found.data(arguments.rarest))
    else:
        print_report(found, arguments.rarest)
    return 1 if sums.errors or (arguments.strict and found.never("rule")) else 0


def print_report(found: Report, rarest: int) -> None:
    """How much of each sort came up, what never did and why, and the rarest with a seed that shows them."""
    for sort, counts in found.summary().items():
        shut = f", {counts['ruled_out']} ruled out" if counts["ruled_out"] else ""
        never = f", {counts['never']} never" if counts["never"] else ""
        say(f"{NAMES[sort]:20} {counts['fired']} of {counts['all']} came up{shut}{never}")
    for title, items in (("never came up", found.never()), ("cannot come up", found.ruled_out())):
        if items:
            say(f"\n{title}:", "bold")
        for item in items:
            feature = item.feature
            why = f" ({feature.ruled_out})" if feature.ruled_out else ""
            say(f"  {NAMES[feature.sort]}: {feature.what[:90]}  {feature.span.file}:{feature.span.line}{why}")
    if rarest:
        say("\nthe rarest:", "bold")
    for item in found.rarest(rarest):
        players, policy = found.seats(item)
        what = f"{item.feature.what[:80]}  {item.feature.span.file}:{item.feature.span.line}"
        say(f"  in {item.games} games: {what}  seed {item.seed} ({players} {policy} seats)")
    for seed, players, error in found.sums.errors:
        say(f"\nbroken in the game of seed {seed} with {players} players: {error}", "red")
    sums = found.sums
    given_up = f", {sums.unfinished} of them given up" if sums.unfinished else ""
    say(f"\n{found.ruleset.name}: {sums.games} games, {sums.decisions} decisions{given_up}")
