"""Makes the table of `tests/planted/README.md`: every planted error, found in each of four ways, by one process each.

    python -m tests.planted.measure                      all of it, printed
    python -m tests.planted.measure --write              and put into the README
    python -m tests.planted.measure --only maldorf/told_hand --way positions --seed 3

Seconds are of processor time, so that a busy machine changes nothing: until the law broke, making it short not counted.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
ERRORS = HERE / "variants"
README = HERE / "README.md"
BEGIN, END = "<!-- printed by tests.planted.measure -->", "<!-- end of the table -->"
LIMITS = {"fuzz": 180, "plugin": 180, "positions": 120, "state_machine": 120}  # seconds of processor time
EXAMPLES = 500  # of Hypothesis
SEARCH = 500  # games of a search that positions and state machines begin in
PLUGIN_GAMES = (12, 96, 768)
SHRINKING = 240  # seconds of processor time beyond the limit, for making a game short


def errors() -> list[str]:
    """Every planted error, by game and name."""
    return sorted(f"{path.parent.parent.name}/{path.parent.name}" for path in ERRORS.rglob("overlay.toml"))


# --------------------------------------------------------------- within one process


def by_fuzz(error: str, seed: int) -> dict[str, Any]:
    from warlock_dsl import default_roots
    from workbench.fuzz.campaign import Plan
    from workbench.fuzz.playthrough import MAX_LENGTH
    from workbench.fuzz.search import Limits, Search
    from workbench.support.ruleset_source import source_of
    from workbench.support.rulesets import load_named
    from workbench.support.workers import WorkerPool

    loaded = load_named(str(ERRORS / error), default_roots([]))
    assert loaded.ruleset is not None
    parts = loaded.ruleset.components
    plan = Plan(source_of(loaded), tuple(range(parts.min_players, parts.max_players + 1)), seed, MAX_LENGTH)
    with tempfile.TemporaryDirectory() as folder:
        search = Search(loaded, plan, Path(folder), keep=False)
        limits = Limits(seconds=LIMITS["fuzz"], first=True)
        found = search.run(WorkerPool(), limits, lambda *told: None, lambda *done: None)
    if not found.findings:
        return {}
    best = min(found.findings, key=lambda one: int(one["decisions"]))
    return {"seconds": best["seconds"], "decisions": best["decisions"], "law": best["law"], "games": found.games}


def by_plugin(error: str, seed: int) -> dict[str, Any]:
    """As many games as it takes, of a few numbers of them: the plugin plays all it is asked for, then it reports."""
    for games in PLUGIN_GAMES:
        began = time.process_time()
        with tempfile.TemporaryDirectory() as folder:
            command = [
                *(sys.executable, "-m", "pytest", "-q", "-p", "warlock", "-p", "no:cacheprovider", "--no-header"),
                *("--rootdir", folder, "-o", f"warlock_games={games}", "-o", f"warlock_seed={seed}", "-o", "addopts="),
                *("-k", "law", str(ERRORS / error / "overlay.toml")),
            ]
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds = time.process_time() - began + after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
        if "FAILED" in done.stdout:
            told = [line for line in done.stdout.splitlines() if ", seed " in line and "decisions" in line]
            counts = [line.split(",")[2] for line in told]
            decisions = min((int(count.split()[0]) for count in counts), default=0)
            law = done.stdout.partition("law ")[2].split()[0] if "law " in done.stdout else ""
            return {"seconds": seconds, "decisions": decisions, "law": law, "games": games}
        if seconds > LIMITS["plugin"]:
            break
    return {}


def by_hypothesis(error: str, seed: int, way: str) -> dict[str, Any]:
    import hypothesis
    from hypothesis import HealthCheck, Phase, given, settings
    from hypothesis.stateful import run_state_machine_as_test

    from workbench.testing import properties

    ruleset = properties.ruleset_of(str(ERRORS / error))
    began, first = time.process_time(), []
    shrink = properties._small

    def noted(*given: Any) -> Any:
        first.append(time.process_time() - began)
        return shrink(*given)

    properties._small = noted
    quiet = list(HealthCheck)
    fixed = settings(
        max_examples=EXAMPLES, database=None, deadline=None, phases=[Phase.generate], suppress_health_check=quiet,
        report_multiple_bugs=False,
    )  # fmt: skip
    try:
        if way == "positions":

            @hypothesis.seed(seed)
            @fixed
            @given(properties.positions(ruleset, search=SEARCH))
            def tested(game: Any) -> None:
                if time.process_time() - began > LIMITS[way]:
                    raise TimeoutError

            tested()
        else:
            machine = hypothesis.seed(seed)(properties.state_machine(ruleset, search=SEARCH))
            steps = machine.TestCase.settings.stateful_step_count
            run_state_machine_as_test(machine, settings=settings(fixed, stateful_step_count=steps))
    except properties.LawsViolatedError as violated:
        made = violated.transcript
        return {"seconds": first[0], "decisions": len(made.moves), "law": violated.violation.law, "games": 0}
    except TimeoutError:
        pass
    return {}


def measure(error: str, way: str, seed: int) -> dict[str, Any]:
    if way == "fuzz":
        return by_fuzz(error, seed)
    return by_plugin(error, seed) if way == "plugin" else by_hypothesis(error, seed, way)


# --------------------------------------------------------------------------- the table


def in_a_process(error: str, way: str, seed: int) -> dict[str, Any]:
    """One cell of the table, in a process of its own, which ends when its processor time is used up."""
    command = [sys.executable, "-m", "tests.planted.measure", "--only", error, "--way", way, "--seed", str(seed)]
    limit = LIMITS[way] + SHRINKING

    def bounded() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 5))

    done = subprocess.run([*command, "--cell"], capture_output=True, text=True, check=False, preexec_fn=bounded)
    if done.returncode not in (0, -24) or (done.returncode == 0 and not done.stdout.strip()):
        raise RuntimeError(f"{error} {way}: {done.stderr[-2000:]}")
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1]) if done.returncode == 0 else {}
    return found


def cell(found: dict[str, Any]) -> str:
    return f"{found['seconds']:.1f} s, {found['decisions']}" if found else "**not found**"


def rows(wanted: list[str], ways: list[str], seed: int) -> list[str]:
    head = f"| error | law | {' | '.join(ways)} |"
    made = [head, "|---|---|" + "---|" * len(ways)]
    for error in wanted:
        found = {way: in_a_process(error, way, seed) for way in ways}
        law = next((one["law"] for one in found.values() if one), "")
        made.append(f"| `{error}` | `{law}` | {' | '.join(cell(found[way]) for way in ways)} |")
        print(made[-1], flush=True)
    return made


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", action="append", choices=errors(), help="this error alone; repeatable")
    parser.add_argument("--way", action="append", choices=list(LIMITS), help="in this way alone; repeatable")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--write", action="store_true", help="put the table into the README")
    parser.add_argument("--cell", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.cell:
        if given.way[0] in ("fuzz", "positions", "state_machine"):
            time.monotonic = time.process_time  # every bound of a search is one of processor time here
        print(json.dumps(measure(given.only[0], given.way[0], given.seed)))
        return
    made = rows(given.only or errors(), given.way or list(LIMITS), given.seed)
    if given.write:
        text = README.read_text(encoding="utf-8")
        before, _, rest = text.partition(BEGIN)
        README.write_text("\n".join([before + BEGIN, *made, END]) + rest.partition(END)[2], encoding="utf-8")


if __name__ == "__main__":
    main()
