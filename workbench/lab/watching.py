"""A plain machine that counts what it does: every rule, block, branch and value that is used, with its place."""

from __future__ import annotations

from collections import Counter
from typing import Any

from attrs import define, field

from interpreter import code as c
from interpreter.evaluate import Locals
from interpreter.game import Game
from interpreter.layout import Layout
from interpreter.lower import lower
from interpreter.machine import Machine
from interpreter.questions import Offer
from interpreter.state import Frame, State
from warlock_dsl import core
from warlock_dsl.ruleset import Ruleset

Line = tuple[str, int]


@define
class Watch:
    """What was done how often.

    `nodes` has expressions by identity (the node is kept, so that its identity lasts); the others go by number or name.
    """

    nodes: dict[int, list[Any]] = field(factory=dict)  # [how often, node]
    rules: Counter[int] = field(factory=Counter)  # begun in earnest
    tried: set[int] = field(factory=set)  # begun, perhaps only in a dry run
    blocks: Counter[tuple[int, int]] = field(factory=Counter)
    ways: Counter[tuple[int, int, str]] = field(factory=Counter)  # rule, block, which way out of it
    sides: Counter[tuple[int, bool]] = field(factory=Counter)  # of conditional values
    cells: Counter[tuple[str, str, int]] = field(factory=Counter)  # table, column, row
    fields: Counter[tuple[str, int]] = field(factory=Counter)  # field, piece
    lookups: set[tuple[str, str]] = field(factory=set)


class Watched(Machine):
    """The plain machine, watched. It plays the same games, only slower."""

    def __init__(self, layout: Layout, codes: tuple[c.Code, ...], laws: bool = True) -> None:
        super().__init__(layout, codes, laws)
        self.watch = Watch()

    def ev(self, s: State, e: core.Expr, slots: Locals) -> Any:
        entry = self.watch.nodes.get(id(e))
        if entry is None:
            self.watch.nodes[id(e)] = [1, e]
        else:
            entry[0] += 1
        return self.forms[type(e)](s, e, slots)

    def new_slots(self, rule: int, arguments: list[Any], me: Any) -> Locals:
        self.watch.tried.add(rule)
        return super().new_slots(rule, arguments, me)

    def push(self, s: State, rule: int, arguments: list[Any], me: Any) -> None:
        self.watch.rules[rule] += 1
        super().push(s, rule, arguments, me)

    def block(self, s: State) -> Offer | None:
        frame = s.stack[-1]
        parked = s.asking >= 0 and self.codes[frame.rule].blocks[frame.block].acts
        if not parked:  # what waits for the others has not happened yet
            self.watch.blocks[frame.rule, frame.block] += 1
        return super().block(s)

    def end(self, s: State, frame: Frame, end: c.End) -> Offer | None:
        rule, block = frame.rule, frame.block
        offer = super().end(s, frame, end)
        match end:
            case c.Branch():
                self.watch.ways[rule, block, "yes" if frame.block == end.yes else "no"] += 1
            case c.NextOf() | c.Again():
                self.watch.ways[rule, block, "on" if frame.block == end.body else "out"] += 1
            case c.Instead():
                self.watch.ways[rule, block, "body" if frame.block == end.body else "instead"] += 1
            case c.Ask() if offer is None:
                self.watch.ways[rule, block, "then" if frame.block == end.then else "else"] += 1
        return offer

    def conditional(self, s: State, e: core.Conditional, slots: Locals) -> Any:
        test = bool(self.ev(s, e.test, slots))
        self.watch.sides[id(e), test] += 1
        return self.ev(s, e.then if test else e.otherwise, slots)

    def field(self, s: State, e: core.Field, slots: Locals) -> Any:
        piece = self.ev(s, e.of, slots)
        self.watch.fields[e.name, piece] += 1
        return self.layout.fields[e.name][piece]

    def cell(self, s: State, e: core.Cell, slots: Locals) -> Any:
        row = self.ev(s, e.of, slots)
        self.watch.cells[e.table, e.column, row] += 1
        return self.layout.columns[e.table, e.column][row]

    def lookup(self, s: State, e: core.Lookup, slots: Locals) -> Any:
        self.watch.lookups.add((e.what, e.name))
        return super().lookup(s, e, slots)


def plain_machine(ruleset: Ruleset, players: int, laws: bool = True) -> Machine:
    """A plain machine of its own: what plays one game of one mutant is not worth generating code for."""
    return Machine(Layout(ruleset.program, ruleset.components, players), lower(ruleset.program), laws)


def watched_machine(ruleset: Ruleset, players: int, laws: bool = True) -> Watched:
    return Watched(Layout(ruleset.program, ruleset.components, players), lower(ruleset.program), laws)


def begun(ruleset: Ruleset, machine: Machine, seed: int) -> Game:
    """A game on a machine of one's own, at its first question."""
    game = Game(ruleset, machine, machine.start(seed), seed, ("?",) * machine.layout.players)
    game._go()
    return game


def lines_of(ruleset: Ruleset, machine: Watched) -> set[Line]:
    """Every line of the rules and tables that was used."""
    watch, parts = machine.watch, ruleset.components
    found = {(span.file, span.line) for _, node in watch.nodes.values() if (span := node.span)}
    found |= {(code.span.file, code.span.line) for code in map(machine.codes.__getitem__, watch.tried)}
    for rule, block in watch.blocks:
        one = machine.codes[rule].blocks[block]
        found |= {(part.span.file, part.span.line) for part in (*one.steps, one.end)}
    for table, column, row in watch.cells:
        span = parts.tables[table].columns[column].spans[row]
        found.add((span.file, span.line))
    for name, piece in watch.fields:
        kind = parts.kinds[machine.layout.kind_names[machine.layout.kind_of[piece]]]
        span = kind.fields[name].spans[piece - kind.first]
        found.add((span.file, span.line))
    for _, node in watch.nodes.values():
        if isinstance(node, core.FigureRef):
            span = parts.figures[node.group, node.name].span
            found.add((span.file, span.line))
    for what, name in watch.lookups:
        one_of = parts.series.get(name) if what == "series" else parts.matrices.get(name)
        if one_of is not None:
            found.add((one_of.span.file, one_of.span.line))
    return found
