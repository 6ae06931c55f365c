"""Scenarios that are run again after an edit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from warlock_dsl import Ruleset
from warlock_studio.files import FileError, read
from warlock_studio.worker import Json
from workbench.scenario.run import read_scenarios, run_scenario

MAX_SCENARIOS = 400


def own_scenarios(ruleset: Ruleset, homes: Sequence[Path]) -> Iterator[Json]:
    """The scenarios of some folders, each run under the rules as they are now."""
    count = 0
    for file in [file for home in homes for file in sorted((home / "scenarios").glob("*.toml"))]:
        try:
            text = read(file)
        except FileError:
            continue
        scenarios, errors = read_scenarios(text, file.name, lambda _: ruleset, ruleset.name)
        for error in errors[:1]:
            yield {"file": file.name, "line": error.span.line, "name": "", "outcome": "failed", "why": error.message}
        for scenario in scenarios:
            count += 1
            if count > MAX_SCENARIOS:
                return
            found = run_scenario(ruleset, scenario)
            why = found.failures[0].text if found.failures else ""
            line = scenario.span.line
            yield {"file": file.name, "line": line, "name": scenario.name, "outcome": found.outcome, "why": why}
