"""`warlock diff`: what two rulesets of one game do differently, where it shows in play, and how much it matters."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path

from attrs import evolve

from warlock_dsl import Loaded, Ruleset
from workbench.diff.effect import measure_effect
from workbench.diff.model import Difference, DiffReport, Effect
from workbench.diff.page import diff_page
from workbench.diff.report import tell_report
from workbench.diff.run import Plan, compare, overlay_name
from workbench.language.sentences import language_for
from workbench.pages.page import write_page
from workbench.players.registry import bot_of, split_seats
from workbench.support import arguments as shared
from workbench.support.errors import UsageError
from workbench.support.files import why, write_folder
from workbench.support.native import speed_up
from workbench.support.output import console, put_json
from workbench.support.progress import progress
from workbench.support.ruleset_source import source_of
from workbench.support.rulesets import roots, sound_ruleset
from workbench.support.workers import WorkerPool, worker_pool

DEFAULT_PLAYERS = 4


EXAMPLES = (
    ("warlock diff maldorf+en maldorf+fr", "two editions of a game"),
    ("warlock diff maldorf maldorf+truce --structure", "only what is written, without playing"),
    ("warlock diff maldorf+en maldorf+fr --html diff.html", "a page with boards"),
    ("warlock diff maldorf maldorf+truce --games 200", "how scores and lengths change, too"),
)


def add_arguments(parser: ArgumentParser) -> None:
    what = parser.add_argument_group("what to compare")
    shared.add_ruleset(what, "a", "a ruleset", "A")
    shared.add_ruleset(what, "b", "another ruleset of the same game", "B")
    what.add_argument("--structure", action="store_true", help="compare what is written, and play nothing")
    search = parser.add_argument_group("the search, and the games to compare")
    shared.add_seed(search, "the seed the search begins with")
    shared.add_games(search, "play N pairs of whole games and compare them (default none)")
    shared.add_seats(search, "who plays those games, as in `warlock play` (default random bots)")
    shared.add_seconds(search, "begin no further game of the search after S seconds (default no bound)")
    shared.add_jobs(search)
    out = shared.output(parser)
    shared.add_folder(out, "--out", "write the replay, the scenario and the overlay of each position here")
    shared.add_file(out, "--html", "write the report as a page, too")
    out.add_argument("--moves", action="store_true", help="show the decisions that lead to each position")
    out.add_argument("--names", action="store_true", help="show every text of the catalogues that differs")
    shared.add_lang(out, "en")


def run(arguments: Namespace) -> int:
    """Print the report; 0 whether or not there is a difference: to show it is all that was asked for."""
    speed_up()
    where = roots(arguments)
    old, a = sound_ruleset(arguments.a, where)
    new, b = sound_ruleset(arguments.b, where)
    lang = language_for(new, arguments.lang)
    kinds = _seats(arguments.seats, old) if arguments.games else []
    if arguments.out:
        _empty(Path(arguments.out))
    with worker_pool(arguments.jobs) as workers:
        with progress("searching") as advance:
            plan = Plan(arguments.seed, lang, not arguments.structure, arguments.seconds or 0.0)
            report = compare(a, b, workers, plan, advance)
        if arguments.games and report.differences:
            report = evolve(report, effect=_effect(workers, a, b, kinds, arguments))
    if arguments.out:
        report = evolve(report, differences=_written(report.differences, Path(arguments.out)))
    if arguments.html:
        write_page(Path(arguments.html), diff_page(report, old, new, lang))
    if arguments.json:
        put_json(report.data())
    else:
        _print_report(report, arguments)
    return 0


def _print_report(report: DiffReport, arguments: Namespace) -> None:
    out = console()
    tell_report(out, report, arguments.moves, arguments.names)
    if arguments.html:
        out.print(f"written: {arguments.html}", soft_wrap=True)


def _effect(workers: WorkerPool, a: Loaded, b: Loaded, kinds: Sequence[str], arguments: Namespace) -> Effect:
    with progress("games", arguments.games) as advance:
        sources = source_of(a), source_of(b)
        return measure_effect(workers, *sources, kinds, arguments.games, arguments.seed, advance)


def _seats(wanted: str | None, ruleset: Ruleset) -> list[str]:
    """Who plays the games that are compared: random bots if nobody is named."""
    minimum, maximum = ruleset.components.min_players, ruleset.components.max_players
    kinds = split_seats(wanted) if wanted else []
    kinds = kinds or ["random"] * max(minimum, min(maximum, DEFAULT_PLAYERS))
    if not minimum <= len(kinds) <= maximum:
        raise UsageError(f"--seats names {len(kinds)} players; the game is for {minimum} to {maximum}")
    for kind in kinds:
        bot_of(kind, 0)  # an unknown one is an error before anything is searched
    return kinds


# ------------------------------------------------------------------------- files


def _empty(folder: Path) -> None:
    """A search takes a while: whether its results can be kept is looked at before."""
    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise UsageError(f"{folder} is there already; it is left alone")
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise UsageError(f"{folder} cannot be written: {why(error)}") from None


def _written(differences: Sequence[Difference], folder: Path) -> tuple[Difference, ...]:
    """Every witness as a replay, a scenario and the overlay that has the difference alone."""
    found = []
    files: dict[str, str] = {}
    for one in differences:
        if one.witness is not None:
            name = overlay_name(one.id)
            own = {"replay": f"{name}.replay.json", "scenario": f"{name}.scenario.toml", "overlay": name}
            files[own["replay"]] = json.dumps(one.witness.replay, indent=1, ensure_ascii=False) + "\n"
            if one.witness.scenario:
                files[own["scenario"]] = one.witness.scenario
            else:
                del own["scenario"]
            files |= {f"{name}/{file}": text for file, text in one.witness.overlay.items()}
            paths = {what: (folder / path).as_posix() for what, path in own.items()}
            one = evolve(one, witness=evolve(one.witness, files=paths))
        found.append(one)
    write_folder(folder, files)
    return tuple(found)
