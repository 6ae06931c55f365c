"""`warlock diff`: what two rulesets of one game do differently, where it shows in play, and what it comes to."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from attrs import evolve

from warlock_dsl.ruleset import Loaded, Ruleset
from workbench.diff.effect import measure_effect
from workbench.diff.model import Difference, DiffReport, Effect
from workbench.diff.page import diff_page
from workbench.diff.report import tell_report
from workbench.diff.run import Plan, compare, overlay_name
from workbench.language.sentences import language_for
from workbench.players.registry import bot_of, split_seats
from workbench.support.files import UsageError, write_folder
from workbench.support.output import console, put_json
from workbench.support.progress import progress
from workbench.support.ruleset_source import source_of
from workbench.support.rulesets import roots, sound_ruleset
from workbench.support.workers import WorkerPool, worker_pool

DEFAULT_PLAYERS = 4


def diff(arguments: Namespace) -> int:
    """The report; 0 whether or not there is a difference: to tell is all that was asked for."""
    where = roots(arguments)
    old, a = sound_ruleset(arguments.a, where)
    new, b = sound_ruleset(arguments.b, where)
    lang = language_for(new, arguments.lang)
    kinds = _seats(arguments.seats, old) if arguments.games else []
    if arguments.out:
        _empty(Path(arguments.out))
    with worker_pool(arguments.jobs) as workers:
        with progress("searching", None) as advance:
            plan = Plan(arguments.seed, lang, not arguments.structure, arguments.seconds)
            report = compare(a, b, workers, plan, advance)
        if arguments.games and report.differences:
            report = evolve(report, effect=_effect(workers, a, b, kinds, arguments))
    if arguments.out:
        report = evolve(report, differences=_written(report.differences, Path(arguments.out)))
    if arguments.html:
        _write(Path(arguments.html), diff_page(report, old, new, lang))
    if arguments.json:
        put_json(report.data())
    else:
        _tell(report, arguments)
    return 0


def _tell(report: DiffReport, arguments: Namespace) -> None:
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
        bot_of(kind, 0)  # an unknown one is told before anything is searched
    return kinds


# ------------------------------------------------------------------------- files


def _empty(folder: Path) -> None:
    """A search takes a while: whether its results can be kept is looked at before."""
    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise UsageError(f"{folder} is there already; it is left alone")
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise UsageError(f"{folder} cannot be written: {_why(error)}") from None


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


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8", newline="\n")
    except (OSError, ValueError) as error:
        raise UsageError(f"{path} cannot be written: {_why(error)}") from None


def _why(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or "the system refuses"
