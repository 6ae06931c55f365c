"""The answers of one ruleset under another: as far as they are legal, and where the two games part first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import frozen

from interpreter import AnswerError, Game, PlayError
from warlock_dsl import Ruleset
from workbench.diff.describe import moment
from workbench.diff.lockstep import Lockstep
from workbench.diff.model import Moment
from workbench.scenario.opened import Opened


@frozen
class Crossing:
    """What became of a list of answers under other rules.

    `parts` is after how many answers the two games differ (-1: never) and `how` in which way (one of `DIVERGENCES`);
    `legal` is how many answers could be given under the other rules; `stopped` says why no more could.
    """

    ruleset: str
    under: str
    answers: int
    legal: int
    stopped: str
    parts: int = -1
    how: str = ""
    moment: Moment | None = None

    def data(self) -> dict[str, Any]:
        found = self.moment
        return {
            "ruleset": self.ruleset,
            "under": self.under,
            "answers": self.answers,
            "legal": self.legal,
            "stopped": self.stopped,
            "parts": None
            if found is None
            else {
                "after": self.parts,
                "divergence": self.how,
                "what": found.what,
                "viewer": found.viewer,
                "old": found.old.data(),
                "new": found.new.data(),
                "only_old": list(found.only_old),
                "only_new": list(found.only_new),
            },
        }


def play_under(game: Game, other: Ruleset, lang: str = "en", seats: Sequence[str] = ()) -> Crossing:
    """Play the answers of a game under another ruleset; `seats` is what the players are called."""
    pair = Lockstep.begin(game.ruleset, other, game.players, game.seed)
    names = game.ruleset.name, other.name
    parts, how, found = -1, "", None
    for number, key in enumerate((*game.answers, None)):
        divergence = pair.divergence()
        if divergence is not None:
            parts, how, found = number, divergence.kind, moment(pair, divergence, names, lang, seats)
            break
        if key is not None:
            pair.choose([option.key for option in pair.old.options()].index(key))
    given = len(game.answers) if parts < 0 else parts
    given -= how == "error" and parts > 0  # the answer that led to it was not taken
    legal, stopped = (given, str(pair.error)) if how == "error" else _as_far(pair.new, game.answers[given:])
    return Crossing(*names, len(game.answers), legal, stopped, parts, how, found)


def position_under(own: Opened, other: Opened, lang: str = "en") -> Crossing:
    """Give the answers of a scenario to its position under its own rules and under others."""
    pair = Lockstep(own.stage, other.stage)
    names = own.ruleset.name, other.ruleset.name
    divergence, given = pair.divergence(), 0
    for word in own.answers:
        if divergence is not None:
            break
        for number in own.meant(word):
            if divergence is None:
                pair.choose(number)
                divergence = pair.divergence()
        given += 1
    told = None if divergence is None else moment(pair, divergence, names, lang)
    how = "" if divergence is None else divergence.kind
    parts = -1 if divergence is None else given
    return Crossing(*names, len(own.answers), given, str(pair.error or ""), parts, how, told)


def _as_far(game: Game, answers: Sequence[str]) -> tuple[int, str]:
    """Give the answers that are left as long as they can be given; how many there are then in all, and why no more."""
    for key in answers:
        if game.over:
            return len(game.answers), "the game is over"
        try:
            game.answer(key)
        except AnswerError:
            return len(game.answers), f"'{key}' is not on offer at {game.question}"
        except PlayError as error:
            return len(game.answers), str(error)
    return len(game.answers), ""
