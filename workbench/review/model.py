"""What `warlock review` finds, as data: a part for each question about a house rule, and the verdict on all of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import field, frozen

from workbench.diff.model import DiffReport
from workbench.sim.compare import Comparison

FORMAT = "warlock-review/1"
OK, LOOK, WRONG, NOT_RUN = "ok", "look", "wrong", "not run"

TITLES = {  # the parts in their order, each with what it is called
    "check": "check",
    "own_scenarios": "its scenarios",
    "game_scenarios": "the game's scenarios",
    "changes": "what it changes",
    "laws": "laws",
    "effect": "effect",
    "coverage": "its lines",
    "mutants": "mutants",
}
TIMINGS = ("seconds", "seconds_shrinking")  # what differs from run to run, and is left out of the data of a part


@frozen
class Part:
    """One question about a house rule, and its answer.

    `mark` is ok, look, wrong or "not run"; `says` is one line; `lines` explain it, and `always` says that they are
    worth reading where all is well, too. `data` is for scripts; `result` is what a page draws.
    """

    key: str
    mark: str
    says: str
    lines: tuple[str, ...] = ()
    always: bool = False
    data: Mapping[str, Any] = field(factory=dict, repr=False)
    result: DiffReport | Comparison | None = field(default=None, repr=False)

    @property
    def title(self) -> str:
        return TITLES[self.key]

    @property
    def shown(self) -> bool:
        """Whether its lines are shown."""
        return bool(self.lines) and (self.always or self.mark in (LOOK, WRONG))

    def json(self) -> dict[str, Any]:
        found = {"part": self.key, "mark": self.mark, "says": self.says, "lines": list(self.lines)}
        return {**found, "data": untimed(self.data)}


def not_run(key: str, why: str) -> Part:
    return Part(key, NOT_RUN, why)


def untimed(value: Any) -> Any:
    """Data without what differs from run to run."""
    if isinstance(value, Mapping):
        return {key: untimed(inner) for key, inner in value.items() if key not in TIMINGS}
    if isinstance(value, list | tuple):
        return [untimed(inner) for inner in value]
    return value


@frozen
class Review:
    """The verdict on the last overlay of a stack, `base` being the stack without it."""

    ruleset: str
    hash: str
    base: str
    overlay: str
    about: str
    seed: int
    games: int
    parts: tuple[Part, ...]
    seconds: float

    def count(self, mark: str) -> int:
        return sum(part.mark == mark for part in self.parts)

    @property
    def mark(self) -> str:
        """The verdict: that of the part that is worst."""
        return WRONG if self.count(WRONG) else LOOK if self.count(LOOK) else OK

    @property
    def verdict(self) -> str:
        """The verdict as a sentence."""
        wrong, look, left = self.count(WRONG), self.count(LOOK), self.count(NOT_RUN)
        said = [f"{wrong} wrong"] if wrong else []
        said += [f"{look} to look at"] if look else []
        said += [f"{self.count(OK)} ok"] if self.count(OK) else []
        said += [f"{left} not run"] if left else []
        return ", ".join(said)

    def data(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "ruleset": self.ruleset,
            "hash": self.hash,
            "base": self.base,
            "overlay": self.overlay,
            "about": self.about,
            "seed": self.seed,
            "games": self.games,
            "verdict": self.mark,
            "parts": [part.json() for part in self.parts],
            "seconds": round(self.seconds, 1),
        }
