"""Two small games that use what boards can do: they keep every law, and their scenarios hold."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from interpreter import Game
from interpreter.machine import machine_for
from interpreter.vm.machine import VmMachine
from warlock_dsl.load import load
from warlock_dsl.ruleset import Ruleset
from workbench.players.base import Random
from workbench.scenario.run import read_scenarios, run_scenario
from workbench.testing.conformance import Effort, conform

SMALL = Path(__file__).parent / "small"
GAMES = ("convoy", "pond")


@cache
def rules(name: str) -> Ruleset:
    loaded = load(str(SMALL / name))
    assert loaded.ruleset is not None, [error.message for error in loaded.diagnostics]
    return loaded.ruleset


@pytest.mark.parametrize("name", GAMES)
def test_the_check_finds_nothing_but_missing_names(name: str) -> None:
    assert {error.code for error in load(str(SMALL / name)).diagnostics} <= {"W430"}


@pytest.mark.parametrize("name", GAMES)
def test_their_scenarios_hold(name: str) -> None:
    for path in sorted((SMALL / name / "scenarios").glob("*.toml")):
        scenarios, errors = read_scenarios(path.read_text(encoding="utf-8"), path.name, lambda _: rules(name), name)
        assert not errors and scenarios
        for scenario in scenarios:
            result = run_scenario(rules(name), scenario)
            assert result.passed, [failure.text for failure in result.failures]


@pytest.mark.parametrize(("name", "players"), [("convoy", 2), ("convoy", 3), ("pond", 2)])
def test_they_do_what_every_game_must(name: str, players: int) -> None:
    assert isinstance(machine_for(rules(name), players, False), VmMachine)
    for seed in range(4):
        assert conform(rules(name), players, seed, Effort(decisions=200)).over


def test_both_sides_can_win_on_the_pond() -> None:
    winners = set()
    for seed in range(12):
        game, bot = Game.start(rules("pond"), 2, seed), Random(seed)
        while not game.over:
            game.choose(bot.pick(game))
        winners.add(game.winners)
    assert {(0,), (1,)} <= winners
