"""Choices beyond the opening of a rule, and elements of lists: which are proven to have an option, which are not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import attrs
from attrs import define, field

from warlock_dsl.check import program as checked
from warlock_dsl.check.context import CheckInput
from warlock_dsl.check.rule_summary import Summary, block, summaries
from warlock_dsl.diagnostics.diagnostic import Diagnostic, Severity, Span
from warlock_dsl.primitives import Result, assumed
from warlock_dsl.syntax.walk import fields_of
from warlock_dsl.types import ListType

Shape = object  # an expression without its places; bound slots are numbered from within


def shape(node: object, bound: tuple[int, ...] = ()) -> Shape:
    """What an expression says, so that the same said twice is equal: no spans, bound names by their depth."""
    if isinstance(node, checked.Local):
        return ("bound", len(bound) - bound.index(node.slot)) if node.slot in bound else ("slot", node.slot)
    if isinstance(node, checked.Gather | checked.Keyed):
        inside = (*bound, node.slot)
        last = node.body if isinstance(node, checked.Gather) else node.key
        name = "gather" if isinstance(node, checked.Gather) else node.name
        return (name, shape(node.source, bound), shape(node.where, inside), shape(last, inside))
    if isinstance(node, tuple):
        return tuple(shape(item, bound) for item in node)
    if type(node).__module__ == checked.__name__:
        names = [name for name in fields_of(type(node)) if name not in ("span", "type")]
        return (type(node).__name__, *(shape(getattr(node, name), bound) for name in names))
    return node


def selection(source: checked.Expr, slot: int, where: checked.Expr | None) -> Shape:
    """The shape of `x in S where P`, as a list."""
    if where is None:
        return shape(source)
    return ("gather", shape(source), shape(where, (slot,)), None)


def full(facts: frozenset[Shape], node: checked.Expr) -> bool:
    """Whether a list is known to have an element."""
    if shape(node) in facts:
        return True
    match node:
        case checked.Const():
            return isinstance(node.value, tuple) and bool(node.value)
        case checked.FigureRef():
            return False  # an overlay may change it
        case checked.ListOf():
            return bool(node.items)
        case checked.RangeOf():
            ends = (node.low, node.high)
            return all(isinstance(end, checked.Const) for end in ends) and _value(node.low) <= _value(node.high)
        case checked.Primitive():
            sure = assumed(node.name).nonempty
            return sure == "always" or (sure == "list" and full(facts, node.arguments[0]))
        case checked.Keyed():
            return node.where is None and assumed(node.name).nonempty == "list" and full(facts, node.source)
        case checked.Gather():
            return node.where is None and full(facts, node.source)
        case checked.Binary():
            return node.op == "join" and (full(facts, node.left) or full(facts, node.right))
        case checked.Conditional():
            return full(facts | known(node.test), node.then) and full(facts | denied(node.test), node.otherwise)
        case _:
            return False


def gives(node: object, result: Result) -> bool:
    """Whether an expression is a primitive with this result, such as the length of its list."""
    return isinstance(node, checked.Primitive) and assumed(node.name).result == result


def _value(node: checked.Expr) -> int:
    return node.value if isinstance(node, checked.Const) and isinstance(node.value, int) else 0


def known(test: checked.Expr) -> frozenset[Shape]:
    """The lists that have an element wherever a condition holds."""
    match test:
        case checked.Binary(op="and"):
            return known(test.left) | known(test.right)
        case checked.Binary(op=">", left=checked.Primitive() as left, right=checked.Const()) if gives(left, "length"):
            return frozenset({shape(left.arguments[0])}) if _value(test.right) >= 0 else frozenset()
        case checked.Binary(op=">=", left=checked.Primitive() as left, right=checked.Const()) if gives(left, "length"):
            return frozenset({shape(left.arguments[0])}) if _value(test.right) > 0 else frozenset()
        case checked.Binary(op="has"):
            return frozenset({shape(test.left)})
        case checked.Primitive() if gives(test, "nonempty"):
            return frozenset({shape(test.arguments[0])})
        case checked.Not():
            return denied(test.of)
        case _:
            return frozenset()


def denied(test: checked.Expr) -> frozenset[Shape]:
    """The lists that have an element wherever a condition does not hold."""
    match test:
        case checked.Binary(op="or"):
            return denied(test.left) | denied(test.right)
        case checked.Binary(op="is", left=checked.Primitive() as left, right=checked.Const(value=0)):
            return frozenset({shape(left.arguments[0])}) if gives(left, "length") else frozenset()
        case checked.Not():
            return known(test.of)
        case _:
            return frozenset()


def chosen(question: checked.Question) -> frozenset[Shape]:
    """The lists that have an element once a question is answered: its condition holds, and some is not none."""
    facts = frozenset[Shape]() if question.where is None else known(question.where)
    return facts | {("slot", question.slot)} if question.mode == "some" else facts


def proven(question: checked.Question, facts: frozenset[Shape]) -> bool:
    """Whether a question surely has an option, where these lists have an element."""
    if question.mode == "count":
        low = question.low
        if low is None or (isinstance(low, checked.Const) and low.value == 0 and question.where is None):
            return True
        if isinstance(low, checked.Primitive) and gives(low, "least") and question.where is None:
            return any(shape(listed) == shape(question.source) for listed in _counted(low.arguments))
        return False
    if question.mode == "minimal":
        return False
    if question.where is None:
        return full(facts, question.source)
    return question.mode == "one" and selection(question.source, question.slot, question.where) in facts


def check_nonempty(given: CheckInput) -> list[Diagnostic]:
    """A note on every choice and every element that is not proven to be there."""
    program = given.program
    found = _Proofs(summaries(program.rules))
    for one in program.defines:
        found.look(one.value, frozenset())
    for rule in program.rules:
        found.block(rule.body, _Place())
        for hook in rule.hooks:
            found.look(hook.where, frozenset())
            found.look(None if hook.law is None else hook.law.test, frozenset())
            for _, kept in hook.kept if hook.law is None else hook.law.kept:
                found.look(kept, frozenset())
    for score in program.scores:
        found.look(score.value, frozenset())
    for law in (*program.invariants, *program.endings):
        found.look(law.test, frozenset())
    return found.notes


@attrs.frozen
class _Place:
    """What is known at a place: whether it is in the opening of its rule, and which lists have an element."""

    opening: bool = True
    facts: frozenset[Shape] = frozenset()

    def knowing(self, facts: frozenset[Shape]) -> _Place:
        return attrs.evolve(self, facts=self.facts | facts)


@define
class _Proofs:
    """The notes so far, and what calling each rule does."""

    known: Sequence[Summary]
    notes: list[Diagnostic] = field(factory=list)

    def note(self, code: str, message: str, span: Span, label: str, hint: str) -> None:
        self.notes.append(Diagnostic(code, message, span, label, hint, Severity.NOTE))

    def block(self, statements: Sequence[checked.Stmt], place: _Place) -> _Place:
        for statement in statements:
            for expr in _operands(statement):
                self.look(expr, place.facts)
            self.statement(statement, place)
            place = self.after(statement, place)
        return place

    def after(self, node: checked.Stmt, place: _Place) -> _Place:
        """What is still known once a statement has run."""
        if isinstance(node, checked.Require):
            return place.knowing(known(node.test))
        if isinstance(node, checked.Let) and full(place.facts, node.value):
            return place.knowing(frozenset({("slot", node.slot)}))
        left = isinstance(node, checked.If) and node.then and isinstance(node.then[-1], checked.Stop | checked.Finish)
        if isinstance(node, checked.If) and left:  # whoever is still here did not go that way
            place = place.knowing(denied(node.test))
        done = block(node.otherwise if isinstance(node, checked.If) and left else (node,), self.known)
        if done.acts is not None:
            return _Place(False)
        return attrs.evolve(place, opening=place.opening and done.loops is None)

    def statement(self, node: checked.Stmt, place: _Place) -> None:
        match node:
            case checked.Choose():
                forced, before = node.otherwise is None, place
                for question in node.questions:
                    self.look_in_question(question, place.facts)
                    if forced and not place.opening and not question.may and not proven(question, place.facts):
                        self.note(
                            "W450",
                            f"nothing proves that there is a '{question.name}' to choose",
                            question.span,
                            "not proven",
                            "say with 'else' what happens then, or test the same list with 'if any(...)' before",
                        )
                    place = place.knowing(chosen(question))
                self.block(node.body, place)
                self.block(node.otherwise or (), before)
            case checked.If():
                self.block(node.then, place.knowing(known(node.test)))
                self.block(node.otherwise, place.knowing(denied(node.test)))
            case checked.For() | checked.Repeat() | checked.Together():
                facts = frozenset[Shape]() if node.where is None else known(node.where)
                self.look(node.where, frozenset())
                self.block(node.body, _Place(isinstance(node, checked.Together), facts))
            case _:
                pass

    # ------------------------------------------------- elements of lists

    def look_in_question(self, question: checked.Question, facts: frozenset[Shape]) -> None:
        for expr in (question.low, question.high, question.source, question.where, question.by):
            self.look(expr, facts)

    def look(self, node: object, facts: frozenset[Shape]) -> None:
        """Finds `first`, `last`, `min` and `max` without an answer for the empty list."""
        if isinstance(node, checked.Conditional):
            self.look(node.test, facts)
            self.look(node.then, facts | known(node.test))
            self.look(node.otherwise, facts | denied(node.test))
            return
        if isinstance(node, checked.Binary) and node.op in ("and", "or"):
            self.look(node.left, facts)
            self.look(node.right, facts | (known(node.left) if node.op == "and" else denied(node.left)))
            return
        if isinstance(node, checked.Gather | checked.Keyed) and node.where is not None:
            self.look(node.source, facts)
            self.look(node.where, facts)
            self.look(node.body if isinstance(node, checked.Gather) else node.key, facts | known(node.where))
            return
        if isinstance(node, checked.Would):  # what is known here need not hold there
            self.look((node.target, node.arguments, node.by), facts)
            self.look(node.value, frozenset())
            return
        if isinstance(node, checked.Primitive) and len(node.arguments) == 1 and _picks(node):
            self.element(node, facts)
        for inner in _children(node):
            self.look(inner, facts)

    def element(self, node: checked.Primitive, facts: frozenset[Shape]) -> None:
        if not full(facts, node.arguments[0]):
            given = "[...]" if isinstance(node.arguments[0], checked.Gather) else "..."
            self.note(
                "W451",
                f"nothing proves that the list of '{node.name}' has an element",
                node.span,
                "not proven",
                f"give an answer for the empty list: {node.name}({given}, x)",
            )


def _picks(node: checked.Primitive) -> bool:
    """Whether a primitive gives one of the elements of a list."""
    extreme = gives(node, "least") or gives(node, "greatest")
    return gives(node, "element") or (extreme and isinstance(node.arguments[0].type, ListType))


def _counted(nodes: Sequence[checked.Expr]) -> Iterator[checked.Expr]:
    """The lists whose length these are."""
    return (node.arguments[0] for node in nodes if isinstance(node, checked.Primitive) and gives(node, "length"))


def _children(node: object) -> Iterator[object]:
    if isinstance(node, tuple):
        yield from node
    elif type(node).__module__ == checked.__name__:
        for name in fields_of(type(node)):
            if name not in ("span", "type"):
                yield getattr(node, name)


def _operands(node: checked.Stmt) -> Iterator[object]:
    """The expressions a statement reads before anything inside it runs; a question's are looked at with it."""
    if isinstance(node, checked.Choose):
        return
    if isinstance(node, checked.Roll):
        yield node.where
    for name in fields_of(type(node)):
        if name not in ("body", "then", "otherwise", "where", "span", "type"):
            yield getattr(node, name)
