"""What can go wrong while a game runs: an error in the rules, a broken law, an answer or a file that does not fit."""

from __future__ import annotations

from warlock_dsl import NOWHERE, Span


class PlayError(Exception):
    """An error met while a game runs, with the rule and the place in it where that was known."""

    def __init__(self, message: str, rule: str = "", span: Span = NOWHERE, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.rule = rule
        self.span = span
        self.hint = hint

    def at(self, rule: str, span: Span) -> PlayError:
        """The same error with its place, unless it has one."""
        if self.span is NOWHERE:
            self.span = span
        if not self.rule:
            self.rule = rule
        return self

    def __str__(self) -> str:
        place = f"{self.span.file}:{self.span.line}:{self.span.column}: " if self.span is not NOWHERE else ""
        rule = f" (in rule {self.rule})" if self.rule else ""
        return f"{place}{self.message}{rule}"


class RulesError(PlayError):
    """The rules ask for something that cannot be done: no option, no room, too much work."""


class LawViolationError(PlayError):
    """A law does not hold: `invariant.NAME`, or one that every game has (`pieces`, `counters`)."""

    def __init__(self, message: str, rule: str = "", span: Span = NOWHERE, hint: str = "", law: str = "") -> None:
        super().__init__(message, rule, span, hint)
        self.law = law


def broken(invariant: str, span: Span) -> LawViolationError:
    """What is raised where an invariant of the ruleset does not hold."""
    return LawViolationError(f"the invariant '{invariant}' does not hold", span=span, law=f"invariant.{invariant}")


class AnswerError(PlayError):
    """An answer that is not on offer, or no question open."""


class GameFileError(PlayError):
    """A save or a replay that does not fit."""
