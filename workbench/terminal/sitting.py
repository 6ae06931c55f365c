"""Who sits at a game and what has been answered: people, bots, taking back and giving again, the file it is kept in.

What is shown to whom is for the two tables over it: `session` in lines, `screen` on a whole terminal.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from attrs import frozen

from interpreter import Game, PlayError
from warlock_dsl import Ruleset
from workbench.language.phrases import Phrases, clean
from workbench.players.base import Bot
from workbench.players.registry import bot_of, spec
from workbench.support.errors import UsageError
from workbench.transcripts.running_game import Record, RunningGame

HUMAN = "human"
BOT_NAMES = {
    "random": "bot_random", "first": "bot_first", "greedy": "bot_greedy", "montecarlo": "bot_montecarlo",
    "mcts": "bot_mcts",
}  # fmt: skip


@frozen
class Seat:
    """Who sits where: a person or a kind of bot, and a name, if one was given."""

    kind: str
    name: str = ""

    def __str__(self) -> str:
        return f"{self.kind}={self.name}" if self.name else self.kind

    def called(self, number: int, phrases: Phrases) -> str:
        if self.name:
            return clean(self.name)
        if self.kind == HUMAN:
            return phrases("seat", number=str(number + 1))
        return phrases(BOT_NAMES.get(self.kind.partition("(")[0], "seat"), number=str(number + 1))


def seat_from(word: str) -> Seat:
    """A seat as it is written: `human`, `greedy`, `greedy(tries=8)`, `human=Ann`."""
    seat = spec(word, (HUMAN,))
    return Seat(seat.bot, seat.name)


class End(Enum):
    OVER = "over"
    LEFT = "left"
    INTERRUPTED = "interrupted"


@frozen
class Start:
    """A game to play, and who answered each of the questions that can be taken back."""

    game: Game
    askers: tuple[int, ...] = ()
    loaded: bool = False  # from a save, in a state that its answers do not lead to

    @property
    def whole(self) -> bool:
        """Whether the answers of the game lead to where it is."""
        return not self.loaded and len(self.askers) == len(self.game.answers)


def resume(ruleset: Ruleset, data: object) -> Start:
    """The game a save holds. Where its answers lead there again, one can undo to the beginning and read the log."""
    game = Game.load(ruleset, data)
    try:
        again = answered(Game.start(ruleset, game.players, game.seed, game.seats, log=True), game.answers)
    except PlayError:
        return Start(game, loaded=True)
    return again if again.game.digest() == game.digest() else Start(game, loaded=True)


def take_up(ruleset: Ruleset, record: Record) -> Start:
    """The game of a file that was kept while it was played."""
    save, answers = record.heading.get("save"), record.answers
    try:
        if save is not None:
            return answered(resume(ruleset, save).game, answers)
        return answered(Game.from_replay(ruleset, {**record.replay(), "answers": []}, log=True), answers)
    except PlayError as error:
        raise UsageError(f"{record.path}: {error.message}", 1) from None


def answered(game: Game, answers: Sequence[str]) -> Start:
    """A game after more answers."""
    askers = []
    for key in answers:
        askers.append(game.to_move)
        game.answer(key)
    return Start(game, tuple(askers))


class Sitting:
    """People and bots at one game."""

    def __init__(self, start: Start, seats: Sequence[Seat], kept: RunningGame | None = None) -> None:
        self.game = start.game
        self.seats = tuple(seats)
        self.askers = list(start.askers)
        self.kept = kept
        self.humans = frozenset(number for number, seat in enumerate(seats) if seat.kind == HUMAN)
        self.bots: dict[int, Bot] = {n: bot_of(s.kind, self.game.seed) for n, s in enumerate(seats) if s.kind != HUMAN}
        self._before = len(self.game.answers) - len(self.askers)  # answers that nobody can take back
        self._undone: list[list[str]] = []  # what was taken back at a time, the last on top

    # ------------------------------------------------------------------- answer

    def answer(self, number: int) -> None:
        """Take an answer. When this returns it is kept."""
        self._undone.clear()
        self._answer(number)

    def _answer(self, number: int) -> None:
        seat = self.game.to_move
        self.game.choose(number)
        self.askers.append(seat)
        if self.kept is not None:
            self.kept.answered(self.game.answers[-1])
            if self.game.over:
                self.kept.over()

    def let_bot_answer(self) -> bool:
        """One answer of a bot, if a bot is asked."""
        bot = None if self.game.over else self.bots.get(self.game.to_move)
        if bot is not None:
            self._answer(bot.pick(self.game))
        return bot is not None

    # --------------------------------------------------------------- back, again

    def undo(self, seat: int) -> bool:
        """Back to the decision of a seat before this one, over the answers others have given since."""
        before = [number for number, asker in enumerate(self.askers) if asker == seat]
        if not before:
            return False
        self._undone.append(self.game.answers[self._before + before[-1] :])
        while len(self.askers) > before[-1]:
            self.game.undo()
            self.askers.pop()
        if self.kept is not None:
            self.kept.taken_back(len(self.askers))
        return True

    def redo(self) -> bool:
        """What was last taken back, as it was, with the answers of the others."""
        if not self._undone:
            return False
        for key in self._undone.pop():
            keys = [option.key for option in self.game.options()]
            self._answer(keys.index(key))
        return True

    # --------------------------------------------------------------------- leave

    def leave(self) -> bool:
        """Nobody plays on for now; whether the game is kept and can be gone on with."""
        if self.kept is None:
            return False
        begun = any(asker in self.humans for asker in self.askers)
        self.kept.close(forget=not begun and not self.game.over)
        return begun and not self.game.over


def keep(start: Start, lang: str) -> RunningGame:
    """The file that a game is kept in from now on. UsageError where there is no place for it."""
    try:
        return RunningGame.begin(start.game, lang, None if start.whole else start.game.save())
    except (OSError, RuntimeError) as error:
        raise UsageError(str(error)) from None
