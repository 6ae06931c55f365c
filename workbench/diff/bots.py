"""Players for a search: at random, or driven to push one thing on the table as far as it goes.

Chance alone all but never brings a long undertaking to its end: a full grid, an empty pile, a high counter. A driven
player looks at where each option leads within its own turn and takes the one that pushes its thing furthest.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from attrs import frozen

from interpreter import Game, Layout, Machine, PlayError, State, owner_seat
from interpreter.state import random as chance
from warlock_dsl.tables.components import Components
from warlock_dsl.types import NumberType
from workbench.players.base import own_stream

WIDTH = 12  # options that are tried; of more, as many by chance
DEPTH = 6  # further decisions of the same seat that belong to its turn
WHIM = 8  # one decision in this many is left to chance, so that not every game is the same


@frozen
class Drive:
    """What everybody pushes: a zone (what lies in one's own, or on the table's), a variable, or the score; up or down.
    Without a name: nothing, all is left to chance."""

    what: str = ""
    name: str = ""
    up: bool = True

    def __str__(self) -> str:
        if not self.what:
            return "random"
        return f"{'more' if self.up else 'less'} {self.name or self.what}"


RANDOM = Drive()


class Driven:
    """Plays with a drive. Its dice are its own: the same seed gives the same game again."""

    def __init__(self, drive: Drive, seed: int) -> None:
        self.drive = drive
        self.seed = seed

    def pick(self, game: Game) -> int:
        count, me = game.option_count, game.to_move
        if count == 1:
            return 0
        stream = own_stream(self.seed, me, len(game.answers))
        stream, whim = chance.below(stream, WHIM)
        if not self.drive.what or whim == 0:
            return chance.below(stream, count)[1]
        stream, order = _shuffled(stream, count)
        machine = game.machine
        best, found = None, order[0]
        for number in order[:WIDTH]:
            level = self._try(machine, machine.copy(game.state), number, me, stream)
            if level is not None and (best is None or level > best):
                best, found = level, number
        return found

    def _try(self, machine: Machine, state: Any, number: int, me: int, stream: int) -> int | None:
        """Take an option, go on at random while the same seat is asked, and see how far the thing is pushed."""
        try:
            machine.choose(state, number)
            machine.run(state)
            for _ in range(DEPTH):
                if machine.to_move(state) != me:
                    break
                stream, pick = chance.below(stream, machine.count(state))
                machine.choose(state, pick)
                machine.run(state)
            level = _level(machine, state, self.drive, me)
        except PlayError:
            return None
        return level if self.drive.up else -level


def _shuffled(stream: int, count: int) -> tuple[int, list[int]]:
    order = list(range(count))
    for last in range(count - 1, 0, -1):
        stream, other = chance.below(stream, last + 1)
        order[last], order[other] = order[other], order[last]
    return stream, order


def _level(machine: Machine, state: Any, drive: Drive, me: int) -> int:
    layout = machine.layout
    if drive.what == "zone":
        position = machine.position(state)
        return sum(len(position.zones[place]) for place in _places(layout, position, drive.name, me))
    if drive.what == "variable":
        own = [n for n, slot in enumerate(layout.slots) if slot.name == drive.name]
        own = [n for n in own if _own(layout.slots[n].owner_kind, layout.slots[n].owner, me)]
        said = machine.values(state)
        values = [said[n] for n in own]
        return sum(value for value in values if isinstance(value, int))
    return machine.totals(state)[me]


def _places(layout: Layout, state: State, name: str, me: int) -> Iterator[int]:
    for number, place in enumerate(layout.places):
        if place.name != name:
            continue
        if place.owner_kind in ("", "player"):
            if _own(place.owner_kind, place.owner, me):
                yield number
        elif owner_seat(layout, state, number) in (me, -1):
            yield number


def _own(kind: str, owner: int, me: int) -> bool:
    return kind != "player" or owner == me


# ------------------------------------------------------------------- which ones


def drives(components: Components, ranks: dict[str, int]) -> list[Drive]:
    """What is worth pushing, the most promising first: what the rules concerned speak of, grids before piles and
    counters since they can be full, more before less; the score last."""
    found: list[tuple[int, int, int, Drive]] = []
    for zone in components.zones.values():
        if zone.name in ranks:
            grid = bool(zone.grid) and not components.grids[zone.grid].slots
            rank = ranks[zone.name] - grid
            found += [
                (rank, 0, len(found), Drive("zone", zone.name)),
                (rank, 1, len(found), Drive("zone", zone.name, False)),
            ]
    for (_, name), variable in components.variables.items():
        if name in ranks and isinstance(variable.type, NumberType):
            rank = ranks[name]
            found += [
                (rank, 0, len(found), Drive("variable", name)),
                (rank, 1, len(found), Drive("variable", name, False)),
            ]
    ordered = [drive for *_, drive in sorted(found, key=lambda one: one[:3])]
    return [*ordered, Drive("score")]


def in_turn(lists: Sequence[Sequence[Drive]]) -> list[Drive]:
    """Several lists as one: the first of each, then the second of each, each drive once."""
    max_length = max(map(len, lists), default=0)
    return list(dict.fromkeys(found[place] for place in range(max_length) for found in lists if place < len(found)))
