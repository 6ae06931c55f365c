"""Players that search: flat Monte Carlo, and Monte Carlo tree search over what each player knows.

Both share out their budget over the options by sequential halving: every option is tried in the same deals, the worse
half is dropped, the rest is tried in more deals, and so on until one is left. Below the option the tree search goes on
as information-set MCTS does (Cowling, Powley and Whitehouse, 2012): one tree for all deals, its moves chosen among
those that the deal at hand allows, by how they have done for whoever makes them.

A budget of iterations gives the same answer on every machine; a budget of seconds cannot.
"""

from __future__ import annotations

import time
from collections.abc import Hashable, Iterator
from math import exp, log, sqrt

from attrs import define, field

from interpreter import Game, PlayFault, chance
from interpreter.machine import Machine
from interpreter.questions import Answer, Offer, holds_pieces
from interpreter.state import State
from workbench.players.base import own_stream
from workbench.players.imagine import Standing, World, standing, stroll, worlds

ENDLESS = 1 << 40  # deals of a budget of seconds
FLAT = 40.0  # beyond this the slope of a worth is nothing


@define
class Node:
    """What has become of one move, over all deals: how often it was there to choose, how often it was made, and what it
    was worth to whoever made it."""

    there: int = 0
    visits: int = 0
    worth: float = 0.0
    children: dict[Hashable, Node] = field(factory=dict)


class Worth:
    """From how things stand to a number from 0 to 1. Points are measured against what is usual in this search."""

    def __init__(self, first: list[Standing]) -> None:
        seats = range(len(first[0].margins)) if first else ()
        self.usual = [sum(one.margins[seat] for one in first) / len(first) for seat in seats]
        away = [abs(one.margins[seat] - self.usual[seat]) for one in first for seat in seats]
        self.scale = max(1.0, sum(away) / len(away)) if away else 1.0

    def of(self, found: Standing, seat: int) -> float:
        slope = (found.margins[seat] - self.usual[seat]) / self.scale
        points = 1 / (1 + exp(-max(-FLAT, min(FLAT, slope))))
        if found.winners is None:
            return points
        return 0.1 * points + 0.9 * (found.result(seat) + 1) / 2  # a win, whatever the points


class Searcher:
    """Sequential halving over the options of a decision. What happens after an option is left to `_after`."""

    def __init__(self, seed: int, iterations: int, seconds: float, horizon: int) -> None:
        self.seed = seed
        self.iterations = iterations
        self.seconds = seconds
        self.horizon = horizon

    def pick(self, game: Game) -> int:
        count = game.option_count
        if count == 1:
            return 0
        return _Halving(self, game).best()

    def _after(self, machine: Machine, world: World, state: State, root: Node, me: int) -> tuple[list[Node], list[int]]:
        """Play on from an option that was just taken; the nodes gone through, and whose moves they were."""
        stroll(machine, state, world.stream, self.horizon)
        return [], []


