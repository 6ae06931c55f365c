"""Checks one expression or one call outside the rules, in the scope of a checked program and a few names besides."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, TypeVar

import attrs
from attrs import frozen

from warlock_dsl.check import program as checked
from warlock_dsl.check.calls import rule_target
from warlock_dsl.check.context import CheckContext, Seen
from warlock_dsl.check.expressions import new_context
from warlock_dsl.check.fit import bind, expression, typed
from warlock_dsl.check.names import DefineEntry, FamilyEntry, Names, RuleEntry, Scope, names_of, new_scope
from warlock_dsl.check.rule_summary import check_would, summaries
from warlock_dsl.diagnostics.diagnostic import Diagnostic, Related, Severity, Span
from warlock_dsl.syntax import tree as syntax
from warlock_dsl.syntax.parse import parse_call, parse_expression
from warlock_dsl.syntax.walk import nodes
from warlock_dsl.tables.components import Components
from warlock_dsl.types import PLAYER, UNKNOWN, Type

MAX_LENGTH = 4000  # characters of one fragment

T = TypeVar("T")


@frozen
class Fragment:
    """A checked expression: how many slots its frame has, and the slot of each name that was given besides."""

    value: checked.Expr
    slots: int
    names: Mapping[str, int]


@frozen
class CallFragment:
    """A checked call of a rule: the rule, its arguments, who acts (None: not said)."""

    target: checked.Target
    arguments: tuple[checked.Expr, ...]
    by: checked.Expr | None
    slots: int
    names: Mapping[str, int]


class Fragments:
    """Checks fragments over one program; its names are found once."""

    def __init__(self, program: checked.Program, components: Components) -> None:
        self.unit = program.unit
        self.rules = program.rules
        self.components = components
        self.declared = _declared(program, components)

    def expression(
        self,
        text: str,
        names: Mapping[str, Type],
        file: str,
        span: Span,
        wanted: Type | None = None,
        me: bool = True,
        of_rule: bool = False,
    ) -> tuple[Fragment | None, list[Diagnostic]]:
        """One expression. `span` is the place of its text, quotes included; `wanted` the type it must have, if any;
        `me`: there is somebody whose turn it is; `of_rule`: the names are those of a rule, which is checked itself."""
        if len(text) > MAX_LENGTH:
            return None, [_too_long(span)]
        node, errors = parse_expression(text, file)
        if node is None or errors:
            return None, [_moved(error, text, file, span) for error in errors]
        node = _placed(node, text, span)
        ctx, scope = self._opened(names, span, me, of_rule)
        _refuse_fine_numbers(ctx, node)
        value = expression(ctx, scope, node) if wanted is None else typed(ctx, scope, node, wanted, "this")
        self._refuse_trials(ctx, value)
        if _erred(ctx.diagnostics):
            return None, ctx.diagnostics
        return Fragment(value, scope.frame.slots, _slots(scope, names)), ctx.diagnostics

    def seen(self, text: str, names: Mapping[str, Type], span: Span, me: bool = True) -> list[Seen]:
        """Every name of one expression as it was resolved, also where the expression has errors."""
        node, errors = parse_expression(text, span.file) if len(text) <= MAX_LENGTH else (None, [])
        if node is None or errors:
            return []
        ctx, scope = self._opened(names, span, me)
        expression(ctx, scope, _placed(node, text, span))
        return ctx.seen

    def call(
        self, text: str, names: Mapping[str, Type], file: str, span: Span
    ) -> tuple[CallFragment | None, list[Diagnostic]]:
        """One call of a rule, such as `f[key](a) by p`."""
        if len(text) > MAX_LENGTH:
            return None, [_too_long(span)]
        node, errors = parse_call(text, file)
        if node is None or errors:
            return None, [_moved(error, text, file, span) for error in errors]
        node = _placed(node, text, span)
        ctx, scope = self._opened(names, span)
        _refuse_fine_numbers(ctx, node)
        found = rule_target(ctx, scope, node.call)
        by = None if node.by is None else typed(ctx, scope, node.by, PLAYER, "who acts")
        self._refuse_trials(ctx, (found, by))
        if found is None or _erred(ctx.diagnostics):
            return None, ctx.diagnostics
        return CallFragment(*found, by, scope.frame.slots, _slots(scope, names)), ctx.diagnostics

    def _refuse_trials(self, ctx: CheckContext, found: object) -> None:
        if any(isinstance(node, checked.Would) for node in nodes(found)):
            ctx.diagnostics.extend(check_would(found, self.rules, summaries(self.rules)))

    def _opened(
        self, names: Mapping[str, Type], span: Span, me: bool = True, of_rule: bool = False
    ) -> tuple[CheckContext, Scope]:
        """A fresh context, and a scope in which the given names are bound."""
        ctx = new_context(self.components, self.declared, self.unit)
        scope = new_scope(me=me)
        for name, type_ in names.items():
            if of_rule:
                scope = scope.bound(name, type_, span, shown=False)
            else:
                scope = bind(ctx, scope, syntax.Name(name, span), type_, shown=False)
        return ctx, scope


def _erred(errors: list[Diagnostic]) -> bool:
    return any(error.severity is Severity.ERROR for error in errors)


def _too_long(span: Span) -> Diagnostic:
    return Diagnostic(
        "W339", f"this is longer than {MAX_LENGTH} characters", span, hint="make definitions of its parts"
    )


def _slots(scope: Scope, names: Mapping[str, Type]) -> dict[str, int]:
    return {name: scope.names[name].slot for name in names}


# ------------------------------------------------------------------- checking


def _refuse_fine_numbers(ctx: CheckContext, node: object) -> None:
    for one in nodes(node):
        if isinstance(one, syntax.Number) and (one.value * ctx.unit).denominator != 1:
            whole = f"the game counts in steps of 1/{ctx.unit}" if ctx.unit > 1 else "the game counts in wholes"
            ctx.error("W332", "this number is finer than any of the game", one.span, "too fine", whole)


def _declared(program: checked.Program, components: Components) -> Names:
    """The names of the tables and of the rules, the rules as far as a call needs to know them."""
    names = names_of(components)
    for number, made in enumerate(program.defines):
        types = _parameter_types(made)
        node = _define_node(made, types)
        parameters = tuple((str(type_), type_) for type_ in types)
        names.defines[made.address] = DefineEntry(number, node, parameters, made)
    hooks = {hook.rule: (hook, rule) for rule in program.rules for hook in rule.hooks if hook.rule >= 0}
    for number, rule in enumerate(program.rules):
        entry = RuleEntry(number, _rule_node(rule, hooks.get(number)), rule.parameters, settled=True)
        names.rules[rule.address] = entry
    for family in program.families.values():
        members = {
            key: names.rules[program.rules[rule].address] for key, rule in zip(family.keys, family.rules, strict=True)
        }
        span = program.rules[family.rules[0]].span
        names.families[family.name] = FamilyEntry(family.name, span, members, family.table)
    return names


def _parameter_types(made: checked.Define) -> list[Type]:
    """The types of a definition's parameters, read from where they are used; one that is not used takes anything."""
    types: list[Type] = [UNKNOWN] * made.parameters
    for node in nodes(made.value):
        if isinstance(node, checked.Local) and 1 <= node.slot <= made.parameters:
            types[node.slot - 1] = node.type
    return types


