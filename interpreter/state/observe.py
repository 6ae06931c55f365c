"""What a player observes: derived from the visibility of zones and variables, never written by hand."""

from __future__ import annotations

from typing import Any

from attrs import field, frozen

from interpreter.state.events import Heard
from interpreter.state.labels import Shown, show_piece, show_value
from interpreter.state.layout import Layout, word_for
from interpreter.state.state import State
from interpreter.state.visibility import notices, sees_count, sees_piece, sees_variable


@frozen
class ZoneView:
    """A zone as somebody sees it. `owner` is a seat, or -1; `holder` the piece that owns it, or "".

    A holder that the observer cannot see is named by its place: `seat1.hand[2]`.

    `count` is None where even that is hidden. `pieces` are in order, the last on top, unseen ones without a name;
    `cells` (a grid) are the cells in reading order: row, column and the number of the piece in `pieces`, or -1; of a
    stack, that of the top. The others of the stack are those right before it.
    """

    name: str
    owner: int
    holder: str
    count: int | None
    pieces: tuple[Shown, ...]
    cells: tuple[tuple[int, int, int], ...] = ()
    by: str = ""  # the table for each row of which there is one
    row: str = ""  # the row that this one is for

    @property
    def word(self) -> str:
        """Its name, with its row: `pile`, `ruby.pile`, `pile[ruby]` of somebody."""
        return word_for(self.name, self.row, self.owner >= 0 or bool(self.holder))

    def lying(self) -> list[range]:
        """For each cell the numbers of its pieces, the top last."""
        found, done = [], 0
        for _, _, top in self.cells:
            found.append(range(done, top + 1) if top >= 0 else range(0))
            done = max(done, top + 1)
        return found


@frozen
class VariableView:
    """A variable as somebody sees it; `value` is None where it is hidden."""

    name: str
    owner: int
    holder: str
    value: Shown | None
    by: str = ""  # the table for each row of which there is one
    row: str = ""  # the row that this one is for

    @property
    def word(self) -> str:
        """Its name, with its row: `purse`, `purse[ruby]`."""
        return word_for(self.name, self.row, True)


@frozen
class Observation:
    """Everything one player may know of the table at this moment."""

    player: int
    players: int
    zones: tuple[ZoneView, ...]
    variables: tuple[VariableView, ...]
    over: bool
    heard: tuple[Heard, ...] = field(default=(), eq=False)  # what happened so far: told by a game that keeps a log

    def data(self) -> dict[str, Any]:
        return {
            "player": self.player,
            "players": self.players,
            "over": self.over,
            "zones": [_zone_data(zone) for zone in self.zones],
            "variables": [_variable_data(variable) for variable in self.variables],
            "heard": [event.data() for event in self.heard],
        }


def _zone_data(zone: ZoneView) -> dict[str, Any]:
    found: dict[str, Any] = {
        "name": zone.name, "owner": zone.owner, "holder": zone.holder, "count": zone.count,
        "pieces": [piece.key() for piece in zone.pieces],
    }  # fmt: skip
    if zone.cells:
        found["cells"] = [list(cell) for cell in zone.cells]
    return found | ({"row": zone.row} if zone.row else {})


def _variable_data(variable: VariableView) -> dict[str, Any]:
    value = None if variable.value is None else variable.value.key()
    found = {"name": variable.name, "owner": variable.owner, "holder": variable.holder, "value": value}
    return found | ({"row": variable.row} if variable.row else {})


def observe(layout: Layout, state: State, player: int) -> Observation:
    """What a player sees (player -1: a spectator to whom nothing is hidden).

    What belongs to a piece that the player cannot name is told by the place of that piece, and only where it is out of
    the ordinary: pieces that it holds, a variable that has not its first value.
    """

    def named(owner: int, owner_kind: str) -> bool:
        return player < 0 or owner_kind in ("", "player") or sees_piece(layout, state, owner, player)

    zones, unseen_zones = [], []
    for number, place in enumerate(layout.places):
        if named(place.owner, place.owner_kind):
            zones.append(view_zone(layout, state, number, player))
        elif state.zones[number] and notices(layout, state, number, player):
            unseen_zones.append(view_zone(layout, state, number, player))
    variables, unseen_variables = [], []
    for number, slot in enumerate(layout.slots):
        if named(slot.owner, slot.owner_kind):
            variables.append(view_variable(layout, state, number, player))
        elif state.variables[number] != layout.first_values[number] and _shows(layout, state, number, player):
            unseen_variables.append(view_variable(layout, state, number, player))
    # In the order of the tables, which is that of the pieces, these would say which pieces they belong to.
    zones += sorted(unseen_zones, key=lambda zone: (zone.holder, zone.name, zone.row))
    variables += sorted(unseen_variables, key=lambda variable: (variable.holder, variable.name, variable.row))
    return Observation(player, layout.players, tuple(zones), tuple(variables), state.winners is not None)


def _shows(layout: Layout, state: State, number: int, player: int) -> bool:
    """Whether a player sees a variable on a piece that he cannot name."""
    place = state.place[layout.slots[number].owner]
    return sees_variable(layout, state, number, player) and notices(layout, state, place, player)


def _holder(layout: Layout, state: State, owner: int, owner_kind: str, player: int) -> str:
    """The piece that owns something, by its name or by its place; "" where none does."""
    return "" if owner_kind in ("", "player") else show_piece(layout, state, owner, player, placed=True).key()


def view_zone(layout: Layout, state: State, number: int, player: int) -> ZoneView:
    place = layout.places[number]
    seat = place.owner if place.owner_kind == "player" else -1
    holder = _holder(layout, state, place.owner, place.owner_kind, player)
    if player >= 0 and not sees_count(layout, state, number, player):
        return ZoneView(place.name, seat, holder, None, (), (), place.by, place.row)
    pieces = state.zones[number]
    shown = tuple(show_piece(layout, state, piece, player) for piece in pieces)
    cells: tuple[tuple[int, int, int], ...] = ()
    if place.grid:
        grid = layout.components.grids[place.grid]
        index = {piece: i for i, piece in enumerate(pieces)}
        cells = tuple(
            (row, column, index.get(state.at[place.first_cell + plan], -1))
            for plan, (row, column) in enumerate(grid.cells)
        )
    return ZoneView(place.name, seat, holder, len(pieces), shown, cells, place.by, place.row)


def view_variable(layout: Layout, state: State, number: int, player: int) -> VariableView:
    slot = layout.slots[number]
    seat = slot.owner if slot.owner_kind == "player" else -1
    holder = _holder(layout, state, slot.owner, slot.owner_kind, player)
    if player >= 0 and not sees_variable(layout, state, number, player):
        return VariableView(slot.name, seat, holder, None, slot.by, slot.row)
    value = show_value(layout, state, state.variables[number], slot.type, player, placed=True)
    return VariableView(slot.name, seat, holder, value, slot.by, slot.row)
