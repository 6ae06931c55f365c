"""`warlock play`: a game at the terminal, or among bots."""

from __future__ import annotations

import secrets
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path

from attrs import frozen
from rich.console import Console
from rich.text import Text

from interpreter import Game, PlayError
from warlock_dsl import Ruleset
from workbench.language.phrases import clean
from workbench.language.sentences import Words, languages_of
from workbench.players.base import play_out
from workbench.players.registry import bot_of, split_seats
from workbench.scenario.opened import names_position, open_position
from workbench.support import arguments as shared
from workbench.support.errors import UsageError
from workbench.support.files import read_json, write_game
from workbench.support.output import complain, console, put_json
from workbench.support.rulesets import games, named_in_file, playable, roots, sound_ruleset
from workbench.support.run_file import BusyError
from workbench.support.which_machine import speed_up
from workbench.terminal.fullscreen import fits_here
from workbench.terminal.open_table import play_position
from workbench.terminal.outcome import announce, outcome, show_ending, words_for
from workbench.terminal.screen_session import ScreenSession
from workbench.terminal.session import Session, show_scores
from workbench.terminal.sitting import HUMAN, End, Seat, Sitting, Start, keep, resume, seat_from, take_up
from workbench.transcripts.running_game import Record, RunningGame, unfinished

DEFAULT_PLAYERS = 4
EXAMPLES = (
    ("warlock play maldorf", "you against three bots"),
    ("warlock play --resume", "go on with the game that was left, interrupted or killed"),
    ("warlock play tic-tac-toe --seats greedy,random --seed 7", "bots alone: the last board, and how it went"),
    ("warlock play maldorf+fr --lang de --seats human=Ann,human=Bo,greedy", "the French rules in German, two people"),
)
INTERRUPTED = 130


def add_arguments(parser: ArgumentParser) -> None:
    what = parser.add_argument_group("what to play")
    shared.completes(what.add_argument("ruleset", nargs="?", metavar="RULESET", help=shared.RULESET), "ruleset")
    shared.add_players(what, "4, or the nearest number the game allows")
    shared.add_seats(
        what,
        "who plays: human, random, first, greedy, montecarlo, mcts(iterations=50); a name may follow: first=Bo "
        "(default you and greedy bots)",
    )
    shared.add_seed(what, "the seed of all chance", None)
    shared.add_file(what, "--load", "go on with a saved game, or from the position of a scenario file")
    what.add_argument(
        "--resume",
        nargs="?",
        const="",
        metavar="N",
        help="go on with a game that was not played to its end; N of the list where there are several",
    )
    out = shared.output(parser)
    shared.add_lang(out)
    out.add_argument("--plain", action="store_true", help="ask line by line, not on a whole screen")
    out.add_argument("--quiet", action="store_true", help="print only the outcome")
    shared.add_file(out, "--save", "save the game here when it ends or is left")
    shared.add_file(out, "--replay", "write the answers here when the game ends or is left")


def run(arguments: Namespace) -> int:
    """Play a game to its end, or until somebody leaves it."""
    if arguments.resume is not None:
        return _resume(arguments)
    if arguments.ruleset is None:
        return _which(arguments)
    speed_up()
    if names_position(arguments.ruleset) or names_position(arguments.load or ""):
        return _play_position(arguments)
    ruleset = playable(arguments.ruleset, roots(arguments))
    start, seats = _opening(ruleset, arguments)
    return _safely(Table(start, seats, words_for(ruleset, arguments.lang, seats)), arguments)


def _play_position(arguments: Namespace) -> int:
    """A laid-out position: that of a scenario file, under its own rules or, with --load, under those that are named."""
    for option in ("save", "replay", "seats", "players", "seed"):
        if getattr(arguments, option) is not None:
            raise UsageError(f"a laid-out position is played as it is; --{option} does not go with it")
    if arguments.json:
        raise UsageError("a laid-out position is played by a person; `warlock replay FILE.toml --json` has it as data")
    where = roots(arguments)
    if names_position(arguments.ruleset):
        opened = open_position(arguments.ruleset, where)
    else:
        opened = open_position(arguments.load, where, sound_ruleset(arguments.ruleset, where)[0])
    out = console()
    words = words_for(opened.ruleset, arguments.lang, [Seat(HUMAN, name.capitalize()) for name in opened.stage.seats])
    if not arguments.quiet:
        out.print(Text(f"{clean(opened.scenario.name)} ({opened.ruleset.name})", "bold"))
    play_position(opened, words, out, Reader(out))
    return 0


