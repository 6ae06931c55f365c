"""How fast 0.3.0 is in the same run: its tree is taken from the history and plays beside today's.

Both play the rules as they were then, which today's loader reads: so they play the same games, and a ratio is one of
machines. A checkout without its history has no such lane, and says so.
"""

from __future__ import annotations

import io
import json
import os
import resource
import subprocess
import sys
import tarfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any

from attrs import frozen

from benchmarks.lane import Absent, Lane
from benchmarks.measure import Found, Rounds, decisions_per_s, rate, ratio, strangers
from benchmarks.table import NOTHING, markdown, short, span
from interpreter import BACKENDS

ROOT = Path(__file__).parents[1]
COMMIT = "de3fa10"
TREE = ROOT / "benchmarks" / ".release" / COMMIT
COMMAND = "import sys; from workbench.cli import main; sys.exit(main(sys.argv[1:]))"


def tree() -> Path | Absent:
    """The files of 0.3.0, taken from the history once."""
    if not TREE.is_dir():
        done = subprocess.run(["git", "archive", COMMIT], cwd=ROOT, capture_output=True)
        if done.returncode:
            return Absent(f"the history of this checkout does not have commit {COMMIT}")
        unfinished = TREE.with_name(f"{COMMIT}.{os.getpid()}")
        with tarfile.open(fileobj=io.BytesIO(done.stdout)) as archive:
            archive.extractall(unfinished, filter="data")
        # A folder without this file is hidden by a package of the same name that is installed.
        (unfinished / "warlock_dsl" / "__init__.py").touch()
        unfinished.rename(TREE)
    return TREE


def environment(folder: Path) -> dict[str, str]:
    """That of a process which runs the code of a folder, with a cache of its own."""
    return {"PYTHONPATH": str(folder), "XDG_CACHE_HOME": str(TREE.parent / "cache" / folder.name)}


# ---------------------------------------------------------------------- machines

GAMES = ("maldorf:4", "goblin-warlord:4", "warlock-1980:4", "connect-four", "tic-tac-toe")
WAYS = (
    ("whole", "whole random games, laws off", "C for the ruleset"),
    ("machine", "decision by decision through the machine", "generated Python"),
    ("game", "decision by decision through `Game`", "generated Python"),
)
WORKS = (
    ("copy", "copying a state"),
    ("branch", "copying, answering, going on to the next question"),
    ("compile", "from a checked ruleset to a machine"),
)


def lane(way: str, old: Path, now: bool) -> Lane:
    """One of the two: both read the rules of 0.3.0."""
    folder = ROOT if now else old
    command = [sys.executable, "-m", "benchmarks.lanes.ours", way, BACKENDS[0] if now else "generated"]
    own = [str(old / "rules")] if now else []
    return Lane(f"{'today' if now else '0.3.0'}: {way}", [*command, *own], environment(folder), folder=str(folder))


def machines(rounds: int, seconds: float, play: Callable[[Sequence[Lane], Sequence[str], int, float], Found]) -> str:
    """The tables of the machines, then and now; what has a bound of its own is in microseconds."""
    old = tree()
    if isinstance(old, Absent):
        return f"Nothing to compare with: {old.why}.\n"
    parts = []
    for way, title, base in WAYS:
        pair = [lane(way, old, now) for now in (False, True)]
        found = play(pair, GAMES, rounds, seconds)
        rows = []
        for game in GAMES:
            then, now = (found[one.title, game] for one in pair)
            if isinstance(then, Absent) or isinstance(now, Absent):
                why = [one.why for one in (then, now) if isinstance(one, Absent)]
                rows.append([game.replace(":", ", "), f"absent ({why[0]})", *[NOTHING] * 3])
                continue
            odd = "**another game?**" if strangers(found, game) else "same shares of wins"
            figures = [span(decisions_per_s(rounds)) for rounds in (then, now)]
            rows.append([game.replace(":", ", "), *figures, short(ratio(now, then)), odd])
        head = [f"{title}: decisions/s", f"0.3.0 ({base})", "today", "times", "who wins"]
        parts.append(markdown(head, rows))
    own = [lane(way, old, True) for way, _ in WORKS]
    found = play(own, GAMES, rounds, seconds)
    rows = [
        [title, *(microseconds(found[one.title, game]) for game in GAMES)]
        for one, (_, title) in zip(own, WORKS, strict=True)
    ]
    parts.append(markdown(["µs each", *(game.replace(":", ", ") for game in GAMES)], rows))
    return "\n".join(parts)


def microseconds(rounds: Rounds | Absent) -> str:
    return f"absent ({rounds.why})" if isinstance(rounds, Absent) else short(1e6 / decisions_per_s(rounds).middle)


