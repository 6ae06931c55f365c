"""The signatures of the primitives, read from the words in which they are written, and matched against types."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence

from attrs import frozen

from warlock_dsl.primitives import ATTRIBUTES, FUNCTIONS, KEYED, VALUES
from warlock_dsl.types import (
    CELL,
    NUMBER,
    PLAYER,
    REGION,
    TRUTH,
    UNKNOWN,
    ListType,
    PieceType,
    Type,
    UnknownType,
    ZoneType,
    fits,
    join,
)


@frozen
class Hole:
    """`T`: any type, the same wherever the letter stands. `P`: a piece."""

    letter: str


@frozen
class ListOf:
    item: Pattern


@frozen
class Either:
    """`cell or piece`"""

    options: tuple[Pattern, ...]


@frozen
class Exactly:
    type: Type


Pattern = Hole | ListOf | Either | Exactly


@frozen
class Signature:
    """`first([T], T?) -> T`: the last argument may be left out or repeated."""

    name: str
    parameters: tuple[Pattern, ...]
    minimum: int
    repeats: bool
    result: Pattern
    text: str
    key: Pattern | None = None  # of a keyed fold: what is asked of each element

    @property
    def maximum(self) -> int | None:
        return None if self.repeats else len(self.parameters)

    def parameter(self, place: int) -> Pattern:
        return self.parameters[min(place, len(self.parameters) - 1)]


NAMED: dict[str, Type] = {
    "number": NUMBER,
    "truth": TRUTH,
    "player": PLAYER,
    "cell": CELL,
    "region": REGION,
    "zone": ZoneType(),
    "grid": ZoneType((), True),
    "piece": PieceType(),
}

_SIGNATURE = re.compile(r"(?P<name>\w+)\((?P<inside>.*)\) -> (?P<result>.+)")


def _pattern(text: str) -> Pattern:
    text = text.strip()
    if " or " in text and not text.startswith("["):
        return Either(tuple(_pattern(part) for part in text.split(" or ")))
    if text.startswith("["):
        return ListOf(_pattern(text[1:-1]))
    if text in NAMED:
        return Exactly(NAMED[text])
    return Hole(text)


def _read(text: str) -> Signature:
    match = _SIGNATURE.fullmatch(text)
    if match is None:
        raise ValueError(f"not a signature: {text}")
    patterns: list[Pattern] = []
    minimum = 0
    repeats = False
    key = None
    for part in match["inside"].split(","):
        word = part.strip()
        if " in " in word:  # a keyed fold: what counts is the list it runs over
            word, asked = word.split(" in ")[1].split(": ")
            key = _pattern("number or [number]" if asked == "key" else asked)
        repeats = repeats or word.endswith("...")
        minimum += 0 if word.endswith(("?", "...")) else 1
        patterns.append(_pattern(word.removesuffix("...").removesuffix("?")))
    return Signature(match["name"], tuple(patterns), minimum, repeats, _pattern(match["result"]), text, key)


@functools.cache
def signatures() -> dict[str, Signature]:
    """Every function and keyed fold, by name."""
    return {one.name: _read(one.signature) for one in (*FUNCTIONS, *KEYED)}


@functools.cache
def values() -> dict[str, Type]:
    """The type of every value, by name."""
    return {one.name: filled(_pattern(one.signature), {}) or UNKNOWN for one in VALUES}


@functools.cache
def attributes() -> dict[str, Type]:
    """The type of every attribute of a piece, by name; but for those whose type depends on the kind of the piece."""
    found = {one.name: filled(_pattern(one.signature.split(" -> ")[1]), {}) for one in ATTRIBUTES}
    return {name: type_ for name, type_ in found.items() if type_ is not None}


def filled(pattern: Pattern, bound: dict[str, Type]) -> Type | None:
    """The type a pattern stands for once its letters are bound; nothing while one is open."""
    if isinstance(pattern, Hole):
        return bound.get(pattern.letter)
    if isinstance(pattern, ListOf):
        item = filled(pattern.item, bound)
        return None if item is None else ListType(item)
    return pattern.type if isinstance(pattern, Exactly) else None


def result_of(pattern: Pattern, bound: dict[str, Type]) -> Type:
    """The type of a result; what no argument settled is unknown, or the empty list."""
    if isinstance(pattern, ListOf):
        return ListType(filled(pattern.item, bound))
    return filled(pattern, bound) or UNKNOWN


def matches(pattern: Pattern, found: Type, bound: dict[str, Type], order: Sequence[str]) -> bool:
    """Whether a type fits a pattern; binds the letters of the pattern as it goes."""
    if isinstance(found, UnknownType):
        return True
    if isinstance(pattern, Hole):
        if pattern.letter == "P" and not isinstance(found, PieceType):
            return False
        known = bound.get(pattern.letter)
        both = found if known is None else join(known, found, order)
        if both is not None:
            bound[pattern.letter] = both
        return both is not None
    if isinstance(pattern, ListOf):
        if not isinstance(found, ListType):
            return False
        return found.item is None or matches(pattern.item, found.item, bound, order)
    if isinstance(pattern, Either):
        return any(matches(option, found, bound, order) for option in pattern.options)
    return fits(found, pattern.type)


def takes_list(pattern: Pattern) -> bool:
    """Whether a list may stand here."""
    if isinstance(pattern, Either):
        return any(takes_list(option) for option in pattern.options)
    return isinstance(pattern, ListOf)


def said(pattern: Pattern) -> str:
    """What a pattern asks for, in words."""
    if isinstance(pattern, Hole):
        return "a piece" if pattern.letter == "P" else "a value of the same type as the others"
    if isinstance(pattern, Either):
        return " or ".join(said(option) for option in pattern.options)
    if isinstance(pattern, Exactly):
        return f"a {pattern.type}"
    inner = pattern.item
    if isinstance(inner, ListOf):
        return "a list of lists" if isinstance(inner.item, Hole) else f"a list of lists of {_several(inner.item)}"
    return "a list" if inner == Hole("T") else f"a list of {_several(inner)}"


def _several(pattern: Pattern) -> str:
    if isinstance(pattern, Exactly):
        return f"{pattern.type}s"
    return "pieces" if isinstance(pattern, Hole) and pattern.letter == "P" else "values"
