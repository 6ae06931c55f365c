"""The greedy player: what does each option come to, at once?"""

from __future__ import annotations

from interpreter import Game, PlayFault, chance
from interpreter.machine import Machine
from interpreter.questions import Offer
from interpreter.state import State
from workbench.players.base import own_stream
from workbench.redeal import redealt


class Greedy:
    """Tries each option in positions it could be in, plays on at random for a little, and takes the best on average.

    "Best" is its own total less the best total of another. It looks at no hidden piece: each try begins with the
    hidden pieces dealt anew (see `redeal`). The same deals are used for every option, so that luck favours none.
    """

    def __init__(self, seed: int, tries: int = 4, horizon: int = 8, budget: int = 64) -> None:
        self.seed = seed
        self.tries = tries
        self.horizon = horizon
        self.budget = budget  # how many tries one decision may take in all

    def pick(self, game: Game) -> int:
        count = game.option_count
        if count == 1:
            return 0
        me = game.to_move
        stream = own_stream(self.seed, me, len(game.answers))
        sums = [0] * count
        done = 0
        wanted = max(1, min(self.tries, self.budget // count))
        for _ in range(wanted * 2):  # a deal that does not fit is replaced by another, but not for ever
            stream, deal = chance.step(stream)
            worths = self._deal(game, me, count, deal)
            if worths is not None:
                sums = [a + b for a, b in zip(sums, worths, strict=True)]
                done += 1
            if done == wanted:
                break
        return max(range(count), key=lambda number: (sums[number], -number))

    def _deal(self, game: Game, me: int, count: int, stream: int) -> list[int] | None:
        """What each option came to in one deal; None where the position would not have offered the same."""
        machine = game.machine
        try:
            stream, state = redealt(machine, game.state, me, stream)
            offer = machine.run(state)
            if offer is None or offer.player != me or len(offer.answers) != count:
                return None
            return [self._try(machine, state.copy(), offer, number, me, stream) for number in range(count)]
        except PlayFault:
            return None

    def _try(self, machine: Machine, state: State, offer: Offer | None, number: int, me: int, stream: int) -> int:
        """Take an option, play on at random until another is asked, and count.

        A secret choice is played to its end: before that nothing has happened that could be counted.
        """
        assert offer is not None
        secret = state.asking
        machine.take(state, offer.answers[number])
        for _ in range(self.horizon):
            offer = machine.run(state)
            while offer is not None and offer.player != me and secret >= 0 and state.asking == secret:
                stream, pick = chance.below(stream, len(offer.answers))
                machine.take(state, offer.answers[pick])
                offer = machine.run(state)
            if offer is None or offer.player != me:
                break
            stream, pick = chance.below(stream, len(offer.answers))
            machine.take(state, offer.answers[pick])
        return self._worth(machine, state, me)

    def _worth(self, machine: Machine, state: State, me: int) -> int:
        machine.work = 0
        totals = [sum(machine.parts(state, player)) for player in range(machine.layout.players)]
        others = totals[:me] + totals[me + 1 :]
        return totals[me] - max(others, default=0)
