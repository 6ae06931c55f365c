"""A position as one player could imagine it: what that player cannot see is dealt anew, chance begins another stream.

Pieces the player cannot see change names with one another, within their kind, by one fair permutation. The permutation
is carried through the *whole* state: the zones, the cells, the variables a piece owns, the zones a piece owns, and
every slot of every rule in progress (by its type, `Code.slot_types`), the parked answers of a secret choice included.
So the new position is one that could have come about in just the same way with other cards, and no rule in progress
points at a piece that lies elsewhere.

What others have answered in a secret choice that still goes on may be no piece at all (a number, a wish), and which
place they chose from is secret too. So those answers are taken back, and given again at random in the new position.

A player's memory is not used: what was seen once and lies hidden now counts as unknown.
"""

from __future__ import annotations

from typing import Any, Protocol

from interpreter.errors import PlayError
from interpreter.ir import blocks as ir
from interpreter.ir.analysis import answers_slots
from interpreter.state import random as chance
from interpreter.state.layout import Layout
from interpreter.state.state import Frame, State
from interpreter.state.visibility import sees_piece
from warlock_dsl import types as t


class Runner(Protocol):
    """What a redeal needs of a machine: to answer a secret choice again, it has to be played."""

    @property
    def layout(self) -> Layout: ...
    @property
    def lowered_rules(self) -> tuple[ir.LoweredRule, ...]: ...
    def run(self, s: State, /) -> Any: ...
    def take(self, s: State, answer: Any, /) -> None: ...


def redealt(machine: Runner, state: State, viewer: int, stream: int) -> tuple[int, State]:
    """A position the viewer could be in, and the stream after it was dealt. The state given is not touched.

    A `PlayError` may come out of it: with other cards an earlier secret answer may have been impossible.
    """
    stream, renamed = unseen_permuted(machine.layout, state, viewer, stream)
    new = _Renaming(machine, renamed).state(state)
    stream, new.rng = chance.step(stream)
    new.fate = []
    new.offer = new.events = None  # both name the pieces as they were
    return answer_again(machine, new, stream), new


def unseen_permuted(layout: Layout, state: State, viewer: int, stream: int) -> tuple[int, list[int]]:
    """For each piece the one that takes its place: itself where the viewer sees it.

    Hidden places are gone through in the order of the table and pieces are dealt to them from a fresh order, so that
    the outcome is the same whatever lies there now: not even the draw depends on what the viewer cannot know.
    """
    renamed = list(range(layout.piece_count))
    unseen: dict[int, list[int]] = {}
    for pieces in state.zones:
        for piece in pieces:
            if not sees_piece(layout, state, piece, viewer):
                unseen.setdefault(layout.kind_of[piece], []).append(piece)
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
        raise PlayError("with other cards this secret choice would not have come this far")
    del state.stack[depth + 1 :]  # the asked player's own beginnings stand as they were
    state.stack += own
    state.asking = depth
    return stream


class _Renaming:
    """Carries a permutation of the pieces through a state."""

    def __init__(self, machine: Runner, renamed: list[int]) -> None:
        self.machine = machine
        self.layout = machine.layout
        self.renamed = renamed
        self.places = [self._place(number) for number in range(len(self.layout.places))]
        self.answer_slots: dict[int, frozenset[int]] = {}  # by rule: where parked answers wait

    def _place(self, number: int) -> int:
        """Where a place goes: the zones a piece owns go with it."""
        place = self.layout.places[number]
        if place.owner_kind in ("", "player"):
            return number
        return self.layout.place(place.zone, self.renamed[place.owner])

    def cell(self, cell: int) -> int:
        if cell < 0:
            return cell
        old = self.layout.cell_place[cell]
        new = self.places[old]
        return cell + self.layout.places[new].first_cell - self.layout.places[old].first_cell

    def state(self, old: State) -> State:
        new = old.copy()
        for number, pieces in enumerate(old.zones):
            new.zones[self.places[number]] = [self.renamed[piece] for piece in pieces]
        for piece, other in enumerate(self.renamed):
            new.place[other] = self.places[old.place[piece]]
            new.cell[other] = self.cell(old.cell[piece])
        for cell, piece in enumerate(old.at):
            new.at[self.cell(cell)] = self.renamed[piece] if piece >= 0 else -1
        for number, slot in enumerate(self.layout.slots):
            owned = slot.owner_kind not in ("", "player")
            target = self.layout.variable(slot.variable, self.renamed[slot.owner]) if owned else number
            new.variables[target] = self.value(old.variables[number], slot.type)
        new.known = {self.renamed[piece]: seats for piece, seats in old.known.items()}
        new.stack = [Frame(f.rule, f.block, list(self.slots(f.rule, f.locals))) for f in old.stack]
        return new

    def slots(self, rule: int, slots: Any) -> tuple[Any, ...]:
        lowered = self.machine.lowered_rules[rule]
        if rule not in self.answer_slots:
            self.answer_slots[rule] = answers_slots(lowered)
        parked = self.answer_slots[rule]
        return tuple(
            self.parked(value) if number in parked else self.value(value, lowered.slot_types.get(number, t.UNKNOWN))
            for number, value in enumerate(slots)
        )

    def parked(self, answers: Any) -> Any:
        """What waits for its turn: frames of each seat that has answered."""
        if answers is None:
            return None
        return tuple(tuple((rule, block, self.slots(rule, own)) for rule, block, own in seat) for seat in answers)

    def value(self, value: Any, kind: t.Type) -> Any:
        if value is None:
            return None
        match kind:
            case t.PieceType():
                return self.renamed[value]
            case t.ZoneType():
                return self.places[value]
            case t.CellType():
                return self.cell(value)
            case t.ListType(item) if isinstance(value, tuple):
                return tuple(self.value(one, item or t.UNKNOWN) for one in value)
            case _:
                return value