@frozen
class Table:
    """A game and who sits at it, in which words; `kept` is the file of a game that is gone on with."""

    start: Start
    seats: list[Seat]
    words: Words
    kept: RunningGame | None = None


def _safely(table: Table, arguments: Namespace) -> int:
    try:
        return play_at(table, arguments)
    except PlayError as error:
        if arguments.replay and error.reached is not None:
            write_game(Path(arguments.replay), error.reached.replay)
        raise


def play_at(table: Table, arguments: Namespace) -> int:
    """Play a game to its end, or until somebody leaves it; the exit code."""
    game, seats, words = table.start.game, table.seats, table.words
    out = console(to_stderr=arguments.json)
    people = any(seat.kind == HUMAN for seat in seats)
    if not arguments.quiet and (people or not arguments.json):
        announce(out, words, game)
    code = 0
    if people:
        kept = table.kept or _kept(table, out)
        sitting = Sitting(table.start, seats, kept)
        end = session_for(arguments, sitting, words, out).play()
        code = INTERRUPTED if end is End.INTERRUPTED else 0
    else:
        _play_bots(game, seats, words, arguments)
    _keep(game, arguments)
    if arguments.json:
        put_json(outcome(game, seats))
    elif not people:
        if not arguments.quiet:
            show_ending(out, words, game)
        show_scores(out, words, game)
    return code


def session_for(arguments: Namespace, sitting: Sitting, words: Words, out: Console) -> Session | ScreenSession:
    """A whole screen where there is one; else line by line, for pipes and screen readers."""
    if not arguments.plain and not arguments.json and fits_here(out):
        return ScreenSession(sitting, words, out, _path(arguments.save))
    return Session(sitting, words, out, Reader(out), _path(arguments.save))


def _kept(table: Table, out: Console) -> RunningGame | None:
    """The file that the game is kept in from its first answer on; None, and a word about it, where there is none."""
    try:
        return keep(table.start, table.words.lang)
    except UsageError as error:
        out.print(Text(table.words.phrases("not_kept", why=clean(error.message)), "bold"))
        return None


def _which(arguments: Namespace) -> int:
    """Nothing was named: say what can be played, and how."""
    from workbench.commands.list import print_games

    if arguments.json:
        raise UsageError("play what? `warlock list` shows what can be played")
    print_games(games(roots(arguments)))
    complain("\nwarlock: play what? name one of these\n  hint: warlock play tic-tac-toe")
    return 2


# --------------------------------------------------------------------- resume


def _resume(arguments: Namespace) -> int:
    """Go on with a game that was not played to its end."""
    for option in ("load", "seats", "players", "seed"):
        if getattr(arguments, option) is not None:
            raise UsageError(f"--resume goes on with a game as it is; --{option} does not go with it")
    found = [one for one in unfinished() if isinstance(one, UsageError) or _is_meant(one, arguments.ruleset)]
    record = choose_record(found, arguments.resume)
    if record is None:
        return 2
    try:
        kept = RunningGame.reopen(record)
    except BusyError:
        raise UsageError("this game is open in another window; go on with it there") from None
    try:
        speed_up()
        ruleset = playable(arguments.ruleset or named_in_file(record.ruleset, record.path), roots(arguments))
        start = take_up(ruleset, record)
        seats = _seats_of(start.game)
        words = words_for(ruleset, arguments.lang or _spoken(ruleset, record), seats)
    except BaseException:
        kept.close()
        raise
    count, when = str(len(start.game.answers)), f"{record.played:%Y-%m-%d %H:%M}"
    if not arguments.quiet:
        text = words.phrases("resumed", game=words.title(), count=count, when=when)
        console(to_stderr=arguments.json).print(Text(text, "bold"))
    return _safely(Table(start, seats, words, kept), arguments)


def _is_meant(record: Record, ruleset: str | None) -> bool:
    """Whether a game is one of the ruleset that was named, if one was; a folder is found by its last word."""
    return ruleset is None or record.ruleset in (ruleset, Path(ruleset).name)


def _spoken(ruleset: Ruleset, record: Record) -> str | None:
    """The language a game was played in, if it is still there."""
    lang = str(record.heading["lang"])
    return lang if lang in languages_of(ruleset) else None


