"""What a bare name, `x.y` and `T[k]` mean."""

from __future__ import annotations

from attrs import evolve

from warlock_dsl.check import program as checked
from warlock_dsl.check.context import CheckContext, bad
from warlock_dsl.check.fit import as_list, expression, fit, item_type, typed
from warlock_dsl.check.names import FamilyEntry, Scope, listed
from warlock_dsl.diagnostics.diagnostic import Fix, Related, Remedy, Span, Suggestion, TextEdit
from warlock_dsl.primitives import ATTRIBUTE_NAMES, reads_me
from warlock_dsl.signatures import attributes, values
from warlock_dsl.syntax import tree as syntax
from warlock_dsl.tables.components import Kind, Value, Variable, Zone
from warlock_dsl.types import (
    CELL,
    NUMBER,
    PLAYER,
    REGION,
    UNKNOWN,
    KeyType,
    ListType,
    MapType,
    NumberType,
    PieceType,
    PlayerType,
    RowType,
    Type,
    UnknownType,
    ZoneType,
    words,
)

# ----------------------------------------------------------------------- names


def name_value(ctx: CheckContext, scope: Scope, node: syntax.Name, expected: Type | None) -> checked.Expr:
    text, span = node.text, node.span
    local = scope.names.get(text)
    if local is not None:
        return checked.Local(local.slot, local.type, span)
    if isinstance(expected, KeyType) and text in ctx.names.families[expected.family].members:
        return family_key(ctx, ctx.names.families[expected.family], text, span)
    if text == "my":
        hint = Suggestion("my", "me", text="write 'me', or 'my.x' for 'me.x'")
        return ctx.failed("W313", "'my' needs a dot after it", span, "whose what?", hint)
    if text in values():
        return builtin_value(ctx, scope, text, span)
    if text in ctx.names.defines:
        return bare_definition(ctx, text, span)
    return declared_value(ctx, text, span) or row_value(ctx, scope, node, expected)


def builtin_value(ctx: CheckContext, scope: Scope, text: str, span: Span) -> checked.Expr:
    if reads_me(text) and not scope.me:
        return nobody_acts(ctx, text, span)
    if text == "me":
        return checked.Local(0, PLAYER, span)
    return checked.Primitive(text, (), values()[text], span)


def nobody_acts(ctx: CheckContext, text: str, span: Span) -> checked.Expr:
    hint = "speak of everybody, as in all(p in players: ...), or hang an invariant on a rule"
    return ctx.failed("W330", f"'{text}' means nobody in a law of the whole game", span, "who?", hint)


def bare_definition(ctx: CheckContext, text: str, span: Span) -> checked.Expr:
    entry = ctx.names.defines[text]
    if entry.node.parameters:
        shown = ", ".join(parameter.name.text for parameter in entry.node.parameters)
        return ctx.failed("W308", f"'{text}' needs arguments", span, "none are given", f"write {text}({shown})")
    return bad(span) if entry.made is None else checked.Apply(entry.number, (), entry.made.type, span)


def declared_value(ctx: CheckContext, text: str, span: Span) -> checked.Expr | None:
    """A name that the tables give, rows aside, or a family of rules."""
    parts, names = ctx.components, ctx.names
    variable, zone = names.game_variable(text), names.table_zone(text)
    if variable is not None:
        return variable_of(variable, None, span)
    if zone is not None:
        return checked.ZoneOf(zone.number, None, zone_type(ctx, zone), span)
    if text in parts.series or text in parts.matrices:
        keys = "n" if text in parts.series else "a, b"
        return ctx.failed("W313", f"'{text}' is looked up with a key", span, "no key is given", f"write {text}[{keys}]")
    if text in parts.dice:
        return checked.Const(parts.dice[text].faces, ListType(RowType(parts.dice[text].of)), span)
    if text in names.groups:
        hint = "its figures: " + ", ".join(name for group, name in parts.figures if group == text)
        return ctx.failed("W313", f"'{text}' is a group of figures", span, "which one?", hint)
    if text in parts.tables:
        return checked.Const(tuple(range(len(parts.tables[text].rows))), ListType(RowType(text)), span)
    if text in names.regions:
        return region_value(ctx, text, span)
    if text in names.families:
        return family_keys(ctx, names.families[text], span)
    return None


