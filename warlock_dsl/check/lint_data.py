"""Data that no rule reads: columns, fields, figures, zones, variables, kinds, tables that only lie there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from warlock_dsl.check.context import CheckInput
from warlock_dsl.check.uses import Use, uses_of
from warlock_dsl.diagnostics.diagnostic import Diagnostic, Related, Severity, Span
from warlock_dsl.sight import read_by_sight, seen_by_all
from warlock_dsl.tables.components import Column, Components, Kind, Value
from warlock_dsl.types import RegionType, Type, bounded, tables_in

Uses = Mapping[Use, Span]


def warning(code: str, message: str, span: Span, label: str, hint: str = "", *related: Related) -> Diagnostic:
    return Diagnostic(code, message, span, label, hint, Severity.WARNING, related)


TAKE_AWAY = "use it in a rule, or take it away"


def check_data(given: CheckInput) -> Iterator[Diagnostic]:
    """Everything the tables declare that no rule ever reads."""
    components = given.components
    uses = uses_of(given.program, components, given.modules, given.suspects.words, given.properties)
    yield from _columns(uses, components)
    yield from _fields(uses, components)
    yield from _figures(uses, components)
    yield from _lookups(uses, components)
    yield from _places(uses, components)
    yield from _secrets(components)
    yield from _kinds_and_tables(uses, components)


def _columns(uses: Uses, parts: Components) -> Iterator[Diagnostic]:
    for table in parts.tables.values():
        for name, column in table.columns.items():
            if ("column", table.name, name) in uses or any(
                grid.table == table.name and name in grid.columns for grid in parts.grids.values()
            ):
                continue
            made = [kind for kind in parts.kinds.values() if kind.table == table.name]
            if any(("field", kind.name, name) in uses or _copies(kind, column) for kind in made):
                continue
            yield warning(
                "W420", f"nothing reads column '{name}' of table '{table.name}'", column.span, "unread", TAKE_AWAY
            )


def _copies(kind: Kind, column: Column) -> bool:
    """Whether a column says how many pieces there are of each row."""
    return tuple(column.values) == tuple(kind.faces.count(row) for row in range(len(column.values)))


def _fields(uses: Uses, parts: Components) -> Iterator[Diagnostic]:
    for kind in parts.kinds.values():
        if kind.table:
            continue  # its fields are the columns of its table, looked at there
        shown_by = parts.looks.get(f"kind.{kind.name}", {}).get("by", "")
        for name, column in kind.fields.items():
            if ("field", kind.name, name) not in uses and name not in (kind.called_by, shown_by):
                yield warning(
                    "W421", f"nothing reads field '{name}' of kind '{kind.name}'", column.span, "unread", TAKE_AWAY
                )


def _figures(uses: Uses, parts: Components) -> Iterator[Diagnostic]:
    for (group, name), figure in parts.figures.items():
        read = uses.get(("figure", group, name))
        if read is None and not figure.idle:
            hint = "use it in a rule, take it away, or say in 'idle' why no rule reads it"
            yield warning("W422", f"nothing reads figure '{group}.{name}'", figure.span, "unread", hint)
        if read is not None and figure.idle:
            yield warning(
                "W423",
                f"figure '{group}.{name}' is called idle and is read",
                figure.span,
                "idle",
                "take 'idle' away",
                Related(read, "read here"),
            )


def _lookups(uses: Uses, parts: Components) -> Iterator[Diagnostic]:
    sections = (("series", parts.series), ("matrix", parts.matrices), ("die", parts.dice))
    for what, section in sections:
        for name, entry in section.items():
            if (what, name) not in uses and not (what == "die" and ("name", name) in uses):
                yield warning("W424", f"nothing reads {what} '{name}'", entry.span, "unread", TAKE_AWAY)


def _places(uses: Uses, parts: Components) -> Iterator[Diagnostic]:
    for zone in parts.zones.values():
        if ("zone", zone.name) not in uses:
            yield warning("W425", f"no rule uses zone '{zone.name}'", zone.span, "unused", TAKE_AWAY)
    read = read_by_sight(parts)
    for (owner, name), variable in parts.variables.items():
        if ("variable", owner, name) not in uses and (owner, name) not in read:
            whose = f" of {owner}" if owner else ""
            yield warning("W426", f"no rule uses variable '{name}'{whose}", variable.span, "unused", TAKE_AWAY)
    valued = {value for type_, value in _values(parts) if isinstance(type_, RegionType)}
    for grid in parts.grids.values():
        if all(zone.grid != grid.name for zone in parts.zones.values()):
            yield warning(
                "W427", f"no zone has grid '{grid.name}'", grid.span, "unused", "give it to a zone, or take it away"
            )
        for region, cells in grid.regions.items():
            if ("name", region) not in uses and tuple(cells) not in valued:
                yield warning(
                    "W427", f"nothing uses region '{region}' of grid '{grid.name}'", grid.span, "unused", TAKE_AWAY
                )


def _secrets(parts: Components) -> Iterator[Diagnostic]:
    """Hidden numbers without a range: whoever has to guess one cannot imagine another."""
    for variable in parts.variables.values():
        needs_range = bounded(variable.type, True) and not bounded(variable.type, variable.low is not None)
        if needs_range and not seen_by_all(variable):
            yield warning(
                "W457",
                f"hidden variable '{variable.name}' may be any number: nobody can imagine another one",
                variable.span,
                "no range",
                'give it a range, as in "0..20": bots and fuzz deal hidden values anew, but leave this one as it is',
            )


def _values(parts: Components) -> Iterator[tuple[Type, Value]]:
    columns = [column for table in parts.tables.values() for column in table.columns.values()]
    columns += [column for kind in parts.kinds.values() for column in kind.fields.values()]
    for column in columns:
        for value in column.values:
            yield column.type, value
    for figure in parts.figures.values():
        yield figure.type, figure.value


def _kinds_and_tables(uses: Uses, parts: Components) -> Iterator[Diagnostic]:
    for kind in parts.kinds.values():
        lies = any(kind.name in zone.kinds and ("zone", zone.name) in uses for zone in parts.zones.values())
        if ("name", kind.name) not in uses and not lies:
            yield warning("W428", f"no rule has to do with kind '{kind.name}'", kind.span, "unused", TAKE_AWAY)
    read = _read_tables(uses, parts)
    for table in parts.tables.values():
        if table.name not in read and not table.columns:  # one with columns is reported column by column
            yield warning("W429", f"no rule reads table '{table.name}'", table.span, "unread", TAKE_AWAY)


def _read_tables(uses: Uses, parts: Components) -> set[str]:
    """Tables that a rule names, and those whose rows stand in data that a rule reads."""
    types: list[Type] = [
        figure.type for (group, name), figure in parts.figures.items() if ("figure", group, name) in uses
    ]
    types += [v.type for (owner, name), v in parts.variables.items() if ("variable", owner, name) in uses]
    for table in parts.tables.values():
        types += [column.type for name, column in table.columns.items() if ("column", table.name, name) in uses]
    for kind in parts.kinds.values():
        types += [column.type for name, column in kind.fields.items() if ("field", kind.name, name) in uses]
    read = {use[1] for use in uses if use[0] in ("name", "column")}
    read.update(table for type_ in types for table in tables_in(type_))
    for matrix in parts.matrices.values():
        if ("matrix", matrix.name) in uses:
            read.update((matrix.rows, matrix.columns, matrix.of))
    read.update(die.of for die in parts.dice.values() if ("name", die.name) in uses)
    read.update(kind.table for kind in parts.kinds.values())
    read.update(one.by for (owner, name), one in parts.variables.items() if ("variable", owner, name) in uses)
    read.update(one.by for one in parts.zones.values() if ("zone", one.name) in uses)
    return read
