"""Our side of the side-by-side runs: every way of driving it plays the game, and the rulesets it runs are sound."""

from __future__ import annotations

import pytest

from benchmarks.__main__ import DAYS, DECKS, PLAYERS
from benchmarks.lanes.ours import ROOT, WAYS, WORKS, find
from interpreter import BACKENDS, Game
from interpreter.machine import play_random
from tests.conftest import ruleset_named
from tests.vm.needs import needs_vm
from warlock_dsl.load import load


@pytest.mark.parametrize("backend", [pytest.param("vm", marks=needs_vm), "plain"])
@pytest.mark.parametrize("way", WAYS)
def test_every_way_plays_tic_tac_toe(way: str, backend: str) -> None:
    """Exact odds of random play: the first seat wins 737 of 1260 games, the second 121 of 420, of 7.27 decisions
    each (a move without an alternative is not asked about). 400 games are within four standard errors of that."""
    play = find(way, backend, "tic-tac-toe")
    assert play is not None
    decisions, wins = play(0, 400)
    assert abs(wins[0] / 400 - 737 / 1260) < 0.1
    assert abs(wins[1] / 400 - 121 / 420) < 0.1
    assert 7.0 < decisions / 400 < 7.5
    assert find(way, backend, "tic-tac-toe:2") is not None


@pytest.mark.parametrize("backend", [pytest.param("vm", marks=needs_vm), "plain"])
@pytest.mark.parametrize("way", WORKS)
def test_other_work_is_counted(way: str, backend: str) -> None:
    work = find(way, backend, "tic-tac-toe")
    assert work is not None and work(0, 5) == (5, [0])


@needs_vm
def test_games_one_by_one_are_those_of_random_play() -> None:
    ruleset = ruleset_named("tic-tac-toe")
    play = find("whole", BACKENDS[0], "tic-tac-toe")
    assert play is not None
    outcomes = [play_random(ruleset, 2, seed) for seed in range(3, 23)]
    assert play(3, 20) == (
        sum(one.decisions for one in outcomes),
        [sum(seat in one.winners for one in outcomes) for seat in (0, 1)],
    )


@pytest.mark.parametrize("size", DECKS)
def test_decks_have_the_size_they_are_named_for(size: int) -> None:
    name = DECKS[size].partition(":")[0]
    loaded = load(name, [ROOT / "rules", ROOT / "benchmarks" / "rules"])
    assert loaded.ruleset is not None, loaded.diagnostics
    everything = len(loaded.ruleset.components.kinds["creature"].pieces)
    [box] = [zone for zone in Game.start(loaded.ruleset, 4, 1).observe(-1).zones if zone.name == "box"]
    assert everything - box.count == size, "what is not in the deck stays in the box"


def test_every_ruleset_and_number_of_players_that_is_run_exists() -> None:
    for game, counts in PLAYERS.items():
        components = ruleset_named(game).components
        assert list(counts) == list(range(components.min_players, components.max_players + 1))
    for name in DAYS.values():
        assert load(name.partition(":")[0], [ROOT / "rules"]).ruleset is not None
