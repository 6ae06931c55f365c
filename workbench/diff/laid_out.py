"""A position laid out by hand: the pieces that are named, where the others rest, and the rule that runs from it.

It is kept in names, so that it can be laid out under any rules of a game, and written as the position of a scenario.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import tomli_w
from attrs import evolve, field, frozen

from interpreter import Observation, PlainMachine, ZoneView, opening_state
from warlock_dsl import NOWHERE, Ruleset
from warlock_dsl.tables.components import Components, Grid
from workbench.diff.as_scenario import place_name, value_in_words
from workbench.diff.lockstep import EVERYBODY, Thing
from workbench.scenario.absent import absent_pieces
from workbench.scenario.model import Filling, Given, Scenario, Setting, Word
from workbench.scenario.place_pieces import stage_for
from workbench.scenario.read import read_scenarios
from workbench.scenario.stage import Stage, WorkBudget, machine_for
from workbench.scenario.values import Vocabulary

WORK = 3_000_000  # of one position that is tried


class UnreadableError(Exception):
    """A position uses words that a ruleset does not have."""


@frozen
class Spot:
    """A piece that is named, and where it lies; `cell` is the number of its cell in the plan, -1 in a pile."""

    place: str
    cell: int
    piece: str


@frozen
class LaidOut:
    """A position. `rest` says by kind where the pieces lie that no spot names; `begin` is the call of a rule, or ""."""

    seats: tuple[str, ...]
    seed: int
    spots: tuple[Spot, ...]
    variables: Mapping[str, Any] = field(factory=dict)
    rest: Mapping[str, str] = field(factory=dict)
    begin: str = ""

    def without(self, spots: Sequence[Spot]) -> LaidOut:
        """The same with these pieces at rest."""
        gone = set(spots)
        return evolve(self, spots=tuple(spot for spot in self.spots if spot not in gone))

    def places(self) -> dict[str, list[Spot]]:
        found: dict[str, list[Spot]] = {}
        for spot in self.spots:
            found.setdefault(spot.place, []).append(spot)
        return found


def position_of(
    components: Components, view: Observation, seats: Sequence[str], opening: Observation
) -> tuple[tuple[Spot, ...], dict[str, Any]]:
    """Where every piece lies in a view that hides nothing, and the variables that have not their first value."""
    spots: list[Spot] = []
    for zone in view.zones:
        name = place_name(("zone", zone.word, zone.owner, zone.holder), seats)
        grid = grid_of(components, zone.name)
        if grid is None:
            spots += [Spot(name, -1, piece.name) for piece in zone.pieces]
        else:
            lying = enumerate(zone.lying())
            spots += [Spot(name, cell, zone.pieces[number].name) for cell, there in lying for number in there]
    first = {(one.word, one.owner, one.holder): one.value for one in opening.variables}
    variables: dict[str, Any] = {}
    for one in view.variables:
        thing: Thing = ("variable", one.word, one.owner, one.holder)
        if one.value is not None and one.value != first.get(thing[1:]) and one.value.what != "none":
            variables[place_name(thing, seats)] = value_in_words(one.value, seats)
    return tuple(spots), variables


def grid_of(components: Components, zone: str) -> Grid | None:
    """The plan of a zone whose cells are told apart."""
    grid = components.zones[zone].grid
    return components.grids[grid] if grid and not components.grids[grid].slots else None


# ------------------------------------------------------------------ on the table


class Arranger:
    """Lays out positions under one ruleset; `own` is the one that they are written for."""

    def __init__(self, ruleset: Ruleset, seats: Sequence[str], seed: int, own: Ruleset | None = None) -> None:
        self.ruleset = ruleset
        self.seats = tuple(seats)
        self.machine: PlainMachine = machine_for(ruleset, len(seats))
        other = own is not None and own.hash != ruleset.hash
        self.absent = absent_pieces(own, ruleset, len(seats), seed) if own is not None and other else frozenset()
        layout = self.machine.layout
        calls = Vocabulary(layout, self.seats).calls
        self.calls = {name: calls[number][1:] for number, name in enumerate(layout.piece_names)}  # what it is, in words
        self.kinds = {name: number for number, name in enumerate(layout.kind_names)}
        self._places: dict[str, int] = {}
        for number, place in enumerate(layout.places):
            piece = layout.piece_names[place.owner] if place.owner_kind not in ("", "player") else ""
            seat = place.owner if place.owner_kind == "player" else -1
            self._places[place_name(("zone", place.word, seat, piece), self.seats)] = number
        self._read: dict[tuple[str, str], Given] = {}
        opening = self.machine.observe(opening_state(layout, seed), EVERYBODY)
        self.homes: dict[str, dict[str, str]] = {}  # by kind, and there by piece: where it starts
        for spot in position_of(ruleset.components, opening, seats, opening)[0]:
            self.homes.setdefault(self.kind(spot), {})[spot.piece] = spot.place

    def kind(self, spot: Spot) -> str:
        layout = self.machine.layout
        return layout.kind_names[layout.kind_of[layout.piece_number[spot.piece]]]

    def knows(self, spot: Spot) -> bool:
        """Whether the ruleset has the piece and plays with it, and the place."""
        number = self.machine.layout.piece_number.get(spot.piece, -1)
        return number >= 0 and number not in self.absent and spot.place in self._places

    def stage(self, laid: LaidOut) -> Stage:
        """The position with its rule at the first question, every law tested. What cannot be laid out, or breaks a rule
        or a law, is an error (PlacementError, PlayError)."""
        given = Given(
            self._settings(laid.variables),
            self._fillings(laid),
            {self._kind(kind): self._place(name) for kind, name in laid.rest.items()},
            begin=self._given(laid.begin).begin if laid.begin else None,
        )
        scenario = Scenario(
            "", self.ruleset.name, laid.seats, (), laid.seed, given, (), NOWHERE, absent=self.absent
        )
        stage = stage_for(self.ruleset, scenario, WorkBudget(WORK), self.machine)
        if laid.begin:
            stage.go()
        else:
            stage.machine.laws(stage.state)
        return stage

    def _fillings(self, laid: LaidOut) -> tuple[Filling, ...]:
        layout, found = self.machine.layout, []
        for name, spots in laid.places().items():
            place = self._place(name)
            first = layout.places[place].first_cell
            words = tuple(Word(spot.piece, NOWHERE) for spot in spots)
            found.append(Filling(place, words, tuple(first + s.cell if s.cell >= 0 else -1 for s in spots), NOWHERE))
        return tuple(found)

    def _place(self, name: str) -> int:
        if name not in self._places:
            raise UnreadableError(name)
        return self._places[name]

    def _kind(self, name: str) -> int:
        if name not in self.kinds:
            raise UnreadableError(name)
        return self.kinds[name]

    def _settings(self, variables: Mapping[str, Any]) -> tuple[Setting, ...]:
        return tuple(self._given("", name, value).settings[0] for name, value in variables.items())

    def _given(self, begin: str, name: str = "", value: object = None) -> Given:
        """A call or a variable as the scenarios of this ruleset read it; each is read once."""
        key = begin, f"{name}={value}"
        if key not in self._read:
            given: dict[str, Any] = {"begin": begin} if begin else {"variables": {name: value}}
            scenario = {"name": "-", "players": [*self.seats], "given": given, "step": [{"asks": "nobody"}]}
            try:
                text = tomli_w.dumps({"scenario": [scenario]})
            except (TypeError, ValueError):  # of a checkpoint that a stranger wrote: nothing that a scenario can hold
                raise UnreadableError(begin or name) from None
            found, _ = read_scenarios(text, "position", lambda _: self.ruleset, self.ruleset.name)
            self._read[key] = found[0].given if found else Given()
        given_ = self._read[key]
        if given_.begin is None and not given_.settings:
            raise UnreadableError(begin or name)
        return given_


# ------------------------------------------------------------------- in writing


def written(laid: LaidOut, components: Components, zone_names: Mapping[str, str]) -> dict[str, Any]:
    """The position as `[scenario.given]` has it; `zone_names` says of which zone each place is."""
    zones: dict[str, list[str]] = {}
    grids: dict[str, list[str] | dict[str, str]] = {}
    for name, spots in laid.places().items():
        grid = grid_of(components, zone_names[name])
        if grid is None:
            zones[name] = [spot.piece for spot in spots]
        else:
            grids[name] = _picture(grid, spots, components)
    found: dict[str, Any] = {
        "variables": dict(laid.variables), "zones": zones, "grids": grids, "rest": dict(laid.rest),
        "begin": laid.begin,
    }  # fmt: skip
    return {key: value for key, value in found.items() if value}


def _picture(grid: Grid, spots: Sequence[Spot], components: Components) -> list[str] | dict[str, str]:
    lying: dict[int, list[str]] = {}
    for spot in spots:
        lying.setdefault(spot.cell, []).append(spot.piece)
    if grid.table:
        rows = components.tables[grid.table].rows
        return {rows[cell]: "/".join(pieces) for cell, pieces in sorted(lying.items())}
    words = {grid.cells[cell]: "/".join(pieces) for cell, pieces in lying.items()}
    return [" ".join(words.get((row, column), ".") for column in range(grid.width)) for row in range(grid.height)]


def zone_names_of(view: Observation, seats: Sequence[str]) -> dict[str, str]:
    """By the name of a place, the zone that it is."""
    return {place_name(_thing(zone), seats): zone.name for zone in view.zones}


def _thing(zone: ZoneView) -> Thing:
    return "zone", zone.word, zone.owner, zone.holder

