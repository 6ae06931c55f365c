"""A breach made small: the shortest game found in which the same law breaks, as a task that any process can do."""

from __future__ import annotations

from attrs import frozen

from warlock_dsl.ruleset import Ruleset
from workbench.fuzz.breach import Breach
from workbench.fuzz.endless import shortest_into_endless
from workbench.fuzz.sampling import Sampler
from workbench.fuzz.walk import follow, watch_for
from workbench.lab.course import Course
from workbench.lab.recipe import Recipe
from workbench.lab.shrink import Budget, shrink

TRIES = 600
SECONDS = 60.0
SHARES = (25, 15, 10)  # hundredths of the tries that go into each turn, both ways
LEEWAY = 2  # how much longer a game may be that has fewer players


@frozen
class Shrinking:
    """A breach as it was found, to be made small."""

    recipe: Recipe
    breach: Breach
    course: Course
    longest: int
    tries: int = TRIES
    seconds: float = SECONDS


@frozen
class Small:
    """The same breach in the shortest game found. `tries` is how many games that took."""

    breach: Breach
    course: Course
    before: int  # decisions of the game it was found in
    tries: int


class Reproduction:
    """A trial for the shrinker: whether following a course breaks the same law, in no more decisions than the best."""

    def __init__(self, ruleset: Ruleset, breach: Breach, course: Course) -> None:
        self.ruleset = ruleset
        self.key, self.law = breach.key, breach.law
        self.breach = breach
        self.players, self.length = course.players, len(course.moves)
        self.tries = 0

    def __call__(self, course: Course) -> Course | None:
        self.tries += 1
        longest = max(1, self.length * (LEEWAY if course.players < self.players else 1))
        walk = follow(self.ruleset, course, watch_for(self.law, longest))
        if walk.breach is None or walk.breach.key != self.key:
            return None
        played = walk.course
        if (played.players, len(played.moves)) < (self.players, self.length):
            self.players, self.length = played.players, len(played.moves)
        return played


def shrunk(task: Shrinking) -> Small:
    """The smallest game found that breaks the same law. What cannot be made to break again is given back as it is."""
    ruleset = task.recipe.ruleset()
    before = len(task.course.moves)
    if task.breach.law == "ends":
        course, tries = shortest_into_endless(ruleset, task.course, task.longest)
        return Small(task.breach, course, before, tries)
    trial = Reproduction(ruleset, task.breach, task.course)
    course = _smaller(ruleset, task, trial)
    again = follow(ruleset, course, watch_for(task.breach.law, max(1, len(course.moves))))
    same = again.breach is not None and again.breach.key == task.breach.key
    return Small(again.breach if same and again.breach is not None else task.breach, course, before, trial.tries)


def _smaller(ruleset: Ruleset, task: Shrinking, trial: Reproduction) -> Course:
    """By turns games are played in the manner of the best, and answers are left out of the best."""
    budget = Budget(task.tries, task.seconds)
    sampler = Sampler(ruleset, task.breach.law, task.breach.key)
    course, least = task.course, ruleset.components.least_players
    for share in SHARES:
        if not budget.left:
            break
        course = _sampled(sampler, trial, course, least, budget, task.tries * share // 100)
        course = shrink(course, trial, budget.part(task.tries * share // 100), least)
    return course


def _sampled(sampler: Sampler, trial: Reproduction, course: Course, least: int, budget: Budget, tries: int) -> Course:
    sampler.imitate(course)
    for _ in range(tries):
        players = least if course.players > least else course.players
        longest = len(course.moves) * LEEWAY if players < course.players else len(course.moves) - 1
        if longest < 1 or not budget.spend():
            break
        trial.tries += 1
        found = sampler.sample(players, longest)
        if found is not None:
            course = found
            sampler.imitate(course)
            trial.players, trial.length = course.players, len(course.moves)
    return course
