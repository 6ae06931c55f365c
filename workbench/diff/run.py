"""The whole of a comparison: what is written otherwise, and for each difference a position that shows it."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence

from attrs import evolve, frozen

from warlock_dsl import Loaded, Severity, Unit, built_on, graft, overlay_files
from workbench.diff.bots import drives
from workbench.diff.model import PLAYED, Difference, DiffReport, Search, Witness
from workbench.diff.relevance import ranks, scored, unread
from workbench.diff.search import Hit, Sought, Tally, search
from workbench.diff.structure import Strand, documents, strands, titled
from workbench.diff.witness import Job, witness
from workbench.support.progress import Advance
from workbench.support.ruleset_source import source_of
from workbench.support.workers import WorkerPool

ROUNDS = 12  # of games for a difference that must show in play
FEWER = 3  # for one that the documents call a matter of words
GRAFT = "difference"  # what the overlay with a difference alone is called while it is tried


@frozen
class Alone:
    """A difference laid on the first ruleset by itself, or why it cannot be."""

    strand: Strand
    units: tuple[Unit, ...]
    loaded: Loaded | None
    why: str = ""


@frozen
class Plan:
    """How a comparison is made. Without `play` only what is written is compared. With `seconds` no game is begun after
    so long, and what is found depends on the clock."""

    seed: int = 0
    lang: str = "en"
    play: bool = True
    seconds: float = 0.0


def compare(a: Loaded, b: Loaded, pool: WorkerPool, plan: Plan, advance: Advance) -> DiffReport:
    """Compare two rulesets of one game."""
    began = time.monotonic()
    assert a.ruleset is not None and b.ruleset is not None
    found = strands(a, b)
    differences = [strand.difference for strand in found]
    if plan.play:
        differences = _played(a, b.ruleset.name, found, pool, plan, advance)
    return DiffReport(
        game=a.name,
        title=titled(a.ruleset.components),
        old=a.ruleset.name,
        new=b.ruleset.name,
        old_hash=a.ruleset.hash,
        new_hash=b.ruleset.hash,
        documents=documents(a.ruleset),
        differences=tuple(differences),
        seed=plan.seed,
        seconds=time.monotonic() - began,
    )


def _played(
    a: Loaded, new: str, found: Sequence[Strand], pool: WorkerPool, plan: Plan, advance: Advance
) -> list[Difference]:
    """Every difference with what playing showed of it."""
    alone = [_alone(a, strand, found) for strand in found]
    sought = [_sought(a, number, one) for number, one in enumerate(alone) if one.loaded is not None]
    hits, tallies = search(pool, source_of(a), sought, plan.seed, plan.seconds, advance)
    jobs = {number: _job(a, new, alone[number], hit, plan.lang) for number, hit in sorted(hits.items())}
    shown: dict[int, Witness | None] = {}
    for place, made in pool.done(witness, jobs.values()):
        shown[list(jobs)[place]] = made
        advance(1, "shortening")
    return [
        evolve(one.strand.difference, witness=shown.get(number), search=_effort(one, tallies.get(number)))
        for number, one in enumerate(alone)
    ]


# ------------------------------------------------------------------------ alone


def _alone(a: Loaded, strand: Strand, found: Sequence[Strand]) -> Alone:
    """Lay a difference on the first ruleset; with another one beside it, if it cannot stand without."""
    if all(unit.kind == "name" for unit in strand.difference.units):
        return Alone(strand, (), None)
    played = [unit for unit in strand.units if not unit.target.startswith("names.")]
    idle = unread(a, played)
    if idle:
        return Alone(strand, (), None, f"no rule reads {idle}")
    if all(unit.target.startswith("invariant.") for unit in played):
        return Alone(strand, (), None, "an invariant is tested and decides nothing")
    made = graft(a, strand.units, GRAFT)
    if made.ruleset is not None:
        return Alone(strand, strand.units, made)
    texts = tuple(unit for other in found for unit in other.units if unit.target.startswith("names."))
    more = tuple(unit for unit in texts if unit not in strand.units)
    if more and (tried := graft(a, (*strand.units, *more), GRAFT)).ruleset is not None:
        return Alone(strand, (*strand.units, *more), tried)  # something new wants its name
    for other in found:
        if other is strand:
            continue
        both = (*strand.units, *other.units)
        if graft(a, other.units, GRAFT).ruleset is None and (tried := graft(a, both, GRAFT)).ruleset is not None:
            return Alone(strand, both, tried, f"taken together with {other.difference.id}: neither stands alone")
    error = next(error for error in made.diagnostics if error.severity is Severity.ERROR)
    return Alone(strand, (), None, f"it cannot be taken alone: {error.message}")


def _sought(a: Loaded, number: int, one: Alone) -> Sought:
    assert one.loaded is not None and a.ruleset is not None
    wanted = tuple(drives(a.ruleset.components, ranks(a, one.units)))
    rounds = ROUNDS if one.strand.difference.kind in PLAYED else FEWER
    return Sought(number, source_of(one.loaded), wanted, rounds, scored(a, one.units) or scored(one.loaded, one.units))


def _job(a: Loaded, new: str, one: Alone, hit: Hit, lang: str) -> Job:
    assert one.loaded is not None and a.ruleset is not None
    difference = one.strand.difference
    components = a.ruleset.components
    known = {*components.ledger, *components.differences}
    cites = tuple(cite for cite in (difference.id, *difference.rules) if cite in known)
    about = f"{difference.id} alone, as in {new}"
    files = overlay_files(one.units, a.name, overlay_name(difference.id), about, built_on(a, one.units))
    names = a.ruleset.name, f"{difference.id} as in {new}"
    return Job(source_of(a), source_of(one.loaded), hit, difference.id, difference.title, names, cites, lang, files)


def _effort(one: Alone, tally: Tally | None) -> Search | None:
    """How much was played; None where there was nothing to play for."""
    if tally is None:
        return Search(0, 0, 0.0, one.why) if one.why else None
    return Search(tally.games, tally.decisions, tally.seconds, one.why)


def overlay_name(id: str) -> str:
    """A name for the overlay of a difference: small letters, digits and underscores."""
    name = re.sub(r"[^a-z0-9]+", "_", id.lower()).strip("_")
    return name if name[:1].isalpha() else f"d_{name}"
