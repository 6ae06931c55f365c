"""From the place where two rulesets part to a witness: shortened, told in words, written down, and tried."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import field, frozen

from interpreter import Game, PlayFault, play_again
from warlock_dsl.ruleset import Ruleset
from workbench.diff.evidence import scenario_of, tried
from workbench.diff.lockstep import Found, Lockstep, follow
from workbench.diff.model import Witness
from workbench.diff.moment import moment
from workbench.diff.search import Hit
from workbench.lab.course import Course
from workbench.lab.recipe import Recipe
from workbench.lab.record import replay_data, seat_names
from workbench.lab.shrink import Budget, shrink
from workbench.words import Words

TRIES = 300
STEPS = 60  # decisions that count as much as a try: long games are shortened with fewer tries
SCORED = 20  # how often the points are compared in a game that is shortened, where they matter
SECONDS = 600.0  # a guard against rules that run for ever; what is found in time does not depend on it


@frozen
class Job:
    """A place where two rulesets part, and what the witness says of it."""

    old: Recipe
    new: Recipe
    hit: Hit
    id: str
    title: str
    names: tuple[str, str]  # what the two rulesets are called
    cites: tuple[str, ...]
    lang: str
    overlay: Mapping[str, str] = field(factory=dict)


def witness(job: Job) -> Witness | None:
    """The witness, tried: the replay plays under the first ruleset and parts under the other, the scenario passes
    under the one and fails under the other. None if the place does not show it after all."""
    old, new = job.old.ruleset(), job.new.ruleset()
    course = _shortened(job, old, new)
    pair = _begin(old, new, course, scored=True)
    found = follow(pair, course, len(course.moves), strict=True)
    if found is None:
        return None
    course, parting = found.course, found.parting
    told = moment(pair, parting, job.names, job.lang)
    name = job.title if job.title.startswith(job.id) else f"{job.id}: {job.title}"
    text = scenario_of(pair.old, course, parting, name, told.what, job.cites)
    replay = replay_data(old, course)
    play_again(old, replay)
    return Witness(
        parting=parting.kind,
        what=told.what,
        decisions=len(course.moves),
        players=course.players,
        seed=course.seed,
        start="",
        viewer=told.viewer,
        old=told.old,
        new=told.new,
        only_old=told.only_old,
        only_new=told.only_new,
        moves=in_words(old, course, job.lang),
        replay={**replay, "parts": _parts(course, parting.kind, told.what, job.names[1])},
        scenario=text if text and tried(text, old, new) else "",
        overlay=job.overlay,
    )


def _parts(course: Course, kind: str, what: str, under: str) -> dict[str, Any]:
    return {"after": len(course.moves), "parting": kind, "under": under, "what": what}


def _begin(old: Ruleset, new: Ruleset, course: Course, scored: bool) -> Lockstep:
    return Lockstep.begin(old, new, course.players, course.seed, scored)


def _shortened(job: Job, old: Ruleset, new: Ruleset) -> Course:
    """The shortest course found on which the two part; in any way, but for a breakdown of the rules."""
    budget = Budget(tries=TRIES, seconds=SECONDS)
    kind, longest = job.hit.kind, len(job.hit.course.moves)

    def shows(course: Course) -> Course | None:
        try:
            pair = _begin(old, new, course, scored=kind == "score")
            found: Found | None = follow(pair, course, longest, every=1 + longest // SCORED)
        except PlayFault:
            return None
        budget.tries -= len(pair.old.answers) // STEPS
        if found is None or (found.parting.kind == "fault") != (kind == "fault"):
            return None
        return found.course

    return shrink(job.hit.course, shows, budget)


def in_words(ruleset: Ruleset, course: Course, lang: str) -> tuple[str, ...]:
    """Every answer of a course as a sentence."""
    seats = [name.capitalize() for name in seat_names(ruleset, course.players)]
    words = Words(ruleset, lang, seats)
    game = Game.start(ruleset, course.players, course.seed, laws=False)
    lines = []
    for move in course.moves:
        decision = game.decision
        assert decision is not None
        number = [option.key for option in decision.options].index(move.key)
        sentence = words.options(decision, game.observe(decision.player))[number]
        lines.append(f"{seats[decision.player]}: {words.ask(decision)} {sentence}")
        game.choose(number)
    return tuple(lines)
