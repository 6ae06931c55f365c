"""Properties of a ruleset worked out in a position of a game, whatever machine plays it."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from interpreter import Game, PlainMachine, RulesError, State, machine_for
from warlock_dsl import Property, Ruleset

MAX_PLACES = 200  # of a list that a property gives
HINT = f"a property may give up to {MAX_PLACES} values at once: one for each seat, say, or for each row of a table"


class GameValues:
    """Works out the properties of a ruleset in a position, on the plain machine, whatever machine plays."""

    def __init__(self, ruleset: Ruleset, players: int) -> None:
        self.machine: PlainMachine = machine_for(ruleset, players, False, "plain").plain

    def position(self, game: Game) -> State:
        """The state of a game as the plain machine has it."""
        return game.machine.position(game.state)

    def value(self, state: State, one: Property, first: object = None) -> Any:
        """The value of a property; `first` is what its slot 1 holds."""
        return short(self._worked_out(state, one, one.test, first), one)

    def applies(self, state: State, one: Property, first: object = None) -> bool:
        """Whether the condition of a property holds."""
        return one.where is None or bool(self._worked_out(state, one, one.where, first))

    def _worked_out(self, state: State, one: Property, wanted: Any, first: object) -> Any:
        self.machine.work = 0
        slots: list[Any] = [0, first, *[None] * max(0, one.slots - 2)]
        return self.machine.ev(state, wanted, slots)


def short(value: Any, one: Property) -> Any:
    """The value of a property, if it is no list that is too long to be counted and compared place by place."""
    if isinstance(value, tuple) and len(value) > MAX_PLACES:
        raise RulesError(f"a list of {len(value):,} is too long to count or to compare", span=one.span, hint=HINT)
    return value


@lru_cache(maxsize=32)
def values_for(ruleset: Ruleset, players: int) -> GameValues:
    return GameValues(ruleset, players)
