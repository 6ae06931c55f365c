"""Players that a machine can be by itself: the first option, any option, or what scores best at once.

A bot's own dice are seeded from its stream, its seat and how many answers have been given, so that it never touches the
game's stream, plays the same game again after an undo or a load, and needs nothing remembered.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

from attrs import frozen

from interpreter.errors import PlayError
from interpreter.outcome import Snapshot
from interpreter.plain.ahead import margins
from interpreter.state import random as chance
from interpreter.state.layout import Layout

KINDS = ("first", "random", "greedy")
DEALS_TRIED = 2  # for each that is wanted: one that cannot be made is replaced by another


@frozen
class MachineBot:
    """A player: its kind (one of `KINDS`), the stream of its dice, and of a greedy one how it looks ahead: in how many
    deals, how many answers of its own far, and how many options it tries in all for a decision."""

    kind: str
    stream: int = 0
    tries: int = 4
    horizon: int = 8
    budget: int = 64

    @property
    def numbers(self) -> tuple[int, int, int, int, int]:
        return KINDS.index(self.kind), self.stream, self.tries, self.horizon, self.budget


@frozen(eq=False)
class Said:
    """An answer in words: who was asked, the address of the question, the key of the answer. A machine writes those it
    gives often but once."""

    seat: int
    question: str
    key: str


class Asked(Protocol):
    """What a bot needs of a machine."""

    @property
    def layout(self) -> Layout: ...
    def run(self, state: Any, /) -> object: ...
    def to_move(self, state: Any, /) -> int: ...
    def count(self, state: Any, /) -> int: ...
    def look_ahead(self, state: Any, stream: int, steps: int, /) -> Any: ...
    def redeal(self, state: Any, seat: int, stream: int, /) -> tuple[int, Any]: ...


def own_stream(stream: int, seat: int, given: int) -> int:
    """The dice for one decision, apart from the game's and from every other bot's."""
    for number in (seat + 1, given + 1):
        stream, word = chance.step(stream ^ number)
        stream ^= word
    return stream


def pick(machine: Asked, state: Any, bot: MachineBot, given: int) -> int:
    """The number of the option that a bot takes after so many answers."""
    count, me = machine.count(state), machine.to_move(state)
    if bot.kind == "first" or count < 2:
        return 0
    stream = own_stream(bot.stream, me, given)
    return chance.below(stream, count)[1] if bot.kind == "random" else _greedy(machine, state, bot, stream)


def _greedy(machine: Asked, state: Any, bot: MachineBot, stream: int) -> int:
    """What comes out best on average, in positions that look the same to who is asked.

    To have won is better than any points; else what counts is the own total less the best of another, or what the
    table has together, if it wins or loses as one. The same deals are used for every option, so that luck favours none.
    """
    count, me = machine.count(state), machine.to_move(state)
    results, points = [0.0] * count, [0] * count
    wanted = max(1, min(bot.tries, bot.budget // count))
    together = machine.layout.components.cooperative
    for deal, world in worlds(machine, state, stream, wanted):
        try:
            found = machine.look_ahead(world, deal, bot.horizon)
        except PlayError:
            continue
        results = [a + _result(b, me, together) for a, b in zip(results, found, strict=True)]
        points = [a + _ahead(b, me, together) for a, b in zip(points, found, strict=True)]
    return max(range(count), key=lambda number: (results[number], points[number], -number))


def worlds(machine: Asked, state: Any, stream: int, wanted: int) -> Iterator[tuple[int, Any]]:
    """Positions that look to the asked player just as this one does, one after another, each with a stream of its own.

    With other cards an earlier secret answer may have been impossible; such a deal is replaced, but not for ever.
    """
    me, count, found = machine.to_move(state), machine.count(state), 0
    for _ in range(wanted * DEALS_TRIED):
        stream, deal = chance.step(stream)
        try:
            deal, world = machine.redeal(state, me, deal)
            machine.run(world)
        except PlayError:
            continue
        if machine.to_move(world) != me or machine.count(world) != count:
            continue
        yield deal, world
        found += 1
        if found == wanted:
            return


def _result(found: Snapshot, seat: int, together: bool) -> float:
    """1 for a win, a part of it if it is shared, -1 for none, 0 where the game goes on."""
    won = found.winners
    if won is None:
        return 0.0
    if together:
        return 1.0 if won else -1.0
    return 1 / len(won) if seat in won else -1.0 if won else 0.0


def _ahead(found: Snapshot, seat: int, together: bool) -> int:
    return sum(found.totals) if together else margins(found.totals)[seat]
