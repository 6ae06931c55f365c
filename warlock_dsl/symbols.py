"""What there is to be named in a game: symbols, by what they are, what they belong to, and their own name last."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from attrs import field, frozen

from warlock_dsl.diagnostics.diagnostic import Span
from warlock_dsl.syntax import tree as syntax
from warlock_dsl.tables.components import Components, table_of_keys
from warlock_dsl.types import Type

Symbol = tuple[str, ...]  # ("rule", "draw"), ("row", "colour", "red"), ("local", file, line, column, "x"), ...
_ID = re.compile(r"[A-Za-z][\w.-]*\w|[A-Za-z]")


@frozen
class Place:
    """Where a symbol is named, and whether it is declared there."""

    span: Span
    symbol: Symbol
    defines: bool = False


def local(span: Span, name: str) -> Symbol:
    """A name that is bound inside a rule: by the place where it is."""
    return ("local", span.file, str(span.line), str(span.column), name)


@frozen(eq=False)
class Symbols:
    """Every name of the tables and of the rules."""

    kinds: Mapping[str, str] = field(factory=dict)  # with the table each is made from, or ""
    rows: Mapping[str, Sequence[str]] = field(factory=dict)  # of each table
    columns: Mapping[str, Mapping[str, Type]] = field(factory=dict)  # of each table
    fields: Mapping[str, Mapping[str, Type]] = field(factory=dict)  # of each kind
    figures: frozenset[tuple[str, str]] = frozenset()
    zones: Mapping[int, Symbol] = field(factory=dict)
    variables: Mapping[int, Symbol] = field(factory=dict)
    defines: frozenset[str] = frozenset()
    rules: frozenset[str] = frozenset()
    families: Mapping[str, str] = field(factory=dict)  # of rules, with the table that has the keys, or ""
    members: Mapping[str, frozenset[str]] = field(factory=dict)
    ids: Mapping[str, Symbol] = field(factory=dict)  # of the ledger, the rulings and the differences
    by_name: Mapping[str, tuple[Symbol, ...]] = field(factory=dict)
    same: Mapping[Symbol, Symbol] = field(factory=dict)  # symbols that are declared as one

    @staticmethod
    def of(parts: Components, modules: Iterable[syntax.Module]) -> Symbols:
        declared = [one for module in modules for one in module.declarations]
        rules = [one for one in declared if isinstance(one, syntax.Rule)]
        members: dict[str, list[str]] = {}
        for rule in rules:
            if rule.key is not None:
                members.setdefault(rule.name.text, []).append(rule.key.text)
        rows = {name: table.rows for name, table in parts.tables.items()}
        variables: dict[int, Symbol] = {
            one.number: ("variable", owner, name) for (owner, name), one in parts.variables.items()
        }
        ids: dict[str, Symbol] = {one: ("ledger", one) for one in parts.ledger}
        ids |= {one: ("ruling", one) for one in parts.rulings} | {one: ("difference", one) for one in parts.differences}
        found: list[Symbol] = [("kind", one) for one in parts.kinds]
        found += [("table", one) for one in parts.tables]
        found += [("row", table, row) for table, names in rows.items() for row in names]
        found += [("column", one.name, name) for one in parts.tables.values() for name in one.columns]
        found += [("field", one.name, name) for one in parts.kinds.values() for name in one.fields]
        found += [("zone", one) for one in parts.zones] + list(variables.values())
        found += [("series", one) for one in parts.series] + [("matrix", one) for one in parts.matrices]
        found += [("die", one) for one in parts.dice] + [("grid", one) for one in parts.grids]
        found += [("region", grid.name, name) for grid in parts.grids.values() for name in grid.regions]
        found += [("group", one) for one in dict.fromkeys(group for group, _ in parts.figures)]
        found += [("figure", *one) for one in parts.figures]
        found += [("rule", one) for one in dict.fromkeys(rule.name.text for rule in rules)]
        what = {syntax.Define: "define", syntax.Score: "score", syntax.Invariant: "invariant"}
        found += [(one.kind, one.name.text) for one in declared if isinstance(one, syntax.Property)]
        found += [(what[type(one)], one.name.text) for one in declared if type(one) in what]
        same = _same(parts, variables.values())
        by_name: dict[str, dict[Symbol, None]] = {}
        for symbol in found:
            by_name.setdefault(symbol[-1], {})[same.get(symbol, symbol)] = None
        return Symbols(
            {name: kind.table for name, kind in parts.kinds.items()},
            rows,
            {one.name: {name: column.type for name, column in one.columns.items()} for one in parts.tables.values()},
            {one.name: {name: column.type for name, column in one.fields.items()} for one in parts.kinds.values()},
            frozenset(parts.figures),
            {zone.number: ("zone", zone.name) for zone in parts.zones.values()},
            variables,
            frozenset(one.name.text for one in declared if isinstance(one, syntax.Define)),
            frozenset(rule.name.text for rule in rules),
            {family: table_of_keys(parts.families.get(family, ()), rows) for family in members},
            {family: frozenset(keys) for family, keys in members.items()},
            ids,
            {name: tuple(symbols) for name, symbols in by_name.items()},
            same,
        )

    def canonical(self, symbol: Symbol) -> Symbol:
        """The symbol that stands for all that are declared as one."""
        return self.same.get(symbol, symbol)

    def first(self, name: str, *whats: str) -> Symbol | None:
        """What a name is, of these sorts, the first before the others."""
        found = self.by_name.get(name, ())
        return next((symbol for what in whats for symbol in found if symbol[0] == what), None)

    def only(self, name: str, *whats: str) -> Symbol | None:
        """What a name is, if it can be one thing only, of these sorts or of all."""
        found = [one for one in self.by_name.get(name, ()) if not whats or one[0] in whats]
        return found[0] if len(found) == 1 else None

    def member(self, family: str, key: str) -> Symbol | None:
        """A member of a family: a row of the table that has its keys, or a name of its own."""
        if key not in self.members.get(family, ()):
            return None
        table = self.families.get(family, "")
        return ("row", table, key) if table else ("member", family, key)

    def pair(self, one: str, other: str) -> tuple[Symbol | None, Symbol | None]:
        """What the two parts of an address are."""
        if (one, other) in self.figures:
            return ("group", one), ("figure", one, other)
        if other in self.rows.get(one, ()):
            return ("table", one), ("row", one, other)
        if other in self.columns.get(one, {}):
            return ("table", one), ("column", one, other)
        if other in self.fields.get(one, {}):
            return ("kind", one), ("field", one, other)
        if self.member(one, other) is not None:
            return ("rule", one), self.member(one, other)
        if ("variable", one, other) in self.variables.values():
            return self.first(one, "kind"), ("variable", one, other)
        return None, None

    def cited(self, text: str, span: Span) -> Iterator[tuple[Span, Symbol]]:
        """The ids of a mark, each with its place; none where escapes hide it."""
        quote = 0 if span.line != span.end_line else span.end_column - 1 - len(text)
        for found in _ID.finditer(text.partition(":")[0]):
            if found.group() in self.ids and quote > 0:
                start = quote + found.start()
                yield Span(span.file, span.line, start, span.line, start + len(found.group())), self.ids[found.group()]


def _same(parts: Components, variables: Iterable[Symbol]) -> dict[Symbol, Symbol]:
    """A list of words written in a variable or a matrix is a table by its name; the fields of a kind that is made from
    a table are its columns."""
    found: dict[Symbol, Symbol] = {}
    for symbol in variables:
        if symbol[-1] in parts.tables and parts.tables[symbol[-1]].span.line == _line(parts, symbol):
            found["table", symbol[-1]] = symbol
    for name in parts.matrices:
        if name in parts.tables:
            found["table", name] = ("matrix", name)
    for kind in parts.kinds.values():
        for name in kind.fields if kind.table else ():
            if name in parts.tables[kind.table].columns:
                found["field", kind.name, name] = ("column", kind.table, name)
    return found


def _line(parts: Components, symbol: Symbol) -> int:
    return parts.variables[symbol[1], symbol[2]].span.line
