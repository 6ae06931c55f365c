"""Lists and folds as Python: one loop for each, with its tests inside it, left as soon as the answer is known."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from interpreter.generate.expressions import Expressions, Scope
from interpreter.generate.facts import DEAR, UNKNOWN
from interpreter.ir.cost import turn_cost
from warlock_dsl import types as t
from warlock_dsl.check import program as checked

FEW = 16  # elements whose work need not be counted
LOOPED = ("near", "around", "free")
KEYED = ("most", "fewest", "rising", "falling")


class UnknownPrimitiveError(Exception):
    """A primitive that has no function here; the plain machine plays the rules that use it."""


class Folds(Expressions):
    """Everything that goes through a list."""

    # ------------------------------------------------------------------- lists

    def items(self, e: checked.Expr, scope: Scope) -> str:
        """A list in any shape, to be gone through before anything changes."""
        known = self.facts.constant(e)
        if known is not UNKNOWN:
            return self.m.literal(known)
        if (ready := self.early(e, scope, self.list_or_early)) is not None:
            return ready
        return self.list_or_early(e, scope)

    def list_or_early(self, e: checked.Expr, scope: Scope) -> str:
        return self.settled(e, self.list_text(e, scope))

    def list_text(self, e: checked.Expr, scope: Scope) -> str:
        match e:
            case checked.PiecesOf():
                return f"Z[{self.value(e.zone, scope)}]"
            case checked.ListOf():
                return self.list_of(e, scope)
            case checked.RangeOf():
                low, high = self.in_order(e.low, e.high, scope)
                return f"SPREAD({low}, {high}, {self.m.span(e.span)})"
            case checked.Binary(op="join"):
                return self.joined(e, scope)
            case checked.Binary(op="without"):
                left = self.body.held(self.items(e.left, scope))
                return f"WITHOUT({left}, {self.items(e.right, scope)})"
            case checked.Conditional():
                return self.conditional(e, scope, self.items)
            case checked.Keyed():
                return self.keyed(e, scope)
            case checked.Apply():
                return self.apply(e, scope, self.items)
            case checked.Primitive(name="union"):
                return self.united(e.arguments[0], scope)
            case checked.Primitive():
                return self.collected(e, scope) if e.name in LOOPED else self.primitive(e, scope)
            case checked.Gather() | checked.Narrow():
                return self.collected(e, scope)
            case checked.Local():
                return scope[e.slot]
            case checked.Binary():
                return self.binary(e, scope)
            case checked.Field():
                return f"{self.m.table('fields', e.name)}[{self.value(e.of, scope)}]"
            case checked.Cell():
                return f"{self.m.table('columns', e.table, e.column)}[{self.value(e.of, scope)}]"
            case checked.VariableOf():
                return self.variable(e, scope)
            case checked.Lookup():
                return self.lookup(e, scope)
            case _:
                raise AssertionError(e)

    def list_of(self, e: checked.ListOf, scope: Scope) -> str:
        return f"({''.join(f'{self.value(item, scope)}, ' for item in e.items)})"

    def joined(self, e: checked.Binary, scope: Scope) -> str:
        left = self.items(e.left, scope)
        left = self.body.held(left) if not left.startswith("(") else left
        right = self.items(e.right, scope)
        if self.facts.length(e) is None:
            left, right = self.body.held(left), self.body.held(right)
            self.body.line(f"if len({left}) + len({right}) > MAX_ITEMS: raise TOO_LONG({self.m.span(e.span)})")
        parts = [part for part in (left, right) if part != "()"]
        return f"[{', '.join(f'*{part}' for part in parts)}]"

    def collected(self, e: checked.Expr, scope: Scope) -> str:
        name = self.body.fresh("list")
        self.body.line(f"{name} = []")
        with self.each(e, scope) as item:
            self.body.line(f"{name}.append({item})")
        return name

    def united(self, e: checked.Expr, scope: Scope) -> str:
        name = self.body.fresh("list")
        self.body.line(f"{name} = []")
        inner = e.body if isinstance(e, checked.Gather) else None
        short = inner is not None and (self.facts.length(inner) or FEW + 1) <= FEW
        with self.each(e, scope) as item:
            self.body.line(f"{name}.extend({item})")
            if not short:
                self.body.line(f"if len({name}) > MAX_WORK: SPEND(len({name}))")
        if not short:
            self.body.line(f"if len({name}) > MANY: SPEND(len({name}))")
        return name

    # ------------------------------------------------------------------- loops

    @contextmanager
    def each(self, e: checked.Expr, scope: Scope) -> Iterator[str]:
        """A loop over the elements of a list; inside it, the expression of the element."""
        place = self.body.here()
        yield self.open(e, scope)
        self.body.back_to(place)

    def open(self, e: checked.Expr, scope: Scope) -> str:
        """The head of a loop, and the tests that skip an element. The body stays open.

        A list that cannot fail is gone through as it is made; another is made first, as the plain machine does.
        """
        if self.facts.constant(e) is not UNKNOWN:
            return self.open_list(self.items(e, scope))
        match e:
            case checked.Gather():
                item = self.open_turns(e, scope)
                return item if e.body is None else self.value(e.body, {**scope, e.slot: item})
            case checked.Narrow():
                item = self.open(e.of, scope) if self.facts.safe(e.of) else self.open_list(self.items(e.of, scope))
                if not self.fits_all(e):
                    item = self.body.held(item, "x")
                    self.skip_unless(self.of_kinds(item, e.kinds))
                return item
            case checked.Primitive(name="near" | "around"):
                cell = self.cell(e.arguments[0], scope)
                other = self.open_list(f"{e.name.upper()}[{cell}]")
                found = self.body.fresh("x")
                self.body.line(f"{found} = A[{other}]")
                self.body.line(f"if {found} < 0: continue")
                return found
            case checked.Primitive(name="free"):
                cell = self.open_list(self.cells(e, scope))
                self.body.line(f"if A[{cell}] >= 0: continue")
                return cell
            case checked.Apply() if self.written_out(e) and self.facts.safe(e):
                return self.open(self.facts.defines[e.define].value, self.inner_scope(e, scope))
            case _:
                return self.open_list(self.items(e, scope))

    def open_list(self, items: str) -> str:
        name = self.body.fresh("x")
        self.body.enter(name, items)
        return name

    def skip_unless(self, test: str) -> None:
        self.body.line(f"if not ({test}): continue")

    def open_turns(self, e: checked.Gather | checked.Keyed, scope: Scope) -> str:
        """The turns of a binder. What does not hang on the element is tested once, before the loop."""
        conditions = list(self.conditions(e.where))
        if not self.facts.safe(e.source) or self.facts.counted(e):
            item = self.open_list(self.counted_list(e, scope))
        else:
            while conditions and e.slot not in self.facts.reads(conditions[0]) and self.facts.safe(conditions[0]):
                self.body.line(f"if {self.test(conditions.pop(0), scope)}:")
                self.body.level += 1
            item = self.open(e.source, scope)
        if conditions or (isinstance(e, checked.Gather) and e.body is not None) or isinstance(e, checked.Keyed):
            item = self.body.held(item, "x")
        inner = {**scope, e.slot: item}
        for condition in conditions:
            self.unless(condition, inner, "continue")
        return item

    def counted_list(self, e: checked.Gather | checked.Keyed, scope: Scope) -> str:
        """The list of a fold that is made first. A dear fold, or one over a list of any length, counts its work."""
        items = self.items(e.source, scope)
        if self.facts.counted(e):
            items = self.body.held(items)
            minimum = f"if len({items}) > {FEW}: " if self.facts.cost(e) <= DEAR else ""
            self.body.line(f"{minimum}SPEND(len({items}) * {turn_cost(e)})")
        return items

    def fits_all(self, e: checked.Narrow) -> bool:
        """Whether no piece can be of another kind."""
        kind = e.of.type.item if isinstance(e.of.type, t.ListType) else None
        return isinstance(kind, t.PieceType) and bool(kind.kinds) and set(kind.kinds) <= set(e.kinds)

    def of_kinds(self, item: str, kinds: tuple[str, ...]) -> str:
        numbers = sorted(self.layout.kind_names.index(kind) for kind in kinds)
        if len(numbers) == 1:
            return f"KIND[{item}] == {numbers[0]}"
        return f"KIND[{item}] in {self.m.literal(tuple(numbers))}"

    # ------------------------------------------------------------------- tests

    def any(self, e: checked.Expr, scope: Scope) -> str:
        """Whether there is an element."""
        if (ready := self.early(e, scope, self.plain_any)) is not None:
            return ready
        return self.plain_any(e, scope)

    def plain_any(self, e: checked.Expr, scope: Scope) -> str:
        match e:
            case checked.Narrow() | checked.Primitive() if not self.facts.safe(e):
                return self.items(e, scope)
            case checked.Primitive(name="free") if len(e.arguments) == 1:
                return self.any_free(e.arguments[0], scope)
            case checked.Gather() | checked.Narrow() | checked.Primitive(name="near" | "around" | "free"):
                name = self.body.fresh("any")
                self.body.line(f"{name} = False")
                with self.each(e, scope):
                    self.body.line(f"{name} = True")
                    self.body.line("break")
                return name
            case checked.Apply():
                return self.apply(e, scope, self.any)
            case checked.Conditional():
                return self.conditional(e, scope, self.any)
            case checked.Binary(op="join"):
                return self.either(e, scope)
            case _:
                return self.items(e, scope)

    def either(self, e: checked.Binary, scope: Scope) -> str:
        """Whether one of two lists has an element. Both are looked at: either may be faulty."""
        if not self.facts.safe(e):
            return self.items(e, scope)
        left, right = self.any(e.left, scope), self.any(e.right, scope)
        return f"({left} or {right})"

    def any_free(self, zone: checked.Expr, scope: Scope) -> str:
        if isinstance(zone, checked.ZoneOf) and zone.owner is None:
            place = self.layout.places[self.layout.zone_first[zone.zone]]
            size = len(self.layout.components.grids[place.grid].cells)
            return f"(-1 in A[{place.first_cell}:{place.first_cell + size}])"
        text = self.body.held(self.value(zone, scope))
        return f"(-1 in A[FIRST_CELL[{text}]:END_CELL[{text}]])"

    # ------------------------------------------------------------------- keyed

    def keyed(self, e: checked.Keyed, scope: Scope) -> str:
        """`most`, `fewest`: the best so far, all of them; `rising`, `falling`: pairs, then sorted by key alone."""
        if e.name not in KEYED:
            raise UnknownPrimitiveError(e.name)
        best, found = self.body.fresh("best"), self.body.fresh("list")
        sorts = e.name in ("rising", "falling")
        self.body.line(f"{found} = []")
        if not sorts:
            self.body.line(f"{best} = None")
        place = self.body.here()
        item = self.open_turns(e, scope)
        key = self.body.held(self.value(e.key, {**scope, e.slot: item}), "key")
        if sorts:
            self.body.line(f"{found}.append(({key}, {item}))")
        else:
            better = ">" if e.name == "most" else "<"
            with self.body.block(f"if {best} is None or {key} {better} {best}:"):
                self.body.line(f"{best} = {key}")
                self.body.line(f"{found} = [{item}]")
            with self.body.block(f"elif {key} == {best}:"):
                self.body.line(f"{found}.append({item})")
        self.body.back_to(place)
        if not sorts:
            return found
        self.body.line(f"{found}.sort(key=FIRST_OF{', reverse=True' if e.name == 'falling' else ''})")
        return f"[pair[1] for pair in {found}]"

    # ------------------------------------------------------------------- cells

    def cell(self, e: checked.Expr, scope: Scope) -> str:
        """A cell, or the cell of a piece."""
        text = self.value(e, scope)
        return f"C[{text}]" if isinstance(e.type, t.PieceType) else text

    def cells(self, e: checked.Primitive, scope: Scope) -> str:
        """The cells of a grid, or those of them in a region."""
        zone = self.value(e.arguments[0], scope)
        if len(e.arguments) == 1:
            return f"CELLS[{zone}]"
        return f"CELLS_IN({self.body.held(zone)}, {self.value(e.arguments[1], scope)})"