def variable_of(variable: Variable, owner: checked.Expr | None, span: Span) -> checked.Expr:
    """A variable; of one by row all of it, which `index` looks a row up in."""
    type_ = MapType(variable.by, variable.type) if variable.by else variable.type
    return checked.VariableOf(variable.number, owner, type_, span)


def zone_of(ctx: CheckContext, zone: Zone, owner: checked.Expr | None, span: Span) -> checked.Expr:
    """A zone; of one that its owner has for each row all of them, which `index` looks a row up in."""
    type_: Type = zone_type(ctx, zone)
    return checked.ZoneOf(zone.number, owner, MapType(zone.by, type_) if zone.by else type_, span)


def by_row(
    ctx: CheckContext, of: checked.VariableOf | checked.ZoneOf, key: checked.Expr, span: Span
) -> checked.VariableOf | checked.ZoneOf:
    """What there is for one row."""
    assert isinstance(of.type, MapType)
    rows = len(ctx.components.tables[of.type.key].rows)
    owner = checked.OfRow(of.owner, key, rows, RowType(of.type.key) if of.owner is None else of.owner.type, key.span)
    return evolve(of, owner=owner, type=of.type.value, span=span)


def not_whole(ctx: CheckContext, found: checked.Expr) -> checked.Expr:
    """What is there for each row of a table is used a row at a time."""
    if not isinstance(found, checked.VariableOf | checked.ZoneOf) or not isinstance(found.type, MapType):
        return found
    row = ctx.components.tables[found.type.key].rows[0]
    hint = f"write [{row}] after it, or the name of a row that is bound: [x in {found.type.key}: ...[x]]"
    return ctx.failed("W313", f"there is one for each row of {found.type.key}", found.span, "which one?", hint)


def zone_type(ctx: CheckContext, zone: Zone) -> ZoneType:
    grid = ctx.components.grids.get(zone.grid)
    return ZoneType(zone.kinds, bool(zone.grid), "" if grid is None else grid.table)


def region_value(ctx: CheckContext, text: str, span: Span) -> checked.Expr:
    grids = ctx.names.regions[text]
    if len(grids) > 1:
        return ctx.failed(
            "W303", f"'{text}' is a region of several grids", span, "which one?", f"grids {listed(grids)}"
        )
    return checked.Const(tuple(ctx.components.grids[grids[0]].regions[text]), REGION, span)


def family_key(ctx: CheckContext, family: FamilyEntry, text: str, span: Span) -> checked.Expr:
    return checked.Const(_key_number(ctx, family, text), family.key_type, span)


def _key_number(ctx: CheckContext, family: FamilyEntry, text: str) -> int:
    if family.table:
        return ctx.components.tables[family.table].rows.index(text)
    return list(family.members).index(text)


def family_keys(ctx: CheckContext, family: FamilyEntry, span: Span) -> checked.Expr:
    keys = tuple(_key_number(ctx, family, key) for key in family.members)
    return checked.Const(keys, ListType(family.key_type), span)


def row_value(ctx: CheckContext, scope: Scope, node: syntax.Name, expected: Type | None) -> checked.Expr:
    """A bare row of some table; where several tables have it, the type that is expected decides."""
    text, span = node.text, node.span
    tables = ctx.names.rows.get(text, [])
    if len(tables) == 1:
        return table_row(ctx, tables[0], text, span)
    if isinstance(expected, RowType) and expected.table in tables:
        return table_row(ctx, expected.table, text, span)
    if tables:
        ways = [f"{table}.{text}" for table in tables]
        hint = Suggestion(text, *ways, text=f"write one of {', '.join(ways)}")
        return ctx.failed("W303", f"'{text}' is a row of several tables", span, "which one?", hint)
    return unknown_name(ctx, scope, text, span)


def table_row(ctx: CheckContext, table: str, row: str, span: Span) -> checked.Expr:
    return checked.Const(ctx.components.tables[table].rows.index(row), RowType(table), span)


