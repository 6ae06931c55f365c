"""A ruleset as its texts: what another process or machine needs to make the same ruleset again."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from attrs import frozen

from warlock_dsl.load import load_files
from warlock_dsl.ruleset import Loaded, Ruleset
from warlock_dsl.stack import Use

Texts = tuple[tuple[str, str], ...]


@frozen
class RulesetSource:
    """The files of a game and of the overlays on it, ready to be sent away. Equal recipes make equal rulesets."""

    name: str
    base: Texts
    stack: tuple[tuple[str, Texts, Texts], ...]  # of each overlay: its name, the parameters given, its files

    def loaded(self) -> Loaded:
        """The ruleset with all its errors; each process makes it once."""
        return _loaded(self)

    def ruleset(self) -> Ruleset:
        """The ruleset, which must be sound: whoever wrote the recipe has checked it."""
        ruleset = _loaded(self).ruleset
        if ruleset is None:
            raise ValueError(f"{self.name} has errors and cannot be played")
        return ruleset


def source_of(loaded: Loaded) -> RulesetSource:
    """The recipe of what was loaded."""
    stack = tuple((use.name, _texts(use.given), _texts(files)) for use, files in loaded.stack)
    return RulesetSource(loaded.name, _texts(loaded.base), stack)


def _texts(texts: Mapping[str, str]) -> Texts:
    return tuple(sorted(texts.items()))


@lru_cache(maxsize=64)
def _loaded(source: RulesetSource) -> Loaded:
    overlays = [(Use(name, dict(given)), dict(files)) for name, given, files in source.stack]
    return load_files(dict(source.base), source.name, (), overlays)
