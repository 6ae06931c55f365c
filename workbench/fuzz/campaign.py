"""A search in waves: each wave of games is planned from what the waves before it have seen.

Games of one wave know nothing of each other, so that a search gives the same games on one core or on many, and goes on
where it was killed. A third of the games begin afresh. The others branch off from where something rare was: the most
that ever lay in a zone, an answer hardly ever given. Of these every other one only goes a little further.
"""

from __future__ import annotations

import base64
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from attrs import frozen

from interpreter.state import random as chance
from workbench.fuzz.bots import weighted
from workbench.fuzz.goals import goals_of
from workbench.fuzz.law_tests import ENOUGH
from workbench.fuzz.playthrough import Watch
from workbench.fuzz.task import FuzzTask, Quarry
from workbench.players.base import own_stream
from workbench.support.packed import DamagedError, checked, fits, pack, unpack
from workbench.support.ruleset_source import RulesetSource

WAVE = 12  # games
MAX_KEPT = 3000  # traits with a place to branch off from
REPLAYED = 16  # one game in this many is played again from its answers
FAMILIAR = 200  # times a question was asked in the waves before, which makes it nothing new
COUNTED = 8  # in one of this many it is counted how often each law is tested, which only the plain machine can
SELDOM = 64  # and in one of this many once enough have been counted
PROBE = 60  # decisions beyond a spot that a short game goes on
NUMBERED = {"zone": 3, "variable": 1, "answer": 1}  # traits of which there is one family a name, and its weight
FRESH = ("even", "whims", "curious", "whims")  # who plays the games that begin afresh
BRANCHED = ("whims", "curious", "even", "curious")  # and those that branch off


GAME = {
    "number": int,
    "players": int,
    "seed": int,
    "answers": [str],
    "over": bool,
    "first": [list],
    "taken": [(str, str, int)],
    "deals": int,
    "dropped": int,
    "counted": bool,
    "tested": [(str, int)],
    "opening": [str],
    "closing": [str],
    "reached": [(str, int)],
    "wanted": [str],
}
"""The shape of a game in a checkpoint."""


@frozen
class Plan:
    """What a search is about, and what it depends on: equal plans give equal games."""

    source: RulesetSource
    players: tuple[int, ...]
    seed: int
    max_length: int


@frozen
class Spot:
    """A place to branch off from: the game up to there."""

    players: int
    seed: int
    answers: tuple[str, ...]


