"""Expressions as instructions: each form of the checked program puts its value into a register.

Work is counted as the plain evaluator counts it: instructions count what depends on data, `TICK` what is known before.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from interpreter.ir.cost import turn_cost
from interpreter.plain.evaluate import CELL_OR_PIECE, STOPPING
from interpreter.state.layout import Layout
from interpreter.vm import opcodes as op
from interpreter.vm.compile.image import Image, NotForTheVm
from interpreter.vm.compile.remembering import Remembering
from interpreter.vm.compile.tables import kind_bits
from warlock_dsl import Span
from warlock_dsl import types as t
from warlock_dsl.check import program as checked

OWN_OPCODES = {"count": op.COUNT, "any": op.ANY, "cell_of": op.CELLOF, "face_of": op.FACE}
NUMBER_OF = {name: number for number, name in enumerate(op.PRIMITIVES)}
COMPARING = {"<": op.LT, "<=": op.LE, ">": op.LT, ">=": op.LE}
PLAIN_PAIRS = {"+": op.ADD, "-": op.SUB, "*": op.MUL, "has": op.HAS, "join": op.JOIN, "without": op.LESS}
RELATIVE = (op.NEXT, op.NEXTKEEP, op.STEP, op.UNEQ, op.UNEQK, op.IFEQ, op.IFEQK, op.UNLT, op.UNLE)
MAX_LINES = 20_000  # words
MAX_LINE = 64
OVERWRITES = "total"  # works in the registers behind its arguments
ABOUT_CELLS = ("at", "near", "around")
FOLDS = ("most", "fewest", "rising", "falling", "until", "reach")
MAX_FIELD = 0xFFFF


def known_number(e: checked.Expr) -> int | None:
    """A number that stands in the rules, or in a figure."""
    known = e.value if isinstance(e, checked.Const | checked.FigureRef) else None
    return known if isinstance(known, int) and not isinstance(known, bool) else None


def small_number(e: checked.Expr) -> int | None:
    """A number that fits an instruction, as it stands there."""
    known = known_number(e)
    return known & MAX_FIELD if known is not None and -0x8000 <= known < 0x8000 else None


def may_be_list(kind: t.Type | None) -> bool:
    """Whether a value of this type is, or may be, a list of the machine."""
    return kind is None or isinstance(kind, t.ListType | t.MapType | t.RegionType | t.UnknownType)


class Compiling:
    """What all functions of a program share."""

    def __init__(self, image: Image, layout: Layout) -> None:
        self.image = image
        self.layout = layout
        remembering = Remembering(layout.program.defines)
        self.remembered = [remembering.remembered(number) for number in range(len(layout.program.defines))]
        self.series = {name: number for number, name in enumerate(layout.series)}
        self.tables = {name: number for number, name in enumerate(layout.components.tables)}
        self.fields: dict[str, int] = {}
        self.columns: dict[tuple[str, str], int] = {}
        self.matrices: dict[str, int] = {}
        self.all_lines: dict[int, int | None] = {}
        self.kind_sets: dict[tuple[str, ...], int] = {}

    def field(self, name: str) -> int:
        if name not in self.fields:
            self.fields[name] = self.image.new_list(self.layout.fields[name])
        return self.fields[name]

    def column(self, table: str, column: str) -> int:
        if (table, column) not in self.columns:
            self.columns[table, column] = self.image.new_list(self.layout.columns[table, column])
        return self.columns[table, column]

    def matrix(self, name: str) -> int:
        if name not in self.matrices:
            self.matrices[name] = self.image.new_list(self.layout.matrices[name])
        return self.matrices[name]

    def lines(self, length: int) -> int | None:
        """The lines of a length through each cell, as a list of the pool; None where that is too much to keep."""
        if length // self.layout.unit > MAX_LINE:
            return None
        if length not in self.all_lines:
            cells = range(len(self.layout.cell_place))
            found = [self.layout.lines(cell, length // self.layout.unit) for cell in cells]
            size = sum(1 + len(line) for lines in found for line in lines)
            self.all_lines[length] = self.image.new_list(found) if size <= MAX_LINES else None
        return self.all_lines[length]

    def kind_set(self, kinds: tuple[str, ...]) -> int:
        if kinds not in self.kind_sets:
            self.kind_sets[kinds] = len(self.kind_sets)
            numbers = frozenset(self.layout.kind_names.index(kind) for kind in kinds)
            self.image.sections["KINDSETS"] += kind_bits(self.layout, numbers)
        return self.kind_sets[kinds]

    def call(self, target: checked.Target, arguments: int, then: int = 0) -> int:
        """A record of a call."""
        members = self.image.sections["MEMBERS"]
        at = len(members)
        members += [] if target.key is None else target.members
        rule = target.rule if target.key is None else -1
        count = len(members) - at
        return self.image.row("CALLS", rule=rule, arguments=arguments, members=at, n_members=count, then=then)


class Function:
    """One function of the program. Registers from `slots` on are its own; `env` says where a bound slot stands."""

    def __init__(self, compiling: Compiling, slots: int) -> None:
        self.compiling = compiling
        self.image = compiling.image
        self.layout = compiling.layout
        self.start = len(self.image.code)
        self.top = slots
        self.window = max(slots, 1)
        self.env: dict[int, int] = {}
        self.forms: dict[type, Callable[[Any, int], None]] = {
            checked.Const: self.constant,
            checked.FigureRef: self.constant,
            checked.Local: self.local,
            checked.ListOf: self.list_of,
            checked.RangeOf: self.range_of,
            checked.Binary: self.binary,
            checked.Not: self.negated,
            checked.Conditional: self.conditional,
            checked.Field: self.field,
            checked.Cell: self.cell,
            checked.Lookup: self.lookup,
            checked.ZoneOf: self.zone_of,
            checked.OfRow: self.of_row,
            checked.PiecesOf: self.pieces_of,
            checked.Narrow: self.narrow,
            checked.VariableOf: self.variable_of,
            checked.Primitive: self.primitive,
            checked.Gather: self.gather,
            checked.Keyed: self.keyed,
            checked.Apply: self.apply,
            checked.Can: self.can,
            checked.Would: self.would,
        }

    def finish(self, name: str) -> int:
        """The function is whole: note it, and what it is of; its first instruction."""
        self.image.row("FUNCS", start=self.start, end=len(self.image.code), window=self.window)
        self.image.names.append(name)
        return self.start

    # ------------------------------------------------------------- instructions

    def emit(self, code: int, a: int = 0, b: int = 0, c: int = 0, span: Span | None = None) -> int:
        if max(a, b, c) > MAX_FIELD:
            raise NotForTheVm("a number that fits no instruction")
        self.image.code.append((code, a, b, c))
        self.image.spans.append(span)
        return len(self.image.code) - 1

    def emit_wide(self, code: int, a: int, number: int, span: Span | None = None) -> int:
        """An instruction whose last two fields are one number."""
        bits = number & 0xFFFFFFFF
        return self.emit(code, a, bits & 0xFFFF, bits >> 16, span)

    def here(self) -> int:
        return len(self.image.code)

    def jump(self, code: int, register: int = 0) -> int:
        """A jump whose target is not known yet."""
        return self.emit(code, register)

    def land(self, *jumps: int) -> None:
        """These jumps lead here."""
        for at in jumps:
            self.lead(at, self.here())

    def lead(self, at: int, target: int) -> None:
        code, a, b, _ = self.image.code[at]
        if code in RELATIVE:
            away = target - at - 1
            if not -0x8000 <= away < 0x8000:
                raise NotForTheVm("a loop that is too long")
            self.image.code[at] = (code, a, b, away & 0xFFFF)
        else:
            self.image.code[at] = (code, a, target & 0xFFFF, target >> 16)

    def go(self, target: int) -> None:
        self.emit_wide(op.JMP, 0, target)

    # ---------------------------------------------------------------- registers

    def temps(self, count: int = 1) -> int:
        """So many registers in a row; given back by setting `top` down."""
        first = self.top
        self.top += count
        self.window = max(self.window, self.top)
        return first

    def slot(self, number: int) -> int:
        return self.env.get(number, number)

    def value(self, e: checked.Expr) -> int:
        """The register that has the value: that of its name, or a new one."""
        if isinstance(e, checked.Local):
            return self.slot(e.slot)
        register = self.temps()
        self.into(e, register)
        return register

    def into(self, e: checked.Expr, to: int) -> None:
        mark = self.top
        self.forms[type(e)](e, to)
        self.top = mark

    def row(self, expressions: Sequence[checked.Expr]) -> int:
        """Values in registers one after another."""
        first = self.temps(len(expressions))
        for place, e in enumerate(expressions):
            self.into(e, first + place)
        return first

    # -------------------------------------------------------------------- forms

    def put(self, value: Any, to: int) -> None:
        """A value that is known."""
        if isinstance(value, int) and not isinstance(value, bool) and -(1 << 31) <= value < 1 << 31:
            self.emit_wide(op.INT, to, value)
        else:
            self.emit_wide(op.K, to, self.image.constant(value))

    def constant(self, e: checked.Const | checked.FigureRef, to: int) -> None:
        self.put(e.value, to)

    def local(self, e: checked.Local, to: int) -> None:
        if self.slot(e.slot) != to:
            self.emit(op.MOV, to, self.slot(e.slot))

    def list_of(self, e: checked.ListOf, to: int) -> None:
        first = self.row(e.items)
        self.emit(op.LIST, to, first, len(e.items))

    def range_of(self, e: checked.RangeOf, to: int) -> None:
        low, high = self.value(e.low), self.value(e.high)
        self.emit(op.RANGE, to, low, high, e.span)

    def binary(self, e: checked.Binary, to: int) -> None:
        if e.op in ("and", "or"):
            self.into(e.left, to)
            out = self.jump(op.JF if e.op == "and" else op.JT, to)
            self.into(e.right, to)
            self.land(out)
            return
        left, right = self.value(e.left), self.value(e.right)
        if e.op == "is":
            self.emit(op.SAME if self.of_lists(e) else op.EQ, to, left, right)
        elif e.op in COMPARING:
            pair = (right, left) if e.op in (">", ">=") else (left, right)
            self.emit(COMPARING[e.op], to, *pair)
        elif e.op == "has" and isinstance(e.left.type, t.RegionType):
            self.emit(op.REGION, to, left, right)
        else:
            self.emit(PLAIN_PAIRS[e.op], to, left, right, e.span)

    def negated(self, e: checked.Not, to: int) -> None:
        self.emit(op.NOT, to, self.value(e.of))

    def unless(self, test: checked.Expr) -> list[int]:
        """Test it; the jumps that are taken where it does not hold."""
        if isinstance(test, checked.Binary) and test.op == "and":
            return [*self.unless(test.left), *self.unless(test.right)]
        if isinstance(test, checked.Binary) and test.op == "or":
            holds = self.when(test.left)
            no = self.unless(test.right)
            self.land(*holds)
            return no
        if isinstance(test, checked.Not):
            return self.when(test.of)
        return [self.test(test, op.JF, op.UNEQ, op.UNEQK)]

    def when(self, test: checked.Expr) -> list[int]:
        """Test it; the jumps that are taken where it holds."""
        if isinstance(test, checked.Binary) and test.op == "or":
            return [*self.when(test.left), *self.when(test.right)]
        if isinstance(test, checked.Binary) and test.op == "and":
            fails = self.unless(test.left)
            yes = self.when(test.right)
            self.land(*fails)
            return yes
        if isinstance(test, checked.Not):
            return self.unless(test.of)
        return [self.test(test, op.JT, op.IFEQ, op.IFEQK)]

    def test(self, test: checked.Expr, jump: int, equal: int, equal_constant: int) -> int:
        """One jump on a condition: of these, that which fits it."""
        mark = self.top
        if isinstance(test, checked.Binary) and test.op == "is" and not self.of_lists(test):
            left, small = self.value(test.left), small_number(test.right)
            if small is None:
                at = self.emit(equal, left, self.value(test.right))
            else:
                at = self.emit(equal_constant, left, small)
        elif isinstance(test, checked.Binary) and test.op in COMPARING and jump == op.JF:
            left, right = self.value(test.left), self.value(test.right)
            pair = (right, left) if test.op in (">", ">=") else (left, right)
            at = self.emit(op.UNLT if COMPARING[test.op] == op.LT else op.UNLE, *pair)
        else:
            at = self.jump(jump, self.value(test))
        self.top = mark
        return at

    def of_lists(self, e: checked.Binary) -> bool:
        return may_be_list(e.left.type) or may_be_list(e.right.type)

    def conditional(self, e: checked.Conditional, to: int) -> None:
        no = self.unless(e.test)
        self.into(e.then, to)
        out = self.jump(op.JMP)
        self.land(*no)
        self.into(e.otherwise, to)
        self.land(out)

    def field(self, e: checked.Field, to: int) -> None:
        self.emit(op.ENTRY, to, self.value(e.of), self.compiling.field(e.name))

    def cell(self, e: checked.Cell, to: int) -> None:
        self.emit(op.ENTRY, to, self.value(e.of), self.compiling.column(e.table, e.column))

    def lookup(self, e: checked.Lookup, to: int) -> None:
        if e.what == "matrix":
            self.emit(op.ENTRY2, to, self.row(e.keys), self.compiling.matrix(e.name))
            return
        key = self.value(e.keys[0])
        if e.what == "row":
            self.emit(op.ROWOF, to, key, self.compiling.tables[e.name], e.span)
        elif e.what == "series":
            self.emit(op.SERIES, to, key, self.compiling.series[e.name], e.span)
        else:
            assert e.of is not None
            code = {"map": op.ITEM, "cell": op.CELLAT}.get(e.what, op.NTH)
            self.emit(code, to, self.value(e.of), key, e.span)

    def zone_of(self, e: checked.ZoneOf, to: int) -> None:
        if e.owner is None:
            self.put(self.layout.place(e.zone, -1), to)
        else:
            self.emit(op.ZONE, to, self.value(e.owner), e.zone)

    def of_row(self, e: checked.OfRow, to: int) -> None:
        if e.owner is None:
            self.into(e.key, to)
            return
        owner = self.temps()
        self.emit(op.SCALE, owner, self.value(e.owner), e.rows)
        self.emit(op.ADD, to, owner, self.value(e.key))

    def pieces_of(self, e: checked.PiecesOf, to: int) -> None:
        self.emit(op.PIECES, to, self.value(e.zone))

    def narrow(self, e: checked.Narrow, to: int) -> None:
        self.emit(op.NARROW, to, self.value(e.of), self.compiling.kind_set(e.kinds))

    def variable_of(self, e: checked.VariableOf, to: int) -> None:
        if e.owner is None:
            self.emit_wide(op.GVAR, to, self.layout.variable(e.variable, -1))
        else:
            self.emit(op.VAR, to, self.value(e.owner), e.variable)

    def variable_at(self, variable: int, owner: checked.Expr | None, to: int) -> None:
        """Where a variable stands."""
        if owner is None:
            self.put(self.layout.variable(variable, -1), to)
        else:
            mark = self.top
            self.emit(op.VARAT, to, self.value(owner), variable)
            self.top = mark

    def primitive(self, e: checked.Primitive, to: int) -> None:
        if e.name in STOPPING and isinstance(e.arguments[0], checked.Gather):
            self.some_or_all(e.arguments[0], STOPPING[e.name], to)
            return
        if e.name in OWN_OPCODES:
            self.own_opcode(e.name, e.arguments[0], to)
            return
        if e.name == "lines" and (length := known_number(e.arguments[1])) is not None and length > 0:
            lines = self.compiling.lines(length)
            if lines is not None:
                cell = self.value(e.arguments[0])
                if isinstance(e.arguments[0].type, t.PieceType):
                    cell = self.cell_of(cell, self.temps())
                self.emit(op.LINES, to, cell, lines, e.span)
                return
        if e.name not in NUMBER_OF:
            raise NotForTheVm(f"it does not know '{e.name}'")
        if len(e.arguments) == 1 and isinstance(e.arguments[0], checked.Local) and e.name != OVERWRITES:
            first = self.slot(e.arguments[0].slot)
        else:
            first = self.row(e.arguments)
        if e.name in CELL_OR_PIECE and isinstance(e.arguments[0].type, t.PieceType):
            first = self.cell_of(first, self.temps() if len(e.arguments) == 1 else first)
        self.emit(op.PRIM, to, first, NUMBER_OF[e.name] | len(e.arguments) << 8, e.span)

    def cell_of(self, piece: int, to: int) -> int:
        self.emit(op.CELLOF, to, piece)
        return to

    def own_opcode(self, name: str, of: checked.Expr, to: int) -> None:
        """A primitive that is an instruction; of pieces that are only counted no list is made."""
        code = OWN_OPCODES[name]
        if code in (op.ANY, op.COUNT) and isinstance(of, checked.PiecesOf):
            self.emit(op.FILLED if code == op.ANY else op.NUMBER, to, self.value(of.zone))
        elif code == op.ANY and isinstance(of, checked.Primitive) and of.name in ABOUT_CELLS:
            where = self.value(of.arguments[0])
            if isinstance(of.arguments[0].type, t.PieceType):
                where = self.cell_of(where, self.temps())
            self.emit(op.LYING, to, where, NUMBER_OF[of.name], of.span)
        else:
            self.emit(code, to, self.value(of))

    # -------------------------------------------------------------------- folds

    def bind(self, slot: int) -> tuple[int, int | None]:
        """A register for a bound slot, and where the slot stood before."""
        before = self.env.get(slot)
        self.env[slot] = self.temps()
        return self.env[slot], before

    def unbind(self, slot: int, before: int | None) -> None:
        if before is None:
            del self.env[slot]
        else:
            self.env[slot] = before

    def some_or_all(self, e: checked.Gather, some: bool, to: int) -> None:
        """It stops where the answer is known."""
        loop = self.temps(3)
        self.emit(op.LOOP, loop, self.value(e.source), turn_cost(e))
        self.put(not some, to)
        item, before = self.bind(e.slot)
        again = self.here()
        over = self.emit(op.NEXT, loop, item)
        for jump in self.unless(e.where) if e.where is not None else ():
            self.lead(jump, again)
        if not some:
            body = checked.Local(e.slot, t.TRUTH, e.span) if e.body is None else e.body
            for holds in self.when(body):
                self.lead(holds, again)
        self.put(some, to)
        self.land(over)
        self.unbind(e.slot, before)

    def gather(self, e: checked.Gather, to: int) -> None:
        keeps = e.body is not None and may_be_list(e.body.type)
        loop = self.temps(3)
        made = to
        self.emit(op.LOOP, loop, self.value(e.source), turn_cost(e))
        self.emit(op.LNEW, made, loop, 1)
        item, before = self.bind(e.slot)
        again = self.here()
        over = self.emit(op.NEXTKEEP if keeps else op.NEXT, loop, item)
        for jump in self.unless(e.where) if e.where is not None else ():
            self.lead(jump, again)
        self.emit(op.PUSH, made, item if e.body is None else self.value(e.body))
        self.go(again)
        self.land(over)
        if not keeps:
            self.emit(op.SEAL, made)
        self.unbind(e.slot, before)

    def keyed(self, e: checked.Keyed, to: int) -> None:
        if e.name not in FOLDS:
            raise NotForTheVm(f"it does not know '{e.name}'")
        loop = self.temps(3)
        keys = self.temps(2)  # and the elements
        source = self.value(e.source)
        if e.name == "reach":
            self.emit(op.REACH, loop, source, turn_cost(e))
        else:
            self.emit(op.LOOP, loop, source, turn_cost(e))
            self.emit(op.LNEW, keys, loop, 1)
            self.emit(op.LNEW, keys + 1, loop, 1)
        item, before = self.bind(e.slot)
        again = self.here()
        over = self.emit(op.NEXTKEEP if may_be_list(e.key.type) else op.NEXT, loop, item)
        for jump in self.unless(e.where) if e.where is not None else ():
            self.lead(jump, again)
        key = self.temps()
        self.into(e.key, key)
        self.emit(op.WEIGH, key)
        out: list[int] = [over]
        if e.name == "reach":
            self.emit(op.FOLLOW, loop, key, turn_cost(e))
        else:
            self.emit(op.PUSH, keys + 1, item)
            if e.name == "until":
                out.append(self.jump(op.JT, key))
            else:
                self.emit(op.PUSH, keys, key)
        self.go(again)
        self.land(*out)
        if e.name in ("most", "fewest"):
            self.emit(op.BEST, to, keys, int(e.name == "fewest"))
        elif e.name in ("rising", "falling"):
            self.emit(op.SORT, to, keys, int(e.name == "falling"))
        else:
            self.emit(op.MOV, to, loop if e.name == "reach" else keys + 1)
        self.unbind(e.slot, before)

    # -------------------------------------------------------------------- calls

    def apply(self, e: checked.Apply, to: int) -> None:
        window = self.temps(1 + len(e.arguments))
        for place, argument in enumerate(e.arguments):
            self.into(argument, window + 1 + place)
        if self.layout.program.defines[e.define].recursive:
            code = op.CALLSELF
        else:
            code = op.RECALL if self.compiling.remembered[e.define] else op.CALL
        self.emit(code, to, window, e.define, e.span)

    def call_window(
        self, target: checked.Target, arguments: Sequence[checked.Expr], by: checked.Expr | None, kept: bool
    ) -> int:
        """Who acts, the arguments and the key of a call in a row of registers; `kept`: the arguments outlive it."""
        window = self.temps(2 + len(arguments))
        key = window + 1 + len(arguments)
        if target.key is None:
            self.put(0, key)
        else:
            self.into(target.key, key)
        for place, argument in enumerate(arguments):
            self.into(argument, window + 1 + place)
            if kept and may_be_list(argument.type):
                self.emit(op.SIZE, window + 1 + place)
        if by is None:
            self.emit(op.MOV, window, self.slot(0))
        else:
            self.into(by, window)
        return window

    def can(self, e: checked.Can, to: int) -> None:
        window = self.call_window(e.target, e.arguments, None, kept=False)
        self.emit(op.CAN, to, window, self.compiling.call(e.target, len(e.arguments)))

    def would(self, e: checked.Would, to: int) -> None:
        window = self.call_window(e.target, e.arguments, e.by, kept=True)
        self.emit(op.WOULD, 0, window, self.compiling.call(e.target, len(e.arguments)), e.span)
        found = self.temps()
        self.into(e.value, found)
        self.emit(op.BACK, to, found)


def fragment(compiling: Compiling, e: checked.Expr, slots: int, name: str) -> tuple[int, int]:
    """An expression as a function of its own: where it begins, and how many registers it needs."""
    function = Function(compiling, slots)
    function.emit(op.RET, function.value(e))
    return function.finish(name), function.window
