"""A question as the player who is asked sees it: who, where in the rules, and the options with their labels."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from interpreter.state.labels import Shown
from warlock_dsl import Span


@frozen
class Option:
    """One thing that may be answered. `what` is value, add, stop or decline; `key` is the word for it in replays.

    Both show what the asked player may know: a piece that he cannot see is named by its place.
    """

    what: str
    value: Shown
    key: str

    def data(self) -> dict[str, Any]:
        """As JSON shows it to the asked player."""
        return {"what": self.what, "key": self.key, "value": self.value.data()}


@frozen
class Decision:
    """A question to a player: where in the rules it is asked, what has been bound before it, and the options.

    `mode` is one, yes_no, set or step (a set asked for piece by piece; `partial` is what has been picked).
    """

    player: int
    rule: str
    name: str
    mode: str
    may: bool
    bound: tuple[tuple[str, Shown], ...]
    partial: tuple[Shown, ...]
    options: tuple[Option, ...]
    span: Span

    def data(self) -> dict[str, Any]:
        """As JSON shows it to the asked player."""
        return {
            "player": self.player,
            "rule": self.rule,
            "name": self.name,
            "mode": self.mode,
            "may": self.may,
            "bound": {name: shown.data() for name, shown in self.bound},
            "partial": [shown.data() for shown in self.partial],
            "options": [option.data() for option in self.options],
        }
