"""The whole of a review: every part in its order, each with its share of the time, and the verdict."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

from attrs import frozen

from workbench.review import line_parts, play_parts, scenario_parts
from workbench.review.model import TITLES, WRONG, Part, Review, not_run
from workbench.review.subject import Subject
from workbench.support.progress import progress
from workbench.support.workers import WorkerPool

TIME_OVER = "the time was over"
MIN_SHARE = 0.5  # seconds a part has at least, once it has begun


@frozen
class Plan:
    """How a review is made. Without `seconds` equal plans give equal reviews; `out` is where findings are written."""

    seed: int = 0
    games: int = 60
    seconds: float = 0.0
    out: Path | None = None


def review(subject: Subject, plan: Plan, pool: WorkerPool) -> Review:
    """Every part of a review, those that cannot run with the reason."""
    began = time.monotonic()
    parts = tuple(_parts(subject, plan, pool, began))
    made = subject.stack.ruleset
    return Review(
        made.name if made is not None else subject.name,
        made.hash if made is not None else "",
        subject.base.ruleset.name if subject.base.ruleset is not None else subject.below,
        subject.overlay,
        made.layers[-1].about if made is not None else "",
        plan.seed,
        plan.games,
        parts,
        time.monotonic() - began,
    )


def _parts(subject: Subject, plan: Plan, pool: WorkerPool, began: float) -> Iterator[Part]:
    check = scenario_parts.check(subject)
    yield check
    runs: dict[str, Callable[[float], Part]] = {
        "own_scenarios": lambda _: _shown("its scenarios", lambda: scenario_parts.own_scenarios(subject)),
        "game_scenarios": lambda _: _shown("the game's scenarios", lambda: scenario_parts.game_scenarios(subject)),
        "changes": lambda seconds: play_parts.changes(subject, plan.seed, seconds, pool),
        "laws": lambda seconds: play_parts.laws(subject, plan.games, plan.seed, seconds, plan.out, pool),
        "effect": lambda seconds: play_parts.effect(subject, plan.games, plan.seed, seconds, pool),
        "coverage": lambda seconds: line_parts.coverage(subject, plan.games, plan.seed, seconds, pool),
        "mutants": lambda seconds: line_parts.mutants(subject, plan.seed, seconds, pool),
    }
    assert [check.key, *runs] == list(TITLES)
    held = ""
    if subject.stack.ruleset is None:
        held = "it has errors"
    elif subject.base.ruleset is None:
        held = f"{subject.below}, the stack below it, has errors"
    done = [check]
    for number, (key, run) in enumerate(runs.items()):
        left = plan.seconds - (time.monotonic() - began)
        if held or (plan.seconds and left <= 0):
            yield not_run(key, held or TIME_OVER)
            continue
        if key == "mutants" and any(one.key == "own_scenarios" and one.mark == WRONG for one in done):
            yield not_run(key, "its scenarios fail before anything is changed; mend that first")
            continue
        done.append(run(max(left / (len(runs) - number), MIN_SHARE) if plan.seconds else 0.0))
        yield done[-1]


def _shown(title: str, part: Callable[[], Part]) -> Part:
    """A part that does not count its steps, with its title where somebody watches."""
    with progress(title) as advance:
        advance(0, "")
        return part()
