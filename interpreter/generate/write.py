"""The text of the generated module: tables, functions, lists of them, and where each line is from."""

from __future__ import annotations

from interpreter.generate.calls import Calls
from interpreter.generate.guards import UnclearGuardError
from interpreter.generate.module import Module
from interpreter.generate.shape import called_by
from interpreter.generate.text import Body, Mark, remark
from interpreter.ir import blocks as ir
from interpreter.state.layout import Layout
from warlock_dsl import Span
from warlock_dsl.check import program as checked

VERSION = 4  # of what is generated; a change of the generator is a new number


def generate(layout: Layout, lowered_rules: tuple[ir.LoweredRule, ...], laws: bool, title: str) -> str:
    """Python source that plays a ruleset for a number of players."""
    return _Writing(Module(layout, lowered_rules, laws), title).text()


class _Writing:
    def __init__(self, module: Module, title: str) -> None:
        self.m = module
        self.title = title
        self.lines: list[str] = []
        self.marks: list[tuple[int, Mark | None]] = []

    def text(self) -> str:
        segments = self.rules()
        onward = self.onward()
        scores = [self.expression(f"score_{n}", s.value, s.span) for n, s in enumerate(self.m.layout.program.scores)]
        laws = [self.expression(f"law_{n}", i.test, i.span) for n, i in enumerate(self.m.layout.program.invariants)]
        self.lines.append(f"# {remark(self.title)}")
        for name, expression in self.m.heads.items():
            self.lines.append(f"{name} = {expression}")
        for span, name in self.m.spans.items():
            self.lines.append(f"{name} = Span({_span(span)})")
        for name, body in self.m.functions.items():
            if body is None:
                raise AssertionError(f"an unfinished function: {name}")
            self.function(body)
        self.lines += ["", ""]
        self.lines += [f"{name} = {expression}" for name, expression in self.m.tails.items()]
        rooms = [self.m.shape.room(lowered.rule) for lowered in self.m.lowered_rules]
        self.lines.append(f"MAX_DEPTH = {[self.m.layout.components.limits.depth - room for room in rooms]}")
        self.table("STRETCHES", segments)
        self.table("ONWARDS", onward)
        self.table("SETS", self.m.sets)
        self.lines.append(f"SCORES = ({''.join(f'{name}, ' for name in scores)})")
        self.lines.append(f"LAWS = ({''.join(f'{name}, ' for name in laws)})")
        self.places()
        return "\n".join(self.lines) + "\n"

    # ---------------------------------------------------------------- functions

    def rules(self) -> dict[tuple[int, int], str]:
        """The functions of all rules, by rule and block. A rule that cannot be written is left to the plain machine."""
        found: dict[tuple[int, int], str] = {}
        for lowered in self.m.lowered_rules:
            if lowered.rule in self.m.shape.leaf:
                found[lowered.rule, lowered.entry] = self.m.adapter(lowered.rule)
                continue
            for entry in sorted(self.m.entries[lowered.rule]):
                found[lowered.rule, entry] = self.m.framed(lowered.rule, entry)
        return found

    def onward(self) -> dict[tuple[int, int], str]:
        """Guards of what follows a call, for a rule that comes back to a frame of the state."""
        found: dict[tuple[int, int], str] = {}
        for lowered in self.m.lowered_rules:
            if lowered.rule in self.m.shape.leaf:
                continue
            for block in lowered.blocks:
                if not called_by(block.end) or not isinstance(block.end, ir.Call | ir.Instead):
                    continue
                then = block.end.then
                try:
                    slots = {slot: f"L[{slot}]" for slot in range(lowered.slots)}
                    found[lowered.rule, then] = f"lambda s, L: {self.m.guard_call(lowered.rule, then, slots)}"
                except UnclearGuardError:
                    continue
        return found

    def expression(self, name: str, e: checked.Expr, span: Span) -> str:
        body = Body(name, ["s", "me"], about=f"{span.file}:{span.line}")
        body.line(f"return {Calls(self.m, body).value(e, {0: 'me'})}")
        self.m.functions[name] = body
        return name

    # ------------------------------------------------------------------- lines

    def function(self, body: Body) -> None:
        self.lines += ["", ""]
        for text, mark in body.source():
            if not self.marks or self.marks[-1][1] != mark:
                self.marks.append((len(self.lines) + 1, mark))
            self.lines.append(text)

    def table(self, name: str, entries: dict[tuple[int, int], str]) -> None:
        self.lines.append(f"{name} = {{")
        self.lines += [f"    {key}: {value}," for key, value in entries.items()]
        self.lines.append("}")

    def places(self) -> None:
        """For each line from which on it holds: the rule and the place an error there is told with."""
        self.lines.append("PLACES = [")
        for line, mark in self.marks:
            told = f"({mark.address!r}, {_span(mark.span)})" if mark is not None else "None"
            self.lines.append(f"    ({line}, {told}),")
        self.lines.append("]")


def _span(span: Span) -> str:
    return f"{span.file!r}, {span.line}, {span.column}, {span.end_line}, {span.end_column}"
