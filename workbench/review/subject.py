"""What is reviewed: the overlay on top of a stack, the stack without it, and the folders of both; and the time left."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from attrs import field, frozen

from warlock_dsl import Loaded, Ruleset, Stack, find_overlay, find_ruleset, parse_stack, stack_of
from workbench.support.errors import UsageError
from workbench.support.rulesets import found_texts, full_name, load_named

MAX_CHARACTERS = 110  # of a text that others wrote
MAX_LINES = 8  # of a list that is shown to people; the data have all of it


@frozen
class Subject:
    """A house rule with everything a part needs to know of it."""

    name: str  # of the whole stack
    below: str  # the same without the overlay
    home_name: str  # the overlay with what it needs and nothing else
    overlay: str
    folder: Path
    game: Path  # the folder of the game
    where: list[Path] = field(repr=False)
    stack: Loaded = field(repr=False)
    base: Loaded = field(repr=False)
    home: Loaded = field(repr=False)  # what its scenarios are written for

    @property
    def ruleset(self) -> Ruleset:
        assert self.stack.ruleset is not None
        return self.stack.ruleset

    @property
    def before(self) -> Ruleset:
        assert self.base.ruleset is not None
        return self.base.ruleset

    @property
    def at_home(self) -> bool:
        """Whether it is reviewed with nothing but what it needs, and without parameters."""
        return self.home.ruleset is not None and self.home.ruleset.digest == self.ruleset.digest

    def owns(self, file: str) -> bool:
        """Whether a file is one of the overlay's."""
        return file.startswith(f"+{self.overlay}/")

    @property
    def changed(self) -> dict[str, tuple[str | int, ...]]:
        """The values of the tables that the overlay changes or adds: by address, their place in the tables."""
        done = self.ruleset.layers[-1].changes
        return {one.target: one.place for one in done if one.now and one.place[:1] not in (("rule",), ("names",))}

    def load(self, name: str) -> Loaded:
        return load_named(name, self.where)


def top_overlay(name: str, where: list[Path]) -> tuple[Stack, Path, Path]:
    """A stack that has an overlay, the folder of its game and that of its last overlay; UsageError if it has none."""
    full = full_name(name, where)
    found_texts(full, where)  # says what is missing, and what may be meant
    stack = parse_stack(full)
    game = None if isinstance(stack, str) else find_ruleset(stack.base, where)
    if isinstance(stack, str) or game is None or not stack.uses:
        raise UsageError(f"'{name}' is no house rule: name a game with an overlay (maldorf+truce), or its folder")
    folder = find_overlay(game.resolve().name, stack.uses[-1].name, where)
    assert folder is not None
    return stack, game, folder.resolve()


def subject_of(name: str, where: list[Path]) -> Subject:
    """The last overlay of a stack, or the overlay in a folder, with the stack below it."""
    stack, game, folder = top_overlay(name, where)
    names = str(stack), str(Stack(stack.base, stack.uses[:-1])), stack_of(folder)
    return Subject(*names, folder.name, folder, game, where, *(load_named(name, where) for name in names))


def until(seconds: float) -> Callable[[], bool]:
    """Whether the seconds have passed, from now on; 0 is no bound."""
    end = time.monotonic() + seconds
    return lambda: bool(seconds) and time.monotonic() >= end


def some(lines: list[str], limit: int = MAX_LINES) -> tuple[str, ...]:
    """The first lines of a list, and how many more there are."""
    more = len(lines) - limit
    return (*lines[:limit], f"and {more} more: --json has all of them") if more > 0 else tuple(lines)


def shortened(text: str, maximum: int = MAX_CHARACTERS) -> str:
    """A text as one line that fits the screen."""
    flat = " ".join(text.split())
    return flat if len(flat) <= maximum else flat[: maximum - 4] + " ..."


def counted(number: int, what: str, many: str = "") -> str:
    return f"{number:,} {what if number == 1 else many or what + 's'}"