def choose_record(found: Sequence[Record | UsageError], word: str) -> Record | None:
    """The game that is meant: the only one, or the one with this number; else all of them are listed."""
    whole = [one for one in found if isinstance(one, Record)]
    if word:
        if not (word.isascii() and word.isdigit() and len(word) < 9 and 1 <= int(word) <= len(found)):
            raise UsageError(f"there is no game '{clean(word)[:40]}' to go on with; `warlock play --resume` lists them")
        one = found[int(word) - 1]
        if isinstance(one, UsageError):
            raise one
        return one
    if not found:
        raise UsageError("there is no game to go on with", 1)
    if len(found) == len(whole) == 1:
        return whole[0]
    print("These games are not over, the last played first:\n")
    for number, one in enumerate(found, 1):
        print(f"{number:4}  {_in_a_line(one)}")
    complain("\nwarlock: go on with which of them?\n  hint: warlock play --resume 1")
    return None


def _in_a_line(one: Record | UsageError) -> str:
    if isinstance(one, UsageError):
        return clean(one.message)
    seats = ", ".join(one.heading["seats"])[:60]
    return clean(f"{one.played:%Y-%m-%d %H:%M}  {one.ruleset[:60]}  {len(one.answers)} decisions  {seats}")


# -------------------------------------------------------------------- opening


def _opening(ruleset: Ruleset, arguments: Namespace) -> tuple[Start, list[Seat]]:
    seats = [seat_from(word) for word in split_seats(arguments.seats)] if arguments.seats else []
    if arguments.load:
        start = _loaded(ruleset, Path(arguments.load))
        seats = seats or _seats_of(start.game)
        _fit(len(seats), start.game.players)
        if arguments.players not in (None, start.game.players):
            raise UsageError(f"the saved game is for {start.game.players} players, not {arguments.players}")
        return start, seats
    minimum, maximum = ruleset.components.min_players, ruleset.components.max_players
    players = arguments.players or len(seats) or max(minimum, min(maximum, DEFAULT_PLAYERS))
    if not minimum <= players <= maximum:
        raise UsageError(f"{ruleset.name} is for {minimum} to {maximum} players, not {players}")
    seats = seats or [Seat(HUMAN)] + [Seat("greedy")] * (players - 1)
    _fit(len(seats), players)
    seed = secrets.randbelow(1 << 32) if arguments.seed is None else arguments.seed
    return Start(Game.start(ruleset, players, seed, [str(seat) for seat in seats], log=True)), seats


def _fit(seats: int, players: int) -> None:
    if seats != players:
        raise UsageError(f"--seats names {seats} of {players} players")


def _loaded(ruleset: Ruleset, path: Path) -> Start:
    data = read_json(path)
    try:
        return resume(ruleset, data)
    except PlayError as error:
        raise UsageError(f"{path}: {error.message}", 1) from None


def _seats_of(game: Game) -> list[Seat]:
    try:
        return [seat_from(word) for word in game.seats]
    except UsageError:
        raise UsageError("the saved game does not say who sits where; say so with --seats") from None


def _path(name: str | None) -> Path | None:
    return Path(name) if name else None


class Reader:
    """Reads lines from the keyboard or from a pipe; None at the end. An interrupt goes through."""

    def __init__(self, out: Console) -> None:
        self.out = out
        if hasattr(sys.stdin, "reconfigure"):
            sys.stdin.reconfigure(errors="replace")

    def __call__(self, prompt: str) -> str | None:
        self.out.print(Text(prompt, "bold"), end="")
        self.out.file.flush()
        try:
            line = sys.stdin.readline(10_000)
        except (OSError, ValueError):
            line = ""
        if not line or not sys.stdin.isatty():
            self.out.print()
        return line.rstrip("\r\n") if line else None


# ----------------------------------------------------------------------- bots


def _play_bots(game: Game, seats: list[Seat], words: Words, arguments: Namespace) -> None:
    bots = [bot_of(seat.kind, game.seed) for seat in seats]
    progress = console(to_stderr=True)
    if arguments.quiet or not progress.is_terminal:
        play_out(game, bots)
        return
    with progress.status("") as status:
        play_out(game, bots, lambda g: status.update(words.phrases("thinking", count=str(len(g.answers)))))


def _keep(game: Game, arguments: Namespace) -> None:
    if arguments.save:
        write_game(Path(arguments.save), game.save())
    if arguments.replay:
        write_game(Path(arguments.replay), game.replay())
