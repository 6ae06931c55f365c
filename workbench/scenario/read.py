"""Reads scenario files: every scenario that can be run, and every error of the file at once, each with its place."""

from __future__ import annotations

import re
from collections.abc import Callable

from attrs import evolve

from warlock_dsl import (
    MAX_FILE_BYTES,
    Diagnostic,
    DiagnosticList,
    Ruleset,
    Severity,
    Span,
    closest,
    is_name,
    is_plain_name,
    names_of,
    quoted,
)
from warlock_dsl.tables.toml_spans import Path, read_toml
from workbench.scenario.absent import absent_pieces
from workbench.scenario.model import Obstacle, Scenario, Step
from workbench.scenario.names import Known, Names, known_for
from workbench.scenario.position import read_given
from workbench.scenario.schema import (
    MAX_SCENARIOS,
    MAX_STEPS,
    MAX_WORDS,
    RawFile,
    RawScenario,
    Shaper,
)
from workbench.scenario.steps import read_step, tests_something
from workbench.scenario.values import WHOLE_WORDS

Rules = Callable[[str], Ruleset | None]
MAX_SEED = 1 << 64
RESERVED = WHOLE_WORDS | {"nobody"}
SEAT_KEY = re.compile(r"seat[0-9]+\Z")  # how replays write a seat


def read_scenarios(
    text: str, file: str, rules: Rules, default: str = "", under: Ruleset | None = None
) -> tuple[list[Scenario], list[Diagnostic]]:
    """The scenarios of a file, and its errors. `rules` gives a ruleset by name; `default` is that of the folder.

    A scenario with an error is left out: what it tests is not known. With `under` they are for those rules, whatever
    they say themselves; what is sound under their own rules and not under these is no error but an obstacle.
    """
    if len(text) > MAX_FILE_BYTES:
        message = f"this file is larger than {MAX_FILE_BYTES:,} characters"
        return [], [Diagnostic("W501", message, Span(file, 1, 1, 1, 1))]
    document, places, found = read_toml(text, file)
    errors = DiagnosticList()
    errors.extend(found)
    if document is None:
        return [], errors.all()
    shaper = Shaper(places, errors)
    reader = _Reader(shaper, rules, default, under)
    raw = shaper.shaped(document, RawFile, ())
    scenarios: list[Scenario] = []
    if raw is not None and raw.scenario is None:
        hint = "a scenario begins with [[scenario]]"
        errors.add("W526", "this file has no scenarios", Span(file, 1, 1, 1, 1), hint=hint)
    elif raw is not None:
        scenarios = reader.scenarios(raw.scenario)
    return scenarios, errors.all()


