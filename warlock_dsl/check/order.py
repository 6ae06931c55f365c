"""In which order definitions are typed: each after those it uses. Finds definitions that need themselves.

One that calls itself must hand on a number that is proven to fall, and not for ever.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from attrs import frozen

from warlock_dsl.check import program as checked
from warlock_dsl.check.context import CheckContext
from warlock_dsl.check.names import DefineEntry
from warlock_dsl.diagnostics.diagnostic import Span
from warlock_dsl.syntax import tree as syntax
from warlock_dsl.syntax.walk import fields_of, nodes
from warlock_dsl.types import NumberType, UnknownType

TURNED = {">": "<", ">=": "<=", "<": ">", "<=": ">="}
DENIED = {">": "<=", ">=": "<", "<": ">=", "<=": ">"}


@frozen
class Order:
    """Names of definitions, the used before the user; each ring of several in the order of use; how long a chain each
    needs."""

    names: tuple[str, ...]
    rings: tuple[tuple[str, ...], ...]
    heights: Mapping[str, int]
    recursive: frozenset[str]  # those that use themselves; no ring, and not part of the height


def used_by(node: syntax.Define, known: Mapping[str, object]) -> tuple[str, ...]:
    """The definitions that a definition uses, in reading order. No local may hide one, so a word is enough."""
    own = {parameter.name.text for parameter in node.parameters}
    words = (inner.text for inner in nodes(node.value) if isinstance(inner, syntax.Name))
    return tuple(dict.fromkeys(word for word in words if word in known and word not in own))


def ordered(defines: Mapping[str, syntax.Define]) -> Order:
    """Goes down from each definition without recursion, so that a long chain is no danger."""
    used = {name: used_by(node, defines) for name, node in defines.items()}
    uses = {name: tuple(other for other in others if other != name) for name, others in used.items()}
    done: dict[str, int] = {}
    rings: list[tuple[str, ...]] = []
    ringed: set[str] = set()  # one ring is told of each definition, not all there are
    for root in defines:
        waiting = [] if root in done else [(root, iter(uses[root]))]
        path = [name for name, _ in waiting]
        while waiting:
            name, rest = waiting[-1]
            following = next(rest, None)
            if following is None:
                waiting.pop()
                path.pop()
                done[name] = 1 + max((done.get(other, 0) for other in uses[name]), default=0)
            elif following in path:
                if following not in ringed and name not in ringed:
                    rings.append(tuple(path[path.index(following) :]))
                    ringed.update(rings[-1])
            elif following not in done:
                waiting.append((following, iter(uses[following])))
                path.append(following)
    recursive = frozenset(name for name, others in used.items() if name in others)
    return Order(tuple(done), tuple(rings), done, recursive)


# ------------------------------------------------------------------ what calls itself


@frozen
class _Call:
    """A call of the definition within itself, and the slots that are above some fixed number wherever it is made."""

    node: checked.Apply
    above: frozenset[int]


def check_falls(ctx: CheckContext, entry: DefineEntry) -> bool:
    """Whether some parameter is smaller by a fixed number in every call, and tested to be above another before it."""
    made = entry.made
    assert made is not None
    calls = list(_calls(made.value, entry.number, frozenset()))
    name, own = made.address, [parameter for parameter, _ in entry.parameters]
    numbers = [place for place, (_, type_) in enumerate(entry.parameters) if isinstance(type_, NumberType)]
    if isinstance(made.type, UnknownType) or not calls or not numbers:
        hint = "let a number fall to an end: define f(n: number) = if n > 0 then ... f(n - 1) ... else 0"
        words = (inner for inner in nodes(entry.node.value) if isinstance(inner, syntax.Name) and inner.text == name)
        label = "used within its own value" if numbers else "it has no number that could fall"
        return _refuse(ctx, name, next(words).span, label, hint)
    falling = [place for place in numbers if all(_falls(call.node.arguments[place], 1 + place) for call in calls)]
    if not falling:
        number = own[numbers[0]]
        bad = next(call for call in calls if not _falls(call.node.arguments[numbers[0]], 1 + numbers[0]))
        hint = f"write {number} - 1 in every call of itself, or another fixed number"
        return _refuse(ctx, name, bad.node.span, "no number falls with each call", hint)
    if any(all(1 + place in call.above for call in calls) for place in falling):
        return True
    number = own[falling[0]]
    bad = next(call for call in calls if 1 + falling[0] not in call.above)
    hint = f"call it only where {number} is above a fixed number: if {number} > 0 then ... else ..."
    return _refuse(ctx, name, bad.node.span, f"'{number}' may fall for ever", hint)


def _refuse(ctx: CheckContext, name: str, span: Span, label: str, hint: str) -> bool:
    ctx.error("W311", f"definition '{name}' needs itself, and nothing proves that it ends", span, label, hint)
    return False


def _falls(argument: checked.Expr, slot: int) -> bool:
    """Whether an argument is the parameter less a fixed number above 0."""
    match argument:
        case checked.Binary(op="-", left=checked.Local(slot=found), right=checked.Const(value=int() as less)):
            return found == slot and less > 0
        case _:
            return False


def _calls(node: object, number: int, above: frozenset[int]) -> Iterator[_Call]:
    if isinstance(node, checked.Apply) and node.define == number:
        yield _Call(node, above)
    for inner, known in _parts(node, above):
        yield from _calls(inner, number, known)


def _parts(node: object, above: frozenset[int]) -> Iterator[tuple[object, frozenset[int]]]:
    """What stands in an expression, and the slots that are above a fixed number there."""
    match node:
        case checked.Conditional():
            yield node.test, above
            yield node.then, above | _above(node.test, True)
            yield node.otherwise, above | _above(node.test, False)
        case checked.Binary(op="and" | "or"):
            yield node.left, above
            yield node.right, above | _above(node.left, node.op == "and")
        case checked.Gather() | checked.Keyed():
            yield from ((node.source, above), (node.where, above))
            known = above if node.where is None else above | _above(node.where, True)
            yield (node.body if isinstance(node, checked.Gather) else node.key), known
        case tuple():
            yield from ((item, above) for item in node)
        case _ if type(node).__module__ == checked.__name__:
            names = (name for name in fields_of(type(node)) if name not in ("span", "type"))
            yield from ((getattr(node, name), above) for name in names)
        case _:
            pass


def _above(test: checked.Expr | None, holds: bool) -> frozenset[int]:
    """The slots that are above a fixed number where a test holds, or where it does not."""
    match test:
        case checked.Not():
            return _above(test.of, not holds)
        case checked.Binary(op="and" | "or") if (test.op == "and") == holds:
            return _above(test.left, holds) | _above(test.right, holds)
        case checked.Binary(left=checked.Local(slot=slot), right=checked.Const() | checked.FigureRef()):
            op = test.op
        case checked.Binary(left=checked.Const() | checked.FigureRef(), right=checked.Local(slot=slot)):
            op = TURNED.get(test.op, "")
        case _:
            return frozenset()
    op = op if holds else DENIED.get(op, "")
    return frozenset({slot}) if op in (">", ">=") else frozenset()
