"""Choices beyond the opening of a rule, and elements of lists: which are proven to be there, which are not.

What is known at a place is a set of facts. The shape of a list: it has an element. `("least", shape, n)`: at least n of
them, in units; `("count", shape, n)`: as they are counted. `("upto", slot, low, high)`: a bound number. `("place",
slot, shape)`: a bound number that is a place in a list.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

import attrs
from attrs import define, field

from warlock_dsl.check import program as checked
from warlock_dsl.check.context import CheckInput
from warlock_dsl.check.rule_summary import Summary, block, summaries
from warlock_dsl.diagnostics.diagnostic import Diagnostic, Severity, Span
from warlock_dsl.primitives import Result, assumed
from warlock_dsl.syntax.walk import fields_of
from warlock_dsl.tables.components import Components, Value
from warlock_dsl.types import ListType, NumberType

MAX_CALLS = 12  # definitions within one another that are looked into

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
            if sure == "list":
                return full(facts, node.arguments[0])
            return sure == "always" or (sure == "whole" and len(node.arguments) == 1)
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


@attrs.frozen
class Measure:
    """How many elements a list is known to have: numbers are counted in units, and at least so many play."""

    unit: int
    players: int
    components: Components

    def length(self, facts: frozenset[Shape], node: checked.Expr) -> int:
        said = shape(node)
        about = [one for one in facts if isinstance(one, tuple) and one[1:2] == (said,)]
        known_ = [-(-one[2] // self.unit) for one in about if one[0] == "least"]
        known_ += [one[2] for one in about if one[0] == "count"]
        return max(*map(int, known_), int(full(facts, node)), self.of_form(facts, node))

    def of_form(self, facts: frozenset[Shape], node: checked.Expr) -> int:
        match node:
            case checked.Const(value=tuple(found)) | checked.FigureRef(value=tuple(found)):
                return len(found)
            case checked.ListOf():
                return len(node.items)
            case checked.RangeOf() if full(facts, node):
                return (_value(node.high) - _value(node.low)) // self.unit + 1
            case checked.Primitive() if assumed(node.name).at_least == "players":
                return self.players
            case checked.Keyed(where=None) if assumed(node.name).at_least == "list":
                return self.length(facts, node.source)
            case checked.Gather(where=None):
                return self.length(facts, node.source)
            case checked.Binary(op="join"):
                return self.length(facts, node.left) + self.length(facts, node.right)
            case checked.Conditional():
                then = self.length(facts | known(node.test), node.then)
                return min(then, self.length(facts | denied(node.test), node.otherwise))
            case _:
                return 0

    def has_place(self, facts: frozenset[Shape], of: checked.Expr, key: checked.Expr) -> bool:
        """Whether a list is known to have an element at this place."""
        if isinstance(key, checked.Local) and ("place", key.slot, shape(of)) in facts:
            return True
        if gives(key, "length") and isinstance(key, checked.Primitive) and shape(key.arguments[0]) == shape(of):
            return full(facts, of)
        ends = self.ends(facts, key)
        if ends is None or ends[0] < self.unit:
            return False
        if isinstance(of, checked.Const | checked.FigureRef):
            return True  # its end is known, and foresight warns of what may lie beyond
        return ends[1] <= self.length(facts, of) * self.unit

    def ends(self, facts: frozenset[Shape], node: checked.Expr) -> Ends:
        """The least and the greatest value that a number can have, in units, where that is known."""
        match node:
            case checked.Const(value=int(number)) | checked.FigureRef(value=int(number)):
                return number, number
            case checked.Local():
                between = [one for one in facts if isinstance(one, tuple) and one[:2] == ("upto", node.slot)]
                return (between[0][2], between[0][3]) if between else None
            case checked.VariableOf():
                declared = (one for one in self.components.variables.values() if one.number == node.variable)
                one = next(declared)
                return None if one.low is None or one.high is None else self.among((one.low, one.high))
            case checked.Cell():
                return self.among(self.components.tables[node.table].columns[node.column].values)
            case checked.Field():
                fields = [kind.fields.get(node.name) for kind in self.components.kinds.values()]
                return self.among([value for one in fields if one is not None for value in one.values])
            case checked.Binary(op="+" | "-"):
                left, right = self.ends(facts, node.left), self.ends(facts, node.right)
                if left is None or right is None:
                    return None
                return _sum(left, right if node.op == "+" else (-right[1], -right[0]))
            case _:
                return None

    def among(self, values: Sequence[Value]) -> Ends:
        numbers = [int(value * self.unit) for value in values if isinstance(value, Fraction)]
        return (min(numbers), max(numbers)) if numbers and len(numbers) == len(values) else None


Ends = tuple[int, int] | None  # the least and the greatest value of a number, in units


def _sum(one: tuple[int, int], other: tuple[int, int]) -> tuple[int, int]:
    return one[0] + other[0], one[1] + other[1]


def bound(
    slot: int, source: checked.Expr, facts: frozenset[Shape], defines: Sequence[checked.Define] = ()
) -> frozenset[Shape]:
    """What is known of an element of a list, which is bound to a slot."""
    name: Shape = ("slot", slot)
    match source:
        case checked.RangeOf(low=checked.Const(), high=checked.Const()):
            return frozenset({("upto", slot, _value(source.low), _value(source.high))})
        case checked.RangeOf(low=checked.Const(), high=checked.Primitive() as high) if gives(high, "length"):
            return frozenset({("place", slot, shape(high.arguments[0]))} if _value(source.low) > 0 else ())
        case checked.Const(value=tuple(items), type=ListType(item=NumberType())) if items:
            numbers = [item for item in items if isinstance(item, int)]
            return frozenset({("upto", slot, min(numbers), max(numbers))})
        case checked.ListOf(items=items, type=ListType(item=NumberType())) if items and all(
            isinstance(item, checked.Const) for item in items
        ):
            return frozenset({("upto", slot, min(map(_value, items)), max(map(_value, items)))})
        case checked.Primitive(arguments=(_, checked.Const() as asked)) if assumed(source.name).inner == "asked":
            return frozenset({name, ("least", name, _value(asked))} if _value(asked) > 0 else ())
        case _:
            count = inner_length(source, 1, facts, defines)
            return frozenset({name, ("count", name, count)} if count else ())


def inner_length(
    node: checked.Expr, depth: int, facts: frozenset[Shape], defines: Sequence[checked.Define], calls: int = 0
) -> int:
    """How many elements each list within a list has at least, so many lists deep; 0 where that is not known."""

    def inner(one: checked.Expr, deeper: int = 0) -> int:
        return inner_length(one, depth + deeper, facts, defines, calls)

    if depth == 0:
        return len(node.items) if isinstance(node, checked.ListOf) else int(full(facts, node))
    match node:
        case checked.Const(value=tuple(items)) if items and depth == 1:
            return min(len(item) if isinstance(item, tuple) else 0 for item in items)
        case checked.ListOf(items=items) if items:
            return min(inner(item, -1) for item in items)
        case checked.Gather(body=None):
            return inner(node.source)
        case checked.Keyed() if assumed(node.name).selects:
            return inner(node.source)
        case checked.Gather(body=body) if body is not None:
            return inner(body, -1)
        case checked.Binary(op="join"):
            return min(inner(node.left), inner(node.right))
        case checked.Binary(op="without"):
            return inner(node.left)
        case checked.Conditional():
            return min(inner(node.then), inner(node.otherwise))
        case checked.Primitive() if assumed(node.name).inner == "one":
            return int(depth == 1)
        case checked.Primitive() if gives(node, "joined"):
            return inner(node.arguments[0], 1)
        case checked.Primitive() if assumed(node.name).selects:
            return inner(node.arguments[0])
        case checked.Apply() if calls < MAX_CALLS and node.define < len(defines):
            return inner_length(defines[node.define].value, depth, frozenset(), defines, calls + 1)
        case _:
            return 0


def lasting(facts: frozenset[Shape]) -> frozenset[Shape]:
    """What is still so whatever happens: a name that is bound never changes, a list that it means is as it was."""
    return frozenset(one for one in facts if isinstance(one, tuple) and _of_names(one))


def _of_names(fact: tuple[object, ...]) -> bool:
    match fact:
        case ("slot", int()) | ("upto", _, _, _):
            return True
        case ("least" | "count" | "place", one, other):
            about = other if fact[0] == "place" else one
            return isinstance(about, tuple) and about[0] == "slot"
        case _:
            return False


def gives(node: object, result: Result) -> bool:
    """Whether an expression is a primitive with this result, such as the length of its list."""
    return isinstance(node, checked.Primitive) and assumed(node.name).result == result


def _value(node: checked.Expr | None) -> int:
    return node.value if isinstance(node, checked.Const) and isinstance(node.value, int) else 0


def known(test: checked.Expr) -> frozenset[Shape]:
    """The lists that have an element wherever a condition holds."""
    match test:
        case checked.Binary(op="and"):
            return known(test.left) | known(test.right)
        case checked.Binary(op=">" | ">=" | "is", left=checked.Primitive() as left, right=checked.Const()) if gives(
            left, "length"
        ):
            return _at_least(left.arguments[0], _value(test.right) + (test.op == ">"))
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
        case checked.Binary(op="<" | "<=", left=checked.Primitive() as left, right=checked.Const()) if gives(
            left, "length"
        ):
            return _at_least(left.arguments[0], _value(test.right) + (test.op == "<="))
        case checked.Not():
            return known(test.of)
        case _:
            return frozenset()


def _at_least(of: checked.Expr, units: int) -> frozenset[Shape]:
    """A list has at least as many elements; the number is counted in units."""
    return frozenset({shape(of), ("least", shape(of), units)}) if units > 0 else frozenset()


def chosen(
    question: checked.Question, facts: frozenset[Shape], defines: Sequence[checked.Define] = ()
) -> frozenset[Shape]:
    """What is known once a question is answered: its condition holds, some is not none, two are two."""
    found = frozenset[Shape]() if question.where is None else known(question.where)
    name: Shape = ("slot", question.slot)
    if question.mode == "one":
        return found | bound(question.slot, question.source, facts, defines)
    if question.mode == "some":
        return found | {name}
    units = _value(question.low) if question.mode == "count" and isinstance(question.low, checked.Const) else 0
    return found | {name, ("least", name, units)} if units > 0 else found


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
    measure = Measure(program.unit, given.components.min_players, given.components)
    found = _Proofs(summaries(program.rules), measure, program.defines)
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
    measure: Measure
    defines: Sequence[checked.Define]
    notes: list[Diagnostic] = field(factory=list)

    def note(self, code: str, message: str, span: Span, label: str, hint: str) -> None:
        self.notes.append(Diagnostic(code, message, span, label, hint, Severity.NOTE))

    def block(self, statements: Sequence[checked.Stmt], place: _Place) -> _Place:
        for statement in statements:
            facts = place.facts
            if isinstance(statement, checked.Move | checked.Swap | checked.Change) and statement.each is not None:
                facts |= frozenset() if statement.each.where is None else known(statement.each.where)
            for expr in _operands(statement):
                self.look(expr, facts)
            self.statement(statement, place)
            place = self.after(statement, place)
        return place

    def after(self, node: checked.Stmt, place: _Place) -> _Place:
        """What is still known once a statement has run."""
        if isinstance(node, checked.Require):
            return place.knowing(known(node.test))
        if isinstance(node, checked.Let) and isinstance(node.value.type, ListType):
            least = self.measure.length(place.facts, node.value)
            name: Shape = ("slot", node.slot)
            return place.knowing(frozenset({name, ("least", name, least * self.measure.unit)} if least else ()))
        if isinstance(node, checked.Roll):
            place = place.knowing(self.rolled(node, place.facts))
        ends = checked.Stop | checked.Finish | checked.Give
        left = isinstance(node, checked.If) and node.then and isinstance(node.then[-1], ends)
        if isinstance(node, checked.If) and left:  # whoever is still here did not go that way
            place = place.knowing(denied(node.test))
        done = block(node.otherwise if isinstance(node, checked.If) and left else (node,), self.known)
        if done.acts is not None:
            return _Place(False, lasting(place.facts))
        return attrs.evolve(place, opening=place.opening and done.loops is None)

    def rolled(self, node: checked.Roll, facts: frozenset[Shape]) -> frozenset[Shape]:
        if node.count is None:
            return bound(node.slot, node.source, facts, self.defines)
        name: Shape = ("slot", node.slot)
        units = _value(node.count)
        return frozenset({name, ("least", name, units)} if units > 0 else ())

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
                    place = place.knowing(chosen(question, place.facts, self.defines))
                self.block(node.body, place)
                self.block(node.otherwise or (), before)
            case checked.Roll():
                self.look(node.where, place.facts | bound(node.slot, node.source, place.facts, self.defines))
            case checked.If():
                self.block(node.then, place.knowing(known(node.test)))
                self.block(node.otherwise, place.knowing(denied(node.test)))
            case checked.For() | checked.Repeat() | checked.Together():
                facts = lasting(place.facts)
                if not isinstance(node, checked.Repeat) and node.slot:
                    once = bound(node.slot, node.source, place.facts, self.defines)
                    facts |= once if block(node.body, self.known).acts is None else lasting(once)
                self.look(node.where, facts)
                facts |= frozenset() if node.where is None else known(node.where)
                self.block(node.body, _Place(isinstance(node, checked.Together), facts))
            case _:
                pass

    # ------------------------------------------------- elements of lists

    def look_in_question(self, question: checked.Question, facts: frozenset[Shape]) -> None:
        for expr in (question.low, question.high, question.source, question.by):
            self.look(expr, facts)
        if question.mode == "one":
            facts |= bound(question.slot, question.source, facts, self.defines)
        self.look(question.where, facts)

    def look(self, node: object, facts: frozenset[Shape]) -> None:
        """Finds `first`, `last`, `min` and `max` without an answer for the empty list, and `list[n]`."""
        if isinstance(node, checked.Conditional):
            self.look(node.test, facts)
            self.look(node.then, facts | known(node.test))
            self.look(node.otherwise, facts | denied(node.test))
            return
        if isinstance(node, checked.Binary) and node.op in ("and", "or"):
            self.look(node.left, facts)
            self.look(node.right, facts | (known(node.left) if node.op == "and" else denied(node.left)))
            return
        if isinstance(node, checked.Gather | checked.Keyed):
            self.look(node.source, facts)
            if isinstance(node, checked.Gather) or assumed(node.name).selects:
                facts |= bound(node.slot, node.source, facts, self.defines)
            self.look(node.where, facts)
            facts |= frozenset() if node.where is None else known(node.where)
            self.look(node.body if isinstance(node, checked.Gather) else node.key, facts)
            return
        if isinstance(node, checked.Lookup) and node.what == "list":
            self.place_in_list(node, facts)
        if isinstance(node, checked.Would):  # what is known here need not hold there
            self.look((node.target, node.arguments, node.by), facts)
            self.look(node.value, lasting(facts))
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

    def place_in_list(self, node: checked.Lookup, facts: frozenset[Shape]) -> None:
        assert node.of is not None
        if not self.measure.has_place(facts, node.of, node.keys[0]):
            self.note(
                "W451",
                "nothing proves that the list is so long",
                node.span,
                "not proven",
                "test before how long it is (count(...) >= n), or bind the place: for n in 1..count(...)",
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
    for name in fields_of(type(node)):
        if name not in ("body", "then", "otherwise", "where", "span", "type"):
            yield getattr(node, name)
