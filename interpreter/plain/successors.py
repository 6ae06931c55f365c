"""What every answer to a question leads to, whatever chance gives: the step of an exhaustive search."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

from attrs import frozen

from interpreter.errors import PlayError


@frozen
class Chance:
    """What is branched over: `fixed` nothing, `rolls`, or `all`, shuffles included, of at most `max_orders` orders."""

    what: str
    max_orders: int


@frozen
class Successor:
    """The number of the answer, what chance gave, the state in few bytes, its identity, whether the game is over; or
    the error that was met instead."""

    number: int
    told: tuple[int, ...]
    packed: bytes = b""
    identity: bytes = b""
    over: bool = False
    error: PlayError | None = None


class Branching(Protocol):
    """What this needs of a machine."""

    def count(self, state: Any, /) -> int: ...
    def winners(self, state: Any, /) -> tuple[int, ...] | None: ...
    def copy(self, state: Any, /) -> Any: ...
    def choose(self, state: Any, number: int, /) -> None: ...
    def laws(self, state: Any, /) -> None: ...
    def run_branching(self, state: Any, told: Sequence[int], chance: str, max_orders: int, /) -> int: ...
    def identity(self, state: Any, chance: bool, /) -> bytes: ...
    def freeze(self, state: Any, /) -> bytes: ...
    def thaw(self, data: bytes, trusted: bool, /) -> Any: ...


def outcomes(
    machine: Branching, begin: Callable[[], Any], chance: Chance
) -> Iterator[tuple[tuple[int, ...], Any, PlayError | None]]:
    """Every state that follows, whatever chance gives, its laws tested: what chance gave, the state, and the error."""
    todo: list[tuple[int, ...]] = [()]
    while todo:
        told = todo.pop()
        state = begin()
        error: PlayError | None = None
        try:
            ways = machine.run_branching(state, told, chance.what, chance.max_orders)
            if ways:
                todo += [(*told, way) for way in reversed(range(ways))]
                continue
            machine.laws(state)
        except PlayError as met:
            error = met
        yield told, state, error


def asked(machine: Branching, state: Any, chance: Chance) -> Any:
    """The state at its question; the one given is not changed by looking."""
    if machine.count(state) or machine.winners(state) is not None:
        return state
    found = machine.copy(state)
    if machine.run_branching(found, (), chance.what, chance.max_orders):
        raise LookupError("a state that stands at no question")
    return found


def children(
    machine: Branching, state: Any, chance: Chance
) -> Iterator[tuple[int, tuple[int, ...], Any, PlayError | None]]:
    """What every answer leads to: its number, what chance gave, the state, and the error that was met."""
    at_question = asked(machine, state, chance)
    for number in range(machine.count(at_question)):

        def begin(number: int = number) -> Any:
            new = machine.copy(at_question)
            machine.choose(new, number)
            return new

        for told, child, error in outcomes(machine, begin, chance):
            yield number, told, child, error


def told_of(
    machine: Branching, number: int, told: tuple[int, ...], state: Any, error: PlayError | None, chance: Chance
) -> Successor:
    if error is not None:
        return Successor(number, told, error=error)
    identity = machine.identity(state, chance.what != "all")
    return Successor(number, told, machine.freeze(state), identity, machine.winners(state) is not None)


def successors(machine: Branching, packed: bytes, trusted: bool, chance: Chance) -> list[Successor]:
    state = machine.thaw(packed, trusted)
    return [told_of(machine, *child, chance) for child in children(machine, state, chance)]
