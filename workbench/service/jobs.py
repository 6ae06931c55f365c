"""Work that takes its time, as a stream of reports: games among bots, and a search for laws that break.

Each report says all that is known so far, so that whoever reads them may leave some out, and may stop at any.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from workbench.fuzz.campaign import WAVE, Campaign, Plan
from workbench.fuzz.playthrough import MAX_LENGTH
from workbench.fuzz.search import newly_broken
from workbench.fuzz.shrink import Shrinking, shrunk
from workbench.fuzz.task import task
from workbench.service.comparison import compared
from workbench.sim.games import GameRecord, play_one, setups
from workbench.sim.statistics import mean, rate
from workbench.support.ruleset_source import RulesetSource

REPORT_EVERY = 0.25  # seconds
MIN_GAMES = 30  # before anything is said of who wins
MAX_DOTS = 2000  # games that are reported one by one

Report = dict[str, Any]


def simulated(source: RulesetSource, kinds: Sequence[str], seed: int, games: int) -> Iterator[Report]:
    """Games among bots: for each seat how often it wins and by what, and how long games are, with intervals. Bots stay
    where they sit, so that what is told of a seat is told of its bot, too."""
    records: list[GameRecord] = []
    told = time.monotonic()
    for number in range(games):
        setup = next(iter(setups(source, kinds, seed, [number])))
        shift = number % len(kinds)  # a run moves everybody on by one seat a game: here nobody moves
        seats = (*setup.seats[shift:], *setup.seats[:shift])
        records.append(play_one(type(setup)(source, seats, setup.seed)))
        if time.monotonic() - told >= REPORT_EVERY:
            yield sim_report(records, kinds, games)
            told = time.monotonic()
    yield sim_report(records, kinds, games)


def sim_report(records: Sequence[GameRecord], kinds: Sequence[str], games: int) -> Report:
    finished = [record for record in records if record.finished]
    enough = len(finished) >= MIN_GAMES
    return {
        "games": len(records),
        "of": games,
        "enough": enough,
        "broken": next((record.error for record in records if record.error), ""),
        "seats": [
            {
                "seat": seat,
                "bot": kind,
                "wins": rate(sum(one.share(seat) for one in finished), len(finished)).data(),
                "points": mean([one.points(seat) for one in finished]).data(),
            }
            for seat, kind in enumerate(kinds)
        ],
        "length": mean([float(one.decisions) for one in finished]).data(),
        "dots": [
            {"seed": one.seed, "decisions": one.decisions, "points": [one.points(seat) for seat in range(len(kinds))],
             "winners": list(one.winners), "error": one.error}
            for one in records[-MAX_DOTS:]
        ],
    }  # fmt: skip


def searched(source: RulesetSource, players: Sequence[int], seed: int, games: int) -> Iterator[Report]:
    """A search for laws that break, as `warlock fuzz` makes it, in one process. Each finding is a short game."""
    campaign = Campaign(Plan(source, tuple(players), seed, MAX_LENGTH))
    findings: list[Report] = []
    while campaign.games < games:
        found = []
        for one in campaign.next_wave(min(WAVE, games - campaign.games)):
            found.append(task(one))
            yield fuzz_report(campaign, findings, games, len(found))
        campaign.absorb(found)
        for hit in newly_broken(found, campaign.known):
            assert hit.violation is not None and hit.transcript is not None
            yield fuzz_report(campaign, findings, games, 0)
            small = shrunk(Shrinking(source, hit.violation, hit.transcript, MAX_LENGTH))
            campaign.known |= {small.violation.key, hit.violation.key}
            line = small.transcript
            findings.append({
                "law": small.violation.law,
                "message": small.violation.message,
                "rule": small.violation.rule,
                "players": line.players,
                "seed": line.seed,
                "answers": [move.key for move in line.moves],
            })  # fmt: skip
        yield fuzz_report(campaign, findings, games, 0)


def fuzz_report(campaign: Campaign, findings: Sequence[Report], games: int, more: int) -> Report:
    return {
        "games": campaign.games + more,
        "of": games,
        "decisions": campaign.decisions,
        "features": len(campaign.features),
        "findings": list(findings),
    }


JOBS: Mapping[str, Callable[..., Iterator[Report]]] = {"sim": simulated, "fuzz": searched, "compare": compared}
