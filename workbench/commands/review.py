"""`warlock review`: one verdict on a house rule, from the check to the mutants that no scenario notices."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from workbench.support import arguments as shared
from workbench.support.errors import UsageError
from workbench.support.output import put_json, say
from workbench.support.rulesets import roots

EXAMPLES = (
    ("warlock review maldorf+truce", "the overlay, compared with the game without it"),
    ("warlock review maldorf+truce --games 20 --seconds 60", "a quick look"),
    ("warlock review maldorf+fr+fr_errata --html review.html", "the last overlay of a stack, as a page"),
    ("warlock review variants/maldorf/truce --json", "the overlay in a folder, for a script"),
)
EXIT_CODES = """\
Exit codes: 0 nothing is wrong, though there may be something to look at; 1 the check finds an error, a scenario of
the overlay fails, a law is broken or games break down; 2 there is no such ruleset, or no overlay in it."""


def add_arguments(parser: ArgumentParser) -> None:
    what = parser.add_argument_group("what to review")
    shared.add_ruleset(what, about="a game with overlays, the last of which is reviewed, or the folder of an overlay")
    shared.add_seed(what, "the seed of all games and of the search")
    long = parser.add_argument_group("how long")
    shared.add_games(long, "at most N games for the laws and for its lines, and N pairs for the effect", 60)
    shared.add_seconds(long, "a bound on the whole run; what did not run says so (default no bound)")
    shared.add_jobs(long)
    out = shared.output(parser)
    shared.add_file(out, "--html", "write the review as a page, too")
    shared.add_folder(out, "--out", "write the games that break a law here (default nowhere)")


def run(arguments: Namespace) -> int:
    """Review and report; 1 where something is wrong."""
    from workbench.pages.page import write_page
    from workbench.review.page import review_page
    from workbench.review.report import tell_review
    from workbench.review.run import Plan, review
    from workbench.review.subject import subject_of
    from workbench.support.which_machine import speed_up
    from workbench.support.workers import worker_pool

    speed_up()
    if arguments.html and not Path(arguments.html).absolute().parent.is_dir():
        raise UsageError(f"there is no folder {Path(arguments.html).parent} for {arguments.html}")
    subject = subject_of(arguments.ruleset, roots(arguments))
    out = Path(arguments.out) if arguments.out else None
    plan = Plan(arguments.seed, arguments.games, arguments.seconds or 0.0, out)
    with worker_pool(arguments.jobs) as workers:
        found = review(subject, plan, workers)
    if arguments.html:
        write_page(Path(arguments.html), review_page(found))
    if arguments.json:
        put_json(found.data())
    else:
        tell_review(found)
        if arguments.html:
            say(f"written: {arguments.html}")
    return 1 if found.mark == "wrong" else 0