def _define_node(made: checked.Define, types: list[Type]) -> syntax.Define:
    span = made.span
    parameters = tuple(
        syntax.Parameter(syntax.Name(str(type_), span), syntax.TypeName(str(type_), None, span), span)
        for type_ in types
    )
    return syntax.Define(syntax.Name(made.address, span), parameters, syntax.Number(Fraction(0), span), (), span)


def _rule_node(rule: checked.Rule, hook: tuple[checked.HookRef, checked.Rule] | None) -> syntax.Rule:
    span = rule.span
    key = syntax.Name(rule.key, span) if rule.key else None
    hung = None
    if hook is not None:
        hung = syntax.Hook(hook[0].when, syntax.Name(hook[1].address, span), None, (), None, span)
    return syntax.Rule(syntax.Name(rule.name, span), key, (), hung, None, (), span)


# --------------------------------------------------------------------- places


def _offset(text: str, span: Span) -> tuple[int, int] | None:
    """How far a place in the text is from the same place in its file; None where escapes hide that."""
    plain = span.line == span.end_line and span.end_column - span.column == len(text) + 2
    return (span.line - 1, span.column) if plain and "\n" not in text else None


def _shift(place: Span, offset: tuple[int, int] | None, span: Span) -> Span:
    if offset is None:
        return span
    lines, columns = offset
    return Span(
        span.file, place.line + lines, place.column + columns, place.end_line + lines, place.end_column + columns
    )


def _moved(error: Diagnostic, text: str, file: str, span: Span) -> Diagnostic:
    """An error of a fragment at its place in the file. What is past the text's own line is put at its end."""
    offset = _offset(text, span)
    place = error.span
    if place.line > 1:
        place = Span(file, 1, len(text) + 1, 1, len(text) + 2)
    related = tuple(
        Related(_shift(other.span, offset, span), other.text) if other.span.file == file else other
        for other in error.related
    )
    return attrs.evolve(error, span=_shift(place, offset, span), related=related)


def _placed(node: T, text: str, span: Span) -> T:
    """A tree with every span at its place in the file."""
    offset = _offset(text, span)

    def placed(value: Any) -> Any:
        if isinstance(value, Span):
            return _shift(value, offset, span)
        if isinstance(value, tuple):
            return tuple(placed(item) for item in value)
        if attrs.has(type(value)):
            return type(value)(*(placed(getattr(value, field.name)) for field in attrs.fields(type(value))))
        return value

    made: T = placed(node)
    return made
