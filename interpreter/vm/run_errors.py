"""The faults of the core as the errors of the plain machine: the same words, the same rule, the same place."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.errors import SCORE, AnswerError, LawViolationError, PlayError, RulesError, broken
from interpreter.ir import blocks as ir
from interpreter.plain.evaluate import TOO_DEEP
from interpreter.plain.primitives import BEYOND
from interpreter.plain.questions import NO_OPTION_HINT
from interpreter.plain.trial import MAX_TRIALS, NEED_HINT, hanging
from interpreter.state.layout import Layout
from interpreter.vm import opcodes as op
from interpreter.vm.compile.program import Program
from warlock_dsl import NOWHERE, Span

NAMES = [name for name, _ in op.RUN_ERRORS]
# Faults whose instruction says where they are; of the others the block does, or what they are about.
SPANNED = {
    *("BEYOND", "FINE", "RANGE", "JOIN", "ENTRY", "ROW", "SELF", "SUMS", "FIRST", "LAST", "LEAST", "GREATEST", "RING"),
    *("OWNER", "NEED", "ROLL", "ROLLS", "OFFGRID", "KIND", "ITSELF", "TAKEN", "FULL", "SWAPKIND", "SWAPITSELF"),
    *("TABLE", "WOULDS"),
}
EMPTY = "give a second argument for the empty list"
TRY_FIRST = "test it first: can f(x) and would f(x): ..."
HINTS = {
    "WORK": "a loop or a definition multiplies; `limits.work` of the game sets the bound",
    "ROW": "is the piece on that board?",
    "SELF": "`limits.depth` of the game sets the bound",
    "FIRST": EMPTY,
    "LAST": EMPTY,
    "LEAST": EMPTY,
    "GREATEST": EMPTY,
    "NEED": NEED_HINT,
    "NOTHING": NO_OPTION_HINT,
    "TABLE": "`finish players` where the table wins, `finish []` where it loses",
    "CALLS": "a rule that calls itself needs a way out; `limits.depth` of the game sets the bound",
    "WOULDS": "a rule or a definition asks what would be after itself; it needs a way out",
}


class RunErrors:
    """Turns what the core says into an exception."""

    def __init__(self, layout: Layout, lowered_rules: Sequence[ir.LoweredRule], program: Program) -> None:
        self.layout = layout
        self.lowered_rules = lowered_rules
        self.program = program

    def __call__(
        self, code: int, pc: int, spanned: int, rule: int, block: int, score: int, placed: int, a: int, b: int,
        rules: list[int],
    ) -> PlayError:  # fmt: skip
        name = NAMES[code]
        error = self.named(name, pc, a, b)
        if error.span is NOWHERE and pc >= 0 and (spanned or name in SPANNED):
            error.span = self.program.spans[pc] or NOWHERE
        if score >= 0:
            part = self.layout.program.scores[score]
            error.at(f"{SCORE}{part.name}", part.value.span)
        if placed == 2 and error.hint == NEED_HINT:  # while something was tried out
            error.hint = TRY_FIRST
        if placed:
            if error.hint in (NO_OPTION_HINT, NEED_HINT):
                error.hint = hanging(self.layout.program, rules) or error.hint
            lowered = self.lowered_rules[rule]
            where = lowered.blocks[block]
            error.at(lowered.address, where.steps[0].span if where.steps else where.end.span)
        return error

    def named(self, name: str, pc: int, a: int, b: int) -> PlayError:
        """The error, with its place where it is about one."""
        program, layout = self.layout.program, self.layout
        hint = HINTS.get(name, "")
        match name:
            case "LAW":
                return broken(*self.program.laws[a])
            case "INVARIANT" | "ENDING":
                law = (program.invariants if name == "INVARIANT" else program.endings)[a]
                return broken(law.name, law.span)
            case "PIECES":
                return LawViolationError(f"'{layout.piece_names[a]}' lies in two places", law="pieces")
            case "NOWHERE":
                return LawViolationError("a piece lies nowhere or twice", law="pieces")
            case "COUNTERS":
                return LawViolationError(f"'{layout.slots[a].name}' is out of its range", law="counters")
            case "ANSWER":
                return AnswerError("no question is open, or it has no such option")
            case "NOTHING":
                ask = self.program.questions[b].ask
                text = f"seat {a + 1} must choose '{ask.question.name}', and there is nothing to choose"
                return RulesError(text, span=ask.span, hint=hint)
            case "STANDINS":
                fits = [hook for bit, hook in enumerate(self.program.replacements[b].hooks) if a >> bit & 1]
                names = " and ".join(self.lowered_rules[hook.rule].address for hook in fits)
                return RulesError(f"two rules want to stand in for one: {names}", span=fits[1].span)
            case "CALLS":
                lowered = self.lowered_rules[b]
                return RulesError(f"rules call rules more than {a} deep", lowered.address, lowered.span, hint)
        return RulesError(self.words(name, pc, a, b), hint=hint)

    def words(self, name: str, pc: int, a: int, b: int) -> str:
        layout = self.layout
        match name:
            case "DEEP":
                return TOO_DEEP
            case "BEYOND":
                return BEYOND
            case "ENTRY":
                first = (b + (1 << 31)) >> 32
                return f"there is no entry {a} here: they run from {first} to {b - (first << 32)}"
            case "ROW":
                return f"this cell is no row of '{list(layout.components.tables)[self.program.code[pc][3]]}'"
            case "SELF":
                return f"'{layout.program.defines[a].address}' calls itself too often"
            case "ROLL":
                return f"nothing to roll '{self.rolled(pc)}' from"
            case "FATE":
                return f"chance was told to pick number {a} of {b}"
            case "KIND":
                return f"a {layout.kind_names[a]} cannot lie in zone '{layout.places[b].name}'"
            case "WOULDS":
                return f"'would' within 'would', more than {MAX_TRIALS} deep"
        return dict(op.RUN_ERRORS)[name]

    def rolled(self, pc: int) -> str:
        """The name of the roll that has this place."""
        span: Span | None = self.program.spans[pc]
        ends = (block.end for lowered in self.lowered_rules for block in lowered.blocks)
        return next(end.roll.name for end in ends if isinstance(end, ir.RollEnd) and end.roll.span is span)
