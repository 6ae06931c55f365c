"""Which pieces are alike for a player: what a source leaves open is looked at, and no more."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from interpreter.generate.text import Body
from warlock_dsl import assumed
from warlock_dsl import types as t
from warlock_dsl.check import program as checked

if TYPE_CHECKING:
    from interpreter.generate.module import Module


def piece_classes(module: Module, e: checked.Expr, own: bool) -> str:
    """The name of the function that gives the class of each piece of a list; `own`: the asked player is `me`."""
    key = class_key(module, e, own)
    known: str = module.memo.setdefault(("kin", key), f"kin_{len(module.functions)}")
    if known not in module.functions:
        body = Body(known, ["s", "pool", "player"])
        body.line(f"return [{key} for x in pool]")
        module.functions[known] = body
    return known


def class_key(module: Module, e: checked.Expr, own: bool) -> str:
    """What tells the pieces of a list apart, as an expression in x."""
    return _key(module, e, own) or "KIN(s, x, player)"


def _key(module: Module, e: checked.Expr, own: bool) -> str | None:
    """What tells pieces of this list apart, as an expression in x; None where only the plain way will do."""
    layout = module.layout
    kind = e.type.item if isinstance(e.type, t.ListType) else None
    if not isinstance(kind, t.PieceType):
        return None
    kinds = sorted({layout.kind_names.index(name) for name in kind.kinds or layout.kind_names})
    if {layout.kind_names[k] for k in kinds} & {place.owner_kind for place in layout.places}:
        return None
    zones = list(_zones(module, e))
    if not zones or any(zone < 0 for zone in zones):
        return None
    grids = [layout.zones[zone].grid for zone in zones]
    if any(grid and not layout.components.grids[grid].slots for grid in grids):
        return None
    flags = [tuple(layout.piece_variables.get(k, ())) for k in kinds]
    if len(set(flags)) > 1:
        return None
    origin = module.piece_names.origin(e, {}, own)
    seen = "TWIN[x]" if origin.seen else "(TWIN[x] if SEES(LAYOUT, s, x, player) else -1 - x)"
    offsets = [layout.variable_first[v] - layout.variable_shift[v] for v in flags[0]]
    parts = [seen, *(f"V[x + {offset}]" if offset >= 0 else f"V[x - {-offset}]" for offset in offsets)]
    if not _one_place(e) or len(zones) > 1:
        parts.append("P[x]")
    return parts[0] if len(parts) == 1 else f"({', '.join(parts)})"


def _one_place(e: checked.Expr) -> bool:
    """Whether all pieces of a list lie in one place."""
    match e:
        case checked.PiecesOf():
            return True
        case checked.Narrow():
            return _one_place(e.of)
        case checked.Gather():
            return e.body is None and _one_place(e.source)
        case _:
            return False


def _zones(module: Module, e: checked.Expr) -> Iterator[int]:
    """The zones a list of pieces comes from; -1 where that is not known."""
    match e:
        case checked.PiecesOf(zone=checked.ZoneOf() as zone):
            yield zone.zone
        case checked.Narrow():
            yield from _zones(module, e.of)
        case checked.Gather() if e.body is None:
            yield from _zones(module, e.source)
        case checked.Keyed() if assumed(e.name).selects:
            yield from _zones(module, e.source)
        case checked.Binary(op="join"):
            yield from _zones(module, e.left)
            yield from _zones(module, e.right)
        case checked.Conditional():
            yield from _zones(module, e.then)
            yield from _zones(module, e.otherwise)
        case checked.Apply():
            yield from _zones(module, module.facts.defines[e.define].value)
        case _:
            yield -1
