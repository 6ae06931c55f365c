"""A checked ruleset: what loading gives, with every error that was found on the way."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import field, frozen

from warlock_dsl.check.context import Seen
from warlock_dsl.check.laws.properties import Property
from warlock_dsl.check.program import Program
from warlock_dsl.diagnostics.diagnostic import Diagnostic, Severity
from warlock_dsl.overlay.apply import Layer
from warlock_dsl.stack import Use
from warlock_dsl.syntax.tree import Module
from warlock_dsl.tables.components import Components, Entry


@frozen(eq=False)
class Ruleset:
    """A game that checked without an error. Two loads are two rulesets; the hash says whether they are the same."""

    name: str
    hash: str
    components: Components = field(repr=False)
    program: Program = field(repr=False)
    layers: tuple[Layer, ...] = field(default=(), repr=False)
    digest: str = field(default="", repr=False)  # all of what the hash is the beginning of; "" where nobody knows
    properties: tuple[Property, ...] = field(default=(), repr=False)  # tested over many games, by no machine

    @property
    def language(self) -> str:
        """The language of the edition this is, or "" where none says."""
        return next((layer.language for layer in reversed(self.layers) if layer.language), "")


@frozen
class Final:
    """A ruleset as content, after all overlays: the merged tables, the files of pieces, the names, the declarations."""

    tree: Mapping[str, Any] = field(repr=False)
    pieces: Mapping[str, str] = field(repr=False)
    names: Mapping[str, Mapping[str, Entry]] = field(repr=False)
    modules: tuple[Module, ...] = field(repr=False)


@frozen(eq=False)
class Draft:
    """What was made of a ruleset that may have errors: good to be looked at, not to be played."""

    components: Components = field(repr=False)
    program: Program = field(repr=False)
    layers: tuple[Layer, ...] = field(repr=False)
    seen: tuple[Seen, ...] = field(repr=False)  # every name of the rules, as it was resolved


@frozen
class Loaded:
    """What loading gave: the ruleset (None after an error), every error, and the texts they point into.

    `base` are the files of the game, `stack` the overlays on it with theirs, `final` what they came to.
    """

    ruleset: Ruleset | None
    diagnostics: tuple[Diagnostic, ...]
    sources: Mapping[str, str] = field(repr=False)
    name: str = ""
    base: Mapping[str, str] = field(factory=dict, repr=False)
    stack: tuple[tuple[Use, Mapping[str, str]], ...] = field(default=(), repr=False)
    final: Final | None = field(default=None, repr=False)
    draft: Draft | None = field(default=None, repr=False)  # also after errors, if the tables could be read

    def count(self, severity: Severity) -> int:
        return sum(1 for d in self.diagnostics if d.severity is severity)
