"""The values that checks are functions of: what resolving the rules needs, and what the checks after it are given."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from attrs import define, field, frozen

from warlock_dsl.check import program as checked
from warlock_dsl.check.names import Bound, Names, Scope
from warlock_dsl.check.suppress import Suspects, doubts
from warlock_dsl.diagnostics.diagnostic import Diagnostic, Related, Severity, Span, closest, suggest
from warlock_dsl.overlay.changes import Layer
from warlock_dsl.syntax import tree as syntax
from warlock_dsl.tables.components import Components
from warlock_dsl.types import UNKNOWN, Type

MAX_DEPTH = 120  # levels of expressions or statements within one another


def bad(span: Span) -> checked.Expr:
    """What replaces an expression with an error: it fits anything, so that its error is reported once."""
    return checked.Const(0, UNKNOWN, span)


HOLE = "hole__"  # a name that stands for one which is not written yet: what could stand there is noted


@frozen
class Gap:
    """What could stand where a name is not written yet: something of a type, if one is asked for, or a local name."""

    wanted: Type | None
    locals: Mapping[str, Bound]


@frozen
class Seen:
    """A name as it was resolved: where it is written, what was made of it, and the local name that it is, if it is."""

    node: syntax.Name | syntax.Attribute | syntax.Index | syntax.Call | syntax.Binary
    made: checked.Expr | None  # None where the name is bound
    bound: Bound | None = None
    gap: Gap | None = None  # of a name that is not written yet


@define
class CheckContext:
    """The state while rules are resolved and typed; the functions of this folder take it as their first argument.

    `form` is the one knot: a call has arguments and a lookup has keys, which are expressions again. The modules of
    calls and lookups cannot import the one that knows every form of expression, because that one imports them; so the
    context carries its entry, and `fit.expression` is the only one who calls it.
    """

    components: Components
    names: Names
    form: Callable[[CheckContext, Scope, syntax.Expression, Type | None], checked.Expr]
    unit: int = 1  # how many of the smallest unit make one whole
    diagnostics: list[Diagnostic] = field(factory=list)
    seen: list[Seen] = field(factory=list)  # every name that was resolved, for the index
    depth: int = 0  # expressions around the one at hand
    too_deep: bool = False  # the expression at hand was reported to be nested too deeply
    contested: set[str] = field(factory=set)  # names declared a second time; a call may mean the one that was refused
    taken: set[Span] = field(factory=set)  # names an overlay adds that its game binds, told once
    about_me: set[int] = field(factory=set)  # numbers of the definitions whose value depends on who acts
    comparisons: int = 100_000  # words that are still compared to find what was meant

    @property
    def kind_order(self) -> tuple[str, ...]:
        return tuple(self.components.kinds)

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
        self.diagnostics.append(Diagnostic(code, message, span, label, hint, severity, related))

    def note(
        self, scope: Scope, node: syntax.Expression, made: checked.Expr, wanted: Type | None = None
    ) -> checked.Expr:
        """Keeps what a name means, for the index; gives it back."""
        if isinstance(node, syntax.Name):
            gap = Gap(wanted, scope.names) if node.text == HOLE else None
            self.seen.append(Seen(node, made, scope.names.get(node.text), gap))
        elif isinstance(node, syntax.Attribute | syntax.Index | syntax.Call | syntax.Binary):
            self.seen.append(Seen(node, made))
        return made

    def failed(self, code: str, message: str, span: Span, label: str = "", hint: str = "") -> checked.Expr:
        """Reports an error and gives the expression that replaces what is wrong."""
        self.error(code, message, span, label, hint)
        return bad(span)

    def closest(self, word: str, known: Iterable[str]) -> str:
        """A did-you-mean, as long as searching for one stays cheap: a great many errors have no use for them."""
        return closest(word, words) if self._affordable(words := list(known)) else ""

    def suggest(self, word: str, known: Iterable[str], what: str) -> str:
        return suggest(word, words, what) if self._affordable(words := list(known)) else ""

    def _affordable(self, known: list[str]) -> bool:
        self.comparisons -= len(known)
        return self.comparisons >= 0


@frozen
class CheckInput:
    """What a check of the whole program is given. What is in doubt is not called unused: it may be used after all."""

    program: checked.Program
    components: Components
    modules: Sequence[syntax.Module]
    layers: Sequence[Layer] = ()  # the overlays as they were applied, the topmost last
    retired: frozenset[str] = frozenset()  # ids of sources that only what an overlay took away carried out
    suspects: Suspects = field(factory=lambda: doubts((), {}))  # what a declaration with an error mentions
    properties: Sequence[object] = ()  # of many games: they read definitions and tables, too


Check = Callable[[CheckInput], Iterable[Diagnostic]]