class Campaign:
    """What has been seen so far, and the next wave."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.waves = 0
        self.games = 0
        self.decisions = 0
        self.over = 0
        self.deals = self.dropped = 0
        self.counted = 0  # games in which it was counted how often each law was tested
        self.law_tests: Counter[str] = Counter()
        self.law_games: Counter[str] = Counter()
        self.goals = goals_of(plan.source.ruleset())
        self.sought: Counter[str] = Counter()  # games that were looked through for what is sometimes so, by name
        self.reached: Counter[str] = Counter()  # and of them those in which it was so
        self.always: Counter[str] = Counter()  # of them those in which it was from the start, or at the end
        self.ways: dict[str, Spot] = {}  # the shortest way to each
        self.known: set[str] = set()
        self.seen: Counter[tuple[str, str]] = Counter()
        self.features: Counter[tuple[str, ...]] = Counter()  # in how many games each was
        self.spots: dict[tuple[str, ...], Spot] = {}

    def next_wave(self, maximum: int) -> list[FuzzTask]:
        """The tasks of the next wave, at most `maximum`."""
        return [self._task(self.games + place) for place in range(min(WAVE, maximum))]

    def _task(self, number: int) -> FuzzTask:
        plan = self.plan
        stream = own_stream(plan.seed, 0, number)
        stream, coin = chance.below(stream, 3)
        branch = self.spots and coin > 0
        bots = BRANCHED if branch else FRESH
        bot = bots[number % len(bots)]
        replay, twins = number % REPLAYED == 3, number % (COUNTED if self.counted < ENOUGH else SELDOM) == 5
        watch = Watch(replay=replay, twins=twins, max_length=plan.max_length, familiar=self._familiar())
        known = frozenset(self.known)
        if branch:
            spot = self._rare(stream)
            start, further = spot.answers, PROBE * (number % 2)
            players, seed = spot.players, spot.seed
        else:
            start, further = (), 0
            players, seed = plan.players[number % len(plan.players)], plan.seed * 100_000 + number
        wanted = frozenset(one.name for one in self.goals if twins or one.name not in self.ways)
        seen = dict(self.seen)
        return FuzzTask(plan.source, number, players, seed, bot, start, further, seen, known, watch, wanted)

    def _familiar(self) -> frozenset[str]:
        """Questions that have been asked so often that what is hidden has been dealt anew there many times."""
        asked: Counter[str] = Counter()
        for (question, _), times in self.seen.items():
            asked[question] += times
        return frozenset(question for question, times in asked.items() if times >= FAMILIAR)

    def _rare(self, stream: int) -> Spot:
        """A spot: any family of traits, zones first, and in it a trait, the likelier the fewer games had it."""
        families: dict[tuple[str, ...], list[tuple[str, ...]]] = {}
        for feature in self.spots:
            families.setdefault(feature[:2] if feature[0] in NUMBERED else feature[:1], []).append(feature)
        names = list(families)
        stream, place = weighted(stream, [NUMBERED.get(name[0], 1) for name in names])
        features = families[names[place]]
        stream, place = weighted(stream, [1 + 1_000_000 // self.features[feature] ** 2 for feature in features])
        return self.spots[features[place]]

    def absorb(self, found: Sequence[Quarry]) -> None:
        """Take in a wave, in the order of its games."""
        self.waves += 1
        for quarry in sorted(found, key=lambda one: one.number):
            self.games += 1
            self.decisions += len(quarry.answers)
            self.over += quarry.over
            self.deals += quarry.deals
            self.dropped += quarry.dropped
            if quarry.tested is not None:
                self.counted += 1
                self.law_tests.update(quarry.tested)
                self.law_games.update(name for name, times in quarry.tested.items() if times)
            self._reach(quarry)
            self.seen.update(quarry.taken)
            self.features.update(quarry.first.keys())
            for feature, after in quarry.first.items():
                self._keep(feature, quarry, after)

    def _reach(self, quarry: Quarry) -> None:
        for one in self.goals:
            name = one.name
            self.always[name] += name in (quarry.closing if one.ending else quarry.opening)
            sought = quarry.over if one.ending else name in quarry.wanted
            self.sought[name] += sought
            if (after := quarry.reached.get(name)) is None:
                continue
            self.reached[name] += sought
            if name not in self.ways or after < len(self.ways[name].answers):
                self.ways[name] = Spot(quarry.players, quarry.seed, quarry.answers[:after])

    def _keep(self, feature: tuple[str, ...], quarry: Quarry, after: int) -> None:
        """The shortest way to each trait is worth keeping. At the end of a game nothing is left to branch off to."""
        old = self.spots.get(feature)
        if quarry.over and after >= len(quarry.answers):
            return
        if old is None and len(self.spots) >= MAX_KEPT:
            return
        if old is None or after < len(old.answers):
            self.spots[feature] = Spot(quarry.players, quarry.seed, quarry.answers[:after])

    # ------------------------------------------------------------------ checkpoint

    def noted(self, found: Sequence[Quarry]) -> str:
        """A wave as a checkpoint keeps it: a text that has been packed, since most of it is said again and again."""
        games = [
            {
                "number": one.number,
                "players": one.players,
                "seed": one.seed,
                "answers": list(one.answers),
                "over": one.over,
                "deals": one.deals,
                "dropped": one.dropped,
                "counted": one.tested is not None,
                "tested": [[name, times] for name, times in (one.tested or {}).items()],
                "opening": list(one.opening),
                "closing": list(one.closing),
                "wanted": sorted(one.wanted),
                "reached": [[name, after] for name, after in one.reached.items()],
                "first": [[*feature, after] for feature, after in one.first.items()],
                "taken": [[*pair, count] for pair, count in one.taken.items()],
            }
            for one in found
        ]
        return base64.b64encode(pack(games)).decode()

    def recall(self, noted: str) -> None:
        """Take in a wave that an earlier run has finished."""
        self.absorb(self.games_of(noted))

    def games_of(self, noted: str) -> list[Quarry]:
        """The games of a wave that a checkpoint keeps, which may be a stranger's."""
        try:
            content = base64.b64decode(noted, validate=True)
        except ValueError:
            raise DamagedError("it is not packed") from None
        games = checked(unpack(content), [GAME])
        if len(games) > WAVE or not all(self._possible(one) for one in games):
            raise DamagedError("it holds a game that cannot be")
        return [
            Quarry(
                one["number"],
                one["players"],
                one["seed"],
                tuple(one["answers"]),
                one["over"],
                {tuple(entry[:-1]): entry[-1] for entry in one["first"]},
                {(entry[0], entry[1]): entry[2] for entry in one["taken"]},
                deals=one["deals"],
                dropped=one["dropped"],
                tested=dict(one["tested"]) if one["counted"] else None,
                opening=tuple(one["opening"]),
                closing=tuple(one["closing"]),
                reached=dict(one["reached"]),
                wanted=frozenset(one["wanted"]),
            )
            for one in games
        ]

    def _possible(self, game: Mapping[str, Any]) -> bool:
        features = (fits(entry[:-1], [str]) and fits(entry[-1:], (int,)) for entry in game["first"])
        return (
            game["players"] in self.plan.players
            and len(game["answers"]) <= self.plan.max_length
            and all(features)
            and all(len(entry) > 1 and 0 <= entry[-1] <= len(game["answers"]) for entry in game["first"])
            and all(count >= 0 for *_, count in game["taken"])
            and 0 <= game["dropped"] <= game["deals"]
            and all(0 <= after <= len(game["answers"]) for _, after in game["reached"])
        )
