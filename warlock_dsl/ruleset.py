"""A checked ruleset: what loading gives, with every fault that was found on the way."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import field, frozen

from warlock_dsl.core import Program
from warlock_dsl.diagnostics import Diagnostic, Severity
from warlock_dsl.model import Components


@frozen(eq=False)
class Ruleset:
    """A game that checked without an error. Two loads are two rulesets; the hash says whether they are the same."""

    name: str
    hash: str
    components: Components = field(repr=False)
    program: Program = field(repr=False)


@frozen
class Loaded:
    """What loading gave: the ruleset (None after an error), every fault, and the texts they point into."""

    ruleset: Ruleset | None
    diagnostics: tuple[Diagnostic, ...]
    sources: Mapping[str, str] = field(repr=False)

    def count(self, severity: Severity) -> int:
        return sum(1 for d in self.diagnostics if d.severity is severity)
