"""A compiled ruleset: states go in as rows of numbers and come back at the end of a game."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from ctypes import CDLL, POINTER, byref, c_int64, c_uint64
from itertools import chain
from typing import Any

from interpreter.native.expressions import depth_of
from interpreter.outcome import Snapshot, seats_of
from interpreter.plain.machine import MIX
from interpreter.state.layout import Layout
from interpreter.state.state import State
from warlock_dsl import types as t

SEEDS = 1 << 62  # seeds below this are known to C
FAILED = -1
Numbers = POINTER(c_int64)


class Library:
    """Plays games of one ruleset for one number of players. Not for several threads at once: it holds one table."""

    def __init__(self, layout: Layout, found: CDLL) -> None:
        self.layout = layout
        self.width = 2 + layout.players  # of what is told of a game
        self._play_out = found.warlock_play_out
        self._play_out.argtypes = [Numbers, POINTER(c_uint64), c_int64, Numbers, c_int64]
        self._play_out.restype = c_int64
        self._games = found.warlock_games
        self._games.argtypes = [Numbers, c_uint64, c_int64, c_uint64, c_int64, Numbers]
        self._games.restype = None
        self._follow = found.warlock_follow
        self._follow.argtypes = [Numbers, c_uint64, *[c_int64] * 5, Numbers]
        self._follow.restype = c_int64
        self.plain = not any(isinstance(value, tuple) for value in layout.first_values)
        self.room = 4096 + len(layout.places) + 2 * layout.piece_count + 8 * len(layout.slots)
        self.out = (c_int64 * self.room)()
        self.kinds = [slot.type for slot in layout.slots]

    def play_out(self, s: State, stream: int, maximum: int) -> tuple[int, int] | None:
        """Play a state to its end, in place; None, and nothing changed, where the other machines must play it."""
        own = c_uint64(stream)
        row = self.row(s)
        decisions = self._play_out((c_int64 * len(row)).from_buffer(row), byref(own), maximum, self.out, self.room)
        if decisions == FAILED:
            return None
        self.read(s, self.out)
        return own.value, decisions

    def follow(
        self, s: State, stream: int, steps: int, quarter: int, me: int, secret: int, tried: int
    ) -> tuple[Snapshot | None, Snapshot | None, Snapshot] | None:
        """Play on for `steps` answers, each the best at once of `tried` answers (0: any), and see how things
        stood: when another than `me` was first asked, at a step, and at the end. The state is left as it is; None where
        the other machines must play it."""
        row = self.row(s)
        numbers = (c_int64 * len(row)).from_buffer(row)
        if self._follow(numbers, stream, steps, quarter, me, secret, tried, self.out) == FAILED:
            return None
        width = 3 + self.layout.players
        seen = self.out[: 3 * width]
        turn, middle, end = (self._snapshot(seen[at : at + width]) for at in range(0, 3 * width, width))
        return (turn, middle, end) if end is not None else None

    def _snapshot(self, numbers: list[int]) -> Snapshot | None:
        there, over, won, *totals = numbers
        return Snapshot(tuple(totals), seats_of(won, self.layout.players) if over else None) if there else None

    def games(self, row: array[int], first: int, count: int, maximum: int) -> list[int]:
        """Games from a first state, with these seeds, as rows of numbers (see `Outcomes`), up to one that the other
        machines must play."""
        out = (c_int64 * (self.width * count))()
        self._games((c_int64 * len(row)).from_buffer(row), first, count, MIX, maximum, out)
        numbers = out[:]
        decisions = numbers[:: self.width]
        return numbers[: decisions.index(FAILED) * self.width] if FAILED in decisions else numbers

    # -------------------------------------------------------------------- states

    def row(self, s: State) -> array[int]:
        """A state as C reads it."""
        zones: list[int] = []
        for pieces in s.zones:
            zones.append(len(pieces))
            zones += pieces
        values: Iterable[int]
        if self.plain:
            values = chain.from_iterable((1, value) for value in s.variables)  # type: ignore[misc]
        else:
            values = chain.from_iterable(map(_value, s.variables))
        numbers = [_signed(s.rng), s.asking, *zones, *s.cell, *values, len(s.stack)]
        for frame in s.stack:
            numbers += (frame.rule, frame.block)
            for value in frame.locals:
                numbers += _value(value)
        return array("q", numbers)

    def read(self, s: State, numbers: Any) -> None:
        """A finished game, as C wrote it."""
        layout = self.layout
        won, s.rng = numbers[0] & (1 << 64) - 1, numbers[1] & (1 << 64) - 1
        at = 2
        s.at[:] = [-1] * len(s.at)
        for place in range(len(s.zones)):
            count = numbers[at]
            s.zones[place] = pieces = numbers[at + 1 : at + 1 + count]
            for piece in pieces:
                s.place[piece] = place
            at += 1 + count
        s.cell = numbers[at : at + layout.piece_count]
        at += layout.piece_count
        for piece, cell in enumerate(s.cell):
            if cell >= 0:
                s.at[cell] = piece
        for number, kind in enumerate(self.kinds):
            s.variables[number], at = _read_value(numbers, at, kind)
        s.winners = seats_of(won, layout.players)
        s.stack.clear()
        s.asking, s.offer = -1, None


def _signed(number: int) -> int:
    return number - (1 << 64) if number >> 63 else number


def _value(value: Any) -> list[int]:
    """A value with its tag: 0 nothing, 1 a number, 2 a list."""
    if value is None:
        return [0]
    if not isinstance(value, tuple):
        return [1, int(value)]
    found = [2, len(value)]
    for item in value:
        found += _value(item)
    return found


def _read_value(numbers: Any, at: int, kind: t.Type) -> tuple[Any, int]:
    if not depth_of(kind):
        return (bool(numbers[at]) if isinstance(kind, t.TruthType) else numbers[at]), at + 1
    inner = kind.item if isinstance(kind, t.ListType) else kind.value if isinstance(kind, t.MapType) else None
    found, count = [], numbers[at]
    at += 1
    for _ in range(count):
        item, at = _read_value(numbers, at, inner if inner is not None else t.NUMBER)
        found.append(item)
    return tuple(found), at
