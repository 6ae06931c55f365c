"""The reference function of every primitive: what it means, as the plain machine runs it.

Each takes the evaluator, the state, the slots of the frame and its arguments; a keyed fold takes pairs of key and
element, found one after another. `PRIMITIVES` has exactly the names of the records in `warlock_dsl/primitives.py`,
which a test demands.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import itemgetter
from typing import Any, Protocol

from interpreter.errors import RulesError
from interpreter.state.layout import Layout
from interpreter.state.state import Local, State, pieces_on

Items = tuple[Any, ...]
Slots = list[Local]
MAX_NUMBER = 10**12  # in parts of a whole: what rules may make a number into
BEYOND = "a number beyond all bounds"
MAX_SUMS = 100_000


class Evaluating(Protocol):
    """What a primitive needs of the machine that evaluates it."""

    layout: Layout
    unit: int

    def tick(self, amount: int = 1) -> None: ...

    def weigh(self, value: Any) -> None: ...

    def total(self, s: State, player: int) -> int: ...


class Pairs(Protocol):
    """What a keyed fold is given: elements, each with its key; `follow` adds elements to go on with."""

    elements: list[Any]

    def __iter__(self) -> Iterator[tuple[Any, Any]]: ...

    def follow(self, items: Sequence[Any]) -> None: ...


def _any(m: Evaluating, s: State, slots: Slots, items: Items) -> bool:
    return bool(items)


def _all(m: Evaluating, s: State, slots: Slots, items: Items) -> bool:
    return all(items)


def _count(m: Evaluating, s: State, slots: Slots, items: Items) -> int:
    return len(items) * m.unit


def bounded(value: int) -> int:
    """A number that rules have made, unless it is beyond all bounds."""
    if abs(value) > MAX_NUMBER:
        raise RulesError(BEYOND)
    return value


def _sum(m: Evaluating, s: State, slots: Slots, items: Items) -> int:
    return bounded(sum(items))


def _union(m: Evaluating, s: State, slots: Slots, lists: Items) -> Items:
    m.tick(sum(len(items) for items in lists))
    return tuple(item for items in lists for item in items)


def _distinct(m: Evaluating, s: State, slots: Slots, items: Items) -> Items:
    m.weigh(items)
    return tuple(dict.fromkeys(items))


def _sums(m: Evaluating, s: State, slots: Slots, lists: Items) -> Items:
    totals = {0}
    for values in lists:
        m.tick(len(totals) * len(values))
        totals = {total + value for total in totals for value in values}
        if len(totals) > MAX_SUMS:
            raise RulesError("more than a hundred thousand different totals")
    found = tuple(sorted(totals))
    for end in (*found[:1], *found[-1:]):
        bounded(end)
    return found


def _groups(m: Evaluating, s: State, slots: Slots, pieces: Items) -> Items:
    """Flood from each piece over the neighbours that are in the list; a piece off every grid is a group of its own.

    What lies on the same cell hangs together, too.
    """
    wanted = set(pieces)
    layout = m.layout
    groups, seen = [], set()
    for piece in pieces:
        if piece in seen:
            continue
        seen.add(piece)
        group = [piece]
        for member in group:
            cell = s.cell[member]
            beside = layout.near[cell] if cell >= 0 else ()
            if cell >= 0 and layout.stacks[cell]:
                beside = (cell, *beside)
            for other in beside:
                for found in pieces_on(layout, s, other) if s.at[other] >= 0 else ():
                    if found in wanted and found not in seen:
                        seen.add(found)
                        group.append(found)
        groups.append(tuple(group))
    m.tick(len(pieces))
    return tuple(groups)


def _first(m: Evaluating, s: State, slots: Slots, items: Items, *other: Any) -> Any:
    if items:
        return items[0]
    if other:
        return other[0]
    raise RulesError("the first of nothing", hint="give a second argument for the empty list")


def _last(m: Evaluating, s: State, slots: Slots, items: Items, *other: Any) -> Any:
    if items:
        return items[-1]
    if other:
        return other[0]
    raise RulesError("the last of nothing", hint="give a second argument for the empty list")


def _within(m: Evaluating, s: State, slots: Slots, part: Items, whole: Items) -> bool:
    m.weigh(part)
    m.weigh(whole)
    return Counter(part) <= Counter(whole)


def _extreme(which: Callable[..., int], word: str, first: int | Items, others: Items) -> int:
    numbers = (*first, *others) if isinstance(first, tuple) else (first, *others)
    if not numbers:
        raise RulesError(f"the {word} of nothing", hint="give a second argument for the empty list")
    return which(numbers)


def _min(m: Evaluating, s: State, slots: Slots, first: int | Items, *others: int) -> int:
    return _extreme(min, "least", first, others)


def _max(m: Evaluating, s: State, slots: Slots, first: int | Items, *others: int) -> int:
    return _extreme(max, "greatest", first, others)


def _divide_up(m: Evaluating, s: State, slots: Slots, pot: int, shares: int) -> int:
    return bounded(-(-pot // shares) * m.unit) if shares else 0


def _divide_down(m: Evaluating, s: State, slots: Slots, pot: int, shares: int) -> int:
    return bounded(pot // shares * m.unit) if shares else 0


def _top(m: Evaluating, s: State, slots: Slots, pieces: Items, number: int | None = None) -> Items:
    wanted = 1 if number is None else max(number // m.unit, 0)
    return pieces[::-1][:wanted]


def _at(m: Evaluating, s: State, slots: Slots, cell: int) -> Items:
    return _lying(m, s, (cell,)) if cell >= 0 else ()


def _lying(m: Evaluating, s: State, cells: Iterable[int]) -> Items:
    """What lies on some cells, cell by cell."""
    found = tuple(piece for cell in cells if s.at[cell] >= 0 for piece in pieces_on(m.layout, s, cell))
    m.tick(len(found) >> 3)
    return found


def _near(m: Evaluating, s: State, slots: Slots, cell: int) -> Items:
    return _lying(m, s, m.layout.near[cell]) if cell >= 0 else ()


def _around(m: Evaluating, s: State, slots: Slots, cell: int) -> Items:
    return _lying(m, s, m.layout.around[cell]) if cell >= 0 else ()


def _cells(m: Evaluating, s: State, slots: Slots, place: int, region: Items | None = None) -> Items:
    first = m.layout.places[place].first_cell
    count = len(m.layout.components.grids[m.layout.places[place].grid].cells)
    if region is None:
        return tuple(range(first, first + count))
    return tuple(first + plan for plan in region if plan < count)  # it may be a region of a larger grid


def _lines(m: Evaluating, s: State, slots: Slots, cell: int, number: int) -> Items:
    found = m.layout.lines(cell, number // m.unit) if cell >= 0 else ()
    m.tick(len(found))
    return found


def _step(m: Evaluating, s: State, slots: Slots, cell: int, right: int, down: int) -> Items:
    if cell < 0 or right % m.unit or down % m.unit:
        return ()
    return m.layout.step(cell, right // m.unit, down // m.unit)


def _ray(m: Evaluating, s: State, slots: Slots, cell: int, right: int, down: int) -> Items:
    if cell < 0 or right % m.unit or down % m.unit:
        return ()
    found = m.layout.ray(cell, right // m.unit, down // m.unit)
    m.tick(len(found) >> 3)
    return found


def _free(m: Evaluating, s: State, slots: Slots, place: int, region: Items | None = None) -> Items:
    return tuple(cell for cell in _cells(m, s, slots, place, region) if s.at[cell] < 0)


def _beside(m: Evaluating, player: int, ring: Items | None, step: int) -> int:
    seats = tuple(range(m.layout.players)) if ring is None else ring
    if player not in seats:
        raise RulesError("a player who is not in the ring has no neighbour there")
    return int(seats[(seats.index(player) + step) % len(seats)])


def _next(m: Evaluating, s: State, slots: Slots, player: int, ring: Items | None = None) -> int:
    return _beside(m, player, ring, 1)


def _previous(m: Evaluating, s: State, slots: Slots, player: int, ring: Items | None = None) -> int:
    return _beside(m, player, ring, -1)


def _clockwise(m: Evaluating, s: State, slots: Slots, player: int) -> Items:
    players = m.layout.players
    return tuple((player + step) % players for step in range(players))


def _total(m: Evaluating, s: State, slots: Slots, player: int) -> int:
    return bounded(m.total(s, player))


def _players(m: Evaluating, s: State, slots: Slots) -> Items:
    return tuple(range(m.layout.players))


def _opponents(m: Evaluating, s: State, slots: Slots) -> Items:
    return _clockwise(m, s, slots, int(slots[0]))[1:]  # type: ignore[arg-type]


def _everywhere(m: Evaluating, s: State, slots: Slots) -> Items:
    return tuple(range(m.layout.piece_count))


def _cell_of(m: Evaluating, s: State, slots: Slots, piece: int) -> int:
    return s.cell[piece]


def _owner_of(m: Evaluating, s: State, slots: Slots, piece: int) -> int:
    place = m.layout.places[s.place[piece]]
    while place.owner_kind not in ("", "player"):
        place = m.layout.places[s.place[place.owner]]
    if place.owner < 0:
        raise RulesError("a piece that lies in nobody's zone has no owner")
    return place.owner


def _face_of(m: Evaluating, s: State, slots: Slots, piece: int) -> int:
    return m.layout.faces[piece]


def _best(pairs: Pairs, best: Callable[..., Any]) -> Items:
    found = list(pairs)
    wanted = best((key for key, _ in found), default=None)
    return tuple(item for key, item in found if key == wanted)


def _most(m: Evaluating, s: State, slots: Slots, pairs: Pairs) -> Items:
    return _best(pairs, max)


def _fewest(m: Evaluating, s: State, slots: Slots, pairs: Pairs) -> Items:
    return _best(pairs, min)


def _falling(m: Evaluating, s: State, slots: Slots, pairs: Pairs) -> Items:
    return tuple(item for _, item in sorted(pairs, key=itemgetter(0), reverse=True))


def _rising(m: Evaluating, s: State, slots: Slots, pairs: Pairs) -> Items:
    return tuple(item for _, item in sorted(pairs, key=itemgetter(0)))


def _until(m: Evaluating, s: State, slots: Slots, pairs: Pairs) -> Items:
    found = []
    for reached, item in pairs:
        found.append(item)
        if reached:
            break
    return tuple(found)


def _reach(m: Evaluating, s: State, slots: Slots, pairs: Pairs) -> Items:
    found = dict.fromkeys(pairs.elements)
    pairs.elements[:] = found
    for leads_to, _ in pairs:
        fresh = [one for one in dict.fromkeys(leads_to) if one not in found]
        found.update(dict.fromkeys(fresh))
        pairs.follow(fresh)
    return tuple(found)


# `near` and `around` are handed a cell; the evaluator finds the cell of a piece first.
PRIMITIVES: dict[str, Callable[..., Any]] = {
    "players": _players,
    "opponents": _opponents,
    "everywhere": _everywhere,
    "cell_of": _cell_of,
    "owner_of": _owner_of,
    "face_of": _face_of,
    "any": _any,
    "all": _all,
    "count": _count,
    "sum": _sum,
    "union": _union,
    "distinct": _distinct,
    "sums": _sums,
    "groups": _groups,
    "first": _first,
    "last": _last,
    "within": _within,
    "min": _min,
    "max": _max,
    "divide_up": _divide_up,
    "divide_down": _divide_down,
    "top": _top,
    "at": _at,
    "near": _near,
    "around": _around,
    "free": _free,
    "cells": _cells,
    "lines": _lines,
    "step": _step,
    "ray": _ray,
    "next": _next,
    "previous": _previous,
    "clockwise": _clockwise,
    "total": _total,
    "most": _most,
    "fewest": _fewest,
    "falling": _falling,
    "rising": _rising,
    "until": _until,
    "reach": _reach,
}
