"""What the tools ask of the fast machine besides playing. All of it runs in the core; what the core leaves to the plain
machine (places whose count is hidden, secrets that are lists of pieces) goes there and comes back."""

from __future__ import annotations

from array import array
from collections.abc import Hashable, Sequence
from typing import Any, Protocol

from interpreter.errors import GameFileError, PlayError
from interpreter.ir import blocks as ir
from interpreter.ir.analysis import answers_slots
from interpreter.outcome import Snapshot, seats_of
from interpreter.plain.ahead import Followed
from interpreter.plain.bots import Asked, MachineBot, pick
from interpreter.plain.machine import PlainMachine
from interpreter.plain.successors import Branching, Chance, Successor, successors
from interpreter.state.hidden_parts import HiddenParts
from interpreter.state.identity import WAITING, naming, told_slots
from interpreter.state.layout import Layout, Slot
from interpreter.state.observe import observe
from interpreter.state.redeal import EVERYTHING, TOO_FAR, UNLAWFUL, Anew
from interpreter.state.state import State
from interpreter.vm.score_reads import ScoreReads, score_reads
from warlock_dsl import types as t

Handle = Any
NAMES, WITHIN, VARIABLES = 1, 2, 4  # what may be dealt anew, as tools.h has it
NUMBER, TRUTH, LISTED = 0, 1, 2  # what a variable is given, and whether each element of a list is


class Fast(Asked, Branching, Protocol):
    """What the tools need of the fast machine."""

    with_laws: bool

    @property
    def layout(self) -> Layout: ...

    lowered_rules: tuple[ir.LoweredRule, ...]
    hidden_parts: HiddenParts
    plain: PlainMachine
    inner: Any

    def position(self, state: Handle) -> State: ...
    def adopt(self, s: State) -> Handle: ...


class Tools:
    """The tools of one machine."""

    def __init__(self, machine: Fast) -> None:
        self.machine, self.inner, self.layout = machine, machine.inner, machine.layout
        deals = [_deal(self.layout, number) for number in machine.hidden_parts.variables]
        self.deals_all = None not in deals
        self.redeals = self.deals_all and not machine.hidden_parts.places  # whether the core can by itself
        own_deals = [deal for deal in deals if deal is not None]
        self.inner.set_tools(_words(self.layout, machine.lowered_rules, own_deals))
        self.addresses = [lowered.address for lowered in machine.lowered_rules]

    # ------------------------------------------------------------ playing ahead

    def look_ahead(self, state: Handle, stream: int, steps: int) -> Sequence[Snapshot]:
        return [self._snapshot(*one) for one in self.inner.look_ahead(state, stream, steps)]

    def follow(
        self, state: Handle, stream: int, steps: int, quarter: int, me: int, secret: int, tried: int = 0
    ) -> Followed:
        turn, later, last = self.inner.follow(state, stream, steps, quarter, me, secret, tried)
        return turn and self._snapshot(*turn), later and self._snapshot(*later), self._snapshot(*last)

    def _snapshot(self, totals: tuple[int, ...], winners: int) -> Snapshot:
        return Snapshot(totals, None if winners < 0 else seats_of(winners, self.layout.players))

    def run_branching(self, state: Handle, told: Sequence[int], chance: str, max_orders: int) -> int:
        ways: int = self.inner.run_branching(state, tuple(told), chance != "fixed", chance == "all", max_orders)
        if ways == -1:  # how many orders there are, the plain machine knows to the last one
            return self.machine.plain.run_branching(self.machine.position(state), told, chance, max_orders)
        if ways == -2:
            raise LookupError("chance was told to give what there is not")
        return ways

    def successors(self, packed: bytes, trusted: bool, chance: Chance) -> Sequence[Successor]:
        what = chance.what != "fixed", chance.what == "all", chance.max_orders, chance.what != "all"
        found = self.inner.successors(packed, *what, self.machine.with_laws)
        if found is None:  # something breaks down, or there is too much
            return successors(self.machine, packed, trusted, chance)
        return [Successor(*one) for one in found]

    # --------------------------------------------------------------------- bots

    def pick(self, state: Handle, bot: MachineBot, given: int) -> int:
        if bot.kind == "greedy" and not self.redeals:
            return pick(self.machine, state, bot, given)
        found: int = self.inner.pick(state, bot.numbers, given)
        return found

    def play_among(
        self, state: Handle, bots: Sequence[MachineBot], given: int, maximum: int
    ) -> tuple[Sequence[Hashable], int]:
        if not self.redeals and any(bot.kind == "greedy" for bot in bots):
            player = self.machine.to_move(state)
            return (), -1 if player < 0 or given >= maximum else self.pick(state, bots[player], given)
        numbers = tuple([bot.numbers for bot in bots])
        found: tuple[list[bytes], int] = self.inner.play_among(state, numbers, given, maximum, self.machine.with_laws)
        return found

    # ----------------------------------------------------------- dealing anew

    def redeal(self, state: Handle, seat: int, stream: int, anew: Anew = EVERYTHING) -> tuple[int, Handle]:
        counted = not anew.counts or not self.machine.hidden_parts.places
        everything = anew.variables is None and self.deals_all
        if not counted or not (everything or anew.variables == frozenset()):
            stream, found = self.machine.plain.redeal(self.machine.position(state), seat, stream, anew)
            return stream, self.machine.adopt(found)
        which = NAMES * anew.names | WITHIN * anew.within | VARIABLES * (anew.variables is None)
        stream, made, why = self.inner.redeal(state, seat, stream, which)
        if made is None:
            raise PlayError(UNLAWFUL if why == 1 else TOO_FAR)
        return stream, made

    # -------------------------------------------------------- telling states apart

    def identity(self, state: Handle, chance: bool = True) -> bytes:
        found: bytes = self.inner.identity(state, chance)
        return found

    def table(self, state: Handle) -> Hashable:
        found: Hashable = self.inner.table(state)
        return found

    def same_view(self, state: Handle, other: Handle, seat: int) -> bool:
        if seat < 0 or self.layout.owned:
            one, two = (observe(self.layout, self.machine.position(each), seat) for each in (state, other))
            return one == two
        found: bool = self.inner.view(state, seat) == self.inner.view(other, seat)
        return found

    def sizes(self, state: Handle) -> Sequence[int]:
        found: Sequence[int] = self.inner.sizes(state)
        return found

    def values(self, state: Handle) -> Sequence[Any]:
        found: Sequence[Any] = self.inner.variables(state)
        return found

    def rules(self, state: Handle) -> Sequence[str]:
        return [self.addresses[rule] for rule in self.inner.rules(state)]

    def freeze(self, state: Handle) -> bytes:
        found: bytes = self.inner.freeze(state)
        return found

    def thaw(self, data: bytes, trusted: bool = False) -> Handle:
        try:
            return self.inner.thaw(data)
        except ValueError:
            raise GameFileError("what was kept is no state of this ruleset") from None


