"""Walks a game from question to question, whatever is answered and whatever chance gives: what a search looks at."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any

from attrs import frozen

from interpreter import (
    BACKENDS,
    UNREACHED,
    GameFileError,
    Handle,
    Machine,
    PlayError,
    TooManyOrdersError,
    machine_for,
)
from warlock_dsl import Ruleset
from workbench.support.errors import UsageError
from workbench.support.ruleset_source import RulesetSource

BYTES = 12  # of a key: among ten million states two share one by accident in fewer than one of 10^14 runs
Way = tuple[int, ...]  # one step: the number of the answer, then what chance gave



@frozen
class Search:
    """What decides a search."""

    source: RulesetSource
    players: int
    seed: int
    chance: str  # fixed, rolls, all: what is branched over
    orders: int  # of a shuffle, at most
    backend: str = BACKENDS[0]  # how the rules are run: the states are the same

    def machine(self) -> Machine:
        return machine_for(self.source.ruleset(), self.players, True, self.backend)


class Walker:
    """Runs states of one search from question to question."""

    def __init__(self, search: Search) -> None:
        self.search = search
        self.ruleset: Ruleset = search.source.ruleset()
        self.machine: Machine = search.machine()

    def key(self, state: Handle) -> bytes:
        """The same for states that are the same to everybody."""
        words = self.machine.identity(state, self.search.chance != "all")
        return hashlib.blake2b(words, digest_size=BYTES).digest()

    def go(self, state: Handle, told: Sequence[int]) -> int:
        """Go on to the next question or the end; 0, or in how many ways chance could go on."""
        return self.machine.run_branching(state, told, self.search.chance, self.search.orders)

    def outcomes(self, begin: Callable[[], Handle]) -> Iterator[tuple[tuple[int, ...], Handle, PlayError | None]]:
        """Every state that follows, whatever chance gives, its laws tested: what chance gave, the state, and the error
        that was met."""
        todo: list[tuple[int, ...]] = [()]
        while todo:
            told = todo.pop()
            state = begin()
            error: PlayError | None = None
            try:
                ways = self.go(state, told)
                if ways:
                    todo += [(*told, way) for way in reversed(range(ways))]
                    continue
                self.machine.laws(state)
            except PlayError as met:
                error = met
            yield told, state, error

    def thawed(self, packed: str, trusted: bool) -> Handle:
        """A state as the trail keeps it, which may be a stranger's."""
        try:
            content = base64.b64decode(packed, validate=True)
        except ValueError:
            raise GameFileError("it is not packed") from None
        return self.machine.thaw(content, trusted=trusted)

    def roots(self) -> Iterator[tuple[tuple[int, ...], Handle, PlayError | None]]:
        return self.outcomes(lambda: self.machine.start(self.search.seed))

    def asked(self, state: Handle) -> Handle:
        """The state at its question; the one given is not changed by looking."""
        if self.machine.count(state) or self.machine.winners(state) is not None:
            return state
        found = self.machine.copy(state)
        if self.go(found, ()):
            raise LookupError("a state that stands at no question")
        return found

    def children(self, state: Handle) -> Iterator[tuple[int, tuple[int, ...], Handle, PlayError | None]]:
        """What every answer leads to: its number, what chance gave, the state, and the error that was met."""
        asked = self.asked(state)
        for number in range(self.machine.count(asked)):

            def begin(number: int = number) -> Handle:
                new = self.machine.copy(asked)
                self.machine.choose(new, number)
                return new

            for told, child, error in self.outcomes(begin):
                yield number, told, child, error


@lru_cache(maxsize=4)
def walker_for(search: Search) -> Walker:
    return Walker(search)


# ---------------------------------------------------------------------- workers


@frozen
class Task:
    search: Search
    states: tuple[str, ...]  # packed; none: the beginnings of the game
    trusted: bool = True  # they were packed in this run, not read from a file that may be a stranger's


def look(task: Task) -> list[list[Any]]:
    """For each state, what it leads to: key, packed state, whether it is over, the way there, the error or ""."""
    walker = walker_for(task.search)
    try:
        if not task.states:
            return [[_told(walker, 0, told, state, error) for told, state, error in walker.roots()]]
        return [
            [_told(walker, *child) for child in walker.children(walker.thawed(data, task.trusted))]
            for data in task.states
        ]
    except TooManyOrdersError as many:
        maximum = task.search.orders
        text = f"a shuffle of {many.pieces} pieces has {many.orders:,} orders, more than --orders {maximum:,}"
        hint = "cut the pile with an overlay, raise --orders, or take the order of the seed with --chance rolls"
        raise UsageError(f"{text}; {hint}") from None
    except (GameFileError, *UNREACHED):
        if task.trusted:
            raise
        raise UsageError(
            "the checkpoint holds a state that no game of this ruleset reaches; it is left alone"
        ) from None


def _told(walker: Walker, number: int, told: tuple[int, ...], state: Handle, error: PlayError | None) -> list[Any]:
    if error is not None:
        return ["", "", False, [number, *told], str(error)]
    machine = walker.machine
    packed = base64.b64encode(machine.freeze(state)).decode()
    return [walker.key(state).hex(), packed, machine.winners(state) is not None, [number, *told], ""]


# ------------------------------------------------------------------------ words


def spelled(search: Search, ways: Sequence[Way]) -> list[dict[str, Any]]:
    """A way in words: who was asked what and answered what, and what chance gave. The first step is the set-up."""
    walker = walker_for(search)
    machine = walker.machine
    state = machine.start(search.seed)
    steps: list[dict[str, Any]] = []
    for place, (number, *told) in enumerate(ways):
        step: dict[str, Any] = {"chance": list(told)} if told else {}
        if place > 0:
            state = machine.copy(walker.asked(state))
            if not 0 <= number < machine.count(state):
                raise LookupError("a way that leads nowhere")
            step = {
                "player": machine.to_move(state), "question": machine.question(state),
                "answer": machine.key(state, number),
                "forced": machine.count(state) == 1, **step,
            }  # fmt: skip
            machine.choose(state, number)
        steps.append(step)
        try:
            if walker.go(state, told):
                raise LookupError("a way that leads nowhere")
        except PlayError:
            break
    return steps
