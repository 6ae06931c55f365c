"""What generated code calls: tables of the layout under short names, and the few functions that are not written out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import Any

from interpreter.errors import PlayError, RulesError, broken
from interpreter.ir.cost import size
from interpreter.plain.evaluate import MAX_ITEMS, without
from interpreter.plain.machine import PlainMachine
from interpreter.plain.primitives import MAX_NUMBER, MAX_SUMS, PRIMITIVES
from interpreter.state import random as chance
from interpreter.state.layout import Layout, Place
from interpreter.state.state import Frame, State
from interpreter.state.visibility import sees_piece
from warlock_dsl import Span

FEW = 40  # elements that are quicker searched than counted
MANY = 1000
Items = Sequence[Any]


def tables(layout: Layout) -> dict[str, Any]:
    """The figures of a layout as generated code names them. Cell -1 is no cell, and has no neighbours."""
    players = layout.players
    ring = tuple(range(players))
    grids = layout.components.grids
    sizes = [len(grids[place.grid].cells) if place.grid else 0 for place in layout.places]
    ends = [place.first_cell + size for place, size in zip(layout.places, sizes, strict=True)]
    return {
        "KIND": layout.kind_of,
        "TWIN": layout.twin,
        "FACE": layout.faces,
        "PLAN": layout.cell_plan,
        "NEAR": [*layout.near, ()],
        "AROUND": [*layout.around, ()],
        "FIRST_CELL": [place.first_cell for place in layout.places],
        "END_CELL": ends,
        "CELLS": [tuple(range(max(p.first_cell, 0), end)) for p, end in zip(layout.places, ends, strict=True)],
        "CELL_PLACE": layout.cell_place,
        "CLOCKWISE": [(*ring[player:], *ring[:player]) for player in ring],
        "OPPONENTS": [(*ring[player + 1 :], *ring[:player]) for player in ring],
        "NEXT": [(player + 1) % players for player in ring],
        "PREVIOUS": [(player - 1) % players for player in ring],
        "FIRST_OF": itemgetter(0),
        "MAX_NUMBER": MAX_NUMBER,
        "MAX_ITEMS": MAX_ITEMS,
        "MANY": MANY,
    }


def kin(layout: Layout) -> Callable[[State, int, int], Any]:
    """What makes a piece different from another for a player, as `alike` has it, by tables where it can be."""
    kind_of, twin, places, owned = layout.kind_of, layout.twin, layout.places, layout.owned
    hidden = {zone for zone, _ in layout.hider}
    apart = [not layout.slots_only(place) for place in range(len(places))]
    flags = [
        [layout.variable_first[v] - layout.variable_shift[v] for v in layout.piece_variables.get(kind, ())]
        for kind in range(len(layout.kind_names))
    ]

    def seer(place: Place) -> int | None:
        """Who sees what lies there: all (-1), one seat, nobody (-2), or that is known only by looking (None)."""
        if place.zone in hidden or place.sees == "top" or (place.sees == "owner" and place.owner_kind != "player"):
            return None
        return {"all": -1, "owner": place.owner, "none": -2}.get(place.sees)

    seers = [seer(place) for place in places]

    def essence(s: State, piece: int, player: int) -> tuple[Any, ...]:
        sees = seers[s.place[piece]]
        kind = kind_of[piece]
        seen = player < 0 or sees == -1 or sees == player if sees is not None else sees_piece(layout, s, piece, player)
        own, values = flags[kind], s.variables
        marks = values[piece + own[0]] if len(own) == 1 else tuple([values[piece + offset] for offset in own])
        face = twin[piece] if seen or player < 0 else -1 - piece
        if piece not in owned:
            return face, marks
        inside = [[essence(s, inner, player) for inner in s.zones[place]] for place in owned[piece]]
        return face, marks, tuple([tuple(sorted(one, key=repr)) if len(one) > 1 else tuple(one) for one in inside])

    def found(s: State, piece: int, player: int) -> Any:
        place = s.place[piece]
        return essence(s, piece, player), place, s.cell[piece] if apart[place] else -1

    return found


def functions(machine: PlainMachine) -> dict[str, Any]:
    """The functions of generated code, for one machine."""
    return {**_errors(), **_counting(machine), **_lists(machine), **_numbers(machine), **_places(machine)}


def _errors() -> dict[str, Callable[..., PlayError]]:
    def nothing(which: str, span: Span) -> PlayError:
        return RulesError(f"the {which} of nothing", span=span, hint="give a second argument for the empty list")

    return {
        "TOO_BIG": lambda span: RulesError("a number beyond all bounds", span=span),
        "TOO_LONG": lambda span: RulesError("a list of more than a hundred thousand elements", span=span),
        "NOTHING": nothing,
        "NEEDED": lambda span: RulesError("a rule was begun whose requirement does not hold", span=span),
        "LAW": broken,
    }


def _counting(machine: PlainMachine) -> dict[str, Any]:
    def stored(value: Any) -> Any:
        if len(value) > MANY or (value and isinstance(value[0], tuple)):
            return machine.stored(value)
        return value

    return {"SPEND": machine.tick, "STORED": stored, "MAX_WORK": machine.max_work}


def _lists(machine: PlainMachine) -> dict[str, Any]:
    def less(left: Items, right: Items) -> Items:
        if len(left) + len(right) > FEW:
            machine.tick((len(left) + len(right)) >> 3)
            return without(tuple(left), tuple(right))
        kept = list(left)
        for item in right:
            if item in kept:
                kept.remove(item)
        return kept

    def within(part: Items, whole: Items) -> bool:
        if len(part) > len(whole):
            return False
        if len(whole) > FEW:
            machine.tick((len(part) + len(whole)) >> 3)
            return Counter(part) <= Counter(whole)
        rest = list(whole)
        for item in part:
            if item not in rest:
                return False
            rest.remove(item)
        return True

    def distinct(items: Items) -> tuple[Any, ...]:
        if len(items) > MANY:
            machine.tick(len(items) >> 3)
        return tuple(dict.fromkeys(items))

    def sums(lists: Items, span: Span) -> tuple[int, ...]:
        base, totals = 0, {0}
        for values in lists:
            if len(values) == 1:
                base += values[0]
                continue
            machine.tick(len(totals) * len(values))
            totals = {total + value for total in totals for value in values}
            if len(totals) > MAX_SUMS:
                raise RulesError("more than a hundred thousand different totals", span=span)
        found = (base,) if totals == {0} else tuple(sorted([base + total for total in totals]))
        if any(abs(end) > MAX_NUMBER for end in (*found[:1], *found[-1:])):
            raise RulesError("a number beyond all bounds", span=span)
        return found

    def groups(s: State, pieces: Items) -> tuple[Any, ...]:
        found: tuple[Any, ...] = PRIMITIVES["groups"](machine, s, [], tuple(pieces))
        return found

    def whole(items: Items) -> tuple[Any, ...]:
        """All of a pool as a set: in the order of its members' last places."""
        order = {item: place for place, item in enumerate(items)}
        return tuple(items) if len(order) == len(items) else tuple(sorted(items, key=lambda item: order[item]))

    return {
        "WITHOUT": less, "WITHIN": within, "DISTINCT": distinct, "SUMS": sums, "GROUPS": groups,
        "WHOLE": whole, "SIZE": size,
    }  # fmt: skip


