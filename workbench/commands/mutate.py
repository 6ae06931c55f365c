"""`warlock mutate`: changes the rules a little, again and again, and shows which changes no test notices."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.support import arguments as shared
from workbench.support.errors import UsageError
from workbench.support.output import put_json, say
from workbench.support.rulesets import roots, sound_ruleset

if TYPE_CHECKING:
    from workbench.mutate.run import Outcome
    from workbench.mutate.trial import Verdict


EXAMPLES = (
    ("warlock mutate tic-tac-toe", "every mutant of a small game"),
    ("warlock mutate maldorf --sample 100 --seed 2", "a hundred of them, picked by a seed"),
    ("warlock mutate maldorf --only scoring.warlock", "the mutants of one file"),
    ("warlock mutate maldorf --checkpoint run.jsonl --min-score 90", "may be stopped; exit 1 below 90 %"),
)


def add_arguments(parser: ArgumentParser) -> None:
    what = parser.add_argument_group("what to change")
    shared.add_ruleset(what)
    what.add_argument("--sample", type=shared.count, default=0, metavar="N", help="try N of the mutants (default all)")
    what.add_argument("--only", default="", metavar="ID", help="only the mutants of this id, address or file")
    shared.add_seed(what, "the seed of the sample and of the recorded games")
    long = parser.add_argument_group("how it is tested, and how long")
    long.add_argument(
        "--games", type=shared.count, default=6, metavar="N", help="recorded games that must stay the same (default 6)"
    )
    shared.add_jobs(long)
    shared.add_checkpoint(long)
    out = shared.output(parser)
    out.add_argument(
        "--min-score",
        type=shared.percent,
        default=0.0,
        metavar="PERCENT",
        help="exit 1 if fewer are killed (default 0)",
    )


def run(arguments: Namespace) -> int:
    """Try the mutants; 1 where fewer are killed than asked for, or an argument in the data file does not hold."""
    from workbench.mutate.run import Outcome, argued, every_mutant, gather, read_verdict, sample, seal
    from workbench.mutate.run import run as try_mutants
    from workbench.support.checkpoint import Checkpoint
    from workbench.support.progress import stopped_after
    from workbench.support.which_machine import speed_up
    from workbench.support.workers import worker_pool

    speed_up()
    where = roots(arguments)
    ruleset, loaded = sound_ruleset(arguments.ruleset, where)
    every = every_mutant(loaded)
    reasons = argued(arguments.ruleset, where)
    known = {mutant.id for mutant in every}
    stale = tuple(id for id in reasons if id not in known)
    chosen = sample(every, arguments.sample, arguments.seed)
    if arguments.only:
        chosen = [mutant for mutant in every if arguments.only in (mutant.id, mutant.address, mutant.file)]
        if not chosen:
            raise UsageError(f"there is no mutant of this name, at this address or in this file: {arguments.only}")
    verdicts: dict[str, Verdict] = {}

    def done() -> str:
        return f"{len(verdicts)} of {len(chosen)} mutants"

    with stopped_after(done, bool(arguments.checkpoint)), worker_pool(arguments.jobs) as workers:
        evidence = gather(loaded, arguments.ruleset, where, arguments.games, arguments.seed, workers)
        heading = {"mutate": ruleset.name, "hash": ruleset.hash, "evidence": seal(evidence)}
        path = arguments.checkpoint
        book = Checkpoint(Path(path), heading, read_verdict) if path else nullcontext(None)
        with book as checkpoint:
            try_mutants(chosen, evidence, checkpoint, workers, verdicts)
    texts = {**loaded.sources}
    outcome = Outcome(ruleset.name, ruleset.hash, tuple(chosen), verdicts, reasons, texts, stale)
    if arguments.json:
        put_json(outcome.data())
    else:
        print_outcome(outcome)
    failed = outcome.rate * 100 < arguments.min_score or outcome.refuted or outcome.stale
    return 1 if failed else 0


def print_outcome(outcome: Outcome) -> None:
    """The survivors with their lines, arguments that do not hold, and a last line that counts."""
    for mutant in outcome.survivors:
        shown = outcome.shown(mutant)
        say(f"{mutant.file}:{mutant.line}: {mutant.operator}: {shown['change']}", "bold")
        say(f"  as it is: {shown['was']}")
        say(f"  survives: {shown['now']}")
        say(f"  {mutant.id}", "dim")
    for mutant in outcome.refuted:
        by, what = outcome.verdicts[mutant.id].data()
        say(f"argued to change nothing, but {by} {what}: {mutant.id}", "red")
    for id in outcome.stale:
        say(f"argued to change nothing, but there is no such mutant any more: {id}", "red")
    by = ", ".join(f"{count} by a {word}" for word, count in outcome.by().items() if count)
    say(
        f"{outcome.ruleset}: {outcome.sound} mutants, {outcome.killed} killed ({by or 'none'}),"
        f" {len(outcome.equivalent)} argued to change nothing, {len(outcome.survivors)} survive: {outcome.rate:.1%}"
    )
