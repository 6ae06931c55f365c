"""The checker: every name resolved, every expression typed, then the checks of the whole program, one after another."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction

from attrs import field, frozen

from warlock_dsl.check import program as checked
from warlock_dsl.check.context import Check, CheckInput, Seen
from warlock_dsl.check.declarations import program_of, properties_of
from warlock_dsl.check.expressions import new_context
from warlock_dsl.check.foresight.warn import check_foresight
from warlock_dsl.check.guards.late_needs import check_late_needs
from warlock_dsl.check.guards.unforeseen import check_unforeseen
from warlock_dsl.check.guards.unguarded import check_unguarded
from warlock_dsl.check.laws.properties import Property
from warlock_dsl.check.laws.reveals import check_reveals
from warlock_dsl.check.lint_data import check_data
from warlock_dsl.check.lint_rules import check_idle_calls, check_ledger, check_use
from warlock_dsl.check.names import names_of
from warlock_dsl.check.nonempty import check_nonempty
from warlock_dsl.check.texts.lint_names import check_names
from warlock_dsl.diagnostics.diagnostic import Diagnostic
from warlock_dsl.memo import kept_by_identity
from warlock_dsl.syntax import tree as syntax
from warlock_dsl.syntax.walk import nodes
from warlock_dsl.tables.components import Components, Value

CHECKS: tuple[Check, ...] = (
    check_use,  # what is never used, what can never run
    check_idle_calls,  # calls of which nothing comes
    check_data,  # data that no rule reads
    check_ledger,  # rules of the source documents that nothing carries out
    check_late_needs,  # requirements after an effect
    check_unforeseen,  # hooks behind whose effect no guard can look
    check_unguarded,  # hooks that need something where no guard looks
    check_nonempty,  # choices and elements of lists that are not proven to be there
    check_foresight,  # unseen choices, lookups beyond the end, owners and cells that are not there
    check_reveals,  # what is revealed and not declared, or declared and not revealed
    check_names,  # texts that are missing, or that nothing shows
)

FINEST = 1_000_000  # units in one whole
TOO_FINE = "numbers are exact: at most six digits stand after the point"


@frozen
class Checked:
    """The checked program, every error found, and every name that was resolved. After an error the program is good for
    finding more errors, not for playing: what is wrong in it has no type."""

    program: checked.Program
    diagnostics: list[Diagnostic]
    seen: tuple[Seen, ...] = field(repr=False)
    properties: tuple[Property, ...] = ()


def check(modules: Sequence[syntax.Module], components: Components) -> tuple[checked.Program, list[Diagnostic]]:
    """The checked program and every error found."""
    found = resolve(modules, components)
    return found.program, found.diagnostics


def resolve(modules: Sequence[syntax.Module], components: Components) -> Checked:
    """Every name resolved, every expression typed."""
    ctx = new_context(components, names_of(components), unit_of(modules, components))
    for node in _literals(modules):
        if FINEST % node.value.denominator:
            ctx.error("W332", "this number is too fine", node.span, "too many digits", TOO_FINE)
    program = program_of(ctx, modules)
    properties = properties_of(ctx)
    return Checked(program, ctx.diagnostics, tuple(ctx.seen), properties)


def lint(given: CheckInput) -> list[Diagnostic]:
    """What every check of a checked program finds, in the order of the list."""
    return [found for check_program in CHECKS for found in check_program(given)]


def unit_of(modules: Sequence[syntax.Module], components: Components) -> int:
    """How many of the smallest unit make one whole: the least that makes every number of the game whole."""
    return math.lcm(*{value.denominator for value in _numbers(modules, components) if not FINEST % value.denominator})


def _literals(modules: Sequence[syntax.Module]) -> Iterator[syntax.Number]:
    return (node for module in modules for one in module.declarations for node in _literals_in(one))


@kept_by_identity(1024)
def _literals_in(declaration: syntax.Declaration) -> tuple[syntax.Number, ...]:
    return tuple(node for node in nodes(declaration) if isinstance(node, syntax.Number))


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