def unknown_name(ctx: CheckContext, scope: Scope, text: str, span: Span) -> checked.Expr:
    parts = ctx.components
    hint = ""
    if text in scope.frame.bound:
        hint = "move this line into that block; 'let', 'choose' and 'roll' without ':' bind for the rest of their block"
        label, other = "out of its block", Related(scope.frame.bound[text], "bound here, for the block below it")
        ctx.error("W301", f"'{text}' is known only in its block", span, label, hint, (other,))
        return bad(span)
    if ("player", text) in parts.variables or (text in parts.zones and parts.zones[text].owner == "player"):
        hint = Suggestion(text, f"my.{text}", text=f"every player has one: write my.{text} or p.{text}")
    elif text in parts.zones and parts.zones[text].by:
        table = parts.zones[text].by
        ways = [f"{row}.{text}" for row in parts.tables[table].rows]
        hint = Suggestion(text, *ways, text=f"there is one for each row of {table}: write {ways[0]}")
    elif text in parts.kinds:
        hint = f"a kind of piece is no value; 'x is {text}' tests one, the pieces of a zone of that kind are Z[{text}]"
    elif text in ctx.names.rules:
        hint = "a rule is no value; it is called as a statement, with brackets"
    elif ctx.names.word(text):
        hint = f"a function needs brackets: {text}(...)"
    else:
        hint = ctx.closest(text, [*scope.names, *ctx.names.bare(), *ctx.names.indexed()])
    return ctx.failed("W301", f"there is no '{text}' here", span, "unknown name", hint)


# ------------------------------------------------------------------ attributes


def attribute(ctx: CheckContext, scope: Scope, node: syntax.Attribute) -> checked.Expr:
    if isinstance(node.of, syntax.Name) and node.of.text not in scope.names:
        found = qualified_name(ctx, scope, node.of, node)
        if found is not None:
            return found
    of = expression(ctx, scope, node.of)
    type_ = of.type
    if isinstance(type_, UnknownType):
        return bad(node.span)
    if isinstance(type_, PlayerType):
        return player_attribute(ctx, of, node)
    if isinstance(type_, PieceType):
        return piece_attribute(ctx, of, type_, node)
    if isinstance(type_, RowType):
        return row_attribute(ctx, of, type_.table, node)
    hint = ""
    if isinstance(type_, ListType | ZoneType):
        hint = f"take it of each element: [x in ...: x.{node.name}]"
    return ctx.failed("W305", f"{words(type_)} has no attributes".capitalize(), node.name_span, "not of this", hint)


def qualified_name(ctx: CheckContext, scope: Scope, of: syntax.Name, node: syntax.Attribute) -> checked.Expr | None:
    """`my.x`, `group.figure`, `table.row`, `family.key`; nothing if the name before the dot is none of these."""
    text, names = of.text, ctx.names
    if text == "my":
        me = builtin_value(ctx, scope, "me", of.span)
        return me if isinstance(me.type, UnknownType) else player_attribute(ctx, me, node)
    if text in names.defines or names.table_zone(text) is not None:
        return None
    table = ctx.components.tables.get(text)
    if table is not None and node.name in table.rows:
        return table_row(ctx, text, node.name, node.span)
    if names.game_variable(text) is not None:
        return None
    if text in names.groups:
        return figure_value(ctx, text, node)
    if table is not None:
        hint = ctx.suggest(node.name, table.rows, "rows")
        return ctx.failed("W305", f"table '{text}' has no row '{node.name}'", node.name_span, "unknown row", hint)
    if text in names.families:
        family = names.families[text]
        if node.name in family.members:
            return family_key(ctx, family, node.name, node.span)
        hint = ctx.suggest(node.name, family.members, "keys")
        return ctx.failed("W305", f"family '{text}' has no key '{node.name}'", node.name_span, "unknown key", hint)
    return None


def figure_value(ctx: CheckContext, group: str, node: syntax.Attribute) -> checked.Expr:
    figure = ctx.components.figures.get((group, node.name))
    if figure is None:
        known = [name for other, name in ctx.components.figures if other == group]
        hint = ctx.suggest(node.name, known, "figures")
        return ctx.failed("W305", f"there is no figure '{group}.{node.name}'", node.name_span, "unknown figure", hint)
    value = scaled(figure.value, figure.type, ctx.unit)
    return checked.FigureRef(group, node.name, value, figure.type, node.span)


