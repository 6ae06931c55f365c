"""`warlock studio --export FILE`: a replay, a finding or a comparison as one page that needs no server."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from interpreter import Game, PlayError
from warlock_studio.export import comparison_page, game_page
from warlock_studio.worker import Json, RefusedError
from workbench.language.sentences import Words, language_for
from workbench.pages.page import write_page
from workbench.service.comparison import checked, compared, structure
from workbench.service.frames import frames
from workbench.service.table import EVERYBODY
from workbench.support.errors import UsageError
from workbench.support.files import read_json
from workbench.support.output import say
from workbench.support.progress import progress
from workbench.support.rulesets import found_texts, named_in_file, roots, sound_ruleset
from workbench.terminal.recorded import law_in_words, recorded

NAMES = ("Ann", "Ben", "Cid", "Dot", "Eve", "Fay", "Gus", "Hal", "Ivy", "Jon", "Kim", "Leo")


def export(arguments: Namespace) -> int:
    """Write the page."""
    words: list[str] = arguments.words
    try:
        if len(words) == 1 and words[0].endswith(".json"):
            page = game(Path(words[0]), arguments)
        elif len(words) > 1:
            page = comparison(words, arguments)
        else:
            raise UsageError("--export wants a replay (game.json) or two rulesets and more")
    except RefusedError as error:
        raise UsageError(error.message, 1) from None
    write_page(Path(arguments.export), page)
    say(f"written: {arguments.export}")
    return 0


def game(path: Path, arguments: Namespace) -> str:
    """The game of a replay or a finding."""
    data = read_json(path)
    if not isinstance(data, dict):
        raise UsageError(f"{path} is no replay")
    ruleset, _ = sound_ruleset(named_in_file(data.get("ruleset"), path), roots(arguments))
    try:
        found = recorded(ruleset, data)
        seats = found.game.players
        if arguments.seat is not None and not 1 <= arguments.seat <= seats:
            raise UsageError(f"--seat: there are {seats} seats")
        words = Words(ruleset, language_for(ruleset, arguments.lang), NAMES[:seats])
        begun = Game.start(ruleset, seats, found.game.seed, found.game.seats, laws=False, log=True)
        viewer = EVERYBODY if arguments.seat is None else arguments.seat - 1
        shown = frames(begun, found.game.answers, words, viewer, found.fatal)
    except PlayError as error:
        raise UsageError(f"{path}: {error}", 1) from None
    told = " ".join(law_in_words(found.violation)) if found.violation is not None else ""
    return game_page(words.title(), words.lang, ruleset.name, shown, told)


def comparison(names: Sequence[str], arguments: Namespace) -> str:
    """Rulesets of one game, with a position for every difference that shows in one."""
    where = roots(arguments)
    texts = [found_texts(name, where) for name in names]
    rulesets = [checked(one) for one in texts]
    last = rulesets[-1].ruleset
    assert last is not None
    lang = language_for(last, arguments.lang)
    report = structure(rulesets, lang)
    wanted = [one["id"] for one in report["differences"] if one["readings"]]
    found: Json = {}
    with progress("positions", len(wanted)) as advance:
        for one in compared(texts, lang, wanted):
            found |= one["found"]
            advance(1, "")
    return comparison_page(report, found)
