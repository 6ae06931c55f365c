"""Players that search: flat Monte Carlo, and Monte Carlo tree search over what each player knows.

Both share out their budget over the options by sequential halving: every option is tried in the same deals, the worse
half is dropped, the rest is tried in more deals, and so on until one is left. Below the option the tree search goes on
as information-set MCTS does (Cowling, Powley and Whitehouse, 2012): one tree for all deals, its moves chosen among
those that the deal at hand allows, by how they have done for whoever makes them.

A budget of iterations gives the same answer on every machine; a budget of seconds cannot.
"""

from __future__ import annotations

import time
from collections.abc import Hashable, Iterator, Sequence
from math import exp, log, sqrt

from attrs import define, field

from interpreter import Game, Machine, PlayError, State
from interpreter.state import random as chance
from workbench.players.base import own_stream
from workbench.players.rollouts import Standing, World, seen_as, standing, worlds

FLAT = 40.0  # beyond this the slope of a worth is nothing


@define
class Node:
    """What has become of one move, over all deals: how often it was there to choose, how often it was made, and what it
    was worth to whoever made it."""

    there: int = 0
    visits: int = 0
    worth: float = 0.0
    children: dict[Hashable, Node] = field(factory=dict)


class Trace:
    """The nodes gone through in one deal, whose moves they were, and whether play has left the tree."""

    def __init__(self, root: Node) -> None:
        self.nodes = [root]
        self.movers: list[int] = []
        self.below = False


Transcript = tuple[Standing, Standing, Standing]
"""How things stood when another was first asked, a quarter of the way on, and at the end of what was followed."""

MISLED = (0.15, 0.1, 0.0)  # how far each of these is off what matters, as a part of how much the last one varies


class Worth:
    """From how things went to numbers from 0 to 1. Points are measured against what is usual in this search."""

    def __init__(self, first: list[Transcript]) -> None:
        self.usual: list[list[float]] = []
        self.noise: list[float] = []
        seats = range(len(first[0][0].margins))
        for moment in zip(*first, strict=True):
            usual = [sum(one.margins[seat] for one in moment) / len(first) for seat in seats]
            away = [abs(one.margins[seat] - usual[seat]) for one in moment for seat in seats]
            self.usual.append(usual)
            self.noise.append(sum(away) / len(away))
        self.scale = max(1.0, self.noise[-1])

    def of(self, transcript: Transcript, seat: int) -> tuple[float, ...]:
        """What each moment of a course was worth to a seat."""
        return tuple(self._moment(one, usual[seat], seat) for one, usual in zip(transcript, self.usual, strict=True))

    def _moment(self, one: Standing, usual: float, seat: int) -> float:
        points = 1 / (1 + exp(-max(-FLAT, min(FLAT, (one.margins[seat] - usual) / self.scale))))
        if one.winners is None:
            return points
        return 0.1 * points + 0.9 * (one.result(seat) + 1) / 2  # a win, whatever the points

    def weights(self, tries: int) -> tuple[float, ...]:
        """How much each moment counts after a number of tries.

        What an option does at once is known soon but says little; what it leads to says more, and only after many
        tries. Each counts by the inverse of how far off it may be: its bias and the noise that is left.
        """
        parts = [noise / self.scale for noise in self.noise]
        found = [1 / (bias**2 + (part**2 + 0.01) / tries) for bias, part in zip(MISLED, parts, strict=True)]
        return tuple(one / sum(found) for one in found)


class Searcher:
    """Plays on from options and sees how things go. Which moves are made on the way is left to `_move`."""

    def __init__(self, seed: int, iterations: int, seconds: float, horizon: int, look: int) -> None:
        self.look = look  # how many options a move that is not searched for is the best of; 0: any
        self.seed = seed
        self.iterations = iterations
        self.seconds = seconds
        self.horizon = horizon

    def pick(self, game: Game) -> int:
        count = game.option_count
        if count == 1:
            return 0
        return _Halving(self, game).best()

    def follow(
        self, machine: Machine, world: World, state: State, root: Node, me: int
    ) -> tuple[Trace, Transcript]:
        """Play on from an option that was just taken; the moves that are remembered, and how things went."""
        trace = Trace(root)
        stream, secret = world.stream, machine.secret_depth(state)
        turn = quarter = None
        for step in range(self.horizon):
            if self._at_random(trace):
                steps = self.horizon - step, self.horizon // 4 - step
                ahead = machine.follow(state, stream, *steps, me, secret, self.look)
                first, later, last = (None if one is None else seen_as(machine, one) for one in ahead)
                assert last is not None
                return trace, (turn or first or last, quarter or later or last, last)
            machine.run(state)
            player = machine.to_move(state)
            if player < 0:
                break
            if turn is None and player != me and (secret < 0 or machine.secret_depth(state) != secret):
                turn = standing(machine, state)
            if step == self.horizon // 4:
                quarter = standing(machine, state)
            hidden = machine.secret_depth(state) >= 0 and player != me
            stream, pick = self._move(machine, state, trace, stream, hidden)
            machine.choose(state, pick)
        else:
            machine.run(state)
        end = standing(machine, state)
        return trace, (turn or end, quarter or end, end)

    def _at_random(self, trace: Trace) -> bool:
        """Whether every move from here on is any move: then the machine can play on by itself."""
        return True

    def _move(self, machine: Machine, state: State, trace: Trace, stream: int, secret: bool) -> tuple[int, int]:
        """The stream, and the number of the move to go on with."""
        return chance.below(stream, machine.count(state))


