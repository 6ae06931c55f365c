"""A plain machine that counts what it does: every rule, block, branch and value that is used, with its place."""

from __future__ import annotations

from collections import Counter
from typing import Any

from attrs import define, field

from interpreter import Answer, Frame, Game, Layout, Locals, Offer, PlainMachine, State, lower
from interpreter.ir import blocks as ir
from warlock_dsl import Ruleset, Span
from warlock_dsl.check import program as checked

Line = tuple[str, int]


@define
class Watch:
    """What was done how often, by the numbers and names of the program."""

    rules: Counter[int] = field(factory=Counter)  # begun in earnest
    blocks: Counter[tuple[int, int]] = field(factory=Counter)
    ways: Counter[tuple[int, int, str]] = field(factory=Counter)  # rule, block, which way out of it
    defines: Counter[int] = field(factory=Counter)
    scored: int = 0
    sides: Counter[tuple[Span, bool]] = field(factory=Counter)  # of conditional values
    figures: Counter[tuple[str, str]] = field(factory=Counter)
    cells: Counter[tuple[str, str, int]] = field(factory=Counter)  # table, column, row
    fields: Counter[tuple[str, int]] = field(factory=Counter)  # field, piece
    lookups: Counter[tuple[str, str]] = field(factory=Counter)
    moves: Counter[int] = field(factory=Counter)  # pieces


class CountingMachine(PlainMachine):
    """The plain machine, counted. It plays the same games, only slower.

    Guards that are run dry, and rules that are tried out (`would`), use definitions and figures, but begin no rule.
    """

    def __init__(self, layout: Layout, lowered_rules: tuple[ir.LoweredRule, ...], laws: bool = True) -> None:
        super().__init__(layout, lowered_rules, laws)
        self.watch = Watch()
        self.forms[checked.FigureRef] = self.figure

    # ------------------------------------------------------------------- rules

    def push(self, s: State, rule: int, arguments: list[Any], me: Any) -> None:
        self.watch.rules[rule] += not self.trying
        super().push(s, rule, arguments, me)

    def block(self, s: State) -> Offer | None:
        frame = s.stack[-1]
        parked = s.asking >= 0 and self.lowered_rules[frame.rule].blocks[frame.block].acts
        if not parked and not self.trying:  # what waits for the others has not happened yet
            self.watch.blocks[frame.rule, frame.block] += 1
        return super().block(s)

    def end(self, s: State, frame: Frame, end: ir.End) -> Offer | None:
        rule, block = frame.rule, frame.block
        offer = super().end(s, frame, end)
        if self.trying:
            return offer
        match end:
            case ir.Branch():
                self.watch.ways[rule, block, "yes" if frame.block == end.yes else "no"] += 1
            case ir.NextOf() | ir.Again() if frame.block == end.body:
                self.watch.ways[rule, block, "turn"] += 1
            case ir.Instead():
                self.watch.ways[rule, block, "body" if frame.block == end.body else "instead"] += 1
        return offer

    def take(self, s: State, answer: Answer) -> None:
        frame = s.stack[-1]
        if answer.what != "add":
            way = "declined" if answer.what == "decline" else "taken"
            self.watch.ways[frame.rule, frame.block, way] += 1
        super().take(s, answer)

    def nothing(self, frame: Frame, ask: ir.Ask, player: int) -> None:
        self.watch.ways[frame.rule, frame.block, "nothing"] += 1
        super().nothing(frame, ask, player)

    def moved(self, s: State, piece: int, kind: int) -> None:
        self.watch.moves[piece] += not self.trying
        super().moved(s, piece, kind)

    # ------------------------------------------------------------------ values

    def parts(self, s: State, player: int) -> tuple[int, ...]:
        self.watch.scored += 1
        return super().parts(s, player)

    def apply(self, s: State, e: checked.Apply, slots: Locals) -> Any:
        self.watch.defines[e.define] += 1
        return super().apply(s, e, slots)

    def conditional(self, s: State, e: checked.Conditional, slots: Locals) -> Any:
        test = bool(self.ev(s, e.test, slots))
        self.watch.sides[e.span, test] += 1
        return self.ev(s, e.then if test else e.otherwise, slots)

    def figure(self, s: State, e: checked.FigureRef, slots: Locals) -> Any:
        self.watch.figures[e.group, e.name] += 1
        return e.value

    def field(self, s: State, e: checked.Field, slots: Locals) -> Any:
        piece = self.ev(s, e.of, slots)
        self.watch.fields[e.name, piece] += 1
        return self.layout.fields[e.name][piece]

    def cell(self, s: State, e: checked.Cell, slots: Locals) -> Any:
        row = self.ev(s, e.of, slots)
        self.watch.cells[e.table, e.column, row] += 1
        return self.layout.columns[e.table, e.column][row]

    def lookup(self, s: State, e: checked.Lookup, slots: Locals) -> Any:
        self.watch.lookups[e.what, e.name] += 1
        return super().lookup(s, e, slots)


