"""A program in words: what each rule, definition, score and law became, with the lines it comes from."""

from __future__ import annotations

from interpreter.ir.lower import lower
from interpreter.ir.trials import Trials
from interpreter.state.layout import Layout
from interpreter.vm import opcodes as op
from interpreter.vm.compile.program import Program, compile_program
from warlock_dsl import Ruleset, unrelated_hooks


def disassembled(ruleset: Ruleset, players: int) -> dict[str, str]:
    """By address, the instructions of a ruleset."""
    lowered_rules = lower(ruleset.program)
    trials = Trials(lowered_rules, ruleset.program, unrelated_hooks(ruleset.program, ruleset.components))
    layout = Layout(ruleset.program, ruleset.components, players)
    return listing(compile_program(layout, lowered_rules, trials, laws=True))


def listing(program: Program) -> dict[str, str]:
    found: dict[str, list[str]] = {}
    for name, start, end in program.functions:
        lines = found.setdefault(name, [f"{name}:"])
        if len(lines) > 1:
            lines.append("  --")
        for pc in range(start, end):
            span = program.spans[pc]
            where = f"  ; {span.file}:{span.line}" if span is not None else ""
            lines.append(f"  {pc:5}  {instruction(program.code[pc], pc)}{where}")
    return {name: "\n".join(lines) + "\n" for name, lines in found.items()}


def instruction(code: tuple[int, int, int, int], pc: int) -> str:
    """One instruction as text: its name and its operands, registers as r4, instructions as @17."""
    name, operands, _ = op.OPCODES[code[0]]
    shown = []
    for place, letter in enumerate(operands.split()):
        wide = code[2] | code[3] << 16
        field = code[1 + place]
        match letter:
            case "d" | "r" | "w":
                shown.append(f"r{field}")
            case "j":
                shown.append(f"@{wide}")
            case "s" | "u":
                shown.append(f"@{pc + 1 + (field - 0x10000 if field >> 15 else field)}")
            case "k":
                shown.append(f"pool[{wide}]")
            case "i":
                shown.append(str(wide - (1 << 32) if wide >> 31 else wide))
            case "n" | "t":
                shown.append(str(field))
            case _:
                pass
    return f"{name:<9} {', '.join(shown)}".rstrip()
