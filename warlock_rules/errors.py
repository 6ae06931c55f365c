"""What can go wrong: a ruleset with errors, a call that cannot be carried out, and errors while a game runs."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter import AnswerError, GameFileError, LawViolationError, PlayError, RulesError
from warlock_dsl.diagnostics.diagnostic import Diagnostic
from workbench.support.errors import UsageError

__all__ = [
    "AnswerError",
    "GameFileError",
    "LawViolationError",
    "PlayError",
    "RulesError",
    "RulesetError",
    "UsageError",
]


class RulesetError(ValueError):
    """A ruleset that cannot be played; its text shows every error, `diagnostics` has them as values."""

    def __init__(self, text: str, diagnostics: Sequence[Diagnostic]) -> None:
        super().__init__(text)
        self.diagnostics = tuple(diagnostics)
