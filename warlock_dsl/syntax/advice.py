"""What a row of advice about malformed text is made of; the rows are in advice_lines and advice_words."""

from __future__ import annotations

import re

from attrs import field, frozen

from warlock_dsl.syntax.keywords import COMPARISONS, DECLARING, HEADS, HOOKING, JOINING, KEYWORDS, VERBS


def _kinds(words: str) -> frozenset[str]:
    """Terminals from a line of them; a word in lower case stands for its group."""
    kinds: set[str] = set()
    for word in words.split():
        kinds |= GROUPS.get(word, {word})
    return frozenset(kinds)


def _pattern(text: str | None) -> re.Pattern[str] | None:
    return re.compile(text) if text else None


def _terminals(words: tuple[str, ...] | frozenset[str]) -> frozenset[str]:
    return frozenset(word.upper() for word in words)


GROUPS = {
    "verbs": _terminals(VERBS),
    "declaring": _terminals(DECLARING),
    "comparing": COMPARISONS,
    "reserved": _terminals(KEYWORDS),
    "plain": _terminals(KEYWORDS) - _terminals((*JOINING, "true", "false", "not", "can", "if")),
    "ends": frozenset({"$END", "_DEDENT"}),
    "operators": COMPARISONS | {"AND", "OR", "PLUS", "MINUS", "TIMES", "RANGE", "DOT"},
}
# Parts of patterns: the words that take a body, and those that hang a rule on another.
HEAD = "|".join(("rule", "else", *HEADS))
HOOK = "|".join(HOOKING)


@frozen
class Advice:
    """A malformed example, what singles it out, and what to say. Words in braces are filled in.

    `kinds`: the terminal met (any, when empty); `accepts` and `refuses`: terminals that would, or would not, do;
    `before`, `after`, `last`: patterns on the line up to the error, from it on, and on the last line before it;
    `inside`: whether brackets are open. `place`: here, the whole word, the sign that `after` found, the verb that
    `before` found, behind the last word, or the bracket still open. `instead`: what to write there, if that is all.
    """

    example: str
    code: str
    message: str
    hint: str
    kinds: frozenset[str] = field(default="", converter=_kinds, kw_only=True)
    before: re.Pattern[str] | None = field(default=None, converter=_pattern, kw_only=True)
    after: re.Pattern[str] | None = field(default=None, converter=_pattern, kw_only=True)
    last: re.Pattern[str] | None = field(default=None, converter=_pattern, kw_only=True)
    accepts: frozenset[str] = field(default="", converter=_kinds, kw_only=True)
    refuses: frozenset[str] = field(default="", converter=_kinds, kw_only=True)
    inside: bool | None = field(default=None, kw_only=True)
    label: str = field(default="", kw_only=True)
    place: str = field(default="here", kw_only=True)
    instead: str | None = field(default=None, kw_only=True)
