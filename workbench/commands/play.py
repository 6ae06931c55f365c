"""`warlock play` and `warlock replay`: a game at the terminal or among bots, and one that was played before."""

from __future__ import annotations

import secrets
import sys
from argparse import Namespace
from fractions import Fraction
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from interpreter import Game, PlayError, play_again
from interpreter.game import REPLAY_FORMAT, SAVE_FORMAT
from warlock_dsl.ruleset import Loaded, Ruleset
from workbench.diff.other_rules import play_under
from workbench.diff.report import tell_crossing
from workbench.diff.structure import same_game
from workbench.language.phrases import Phrases, clean
from workbench.language.sentences import Words, language_for
from workbench.players.base import play_out
from workbench.players.registry import bot_of, split_seats
from workbench.support.files import UsageError, read_json, write_game
from workbench.support.output import console, put_json
from workbench.support.rulesets import playable, roots, sound_ruleset
from workbench.terminal.session import HUMAN, Seat, Session, Start, resume, seat_from, show_scores

DEFAULT_PLAYERS = 4


def play(arguments: Namespace) -> int:
    """Play a game to its end, or until somebody leaves it."""
    ruleset = playable(arguments.ruleset, roots(arguments))
    try:
        start, seats = _opening(ruleset, arguments)
        words = _words(ruleset, arguments.lang, seats)
        out = console(to_stderr=arguments.json)
        people = any(seat.kind == HUMAN for seat in seats)
        if not arguments.quiet and (people or not arguments.json):
            _announce(out, words, start.game)
        if people:
            Session(start, seats, words, out, Reader(out), _path(arguments.save)).play()
        else:
            _play_bots(start.game, seats, words, arguments)
        _keep(start.game, arguments)
    except PlayError as error:
        raise UsageError(f"the rules are wrong: {error}{f' ({error.hint})' if error.hint else ''}", 1) from None
    if arguments.json:
        put_json(outcome(start.game, seats))
    elif not people:
        show_scores(out, words, start.game)
    return 0


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


def _words(ruleset: Ruleset, wanted: str | None, seats: list[Seat]) -> Words:
    """The words of a game in the language asked for, else in that of its edition."""
    lang = language_for(ruleset, wanted, ruleset.language)
    phrases = Phrases(lang)
    return Words(ruleset, lang, [seat.called(number, phrases) for number, seat in enumerate(seats)])


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
        except KeyboardInterrupt:  # while nothing goes on: the game is left as it stands
            line = ""
        if not line or not sys.stdin.isatty():
            self.out.print()
        return line.rstrip("\r\n") if line else None


# ----------------------------------------------------------------------- bots


def _announce(out: Console, words: Words, game: Game) -> None:
    seats = ", ".join(words.seat(number) for number in range(game.players))
    out.print(Text(words.phrases("playing", game=words.title(), seed=str(game.seed), seats=seats), "dim"))


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


# -------------------------------------------------------------------- outcome


def outcome(game: Game, seats: list[Seat]) -> dict[str, Any]:
    """The end of a game as data."""
    return {
        "ruleset": game.ruleset.name,
        "hash": game.ruleset.hash,
        "seed": game.seed,
        "players": game.players,
        "decisions": len(game.answers),
        "over": game.over,
        "scores": [
            {
                "seat": number,
                "player": seat.kind,
                **({"name": seat.name} if seat.name else {}),
                "total": exact(sheet.total_text),
                "parts": {name: exact(value) for name, value in sheet.part_texts.items()},
            }
            for number, (seat, sheet) in enumerate(zip(seats, game.scores(), strict=True))
        ],
        "winners": list(game.winners),
        "digest": game.digest(),
    }


def exact(digits: str) -> int | float | str:
    """A number as JSON holds it exactly; digits as a text where it cannot."""
    value = Fraction(digits)
    if value.denominator == 1:
        return int(value)
    return float(value) if Fraction(float(value)) == value else digits


# --------------------------------------------------------------------- replay


def replay(arguments: Namespace) -> int:
    """Play a file again: its answers must lead where it says."""
    path = Path(arguments.file)
    data = read_json(path)
    if not isinstance(data, dict) or data.get("format") not in (SAVE_FORMAT, REPLAY_FORMAT):
        raise UsageError(f"{path} is neither a save nor a replay", 1)
    name = arguments.ruleset or data.get("ruleset")
    if not isinstance(name, str):
        raise UsageError(f"{path} does not name its ruleset; name it with --ruleset", 1)
    ruleset, loaded = sound_ruleset(name, roots(arguments))
    try:
        if data["format"] == SAVE_FORMAT:
            Game.load(ruleset, data)
        game = play_again(ruleset, {**data, "format": REPLAY_FORMAT})
    except PlayError as error:
        raise UsageError(f"{path}: {error}", 1) from None
    if "digest" not in data:
        raise UsageError(f"{path} does not say where it ends: it has no digest", 1)
    if arguments.under:
        return _replay_under(game, loaded, arguments)
    seats = [_any_seat(word) for word in game.seats]
    words = _words(ruleset, arguments.lang, seats)
    moves = moves_in_words(game, words) if arguments.moves else []
    if arguments.json:
        put_json({**outcome(game, seats), **({"moves": moves} if arguments.moves else {})})
        return 0
    out = console()
    _announce(out, words, game)
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
