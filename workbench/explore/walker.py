"""Walks a game from question to question, whatever is answered and whatever chance gives: what a search looks at."""

from __future__ import annotations

import binascii
import hashlib
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from attrs import frozen

from interpreter import (
    BACKENDS,
    UNREACHED,
    Chance,
    GameFileError,
    Handle,
    Machine,
    PlayError,
    Successor,
    TooManyOrdersError,
    asked,
    children,
    machine_for,
    outcomes,
    told_of,
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
        self.chance = Chance(search.chance, search.orders)

    def key(self, identity: bytes) -> bytes:
        """The same for states that are the same to everybody."""
        return hashlib.blake2b(identity, digest_size=BYTES).digest()

    def key_of(self, state: Handle) -> bytes:
        return self.key(self.machine.identity(state, self.search.chance != "all"))

    def go(self, state: Handle, told: Sequence[int]) -> int:
        """Go on to the next question or the end; 0, or in how many ways chance could go on."""
        return self.machine.run_branching(state, told, self.search.chance, self.search.orders)

    def thawed(self, packed: str, trusted: bool) -> Handle:
        """A state as the trail keeps it, which may be a stranger's."""
        return self.machine.thaw(content(packed), trusted=trusted)

    def roots(self) -> Iterator[tuple[tuple[int, ...], Handle, PlayError | None]]:
        return outcomes(self.machine, lambda: self.machine.start(self.search.seed), self.chance)

    def asked(self, state: Handle) -> Handle:
        return asked(self.machine, state, self.chance)

    def children(self, state: Handle) -> Iterator[tuple[int, tuple[int, ...], Handle, PlayError | None]]:
        return children(self.machine, state, self.chance)


def content(packed: str) -> bytes:
    """The bytes of a state that the trail keeps."""
    try:
        return binascii.a2b_base64(packed, strict_mode=True)
    except ValueError:
        raise GameFileError("it is not packed") from None


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
            roots = [told_of(walker.machine, 0, *root, walker.chance) for root in walker.roots()]
            return [[_told(walker, one) for one in roots]]
        step = walker.machine.successors
        return [
            [_told(walker, one) for one in step(content(data), task.trusted, walker.chance)] for data in task.states
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


def _told(walker: Walker, one: Successor) -> list[Any]:
    way = [one.number, *one.told]
    if one.error is not None:
        return ["", "", False, way, str(one.error)]
    packed = binascii.b2a_base64(one.packed, newline=False).decode()
    return [walker.key(one.identity).hex(), packed, one.over, way, ""]


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
