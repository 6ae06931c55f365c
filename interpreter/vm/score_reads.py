"""What the points of a position depend on: the places and the variables that the parts of the score read.

A position that has all of it as another has the same points. What cannot be said before play is said to be unknown.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from interpreter.state.layout import Layout
from warlock_dsl import Reads, assumed, nodes
from warlock_dsl import types as t
from warlock_dsl.check import program as checked

KNOWN = (
    checked.Const, checked.FigureRef, checked.Local, checked.ListOf, checked.RangeOf, checked.Binary, checked.Not,
    checked.Conditional, checked.Field, checked.Cell, checked.Lookup, checked.ZoneOf, checked.OfRow, checked.PiecesOf,
    checked.Narrow, checked.VariableOf, checked.Primitive, checked.Gather, checked.Keyed, checked.Apply,
)  # fmt: skip
NAMES_A_ZONE = checked.ZoneOf | checked.Local | checked.Conditional | checked.ListOf
HARMLESS = Reads.ME | Reads.ORDER | Reads.IDENTITY | Reads.FACES


@frozen
class ScoreReads:
    """The numbers of places, and of slots of variables."""

    places: tuple[int, ...]
    slots: tuple[int, ...]


def score_reads(layout: Layout) -> ScoreReads | None:
    """None where it cannot be said."""
    zones: set[int] = set()
    variables: set[int] = set()
    grids = False
    for node in _read(layout.program):
        if not isinstance(node, KNOWN):
            return None
        if _names_zones(node.type) and not isinstance(node, NAMES_A_ZONE):
            return None
        match node:
            case checked.ZoneOf():
                zones.add(node.zone)
            case checked.VariableOf():
                variables.add(node.variable)
            case checked.Primitive() | checked.Keyed():
                reads = assumed(node.name).reads
                if reads & ~(HARMLESS | Reads.CELLS | Reads.PLACES):
                    return None
                if reads & Reads.PLACES and not reads & Reads.CELLS and not assumed(node.name).on_cells:
                    return None  # whose zone a piece is in
                grids = grids or bool(reads & (Reads.CELLS | Reads.PLACES))
    places = [n for n, place in enumerate(layout.places) if place.zone in zones or (grids and place.first_cell >= 0)]
    slots = [number for number, slot in enumerate(layout.slots) if slot.variable in variables]
    return ScoreReads(tuple(places), tuple(slots))


def _names_zones(kind: t.Type) -> bool:
    while isinstance(kind, t.ListType) and kind.item is not None:
        kind = kind.item
    return isinstance(kind, t.ZoneType)


def _read(program: checked.Program) -> Iterator[checked.Expr]:
    """Every expression in the parts of the score, and in the definitions that they use."""
    waiting: list[object] = [score.value for score in program.scores]
    seen: set[int] = set()
    while waiting:
        for node in nodes(waiting.pop()):
            if isinstance(node, checked.Apply) and node.define not in seen:
                seen.add(node.define)
                waiting.append(program.defines[node.define].value)
            if hasattr(node, "type"):
                yield node  # type: ignore[misc]  # what has a type is an expression
