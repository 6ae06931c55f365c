"""Makes `c/opcodes.h` and `opcodes.py` of the fast machine from `opcodes.toml`, the only table of its instructions.

`python make_opcodes.py` writes them; with `--check` it only says whether they are what the table says.
"""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent / "interpreter" / "vm"
MADE = "made from opcodes.toml by make_opcodes.py"
OPERANDS = frozenset("drwnkijstu-")


def read_table() -> dict[str, Any]:
    """The table; a ValueError where it uses a kind of operand that nobody knows."""
    found = tomllib.loads((HERE / "opcodes.toml").read_text(encoding="utf-8"))
    for name, operands, _ in found["op"]:
        if not set(operands.split()) <= OPERANDS:
            raise ValueError(f"{name}: an operand of an unknown kind in '{operands}'")
    return found


def shape_of(operands: str) -> str:
    """Three letters, one an operand; one that takes two fields has its letter and a blank."""
    letters = operands.split()
    return "".join(letters) if len(letters) == 3 else letters[0] + letters[1] + "."


def header(table: dict[str, Any]) -> str:
    lines = [f"/* {MADE}; do not edit. */", "#ifndef WARLOCK_OPCODES_H", "#define WARLOCK_OPCODES_H", ""]
    lines.append(f"#define VM_FORMAT {table['format']}")

    def enum(prefix: str, names: list[str]) -> None:
        entries = [*(f"{prefix}_{name.upper()}" for name in names), f"N_{prefix}"]
        rows = [", ".join(entries[at : at + 4]) for at in range(0, len(entries), 4)]
        lines.extend(["", "enum {", *(f"    {row}," for row in rows), "};"])

    enum("OP", [name for name, _, _ in table["op"]])
    enum("P", table["primitive"])
    enum("FAULT", [name for name, _ in table["fault"]])
    enum("LOAD", table["load"])
    enum("S", table["section"])
    enum("META", table["meta"])
    for record, fields in table["record"].items():
        enum(record.upper(), fields)
    lines += ["", "/* By instruction: the kinds of its operands, as opcodes.toml explains them. */"]
    lines += ["#define OP_SHAPES \\"]
    lines += [f'    "{shape_of(operands)}", \\' for _, operands, _ in table["op"]]
    lines += ["", "/* By instruction: its place in the loop that runs it. */", "#define OP_LABELS \\"]
    lines += [f"    &&op_{name}, \\" for name, _, _ in table["op"]]
    return "\n".join([*lines, "", "#endif", ""])


def module(table: dict[str, Any]) -> str:
    lines = [f'"""The numbers of instructions, faults, primitives and sections: {MADE}."""', ""]
    lines += ["# ruff: noqa: E501", "", f"FORMAT = {table['format']}"]
    lines += [f"{name} = {number}" for number, (name, _, _) in enumerate(table["op"])]
    lines += ["", "# By instruction: name, kinds of operands, what it does."]
    lines += ["OPCODES: tuple[tuple[str, str, str], ...] = ("]
    lines += [f"    ({quoted(name)}, {quoted(operands)}, {quoted(does)})," for name, operands, does in table["op"]]
    lines += [")", "PRIMITIVES: tuple[str, ...] = (", *(f"    {quoted(name)}," for name in table["primitive"]), ")"]
    lines += ["RUN_ERRORS: tuple[tuple[str, str], ...] = ("]
    lines += [f"    ({quoted(name)}, {quoted(text)})," for name, text in table["fault"]]
    lines += [")", "LOAD_ERRORS: tuple[str, ...] = (", *(f"    {quoted(name)}," for name in table["load"]), ")"]
    lines += ["META: tuple[str, ...] = (", *(f"    {quoted(name)}," for name in table["meta"]), ")"]
    lines += ["RECORDS: dict[str, tuple[str, ...]] = {"]
    lines += [f"    {quoted(name)}: ({', '.join(map(quoted, fields))})," for name, fields in table["record"].items()]
    lines += ["}"]
    lines += ["SECTIONS: tuple[str, ...] = (", *(f"    {quoted(name)}," for name in table["section"]), ")"]
    return "\n".join([*lines, ""])


def quoted(text: str) -> str:
    return '"' + text.replace('"', '\\"') + '"'


def made() -> dict[Path, str]:
    """What every file that is made should hold."""
    table = read_table()
    return {HERE / "c" / "opcodes.h": header(table), HERE / "opcodes.py": module(table)}


def main(arguments: list[str]) -> int:
    stale = [path for path, text in made().items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    for path in stale:
        if "--check" in arguments:
            print(f"{path.name} is not what opcodes.toml says: python make_opcodes.py", file=sys.stderr)
        else:
            path.write_text(made()[path], encoding="utf-8")
    return 1 if stale and "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
