"""The public face of a game: start, observe, options, choose, copy, save, load, undo, replay."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from attrs import frozen

from interpreter.errors import AnswerError, GameFileError, RulesError
from interpreter.machine import BACKENDS, machine_for
from interpreter.plain.evaluate import TOO_DEEP
from interpreter.plain.machine import MAX_ANSWERS, Machine
from interpreter.plain.questions import Answer, Offer, item_type
from interpreter.state.events import Event, Journal
from interpreter.state.labels import Shown, number_text, show, show_bound
from interpreter.state.observe import Observation, observe
from interpreter.state.state import State, state_from_data
from warlock_dsl.diagnostics.diagnostic import Span
from warlock_dsl.ruleset import Ruleset

SAVE_FORMAT = "warlock-save/1"
REPLAY_FORMAT = "warlock-replay/1"
UNREACHED = (TypeError, LookupError, AssertionError, AttributeError, ValueError, ArithmeticError)


@frozen
class Option:
    """One thing that may be answered. `what` is value, add, stop or decline; `key` is the word for it in replays."""

    what: str
    value: Shown
    key: str


@frozen
class Decision:
    """A question to a player: where in the rules it stands, what has been bound before it, and the options.

    `mode` is one, set or step (a set asked for piece by piece; `partial` is what has been picked).
    """

    player: int
    rule: str
    name: str
    mode: str
    may: bool
    bound: tuple[tuple[str, Shown], ...]
    partial: tuple[Shown, ...]
    options: tuple[Option, ...]
    span: Span


@frozen
class ScoreSheet:
    """A player's points by part, as exact numbers in plain digits, and as numbers of units for comparing."""

    parts: tuple[tuple[str, str], ...]
    total: str
    units: int


