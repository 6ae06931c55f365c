"""The verifier: what it lets through, what it refuses and why. `verify/*.case` has one situation a file."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import pytest
from attrs import define, field

from interpreter.vm.opcodes import LOAD_ERRORS, OPCODES, RUN_ERRORS, SECTIONS
from tests.vm.images import NAMES, OPS, SHAPES, Image, assembled, small_image, wide
from tests.vm.needs import needs_vm

pytestmark = needs_vm
CASES = Path(__file__).with_name("verify")
ENDINGS = ("error", "fault", "over")
NONE = -(2**63)


class Fault(Exception):
    """A fault of the machine: its name."""


def load(data: bytes) -> Any:
    from interpreter.vm import _vm

    return _vm.Program(data)


def refused(data: bytes) -> tuple[str, int, int] | None:
    """Why an image is no program: the error, the instruction or section, the operand; None where it is one."""
    try:
        load(data)
    except ValueError as error:
        code, at, operand = error.args
        return LOAD_ERRORS[code], at, operand
    return None


def play(data: bytes) -> str:
    """How a program ends, without answering anything: `over` with its winners, or the name of a fault."""
    from interpreter.vm import _vm

    machine = _vm.Machine(load(data), lambda code, *rest: Fault(RUN_ERRORS[code][0]))
    state = machine.start(1)
    try:
        asked = machine.run(state)
    except Fault as fault:
        return f"fault {fault}"
    return "asks" if asked else f"over {machine.winners(state)}"


# ------------------------------------------------------------------------------- cases


@define
class Case:
    """A file of a case: what it is about, its code, changes of its tables, how it must end."""

    about: str = ""
    asm: list[str] = field(factory=list)
    window: int = 8
    slots: int = 1
    pool: list[int] = field(factory=list)
    raw: list[tuple[int, list[int]]] = field(factory=list)
    tables: list[tuple[str, list[int]]] = field(factory=list)
    meta: dict[str, int] = field(factory=dict)
    header: dict[int, int] = field(factory=dict)
    ending: str = ""

    def data(self) -> bytes:
        made = bytearray(self.image().data())
        for at, number in self.header.items():
            made[4 * at : 4 * at + 4] = struct.pack("<i", number)
        return bytes(made)

    def image(self) -> Image:
        made = small_image(self.asm, self.window, self.slots, self.pool)
        for pc, numbers in self.raw:
            made.put(pc, *numbers)
        for name, numbers in self.tables:
            made.sections[name] = numbers
        for name, number in self.meta.items():
            made.set_meta(name, number)
        return made


def word(text: str) -> int:
    """A word of the pool: a number, `list N` as `@N`, `none`."""
    return NONE if text == "none" else int(text[1:]) | 1 << 61 if text.startswith("@") else int(text)


def read_case(text: str) -> Case:
    """The sections of a case. One that is not known is an error: nothing in a case is passed over."""
    case, section = Case(), ""
    for line in text.splitlines():
        if line.startswith("-- "):
            section, _, rest = line[3:].partition(" ")
            if section in ENDINGS:
                case.ending = line[3:]
            elif section == "window":
                case.window = int(rest)
            elif section == "slots":
                case.slots = int(rest)
            elif section == "pool":
                case.pool = [word(one) for one in rest.split()]
            elif section == "table":
                name, *numbers = rest.split()
                case.tables.append((name, [int(one) for one in numbers]))
            elif section == "meta":
                name, number = rest.split()
                case.meta[name] = int(number)
            elif section == "header":
                at, number = rest.split()
                case.header[int(at)] = int(number)
            elif section == "raw":
                pc, *numbers = rest.split()
                case.raw.append((int(pc), [int(one) for one in numbers]))
            else:
                assert section in ("about", "asm"), f"a section that is not known: {line}"
        elif section == "about":
            case.about += line
        elif section == "asm":
            case.asm += [line] if line.strip() else []
        else:
            assert not line.strip(), f"a line in no section: {line}"
    assert case.about and case.ending, "a case says what it is about, and how it ends"
    return case


FILES = sorted(CASES.iterdir())


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_case(path: Path) -> None:
    assert path.suffix == ".case"
    case = read_case(path.read_text(encoding="utf-8"))
    image = case.image().data()
    assert Image.read(image).data() == image
    data = case.data()
    found = refused(data)
    if case.ending.startswith("error"):
        _, code, *more = case.ending.split()
        assert found is not None, "it was let through"
        assert found[0] == code, found
        wanted = dict(zip(more[::2], map(place, more[1::2]), strict=True))
        assert found[1] == wanted.get("at", found[1]) and found[2] == wanted.get("operand", found[2]), found
    else:
        assert found is None, found
        assert play(data) == case.ending


def place(word_: str) -> int:
    return SECTIONS.index(word_) if word_ in SECTIONS else int(word_)


def test_every_reason_to_refuse_has_a_case() -> None:
    endings = [read_case(path.read_text(encoding="utf-8")).ending.split() for path in FILES]
    assert {name for kind, name in (ending[:2] for ending in endings) if kind == "error"} == set(LOAD_ERRORS)


# ------------------------------------------------------------------ what is cut off or made up


def test_an_image_that_is_cut_off_is_refused_everywhere() -> None:
    data = small_image(["INT 1 0", "LIST 2 1 1", "FINISH 2"]).data()
    assert refused(data) is None
    for length in range(len(data)):
        assert refused(data[:length]) is not None, length
    assert refused(data + bytes(4)) is not None


def test_numbers_of_a_small_image_that_are_changed_are_refused_or_harmless() -> None:
    """Every number of 32 bits in turn, by values at the edges: refused, or it ends in some way; never a signal."""
    data = small_image(["INT 1 0", "LIST 2 1 1", "LOOP 3 2 1", "NEXT 3 6 1", "JMP 4", "FINISH 2"]).data()
    for at in range(0, len(data), 4):
        for number in (0, 1, -1, 7, 2**31 - 1, -(2**31), 65535):
            changed = data[:at] + struct.pack("<i", number) + data[at + 4 :]
            if refused(changed) is None and changed[8 : 8 + 4 * len(SECTIONS)] == data[8 : 8 + 4 * len(SECTIONS)]:
                assert play(changed)


# ---------------------------------------------------------------- every operand of every opcode

BAD = {
    **dict.fromkeys("drw", "REGISTER"),
    **dict.fromkeys("js", "JUMP"),
    "k": "POOL",
    "t": "TABLE",
    "-": "UNUSED",
}


def spoilt_operands() -> list[tuple[str, int, str]]:
    found = []
    for name, shape, _ in OPCODES:
        found += [(name, place_, kind) for place_, kind in enumerate(shape.split()) if kind in BAD]
    return found


@pytest.mark.parametrize(("name", "place_", "kind"), spoilt_operands())
def test_an_operand_out_of_its_range_is_refused(name: str, place_: int, kind: str) -> None:
    """The instruction with this operand at its worst, and all others as low as they go."""
    fields = [0, 0, 0]
    at = min(place_, 1) if kind in ("k", "j") else place_
    if kind in ("k", "j"):
        fields[at : at + 2] = wide(2**31 - 1)
    else:
        fields[at] = 0x7FFF if kind in ("s", "-") else 0xFFFF
    image = small_image(["INT 1 0", "LIST 2 1 1", "FINISH 2"])
    image.put(1, OPS[name], *fields)
    found = refused(image.data())
    assert found is not None and (found[0] in (BAD[kind], "TABLE")), found


def test_every_opcode_is_spelt_in_the_table() -> None:
    assert {name for name, _, _ in spoilt_operands()} | {"INT", "TICK", "GVAR", "BLOCK", "AT"} >= set(NAMES) - {
        name for name, shape in SHAPES.items() if set(shape) <= {"n", "i"}
    }
    with pytest.raises(AssertionError, match="has the operands"):
        assembled("ADD 1 2 3 4")
    assert refused(small_image(["RETURN 0"]).data()) is None


def test_an_unknown_opcode_is_refused() -> None:
    image = small_image(["RETURN 0"])
    for op in (len(NAMES), 0x7FFF, 0xFFFF):
        image.put(0, op)
        assert refused(image.data()) is not None
