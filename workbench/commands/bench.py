"""`warlock bench`: games, decisions and copies a second, what loading costs, and memory."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from rich.table import Table

from warlock_dsl.ruleset import Ruleset
from workbench.bench import Bench, Speed, measure
from workbench.support.files import UsageError
from workbench.support.output import console, put_json
from workbench.support.rulesets import playable, roots, sound_ruleset

MAX_LENGTH = 3600.0
MIDDLING = 4  # players, where a game takes so many


def bench(arguments: Namespace) -> int:
    """Measure a ruleset."""
    where = roots(arguments)
    if not 0 < arguments.seconds <= MAX_LENGTH:
        raise UsageError(f"--seconds: a number above 0, at most {MAX_LENGTH:g}")
    players = arguments.players

    def cold() -> Ruleset:
        nonlocal players
        ruleset = sound_ruleset(arguments.ruleset, where)[0]
        minimum, maximum = ruleset.components.min_players, ruleset.components.max_players
        players = players or max(minimum, min(maximum, MIDDLING))
        if not minimum <= players <= maximum:
            raise UsageError(f"{ruleset.name} is for {minimum} to {maximum} players, not {players}")
        return ruleset

    ruleset, found = measure(lambda: players, arguments.seconds, cold, lambda: playable(arguments.ruleset, where))
    if arguments.json:
        put_json(data(ruleset, found))
    else:
        tell(ruleset, found)
    return 0


def data(ruleset: Ruleset, found: Bench) -> dict[str, Any]:
    generated = found.speeds["generated"]
    return {
        "ruleset": ruleset.name,
        "hash": ruleset.hash,
        "players": found.players,
        "seconds": found.seconds,
        "backends": {name: speed_data(speed) for name, speed in found.speeds.items()},
        "ratio": round(generated.decisions / max(found.speeds["plain"].decisions, 1e-9), 2),
        "load_cold_s": round(generated.load_cold, 4),
        "load_cached_s": _rounded(generated.load_cached),
        "compile_c_s": _rounded(found.compiling),
        "decisions_per_game": round(found.decisions, 1),
        "state_bytes": found.state_bytes,
        "peak_memory_bytes": found.peak_bytes,
    }


def speed_data(speed: Speed) -> dict[str, Any]:
    return {
        "games_per_s": round(speed.games, 2),
        "decisions_per_s": round(speed.decisions, 1),
        "copies_per_s": round(speed.copies, 1),
        "load_cold_s": round(speed.load_cold, 4),
        "load_cached_s": _rounded(speed.load_cached),
        "plays_in_c": speed.plays_in_c,
    }


def _rounded(seconds: float | None) -> float | None:
    return None if seconds is None else round(seconds, 4)


def tell(ruleset: Ruleset, found: Bench) -> None:
    out = console()
    table = Table(title=f"{ruleset.name} ({ruleset.hash}), {found.players} players, random play", title_justify="left")
    for heading in ("backend", "games/s", "decisions/s", "copies/s", "load cold", "load cached"):
        table.add_column(heading, justify="left" if heading == "backend" else "right")
    for name, speed in found.speeds.items():
        cached = "no cache" if speed.load_cached is None else f"{speed.load_cached:.3f} s"
        numbers = (f"{speed.games:,.1f}", f"{speed.decisions:,.0f}", f"{speed.copies:,.0f}")
        table.add_row(name, *numbers, f"{speed.load_cold:.3f} s", cached)
    out.print(table)
    ratio = found.speeds["generated"].decisions / max(found.speeds["plain"].decisions, 1e-9)
    out.print(f"The generated backend is {ratio:.1f} times as fast. A game has {found.decisions:.0f} decisions.")
    if found.compiling is None:
        out.print("There is no C compiler here, or it is turned off: whole games are played without.")
    else:
        out.print(f"Whole games are played in C, compiled once in {found.compiling:.1f} s.")
    peak = f"; the process used {found.peak_bytes / 1e6:.0f} MB at most" if found.peak_bytes else ""
    out.print(f"A state in the middle of a game takes {found.state_bytes:,} bytes{peak}. Times are processor time.")
