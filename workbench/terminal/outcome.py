"""The end of a game: as data, and on the terminal for those who did not sit at it."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rich.console import Console
from rich.text import Text

from interpreter import Game
from warlock_dsl import Ruleset
from workbench.language.event_log import tell
from workbench.language.phrases import Phrases
from workbench.language.sentences import Words, language_for
from workbench.service.table import table_for
from workbench.terminal.board import Board
from workbench.terminal.colours import QUIET
from workbench.terminal.sitting import Seat

LAST_EVENTS = 8


def words_for(ruleset: Ruleset, wanted: str | None, seats: list[Seat]) -> Words:
    """The words of a game in the language asked for, else in that of its edition."""
    lang = language_for(ruleset, wanted, ruleset.language)
    phrases = Phrases(lang)
    return Words(ruleset, lang, [seat.called(number, phrases) for number, seat in enumerate(seats)])


def announce(out: Console, words: Words, game: Game) -> None:
    seats = ", ".join(words.seat(number) for number in range(game.players))
    out.print(Text(words.phrases("playing", game=words.title(), seed=str(game.seed), seats=seats), QUIET))


def show_ending(out: Console, words: Words, game: Game) -> None:
    """The table at the end as a bystander sees it, how long the game was, and what happened last."""
    bystander = table_for(words, game, game.players, scored=True)  # a seat that nobody has: what all may see
    out.print(Board(bystander).draw(out))
    out.print(Text(words.phrases("decisions_and_last", count=str(len(game.answers))), "bold"))
    seat = game.winners[0] if game.winners else 0
    for line in tell(game.events, seat, words)[-LAST_EVENTS:]:
        out.print(Text(f"  {line}", QUIET), no_wrap=True, overflow="ellipsis")


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
        **({"table_wins": bool(game.winners)} if game.ruleset.components.cooperative and game.over else {}),
        "digest": game.digest(),
    }


def exact(digits: str) -> int | float | str:
    """A number as JSON holds it exactly; digits as a text where it cannot."""
    value = Fraction(digits)
    if value.denominator == 1:
        return int(value)
    return float(value) if Fraction(float(value)) == value else digits
