"""The texts that the languages of a ruleset lack: which of them whoever is on top of the stack should say, and a first
draft of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from warlock_dsl import MissingName, Ruleset, missing_names
from workbench.language.sentences import Words

Missing = Mapping[str, Sequence[MissingName]]  # by language


def missing_texts(ruleset: Ruleset, language: str = "") -> tuple[Missing, Sequence[str]]:
    """What the top of the stack should say, and the overlays below that lack something themselves ("" is the game); of
    one language, or of all that are there."""
    found = missing_names(ruleset.program, ruleset.components, ruleset.layers, language)
    languages = sorted({one for missing in found for one in missing.languages})
    return _owned(ruleset, {one: [missing for missing in found if one in missing.languages] for one in languages})


def _owned(ruleset: Ruleset, missing: Missing) -> tuple[Missing, Sequence[str]]:
    """What the top of the stack should say, and the overlays below that lack something themselves ("" is the game).

    An overlay names what it adds. Only of a language that the game does not have it names everything: a translation.
    """
    top = ruleset.layers[-1].name if ruleset.layers else ""
    names = ruleset.components.names
    below = {one for one, texts in names.items() if any(not text.key.file.startswith("+") for text in texts.values())}
    own: dict[str, list[MissingName]] = {}
    others: set[str] = set()
    for language, found in missing.items():
        for one in found:
            if one.overlay == top or (not one.overlay and language not in below):
                own.setdefault(language, []).append(one)
            else:
                others.add(one.overlay)
    return own, sorted(others)


def first_drafts(ruleset: Ruleset, language: str, missing: Sequence[MissingName]) -> dict[str, str]:
    words = Words(ruleset, language)
    return {one.key: words.first_draft(one.key) for one in missing}