class Game:
    """A game in progress. All of it is in `state`; the rest of this object is how it came about."""

    def __init__(self, ruleset: Ruleset, machine: Machine, state: State, seed: int, seats: Sequence[str]) -> None:
        self.ruleset = ruleset
        self.machine = machine
        self.state = state
        self.seed = seed
        self.seats = tuple(seats)
        self.answers: list[str] = []
        self.events: list[Event] = []
        self._past: list[tuple[State, int]] = []
        self._offer: Offer | None = None
        self._decision: Decision | None = None

    # ------------------------------------------------------------- start, copy

    @classmethod
    def start(
        cls,
        ruleset: Ruleset,
        players: int,
        seed: int = 0,
        seats: Sequence[str] = (),
        laws: bool = True,
        log: bool = False,
        backend: str = BACKENDS[0],
    ) -> Game:
        """A new game, at its first question. `laws` tests the invariants at every decision; `log` keeps events.

        `backend` is generated or plain: how the rules are run. The game is the same.
        """
        minimum, maximum = ruleset.components.min_players, ruleset.components.max_players
        if not minimum <= players <= maximum:
            raise AnswerError(f"{ruleset.name} is for {minimum} to {maximum} players, not {players}")
        machine = machine_for(ruleset, players, laws, backend)
        game = cls(ruleset, machine, machine.start(seed), seed, seats or ("?",) * players)
        game._log = log
        game._go()
        return game

    _log = False
    _foreign = False  # came from a save: its state may be one that no game reaches

    @contextmanager
    def _careful(self) -> Iterator[None]:
        """What goes wrong in a state is told as an error, not as an exception of the machine's."""
        try:
            yield
        except RecursionError:
            raise RulesError(TOO_DEEP) from None
        except UNREACHED:
            if not self._foreign:
                raise
            raise GameFileError("the save holds a state that no game of this ruleset reaches") from None

    def copy(self) -> Game:
        """An independent copy; what happens to one does not touch the other."""
        new = Game(self.ruleset, self.machine, self.state.copy(), self.seed, self.seats)
        new.answers = self.answers[:]
        new.events = self.events[:]
        new._past = self._past[:]
        new._offer, new._decision, new._log = self._offer, self._decision, self._log
        new._foreign = self._foreign
        return new

    def at(self, state: State) -> Game:
        """Another game of the same rules that stands in this state, at its question; nothing leads back from there."""
        new = Game(self.ruleset, self.machine, state, self.seed, self.seats)
        new._go()
        return new

    # --------------------------------------------------------------------- ask

    @property
    def players(self) -> int:
        return self.machine.layout.players

    @property
    def over(self) -> bool:
        return self.state.winners is not None

    @property
    def winners(self) -> tuple[int, ...]:
        return self.state.winners or ()

    @property
    def to_move(self) -> int:
        """The seat that is asked, or -1. Cheaper than `decision`: no labels are made."""
        return self._offer.player if self._offer is not None else -1

    @property
    def option_count(self) -> int:
        return self._offer.count if self._offer is not None else 0

    @property
    def question(self) -> str:
        """The address of the question that waits: its rule, and the name it binds. Cheaper than `decision`."""
        if self._offer is None:
            return ""
        return f"{self.machine.codes[self._offer.rule].address}.{self._offer.ask.question.name}"

    @property
    def decision(self) -> Decision | None:
        """The question that waits, with its options; None when the game is over."""
        if self._decision is None and self._offer is not None:
            with self._careful():
                self._decision = self._describe(self._offer)
        return self._decision

    def options(self) -> tuple[Option, ...]:
        return self.decision.options if self.decision is not None else ()

    def observe(self, player: int) -> Observation:
        with self._careful():
            return observe(self.machine.layout, self.state, player)

    def scores(self) -> tuple[ScoreSheet, ...]:
        """The score of each seat as the table stands."""
        with self._careful():
            return self._scores()

    def _scores(self) -> tuple[ScoreSheet, ...]:
        self.machine.work = 0
        names = [score.name for score in self.ruleset.program.scores]
        unit = self.machine.unit
        sheets = []
        for player in range(self.players):
            parts = self.machine.parts(self.state, player)
            shown = tuple((name, number_text(part, unit)) for name, part in zip(names, parts, strict=True))
            sheets.append(ScoreSheet(shown, number_text(sum(parts), unit), sum(parts)))
        return tuple(sheets)

    def digest(self) -> str:
        return self.state.digest()

    # ------------------------------------------------------------------ answer

    def choose(self, number: int) -> None:
        """Answer with an option, by its place in the list."""
        offer = self._offer
        if offer is None:
            raise AnswerError("no question is open: the game is over")
        if not 0 <= number < len(offer.answers):
            raise AnswerError(f"there are {len(offer.answers)} options, not one numbered {number}")
        with self._careful():
            key = self._key(offer, offer.answers[number])
        self._past.append((self.state.copy(), len(self.events)))
        self.answers.append(key)
        try:
            with self._careful():
                self.machine.take(self.state, offer.answers[number])
            self._go()
        except BaseException:  # an interrupted answer must not leave half a move behind either
            self.state, events = self._past.pop()
            del self.events[events:]
            self.answers.pop()
            self._offer = offer
            raise

    def answer(self, key: str) -> None:
        """Answer with an option, by its key."""
        offer = self._offer
        with self._careful():
            keys = [self._key(offer, answer) for answer in offer.answers] if offer is not None else []
        if key not in keys:
            raise AnswerError(f"'{key[:60]}' is not on offer; there are: {', '.join(keys[:12])}")
        self.choose(keys.index(key))

    def undo(self) -> None:
        """Back to the decision before; an error at the start."""
        if not self._past:
            raise AnswerError("nothing to undo")
        self.state, events = self._past.pop()
        del self.events[events:]
        self.answers.pop()
        self._go()

    def _go(self) -> None:
        machine = self.machine
        journal = Journal() if self._log else None
        machine.journal = journal
        self._decision = None
        try:
            with self._careful():
                self._offer = machine.run(self.state)
                if machine.laws:
                    machine.check_laws(self.state)
        finally:
            machine.journal = None
            if journal is not None:
                self.events += journal.events

    # ------------------------------------------------------------------ labels

    def _describe(self, offer: Offer) -> Decision:
        layout, state = self.machine.layout, self.state
        question = offer.ask.question
        frame = state.stack[-1]
        code = self.machine.codes[offer.rule]
        bound = show_bound(layout, state, code.names, frame.locals, question.slot, offer.player)
        options = tuple(
            Option(answer.what, self._shown(offer, answer), self._key(offer, answer)) for answer in offer.answers
        )
        step = offer.partial is not None
        mode = "one" if question.mode == "one" else "step" if step else "set"
        partial = tuple(show(layout, state, p, item_type(question), offer.player) for p in offer.partial or ())
        return Decision(
            offer.player, code.address, question.name, mode, question.may, bound, partial, options, offer.ask.span
        )

    def _shown(self, offer: Offer, answer: Answer) -> Shown:
        if answer.what in ("stop", "decline"):
            return Shown("none")
        kind = offer.ask.question.type if answer.what == "value" else item_type(offer.ask.question)
        return show(self.machine.layout, self.state, answer.value, kind, offer.player)

    def _key(self, offer: Offer, answer: Answer) -> str:
        """The word for an answer in a replay. It names pieces by their true name: replays are not for players."""
        if answer.what in ("stop", "decline"):
            return answer.what
        kind = offer.ask.question.type if answer.what == "value" else item_type(offer.ask.question)
        word = show(self.machine.layout, self.state, answer.value, kind, -1).key()
        return f"+{word}" if answer.what == "add" else word

    # -------------------------------------------------------------- save, load

    def save(self) -> dict[str, Any]:
        """The game as JSON would hold it: the state itself, and how it came about."""
        return {
            "format": SAVE_FORMAT,
            **self._heading(),
            "answers": self.answers[:],
            "state": self.state.data(),
            "digest": self.digest(),
        }

    def replay(self) -> dict[str, Any]:
        """The game as its answers: what `play_again` needs."""
        return {"format": REPLAY_FORMAT, **self._heading(), "answers": self.answers[:], "digest": self.digest()}

    def _heading(self) -> dict[str, Any]:
        return {
            "ruleset": self.ruleset.name,
            "hash": self.ruleset.hash,
            "players": self.players,
            "seats": list(self.seats),
            "seed": self.seed,
        }

    @classmethod
    def load(
        cls, ruleset: Ruleset, data: object, laws: bool = True, log: bool = False, backend: str = BACKENDS[0]
    ) -> Game:
        """The game a save holds, at the question where it stood. Everything in it is tested."""
        players, seed, seats, answers = heading(ruleset, data, SAVE_FORMAT)
        assert isinstance(data, dict)
        machine = machine_for(ruleset, players, laws, backend)
        sizes = [(len(code.blocks), code.slots) for code in machine.codes]
        state = state_from_data(machine.layout, data.get("state"), sizes)
        game = cls(ruleset, machine, state, seed, seats)
        game.answers, game._log, game._foreign = answers, log, True
        digest = state.digest()
        if data.get("digest") != digest:
            raise GameFileError("the save has been altered: its digest does not fit its state")
        game._go()
        return game


