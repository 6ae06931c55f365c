"""A law that did not hold: which, in what words, and where in the rules."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from attrs import frozen

from interpreter import LawViolationError, PlayError, RulesError
from warlock_dsl import NOWHERE, Span

FREE = {
    "pieces": "every piece lies in one place; none comes from nowhere or goes there",
    "counters": "every counter stays within its range",
    "dead_end": "the rules never ask for what cannot be done",
    "ends": "every game comes to an end",
    "hidden": "what a player cannot see changes nothing that this player sees or is offered",
    "copy": "a copy of a game plays on like the game, and neither touches the other",
    "save": "a game that was saved and loaded is the same game",
    "undo": "taking back an answer gives the position before it",
    "replay": "the same answers give the same game",
    "backends": "every way of running the rules plays the same game",
    "machine": "whatever is played, the machine itself does not fail",
}
"""The laws that hold for every game without being written, and what each says."""


@frozen
class Violation:
    """A law, by its name (`invariant.NAME`, or one of `FREE`), and what was seen of its violation."""

    law: str
    message: str
    rule: str = ""
    span: Span = NOWHERE
    hint: str = ""

    @property
    def key(self) -> str:
        """What makes two of them the same finding: a law that is written, or a free one and where it broke."""
        return self.law if self.law.startswith("invariant") else f"{self.law} {self.rule}".strip()


class ViolationError(Exception):
    """Raised where a free law is seen not to hold."""

    def __init__(self, law: str, message: str, rule: str = "", span: Span = NOWHERE) -> None:
        super().__init__(message)
        self.violation = Violation(law, message, rule, span)


def violation_of(error: Exception) -> Violation:
    """The violation an exception tells of. What no error of the rules explains is one of the machine."""
    if isinstance(error, ViolationError):
        return error.violation
    if isinstance(error, LawViolationError):
        return Violation(error.law or "invariant", error.message, error.rule, error.span, error.hint)
    if isinstance(error, RulesError):
        return Violation("dead_end", error.message, error.rule, error.span, error.hint)
    if isinstance(error, PlayError):
        return Violation("machine", f"an option that was offered is refused: {error.message}", error.rule, error.span)
    return Violation("machine", f"{type(error).__name__}: {error}"[:300])


class Caught:
    """What came out of a stretch of play: a violation, or nothing."""

    def __init__(self) -> None:
        self.violation: Violation | None = None


@contextmanager
def caught() -> Iterator[Caught]:
    """Whatever goes wrong inside is a finding, not the end of the search."""
    held = Caught()
    try:
        yield held
    except Exception as error:
        held.violation = violation_of(error)
