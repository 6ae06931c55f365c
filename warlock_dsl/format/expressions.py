"""Prints values as documents: brackets only where precedence asks for them, breaks only inside brackets."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import partial
from typing import Protocol

from attrs import frozen

from warlock_dsl.diagnostics.diagnostic import Span
from warlock_dsl.format.document import HARD, SOFT, SPACE, Aside, Doc, WhenBroken, cat, group, nest
from warlock_dsl.syntax import tree as t
from warlock_dsl.syntax.chunks import Place, Remark

# How tightly a form binds; an operand that binds more loosely than its place allows stands in brackets.
LOOSEST, OR, AND, NOT, COMPARE, RANGE, SUM, PRODUCT, UNARY, POSTFIX, ATOM = range(11)
BINARY = {"or": OR, "and": AND, "+": SUM, "-": SUM, "*": PRODUCT}
BINARY |= dict.fromkeys(("<", "<=", ">", ">=", "is", "has"), COMPARE)


class Placed(Protocol):
    """Anything that stands somewhere in a file."""

    @property
    def span(self) -> Span: ...


def start(node: Placed) -> Place:
    return node.span.line, node.span.column


def end(node: Placed) -> Place:
    return node.span.end_line, node.span.end_column


def number_figure(value: Fraction) -> str:
    """An exact number as written: `3`, `0.5`."""
    return format(Decimal(value.numerator) / Decimal(value.denominator), "f")


def denied(node: t.Expression) -> t.Binary | None:
    """The comparison that is denied, when a value is to be written `a is not b`."""
    if isinstance(node, t.Not) and isinstance(node.of, t.Binary) and node.of.op == "is":
        return node.of
    return None


def tightness(node: t.Expression) -> int:
    match node:
        case t.Conditional():
            return LOOSEST
        case t.Binary():
            return BINARY[node.op]
        case t.Not():
            return COMPARE if denied(node) else NOT
        case t.Range():
            return RANGE
        case t.Can():
            return UNARY
        case t.Would():
            return NOT
        case t.Attribute() | t.Index() | t.Call() | t.Fold():
            return POSTFIX
    return ATOM


def reaches_on(node: t.Expression) -> bool:
    """Whether a value ends in a `would`, which would take for its own whatever operator followed it."""
    while isinstance(node, t.Binary | t.Not) and (not isinstance(node, t.Binary) or node.op in ("and", "or")):
        node = node.of if isinstance(node, t.Not) else node.right
    return isinstance(node, t.Would)


@frozen
class Segment:
    """One part of what stands in brackets: where it began in the source, its document, the sign that follows it."""

    start: Place
    doc: Callable[[], Doc]
    sign: str = ""
    further_in: bool = False


class ValuePrinter:
    """Prints the values of one line. Comments inside its brackets are `waiting` until a break near them takes them."""

    def __init__(self, inside: Sequence[Remark]) -> None:
        self.waiting = deque(inside)

    def take(self, before: Place, since: Place | None = None) -> list[Remark]:
        """The comments before a place; with `since`, only those not in a bracket opened since then."""
        taken: list[Remark] = []
        while self.waiting and self.waiting[0].place < before:
            opened = self.waiting[0].opened
            if since is not None and opened is not None and opened >= since:
                break
            taken.append(self.waiting.popleft())
        return taken

    # -------------------------------------------------------------------- lines

    def whole(self, node: t.Expression, limit: Place) -> Doc:
        """A value outside all brackets: it breaks in its own brackets, or in a pair put around it."""
        if not _wants_brackets(node):
            return self.value(node)
        opening = self.comments(self.take(start(node)))
        inner = self.value(node, deep=False)
        closing = self.comments(self.take(limit))
        return group(WhenBroken("("), nest(opening, SOFT, inner, closing), SOFT, WhenBroken(")"))

    def comments(self, remarks: list[Remark]) -> Doc:
        """Comments in front of a break: the first may stay behind its code, the others have lines of their own."""
        parts: list[Doc] = []
        for number, remark in enumerate(remarks):
            if number == 0 and remark.trailing:
                parts.append(Aside(f"  {remark.comment.text}"))
            else:
                parts.append(cat(HARD, Aside(remark.comment.text)))
        return cat(*parts)

    def bracket(
        self, opening: str, segments: list[Segment], closing: str, close: Place | None, since: Place | None = None
    ) -> Doc:
        """Segments between brackets, on one line or each on its own.

        The comments before `close` that are not in a bracket opened `since` belong to the end of this one.
        """
        if not segments:
            return cat(opening + closing)
        parts: list[Doc] = [self.comments(self.take(segments[0].start))]
        for number, segment in enumerate(segments):
            if number:
                parts.append(self.comments(self.take(segment.start)))
            line = cat(SPACE if number else SOFT, segment.doc())
            parts.append(nest(line) if segment.further_in else line)
            parts.append(cat(segment.sign))
        if close is not None:
            parts.append(self.comments(self.take(close, since)))
        return group(opening, nest(*parts), SOFT, closing)

    def listed(self, opening: str, values: Sequence[t.Expression], closing: str, close: Place) -> Doc:
        """Values with commas between them."""
        deep = len(values) > 1
        segments: list[Segment] = []
        for number, value in enumerate(values, start=1):
            comma = "," if number < len(values) else ""
            segments.append(Segment(start(value), partial(self.value, value, LOOSEST, deep), comma))
        return self.bracket(opening, segments, closing, close)

    def bound(self, opening: str, binder: t.Binder, body: t.Expression | None, closing: str, close: Place) -> Doc:
        """`x in S where P: E` between brackets."""
        where = binder.where
        colon = ":" if body is not None else ""
        source = Segment(
            start(binder.name),
            lambda: cat(f"{binder.name.text} in ", self.value(binder.source)),
            "" if where is not None else colon,
        )
        segments = [source]
        if where is not None:
            segments.append(Segment(start(where), lambda: cat("where ", self.value(where)), colon))
        if body is not None:
            segments.append(Segment(start(body), lambda: self.value(body), "", True))
        return self.bracket(opening, segments, closing, close)

    # ------------------------------------------------------------------- values

    def value(self, node: t.Expression, minimum: int = LOOSEST, deep: bool = True, last: bool = False) -> Doc:
        """A value inside brackets, or one that needs none. `deep`: lines after its first stand one step in.
        `last`: no operator follows it."""
        if tightness(node) < minimum or (minimum > LOOSEST and not last and reaches_on(node)):
            return self.bracket("(", [Segment(start(node), lambda: self.value(node, deep=False))], ")", None)
        match node:
            case t.Number():
                return cat(number_figure(node.value))
            case t.Truth():
                return cat("true" if node.value else "false")
            case t.Name():
                return cat(node.text)
            case t.Conditional():
                return self.conditional(node)
            case t.Binary():
                return self.chain(node, deep)
            case t.Not():
                compared = denied(node)
                return self.chain(compared, deep, "is not") if compared else self.denial(node, deep)
            case t.Range():
                return cat(self.value(node.low, SUM), "..", self.value(node.high, SUM))
            case t.Can():
                return cat("can ", self.value(node.call))
            case t.Would():
                return self.would(node)
        return self.bracketed(node)

    def denial(self, node: t.Not, deep: bool) -> Doc:
        return cat("not ", self.value(node.of, NOT, deep, last=True))

    def would(self, node: t.Would) -> Doc:
        """`would f(a) by p: E`; what is asked for may stand on a line of its own."""
        parts: list[Doc] = [cat("would ", self.value(node.call))]
        before: t.Expression = node.call
        if node.by is not None:
            parts += [self.gap(node.by, before), cat("by ", self.value(node.by))]
            before = node.by
        parts += [cat(":"), nest(self.gap(node.value, before), self.value(node.value))]
        return group(*parts)

    def bracketed(self, node: t.Attribute | t.Index | t.Call | t.Fold | t.Listing | t.Comprehension) -> Doc:
        """The forms that end in a bracket or a name behind a dot."""
        line, column = end(node)
        close = (line, column - 1)
        match node:
            case t.Attribute():
                return cat(self.value(node.of, POSTFIX), "." + node.name)
            case t.Index():
                return cat(self.value(node.of, POSTFIX), self.listed("[", node.keys, "]", close))
            case t.Call():
                return cat(node.name.text, self.key(node, close), self.listed("(", node.arguments, ")", close))
            case t.Fold():
                return cat(node.name.text, self.bound("(", node.binder, node.body, ")", close))
            case t.Listing():
                return self.listed("[", node.items, "]", close)
            case t.Comprehension():
                return self.bound("[", node.binder, node.body, "]", close)

    def key(self, node: t.Call, close: Place) -> Doc:
        """The key of a family's member, between the name and the arguments."""
        key = node.key
        if key is None:
            return cat("")
        segment = Segment(start(key), lambda: self.value(key, deep=False))
        limit = start(node.arguments[0]) if node.arguments else close
        return self.bracket("[", [segment], "]", limit, end(key))

    def conditional(self, node: t.Conditional) -> Doc:
        """`if P then A else B`; a chain of them keeps its cases below one another."""
        parts: list[Doc] = [cat("if ", self.value(node.test, OR))]
        while True:
            parts += [self.gap(node.then, node.test), cat("then ", self.value(node.then, OR))]
            otherwise = node.otherwise
            if not isinstance(otherwise, t.Conditional):
                parts += [self.gap(otherwise, node.then), cat("else ", self.value(otherwise))]
                return group(*parts)
            parts += [self.gap(otherwise.test, node.then), cat("else if ", self.value(otherwise.test, OR))]
            node = otherwise

    def chain(self, node: t.Binary, deep: bool, op: str = "") -> Doc:
        """Operands of one tightness, the operators leading the lines."""
        level = BINARY[node.op]
        operands: list[tuple[str, t.Expression]] = [(op or node.op, node.right)]
        first = node.left
        while level != COMPARE and isinstance(first, t.Binary) and BINARY[first.op] == level:
            operands.append((first.op, first.right))
            first = first.left
        minimum = level + 1
        parts: list[Doc] = []
        head = self.value(first, minimum if level == COMPARE else level)
        before = first
        for sign, operand in reversed(operands):
            last = operand is node.right and sign in ("and", "or")
            parts += [self.gap(operand, before), cat(sign + " ", self.value(operand, minimum, last=last))]
            before = operand
        return group(head, nest(*parts) if deep else cat(*parts))

    def gap(self, node: t.Expression, before: t.Expression) -> Doc:
        """The break between two parts, with the comments that stood there."""
        return cat(self.comments(self.take(start(node), end(before))), SPACE)


def _wants_brackets(node: t.Expression) -> bool:
    """Whether a value has no brackets of its own to be broken in."""
    while True:
        match node:
            case t.Not() if not denied(node):
                if tightness(node.of) < NOT:
                    return False
                node = node.of
            case t.Binary() | t.Conditional() | t.Range() | t.Not() | t.Would():
                return True
            case _:
                return False