class Traced(CountingMachine):
    """A counting machine that also keeps every value it asked for, with its place, and every rule it looked into."""

    def __init__(self, layout: Layout, lowered_rules: tuple[ir.LoweredRule, ...], laws: bool = True) -> None:
        super().__init__(layout, lowered_rules, laws)
        self.nodes: dict[int, checked.Expr] = {}  # by identity, which lasts as long as the node is kept here
        self.tried: set[int] = set()  # begun, perhaps only in a dry run

    def ev(self, s: State, e: checked.Expr, slots: Locals) -> Any:
        self.nodes[id(e)] = e
        return self.forms[type(e)](s, e, slots)

    def new_slots(self, rule: int, arguments: list[Any], me: Any) -> Locals:
        self.tried.add(rule)
        return super().new_slots(rule, arguments, me)


def plain_machine(ruleset: Ruleset, players: int, laws: bool = True) -> PlainMachine:
    """A plain machine of its own: what plays one game of one mutant is not worth generating code for."""
    return PlainMachine(Layout(ruleset.program, ruleset.components, players), lower(ruleset.program), laws)


def counting_machine(ruleset: Ruleset, players: int, laws: bool = True) -> CountingMachine:
    return CountingMachine(Layout(ruleset.program, ruleset.components, players), lower(ruleset.program), laws)


def traced_machine(ruleset: Ruleset, players: int, laws: bool = True) -> Traced:
    return Traced(Layout(ruleset.program, ruleset.components, players), lower(ruleset.program), laws)


def begun(ruleset: Ruleset, machine: PlainMachine, seed: int) -> Game:
    """A game on a machine of one's own, at its first question."""
    game = Game(ruleset, machine, machine.start(seed), seed, ("?",) * machine.layout.players)
    game._go()
    return game


def lines_of(ruleset: Ruleset, machine: Traced) -> set[Line]:
    """Every line of the rules and tables that was used."""
    watch, parts = machine.watch, ruleset.components
    spans = [node.span for node in machine.nodes.values()]
    spans += [machine.lowered_rules[rule].span for rule in machine.tried]
    for rule, block in watch.blocks:
        one = machine.lowered_rules[rule].blocks[block]
        spans += [part.span for part in (*one.steps, one.end)]
    spans += [parts.tables[table].columns[column].spans[row] for table, column, row in watch.cells]
    spans += [parts.figures[figure].span for figure in watch.figures]
    for name, piece in watch.fields:
        kind = parts.kinds[machine.layout.kind_names[machine.layout.kind_of[piece]]]
        spans.append(kind.fields[name].spans[piece - kind.first])
    for what, name in watch.lookups:
        if what in ("series", "matrix"):
            spans.append(parts.series[name].span if what == "series" else parts.matrices[name].span)
    return {(span.file, span.line) for span in spans}
