"""A ruleset for one number of players as a C file: its tables, its expressions, its rules, around the machine."""

from __future__ import annotations

from collections.abc import Iterable

from interpreter.ir import blocks as ir
from interpreter.native.blocks import Blocks
from interpreter.native.expressions import Expressions, NotNativeError, depth_of, remark, small
from interpreter.plain.questions import holds_pieces
from interpreter.state.layout import Layout
from warlock_dsl import types as t

MAX_ROOM = 4_000_000  # pieces of all places, if each held every piece
MAX_PLAYERS = 60
MAX_DEPTH = 400  # calls within calls: each takes some of the stack of C
MAX_HOLDERS = 600  # pieces, where pieces hold pieces: each within another takes some, too
MAX_TEXT = 4_000_000  # characters
SEEN_BY = {"all": 0, "owner": 1, "top": 2, "none": 3}


def native_source(layout: Layout, lowered_rules: tuple[ir.LoweredRule, ...], laws: bool, title: str) -> str:
    """The text of the file; NotNativeError where only the other machines can play the ruleset."""
    if layout.players > MAX_PLAYERS or len(layout.kind_names) > MAX_PLAYERS:
        raise NotNativeError("too many players or kinds")
    if len(layout.places) * layout.piece_count > MAX_ROOM:
        raise NotNativeError("too many pieces")
    if layout.owned and layout.piece_count > MAX_HOLDERS:
        raise NotNativeError("too many pieces that may lie within each other")
    if layout.components.limits.depth > MAX_DEPTH:
        raise NotNativeError("too many calls within calls")
    expressions = Expressions(layout)
    blocks = Blocks(expressions, lowered_rules, laws)
    tables = list(_tables(expressions, layout))
    rules = [blocks.rule(lowered, _piece_slots(lowered)) for lowered in lowered_rules]
    scores = [expressions.c(score.value, {0: "player"}) for score in layout.program.scores]
    total = " + ".join(scores) or "0"
    text = "\n".join(
        [
            f"/* {remark(title)} */",
            *_sizes(layout, lowered_rules),
            '#include "values.c"',
            *(key % name for key, name in expressions.data.items()),
            *tables,
            '#include "table.c"',
            '#include "machine.c"',
            *expressions.defined.values(),
            *blocks.functions,
            *blocks.tables,
            f"static const Rule RULE[RULES] = {{{', '.join(rules)}}};",
            f"static i64 total(i64 player) {{ tick(1); return {total}; }}",
            '#include "look.c"',
            '#include "play.c"',
            "",
        ]
    )
    if len(text) > MAX_TEXT:
        raise NotNativeError("too long")
    return text


def _sizes(layout: Layout, lowered_rules: tuple[ir.LoweredRule, ...]) -> Iterable[str]:
    limits = layout.components.limits
    sizes = {
        "PLAYERS": layout.players,
        "PIECES": layout.piece_count,
        "PLACES": len(layout.places),
        "CELLS": len(layout.cell_place),
        "VALUES": len(layout.slots),
        "KINDS": len(layout.kind_names),
        "RULES": len(lowered_rules),
        "MAX_SLOTS": max(lowered.slots for lowered in lowered_rules),
        "UNIT": layout.unit,
        "DEPTH": limits.depth,
        "LISTED": limits.listed,
        "MAX_WORK": limits.work,
    }
    return [f"#define {name} {number}" for name, number in sizes.items()]


def _piece_slots(lowered: ir.LoweredRule) -> list[tuple[int, bool]]:
    """The slots that mean a piece, or (true) a list of them."""
    return [
        (slot, isinstance(kind, t.ListType))
        for slot, kind in sorted(lowered.slot_types.items())
        if holds_pieces(kind) and slot not in lowered.kept
    ]


def _numbers(kind: str, name: str, numbers: Iterable[object]) -> str:
    return f"static const {kind} {name}[] = {{{', '.join(str(int(n)) for n in numbers) or '0'}}};"  # type: ignore[call-overload]


def _closed(name: str, rows: list[list[int]], room: int) -> str:
    """Rows of numbers, -1 behind each."""
    text = ", ".join(f"{{{', '.join(map(str, [*row, -1]))}}}" for row in rows)
    return f"static const int {name}[][{room + 1}] = {{{text or '{-1}'}}};"


