"""From the place where two rulesets part to a witness: shortened, told in words, written down, and tried."""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from attrs import field, frozen

from interpreter import Game, LawViolationError, PlayError, play_again
from warlock_dsl import Ruleset
from workbench.diff.as_scenario import scenario_of, tried
from workbench.diff.describe import moment
from workbench.diff.kept import Finding, Hit
from workbench.diff.lockstep import Found, Lockstep, follow
from workbench.diff.model import SmallTable, Witness
from workbench.diff.smallest import Smallest, laid_again, smallest_table
from workbench.diff.table_in_words import table_in_words
from workbench.language.sentences import Words
from workbench.service.table import question_for
from workbench.support.ruleset_source import RulesetSource
from workbench.transcripts.record import replay_data, seat_names
from workbench.transcripts.shrink import Budget, shrink
from workbench.transcripts.transcript import Transcript

TRIES = 300
STEPS = 60  # decisions that count as much as a try: long games are shortened with fewer tries
TRIES_SHOWN = 60  # where a small table shows the difference: then the game only proves that it can happen
STEPS_SHOWN = 6
SCORED = 20  # how often the points are compared in a game that is shortened, where they matter
SECONDS = 600.0  # a guard against rules that run for ever; what is found in time does not depend on it


@frozen
class Job:
    """A place where two rulesets part, and what the witness says of it."""

    old: RulesetSource
    new: RulesetSource  # the first with the difference alone
    others: tuple[RulesetSource, ...]  # those that have it, as a whole
    hit: Hit
    id: str
    title: str
    names: tuple[str, str]  # what the two readings are called
    cites: tuple[str, ...]
    lang: str
    overlay: Mapping[str, str] = field(factory=dict)
    until: float = 0.0  # by the clock: what takes time is left out after it; 0 is no bound
    known: Finding | None = None  # what an earlier run found


def witness(job: Job) -> tuple[Finding | None, Witness | None]:
    """What was found for a difference, and the witness, tried: the replay plays under the first ruleset and parts under
    the other, the scenario passes under the one and fails under the other. None if the place does not show it."""
    old, new = job.old.ruleset(), job.new.ruleset()
    finding = job.known or _finding(job, old, new)
    return finding, _in_words(job, finding, old, new)


def _finding(job: Job, old: Ruleset, new: Ruleset) -> Finding:
    """Look for the smallest table, then for a short game; where there is no table yet, for one in that game."""

    def smallest(transcript: Transcript) -> Smallest | None:
        if job.hit.kind == "error" or (job.until and time.time() > job.until):
            return None
        return smallest_table(old, new, [other.ruleset() for other in job.others], transcript, job.hit.kind)

    late = bool(job.until) and time.time() > job.until
    table = smallest(job.hit.transcript)
    transcript = job.hit.transcript if late else _shortened(job, old, new, table is not None)
    table = table or smallest(transcript)
    if table is None:
        return Finding(transcript, hasty=late)
    found = table.found
    return Finding(transcript, table.laid, found.transcript.moves, found.divergence.kind, table.reached)


def _in_words(job: Job, finding: Finding, old: Ruleset, new: Ruleset) -> Witness | None:
    name = job.title if job.title.startswith(job.id) else f"{job.id}: {job.title}"
    pair = _begin(old, new, finding.transcript, scored=True)
    found = follow(pair, finding.transcript, len(finding.transcript.moves), strict=True)
    if found is None:
        return None
    transcript, divergence = found.transcript, found.divergence
    told = moment(pair, divergence, job.names, job.lang)
    text = scenario_of(pair.old, transcript, divergence, name, told.what, job.cites)
    replay = replay_data(old, transcript)
    with suppress(LawViolationError):  # a new row alone may break a law that the whole overlay changes with it
        play_again(old, replay)
    return Witness(
        divergence=divergence.kind,
        what=told.what,
        decisions=len(transcript.moves),
        players=transcript.players,
        seed=transcript.seed,
        start="",
        viewer=told.viewer,
        old=told.old,
        new=told.new,
        only_old=told.only_old,
        only_new=told.only_new,
        moves=in_words(old, transcript, job.lang),
        replay={**replay, "parts": _parts(transcript, divergence.kind, told.what, job.names[1])},
        scenario=text if text and tried(text, old, new) else "",
        overlay=job.overlay,
        table=_table(job, finding, name, old, new),
    )


def _table(job: Job, finding: Finding, name: str, old: Ruleset, new: Ruleset) -> SmallTable | None:
    if finding.laid is None:
        return None
    again = laid_again(old, new, finding.laid, finding.answers, finding.kind, finding.reached)
    return None if again is None else table_in_words(again, old, new, name, job.names, job.cites, job.lang)


def _parts(transcript: Transcript, kind: str, what: str, under: str) -> dict[str, Any]:
    return {"after": len(transcript.moves), "divergence": kind, "under": under, "what": what}


def _begin(old: Ruleset, new: Ruleset, transcript: Transcript, scored: bool) -> Lockstep:
    return Lockstep.begin(old, new, transcript.players, transcript.seed, scored)


def _shortened(job: Job, old: Ruleset, new: Ruleset, shown: bool) -> Transcript:
    """The shortest transcript found on which the two diverge; in any way, but for an error in the rules. Where a small
    table shows it already (`shown`), less is tried: the game only proves that it can happen."""
    seconds = max(0.0, job.until - time.time()) if job.until else SECONDS
    budget = Budget(tries=TRIES_SHOWN if shown else TRIES, seconds=seconds)
    steps = STEPS_SHOWN if shown else STEPS
    kind, max_length = job.hit.kind, len(job.hit.transcript.moves)

    def shows(transcript: Transcript) -> Transcript | None:
        try:
            pair = _begin(old, new, transcript, scored=kind == "score")
            found: Found | None = follow(pair, transcript, max_length, every=1 + max_length // SCORED)
        except PlayError:
            return None
        budget.tries -= len(pair.old.answers) // steps
        if found is None or (found.divergence.kind == "error") != (kind == "error"):
            return None
        return found.transcript

    return shrink(job.hit.transcript, shows, budget)


def in_words(ruleset: Ruleset, transcript: Transcript, lang: str) -> tuple[str, ...]:
    """Every answer of a course as a sentence."""
    seats = [name.capitalize() for name in seat_names(ruleset, transcript.players)]
    words = Words(ruleset, lang, seats)
    game = Game.start(ruleset, transcript.players, transcript.seed, laws=False)
    lines = []
    for move in transcript.moves:
        asked = question_for(words, game)
        assert asked is not None
        number = [option.key for option in asked.options].index(move.key)
        answer = f"{asked.text} {asked.options[number].text}"
        lines.append(words.phrases("diff_reading", name=seats[game.to_move], found=answer))
        game.choose(number)
    return tuple(lines)
