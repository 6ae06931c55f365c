"""Collecting the errors of a rules folder: by place, and at most as many as a person would read."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice

from attrs import define, field

from warlock_dsl.diagnostics.diagnostic import Diagnostic, Related, Severity, Span, suggest

MAX_ERRORS = 200
MAX_WORDS = 2000
MAX_QUOTE_LENGTH = 48


def quoted(text: object) -> str:
    """A word of the user's between quotes, cut if it is absurdly long."""
    word = str(text)
    return f"'{word}'" if len(word) <= MAX_QUOTE_LENGTH else f"'{word[: MAX_QUOTE_LENGTH - 3]}...'"


def near(word: str, known: Iterable[str], what: str) -> Callable[[], str]:
    """A hint that is searched for only if it is shown, and never among more words than a person could mean."""
    return lambda: suggest(word, islice(known, MAX_WORDS), what, 20)


@define
class DiagnosticList:
    """A growing list of diagnostics."""

    found: list[Diagnostic] = field(factory=list)
    codes: set[str] = field(factory=set)
    unshown: int = 0

    def copy(self) -> DiagnosticList:
        return DiagnosticList(list(self.found), set(self.codes), self.unshown)

    def add(
        self,
        code: str,
        message: str,
        span: Span,
        label: str = "",
        hint: str | Callable[[], str] = "",
        related: tuple[Related, ...] = (),
    ) -> None:
        """Note an error. A hint that costs a search is given as a function, so that a great many errors stay cheap."""
        self.codes.add(code)
        if len(self.found) >= MAX_ERRORS:
            self.unshown += 1
            return
        text = hint if isinstance(hint, str) else hint()
        self.found.append(Diagnostic(code, message, span, label, text, Severity.ERROR, related))

    def extend(self, diagnostics: Iterable[Diagnostic]) -> None:
        for one in diagnostics:
            self.codes.add(one.code)
            if len(self.found) >= MAX_ERRORS:
                self.unshown += 1
            else:
                self.found.append(one)

    @property
    def full(self) -> bool:
        return len(self.found) >= MAX_ERRORS

    def all(self) -> list[Diagnostic]:
        """The errors by place. Where there were too many, a last note says how many are left out."""
        listed = sorted(self.found, key=lambda one: (one.span, one.code, one.message))
        if self.unshown and listed:
            text = f"{self.unshown} further errors are not shown"
            listed.append(Diagnostic("W299", text, listed[-1].span, severity=Severity.NOTE))
        return listed
