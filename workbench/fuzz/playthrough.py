"""A game that is played with every law tested, free ones included, and that knows the course it took."""

from __future__ import annotations

from attrs import frozen

from interpreter import Game
from warlock_dsl import Ruleset
from workbench.fuzz.laws import OTHER_BACKENDS, hidden, options_of, replays, round_trips
from workbench.fuzz.violation import Violation, ViolationError, caught
from workbench.players.base import own_stream
from workbench.transcripts.transcript import Move, Script, Transcript, question_of

MAX_LENGTH = 3000  # decisions: a game that is not over by then is said to have no end


@frozen
class Watch:
    """How often the costly laws are tested: every N decisions, 0 for never."""

    hidden: int = 4
    deals: int = 1
    trips: int = 24
    replay: bool = False
    twins: bool = False  # run every backend side by side
    max_length: int = MAX_LENGTH


def watch_for(law: str, max_length: int) -> Watch:
    """All that is needed to see one law broken again, wherever it happens."""
    trips = 1 if law in ("copy", "save", "undo", "machine") else 0
    return Watch(1 if law == "hidden" else 0, 4, trips, law == "replay", law == "backends", max_length)


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
        self._twins: list[Game] = []
        self._offset = own_stream(seed, players, 0)
        with caught() as held:
            self.game = Game.start(ruleset, players, seed)
            for name in OTHER_BACKENDS if watch.twins else ():
                self._twins.append(Game.start(ruleset, players, seed, backend=name))
            self._compare()
            self._look(self.game)
        self.violation = held.violation

    @property
    def transcript(self) -> Transcript:
        return Transcript(self.players, self.seed, tuple(self.moves))

    @property
    def standing(self) -> Game | None:
        """The game, as long as somebody is asked."""
        return self.game if self.game is not None and not self.game.over and self.violation is None else None

    def choose(self, number: int) -> Violation | None:
        """Give an answer. After a violation the game stands where it stood before."""
        game = self.game
        assert game is not None and game.decision is not None
        decision = game.decision
        self.moves.append(Move(decision.player, question_of(decision), decision.options[number].key))
        with caught() as held:
            if self._due(self.watch.trips):
                round_trips(game, number)
            game.choose(number)
            for twin in self._twins:
                twin.choose(number)
            self._compare()
            self._look(game)
        self.violation = held.violation
        return self.violation

    def forgive(self) -> None:
        """Go on as if the last answer had never been given: another one may be."""
        assert self.game is not None
        if len(self.game.answers) == len(self.moves):
            self.game.undo()
        self.moves.pop()
        self.violation = None

    def _look(self, game: Game) -> None:
        if game.over:
            game.scores()
            if self.watch.replay:
                replays(game)
        elif len(game.answers) >= self.watch.max_length:
            raise ViolationError("ends", f"after {len(game.answers):,} decisions the game is not over")
        elif self._due(self.watch.hidden):
            self.deals += self.watch.deals
            self.dropped += hidden(game, self.watch.deals)

    def _due(self, every: int) -> bool:
        return every > 0 and (len(self.moves) + self._offset) % every == 0

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
