"""What it takes to start: processor time of a few commands beside that of an empty Python, and of 0.3.0.

    python -m benchmarks.startup [RUNS]

Each figure is the best of RUNS (default 10), children included, and a multiple of `python -c pass` in the same run. The
rules are in the cache already ("warm"). 0.3.0 is taken from the history of the checkout, into a temporary folder.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
OLD = "de3fa10"  # the last commit of 0.3.0
COMMANDS = (("--version",), ("--help",), ("check", "maldorf"))
BOUNDS = {"warlock --version": 10, "warlock check maldorf": 40}  # times `python -c pass`; beyond: exit code 1


def processor_seconds(command: Sequence[str], environment: Mapping[str, str], runs: int, where: Path = ROOT) -> float:
    """The least processor time of a command over some runs, with that of its children."""
    best = float("inf")
    for _ in range(runs):
        running = subprocess.Popen(
            command, env=environment, cwd=where, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        _, status, used = os.wait4(running.pid, 0)
        running.returncode = os.waitstatus_to_exitcode(status)
        if running.returncode:
            raise RuntimeError(f"{' '.join(command)} ended with exit code {running.returncode}")
        best = min(best, used.ru_utime + used.ru_stime)
    return best


@contextmanager
def old_checkout() -> Iterator[Path | None]:
    """0.3.0 in a temporary folder; None in a checkout that has no such commit."""
    git = ["git", "-C", str(ROOT)]
    with tempfile.TemporaryDirectory() as folder:
        packed = subprocess.run([*git, "archive", OLD], capture_output=True, check=False)
        if packed.returncode:
            yield None
            return
        subprocess.run(["tar", "-x", "-C", folder], input=packed.stdout, check=True)
        Path(folder, "warlock_dsl", "__init__.py").touch()  # 0.3.0 had none: an installed version would be taken
        yield Path(folder)


def measure(checkout: Path, cache: Path, runs: int) -> dict[str, float]:
    """Processor seconds of each command in a checkout."""
    environment = {**os.environ, "PYTHONPATH": str(checkout), "XDG_CACHE_HOME": str(cache)}
    found = {}
    for words in COMMANDS:
        command = [sys.executable, "-m", "workbench.cli", *words]
        processor_seconds(command, environment, 1, checkout)  # so that its files are compiled and the cache is warm
        found["warlock " + " ".join(words)] = processor_seconds(command, environment, runs, checkout)
    return found


def main() -> int:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    with tempfile.TemporaryDirectory() as folder, old_checkout() as old:
        cache = Path(folder)
        empty = processor_seconds([sys.executable, "-c", "pass"], os.environ, runs)
        new = measure(ROOT, cache / "new", runs)
        before = measure(old, cache / "old", runs) if old is not None else {}
        again = processor_seconds([sys.executable, "-c", "pass"], os.environ, runs)
    empty = min(empty, again)
    print(f"{'processor time, best of ' + str(runs):28}{'now':>22}{'0.3.0':>22}")
    print(f"{'python -c pass':28}{empty * 1000:>12.1f} ms  1.0 x")
    for name, seconds in new.items():
        past = f"{before[name] * 1000:>12.1f} ms {before[name] / empty:>4.1f} x" if before else f"{'no history':>22}"
        print(f"{name:28}{seconds * 1000:>12.1f} ms {seconds / empty:>4.1f} x{past}")
    beyond = [name for name, bound in BOUNDS.items() if new[name] > bound * empty]
    for name in beyond:
        print(f"{name} takes more than {BOUNDS[name]} times an empty Python")
    return 1 if beyond else 0


if __name__ == "__main__":
    sys.exit(main())
