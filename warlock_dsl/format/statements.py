"""The words and values of each line of a file: declarations, heads and simple statements, without their bodies."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from warlock_dsl.format.document import Doc, cat
from warlock_dsl.format.expressions import Segment, ValuePrinter, end, start
from warlock_dsl.syntax import tree as t
from warlock_dsl.syntax.chunks import Place, Remark
from warlock_dsl.syntax.equal import same_tree

# A line is words, values, parameters, and the names of a hook.
Part = str | t.Expression | tuple[t.Parameter, ...] | list[t.Name]


def print_line(parts: list[Part], inside: list[Remark], limit: Place) -> tuple[Doc, list[str]]:
    """The document of a line, and the comments inside its brackets that found no place there."""
    printer = ValuePrinter(inside)
    starts = [start(part) for part in parts if isinstance(part, t.Expression)]
    limits = iter([*starts[1:], limit])
    docs = [_doc(part, printer, next(limits) if isinstance(part, t.Expression) else limit) for part in parts]
    if printer.waiting:
        return print_line(parts, [], limit)[0], [remark.comment.text for remark in inside]
    return cat(*docs), []


def _doc(part: Part, printer: ValuePrinter, limit: Place) -> Doc:
    match part:
        case str():
            return cat(part)
        case tuple():
            return _parameters(part, printer)
        case list():
            return printer.listed("(", part, ")", end(part[-1])) if part else cat("()")
    return printer.whole(part, limit)


def _parameters(parameters: tuple[t.Parameter, ...], printer: ValuePrinter) -> Doc:
    segments: list[Segment] = []
    for number, parameter in enumerate(parameters, start=1):
        doc = partial(cat, f"{parameter.name.text}: {parameter.type.text}")
        segments.append(Segment(start(parameter), doc, "," if number < len(parameters) else ""))
    return printer.bracket("(", segments, ")", None)


# ------------------------------------------------------------------ declarations


def mark_text(mark: t.Mark) -> str:
    return f'@{mark.standing} "{mark.text}"'


def declaration_parts(node: t.Declaration) -> list[Part]:
    """A declaration without its marks and its body."""
    match node:
        case t.Define():
            head: list[Part] = [f"define {node.name.text}"]
            return [*head, *_optional(node.parameters), " = ", node.value]
        case t.Score():
            return [f"score {node.name.text} = ", node.value]
        case t.Invariant():
            return [f"invariant {node.name.text}", *_hook(node.hook), " = ", node.value]
        case t.Reveals():
            key = f"[{node.key.text}]" if node.key else ""
            return [f"reveals {node.name.text}{key}: {', '.join(place.text for place in node.places)}"]
        case t.Property():
            return [f"{node.kind} {node.name.text}", *_property_head(node), *_hook(node.hook), " = ", node.value]
        case t.Rule():
            key = f"[{node.key.text}]" if node.key else ""
            colon: list[Part] = [":"] if node.body else []
            return [f"rule {node.name.text}{key}", *_optional(node.parameters), *_hook(node.hook), *colon]


def _property_head(node: t.Property) -> list[Part]:
    if node.kind == "share":
        return [f" in {node.bounds[0]}..{node.bounds[1]}"]
    if node.other is None:
        return []
    settings = ", ".join(f"{name.text} = {value}" for name, value in node.other.settings)
    return [f" {node.other.word} {node.other.name.text}" + (f"({settings})" if settings else "")]


def _optional(parameters: tuple[t.Parameter, ...]) -> list[Part]:
    return [parameters] if parameters else []


def _hook(hook: t.Hook | None) -> list[Part]:
    if hook is None:
        return []
    key = f"[{hook.key.text}]" if hook.key else ""
    if hook.every is not None:
        key = f"[{hook.every.name.text} in {hook.every.source.text}]"
    return [f" {hook.when} {hook.target.text}{key}", list(hook.names), *_clause(" where ", hook.where)]


def _clause(word: str, value: t.Expression | None) -> list[Part]:
    return [] if value is None else [word, value]


# -------------------------------------------------------------------- statements


def lone_body(node: t.Statement) -> t.Block | None:
    """The body of a statement, its `else` left aside."""
    match node:
        case t.If():
            return node.then
        case t.Choose() | t.May() | t.For() | t.Together() | t.Repeat():
            return node.body
    return None


def head_parts(node: t.Statement) -> list[Part]:
    """A statement without its body and its `else`."""
    match node:
        case t.Choose():
            head: list[Part] = ["may choose " if node.may else "choose "]
            colon: list[Part] = [":"] if node.body else []
            return [*head, *_joined(_ask(ask) for ask in node.asks), *colon]
        case t.May():
            return [f"may {node.name.text}", *_clause(" by ", node.by), ":"]
        case t.If():
            return ["if ", node.test, ":"]
        case t.For():
            return ["for ", *_binder(node.binder), ":"]
        case t.Together():
            return ["together ", *_binder(node.binder), ":"]
        case t.Repeat():
            return ["repeat ", node.count, *_clause(" where ", node.where), ":"]
    return simple_parts(node)


def simple_parts(
    node: t.Roll
    | t.Require
    | t.Let
    | t.Move
    | t.Swap
    | t.Shuffle
    | t.Show
    | t.Say
    | t.Assign
    | t.Do
    | t.Finish
    | t.Give
    | t.Stop
    | t.Pass,
) -> list[Part]:
    """A statement that never has a body."""
    match node:
        case t.Roll():
            count: list[Part] = [] if node.count is None else [node.count, " "]
            return ["roll ", *count, node.name.text, " in ", node.source, *_clause(" where ", node.where),
                    *_clause(" by ", node.by)]  # fmt: skip
        case t.Require():
            return ["require ", *_joined([test] for test in node.tests)]
        case t.Let():
            return [f"let {node.name.text} = ", node.value, *_clause(" by ", node.by)]
        case t.Move():
            return ["move ", *_pairs(node.pairs, " to "), *_each(node.each)]
        case t.Swap():
            return ["swap ", *_pairs(node.pairs, " with "), *_each(node.each)]
        case t.Shuffle():
            return ["shuffle ", *_joined([zone] for zone in node.zones)]
        case t.Show():
            return ["show ", *_pairs(node.pairs, " to ")]
        case t.Say():
            values = f"({', '.join(value.text for value in node.values)})" if node.values else ""
            return [f"say {node.name.text}{values}", *_clause(" to ", node.to)]
        case t.Assign():
            between = " from " if node.verb == "take" else " to "
            return [f"{node.verb} ", *_pairs(node.pairs, between), *_each(node.each)]
        case t.Do():
            return [node.call, *_clause(" by ", node.by)]
        case t.Finish():
            return ["finish ", node.winners]
        case t.Give():
            return ["give ", node.value]
        case t.Stop():
            return ["stop"]
        case t.Pass():
            return ["pass"]


def _binder(binder: t.Binder) -> list[Part]:
    return [f"{binder.name.text} in ", binder.source, *_clause(" where ", binder.where)]


def _each(binder: t.Binder | None) -> list[Part]:
    return [] if binder is None else [" for ", *_binder(binder)]


def _ask(ask: t.Ask) -> list[Part]:
    rest: list[Part] = [f"{ask.name.text} in ", ask.source, *_clause(" where ", ask.where), *_clause(" by ", ask.by)]
    if ask.low is None or ask.high is None:
        return rest if ask.mode == "one" else [f"{ask.mode} ", *rest]
    if same_tree(ask.low, ask.high):
        return [ask.low, " ", *rest]
    return [t.Range(ask.low, ask.high, ask.low.span.to(ask.high.span)), " ", *rest]


def _pairs(pairs: tuple[t.Pair, ...], word: str) -> list[Part]:
    return _joined([pair.left, word, pair.right] for pair in pairs)


def _joined(groups: Iterable[list[Part]]) -> list[Part]:
    """Groups of parts with commas between them."""
    parts: list[Part] = []
    for group in groups:
        if parts:
            parts.append(", ")
        parts.extend(group)
    return parts
