"""Questions for sets, as the generated machine asks them: what the plain machine offers, with less looking."""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Sequence
from itertools import combinations
from math import comb
from typing import Any

from attrs import frozen

from interpreter.ir import blocks as ir
from interpreter.plain import sets
from interpreter.plain.evaluate import MAX_ITEMS, Locals
from interpreter.plain.machine import PlainMachine
from interpreter.plain.questions import Offer
from interpreter.state.state import Frame, State

SMALL = 24  # members of a pool


@frozen
class SetParts:
    """How a set is asked for: its pool, its condition, whether it leads on (None: always), the classes of pieces."""

    pool: Callable[[State, Locals], tuple[Any, ...]]
    fits: Callable[[State, Locals, Any], bool] | None
    leads: Callable[[State, Locals, Any], int] | None
    kin: Callable[[State, Any, int], list[Any]] | None
    bounds: Callable[[State, Locals], tuple[int, int]] | None


class Classes:
    """The candidates in classes of interchangeable members; `single` where each is a class of its own."""

    def __init__(self, source: tuple[Any, ...], members: list[tuple[Any, ...]] | None) -> None:
        self.source = source
        self.single = members is None
        if members is None:
            self.members: Sequence[tuple[Any, ...]] = [(item,) for item in source]
            self.sizes: tuple[int, ...] = (1,) * len(source)
        else:
            self.members = members
            self.sizes = tuple([len(one) for one in members])
        self.order = {item: number for number, item in enumerate(source)}

    def pick(self, counts: sets.Counts) -> tuple[Any, ...]:
        """The members of a set, in source order."""
        if self.single:
            return tuple([item for item, n in zip(self.source, counts, strict=True) if n])
        chosen = [item for members, n in zip(self.members, counts, strict=True) if n for item in members[:n]]
        chosen.sort(key=self.order.__getitem__)
        return tuple(chosen)

    def counts(self, chosen: tuple[Any, ...]) -> list[int]:
        """How many of each class a set has."""
        had = [0] * len(self.sizes)
        if not chosen:
            return had
        place = {item: number for number, one in enumerate(self.members) for item in one}
        for item in chosen:
            if item in place:
                had[place[item]] += 1
        return had


