"""The whole of a comparison: what is written otherwise, and for each difference a position that shows it."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence

from attrs import evolve, frozen

from warlock_dsl import Loaded, Ruleset, Severity, Unit, built_on, graft, overlay_files
from workbench.diff.bots import drives
from workbench.diff.editions import chapters_of, editions_of, table_of_differences
from workbench.diff.kept import Hit, Kept, Tally
from workbench.diff.model import PLAYED, Difference, DiffReport, Search, Witness
from workbench.diff.relevance import ranks, scored, unread
from workbench.diff.search import Sought, Wanted, search
from workbench.diff.structure import titled
from workbench.diff.witness import Job, witness
from workbench.language.phrases import Phrases
from workbench.support.progress import Advance
from workbench.support.ruleset_source import source_of
from workbench.support.workers import WorkerPool

ROUNDS = 12  # of games for a difference that must show in play
FEWER = 3  # for one that the documents call a matter of words
GRAFT = "difference"  # what the overlay with a difference alone is called while it is tried
SEARCHED = 0.6  # of the seconds; the others are for tables and shorter games


@frozen
class Alone:
    """A reading laid on the first ruleset by itself, or why it cannot be. `row` and `reading` are its numbers."""

    row: int
    reading: int
    difference: Difference
    units: tuple[Unit, ...]
    loaded: Loaded | None
    base: Loaded  # what it is laid on
    why: str = ""

    @property
    def key(self) -> str:
        """What a checkpoint calls it."""
        return f"{self.difference.id} {self.reading}"


@frozen
class Plan:
    """How a comparison is made. Without `play` only what is written is compared. `seconds` bound the whole of it, and
    then what is found depends on the clock. `kinds` are those that are shown, none for all; `only` are the ids of those
    that positions are looked for, none for all."""

    seed: int = 0
    lang: str = "en"
    play: bool = True
    seconds: float = 0.0
    kinds: tuple[str, ...] = ()
    only: tuple[str, ...] = ()


class Comparison:
    """A comparison on its way: what is written is known at once, what play shows is looked for then."""

    def __init__(self, rulesets: Sequence[Loaded], plan: Plan, began: float | None = None) -> None:
        self.began = time.monotonic() if began is None else began
        self.until = time.time() - (time.monotonic() - self.began) + plan.seconds if plan.seconds else 0.0
        self.rulesets = tuple(rulesets)
        self.plan = plan
        self.say = Phrases(plan.lang)
        rows = table_of_differences(rulesets, plan.lang)
        self.rows = tuple(row for row in rows if not plan.kinds or row.difference.kind in plan.kinds)
        self.editions = editions_of([_made(one) for one in rulesets], plan.lang)

    def report(self, differences: Sequence[Difference] = ()) -> DiffReport:
        first = _made(self.rulesets[0])
        return DiffReport(
            game=self.rulesets[0].name,
            title=titled(first.components, self.plan.lang),
            editions=self.editions,
            chapters=chapters_of(first.components, self.plan.lang),
            differences=tuple(differences) or tuple(row.difference for row in self.rows),
            seed=self.plan.seed,
            seconds=time.monotonic() - self.began,
            played=self.plan.play,
            lang=self.plan.lang,
        )

    def play(self, pool: WorkerPool, kept: Kept, advance: Advance) -> DiffReport:
        """Every difference with what playing showed of it."""
        a = self.rulesets[0]
        alone = self._alone()
        sought = {number: _sought(number, one) for number, one in enumerate(alone) if one.loaded is not None}
        total = 2 * len(sought)
        keys = {number: one.key for number, one in enumerate(alone)}
        until = time.time() + max(0.1, (self.until - time.time()) * SEARCHED) if self.until else 0.0
        hits: dict[int, Hit] = {}
        tallies: dict[int, Tally] = {}
        bases = {source_of(one.base): one.base for one in alone} or {source_of(a): a}
        for place, base in enumerate(bases):
            own = [one for number, one in sought.items() if source_of(alone[number].base) == base]
            plan = Wanted(base, tuple(own), self.plan.seed, until, total)
            found, more = search(pool, plan, kept.rounds(keys, place), advance)
            hits |= found
            tallies |= more
        advance(2 * (len(sought) - len(hits)), "", total)
        jobs = {number: self._job(alone[number], hit, kept) for number, hit in sorted(hits.items())}
        shown: dict[int, Witness | None] = {}
        for place, (finding, made) in pool.done(witness, jobs.values()):
            number = list(jobs)[place]
            shown[number] = made
            if finding is not None and not finding.hasty:
                kept.found(alone[number].key, finding)
            advance(1, "", total)
        return self.report(self._with_witnesses(alone, shown, tallies))

    def _with_witnesses(
        self, alone: Sequence[Alone], shown: dict[int, Witness | None], tallies: dict[int, Tally]
    ) -> list[Difference]:
        found = [row.difference for row in self.rows]
        for number, one in enumerate(alone):
            whole = found[one.row]
            reading = evolve(
                whole.readings[one.reading],
                witness=shown.get(number),
                search=self._effort(one, tallies.get(number)),
            )
            readings = (*whole.readings[: one.reading], reading, *whole.readings[one.reading + 1 :])
            found[one.row] = evolve(whole, readings=readings)
        return found

    # -------------------------------------------------------------------- alone

    def _alone(self) -> list[Alone]:
        return [
            self._laid(number, reading, row.difference, units, on)
            for number, row in enumerate(self.rows)
            if not self.plan.only or row.difference.id in self.plan.only
            for reading, (units, on) in enumerate(zip(row.units, row.on, strict=True))
        ]

    def _laid(
        self, row: int, reading: int, difference: Difference, units: tuple[Unit, ...], on: tuple[Unit, ...]
    ) -> Alone:
        """Lay a reading on the first ruleset; with another one beside it, if it cannot stand without."""
        a = base = self.rulesets[0]
        if on and (tried := graft(a, on, overlay_name(on[0].target))).ruleset is not None:
            base = tried
            own = {unit.target for unit in units}
            units = (*(unit for unit in on if unit.target not in own), *units)

        def made(units: tuple[Unit, ...], loaded: Loaded | None, why: str = "") -> Alone:
            return Alone(row, reading, difference, units, loaded, base, why)

        if all(unit.kind == "name" for unit in difference.readings[reading].units):
            return made((), None)
        played = [unit for unit in units if not unit.target.startswith("names.")]
        idle = unread(a, played)
        if idle:
            return made((), None, self.say("diff_unread", figures=idle))
        if all(unit.target.startswith("invariant.") for unit in played):
            return made((), None, self.say("diff_only_tested"))
        if played and all(unit.target.startswith("total.") for unit in played):
            return made((), None, self.say("diff_only_compared"))
        laid = graft(a, units, GRAFT)
        if laid.ruleset is not None:
            return made(units, laid)
        others = self._others(row, difference.readings[reading].editions)
        texts = tuple(unit for _, other in others for unit in other if unit.target.startswith("names."))
        more = tuple(unit for unit in texts if unit not in units)
        if more and (tried := graft(a, (*units, *more), GRAFT)).ruleset is not None:
            return made((*units, *more), tried)  # something new wants its name
        for id, other in others:
            both = (*units, *other)
            if graft(a, other, GRAFT).ruleset is None and (tried := graft(a, both, GRAFT)).ruleset is not None:
                return made(both, tried, self.say("diff_taken_together", other=id))
        error = next(error for error in laid.diagnostics if error.severity is Severity.ERROR)
        return made((), None, self.say("diff_not_alone", message=error.message))

    def _others(self, row: int, editions: Sequence[int]) -> list[tuple[str, tuple[Unit, ...]]]:
        """The other differences of the same ruleset from the first."""
        return [
            (other.difference.id, units)
            for number, other in enumerate(self.rows)
            for reading, units in zip(other.difference.readings, other.units, strict=True)
            if number != row and set(editions) & set(reading.editions)
        ]

    def _job(self, one: Alone, hit: Hit, kept: Kept) -> Job:
        assert one.loaded is not None
        a, difference = self.rulesets[0], one.difference
        numbers = difference.readings[one.reading].editions
        components = _made(a).components
        known = {*components.ledger, *components.differences}
        cites = tuple(cite for cite in (difference.id, *difference.rules) if cite in known)
        about = f"{difference.id} alone, as in {self.editions[numbers[0]].ruleset}"
        files = overlay_files(one.units, a.name, overlay_name(difference.id), about, built_on(a, one.units))
        titles = self.editions[0].title, self.say.together([self.editions[number].title for number in numbers])
        others = tuple(source_of(self.rulesets[number]) for number in numbers)
        sources = source_of(one.base), source_of(one.loaded), others
        finding = kept.findings.get(one.key)
        return Job(
            *sources, hit, difference.id, difference.title, titles, cites, self.plan.lang, files, self.until, finding
        )

    def _effort(self, one: Alone, tally: Tally | None) -> Search | None:
        """How much was played; None where there was nothing to play for."""
        if tally is None:
            return Search(0, 0, 0.0, one.why) if one.why else None
        late = bool(self.until) and time.time() > self.until and not tally.games
        return Search(tally.games, tally.decisions, tally.seconds, self.say("diff_time_over") if late else one.why)


def compare(rulesets: Sequence[Loaded], pool: WorkerPool, plan: Plan, advance: Advance) -> DiffReport:
    """Compare rulesets of one game, each with the first."""
    found = Comparison(rulesets, plan)
    return found.play(pool, Kept(), advance) if plan.play else found.report()


def _made(loaded: Loaded) -> Ruleset:
    assert loaded.ruleset is not None
    return loaded.ruleset


def _sought(number: int, one: Alone) -> Sought:
    assert one.loaded is not None
    a = one.base
    wanted = tuple(drives(_made(a).components, ranks(a, one.units)))
    rounds = ROUNDS if one.difference.kind in PLAYED else FEWER
    return Sought(number, source_of(one.loaded), wanted, rounds, scored(a, one.units) or scored(one.loaded, one.units))


def overlay_name(id: str) -> str:
    """A name for the overlay of a difference: small letters, digits and underscores."""
    name = re.sub(r"[^a-z0-9]+", "_", id.lower()).strip("_")
    return name if name[:1].isalpha() else f"d_{name}"