def scaled(value: Value, type_: Type, unit: int) -> checked.Constant:
    """A value of the tables as the interpreter holds it: numbers counted in the smallest unit."""
    if isinstance(value, bool):
        return value
    if isinstance(value, tuple):
        inner = type_.item if isinstance(type_, ListType) else type_.value if isinstance(type_, MapType) else None
        return tuple(scaled(item, inner or UNKNOWN, unit) for item in value)
    return int(value * unit) if isinstance(type_, NumberType) else int(value)


def player_attribute(ctx: CheckContext, of: checked.Expr, node: syntax.Attribute) -> checked.Expr:
    found = owned_attribute(ctx, of, "player", node)
    if found is not None:
        return found
    parts = ctx.components
    known = [zone.name for zone in parts.zones.values() if zone.owner == "player"]
    known += [name for owner, name in parts.variables if owner == "player"]
    hint = ctx.suggest(node.name, known, "zones and variables of a player")
    other = parts.zones.get(node.name)
    if (other is not None and not other.owner) or ("", node.name) in parts.variables:
        alone = Fix(f"write '{node.name}' without an owner", (TextEdit(node.span, node.name),))
        hint = Remedy(f"'{node.name}' belongs to the whole table: write it without an owner", alone)
    return ctx.failed("W305", f"a player has no '{node.name}'", node.name_span, "unknown attribute", hint)


def owned_attribute(ctx: CheckContext, of: checked.Expr, owner: str, node: syntax.Attribute) -> checked.Expr | None:
    """A zone or a variable of a player or a piece."""
    zone = ctx.components.zones.get(node.name)
    if zone is not None and zone.owner == owner:
        return zone_of(ctx, zone, of, node.span)
    variable = ctx.components.variables.get((owner, node.name))
    return None if variable is None else variable_of(variable, of, node.span)


def piece_attribute(ctx: CheckContext, of: checked.Expr, type_: PieceType, node: syntax.Attribute) -> checked.Expr:
    if node.name in attributes():
        return checked.Primitive(f"{node.name}_of", (of,), attributes()[node.name], node.span)
    kinds = [ctx.components.kinds[kind] for kind in type_.kinds]
    if not kinds:
        return narrow_first(ctx, f"a piece of any kind has no '{node.name}'", node)
    if node.name == "face":
        return face_attribute(ctx, of, kinds, node)
    if len(kinds) == 1:
        found = owned_attribute(ctx, of, kinds[0].name, node)
        if found is not None:
            return found
    columns = [kind.fields.get(node.name) for kind in kinds]
    types = {column.type for column in columns if column is not None}
    if None in columns and not types:
        return no_field(ctx, kinds, node)
    lacking = [kind.name for kind, column in zip(kinds, columns, strict=True) if column is None]
    if lacking:
        return narrow_first(ctx, f"{listed(lacking)} has no field '{node.name}'", node)
    if len(types) > 1:
        return narrow_first(ctx, f"'{node.name}' has a different type for each kind", node)
    return checked.Field(node.name, of, types.pop(), node.span)


def face_attribute(ctx: CheckContext, of: checked.Expr, kinds: list[Kind], node: syntax.Attribute) -> checked.Expr:
    tables = {kind.table for kind in kinds}
    if "" in tables:
        lacking = listed([kind.name for kind in kinds if not kind.table])
        hint = "only pieces made from the rows of a table have a face"
        return ctx.failed("W305", f"pieces of kind {lacking} have no face", node.name_span, "no face", hint)
    if len(tables) > 1:
        return narrow_first(ctx, "these kinds are made from different tables", node)
    return checked.Primitive("face_of", (of,), RowType(tables.pop()), node.span)


def narrow_first(ctx: CheckContext, message: str, node: syntax.Attribute) -> checked.Expr:
    holders = [kind.name for kind in ctx.components.kinds.values() if node.name in kind.fields]
    owners = [owner for owner, name in ctx.components.variables if name == node.name and owner in ctx.components.kinds]
    zone = ctx.components.zones.get(node.name)
    owners += [zone.owner] if zone is not None and zone.owner in ctx.components.kinds else []
    kind = (holders + owners + ["kind"])[0]
    hint = f"narrow it first: test 'x is {kind}', or take the piece from Z[{kind}]"
    return ctx.failed("W306", message, node.name_span, "not every kind has it", hint)


