"""Making a course short: fewer players, fewer decisions, fewer answers that matter, then a smaller seed.

The search is delta debugging on the answers. Leaving an answer out lets the later answers to the same question move up;
where none is left the first option is taken. So every candidate is a whole game, and what is kept is always a course
that was really played up to where it shows the thing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from attrs import define, evolve

from interpreter.state import random as chance
from workbench.transcripts.transcript import Move, Transcript

Trial = Callable[[Transcript], Transcript | None]
"""Follows a course and gives what was really played up to where the thing shows; None where it does not show."""

SEEDS = 24  # small seeds that are tried with the same answers
FIRST = ""  # the key of no option: the first one is taken


@define
class Budget:
    """How much trying there may be. Tries alone decide what is found; seconds only guard against slow games."""

    tries: int = 400
    seconds: float = 60.0

    def __attrs_post_init__(self) -> None:
        self._until = time.monotonic() + self.seconds

    _until: float = 0.0

    @property
    def left(self) -> bool:
        return self.tries > 0 and time.monotonic() < self._until

    def part(self, tries: int) -> Budget:
        """Some of what is left, as a budget of its own; it is taken off this one."""
        tries = min(tries, max(self.tries, 0))
        self.tries -= tries
        return Budget(tries, max(0.0, self._until - time.monotonic()))

    def spend(self) -> bool:
        """Whether one more try is allowed."""
        self.tries -= 1
        return self.tries >= 0 and time.monotonic() < self._until


def size(transcript: Transcript, needed: int) -> tuple[int, int, int, int]:
    """What makes a course simpler: players, decisions, how many of the answers are given at all, the seed."""
    return transcript.players, len(transcript.moves), needed, abs(transcript.seed)


def shrink(transcript: Transcript, shows: Trial, budget: Budget, min_players: int = 0) -> Transcript:
    """The simplest course found that shows the same. The one given must show it; it is given back if nothing helps.

    With `min_players` seats may be taken away, down to that number.
    """
    return _Shrinking(transcript, shows, budget, min_players or transcript.players).run()


class _Shrinking:
    def __init__(self, transcript: Transcript, shows: Trial, budget: Budget, minimum: int) -> None:
        self.best = transcript  # as it was played
        self.kept = transcript  # the answers that are given; the others are first options
        self.shows = shows
        self.budget = budget
        self.minimum = minimum
        self.tried: set[Transcript] = set()
        self._stream = chance.seeded(len(transcript.moves))

    def run(self) -> Transcript:
        before = None
        while before != (self.best, self.kept) and self.budget.left:
            before = (self.best, self.kept)
            self._cut()
            self._fewer_players()
            self._leave_out()
            self._turn()
            self._other_seeds()
            self._first_options()
        self._leaps()
        return self.best

    def _try(self, candidate: Transcript) -> bool:
        """Follow a candidate; keep it if it is simpler."""
        if candidate in self.tried or not self.budget.spend():
            return False
        self.tried.add(candidate)
        played = self.shows(candidate)
        if played is None:
            return False
        needed = sum(move.key != FIRST for move in candidate.moves)
        if size(played, needed) >= size(self.best, sum(move.key != FIRST for move in self.kept.moves)):
            return False
        self.best, self.kept = played, candidate
        return True

    def _cut(self) -> None:
        """Answers after the place where it shows are of no use; nor is the tail, perhaps, nor the beginning."""
        self._try(self.best)
        for share in (2, 4, 8):
            drop = len(self.kept.moves) // share
            self._try(evolve(self.kept, moves=self.kept.moves[: len(self.kept.moves) - drop]))
            self._try(evolve(self.kept, moves=self.kept.moves[drop:]))

    def _fewer_players(self) -> None:
        """Without one of the seats; those behind it move up, with their answers."""
        seat = 0
        while self.kept.players > self.minimum and seat < self.kept.players:
            moves = tuple(
                evolve(move, player=move.player - (move.player > seat))
                for move in self.kept.moves
                if move.player != seat
            )
            fewer = evolve(self.kept, players=self.kept.players - 1, moves=moves)
            seeds = (self.kept.seed, *range(4))
            seat = 0 if any(self._try(evolve(fewer, seed=seed)) for seed in seeds) else seat + 1

    def _leave_out(self) -> None:
        """Delta debugging: leave out ever smaller runs of answers."""
        width = max(1, len(self.kept.moves) // 2)
        while width >= 1:
            at = 0
            while at < len(self.kept.moves) and self.budget.left:
                moves = self.kept.moves
                if not self._try(evolve(self.kept, moves=moves[:at] + moves[at + width :])):
                    at += width
            width = width // 2 if width > 1 else 0

    def _turn(self) -> None:
        """Answers that end something early (stop, decline) in place of what was answered."""
        for at, move in self._turnable():
            for key in ("stop", "decline"):
                if move.key != key:
                    turned = (*self.best.moves[:at], evolve(move, key=key), *self.best.moves[at + 1 :])
                    if self._try(evolve(self.best, moves=turned)):
                        return

    def _turnable(self) -> Iterator[tuple[int, Move]]:
        asked = {move.question for move in self.best.moves if move.key in ("stop", "decline")}
        for at, move in enumerate(self.best.moves):
            if move.key.startswith("+") or move.question in asked:
                yield at, move

    def _other_seeds(self) -> None:
        for seed in range(SEEDS):
            if seed != self.best.seed:
                self._try(evolve(self.kept, seed=seed))

    def _first_options(self) -> None:
        """The first option in place of an answer, the later answers staying where they are."""
        for at, move in enumerate(self.kept.moves):
            if move.key != FIRST and at < len(self.kept.moves) and self.budget.left:
                moves = self.kept.moves
                self._try(evolve(self.kept, moves=(*moves[:at], evolve(moves[at], key=FIRST), *moves[at + 1 :])))

    # ------------------------------------------------------------------- leaps

    def _leaps(self) -> None:
        """What is left of the budget goes into jumps: several answers left out at once, with some other seed."""
        for _ in range(self.budget.tries):
            if not self.budget.left or not self.best.moves:
                return
            if self._try(self._leap()):
                self._leave_out()
                self._other_seeds()

    def _leap(self) -> Transcript:
        base = self.kept if self._below(2) else self.best
        share = 2 + self._below(9)
        moves = tuple(move for move in base.moves if self._below(share))
        if moves and self._below(2):  # one seat's answers for another
            a, b = self._below(base.players), self._below(base.players)
            other = {a: b, b: a}
            moves = tuple(evolve(move, player=other.get(move.player, move.player)) for move in moves)
        seed = self.kept.seed if self._below(2) else self._below(4 * SEEDS)
        return evolve(base, moves=moves, seed=seed)

    def _below(self, n: int) -> int:
        self._stream, found = chance.below(self._stream, n)
        return found
