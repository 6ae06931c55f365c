"""The primitive functions as Python: those that are a line or two are written out, the rest are called."""

from __future__ import annotations

from interpreter.generate.expressions import Scope
from interpreter.generate.folds import Folds, UnknownPrimitiveError
from warlock_dsl.check import program as checked
from warlock_dsl.types import ListType

ON_LISTS = {"union": "UNION", "distinct": "DISTINCT", "sums": "SUMS"}


class Calls(Folds):
    """Calls of functions."""

    def primitive(self, e: checked.Primitive, scope: Scope) -> str:
        arguments = e.arguments
        span = self.m.span(e.span)
        match e.name:
            case "players" | "everywhere":
                return self.m.literal(self.facts.constant(e))
            case "opponents":
                return f"OPPONENTS[{scope[0]}]"
            case "clockwise":
                return f"CLOCKWISE[{self.value(arguments[0], scope)}]"
            case "any":
                found = self.any(arguments[0], scope)
                return found if found.startswith(("any_", "(-1 in")) else f"bool({found})"
            case "all":
                return self.all(arguments[0], scope)
            case "count":
                return self.count(arguments[0], scope)
            case "sum":
                return self.within_bounds(e, self.sum(arguments[0], scope))
            case "union" | "distinct" | "sums":
                last = f", {span}" if e.name == "sums" else ""
                return f"{ON_LISTS[e.name]}({self.items(arguments[0], scope)}{last})"
            case "groups":
                return f"GROUPS(s, {self.items(arguments[0], scope)})"
            case "first" | "last":
                return self.end_of(e, scope)
            case "within":
                left = self.body.held(self.items(arguments[0], scope))
                return f"WITHIN({left}, {self.items(arguments[1], scope)})"
            case "min" | "max" | "divide_up" | "divide_down":
                if isinstance(arguments[0].type, ListType):
                    raise UnknownPrimitiveError(e.name)
                texts = [self.body.held(self.value(argument, scope)) for argument in arguments]
                if len(texts) == 1:  # Python's own would take it for a list
                    return texts[0]
                if e.name in ("min", "max"):
                    return f"{e.name}({', '.join(texts)})"
                return self.within_bounds(e, f"{e.name.upper()}({', '.join(texts)})")
            case "top":
                return self.top(e, scope)
            case "at":
                cell = self.body.held(self.value(arguments[0], scope))
                return f"((A[{cell}],) if {cell} >= 0 and A[{cell}] >= 0 else ())"
            case "near" | "around" | "free":
                return self.collected(e, scope)
            case "cells":
                return self.cells(e, scope)
            case "lines":
                cell, number = (self.body.held(self.value(argument, scope)) for argument in arguments)
                return f"LINES({cell}, {number})"
            case "next" | "previous":
                return self.beside(e, scope)
            case "total":
                return self.within_bounds(e, f"TOTAL(s, {self.value(arguments[0], scope)})")
            case "cell_of":
                return f"C[{self.value(arguments[0], scope)}]"
            case "owner_of":
                return f"OWNER_OF(s, {self.value(arguments[0], scope)}, {span})"
            case "face_of":
                return f"FACE[{self.value(arguments[0], scope)}]"
            case _:
                raise UnknownPrimitiveError(e.name)

    def all(self, e: checked.Expr, scope: Scope) -> str:
        if not isinstance(e, checked.Gather):
            return f"all({self.items(e, scope)})"
        name = self.body.fresh("all")
        self.body.line(f"{name} = True")
        if e.body is not None:
            place = self.body.here()
            item = self.open_turns(e, scope)
            text = self.test(e.body, {**scope, e.slot: item})
            with self.body.block(f"if not {text}:"):
                self.body.line(f"{name} = False")
                self.body.line("break")
            self.body.back_to(place)
            return name
        with self.each(e, scope) as item, self.body.block(f"if not {item}:"):
            self.body.line(f"{name} = False")
            self.body.line("break")
        return name

    def count(self, e: checked.Expr, scope: Scope) -> str:
        by = f" * {self.facts.unit}" if self.facts.unit != 1 else ""
        match e:
            case checked.Gather() | checked.Narrow() | checked.Primitive(name="near" | "around" | "free"):
                name = self.body.fresh("count")
                self.body.line(f"{name} = 0")
                with self.each(e, scope):
                    self.body.line(f"{name} += {self.facts.unit}")
                return name
            case checked.Apply() if self.written_out(e):
                return self.count(self.facts.defines[e.define].value, self.inner_scope(e, scope))
            case _:
                return f"(len({self.items(e, scope)}){by})"

    def sum(self, e: checked.Expr, scope: Scope) -> str:
        name = self.body.fresh("sum")
        self.body.line(f"{name} = 0")
        with self.each(e, scope) as item:
            self.body.line(f"{name} += {item}")
        return name

    def within_bounds(self, e: checked.Primitive, text: str) -> str:
        """A number that is tested, unless it is known to stay within all bounds."""
        if self.facts.stays_small(e):
            return text
        name = self.body.held(text)
        self.body.line(f"if not -MAX_NUMBER <= {name} <= MAX_NUMBER: raise TOO_BIG({self.m.span(e.span)})")
        return name

    def end_of(self, e: checked.Primitive, scope: Scope) -> str:
        name = self.body.held(self.items(e.arguments[0], scope), "list")
        which = f"{name}[{0 if e.name == 'first' else -1}]"
        if len(e.arguments) > 1:
            return f"({which} if {name} else {self.body.held(self.value(e.arguments[1], scope))})"
        self.body.line(f"if not {name}: raise NOTHING({e.name!r}, {self.m.span(e.span)})")
        return which

    def top(self, e: checked.Primitive, scope: Scope) -> str:
        text = self.items(e.arguments[0], scope)
        if len(e.arguments) == 1:
            return f"{text}[-1:]"
        name = self.body.held(text)
        return f"TOP({name}, {self.value(e.arguments[1], scope)})"

    def beside(self, e: checked.Primitive, scope: Scope) -> str:
        player = self.value(e.arguments[0], scope)
        if len(e.arguments) == 1:
            return f"{e.name.upper()}[{player}]"
        name = self.body.held(player)
        step = 1 if e.name == "next" else -1
        return f"BESIDE({name}, {self.items(e.arguments[1], scope)}, {step}, {self.m.span(e.span)})"
