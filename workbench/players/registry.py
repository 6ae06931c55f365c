"""The kinds of bots there are, and how a seat is written: `greedy`, `greedy(tries=8)`, `greedy(tries=8)=Ann`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from attrs import field, frozen

from warlock_dsl import suggest
from workbench.language.phrases import clean
from workbench.players.base import Bot, First, Random
from workbench.players.greedy import Greedy
from workbench.players.search import Mcts, MonteCarlo
from workbench.support.errors import UsageError

SPELLING = re.compile(r"(?P<kind>[^()=]*)(?:\((?P<given>[^()]*)\))?(?:=(?P<name>.*))?\Z", re.DOTALL)
BETWEEN = re.compile(r",(?![^(]*\))")  # a comma that stands in no brackets
PAIR = re.compile(r"\s*(?P<name>[a-z_]+)\s*=\s*(?P<value>[0-9]{1,9}(?:\.[0-9]{1,6})?)\s*\Z")


@frozen
class Range:
    """What a parameter of a bot may be, and what it is if nothing is said."""

    default: int | float
    minimum: int | float
    maximum: int | float


@frozen
class Kind:
    """A kind of bot: how one is made, and its parameters. One that `thinks` takes its time."""

    make: Callable[..., Bot]
    about: str
    parameters: Mapping[str, Range] = field(factory=dict)
    thinks: bool = False


SEARCH = {"iterations": Range(200, 1, 1_000_000), "seconds": Range(0.0, 0, 3600), "horizon": Range(40, 1, 100_000)}
KINDS: dict[str, Kind] = {
    "random": Kind(Random, "takes any option, each as likely"),
    "first": Kind(lambda seed: First(), "always takes the first option"),
    "greedy": Kind(
        Greedy,
        "tries every option and takes what scores best at once",
        {"tries": Range(4, 1, 1000), "horizon": Range(8, 1, 1000)},
        True,
    ),
    "montecarlo": Kind(
        MonteCarlo,
        "plays on at random after every option, and takes what turns out best",
        {**SEARCH, "look": Range(0, 0, 1000)},
        True,
    ),
    "mcts": Kind(
        Mcts,
        "searches through what could be, over all it cannot see",
        {**SEARCH, "explore": Range(0.5, 0, 100), "look": Range(4, 0, 1000)},
        True,
    ),
}

BOTS: dict[str, Callable[[int], Bot]] = {name: kind.make for name, kind in KINDS.items()}


@frozen
class SeatSpec:
    """A seat as it was written: the kind, its parameters (those of a bot, tested) and a name, or none."""

    kind: str
    given: tuple[tuple[str, int | float], ...]
    name: str = ""

    @property
    def bot(self) -> str:
        """The bot without its name, always written in the same way."""
        inside = ",".join(f"{name}={value}" for name, value in self.given)
        return f"{self.kind}({inside})" if inside else self.kind


def split_seats(text: str) -> list[str]:
    """The seats of a list with commas; commas in brackets belong to a seat."""
    return [word.strip() for word in BETWEEN.split(text)]


def spec(word: str, others: tuple[str, ...] = ()) -> SeatSpec:
    """Read a seat; `others` are kinds that are no bots (a person)."""
    found = SPELLING.match(word)
    kind = found["kind"].strip() if found else word
    if found is None or kind not in (*others, *KINDS):
        known = (*others, *KINDS)
        raise UsageError(f"no seat is called '{clean(kind)[:40]}'; there are: {', '.join(known)}")
    given = _given(kind, found["given"] or "") if kind in KINDS else ()
    if kind not in KINDS and found["given"] is not None:
        raise UsageError(f"'{kind}' takes nothing in brackets")
    return SeatSpec(kind, given, (found["name"] or "").strip()[:40])


def _given(kind: str, text: str) -> tuple[tuple[str, int | float], ...]:
    """The parameters of a bot, by name, each tested against its range."""
    values: dict[str, int | float] = {}
    known = KINDS[kind].parameters
    for pair in text.split(",") if text.strip() else ():
        found = PAIR.match(pair)
        if found is None:
            raise UsageError(f"'{clean(pair).strip()[:40]}' sets nothing for '{kind}': write name=number")
        name = found["name"]
        if name not in known:
            hint = suggest(name, known, "parameters")
            raise UsageError(f"'{kind}' has no parameter '{name}'; {hint}")
        if name in values:
            raise UsageError(f"'{name}' of '{kind}' is given twice")
        values[name] = _value(kind, name, found["value"], known[name])
    return tuple(sorted(values.items()))


def _value(kind: str, name: str, text: str, bounds: Range) -> int | float:
    whole = isinstance(bounds.default, int)
    if whole and "." in text:
        raise UsageError(f"'{name}' of '{kind}' is a whole number, not {text}")
    value = int(text) if whole else float(text)
    if not bounds.minimum <= value <= bounds.maximum:
        raise UsageError(f"'{name}' of '{kind}' is from {bounds.minimum} to {bounds.maximum}, not {text}")
    return value


@lru_cache(maxsize=256)
def _read(word: str) -> SeatSpec:
    return spec(word)


def bot_of(word: str, seed: int) -> Bot:
    """The bot of a seat; its dice begin with this seed."""
    seat = _read(word)
    given: dict[str, Any] = dict(seat.given)
    return KINDS[seat.kind].make(seed, **given)


def thinks(word: str) -> bool:
    """Whether the bot of a seat takes its time."""
    return KINDS[_read(word).kind].thinks
