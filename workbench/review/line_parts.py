"""The parts of a review that look at the overlay's own lines: do they come up, and does a scenario hold them?"""

from __future__ import annotations

from collections.abc import Iterator

from workbench.coverage.collect import Batch, Plan, cover
from workbench.coverage.features import Feature
from workbench.coverage.report import Item, Report, Sums, report
from workbench.mutate.run import Outcome, argued, every_mutant, gather, sample
from workbench.mutate.trial import Trial, Verdict, tried
from workbench.review.model import LOOK, NOT_RUN, OK, Part
from workbench.review.subject import Subject, counted, shortened, some, until
from workbench.support.errors import UsageError
from workbench.support.progress import progress
from workbench.support.ruleset_source import source_of
from workbench.support.workers import WorkerPool

SORTS = ("rule", "branch", "definition", "score", "question", "figure")  # what a line of an overlay can be
WAVE, BATCH = 8, 2  # games after which the lines are looked at; games that a worker plays before it reports
GUIDED = 75  # percent of the games among bots that try what is rare
MAX_DECISIONS = 5000
MAX_MUTANTS = 200

# -------------------------------------------------------------------- coverage


def coverage(subject: Subject, games: int, seed: int, seconds: float, pool: WorkerPool) -> Part:
    """Whether the overlay's own lines come up; no more games are played than it takes to see all of them."""
    plan = Plan(source_of(subject.stack), 0, GUIDED, MAX_DECISIONS)
    found = report(subject.stack, plan, seed, Sums())
    if not _own(subject, found):
        return Part("coverage", OK, "it has no rules and no values that rules read one by one")
    with progress("its lines", games) as advance:
        for sums in _waves(plan, games, seed, seconds, pool):
            found = report(subject.stack, plan, seed, sums)
            advance(min(WAVE, games), f"{len(_never(subject, found))} never")
            if not _never(subject, found):
                break
    return _covered(subject, found)


def _waves(plan: Plan, games: int, seed: int, seconds: float, pool: WorkerPool) -> Iterator[Sums]:
    """What was counted after each wave of games. A wave is the same on one core and on many."""
    sums, over = Sums(), until(seconds)
    for start in range(0, games, WAVE):
        seeds = [seed + number for number in range(start, min(start + WAVE, games))]
        batches = [Batch(plan, tuple(seeds[first : first + BATCH])) for first in range(0, len(seeds), BATCH)]
        for data in pool.all(cover, batches):
            sums.add(data)
        yield sums
        if over():
            return


def _own(subject: Subject, found: Report) -> list[Item]:
    """The overlay's rules with all that is in them, and the values it changes."""
    changed = subject.changed
    own = [
        item
        for item in found.items
        if item.feature.sort in SORTS and (subject.owns(item.feature.span.file) or item.feature.name in changed)
    ]
    known = {item.feature.name for item in own}
    return own + [one for at in changed if at not in known for one in _value(subject, found, at)]


def _value(subject: Subject, found: Report, at: str) -> list[Item]:
    """A cell of a table or a series that the overlay changes, with how often it was read."""
    place = subject.changed[at]
    sort = "cell" if place[:1] == ("table",) and len(place) == 5 else "series" if place[:1] == ("series",) else ""
    if not sort:
        return []
    name = f"{place[1]}.{place[3]}.{place[4]}" if sort == "cell" else str(place[1])
    span = next(one.span for one in subject.ruleset.layers[-1].changes if one.target == at)
    times, games, seed = found.sums.found.get((sort, name), (0, 0, 0))
    return [Item(Feature(name, sort, f"{sort} {name}", span), times, games, seed)]


def _never(subject: Subject, found: Report) -> list[Item]:
    return [item for item in _own(subject, found) if not item.fired and not item.feature.ruled_out]


def _covered(subject: Subject, found: Report) -> Part:
    own, never = _own(subject, found), _never(subject, found)
    shut = [item for item in own if not item.fired and item.feature.ruled_out]
    games = counted(found.sums.games, "game")
    fired = len(own) - len(never) - len(shut)
    says = f"{fired} of {counted(len(own), 'rule, branch or value', 'rules, branches and values')} came up in {games}"
    says += f", {len(never)} never" if never else ""
    says += f", {len(shut)} cannot" if shut else ""
    lines = [f"{_place(item)}: {item.feature.what}: never" for item in never]
    lines += [f"{_place(item)}: {item.feature.what}: cannot come up, {item.feature.ruled_out}" for item in shut]
    data = {"games": found.sums.games, "came_up": fired, "never": [item.data() for item in never]}
    data |= {"ruled_out": [item.data() for item in shut]}
    return Part("coverage", LOOK if never or shut else OK, says, some(lines), data=data)


def _place(item: Item) -> str:
    return f"{item.feature.span.file}:{item.feature.span.line}"


# --------------------------------------------------------------------- mutants


def mutants(subject: Subject, seed: int, seconds: float, pool: WorkerPool) -> Part:
    """Small changes to the overlay's own lines, and which of them no scenario of it notices."""
    home = subject.home
    if home.ruleset is None:
        return Part("mutants", NOT_RUN, "with what it needs alone it has errors")
    every = every_mutant(home)
    if not every:
        return Part("mutants", OK, "it has no lines that could be changed a little")
    chosen = sample(every, MAX_MUTANTS, seed)
    over = until(seconds)
    verdicts: dict[str, Verdict] = {}
    try:
        evidence = gather(home, subject.home_name, subject.where, 0, seed, pool)
        reasons = argued(subject.home_name, subject.where)
    except UsageError as error:
        return Part("mutants", NOT_RUN, error.message)
    with progress("mutants", len(chosen)) as advance:
        for number, verdict in pool.done(tried, (Trial(mutant, evidence) for mutant in chosen)):
            verdicts[chosen[number].id] = verdict
            advance(1, "")
            if over():
                break
    done = tuple(mutant for mutant in chosen if mutant.id in verdicts)
    outcome = Outcome(home.ruleset.name, home.ruleset.hash, done, verdicts, reasons, {**home.sources}, ())
    return _survived(outcome, len(chosen), len(evidence.cases))


def _survived(outcome: Outcome, wanted: int, scenarios: int) -> Part:
    survivors = outcome.survivors
    says = f"{counted(outcome.sound, 'small change')} to its lines"
    if not survivors:
        says += ": a scenario notices each"
    elif scenarios:
        says += f", {len(survivors)} that no scenario notices"
    else:
        says += ": without scenarios nothing notices any of them"
    says += f" (of {wanted}: the time was over)" if len(outcome.mutants) < wanted else ""
    lines: list[str] = []
    for place, line in dict.fromkeys((f"{one.file}:{one.line}", outcome.shown(one)["was"]) for one in survivors):
        lines.append(f"{place}: {shortened(line)}")
        here = [one for one in survivors if f"{one.file}:{one.line}" == place]
        lines += [f"  no scenario notices: {shortened(one.told())}" for one in here]
    return Part("mutants", LOOK if survivors else OK, says, some(lines, 16), data=outcome.data())
