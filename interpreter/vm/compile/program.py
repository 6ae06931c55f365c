"""The program of a ruleset for a number of players: what the core loads, and what is needed to tell of its faults."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from interpreter.errors import SCORE
from interpreter.ir import blocks as ir
from interpreter.ir.cost import cost
from interpreter.ir.trials import Trials
from interpreter.state.layout import Layout
from interpreter.vm import opcodes as op
from interpreter.vm.compile.expressions import Compiling, Function
from interpreter.vm.compile.image import Image
from interpreter.vm.compile.rules import Asked, Rules
from interpreter.vm.compile.tables import lay_out_tables, meta
from warlock_dsl import Span


@frozen
class Program:
    """`data` is the image; the rest tells what its numbers mean."""

    data: bytes
    code: Sequence[tuple[int, int, int, int]]
    spans: Sequence[Span | None]  # by instruction
    questions: Sequence[Asked]
    laws: Sequence[tuple[str, Span]]  # by number: those that hang on a place in the rules
    replacements: Sequence[ir.Instead]
    functions: Sequence[tuple[str, int, int]]  # what each is of, and where it begins and ends


def compile_program(layout: Layout, lowered_rules: Sequence[ir.LoweredRule], trials: Trials, laws: bool) -> Program:
    """A NotForTheVm where the fast machine has no room for what the rules need."""
    image = Image()
    lay_out_tables(image, layout)
    program = layout.program
    define_costs = [1 + cost(define.value) for define in program.defines]
    compiling = Compiling(image, layout, define_costs)
    rules = Rules(compiling, lowered_rules, trials)
    rules.compile()
    for define, kept in zip(program.defines, compiling.remembered, strict=True):
        f = Function(compiling, max(define.slots, 1 + define.parameters))
        f.emit(op.RET, f.value(define.value))
        image.row(
            "DEFINES", pc=f.finish(define.address), window=f.window, parameters=define.parameters,
            me=int(kept is not None and kept.me), twins=kept.twins if kept is not None else 0,
        )  # fmt: skip
    for score in program.scores:
        f = Function(compiling, max(score.slots, 1))
        f.emit(op.RET, f.value(score.value))
        image.row("SCORES", pc=f.finish(f"{SCORE}{score.name}"), window=f.window)
    for section, all_laws in (("INVARIANTS", program.invariants), ("ENDINGS", program.endings)):
        for law in all_laws:
            f = Function(compiling, max(law.slots, 2))
            f.emit(op.RET, f.value(law.test))
            image.row(section, pc=f.finish(f"invariant.{law.name}"), window=f.window, cost=1 + cost(law.test))
    score_cost = 1 + cost(*(score.value for score in program.scores))
    image.sections["META"] += meta(layout, laws, trials.needed, score_cost)
    told = (rules.questions, rules.laws, rules.replacements, _functions(image))
    return Program(image.data(), image.code, image.spans, *told)


def _functions(image: Image) -> list[tuple[str, int, int]]:
    rows = image.sections["FUNCS"]
    width = len(op.RECORDS["funcs"])
    return [(name, rows[at], rows[at + 1]) for name, at in zip(image.names, range(0, len(rows), width), strict=True)]
