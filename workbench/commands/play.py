"""`warlock play`: a game at the terminal, or among bots."""

from __future__ import annotations

import secrets
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from rich.console import Console
from rich.text import Text

from interpreter import Game, PlayError
from warlock_dsl import Ruleset
from workbench.language.sentences import Words
from workbench.players.base import play_out
from workbench.players.registry import bot_of, split_seats
from workbench.support import arguments as shared
from workbench.support.errors import UsageError
from workbench.support.files import read_json, write_game
from workbench.support.native import speed_up
from workbench.support.output import complain, console, put_json
from workbench.support.rulesets import games, playable, roots
from workbench.terminal.outcome import announce, outcome, show_ending, words_for
from workbench.terminal.session import HUMAN, Seat, Session, Start, resume, seat_from, show_scores

DEFAULT_PLAYERS = 4
EXAMPLES = (
    ("warlock play maldorf", "you against three bots"),
    ("warlock play maldorf --seats human=Ann,human=Bo,greedy", "two people and a bot"),
    ("warlock play tic-tac-toe --seats greedy,random --seed 7", "bots alone: the last board, and how it went"),
    ("warlock play maldorf+fr --lang de --save evening.json", "the French rules in German, saved when you leave"),
)


def add_arguments(parser: ArgumentParser) -> None:
    what = parser.add_argument_group("what to play")
    shared.completes(what.add_argument("ruleset", nargs="?", metavar="RULESET", help=shared.RULESET), "ruleset")
    shared.add_players(what, "4, or the nearest number the game allows")
    shared.add_seats(
        what,
        "who plays: human, random, first, greedy, montecarlo, mcts(iterations=50); a name may follow: first=Bo "
        "(default you and random bots)",
    )
    shared.add_seed(what, "the seed of all chance", None)
    shared.add_file(what, "--load", "go on with a saved game")
    out = shared.output(parser)
    shared.add_lang(out)
    out.add_argument("--quiet", action="store_true", help="print only the outcome")
    shared.add_file(out, "--save", "save the game here when it ends or is left")
    shared.add_file(out, "--replay", "write the answers here when the game ends or is left")


def run(arguments: Namespace) -> int:
    """Play a game to its end, or until somebody leaves it."""
    if arguments.ruleset is None:
        return _which(arguments)
    speed_up()
    ruleset = playable(arguments.ruleset, roots(arguments))
    try:
        return _play(ruleset, arguments)
    except PlayError as error:
        if arguments.replay and error.reached is not None:
            write_game(Path(arguments.replay), error.reached.replay)
        raise


def _play(ruleset: Ruleset, arguments: Namespace) -> int:
    start, seats = _opening(ruleset, arguments)
    words = words_for(ruleset, arguments.lang, seats)
    out = console(to_stderr=arguments.json)
    people = any(seat.kind == HUMAN for seat in seats)
    if not arguments.quiet and (people or not arguments.json):
        announce(out, words, start.game)
    if people:
        Session(start, seats, words, out, Reader(out), _path(arguments.save)).play()
    else:
        _play_bots(start.game, seats, words, arguments)
    _keep(start.game, arguments)
    if arguments.json:
        put_json(outcome(start.game, seats))
    elif not people:
        if not arguments.quiet:
            show_ending(out, words, start.game)
        show_scores(out, words, start.game)
    return 0


def _which(arguments: Namespace) -> int:
    """Nothing was named: say what can be played, and how."""
    from workbench.commands.list import print_games

    if arguments.json:
        raise UsageError("play what? `warlock list` shows what can be played")
    print_games(games(roots(arguments)))
    complain("\nwarlock: play what? name one of these\n  hint: warlock play tic-tac-toe")
    return 2


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
    seats = seats or [Seat(HUMAN)] + [Seat("random")] * (players - 1)
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
    """Reads lines from the keyboard or from a pipe; None at the end."""

    def __init__(self, out: Console) -> None:
        self.out = out
        if hasattr(sys.stdin, "reconfigure"):
            sys.stdin.reconfigure(errors="replace")

    def __call__(self, prompt: str) -> str | None:
        self.out.print(Text(prompt, "bold"), end="")
        self.out.file.flush()
        try:
            line = sys.stdin.readline(10_000)
        except (KeyboardInterrupt, OSError, ValueError):  # while nothing goes on: the game is left as it is
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
