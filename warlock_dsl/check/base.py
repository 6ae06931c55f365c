"""What every part of the checker stands on: the error list and making types fit."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from attrs import define, field

from warlock_dsl.check import program as checked
from warlock_dsl.check.names import Bound, Names, Scope
from warlock_dsl.diagnostics.diagnostic import Diagnostic, Related, Severity, Span, closest, suggest
from warlock_dsl.syntax import tree as syntax
from warlock_dsl.tables.components import Components, Value
from warlock_dsl.types import (
    NUMBER,
    UNKNOWN,
    ListType,
    MapType,
    NumberType,
    PieceType,
    Type,
    UnknownType,
    ZoneType,
    fits,
    pieces_of,
    words,
)

LIBRARY = "std/"  # where the standard library lies; a library offers more than one game uses
MAX_DEPTH = 120  # levels of expressions or statements within one another


def bad(span: Span) -> checked.Expr:
    """What stands for a faulty expression: it fits anything, so that its error is told once."""
    return checked.Const(0, UNKNOWN, span)


@define
class Past:
    """What an invariant after a rule wants to know of the moment when that rule began."""

    parameters: int  # of the rule: what `was` may speak of, beside `me`
    kept: list[tuple[int, checked.Expr]] = field(factory=list)  # by slot of the invariant
    within: bool = False  # inside a `was`


@define
class Base:
    """The state of a check: the tables, the names, the errors so far."""

    components: Components
    names: Names
    unit: int = 1
    errors: list[Diagnostic] = field(factory=list)
    depth: int = 0
    contested: set[str] = field(factory=set)  # names declared a second time; a call may mean the one that was refused
    drowned: bool = False  # the expression at hand was told to be too deep
    past: Past | None = None  # where `was` may stand
    patience: int = 100_000  # words that are still compared to find what was meant

    # ------------------------------------------------------------ telling

    def error(
        self,
        code: str,
        message: str,
        span: Span,
        label: str = "",
        hint: str = "",
        related: tuple[Related, ...] = (),
        severity: Severity = Severity.ERROR,
    ) -> None:
        self.errors.append(Diagnostic(code, message, span, label, hint, severity, related))

    def closest(self, word: str, known: Iterable[str]) -> str:
        """A did-you-mean, as long as searching for one stays cheap: a great many errors have no use for them."""
        return "" if self._weary(words_ := list(known)) else closest(word, words_)

    def suggest(self, word: str, known: Iterable[str], what: str) -> str:
        return "" if self._weary(words_ := list(known)) else suggest(word, words_, what)

    def _weary(self, known: list[str]) -> bool:
        self.patience -= len(known)
        return self.patience < 0

    def failed(self, code: str, message: str, span: Span, label: str = "", hint: str = "") -> checked.Expr:
        """Tells an error and gives the expression that stands for it."""
        self.error(code, message, span, label, hint)
        return bad(span)

    # ------------------------------------------------------------- values

    @property
    def kind_order(self) -> tuple[str, ...]:
        return tuple(self.components.kinds)

    def scaled(self, value: Value, type_: Type) -> checked.Constant:
        """A value of the tables as the interpreter holds it: numbers counted in the smallest unit."""
        if isinstance(value, bool):
            return value
        if isinstance(value, tuple):
            inner = type_.item if isinstance(type_, ListType) else type_.value if isinstance(type_, MapType) else None
            return tuple(self.scaled(item, inner or UNKNOWN) for item in value)
        if isinstance(type_, NumberType):
            return int(value * self.unit)
        return int(value)

    def number(self, value: Fraction | int, span: Span) -> checked.Expr:
        return checked.Const(int(value * self.unit), NUMBER, span)

    # -------------------------------------------------------------- types

    def expr(self, scope: Scope, node: syntax.Expression, expected: Type | None = None) -> checked.Expr:
        """An expression, resolved and typed. `expected` only helps to tell rows of the same name apart."""
        raise NotImplementedError

    def as_list(self, value: checked.Expr) -> checked.Expr:
        """A zone read as the list of its pieces; anything else as it is."""
        if isinstance(value.type, ZoneType):
            return checked.PiecesOf(value, pieces_of(value.type), value.span)
        return value

    def as_lists(self, scope: Scope, value: checked.Expr) -> checked.Expr:
        """A list of zones read as a list of lists of pieces."""
        type_ = value.type
        if not isinstance(type_, ListType) or not isinstance(type_.item, ZoneType):
            return value
        wanted = ListType(pieces_of(type_.item))
        if isinstance(value, checked.ListOf):
            return checked.ListOf(tuple(self.as_list(item) for item in value.items), wanted, value.span)
        if isinstance(value, checked.Gather) and value.body is not None:
            return checked.Gather(value.slot, value.source, value.where, self.as_list(value.body), wanted, value.span)
        slot = scope.frame.fresh()
        one = self.as_list(checked.Local(slot, type_.item, value.span))
        return checked.Gather(slot, value, None, one, wanted, value.span)

    def coerced(self, scope: Scope, value: checked.Expr, wanted: Type) -> checked.Expr:
        """The value in the shape that is wanted, where a zone may stand for a list."""
        if isinstance(wanted, ListType):
            value = self.as_list(value)
            if isinstance(wanted.item, ListType):
                value = self.as_lists(scope, value)
        return value

    def fit(self, scope: Scope, value: checked.Expr, wanted: Type, what: str) -> checked.Expr:
        """The value made to fit the type that is wanted, or an error."""
        shaped = self.coerced(scope, value, wanted)
        if fits(shaped.type, wanted):
            return shaped
        hint = self._fit_hint(value, wanted)
        return self.failed("W304", f"{what} must be {words(wanted)}", value.span, f"this is {words(value.type)}", hint)

    def _fit_hint(self, value: checked.Expr, wanted: Type) -> str:
        found = self.as_list(value).type
        if isinstance(found, ListType) and found.item is not None and fits(found.item, wanted):
            return "take one element: first(...), last(...) or an index like [1]"
        if isinstance(wanted, ListType) and wanted.item is not None and fits(value.type, wanted.item):
            return "a list of one element is written in brackets: [x]"
        if isinstance(found, PieceType) and isinstance(wanted, PieceType):
            return f"narrow the list it comes from to its kind, as in Z[{wanted.kinds[0]}]"
        if isinstance(found, ListType) and isinstance(wanted, ListType) and isinstance(found.item, PieceType):
            kinds = wanted.item.kinds if isinstance(wanted.item, PieceType) else ()
            return f"narrow it to its kind, as in Z[{kinds[0]}]" if kinds else ""
        if isinstance(wanted, ZoneType) and wanted.grid and isinstance(found, ListType):
            return "only a zone declared with a grid has cells"
        return ""

    def typed(self, scope: Scope, node: syntax.Expression, wanted: Type, what: str) -> checked.Expr:
        """An expression that must have a type."""
        return self.fit(scope, self.expr(scope, node, wanted), wanted, what)

    def list_of(self, scope: Scope, node: syntax.Expression, what: str) -> tuple[checked.Expr, Type]:
        """An expression that must be a list, and the type of its elements."""
        value = self.as_list(self.expr(scope, node))
        if isinstance(value.type, ListType):
            return value, UNKNOWN if value.type.item is None else value.type.item
        if isinstance(value.type, UnknownType):
            return value, UNKNOWN
        hint = ""
        if str(value.type) == "region":
            hint = "a region is tested, not listed: [f in cells(G) where R has f]"
        wrong = self.failed(
            "W304", f"{what} must be a list or a zone", value.span, f"this is {words(value.type)}", hint
        )
        return wrong, UNKNOWN

    # ------------------------------------------------------------ binding

    def bind(self, scope: Scope, name: syntax.Name, type_: Type, *, shown: bool = True) -> Scope:
        """Binds a name, unless it already stands for something else."""
        self.refuse_shadow(scope.names.get(name.text), name)
        return scope.bound(name.text, type_, name.span, shown=shown)

    def refuse_shadow(self, other: Bound | None, name: syntax.Name) -> None:
        if other is not None:
            known: tuple[str, Span] | None = (f"the name '{name.text}' bound before", other.span)
        elif name.span.file.startswith(LIBRARY):
            known = None  # the library cannot know the names of every game, and never speaks of them
        else:
            known = self.names.declared(name.text) or self.names.given(name.text)
        word = self.names.word(name.text)
        if known is None and not word:
            return
        what, related = (word, ()) if known is None else (known[0], (Related(known[1], "the other one"),))
        self.error(
            "W302",
            f"'{name.text}' already stands for {what}",
            name.span,
            "this name is taken",
            "choose another name: nothing may hide something else",
            related,
        )
