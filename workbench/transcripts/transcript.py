"""The transcript of a game: seats, seed and answers, each with its question; and following one leniently.

A replay must fit to the letter. A course is followed as far as it fits: at each question the next answer that was given
to the same question by the same seat is taken if it is on offer, else one that names pieces like those it named, else
the first option. So a course with answers left out, or under other rules, still gives a whole game, which is what
searching and shrinking need.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Sequence

from attrs import frozen

from interpreter import Decision, Game
from warlock_dsl import Ruleset
from workbench.transcripts.piece_names import piece_names

MAX_DECISIONS = 20_000  # of a game that is followed: one without end is given up


@frozen
class Move:
    """An answer: who gave it, to which question (`rule.name`), and its key."""

    player: int
    question: str
    key: str


@frozen
class Transcript:
    players: int
    seed: int
    moves: tuple[Move, ...]


def question_of(decision: Decision) -> str:
    """The address of a question: its rule, and the name it binds."""
    return f"{decision.rule}.{decision.name}"


class Script:
    """Answers questions as a course did. It is used up as it goes: a new game needs a new script."""

    def __init__(self, moves: Sequence[Move]) -> None:
        self.left: dict[tuple[int, str], deque[str]] = defaultdict(deque)
        for move in moves:
            self.left[move.player, move.question].append(move.key)

    def pick(self, game: Game) -> int:
        """The number of the option to take."""
        wanted = self.left.get((game.to_move, game.question))
        if wanted:
            key, keys = wanted.popleft(), list(game.keys)
            if key in keys:
                return keys.index(key)
            if like := piece_names(game.ruleset, key):
                return next((number for number, one in enumerate(keys) if piece_names(game.ruleset, one) == like), 0)
        return 0


class Recorder:
    """A game that keeps the course it takes."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.moves: list[Move] = []

    def choose(self, number: int) -> None:
        decision = self.game.decision
        assert decision is not None
        move = Move(decision.player, question_of(decision), decision.options[number].key)
        self.game.choose(number)
        self.moves.append(move)

    @property
    def transcript(self) -> Transcript:
        return Transcript(self.game.players, self.game.seed, tuple(self.moves))


def begin(ruleset: Ruleset, transcript: Transcript, laws: bool = True) -> Game:
    """The game a course begins with."""
    return Game.start(ruleset, transcript.players, transcript.seed, laws=laws)


def transcript_of(ruleset: Ruleset, players: int, seed: int, answers: Sequence[str]) -> Transcript:
    """The transcript of a game from the keys of its answers."""
    recorder = Recorder(Game.start(ruleset, players, seed, laws=False))
    for key in answers:
        keys = [option.key for option in recorder.game.options()]
        recorder.choose(keys.index(key))
    return recorder.transcript
