"""Why a seat is not asked, as data: who is asked instead, and what was passed over since the seat last answered."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from interpreter.ir.lower import lower
from interpreter.state.layout import Layout
from interpreter.why.answers import causes_of
from interpreter.why.model import PassedOver, WhyNotAsked
from interpreter.why.passed import Passed, Watcher
from warlock_dsl import Ruleset


@lru_cache(maxsize=8)
def watcher_for(ruleset: Ruleset, players: int) -> Watcher:
    return Watcher(Layout(ruleset.program, ruleset.components, players), lower(ruleset.program))


def why_not_asked(
    ruleset: Ruleset, players: int, before: dict[str, Any], answers: Sequence[str], seat: int
) -> WhyNotAsked:
    """What a seat was not asked from a packed state on, with these answers."""
    watcher = watcher_for(ruleset, players)
    state = watcher.unpack(before, trusted=True)
    watcher.watch(state, answers, seat)
    offer = state.offer
    player, question = (-1, "") if offer is None else (offer.player, watcher.question(state))
    rules = tuple(dict.fromkeys(watcher.lowered_rules[frame.rule].address for frame in state.stack))
    found = dict.fromkeys(_told(watcher, one, seat) for one in watcher.found)
    return WhyNotAsked(seat, player, question, rules, tuple(found), watcher.dark)


def _told(watcher: Watcher, one: Passed, seat: int) -> PassedOver:
    with watcher.seen_by(seat):
        told = list(dict.fromkeys(causes_of(watcher, one.at, way, seat) for way in one.ways))
        hides = one.hides or watcher.tainted
    if hides:
        return PassedOver(one.what, one.questions, one.rules, hides=True)
    first, others = (told[0], tuple(told[1:])) if told else ((), ())
    return PassedOver(one.what, one.questions, one.rules, first, others, one.given)
