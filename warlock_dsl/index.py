"""Every definition and every use of a name, over the rules, the tables, the files of pieces, overlays and catalogues.

What a name of the rules means was found when they were checked (`Seen`); this puts it into words that rules and tables
share. A symbol is a tuple: what it is, what it belongs to, and its own name last.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence

from attrs import define, field, frozen

from warlock_dsl.check import program as checked
from warlock_dsl.check.context import Seen
from warlock_dsl.check.names import Bound
from warlock_dsl.diagnostics.diagnostic import Span
from warlock_dsl.index_tables import table_places
from warlock_dsl.index_texts import Texts
from warlock_dsl.ruleset import Loaded
from warlock_dsl.symbols import Place, Symbol, Symbols, local
from warlock_dsl.syntax import tree as syntax
from warlock_dsl.syntax.walk import nodes
from warlock_dsl.types import KeyType, ListType, PieceType, RowType, Type


@frozen(eq=False)
class Index:
    """The places of every symbol, and the symbol at every place."""

    places: Mapping[Symbol, tuple[Place, ...]]
    files: Mapping[str, tuple[Place, ...]] = field(repr=False)  # in reading order
    types: Mapping[Span, Type] = field(repr=False)  # of the names in the rules
    symbols: Symbols = field(repr=False)

    def at(self, file: str, line: int, column: int) -> Place | None:
        """The name at a place, or that ends there."""
        found = self.files.get(file, ())
        where = bisect_right(found, (line, column), key=lambda one: (one.span.line, one.span.column)) - 1
        if where < 0:
            return None
        span = found[where].span
        return found[where] if span.line == line and column <= span.end_column else None

    def of(self, symbol: Symbol) -> tuple[Place, ...]:
        return self.places.get(symbol, ())

    def definitions(self, symbol: Symbol) -> tuple[Place, ...]:
        return tuple(place for place in self.of(symbol) if place.defines)


def index_of(loaded: Loaded) -> Index:
    """The index of a ruleset, also of one with errors; empty where its tables could not be read."""
    if loaded.draft is None or loaded.final is None:
        return Index({}, {}, {}, Symbols())
    symbols = Symbols.of(loaded.draft.components, loaded.final.modules)
    finder = _Finder(symbols)
    for seen in loaded.draft.seen:
        finder.resolved(seen)
    for module in loaded.final.modules:
        for declaration in module.declarations:
            finder.declaration(declaration)
    if loaded.draft.program.start >= 0:
        finder.texts(Texts(loaded.draft, symbols, list(finder.found.values())))
    found = [*finder.found.values(), *table_places(loaded.sources, symbols)]
    return _index(found, finder.types, symbols)


def _index(found: Sequence[Place], types: Mapping[Span, Type], symbols: Symbols) -> Index:
    places: dict[Symbol, dict[Span, Place]] = {}
    files: dict[str, dict[Span, Place]] = {}
    for place in found:
        places.setdefault(place.symbol, {})[place.span] = place
        files.setdefault(place.span.file, {}).setdefault(place.span, place)
    ordered = {symbol: tuple(sorted(group.values(), key=_where)) for symbol, group in places.items()}
    by_file = {file: tuple(sorted(group.values(), key=_where)) for file, group in files.items()}
    return Index(ordered, by_file, types, symbols)


def _where(place: Place) -> Span:
    return place.span


@define
class _Finder:
    """The places of names in the rules."""

    symbols: Symbols
    found: dict[tuple[Span, Symbol], Place] = field(factory=dict)
    types: dict[Span, Type] = field(factory=dict)
    locals: set[Span] = field(factory=set)

    def put(self, span: Span, symbol: Symbol | None, defines: bool = False) -> None:
        if symbol is not None:
            place = Place(span, self.symbols.canonical(symbol), defines)
            self.found[span, place.symbol] = place

    # ------------------------------------------------------------ what the check resolved

    def resolved(self, seen: Seen) -> None:
        node, made = seen.node, seen.made
        if seen.bound is not None and isinstance(node, syntax.Name):
            self.local(node, seen.bound, made is None)
            return
        if made is None:
            return
        match node:
            case syntax.Name():
                self.types[node.span] = made.type
                self.put(node.span, self.bare(node.text, made))
            case syntax.Attribute():
                self.types[node.name_span] = made.type
                self.attribute(node, made)
            case syntax.Index():
                self.index(node, made)
            case syntax.Call():
                self.types[node.name.span] = made.type
                if node.name.text in self.symbols.defines:
                    self.put(node.name.span, ("define", node.name.text))
            case syntax.Binary():
                self.kind_test(node)

    def local(self, node: syntax.Name, bound: Bound, defines: bool) -> None:
        self.types[node.span] = bound.type
        self.locals.add(node.span)
        self.put(node.span, local(bound.span, node.text), defines)

    def bare(self, text: str, made: checked.Expr) -> Symbol | None:
        match made:
            case checked.VariableOf():
                return self.symbols.variables.get(made.variable)
            case checked.ZoneOf():
                return self.symbols.zones.get(made.zone)
            case checked.Apply():
                return ("define", text)
            case checked.Const(type=RowType(table)) if text in self.symbols.rows.get(table, ()):
                return ("row", table, text)
            case checked.Const(type=KeyType(family)):
                return ("member", family, text)
            case checked.Const(type=ListType()):
                return self.symbols.first(text, "die", "table", "rule")
            case checked.Const():
                return self.symbols.first(text, "region")
            case _:
                return None

    def attribute(self, node: syntax.Attribute, made: checked.Expr) -> None:
        of = node.of.text if isinstance(node.of, syntax.Name) else ""
        match made:
            case checked.VariableOf():
                self.put(node.name_span, self.symbols.variables.get(made.variable))
            case checked.ZoneOf():
                self.put(node.name_span, self.symbols.zones.get(made.zone))
            case checked.FigureRef():
                self.put(node.of.span, ("group", made.group))
                self.put(node.name_span, ("figure", made.group, made.name))
            case checked.Cell():
                self.put(node.name_span, ("column", made.table, made.column))
            case checked.Field():
                for kind in made.of.type.kinds if isinstance(made.of.type, PieceType) else ():
                    self.put(node.name_span, ("field", kind, made.name))
            case checked.Const(type=RowType(table)):
                self.put(node.of.span, ("table", of) if of in self.symbols.rows else ("rule", of))
                self.put(node.name_span, ("row", table, node.name))
            case checked.Const(type=KeyType(family)):
                self.put(node.of.span, ("rule", family))
                self.put(node.name_span, ("member", family, node.name))
            case _:
                pass

    def index(self, node: syntax.Index, made: checked.Expr) -> None:
        if isinstance(made, checked.Lookup) and made.what in ("series", "matrix"):
            self.put(node.of.span, (made.what, made.name))
        elif isinstance(made, checked.Lookup) and made.what == "row":
            self.put(node.of.span, ("table", made.name))
        elif isinstance(made, checked.Narrow):
            for key in node.keys:
                if isinstance(key, syntax.Name):
                    self.put(key.span, ("kind", key.text))

    def kind_test(self, node: syntax.Binary) -> None:
        right = node.right.of if isinstance(node.right, syntax.Not) else node.right
        if node.op == "is" and isinstance(right, syntax.Name) and right.text in self.symbols.kinds:
            self.put(right.span, ("kind", right.text))

    def texts(self, texts: Texts) -> None:
        """The names in catalogues; those that a text is given are names of its rule or its piece."""
        for found in texts.found():
            if isinstance(found, Place):
                self.put(found.span, found.symbol)
            elif found[1] is None:
                self.resolved(found[0])
            else:
                self.put(found[0].node.span, found[1])

    # ------------------------------------------------------------ what every declaration says by its form

    def declaration(self, node: syntax.Declaration) -> None:
        what = {syntax.Define: "define", syntax.Rule: "rule", syntax.Score: "score", syntax.Invariant: "invariant"}
        if isinstance(node, syntax.Reveals):
            self.reveals(node)
        else:
            kind = node.kind if isinstance(node, syntax.Property) else what[type(node)]
            self.put(node.name.span, (kind, node.name.text), True)
        if isinstance(node, syntax.Rule) and node.key is not None:
            self.put(node.key.span, self.symbols.member(node.name.text, node.key.text), True)
        for mark in node.marks:
            for span, symbol in self.symbols.cited(mark.text, mark.span):
                self.put(span, symbol)
        for inner in nodes(node):
            match inner:
                case syntax.TypeName(items=None):
                    self.put(inner.span, self.symbols.first(inner.text, "kind", "table", "rule"))
                case syntax.Hook():
                    self.hook(inner)
                case syntax.Call():
                    self.call(inner)
                case _:
                    pass

    def reveals(self, node: syntax.Reveals) -> None:
        if node.name.text in self.symbols.rules:
            self.put(node.name.span, ("rule", node.name.text))
            if node.key is not None:
                self.put(node.key.span, self.symbols.member(node.name.text, node.key.text))
        for place in node.places:
            self.put(place.span, self.symbols.first(place.text, "zone", "variable"))

    def hook(self, hook: syntax.Hook) -> None:
        if hook.target.text in self.symbols.rules:
            self.put(hook.target.span, ("rule", hook.target.text))
        if hook.key is not None:
            self.put(hook.key.span, self.symbols.member(hook.target.text, hook.key.text))
        if hook.every is not None:
            self.put(hook.every.source.span, self.symbols.first(hook.every.source.text, "table", "rule"))

    def call(self, call: syntax.Call) -> None:
        if call.name.text not in self.symbols.rules or call.name.span in self.locals:
            return
        self.put(call.name.span, ("rule", call.name.text))
        key = call.key
        if isinstance(key, syntax.Name) and key.span not in self.locals:
            self.put(key.span, self.symbols.member(call.name.text, key.text))