def no_field(ctx: CheckContext, kinds: list[Kind], node: syntax.Attribute) -> checked.Expr:
    known = [*ATTRIBUTE_NAMES]
    for kind in kinds:
        known += kind.fields
        known += [name for owner, name in ctx.components.variables if owner == kind.name]
        known += [zone.name for zone in ctx.components.zones.values() if zone.owner == kind.name]
    if len(kinds) > 1 and node.name in {name for owner, name in ctx.components.variables if owner}:
        return narrow_first(ctx, f"a piece of several kinds has no '{node.name}'", node)
    hint = ctx.suggest(node.name, known, "attributes")
    kind_names = " or ".join(kind.name for kind in kinds)
    return ctx.failed("W305", f"a {kind_names} has no '{node.name}'", node.name_span, "unknown attribute", hint)


def row_attribute(ctx: CheckContext, of: checked.Expr, table: str, node: syntax.Attribute) -> checked.Expr:
    column = ctx.components.tables[table].columns.get(node.name)
    zones = {zone.name: zone for zone in ctx.components.zones.values() if zone.by == table and not zone.owner}
    if node.name in zones:
        whole = zone_of(ctx, zones[node.name], None, node.span)
        assert isinstance(whole, checked.ZoneOf)
        return by_row(ctx, whole, of, node.span)
    if column is None:
        hint = ctx.suggest(node.name, [*ctx.components.tables[table].columns, *zones], "columns and zones")
        return ctx.failed("W305", f"a row of {table} has no '{node.name}'", node.name_span, "unknown column", hint)
    return checked.Cell(table, node.name, of, column.type, node.span)


# --------------------------------------------------------------------- indices


def index(ctx: CheckContext, scope: Scope, node: syntax.Index) -> checked.Expr:
    span = node.span
    if isinstance(node.of, syntax.Name) and node.of.text not in scope.names:
        text = node.of.text
        if text in ctx.components.series:
            series = checked.Lookup("series", text, None, (), NUMBER, span)
            return with_keys(ctx, scope, node, series, (NUMBER,), "the key of a series")
        if text in ctx.components.matrices:
            table = ctx.components.matrices[text]
            matrix = checked.Lookup("matrix", text, None, (), RowType(table.of), span)
            return with_keys(
                ctx, scope, node, matrix, (RowType(table.rows), RowType(table.columns)), "the key of a matrix"
            )
        if len(node.keys) == 1 and any(grid.table == text for grid in ctx.components.grids.values()):
            return row_of_cell(ctx, scope, node, text)
    of = whole_value(ctx, scope, node.of)
    pieces = as_list(of)
    if isinstance(of.type, UnknownType):
        return bad(span)
    if isinstance(of, checked.VariableOf | checked.ZoneOf) and isinstance(of.type, MapType):
        wanted = checked.Lookup("map", "", of, (), of.type.value, span)
        found = with_keys(ctx, scope, node, wanted, (RowType(of.type.key),), "the row")
        return by_row(ctx, of, found.keys[0], span) if isinstance(found, checked.Lookup) else found
    if isinstance(of.type, MapType):
        mapped = checked.Lookup("map", "", of, (), of.type.value, span)
        return with_keys(ctx, scope, node, mapped, (RowType(of.type.key),), "the key")
    if not isinstance(pieces.type, ListType):
        return ctx.failed("W307", f"nothing can be looked up in {words(of.type)}", span, "not a list, zone or table")
    key = node.keys[0]
    kind = isinstance(key, syntax.Name) and key.text in ctx.components.kinds
    if isinstance(of.type, ZoneType) and of.type.table and len(node.keys) == 1 and not kind:
        return cell_of_row(ctx, scope, node, of, pieces)
    if isinstance(pieces.type.item, PieceType) and names_kinds(ctx, scope, node):
        return narrowed(ctx, pieces, pieces.type.item, node)
    element = checked.Lookup("list", "", pieces, (), item_type(pieces.type), span)
    return with_keys(ctx, scope, node, element, (NUMBER,), "the place in a list")


