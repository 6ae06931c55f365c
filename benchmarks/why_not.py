"""How long a "why not" takes: processor time of answers about what is missing from a menu, for each ruleset.

    python -m benchmarks.why_not [RULESET ...]        default: maldorf; medians, and the slowest

Beyond the bound, at the median of one thing or of a set, the exit code is 1.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

from interpreter import AnswerError
from warlock_rules import Game, load

BOUND = 0.050  # seconds of processor time, at the median
POSITIONS = 150
SETS = 40
MAX_GAMES = 12  # games with few sets
Found = dict[str, list[float]]


def times(name: str) -> Found:
    """At positions of random games: one thing that is not on offer (keys of menus, rows, pieces), a set one piece away
    from one on offer, and why somebody was not asked."""
    ruleset, chance = load(name), random.Random(1)
    found: Found = {"one thing": [], "a set": [], "not asked": []}
    players = max(ruleset.components.min_players, min(3, ruleset.components.max_players))
    for _ in range(MAX_GAMES):
        if len(found["one thing"]) >= POSITIONS and len(found["a set"]) >= SETS:
            break
        game = Game.start(ruleset, players, seed=chance.randrange(1 << 30), laws=False)
        while not game.over:
            sets = [option.key for option in game.options() if option.value.what == "list"]
            if sets:
                members = chance.choice(sets).split("+")
                members.remove(chance.choice(members))
                found["a set"] += timed(game.why_not, "+".join(members) or "none")
            elif chance.random() < 0.2:
                missing = sorted(nameable(game) - {option.key for option in game.options()})
                found["one thing"] += timed(game.why_not, chance.choice(missing)) if missing else []
                found["not asked"] += timed(game.why_not_asked, chance.randrange(players))
            game.choose(chance.randrange(game.option_count))
    return found


def nameable(game: Game) -> set[str]:
    names = {piece.name for zone in game.observe(game.to_move).zones for piece in zone.pieces if piece.name}
    return names | {key for family in game.ruleset.program.families.values() for key in family.keys}


def timed(ask: Callable[[Any], object], what: object) -> list[float]:
    before = time.process_time()
    try:
        ask(what)
    except AnswerError:  # a key that is nothing the question could be
        return []
    return [time.process_time() - before]


def main(names: list[str]) -> int:
    slow = False
    for name in names or ["maldorf"]:
        for what, found in times(name).items():
            if found:
                median = statistics.median(found)
                slow = slow or median > BOUND
                slowest = f"slowest {1000 * max(found):.0f} ms"
                print(f"{name}, {what}: median {1000 * median:.1f} ms of {len(found)} answers, {slowest}")
    return int(slow)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
