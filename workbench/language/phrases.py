"""The workbench's own words by language, and the one safe way a template is filled."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from importlib import resources

_LOCALE = resources.files("workbench.language") / "locale"

# The languages the workbench speaks: the files found. A new one is a new file.
LANGUAGES = tuple(sorted(file.name.removesuffix(".toml") for file in _LOCALE.iterdir() if file.name.endswith(".toml")))

_PLACE = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*)\}")
_BRACES = re.compile(r"\{([^{}]+)\}")


def clean(text: str) -> str:
    """The text without control characters: a name from a stranger's file must not steer the terminal."""
    return "".join(c for c in text if c == "\n" or unicodedata.category(c) not in ("Cc", "Cf", "Co", "Cs"))


def fill(template: str, values: Mapping[str, str], figure: Callable[[str], str] | None = None) -> str:
    """The template with each {name} replaced; a name nobody gave stays as it stands, unless `figure` knows what to say
    for an expression of the rules.

    Templates come from rules folders of strangers, so this is no `str.format`: a placeholder is one plain word, it is
    replaced by a text that was given for it, and what is put in is not looked at again.
    """
    if figure is None:
        return _PLACE.sub(lambda found: values.get(found[1], found[0]), template)
    return _BRACES.sub(lambda found: values[found[1]] if found[1] in values else figure(found[1]), template)


def has_plain_names(template: str) -> bool:
    """Whether nothing but names stands within braces: no expression that has a value only while a question waits."""
    return len(_PLACE.findall(template)) == len(_BRACES.findall(template))


def placeholders(template: str) -> frozenset[str]:
    """The names a template has places for."""
    return frozenset(_PLACE.findall(template))


@lru_cache(maxsize=8)
def _table(lang: str) -> Mapping[str, str]:
    text = (_LOCALE / f"{lang}.toml").read_text(encoding="utf-8")
    return {key: value for key, value in tomllib.loads(text).items() if isinstance(value, str)}


class Phrases:
    """The sentences of the workbench in one language; what a language lacks is said in English."""

    def __init__(self, lang: str = "en") -> None:
        self.lang = lang if lang in LANGUAGES else "en"

    def __call__(self, key: str, **values: str) -> str:
        text = _table(self.lang).get(key) or _table("en").get(key) or key
        return fill(text, values)

    def many(self, key: str, count: int, **values: str) -> str:
        """The sentence for so many; the one for a single one has a key of its own."""
        return self(f"{key}_one" if count == 1 else key, count=self.count(count), **values)

    def count(self, number: int) -> str:
        """A whole number as this language writes it."""
        return f"{number:,}".replace(",", self("thousands_sign"))

    def together(self, items: Sequence[str]) -> str:
        """Several things as a sentence names them: "A", "A and B", "A, B and C"."""
        *first, last = items or [""]
        return self("diff_and").join([", ".join(first), last]) if first else last

    def apart(self, items: Iterable[str]) -> str:
        """Several phrases in one sentence, with the sign that parts them in this language."""
        return self("phrase_sign").join(items)

    def number(self, digits: str) -> str:
        """A number in plain digits as this language writes it."""
        return digits.replace(".", self("decimal_sign"))

    def keys(self) -> frozenset[str]:
        return frozenset(_table(self.lang))
