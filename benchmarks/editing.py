"""What an edit costs until its errors are known: processor time of the three waves, for every shipped stack.

    python -m benchmarks.editing [EDITS]        the waves after EDITS edits of each stack (default 12)
    python -m benchmarks.editing --memory       memory after 1,000 and after 10,000 edits of the largest game

An edit is one that people make: a comment, a line above everything, a word broken in the middle, a line gone, and each
of them mended again. Every figure is a median over the edits of a stack, and adds the waves before it. Beyond a bound
the exit code is 1.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from workbench.service.project import Project, check_often, own_files

ROOT = Path(__file__).resolve().parents[1]
BOUNDS = {"syntax": 0.010, "check": 0.050, "lints": 0.100}  # seconds of processor time, at the median
MAX_GROWTH = 1.2  # of the memory, from 1,000 edits to 10,000


def homes() -> list[Path]:
    """The folder of every game and of every overlay."""
    games = sorted(path.parent for path in (ROOT / "rules").rglob("game.toml"))
    return [*games, *sorted(path.parent for path in (ROOT / "variants").rglob("overlay.toml"))]


def rule_files(home: Path) -> list[Path]:
    return [file for file in own_files(home) if file.parent.name not in ("scenarios", "mutants")]


def edited(text: str, chance: random.Random) -> str:
    """A text after one edit."""
    lines = text.split("\n")
    at = chance.randrange(len(lines))
    match chance.randrange(5):
        case 0:
            lines.append(f"# {chance.random()}")
        case 1:
            lines.insert(0, f"# {chance.random()}")
        case 2:
            lines[at] = lines[at].replace("e", "", 1)
        case 3:
            del lines[at]
        case _:
            lines.insert(at, lines[at])
    return "\n".join(lines)


def edits(home: Path, count: int, seed: int) -> Iterator[tuple[Path, str]]:
    """Edits of the files of a stack, every second of which mends the one before."""
    chance = random.Random(seed)
    files = {file: file.read_text(encoding="utf-8") for file in rule_files(home)}
    for number in range(count):
        if number % 2 == 0:
            file = chance.choice(sorted(files))
            yield file, edited(files[file], chance)
        elif file.suffix == ".csv":
            yield file, files[file]
        else:  # with a comment, so that nobody has read this text before
            yield file, f"{files[file]}\n# {number} {seed}\n"


def waves(project: Project, path: Path, text: str) -> tuple[float, float, float]:
    """The processor time from an edit to the errors of each wave."""
    started = time.process_time()
    project.open(path, text)
    project.syntax(path)
    syntax = time.process_time() - started
    project.check(path, False)
    check = time.process_time() - started
    project.check(path)
    return syntax, check, time.process_time() - started


def measure(count: int) -> bool:
    """Print the medians of every stack; whether all are within bounds."""
    sound = True
    worst = dict.fromkeys(BOUNDS, 0.0)
    for home in homes():
        project = Project()
        for path, text in edits(home, 6, 0):
            waves(project, path, text)  # everything is imported and read once
        found = [waves(project, path, text) for path, text in edits(home, count, 1)]
        medians = dict(zip(BOUNDS, map(statistics.median, zip(*found, strict=True)), strict=True))
        beyond = [wave for wave, bound in BOUNDS.items() if medians[wave] > bound]
        told = "  ".join(f"{wave} {seconds * 1000:6.1f} ms" for wave, seconds in medians.items())
        name = project.check(rule_files(home)[0]).loaded.name + (f"+{home.name}" if "variants" in home.parts else "")
        print(f"{name:32} {told}  {'BEYOND: ' + ', '.join(beyond) if beyond else ''}".rstrip(), flush=True)
        worst = {wave: max(worst[wave], medians[wave]) for wave in BOUNDS}
        sound = sound and not beyond
    print("worst medians: " + ", ".join(f"{wave} {seconds * 1000:.1f} ms" for wave, seconds in worst.items()))
    return sound


def resident() -> int:
    """Bytes of memory that this process holds."""
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * 4096


def memory() -> bool:
    """Print the memory after many edits; whether it has stopped growing."""
    home = max(homes(), key=lambda home: sum(file.stat().st_size for file in rule_files(home)))
    project = Project()
    marks = {}
    for number, (path, text) in enumerate(edits(home, 10_000, 2), start=1):
        waves(project, path, text)
        if number % 1000 == 0:
            marks[number] = resident()
            print(f"{home.name}: {number:,} edits, {marks[number] / 1e6:.0f} MB", flush=True)
    growth = marks[10_000] / marks[1_000]
    print(f"{growth:.2f} times as much after 10,000 edits as after 1,000")
    return growth <= MAX_GROWTH


def main() -> int:
    check_often()  # as the server does
    if "--memory" in sys.argv:
        return 0 if memory() else 1
    return 0 if measure(int(sys.argv[1]) if len(sys.argv) > 1 else 12) else 1


if __name__ == "__main__":
    sys.exit(main())
