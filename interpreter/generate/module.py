"""A whole program as one Python module: every rule, question, guard, definition, score and law of a ruleset."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from interpreter.generate import flow
from interpreter.generate.asking import Asking
from interpreter.generate.calls import Calls
from interpreter.generate.expressions import Expressions, Scope
from interpreter.generate.facts import DEAR, Facts, children
from interpreter.generate.guards import BACK, DEAD, ONLY_DONE, Guard, Guards, UnclearGuardError
from interpreter.generate.shape import Shape
from interpreter.generate.symmetry import Symmetry
from interpreter.generate.text import Body, Mark, word
from interpreter.ir import blocks as ir
from interpreter.ir.analysis import called_rules, successors
from interpreter.ir.cost import cost
from interpreter.state.layout import Layout
from warlock_dsl import NOWHERE, Span, assumed
from warlock_dsl.check import program as checked

SHORT_BLOCKS = 4  # blocks of a guard that are written out where they are needed
SMALL_RULE = 12  # blocks of a rule whose guard may be written into others
LONG_LITERAL = 16
INLINE = 60  # parts of a definition that is written out where it is used


class Module:
    """Collects functions as they are asked for, and gives the text of them all."""

    def __init__(self, layout: Layout, lowered_rules: tuple[ir.LoweredRule, ...], laws: bool) -> None:
        self.layout = layout
        self.lowered_rules = lowered_rules
        self.laws = laws
        self.facts = Facts(layout)
        self.shape = Shape(lowered_rules)
        self.guards = Guards(self)
        self.piece_names = Symmetry(self)
        self.memo: dict[Any, Any] = {}
        self.entries = {lowered.rule: self.shape.entries(lowered.rule) for lowered in lowered_rules}
        self.sizes: dict[int, int] = {}  # of definitions written out, those within them included
        self.functions: dict[str, Body | None] = {}
        self.heads: dict[str, str] = {}  # tables and constants: name -> expression
        self.tails: dict[str, str] = {}  # lists of functions
        self.sets: dict[tuple[int, int], str] = {}  # what questions for sets are asked with
        self.spans: dict[Span, str] = {}

    # -------------------------------------------------------------- small parts

    def literal(self, value: Any) -> str:
        text = repr(value)
        if isinstance(value, tuple) and len(value) > LONG_LITERAL:
            name = f"LIST_{len(self.heads)}"
            for known, head in self.heads.items():
                if head == text:
                    return known
            self.heads[name] = text
            return name
        return text

    def table(self, what: str, *names: str) -> str:
        """A table of the layout under a name of its own."""
        name = f"{what.upper()}_{'_'.join(word(n) for n in names)}"
        key = repr(names[0] if len(names) == 1 else names)
        expression = f"LAYOUT.{what}[{key}]"
        while self.heads.get(name, expression) != expression:
            name += "_"
        self.heads[name] = expression
        return name

    def span(self, span: Span) -> str:
        if span is NOWHERE:
            return "NOWHERE"
        return self.spans.setdefault(span, f"SPAN_{len(self.spans)}")

    def mark(self, rule: int, block: int) -> Mark:
        return flow.marked(self.lowered_rules[rule], block)

    def end_name(self, rule: int, block: int) -> str:
        name = f"END_{rule}_{block}"
        self.heads[name] = f"CODES[{rule}].blocks[{block}].end"
        return name

    def block_of(self, rule: int, end: ir.End) -> int:
        return next(n for n, block in enumerate(self.lowered_rules[rule].blocks) if block.end is end)

    def successors(self, rule: int, block: int) -> tuple[int, ...]:
        """What can follow a block, a test whose outcome is known taken one way."""
        end = self.lowered_rules[rule].blocks[block].end
        if isinstance(end, ir.Branch) and isinstance(known := self.facts.constant(end.test), bool):
            return (end.yes if known else end.no,)
        return successors(end)

    def slot_names(self, rule: int) -> dict[int, str]:
        lowered = self.lowered_rules[rule]
        names = {slot: f"{word(name)}_{slot}_" for slot, (name, _) in lowered.names.items()}
        parameters = self.layout.program.rules[rule].parameters
        names |= {1 + place: f"{word(name)}_{1 + place}_" for place, (name, _) in enumerate(parameters)}
        return {slot: "me" if slot == 0 else names.get(slot, f"v_{slot}_") for slot in range(lowered.slots)}

    def rule_name(self, rule: int) -> str:
        return f"{word(self.lowered_rules[rule].address)}_{rule}"

    # ------------------------------------------------------------- definitions

    def small(self, number: int) -> bool:
        """Whether a definition, with all that would be written out within it, is small enough to be written out."""
        if number not in self.sizes:
            parts = list(_parts(self.facts.defines[number].value))
            inner = [part.define for part in parts if isinstance(part, checked.Apply)]
            self.sizes[number] = len(parts) + sum(self.sizes[other] for other in inner if self.small(other))
        return self.sizes[number] <= INLINE

    def call_define(self, number: int, arguments: list[str], scope: Scope) -> str:
        define = self.facts.defines[number]
        name = f"the_{word(define.address)}_{number}"
        uses_me = 0 in self.facts.reads(define.value)
        if name not in self.functions:
            self.functions[name] = None
            given = [f"p_{place}_" for place in range(1, 1 + define.parameters)]
            body = Body(
                name, ["s", *(["me"] if uses_me else []), *given], about=f"{define.span.file}:{define.span.line}"
            )
            inner = {0: "me"} | {1 + place: text for place, text in enumerate(given)}
            writer = Calls(self, body)
            if self.facts.cost(define.value) > DEAR:
                body.line(f"SPEND({1 + cost(define.value)})")
            body.line(f"return {writer.value(define.value, inner)}")
            self.functions[name] = body
        return f"{name}({', '.join(['s', *([scope[0]] if uses_me else []), *arguments])})"

    # ------------------------------------------------------------------ guards

    def can(self, writer: Expressions, e: checked.Can, scope: Scope) -> str:
        """`can`: whether a call would find its way to an effect, or to its end."""
        rules = called_rules(e.target)
        key = writer.body.held(writer.value(e.target.key, scope)) if e.target.key is not None else None
        given = [writer.body.held(writer.value(argument, scope)) for argument in e.arguments]
        try:
            possible = frozenset[int]().union(*(self.guards.outcomes(r, self.lowered_rules[r].entry) for r in rules))
            if not possible - {1, 2}:
                return "True"
            name = self.entry_guard(rules[0], True) if key is None else f"{self.entry_guards(rules, True)}[{key}]"
            return f"({name}({', '.join(['s', scope[0], *given])}) != 0)"
        except UnclearGuardError:
            rule = str(rules[0]) if key is None else f"{self.literal(rules)}[{key}]"
            return f"CAN(s, {rule}, {scope[0]}, [{', '.join(given)}])"

    def is_short(self, rule: int, block: int) -> bool:
        """Whether a guard from here on is small: only a few blocks, none of them asking."""
        if self.guards.outcomes(rule, block) in (ONLY_DONE, frozenset({DEAD}), frozenset({BACK})):
            return True
        seen: list[int] = []
        waiting = [block]
        while waiting and len(seen) <= SHORT_BLOCKS:
            number = waiting.pop()
            seen.append(number)
            found = self.lowered_rules[rule].blocks[number]
            if not found.acts and isinstance(found.end, ir.Goto | ir.Branch):
                waiting += self.successors(rule, number)
        return len(seen) <= SHORT_BLOCKS

    def is_small(self, rule: int) -> bool:
        """Whether the guard of a rule has so few blocks that it may be written into others."""
        lowered = self.lowered_rules[rule]
        return sum(1 for block in self.shape.reach(rule, lowered.entry) if not lowered.blocks[block].acts) <= SMALL_RULE

    def guard_call(self, rule: int, block: int, scope: Scope, loose: bool = False) -> str:
        """A call of the guard from a block on, with the slots it reads."""
        slots = sorted(self.guards.live(rule, block))
        name = f"{'may' if loose else 'can'}_{self.rule_name(rule)}_{block}"
        if name not in self.functions:
            self.make_guard(name, rule, block, slots, loose)
        return f"{name}({', '.join(['s', *(scope[slot] for slot in slots)])})"

    def entry_guard(self, rule: int, loose: bool) -> str:
        """The guard of a whole rule: it takes `me` and all arguments."""
        loose = loose and BACK in self.guards.outcomes(rule, self.lowered_rules[rule].entry)
        name = f"{'may' if loose else 'can'}_{self.rule_name(rule)}"
        if name not in self.functions:
            given = range(1 + self.layout.program.rules[rule].given)
            self.make_guard(name, rule, self.lowered_rules[rule].entry, list(given), loose)
        return name

    def make_guard(self, name: str, rule: int, block: int, slots: list[int], loose: bool) -> None:
        self.functions[name] = None
        try:
            names = self.slot_names(rule)
            lowered = self.lowered_rules[rule]
            body = Body(name, ["s", *(names[slot] for slot in slots)], about=f"{lowered.address} from {block}")
            Guard(self, body, rule, loose).flow(block)
            if any(text.endswith("back = 2") for _, text, _ in body.lines):
                body.lines.insert(0, (1, "back = 0", None))
            else:
                body.lines = [(n, text.replace("return back", "return 0"), mark) for n, text, mark in body.lines]
            self.functions[name] = body
        except UnclearGuardError:
            del self.functions[name]
            raise

    def entry_guards(self, rules: tuple[int, ...], loose: bool) -> str:
        names = [self.entry_guard(rule, loose) for rule in rules]
        name = f"{'MAY' if loose else 'CAN'}_{'_'.join(map(str, rules[:6]))}_{len(rules)}"
        self.tails[name] = f"({''.join(f'{one}, ' for one in names)})"
        return name

    def regular(self, rule: int, ask: ir.Ask) -> None:
        """Raises `UnclearGuardError` where like pieces could lead to unlike ends."""
        self.piece_names.check(rule, ask)

    # ------------------------------------------------------------------- rules

    def leaf(self, rule: int) -> str:
        name = f"do_{self.rule_name(rule)}"
        if name not in self.functions:
            self.functions[name] = None
            lowered, names = self.lowered_rules[rule], self.slot_names(rule)
            given = [names[slot] for slot in range(1 + self.layout.program.rules[rule].given)]
            body = Body(name, ["s", *given], about=f"{lowered.span.file}:{lowered.span.line}: {lowered.address}")
            flow.Leaf(self, body, rule).flow(lowered.entry, first=True)
            self.functions[name] = body
        return name

    def leaves(self, rules: tuple[int, ...]) -> str:
        name = f"LEAVES_{'_'.join(map(str, rules[:6]))}_{len(rules)}"
        self.tails[name] = f"({''.join(f'{self.leaf(rule)}, ' for rule in rules)})"
        return name

    def ask_name(self, rule: int, block: int) -> str:
        return f"ask_{self.rule_name(rule)}_{block}"

    def segment_name(self, rule: int, entry: int) -> str:
        block = self.lowered_rules[rule].blocks[entry]
        asks = isinstance(block.end, ir.Ask) and not block.steps
        return self.ask_name(rule, entry) if asks else f"{self.rule_name(rule)}_{entry}"

    def framed(self, rule: int, entry: int) -> str:
        """The function of a segment."""
        lowered = self.lowered_rules[rule]
        block = lowered.blocks[entry]
        if isinstance(block.end, ir.Ask) and not block.steps:
            return self.asking(rule, entry)
        name = self.segment_name(rule, entry)
        body = Body(name, ["s", "f"], about=f"{lowered.span.file}:{lowered.span.line}: {lowered.address}")
        flow.Framed(self, body, rule, entry).flow(entry, first=True)
        self.functions[name] = self.with_slots(body, rule)
        return name

    def asking(self, rule: int, block: int) -> str:
        name = self.ask_name(rule, block)
        body = Body(name, ["s", "f"], about=self.lowered_rules[rule].address)
        Asking(self, body, rule, block).question()
        self.functions[name] = self.with_slots(body, rule)
        return name

    def with_slots(self, body: Body, rule: int, source: str = "f.locals") -> Body:
        """The function with the slots it reads in names."""
        names = self.slot_names(rule)
        text = "\n".join(line for _, line, _ in body.lines)
        words = set(re.findall(r"\w+", text))
        used = [slot for slot in sorted(names) if names[slot] in words and names[slot] not in body.parameters]
        if used:
            left, right = ", ".join(names[slot] for slot in used), ", ".join(f"L[{slot}]" for slot in used)
            body.lines.insert(0, (1, f"{left} = {right}", None))
        if source != "L" and (used or "L" in words):
            body.lines.insert(0, (1, f"L = {source}", None))
        return body

    def adapter(self, rule: int) -> str:
        """A leaf that was given a frame all the same."""
        lowered = self.lowered_rules[rule]
        name = f"{self.rule_name(rule)}_{lowered.entry}"
        body = Body(name, ["s", "f"])
        given = [f"f.locals[{slot}]" for slot in range(1 + self.layout.program.rules[rule].given)]
        body.line(f"{self.leaf(rule)}({', '.join(['s', *given])})")
        body.line("s.stack.pop()")
        self.functions[name] = body
        return name

    # -------------------------------------------------------------- candidates

    def on_grids(self, e: checked.Expr) -> bool:
        """Whether the pieces of a list all lie on cells that tell them apart."""
        match e:
            case checked.PiecesOf(zone=checked.ZoneOf() as zone):
                grid = self.layout.zones[zone.zone].grid
                return bool(grid) and not self.layout.components.grids[grid].slots
            case checked.Narrow():
                return self.on_grids(e.of)
            case checked.Gather():
                return e.body is None and self.on_grids(e.source)
            case checked.Keyed() if assumed(e.name).selects:
                return self.on_grids(e.source)
            case checked.Binary(op="join"):
                return self.on_grids(e.left) and self.on_grids(e.right)
            case checked.Conditional():
                return self.on_grids(e.then) and self.on_grids(e.otherwise)
            case checked.Apply():
                return self.on_grids(self.facts.defines[e.define].value)
            case checked.Primitive() if assumed(e.name).on_cells:
                grids = self.layout.components.grids.values()
                return not any(grid.slots for grid in grids)
            case _:
                return False


def _parts(root: Any) -> Iterator[Any]:
    """An expression and everything in it."""
    stack = [root]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(children(node))
