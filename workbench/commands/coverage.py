"""`warlock coverage`: plays many games and tells which rules, branches, answers, pieces and sources came up."""

from __future__ import annotations

from argparse import Namespace
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.files import Trouble
from workbench.output import put_json, say
from workbench.rulesets import roots, sound_ruleset

if TYPE_CHECKING:
    from workbench.lab.coverage import Report

NAMES = {"rule": "rules", "branch": "branches", "definition": "definitions", "score": "parts of the score"}
NAMES |= {"question": "questions", "option": "answers", "piece": "pieces", "figure": "figures", "source": "sources"}


def coverage(arguments: Namespace) -> int:
    """Play and tell; 1 where a game broke its rules, or where something never came up and --strict is given."""
    from workbench.lab.coverage import report, run
    from workbench.lab.coverage_page import page
    from workbench.lab.covering import Plan
    from workbench.lab.crew import crew
    from workbench.lab.notebook import Notebook
    from workbench.lab.page import write_page
    from workbench.lab.recipe import recipe_of

    ruleset, loaded = sound_ruleset(arguments.ruleset, roots(arguments))
    least, most = ruleset.components.least_players, ruleset.components.most_players
    players = arguments.players or 0
    if players and not least <= players <= most:
        raise Trouble(f"{ruleset.name} is for {least} to {most} players, not {players}")
    if not 0 <= arguments.guided <= 100:
        raise Trouble("--guided is a percentage")
    plan = Plan(recipe_of(loaded), players, arguments.guided, arguments.cap)
    heading = {"coverage": ruleset.name, "hash": ruleset.hash, "players": players, "guided": arguments.guided}
    heading |= {"cap": arguments.cap}
    book = Notebook(Path(arguments.notebook), heading) if arguments.notebook else nullcontext(None)
    with crew(arguments.jobs) as workers, book as notebook:
        sums = run(plan, arguments.seed, arguments.games, notebook, workers)
    found = report(loaded, plan, arguments.seed, sums)
    if arguments.html:
        write_page(Path(arguments.html), page(found, loaded.sources))
    if arguments.json:
        put_json(found.data(arguments.rarest))
    else:
        tell(found, arguments.rarest)
    return 1 if sums.faults or (arguments.strict and found.never("rule")) else 0


def tell(found: Report, rarest: int) -> None:
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
    for seed, players, fault in found.sums.faults:
        say(f"\nbroken in the game of seed {seed} with {players} players: {fault}", "red")
    sums = found.sums
    given_up = f", {sums.unfinished} of them given up" if sums.unfinished else ""
    say(f"\n{found.ruleset.name}: {sums.games} games, {sums.decisions} decisions{given_up}")
