"""Rulesets by name or folder: loaded and checked."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from warlock_dsl.diagnostics.diagnostic import Diagnostic, Severity
from warlock_dsl.diagnostics.render import render_text
from warlock_dsl.files import default_roots
from warlock_dsl.ruleset import Loaded, Ruleset
from warlock_rules.errors import RulesetError
from workbench.support.rulesets import load_named

Roots = Sequence[str | Path]


def load(name: str | Path, rules: Roots = ()) -> Ruleset:
    """The ruleset of a name (`maldorf`, `maldorf+fr`) or in a folder; `RulesetError` if it has errors.

    `rules` are folders to look in before the current one and the games that are shipped.
    """
    found = loaded(name, rules).ruleset
    assert found is not None
    return found


def check(name: str | Path, rules: Roots = ()) -> tuple[Diagnostic, ...]:
    """Everything there is to say about a ruleset: errors, warnings and notes, each with its place."""
    return load_named(str(name), default_roots([Path(folder) for folder in rules])).diagnostics


def loaded(name: str | Path, rules: Roots = ()) -> Loaded:
    """A ruleset with the texts it was made of; `RulesetError` if it has errors."""
    found = load_named(str(name), default_roots([Path(folder) for folder in rules]))
    if found.ruleset is None:
        errors = [one for one in found.diagnostics if one.severity is Severity.ERROR]
        raise RulesetError(render_text(errors, found.sources).rstrip("\n"), errors)
    return found


def ruleset_given(ruleset: Ruleset | str | Path) -> Ruleset:
    """A ruleset that was loaded, or one by its name or folder."""
    if isinstance(ruleset, Ruleset):
        return ruleset
    if not isinstance(ruleset, str | Path):
        found = "None" if ruleset is None else f"a {type(ruleset).__name__}"
        raise TypeError(f"a ruleset, its name or its folder is wanted, not {found}")
    return load(ruleset)
