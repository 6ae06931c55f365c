"""Reads scenario files: every scenario that can be run, and every fault of the file at once, each with its place."""

from __future__ import annotations

import re
from collections.abc import Callable

from warlock_dsl.diagnostics import Diagnostic, Severity, Span, closest
from warlock_dsl.faults import Faults, quoted
from warlock_dsl.limits import MOST_BYTES
from warlock_dsl.ruleset import Ruleset
from warlock_dsl.scope import names_of
from warlock_dsl.toml_places import Path, read_toml
from warlock_dsl.words import is_name
from workbench.matching import WHOLE_WORDS
from workbench.scenario_given import read_given
from workbench.scenario_model import Scenario, Step
from workbench.scenario_names import Known, Names
from workbench.scenario_shapes import (
    MOST_SCENARIOS,
    MOST_STEPS,
    MOST_WORDS,
    SCENARIO_CODES,
    RawFile,
    RawScenario,
    Shaper,
)
from workbench.scenario_steps import read_step, tests_something
from workbench.stage import machine_for

__all__ = ["SCENARIO_CODES", "Rules", "read_scenarios"]

Rules = Callable[[str], Ruleset | None]
LARGEST_SEED = 1 << 64
RESERVED = WHOLE_WORDS | {"nobody"}
SEAT_KEY = re.compile(r"seat[0-9]+\Z")  # how replays write a seat


def read_scenarios(text: str, file: str, rules: Rules, default: str = "") -> tuple[list[Scenario], list[Diagnostic]]:
    """The scenarios of a file, and its faults. `rules` gives a ruleset by name; `default` is that of the folder.

    A scenario with a fault is left out: what it tests is not known.
    """
    if len(text) > MOST_BYTES:
        message = f"this file is larger than {MOST_BYTES:,} characters"
        return [], [Diagnostic("W501", message, Span(file, 1, 1, 1, 1))]
    document, places, found = read_toml(text, file)
    faults = Faults()
    faults.extend(found)
    if document is None:
        return [], faults.all()
    shaper = Shaper(places, faults)
    reader = _Reader(shaper, rules, default)
    raw = shaper.shaped(document, RawFile, ())
    scenarios: list[Scenario] = []
    if raw is not None and raw.scenario is None:
        hint = "a scenario begins with [[scenario]]"
        faults.add("W526", "this file has no scenarios", Span(file, 1, 1, 1, 1), hint=hint)
    elif raw is not None:
        scenarios = reader.scenarios(raw.scenario)
    return scenarios, faults.all()