def heading(ruleset: Ruleset, data: object, wanted: str) -> tuple[int, int, list[str], list[str]]:
    """Players, seed, seats and answers of a save or replay, each tested."""
    if not isinstance(data, dict):
        raise GameFileError("the file does not hold a game")
    if data.get("format") != wanted:
        raise GameFileError(f"the file is not a {wanted.partition('/')[0]} of this version ({wanted})")
    if data.get("hash") != ruleset.hash:
        raise GameFileError(
            f"the file was made with other rules: {str(data.get('ruleset'))[:60]} {str(data.get('hash'))[:20]},"
            f" not {ruleset.name} {ruleset.hash}"
        )
    players, seed = data.get("players"), data.get("seed")
    minimum, maximum = ruleset.components.min_players, ruleset.components.max_players
    if isinstance(players, bool) or not isinstance(players, int) or not minimum <= players <= maximum:
        raise GameFileError(f"the file has a number of players that is not {minimum} to {maximum}")
    if isinstance(seed, bool) or not isinstance(seed, int) or abs(seed) >= 1 << 256:
        raise GameFileError("the file has a seed that is no whole number")
    seats, answers = data.get("seats"), data.get("answers")
    if not _words(seats, players) or len(seats) != players:  # type: ignore[arg-type]
        raise GameFileError("the file does not name its seats")
    if not _words(answers, MAX_ANSWERS):
        raise GameFileError("the file has no list of answers")
    return players, seed, list(seats), list(answers)  # type: ignore[arg-type]


def _words(value: object, maximum: int) -> bool:
    return (
        isinstance(value, list) and len(value) <= maximum and all(isinstance(w, str) and len(w) <= 2000 for w in value)
    )


def play_again(
    ruleset: Ruleset, data: object, laws: bool = True, log: bool = False, backend: str = BACKENDS[0]
) -> Game:
    """Play a replay; an error where an answer is not on offer or the end is another one."""
    players, seed, seats, answers = heading(ruleset, data, REPLAY_FORMAT)
    assert isinstance(data, dict)
    game = Game.start(ruleset, players, seed, seats, laws, log, backend)
    for number, key in enumerate(answers):
        try:
            game.answer(key)
        except AnswerError as error:
            raise GameFileError(f"answer {number + 1}: {error.message}") from None
    if "digest" in data and data["digest"] != game.digest():
        raise GameFileError("the answers fit, but the game they lead to is not the one the file names")
    return game
