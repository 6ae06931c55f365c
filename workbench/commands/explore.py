"""`warlock explore`: looks at every state that a small game can reach, and tests every law in each."""

from __future__ import annotations

import tempfile
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbench.support import arguments as shared
from workbench.support.errors import UsageError
from workbench.support.files import write_game
from workbench.support.output import put_json, say
from workbench.support.rulesets import playable, roots
from workbench.support.run_file import written

if TYPE_CHECKING:
    from workbench.explore.search import Explorer, Finding
    from workbench.explore.walker import Search


EXIT_CODES = "Exit codes: 0 every state was looked at and no law broke; 1 a law broke; 2 stopped at a bound."
EXAMPLES = (
    ("warlock explore tic-tac-toe", "every state of a small game"),
    ("warlock explore maldorf+tiny --chance fixed --seed 3", "every answer, one order of the cards"),
    ("warlock explore maldorf+tiny --max-states 100000", "at most 100000 states"),
)


def add_arguments(parser: ArgumentParser) -> None:
    what = parser.add_argument_group("what to explore")
    shared.add_ruleset(what)
    shared.add_players(what, "as few as the game allows")
    what.add_argument(
        "--chance", choices=["fixed", "rolls", "all"], default="all", help="which chance events branch (default all)"
    )
    shared.add_seed(what, "the seed of what chance does not branch")
    what.add_argument(
        "--orders", type=shared.count, default=5040, metavar="N", help="at most N orders of a shuffle (default 5040)"
    )
    long = parser.add_argument_group("how long")
    long.add_argument(
        "--max-states", type=shared.count, default=2_000_000, metavar="N", help="at most N states (default 2000000)"
    )
    long.add_argument(
        "--max-memory", type=shared.count, default=1500, metavar="MB", help="at most MB megabytes (default 1500)"
    )
    shared.add_jobs(long)
    shared.add_checkpoint(long)
    out = shared.output(parser)
    shared.add_folder(out, "--out", "write the shortest way to each broken law as a replay (with --chance fixed)")


def run(arguments: Namespace) -> int:
    """Search; 0 where every state was looked at and no law broke, 1 where one broke, 2 where it met a bound."""
    from workbench.explore.search import Explorer
    from workbench.explore.store import StateStore
    from workbench.explore.walker import Search
    from workbench.support.progress import stopped_after
    from workbench.support.ruleset_source import source_of
    from workbench.support.which_machine import speed_up
    from workbench.support.workers import worker_pool

    if arguments.out and arguments.chance != "fixed":
        raise UsageError("--out writes replays, and a replay follows its seed: give --chance fixed, too")
    speed_up()
    ruleset = playable(arguments.ruleset, roots(arguments))
    minimum, maximum = ruleset.components.min_players, ruleset.components.max_players
    players = arguments.players or minimum
    if not minimum <= players <= maximum:
        raise UsageError(f"{ruleset.name} is for {minimum} to {maximum} players, not {players}")
    search = Search(source_of(ruleset), players, arguments.seed, arguments.chance, arguments.orders)
    heading = {"explore": ruleset.name, "hash": ruleset.hash, "players": players, "seed": arguments.seed}
    heading |= {"chance": arguments.chance, "orders": arguments.orders, "states": search.machine().kind}

    def found(finding: Finding) -> None:
        if not arguments.json:
            print_finding(search, finding)

    with tempfile.TemporaryDirectory() as folder:
        path = Path(arguments.checkpoint) if arguments.checkpoint else Path(folder) / "store"
        with StateStore(path, heading, bool(arguments.checkpoint)) as store:
            explorer = Explorer(search, store, arguments.max_states, arguments.max_memory, found)
            with stopped_after(explorer.so_far, bool(arguments.checkpoint)), worker_pool(arguments.jobs) as workers:
                explorer.run(workers)
    if arguments.out:
        write_findings(Path(arguments.out), search, explorer)
    if arguments.json:
        put_json(report(search, explorer))
    else:
        print_end(ruleset.name, explorer)
    at = explorer.at
    return 1 if at.findings else 0 if at.done else 2


def report(search: Search, explorer: Explorer) -> dict[str, Any]:
    from workbench.explore.search import used_memory
    from workbench.explore.walker import spelled

    at = explorer.at
    return {
        "ruleset": search.source.ruleset().name,
        "hash": search.source.ruleset().hash,
        "players": search.players,
        "chance": search.chance,
        "seed": search.seed,
        "complete": at.done,
        "bound": at.bound,
        "states": at.states,
        "looked_at": at.looked,
        "waiting": at.states - at.looked,
        "ends": at.ends,
        "transitions": at.transitions,
        "depth": len(at.depths) - 1,
        "by_depth": at.depths,
        "memory_mb": used_memory(),
        "findings": [
            {**one.data(), "times": explorer.told[one.error], "way": spelled(search, one.ways)} for one in at.findings
        ],
    }


def print_finding(search: Search, finding: Finding) -> None:
    """A law that breaks, with the shortest way to it."""
    from workbench.explore.walker import spelled

    say(f"broken after {finding.depth} decisions: {finding.error}", "bold red")
    for step in spelled(search, finding.ways):
        chance = f"  chance: {step['chance']}" if "chance" in step else ""
        if "answer" in step:
            forced = "  (nothing else was possible)" if step["forced"] else ""
            say(f"  seat {step['player'] + 1}, {step['question']}: {step['answer']}{forced}{chance}")
        elif chance:
            say(f"  set-up{chance}")


def print_end(name: str, explorer: Explorer) -> None:
    at = explorer.at
    depth = len(at.depths) - 1
    what = f"{at.states:,} states, {at.ends:,} of them ends, {at.transitions:,} steps, depth {depth}"
    if at.done:
        say(f"{name}: every state was looked at: {what}; {len(at.findings)} laws break")
    else:
        left = at.states - at.looked
        say(f"{name}: stopped at the bound of {at.bound}: {what}; {left:,} states were not looked at")
        say(f"  complete to a depth of {max(depth - 1, 0)}; with --checkpoint, a higher bound goes on from there")


def write_findings(folder: Path, search: Search, explorer: Explorer) -> None:
    """The shortest way to each finding as a replay that ends just before it, where the seed alone decides chance."""
    from interpreter import Game
    from workbench.explore.walker import spelled

    with written(folder):
        folder.mkdir(parents=True, exist_ok=True)
    for number, finding in enumerate(explorer.at.findings, 1):
        game = Game.start(search.source.ruleset(), search.players, search.seed, laws=False)
        steps = [step for step in spelled(search, finding.ways) if "answer" in step and not step["forced"]]
        for step in steps[:-1]:
            game.answer(step["answer"])
        write_game(folder / f"finding-{number}.json", game.replay())
