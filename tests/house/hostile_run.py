"""The long hostile run: cases for as long as there is time, each with 10 seconds and a gigabyte, in other processes.

python -m tests.house.hostile_run --cases 20000 --seconds 3600
python -m tests.house.hostile_run --only 123456               one case again, with its traceback
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import select
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from pathlib import Path
from typing import IO, Any

from attrs import define, field

from interpreter.machine import machine_for
from tests.house.hostile import TookTooLongError, quickly
from tests.house.hostile_cases import KINDS, enter, kind_of, plant

SECONDS = 10.0  # of work, for a case
MEMORY = 1_000_000_000  # bytes, for a process
WALL = 120.0  # seconds without a word from a process, after which it hangs in what cannot be interrupted
CASES = 2000  # of one process: what is kept from case to case does not add up for ever
MAX_IDLE = 3  # workers in a row that end before their first case: where a machine has no room for them
SOUND = "sound"
ENDS = (SOUND, "traceback", "hang", "memory", "death")


# ------------------------------------------------------------------ in a worker


def work(first: int, count: int, kinds: list[str], patience: float, out: IO[str]) -> None:
    """Run cases and say how each ended, a line each."""
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    with tempfile.TemporaryDirectory() as folder:
        enter(Path(folder))
        for number in range(first, first + count):
            kind = kind_of(number) if not kinds else kinds[number % len(kinds)]
            print(json.dumps({"number": number, "kind": kind}), file=out, flush=True)
            before = time.process_time()
            end, text = attempt(kind, number, patience)
            used = most_memory()
            if end == SOUND and used > MEMORY:
                end, text = "memory", f"{used:,} bytes"
            if reserved_memory() > MEMORY // 2:  # machines that are kept have set aside more than they use
                machine_for.cache_clear()
            row = {"end": end, "text": text, "seconds": time.process_time() - before, "memory": used}
            print(json.dumps(row), file=out, flush=True)
        os.chdir(folder)


def most_memory() -> int:
    """The most bytes this process had. What `getrusage` says begins with what the process had that started it."""
    return said_of_memory("VmHWM:")


def reserved_memory() -> int:
    """The bytes that this process has set aside, used or not: what is bounded."""
    return said_of_memory("VmData:")


def said_of_memory(what: str) -> int:
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith(what)) * 1024


def attempt(kind: str, number: int, patience: float) -> tuple[str, str]:
    try:
        with quickly(patience):
            KINDS[kind](number)
    except TookTooLongError:
        return "hang", last_lines()
    except MemoryError:
        return "memory", last_lines()
    except BaseException:
        return "traceback", last_lines()
    return SOUND, ""


def last_lines() -> str:
    return traceback.format_exc()[-3000:]


# ----------------------------------------------------------------------- report


@define
class Report:
    ends: Counter[tuple[str, str]] = field(factory=Counter)  # by kind and end
    holes: list[dict[str, Any]] = field(factory=list)
    seconds: float = 0.0  # the longest case
    memory: int = 0  # the most a process had

    def add(self, case: dict[str, Any], row: dict[str, Any]) -> None:
        self.ends[case["kind"], row["end"]] += 1
        self.seconds, self.memory = max(self.seconds, row["seconds"]), max(self.memory, row["memory"])
        if row["end"] != SOUND:
            self.holes.append({**case, **row})

    def count(self, end: str = "") -> int:
        return sum(count for (_, own), count in self.ends.items() if end in ("", own))

    def text(self) -> str:
        lines = [f"{'kind':12}{'cases':>8}" + "".join(f"{end:>11}" for end in ENDS[1:])]
        for kind in [*KINDS, ""]:
            counts = [sum(n for (own, at), n in self.ends.items() if kind in ("", own) and at == end) for end in ENDS]
            lines.append(f"{kind or 'all':12}{sum(counts):>8}" + "".join(f"{count:>11}" for count in counts[1:]))
        lines.append(f"the longest case took {self.seconds:.1f} s, the largest process {self.memory / 1e6:.0f} MB")
        return "\n".join(lines)


def run(
    cases: int,
    seconds: float,
    first: int = 0,
    kinds: tuple[str, ...] = (),
    hole: str = "",
    patience: float = SECONDS,
) -> Report:
    """Run cases in one process after another, until there are enough or the time is over."""
    report, number, until, idle = Report(), first, time.monotonic() + seconds, 0
    while number < first + cases and time.monotonic() < until:
        count = min(CASES, first + cases - number)
        words = [sys.executable, "-m", "tests.house.hostile_run", "--worker", str(number), str(count)]
        words += [f"--patience={patience}", *(f"--kind={kind}" for kind in kinds)]
        words += [f"--plant={hole}"] if hole else []
        with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as worker:
            assert worker.stdout is not None
            done = listen(worker, worker.stdout, report, until)
        idle = 0 if done else idle + 1
        if idle > MAX_IDLE and time.monotonic() < until:
            raise RuntimeError(f"{idle} workers in a row did not begin\n{report.text()}")
        number += done
    return report


def listen(worker: subprocess.Popen[bytes], lines: IO[bytes], report: Report, until: float) -> int:
    """Take down what a worker says, until it ends or time is over; how many cases were begun."""
    case: dict[str, Any] | None = None
    begun = 0
    while True:
        silent = not select.select([lines], [], [], WALL)[0]
        line = b"" if silent else lines.readline()
        if not line:
            worker.kill()
            if case is not None:
                end = "hang" if silent else "death"
                report.add(case, {"end": end, "text": f"exit code {worker.wait()}", "seconds": 0.0, "memory": 0})
            return begun
        row = json.loads(line)
        if "number" in row:
            case, begun = row, begun + 1
        else:
            assert case is not None
            report.add(case, row)
            case = None
            if time.monotonic() > until:
                worker.kill()
                return begun


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=20_000, help="how many (default 20000)")
    parser.add_argument("--seconds", type=float, default=3600.0, help="at most so long (default 3600)")
    parser.add_argument("--first", type=int, default=0, help="the number of the first case (default 0)")
    parser.add_argument("--kind", action="append", default=[], choices=list(KINDS), help="only these; repeatable")
    parser.add_argument("--only", type=int, help="one case, in this process")
    parser.add_argument("--plant", default="", help="a hole to be found: crash, hang, memory, death")
    parser.add_argument("--patience", type=float, default=SECONDS, help="seconds of work for a case (default 10)")
    parser.add_argument("--worker", nargs=2, type=int, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.plant:
        plant(arguments.plant)
    if arguments.only is not None:
        with tempfile.TemporaryDirectory() as folder:
            enter(Path(folder))
            KINDS[arguments.kind[0] if arguments.kind else kind_of(arguments.only)](arguments.only)
            os.chdir(folder)
        return 0
    if arguments.worker:
        # What a case prints by accident must not be taken for a report.
        out = os.fdopen(os.dup(1), "w", encoding="utf-8")
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        work(*arguments.worker, arguments.kind, arguments.patience, out)
        return 0
    kinds = tuple(arguments.kind)
    report = run(arguments.cases, arguments.seconds, arguments.first, kinds, arguments.plant, arguments.patience)
    for hole in report.holes:
        print(f"\n{hole['end']} in case {hole['number']} ({hole['kind']}):\n{hole['text'].rstrip()}")
    print(report.text())
    return 1 if report.holes else 0


if __name__ == "__main__":
    sys.exit(main())
