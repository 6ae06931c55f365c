"""Finds the pieces that a ruleset lists and does not play with: its set-up leaves them where they start."""

from __future__ import annotations

from functools import lru_cache

from interpreter import PlayError, opening_state
from warlock_dsl import Ruleset
from workbench.scenario.stage import Stage, WorkBudget, machine_for
from workbench.scenario.values import Vocabulary

Start = tuple[str, str]  # a kind of piece and the place where pieces of it start
Pieces = dict[Start, list[int]]
MAX_WORK = 50_000  # of a game up to its first question


def absent_pieces(own: Ruleset, under: Ruleset, players: int, seed: int) -> frozenset[int]:
    """The pieces that a scenario's own rules play with and other rules do not.

    A set-up that takes every piece of a kind from where it starts shows that nothing is played from there. So what
    the set-up of the other rules leaves there is not part of their game.
    """
    if not under.components.min_players <= players <= under.components.max_players:
        return frozenset()
    taken, left = _opening(own, players, seed)
    taken_here, left_here = _opening(under, players, seed)
    emptied = (taken.keys() - left.keys()) & taken_here.keys()
    return frozenset(piece for start in emptied for piece in left_here.get(start, ()))


@lru_cache(maxsize=64)
def _opening(ruleset: Ruleset, players: int, seed: int) -> tuple[Pieces, Pieces]:
    """The pieces that no longer lie where they start when a real game asks its first question, and those that do."""
    machine = machine_for(ruleset, players)
    layout = machine.layout
    words = Vocabulary(layout, [f"seat{seat}" for seat in range(players)])
    game = Stage(ruleset, machine, machine.start(seed), seed, words, WorkBudget(MAX_WORK))
    home = opening_state(layout, seed).place
    try:
        game.run(lambda: False)
    except PlayError:
        return {}, {}
    taken: Pieces = {}
    left: Pieces = {}
    for piece, place in enumerate(home):
        start = (layout.kind_names[layout.kind_of[piece]], layout.places[place].name)
        (left if game.state.place[piece] == place else taken).setdefault(start, []).append(piece)
    return taken, left