def _numbers(machine: PlainMachine) -> dict[str, Any]:
    unit = machine.unit

    def times(left: int, right: int, span: Span) -> int:
        value, rest = divmod(left * right, unit)
        if rest:
            raise RulesError("a product finer than the smallest unit of the ruleset", span=span)
        if abs(value) > MAX_NUMBER:
            raise RulesError("a number beyond all bounds", span=span)
        return value

    def series(table: tuple[int, tuple[int, ...], str], key: int, span: Span) -> int:
        first, values, beyond = table
        number, rest = divmod(key, unit)
        if rest == 0 and first <= number < first + len(values):
            return values[number - first]
        if number >= first and values and beyond == "last":
            return values[-1]
        if beyond == "zero":
            return 0
        last = first + len(values) - 1
        raise RulesError(f"there is no entry {number} here: they run from {first} to {last}", span=span)

    def entry(values: tuple[Any, ...], key: int, span: Span) -> Any:
        number, rest = divmod(key, unit)
        if rest == 0 and 1 <= number <= len(values):
            return values[number - 1]
        raise RulesError(f"there is no entry {number} here: they run from 1 to {len(values)}", span=span)

    def spread(low: int, high: int, span: Span) -> range:
        if (high - low) // unit > MAX_ITEMS:
            raise RulesError("a range of more than a hundred thousand numbers", span=span)
        machine.tick(max(high - low, 0) // unit)
        return range(low, high + 1, unit)

    def top(pieces: Items, number: int) -> Items:
        return pieces[::-1][: max(number // unit, 0)]

    return {
        "TIMES": times, "SERIES": series, "ENTRY": entry, "SPREAD": spread, "TOP": top,
        "DIVIDE_UP": lambda pot, shares: -(-pot // shares) * unit if shares else 0,
        "DIVIDE_DOWN": lambda pot, shares: pot // shares * unit if shares else 0,
    }  # fmt: skip


def _places(machine: PlainMachine) -> dict[str, Any]:
    layout = machine.layout
    owners = [place.owner if place.owner_kind in ("", "player") else -2 for place in layout.places]

    def owner_of(s: State, piece: int, span: Span) -> int:
        owner = owners[s.place[piece]]
        if owner == -2:
            return int(plain(machine, s, piece, span))
        if owner < 0:
            raise RulesError("a piece that lies in nobody's zone has no owner", span=span)
        return owner

    def plain(machine: PlainMachine, s: State, piece: int, span: Span) -> int:
        try:
            return int(PRIMITIVES["owner_of"](machine, s, [], piece))
        except RulesError as error:
            raise error.at("", span) from None

    def beside(player: int, seats: Items, step: int, span: Span) -> int:
        if player not in seats:
            raise RulesError("a player who is not in the ring has no neighbour there", span=span)
        return int(seats[(seats.index(player) + step) % len(seats)])

    sizes = [len(layout.components.grids[place.grid].cells) if place.grid else 0 for place in layout.places]

    def cells_in(place: int, region: Items) -> tuple[int, ...]:
        first, count = layout.places[place].first_cell, sizes[place]
        return tuple([first + plan for plan in region if plan < count])

    def lines(cell: int, number: int) -> Items:
        found = layout.lines(cell, number // machine.unit) if cell >= 0 else ()
        if len(found) > MANY:
            machine.tick(len(found))
        return found

    def push(s: State, rule: int, me: Any, arguments: tuple[Any, ...]) -> None:
        if len(s.stack) >= machine.depth:
            machine.push(s, rule, list(arguments), me)
        lowered = machine.lowered_rules[rule]
        slots = [me, *arguments]
        slots += [None] * (lowered.slots - len(slots))
        s.stack.append(Frame(rule, lowered.entry, slots))

    def next_random(s: State, n: int) -> int:
        if s.fate:
            return machine.next_random(s, n)
        s.rng, pick = chance.below(s.rng, n)
        return pick

    return {
        "OWNER_OF": owner_of, "BESIDE": beside, "PUSH": push, "FATED": next_random, "Frame": Frame,
        "CELLS_IN": cells_in,
        "LINES": lines,
    }  # fmt: skip