class SetAsking:
    """Asks for sets, for one machine."""

    def __init__(self, machine: PlainMachine, named: Callable[[State, int], dict[int, Any]]) -> None:
        self.machine = machine
        self.named = named
        self.parts: dict[int, SetParts] = {}  # by the identity of the question
        self.listed = machine.layout.components.limits.listed

    def ask(self, s: State, frame: Frame, ask: ir.Ask) -> Offer | None:
        question, machine, slots = ask.question, self.machine, frame.locals
        parts = self.parts[id(question)]
        player: Any = slots[0] if question.by is None else machine.asked(s, question, slots)
        source = parts.pool(s, slots)
        if len(source) > SMALL:
            machine.tick(len(source))
        if len(set(source)) != len(source):
            return machine.ask(s, frame, ask)
        pool = self.classes(s, parts, source, player, question.slot)
        partial: Any = slots[question.slot]
        if question.mode == "minimal":
            offer = self.minimal(s, ask, parts, pool, partial, slots)
        else:
            offer = self.counted(s, ask, parts, pool, partial, slots)
        if not offer.count:
            machine.nothing(frame, ask, player)
            return None
        offer.player, offer.rule = player, frame.rule
        if offer.count == 1 and not question.may:
            machine.take(s, offer.answers[0])
            return None
        return offer

    def classes(self, s: State, parts: SetParts, source: tuple[Any, ...], player: int, own: int) -> Classes:
        if parts.kin is None:
            return Classes(source, None)
        keys = parts.kin(s, source, player)
        if len(set(keys)) == len(keys):
            return Classes(source, None)
        named = self.named(s, own)
        groups: dict[Any, list[Any]] = {}
        for item, key in zip(source, keys, strict=True):
            groups.setdefault((key, named.get(item)), []).append(item)
        return Classes(source, [tuple(group) for group in groups.values()])

    # ----------------------------------------------------------------- minimal

    def minimal(self, s: State, ask: ir.Ask, parts: SetParts, pool: Classes, partial: Any, slots: Locals) -> Offer:
        if pool.single and len(pool.source) <= SMALL and partial is None:
            found = self.minimal_single(s, parts, pool.source, slots)
            if len(found) <= self.listed:
                return Offer(-1, -1, ask, found)
        fits, leads, machine, pick = parts.fits, parts.leads, self.machine, pool.pick

        def enough(counts: sets.Counts) -> bool:
            machine.tick(2)
            return fits is None or fits(s, slots, pick(counts))

        minimum = sorted(sets.minimal_sets(pool.sizes, enough, machine.tick), reverse=True)
        works = [counts for counts in minimum if leads is None or leads(s, slots, pick(counts))]
        if partial is None and len(works) <= self.listed:
            return Offer(-1, -1, ask, [pick(counts) for counts in works])
        return self.among(ask, pool, works, partial or ())

    def minimal_single(
        self, s: State, parts: SetParts, source: tuple[Any, ...], slots: Locals
    ) -> list[tuple[Any, ...]]:
        """As `sets.minimal_sets`, then sorted and tried, with a bit for each member: the first has the highest."""
        fits, leads, tick = parts.fits, parts.leads, self.machine.tick
        if fits is not None and not fits(s, slots, source):
            return []
        size = len(source)
        bits = [1 << (size - 1 - place) for place in range(size)]
        pairs = list(zip(source, bits, strict=True))
        whole = (1 << size) - 1
        pools, found, at = [whole], list[int](), 0
        seen = {whole}
        while at < len(pools):
            pool = pools[at]
            at += 1
            minimum = -1
            for known in found:
                if not known & ~pool:
                    minimum = known
                    break
            if minimum < 0:
                tick(4)
                if at > 1 and fits is not None and not fits(s, slots, tuple([x for x, bit in pairs if pool & bit])):
                    continue
                minimum = pool
                for bit in reversed(bits):
                    if minimum & bit:
                        less = minimum & ~bit
                        if fits is None or fits(s, slots, tuple([x for x, one in pairs if less & one])):
                            minimum = less
                insort(found, minimum)
            for bit in bits:
                if minimum & bit and (smaller := pool & ~bit) not in seen:
                    seen.add(smaller)
                    pools.append(smaller)
        chosen = [tuple([x for x, bit in pairs if mask & bit]) for mask in reversed(found)]
        return chosen if leads is None else [value for value in chosen if leads(s, slots, value)]

    def among(self, ask: ir.Ask, pool: Classes, works: list[sets.Counts], partial: tuple[Any, ...]) -> Offer:
        """The next piece of a set that is one of these."""
        had = tuple(pool.counts(partial))
        last = max((i for i, n in enumerate(had) if n), default=0)
        open_sets = [n for n in works if n[:last] == had[:last] and all(a >= b for a, b in zip(n, had, strict=True))]
        adds = [
            pool.members[place][had[place]]
            for place in range(last, len(pool.sizes))
            if any(n[place] > had[place] and n[last:place] == had[last:place] for n in open_sets)
        ]
        return Offer(-1, -1, ask, adds, None, partial, had in open_sets)

    # -------------------------------------------------------- sets of some size

    def counted(self, s: State, ask: ir.Ask, parts: SetParts, pool: Classes, partial: Any, slots: Locals) -> Offer:
        total = len(pool.source)
        low, high = (1 if ask.question.mode == "some" else 0), total
        if parts.bounds is not None:
            low, high = parts.bounds(s, slots)
            high = min(high, total)
        if low > total or high < low:
            return Offer(-1, -1, ask, [])
        maximum = min(self.listed, MAX_ITEMS // max(total, 1))
        if partial is None and self.few(pool, low, high, maximum):
            chosen = self.listing(pool, low, high)
            if parts.fits is not None or parts.leads is not None:
                chosen = [value for value in chosen if self.works(s, parts, slots, value)]
            return Offer(-1, -1, ask, chosen)
        return self.through(s, ask, parts, pool, (low, high), partial or (), slots)

    def few(self, pool: Classes, low: int, high: int, maximum: int) -> bool:
        """Whether there are no more sets than that."""
        if not pool.single:
            return self.few_classes(pool.sizes, low, high, maximum)
        found, total = 0, len(pool.source)
        for size in range(max(low, 0), high + 1):
            found += comb(total, size)
            if found > maximum:
                return False
        return True

    def few_classes(self, sizes: tuple[int, ...], low: int, high: int, maximum: int) -> bool:
        if high > SMALL:
            return sets.how_many(sizes, low, high, maximum) <= maximum
        ways = [1] + [0] * high  # by size: how many sets of the classes so far
        for members in sizes:
            ways = [sum(ways[max(0, size - members) : size + 1]) for size in range(high + 1)]
        return sum(ways[max(low, 0) :]) <= maximum

    def listing(self, pool: Classes, low: int, high: int) -> list[tuple[Any, ...]]:
        if pool.single and low == high:
            return list(combinations(pool.source, low))
        return [pool.pick(counts) for counts in sets.all_sets(pool.sizes, low, high)]

    def works(self, s: State, parts: SetParts, slots: Locals, value: tuple[Any, ...]) -> bool:
        self.machine.tick(1)
        fits, leads = parts.fits, parts.leads
        return (fits is None or fits(s, slots, value)) and (leads is None or bool(leads(s, slots, value)))

    def through(
        self,
        s: State,
        ask: ir.Ask,
        parts: SetParts,
        pool: Classes,
        bounds: tuple[int, int],
        partial: tuple[Any, ...],
        slots: Locals,
    ) -> Offer:
        """One more piece, from the class of the last on, if some set is reached that way; or stop where one is."""
        low, high = bounds
        had, sizes = pool.counts(partial), pool.sizes
        last = max((i for i, n in enumerate(had) if n), default=0)
        free = parts.fits is None and parts.leads is None
        size = len(partial)
        chosen = sorted(partial, key=pool.order.__getitem__)
        stop = low <= size <= high and (free or self.works(s, parts, slots, tuple(chosen)))
        adds: list[Any] = []
        spare = sum(sizes) - sum(had) - sum(n - had[i] for i, n in enumerate(sizes[:last]))
        for place in range(last, len(sizes)):
            if had[place] < sizes[place] and size < high and size + spare >= low:
                item = pool.members[place][had[place]]
                if free or self.reaches(s, parts, pool, bounds, (had, place, item), chosen, slots):
                    adds.append(item)
            spare -= sizes[place] - had[place]
        return Offer(-1, -1, ask, adds, None, partial, stop)

    def reaches(
        self,
        s: State,
        parts: SetParts,
        pool: Classes,
        bounds: tuple[int, int],
        more: tuple[list[int], int, Any],
        chosen: Sequence[Any],
        slots: Locals,
    ) -> bool:
        """Whether a set that works has one more of a class, and no more of the classes before it."""
        had, place, item = more
        low, high = bounds
        if low <= len(chosen) + 1 <= high:
            grown = [*chosen, item]
            grown.sort(key=pool.order.__getitem__)
            if self.works(s, parts, slots, tuple(grown)):
                return True
        counts = (*had[:place], had[place] + 1, *had[place + 1 :])
        reach = sets.all_sets(pool.sizes, low, high, counts, place)
        return any(self.works(s, parts, slots, pool.pick(other)) for other in reach if other != counts)
