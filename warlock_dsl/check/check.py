"""The checker: every name resolved, every expression typed, every error of all files told in one pass."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction

from warlock_dsl.check import program as checked
from warlock_dsl.check.declarations import Declarations
from warlock_dsl.check.names import names_of
from warlock_dsl.diagnostics.diagnostic import Diagnostic
from warlock_dsl.syntax import tree as syntax
from warlock_dsl.syntax.walk import nodes
from warlock_dsl.tables.components import Components, Value

FINEST = 1_000_000  # units in one whole
TOO_FINE = "numbers are exact: at most six digits stand after the point"


def check(modules: Sequence[syntax.Module], components: Components) -> tuple[checked.Program | None, list[Diagnostic]]:
    """The checked program and every error found. After an error it is good for telling more errors, not for playing:
    what is wrong in it has no type."""
    work = Declarations(components, names_of(components))
    for node in _literals(modules):
        if FINEST % node.value.denominator:
            work.error("W332", "this number is too fine", node.span, "too many digits", TOO_FINE)
    work.unit = unit_of(modules, components)
    return work.program(modules), work.errors


def unit_of(modules: Sequence[syntax.Module], components: Components) -> int:
    """How many of the smallest unit make one whole: the least that makes every number of the game whole."""
    return math.lcm(*{value.denominator for value in _numbers(modules, components) if not FINEST % value.denominator})


def _literals(modules: Sequence[syntax.Module]) -> Iterator[syntax.Number]:
    return (node for node in nodes(tuple(modules)) if isinstance(node, syntax.Number))


def _numbers(modules: Sequence[syntax.Module], components: Components) -> Iterator[Fraction]:
    yield from (node.value for node in _literals(modules))
    columns = [column for table in components.tables.values() for column in table.columns.values()]
    columns += [column for kind in components.kinds.values() for column in kind.fields.values()]
    for column in columns:
        yield from _fractions(column.values)
    for figure in components.figures.values():
        yield from _fractions((figure.value, figure.low or 0, figure.high or 0))
    for variable in components.variables.values():
        yield from _fractions((variable.first, variable.low or 0, variable.high or 0))
    for series in components.series.values():
        yield from series.values


def _fractions(value: Value) -> Iterator[Fraction]:
    if isinstance(value, tuple):
        for item in value:
            yield from _fractions(item)
    elif isinstance(value, Fraction):
        yield value