# ------------------------------------------------------------------------- tools


@frozen
class Tool:
    """A command whose work is counted: its arguments, those for more work where it is faster, and what is counted."""

    title: str
    unit: str
    then: Sequence[str]
    now: Sequence[str]
    count: Callable[[Mapping[str, Any]], float]


COMMON = ("--jobs", "1", "--json")


def _at(key: str) -> Callable[[Mapping[str, Any]], float]:
    return lambda found: float(found[key])


def _sim(title: str, games: tuple[int, int], *arguments: str, cap: int = 0) -> Tool:
    """`sim`; with a cap every game is given up after so many decisions, since one would take minutes."""
    common = ("sim", "maldorf", "--players", "4", *arguments, *COMMON)
    caps = (("--cap", str(cap)), ("--max-decisions", str(cap))) if cap else ((), ())
    then, now = ((*common, *part, "--games", str(count)) for part, count in zip(caps, games, strict=True))

    def decisions(found: Mapping[str, Any]) -> float:
        (part,) = found["findings"]
        return float(part["finished"] * part["decisions"]["value"] + cap * part["given_up"])

    return Tool(title, "decisions/s", then, now, decisions)


EDITIONS = ("diff", "maldorf+en", "maldorf+fr", *COMMON)
EXPLORE = ("explore", "maldorf+tiny", *COMMON)
FUZZ = ("fuzz", "maldorf", *COMMON, "--games")
MUTATE = ("mutate", "maldorf", *COMMON, "--sample")
TOOLS = (
    _sim("sim maldorf, random", (300, 1500)),
    _sim("sim maldorf, greedy", (3, 60), "--seats", "greedy"),
    _sim("sim maldorf, mcts", (1, 2), "--seats", "mcts", cap=40),
    Tool("explore maldorf+tiny", "states/s", (*EXPLORE, "--states", "8000"), (*EXPLORE, "--max-states", "60000"),
         _at("looked_at")),
    Tool("fuzz maldorf", "games/s", (*FUZZ, "40"), (*FUZZ, "160"), _at("games")),
    Tool("mutate maldorf", "mutants/s", (*MUTATE, "12"), (*MUTATE, "40"), _at("mutants")),
    Tool("diff maldorf+en maldorf+fr", "runs/s", EDITIONS, EDITIONS, lambda _: 1.0),
)  # fmt: skip


def used(folder: Path, arguments: Sequence[str], rules: Path) -> tuple[float, Mapping[str, Any]] | Absent:
    """The processor time of a command, what it started included, and what it printed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [sys.executable, "-c", COMMAND, *arguments, "--rules", str(rules)],
        cwd=TREE.parent,
        env={**os.environ, **environment(folder)},
        capture_output=True,
        text=True,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        printed = json.loads(done.stdout)
    except ValueError:
        return Absent(f"failed: {(done.stderr.strip().splitlines() or ['no output'])[-1][:80]}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, printed


@frozen
class Measured:
    """A tool then and now, round by round: how much a second of processor time."""

    tool: Tool
    then: tuple[float, ...]
    now: tuple[float, ...]

    @property
    def ratio(self) -> float:
        return median(b / a for a, b in zip(self.then, self.now, strict=True))


def measure_tool(tool: Tool, old: Path, rounds: int) -> Measured | Absent:
    """A tool, then and now by turns."""
    rates: tuple[list[float], list[float]] = ([], [])
    for _ in range(rounds):
        for folder, arguments, found in ((old, tool.then, rates[0]), (ROOT, tool.now, rates[1])):
            done = used(folder, arguments, old / "rules")
            if isinstance(done, Absent):
                return Absent(f"{'0.3.0' if folder == old else 'today'}: {done.why}")
            found.append(tool.count(done[1]) / done[0])
    return Measured(tool, tuple(rates[0]), tuple(rates[1]))


def tools(rounds: int, tell: Callable[[str], None]) -> str:
    """The table of the tools, then and now."""
    old = tree()
    if isinstance(old, Absent):
        return f"Nothing to compare with: {old.why}.\n"
    rows = []
    for tool in TOOLS:
        tell(tool.title)
        found = measure_tool(tool, old, rounds)
        if isinstance(found, Absent):
            rows.append([tool.title, f"absent ({found.why})", NOTHING, NOTHING])
        else:
            named = f"{tool.title}, {tool.unit}"
            rows.append([named, span(rate(found.then)), span(rate(found.now)), short(found.ratio)])
    return markdown(["", "0.3.0", "today", "times"], rows)
