"""Plays a game with both backends side by side: the same offers, states, scores and errors, decision for decision."""

from __future__ import annotations

from typing import Any

from interpreter import PlayError
from interpreter.generated import Generated
from interpreter.machine import machine_for, plain_only
from interpreter.plain.machine import PlainMachine
from interpreter.plain.questions import Offer
from interpreter.state import random as chance
from interpreter.state.state import State
from warlock_dsl.ruleset import Ruleset

PLAIN = {"backgammon", "chess", "go-fish"}  # games with forms that generated code does not know
AT_THE_BOUND = "the rules ask for too much work between two decisions"


def told(error: PlayError) -> tuple[Any, ...]:
    return type(error), error.message, error.rule, error.span, error.hint


def shown(offer: Offer | None) -> tuple[Any, ...] | None:
    if offer is None:
        return None
    return offer.player, offer.rule, offer.ask.span, offer.answers, offer.partial, offer.count


def step(machine: PlainMachine, state: State) -> tuple[Offer | None, Any]:
    """The next offer, and all that is to be compared of it."""
    try:
        offer = machine.run(state)
        machine.laws(state)
    except PlayError as error:
        return None, told(error)
    return offer, (shown(offer), state.digest())


def side_by_side(ruleset: Ruleset, players: int, seed: int, laws: bool = True, maximum: int = 10_000) -> int:
    """How many decisions the game had. Every now and then the two backends change states: either goes on alike."""
    plain, made = (machine_for(ruleset, players, laws, backend) for backend in ("plain", "generated"))
    assert isinstance(made, Generated) or plain_only(ruleset, plain.lowered_rules), "these rules were not generated"
    one, other = plain.start(seed), made.start(seed)
    dice = chance.seeded(seed + 1)
    for number in range(maximum):
        offer, expected = step(plain, one)
        same, found = step(made, other)
        if AT_THE_BOUND in (str(expected[1]), str(found[1])):
            return number  # one of them gave up: the other may, or may get through with less work
        assert found == expected, f"decision {number} of seed {seed}, {players} players"
        if offer is None or same is None:
            return number
        if number % 50 == 49:
            one, other = other, one
        dice, pick = chance.below(dice, offer.count)
        plain.take(one, offer.answers[pick])
        made.take(other, same.answers[pick])
    return maximum