def whole_value(ctx: CheckContext, scope: Scope, node: syntax.Expression) -> checked.Expr:
    """What something is looked up in: also all that there is for the rows of a table."""
    if isinstance(node, syntax.Name):
        return ctx.note(scope, node, name_value(ctx, scope, node, None))
    if isinstance(node, syntax.Attribute):
        return ctx.note(scope, node, attribute(ctx, scope, node))
    return expression(ctx, scope, node)


def cell_of_row(
    ctx: CheckContext, scope: Scope, node: syntax.Index, of: checked.Expr, pieces: checked.Expr
) -> checked.Expr:
    """`board[row]`: the cell that a row of its table is; with a number, the n-th piece there as of any zone."""
    assert isinstance(of.type, ZoneType) and isinstance(pieces.type, ListType)
    wanted = RowType(of.type.table)
    key = expression(ctx, scope, node.keys[0], wanted)
    if key.type == wanted:
        return checked.Lookup("cell", of.type.table, of, (key,), CELL, node.span)
    place = fit(ctx, scope, key, NUMBER, f"what is looked up here, if no row of {of.type.table},")
    if isinstance(place.type, UnknownType):
        return bad(node.span)
    return checked.Lookup("list", "", pieces, (place,), item_type(pieces.type), node.span)


def row_of_cell(ctx: CheckContext, scope: Scope, node: syntax.Index, table: str) -> checked.Expr:
    """`table[cell]`: the row that a cell is; with a number, the n-th row as of any list."""
    key = expression(ctx, scope, node.keys[0])
    if key.type == CELL:
        return checked.Lookup("row", table, None, (key,), RowType(table), node.span)
    rows = expression(ctx, scope, node.of)
    place = fit(ctx, scope, key, NUMBER, "what is looked up here, if no cell,")
    if isinstance(place.type, UnknownType):
        return bad(node.span)
    return checked.Lookup("list", "", rows, (place,), RowType(table), node.span)


def with_keys(
    ctx: CheckContext, scope: Scope, node: syntax.Index, lookup: checked.Lookup, wanted: tuple[Type, ...], what: str
) -> checked.Expr:
    """A lookup completed with the keys of an index, which must have the types that are wanted."""
    if len(node.keys) != len(wanted):
        number = "one key" if len(wanted) == 1 else f"{len(wanted)} keys"
        message = f"here {number} is wanted, {len(node.keys)} are given"
        return ctx.failed("W308", message, node.span, f"wanted: {what}")
    keys = (typed(ctx, scope, key, type_, what) for key, type_ in zip(node.keys, wanted, strict=True))
    return evolve(lookup, keys=tuple(keys))


def names_kinds(ctx: CheckContext, scope: Scope, node: syntax.Index) -> bool:
    """Whether the keys are meant as kinds of piece: one is, or one is a name that means nothing else."""
    for key in node.keys:
        if not isinstance(key, syntax.Name):
            continue
        if key.text in ctx.components.kinds:
            return True
        known = key.text in scope.names or key.text in set(ctx.names.bare())
        if not known:
            return True
    return False


def narrowed(ctx: CheckContext, pieces: checked.Expr, item: PieceType, node: syntax.Index) -> checked.Expr:
    chosen: list[str] = []
    for key in node.keys:
        if not isinstance(key, syntax.Name) or key.text not in ctx.components.kinds:
            text = key.text if isinstance(key, syntax.Name) else "this"
            hint = ctx.suggest(text, ctx.components.kinds, "kinds")
            return ctx.failed("W301", f"'{text}' is no kind of piece", key.span, "unknown kind", hint)
        if item.kinds and key.text not in item.kinds:
            hint = f"what lies there: {item}"
            return ctx.failed("W316", f"there is never a {key.text} among these pieces", key.span, "never", hint)
        chosen.append(key.text)
    kinds = tuple(kind for kind in ctx.components.kinds if kind in chosen)
    return checked.Narrow(pieces, kinds, ListType(PieceType(kinds)), node.span)
