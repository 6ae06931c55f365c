"""From the place where two rulesets part to a witness: shortened, told in words, written down, and tried."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import field, frozen

from interpreter import Game, PlayError, play_again
from warlock_dsl import Ruleset
from workbench.diff.as_scenario import scenario_of, tried
from workbench.diff.describe import moment
from workbench.diff.lockstep import Found, Lockstep, follow
from workbench.diff.model import Witness
from workbench.diff.search import Hit
from workbench.language.sentences import Words
from workbench.support.ruleset_source import RulesetSource
from workbench.transcripts.record import replay_data, seat_names
from workbench.transcripts.shrink import Budget, shrink
from workbench.transcripts.transcript import Transcript

TRIES = 300
STEPS = 60  # decisions that count as much as a try: long games are shortened with fewer tries
SCORED = 20  # how often the points are compared in a game that is shortened, where they matter
SECONDS = 600.0  # a guard against rules that run for ever; what is found in time does not depend on it


@frozen
class Job:
    """A place where two rulesets part, and what the witness says of it."""

    old: RulesetSource
    new: RulesetSource
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
    transcript = _shortened(job, old, new)
    pair = _begin(old, new, transcript, scored=True)
    found = follow(pair, transcript, len(transcript.moves), strict=True)
    if found is None:
        return None
    transcript, divergence = found.transcript, found.divergence
    told = moment(pair, divergence, job.names, job.lang)
    name = job.title if job.title.startswith(job.id) else f"{job.id}: {job.title}"
    text = scenario_of(pair.old, transcript, divergence, name, told.what, job.cites)
    replay = replay_data(old, transcript)
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
    )


def _parts(transcript: Transcript, kind: str, what: str, under: str) -> dict[str, Any]:
    return {"after": len(transcript.moves), "divergence": kind, "under": under, "what": what}


def _begin(old: Ruleset, new: Ruleset, transcript: Transcript, scored: bool) -> Lockstep:
    return Lockstep.begin(old, new, transcript.players, transcript.seed, scored)


def _shortened(job: Job, old: Ruleset, new: Ruleset) -> Transcript:
    """The shortest course found on which the two part; in any way, but for a breakdown of the rules."""
    budget = Budget(tries=TRIES, seconds=SECONDS)
    kind, max_length = job.hit.kind, len(job.hit.transcript.moves)

    def shows(transcript: Transcript) -> Transcript | None:
        try:
            pair = _begin(old, new, transcript, scored=kind == "score")
            found: Found | None = follow(pair, transcript, max_length, every=1 + max_length // SCORED)
        except PlayError:
            return None
        budget.tries -= len(pair.old.answers) // STEPS
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
        decision = game.decision
        assert decision is not None
        number = [option.key for option in decision.options].index(move.key)
        sentence = words.options(decision, game.observe(decision.player))[number]
        lines.append(f"{seats[decision.player]}: {words.ask(decision)} {sentence}")
        game.choose(number)
    return tuple(lines)
