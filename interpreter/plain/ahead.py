"""Playing ahead, for whoever searches: what an option comes to at once, and how things go if play goes on.

Nothing here looks at more than the machine protocol shows, and nothing is random but what a stream says: every machine
gives the same with the same stream.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from interpreter.outcome import Snapshot
from interpreter.state import random as chance
from interpreter.state.layout import Layout

LOOK_STEPS = 8  # answers of the same player that may follow the one that is tried
A_WIN = 10**15  # points

Followed = tuple[Snapshot | None, Snapshot | None, Snapshot]


class Stepped(Protocol):
    """What playing ahead needs of a machine."""

    @property
    def layout(self) -> Layout: ...
    def run(self, state: Any, /) -> object: ...
    def to_move(self, state: Any, /) -> int: ...
    def count(self, state: Any, /) -> int: ...
    def choose(self, state: Any, number: int, /) -> None: ...
    def copy(self, state: Any, /) -> Any: ...
    def secret_depth(self, state: Any, /) -> int: ...
    def totals(self, state: Any, /) -> tuple[int, ...]: ...
    def winners(self, state: Any, /) -> tuple[int, ...] | None: ...


def snapshot(machine: Stepped, state: Any) -> Snapshot:
    return Snapshot(machine.totals(state), machine.winners(state))


def answer_at_random(machine: Stepped, state: Any, stream: int) -> int:
    """Give any answer; the stream after it."""
    stream, pick = chance.below(stream, machine.count(state))
    machine.choose(state, pick)
    return stream


def settle(machine: Stepped, state: Any, me: int, secret: int, stream: int, steps: int) -> int:
    """Play on at random until another than `me` is asked, for so many answers of his own; the stream after it.

    A secret choice that lies at depth `secret` is played to its end: before that nothing has happened that could be
    counted.
    """
    for _ in range(steps):
        machine.run(state)
        while machine.to_move(state) not in (-1, me) and secret >= 0 and machine.secret_depth(state) == secret:
            stream = answer_at_random(machine, state, stream)
            machine.run(state)
        if machine.to_move(state) != me:
            break
        stream = answer_at_random(machine, state, stream)
    return stream


def look_ahead(machine: Stepped, state: Any, stream: int, steps: int) -> list[Snapshot]:
    """What each option comes to at once, on a copy each, with the same stream, so that luck favours none."""
    me, secret, found = machine.to_move(state), machine.secret_depth(state), []
    for number in range(machine.count(state)):
        other = machine.copy(state)
        machine.choose(other, number)
        settle(machine, other, me, secret, stream, steps)
        found.append(snapshot(machine, other))
    return found


def best_answer(machine: Stepped, state: Any, tried: int, stream: int) -> tuple[int, int]:
    """The stream, and the number of the best of some answers at once, from one that chance picks on."""
    count, me, secret = machine.count(state), machine.to_move(state), machine.secret_depth(state)
    together = machine.layout.components.cooperative
    stream, first = chance.below(stream, count)
    best, maximum = first, 0
    for number in range(min(tried, count)):
        pick = (first + number) % count
        other = machine.copy(state)
        machine.choose(other, pick)
        stream = settle(machine, other, me, secret, stream, LOOK_STEPS)
        found = worth(snapshot(machine, other), me, together)
        if not number or found > maximum:
            best, maximum = pick, found
    return stream, best


def follow(
    machine: Stepped, state: Any, stream: int, steps: int, quarter: int, me: int, secret: int, tried: int
) -> Followed:
    """Play on for `steps` answers, on a copy, with a snapshot when another than `me` was first asked (but not in the
    secret choice at depth `secret`), one after `quarter` answers, and one at the end. Each answer is the best at once
    of `tried` answers, or any for 0."""
    state = machine.copy(state)
    turn = later = None
    for step in range(steps):
        machine.run(state)
        player = machine.to_move(state)
        if player < 0:
            break
        if turn is None and player != me and (secret < 0 or machine.secret_depth(state) != secret):
            turn = snapshot(machine, state)
        if step == quarter:
            later = snapshot(machine, state)
        if tried:
            stream, pick = best_answer(machine, state, tried, stream)
            machine.choose(state, pick)
        else:
            stream = answer_at_random(machine, state, stream)
    else:
        machine.run(state)
    return turn, later, snapshot(machine, state)


# ----------------------------------------------------------------------- worth


def margins(totals: Sequence[int]) -> tuple[int, ...]:
    """What each has more than the best of the others."""
    if len(totals) < 2:
        return tuple(totals)
    first, second = sorted(totals, reverse=True)[:2]
    return tuple(total - (second if total == first else first) for total in totals)


def worth(found: Snapshot, seat: int, together: bool) -> int:
    """Points ahead of the best other, or what the table has `together`; to have won is better than any."""
    won = found.winners
    if together:
        return sum(found.totals) + (0 if won is None else A_WIN if won else -A_WIN)
    ahead = margins(found.totals)[seat]
    return ahead if not won else ahead + (A_WIN // len(won) if seat in won else -A_WIN)
