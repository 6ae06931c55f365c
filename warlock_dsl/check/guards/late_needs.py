"""Requirements that come too late: after an effect nothing is taken back, so what is required then ends in an error.

What a rule requires before its first effect, loop or roll is part of its guard. A question begins a guard of its own:
only answers are on offer that what follows allows. In between a requirement is tested by nobody beforehand.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import define, evolve, field, frozen

from warlock_dsl.check import program as checked
from warlock_dsl.check.context import CheckInput
from warlock_dsl.check.rule_summary import Summary, block, called_by, summaries
from warlock_dsl.diagnostics.diagnostic import Diagnostic, Related, Span
from warlock_dsl.syntax.walk import nodes


@frozen
class _Place:
    """What has happened before a statement: the first effect or loop, and the rules that `can` was asked of."""

    begun: Span | None = None
    tested: frozenset[int] = frozenset()

    def asking(self, *parts: object) -> _Place:
        """Once these expressions have been read."""
        asked = {rule for node in nodes(parts) if isinstance(node, checked.Can) for rule in called_by(node.target)}
        return evolve(self, tested=self.tested | asked) if asked else self


def check_late_needs(given: CheckInput) -> Iterator[Diagnostic]:
    """Every requirement after an effect of the same declaration, and every call there of a rule that requires."""
    rules = given.program.rules
    walk = _Walk(rules, summaries(rules), opening_needs(rules))
    for rule in rules:
        walk.block(rule.body, _Place())
    yield from walk.found


def opening_needs(rules: Sequence[checked.Rule]) -> list[Span | None]:
    """What each rule requires before it asks or does anything, in itself or in what it calls; hooks aside, since
    guards look behind effects for what they require."""
    known = summaries(rules)
    needs: list[Span | None] = [None] * len(rules)
    while True:
        found = [_need(rule.body, needs, known)[0] for rule in rules]
        if [need is None for need in found] == [need is None for need in needs]:
            return found
        needs = found


def _need(
    statements: Sequence[checked.Stmt], needs: Sequence[Span | None], known: Sequence[Summary]
) -> tuple[Span | None, bool]:
    """The first requirement of an opening, and whether the opening goes on behind these statements."""
    for node in statements:
        match node:
            case checked.Require():
                return node.span, False
            case checked.If():
                for branch in (node.then, node.otherwise):
                    need, _ = _need(branch, needs, known)
                    if need is not None:
                        return need, False
            case checked.Do():
                need = next((needs[rule] for rule in called_by(node.target) if needs[rule] is not None), None)
                if need is not None:
                    return need, False
            case _:
                pass
        done = block((node,), known)
        if done.asks or done.acts or done.loops:
            return None, False
    return None, True


@define
class _Walk:
    """The errors so far, what calling each rule does, and what each requires at once."""

    rules: Sequence[checked.Rule]
    known: Sequence[Summary]
    needs: Sequence[Span | None]
    found: list[Diagnostic] = field(factory=list)

    def block(self, statements: Sequence[checked.Stmt], place: _Place) -> _Place:
        for statement in statements:
            place = self.statement(statement, place)
        return place

    def statement(self, node: checked.Stmt, place: _Place) -> _Place:
        """Look at a statement; gives the place behind it."""
        match node:
            case checked.Require():
                if place.begun is not None:
                    self.late(node.span, place.begun)
                return place.asking(node.test)
            case checked.Choose():
                asked = place.asking(node.questions)
                inner = self.block(node.body, evolve(asked, begun=None))
                other = self.block(node.otherwise or (), asked)
                return evolve(asked, begun=inner.begun or other.begun)
            case checked.If():
                place = place.asking(node.test)
                one, other = self.block(node.then, place), self.block(node.otherwise, place)
                return evolve(place, begun=one.begun or other.begun)
            case checked.For() | checked.Repeat() | checked.Together():
                place = evolve(place.asking(_head(node)), begun=place.begun or node.span)
                return evolve(place, begun=self.block(node.body, place).begun or place.begun)
            case checked.Do():
                return self.call(node, place)
            case checked.Let() | checked.Give():
                return place.asking(node.value)
            case checked.Stop() | checked.Ensure():
                return place
            case _:
                return evolve(place, begun=place.begun or node.span)

    def call(self, node: checked.Do, place: _Place) -> _Place:
        for rule in called_by(node.target) if place.begun is not None else ():
            need = self.needs[rule]
            if need is not None and rule not in place.tested:
                assert place.begun is not None
                self.late_call(node.span, place.begun, self.rules[rule].address, need)
                break
        done = block((node,), self.known)
        return evolve(place, begun=place.begun or done.acts or done.loops)

    def late(self, span: Span, begun: Span) -> None:
        self.found.append(
            Diagnostic(
                "W334",
                "a requirement after an effect comes too late: what has happened is not taken back",
                span,
                "required here",
                "require it first, or write 'if' and say what happens otherwise",
                related=(Related(begun, "this comes before it"),),
            )
        )

    def late_call(self, span: Span, begun: Span, address: str, need: Span) -> None:
        self.found.append(
            Diagnostic(
                "W334",
                f"'{address}' requires something, and is called after an effect: what has happened is not taken back",
                span,
                "called here",
                f"test 'can' before the effect, or call it under 'if can {called_as(address)}(...)'",
                related=(Related(begun, "this comes before it"), Related(need, "required here")),
            )
        )


def called_as(address: str) -> str:
    """An address as a call writes it: `deed.rest` is called as `deed[rest]`."""
    name, _, key = address.partition(".")
    return f"{name}[{key}]" if key else name


def _head(node: checked.For | checked.Repeat | checked.Together) -> tuple[object, ...]:
    return (node.count, node.where) if isinstance(node, checked.Repeat) else (node.source, node.where)
