"""Images of programs, taken apart and put together again: sections by name, instructions as four numbers."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence

from attrs import define

from interpreter.vm.opcodes import FORMAT, META, OPCODES, RECORDS, SECTIONS

NAMES = tuple(name for name, _, _ in OPCODES)
OPS = {name: number for number, name in enumerate(NAMES)}
SHAPES = {name: tuple(shape.split()) for name, shape, _ in OPCODES}
WIDE = ("k", "i", "j")  # operands that take two fields


@define
class Image:
    """The sections of an image, each a list of numbers of 32 bits."""

    sections: dict[str, list[int]]

    @classmethod
    def read(cls, data: bytes) -> Image:
        numbers = struct.unpack(f"<{len(data) // 4}i", data)
        assert numbers[:2] == (FORMAT, len(SECTIONS))
        lengths, at, sections = numbers[2 : 2 + len(SECTIONS)], 2 + len(SECTIONS), {}
        for name, length in zip(SECTIONS, lengths, strict=True):
            sections[name] = list(numbers[at : at + length])
            at += length
        return cls(sections)

    def data(self) -> bytes:
        parts = [self.sections[name] for name in SECTIONS]
        numbers = [FORMAT, len(SECTIONS), *map(len, parts), *(number for part in parts for number in part)]
        return struct.pack(f"<{len(numbers)}i", *numbers)

    def copy(self) -> Image:
        return Image({name: list(part) for name, part in self.sections.items()})

    # ----------------------------------------------------------------- instructions

    def __len__(self) -> int:
        return len(self.sections["CODE"]) // 2

    def instruction(self, pc: int) -> tuple[int, int, int, int]:
        op, a, b, c = struct.unpack("<4H", struct.pack("<2i", *self.sections["CODE"][2 * pc : 2 * pc + 2]))
        return op, a, b, c

    def put(self, pc: int, op: int, a: int = 0, b: int = 0, c: int = 0) -> None:
        self.sections["CODE"][2 * pc : 2 * pc + 2] = struct.unpack("<2i", struct.pack("<4H", op, a, b, c))

    def function_of(self, pc: int) -> tuple[int, int, int]:
        """Where the function begins and ends that an instruction belongs to, and its window."""
        functions = self.rows("FUNCS")
        return next((start, end, window) for start, end, window in functions if start <= pc < end)

    # ----------------------------------------------------------------------- tables

    def rows(self, section: str) -> list[tuple[int, ...]]:
        width = len(RECORDS[section.lower()])
        numbers = self.sections[section]
        return [tuple(numbers[at : at + width]) for at in range(0, len(numbers), width)]

    def meta(self, name: str) -> int:
        return self.sections["META"][META.index(name)]

    def set_meta(self, name: str, value: int) -> None:
        self.sections["META"][META.index(name)] = value


def wide(number: int) -> tuple[int, int]:
    """The two fields of an operand of 32 bits."""
    number &= 0xFFFFFFFF
    return number & 0xFFFF, number >> 16


def assembled(line: str) -> tuple[int, int, int, int]:
    """`ADD 3 1 2`; an operand of 32 bits is one number."""
    name, *written = line.split()
    numbers, fields = [int(word) for word in written], list[int]()
    shape = SHAPES[name]
    for kind in shape:
        if kind == "-":
            fields.append(0)
        elif kind in WIDE:
            fields += wide(numbers.pop(0))
        else:
            fields.append(numbers.pop(0) & 0xFFFF)
    assert not numbers, f"{name} has the operands {' '.join(shape)}: {line}"
    a, b, c = fields
    return OPS[name], a, b, c


def record(section: str, **fields: int) -> list[int]:
    names = RECORDS[section]
    assert set(fields) <= set(names), set(fields) - set(names)
    return [fields.get(name, 0) for name in names]


def small_image(code: Sequence[str], window: int = 8, slots: int = 1, pool: Sequence[int] = ()) -> Image:
    """A game of two players without pieces, whose only rule has one block with this code."""
    sections: dict[str, list[int]] = {name: [] for name in SECTIONS}
    for name in ("OWNED_AT", "STARTS_AT", "KIND_VARS_AT", "RESETS_AT", "NAMING_AT"):
        sections[name] = [0]
    words = [0, 0, *pool]  # two lists that are always there: first values and bounds of variables, both empty
    sections["POOL"] = list(struct.unpack(f"<{2 * len(words)}i", struct.pack(f"<{len(words)}q", *words)))
    sections["LISTS"] = [0, 1]
    given: Mapping[str, int] = {"players": 2, "unit": 1, "work": 100_000, "depth": 50, "listed": 100}
    sections["META"] = [given.get(name, 0) for name in META]
    sections["RULES"] = record("rules", slots=slots, window=window, received=-1, blocks=1)
    sections["BLOCKS"] = record("blocks", next=-1, other=-1, seats=-1, loop=-1, cost=1)
    made = Image(sections)
    lines = ["BLOCK 0", *code]
    sections["FUNCS"] = record("funcs", start=0, end=len(lines), window=window)
    sections["CODE"] = [0, 0] * len(lines)
    for pc, line in enumerate(lines):
        made.put(pc, *assembled(line))
    return made
