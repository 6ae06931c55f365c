"""The command `warlock`: reads the arguments, calls the command, gives an exit code.

0: all is well. 1: what was to be checked has failed. 2: the command cannot be carried out as it was given.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from importlib import metadata

from workbench.commands.bench import bench
from workbench.commands.check import check, list_rulesets
from workbench.commands.coverage import coverage
from workbench.commands.derive import derive
from workbench.commands.diff import diff
from workbench.commands.explore import explore
from workbench.commands.fmt import fmt
from workbench.commands.fuzz import fuzz
from workbench.commands.mutate import mutate
from workbench.commands.new import new
from workbench.commands.play import play, replay
from workbench.commands.show import show
from workbench.commands.sources import sources
from workbench.commands.test import test
from workbench.support.files import UsageError
from workbench.support.native import speed_up
from workbench.support.output import complain, put_json

INTERRUPTED = 130  # as a shell says it


def version() -> str:
    try:
        return metadata.version("warlock-rules")
    except metadata.PackageNotFoundError:
        return "not installed"


def _seed(text: str) -> int:
    if len(text) > 78 or not text.lstrip("-").isdecimal() or abs(int(text)) >= 1 << 256:
        raise argparse.ArgumentTypeError("a whole number of at most 77 digits")
    return int(text)


def _players(text: str) -> int:
    if not text.isdecimal() or len(text) > 3 or int(text) < 1:
        raise argparse.ArgumentTypeError("a whole number from 1")
    return int(text)


def _count(text: str) -> int:
    if not text.isdecimal() or len(text) > 9:
        raise argparse.ArgumentTypeError("a whole number")
    return int(text)


def _positive(text: str) -> int:
    if not text.isdecimal() or len(text) > 9 or int(text) < 1:
        raise argparse.ArgumentTypeError("a whole number from 1")
    return int(text)


def _seconds(text: str) -> float:
    if not text.replace(".", "", 1).isdecimal() or len(text) > 9 or float(text) <= 0:
        raise argparse.ArgumentTypeError("a number above 0")
    return float(text)


def _sim(arguments: argparse.Namespace) -> int:
    from workbench.commands.sim import sim  # what the lab needs is loaded only for the lab

    return sim(arguments)


def parser() -> argparse.ArgumentParser:
    """Every command and its arguments."""
    top = argparse.ArgumentParser(
        prog="warlock",
        description="Games as data: check, read, test and play rulesets.",
        epilog="Exit codes: 0 all is well, 1 what was checked has failed, 2 the command could not be carried out.",
    )
    top.add_argument("--version", action="version", version=f"warlock {version()}")
    top.add_argument("--rules", action="append", default=[], metavar="PATH", help="a folder of rulesets; repeatable")
    commands = top.add_subparsers(title="commands", metavar="COMMAND", required=True)

    def command(name: str, run: Callable[[argparse.Namespace], int], help: str) -> argparse.ArgumentParser:
        found = commands.add_parser(name, help=help, description=help)
        found.set_defaults(run=run)
        found.add_argument(
            "--rules", action="append", default=[], dest="more_rules", metavar="PATH", help="a folder of rulesets"
        )
        found.add_argument("--json", action="store_true", help="print one JSON object")
        return found

    command("list", list_rulesets, "list the rulesets that can be found, and the overlays on each")

    one = command("new", new, "write a commented starter: a whole small game, or a variant of one")
    one.add_argument("what", choices=["game", "variant"], metavar="game|variant", help="what to begin")
    one.add_argument("name", metavar="NAME", help="what it is called")
    one.add_argument("--of", default="", metavar="RULESET", help="of a variant: its game, or a stack")
    one.add_argument("--at", default=".", metavar="FOLDER", help="where its folder is made; a variant's in 'variants'")

    one = command("derive", derive, "write the smallest overlay that turns one ruleset into another")
    one.add_argument("a", metavar="A", help="the ruleset to begin with")
    one.add_argument("b", metavar="B", help="the ruleset it is to become")
    one.add_argument("--name", metavar="NAME", help="what the overlay is called")
    one.add_argument("--out", metavar="FOLDER", help="the folder of the overlay; printed without it")

    _diff_arguments(command("diff", diff, "tell what two rulesets of one game do differently, and show where"))

    one = command("check", check, "check a ruleset and tell every fault")
    one.add_argument("ruleset", metavar="RULESET", help="a name, or the path of a folder")
    one.add_argument("--notes", action="store_true", help="show notes, too")

    one = command("fmt", fmt, "lay out .warlock files in the one canonical way")
    one.add_argument("paths", nargs="+", metavar="PATH", help="files, or folders to search")
    one.add_argument("--check", action="store_true", help="write nothing; exit 1 if a file would change")
    one.add_argument("--diff", action="store_true", help="write nothing; show what would change")

    one = command("show", show, "show the definition in force under an address, and what it rests on")
    one.add_argument("ruleset", metavar="RULESET", help="a name, or the path of a folder")
    one.add_argument("id", nargs="?", metavar="ID", help="an address; without it all addresses are listed")
    one.add_argument("--generated", action="store_true", help="print the Python source the rules are run as")
    one.add_argument("--native", action="store_true", help="print the C that whole random games are played in")
    one.add_argument("--players", type=_players, metavar="N", help="with --generated or --native: how many play")
    one.add_argument("--laws", action="store_true", help="with --generated or --native: the invariants too")

    one = command("sources", sources, "tell which rules of the documents are carried out, and by what")
    one.add_argument("ruleset", metavar="RULESET", help="a name, or the path of a folder")

    one = command("bench", bench, "measure games, decisions and copies a second, and what loading costs")
    one.add_argument("ruleset", metavar="RULESET", help="a name, or the path of a folder")
    one.add_argument("--players", type=_players, metavar="N", help="how many play; else four, where a game takes four")
    one.add_argument("--seconds", type=float, default=5.0, metavar="S", help="how long games are played; 5 without it")

    one = command("test", test, "run the scenarios of a file, a folder or a ruleset")
    one.add_argument("path", metavar="PATH", help="a scenario file, a folder, or a ruleset")
    one.add_argument("--under", metavar="RULESET", help="run them under these rules, whatever they say themselves")

    _explore_arguments(command("explore", explore, "look at every state a small game can come to"))
    _mutate_arguments(command("mutate", mutate, "change the rules a little and tell which changes no test notices"))

    _fuzz_arguments(command("fuzz", fuzz, "play games that try to break the laws of a ruleset"))
    _coverage_arguments(command("coverage", coverage, "play many games and tell which rules came up, which never"))

    _play_arguments(command("play", play, "play a game at the terminal, or let bots play it"))

    _sim_arguments(command("sim", _sim, "let bots play many games, and tell what they show"))

    one = command("replay", replay, "play a replay or a save again and show its end")
    one.add_argument("file", metavar="FILE", help="a replay or a save")
    one.add_argument("--ruleset", metavar="RULESET", help="the ruleset, if it is not found by the name in the file")
    one.add_argument("--lang", metavar="LANGUAGE", help="of names and labels: en, fr ...; else that of the edition")
    one.add_argument("--moves", action="store_true", help="show every decision in words")
    one.add_argument("--under", metavar="RULESET", help="play the answers under these rules, as far as they go")
    return top


def _diff_arguments(one: argparse.ArgumentParser) -> None:
    one.add_argument("a", metavar="A", help="a ruleset")
    one.add_argument("b", metavar="B", help="another ruleset of the same game")
    one.add_argument("--seed", type=_seed, default=0, metavar="N", help="what the search begins with; 0 without it")
    one.add_argument("--games", type=_players, default=0, metavar="N", help="compare so many pairs of whole games")
    one.add_argument("--seats", metavar="S,S,...", help="who plays those games; random players without it")
    one.add_argument("--seconds", type=_players, default=0, metavar="N", help="begin no further games after so long")
    one.add_argument("--structure", action="store_true", help="compare what is written, and play nothing")
    one.add_argument("--out", metavar="FOLDER", help="write the replay, the scenario and the overlay of each position")
    one.add_argument("--html", metavar="FILE", help="write the report as a page, too")
    one.add_argument("--moves", action="store_true", help="tell the decisions that lead to each position")
    one.add_argument("--names", action="store_true", help="tell every text of the catalogues that differs")
    one.add_argument("--lang", metavar="LANGUAGE", help="of names and labels: fr, de ...; default en")
    one.add_argument("--jobs", type=_players, default=0, metavar="N", help="how many processes; one a core without it")


def _fuzz_arguments(one: argparse.ArgumentParser) -> None:
    one.add_argument("ruleset", metavar="RULESET", help="a name, or the path of a folder")
    one.add_argument("--games", type=_positive, metavar="N", help="stop after so many games")
    one.add_argument("--seconds", type=_seconds, metavar="N", help="stop after so many seconds; 60 without --games")
    one.add_argument("--seed", type=_seed, metavar="N", help="what the search begins with; 0 without it")
    one.add_argument("--players", type=_players, metavar="N", help="how many play; all the game allows without it")
    one.add_argument("--jobs", type=_count, default=0, metavar="N", help="processes at once; one a core without it")
    one.add_argument(
        "--max-decisions", type=_positive, default=3000, metavar="N", help="most decisions of a game (3000)"
    )
    one.add_argument("--first", action="store_true", help="stop at the first finding")
    one.add_argument("--out", metavar="FOLDER", help="keep findings and a checkpoint here; a later run goes on from it")


def _explore_arguments(one: argparse.ArgumentParser) -> None:
    one.add_argument("ruleset", metavar="RULESET", help="a name, or the path of a folder")
    one.add_argument("--players", type=_players, metavar="N", help="how many play; as few as may without it")
    one.add_argument("--chance", choices=["fixed", "rolls", "all"], default="all", help="what chance branches; all")
    one.add_argument("--seed", type=_seed, default=0, metavar="N", help="of what chance does not branch; 0")
    one.add_argument("--orders", type=_count, default=5040, metavar="N", help="orders of a shuffle, at most; 5040")
    one.add_argument("--max-states", type=_count, default=2_000_000, metavar="N", help="end at so many states; 2000000")
    one.add_argument("--memory", type=_count, default=1500, metavar="MB", help="end at so much memory; 1500")
    one.add_argument("--out", metavar="FOLDER", help="write the ways to what breaks as replays (--chance fixed)")
    one.add_argument("--jobs", type=_count, default=0, metavar="N", help="processes; one a core without it")
    one.add_argument("--checkpoint", metavar="FILE", help="keep what is done, and go on from there")


def _mutate_arguments(one: argparse.ArgumentParser) -> None:
    one.add_argument("ruleset", metavar="RULESET", help="a name, or the path of a folder")
    one.add_argument("--sample", type=_count, default=0, metavar="N", help="try so many mutants; all without it")
    one.add_argument("--only", default="", metavar="ID", help="the mutants of this id, address or file alone")
    one.add_argument("--games", type=_count, default=6, metavar="N", help="recorded games that must stay the same; 6")
    one.add_argument("--seed", type=_seed, default=0, metavar="N", help="of the sample and of the recorded games; 0")
    one.add_argument("--jobs", type=_count, default=0, metavar="N", help="processes; one a core without it")
    one.add_argument("--checkpoint", metavar="FILE", help="keep what is done, and go on from there")
    one.add_argument("--min-score", type=float, default=0.0, metavar="PERCENT", help="exit 1 if fewer are killed")


def _coverage_arguments(one: argparse.ArgumentParser) -> None:
    one.add_argument("ruleset", metavar="RULESET", help="a name, or the path of a folder")
    one.add_argument("--games", type=_count, default=200, metavar="N", help="how many games; 200")
    one.add_argument("--players", type=_players, metavar="N", help="how many play; every number in turn without it")
    one.add_argument("--guided", type=_count, default=75, metavar="PERCENT", help="games among wilful bots; 75")
    one.add_argument("--seed", type=_seed, default=0, metavar="N", help="of the first game; 0")
    one.add_argument(
        "--max-decisions", type=_count, default=5000, metavar="N", help="decisions until a game is given up; 5000"
    )
    one.add_argument("--rarest", type=_count, default=12, metavar="N", help="how many of the rarest to tell; 12")
    one.add_argument("--html", metavar="FILE", help="write a page of the rule files with counts in the margin")
    one.add_argument("--strict", action="store_true", help="exit 1 if a rule that could come up never did")
    one.add_argument("--jobs", type=_count, default=0, metavar="N", help="processes; one a core without it")
    one.add_argument("--checkpoint", metavar="FILE", help="keep what is done, and go on from there")


def _play_arguments(one: argparse.ArgumentParser) -> None:
    one.add_argument("ruleset", metavar="RULESET", help="a name, or the path of a folder")
    one.add_argument("--players", type=_players, metavar="N", help="how many play")
    one.add_argument(
        "--seats",
        metavar="S,S,...",
        help="who: human, random, first, greedy, montecarlo, mcts(iterations=50); a name may follow: first=Bo",
    )
    one.add_argument("--seed", type=_seed, metavar="N", help="what chance begins with; any number without it")
    one.add_argument("--lang", metavar="LANGUAGE", help="of names and labels: en, fr ...; else that of the edition")
    one.add_argument("--save", metavar="FILE", help="where the game is saved when it ends or is left")
    one.add_argument("--load", metavar="FILE", help="go on with a saved game")
    one.add_argument("--replay", metavar="FILE", help="write the answers here when the game ends or is left")
    one.add_argument("--quiet", action="store_true", help="say nothing but the outcome")


def _sim_arguments(one: argparse.ArgumentParser) -> None:
    one.add_argument("ruleset", metavar="RULESET", help="a name, or the path of a folder; with --query a file of games")
    one.add_argument("-n", "--games", type=_positive, default=200, metavar="N", help="how many games (200)")
    one.add_argument("--players", type=_players, metavar="N", help="how many play")
    one.add_argument(
        "--seats", metavar="S,S,...", help="the kinds of bots, one for all or one for each; they change seats (random)"
    )
    one.add_argument("--seed", type=_seed, default=0, metavar="N", help="the seed of the first game; 0 without it")
    one.add_argument("--jobs", type=_players, default=0, metavar="N", help="processes; one a core without it")
    one.add_argument("--cluster", metavar="ADDRESS", help="play on a running Dask scheduler, not on this machine")
    one.add_argument("--compare", metavar="B", help="play B on the same seeds and tell what changes")
    one.add_argument(
        "--sweep", action="append", metavar="O.P=1..4", help="run parameter P of overlay O through values; repeatable"
    )
    one.add_argument("--attribute", action="store_true", help="tell how much each overlay of the stack contributes")
    one.add_argument("--laws", action="store_true", help="test the invariants at every decision")
    one.add_argument(
        "--max-decisions", type=_positive, default=20_000, metavar="N", help="decisions after which a game is given up"
    )
    one.add_argument("--checkpoint", metavar="FILE", help="keep every finished game here, also when all is done")
    one.add_argument("--out", metavar="FILE", help="write the games as a Parquet file")
    one.add_argument("--query", metavar="SQL", help="ask a Parquet file of games; its tables are games and uses")
    one.add_argument("--html", metavar="FILE", help="write the report as one page with plots")


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command. Whatever a user does wrong ends in a sentence and an exit code, not in a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    try:
        arguments = parser().parse_args(argv)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 2
    speed_up()
    try:
        code: int = arguments.run(arguments)
        sys.stdout.flush()
        return code
    except UsageError as trouble:
        if arguments.json:
            put_json({"error": trouble.message})
        else:
            complain(f"warlock: {trouble.message}" if "\n" not in trouble.message else trouble.message)
        return trouble.code
    except KeyboardInterrupt:
        complain("")
        return INTERRUPTED
    except BrokenPipeError:
        # The reader has gone; what is still to be written must not raise again when Python closes the stream.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


if __name__ == "__main__":
    sys.exit(main())
