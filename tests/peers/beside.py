"""Two games side by side: ours from data, and the same game in somebody else's code.

Chance is ours: what was shuffled or rolled is told to the other game. At every decision both must ask the same player
for one of the same actions; which one is taken is a pick of the test's own. An action with no other beside it is
taken in theirs without looking at ours, which does not ask for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random
from typing import Any

from interpreter import Game, Option


class Pair:
    """A game of ours and one of theirs, in lockstep."""

    def __init__(self, ours: Game, theirs: Any, action: Callable[[Game, Option], int], seat: int = 0) -> None:
        self.ours, self.theirs, self.action = ours, theirs, action
        self.first = seat  # the seat of ours that is their player 0
        self.compared = 0

    def seat(self, player: int) -> int:
        return (player + self.first) % self.ours.players

    def legal(self) -> dict[int, int]:
        """What ours offers: their actions, each with the number of the option."""
        offered = [self.action(self.ours, option) for option in self.ours.options()]
        assert len(set(offered)) == len(offered), "two options of ours are one action of theirs"
        return {action: number for number, action in enumerate(offered)}

    def step(self, pick: Random) -> None:
        """One decision of theirs, which is one of ours, too, unless there is nothing to decide."""
        player, legal = self.theirs.current_player(), self.theirs.legal_actions()
        offered = self.legal() if self.ours.to_move == self.seat(player) else {}
        if set(offered) == set(legal):
            taken = pick.choice(sorted(legal))
            self.ours.choose(offered[taken])
            self.compared += 1
        else:
            assert len(legal) == 1, self.difference(legal, offered)
            taken = legal[0]
        self.theirs.apply_action(taken)

    def difference(self, legal: Iterable[int], offered: Iterable[int]) -> str:
        player = self.theirs.current_player()
        theirs = sorted(self.theirs.action_to_string(player, action) for action in set(legal) - set(offered))
        mine = sorted(self.theirs.action_to_string(player, action) for action in set(offered) - set(legal))
        asked = f"ours asks seat {self.ours.to_move} {self.ours.question}, theirs {self.seat(player)}"
        return f"{asked}\nonly theirs: {theirs}\nonly ours: {mine}\n{self.theirs}\n{self.ours!r}"


def pieces(game: Game, name: str, seat: int = -1) -> list[str]:
    """What lies in a zone, by the keys of the pieces, the top last."""
    zones = [zone for zone in game.observe(-1).zones if (zone.name, zone.owner) == (name, seat)]
    return [piece.name for zone in zones for piece in zone.pieces]


def variable(game: Game, name: str, seat: int = -1) -> str:
    """The value of a variable, as a key."""
    return next(str(v.value.name) for v in game.observe(-1).variables if (v.name, v.owner) == (name, seat) and v.value)


def shares(winners: Iterable[int], players: int) -> list[float]:
    """Winning and losing as returns: the winners share one point, which the others lose; all or none, nothing."""
    won = set(winners)
    if len(won) in (0, players):
        return [0.0] * players
    return [1 / len(won) if seat in won else -1 / (players - len(won)) for seat in range(players)]
