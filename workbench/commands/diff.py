"""`warlock diff`: what two rulesets of one game do differently, where it shows in play, and what it comes to."""

from __future__ import annotations

import time
from argparse import Namespace
from pathlib import Path

from workbench.diff.effect import measure_effect
from workbench.diff.model import DiffReport, Effect
from workbench.diff.page import diff_page
from workbench.diff.structure import documents, strands, titled
from workbench.diff.tell import tell_report
from workbench.files import Trouble
from workbench.lab.crew import crew
from workbench.lab.progress import progress
from workbench.lab.recipe import recipe_of
from workbench.output import console, put_json
from workbench.rulesets import roots, sound_ruleset

DEFAULT_PLAYERS = 4


def diff(arguments: Namespace) -> int:
    """The report; 0 whether or not there is a difference: telling is all that was asked for."""
    began = time.monotonic()
    where = roots(arguments)
    old, a = sound_ruleset(arguments.a, where)
    new, b = sound_ruleset(arguments.b, where)
    found = strands(a, b)
    with crew(arguments.jobs) as workers:
        effect: Effect | None = None
        if arguments.games and found:
            kinds = _seats(arguments.seats, old.components.least_players, old.components.most_players)
            with progress("games", arguments.games) as advance:
                recipes = recipe_of(a), recipe_of(b)
                effect = measure_effect(workers, *recipes, kinds, arguments.games, arguments.seed, advance)
    report = DiffReport(
        game=a.name,
        title=titled(old.components),
        old=old.name,
        new=new.name,
        old_hash=old.hash,
        new_hash=new.hash,
        documents=documents(old),
        differences=tuple(strand.difference for strand in found),
        seed=arguments.seed,
        seconds=time.monotonic() - began,
        effect=effect,
    )
    if arguments.html:
        _write(Path(arguments.html), diff_page(report, old, new, arguments.lang))
    if arguments.json:
        put_json(report.data())
    else:
        tell_report(console(), report, arguments.moves, arguments.names)
    return 0


def _seats(wanted: str | None, least: int, most: int) -> list[str]:
    """Who plays the games that are compared: random bots if nobody is named."""
    kinds = [word.strip() for word in wanted.split(",")] if wanted else []
    kinds = kinds or ["random"] * max(least, min(most, DEFAULT_PLAYERS))
    if not least <= len(kinds) <= most:
        raise Trouble(f"--seats names {len(kinds)} players; the game is for {least} to {most}")
    return kinds


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8", newline="\n")
    except (OSError, ValueError) as fault:
        why = (fault.strerror if isinstance(fault, OSError) else None) or "the system refuses"
        raise Trouble(f"{path} cannot be written: {why}") from None
