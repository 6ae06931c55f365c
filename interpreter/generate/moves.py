"""Moves, swaps and shuffles, as generated code calls them: what the plain machine does, with its tables at hand."""

from __future__ import annotations

from typing import Any

from interpreter.errors import RulesError
from interpreter.plain.effects import Effects
from interpreter.plain.machine import PlainMachine
from interpreter.state.random import shuffled
from interpreter.state.state import State
from interpreter.state.visibility import encloses
from warlock_dsl import Span


def moves(machine: PlainMachine) -> dict[str, Any]:
    """The functions that lay pieces, for one machine."""
    layout = machine.layout
    kind_of, cell_place = layout.kind_of, layout.cell_place
    kinds = [place.kinds for place in layout.places]
    owned = [place.owner_kind not in ("", "player") for place in layout.places]
    first_cell = [place.first_cell for place in layout.places]
    plain = [first < 0 and not own for first, own in zip(first_cell, owned, strict=True)]
    grids = layout.components.grids
    end_cell = [place.first_cell + len(grids[place.grid].cells) if place.grid else -1 for place in layout.places]
    resets = {
        kind: [layout.variable_first[v] - layout.variable_shift[v] for v in variables]
        for kind, variables in layout.move_resets.items()
    }
    firsts = layout.first_values

    def moved(s: State, piece: int) -> None:
        values = s.variables
        for offset in resets.get(kind_of[piece], ()):
            values[piece + offset] = firsts[piece + offset]

    def lay(s: State, piece: int, to: int) -> None:
        """To a zone that is known to take it: no grid, no owner that could lie in it."""
        place, zones, cell = s.place, s.zones, s.cell
        source = place[piece]
        pieces = zones[source]
        if pieces[-1] == piece:
            zones[source] = pieces[:-1]
        else:
            at = pieces.index(piece)
            zones[source] = pieces[:at] + pieces[at + 1 :]
        old = cell[piece]
        if old >= 0:
            s.at[old] = -1
            cell[piece] = -1
        zones[to] = [*zones[to], piece]
        place[piece] = to
        if kind_of[piece] in resets:
            moved(s, piece)

    def check(s: State, piece: int, place: int, span: Span) -> None:
        if kind_of[piece] not in kinds[place]:
            name, zone = layout.kind_names[kind_of[piece]], layout.places[place].name
            raise RulesError(f"a {name} cannot lie in zone '{zone}'", span=span)
        if owned[place] and encloses(layout, s, piece, place):
            raise RulesError("a piece cannot lie in itself, nor in what lies in it", span=span)

    def move(s: State, piece: int, to: int, span: Span) -> None:
        """To any zone: on top of it, or on its first free cell."""
        kind = kind_of[piece]
        if plain[to] and kind in kinds[to]:
            places, zones, cells = s.place, s.zones, s.cell
            source = places[piece]
            pieces = zones[source]
            if pieces[-1] == piece:
                zones[source] = pieces[:-1]
            else:
                place = pieces.index(piece)
                zones[source] = pieces[:place] + pieces[place + 1 :]
            if cells[piece] >= 0:
                s.at[cells[piece]] = -1
                cells[piece] = -1
            zones[to] = [*zones[to], piece]
            places[piece] = to
            if kind in resets:
                moved(s, piece)
            return
        check(s, piece, to, span)
        first = first_cell[to]
        if first < 0:
            lay(s, piece, to)
            return
        at, own = s.at, s.cell[piece]
        cell = next((c for c in range(first, end_cell[to]) if at[c] < 0 or c == own), -1)
        if cell < 0:
            raise RulesError("no room for the piece: every cell there is taken", span=span)
        set_on(s, piece, to, cell)

    def set_down(s: State, piece: int, cell: int, span: Span) -> None:
        """To a cell."""
        if cell < 0:
            raise RulesError("a move to a cell that is on no grid", span=span)
        place = cell_place[cell]
        check(s, piece, place, span)
        there = s.at[cell]
        if there >= 0 and there != piece:
            raise RulesError("no room for the piece: that cell is taken", span=span)
        set_on(s, piece, place, cell)

    def set_on(s: State, piece: int, place: int, cell: int) -> None:
        cells, at = s.cell, s.at
        s.without(s.place[piece], piece)
        if cells[piece] >= 0:
            at[cells[piece]] = -1
        at[cell] = piece
        cells[piece] = cell
        pieces = s.zones[place]
        index = 0
        for other in pieces:
            if cells[other] > cell:
                break
            index += 1
        s.zones[place] = [*pieces[:index], piece, *pieces[index:]]
        s.place[piece] = place
        moved(s, piece)

    def swap(s: State, a: int, b: int, span: Span) -> None:
        Effects.exchange(machine, s, a, b, span)

    return {"LAY": lay, "MOVE": move, "SET_DOWN": set_down, "SWAP": swap, "SHUFFLED": shuffled}
