"""A run-time error for whoever started the game: the rule, its line, and the answers that lead there."""

from __future__ import annotations

from typing import Any

from interpreter import PlayError
from warlock_dsl import NOWHERE, excerpt

MAX_ANSWERS = 60  # that a message lists; a replay holds them all


def error_text(error: PlayError) -> str:
    """The error in words, the line of the rules under it, and how the game got there."""
    lines = [f"warlock: the rules are wrong: {error}"]
    reached = error.reached
    if reached is not None and error.span is not NOWHERE:
        lines += excerpt(error.span, reached.ruleset.components.files)
    if error.hint:
        lines.append(f"  hint: {error.hint}")
    if reached is not None:
        shown = str(reached)
        if len(reached.replay["answers"]) > MAX_ANSWERS:
            shown = f"{shown.partition(', answers: ')[0]}, {len(reached.replay['answers'])} answers"
        lines.append(f"  the game that leads there: {shown}")
    return "\n".join(lines)


def error_data(error: PlayError) -> dict[str, Any]:
    """The same for a script; `replay` is one that ends in the error."""
    found: dict[str, Any] = {"error": str(error), "message": error.message, "rule": error.rule, "hint": error.hint}
    if error.span is not NOWHERE:
        found |= {"file": error.span.file, "line": error.span.line, "column": error.span.column}
    if error.reached is not None:
        found["replay"] = error.reached.replay
    return found