class _Reader:
    """One file. What several scenarios share is found once."""

    def __init__(self, shaper: Shaper, rules: Rules, default: str, under: Ruleset | None) -> None:
        self.shaper = shaper
        self.errors = shaper.errors
        self.rules = rules
        self.default = default
        self.under = under
        self.known: dict[tuple[Ruleset, int], Known] = {}
        self.rulesets: dict[str, Ruleset | None] = {}
        self.spent = [0]

    def scenarios(self, value: object) -> list[Scenario]:
        found: list[Scenario] = []
        seen: set[str] = set()
        for number, table in enumerate(self.shaper.tables(value, ("scenario",), MAX_SCENARIOS, "scenarios")):
            path: Path = ("scenario", number)
            before = self.error_count()
            scenario = self.scenario(table, path)
            if scenario is not None and scenario.name in seen:
                span = self.shaper.of(*path, "name")
                self.errors.add("W525", f"there already is a scenario {quoted(scenario.name)}", span)
            if scenario is not None and self.error_count() == before:
                seen.add(scenario.name)
                found.append(scenario)
        return found

    def error_count(self) -> int:
        errors = sum(error.severity is Severity.ERROR for error in self.errors.found)
        return errors + self.errors.unshown

    def scenario(self, table: object, path: Path) -> Scenario | None:
        raw = self.shaper.shaped(table, RawScenario, path)
        if raw is None:
            return None
        own = self.ruleset(raw.ruleset, path)
        if own is None:
            return None
        before = self.error_count()
        scenario = self.checked(raw, own, path)
        self.outside(raw, own, path)
        under = self.under
        if scenario is None or under is None or self.error_count() > before:
            return scenario
        if own.hash != under.hash:
            scenario = self.fitted(raw, scenario, own, under, path)
        return evolve(scenario, overridden=raw.ruleset if raw.ruleset != under.name else "")

    def fitted(self, raw: RawScenario, scenario: Scenario, own: Ruleset, under: Ruleset, path: Path) -> Scenario:
        """A scenario that is sound under its own rules, read once more for other ones."""
        again = _Reader(Shaper(self.shaper.places, DiagnosticList()), self.rules, self.default, under)
        again.known = self.known
        absent = absent_pieces(own, under, len(raw.players), raw.seed)
        found = again.checked(raw, under, path, absent)
        errors = again.errors.all()
        if found is None or errors:
            obstacle = Obstacle(f"under {under.name} {errors[0].message}", errors[0].span)
            return evolve(scenario, ruleset=under.name, written_for=own.name, obstacle=obstacle)
        return evolve(found, written_for=own.name, absent=absent)

    def checked(
        self, raw: RawScenario, ruleset: Ruleset, path: Path, absent: frozenset[int] = frozenset()
    ) -> Scenario | None:
        """The scenario, its seats, position and steps checked against a ruleset."""
        if not self.seats(raw, ruleset, path):
            return None
        names = Names(self.shaper, self.known_of(ruleset, len(raw.players)), tuple(raw.players), self.spent, absent)
        given = read_given(names, raw.given, (*path, "given"))
        steps = self.steps(names, raw, path)
        if given is None:
            return None
        span = self.shaper.of(*path, "name")
        return Scenario(raw.name, ruleset.name, names.seats, tuple(raw.cites), raw.seed, given, steps, span)

    def steps(self, names: Names, raw: RawScenario, path: Path) -> tuple[Step, ...]:
        here = (*path, "step")
        before = self.error_count()
        tables = self.shaper.tables(raw.step, here, MAX_STEPS, "steps")
        found = [read_step(names, table, (*here, number)) for number, table in enumerate(tables)]
        steps = tuple(step for step in found if step is not None)
        if self.error_count() == before and not any(tests_something(step) for step in steps):
            hint = "say in a [[scenario.step]] what must hold: asks, offers, true, score, over, ..."
            self.errors.add("W524", "this scenario tests nothing", self.shaper.of(*path, "name"), hint=hint)
        return steps

    # -------------------------------------------------------------- ruleset

    def ruleset(self, name: str, path: Path) -> Ruleset | None:
        """The rules a scenario is for; where those cannot be had, the ones it is to run under."""
        wanted = name or self.default
        span = self.shaper.of(*path, "ruleset") if name else self.shaper.of(*path)
        if not wanted and self.under is not None:
            return self.under
        if not wanted:
            hint = 'say which with ruleset = "..."'
            self.errors.add("W521", "this file lies in the folder of no game", span, hint=hint)
            return None
        if name and not is_plain_name(name):
            hint = "name the ruleset; that of a folder elsewhere is given with --under"
            self.errors.add("W521", "a scenario names its ruleset by a path", span, hint=hint)
            return None
        if wanted not in self.rulesets:
            self.rulesets[wanted] = self.rules(wanted) or self.under
            if self.rulesets[wanted] is None:
                hint = "mend their errors first"
                self.errors.add("W521", f"the rules {quoted(wanted)} cannot be used", span, hint=hint)
        return self.rulesets[wanted]

    def known_of(self, ruleset: Ruleset, players: int) -> Known:
        key = (ruleset, players)
        if key not in self.known:
            self.known[key] = known_for(ruleset, players)
        return self.known[key]

    # ---------------------------------------------------------------- seats

    def seats(self, raw: RawScenario, ruleset: Ruleset, path: Path) -> bool:
        components = ruleset.components
        minimum, maximum = components.min_players, components.max_players
        if not minimum <= len(raw.players) <= maximum:
            text = f"the game is for {minimum} to {maximum} players, not {len(raw.players)}"
            self.errors.add("W506", text, self.shaper.of(*path, "players"))
            return False
        before = self.error_count()
        for place, seat in enumerate(raw.players):
            span = self.shaper.of(*path, "players", place)
            taken = self.taken(seat, ruleset)
            if not is_name(seat):
                hint = "a name is written in small letters, digits and _"
                self.errors.add("W507", f"{quoted(seat)} is no name for a seat", span, hint=hint)
            elif seat in raw.players[:place]:
                self.errors.add("W507", f"two seats are called {quoted(seat)}", span)
            elif taken:
                self.errors.add("W507", f"{quoted(seat)} already stands for {taken}", span, hint="choose another name")
        return self.error_count() == before

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

    def outside(self, raw: RawScenario, ruleset: Ruleset, path: Path) -> None:
        """What has to do with no position: the seed, and the entries of the documents that are cited."""
        if not -MAX_SEED < raw.seed < MAX_SEED:
            self.errors.add("W505", "this seed is too large", self.shaper.of(*path, "seed"))
        parts = ruleset.components
        entries = {*parts.ledger, *parts.rulings, *parts.differences}
        for place, cite in enumerate(raw.cites[:MAX_WORDS]):
            if cite not in entries:
                span = self.shaper.of(*path, "cites", place)
                text = f"the ledger, the rulings and the differences have no entry {quoted(cite)}"
                self.errors.add("W518", text, span, hint=lambda c=cite: closest(c, entries))  # type: ignore[misc]