def _lists(expressions: Expressions, name: str, lists: Iterable[tuple[int, ...]]) -> str:
    rows = [f"{{{len(one)}, (i64 *){expressions.array([str(item) for item in one])}}}" for one in lists]
    return f"static const List {name}[] = {{{', '.join(rows) or '{0, 0}'}}};"


def _tables(expressions: Expressions, layout: Layout) -> Iterable[str]:
    yield from _place_tables(layout)
    yield from _piece_tables(layout)
    yield from _value_tables(expressions, layout)
    players = tuple(range(layout.players))
    around = [tuple((p + step) % layout.players for step in players) for p in players]
    yield _numbers("i64", "CELL_PLACE", layout.cell_place)
    yield _numbers("i64", "CELL_PLAN", layout.cell_plan)
    yield _lists(expressions, "NEAR", layout.near)
    yield _lists(expressions, "AROUND", layout.around)
    yield _lists(expressions, "CLOCKWISE", around)
    yield _lists(expressions, "OPPONENTS", [ring[1:] for ring in around])
    for name, count in (("PLAYERS_LIST", layout.players), ("EVERYWHERE_LIST", layout.piece_count)):
        yield f"static const List {name} = {{{count}, (i64 *){expressions.array([str(n) for n in range(count)])}}};"


def _place_tables(layout: Layout) -> Iterable[str]:
    places, grids = layout.places, layout.components.grids
    yield _numbers("i64", "FIRST_CELL", [place.first_cell for place in places])
    yield _numbers("i64", "CELL_COUNT", [len(grids[place.grid].cells) if place.grid else 0 for place in places])
    yield _numbers("i64", "OWNER", [place.owner for place in places])
    yield _numbers("int", "OWNER_KIND", [{"": 0, "player": 1}.get(place.owner_kind, 2) for place in places])
    yield _numbers("u64", "TAKES", [sum(1 << kind for kind in place.kinds) for place in places])
    yield _numbers("int", "ZONE", [place.zone for place in places])
    if any(place.sees not in SEEN_BY for place in places):
        raise NotNativeError("a zone that is seen in a way of its own")
    yield _numbers("int", "SEEN_BY", [SEEN_BY[place.sees] for place in places])
    yield _numbers("int", "SLOTS_ONLY", [layout.slots_only(number) for number in range(len(places))])
    kinds = range(len(layout.kind_names))
    hiders = [[layout.hider.get((zone.number, kind), -1) for kind in kinds] for zone in layout.zones]
    rows = ", ".join(f"{{{', '.join(map(str, row)) or '-1'}}}" for row in hiders)
    yield f"static const int HIDER[][{max(len(kinds), 1)}] = {{{rows or '{-1}'}}};"


def _piece_tables(layout: Layout) -> Iterable[str]:
    kinds = range(len(layout.kind_names))
    yield _numbers("int", "KIND", layout.kind_of)
    yield _numbers("i64", "FACE", layout.faces)
    yield _numbers("i64", "TWIN", layout.twin)
    owned = [layout.owned.get(piece, []) for piece in range(layout.piece_count)]
    yield _numbers("int", "OWNED_COUNT", [len(one) for one in owned])
    yield _closed("OWNED", owned, max(map(len, owned), default=0))
    for name, found in (("RESETS", layout.move_resets), ("OWN_VALUES", layout.piece_variables)):
        rows = [found.get(kind, []) for kind in kinds]
        yield _closed(name, rows, max(map(len, rows), default=0))


def _value_tables(expressions: Expressions, layout: Layout) -> Iterable[str]:
    slots = layout.slots
    yield _numbers("i64", "VALUE_FIRST", [*layout.variable_first, len(slots)])
    yield _numbers("i64", "VALUE_SHIFT", layout.variable_shift)
    depths = [depth_of(slot.type) for slot in slots]
    yield _numbers("int", "VALUE_DEPTH", depths)
    firsts = [expressions.constant(value, depth) for value, depth in zip(layout.first_values, depths, strict=True)]
    yield f"static const i64 FIRST_VALUE[] = {{{', '.join(firsts) or '0'}}};"
    for name, bounds in (("LOW", [slot.low for slot in slots]), ("HIGH", [slot.high for slot in slots])):
        yield _numbers("i64", name, [small(bound or 0) for bound in bounds])
        yield _numbers("char", f"HAS_{name}", [bound is not None for bound in bounds])
