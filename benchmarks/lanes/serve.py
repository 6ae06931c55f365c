"""The side of a lane that plays: orders come in as lines of JSON, what was done in that time goes out.

Only what every Python has is used here: lanes run in the environments of the frameworks they are for.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from time import process_time

# Plays so many games from that number on; gives the decisions taken and the victories of each seat.
Play = Callable[[int, int], tuple[int, list[int]]]
# Finds what plays a game; None if this framework has no such game.
Find = Callable[[str], Play | None]

BATCH = 0.02  # seconds that a call of `Play` should last: then looking at the clock costs nothing


def serve(find: Find, version: str) -> None:
    """Say hello, then play what is asked for until nobody asks any more."""
    _say({"version": version})
    found: dict[str, Play | None] = {}
    sizes: dict[str, tuple[int, int]] = {}  # by game: the number of the next one, and how many to play at once
    for line in sys.stdin:
        order = json.loads(line)
        game = order["game"]
        if game not in found:
            found[game] = find(game)
        play = found[game]
        if play is None:
            _say({"absent": "no such game"})
            continue
        first, size = sizes.get(game, (0, 1))
        done, first, size = run(play, order["seconds"], first, size)
        sizes[game] = first, size
        _say(done)


def run(play: Play, seconds: float, first: int, size: int) -> tuple[dict[str, object], int, int]:
    """Play for some seconds of processor time: what was done, the number of the next game, the size of a batch."""
    games = decisions = 0
    wins: list[int] = []
    start = now = process_time()
    while now - start < seconds:
        taken, won = play(first, size)
        games += size
        first += size
        decisions += taken
        wins = [a + b for a, b in zip(wins or [0] * len(won), won, strict=True)]
        before, now = now, process_time()
        if now - before < BATCH:
            size *= 2
    return {"games": games, "decisions": decisions, "wins": wins, "seconds": now - start}, first, size


def _say(what: dict[str, object]) -> None:
    print(json.dumps(what), flush=True)
