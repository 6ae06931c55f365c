"""What can go wrong while a game runs: an error in the rules, a broken law, an answer or a file that does not fit."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from warlock_dsl import NOWHERE, Ruleset, Span

SCORE = "score."  # how the address of a part of the score begins


@frozen
class Reached:
    """The game in which an error was met, as a replay whose last answer is the one that the rules could not bear."""

    ruleset: Ruleset
    replay: dict[str, Any]

    def __str__(self) -> str:
        game, answers = self.replay, ", ".join(self.replay["answers"]) or "none"
        return f"{game['ruleset']}, {game['players']} players, seed {game['seed']}, answers: {answers}"


class PlayError(Exception):
    """An error met while a game runs, with the rule and the place in it where that was known, and the game."""

    reached: Reached | None = None

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
        score = self.rule.startswith(SCORE)
        what = f"score {self.rule.removeprefix(SCORE)}" if score else f"rule {self.rule}"
        rule = f" (in {what})" if self.rule else ""
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
