"""The public face of a game: start, observe, options, choose, copy, save, load, undo, replay."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, Self

from attrs import evolve

from interpreter.errors import AnswerError, GameFileError, LawViolationError, PlayError, Reached, RulesError
from interpreter.figures import Figures
from interpreter.machine import BACKENDS, Handle, Machine, machine_for
from interpreter.outcome import ScoreSheet
from interpreter.plain.bots import MachineBot, Said
from interpreter.plain.evaluate import TOO_DEEP
from interpreter.plain.stepping import MAX_ANSWERS
from interpreter.state.decision import Decision, Option
from interpreter.state.events import Event, heard
from interpreter.state.observe import Observation
from interpreter.state.random import seeded
from interpreter.state.state import State
from interpreter.why.answers import scores_seen, why, why_not, why_rule, why_score, why_won
from interpreter.why.model import ScorePart, Why, WhyNot, WhyNotAsked, WhyRule, WhyWon
from interpreter.why.not_asked import why_not_asked
from warlock_dsl import Ruleset

SAVE_FORMAT = "warlock-save/2"
REPLAY_FORMAT = "warlock-replay/2"
EARLIER_FORMATS = {"1": "0.3"}  # by the number of a format that is not read any more: the last release that reads it
UNREACHED = (TypeError, LookupError, AssertionError, AttributeError, ValueError, ArithmeticError)


class Game:
    """A game in progress: one state of a machine, and the answers that led to it.

    A game uses only what the protocol (`interpreter.machine.Machine`) names, so that any machine that follows it can
    play.
    """

    def __init__(self, ruleset: Ruleset, machine: Machine, state: Handle, seed: int, seats: Sequence[str]) -> None:
        self.ruleset = ruleset
        self.machine = machine
        self.state = state
        self.seed = seed
        self.seats = tuple(seats)
        self.answers: list[str] = []
        self._past: list[Handle | None] = []  # before each answer; None: to be played again from the last that is there
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
        backend: str | None = None,
    ) -> Self:
        """A new game, at its first question. `laws` tests the invariants at every decision; `log` keeps events.

        `backend` is vm or plain: how the rules are run. The game is the same. The default is the vm where it was
        built, but plain for a game that keeps a log: the vm keeps none.
        """
        playable(ruleset, players)
        minimum, maximum = ruleset.components.min_players, ruleset.components.max_players
        if not minimum <= players <= maximum:
            raise AnswerError(f"{ruleset.name} is for {minimum} to {maximum} players, not {players}")
        machine = machine_for(ruleset, players, laws, _backend(backend, log))
        game = cls(ruleset, machine, machine.start(seed, log), seed, seats or ("?",) * players)
        game._ahead = partial(machine_for, ruleset, players, laws) if log and backend is None else None
        game._go()
        return game

    @classmethod
    def again(
        cls,
        ruleset: Ruleset,
        players: int,
        seed: int = 0,
        answers: Sequence[str] = (),
        seats: Sequence[str] = (),
        laws: bool = True,
        log: bool = False,
        backend: str | None = None,
    ) -> Self:
        """The game that these answers lead to: what `repr` writes."""
        game = cls.start(ruleset, players, seed, seats, laws, log, backend)
        for number, key in enumerate(answers):
            try:
                game.answer(key)
            except AnswerError as error:
                raise AnswerError(f"answer {number + 1}: {error.message}") from None
        return game

    _ahead: Callable[[], Machine] | None = None
    _foreign = False  # came from a save: its state may be one that no game reaches
    _placed = False  # was put into its state: no answers lead there

    def __repr__(self) -> str:
        """An expression that gives this game again, so that one that failed can be pasted and replayed."""
        if self._placed:
            return f"<{self.ruleset.name}, players={self.players}, seed={self.seed}: in a state it was put into>"
        name = f"{self.ruleset.name!r}, players={self.players}, seed={self.seed}"
        return f"Game.again({name}, answers={self.answers!r})"

    @property
    def search_machine(self) -> Machine:
        """The machine to play ahead with: the fast one, also where a log is kept of the game itself. It is made when it
        is first asked for."""
        return self.machine if self._ahead is None else self._ahead()

    @property
    def search_state(self) -> Handle:
        """The state of the game for that machine, at its question: to be dealt anew, looked at, answered by bots."""
        machine = self.search_machine
        if machine is self.machine:
            return self.state
        state = machine.adopt(self.machine.position(self.state))
        machine.run(state)
        return state

    @contextmanager
    def _careful(self) -> Iterator[None]:
        """What goes wrong in a state is reported as an error that knows its game, not as one of the machine's."""
        try:
            yield
        except (RecursionError, PlayError, *UNREACHED) as error:
            raise self._told(error) from None

    def _told(self, error: Exception, *answers: str) -> Exception:
        """What to raise for an error that was met, after these answers more."""
        if isinstance(error, RecursionError):
            return self._reached(RulesError(TOO_DEEP), answers)
        if isinstance(error, RulesError | LawViolationError):
            return self._reached(error, answers)
        if self._foreign and isinstance(error, UNREACHED):
            return GameFileError("the save holds a state that no game of this ruleset reaches")
        return error

    def _reached(self, error: PlayError, answers: Sequence[str]) -> PlayError:
        if error.reached is None and not self._placed:
            replay = {"format": REPLAY_FORMAT, **self._heading(), "answers": [*self.answers, *answers]}
            error.reached = Reached(self.ruleset, replay)
        return error

    def copy(self) -> Self:
        """An independent copy; what happens to one does not touch the other."""
        new = type(self)(self.ruleset, self.machine, self.machine.copy(self.state), self.seed, self.seats)
        new.answers = self.answers[:]
        new._past = self._past[:]
        new._decision, new._ahead = self._decision, self._ahead
        new._foreign, new._placed = self._foreign, self._placed
        return new

    def at(self, state: State) -> Self:
        """Another game of the same rules that is in this state, at its question; nothing leads back from there."""
        new = type(self)(self.ruleset, self.machine, state, self.seed, self.seats)
        new._ahead, new._placed = self._ahead, True
        new._go()
        return new

    # ------------------------------------------------------------------ chance

    @property
    def random_stream(self) -> int:
        """Where the stream of chance stands: another number after every shuffle and every roll."""
        return int(self.machine.pack(self.state)["rng"])

    def with_chance(self, seed: int) -> Self:
        """Another game in the same state, but for what chance will give from here on, which this seed says."""
        packed = self.machine.pack(self.machine.copy(self.state))
        return self.at(self.machine.unpack({**packed, "rng": seeded(seed)}, trusted=True))

    def imagine(self, seat: int, seed: int) -> Self:
        """Another game that looks the same to a seat: what it does not see is dealt anew, and so is what chance will
        give. A PlayError where no such deal was found."""
        with self._careful():
            _, state = self.machine.redeal(self.state, seat, seeded(seed))
        return self.at(state)

    # --------------------------------------------------------------------- ask

    @property
    def players(self) -> int:
        return self.machine.players

    @property
    def over(self) -> bool:
        return self.machine.over(self.state)

    @property
    def winners(self) -> tuple[int, ...]:
        return self.machine.winners(self.state) or ()

    @property
    def to_move(self) -> int:
        """The seat that is asked, or -1. Cheaper than `decision`: no labels are made."""
        return self.machine.to_move(self.state)

    @property
    def option_count(self) -> int:
        return self.machine.count(self.state)

    @property
    def question(self) -> str:
        """The address of the question that waits: its rule, and the name it binds. Cheaper than `decision`."""
        return self.machine.question(self.state)

    @property
    def keys(self) -> Sequence[str]:
        """The keys of the options, by their places in the list. Cheaper than `decision`: no labels are made."""
        with self._careful():
            return self.machine.keys(self.state)

    @property
    def decision(self) -> Decision | None:
        """The question that waits, with its options; None when the game is over."""
        if self._decision is None:
            with self._careful():
                self._decision = self.machine.decision(self.state)
        return self._decision

    def options(self) -> tuple[Option, ...]:
        return self.decision.options if self.decision is not None else ()

    @property
    def events(self) -> Sequence[Event]:
        """What has happened, oldest first; nothing unless the game was started with `log`."""
        return self.machine.events(self.state)

    def observe(self, player: int) -> Observation:
        """What a player sees, and heard so far where a log is kept; -1 sees everything."""
        with self._careful():
            view = self.machine.observe(self.state, player)
        found = (heard(event, player) for event in self.events)
        return evolve(view, heard=tuple(one for one in found if one is not None)) if self.events else view

    def scores(self) -> tuple[ScoreSheet, ...]:
        """The points of each seat as the table is now: exact numbers, in all and by part."""
        with self._careful():
            return self.machine.scores(self.state)

    def scores_seen(self, viewer: int) -> tuple[ScoreSheet | None, ...]:
        """The points of each seat as far as a viewer can know them as the table is now (-1 knows everything); None for
        a seat whose points hang on what the viewer does not see. When the game is over, everybody knows them."""
        if self.over or viewer < 0:
            return self.scores()
        with self._careful():
            return scores_seen(self.ruleset, self.players, self.machine.pack(self.state), viewer)

    def figures(self, viewer: int) -> Figures:
        """What the expressions in the texts of the game are now, as far as a viewer may know it."""
        return Figures(self.ruleset, self.players, self.machine.pack(self.state), viewer)

    def why(self, key: str) -> Why:
        """Why an option is on offer, by its key: the clauses that hold, and have to."""
        with self._careful():
            return why(self.ruleset, self.players, self.machine.pack(self.state), key)

    def why_not(self, key: str, seat: int | None = None) -> WhyNot:
        """Why something is not on offer at the question that waits: the clauses that stand in its way. `key` is the
        word for it in a replay; of a set, its members with + between them. `seat` asks, or else who is to answer."""
        with self._careful():
            return why_not(self.ruleset, self.players, self.machine.pack(self.state), key, seat)

    def why_score(self, player: int, viewer: int = -1) -> tuple[ScorePart, ...]:
        """What the points of a seat are made of, as a seat sees it (-1: one who sees everything)."""
        with self._careful():
            return why_score(self.ruleset, self.players, self.machine.pack(self.state), player, viewer)

    def why_rule(self, address: str) -> WhyRule:
        """Whether whoever is asked could carry out a rule now, by its address, and if not, why."""
        with self._careful():
            return why_rule(self.ruleset, self.players, self.machine.pack(self.state), address)

    def why_won(self) -> WhyWon:
        """Why these have won: the `finish` of the rules, and what it compares for each seat."""
        with self._careful():
            return why_won(self.ruleset, self.players, self.machine.pack(self.state))

    def why_not_asked(self, seat: int | None = None) -> WhyNotAsked:
        """Why a seat (or else who is to answer) is not asked: who is, and which questions the rules passed over since
        that seat last answered, each with why."""
        seat = self.to_move if seat is None else seat
        if not 0 <= seat < self.players:
            raise AnswerError(f"there is no seat {seat}; seats are 0 to {self.players - 1}")
        before, answers = self.state, list[str]()
        for back, state in enumerate(reversed(self._past), 1):
            if state is not None:
                before, answers = state, self.answers[-back:]
                if self.machine.to_move(state) == seat:
                    break
        with self._careful():
            return why_not_asked(self.ruleset, self.players, self.machine.pack(before), answers, seat)

    def digest(self) -> str:
        return self.machine.digest(self.state)

    # ------------------------------------------------------------------ answer

    def choose(self, number: int) -> None:
        """Answer with an option, by its place in the list."""
        try:
            before, key = self.machine.advance(self.state, number)
        except (PlayError, RecursionError, *UNREACHED) as error:
            raise self._refused(number, error) from None
        self._past.append(before)
        self.answers.append(key)
        self._decision = None

    def _refused(self, number: int, error: Exception) -> Exception:
        """What to raise for an answer that was not taken."""
        count = self.option_count
        if not count:
            return AnswerError("no question is open: the game is over")
        if not 0 <= number < count:
            return AnswerError(f"there are {count} options, not one numbered {number}")
        with self._careful():
            key = self.machine.key(self.state, number)
        return self._told(error, key)

    def play_among(self, bots: Sequence[MachineBot], maximum: int, said: list[Said] | None = None) -> None:
        """Play on among bots, one for each seat, to the end or until there are `maximum` answers. Those given are added
        to `said`, also where the rules break down."""
        told = [] if said is None else said
        whole = True  # until the rules break down: then step by step, to the answer at which they do
        while not self.over and len(self.answers) < maximum:
            left = -1
            if whole:
                whole, left = self._stretch(bots, maximum, told)
            if not whole:
                with self._careful():
                    left = self.machine.pick(self.state, bots[self.to_move], len(self.answers))
            if left >= 0:
                seat, question = self.to_move, self.question
                self.choose(left)
                told.append(Said(seat, question, self.answers[-1]))

    def _stretch(self, bots: Sequence[MachineBot], maximum: int, said: list[Said]) -> tuple[bool, int]:
        """As far as the machine plays by itself: whether the rules hold, and the answer that it leaves, or -1."""
        machine, before = self.machine, self.machine.copy(self.state)
        try:
            found, left = machine.play_among(self.state, bots, len(self.answers), maximum)
        except PlayError:
            return False, -1
        if found:
            words = [machine.said(one) for one in found]
            said += words
            self.answers += [one.key for one in words]
            self._past += [before, *[None] * (len(found) - 1)]  # what lies between is played again if it is asked for
            self._decision = None
        return True, left

    def answer(self, key: str) -> None:
        """Answer with an option, by its key."""
        keys = self.keys
        if key not in keys:
            raise AnswerError(f"'{key[:60]}' is not on offer; there are: {', '.join(keys[:12])}")
        self.choose(list(keys).index(key))

    def undo(self) -> None:
        """Back to the decision before; an error at the start."""
        if not self._past:
            raise AnswerError("nothing to undo")
        state = self._past.pop()
        self.answers.pop()
        self.state = self._again() if state is None else state
        self._decision = None

    def _again(self) -> Handle:
        """The state where the game is now, from the last one before it that was kept."""
        machine, at = self.machine, max(n for n, one in enumerate(self._past) if one is not None)
        state = machine.copy(self._past[at])
        for key in self.answers[at:]:
            machine.advance(state, list(machine.keys(state)).index(key))
        return state

    def _go(self) -> None:
        self._decision = None
        with self._careful():
            self.machine.run(self.state)
            self.machine.laws(self.state)

    # -------------------------------------------------------------- save, load

    def save(self) -> dict[str, Any]:
        """The game as JSON would hold it: the state itself, and how it came about."""
        return {
            "format": SAVE_FORMAT,
            **self._heading(),
            "answers": self.answers[:],
            "state": self.machine.pack(self.state),
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
        cls, ruleset: Ruleset, data: object, laws: bool = True, log: bool = False, backend: str | None = None
    ) -> Self:
        """The game a save holds, at the question where it was. Everything in it is tested."""
        players, seed, seats, answers = heading(ruleset, data, SAVE_FORMAT)
        assert isinstance(data, dict)
        machine = machine_for(ruleset, players, laws, _backend(backend, log))
        state = machine.unpack(data.get("state"), log=log)
        game = cls(ruleset, machine, state, seed, seats)
        game._ahead = partial(machine_for, ruleset, players, laws) if log and backend is None else None
        game.answers, game._foreign = answers, True
        if data.get("digest") != game.digest():
            raise GameFileError("the save has been altered: its digest does not fit its state")
        if log:
            game._remember(laws, backend)
        game._go()
        return game

    def _remember(self, laws: bool, backend: str | None) -> None:
        """Have what was heard again, from the answers, where these lead to the state of the save."""
        try:
            again = type(self).again(
                self.ruleset, self.players, self.seed, self.answers, self.seats, laws, True, backend
            )
        except PlayError:
            return
        if again.digest() == self.digest():
            self.state = again.state

    @classmethod
    def from_replay(
        cls, ruleset: Ruleset, data: object, laws: bool = True, log: bool = False, backend: str | None = None
    ) -> Self:
        """The game of a replay; an error where an answer is not on offer or the end is another one."""
        players, seed, seats, answers = heading(ruleset, data, REPLAY_FORMAT)
        assert isinstance(data, dict)
        try:
            game = cls.again(ruleset, players, seed, answers, seats, laws, log, backend)
        except AnswerError as error:
            raise GameFileError(error.message) from None
        if "digest" in data and data["digest"] != game.digest():
            raise GameFileError("the answers fit, but the game they lead to is not the one the file names")
        return game


