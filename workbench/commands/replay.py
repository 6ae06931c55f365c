"""`warlock replay`: a game that was played before, played again from its file."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any

from rich.text import Text

from interpreter import REPLAY_FORMAT, Game, PlayError, play_again
from warlock_dsl import Loaded
from workbench.diff.other_rules import play_under
from workbench.diff.report import tell_crossing
from workbench.diff.structure import same_game
from workbench.language.phrases import clean
from workbench.language.sentences import Words, language_for
from workbench.support import arguments as shared
from workbench.support.errors import UsageError
from workbench.support.files import FORMATS, read_json
from workbench.support.native import speed_up
from workbench.support.output import console, put_json
from workbench.support.rulesets import named_in_file, roots, sound_ruleset
from workbench.terminal.outcome import announce, outcome, words_for
from workbench.terminal.session import Seat, show_scores

EXAMPLES = (
    ("warlock replay game.json", "check that its answers lead where it says, and show the scores"),
    ("warlock replay game.json --moves", "every decision in words"),
    ("warlock replay game.json --under maldorf+fr", "the same answers under other rules, as far as they go"),
)


def add_arguments(parser: ArgumentParser) -> None:
    what = parser.add_argument_group("what to play again")
    shared.add_file(what, "file", "a replay or a save")
    shared.add_ruleset(what, "--ruleset", "the ruleset (default: found by the name in the file)")
    shared.add_ruleset(what, "--under", "play the answers under these rules, as far as they go")
    out = shared.output(parser)
    out.add_argument("--moves", action="store_true", help="show every decision in words")
    shared.add_lang(out)


def run(arguments: Namespace) -> int:
    """Play a file again: its answers must lead where it says."""
    speed_up()
    path = Path(arguments.file)
    data = read_json(path)
    if not isinstance(data, dict) or not str(data.get("format")).startswith(FORMATS):
        raise UsageError(f"{path} is neither a save nor a replay", 1)
    name = arguments.ruleset or named_in_file(data.get("ruleset"), path)
    ruleset, loaded = sound_ruleset(name, roots(arguments))
    try:
        if str(data["format"]).startswith(FORMATS[0]):
            Game.load(ruleset, data)
            data["format"] = REPLAY_FORMAT
        game = play_again(ruleset, data)
        if "digest" not in data:
            game.scores()  # they may be what went wrong
    except PlayError as error:
        raise UsageError(f"{path}: {error}", 1) from None
    if "digest" not in data:
        raise UsageError(f"{path} does not say where it ends: it has no digest", 1)
    if arguments.under:
        return _replay_under(game, loaded, arguments)
    seats = [_any_seat(word) for word in game.seats]
    words = words_for(ruleset, arguments.lang, seats)
    moves = moves_in_words(game, words) if arguments.moves else []
    if arguments.json:
        put_json({**outcome(game, seats), **({"moves": moves} if arguments.moves else {})})
        return 0
    out = console()
    announce(out, words, game)
    for move in moves:
        out.print(Text(f"{move['number']:4}  {move['who']}: {move['question']} {move['answer']}"), soft_wrap=True)
    out.print(Text(words.phrases("decisions", count=str(len(game.answers))), "dim"))
    show_scores(out, words, game)
    return 0


def _replay_under(game: Game, home: Loaded, arguments: Namespace) -> int:
    """The same answers under other rules, as far as they go."""
    other, loaded = sound_ruleset(arguments.under, roots(arguments))
    same_game(home, loaded)
    try:
        crossing = play_under(game, other, language_for(other, arguments.lang))
    except PlayError as error:
        raise UsageError(f"{arguments.file} under {other.name}: {error}", 1) from None
    if arguments.json:
        put_json(crossing.data())
    else:
        tell_crossing(console(), crossing)
    return 0


def _any_seat(word: str) -> Seat:
    """A seat of a file; whatever it says, somebody sat there."""
    kind, _, name = word.partition("=")
    return Seat(clean(kind)[:40], clean(name)[:40])


def moves_in_words(game: Game, words: Words) -> list[dict[str, Any]]:
    """Every question and its answer, as the player who was asked saw them."""
    again = Game.start(game.ruleset, game.players, game.seed, game.seats, laws=False)
    found: list[dict[str, Any]] = []
    for number, key in enumerate(game.answers, 1):
        decision = again.decision
        assert decision is not None
        view = again.observe(decision.player)
        told = words.seeing(view)
        sentences = told.options(decision, view)
        place = [option.key for option in decision.options].index(key)
        found.append(
            {
                "number": number,
                "seat": decision.player,
                "who": words.seat(decision.player),
                "rule": decision.rule,
                "name": decision.name,
                "question": told.ask(decision),
                "answer": sentences[place],
                "key": key,
            }
        )
        again.choose(place)
    return found
