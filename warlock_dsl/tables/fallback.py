"""What is said where a catalogue has no text: which language comes next, and the words that a key itself gives."""

from __future__ import annotations

from collections.abc import Iterable


def by_preference(languages: Iterable[str], own: str = "en") -> list[str]:
    """The languages of a game in the order in which a text is looked for: one's own, English, the others."""
    known = sorted(languages)
    return [one for one in dict.fromkeys((own, "en", *known)) if one in known]


def words_of(key: str) -> str:
    """A name made from a key: its last word, spelt with spaces."""
    return key.rpartition(".")[2].replace("_", " ")
