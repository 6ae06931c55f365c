"""What a bare name, `x.y` and `T[k]` mean."""

from __future__ import annotations

from attrs import define

from warlock_dsl.check import program as checked
from warlock_dsl.check.base import Base, bad
from warlock_dsl.check.names import FamilyEntry, Scope, listed
from warlock_dsl.diagnostics.diagnostic import Span
from warlock_dsl.primitives import ATTRIBUTE_NAMES, reads_me
from warlock_dsl.signatures import attributes, values
from warlock_dsl.syntax import tree as syntax
from warlock_dsl.tables.components import Kind
from warlock_dsl.types import (
    NUMBER,
    PLAYER,
    REGION,
    KeyType,
    ListType,
    MapType,
    PieceType,
    PlayerType,
    RowType,
    Type,
    UnknownType,
    ZoneType,
    words,
)


@define
class Lookups(Base):
    """Names, attributes and indices."""

    def definition(self, name: str, span: Span) -> checked.Define | None:
        """A definition, typed by now; nothing if that failed."""
        raise NotImplementedError

    # -------------------------------------------------------------- names

    def name(self, scope: Scope, node: syntax.Name, expected: Type | None) -> checked.Expr:
        text, span = node.text, node.span
        local = scope.names.get(text)
        if local is not None:
            return checked.Local(local.slot, local.type, span)
        if isinstance(expected, KeyType) and text in self.names.families[expected.family].members:
            return self.key(self.names.families[expected.family], text, span)
        if text == "my":
            return self.failed(
                "W313", "'my' needs a dot after it", span, "whose what?", "write 'me', or 'my.x' for 'me.x'"
            )
        if text in values():
            return self.value_word(scope, text, span)
        if text in self.names.defines:
            return self.bare_definition(text, span)
        return self.noun(text, span) or self.row(scope, node, expected)

    def value_word(self, scope: Scope, text: str, span: Span) -> checked.Expr:
        if reads_me(text) and not scope.me:
            return self.nobody(text, span)
        if text == "me":
            return checked.Local(0, PLAYER, span)
        return checked.Primitive(text, (), values()[text], span)

    def nobody(self, text: str, span: Span) -> checked.Expr:
        hint = "speak of everybody, as in all(p in players: ...), or hang the invariant on a rule"
        return self.failed("W330", f"'{text}' means nobody in an invariant of the whole game", span, "who?", hint)

    def bare_definition(self, text: str, span: Span) -> checked.Expr:
        entry = self.names.defines[text]
        if entry.node.parameters:
            shown = ", ".join(parameter.name.text for parameter in entry.node.parameters)
            return self.failed("W308", f"'{text}' needs arguments", span, "none are given", f"write {text}({shown})")
        made = self.definition(text, span)
        return bad(span) if made is None else checked.Apply(entry.number, (), made.type, span)

    def noun(self, text: str, span: Span) -> checked.Expr | None:
        """A name that the tables give, rows aside, or a family of rules."""
        parts, names = self.components, self.names
        variable, zone = names.game_variable(text), names.table_zone(text)
        if variable is not None:
            return checked.VariableOf(variable.number, None, variable.type, span)
        if zone is not None:
            return checked.ZoneOf(zone.number, None, ZoneType(zone.kinds, bool(zone.grid)), span)
        if text in parts.series or text in parts.matrices:
            keys = "n" if text in parts.series else "a, b"
            return self.failed(
                "W313", f"'{text}' is looked up with a key", span, "no key is given", f"write {text}[{keys}]"
            )
        if text in parts.dice:
            return checked.Const(parts.dice[text].faces, ListType(RowType(parts.dice[text].of)), span)
        if text in names.groups:
            hint = "its figures: " + ", ".join(name for group, name in parts.figures if group == text)
            return self.failed("W313", f"'{text}' is a group of figures", span, "which one?", hint)
        if text in parts.tables:
            return checked.Const(tuple(range(len(parts.tables[text].rows))), ListType(RowType(text)), span)
        if text in names.regions:
            return self.region(text, span)
        if text in names.families:
            return self.family_keys(names.families[text], span)
        return None

    def region(self, text: str, span: Span) -> checked.Expr:
        grids = self.names.regions[text]
        if len(grids) > 1:
            return self.failed(
                "W303", f"'{text}' is a region of several grids", span, "which one?", f"grids {listed(grids)}"
            )
        return checked.Const(tuple(self.components.grids[grids[0]].regions[text]), REGION, span)

    def key_type(self, family: FamilyEntry) -> Type:
        return RowType(family.table) if family.table else KeyType(family.name)

    def key(self, family: FamilyEntry, text: str, span: Span) -> checked.Expr:
        return checked.Const(self.key_number(family, text), self.key_type(family), span)

    def key_number(self, family: FamilyEntry, text: str) -> int:
        if family.table:
            return self.components.tables[family.table].rows.index(text)
        return list(family.members).index(text)

    def family_keys(self, family: FamilyEntry, span: Span) -> checked.Expr:
        keys = tuple(self.key_number(family, key) for key in family.members)
        return checked.Const(keys, ListType(self.key_type(family)), span)

    def row(self, scope: Scope, node: syntax.Name, expected: Type | None) -> checked.Expr:
        """A bare row of some table; where several tables have it, the type that is expected decides."""
        text, span = node.text, node.span
        tables = self.names.rows.get(text, [])
        if len(tables) == 1:
            return self.table_row(tables[0], text, span)
        if isinstance(expected, RowType) and expected.table in tables:
            return self.table_row(expected.table, text, span)
        if tables:
            ways = ", ".join(f"{table}.{text}" for table in tables)
            return self.failed(
                "W303", f"'{text}' is a row of several tables", span, "which one?", f"write one of {ways}"
            )
        return self.unknown_name(scope, text, span)

    def table_row(self, table: str, row: str, span: Span) -> checked.Expr:
        return checked.Const(self.components.tables[table].rows.index(row), RowType(table), span)

    def unknown_name(self, scope: Scope, text: str, span: Span) -> checked.Expr:
        parts = self.components
        hint = ""
        if ("player", text) in parts.variables or (text in parts.zones and parts.zones[text].owner == "player"):
            hint = f"every player has one: write my.{text} or p.{text}"
        elif text in parts.kinds:
            hint = f"a kind of piece is no value; the pieces of a zone of that kind are Z[{text}]"
        elif text in self.names.rules:
            hint = "a rule is no value; it is called as a statement, with brackets"
        elif self.names.word(text):
            hint = f"a function needs brackets: {text}(...)"
        else:
            hint = self.closest(text, [*scope.names, *self.names.bare(), *self.names.indexed()])
        return self.failed("W301", f"there is no '{text}' here", span, "unknown name", hint)

    # --------------------------------------------------------- attributes

    def attribute(self, scope: Scope, node: syntax.Attribute) -> checked.Expr:
        if isinstance(node.of, syntax.Name) and node.of.text not in scope.names:
            found = self.qualified(scope, node.of, node)
            if found is not None:
                return found
        of = self.expr(scope, node.of)
        type_ = of.type
        if isinstance(type_, UnknownType):
            return bad(node.span)
        if isinstance(type_, PlayerType):
            return self.of_player(of, node)
        if isinstance(type_, PieceType):
            return self.of_piece(of, type_, node)
        if isinstance(type_, RowType):
            return self.of_row(of, type_.table, node)
        hint = ""
        if isinstance(type_, ListType | ZoneType):
            hint = f"take it of each element: [x in ...: x.{node.name}]"
        return self.failed(
            "W305", f"{words(type_)} has no attributes".capitalize(), node.name_span, "not of this", hint
        )

    def qualified(self, scope: Scope, of: syntax.Name, node: syntax.Attribute) -> checked.Expr | None:
        """`my.x`, `group.figure`, `table.row`, `family.key`; nothing if the name before the dot is none of these."""
        text, names = of.text, self.names
        if text == "my":
            me = self.value_word(scope, "me", of.span)
            return me if isinstance(me.type, UnknownType) else self.of_player(me, node)
        if text in names.defines or names.table_zone(text) is not None:
            return None
        table = self.components.tables.get(text)
        if table is not None and node.name in table.rows:
            return self.table_row(text, node.name, node.span)
        if names.game_variable(text) is not None:
            return None
        if text in names.groups:
            return self.figure(text, node)
        if table is not None:
            hint = self.suggest(node.name, table.rows, "rows")
            return self.failed("W305", f"table '{text}' has no row '{node.name}'", node.name_span, "unknown row", hint)
        if text in names.families:
            family = names.families[text]
            if node.name in family.members:
                return self.key(family, node.name, node.span)
            hint = self.suggest(node.name, family.members, "keys")
            return self.failed("W305", f"family '{text}' has no key '{node.name}'", node.name_span, "unknown key", hint)
        return None

    def figure(self, group: str, node: syntax.Attribute) -> checked.Expr:
        figure = self.components.figures.get((group, node.name))
        if figure is None:
            known = [name for other, name in self.components.figures if other == group]
            hint = self.suggest(node.name, known, "figures")
            return self.failed(
                "W305", f"there is no figure '{group}.{node.name}'", node.name_span, "unknown figure", hint
            )
        value = self.scaled(figure.value, figure.type)
        return checked.FigureRef(group, node.name, value, figure.type, node.span)

    def of_player(self, of: checked.Expr, node: syntax.Attribute) -> checked.Expr:
        found = self.owned(of, "player", node)
        if found is not None:
            return found
        parts = self.components
        known = [zone.name for zone in parts.zones.values() if zone.owner == "player"]
        known += [name for owner, name in parts.variables if owner == "player"]
        hint = self.suggest(node.name, known, "zones and variables of a player")
        other = parts.zones.get(node.name)
        if (other is not None and not other.owner) or ("", node.name) in parts.variables:
            hint = f"'{node.name}' belongs to the whole table: write it without an owner"
        return self.failed("W305", f"a player has no '{node.name}'", node.name_span, "unknown attribute", hint)

    def owned(self, of: checked.Expr, owner: str, node: syntax.Attribute) -> checked.Expr | None:
        """A zone or a variable of a player or a piece."""
        zone = self.components.zones.get(node.name)
        if zone is not None and zone.owner == owner:
            return checked.ZoneOf(zone.number, of, ZoneType(zone.kinds, bool(zone.grid)), node.span)
        variable = self.components.variables.get((owner, node.name))
        if variable is None:
            return None
        return checked.VariableOf(variable.number, of, variable.type, node.span)

    def of_piece(self, of: checked.Expr, type_: PieceType, node: syntax.Attribute) -> checked.Expr:
        if node.name in attributes():
            return checked.Primitive(f"{node.name}_of", (of,), attributes()[node.name], node.span)
        kinds = [self.components.kinds[kind] for kind in type_.kinds]
        if not kinds:
            return self.narrow_first(f"a piece of any kind has no '{node.name}'", node)
        if node.name == "face":
            return self.face(of, kinds, node)
        if len(kinds) == 1:
            found = self.owned(of, kinds[0].name, node)
            if found is not None:
                return found
        columns = [kind.fields.get(node.name) for kind in kinds]
        types = {column.type for column in columns if column is not None}
        if None in columns and not types:
            return self.no_field(kinds, node)
        lacking = [kind.name for kind, column in zip(kinds, columns, strict=True) if column is None]
        if lacking:
            return self.narrow_first(f"{listed(lacking)} has no field '{node.name}'", node)
        if len(types) > 1:
            return self.narrow_first(f"'{node.name}' has a different type for each kind", node)
        return checked.Field(node.name, of, types.pop(), node.span)

    def face(self, of: checked.Expr, kinds: list[Kind], node: syntax.Attribute) -> checked.Expr:
        tables = {kind.table for kind in kinds}
        if "" in tables:
            lacking = listed([kind.name for kind in kinds if not kind.table])
            hint = "only pieces made from the rows of a table have a face"
            return self.failed("W305", f"pieces of kind {lacking} have no face", node.name_span, "no face", hint)
        if len(tables) > 1:
            return self.narrow_first("these kinds are made from different tables", node)
        return checked.Primitive("face_of", (of,), RowType(tables.pop()), node.span)

    def narrow_first(self, message: str, node: syntax.Attribute) -> checked.Expr:
        holders = [kind.name for kind in self.components.kinds.values() if node.name in kind.fields]
        owners = [
            owner for owner, name in self.components.variables if name == node.name and owner in self.components.kinds
        ]
        zone = self.components.zones.get(node.name)
        owners += [zone.owner] if zone is not None and zone.owner in self.components.kinds else []
        kind = (holders + owners + ["kind"])[0]
        hint = f"narrow it first: take the piece from Z[{kind}]"
        return self.failed("W306", message, node.name_span, "not every kind has it", hint)

    def no_field(self, kinds: list[Kind], node: syntax.Attribute) -> checked.Expr:
        known = [*ATTRIBUTE_NAMES]
        for kind in kinds:
            known += kind.fields
            known += [name for owner, name in self.components.variables if owner == kind.name]
            known += [zone.name for zone in self.components.zones.values() if zone.owner == kind.name]
        if len(kinds) > 1 and node.name in {name for owner, name in self.components.variables if owner}:
            return self.narrow_first(f"a piece of several kinds has no '{node.name}'", node)
        hint = self.suggest(node.name, known, "attributes")
        kind_names = " or ".join(kind.name for kind in kinds)
        return self.failed("W305", f"a {kind_names} has no '{node.name}'", node.name_span, "unknown attribute", hint)

    def of_row(self, of: checked.Expr, table: str, node: syntax.Attribute) -> checked.Expr:
        column = self.components.tables[table].columns.get(node.name)
        if column is None:
            hint = self.suggest(node.name, self.components.tables[table].columns, "columns")
            return self.failed("W305", f"a row of {table} has no '{node.name}'", node.name_span, "unknown column", hint)
        return checked.Cell(table, node.name, of, column.type, node.span)

    # ------------------------------------------------------------ indices

    def index(self, scope: Scope, node: syntax.Index) -> checked.Expr:
        if isinstance(node.of, syntax.Name) and node.of.text not in scope.names:
            text = node.of.text
            if text in self.components.series:
                return self.in_series(scope, text, node)
            if text in self.components.matrices:
                return self.in_matrix(scope, text, node)
        of = self.expr(scope, node.of)
        pieces = self.as_list(of)
        if isinstance(of.type, UnknownType):
            return bad(node.span)
        if isinstance(of.type, MapType):
            return self.in_map(scope, of, of.type, node)
        if not isinstance(pieces.type, ListType):
            return self.failed(
                "W307", f"nothing can be looked up in {words(of.type)}", node.span, "not a list, zone or table"
            )
        if isinstance(pieces.type.item, PieceType) and self.names_kinds(scope, node):
            return self.narrowed(pieces, pieces.type.item, node)
        keys = self.keys(scope, node, (NUMBER,), "the place in a list")
        return (
            bad(node.span)
            if keys is None
            else checked.Lookup("list", "", pieces, keys, self.item(pieces.type), node.span)
        )

    def item(self, type_: ListType) -> Type:
        return UnknownType() if type_.item is None else type_.item

    def keys(
        self, scope: Scope, node: syntax.Index, wanted: tuple[Type, ...], what: str
    ) -> tuple[checked.Expr, ...] | None:
        if len(node.keys) != len(wanted):
            number = "one key" if len(wanted) == 1 else f"{len(wanted)} keys"
            self.error("W308", f"here {number} is wanted, {len(node.keys)} are given", node.span, f"wanted: {what}")
            return None
        return tuple(self.typed(scope, key, type_, what) for key, type_ in zip(node.keys, wanted, strict=True))

    def in_series(self, scope: Scope, text: str, node: syntax.Index) -> checked.Expr:
        keys = self.keys(scope, node, (NUMBER,), "the key of a series")
        return bad(node.span) if keys is None else checked.Lookup("series", text, None, keys, NUMBER, node.span)

    def in_matrix(self, scope: Scope, text: str, node: syntax.Index) -> checked.Expr:
        matrix = self.components.matrices[text]
        wanted: tuple[Type, ...] = (RowType(matrix.rows), RowType(matrix.columns))
        keys = self.keys(scope, node, wanted, "the key of a matrix")
        return (
            bad(node.span)
            if keys is None
            else checked.Lookup("matrix", text, None, keys, RowType(matrix.of), node.span)
        )

    def in_map(self, scope: Scope, of: checked.Expr, type_: MapType, node: syntax.Index) -> checked.Expr:
        keys = self.keys(scope, node, (RowType(type_.key),), "the key")
        return bad(node.span) if keys is None else checked.Lookup("map", "", of, keys, type_.value, node.span)

    def names_kinds(self, scope: Scope, node: syntax.Index) -> bool:
        """Whether the keys are meant as kinds of piece: one is, or one is a name that means nothing else."""
        for key in node.keys:
            if not isinstance(key, syntax.Name):
                continue
            if key.text in self.components.kinds:
                return True
            known = key.text in scope.names or key.text in set(self.names.bare())
            if not known:
                return True
        return False

    def narrowed(self, pieces: checked.Expr, item: PieceType, node: syntax.Index) -> checked.Expr:
        chosen: list[str] = []
        for key in node.keys:
            if not isinstance(key, syntax.Name) or key.text not in self.components.kinds:
                text = key.text if isinstance(key, syntax.Name) else "this"
                hint = self.suggest(text, self.components.kinds, "kinds")
                return self.failed("W301", f"'{text}' is no kind of piece", key.span, "unknown kind", hint)
            if item.kinds and key.text not in item.kinds:
                hint = f"what lies there: {item}"
                return self.failed("W316", f"there is never a {key.text} among these pieces", key.span, "never", hint)
            chosen.append(key.text)
        kinds = tuple(kind for kind in self.components.kinds if kind in chosen)
        return checked.Narrow(pieces, kinds, ListType(PieceType(kinds)), node.span)
