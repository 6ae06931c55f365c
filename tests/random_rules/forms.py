"""The forms of expressions that are no primitives: conditions, lookups, variables, fields, lists, `can`, `would`."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from attrs import evolve

from tests.random_rules.expressions import Callable_, ExpressionWriter, Scope, TypedForm
from tests.random_rules.world import Zone
from warlock_dsl import types as t
from warlock_dsl.types import fits


class FormWriter(ExpressionWriter):
    """Writes expressions of every form."""

    # ------------------------------------------------------------------------ other forms

    def forms_of(self, wanted: t.Type) -> list[TypedForm]:
        """The forms of the language, beside its primitives, that may give what is wanted."""
        world = self.world
        found: list[TypedForm] = [
            ("leaf", 4, lambda w, s, f: self.leaf(w, s)),
            ("conditional", 3, self.conditional),
            ("apply", 6, self.apply),
            ("was", 10, self.was),
            ("would", 4, self.would),
        ]
        variables = [one for one in world.variables if fits(one.type, wanted)]
        if variables:
            found.append(("variable", 10, lambda w, s, f: self.variable(self.draw.choose(variables), s, f - 1)))
        fields = [
            (kind.name, name)
            for kind in world.kinds.values()
            for name, type_ in kind.fields.items()
            if fits(type_, wanted)
        ]
        if fields:
            found.append(("field", 8, lambda w, s, f: self.field(fields, s, f)))
        columns = [
            (table.name, name)
            for table in world.tables.values()
            for name, type_ in table.columns.items()
            if fits(type_, wanted)
        ]
        if columns:
            found.append(("column", 5, lambda w, s, f: self.column(columns, s, f)))
        for name, (type_, _) in world.figures.items():
            if type_ == wanted:
                found.append(("figure", 2, lambda w, s, f, name=name: f"fig.{name}"))  # type: ignore[misc]
        if isinstance(wanted, t.ListType):
            found += self.list_forms(wanted)
        elif isinstance(wanted, t.NumberType):
            found += self.number_forms()
        elif isinstance(wanted, t.TruthType):
            found += self.truth_forms()
        elif isinstance(wanted, t.RowType):
            found += self.row_forms(wanted)
        elif isinstance(wanted, t.CellType):
            graphs = [zone for zone in world.boards if world.grids[zone.grid].table]
            if graphs:
                found.append(("board_row", 4, lambda w, s, f: self.board_row(self.draw.choose(graphs), s, f)))
        if not isinstance(wanted, t.ListType | t.RegionType | t.ZoneType):
            found.append(("item", 2, self.item))
        return found

    def conditional(self, wanted: t.Type, scope: Scope, fuel: int) -> str:
        one, other = self.value(wanted, scope, fuel - 1), self.value(wanted, scope, fuel - 1)
        return f"(if {self.truth(scope, fuel - 1)} then {one} else {other})"

    def apply(self, wanted: t.Type, scope: Scope, fuel: int) -> str:
        usable = [one for one in scope.defines if one.gives is not None and fits(one.gives, wanted)]
        usable = [one for one in usable if scope.me or not one.me]
        if not usable:
            return self.leaf(wanted, scope)
        define = self.draw.choose(usable)
        return f"{define.name}{self.arguments(define, scope, fuel)}" if define.parameters else define.name

    def arguments(self, called: Callable_, scope: Scope, fuel: int) -> str:
        given = [
            self.small(type_, scope, fuel - 1) if name == "n" else self.expr(type_, scope, fuel - 1)
            for name, type_ in called.parameters
        ]
        return f"({', '.join(given)})"

    def small(self, type_: t.Type, scope: Scope, fuel: int) -> str:
        """The number by which something calls itself."""
        return self.draw.choose(("2", "0", "3", "1", "na"))

    def was(self, wanted: t.Type, scope: Scope, fuel: int) -> str:
        if scope.past is None:
            return self.leaf(wanted, scope)
        then = evolve(scope, names=scope.past, past=None, me=scope.me and scope.past_me, rules=())
        return f"was({self.expr(wanted, then, fuel - 1)})"

    def would(self, wanted: t.Type, scope: Scope, fuel: int) -> str:
        quiet = [rule for rule in scope.rules if rule.quiet]
        if not quiet or not scope.me:
            return self.leaf(wanted, scope)
        rule = self.draw.choose(quiet)
        by = f" by {self.player(scope, 0)}" if self.draw.chance(25) and not rule.needs else ""
        call = self.called(rule, scope, fuel)
        text = f"(would {call}{by}: {self.value(wanted, evolve(scope, rules=()), fuel - 1)})"
        return f"(if can {call} then {text} else {self.leaf(wanted, scope)})" if rule.needs else text

    def called(self, rule: Callable_, scope: Scope, fuel: int) -> str:
        """A call of a rule, or of a member of a family."""
        key = ""
        if rule.key is not None:
            key = f"[{self.draw.choose(rule.keys) if self.draw.chance(40) else self.expr(rule.key, scope, fuel - 1)}]"
        return f"{rule.name}{key}{self.arguments(rule, scope, fuel)}"

    def field(self, fields: Sequence[tuple[str, str]], scope: Scope, fuel: int) -> str:
        kind, name = self.draw.choose(fields)
        kinds = [
            kind,
            *(other for other, field_ in fields if field_ == name and other != kind and self.draw.chance(30)),
        ]
        return f"{self.expr(self.world.kinds_type(*kinds), scope, fuel - 1)}.{name}"

    def column(self, columns: Sequence[tuple[str, str]], scope: Scope, fuel: int) -> str:
        table, name = self.draw.choose(columns)
        return f"{self.expr(t.RowType(table), scope, fuel - 1)}.{name}"

    def item(self, wanted: t.Type, scope: Scope, fuel: int) -> str:
        """The n-th of a list; mostly of one that is known to have so many."""
        if isinstance(wanted, t.PlayerType) and self.draw.chance(70):
            return f"players[{self.draw.int(1, self.world.min_players)}]"
        if isinstance(wanted, t.RowType) and self.draw.chance(70):
            return f"{wanted.table}[{self.draw.int(1, len(self.world.tables[wanted.table].rows))}]"
        if not self.world.risky:
            source = self.expr(t.ListType(wanted), scope, 0)
            place = self.draw.int(1, 2)
            return f"(if count({source}) >= {place} then {source}[{place}] else {self.leaf(wanted, scope)})"
        return f"({self.expr(t.ListType(wanted), scope, fuel - 1)})[{self.draw.int(1, 3)}]"

    # ----------------------------------------------------------------------- by type

    def list_forms(self, wanted: t.ListType) -> list[TypedForm]:
        item = wanted.item
        assert item is not None

        def expr(type_: t.Type, scope: Scope, fuel: int) -> str:
            return self.expr(type_, scope, fuel - 1)

        def gather(w: t.Type, s: Scope, f: int) -> str:
            source = item if self.draw.chance(60) else self.item_type()
            binder, inner, _ = self.binder(source, s, f)
            if source == item and self.draw.chance(60):
                return f"[{binder}]"
            return f"[{binder}: {self.value(item, inner, f - 1)}]"

        found: list[TypedForm] = [
            ("gather", 6, gather),
            ("join", 3, lambda w, s, f: f"({expr(w, s, f)} + {expr(w, s, f)})"),
            ("without", 3, lambda w, s, f: f"({expr(w, s, f)} - {expr(w, s, f)})"),
        ]
        found.append(
            (
                "listing",
                3,
                lambda w, s, f: "[" + ", ".join(self.value(item, s, f - 1) for _ in range(self.draw.int(1, 3))) + "]",
            )
        )
        if isinstance(item, t.NumberType):
            found.append(("range", 3, lambda w, s, f: f"({self.expr(t.NUMBER, s, 0)}..{self.draw.int(1, 4)})"))
        if isinstance(item, t.PieceType):
            zones = [zone for zone in self.world.zones.values() if fits(t.pieces_of(zone.type(self.world)), wanted)]
            if zones:
                found.append(("zone", 14, lambda w, s, f: self.zone(self.draw.choose(zones), s, f - 1)))
            if item.kinds:
                found.append(("narrow", 4, lambda w, s, f: f"{self.any_pieces(s, f)}[{self.draw.choose(item.kinds)}]"))
        return found

    def number_forms(self) -> list[TypedForm]:
        world = self.world
        found: list[TypedForm] = [
            ("plus", 4, lambda w, s, f: f"({self.number(s, f - 1)} + {self.number(s, f - 1)})"),
            ("minus", 4, lambda w, s, f: f"({self.number(s, f - 1)} - {self.number(s, f - 1)})"),
            ("times", 2, lambda w, s, f: f"({self.number(s, f - 1)} * {self.number(s, 0)})"),
        ]
        for name, series in world.series.items():

            def entry(w: t.Type, s: Scope, f: int, name: str = name, first: int = series["from"]) -> str:
                if not world.risky and world.series[name]["beyond"] != "zero":
                    return (
                        f"{name}[{first + self.draw.below(2)}]"
                        if world.halves
                        else f"{name}[max({first}, min({self.number(s, f - 1)}, {first + 1}))]"
                    )
                return f"{name}[{self.number(s, f - 1)}]"

            found.append(("series", 4, entry))
        maps = [
            (table.name, name, type_.key)
            for table in world.tables.values()
            for name, type_ in table.columns.items()
            if isinstance(type_, t.MapType)
        ]
        if maps:

            def mapped(w: t.Type, s: Scope, f: int) -> str:
                table, name, key = self.draw.choose(maps)
                return f"{self.expr(t.RowType(table), s, f - 1)}.{name}[{self.expr(t.RowType(key), s, f - 1)}]"

            found.append(("map", 4, mapped))
        return found

    def truth_forms(self) -> list[TypedForm]:
        def both(op: str) -> Callable[[t.Type, Scope, int], str]:
            return lambda w, s, f: f"({self.truth(s, f - 1)} {op} {self.truth(s, f - 1)})"

        def compare(w: t.Type, s: Scope, f: int) -> str:
            op = self.draw.choose((">", "<", "<=", ">=", "is", "is not"))
            return f"({self.number(s, f - 1)} {op} {self.number(s, f - 1)})"

        def same(w: t.Type, s: Scope, f: int) -> str:
            type_ = self.exact_type()
            type_ = t.ListType(type_) if self.draw.chance(25) else type_
            return f"({self.expr(type_, s, f - 1)} {self.draw.choose(('is', 'is not'))} {self.expr(type_, s, f - 1)})"

        def has(w: t.Type, s: Scope, f: int) -> str:
            if self.world.boards and self.draw.chance(30):
                return f"({self.leaf(t.REGION, s)} has {self.expr(t.CELL, s, f - 1)})"
            type_ = self.exact_type()
            return f"({self.expr(t.ListType(type_), s, f - 1)} has {self.expr(type_, s, f - 1)})"

        def kind(w: t.Type, s: Scope, f: int) -> str:
            return f"(first({self.any_pieces(s, f)}, first(everywhere)) is {self.draw.choose(list(self.world.kinds))})"

        def can(w: t.Type, s: Scope, f: int) -> str:
            if not s.rules or not s.me:
                return compare(w, s, f)
            return f"(can {self.called(self.draw.choose(s.rules), s, f)})"

        return [
            ("compare", 8, compare),
            ("same", 5, same),
            ("has", 4, has),
            ("and", 3, both("and")),
            ("or", 3, both("or")),
            ("not", 2, lambda w, s, f: f"(not {self.truth(s, f - 1)})"),
            ("is_kind", 2, kind),
            ("can", 4, can),
        ]

    def row_forms(self, wanted: t.RowType) -> list[TypedForm]:
        found: list[TypedForm] = []
        world = self.world
        for name, matrix in world.matrices.items():
            if matrix["of"] == wanted.table:
                keys = (t.RowType(matrix["rows"]), t.RowType(matrix["columns"]))
                found.append(
                    (
                        "matrix",
                        4,
                        lambda w, s, f, name=name, keys=keys: (
                            f"{name}[{', '.join(self.expr(key, s, f - 1) for key in keys)}]"
                        ),
                    )  # type: ignore[misc]
                )
        graphs = [zone for zone in world.boards if world.grids[zone.grid].table == wanted.table]
        if graphs:
            found.append(
                (
                    "row_of_cell",
                    4,
                    lambda w, s, f: f"{wanted.table}[first(cells({self.zone(self.draw.choose(graphs), s, 0)}))]",
                )
            )
        return found

    def board_row(self, zone: Zone, scope: Scope, fuel: int) -> str:
        row = self.expr(t.RowType(self.world.grids[zone.grid].table), scope, fuel - 1)
        return f"{self.zone(zone, scope, fuel - 1)}[{row}]"
