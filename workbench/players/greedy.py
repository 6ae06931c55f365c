"""The greedy player: what does each option come to, at once?"""

from __future__ import annotations

from interpreter import Game, Machine, PlayError
from workbench.players.base import own_stream
from workbench.players.rollouts import Standing, World, seen_as, worlds


class Greedy:
    """Tries each option in positions it could be in, plays on at random for a little, and takes the best on average.

    To have won is better than any points; else what counts is its own total less the best of another, or what the
    table has together, if it wins or loses as one. It looks at nothing hidden. The same deals are used for every
    option, so that luck favours none.
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
        results, points = [0.0] * count, [0] * count
        wanted = max(1, min(self.tries, self.budget // count))
        for world in worlds(game, own_stream(self.seed, me, len(game.answers)), wanted):
            found = self._deal(game.search_machine, world)
            if found is not None:
                results = [a + b.result(me) for a, b in zip(results, found, strict=True)]
                points = [a + b.margins[me] for a, b in zip(points, found, strict=True)]
        return max(range(count), key=lambda number: (results[number], points[number], -number))

    def _deal(self, machine: Machine, world: World) -> list[Standing] | None:
        """What each option came to in one deal, when it was played on at random until another was asked; None where the
        rules broke down."""
        try:
            return [seen_as(machine, found) for found in machine.look_ahead(world.state, world.stream, self.horizon)]
        except PlayError:
            return None
