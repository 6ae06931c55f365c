"""When whole games are played in C: where it is compiled already, or once enough time has gone into playing them.

The games are the same either way. Compiling takes seconds, so that a few games are not worth it.
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

from interpreter.native.library import SEEDS, Library
from interpreter.outcome import Snapshot
from interpreter.plain.machine import MAX_ANSWERS
from interpreter.state.layout import Layout
from interpreter.state.state import State

Find = Callable[[bool], Library | None]  # asked whether it may be compiled now
EARNED = 1.5  # seconds of games without C after which it is compiled
STEP = 2e-5  # seconds that an answer takes without C, about
AT_ONCE = 128  # games between two looks at the keyboard


def never(compiling: bool) -> Library | None:
    """For a machine that plays no whole games."""
    return None


class Quick:
    """Whole games of one machine."""

    def __init__(self, layout: Layout, find: Find) -> None:
        self.layout = layout
        self.find: Find | None = find
        self.library: Library | None = None
        self.looked = False
        self.spent = 0.0

    def ready(self, compiling: bool = False) -> Library | None:
        """The compiled ruleset; None as long as it is not worth the wait, or cannot be had."""
        if self.library is None and self.find is not None:
            compiling = compiling or self.spent > EARNED
            if compiling or not self.looked:
                self.looked = True
                self.library = self.find(compiling)
                if compiling and self.library is None:
                    self.find = None  # not here
        return self.library

    def off(self) -> None:
        """Never."""
        self.find = self.library = None

    # ------------------------------------------------------------------- games

    def play_out(self, s: State, stream: int, maximum: int) -> tuple[int, int] | None:
        """As the machine's; None where it has to play the game itself."""
        library = self.ready()
        return library.play_out(s, stream, maximum) if library is not None and self.fits(s, maximum) else None

    def fits(self, s: State, maximum: int) -> bool:
        """Only to the end of a game, and only where no scenario tells chance what to say."""
        return maximum >= MAX_ANSWERS and self.sound(s)

    def sound(self, s: State) -> bool:
        """C trusts what it is given, so that nothing of a save that may be a stranger's goes there."""
        return not s.foreign and not s.fate and s.winners is None and s.events is None

    def follow(
        self, s: State, stream: int, steps: int, quarter: int, me: int, secret: int, tried: int
    ) -> tuple[Snapshot | None, Snapshot | None, Snapshot] | None:
        library = self.ready()
        if library is None:
            self.spent += steps * STEP * (1 + tried)
        if library is None or not self.sound(s):
            return None
        return library.follow(s, stream, steps, quarter, me, secret, tried)

    def games(self, start: Callable[[int], State], first: int, count: int) -> list[int]:
        """Games in order as rows of numbers (see `Outcomes`), up to one that the machine has to play itself."""
        library = self.ready() if 0 <= first < SEEDS else None
        if library is None:
            return []
        found: list[int] = []
        row = library.row(start(first))
        for at in range(first, min(first + count, SEEDS), AT_ONCE):
            wanted = min(AT_ONCE, first + count - at)
            numbers = library.games(row, at, wanted, MAX_ANSWERS)
            found += numbers
            if len(numbers) < wanted * library.width:
                break
        return found

    def spend(self, since: float) -> None:
        """Count the time that games took without C."""
        self.spent += perf_counter() - since
