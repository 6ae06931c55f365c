"""Which pieces are alike to somebody who follows a game elsewhere: what one would call them, not which they are."""

from __future__ import annotations

from functools import lru_cache

from interpreter import called, words_in
from warlock_dsl import Ruleset


@lru_cache(maxsize=16)
def piece_classes(ruleset: Ruleset) -> dict[str, str]:
    """For each piece what one would call it, found once for a ruleset."""
    return called(ruleset.components)


@lru_cache(maxsize=20_000)
def piece_names(ruleset: Ruleset, key: str) -> str:
    """The key of an answer with every piece in it replaced by what it is called; "" where it names no piece."""
    classes = piece_classes(ruleset)
    words = words_in(key)
    if not any(word in classes for word in words):
        return ""
    return ("+" if key.startswith("+") else "") + "+".join(sorted(classes.get(word, word) for word in words))
