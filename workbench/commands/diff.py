"""`warlock diff`: what rulesets of one game do differently, where it shows in play, and how much it matters."""

from __future__ import annotations

import json
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from contextlib import nullcontext
from functools import partial
from pathlib import Path

from attrs import evolve

from warlock_dsl import Loaded, Ruleset
from workbench.diff.effect import measure_effect
from workbench.diff.kept import Kept, heading, read_kept
from workbench.diff.model import Difference, DiffReport, Effect, Witness
from workbench.diff.page import diff_page
from workbench.diff.report import KINDS, tell_play, tell_structure
from workbench.diff.run import Comparison, Plan, overlay_name
from workbench.language.sentences import language_for
from workbench.pages.page import write_page
from workbench.players.registry import bot_of, split_seats
from workbench.support import arguments as shared
from workbench.support.checkpoint import Checkpoint
from workbench.support.errors import UsageError
from workbench.support.files import why, write_folder
from workbench.support.output import console, put_json
from workbench.support.progress import progress, stopped_after
from workbench.support.ruleset_source import source_of
from workbench.support.rulesets import roots, sound_ruleset
from workbench.support.which_machine import speed_up
from workbench.support.workers import WorkerPool, worker_pool

DEFAULT_PLAYERS = 4


EXAMPLES = (
    ("warlock diff maldorf+en maldorf+fr", "two editions of a game"),
    ("warlock diff maldorf+en maldorf+fr maldorf+de --html diff.html", "three editions on one page, with boards"),
    ("warlock diff maldorf+en maldorf+de --kind mechanical,visibility", "only what changes play or sight"),
    ("warlock diff maldorf maldorf+truce --games 200", "how scores and lengths change, too"),
)


def add_arguments(parser: ArgumentParser) -> None:
    what = parser.add_argument_group("what to compare")
    shared.add_ruleset(what, "a", "a ruleset", "A")
    shared.add_ruleset(what, "b", "another ruleset of the same game", "B")
    shared.add_rulesets(what, "more", "further rulesets, each compared with the first", "C")
    what.add_argument("--structure", action="store_true", help="compare what is written, and play nothing")
    what.add_argument("--kind", metavar="KIND,...", help=f"only differences of these kinds: {', '.join(KINDS)}")
    search = parser.add_argument_group("the search, and the games to compare")
    shared.add_seed(search, "the seed the search begins with")
    shared.add_games(search, "play N pairs of whole games and compare them (default none)")
    shared.add_seats(search, "who plays those games, as in `warlock play` (default random bots)")
    shared.add_seconds(search, "end after about S seconds with what was found by then (default no bound)")
    shared.add_checkpoint(search)
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
    began = time.monotonic()
    where = roots(arguments)
    found = [sound_ruleset(name, where) for name in (arguments.a, arguments.b, *arguments.more)]
    rulesets, loaded = [ruleset for ruleset, _ in found], [one for _, one in found]
    plan = Plan(
        arguments.seed,
        language_for(rulesets[-1], arguments.lang),
        not arguments.structure,
        arguments.seconds or 0.0,
        _kinds(arguments.kind),
    )
    kinds = _seats(arguments.seats, rulesets[0]) if arguments.games else []
    if arguments.out:
        _empty(Path(arguments.out))
    comparison = Comparison(loaded, plan, began)
    report = comparison.report()
    if not arguments.json:
        tell_structure(console(), report, arguments.names, bool(plan.kinds))
    if plan.play:
        report = _played(comparison, rulesets, kinds, arguments)
    if arguments.out:
        report = evolve(report, differences=_written(report.differences, Path(arguments.out)))
    if arguments.html:
        write_page(Path(arguments.html), diff_page(report))
    if arguments.json:
        put_json(report.data())
    else:
        _print_play(report, arguments)
    return 0


def _kinds(wanted: str | None) -> tuple[str, ...]:
    kinds = tuple(kind.strip() for kind in (wanted or "").split(",") if kind.strip())
    for kind in kinds:
        if kind not in KINDS:
            raise UsageError(f"--kind: there is no kind '{kind}'; there are {', '.join(KINDS)}")
    return kinds


def _played(
    comparison: Comparison, rulesets: Sequence[Ruleset], kinds: Sequence[str], arguments: Namespace
) -> DiffReport:
    """The report with what playing shows: positions, and what the differences of the first and the last come to."""
    parts = rulesets[0].components
    read = partial(read_kept, range(parts.min_players, parts.max_players + 1))
    path, named = arguments.checkpoint, heading(rulesets, arguments.seed)
    book = Checkpoint(Path(path), named, read) if path else nullcontext()
    state = "no position"

    def so_far() -> str:
        return state

    with stopped_after(so_far, bool(path)), worker_pool(arguments.jobs) as workers, book as checkpoint:
        with progress("positions", seconds=arguments.seconds or 0.0) as advance:

            def note(more: int, word: str, total: int = 0, /) -> None:
                nonlocal state
                state = word or state
                advance(more, word, total)

            report = comparison.play(workers, Kept(checkpoint), note)
        if arguments.games and report.differences:
            ends = comparison.rulesets[0], comparison.rulesets[-1]
            report = evolve(report, effect=_effect(workers, *ends, kinds, comparison, arguments))
    return report


def _print_play(report: DiffReport, arguments: Namespace) -> None:
    out = console()
    tell_play(out, report, arguments.moves)
    if arguments.html:
        out.print(f"written: {arguments.html}", soft_wrap=True)


def _effect(
    workers: WorkerPool, a: Loaded, b: Loaded, kinds: Sequence[str], comparison: Comparison, arguments: Namespace
) -> Effect:
    until, lang = comparison.until, comparison.plan.lang
    with progress("games", arguments.games) as advance:
        sources = source_of(a), source_of(b)
        return measure_effect(workers, *sources, kinds, arguments.games, arguments.seed, advance, until, lang)


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
    files: dict[str, str] = {}
    found = []
    for one in differences:
        several = sum(reading.witness is not None for reading in one.readings) > 1
        readings = []
        for number, reading in enumerate(one.readings, 1):
            if reading.witness is not None:
                name = overlay_name(one.id) + (f"_{number}" if several else "")
                reading = evolve(reading, witness=_one_written(reading.witness, name, folder, files))
            readings.append(reading)
        found.append(evolve(one, readings=tuple(readings)))
    write_folder(folder, files)
    return tuple(found)


def _one_written(witness: Witness, name: str, folder: Path, files: dict[str, str]) -> Witness:
    """The witness with the names of its files, whose texts are put to `files`."""
    own = {"replay": f"{name}.replay.json"}
    files[own["replay"]] = json.dumps(witness.replay, indent=1, ensure_ascii=False) + "\n"
    if witness.scenario:
        own["scenario"] = f"{name}.scenario.toml"
        files[own["scenario"]] = witness.scenario
    own["overlay"] = name
    if witness.table is not None:
        own["table"] = f"{name}.table.toml"
        files[own["table"]] = witness.table.scenario
    files |= {f"{name}/{file}": text for file, text in witness.overlay.items()}
    return evolve(witness, files={what: (folder / path).as_posix() for what, path in own.items()})
