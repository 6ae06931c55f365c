"""Rules as tables of blocks: what each reads or does as a C function, how it ends as a row of numbers and functions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from interpreter.ir import blocks as ir
from interpreter.ir.analysis import DryRuns
from interpreter.native.expressions import Expressions, NotNativeError, depth_of, remark
from interpreter.plain.questions import holds_pieces
from warlock_dsl import types as t
from warlock_dsl.check import program as checked

MODES = {"one": 0, "count": 1, "some": 2, "minimal": 3}


class Blocks:
    """Writes the rules of one ruleset."""

    def __init__(self, expressions: Expressions, lowered_rules: tuple[ir.LoweredRule, ...], laws: bool) -> None:
        self.x = expressions
        self.laws = laws
        self.reading = DryRuns(lowered_rules)
        self.functions: list[str] = []
        self.tables: list[str] = []

    def rule(self, lowered: ir.LoweredRule, pieces: Sequence[tuple[int, bool]]) -> str:
        """The row of a rule."""
        name = f"blocks_{lowered.rule}"
        rows = ",\n    ".join(self.block(lowered, block) for block in lowered.blocks)
        self.tables.append(f"/* {remark(lowered.address)} */\nstatic const Block {name}[] = {{\n    {rows}}};")
        slots = self.x.fresh("p")
        numbers = [str(int(number)) for pair in pieces for number in pair]
        self.tables.append(f"static const int {slots}[] = {{{', '.join([*numbers, '-1', '0'])}}};")
        return f"{{{lowered.entry}, {lowered.slots}, {name}, {slots}}}"

    # --------------------------------------------------------------- functions

    def function(self, kind: str, body: str, parameters: str = "i64 *f") -> str:
        name = self.x.fresh("fn")
        self.functions.append(f"static {kind}{name}({parameters}) {{ {body} }}")
        return name

    def value(self, e: checked.Expr | None) -> str:
        """A function that gives a number."""
        return "0" if e is None else self.function("i64 ", f"return {self.x.c(e, {})};")

    def items(self, e: checked.Expr) -> str:
        """A function that gives a list."""
        return self.function("List *", f"return {self.x.c(e, {})};")

    def kept(self, e: checked.Expr) -> str:
        """A value for a slot: outside a dry run it must last."""
        depth = depth_of(e.type)
        word = self.x.word(e, {})
        return f"(dry ? {word} : keep({word}, {depth}))" if depth else word

    # ------------------------------------------------------------------ blocks

    def block(self, lowered: ir.LoweredRule, block: ir.Block) -> str:
        parts = {"acts": str(int(block.acts))}
        if isinstance(block.end, ir.Ask) and self.reading.sure(lowered, block.end.then):
            parts["sure"] = "1"
        elif isinstance(block.end, ir.Ask) and self.reading.sure(lowered, block.end.then, back=True):
            parts["safe"] = "1"
        if isinstance(block.end, ir.Ask) and not holds_pieces(block.end.question.type):
            parts["unread"] = str(int(block.end.question.slot not in self.reading.slots(lowered, block.end.then)))
        steps = [text for step in block.steps for text in self.step(step)]
        if steps and block.acts:
            parts["act"] = self.function("void ", " ".join(steps))
        elif steps:
            parts["read"] = self.function("int ", f"{' '.join(steps)} return 1;", "i64 *f, int dry")
        parts |= self.end(block.end)
        return f"{{{', '.join(f'.{name} = {text}' for name, text in parts.items() if text != '0')}}}"

    def step(self, step: ir.Step) -> list[str]:
        x = self.x
        match step:
            case ir.Bind():
                return [f"f[{step.slot}] = {self.kept(step.value)};"]
            case ir.Clear():
                return [f"f[{step.slot}] = NONE;"]
            case ir.Keep():
                return [f"f[{step.slot}] = f[{step.other}];"]
            case ir.Enter():
                return [f"f[{step.list_slot}] = {self.kept(step.source)};", f"f[{step.place_slot}] = 0;"]
            case ir.Times():
                return [f"f[{step.slot}] = divided({x.c(step.count, {})}, {x.unit});"]
            case ir.Need():
                return [f"if (!({x.c(step.test, {})})) return 0;"]
            case ir.LawStep():
                if not self.laws:
                    return []
                where = f"({x.c(step.where, {})}) && " if step.where is not None else ""
                return [f"if (!dry && {where}!({x.c(step.test, {})})) bail();"]
            case ir.MoveStep():
                return [self.move(step)]
            case ir.SwapStep():
                return [self.swap(step)]
            case ir.ShuffleStep():
                names = [x.fresh("z") for _ in step.zones]
                read = " ".join(f"i64 {n} = {x.c(zone, {})};" for n, zone in zip(names, step.zones, strict=True))
                return [f"{{ {read} {' '.join(f'shuffle_zone({n});' for n in names)} }}"]
            case ir.ChangeStep():
                return [self.change(step)]
            case ir.ResetStep():
                return [f"reset_variable({variable});" for variable in step.variables]
            case _:
                raise NotNativeError

    def move(self, step: ir.MoveStep) -> str:
        """All operands are read before anything moves."""
        read, done = [], []
        for what, to, is_cell in step.pairs:
            pieces, target = self.x.fresh("m"), self.x.fresh("t")
            many = depth_of(what.type) > 0
            found = self.x.c(what, {})
            read.append(f"List *{pieces} = copy_of({found});" if many else f"i64 {pieces} = {found};")
            read.append(f"i64 {target} = {self.x.c(to, {})};")
            done.append(f"move_{'all' if many else 'piece'}({pieces}, {target}, {int(is_cell)});")
        return f"{{ {' '.join(read + done)} }}"

    def swap(self, step: ir.SwapStep) -> str:
        read, done = [], []
        for left, right in step.pairs:
            a, b = self.x.fresh("m"), self.x.fresh("m")
            read.append(f"i64 {a} = {self.x.c(left, {})}, {b} = {self.x.c(right, {})};")
            done.append(f"swap_pieces({a}, {b});")
        return f"{{ {' '.join(read + done)} }}"

    def change(self, step: ir.ChangeStep) -> str:
        read, done = [], []
        for variable, owner, value in step.changes:
            number, new = self.x.fresh("n"), self.x.fresh("w")
            read.append(f"i64 {number} = {self.x.variable(variable, owner, {})}, {new} = {self.x.word(value, {})};")
            sign = {"set": "", "add": "+", "take": "-"}[step.verb]
            final = f"bounded(value_of[{number}] {sign} {new})" if sign else new
            done.append(f"write_value({number}, {final});")
        return f"{{ {' '.join(read + done)} }}"

    # --------------------------------------------------------------------- ends

    def end(self, end: ir.End) -> dict[str, str]:
        match end:
            case ir.Goto():
                return {"kind": "GOTO", "to": str(end.to)}
            case ir.Branch():
                return {"kind": "BRANCH", "to": str(end.yes), "other": str(end.no), "test": self.value(end.test)}
            case ir.Ask():
                question = self.question(end.question)
                return {"kind": "ASK", "to": str(end.then), "other": str(end.otherwise), "question": question}
            case ir.RollEnd():
                return self.roll(end)
            case ir.Call():
                return {
                    "kind": "CALL", "to": str(end.then), "rule": str(end.target.rule),
                    "key": self.value(end.target.key), "rules": self.numbers(end.target.members),
                    "test": self.value(end.by), "arguments": self.arguments(end.arguments),
                }  # fmt: skip
            case ir.Instead():
                tests = [self.value(hook.where) for hook in end.hooks]
                name = self.x.fresh("w")
                self.tables.append(f"static i64 (*const {name}[])(i64 *) = {{{', '.join(tests)}}};")
                return {
                    "kind": "INSTEAD", "to": str(end.body), "other": str(end.then), "slot": str(end.parameters),
                    "count": str(len(end.hooks)), "rules": self.numbers(hook.rule for hook in end.hooks),
                    "tests": name,
                }  # fmt: skip
            case ir.NextOf():
                return {
                    "kind": "NEXT_OF", "to": str(end.body), "other": str(end.out), "slot": str(end.slot),
                    "list_slot": str(end.list_slot), "place_slot": str(end.place_slot), "test": self.value(end.where),
                }  # fmt: skip
            case ir.Again():
                slot = str(end.slot)
                return {
                    "kind": "AGAIN", "to": str(end.body), "other": str(end.out), "slot": slot,
                    "test": self.value(end.where),
                }  # fmt: skip
            case ir.Seats():
                together = end.statement
                return {
                    "kind": "SEATS", "to": str(end.body), "other": str(end.out), "slot": str(together.slot),
                    "list_slot": str(together.seats_slot), "place_slot": str(together.place_slot),
                    "answers_slot": str(together.answers_slot), "test": self.value(together.where),
                }  # fmt: skip
            case ir.FinishEnd():
                return {"kind": "FINISH", "list": self.items(end.winners)}
            case ir.Return():
                return {"kind": "RETURN"}

    def roll(self, end: ir.RollEnd) -> dict[str, str]:
        roll = end.roll
        return {
            "kind": "ROLL", "to": str(end.then), "slot": str(roll.slot), "list": self.items(roll.source),
            "test": self.value(roll.where), "key": self.value(roll.count),
            "depth": str(max(depth_of(roll.source.type) - 1, 0)),
        }  # fmt: skip

    def arguments(self, arguments: Sequence[checked.Expr]) -> str:
        if not arguments:
            return "0"
        text = " ".join(f"to[{1 + place}] = {self.kept(argument)};" for place, argument in enumerate(arguments))
        return self.function("void ", text, "i64 *f, i64 *to, int dry")

    def numbers(self, numbers: Iterable[int]) -> str:
        found = [str(number) for number in numbers]
        return self.x.keep("int", f"{{{', '.join(found)}}}", "[]") if found else "0"

    def question(self, question: checked.Question) -> str:
        item = question.source.type.item if isinstance(question.source.type, t.ListType) else None
        if not depth_of(question.source.type):
            raise NotNativeError("a question about something that is no list")
        parts = {
            "mode": str(MODES[question.mode]),
            "slot": str(question.slot),
            "may": str(int(question.may)),
            "pieces": str(int(isinstance(item, t.PieceType))),
            "depth": str(depth_of(question.source.type) - 1),
            "source": self.items(question.source),
            "where": self.value(question.where),
            "by": self.value(question.by),
            "low": self.value(question.low),
            "high": self.value(question.high),
        }
        name = self.x.fresh("q")
        text = ", ".join(f".{part} = {value}" for part, value in parts.items() if value != "0")
        self.tables.append(f"static const Question {name} = {{{text}}};")
        return f"&{name}"
