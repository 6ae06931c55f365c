"""Steps as Python: what binds slots, what moves pieces and what changes variables."""

from __future__ import annotations

from interpreter.generate.calls import Calls
from interpreter.generate.expressions import Scope
from interpreter.generate.facts import UNKNOWN
from interpreter.generate.text import atomic
from interpreter.ir import blocks as ir
from interpreter.plain.primitives import MAX_NUMBER
from warlock_dsl import types as t
from warlock_dsl.check import program as checked

SHORT = 1000  # a list that is known to be no longer need not be measured before it is kept


class Acts(Calls):
    """The steps of a block. How a slot is bound is for those who know what kind of function this is."""

    def bind(self, slot: int, text: str) -> None:
        raise AssertionError

    def stored(self, e: checked.Expr, scope: Scope) -> str:
        """A value that is kept."""
        text = self.value(e, scope)
        if not isinstance(e.type, t.ListType) or self.facts.constant(e) is not UNKNOWN:
            return text
        maximum = self.facts.length(e)
        flat = not isinstance(e.type.item, t.ListType)
        return text if maximum is not None and maximum <= SHORT and flat else f"STORED({text})"

    def step(self, step: ir.Step, scope: Scope) -> None:
        match step:
            case ir.Bind():
                self.bind(step.slot, self.stored(step.value, scope))
            case ir.Clear():
                self.bind(step.slot, "None")
            case ir.Keep():
                self.bind(step.slot, scope[step.other])
            case ir.Enter():
                self.bind(step.list_slot, self.stored(step.source, scope))
                self.bind(step.place_slot, "0")
            case ir.Times():
                self.bind(step.slot, self.whole(step.count, scope))
            case ir.Need():
                self.unless(step.test, scope, f"raise NEEDED({self.m.span(step.span)})")
            case ir.LawStep():
                self.law(step, scope)
            case ir.MoveStep():
                self.move(step, scope)
            case ir.SwapStep():
                self.swap(step, scope)
            case ir.ShuffleStep():
                self.shuffle(step, scope)
            case ir.ChangeStep():
                self.change(step, scope)
            case ir.ResetStep():
                for variable in step.variables:
                    self.reset(variable)

    def whole(self, e: checked.Expr, scope: Scope) -> str:
        """A number as a plain integer."""
        known = self.facts.constant(e)
        if known is not UNKNOWN:
            return str(known // self.facts.unit)
        text = self.value(e, scope)
        return text if self.facts.unit == 1 else f"{text} // {self.facts.unit}"

    def law(self, step: ir.LawStep, scope: Scope) -> None:
        if not self.m.laws:
            return
        level = self.body.level
        if step.where is not None:
            self.body.line(f"if {self.test(step.where, scope)}:")
            self.body.level += 1
        self.body.line("pass")
        self.unless(step.test, scope, f"raise LAW({step.name!r}, {self.m.span(step.span)})")
        self.body.level = level

    # ------------------------------------------------------------------- moves

    def move(self, step: ir.MoveStep, scope: Scope) -> None:
        """All operands are read before anything moves."""
        alone = len(step.pairs) == 1
        read: list[tuple[checked.Expr, str, checked.Expr, str, bool]] = []
        for what, to, is_cell in step.pairs:
            pieces, target = self.value(what, scope), self.value(to, scope)
            if not alone:
                pieces, target = self.body.held(pieces), self.body.held(target)
            read.append((what, pieces, to, target, is_cell))
        for what, pieces, to, target, is_cell in read:
            self.move_all(what, pieces, to, target, is_cell, self.m.span(step.span))

    def move_all(
        self, what: checked.Expr, pieces: str, to: checked.Expr, target: str, is_cell: bool, span: str
    ) -> None:
        if not isinstance(what.type, t.ListType):
            self.body.line(self.move_one(what.type, pieces, to, target, is_cell, span))
            return
        target = self.body.held(target)
        maximum = self.facts.length(what)
        if maximum is None:
            pieces = self.body.held(pieces)
            self.body.line(f"if len({pieces}) > MANY: SPEND(len({pieces}))")
        if maximum == 1 and not atomic(pieces) and pieces.startswith("tuple("):
            pieces = pieces[6:-1]
        with self.body.block(f"for piece in {pieces}:"):
            item = what.type.item if what.type.item is not None else t.PieceType()
            self.body.line(self.move_one(item, "piece", to, target, is_cell, span))

    def move_one(self, kind: t.Type, piece: str, to: checked.Expr, target: str, is_cell: bool, span: str) -> str:
        if is_cell:
            return f"SET_DOWN(s, {piece}, {target}, {span})"
        if isinstance(to, checked.ZoneOf) and isinstance(kind, t.PieceType):
            zone = self.layout.zones[to.zone]
            kinds = set(kind.kinds or self.layout.kind_names)
            if not zone.grid and zone.owner in ("", "player") and kinds <= set(zone.kinds):
                return f"LAY(s, {piece}, {target})"
        return f"MOVE(s, {piece}, {target}, {span})"

    def swap(self, step: ir.SwapStep, scope: Scope) -> None:
        pairs = []
        for left, right in step.pairs:
            texts = self.in_order(left, right, scope)
            pairs.append(texts if len(step.pairs) == 1 else tuple(self.body.held(text) for text in texts))
        for a, b in pairs:
            self.body.line(f"SWAP(s, {a}, {b}, {self.m.span(step.span)})")

    def shuffle(self, step: ir.ShuffleStep, scope: Scope) -> None:
        places = [self.body.held(self.value(zone, scope)) for zone in step.zones]
        for place in places:
            self.body.line(f"SPEND(len(Z[{place}]))")
            self.body.line(f"s.rng, Z[{place}] = SHUFFLED(s.rng, Z[{place}])")

    # --------------------------------------------------------------- variables

    def change(self, step: ir.ChangeStep, scope: Scope) -> None:
        alone = len(step.changes) == 1
        read = []
        for variable, owner, value in step.changes:
            first, shift = self.layout.variable_first[variable], self.layout.variable_shift[variable]
            place = self.place_of(first, shift, owner, scope)
            text = self.stored(value, scope) if step.verb == "set" else self.value(value, scope)
            if not alone:
                place, text = self.body.held(place), self.body.held(text)
            read.append((variable, place, text, value))
        for variable, place, text, value in read:
            self.write(step, variable, place, text, value)

    def write(self, step: ir.ChangeStep, variable: int, place: str, text: str, value: checked.Expr) -> None:
        """A counter stops at the ends of its range."""
        layout = self.layout
        first = layout.variable_first[variable]
        if first >= len(layout.slots):
            return
        slot = layout.slots[first]
        ends = (slot.low, slot.high) if slot.low is not None and slot.high is not None else None
        if step.verb != "set":
            place = self.body.held(place)
            sign = "+" if step.verb == "add" else "-"
            text = self.body.held(f"V[{place}] {sign} {text}")
            each = self.facts.range(value)
            if ends is None or each is None or max(map(abs, ends)) + max(map(abs, each)) > MAX_NUMBER:
                limits = f"-MAX_NUMBER <= {text} <= MAX_NUMBER"
                self.body.line(f"if not {limits}: raise TOO_BIG({self.m.span(step.span)})")
        if slot.low is not None:
            text = f"max({text}, {slot.low})"
        if slot.high is not None:
            text = f"min({text}, {slot.high})"
        self.body.line(f"V[{place}] = {text}")

    def reset(self, variable: int) -> None:
        first = self.layout.variable_first[variable]
        starts = self.layout.variable_first
        last = starts[variable + 1] if variable + 1 < len(starts) else len(self.layout.slots)
        if last == first + 1:
            self.body.line(f"V[{first}] = {self.m.literal(self.layout.first_values[first])}")
        elif last > first:
            self.body.line(f"SPEND({(last - first) >> 3})" if last - first > 64 else "pass")
            self.body.line(f"V[{first}:{last}] = FIRSTS[{first}:{last}]")
