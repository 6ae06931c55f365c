"""What a searching player does with a game: imagine the table as it could be, play on, and see what it comes to.

Nothing here looks at what the player may not see: a position is only ever used after all that is hidden was dealt anew.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

import interpreter
from interpreter import Game, Machine, Snapshot, State, margins


@frozen
class World:
    """A position the player could be in, at the question that waits, with a stream of its own to play on with."""

    state: State
    stream: int


def worlds(game: Game, stream: int, wanted: int) -> Iterator[World]:
    """Positions that look to the asked player just as this one does, one after another."""
    for deal, state in interpreter.worlds(game.search_machine, game.search_state, stream, wanted):
        yield World(state, deal)


@frozen
class Standing:
    """How things stand at some moment: by seat the points ahead of the best other, and who has won, if it is over.

    A table that plays together has its points in common, and all of the win or nothing.
    """

    margins: tuple[int, ...]
    winners: tuple[int, ...] | None
    cooperative: bool = False

    def result(self, seat: int) -> float:
        """1 for a win, a part of it if it is shared, -1 for none, 0 where the game goes on."""
        if self.winners is None:
            return 0.0
        if self.cooperative:
            return 1.0 if self.winners else -1.0
        return 1 / len(self.winners) if seat in self.winners else -1.0 if self.winners else 0.0


def standing(machine: Machine, state: State) -> Standing:
    return seen_as(machine, Snapshot(machine.totals(state), machine.winners(state)))


def seen_as(machine: Machine, found: Snapshot) -> Standing:
    """How things stand in a snapshot."""
    if machine.layout.components.cooperative:
        return Standing((sum(found.totals),) * len(found.totals), found.winners, True)
    return Standing(margins(found.totals), found.winners)
