"""Plays whole games on two machines: those that are shipped, every overlay alone, and the small games of the tests.

On the command line: `python -m tests.random_rules.games --decisions 100000 --backend vm`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.random_rules.lockstep import USUAL, Difference, Plan
from tests.random_rules.search import Maker, backend, difference_of
from warlock_dsl.files import available, available_overlays
from warlock_dsl.load import load

ROOT = Path(__file__).parents[2]
RULES = [ROOT / "rules"]
MAX_FOUND = 10  # games that differ, after which no more are looked for
SMALL = ("tests/games/small", "tests/workbench/data", "tests/planted/leaks")  # folders of small games


def game_names(overlays: bool = True) -> Iterator[str]:
    """Every shipped game, each with one overlay at a time, and the small games by their folder."""
    for game in available(RULES):
        yield game.name
        yield from (f"{game.name}+{one.name}" for one in available_overlays(game.name, RULES) if overlays)
    for folder in SMALL:
        yield from (str(one.parent) for one in sorted((ROOT / folder).glob("*/game.toml")))


def long_games(decisions: int, other: Maker, plan: Plan) -> tuple[int, list[tuple[str, int, Difference]]]:
    """Games of every stack and number of players in turn, until so many decisions were compared: how many they were,
    and which games differ."""
    tables = []
    for name in game_names():
        ruleset = load(name, RULES).ruleset
        if ruleset is not None:
            seats = range(ruleset.components.min_players, ruleset.components.max_players + 1)
            tables += [(name, ruleset, players) for players in seats]
    done, seed, found = 0, 0, list[tuple[str, int, Difference]]()
    while done < decisions and len(found) < MAX_FOUND:
        for name, ruleset, players in tables:
            one = difference_of(ruleset, players, seed, other, plan)
            if isinstance(one, Difference):
                found.append((f"{name}, {players} players", seed, one))
            elif one is not None:
                done += one.decisions
        seed += 1
    return done, found


def game_differences(name: str, other: Maker, plan: Plan = USUAL) -> list[Difference]:
    """How two machines differ on a game, for every number of players; nothing where the rules do not load."""
    ruleset = load(name, RULES).ruleset
    if ruleset is None:
        return []
    seats = range(ruleset.components.min_players, ruleset.components.max_players + 1)
    found = (difference_of(ruleset, players, players, other, plan) for players in seats)
    return [one for one in found if isinstance(one, Difference)]


def main() -> int:
    parser = argparse.ArgumentParser(description="every game and overlay on two machines")
    parser.add_argument("--decisions", type=int, default=100_000)
    parser.add_argument("--backend", default="plain", help="what is compared with the plain machine")
    parser.add_argument("--look", type=int, default=10, help="compare everything at every so many decisions")
    given = parser.parse_args()
    plan = Plan(max_decisions=3000, work=True, log=False, every=50, look=given.look)
    done, found = long_games(given.decisions, backend(given.backend), plan)
    for name, seed, difference in found:
        print(f"{name}, seed {seed}: {difference}")
    print(f"{done} decisions, {len(found)} games that differ")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
