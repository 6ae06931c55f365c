"""A clause of the checked program as one would write it, names of rules kept, nameless values filled in."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from interpreter.state.labels import number_text
from interpreter.state.layout import Layout
from warlock_dsl import types as t
from warlock_dsl.check import program as checked

WORDS = {"join": "+", "without": "-"}


def clause_text(layout: Layout, e: checked.Expr, names: Mapping[int, str]) -> str:
    """`names`: what the slots are called, or their values where they have no name."""

    def say(one: checked.Expr) -> str:
        return clause_text(layout, one, names)

    def bound(one: checked.Gather | checked.Keyed, body: checked.Expr | None) -> str:
        kind = one.source.type
        item = _item(kind.item) if isinstance(kind, t.ListType) else "x"
        inner = {**names, one.slot: item}
        where = f" where {clause_text(layout, one.where, inner)}" if one.where is not None else ""
        tail = f": {clause_text(layout, body, inner)}" if body is not None else ""
        return f"{item} in {say(one.source)}{where}{tail}"

    def listed(many: tuple[checked.Expr, ...]) -> str:
        return ", ".join(say(one) for one in many)

    match e:
        case checked.Const():
            return constant_text(layout, e.value, e.type)
        case checked.FigureRef():
            return f"{e.group}.{e.name}"
        case checked.Local():
            return names.get(e.slot, "it")
        case checked.ListOf():
            return f"[{listed(e.items)}]"
        case checked.RangeOf():
            return f"{say(e.low)}..{say(e.high)}"
        case checked.Binary():
            return f"{say(e.left)} {WORDS.get(e.op, e.op)} {say(e.right)}"
        case checked.Not():
            return f"not {say(e.of)}"
        case checked.Conditional():
            return f"if {say(e.test)} then {say(e.then)} else {say(e.otherwise)}"
        case checked.Field():
            return f"{say(e.of)}.{e.name}"
        case checked.Cell():
            return f"{say(e.of)}.{e.column}"
        case checked.Lookup():
            return f"{e.name or (say(e.of) if e.of is not None else '')}[{listed(e.keys)}]"
        case checked.ZoneOf():
            return _owned(layout.zones[e.zone].name, e.owner, say)
        case checked.PiecesOf():
            return say(e.zone)
        case checked.OfRow():
            return f"{say(e.owner)}, {say(e.key)}" if e.owner is not None else say(e.key)
        case checked.Narrow():
            return f"{say(e.of)}[{', '.join(e.kinds)}]"
        case checked.VariableOf():
            return _owned(variable_name(layout, e.variable), e.owner, say)
        case checked.Primitive(arguments=(checked.Gather() as inner,)):
            return f"{e.name}({bound(inner, inner.body)})"
        case checked.Primitive():
            return f"{e.name}({listed(e.arguments)})" if e.arguments else e.name
        case checked.Gather():
            return f"[{bound(e, e.body)}]"
        case checked.Keyed():
            return f"{e.name}({bound(e, e.key)})"
        case checked.Apply():
            name = layout.program.defines[e.define].address
            return f"{name}({listed(e.arguments)})" if e.arguments else name
        case checked.Can() | checked.Would():
            word = "can" if isinstance(e, checked.Can) else "would"
            if e.target.key is None:
                name = layout.program.rules[e.target.rule].address
            else:
                name = f"{layout.program.rules[e.target.members[0]].address.partition('.')[0]}[{say(e.target.key)}]"
            tail = f": {say(e.value)}" if isinstance(e, checked.Would) else ""
            return f"{word} {name}({listed(e.arguments)}){tail}"
    raise AssertionError(e)


def _item(kind: t.Type | None) -> str:
    word = str(kind) if kind is not None else "x"
    return word if word.isidentifier() else "x"


def _owned(name: str, owner: checked.Expr | None, say: Callable[[checked.Expr], str]) -> str:
    if owner is None:
        return name
    whose = say(owner)
    if isinstance(owner, checked.OfRow):
        whose, _, row = whose.rpartition(", ")
        return f"{whose}.{name}[{row}]" if whose else f"{name}[{row}]"
    return f"my.{name}" if whose == "me" else f"{whose}.{name}"


def variable_name(layout: Layout, number: int) -> str:
    return next(one.name for one in layout.components.variables.values() if one.number == number)


def constant_text(layout: Layout, value: object, kind: t.Type) -> str:
    match kind:
        case t.NumberType() if isinstance(value, int):
            return number_text(value, layout.unit)
        case t.TruthType():
            return "true" if value else "false"
        case t.RowType(table) if isinstance(value, int):
            return layout.components.tables[table].rows[value]
        case t.KeyType(family) if isinstance(value, int):
            return layout.program.families[family].keys[value]
        case t.RegionType():
            return layout.region_names.get(value, "region")  # type: ignore[call-overload,no-any-return]
        case t.ListType(item) if isinstance(value, tuple):
            return f"[{', '.join(constant_text(layout, one, item or t.UNKNOWN) for one in value)}]"
        case _:
            return str(value)
