"""The fast machine with one mistake: in every instruction of one kind, or every call of one primitive, of a program.

A mistake is one that a compiler could make and the verifier lets through: another instruction, operand, or nothing.
`PLANTED` has a maker of such a machine for each opcode and for each primitive.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from unittest.mock import patch

from attrs import evolve

from interpreter import Machine, PlainMachine
from interpreter.ir.lower import lower
from interpreter.state.layout import Layout
from interpreter.vm import machine as vm
from interpreter.vm.compile.program import Program, compile_program
from interpreter.vm.opcodes import PRIMITIVES
from tests.random_rules.search import Maker
from tests.vm.images import NAMES, OPS, SHAPES, Image, wide
from warlock_dsl.ruleset import Ruleset

Fields = tuple[int, int, int, int]
Change = Callable[[Image, int, Fields], Fields]


def _other(name: str) -> Change:
    """Another instruction with the same operands."""
    return lambda image, pc, i: (OPS[name], *i[1:])


def _nothing(image: Image, pc: int, i: Fields) -> Fields:
    """On to the next instruction; what ends a function stays as it is."""
    if pc + 1 >= image.function_of(pc)[1]:
        return i
    return (OPS["JMP"], 0, *wide(pc + 1))


def _number(value: int) -> Change:
    """A number instead of what it should be."""
    return lambda image, pc, i: (OPS["INT"], i[1], *wide(value))


def _empty(image: Image, pc: int, i: Fields) -> Fields:
    return OPS["LIST"], i[1], 0, 0


def _more(place: int, by: int = 1) -> Change:
    """A number of the instruction is another."""

    def change(image: Image, pc: int, i: Fields) -> Fields:
        fields = list(i)
        fields[place] += by
        op, a, b, c = fields
        return op, a, b, c

    return change


def _set(place: int, value: Callable[[int], int]) -> Change:
    def change(image: Image, pc: int, i: Fields) -> Fields:
        fields = list(i)
        fields[place] = value(fields[place])
        op, a, b, c = fields
        return op, a, b, c

    return change


def _swapped(image: Image, pc: int, i: Fields) -> Fields:
    op, a, b, c = i
    return op, a, c, b


def _away(image: Image, pc: int, i: Fields) -> Fields:
    """Where it goes when there is nothing left, at once."""
    skip = i[3] - 0x10000 if i[3] >= 0x8000 else i[3]
    return (OPS["JMP"], 0, *wide(pc + 1 + skip))


def _return(image: Image, pc: int, i: Fields) -> Fields:
    return OPS["RETURN"], 0, 0, 0


OPCODE_CHANGES: Mapping[str, Change] = {
    **{name: _other(to) for name, to in {
        "ADD": "SUB", "SUB": "ADD", "MUL": "ADD", "EQ": "LE", "LT": "LE", "LE": "LT", "SAME": "EQ", "REGION": "HAS",
        "JOIN": "LESS", "LESS": "JOIN", "NOT": "MOV", "TIMES": "MOV", "JT": "JF", "JF": "JT", "NTH": "ITEM",
        "SKIPLAW": "JMP", "SKIPPAST": "JMP", "SKIPSIGHT": "JMP", "BACK": "MOV",
    }.items()},
    **dict.fromkeys(("JMP", "EACH", "PUSH", "WEIGH", "FOLLOW", "WOULD", "NEED", "LAW", "HEAD", "ROLLHEAD", "TURNS"),
                    _nothing),
    **dict.fromkeys(("SEEN", "SEENVAR", "SEENBY", "MOVE", "MOVES", "SWAP", "SWAPS", "SHUFFLE", "SHOW", "RESET", "MARK"),
                    _nothing),
    **dict.fromkeys(("HAS", "K", "CALL", "RECALL", "CALLSELF", "ENTRY", "ENTRY2", "ITEM", "SERIES", "CELLAT", "ZONE",
                     "VARAT", "VAR", "GVAR", "LNEW", "SEAL", "STORE", "SIZE", "ROLL"), _number(0)),
    **dict.fromkeys(("INT", "TICK", "LOOP", "SCALE", "REACH"), _more(2)),
    **dict.fromkeys(("ASK", "DO", "INSTEAD", "SEATS", "FINISH", "UNSEEN"), _return),
    "MOV": _set(2, lambda _: 0),
    "RET": _set(1, lambda _: 0),
    "AT": lambda image, pc, i: (OPS["AT"], 0, 0, 0),
    "BLOCK": lambda image, pc, i: i,  # it cannot be moved; see `changed`
    "RANGE": _swapped,
    "LIST": _set(3, lambda count: max(count - 1, 0)),
    "LOOP": _more(3),
    "SCALE": _more(3),
    "REACH": _more(3),
    "PIECES": _empty,
    "NARROW": lambda image, pc, i: (OPS["MOV"], i[1], i[2], 0),
    "OVER": lambda image, pc, i: (OPS["LOOP"], i[1], i[2], 1),
    "NEXT": _away,
    "NEXTKEEP": _away,
    "STEP": _away,
    "BEST": _set(3, lambda least: 1 - least),
    "SORT": _set(3, lambda falling: 1 - falling),
    "CAN": _number(1),
    "ROWOF": _number(1),
    "CHANGE": _set(3, lambda verb: (verb + 1) % 3),
    "CHANGES": _set(2, lambda verb: (verb + 1) % 3),
    "RETURN": lambda image, pc, i: (OPS["FINISH"], 0, 0, 0),
    "PRIM": lambda image, pc, i: (OPS["INT"], i[1], 0, 0),
}  # fmt: skip


def _primitive(name: str) -> Change:
    number = PRIMITIVES.index(name)
    return lambda image, pc, i: (i[0], i[1], i[2], i[3] & 0xFF00 | number)


def _argument(image: Image, pc: int, i: Fields) -> Fields:
    return OPS["MOV"], i[1], i[2], 0


PRIMITIVE_CHANGES: Mapping[str, Change] = {
    **{name: _primitive(to) for name, to in {
        "players": "everywhere", "opponents": "players", "first": "last", "last": "first", "min": "max", "max": "min",
        "divide_up": "divide_down", "divide_down": "divide_up", "near": "around", "around": "near", "free": "cells",
        "cells": "free", "step": "ray", "ray": "step", "next": "previous", "previous": "next", "clockwise": "players",
        "all": "any", "at": "near",
    }.items()},
    **dict.fromkeys(("everywhere", "union", "sums", "groups", "top", "lines"), _empty),
    **dict.fromkeys(("cell_of", "owner_of", "face_of", "any", "sum", "total"), _number(0)),
    **dict.fromkeys(("count", "within"), _number(1)),
    "distinct": _argument,
}  # fmt: skip


def changed(image: Image, wanted: Callable[[Fields], bool], change: Change) -> Image | None:
    """The image with a mistake at every place that is meant; None where there is no such place."""
    other, places = image.copy(), 0
    for pc in range(len(image)):
        i = image.instruction(pc)
        if wanted(i):
            places += 1
            other.put(pc, *change(image, pc, i))
            if i[0] == OPS["BLOCK"]:  # its work is in a table
                width, at = len(other.sections["BLOCKS"]), i[2] | i[3] << 16
                rows = len(image.rows("BLOCKS"))
                other.sections["BLOCKS"][at * (width // rows) + 1] += 1
    return other if places else None


def _maker(wanted: Callable[[Fields], bool], change: Change) -> Maker:
    def make(ruleset: Ruleset, players: int, laws: bool) -> Machine | None:
        there = True

        def spoilt(*given: object) -> Program:
            nonlocal there
            program = compile_program(*given)  # type: ignore[arg-type]
            other = changed(Image.read(program.data), wanted, change)
            there = other is not None
            return program if other is None else evolve(program, data=other.data())

        layout = Layout(ruleset.program, ruleset.components, players)
        with patch.object(vm, "compile_program", spoilt):
            machine = vm.VmMachine(PlainMachine(layout, lower(ruleset.program), laws))
        return machine if there else None

    return make


def sound_machine(ruleset: Ruleset, players: int, laws: bool) -> vm.VmMachine:
    """The fast machine without a mistake, whatever machine is asked for elsewhere."""
    layout = Layout(ruleset.program, ruleset.components, players)
    return vm.VmMachine(PlainMachine(layout, lower(ruleset.program), laws))


def _of(op: int) -> Callable[[Fields], bool]:
    return lambda i: i[0] == op


def _calls(number: int) -> Callable[[Fields], bool]:
    return lambda i: i[0] == OPS["PRIM"] and i[3] & 0xFF == number


PLANTED: dict[str, Maker] = {
    **{name: _maker(_of(OPS[name]), change) for name, change in OPCODE_CHANGES.items()},
    **{
        f"primitive {name}": _maker(_calls(PRIMITIVES.index(name)), change)
        for name, change in PRIMITIVE_CHANGES.items()
    },
}


def missing() -> set[str]:
    """Opcodes and primitives that no mistake is planted in."""
    return set(NAMES) - set(OPCODE_CHANGES) | set(PRIMITIVES) - set(PRIMITIVE_CHANGES) | {
        name for name in OPCODE_CHANGES if name not in SHAPES
    }
