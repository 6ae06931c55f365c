"""How long a "why not" takes: processor time of answers about what is missing from a menu, for each ruleset.

    python -m benchmarks.why_not [RULESET ...]        default: maldorf; the median, and the slowest

Beyond the bound, at the median, the exit code is 1.
"""

from __future__ import annotations

import random
import statistics
import sys
import time

from interpreter import AnswerError
from warlock_rules import Game, load

BOUND = 0.050  # seconds of processor time, at the median
POSITIONS = 150


def times(name: str) -> list[float]:
    """One question about one thing that is not on offer, at positions of random games: keys of menus, rows, pieces."""
    ruleset, chance, found = load(name), random.Random(1), list[float]()
    players = max(ruleset.components.min_players, min(3, ruleset.components.max_players))
    while len(found) < POSITIONS:
        game = Game.start(ruleset, players, seed=chance.randrange(1 << 30), laws=False)
        while not game.over and len(found) < POSITIONS:
            offered = {option.key for option in game.options()}
            names = {piece.name for zone in game.observe(game.to_move).zones for piece in zone.pieces if piece.name}
            names |= {key for family in ruleset.program.families.values() for key in family.keys}
            missing = sorted(names - offered)
            if missing and chance.random() < 0.2:
                found += timed(game, chance.choice(missing))
            game.choose(chance.randrange(game.option_count))
    return found


def timed(game: Game, key: str) -> list[float]:
    before = time.process_time()
    try:
        game.why_not(key)
    except AnswerError:  # a key that is nothing the question could be
        return []
    return [time.process_time() - before]


def main(names: list[str]) -> int:
    slow = False
    for name in names or ["maldorf"]:
        found = times(name)
        median = statistics.median(found)
        slow = slow or median > BOUND
        print(f"{name}: median {1000 * median:.1f} ms of {len(found)} answers, slowest {1000 * max(found):.0f} ms")
    return int(slow)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
