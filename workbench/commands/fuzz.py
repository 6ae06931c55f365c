"""`warlock fuzz`: plays games that try to break laws, and shows each broken law in the shortest game that breaks it."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbench.support import arguments as shared
from workbench.support.errors import UsageError
from workbench.support.output import put_json, put_text, say
from workbench.support.rulesets import roots, sound_ruleset

if TYPE_CHECKING:
    from warlock_dsl import Ruleset

FINDINGS = "findings"  # the folder they are written to by default
DEFAULT_SECONDS = 60.0
EXAMPLES = (
    ("warlock fuzz maldorf", "a minute of games"),
    ("warlock fuzz maldorf --games 500 --seed 7", "the same 500 games every time"),
    ("warlock fuzz maldorf --seconds 3600 --out night", "an hour; the same command goes on from there"),
)


def add_arguments(parser: ArgumentParser) -> None:
    what = parser.add_argument_group("what to play")
    shared.add_ruleset(what)
    shared.add_players(what, "every number the game allows")
    shared.add_seed(what, "the seed the search begins with")
    long = parser.add_argument_group("how long")
    shared.add_games(long, "play at most N games")
    shared.add_seconds(long, f"stop after S seconds (default {DEFAULT_SECONDS:g}, or no bound with --games)")
    shared.add_max_decisions(long, 3000)
    long.add_argument("--first", action="store_true", help="stop at the first finding")
    shared.add_jobs(long)
    out = shared.output(parser)
    shared.add_folder(
        out, "--out", f"write findings here, and a checkpoint to go on from (default {FINDINGS}, without)"
    )


def run(arguments: Namespace) -> int:
    """Search, and give 1 if a law was broken, or was never tested."""
    from interpreter import Layout, kept_hidden
    from workbench.fuzz.campaign import Plan
    from workbench.fuzz.findings import Finding, report
    from workbench.fuzz.goals import goal_lines
    from workbench.fuzz.law_tests import law_names
    from workbench.fuzz.relations import compare_stacks, games_for, relation_lines, relations_of
    from workbench.fuzz.search import Limits, Search
    from workbench.fuzz.violation import FREE
    from workbench.support.progress import progress, stopped_after
    from workbench.support.ruleset_source import source_of
    from workbench.support.which_machine import speed_up
    from workbench.support.workers import worker_pool

    speed_up()
    ruleset, loaded = sound_ruleset(arguments.ruleset, roots(arguments))
    minimum, maximum = ruleset.components.min_players, ruleset.components.max_players
    players = (arguments.players,) if arguments.players else tuple(range(minimum, maximum + 1))
    if not minimum <= players[0] <= maximum:
        raise UsageError(f"{ruleset.name} is for {minimum} to {maximum} players, not {players[0]}")
    seconds = arguments.seconds or (0.0 if arguments.games else DEFAULT_SECONDS)
    limits = Limits(arguments.games or 0, seconds, arguments.first)
    folder = Path(arguments.out or FINDINGS)
    plan = Plan(source_of(loaded), players, arguments.seed, arguments.max_decisions)
    search = Search(loaded, plan, folder, keep=arguments.out is not None)

    def print_finding(finding: Finding | None, data: dict[str, Any]) -> None:
        if arguments.json:
            return
        if finding is None:
            say(f"found before: {data['law']}: {data['message']} ({data['decisions']} decisions)")
        else:
            put_text(report(finding, loaded.sources))
        say(f"      report {data['report']}, replay {data['replay']}, scenario {data['scenario']}\n")

    with (
        stopped_after(search.so_far, arguments.out is not None, "--out FOLDER"),
        worker_pool(arguments.jobs) as workers,
        progress(f"fuzz {ruleset.name}", limits.games, limits.seconds) as advance,
    ):
        found = search.run(workers, limits, print_finding, advance)
        related = []
        if not (limits.first and found.findings):
            pairs = games_for(limits.games)
            for one in relations_of(loaded, roots(arguments)):
                related.append(compare_stacks(one, workers, players, plan.seed, pairs))
    kept = kept_hidden(Layout(ruleset.program, ruleset.components, players[0]))
    laws = [f"invariant.{name}" for name in law_names(ruleset)] + list(FREE)
    if arguments.json:
        head = {"ruleset": ruleset.name, "hash": ruleset.hash, "seed": plan.seed, "players": list(players)}
        compared = [one.data() for one in related]
        put_json({**head, "laws": laws, "never_dealt": kept, **found.data(), "relations": compared})
    else:
        count = len(found.findings)
        verdict = "no law was broken" if not count else f"{count} {'law was' if count == 1 else 'laws were'} broken"
        say(f"{ruleset.name}: {found.games} games, {found.decisions} decisions, {len(laws)} laws: {verdict}")
        for line in (*found.tests.lines(), *goal_lines(found.goals), *relation_lines(related), *_shares(ruleset)):
            say(line)
        if found.dropped:
            say(f"hidden: {found.dropped} of {found.deals} deals could not be made, and were left out")
        if kept:
            say(f"hidden, and never dealt anew: {', '.join(kept)}")
    return 1 if found.broken or any(one.found for one in related) else 0


def _shares(ruleset: Ruleset) -> list[str]:
    """Shares are counted over games that have nothing to do with one another, which those of a search have."""
    names = [one.name for one in ruleset.properties if one.kind == "share"]
    return [f"shares are counted by warlock sim: {', '.join(names)}"] if names else []
