"""Runs a campaign: wave after wave on all cores, each new violation made small, written down, then told."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from attrs import field, frozen

from warlock_dsl import Loaded, Ruleset
from workbench.fuzz.campaign import WAVE, Campaign, Plan
from workbench.fuzz.findings import FINDING, Finding, finding_of, write, write_witness
from workbench.fuzz.goals import PREFIX, WITNESS_TRIES, Reached
from workbench.fuzz.law_tests import LawTests, law_names
from workbench.fuzz.shrink import Shrinking, Small, shrunk
from workbench.fuzz.task import Quarry, task
from workbench.fuzz.violation import Violation
from workbench.support.checkpoint import Checkpoint
from workbench.support.packed import checked
from workbench.support.progress import Advance
from workbench.support.run_file import written
from workbench.support.workers import WorkerPool
from workbench.transcripts.transcript import Transcript, transcript_of

CHECKPOINT = "checkpoint.jsonl"
WAVE_SHAPE = {"games": str, "findings": [FINDING], "known": [str]}  # of a wave in a checkpoint


@frozen
class Limits:
    """When a search is over: after a number of games or seconds (0: no limit), or at the first finding."""

    games: int = 0
    seconds: float = 0.0
    first: bool = False  # one finding is enough


@frozen
class Searched:
    """What a search came to. `findings` has the data of each, in the order they were found."""

    games: int
    decisions: int
    over: int
    features: int
    seconds: float
    findings: list[dict[str, Any]] = field(factory=list)
    deals: int = 0  # how often what is hidden was dealt anew, and how often no such deal could be
    dropped: int = 0
    tests: LawTests = field(factory=lambda: LawTests((), 0))
    goals: tuple[Reached, ...] = ()

    @property
    def broken(self) -> bool:
        """Whether there is anything to mend: a broken law, or one that says nothing."""
        return bool(self.findings or self.tests.found or any(one.found for one in self.goals))

    def data(self) -> dict[str, Any]:
        return {
            "games": self.games,
            "decisions": self.decisions,
            "games_over": self.over,
            "traits": self.features,
            "deals": self.deals,
            "deals_dropped": self.dropped,
            "seconds": round(self.seconds, 1),
            **self.tests.data(),
            "sometimes": [one.data() for one in self.goals],
            "findings": self.findings,
        }


Told = Callable[[Finding | None, dict[str, Any]], None]
"""Told of each finding when it is safely on the disk; the finding itself is None if an earlier run made it."""


class Search:
    """A search for broken laws, in a folder where findings are kept; with a checkpoint it can be killed and goes on."""

    def __init__(self, loaded: Loaded, plan: Plan, folder: Path, keep: bool) -> None:
        assert loaded.ruleset is not None
        self.ruleset: Ruleset = loaded.ruleset
        self.sources = loaded.sources
        self.campaign = Campaign(plan)
        self.plan = plan
        self.folder = folder
        self.keep = keep
        self.findings: list[dict[str, Any]] = []
        self.limits = Limits()

    def run(self, pool: WorkerPool, limits: Limits, told: Told, advance: Advance) -> Searched:
        began = time.monotonic()
        campaign = self.campaign
        self.limits = limits
        with ExitStack() as stack:
            book = stack.enter_context(self._checkpoint()) if self.keep else None
            self._recall(book, told, advance)
            while self._goes_on(limits, time.monotonic() - began):
                tasks = campaign.next_wave(limits.games - campaign.games if limits.games else WAVE)
                found = pool.all(task, tasks)
                self._wave(pool, found, book, told, began)
                advance(len(found), f"{len(campaign.features)} traits, {len(self.findings)} findings")
        seconds = time.monotonic() - began
        goals = self._goals(pool)
        over, features = campaign.over, len(campaign.features)
        deals, dropped = campaign.deals, campaign.dropped
        tests = LawTests(law_names(self.ruleset), campaign.counted, campaign.law_tests, campaign.law_games)
        return Searched(
            campaign.games, campaign.decisions, over, features, seconds, self.findings, deals, dropped, tests, goals
        )

    def _goals(self, pool: WorkerPool) -> tuple[Reached, ...]:
        """What is sometimes so, with the shortest game found that shows it; on the disk where findings are kept."""
        campaign = self.campaign
        ways = {
            name: transcript_of(self.ruleset, spot.players, spot.seed, spot.answers)
            for name, spot in campaign.ways.items()
        }
        shorter = pool.all(shrunk, [self._witness(name, way) for name, way in ways.items()])
        ways = {name: small.transcript for name, small in zip(ways, shorter, strict=True)}
        found = []
        for one in campaign.goals:
            name, way = one.name, ways.get(one.name)
            files = (
                write_witness(self.folder, self.ruleset, PREFIX + name, way) if way is not None and self.keep else {}
            )
            games, in_games, always = (count[name] for count in (campaign.sought, campaign.reached, campaign.always))
            found.append(Reached(name, one.ending, games, in_games, campaign.games, always, way, files))
        return tuple(found)

    def _witness(self, name: str, way: Transcript) -> Shrinking:
        reached = Violation(PREFIX + name, "reached")
        return Shrinking(self.plan.source, reached, way, self.plan.max_length, WITNESS_TRIES)

    def so_far(self) -> str:
        """What has been done, in words."""
        games, findings = self.campaign.games, len(self.findings)
        of = f" of {self.limits.games}" if self.limits.games else ""
        return f"{games}{of} games, {findings} {'finding' if findings == 1 else 'findings'}"

    def _goes_on(self, limits: Limits, seconds: float) -> bool:
        if limits.first and self.findings:
            return False
        if limits.games and self.campaign.games >= limits.games:
            return False
        return not limits.seconds or seconds < limits.seconds

    def _wave(self, pool: WorkerPool, found: list[Quarry], book: Checkpoint | None, told: Told, began: float) -> None:
        """Take in the games of a wave; a finding is written first, then noted, then told."""
        campaign = self.campaign
        number = campaign.waves
        campaign.absorb(found)
        fresh = newly_broken(found, campaign.known)
        made = []
        since = time.monotonic()
        for hit, small in zip(fresh, self._shrunk(pool, fresh), strict=True):
            finding = finding_of(self.ruleset, small, hit.number, since - began, time.monotonic() - since)
            files = write(self.folder, self.ruleset, finding, self.sources)
            data = {**finding.data(), "key": finding.violation.key, **files}
            campaign.known |= {small.violation.key}
            if hit.violation is not None:
                campaign.known |= {hit.violation.key}
            self.findings.append(data)
            made.append((finding, data))
        if book is not None:
            known = sorted(campaign.known)
            book.note(
                f"wave {number}",
                {"games": campaign.noted(found), "findings": [data for _, data in made], "known": known},
            )
        for finding, data in made:
            told(finding, data)

    def _shrunk(self, pool: WorkerPool, fresh: list[Quarry]) -> list[Small]:
        tasks = []
        for quarry in fresh:
            assert quarry.violation is not None and quarry.transcript is not None
            tasks.append(Shrinking(self.plan.source, quarry.violation, quarry.transcript, self.plan.max_length))
        return pool.all(shrunk, tasks)

    # ------------------------------------------------------------------ checkpoint

    def _checkpoint(self) -> Checkpoint:
        with written(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)
        heading = {
            "search": 4,
            "ruleset": self.ruleset.name,
            "hash": self.ruleset.hash,
            "players": list(self.plan.players),
            "seed": self.plan.seed,
            "longest": self.plan.max_length,
        }
        return Checkpoint(self.folder / CHECKPOINT, heading, self._read_wave)

    def _read_wave(self, key: str, data: object) -> Any:
        """What a checkpoint has for a wave, if a search writes such: it may be a stranger's."""
        found = checked(data, WAVE_SHAPE)
        self.campaign.games_of(found["games"])
        return found

    def _recall(self, book: Checkpoint | None, told: Told, advance: Advance) -> None:
        """Take over every wave that an earlier run has finished."""
        while book is not None and (noted := book.done.get(f"wave {self.campaign.waves}")) is not None:
            before = self.campaign.games
            self.campaign.recall(noted["games"])
            self.campaign.known = set(noted["known"])
            for data in noted["findings"]:
                self.findings.append(data)
                told(None, data)
            advance(self.campaign.games - before, "taken over")


def newly_broken(found: list[Quarry], known: set[str]) -> list[Quarry]:
    """Of each law that was not known to be broken the shortest game of a wave that breaks it."""
    best: dict[str, Quarry] = {}
    for quarry in found:
        violation: Violation | None = quarry.violation
        if violation is None or quarry.transcript is None or violation.key in known:
            continue
        other = best.get(violation.key)
        if other is None or other.transcript is None or len(quarry.transcript.moves) < len(other.transcript.moves):
            best[violation.key] = quarry
    return list(best.values())