# ------------------------------------------------------------------- what they know


def _words(layout: Layout, lowered_rules: Sequence[ir.LoweredRule], deals: Sequence[tuple[int, ...]]) -> bytes:
    """How the slots of all rules and all variables are named, which slots may still be read at each block, and what can
    be dealt anew: as tools.c reads it."""
    words: list[int] = []
    for lowered in lowered_rules:
        parked = answers_slots(lowered)
        words += [WAITING if n in parked else naming(lowered.slot_types.get(n)) for n in range(lowered.slots)]
    words += [naming(slot.type) for slot in layout.slots]
    for blocks in told_slots(lowered_rules):
        for live in blocks:
            words += [len(live), *(slot for slot, _ in live)]
    score = score_reads(layout)
    known = ScoreReads((), ()) if score is None else score
    words += [score is not None, len(known.places), *known.places, len(known.slots), *known.slots]
    words.append(len(deals))
    for deal in deals:
        words += deal
    return array("i", words).tobytes()


def _deal(layout: Layout, number: int) -> tuple[int, ...] | None:
    """A variable that the core can deal: its number, what it is given, how many values there are, how far apart, and
    the first of them in two words; None where only the plain machine can."""
    slot: Slot = layout.slots[number]
    kind, listed = slot.type, 0
    match kind:
        case t.ListType(item) | t.MapType(_, item) if item is not None:
            kind, listed = item, LISTED
    low, ways, step = 0, 0, 1
    match kind:
        case t.NumberType():
            low, step = slot.low or 0, layout.unit
            ways = ((slot.high or 0) - low) // step + 1
        case t.TruthType():
            ways, step, listed = 2, 0, listed + TRUTH
        case t.PlayerType():
            ways = layout.players
        case t.RowType(table):
            ways = len(layout.components.tables[table].rows)
        case t.KeyType(family):
            ways = len(layout.program.families[family].keys)
        case _:
            return None
    if not 0 < ways < 1 << 31 or step >= 1 << 31:
        return None
    return number, listed, ways, step, _signed(low), _signed(low >> 32)


def _signed(word: int) -> int:
    """The lower 32 bits of a number, as an array of signed ones holds them."""
    word &= 0xFFFFFFFF
    return word - (1 << 32) if word >> 31 else word
