"""A ruleset laid out for a number of players: zones, cells, variables and figures as arrays of small integers."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from attrs import frozen

from warlock_dsl import lines_through, viewers
from warlock_dsl import types as t
from warlock_dsl.check.program import Constant, Program
from warlock_dsl.tables.components import Components, Value, Variable, Zone


@frozen
class Place:
    """One zone on the table: the declared zone, whose it is (-1: nobody's), and its first cell (-1: no grid)."""

    name: str
    zone: int
    owner: int
    owner_kind: str
    kinds: frozenset[int]
    grid: str
    first_cell: int
    sees: str
    counted_by: str
    by: str = ""  # the table for each row of which there is one
    row: str = ""  # the row that this one is for

    @property
    def word(self) -> str:
        """Its name, with its row: `pile`, `ruby.pile` of the table, `pile[ruby]` of somebody."""
        return word_for(self.name, self.row, bool(self.owner_kind))


def word_for(name: str, row: str, owned: bool) -> str:
    """A zone as rules and scenarios write it behind its owner; `row` is the one it is for, or ""."""
    return name if not row else f"{name}[{row}]" if owned else f"{row}.{name}"


@frozen
class Slot:
    """One variable on the table."""

    name: str
    variable: int
    owner: int
    owner_kind: str
    type: t.Type
    low: int | None
    high: int | None
    sees: str
    by: str = ""  # the table for each row of which there is one
    row: str = ""  # the row that this one is for

    @property
    def word(self) -> str:
        """Its name, with its row: `purse`, `purse[ruby]`."""
        return word_for(self.name, self.row, True)


def scaled(value: Value, kind: t.Type, unit: int) -> Constant:
    """A value of the tables as the machine holds it: numbers in units, everything else as it is."""
    if isinstance(value, tuple):
        inner = kind.item if isinstance(kind, t.ListType) else kind.value if isinstance(kind, t.MapType) else None
        return tuple(scaled(v, inner if inner is not None else t.UNKNOWN, unit) for v in value)
    if isinstance(value, Fraction):
        return int(value * unit)
    return value


class Layout:
    """Everything that stays the same through a game."""

    def __init__(self, program: Program, components: Components, players: int) -> None:
        self.program = program
        self.components = components
        self.players = players
        self.unit = program.unit
        self._pieces()
        self._places()
        self._variables()
        self._figures()

    # ------------------------------------------------------------------ pieces

    def _pieces(self) -> None:
        kinds = list(self.components.kinds.values())
        self.kind_names = tuple(kind.name for kind in kinds)
        self.kind_of: list[int] = []
        self.piece_names: list[str] = []
        self.faces: list[int] = []
        self.fields: dict[str, list[Constant | None]] = {}
        total = self.components.piece_count
        for number, kind in enumerate(kinds):
            self.kind_of += [number] * len(kind.pieces)
            self.piece_names += kind.pieces
            self.faces += kind.faces if kind.faces else [-1] * len(kind.pieces)
            for name, column in kind.fields.items():
                values = self.fields.setdefault(name, [None] * total)
                for place, value in enumerate(column.values):
                    values[kind.first + place] = scaled(value, column.type, self.unit)
        self.piece_count = total
        self.piece_number = {name: number for number, name in enumerate(self.piece_names)}
        self.twin: list[int] = []  # the first piece with the same kind and fields
        seen: dict[object, int] = {}
        for piece in range(total):
            key = (self.kind_of[piece], self.faces[piece], tuple(values[piece] for values in self.fields.values()))
            self.twin.append(seen.setdefault(key, piece))

    # ------------------------------------------------------------------ places

    def _owners(self, owner: str) -> list[int]:
        if owner == "":
            return [-1]
        if owner == "player":
            return list(range(self.players))
        kind = self.components.kinds[owner]
        return list(range(kind.first, kind.first + len(kind.pieces)))

    def _rows(self, table: str) -> tuple[str, ...]:
        """The rows for each of which there is one: of no table, one without a row."""
        return self.components.tables[table].rows if table else ("",)

    def _places(self) -> None:
        number_of_kind = {name: number for number, name in enumerate(self.kind_names)}
        self.places: list[Place] = []
        self.zone_first: list[int] = []  # the place of each zone's first owner
        self.zone_shift: list[int] = []  # the number of that owner
        self.cell_place: list[int] = []
        self.cell_plan: list[int] = []
        self.stacks: list[bool] = []  # by cell: whether it holds any number of pieces
        self.cell_table: list[str] = []  # by cell: the table whose row it is, or ""
        self.near: list[tuple[int, ...]] = []
        self.around: list[tuple[int, ...]] = []
        self.cell_spot: list[tuple[int, int, int]] = []  # by cell: its place on the table, row and column
        self.cell_at: dict[tuple[int, int, int], int] = {}  # the cell, by the same
        self.known_rays: dict[tuple[int, int, int], tuple[int, ...]] = {}  # by cell and direction
        self.known_lines: dict[tuple[int, int], tuple[tuple[int, ...], ...]] = {}  # by cell and length
        self.owned: dict[int, list[int]] = {}  # the places a piece owns
        for zone in sorted(self.components.zones.values(), key=lambda z: z.number):
            owners, rows = self._owners(zone.owner), self._rows(zone.by)
            self.zone_first.append(len(self.places))
            self.zone_shift.append(max(owners[0], 0) * len(rows) if owners else 0)
            for owner, row in product(owners, rows):
                first_cell = self._cells(zone.grid) if zone.grid else -1
                if zone.owner not in ("", "player"):
                    self.owned.setdefault(owner, []).append(len(self.places))
                kinds = frozenset(number_of_kind[kind] for kind in zone.kinds)
                place = (zone.name, zone.number, owner, zone.owner, kinds, zone.grid, first_cell)
                self.places.append(Place(*place, zone.sees, zone.counted_by, zone.by, row))
        self.zones = sorted(self.components.zones.values(), key=lambda z: z.number)
        self.starts = self._starts()
        named = [one for grid in self.components.grids.values() for one in grid.regions.items()]
        self.region_names = {cells: name for name, cells in reversed(named)}  # of two that are the same, the first

    def _starts(self) -> list[tuple[int, ...]]:
        """By place the pieces that start in it. The sets of players who are not there lie in a zone of the table."""
        found: list[list[int]] = [[] for _ in self.places]
        for zone in self.zones:
            if zone.by:  # each piece in the zone of the row that it was made from
                for piece in zone.start:
                    found[self.zone_first[zone.number] + self.faces[piece]].append(piece)
                continue
            if zone.owner != "player":
                found[self.zone_first[zone.number]] += zone.start
                continue
            share = len(zone.start) // self.components.max_players
            for number, piece in enumerate(zone.start):
                seat = number // share
                found[self.place(zone.number, seat) if seat < self.players else self._spare(piece)].append(piece)
        return [tuple(pieces) for pieces in found]

    def _spare(self, piece: int) -> int:
        """Where a piece lies that belongs to nobody at this table: the first plain zone that takes it in."""
        kind = self.kind_names[self.kind_of[piece]]
        bare = (zone for zone in self.zones if not zone.owner and not zone.by and not zone.grid)
        return self.place(next(zone for zone in bare if kind in zone.kinds).number, -1)

    def _cells(self, name: str) -> int:
        grid = self.components.grids[name]
        first = len(self.cell_place)
        for plan in range(len(grid.cells)):
            self.cell_place.append(len(self.places))
            self.cell_plan.append(plan)
            self.stacks.append(grid.stacks)
            self.cell_table.append(grid.table)
            self.cell_spot.append((len(self.places), *grid.cells[plan]))
            self.cell_at[self.cell_spot[-1]] = first + plan
            self.near.append(tuple(first + other for other in grid.near[plan]))
            self.around.append(tuple(first + other for other in grid.around[plan]))
        return first

    def place(self, zone: int, owner: int) -> int:
        """The place of a zone, by its owner (-1: nobody's); where there is one for each row, by `OfRow`."""
        return self.zone_first[zone] + (owner - self.zone_shift[zone] if owner >= 0 else 0)

    def place_with(self, number: int, owner: int) -> int:
        """The place that is to another piece what this one is to its owner."""
        place = self.places[number]
        return number + (owner - place.owner) * len(self._rows(place.by))

    def step(self, cell: int, right: int, down: int) -> tuple[int, ...]:
        """The cell so far away on the same grid, if there is one."""
        place, row, column = self.cell_spot[cell]
        found = self.cell_at.get((place, row + down, column + right))
        return () if found is None else (found,)

    def ray(self, cell: int, right: int, down: int) -> tuple[int, ...]:
        """The cells that step after step meets; no direction leads nowhere. Found once, as lines are."""
        found = self.known_rays.get((cell, right, down))
        if found is None:
            met: list[int] = []
            while (right or down) and (there := self.step(met[-1] if met else cell, right, down)):
                met += there
            found = tuple(met)
            if found:
                self.known_rays[cell, right, down] = found
        return found

    def lines(self, cell: int, length: int) -> tuple[tuple[int, ...], ...]:
        """The straight lines of `length` cells through a cell; found once, since the plan of a grid never changes."""
        found = self.known_lines.get((cell, length))
        if found is None:
            plan, place = self.cell_plan[cell], self.places[self.cell_place[cell]]
            lines = lines_through(self.components.grids[place.grid], plan, length)
            found = tuple(tuple(place.first_cell + other for other in line) for line in lines)
            if found:  # no length that no grid has is kept
                self.known_lines[cell, length] = found
        return found

    def slots_only(self, place: int) -> bool:
        """Whether the cells of a place are mere slots, or it has none."""
        grid = self.places[place].grid
        return not grid or self.components.grids[grid].slots

    # --------------------------------------------------------------- variables

    def _variables(self) -> None:
        self.slots: list[Slot] = []
        self.first_values: list[Constant] = []
        self.variable_first: list[int] = []
        self.variable_shift: list[int] = []
        self.move_resets: dict[int, list[int]] = {}  # per kind: variables that a move sets back
        self.piece_variables: dict[int, list[int]] = {}  # per kind: all of its variables
        self.naming: dict[int, list[int]] = {}  # per kind: the slots of variables that may name its pieces
        for variable in sorted(self.components.variables.values(), key=lambda v: v.number):
            owners, rows = self._owners(variable.owner), self._rows(variable.by)
            self.variable_first.append(len(self.slots))
            self.variable_shift.append(max(owners[0], 0) * len(rows) if owners else 0)
            low = int(variable.low * self.unit) if variable.low is not None else None
            high = int(variable.high * self.unit) if variable.high is not None else None
            if variable.owner not in ("", "player"):
                kind = self.kind_names.index(variable.owner)
                self.piece_variables.setdefault(kind, []).append(variable.number)
                if variable.lasts == "move":
                    self.move_resets.setdefault(kind, []).append(variable.number)
            innermost: t.Type | None = variable.type
            while isinstance(innermost, t.ListType):
                innermost = innermost.item
            if isinstance(innermost, t.PieceType):
                for kind_name in innermost.kinds or self.kind_names:
                    numbers = range(len(self.slots), len(self.slots) + len(owners) * len(rows))
                    self.naming.setdefault(self.kind_names.index(kind_name), []).extend(numbers)
            whose = (variable.owner, variable.type, low, high, variable.sees, variable.by)
            for owner, (place, row) in product(owners, enumerate(rows)):
                self.slots.append(Slot(variable.name, variable.number, owner, *whose, row))
                first = variable.first[place] if variable.by and isinstance(variable.first, tuple) else variable.first
                self.first_values.append(scaled(first, variable.type, self.unit))
        self._hiders()
        zones, variables = self.zones, sorted(self.components.variables.values(), key=lambda v: v.number)
        # By place and by variable on the table: where it stands who sees it, or -1 where a word of the tables says it.
        self.place_viewers = [self._viewers(zones[place.zone], place.owner) for place in self.places]
        self.slot_viewers = [self._viewers(variables[slot.variable], slot.owner) for slot in self.slots]

    def _viewers(self, thing: Zone | Variable, owner: int) -> int:
        variable = viewers(thing, self.components.variables)
        return -1 if variable is None else self.variable(variable.number, owner if variable.owner else -1)

    def _hiders(self) -> None:
        """For a zone whose pieces may lie turned: the variable that says so, by kind."""
        self.hider: dict[tuple[int, int], int] = {}  # (zone, kind) -> variable
        for zone in self.zones:
            if not zone.hidden_by:
                continue
            for kind in zone.kinds:
                variable = self.components.variables.get((kind, zone.hidden_by))
                if variable is not None:
                    self.hider[zone.number, self.kind_names.index(kind)] = variable.number

    def variable(self, number: int, owner: int) -> int:
        """Where a variable stands in the state, by its owner (-1: the game's); of one by row, by `OfRow`."""
        return self.variable_first[number] + (owner - self.variable_shift[number] if owner >= 0 else 0)

    def variables_with(self, number: int, piece: int) -> range:
        """Where a variable of a piece stands, for all rows where it is by row."""
        slot = self.slots[self.variable_first[number]]
        rows = len(self._rows(slot.by))
        first = self.variable_first[number] + (piece - slot.owner) * rows
        return range(first, first + rows)

    def variable_with(self, place: int, owner: int) -> int:
        """Where the variable stands that is to another piece what this one is to its owner."""
        slot = self.slots[place]
        return place + (owner - slot.owner) * len(self._rows(slot.by))

    # ----------------------------------------------------------------- figures

    def _figures(self) -> None:
        components, unit = self.components, self.unit
        self.columns = {
            (table.name, column.name): tuple(scaled(v, column.type, unit) for v in column.values)
            for table in components.tables.values()
            for column in table.columns.values()
        }
        self.series = {
            s.name: (s.first, tuple(int(v * unit) for v in s.values), s.beyond) for s in components.series.values()
        }
        self.matrices = {m.name: m.cells for m in components.matrices.values()}
