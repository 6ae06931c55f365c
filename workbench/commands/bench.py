"""`warlock bench`: what plays a ruleset, and how fast: games, decisions and copies a second, loading, memory."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import Any

from rich.table import Table

from warlock_dsl import Ruleset
from workbench.bench import Bench, Speed, measure
from workbench.support.arguments import add_players, add_ruleset, add_seconds, output
from workbench.support.errors import UsageError
from workbench.support.output import console, put_json
from workbench.support.rulesets import fresh_ruleset, playable, roots

MAX_SECONDS = 3600.0
DEFAULT_PLAYERS = 4  # or the nearest number that a game allows
EXAMPLES = (
    ("warlock bench maldorf", "five seconds of random games"),
    ("warlock bench maldorf --players 3 --seconds 20", "longer, for steadier figures"),
    ("warlock bench tic-tac-toe --json", "as data"),
)


def add_arguments(parser: ArgumentParser) -> None:
    what = parser.add_argument_group("what to measure")
    add_ruleset(what)
    add_players(what, "4, or the nearest number the game allows")
    add_seconds(parser.add_argument_group("how long"), "play games for S seconds (default 5)", 5.0)
    output(parser)


def run(arguments: Namespace) -> int:
    """Measure a ruleset."""
    where = roots(arguments)
    if arguments.seconds > MAX_SECONDS:
        raise UsageError(f"--seconds: at most {MAX_SECONDS:g}")
    players = arguments.players

    def cold() -> Ruleset:
        nonlocal players
        ruleset = fresh_ruleset(arguments.ruleset, where)
        minimum, maximum = ruleset.components.min_players, ruleset.components.max_players
        players = players or max(minimum, min(maximum, DEFAULT_PLAYERS))
        if not minimum <= players <= maximum:
            raise UsageError(f"{ruleset.name} is for {minimum} to {maximum} players, not {players}")
        return ruleset

    ruleset, found = measure(lambda: players, arguments.seconds, cold, lambda: playable(arguments.ruleset, where))
    if arguments.json:
        put_json(data(ruleset, found))
    else:
        print_bench(ruleset, found)
    return 0


def data(ruleset: Ruleset, found: Bench) -> dict[str, Any]:
    first = found.speeds[found.runs]
    return {
        "ruleset": ruleset.name,
        "hash": ruleset.hash,
        "players": found.players,
        "seconds": found.seconds,
        "runs": found.runs,
        "why_plain": found.why,
        "backends": {name: speed_data(speed) for name, speed in found.speeds.items()},
        "ratio": round(times_plain(found), 2),
        "load_cold_s": round(first.load_cold, 4),
        "load_cached_s": _rounded(first.load_cached),
        "decisions_per_game": round(found.decisions, 1),
        "state_bytes": found.state_bytes,
        "peak_memory_bytes": found.peak_bytes,
    }


def times_plain(found: Bench) -> float:
    return found.speeds[found.runs].decisions / max(found.speeds["plain"].decisions, 1e-9)


def speed_data(speed: Speed) -> dict[str, Any]:
    return {
        "games_per_s": round(speed.games, 2),
        "decisions_per_s": round(speed.decisions, 1),
        "decisions_one_by_one_per_s": round(speed.steps, 1),
        "copies_per_s": round(speed.copies, 1),
        "compile_s": round(speed.compiling, 6),
        "load_cold_s": round(speed.load_cold, 4),
        "load_cached_s": _rounded(speed.load_cached),
    }


def _rounded(seconds: float | None) -> float | None:
    return None if seconds is None else round(seconds, 4)


def print_bench(ruleset: Ruleset, found: Bench) -> None:
    out = console()
    table = Table(title=f"{ruleset.name} ({ruleset.hash}), {found.players} players, random play", title_justify="left")
    headings = ("machine", "games/s", "decisions/s", "one by one/s", "copies/s", "compile", "load cold", "load cached")
    for heading in headings:
        table.add_column(heading, justify="left" if heading == "machine" else "right")
    for name, speed in found.speeds.items():
        cached = "no cache" if speed.load_cached is None else f"{speed.load_cached:.3f} s"
        numbers = (f"{speed.games:,.1f}", *(f"{one:,.0f}" for one in (speed.decisions, speed.steps, speed.copies)))
        table.add_row(name, *numbers, f"{1000 * speed.compiling:.1f} ms", f"{speed.load_cold:.3f} s", cached)
    out.print(table)
    if found.why:
        out.print(f"The plain machine plays, because {found.why}.")
    else:
        out.print(f"The C machine plays, {times_plain(found):,.0f} times as fast as the plain one.")
    peak = f"; the process used {found.peak_bytes / 1e6:.0f} MB at most" if found.peak_bytes else ""
    size = f"a state in the middle of one takes {found.state_bytes:,} bytes"
    out.print(f"A game has {found.decisions:.0f} decisions; {size}{peak}.")
    out.print("Whole games are played by one call, decisions one by one from Python. Times are processor time.")
