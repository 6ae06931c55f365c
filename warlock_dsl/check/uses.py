"""What the rules of a game read of its tables, found in the checked program and in the words of its files."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import chain

from warlock_dsl.check import program as checked
from warlock_dsl.diagnostics.diagnostic import Span
from warlock_dsl.syntax import tree as syntax
from warlock_dsl.syntax.walk import nodes, nodes_of_declaration, nodes_of_program
from warlock_dsl.tables.components import Components
from warlock_dsl.types import PieceType

Use = tuple[str, ...]  # ("zone", name), ("variable", owner, name), ("field", kind, name), ("name", word), ...


def uses_of(
    program: checked.Program,
    components: Components,
    modules: Sequence[syntax.Module],
    doubtful: Collection[str] = (),
    properties: Sequence[object] = (),
) -> dict[Use, Span]:
    """Everything that is read, each with the first place; what doubtful words may mean counts as read."""
    zones = {zone.number: zone.name for zone in components.zones.values()}
    variables = {variable.number: key for key, variable in components.variables.items()}
    found: dict[Use, Span] = {}
    for node in chain(nodes_of_program(program), nodes(tuple(properties))):
        match node:
            case checked.ZoneOf():
                found.setdefault(("zone", zones[node.zone]), node.span)
            case checked.VariableOf():
                found.setdefault(("variable", *variables[node.variable]), node.span)
            case checked.Change():
                for number, _, _ in node.changes:
                    found.setdefault(("variable", *variables[number]), node.span)
            case checked.FigureRef():
                found.setdefault(("figure", node.group, node.name), node.span)
            case checked.Field():
                for kind in node.of.type.kinds if isinstance(node.of.type, PieceType) else ():
                    found.setdefault(("field", kind, node.name), node.span)
            case checked.Cell():
                found.setdefault(("column", node.table, node.column), node.span)
            case checked.Lookup():
                found.setdefault((node.what, node.name), node.span)
            case checked.Narrow():
                for kind in node.kinds:
                    found.setdefault(("name", kind), node.span)
            case _:
                pass
    for word, span in _words(components, modules):
        found.setdefault(("name", word), span)
    for use in _possible(components):
        if use[-1] in doubtful:
            found.setdefault(use, components.span)
    return found


def _possible(parts: Components) -> Iterator[Use]:
    """Everything that could be read."""
    yield from (("zone", name) for name in parts.zones)
    yield from (("variable", *key) for key in parts.variables)
    yield from (("figure", *key) for key in parts.figures)
    yield from (("field", kind.name, name) for kind in parts.kinds.values() for name in kind.fields)
    yield from (("column", table.name, name) for table in parts.tables.values() for name in table.columns)
    yield from (("series", name) for name in parts.series)
    yield from (("matrix", name) for name in parts.matrices)
    yield from (("name", name) for name in (*parts.dice, *parts.tables, *parts.kinds))
    yield from (("name", region) for grid in parts.grids.values() for region in grid.regions)


def _words(components: Components, modules: Sequence[syntax.Module]) -> Iterator[tuple[str, Span]]:
    """Names that leave no trace in a checked program: regions, dice, tables and their rows, types."""
    tables: dict[str, list[str]] = {}
    for table in components.tables.values():
        for row in table.rows:
            tables.setdefault(row, []).append(table.name)
    declarations = (one for module in modules for one in module.declarations)
    for node in chain.from_iterable(map(nodes_of_declaration, declarations)):
        if isinstance(node, syntax.Name | syntax.TypeName):
            yield node.text, node.span
            for table_name in tables.get(node.text, ()):
                yield table_name, node.span
