"""Names of things: what a name may be, and that no two things in one place share one."""

from __future__ import annotations

from attrs import define, field

from warlock_dsl.diagnostics.collect import DiagnosticList, quoted
from warlock_dsl.diagnostics.diagnostic import Related, Span
from warlock_dsl.primitives import ATTRIBUTE_NAMES, VALUE_NAMES
from warlock_dsl.signatures import NAMED
from warlock_dsl.syntax.keywords import RESERVED, is_name
from warlock_dsl.tables.context import Reading
from warlock_dsl.tables.schema import is_mark
from warlock_dsl.tables.toml_spans import Path


@define
class Namespace:
    """Names that are looked up together, so that each may mean one thing only."""

    errors: DiagnosticList
    taken: dict[str, list[tuple[str, Span]]] = field(factory=dict)

    def declare(self, name: str, what: str, span: Span, shares: frozenset[str] = frozenset()) -> None:
        """Note a name; `shares` are the sorts of thing that may have it too."""
        others = [(sort, place) for sort, place in self.taken.get(name, ()) if sort not in shares]
        if others:
            sort, place = others[0]
            text = f"the {what} {quoted(name)} has the name of a {sort}"
            self.errors.add("W232", text, span, related=(Related(place, f"the {sort}"),))
        self.taken.setdefault(name, []).append((what, span))


def check_names(reading: Reading) -> None:
    """Every name of the tables: its shape, and the namespaces of the game, of players and of each kind."""
    _check_shapes(reading)
    _check_top(reading)
    _check_owned(reading)


def _check_shapes(reading: Reading) -> None:
    found = reading.sections
    paths: list[tuple[str, Path]] = []
    for group in (found.tables, found.kinds, found.grids, found.series, found.matrices, found.dice, found.totals):
        paths += [(name, item.path) for name, item in group.items()]
    paths += [(name, item.path) for name, item in found.zones.items()]
    paths += [(name, item.path) for (_, name), item in found.variables.items()]
    paths += [(name, item.path) for (_, name), item in found.figures.items()]
    paths += list(found.groups.items())
    for table in found.tables.values():
        paths += [(column, (*table.path, "columns", column)) for column in table.raw.columns]
    for kind in found.kinds.values():
        paths += [(one, (*kind.path, "fields", one)) for one in kind.raw.fields]
    for grid in found.grids.values():
        paths += [(region, (*grid.path, "regions", region)) for region in grid.raw.regions]
    for name, path in paths:
        check_name(reading, name, reading.places.key(path))


def check_name(reading: Reading, name: str, span: Span) -> bool:
    """Whether a name has the right shape and is free to be used."""
    if is_name(name) and not is_mark(name):
        return True
    if name in RESERVED:
        text, hint = f"{quoted(name)} is a word of the language and cannot be a name", ""
    elif is_mark(name):
        text, hint = f"{quoted(name)} is a mark and cannot be a name", ""
    else:
        text = f"{quoted(name)} cannot be a name"
        hint = "a name has small letters, digits and underscores, and does not begin with a digit"
    reading.errors.add("W233", text, span, hint=hint)
    return False


def _check_top(reading: Reading) -> None:
    """A table, zone, kind, series, matrix, die, group of figures, variable of the game and region share one space."""
    found, key = reading.sections, reading.places.key
    space = Namespace(reading.errors)
    lists = frozenset({"word list"})
    for name, table in found.tables.items():
        space.declare(name, "table", key(table.path))
    for (owner, name), variable in found.variables.items():
        if isinstance(variable.raw.type, list):
            space.declare(name, "word list", key(variable.path))
            if owner == "game":
                space.declare(name, "variable", key(variable.path), lists)
        elif owner == "game":
            space.declare(name, "variable", key(variable.path))
    for name, matrix in found.matrices.items():
        if isinstance(matrix.raw.of, list):
            space.declare(name, "word list", key(matrix.path))
            space.declare(name, "matrix", key(matrix.path), lists)
        else:
            space.declare(name, "matrix", key(matrix.path))
    for name, kind in found.kinds.items():
        space.declare(name, "kind", key(kind.path), frozenset({"table"} if kind.raw.rows == name else ()))
    for name, zone in found.zones.items():
        space.declare(name, "zone", key(zone.path))
    for name, one in found.series.items():
        space.declare(name, "series", key(one.path))
    for name, die in found.dice.items():
        space.declare(name, "die", key(die.path))
    for name, path in found.groups.items():
        space.declare(name, "group of figures", key(path))
    for grid in found.grids.values():
        for region in grid.raw.regions:
            space.declare(region, "region", key((*grid.path, "regions", region)))
    for name, places in space.taken.items():
        if name in VALUE_NAMES or name in NAMED or name in ("game", "kind"):
            text = f"{quoted(name)} has a meaning of its own in the language"
            reading.errors.add("W233", text, places[0][1], hint="take another name")


def _check_owned(reading: Reading) -> None:
    """What follows the dot: the zones and variables of a player; fields, zones and variables of a kind."""
    found, key = reading.sections, reading.places.key
    for owner in ("player", *found.kinds):
        space = Namespace(reading.errors)
        if owner in found.kinds:
            kind = found.kinds[owner]
            for name in kind.raw.fields:
                space.declare(name, "field", key((*kind.path, "fields", name)))
            if kind.raw.rows in found.tables:
                table = found.tables[kind.raw.rows]
                for name in table.raw.columns:
                    space.declare(name, "field", key((*table.path, "columns", name)))
        for name, zone in found.zones.items():
            if owner in zone.raw.each:
                space.declare(name, "zone", key(zone.path))
        for (holder, name), variable in found.variables.items():
            if holder == owner:
                space.declare(name, "variable", key(variable.path))
        for name in space.taken.keys() & ATTRIBUTE_NAMES if owner in found.kinds else ():
            text = f"every piece has {quoted(name)} already"
            reading.errors.add("W233", text, space.taken[name][0][1], hint="take another name")
    for name, one in found.tables.items():
        space = Namespace(reading.errors)
        for column in one.raw.columns:
            space.declare(column, "column", key((*one.path, "columns", column)))
        for own, zone in found.zones.items():
            if name not in found.kinds and tuple(zone.raw.each) == (name,):
                space.declare(own, "zone", key(zone.path))
