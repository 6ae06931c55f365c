"""Better players are better, at every game: tree search beats the greedy one, and the greedy one beats chance.

Everybody sits everywhere, deals differ from game to game, and the interval of the share of wins must exclude an equal
share. The tests in the default profile are small; what is marked `long` is what the claim rests on.
"""

from __future__ import annotations

import pytest

from warlock_dsl.load import load
from workbench.sim.runs import Branch, Plan, carry_out
from workbench.sim.statistics import Estimate
from workbench.sim.study import part_names
from workbench.sim.tally import tally
from workbench.support.ruleset_source import source_of
from workbench.support.workers import worker_pool


def wins(name: str, kinds: tuple[str, ...], games: int) -> Estimate:
    """What the first kind wins, by the seat."""
    plan = Plan((Branch(name, source_of(load(name))),), kinds, 0, games)
    with worker_pool() as workers:
        played = carry_out(plan, workers, None, lambda more, word: None)
    found = tally(played.records(0, games), part_names(plan, 0), kinds)
    assert found.finished == games
    return next(line.won for line in found.kinds if line.name == kinds[0])


TABLES = [("maldorf", 3), ("goblin-warlord", 2), ("warlock-1980", 2)]


@pytest.mark.long
@pytest.mark.parametrize(("name", "players"), TABLES)
def test_greedy_beats_chance(name: str, players: int) -> None:
    won = wins(name, ("greedy", *["random"] * (players - 1)), 24)
    assert won.low > 1 / players, won


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "players", "kind", "games"),
    [("maldorf", 3, "mcts(iterations=100)", 24), ("goblin-warlord", 2, "mcts", 120), ("warlock-1980", 2, "mcts", 40)],
)
def test_tree_search_beats_greedy(name: str, players: int, kind: str, games: int) -> None:
    """Minutes for each where there is a C compiler; hours without."""
    won = wins(name, (kind, *["greedy"] * (players - 1)), games)
    assert won.low > 1 / players, won
