"""Runs a campaign: wave after wave on all cores, each new breach made small, written down, then told."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from attrs import field, frozen

from warlock_dsl.ruleset import Loaded, Ruleset
from workbench.fuzz.breach import Breach
from workbench.fuzz.campaign import WAVE, Campaign, Plan
from workbench.fuzz.findings import Finding, finding_of, write
from workbench.fuzz.hunt import Quarry, hunt
from workbench.fuzz.shrinking import Shrinking, Small, shrunk
from workbench.lab.crew import Crew
from workbench.lab.notebook import Notebook

NOTEBOOK = "notebook.jsonl"


@frozen
class Limits:
    """When a search is over: after so many games or seconds (0: no such limit), or at the first finding."""

    games: int = 0
    seconds: float = 0.0
    first: bool = False  # one finding is enough


@frozen
class Searched:
    """What a search came to. `findings` has the data of each, in the order they were found."""

    games: int
    decisions: int
    over: int
    traits: int
    seconds: float
    findings: list[dict[str, Any]] = field(factory=list)

    def data(self) -> dict[str, Any]:
        return {
            "games": self.games,
            "decisions": self.decisions,
            "games_over": self.over,
            "traits": self.traits,
            "seconds": round(self.seconds, 1),
            "findings": self.findings,
        }


Told = Callable[[Finding | None, dict[str, Any]], None]
"""Told of each finding when it is safely on the disk; the finding itself is None if an earlier run made it."""


class Search:
    """A search for broken laws, in a folder where findings are kept; with a notebook it can be killed and goes on."""

    def __init__(self, loaded: Loaded, plan: Plan, folder: Path, keep: bool) -> None:
        assert loaded.ruleset is not None
        self.ruleset: Ruleset = loaded.ruleset
        self.sources = loaded.sources
        self.campaign = Campaign(plan)
        self.plan = plan
        self.folder = folder
        self.keep = keep
        self.findings: list[dict[str, Any]] = []

    def run(self, crew: Crew, limits: Limits, told: Told, advance: Callable[[int, str], None]) -> Searched:
        began = time.monotonic()
        campaign = self.campaign
        with ExitStack() as stack:
            book = stack.enter_context(self._notebook()) if self.keep else None
            self._recall(book, told, advance)
            while self._goes_on(limits, time.monotonic() - began):
                tasks = campaign.next_wave(limits.games - campaign.games if limits.games else WAVE)
                found = crew.all(hunt, tasks)
                self._wave(crew, found, book, told, began)
                advance(len(found), f"{len(campaign.traits)} traits, {len(self.findings)} findings")
        seconds = time.monotonic() - began
        over, traits = campaign.over, len(campaign.traits)
        return Searched(campaign.games, campaign.decisions, over, traits, seconds, self.findings)

    def _goes_on(self, limits: Limits, seconds: float) -> bool:
        if limits.first and self.findings:
            return False
        if limits.games and self.campaign.games >= limits.games:
            return False
        return not limits.seconds or seconds < limits.seconds

    def _wave(self, crew: Crew, found: list[Quarry], book: Notebook | None, told: Told, began: float) -> None:
        """Take in the games of a wave; a finding is written first, then noted, then told."""
        campaign = self.campaign
        number = campaign.waves
        campaign.absorb(found)
        fresh = newly_broken(found, campaign.known)
        made = []
        since = time.monotonic()
        for task, small in zip(fresh, self._shrunk(crew, fresh), strict=True):
            finding = finding_of(self.ruleset, small, task.number, since - began, time.monotonic() - since)
            files = write(self.folder, self.ruleset, finding, self.sources)
            data = {**finding.data(), "key": finding.breach.key, **files}
            campaign.known |= {small.breach.key}
            if task.breach is not None:
                campaign.known |= {task.breach.key}
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

    def _shrunk(self, crew: Crew, fresh: list[Quarry]) -> list[Small]:
        tasks = []
        for quarry in fresh:
            assert quarry.breach is not None and quarry.course is not None
            tasks.append(Shrinking(self.plan.recipe, quarry.breach, quarry.course, self.plan.longest))
        return crew.all(shrunk, tasks)

    # ------------------------------------------------------------------ notebook

    def _notebook(self) -> Notebook:
        self.folder.mkdir(parents=True, exist_ok=True)
        heading = {
            "search": 1,
            "ruleset": self.ruleset.name,
            "hash": self.ruleset.hash,
            "players": list(self.plan.players),
            "seed": self.plan.seed,
            "longest": self.plan.longest,
        }
        return Notebook(self.folder / NOTEBOOK, heading)

    def _recall(self, book: Notebook | None, told: Told, advance: Callable[[int, str], None]) -> None:
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
        breach: Breach | None = quarry.breach
        if breach is None or quarry.course is None or breach.key in known:
            continue
        other = best.get(breach.key)
        if other is None or other.course is None or len(quarry.course.moves) < len(other.course.moves):
            best[breach.key] = quarry
    return list(best.values())
