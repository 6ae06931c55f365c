"""What can be noticed of a game from outside: what was asked and answered, how much lies where, what counters say.

The search counts in how many games each trait was seen, and goes on from where the rare ones were.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

from interpreter import Game, Option, Shown
from warlock_dsl import Ruleset
from warlock_dsl import types as t
from workbench.transcripts.piece_names import piece_classes

MAX_COUNTED = 40  # pieces in a zone that are told apart by their number


def class_of(ruleset: Ruleset, option: Option) -> str:
    """What an option is like, coarsely: options of one class are worth trying about equally."""
    if option.value.what == "none":
        return option.what
    return f"{option.what} {_like(piece_classes(ruleset), option.value)}"


class OptionClasses:
    """What the options of a game are like. Where its key says all of an option, that is worked out once."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.known: dict[tuple[str, str], str] = {}  # by question and key

    def of(self, game: Game) -> list[str]:
        said = game.machine.options_said(game.state)
        found = [None if one is None else self.known.get((one.question, one.key)) for one in said]
        if None in found:
            found = [class_of(self.ruleset, option) for option in game.options()]
            for one, like in zip(said, found, strict=True):
                if one is not None and like is not None:
                    self.known[one.question, one.key] = like
        return [like for like in found if like is not None]


@lru_cache(maxsize=16)
def option_classes(ruleset: Ruleset) -> OptionClasses:
    return OptionClasses(ruleset)


def _like(classes: dict[str, str], value: Shown) -> str:
    match value.what:
        case "piece":
            return classes.get(value.name, value.of)
        case "row" | "key" | "zone" | "truth" | "number":
            return value.name
        case "list":
            return f"{len(value.items)} of {' '.join(sorted(_like(classes, item) for item in value.items[:6]))}"
        case _:
            return value.what


class StateFeatures:
    """The traits of one game: for each the number of decisions after which it was first there."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.first: dict[tuple[str, ...], int] = {}
        self.taken: Counter[tuple[str, str]] = Counter()
        self._sizes: list[int] = []
        self._values: list[object] = []

    def answered(self, question: str, answer: str, after: int) -> None:
        """Notice an answer, by its class."""
        self.taken[question, answer] += 1
        self.first.setdefault(("answer", question, answer), after)

    def stands(self, game: Game) -> None:
        """Notice the table as it stands, and which rules are under way."""
        after, machine, state = len(game.answers), game.machine, game.state
        layout, note = machine.layout, self.first.setdefault
        sizes, values = machine.sizes(state), machine.values(state)
        for number, size in enumerate(sizes):  # most of the table is as it was: only what changed can be new
            if number >= len(self._sizes) or self._sizes[number] != size:
                place = layout.places[number]
                note(("zone", place.name + place.row, str(min(size, MAX_COUNTED))), after)
        for number, value in enumerate(values):
            if number >= len(self._values) or self._values[number] != value:
                slot = layout.slots[number]
                if not isinstance(slot.type, t.PlayerType) and slot.owner_kind in ("", "player"):
                    note(("variable", slot.name + slot.row, str(value)[:20]), after)
        self._sizes, self._values = [*sizes], [*values]
        note(("rules", *machine.rules(state)), after)
        if game.over:
            note(("over", str(len(game.winners))), after)
