"""Expressions as C: each becomes one C expression, a number (`i64`) or a `List *`, as its type says."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from interpreter.plain.primitives import MAX_NUMBER
from interpreter.state.layout import Layout
from warlock_dsl import types as t
from warlock_dsl.check import program as checked

Scope = Mapping[int, str]  # what a slot is called in C; a slot that is not named here stands in the frame
BEYOND = {"error": 0, "last": 1, "zero": 2}
ORDERS = {"most": 0, "fewest": 1, "falling": 2, "rising": 3}
MAX_UNIT = 1_000_000  # parts of a whole: a number beyond all bounds times it still fits
COMPARED = {"<", "<=", ">", ">="}


class NotNativeError(Exception):
    """Something that only the other machines play."""


def remark(text: str) -> str:
    """What may stand in a comment: names of a ruleset may come from a stranger."""
    return re.sub(r"[^\w .,:;+()=-]", "_", text)


def small(value: int) -> int:
    """A constant that C can reckon with: two of them added are still a number."""
    if abs(value) > MAX_NUMBER:
        raise NotNativeError("a constant beyond all bounds")
    return value


def depth_of(kind: t.Type) -> int:
    """0 for a number and whatever is held as one, 1 for a list of such, 2 for a list of lists."""
    match kind:
        case t.ListType():
            return 1 + (depth_of(kind.item) if kind.item is not None else 0)
        case t.MapType():
            return 1 + depth_of(kind.value)
        case t.RegionType():
            return 1
        case _:
            return 0


class Expressions:
    """Writes expressions, and collects the constants and definitions they use."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.unit = layout.unit
        if self.unit > MAX_UNIT:
            raise NotNativeError("parts of a whole that are too small")
        self.data: dict[str, str] = {}  # constants: what is declared -> its name
        self.defined: dict[int, str] = {}  # definitions, in the order in which C must see them
        self.names = 0

    # --------------------------------------------------------------- constants

    def fresh(self, stem: str) -> str:
        self.names += 1
        return f"{stem}{self.names}"

    def constant(self, value: object, depth: int) -> str:
        """A value of the tables as something a C table can hold."""
        if depth == 0:
            return f"{small(int(value))}LL" if value is not None else "0"  # type: ignore[call-overload]
        return f"(i64)&{self.list_constant(value, depth)}"

    def list_constant(self, value: object, depth: int) -> str:
        items = value if isinstance(value, tuple) else ()
        return self.keep("List", f"{{{len(items)}, (i64 *){self.array([self.constant(i, depth - 1) for i in items])}}}")

    def array(self, items: list[str]) -> str:
        return self.keep("i64", f"{{{', '.join(items) or '0'}}}", "[]")

    def keep(self, kind: str, text: str, brackets: str = "") -> str:
        """The name of a constant; equal ones are written once."""
        key = f"static const {kind} %s{brackets} = {text};"
        if key not in self.data:
            self.data[key] = f"k{len(self.data)}"
        return self.data[key]

    # ------------------------------------------------------------------- parts

    def word(self, e: checked.Expr, scope: Scope) -> str:
        """An expression as something a slot can hold."""
        return f"(i64){self.c(e, scope)}" if depth_of(e.type) else self.c(e, scope)

    def typed(self, name: str, kind: t.Type) -> str:
        return f"((List *){name})" if depth_of(kind) else name

    def c(self, e: checked.Expr, scope: Scope) -> str:
        match e:
            case checked.Const() | checked.FigureRef():
                depth = depth_of(e.type)
                return f"((List *)&{self.list_constant(e.value, depth)})" if depth else f"{small(int(e.value))}LL"  # type: ignore[arg-type]
            case checked.Local():
                return self.typed(scope.get(e.slot, f"f[{e.slot}]"), e.type)
            case checked.ListOf():
                return self.list_of(e, scope)
            case checked.RangeOf():
                return f"spread({self.c(e.low, scope)}, {self.c(e.high, scope)})"
            case checked.Binary():
                return self.binary(e, scope)
            case checked.Not():
                return f"(!{self.c(e.of, scope)})"
            case checked.Conditional():
                parts = [self.c(part, scope) for part in (e.test, e.then, e.otherwise)]
                return f"({parts[0]} ? {parts[1]} : {parts[2]})"
            case checked.Field():
                table = self.array([self.constant(v, depth_of(e.type)) for v in self.layout.fields[e.name]])
                return self.typed(f"{table}[{self.c(e.of, scope)}]", e.type)
            case checked.Cell():
                table = self.array([self.constant(v, depth_of(e.type)) for v in self.layout.columns[e.table, e.column]])
                return self.typed(f"{table}[{self.c(e.of, scope)}]", e.type)
            case checked.Lookup():
                return self.lookup(e, scope)
            case checked.ZoneOf():
                return self.place(e, scope)
            case checked.PiecesOf():
                return f"pieces_in({self.c(e.zone, scope)})"
            case checked.Narrow():
                mask = sum(1 << self.layout.kind_names.index(kind) for kind in e.kinds)
                return f"narrowed({self.c(e.of, scope)}, {mask}ULL)"
            case checked.VariableOf():
                return self.typed(f"value_of[{self.variable(e.variable, e.owner, scope)}]", e.type)
            case checked.Primitive():
                return self.primitive(e, scope)
            case checked.Gather():
                return self.gather(e, scope)
            case checked.Keyed():
                return self.keyed(e, scope)
            case checked.Apply():
                given = [scope.get(0, "f[0]"), *(self.word(argument, scope) for argument in e.arguments)]
                return f"{self.define(e.define)}({', '.join(given)})"
            case checked.Can():
                return self.can(e, scope)
            case _:
                raise NotNativeError

    def list_of(self, e: checked.ListOf, scope: Scope) -> str:
        name = self.fresh("l")
        items = "".join(f" {name}->v[{n}] = {self.word(item, scope)};" for n, item in enumerate(e.items))
        return f"({{ List *{name} = fresh({len(e.items)});{items} {name}->n = {len(e.items)}; {name}; }})"

    def binary(self, e: checked.Binary, scope: Scope) -> str:
        left, right = self.c(e.left, scope), self.c(e.right, scope)
        depth = max(depth_of(e.left.type), depth_of(e.right.type))
        match e.op:
            case "and":
                return f"({left} && {right})"
            case "or":
                return f"({left} || {right})"
            case "is":
                return f"same((i64){left}, (i64){right}, {depth})" if depth else f"({left} == {right})"
            case "has":
                if isinstance(e.left.type, t.RegionType):
                    cell = self.fresh("x")
                    return f"({{ i64 {cell} = {right}; {cell} >= 0 && has({left}, CELL_PLAN[{cell}], 0); }})"
                return f"has({left}, (i64){right}, {max(depth_of(e.left.type) - 1, depth_of(e.right.type))})"
            case "join":
                return f"joined({left}, {right})"
            case "without":
                return f"less({left}, {right}, {depth - 1})"
            case "*":
                return f"times({left}, {right})"
            case "+" | "-":
                return f"bounded({left} {e.op} {right})"
            case _:
                return f"({left} {e.op} {right})"

    def lookup(self, e: checked.Lookup, scope: Scope) -> str:
        keys = [self.c(key, scope) for key in e.keys]
        depth = depth_of(e.type)
        if e.what == "matrix":
            cells = self.layout.matrices[e.name]
            width = len(cells[0]) if cells else 0
            table = self.array([self.constant(value, depth) for row in cells for value in row])
            return self.typed(f"{table}[({keys[0]}) * {width} + {keys[1]}]", e.type)
        if e.what == "series":
            first, values, beyond = self.layout.series[e.name]
            found = f"entry(&{self.list_constant(values, 1)}, {first}, {BEYOND[beyond]}, {keys[0]})"
            return self.typed(found, e.type)
        assert e.of is not None
        of = self.c(e.of, scope)
        return self.typed(f"{of}->v[{keys[0]}]" if e.what == "map" else f"entry({of}, 1, 0, {keys[0]})", e.type)

    def place(self, e: checked.ZoneOf, scope: Scope) -> str:
        first, shift = self.layout.zone_first[e.zone], self.layout.zone_shift[e.zone]
        return f"{first}LL" if e.owner is None else f"({first - shift} + {self.c(e.owner, scope)})"

    def variable(self, number: int, owner: checked.Expr | None, scope: Scope) -> str:
        first, shift = self.layout.variable_first[number], self.layout.variable_shift[number]
        return str(first) if owner is None else f"{first - shift} + {self.c(owner, scope)}"

    def can(self, e: checked.Can, scope: Scope) -> str:
        rule, slots = self.fresh("r"), self.fresh("n")
        which = str(e.target.rule)
        if e.target.key is not None:
            members = self.keep("int", f"{{{', '.join(map(str, e.target.members))}}}", "[]")
            which = f"{members}[{self.c(e.target.key, scope)}]"
        given = "".join(f" {slots}[{1 + n}] = {self.word(a, scope)};" for n, a in enumerate(e.arguments))
        me = scope.get(0, "f[0]")
        return f"({{ int {rule} = {which}; i64 *{slots} = slots_for({rule}, {me});{given} can({rule}, {slots}); }})"

    # ----------------------------------------------------------------- binders

    def loop(self, e: checked.Gather | checked.Keyed, scope: Scope, body: Callable[[str, Scope], str], out: str) -> str:
        """A loop over the source of a binder, with a body for each that meets the condition. `out` declares what it
        fills; `$` in it stands for the source."""
        source, at, item = self.fresh("s"), self.fresh("at"), self.fresh("x")
        inner = {**scope, e.slot: item}
        test = f"if (!({self.c(e.where, inner)})) continue; " if e.where is not None else ""
        head = f"List *{source} = {self.c(e.source, scope)}; tick({source}->n + 1);"
        turn = f"i64 {item} = {source}->v[{at}]; {test}{body(item, inner)}"
        return f"{head} {out.replace('$', source)} for (i64 {at} = 0; {at} < {source}->n; {at}++) {{ {turn} }}"

    def gather(self, e: checked.Gather, scope: Scope) -> str:
        out = self.fresh("o")

        def body(item: str, inner: Scope) -> str:
            value = item if e.body is None else self.word(e.body, inner)
            return f"{out}->v[{out}->n++] = {value};"

        return f"({{ {self.loop(e, scope, body, f'List *{out} = fresh($->n);')} {out}; }})"

    def keyed(self, e: checked.Keyed, scope: Scope) -> str:
        if e.name not in ORDERS:
            raise NotNativeError(e.name)
        items, keys = self.fresh("o"), self.fresh("q")

        def body(item: str, inner: Scope) -> str:
            return f"{items}->v[{items}->n++] = {item}; {keys}->v[{keys}->n++] = {self.word(e.key, inner)};"

        room = f"List *{items} = fresh($->n), *{keys} = fresh($->n);"
        order = f"by_key({items}, {keys}, {depth_of(e.key.type)}, {ORDERS[e.name]})"
        return f"({{ {self.loop(e, scope, body, room)} {order}; }})"

    def folded(self, name: str, e: checked.Gather, scope: Scope) -> str:
        """A fold that needs no list."""
        out = self.fresh("a")

        def body(item: str, inner: Scope) -> str:
            value = item if e.body is None else self.word(e.body, inner)
            match name:
                case "any":
                    return f"{out} = 1; break;"
                case "all":
                    return f"if (!({value})) {{ {out} = 0; break; }}"
                case "count":
                    return f"{out} += {self.unit};"
                case _:
                    return f"{out} = bounded({out} + {value});"

        start = f"i64 {out} = {int(name == 'all')};"
        return f"({{ {self.loop(e, scope, body, start)} {out}; }})"

    # -------------------------------------------------------------- primitives

    def primitive(self, e: checked.Primitive, scope: Scope) -> str:
        name, arguments = e.name, e.arguments
        if arguments and name in ("any", "all", "count", "sum"):
            inner = arguments[0]
            if isinstance(inner, checked.Gather):
                return self.folded(name, inner, scope)
            if name == "any" and isinstance(inner, checked.PiecesOf):
                return f"(zone_size[{self.c(inner.zone, scope)}] > 0)"
            if name == "any" and isinstance(inner, checked.Primitive) and inner.name == "free":
                grid, *region = inner.arguments
                if not region:
                    return f"any_free({self.c(grid, scope)})"
        if name == "lines":
            return self.lines(e, scope)
        given = [self.c(argument, scope) for argument in arguments]
        if name in ("near", "around"):
            cell = f"cell_of[{given[0]}]" if isinstance(arguments[0].type, t.PieceType) else given[0]
            return f"beside({name.upper()}, {cell})"
        return self.called(e, given, scope)

    def called(self, e: checked.Primitive, given: list[str], scope: Scope) -> str:
        inner = depth_of(e.arguments[0].type) - 1 if e.arguments else 0
        match e.name:
            case "players" | "everywhere":
                return f"((List *)&{e.name.upper()}_LIST)"
            case "opponents":
                return f"((List *)&OPPONENTS[{scope.get(0, 'f[0]')}])"
            case "clockwise":
                return f"((List *)&CLOCKWISE[{given[0]}])"
            case "cell_of":
                return f"cell_of[{given[0]}]"
            case "face_of":
                return f"FACE[{given[0]}]"
            case "any":
                return f"({given[0]}->n > 0)"
            case "count":
                return f"({given[0]}->n * {self.unit})"
            case "all" | "sum":
                return f"{e.name}_of({given[0]})"
            case "union":
                return f"united({given[0]})"
            case "distinct":
                return f"distinct({given[0]}, {inner})"
            case "within":
                both = max(inner, depth_of(e.arguments[1].type) - 1)
                return f"within({given[0]}, {given[1]}, {both})"
            case "first" | "last":
                return self.end_of(e, given)
            case "min" | "max" if not isinstance(e.arguments[0].type, t.ListType):
                found = given[0]
                for other in given[1:]:
                    found = f"{'lesser' if e.name == 'min' else 'greater'}({found}, {other})"
                return found
            case "top":
                number = f"divided({given[1]}, {self.unit})" if len(given) > 1 else "1"
                return f"top_of({given[0]}, {number})"
            case "at":
                return f"at_cell({given[0]})"
            case "free" | "cells":
                return f"cells_of({given[0]}, {given[1] if len(given) > 1 else '0'}, {int(e.name == 'free')})"
            case "next" | "previous":
                ring = given[1] if len(given) > 1 else "(List *)&PLAYERS_LIST"
                return f"seat_beside({given[0]}, {ring}, {1 if e.name == 'next' else -1})"
            case "divide_up" | "divide_down" | "total":
                return f"bounded({e.name}({', '.join(given)}))"
            case "sums" | "groups" | "owner_of":
                return f"{e.name}({', '.join(given)})"
            case _:
                raise NotNativeError(e.name)

    def end_of(self, e: checked.Primitive, given: list[str]) -> str:
        if len(given) == 1:
            return self.typed(f"{e.name}_of({given[0]})", e.type)
        items = self.fresh("l")
        place = "0" if e.name == "first" else f"{items}->n - 1"
        found = self.typed(f"{items}->v[{place}]", e.type)
        return f"({{ List *{items} = {given[0]}; {items}->n ? {found} : {given[1]}; }})"

    def lines(self, e: checked.Primitive, scope: Scope) -> str:
        """Lines are a constant of the grid, so their length must be one too."""
        length = e.arguments[1]
        if not isinstance(length, checked.Const | checked.FigureRef) or not isinstance(length.value, int):
            raise NotNativeError("lines of a length that is not known")
        cells = range(len(self.layout.cell_place))
        table = self.array([self.constant(self.layout.lines(cell, length.value // self.unit), 2) for cell in cells])
        cell = self.fresh("x")
        return f"({{ i64 {cell} = {self.c(e.arguments[0], scope)}; {cell} < 0 ? fresh(0) : (List *){table}[{cell}]; }})"

    # ------------------------------------------------------------- definitions

    def define(self, number: int) -> str:
        """The function of a definition, written when it is first used, behind those it uses."""
        name = f"d{number}"
        if number not in self.defined:
            define = self.layout.program.defines[number]
            given = [f"a{slot}" for slot in range(1, 1 + define.parameters)]
            scope = {0: "me"} | {1 + place: text for place, text in enumerate(given)}
            value = self.c(define.value, scope)
            kind = "List *" if depth_of(define.type) else "i64 "
            head = f"static {kind}{name}({', '.join(f'i64 {text}' for text in ['me', *given])})"
            self.defined[number] = f"/* {remark(define.address)} */\n{head} {{\n    return {value};\n}}\n"
        return name
