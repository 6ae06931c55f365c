"""`benchmarks/run`: plays, prints the tables, and writes them into the page that tells about them if asked to."""

from __future__ import annotations

import argparse
import os
import platform
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from benchmarks import release, table
from benchmarks.lane import Absent, Lane
from benchmarks.measure import Found, Rounds, run, strangers
from interpreter import BACKENDS

ROOT = Path(__file__).parents[1]
PEERS = ROOT / "benchmarks" / ".peers"
PAGE = ROOT / "docs" / "performance.md"
CLASSICS = ("tic-tac-toe", "connect-four")
BASE = "OpenSpiel C++, driven from Python"

PLAYERS = {"maldorf": range(3, 6), "goblin-warlord": range(2, 9), "warlock-1980": range(2, 7)}
DECKS = {24 * n: f"maldorf+deck(large={5 * n},middle={4 * n},small={3 * n},all={24 * n}):4" for n in range(1, 6)}
MAX_TOOL_ROUNDS = 3  # a command takes up to a minute
DAYS = {n: f"maldorf+days(count={n}):4" for n in (1, 2, 3, 6)}


def ours(way: str, backend: str) -> Lane:
    ways = {
        "whole": "whole games",
        "game": "decision by decision (Game)",
        "machine": "decision by decision (machine)",
    }
    title = f"**Warlock**, {backend}: {ways[way]}"
    return Lane(title, [sys.executable, "-m", "benchmarks.lanes.ours", way, backend])


def python_peer(title: str, module: str, way: str, like: str | None = None) -> Lane:
    python = PEERS / "python" / "bin" / "python"
    return Lane(title, [str(python), "-m", f"benchmarks.lanes.{module}", way], like=like)


def node_peer(title: str, way: str) -> Lane:
    script = str(ROOT / "benchmarks" / "lanes" / "boardgame.cjs")
    return Lane(title, ["node", script, way], {"NODE_ENV": "production", "PEERS_NODE": str(PEERS)})


def lanes_of_all() -> list[Lane]:
    """Everybody who plays, ours among them."""
    return [
        *(ours("whole", backend) for backend in BACKENDS),
        ours("game", BACKENDS[0]),
        ours("machine", BACKENDS[0]),
        python_peer(BASE, "spiel", "driven"),
        python_peer("OpenSpiel C++, rollouts inside C++", "spiel", "inside", like=BASE),
        python_peer("OpenSpiel, games in Python", "spiel", "python"),
        python_peer("PettingZoo, as its pages show it", "zoo", "shown"),
        python_peer("PettingZoo, without wrappers", "zoo", "bare"),
        node_peer("boardgame.io, client", "client"),
        node_peer("boardgame.io, reducer", "reducer"),
    ]


def played(lanes: Sequence[Lane], games: Sequence[str], rounds: int, seconds: float) -> Found:
    """All lanes started, run and stopped again."""
    with ExitStack() as stack:
        for lane in lanes:
            stack.callback(lane.stop)
            absent = lane.start(str(ROOT))
            if absent is not None:
                _tell(f"{lane.title}: {absent.why}")
        return run(lanes, games, rounds, seconds, _tell)


def side_by_side(rounds: int, seconds: float) -> str:
    lanes = lanes_of_all()
    found = played(lanes, CLASSICS, rounds, seconds)
    titles = [lane.title for lane in lanes]
    odd = [(title, game) for game in CLASSICS for title in strangers(found, game)]
    versions = sorted({lane.version for lane in lanes if lane.version})
    return "\n".join(
        [
            f"{machine()}. {rounds} rounds of {seconds} s for each, median (least to most). The base is {BASE}.\n",
            table.peers(found, titles, CLASSICS, BASE),
            "That all of them play the same game:\n",
            table.same_game(found, titles, CLASSICS, odd),
            ", ".join(versions) + ".",
        ]
    )


def over_sizes(rounds: int, seconds: float) -> str:
    lane = ours("whole", BACKENDS[0])
    tables = {
        "game and players": {f"{game}, {n}": f"{game}:{n}" for game, counts in PLAYERS.items() for n in counts},
        "maldorf at four, cards in the deck": {str(n): name for n, name in DECKS.items()},
        "maldorf at four, days": {str(n): name for n, name in DAYS.items()},
    }
    found = played([lane], [name for rows in tables.values() for name in rows.values()], rounds, seconds)
    parts = [f"{machine()}. {lane.title}; {rounds} rounds of {seconds} s for each line, median (least to most).\n"]
    for heading, rows in tables.items():
        named: list[tuple[str, Rounds | Absent]] = [(name, found[lane.title, game]) for name, game in rows.items()]
        groups = [[row for row in named if row[0].startswith(game)] for game in PLAYERS] if "," in named[0][0] else []
        parts += [table.growth(heading, group) for group in groups or [named]]
    return "\n".join(parts)


def machine() -> str:
    """What it ran on, and how busy that was: the load of the last quarter of an hour, of so many cores."""
    load = f", load {os.getloadavg()[2]:.1f} of {os.cpu_count()} cores" if hasattr(os, "getloadavg") else ""
    return f"{_processor()}, Python {platform.python_version()}{load}"


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def _tell(what: str) -> None:
    print(what, file=sys.stderr, flush=True)


def beside_release(rounds: int, seconds: float) -> str:
    shown = release.machines(rounds, seconds, played)
    return f"{machine()}. {rounds} rounds of {seconds} s for each, median (least to most).\n\n{shown}"


def tools_beside_release(rounds: int, seconds: float) -> str:
    rounds = min(rounds, MAX_TOOL_ROUNDS)
    shown = release.tools(rounds, _tell)
    return f"{machine()}. {rounds} runs of each command in one process, median (least to most).\n\n{shown}"


TABLES = {
    "release": beside_release,
    "tools": tools_beside_release,
    "peers": side_by_side,
    "growth": over_sizes,
}


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="benchmarks/run", description=__doc__)
    parser.add_argument("tables", nargs="*", metavar="TABLE", help=f"{' or '.join(TABLES)}; all without it")
    parser.add_argument("--rounds", type=int, default=7, help="turns that everybody has; 7 without it")
    parser.add_argument("--seconds", type=float, default=0.5, help="processor time of a turn; 0.5 without it")
    parser.add_argument("--write", action="store_true", help="write the tables into docs/performance.md, too")
    asked = parser.parse_args(arguments)
    if asked.rounds < 1 or not 0 < asked.seconds < 3600 or not set(asked.tables) <= set(TABLES):
        parser.error(f"at least one round, some seconds, and tables among {', '.join(TABLES)}")
    for name in asked.tables or TABLES:
        text = TABLES[name](asked.rounds, asked.seconds)
        print(text, flush=True)
        if asked.write:
            page = table.placed(PAGE.read_text(encoding="utf-8"), name, text)
            PAGE.write_text(page, encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
