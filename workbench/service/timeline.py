"""A game with the way through it: back and forward to any answer, other branches, and on under rules that changed."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from attrs import frozen

from interpreter import AnswerError, Game, PlayError
from warlock_dsl import Ruleset

MAX_BRANCHES = 20


@frozen
class Carried:
    """What became of a game under other rules: how many of its answers still fit, and what stopped it ("" for
    nothing): the first answer that is not on offer any more, or the error that the rules met."""

    kept: int
    stopped: str = ""
    error: str = ""


class Timeline:
    """A game at one of its moments. `answers` is the whole line it is on, of which `at` are given. It begins at the
    start of the game, or where `begin` puts it under some rules: at the position of a scenario."""

    def __init__(
        self,
        ruleset: Ruleset,
        players: int,
        seed: int,
        seats: Sequence[str] = (),
        log: bool = True,
        begin: Callable[[Ruleset], Game] | None = None,
    ) -> None:
        self.seats = tuple(seats)
        self.begin = begin or (lambda rules: Game.start(rules, players, seed, self.seats, log=log))
        self.game = self.begin(ruleset)
        self.answers: list[str] = []
        self.branches: list[tuple[str, ...]] = []

    @property
    def at(self) -> int:
        return len(self.game.answers)

    def choose(self, number: int) -> None:
        """Answer with an option. An answer other than the one that was given here keeps the old line as a branch."""
        self.game.choose(number)
        at = self.at
        if self.answers[:at] == self.game.answers:
            return
        if len(self.answers) >= at:
            self._keep(tuple(self.answers))
        self.answers = self.game.answers[:]

    def go(self, number: int) -> None:
        """To the moment after this many answers of the line."""
        number = max(0, min(number, len(self.answers)))
        while self.at > number:
            self.game.undo()
        while self.at < number:
            self.game.answer(self.answers[self.at])

    def take(self, branch: int) -> None:
        """Go on with another branch, at the moment where it leaves this line; this line is kept."""
        if not 0 <= branch < len(self.branches):
            raise AnswerError("there is no such branch")
        other = self.branches.pop(branch)
        if self.answers:
            self._keep(tuple(self.answers))
        same = 0
        while same < min(len(other), len(self.answers)) and other[same] == self.answers[same]:
            same += 1
        self.go(same)
        self.answers = list(other)

    def carry_over(self, ruleset: Ruleset) -> Carried:
        """Go on under other rules, from the same answers: at the same moment, or where the first answer is no longer on
        offer. The line as it was is kept as a branch where it does not fit any more."""
        players, at = self.game.players, self.at
        components = ruleset.components
        if not components.min_players <= players <= components.max_players:
            raise AnswerError(f"{ruleset.name} is not for {players} players any more")
        game = self.begin(ruleset)
        found = Carried(len(self.answers))
        for number, key in enumerate(self.answers):
            try:
                game.answer(key)
            except AnswerError:
                found = Carried(number, key)
                break
            except PlayError as error:
                found = Carried(number, key, error.message)
                break
        if found.stopped:
            self._keep(tuple(self.answers))
            self.answers = game.answers[:]
        self.game = game
        self.go(min(at, found.kept))
        return found

    def _keep(self, line: tuple[str, ...]) -> None:
        """Keep a line, unless another one goes the same way and further."""
        kept = [one for one in self.branches if one != line[: len(one)]]
        if not any(one[: len(line)] == line for one in kept):
            kept.append(line)
        self.branches = kept[-MAX_BRANCHES:]
