"""`warlock sim`: many games among bots, on all cores or many machines, and statistics of what happens in them."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from warlock_dsl import Loaded, Ruleset
from workbench import __version__
from workbench.language.sentences import Words
from workbench.players.registry import spec, split_seats
from workbench.sim.report import write_report
from workbench.sim.runs import Branch, Plan, Played, carry_out, read_batch
from workbench.sim.study import Study, study
from workbench.sim.sweeps import Steps, steps_of, sweep_from, swept
from workbench.support import arguments as shared
from workbench.support.cache import kept_in
from workbench.support.checkpoint import Checkpoint
from workbench.support.errors import UsageError
from workbench.support.output import complain, console, put_json
from workbench.support.progress import progress, stopped_after
from workbench.support.ruleset_source import source_of
from workbench.support.rulesets import load_named, playable, roots
from workbench.support.which_machine import speed_up
from workbench.support.workers import WorkerPool, worker_pool

DEFAULT_PLAYERS = 4
EXAMPLES = (
    ("warlock sim maldorf", "200 games among random bots"),
    ("warlock sim maldorf --games 1000 --seats greedy", "stronger play"),
    ("warlock sim maldorf --compare maldorf+truce", "what an overlay changes, on the same seeds"),
    ("warlock sim maldorf --sweep hand_size.cards=3..6", "a parameter of an overlay, through its values"),
)


def add_arguments(parser: ArgumentParser) -> None:
    what = parser.add_argument_group("what to play")
    shared.add_ruleset(what, about=f"{shared.RULESET}; with --query, a file of games")
    shared.add_players(what, "4, or the nearest number the game allows")
    shared.add_seats(what, "the kinds of bots, one for all or one for each; they change seats (default random)")
    shared.add_seed(what, "the seed of the first game")
    what.add_argument("--laws", action="store_true", help="test the invariants at every decision")
    compare = parser.add_argument_group("what to compare (one of these)")
    shared.add_ruleset(compare, "--compare", "play B on the same seeds and show what changes", "B")
    compare.add_argument(
        "--sweep", action="append", metavar="O.P=1..4", help="run parameter P of overlay O through values; repeatable"
    )
    compare.add_argument("--attribute", action="store_true", help="show how much each overlay of the stack contributes")
    long = parser.add_argument_group("how long")
    shared.add_games(long, "how many games of each ruleset", 200, "-n")
    shared.add_max_decisions(long, 20_000)
    shared.add_jobs(long)
    long.add_argument("--cluster", metavar="ADDRESS", help="play on a running Dask scheduler, not on this machine")
    shared.add_checkpoint(long)
    out = shared.output(parser)
    shared.add_file(out, "--html", "write the report as a page with plots")
    shared.add_file(out, "--parquet", "write the games as a Parquet file")
    out.add_argument("--query", metavar="SQL", help="ask a Parquet file of games; its tables are games and uses")


def run(arguments: Namespace) -> int:
    """Play, count, report."""
    speed_up()
    if arguments.query is not None:
        return _query(arguments)
    plan, kind, steps = _plan(arguments)
    _writable(arguments)
    found = _carried_out(plan, kind, steps, arguments)
    if arguments.json:
        put_json(found.data())
    else:
        write_report(console(), found, _names(plan.branches[-1].source.ruleset()))
    broken = sum(one.broken for one in found.findings)
    return 1 if broken or found.broken_shares else 0


# ----------------------------------------------------------------------- plan


def _plan(arguments: Namespace) -> tuple[Plan, str, Steps | None]:
    """What is to be played, whether it is plain, compare, sweep or attribute, and how shares are found."""
    where = roots(arguments)
    chosen = [word for word in ("compare", "sweep", "attribute") if getattr(arguments, word)]
    if len(chosen) > 1:
        raise UsageError(f"--{chosen[0]} and --{chosen[1]} ask for different things; give one of them")
    kind = chosen[0] if chosen else "plain"
    steps = None
    names = [arguments.ruleset]
    if kind == "compare":
        names.append(arguments.compare)
    elif kind == "sweep":
        names = [name for _, name in swept(arguments.ruleset, [sweep_from(text) for text in arguments.sweep])]
    elif kind == "attribute":

        def load(name: str) -> Loaded | None:
            found = load_named(name, where)
            return found if found.ruleset is not None else None

        steps = steps_of(arguments.ruleset, load)
        names = list(steps.rulesets)
    rulesets = [playable(name, where) for name in names]
    kinds = _kinds(rulesets[0], arguments)
    for ruleset in rulesets:
        _fits(ruleset, len(kinds))
    branches = tuple(Branch(ruleset.name, source_of(ruleset)) for ruleset in rulesets)
    if len({ruleset.hash for ruleset in rulesets}) < len(rulesets):
        raise UsageError("the rulesets to compare are the same")
    plan = Plan(branches, kinds, arguments.seed, arguments.games, arguments.laws, arguments.max_decisions)
    return plan, kind, steps


def _kinds(ruleset: Ruleset, arguments: Namespace) -> tuple[str, ...]:
    """Who plays: one kind for all seats, or one for each."""
    minimum, maximum = ruleset.components.min_players, ruleset.components.max_players
    seats = [spec(word) for word in split_seats(arguments.seats or "random")]
    if any(seat.name for seat in seats):
        raise UsageError("bots in a simulation have no names: they change seats from game to game")
    many = len(seats) if len(seats) > 1 else max(minimum, min(maximum, DEFAULT_PLAYERS))
    players = arguments.players or many
    if len(seats) == 1:
        seats *= players
    if len(seats) != players:
        raise UsageError(f"--seats names {len(seats)} of {players} players; name all of them, or one kind for all")
    return tuple(seat.bot for seat in seats)


def _fits(ruleset: Ruleset, players: int) -> None:
    minimum, maximum = ruleset.components.min_players, ruleset.components.max_players
    if not minimum <= players <= maximum:
        raise UsageError(f"{ruleset.name} is for {minimum} to {maximum} players, not {players}")


def _writable(arguments: Namespace) -> None:
    """Find out before an hour of playing that a file cannot be written or a library is not there."""
    for name in (arguments.parquet, arguments.html, arguments.checkpoint):
        if name and not Path(name).absolute().parent.is_dir():
            raise UsageError(f"there is no folder {Path(name).parent} for {name}")
    if arguments.parquet:
        from workbench.sim.parquet import database

        database()


def _names(ruleset: Ruleset) -> Callable[[str], str]:
    words = Words(ruleset, ruleset.language or "en")
    pieces = {piece for kind in ruleset.components.kinds.values() for piece in kind.pieces}
    return lambda key: words.piece(key) if key in pieces and words.piece(key) != key else ""


# ------------------------------------------------------------------------ run


def _carried_out(plan: Plan, kind: str, steps: Steps | None, arguments: Namespace) -> Study:
    """Play what the checkpoint does not have yet; a checkpoint that nobody asked for goes when all is done."""
    heading = plan.heading(__version__)
    path = Path(arguments.checkpoint) if arguments.checkpoint else kept_in("sim", heading)
    with Checkpoint(path, heading, partial(read_batch, plan)) as book:
        if book.done and not arguments.json:
            complain(f"going on with the run kept in {path}")
        played = _played(plan, book, arguments)
    found = study(plan, played, kind, steps)
    _write(plan, played, found, arguments)
    if not arguments.checkpoint:
        path.unlink(missing_ok=True)
    return found


def _played(plan: Plan, book: Checkpoint, arguments: Namespace) -> Played:
    total = plan.games * len(plan.branches)
    done = 0
    with (
        stopped_after(lambda: f"{done} of {total} games", kept=True),
        progress("games", total) as advance,
        _workers(arguments) as workers,
    ):

        def count(more: int, word: str, of: int = 0, /) -> None:
            nonlocal done
            done += more
            advance(more, word)

        return carry_out(plan, workers, book, count)


@contextmanager
def _workers(arguments: Namespace) -> Iterator[WorkerPool]:
    if arguments.cluster:
        from workbench.support.cluster import cluster

        with cluster(arguments.cluster) as workers:
            yield workers
    else:
        with worker_pool(arguments.jobs) as workers:
            yield workers


def _write(plan: Plan, played: Played, found: Study, arguments: Namespace) -> None:
    if arguments.parquet:
        from workbench.sim.parquet import write_games

        write_games(Path(arguments.parquet), plan, played)
    if arguments.html:
        from workbench.pages.page import write_page
        from workbench.sim.page import sim_page

        write_page(Path(arguments.html), sim_page(found, _names(plan.branches[-1].source.ruleset())))


def _query(arguments: Namespace) -> int:
    from workbench.sim.parquet import answer, show_answer

    columns, rows = answer(Path(arguments.ruleset), arguments.query)
    if arguments.json:
        put_json({"columns": columns, "rows": rows})
    else:
        show_answer(console(), columns, rows)
    return 0