class _Halving:
    """One decision being made."""

    def __init__(self, player: Searcher, game: Game) -> None:
        self.player = player
        self.game = game
        self.me = game.to_move
        self.stream = own_stream(player.seed, self.me, len(game.answers))
        self.roots = [Node() for _ in range(game.option_count)]
        self.moments = [[0.0] * len(MISLED) for _ in self.roots]
        self.measure: Worth | None = None
        self.waiting: list[tuple[int, Trace, Transcript]] = []

    def best(self) -> int:
        alive = list(range(len(self.roots)))
        stages = max(1, (len(alive) - 1).bit_length())
        for _ in range(stages):
            self._stage(alive, stages)
            alive.sort(key=lambda number: (-self._mean(number), number))
            alive = sorted(alive[: (len(alive) + 1) // 2])
        return alive[0]

    def _mean(self, number: int) -> float:
        visits = self.roots[number].visits
        if self.measure is None or not visits:
            return 0.0
        weights = self.measure.weights(visits)
        return sum(weight * sum_ for weight, sum_ in zip(weights, self.moments[number], strict=True)) / visits

    def _stage(self, alive: list[int], stages: int) -> None:
        for world in self._worlds(len(alive), stages):
            for number in alive:
                self._try(world, number)
            if self.measure is None and self.waiting:
                self._begin_to_measure()

    def _worlds(self, alive: int, stages: int) -> Iterator[World]:
        """The deals of one stage, until its share of the budget is used up. There is always one."""
        self.stream, own = chance.step(self.stream)
        if not self.player.seconds:
            yield from worlds(self.game, own, max(1, self.player.iterations // (stages * alive)))
            return
        until = time.monotonic() + self.player.seconds / stages
        while True:
            self.stream, own = chance.step(self.stream)
            yield from worlds(self.game, own, 1)
            if time.monotonic() >= until:
                return

    def _try(self, world: World, number: int) -> None:
        machine, root = self.game.search_machine, self.roots[number]
        state = machine.copy(world.state)
        try:
            machine.choose(state, number)
            trace, transcript = self.player.follow(machine, world, state, root, self.me)
        except PlayError:
            return
        if self.measure is None:
            self.waiting.append((number, trace, transcript))
        else:
            self._credit(number, trace, transcript, self.measure)

    def _begin_to_measure(self) -> None:
        """Every option was tried once: now it is known what is usual."""
        self.measure = Worth([transcript for _, _, transcript in self.waiting])
        for number, trace, transcript in self.waiting:
            self._credit(number, trace, transcript, self.measure)

    def _credit(self, number: int, trace: Trace, transcript: Transcript, measure: Worth) -> None:
        worth = measure.of(transcript, self.me)
        self.moments[number] = [a + b for a, b in zip(self.moments[number], worth, strict=True)]
        for node, mover in zip(trace.nodes, [self.me, *trace.movers], strict=True):
            node.visits += 1
            node.worth += sum(measure.of(transcript, mover)) / len(worth)


class MonteCarlo(Searcher):
    """Flat Monte Carlo: after each option play on at random, and see how things stand."""

    def __init__(
        self, seed: int, iterations: int = 200, seconds: float = 0.0, horizon: int = 40, look: int = 0
    ) -> None:
        super().__init__(seed, iterations, seconds, horizon, look)


class Mcts(Searcher):
    """Information-set Monte Carlo tree search."""

    def __init__(
        self,
        seed: int,
        iterations: int = 200,
        seconds: float = 0.0,
        horizon: int = 40,
        explore: float = 0.5,
        look: int = 4,
    ) -> None:
        super().__init__(seed, iterations, seconds, horizon, look)
        self.explore = explore

    def _at_random(self, trace: Trace) -> bool:
        return trace.below

    def _move(self, machine: Machine, state: State, trace: Trace, stream: int, secret: bool) -> tuple[int, int]:
        """In the tree the most promising move, below it any. Nobody answers a secret choice by what others answered."""
        if secret or trace.below:
            return chance.below(stream, machine.count(state))
        stream, pick, node, trace.below = self._step(machine.move_keys(state), trace.nodes[-1], stream)
        trace.nodes.append(node)
        trace.movers.append(machine.to_move(state))
        return stream, pick

    def _step(self, keys: Sequence[Hashable], node: Node, stream: int) -> tuple[int, int, Node, bool]:
        """The move to go on with: one that was never tried, else the most promising of those there are."""
        fresh = [number for number, key in enumerate(keys) if key not in node.children]
        if fresh:
            stream, place = chance.below(stream, len(fresh))
            number = fresh[place]
            child = node.children[keys[number]] = Node(there=1)
            return stream, number, child, True
        best, maximum = 0, -1.0
        for number, key in enumerate(keys):
            child = node.children[key]
            child.there += 1
            seen = child.visits or 1
            value = child.worth / seen + self.explore * sqrt(log(child.there) / seen)
            if value > maximum:
                best, maximum = number, value
        return stream, best, node.children[keys[best]], False