class _Reader:
    """One file. What several scenarios share is found once."""

    def __init__(self, shaper: Shaper, rules: Rules, default: str) -> None:
        self.shaper = shaper
        self.faults = shaper.faults
        self.rules = rules
        self.default = default
        self.known: dict[tuple[str, int], Known] = {}
        self.rulesets: dict[str, Ruleset | None] = {}
        self.spent = [0]

    def scenarios(self, value: object) -> list[Scenario]:
        found: list[Scenario] = []
        seen: set[str] = set()
        for number, table in enumerate(self.shaper.tables(value, ("scenario",), MOST_SCENARIOS, "scenarios")):
            path: Path = ("scenario", number)
            before = self.errors()
            scenario = self.scenario(table, path)
            if scenario is not None and scenario.name in seen:
                span = self.shaper.of(*path, "name")
                self.faults.add("W525", f"there already is a scenario {quoted(scenario.name)}", span)
            if scenario is not None and self.errors() == before:
                seen.add(scenario.name)
                found.append(scenario)
        return found

    def errors(self) -> int:
        faults = sum(fault.severity is Severity.ERROR for fault in self.faults.found)
        return faults + self.faults.unshown

    def scenario(self, table: object, path: Path) -> Scenario | None:
        raw = self.shaper.shaped(table, RawScenario, path)
        if raw is None:
            return None
        ruleset = self.ruleset(raw.ruleset, path)
        if ruleset is None or not self.seats(raw, ruleset, path):
            return None
        known = self.known_of(ruleset, len(raw.players))
        names = Names(self.shaper, known, tuple(raw.players), self.spent)
        self.cites(raw, known, path)
        if not -LARGEST_SEED < raw.seed < LARGEST_SEED:
            self.faults.add("W505", "this seed is too large", self.shaper.of(*path, "seed"))
        given = read_given(names, raw.given, (*path, "given"))
        steps = self.steps(names, raw, path)
        if given is None:
            return None
        span = self.shaper.of(*path, "name")
        return Scenario(raw.name, ruleset.name, names.seats, tuple(raw.cites), raw.seed, given, steps, span)

    def steps(self, names: Names, raw: RawScenario, path: Path) -> tuple[Step, ...]:
        here = (*path, "step")
        before = self.errors()
        tables = self.shaper.tables(raw.step, here, MOST_STEPS, "steps")
        found = [read_step(names, table, (*here, number)) for number, table in enumerate(tables)]
        steps = tuple(step for step in found if step is not None)
        if self.errors() == before and not any(tests_something(step) for step in steps):
            hint = "say in a [[scenario.step]] what must hold: asks, offers, true, score, over, ..."
            self.faults.add("W524", "this scenario tests nothing", self.shaper.of(*path, "name"), hint=hint)
        return steps

    # -------------------------------------------------------------- ruleset

    def ruleset(self, name: str, path: Path) -> Ruleset | None:
        wanted = name or self.default
        span = self.shaper.of(*path, "ruleset") if name else self.shaper.of(*path)
        if not wanted:
            hint = 'say which with ruleset = "..."'
            self.faults.add("W521", "this file lies in the folder of no game", span, hint=hint)
            return None
        if wanted not in self.rulesets:
            self.rulesets[wanted] = self.rules(wanted)
            if self.rulesets[wanted] is None:
                hint = "mend their faults first"
                self.faults.add("W521", f"the rules {quoted(wanted)} cannot be used", span, hint=hint)
        return self.rulesets[wanted]

    def known_of(self, ruleset: Ruleset, players: int) -> Known:
        key = (ruleset.name, players)
        if key not in self.known:
            self.known[key] = Known(ruleset, machine_for(ruleset, players).layout)
        return self.known[key]

    # ---------------------------------------------------------------- seats

    def seats(self, raw: RawScenario, ruleset: Ruleset, path: Path) -> bool:
        components = ruleset.components
        least, most = components.least_players, components.most_players
        if not least <= len(raw.players) <= most:
            text = f"{ruleset.name} is for {least} to {most} players, not {len(raw.players)}"
            self.faults.add("W506", text, self.shaper.of(*path, "players"))
            return False
        before = self.errors()
        for place, seat in enumerate(raw.players):
            span = self.shaper.of(*path, "players", place)
            taken = self.taken(seat, ruleset)
            if not is_name(seat):
                hint = "a name is written in small letters, digits and _"
                self.faults.add("W507", f"{quoted(seat)} is no name for a seat", span, hint=hint)
            elif seat in raw.players[:place]:
                self.faults.add("W507", f"two seats are called {quoted(seat)}", span)
            elif taken:
                self.faults.add("W507", f"{quoted(seat)} already stands for {taken}", span, hint="choose another name")
        return self.errors() == before

    def taken(self, seat: str, ruleset: Ruleset) -> str:
        """What a seat name means already, or ""."""
        if seat in RESERVED or SEAT_KEY.match(seat):
            return f"the answer {quoted(seat)}"
        if seat in ruleset.components.kinds:
            return f"kind {quoted(seat)}"
        names = names_of(ruleset.components)
        given = names.given(seat)
        if given is not None:
            return given[0]
        program = ruleset.program
        if any(define.address == seat for define in program.defines):
            return f"definition {quoted(seat)}"
        if seat in program.families or any(rule.name == seat for rule in program.rules):
            return f"rule {quoted(seat)}"
        return names.word(seat)

    def cites(self, raw: RawScenario, known: Known, path: Path) -> None:
        for place, cite in enumerate(raw.cites[:MOST_WORDS]):
            if cite not in known.entries:
                span = self.shaper.of(*path, "cites", place)
                text = f"the ledger, the rulings and the differences have no entry {quoted(cite)}"
                self.faults.add("W518", text, span, hint=lambda c=cite: closest(c, known.entries))  # type: ignore[misc]
