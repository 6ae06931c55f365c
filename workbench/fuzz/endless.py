"""Games without end: after how few answers is it certain, as far as trying shows, that no end comes any more?"""

from __future__ import annotations

from attrs import evolve

from warlock_dsl.ruleset import Ruleset
from workbench.fuzz.pilots import Pilot
from workbench.fuzz.walk import Walk, Watch
from workbench.lab.course import Course

TRIED = 3  # games played on from a place before it is said that none comes to an end
SHARE = 6  # how much shorter than the longest game those may be


def shortest_into_endless(ruleset: Ruleset, course: Course, longest: int) -> tuple[Course, int]:
    """The shortest beginning of a course from which no game that was tried came to an end, and how many were tried."""
    low, high, tries = 0, len(course.moves), 0
    while low < high:
        middle = 0 if not tries else (low + high) // 2  # most often it is the whole game that has no end
        place = evolve(course, moves=course.moves[:middle])
        tries += TRIED
        if any(_ends(ruleset, place, longest // SHARE, number) for number in range(TRIED)):
            low = middle + 1
        else:
            high = middle
    return evolve(course, moves=course.moves[:high]), tries


def _ends(ruleset: Ruleset, course: Course, longest: int, number: int) -> bool:
    """Whether one game from there comes to an end within so many decisions more."""
    watch = Watch(hidden=0, trips=0, longest=len(course.moves) + longest)
    walk = Walk(ruleset, course.players, course.seed, watch)
    pilot = Pilot(ruleset, ("even", "curious", "whims")[number % 3], number, {})
    ahead = list(reversed(course.moves))
    while (game := walk.standing) is not None:
        keys = [option.key for option in game.options()]
        key = ahead.pop().key if ahead else None
        walk.choose(keys.index(key) if key in keys else pilot.pick(game))
    return walk.breach is None or walk.breach.law != "ends"
