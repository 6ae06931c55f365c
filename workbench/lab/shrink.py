"""Making a course short: fewer decisions first, then fewer answers that matter, then a smaller seed.

The search is delta debugging on the answers. Leaving an answer out means that the first option is taken there, so every
candidate is a whole game; what is kept is always a course that was really played up to where it shows the thing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from attrs import define, evolve

from workbench.lab.course import Course, Move

Trial = Callable[[Course], Course | None]
"""Follows a course and gives what was really played up to where the thing shows; None where it does not show."""

SEEDS = 8  # small seeds that are tried with the same answers


@define
class Budget:
    """How much trying there may be. Tries alone decide what is found; seconds only guard against slow games."""

    tries: int = 400
    seconds: float = 60.0

    def __attrs_post_init__(self) -> None:
        self._until = time.monotonic() + self.seconds

    _until: float = 0.0

    def spend(self) -> bool:
        """Whether one more try is allowed."""
        self.tries -= 1
        return self.tries >= 0 and time.monotonic() < self._until


def size(course: Course, needed: int) -> tuple[int, int, int, int]:
    """What makes a course simpler: players, decisions, how many of the answers are given at all, the seed."""
    return course.players, len(course.moves), needed, abs(course.seed)


def shrink(course: Course, shows: Trial, budget: Budget) -> Course:
    """The simplest course found that shows the same. The one given must show it; it is given back if nothing helps."""
    return _Shrinking(course, shows, budget).run()


class _Shrinking:
    def __init__(self, course: Course, shows: Trial, budget: Budget) -> None:
        self.best = course  # as it was played
        self.kept = course  # the answers that are given; the others are first options
        self.shows = shows
        self.budget = budget

    def run(self) -> Course:
        before = None
        while before != (self.best, self.kept) and self.budget.tries > 0:
            before = (self.best, self.kept)
            self._cut()
            self._leave_out()
            self._turn()
            self._other_seeds()
        return self.best

    def _try(self, candidate: Course) -> bool:
        """Follow a candidate; keep it if it is simpler."""
        if not self.budget.spend():
            return False
        played = self.shows(candidate)
        if played is None:
            return False
        if size(played, len(candidate.moves)) >= size(self.best, len(self.kept.moves)):
            return False
        self.best, self.kept = played, candidate
        return True

    def _cut(self) -> None:
        """Answers after the place where it shows are of no use; nor is the tail, perhaps."""
        self._try(self.best)
        for share in (2, 4, 8):
            keep = len(self.kept.moves) - len(self.kept.moves) // share
            self._try(evolve(self.kept, moves=self.kept.moves[:keep]))

    def _leave_out(self) -> None:
        """Delta debugging: leave out ever smaller runs of answers."""
        width = max(1, len(self.kept.moves) // 2)
        while width >= 1:
            at = 0
            while at < len(self.kept.moves) and self.budget.tries > 0:
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
