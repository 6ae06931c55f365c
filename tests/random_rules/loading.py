"""Loads a random ruleset by the stages of the ordinary loader, without the checks that only warn."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import frozen

from warlock_dsl import load as loader
from warlock_dsl.check.check import CHECKS
from warlock_dsl.check.context import CheckInput
from warlock_dsl.check.guards.late_needs import check_late_needs
from warlock_dsl.check.guards.unforeseen import check_unforeseen
from warlock_dsl.check.suppress import doubts
from warlock_dsl.diagnostics.diagnostic import Diagnostic, Severity
from warlock_dsl.ruleset import Ruleset

REFUSING = tuple(check for check in CHECKS if check in (check_late_needs, check_unforeseen))  # those with errors


@frozen
class RandomRuleset:
    """The ruleset, or why it was refused."""

    ruleset: Ruleset | None
    errors: tuple[Diagnostic, ...]


def refuse(loading: loader.Loading) -> loader.Loading:
    """The checks that can refuse a ruleset; those that warn of it are left out."""
    program, components = loading.program, loading.components
    if program is None or components is None or program.start < 0:
        return loading
    suspects = doubts(loading.diagnostics, loading.sources)
    given = CheckInput(program, components, loading.modules, loading.layers, frozenset(), suspects)
    return loading.having(error for check in REFUSING for error in check(given))


def load_case(files: Mapping[str, str]) -> RandomRuleset:
    loading = loader.begin(files, "random", (), ())
    for stage in loader.STAGES:
        loading = refuse(loading) if stage is loader.lint_rules else stage(loading)
    errors = tuple(one for one in loading.diagnostics if one.severity is Severity.ERROR)
    return RandomRuleset(loading.ruleset, errors)
