"""A violation made small: the shortest game found in which the same law breaks, as a task that any process can do."""

from __future__ import annotations

from collections import Counter

from attrs import frozen

from interpreter import Game
from interpreter.state import random as chance
from warlock_dsl import Ruleset
from workbench.fuzz.bots import weighted
from workbench.fuzz.nontermination import shortest_nontermination
from workbench.fuzz.playthrough import Playthrough, follow, watch_for
from workbench.fuzz.violation import Violation
from workbench.players.base import own_stream
from workbench.support.ruleset_source import RulesetSource
from workbench.transcripts.piece_names import piece_names
from workbench.transcripts.shrink import Budget, shrink
from workbench.transcripts.transcript import Transcript, question_of

TRIES = 600
SECONDS = 60.0
SHARES = (25, 15, 10)  # hundredths of the tries that go into each turn, both ways
LEEWAY = 2  # how much longer a game may be that has fewer players


@frozen
class Shrinking:
    """A violation as it was found, to be made small."""

    source: RulesetSource
    violation: Violation
    transcript: Transcript
    max_length: int
    tries: int = TRIES
    seconds: float = SECONDS


@frozen
class Small:
    """The same violation in the shortest game found. `tries` is how many games that took."""

    violation: Violation
    transcript: Transcript
    before: int  # decisions of the game it was found in
    tries: int


class Reproduction:
    """A trial for the shrinker: whether following a course breaks the same law, in no more decisions than the best."""

    def __init__(self, ruleset: Ruleset, violation: Violation, transcript: Transcript) -> None:
        self.ruleset = ruleset
        self.key = violation.key
        self.violation = violation
        self.players, self.length = transcript.players, len(transcript.moves)
        self.tries = 0

    def __call__(self, transcript: Transcript) -> Transcript | None:
        self.tries += 1
        max_length = max(1, self.length * (LEEWAY if transcript.players < self.players else 1))
        walk = follow(self.ruleset, transcript, watch_for(self.violation, max_length))
        if walk.violation is None or walk.violation.key != self.key:
            return None
        played = walk.transcript
        if (played.players, len(played.moves)) < (self.players, self.length):
            self.players, self.length = played.players, len(played.moves)
        return played


def shrunk(task: Shrinking) -> Small:
    """The smallest game found that breaks the same law. What cannot be made to break again is given back as it is."""
    ruleset = task.source.ruleset()
    before = len(task.transcript.moves)
    if task.violation.law == "ends":
        transcript, tries = shortest_nontermination(ruleset, task.transcript, task.max_length)
        return Small(task.violation, transcript, before, tries)
    trial = Reproduction(ruleset, task.violation, task.transcript)
    transcript = _smaller(ruleset, task, trial)
    again = follow(ruleset, transcript, watch_for(task.violation, max(1, len(transcript.moves))))
    if again.violation is None or again.violation.key != task.violation.key:
        return Small(task.violation, task.transcript, before, trial.tries)
    return Small(again.violation, transcript, before, trial.tries)


def _smaller(ruleset: Ruleset, task: Shrinking, trial: Reproduction) -> Transcript:
    """By turns games are played in the manner of the best, and answers are left out of the best."""
    budget = Budget(task.tries, task.seconds)
    sampler = Sampler(ruleset, task.violation)
    transcript, minimum = task.transcript, ruleset.components.min_players
    for share in SHARES:
        if not budget.left:
            break
        transcript = _sampled(sampler, trial, transcript, minimum, budget, task.tries * share // 100)
        transcript = shrink(transcript, trial, budget.part(task.tries * share // 100), minimum)
    return transcript


def _sampled(
    sampler: Sampler, trial: Reproduction, transcript: Transcript, minimum: int, budget: Budget, tries: int
) -> Transcript:
    sampler.imitate(transcript)
    for _ in range(tries):
        players = minimum if transcript.players > minimum else transcript.players
        max_length = len(transcript.moves) * LEEWAY if players < transcript.players else len(transcript.moves) - 1
        if max_length < 1 or not budget.spend():
            break
        trial.tries += 1
        found = sampler.sample(players, max_length)
        if found is not None:
            transcript = found
            sampler.imitate(transcript)
            trial.players, trial.length = transcript.players, len(transcript.moves)
    return transcript


ELITE = 4  # games that are imitated
WEIGHT = 40  # of an answer that all of them gave, beside 1 for one that none gave


class Sampler:
    """Looks for games in which the same law breaks, in fewer decisions."""

    def __init__(self, ruleset: Ruleset, violation: Violation) -> None:
        self.ruleset = ruleset
        self.violation, self.key = violation, violation.key
        self.elite: list[Transcript] = []
        self.number = 0
        self._given: dict[str, Counter[str]] = {}

    def imitate(self, transcript: Transcript) -> None:
        """Imitate this game, too; the shortest are kept."""
        self.elite = sorted([transcript, *self.elite], key=lambda one: len(one.moves))[:ELITE]
        self._given = {}
        for one in self.elite:
            for move in one.moves:
                self._given.setdefault(move.question, Counter())[self._like(move.key)] += 1

    def sample(self, players: int, max_length: int) -> Transcript | None:
        """One game; what was played up to the violation, if there is one within the limit of decisions."""
        self.number += 1
        walk = Playthrough(self.ruleset, players, self.number - 1, watch_for(self.violation, max_length))
        self._stream = own_stream(self.number, players, max_length)
        while (game := walk.standing) is not None:
            walk.choose(self._pick(game))
        if walk.violation is None or walk.violation.key != self.key:
            return None
        return walk.transcript

    def _pick(self, game: Game) -> int:
        decision = game.decision
        assert decision is not None
        given = self._given.get(question_of(decision))
        if given is None:
            self._stream, number = chance.below(self._stream, len(decision.options))
            return number
        total = given.total()
        likes = [self._like(option.key) for option in decision.options]
        alike = Counter(likes)
        weights = [1000 * (total + WEIGHT * given[like]) // (total * alike[like]) for like in likes]
        self._stream, number = weighted(self._stream, weights)
        return number

    def _like(self, key: str) -> str:
        return piece_names(self.ruleset, key) or key