class _Halving:
    """One decision being made."""

    def __init__(self, player: Searcher, game: Game) -> None:
        self.player = player
        self.game = game
        self.me = game.to_move
        self.stream = own_stream(player.seed, self.me, len(game.answers))
        self.roots = [Node() for _ in range(game.option_count)]
        self.measure: Worth | None = None
        self.waiting: list[tuple[list[Node], list[int], Standing]] = []

    def best(self) -> int:
        alive = list(range(len(self.roots)))
        stages = max(1, (len(alive) - 1).bit_length())
        for _ in range(stages):
            self._stage(alive, stages)
            alive.sort(key=lambda number: (-self._mean(number), number))
            alive = sorted(alive[: (len(alive) + 1) // 2])
        return max(alive, key=lambda number: (self._mean(number), -number))

    def _mean(self, number: int) -> float:
        root = self.roots[number]
        return root.worth / root.visits if root.visits else 0.0

    def _stage(self, alive: list[int], stages: int) -> None:
        for world in self._worlds(len(alive), stages):
            for number in alive:
                self._try(world, number)
            if self.measure is None:
                self._begin_to_measure()

    def _worlds(self, alive: int, stages: int) -> Iterator[World]:
        """The deals of one stage, until its share of the budget is used up. There is always one."""
        self.stream, own = chance.step(self.stream)
        if not self.player.seconds:
            yield from worlds(self.game, own, max(1, self.player.iterations // (stages * alive)))
            return
        until = time.monotonic() + self.player.seconds / stages
        for world in worlds(self.game, own, ENDLESS):
            yield world
            if time.monotonic() >= until:
                return

    def _try(self, world: World, number: int) -> None:
        machine, state, root = self.game.machine, world.state.copy(), self.roots[number]
        try:
            machine.take(state, world.offer.answers[number])
            path, movers = self.player._after(machine, world, state, root, self.me)
            found = standing(machine, state)
        except PlayFault:
            return
        path, movers = [root, *path], [self.me, *movers]
        if self.measure is None:
            self.waiting.append((path, movers, found))
        else:
            _credit(path, movers, found, self.measure)

    def _begin_to_measure(self) -> None:
        """Every option was tried once: now it is known what is usual."""
        self.measure = Worth([found for _, _, found in self.waiting])
        for path, movers, found in self.waiting:
            _credit(path, movers, found, self.measure)


def _credit(path: list[Node], movers: list[int], found: Standing, measure: Worth) -> None:
    for node, mover in zip(path, movers, strict=True):
        node.visits += 1
        node.worth += measure.of(found, mover)


class MonteCarlo(Searcher):
    """Flat Monte Carlo: after each option play on at random, and see how things stand."""

    def __init__(self, seed: int, iterations: int = 200, seconds: float = 0.0, horizon: int = 40) -> None:
        super().__init__(seed, iterations, seconds, horizon)


class Mcts(Searcher):
    """Information-set Monte Carlo tree search."""

    def __init__(
        self, seed: int, iterations: int = 200, seconds: float = 0.0, horizon: int = 40, explore: float = 0.5
    ) -> None:
        super().__init__(seed, iterations, seconds, horizon)
        self.explore = explore

    def _after(self, machine: Machine, world: World, state: State, root: Node, me: int) -> tuple[list[Node], list[int]]:
        node, stream, steps = root, world.stream, 0
        path: list[Node] = []
        movers: list[int] = []
        while steps < self.horizon:
            offer = machine.run(state)
            if offer is None:
                return path, movers
            steps += 1
            if offer.player != me and state.asking >= 0:  # nobody answers a secret choice by what others answered
                stream, pick = chance.below(stream, len(offer.answers))
                machine.take(state, offer.answers[pick])
                continue
            stream, pick, node, new = self._step(machine, offer, node, stream)
            machine.take(state, offer.answers[pick])
            path.append(node)
            movers.append(offer.player)
            if new:
                break
        stroll(machine, state, stream, self.horizon - steps)
        return path, movers

    def _step(self, machine: Machine, offer: Offer, node: Node, stream: int) -> tuple[int, int, Node, bool]:
        """The move to go on with: one that was never tried, else the most promising of those there are."""
        keys = [move_key(machine, offer, answer) for answer in offer.answers]
        fresh = [number for number, key in enumerate(keys) if key not in node.children]
        if fresh:
            stream, place = chance.below(stream, len(fresh))
            number = fresh[place]
            child = node.children[keys[number]] = Node(there=1)
            return stream, number, child, True
        best, most = 0, -1.0
        for number, key in enumerate(keys):
            child = node.children[key]
            child.there += 1
            seen = child.visits or 1
            value = child.worth / seen + self.explore * sqrt(log(child.there) / seen)
            if value > most:
                best, most = number, value
        return stream, best, node.children[keys[best]], False


def move_key(machine: Machine, offer: Offer, answer: Answer) -> Hashable:
    """What makes a move the same in another deal: the question and the answer, alike pieces being one."""
    kind = offer.ask.question.type
    value = answer.value
    if holds_pieces(kind) and value is not None:
        twin = machine.layout.twin
        value = tuple(twin[piece] for piece in value) if isinstance(value, tuple) else twin[value]
    return offer.rule, offer.ask.question.slot, answer.what, value