def _backend(wanted: str | None, log: bool) -> str:
    """How the rules are run: the vm keeps no log."""
    if wanted is None:
        return "plain" if log else BACKENDS[0]
    if log and wanted != "plain":
        raise AnswerError(f"the {wanted} backend keeps no log; the plain one does")
    return wanted


def playable(ruleset: object, players: object) -> None:
    """A TypeError that says what is wanted, where a game is to be started with something else."""
    if not isinstance(ruleset, Ruleset):
        hint = "; load() gives None for one with errors: its diagnostics name them" if ruleset is None else ""
        if isinstance(getattr(ruleset, "ruleset", None), Ruleset):
            hint = "; write .ruleset after it"
        found = "None" if ruleset is None else f"a {type(ruleset).__name__}"
        raise TypeError(f"a game is started with a Ruleset, not with {found}{hint}")
    if isinstance(players, bool) or not isinstance(players, int):
        raise TypeError(f"players is how many play, a whole number, not {players!r:.40}")


def heading(ruleset: Ruleset, data: object, wanted: str) -> tuple[int, int, list[str], list[str]]:
    """Players, seed, seats and answers of a save or replay, each tested."""
    if not isinstance(data, dict):
        raise GameFileError("the file does not hold a game")
    if data.get("format") != wanted:
        raise GameFileError(_other_format(data.get("format"), wanted))
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


def _other_format(found: object, wanted: str) -> str:
    """Why a file of another format is not read."""
    what = wanted.partition("/")[0]
    name, _, number = str(found).partition("/")
    if name == what and number in EARLIER_FORMATS:
        return f"the file is a {what} of an earlier version ({found}); warlock {EARLIER_FORMATS[number]} reads it"
    return f"the file is not a {what} of this version ({wanted})"


def _words(value: object, maximum: int) -> bool:
    return (
        isinstance(value, list) and len(value) <= maximum and all(isinstance(w, str) and len(w) <= 2000 for w in value)
    )


def play_again(
    ruleset: Ruleset, data: object, laws: bool = True, log: bool = False, backend: str | None = None
) -> Game:
    """Play a replay; an error where an answer is not on offer or the end is another one."""
    return Game.from_replay(ruleset, data, laws, log, backend)
