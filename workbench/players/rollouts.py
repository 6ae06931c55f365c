"""What a searching player does with a game: imagine the table as it could be, play on, and see what it comes to.

Nothing here looks at what the player may not see: a position is only ever used after all that is hidden was dealt anew.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import frozen

from interpreter import Game, Offer, PlainMachine, PlayError, State
from interpreter.state import random as chance

ODD_DEALS = 2  # tries for each deal that is wanted: one that cannot be made is replaced by another


@frozen
class World:
    """A position the player could be in, at the question that waits, with a stream of its own to play on with."""

    state: State
    offer: Offer
    stream: int


def worlds(game: Game, stream: int, wanted: int) -> Iterator[World]:
    """Positions that look to the asked player just as this one does, one after another.

    With other cards an earlier secret answer may have been impossible; such a deal is replaced, but not for ever.
    """
    me, count, found, machine = game.to_move, game.option_count, 0, game.search_machine
    for _ in range(wanted * ODD_DEALS):
        stream, deal = chance.step(stream)
        try:
            deal, state = machine.redeal(game.state, me, deal)
            offer = machine.run(state)
        except PlayError:
            continue
        if offer is None or offer.player != me or len(offer.answers) != count:
            continue
        yield World(state, offer, deal)
        found += 1
        if found == wanted:
            return


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


def standing(machine: PlainMachine, state: State) -> Standing:
    machine.work = 0
    totals = [sum(machine.parts(state, seat)) for seat in range(machine.layout.players)]
    if machine.layout.components.cooperative:
        return Standing((sum(totals),) * len(totals), state.winners, True)
    return Standing(margins(totals), state.winners)


LOOK_STEPS = 8  # answers of the same player that may follow the one that is tried
A_WIN = 10**15  # points


def best_answer(machine: PlainMachine, state: State, offer: Offer, tried: int, stream: int) -> tuple[int, int]:
    """The stream, and the number of the best of some answers at once, from one that chance picks on.

    What `Machine.follow` does, where a machine can: the same answers with the same stream.
    """
    count, secret = len(offer.answers), state.asking
    stream, first = chance.below(stream, count)
    best, maximum = first, 0
    for number in range(min(tried, count)):
        pick = (first + number) % count
        other = state.copy()
        machine.take(other, offer.answers[pick])
        stream = settle(machine, other, offer.player, secret, stream, LOOK_STEPS)
        worth = _worth(standing(machine, other), offer.player)
        if not number or worth > maximum:
            best, maximum = pick, worth
    return stream, best


def _worth(found: Standing, seat: int) -> int:
    """Points ahead; to have won is better than any."""
    won = found.winners
    if found.cooperative:
        return found.margins[seat] + int(A_WIN * found.result(seat))
    return found.margins[seat] + (0 if not won else A_WIN // len(won) if seat in won else -A_WIN)


def settle(machine: PlainMachine, state: State, me: int, secret: int, stream: int, steps: int) -> int:
    """Play on at random until another is asked, for a number of answers of one's own; the stream after it.

    A secret choice is played to its end: before that nothing has happened that could be counted.
    """
    for _ in range(steps):
        offer = machine.run(state)
        while offer is not None and offer.player != me and secret >= 0 and state.asking == secret:
            stream, pick = chance.below(stream, len(offer.answers))
            machine.take(state, offer.answers[pick])
            offer = machine.run(state)
        if offer is None or offer.player != me:
            break
        stream, pick = chance.below(stream, len(offer.answers))
        machine.take(state, offer.answers[pick])
    return stream


def margins(totals: Sequence[int]) -> tuple[int, ...]:
    """What each has more than the best of the others."""
    if len(totals) < 2:
        return tuple(totals)
    first, second = sorted(totals, reverse=True)[:2]
    return tuple(total - (second if total == first else first) for total in totals)
