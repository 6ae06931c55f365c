"""The names of the laws a ruleset has written down."""

from __future__ import annotations

from warlock_dsl.ruleset import Ruleset


def law_names(ruleset: Ruleset) -> list[str]:
    """The invariants of a ruleset by name: of every moment, of the end, then those that hang on a rule."""
    program = ruleset.program
    hung = [hook.law.invariant for rule in program.rules for hook in rule.hooks if hook.law is not None]
    return [law.name for law in (*program.invariants, *program.endings)] + hung
