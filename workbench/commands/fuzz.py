"""`warlock fuzz`: play games that look for trouble, and tell every law they break in the shortest game that does."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import Any

from workbench.files import Trouble
from workbench.output import put_json, put_text, say
from workbench.rulesets import roots, sound_ruleset

FINDINGS = "findings"  # where they are written without --out
USUAL_SECONDS = 60.0


def fuzz(arguments: Namespace) -> int:
    """Search, and give 1 if a law was broken."""
    from workbench.fuzz.breach import FREE
    from workbench.fuzz.campaign import Plan
    from workbench.fuzz.findings import Finding, report
    from workbench.fuzz.laws import law_names
    from workbench.fuzz.search import Limits, Search
    from workbench.lab.crew import crew
    from workbench.lab.progress import progress
    from workbench.lab.recipe import recipe_of

    ruleset, loaded = sound_ruleset(arguments.ruleset, roots(arguments))
    least, most = ruleset.components.least_players, ruleset.components.most_players
    players = (arguments.players,) if arguments.players else tuple(range(least, most + 1))
    if not least <= players[0] <= most:
        raise Trouble(f"{ruleset.name} is for {least} to {most} players, not {players[0]}")
    seconds = arguments.seconds or (0.0 if arguments.games else USUAL_SECONDS)
    limits = Limits(arguments.games or 0, seconds, arguments.first)
    folder = Path(arguments.out or FINDINGS)
    plan = Plan(recipe_of(loaded), players, arguments.seed or 0, arguments.longest)
    search = Search(loaded, plan, folder, keep=arguments.out is not None)

    def told(finding: Finding | None, data: dict[str, Any]) -> None:
        if arguments.json:
            return
        if finding is None:
            say(f"found before: {data['law']}: {data['message']} ({data['decisions']} decisions)")
        else:
            put_text(report(finding, loaded.sources))
        say(f"      report {data['report']}, replay {data['replay']}, scenario {data['scenario']}\n")

    with crew(arguments.jobs) as workers, progress(f"fuzz {ruleset.name}", limits.games or None) as advance:
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

