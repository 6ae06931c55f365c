"""`warlock replay`: a game that was played before, walked through from its file."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any

from rich.text import Text

from interpreter import Game, PlayError
from warlock_dsl import Loaded, Ruleset
from workbench.diff.other_rules import Crossing, play_under, position_under
from workbench.diff.report import tell_crossing
from workbench.diff.structure import same_game
from workbench.language.phrases import clean
from workbench.language.sentences import Words, language_for
from workbench.players.registry import split_seats
from workbench.scenario.opened import Opened, names_position, open_position
from workbench.service.table import question_for, table_for
from workbench.support import arguments as shared
from workbench.support.errors import UsageError
from workbench.support.files import FORMATS, read_json
from workbench.support.output import console, put_json
from workbench.support.rulesets import named_in_file, roots, sound_ruleset
from workbench.support.which_machine import speed_up
from workbench.terminal.board import Board
from workbench.terminal.fullscreen import fits_here
from workbench.terminal.outcome import announce, outcome, words_for
from workbench.terminal.recorded import Recorded, law_in_words, moves_in_words, recorded
from workbench.terminal.session import show_scores
from workbench.terminal.sitting import HUMAN, Seat, answered, seat_from
from workbench.terminal.walk import Walk, show_position, told_moves, walk_in_lines, walk_on_screen
from workbench.transcripts.running_game import is_running_game, read_running

EXAMPLES = (
    ("warlock replay game.json", "walk through it; in a pipe, check it and show the scores"),
    ("warlock replay game.json --moves", "every decision in words"),
    ("warlock replay game.json --at 40 --play", "go on from there, as a new game"),
    ("warlock replay game.json --under maldorf+fr", "the same answers under other rules, up to where they differ"),
)


def add_arguments(parser: ArgumentParser) -> None:
    what = parser.add_argument_group("what to play again")
    about = "a replay, a save, a finding of `fuzz`, a game in progress, or a scenario (FILE.toml, FILE.toml:2)"
    shared.add_file(what, "file", about)
    shared.add_ruleset(what, "--ruleset", "the ruleset (default: found by the name in the file)")
    shared.add_ruleset(what, "--under", "play the answers under these rules, as far as they go")
    what.add_argument("--at", type=shared.count, metavar="N", help="begin after N decisions")
    what.add_argument("--play", action="store_true", help="go on from there as a new game")
    shared.add_seats(what, "who plays on (default: who sat there; a person if nobody did)")
    out = shared.output(parser)
    out.add_argument("--moves", action="store_true", help="print every decision in words")
    out.add_argument("--plain", action="store_true", help="walk line by line, not on a whole screen")
    shared.add_lang(out)


def run(arguments: Namespace) -> int:
    """Walk through a file; where nobody can, say what is in it. Its answers must lead where it says."""
    speed_up()
    if names_position(arguments.file):
        return _replay_position(arguments)
    path = Path(arguments.file)
    data = _read(path)
    name = arguments.ruleset or named_in_file(data.get("ruleset"), path)
    ruleset, loaded = sound_ruleset(name, roots(arguments))
    try:
        found = recorded(ruleset, data)
    except PlayError as error:
        raise UsageError(f"{path}: {error}", 1) from None
    at = 0 if arguments.at is None else arguments.at
    if at > found.count:
        raise UsageError(f"--at: the game has {found.count} decisions, not {at}")
    if arguments.play:
        return _play(found, at, arguments)
    if arguments.under:
        return _replay_under(found, at, loaded, arguments)
    if "digest" not in data and found.violation is None and not data.get("running"):
        raise UsageError(f"{path} does not say where it ends: it has no digest", 1)
    return _tell(found, at, ruleset, arguments)


def _read(path: Path) -> dict[str, Any]:
    """What the file holds, as a save or a replay does."""
    try:
        with path.open("rb") as stream:
            head = stream.read(40)
    except (OSError, ValueError):
        head = b""
    if is_running_game(head):
        record = read_running(path)
        if record.heading.get("save") is None:
            return {**record.replay(), "running": True}
        raise UsageError(f"{path} goes on from a save; `warlock play --resume` goes on with it", 1)
    data = read_json(path)
    if not isinstance(data, dict) or not str(data.get("format")).startswith(FORMATS):
        raise UsageError(f"{path} is neither a save nor a replay", 1)
    return data


def _tell(found: Recorded, at: int, ruleset: Ruleset, arguments: Namespace) -> int:
    seats = [_any_seat(word) for word in found.game.seats]
    words = words_for(ruleset, arguments.lang, seats)
    code = 0 if found.violation is None else 1
    if arguments.json:
        moves = {"moves": moves_in_words(found, words)} if arguments.moves else {}
        law = {} if found.violation is None else {"broken": {"law": found.violation.law, "after": found.broken,
                                                             "message": found.violation.message}}  # fmt: skip
        put_json({**outcome(found.game, seats), **moves, **law})
        return code
    out = console()
    walk = Walk(found, words)
    walk.go(at if arguments.at is not None else found.broken if found.violation is not None else 0)
    if not arguments.moves and _walked(walk, arguments):
        return code
    announce(out, words, found.game)
    if arguments.moves or found.violation is not None:
        told_moves(moves_in_words(found, words), out)
    if arguments.at is not None:
        show_position(walk, out)
        return code
    out.print(Text(words.phrases("decisions", count=str(found.count)), "bold"))
    if found.violation is not None:
        out.print(Text(f"✗ {words.phrases('walk_broken', number=str(found.broken))}", "bold"))
        for line in law_in_words(found.violation):
            out.print(Text(f"  {clean(line)}"), soft_wrap=True)
        return code
    show_scores(out, words, found.game)
    return code


def _walked(walk: Walk, arguments: Namespace) -> bool:
    """Walk through a game where somebody sits at a terminal; whether that was so."""
    out = console()
    if not arguments.plain and fits_here(out):
        walk_on_screen(walk, out)
        return True
    if out.is_terminal and sys.stdin.isatty():
        from workbench.commands.play import Reader

        walk_in_lines(walk, out, Reader(out))
        return True
    return False


def _play(found: Recorded, at: int, arguments: Namespace) -> int:
    """Go on from a position as a new game."""
    from workbench.commands.play import Table, play_at

    old = found.game
    seats = [seat_from(word) for word in split_seats(arguments.seats)] if arguments.seats else _who(found, at)
    if len(seats) != old.players:
        raise UsageError(f"--seats names {len(seats)} of {old.players} players")
    game = Game.start(old.ruleset, old.players, old.seed, [str(seat) for seat in seats], log=True)
    try:
        start = answered(game, old.answers[:at])
    except PlayError as error:
        raise UsageError(f"{arguments.file}: {error}", 1) from None
    words = words_for(old.ruleset, arguments.lang, seats)
    arguments.quiet, arguments.save, arguments.replay = False, None, None
    return play_at(Table(start, seats, words), arguments)


def _who(found: Recorded, at: int) -> list[Seat]:
    """Who sat there; somebody has to be a person: else it is the one who is asked."""
    seats = []
    for word in found.game.seats:
        try:
            seats.append(seat_from(word))
        except UsageError:
            seats.append(Seat("greedy"))
    if all(seat.kind != HUMAN for seat in seats):
        seats[max(0, found.at(at).to_move)] = Seat(HUMAN)
    return seats


def _replay_under(found: Recorded, at: int, home: Loaded, arguments: Namespace) -> int:
    """The same answers under other rules, as far as they go."""
    other, loaded = sound_ruleset(arguments.under, roots(arguments))
    same_game(home, loaded)
    lang = language_for(other, arguments.lang)
    try:
        crossing = play_under(found.game, other, lang, _called(found.game, Words(other, lang)))
    except PlayError as error:
        raise UsageError(f"{arguments.file} under {other.name}: {error}", 1) from None
    if arguments.json:
        put_json(crossing.data())
        return 0
    walk = _both(found, other, crossing, lang)
    walk.go(at)
    if arguments.moves:
        told_moves(moves_in_words(found, walk.words)[: walk.last], console())
    elif _walked(walk, arguments):
        return 0
    elif arguments.at is not None:
        show_position(walk, console())
    tell_crossing(console(), crossing, lang)
    return 0


def _both(found: Recorded, other: Ruleset, crossing: Crossing, lang: str) -> Walk:
    """The game and the same answers under other rules, up to where they diverge."""
    game = found.game
    last = found.count if crossing.parts < 0 else crossing.parts
    legal = min(last, crossing.legal)
    again = Game.again(other, game.players, game.seed, game.answers[:legal], game.seats, laws=False, log=True)
    what = crossing.moment.what if crossing.moment is not None else ""
    names = _called(game, Words(other, lang))
    words = Words(game.ruleset, language_for(game.ruleset, lang), names)
    return Walk(found, words, Recorded(again), Words(other, lang, names), last, what)


def _called(game: Game, words: Words) -> list[str]:
    """What those who played are called."""
    return [_any_seat(word).called(number, words.phrases) for number, word in enumerate(game.seats)]


def _replay_position(arguments: Namespace) -> int:
    """The answers of a scenario from its position on, under its own rules, and under others as far as they go."""
    where = roots(arguments)
    own = sound_ruleset(arguments.ruleset, where)[0] if arguments.ruleset else None
    opened = open_position(arguments.file, where, own)
    seats = [Seat(HUMAN, name.capitalize()) for name in opened.stage.seats]
    words = words_for(opened.ruleset, arguments.lang, seats)
    try:
        if arguments.under:
            other = open_position(arguments.file, where, sound_ruleset(arguments.under, where)[0])
            crossing = position_under(opened, other, words.lang)
            if arguments.json:
                put_json(crossing.data())
            else:
                tell_crossing(console(), crossing, words.lang)
            return 0
        moves = [_told_answer(opened, word, words) for word in opened.answers]
    except PlayError as error:
        raise UsageError(f"{arguments.file}: {error}", 1) from None
    if arguments.json:
        put_json({**outcome(opened.stage, seats), **({"moves": moves} if arguments.moves else {})})
        return 0
    out = console()
    out.print(Text(f"{clean(opened.scenario.name)} ({opened.ruleset.name})", "bold"))
    for number, move in enumerate(moves, 1):
        out.print(Text(f"{number:4}  {move['who']}: {move['question']} {move['answer']}"), soft_wrap=True)
    out.print(Board(table_for(words, opened.stage, opened.stage.players)).draw(out))
    question = question_for(words, opened.stage)
    asked = f"{words.seat(opened.stage.to_move)}: {question.text}" if question else words.phrases("diff_nobody_asked")
    out.print(Text(asked, "bold"))
    return 0


def _told_answer(opened: Opened, word: str, words: Words) -> dict[str, str]:
    """Give an answer of a scenario; who gave it, and to which question."""
    game = opened.stage
    question = question_for(words, game)
    if question is None:
        raise UsageError(f"nobody is asked any more, and the scenario answers '{clean(word)}'", 1)
    numbers = opened.meant(word)
    told = {"who": words.seat(game.to_move), "question": question.text, "answer": question.options[numbers[0]].text}
    for number in numbers:
        game.choose(number)
    return {**told, "key": game.answers[-1]}


def _any_seat(word: str) -> Seat:
    """A seat of a file; whatever it says, somebody sat there."""
    kind, _, name = word.partition("=")
    return Seat(clean(kind)[:40], clean(name)[:40])
