"""A search in waves: each wave of games is planned from what the waves before it have seen.

Games of one wave know nothing of each other, so that a search gives the same games on one core or on many, and goes on
where it was killed. A third of the games begin afresh. The others branch off from where something rare was: the most
that ever lay in a zone, an answer hardly ever given. Of these every other one only goes a little further.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections import Counter
from collections.abc import Sequence
from typing import Any

from attrs import frozen

from interpreter import chance
from workbench.fuzz.hunt import Hunt, Quarry
from workbench.fuzz.pilots import weighted
from workbench.fuzz.walk import Watch
from workbench.lab.recipe import Recipe
from workbench.seats import own_stream

WAVE = 12  # games
MOST_KEPT = 3000  # traits with a place to branch off from
REPLAYED = 16  # one game in so many is played again from its answers
PROBE = 60  # decisions beyond a spot that a short game goes on
NUMBERED = {"zone": 3, "variable": 1, "answer": 1}  # traits of which there is one family a name, and its weight
FRESH = ("even", "whims", "curious", "whims")  # who plays the games that begin afresh
BRANCHED = ("whims", "curious", "even", "curious")  # and those that branch off


@frozen
class Plan:
    """What a search is about, and what it depends on: equal plans give equal games."""

    recipe: Recipe
    players: tuple[int, ...]
    seed: int
    longest: int


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
        self.known: set[str] = set()
        self.seen: Counter[tuple[str, str]] = Counter()
        self.traits: Counter[tuple[str, ...]] = Counter()  # in how many games each was
        self.spots: dict[tuple[str, ...], Spot] = {}

    def next_wave(self, most: int) -> list[Hunt]:
        """The tasks of the next wave, at most so many."""
        return [self._task(self.games + place) for place in range(min(WAVE, most))]

    def _task(self, number: int) -> Hunt:
        plan = self.plan
        stream = own_stream(plan.seed, 0, number)
        stream, coin = chance.below(stream, 3)
        branch = self.spots and coin > 0
        pilots = BRANCHED if branch else FRESH
        pilot = pilots[number % len(pilots)]
        watch = Watch(replay=number % REPLAYED == 3, twins=number % REPLAYED == 5, longest=plan.longest)
        known = frozenset(self.known)
        if branch:
            spot = self._rare(stream)
            start, further = spot.answers, PROBE * (number % 2)
            players, seed = spot.players, spot.seed
        else:
            start, further = (), 0
            players, seed = plan.players[number % len(plan.players)], plan.seed * 100_000 + number
        return Hunt(plan.recipe, number, players, seed, pilot, start, further, dict(self.seen), known, watch)

    def _rare(self, stream: int) -> Spot:
        """A spot: any family of traits, zones first, and in it a trait, the likelier the fewer games had it."""
        families: dict[tuple[str, ...], list[tuple[str, ...]]] = {}
        for trait in self.spots:
            families.setdefault(trait[:2] if trait[0] in NUMBERED else trait[:1], []).append(trait)
        names = list(families)
        stream, place = weighted(stream, [NUMBERED.get(name[0], 1) for name in names])
        traits = families[names[place]]
        stream, place = weighted(stream, [1 + 1_000_000 // self.traits[trait] ** 2 for trait in traits])
        return self.spots[traits[place]]

    def absorb(self, found: Sequence[Quarry]) -> None:
        """Take in a wave, in the order of its games."""
        self.waves += 1
        for quarry in sorted(found, key=lambda one: one.number):
            self.games += 1
            self.decisions += len(quarry.answers)
            self.over += quarry.over
            self.seen.update(quarry.taken)
            self.traits.update(quarry.first.keys())
            for trait, after in quarry.first.items():
                self._keep(trait, quarry, after)

    def _keep(self, trait: tuple[str, ...], quarry: Quarry, after: int) -> None:
        """The shortest way to each trait is worth keeping. At the end of a game nothing is left to branch off to."""
        old = self.spots.get(trait)
        if quarry.over and after >= len(quarry.answers):
            return
        if old is None and len(self.spots) >= MOST_KEPT:
            return
        if old is None or after < len(old.answers):
            self.spots[trait] = Spot(quarry.players, quarry.seed, quarry.answers[:after])

    # ------------------------------------------------------------------ notebook

    def noted(self, found: Sequence[Quarry]) -> str:
        """A wave as a notebook keeps it: a text that has been packed, since most of it is said again and again."""
        games = [
            {
                "number": one.number,
                "players": one.players,
                "seed": one.seed,
                "answers": list(one.answers),
                "over": one.over,
                "first": [[*trait, after] for trait, after in one.first.items()],
                "taken": [[*pair, count] for pair, count in one.taken.items()],
            }
            for one in found
        ]
        return base64.b64encode(zlib.compress(json.dumps(games).encode())).decode()

    def recall(self, noted: str) -> None:
        """Take in a wave that an earlier run has finished."""
        games: list[dict[str, Any]] = json.loads(zlib.decompress(base64.b64decode(noted)))
        self.absorb(
            [
                Quarry(
                    one["number"],
                    one["players"],
                    one["seed"],
                    tuple(one["answers"]),
                    one["over"],
                    {tuple(entry[:-1]): entry[-1] for entry in one["first"]},
                    {(entry[0], entry[1]): entry[2] for entry in one["taken"]},
                )
                for one in games
            ]
        )
