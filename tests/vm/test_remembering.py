"""What the fast machine remembers: under which arguments, until what is written, and that it is the same game."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from attrs import evolve

from interpreter.ir.lower import lower
from interpreter.machine import PlainMachine
from interpreter.state.layout import Layout
from interpreter.vm import machine as vm
from interpreter.vm.compile.program import Program, compile_program
from interpreter.vm.compile.remembering import Remembering
from interpreter.vm.opcodes import RECORDS
from tests.interpreter.pair import step
from tests.interpreter.tiny import ruleset
from tests.vm.images import Image
from tests.vm.needs import needs_vm

RULES = """
define worth(cs: [card]) = sum(c in cs: c.value)
define dear(cs: [card]) = [c in cs where c.value >= 2]
define rivals(p: player) = [o in opponents where count(o.hand) > count(p.hand)]
define alone(c: card) = not any(o in shown(c) where o is not c)
define shown(c: card) = [o in my.shown where o.colour is c.colour]
define fill = count(c in deck where c.value > 0) + my.gold
define among(c: card, cs: [card]) = any(x in cs where x is c)
define plain(n: number) = n + 1

rule play:
    shuffle deck
    for me in players: move top(deck, 2) to my.hand
    move top(deck) to last(players).hand
    repeat 2:
        for me in players: turn()
        for me in players where any(rivals(first(players))): add 1 to my.gold
    finish [p in players where count(rivals(p)) is 0]

rule turn:
    set my.step to count([c in first(players).hand + last(players).hand where among(c, my.hand)])
    choose c in my.hand where worth(my.hand) > plain(0) and fill > 0: show_it(c)
    else: pass

rule show_it(c: card):
    choose some paid in my.hand where worth(paid) <= 5 and any(dear(paid))
    if alone(c): add 1 to my.gold
    move c to my.shown
    if any(deck): move top(deck) to my.hand
"""


def remembered() -> dict[str, tuple[bool, int] | None]:
    program = ruleset(RULES).program
    known = Remembering(program.defines)
    found = {}
    for number, define in enumerate(program.defines):
        one = known.remembered(number)
        found[define.address.rpartition(".")[2]] = None if one is None else (one.me, one.twins)
    return found


def test_what_a_value_is_kept_under() -> None:
    """Whether `me` counts, and which arguments count by their fields only."""
    assert remembered() == {
        "worth": (False, 1),
        "dear": (False, 0),  # it gives the pieces themselves
        "rivals": (True, 0),
        "alone": (True, 0),  # it asks which piece it is
        "shown": (True, 1),
        "fill": (True, 0),
        "among": (False, 0),
        "plain": None,  # as soon worked out as looked up
    }


Change = Callable[[dict[str, int]], dict[str, int]]


def machine_with(change: Change) -> vm.VmMachine:
    """The fast machine, where something is said otherwise of every definition."""

    def spoilt(*given: object) -> Program:
        program = compile_program(*given)  # type: ignore[arg-type]
        image = Image.read(program.data)
        names = RECORDS["defines"]
        rows = [change(dict(zip(names, row, strict=True))) for row in image.rows("DEFINES")]
        image.sections["DEFINES"] = [row[name] for row in rows for name in names]
        return evolve(program, data=image.data())

    made = ruleset(RULES)
    layout = Layout(made.program, made.components, 2)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(vm, "compile_program", spoilt)
        return vm.VmMachine(PlainMachine(layout, lower(made.program), True))


def first_difference(machine: vm.VmMachine, games: int) -> int | None:
    """The seed of a game that goes otherwise than in plain."""
    for seed in range(games):
        one, other = machine.plain.start(seed), machine.start(seed)
        for number in range(40):
            expected = step(machine.plain, one)
            if step(machine, other) != expected:
                return seed
            count = machine.plain.count(one)
            if not count:
                break
            machine.plain.choose(one, (seed + number) % count)
            machine.choose(other, (seed + number) % count)
    return None


@needs_vm
def test_it_is_the_same_game() -> None:
    assert first_difference(machine_with(lambda row: row), 20) is None


@needs_vm
@pytest.mark.parametrize(
    "change",
    [
        lambda row: {**row, "me": 0},
        lambda row: {**row, "twins": (1 << row["parameters"]) - 1},
        lambda row: {**row, "cost": row["cost"] + 1},
    ],
    ids=["whose it is", "which piece it is", "what it costs"],
)
def test_a_wrong_key_is_found(change: Change) -> None:
    assert first_difference(machine_with(change), 60) is not None
