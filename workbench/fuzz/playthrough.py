"""A game that is played with every law tested, free ones included, and that knows the course it took."""

from __future__ import annotations

from collections import Counter

from attrs import frozen

from interpreter import Game
from warlock_dsl import Ruleset
from workbench.coverage.counting_machine import begun
from workbench.fuzz.goals import PREFIX, goals_of, held
from workbench.fuzz.law_tests import law_counter
from workbench.fuzz.laws import OTHER_BACKENDS, hidden, options_of, replays, round_trips
from workbench.fuzz.violation import Violation, ViolationError, caught
from workbench.players.base import own_stream
from workbench.transcripts.transcript import Move, Script, Transcript

MAX_LENGTH = 3000  # decisions: a game that is not over by then is said to have no end


@frozen
class Watch:
    """How often the costly laws are tested: every N decisions, 0 for never.

    What is hidden is dealt anew when a question comes up for the first time, too, unless it is a `familiar` one.
    """

    hidden: int = 24
    deals: int = 1
    trips: int = 24
    replay: bool = False
    twins: bool = False  # run every backend side by side, and count how often each law is really tested
    max_length: int = MAX_LENGTH
    familiar: frozenset[str] = frozenset()
    rule: str = ""  # what is hidden is dealt anew at questions of this rule alone
    goal: str = ""  # what is sometimes so: to see it is what this game is for


def watch_for(violation: Violation, max_length: int) -> Watch:
    """All that is needed to see one violation again, wherever it happens; other places may break the same law."""
    law = violation.law
    if law.startswith(PREFIX):
        return Watch(0, 0, 0, max_length=max_length, goal=law.removeprefix(PREFIX))
    if law == "hidden":
        return Watch(1, 4, 0, max_length=max_length, rule=violation.rule)
    trips = 1 if law in ("copy", "save", "undo", "machine") else 0
    return Watch(0, 0, trips, law == "replay", law == "backends", max_length)


class Playthrough:
    """A game at a question, over, or at a violation; `transcript` is what was answered, a fatal answer included."""

    def __init__(self, ruleset: Ruleset, players: int, seed: int, watch: Watch) -> None:
        self.ruleset = ruleset
        self.players, self.seed = players, seed
        self.watch = watch
        self.moves: list[Move] = []
        self.violation: Violation | None = None
        self.game: Game | None = None
        self.deals = self.dropped = 0  # tables imagined for the asked player, and those that could not be
        self.tested: Counter[str] | None = None  # how often each law was, where that is counted
        self._twins: list[Game] = []
        self._asked: set[str] = set(watch.familiar)  # questions that have come up
        self._goals = [one for one in goals_of(ruleset) if one.name == watch.goal]
        self._offset = own_stream(seed, players, 0)
        with caught() as held:
            self.game = Game.start(ruleset, players, seed)
            if watch.twins:
                self._twins += [Game.start(ruleset, players, seed, backend=name) for name in OTHER_BACKENDS]
                self._twins.append(self._counted())
            self._compare()
            self._look(self.game, False)
        self.violation = held.violation

    def _counted(self) -> Game:
        """The game on the machine that counts, which is shared: what it counted before is forgotten."""
        machine = law_counter(self.ruleset, self.players)
        self.tested = machine.tested = Counter()
        return begun(self.ruleset, machine, self.seed)

    @property
    def transcript(self) -> Transcript:
        return Transcript(self.players, self.seed, tuple(self.moves))

    @property
    def standing(self) -> Game | None:
        """The game, as long as somebody is asked."""
        return self.game if self.game is not None and not self.game.over and self.violation is None else None

    def choose(self, number: int, again: bool = False) -> Violation | None:
        """Give an answer. After a violation the game stands where it stood before.

        `again`: another game has been here with the same watch, and the costly laws need not be tested again.
        """
        game = self.game
        assert game is not None
        self.moves.append(Move(game.to_move, game.question, game.machine.key(game.state, number)))
        with caught() as held:
            if not again and self._due(self.watch.trips):
                round_trips(game, number)
            game.choose(number)
            for twin in self._twins:
                twin.choose(number)
            self._compare()
            self._look(game, again)
        self.violation = held.violation
        return self.violation

    def forgive(self) -> None:
        """Go on as if the last answer had never been given: another one may be."""
        assert self.game is not None
        if len(self.game.answers) == len(self.moves):
            self.game.undo()
        self.moves.pop()
        self.violation = None

    def _look(self, game: Game, again: bool) -> None:
        if self._goals and (found := held(game, self._goals)):
            raise ViolationError(PREFIX + found[0], "reached", span=self._goals[0].span)
        if game.over:
            game.scores()
            if self.watch.replay:
                replays(game)
            return
        if self._hidden_due(game) and not again:
            self.deals += self.watch.deals
            self.dropped += hidden(game, self.watch.deals)
        if len(game.answers) >= self.watch.max_length:
            raise ViolationError("ends", f"after {len(game.answers):,} decisions the game is not over")

    def _due(self, every: int) -> bool:
        return every > 0 and (len(self.moves) + self._offset) % every == 0

    def _hidden_due(self, game: Game) -> bool:
        question, watch = game.question, self.watch
        if not watch.hidden or watch.rule not in ("", question.rpartition(".")[0]):
            return False
        first = question not in self._asked
        self._asked.add(question)
        return first or self._due(watch.hidden)

    def _compare(self) -> None:
        game = self.game
        assert game is not None
        for twin in self._twins:
            if options_of(twin) != options_of(game) or twin.digest() != game.digest():
                raise ViolationError("backends", "two ways of running the rules play different games")


def follow(ruleset: Ruleset, transcript: Transcript, watch: Watch) -> Playthrough:
    """Follow a course leniently until something breaks, the game is over, or it has become too long."""
    walk, script = Playthrough(ruleset, transcript.players, transcript.seed, watch), Script(transcript.moves)
    while (game := walk.standing) is not None:
        walk.choose(script.pick(game))
    return walk
