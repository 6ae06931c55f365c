"""A position as one player could imagine it: what that player cannot see is dealt anew, chance begins another stream.

**Pieces** the player cannot see change names with one another, within their kind, by one fair permutation that is
carried through the *whole* state (`renaming`). So the new position is one that could have come about in just the same
way with other cards, and no rule in progress points at a piece that lies elsewhere. Where the player cannot even count
them they are laid out anew over all such places first (`spread`). **Variables** he cannot see are given any value they
could have (`hidden_parts`).

A position that breaks an invariant of the rules could not have come about: then all of it is dealt again, a bounded
number of times. Nothing is drawn from what the player cannot know, so that two positions that look the same to him,
dealt anew from the same stream, become the same position. The exceptions are what cannot be dealt (`HiddenParts.kept`),
and how many lie in a hidden place that a rule in progress is at work in.

What others have answered in a secret choice that still goes on may be no piece at all (a number, a wish), and which
place they chose from is secret too. So those answers are taken back, and given again at random in the new position.

A player's memory is not used: what was seen once and lies hidden now counts as unknown.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from attrs import frozen

from interpreter.errors import PlayError
from interpreter.ir import blocks as ir
from interpreter.state import random as chance
from interpreter.state.hidden_parts import HiddenParts, deal_value
from interpreter.state.layout import Layout
from interpreter.state.renaming import Renaming
from interpreter.state.spread import in_order, spread, uncounted
from interpreter.state.state import State
from interpreter.state.visibility import hides_piece, sees_piece, sees_variable

MAX_DEALS = 100  # until one keeps the invariants
UNLAWFUL = "nothing that was dealt keeps the invariants"
TOO_FAR = "with other cards this secret choice would not have come this far"
COUNTS, VARIABLES = 0x632BE59BD9B4E019, 0xE220A8397B1DCDAF  # tell their streams from the one for names


@frozen
class Anew:
    """What is dealt anew: everything, unless somebody wants to know what it is that makes a difference.

    `names`: which piece is which (`within` its own place only); `counts`: how many lie where; `variables`: the numbers
    of those that may change, None for all.
    """

    names: bool = True
    within: bool = False
    counts: bool = True
    variables: frozenset[int] | None = None


EVERYTHING = Anew()


class Runner(Protocol):
    """What a redeal needs of a machine: to test invariants, and, to answer a secret choice again, to play."""

    work: int

    @property
    def layout(self) -> Layout: ...
    @property
    def lowered_rules(self) -> tuple[ir.LoweredRule, ...]: ...
    @property
    def hidden_parts(self) -> HiddenParts: ...
    def run(self, s: State, /) -> Any: ...
    def take(self, s: State, answer: Any, /) -> None: ...
    def check_invariants(self, s: State, /) -> None: ...


def redealt(machine: Runner, state: State, viewer: int, stream: int, anew: Anew = EVERYTHING) -> tuple[int, State]:
    """A position the viewer could be in, and the stream after it was dealt. The state given is not touched.

    A `PlayError` may come out of it: with other cards an earlier secret answer may have been impossible, or no deal
    that was tried keeps the invariants.
    """
    places = []
    if anew.counts and machine.hidden_parts.places:
        places = uncounted(machine.layout, machine.lowered_rules, state, machine.hidden_parts.places, viewer)
    tested = bool(machine.layout.program.invariants)
    for number in range(MAX_DEALS):
        stream, new = _deal(machine, state, viewer, stream, anew, places)
        if tested and number == 1:
            tested = _lawful(machine, state)  # rules that break their own laws have worlds that do
        if new is not None and (not tested or _lawful(machine, new)):
            break
        stream, _ = chance.step(stream)
    else:
        raise PlayError(UNLAWFUL)
    stream, new.rng = chance.step(stream)
    new.fate = []
    new.offer = new.events = None  # both name the pieces as they were
    return answer_again(machine, new, stream), new


def _deal(
    machine: Runner, state: State, viewer: int, stream: int, anew: Anew, places: Sequence[int]
) -> tuple[int, State | None]:
    """One deal, and the stream after it; None where pieces find no room, or are seen.

    Each kind of secret has a stream of its own, so that it comes out the same if it is dealt alone.
    """
    layout, new = machine.layout, state
    _, for_counts = chance.step(stream ^ COUNTS)
    _, for_variables = chance.step(stream ^ VARIABLES)
    if places:
        laid = spread(layout, state, places, viewer, for_counts)
        if laid is None:
            return stream, None
        new = laid
    if anew.names:
        stream, renamed = unseen_permuted(layout, new, viewer, stream, anew.within)
        new = Renaming(layout, machine.lowered_rules, renamed).state(new)
    elif new is state:
        new = state.copy()
    deal_variables(layout, machine.hidden_parts, new, viewer, for_variables, anew)
    return stream, new


def _lawful(machine: Runner, state: State) -> bool:
    """Whether a position keeps the invariants of the rules."""
    machine.work = 0
    try:
        machine.check_invariants(state)
    except PlayError:
        return False
    return True


def deal_variables(layout: Layout, parts: HiddenParts, state: State, viewer: int, stream: int, anew: Anew) -> None:
    """Give every variable the viewer does not see any value it could have."""
    for number in parts.variables:
        if not sees_variable(layout, state, number, viewer) and not hides_piece(layout, state, number):
            stream, value = deal_value(layout, layout.slots[number], state.variables[number], stream)
            if anew.variables is None or number in anew.variables:
                state.variables[number] = value


def unseen_permuted(
    layout: Layout, state: State, viewer: int, stream: int, within: bool = False
) -> tuple[int, list[int]]:
    """For each piece the one that takes its place: itself where the viewer sees it.

    Hidden places are gone through in the order of the table and pieces are dealt to them from a fresh order, so that
    the outcome is the same whatever lies there now: not even the draw depends on what the viewer cannot know.
    """
    renamed = list(range(layout.piece_count))
    unseen: dict[tuple[int, int], list[int]] = {}
    places = in_order(layout, state, range(len(state.zones))) if layout.owned else range(len(state.zones))
    for place in places:
        for piece in state.zones[place]:
            if not sees_piece(layout, state, piece, viewer):
                unseen.setdefault((layout.kind_of[piece], place if within else 0), []).append(piece)
    for _, lying in sorted(unseen.items()):
        stream, dealt = chance.shuffled(stream, sorted(lying))
        for piece, other in zip(lying, dealt, strict=True):
            renamed[piece] = other
    return stream, renamed


def answer_again(machine: Runner, state: State, stream: int) -> int:
    """Take back what others have answered in the secret choice that goes on, and answer for them at random."""
    depth = state.asking
    if depth < 0:
        return stream
    head = state.stack[depth]
    end = machine.lowered_rules[head.rule].blocks[head.block].end
    assert isinstance(end, ir.Seats)
    slot = end.statement.answers_slot
    before: Any = head.locals[slot]
    if not before:
        return stream
    own = [frame.copy() for frame in state.stack[depth + 1 :]]
    head.locals[slot] = ()
    del state.stack[depth + 1 :]
    state.asking = -1
    while True:
        offer = machine.run(state)
        answered: Any = state.stack[depth].locals[slot] if len(state.stack) > depth else None
        if offer is None or answered is None or len(answered) >= len(before):
            break
        stream, pick = chance.below(stream, len(offer.answers))
        machine.take(state, offer.answers[pick])
    if answered is None or len(answered) != len(before):
        raise PlayError(TOO_FAR)
    del state.stack[depth + 1 :]  # the asked player's own beginnings stand as they were
    state.stack += own
    state.asking = depth
    return stream
