"""`warlock fuzz`: play games that look for trouble, and tell every law they break in the shortest game that does."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import Any

from workbench.support.files import UsageError
from workbench.support.output import put_json, put_text, say
from workbench.support.rulesets import roots, sound_ruleset

FINDINGS = "findings"  # where they are written without --out
USUAL_SECONDS = 60.0


def fuzz(arguments: Namespace) -> int:
    """Search, and give 1 if a law was broken."""
    from workbench.fuzz.campaign import Plan
    from workbench.fuzz.findings import Finding, report
    from workbench.fuzz.laws import law_names
    from workbench.fuzz.search import Limits, Search
    from workbench.fuzz.violation import FREE
    from workbench.support.progress import progress
    from workbench.support.ruleset_source import source_of
    from workbench.support.workers import worker_pool

    ruleset, loaded = sound_ruleset(arguments.ruleset, roots(arguments))
    minimum, maximum = ruleset.components.min_players, ruleset.components.max_players
    players = (arguments.players,) if arguments.players else tuple(range(minimum, maximum + 1))
    if not minimum <= players[0] <= maximum:
        raise UsageError(f"{ruleset.name} is for {minimum} to {maximum} players, not {players[0]}")
    seconds = arguments.seconds or (0.0 if arguments.games else USUAL_SECONDS)
    limits = Limits(arguments.games or 0, seconds, arguments.first)
    folder = Path(arguments.out or FINDINGS)
    plan = Plan(source_of(loaded), players, arguments.seed or 0, arguments.max_decisions)
    search = Search(loaded, plan, folder, keep=arguments.out is not None)

    def told(finding: Finding | None, data: dict[str, Any]) -> None:
        if arguments.json:
            return
        if finding is None:
            say(f"found before: {data['law']}: {data['message']} ({data['decisions']} decisions)")
        else:
            put_text(report(finding, loaded.sources))
        say(f"      report {data['report']}, replay {data['replay']}, scenario {data['scenario']}\n")

    with worker_pool(arguments.jobs) as workers, progress(f"fuzz {ruleset.name}", limits.games or None) as advance:
        found = search.run(workers, limits, told, advance)
    laws = [f"invariant.{name}" for name in law_names(ruleset)] + list(FREE)
    if arguments.json:
        head = {"ruleset": ruleset.name, "hash": ruleset.hash, "seed": plan.seed, "players": list(players)}
        put_json({**head, "laws": laws, **found.data()})
    else:
        count = len(found.findings)
        verdict = "no law was broken" if not count else f"{count} {'law was' if count == 1 else 'laws were'} broken"
        say(f"{ruleset.name}: {found.games} games, {found.decisions} decisions, {len(laws)} laws: {verdict}")
    return 1 if found.findings else 0
