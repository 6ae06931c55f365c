"""What a random game is played with: tables, kinds of piece, grids, zones, variables, figures; and their TOML."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import define, field, frozen

from tests.random_rules.draw import Draw
from warlock_dsl import types as t


@frozen
class Table:
    name: str
    rows: tuple[str, ...]
    columns: Mapping[str, t.Type]
    values: Mapping[str, Mapping[str, Any]]


@frozen
class Kind:
    name: str
    table: str  # whose rows its pieces are, or ""
    fields: Mapping[str, t.Type]
    toml: Mapping[str, Any]
    csv: str = ""
    each: bool = False  # a set for every player


@frozen
class Grid:
    name: str
    regions: tuple[str, ...]
    cells: int
    toml: Mapping[str, Any]
    table: str = ""
    stacks: bool = False


@define
class Zone:
    name: str
    owner: str  # "", "player" or a kind
    by: str  # a table, or ""
    kinds: tuple[str, ...]
    grid: str = ""
    settings: dict[str, Any] = field(factory=dict)

    def type(self, world: World) -> t.ZoneType:
        table = world.grids[self.grid].table if self.grid else ""
        return t.ZoneType(self.kinds, bool(self.grid), table)


@frozen
class Variable:
    name: str
    owner: str
    type: t.Type
    by: str
    toml: Any
    ranged: bool = False


@frozen
class Family:
    """A family of rules, planned before its members are written: the tables may speak of its keys."""

    name: str
    keys: tuple[str, ...]
    table: str
    parameters: tuple[tuple[str, t.Type], ...] = ()

    @property
    def key_type(self) -> t.Type:
        return t.RowType(self.table) if self.table else t.KeyType(self.name)


@define
class World:
    min_players: int = 2
    max_players: int = 2
    players: int = 2  # of the game that is played
    cooperative: bool = False
    limits: dict[str, int] = field(factory=dict)
    tables: dict[str, Table] = field(factory=dict)
    kinds: dict[str, Kind] = field(factory=dict)
    grids: dict[str, Grid] = field(factory=dict)
    zones: dict[str, Zone] = field(factory=dict)
    variables: list[Variable] = field(factory=list)
    series: dict[str, dict[str, Any]] = field(factory=dict)
    matrices: dict[str, dict[str, Any]] = field(factory=dict)
    dice: dict[str, dict[str, Any]] = field(factory=dict)
    figures: dict[str, tuple[t.Type, Any]] = field(factory=dict)
    families: dict[str, Family] = field(factory=dict)
    halves: bool = False
    risky: bool = False  # forms that may end in an error are common

    def kinds_type(self, *names: str) -> t.PieceType:
        return t.PieceType(tuple(name for name in self.kinds if name in names))

    @property
    def boards(self) -> list[Zone]:
        return [zone for zone in self.zones.values() if zone.grid]


def toml(value: Any) -> str:
    """A value as TOML writes it on one line."""
    match value:
        case bool():
            return "true" if value else "false"
        case int() | float():
            return str(value)
        case str():
            return f'"{value}"'
        case dict():
            return "{ " + ", ".join(f"{key} = {toml(one)}" for key, one in value.items()) + " }"
        case _:
            return "[" + ", ".join(toml(one) for one in value) + "]"


def type_word(type_: t.Type) -> str:
    """A type as tables and parameters write it."""
    match type_:
        case t.ListType():
            assert type_.item is not None
            return f"[{type_word(type_.item)}]"
        case t.KeyType():
            return type_.family
        case t.ZoneType():
            return "grid" if type_.grid else "zone"
        case _:
            return str(type_)


def files_of(world: World) -> dict[str, str]:
    """The tables of a game: its TOML, and a CSV file for each kind that has one."""
    players = world.min_players
    said: Any = players if players == world.max_players else f"{players}..{world.max_players}"
    lines = ["[game]", f"players = {toml(said)}"]
    lines += ["cooperative = true"] if world.cooperative else []
    lines += [f"limits = {toml(world.limits)}"] if world.limits else []
    for table in world.tables.values():
        lines += ["", f"[table.{table.name}]"]
        if table.columns:
            columns = {name: type_word(type_) for name, type_ in table.columns.items()}
            lines.append(f"columns = {toml(columns)}")
            lines += [f"rows.{row} = {toml(table.values[row])}" for row in table.rows]
        else:
            lines.append(f"rows = {toml(table.rows)}")
    for kind in world.kinds.values():
        lines += ["", f"[kind.{kind.name}]", *(f"{key} = {toml(value)}" for key, value in kind.toml.items())]
    for section, items in (
        ("grid", {grid.name: grid.toml for grid in world.grids.values()}),
        ("series", world.series),
        ("matrix", world.matrices),
        ("die", world.dice),
    ):
        for name, settings in items.items():
            lines += ["", f"[{section}.{name}]", *(f"{key} = {toml(value)}" for key, value in settings.items())]
    lines += ["", "[zone]"]
    for zone in world.zones.values():
        each = [one for one in (zone.owner, zone.by) if one]
        settings = {"each": each} if each else {}
        settings |= {"holds": list(zone.kinds)} | ({"grid": zone.grid} if zone.grid else {}) | zone.settings
        lines.append(f"{zone.name} = {toml(settings)}")
    for owner in dict.fromkeys(variable.owner for variable in world.variables):
        lines += ["", f"[variable.{owner or 'game'}]"]
        lines += [f"{one.name} = {toml(one.toml)}" for one in world.variables if one.owner == owner]
    if world.figures:
        lines += ["", "[figure.fig]", *(f"{name} = {toml(value)}" for name, (_, value) in world.figures.items())]
    files = {"game.toml": "\n".join(lines) + "\n"}
    return files | {f"{kind.name}.csv": kind.csv for kind in world.kinds.values() if kind.csv}


# ------------------------------------------------------------------------ making one


def make_world(draw: Draw) -> World:
    """A small world; every kind has a piece, and every piece a place to start in."""
    world = World()
    world.halves = draw.feature("halves", 12)
    world.risky = draw.feature("risky", 15)
    _players(draw, world)
    for name in ("ta", "tb", "tc")[: draw.int(1, 3)]:
        world.tables[name] = _table(draw, world, name)
    _grids(draw, world)
    _kinds(draw, world)
    _families(draw, world)
    _zones(draw, world)
    _variables(draw, world)
    _figures(draw, world)
    return world


def _players(draw: Draw, world: World) -> None:
    world.players = draw.choose((2, 3, 1, 4), (5, 3, 1, 1))
    world.min_players = world.max_players = world.players
    if draw.chance(30):
        world.min_players, world.max_players = draw.int(1, world.players), draw.int(world.players, 4)
    world.cooperative = draw.feature("cooperative", 4)
    world.limits = {"listed": draw.choose((6, 2, 12, 40)), "work": draw.choose((20_000, 4_000, 1_000), (80, 14, 6))}
    if draw.chance(10):
        world.limits["depth"] = draw.choose((12, 6, 4))


def number(draw: Draw, world: World, high: int = 5) -> int | float:
    """A figure of a table."""
    if world.halves and draw.chance(30):
        return draw.choose((0.5, 1.5, 2.5))
    return -1 if draw.chance(4) else draw.int(0, high)


def _value(draw: Draw, world: World, type_: t.Type, rows: Mapping[str, tuple[str, ...]]) -> Any:
    match type_:
        case t.NumberType():
            return number(draw, world)
        case t.TruthType():
            return draw.chance(50)
        case t.RowType():
            return draw.choose(rows[type_.table])
        case t.ListType():
            assert type_.item is not None
            return [_value(draw, world, type_.item, rows) for _ in range(draw.int(0, 3))]
        case t.MapType():
            return {row: _value(draw, world, type_.value, rows) for row in rows[type_.key]}
        case _:
            raise AssertionError(type_)


def _columns(draw: Draw, world: World, tables: tuple[str, ...], maximum: int) -> dict[str, t.Type]:
    """Columns; what one is called says its type, so that fields of different kinds go together."""
    known: dict[str, t.Type] = {"num": t.NUMBER, "flag": t.TRUTH, "more": t.NUMBER, "nums": t.ListType(t.NUMBER)}
    for name in tables:
        known |= {f"to_{name}": t.RowType(name), f"all_{name}": t.ListType(t.RowType(name))}
        known |= {f"per_{name}": t.MapType(name, t.NUMBER)}
    chosen = draw.some(list(known), 0, maximum)
    return {name: known[name] for name in chosen}


def _table(draw: Draw, world: World, name: str) -> Table:
    rows = tuple(f"{name[1]}{number}" for number in range(1, draw.int(2, 4) + 1))
    all_rows = {other.name: other.rows for other in world.tables.values()} | {name: rows}
    columns = _columns(draw, world, (*world.tables, name), 4)
    values = {row: {one: _value(draw, world, type_, all_rows) for one, type_ in columns.items()} for row in rows}
    return Table(name, rows, columns, values)


def _grids(draw: Draw, world: World) -> None:
    if not draw.feature("grids", 60):
        return
    for name in ("ga", "gb")[: draw.choose((1, 2), (3, 1))]:
        shape = draw.choose(("square", "hex", "graph"), (6, 2, 2)) if "spot" not in world.tables else "square"
        stacks = draw.feature("stacks", 25)
        more = {"stacks": True} if stacks else {}
        if shape == "graph" and "graph" not in draw.without:
            world.grids[name] = _graph(draw, world, name, more)
            continue
        width, height = draw.int(2, 4), draw.int(1, 3)
        lines = ["".join(draw.choose(".ab ", (6, 2, 2, 1)) for _ in range(width)) for _ in range(height)]
        lines[0] = "a." + lines[0][2:]
        drawn = {sign for line in lines for sign in line}
        regions = {f"re_{name}{sign}": sign for sign in "ab" if sign in drawn}
        settings: dict[str, Any] = {"cells": lines, "regions": regions} | more
        settings |= {"shape": "hex"} if shape == "hex" else {}
        settings |= {"slots": True} if draw.chance(8) else {}
        cells = sum(sign != " " for line in lines for sign in line)
        world.grids[name] = Grid(name, tuple(regions), cells, settings, stacks=stacks)
    ways = {
        f"w{number}": {"right": right, "down": down} for number, (right, down) in enumerate(((1, 0), (0, 1), (-1, 1)))
    }
    world.tables["way"] = Table("way", tuple(ways), {"right": t.NUMBER, "down": t.NUMBER}, ways)


def _graph(draw: Draw, world: World, name: str, more: dict[str, Any]) -> Grid:
    rows = tuple(f"s{number}" for number in range(1, draw.int(3, 5) + 1))
    beside: dict[str, list[str]] = {row: [] for row in rows}
    for place, row in enumerate(rows):
        for other in rows[place + 1 :]:
            if draw.chance(50):
                beside[row].append(other)
                beside[other].append(row)
    columns = {"roads": t.ListType(t.RowType("spot")), "right": t.NUMBER, "down": t.NUMBER, "port": t.TRUTH}
    values = {
        row: {"roads": beside[row], "right": place % 3, "down": place // 3, "port": place == 0 or draw.chance(40)}
        for place, row in enumerate(rows)
    }
    world.tables["spot"] = Table("spot", rows, columns | {"num": t.NUMBER}, values)
    for row in rows:
        values[row]["num"] = number(draw, world)
    regions = {f"re_{name}p": "port"}
    return Grid(
        name,
        tuple(regions),
        len(rows),
        {"cells": "spot", "near": "roads", "regions": regions} | more,
        "spot",
        bool(more),
    )


def _kinds(draw: Draw, world: World) -> None:
    rows = {table.name: table.rows for table in world.tables.values()}
    for name in ("ka", "kb", "kc")[: draw.choose((2, 1, 3), (5, 3, 2))]:
        form = draw.choose(("table", "count", "csv"), (5, 3, 3))
        each = draw.feature("sets_of_players", 8)
        more = {"each": "player"} if each else {}
        if form == "table":
            table = draw.choose([one for one in world.tables if one not in ("way", "spot")])
            made = {"rows": table, "copies": draw.int(1, 3)} | more
            world.kinds[name] = Kind(name, table, world.tables[table].columns, made, each=each)
            continue
        types = {one: type_ for one, type_ in _columns(draw, world, tuple(rows), 3).items() if "per_" not in one}
        types = types or {"num": t.NUMBER}
        fields = {one: type_word(type_) for one, type_ in types.items()}
        if form == "count":
            values = {one: _value(draw, world, type_, rows) for one, type_ in types.items()}
            made = {"count": draw.int(2, 5), "fields": fields, "values": values} | more
            world.kinds[name] = Kind(name, "", types, made, each=each)
        else:
            sheet = ",".join(("id", *types)) + "\n"
            for place in range(draw.int(2, 7)):
                cells = [_text(_value(draw, world, type_, rows)) for type_ in types.values()]
                sheet += ",".join((f"{name}{place}", *cells)) + "\n"
            world.kinds[name] = Kind(name, "", types, {"rows": f"{name}.csv", "fields": fields} | more, sheet, each)


def _text(value: Any) -> str:
    """A value as a cell of a CSV file holds it."""
    return " ".join(map(_text, value)) if isinstance(value, list) else str(value).lower()


def _families(draw: Draw, world: World) -> None:
    for name in ("fa", "fb")[: draw.choose((1, 2, 0), (6, 2, 2))]:
        if draw.chance(30):
            table = draw.choose(list(world.tables))
            world.families[name] = Family(name, world.tables[table].rows, table)
        else:
            world.families[name] = Family(name, tuple(f"{name}{one}" for one in "xyz"[: draw.int(2, 3)]), "")


def _zones(draw: Draw, world: World) -> None:
    names = iter("abcdefghijklmnop")

    def add(owner: str, by: str, kinds: tuple[str, ...], grid: str = "", **settings: Any) -> Zone:
        zone = Zone(f"z{next(names)}", owner, by, tuple(kind for kind in world.kinds if kind in kinds), grid, settings)
        world.zones[zone.name] = zone
        return zone

    kinds = tuple(world.kinds)
    shared = add("", "", tuple(draw.some(kinds, 1, len(kinds))))  # takes in the sets of players who are not there
    for kind in world.kinds.values():
        if kind.each:
            shared.kinds = tuple(one for one in kinds if one in (*shared.kinds, kind.name))
            add("player", "", (kind.name,), start=kind.name)
        elif kind.table and draw.feature("by_row", 15):
            add("", kind.table, (kind.name,), start=kind.name)
        elif kind.name in shared.kinds and draw.chance(60):
            shared.settings.setdefault("start", []).append(kind.name)
        else:
            add("", "", (kind.name, *draw.some(kinds, 0, 1)), start=kind.name)
    for _ in range(draw.choose((1, 2), (3, 1))):
        add("player", "", tuple(draw.some(kinds, 1, len(kinds))))
    if draw.chance(40):
        add("", "", tuple(draw.some(kinds, 1, len(kinds))))
    for grid in world.grids.values():
        add(draw.choose(("", "player")), "", tuple(draw.some(kinds, 1, len(kinds))), grid.name)
    if draw.feature("zones_of_pieces", 20):
        add(draw.choose(kinds), "", tuple(draw.some(kinds, 1, 1)))
    if draw.feature("by_row", 20):
        add(draw.choose(("", "player")), draw.choose(list(world.tables)), tuple(draw.some(kinds, 1, 2)))


def _variables(draw: Draw, world: World) -> None:
    types: list[t.Type] = [t.NUMBER, t.TRUTH, t.PLAYER, t.ListType(t.PLAYER), t.ListType(t.NUMBER)]
    for table in world.tables:
        types += [t.RowType(table), t.ListType(t.RowType(table))]
    placed: list[t.Type] = [t.ListType(t.PieceType()), t.ListType(t.PieceType((draw.choose(list(world.kinds)),)))]
    placed += [t.ListType(t.CELL)] if world.boards else []
    types += [family.key_type for family in world.families.values()]

    def add(name: str, owner: str, type_: t.Type, ranged: bool = False, by: str = "", **settings: Any) -> None:
        word = f"0..{draw.choose((9, 3, 5))}" if ranged else type_word(type_)
        made = {"type": f"{word} by {by}" if by else word} | settings
        world.variables.append(Variable(name, owner, type_, by, made, ranged))

    add("na", "", t.NUMBER, ranged=True)
    add("pa", "player", t.NUMBER, ranged=True)
    add("lead", "", t.PLAYER)
    more = iter("abcdefghijklmnopqrstuvwxyz")
    for owner, maximum in (("", 4), ("player", 3), *((kind, 2) for kind in world.kinds)):
        for _ in range(draw.int(0, maximum)):
            type_ = draw.choose(placed if draw.feature("placed", 25) else types)
            ranged = type_ == t.NUMBER and draw.chance(60)
            single = not isinstance(type_, t.ListType | t.KeyType)
            by = draw.choose(list(world.tables)) if single and draw.feature("by_row", 15) else ""
            settings: dict[str, Any] = {}
            if draw.chance(20):
                settings["lasts"] = "move" if owner in world.kinds else "turn"
            if draw.chance(25) and (owner not in world.kinds or "secrets" not in draw.without):
                words = ("owner", "others", "none") if owner else ("none", "lead")
                settings["sees"] = draw.choose(words if type_ != t.ListType(t.PLAYER) else words[-1:])
            if type_ == t.NUMBER and draw.chance(30):
                settings["first"] = draw.int(0, 3)
            name = f"v{next(more)}"
            add(name, owner, type_, ranged, by, **settings)
    _sight(draw, world)


def _sight(draw: Draw, world: World) -> None:
    """Who sees what lies in the zones."""
    for zone in world.zones.values():
        words = ["all", "none", "top", "lead"] + (["owner", "others"] if zone.owner else [])
        if zone.owner == "player":
            words += ["owner"] * 4
        if draw.chance(70):
            zone.settings["sees"] = draw.choose(words)
        if zone.owner and draw.chance(15) and (zone.owner == "player" or "secrets" not in draw.without):
            zone.settings["count"] = "owner"
        if len(zone.kinds) == 1 and draw.chance(12):
            name = f"hid_{zone.kinds[0]}"
            if all(variable.name != name for variable in world.variables):
                world.variables.append(Variable(name, zone.kinds[0], t.TRUTH, "", {"type": "truth"}))
            zone.settings["hidden_by"] = name


def _figures(draw: Draw, world: World) -> None:
    tables = list(world.tables)
    if draw.chance(50):
        values = [number(draw, world) for _ in range(draw.int(2, 4))]
        world.series["sa"] = {
            "is": values,
            "from": draw.choose((1, 0, 2)),
            "beyond": draw.choose(("last", "zero", "error")),
        }
    if draw.chance(30):
        one, other, of = draw.choose(tables), draw.choose(tables), draw.choose(tables)
        cells = {
            row: {column: draw.choose(world.tables[of].rows) for column in world.tables[other].rows}
            for row in world.tables[one].rows
        }
        world.matrices["ma"] = {"rows": one, "columns": other, "of": of, "cells": cells}
    if draw.chance(50):
        table = draw.choose(tables)
        world.dice["die"] = {"of": table, "faces": {row: draw.int(1, 2) for row in world.tables[table].rows}}
    world.figures["size"] = (t.NUMBER, draw.int(1, 3))
    if draw.chance(40):
        world.figures["big"] = (t.ListType(t.NUMBER), [number(draw, world), 2])
    if draw.chance(40):
        world.figures["yes"] = (t.TRUTH, draw.chance(50))
    if draw.chance(40):
        table = draw.choose(tables)
        rows = world.tables[table].rows
        world.figures["pick"] = (t.RowType(table), {"is": draw.choose(rows), "type": table})
