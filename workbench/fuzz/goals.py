"""What is sometimes so (`sometimes f = P`): looked for in every game of a search, with the shortest game that shows it.

One that is never reached says that the rules do not allow it, or that nobody plays so; one that holds from the start of
every game, or at the end of every game, says nothing that an invariant would not say better.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from attrs import field, frozen

from interpreter import Game
from warlock_dsl import Property, Ruleset
from workbench.fuzz.law_tests import ENOUGH, number_of_games
from workbench.support.game_values import values_for
from workbench.transcripts.transcript import Transcript

PREFIX = "sometimes."
WITNESS_TRIES = 200  # games that are tried to make a witness shorter


def goals_of(ruleset: Ruleset) -> list[Property]:
    """What is sometimes so."""
    return [one for one in ruleset.properties if one.kind == "sometimes"]


def held(game: Game, goals: Sequence[Property]) -> list[str]:
    """Those of the goals that hold as the game stands, by name."""
    if not goals:
        return []
    values = values_for(game.ruleset, game.players)
    state, found = values.position(game), []
    for one in goals:
        if one.ending and not game.over:
            continue
        winners = game.winners if one.ending else None
        if values.applies(state, one, winners) and values.value(state, one, winners):
            found.append(one.name)
    return found


class GoalLog:
    """What one game showed: what held at its start and at its end, and after how many answers each was first reached.

    Between start and end only what is `wanted` is looked at."""

    def __init__(self, ruleset: Ruleset, wanted: Collection[str]) -> None:
        self.every = goals_of(ruleset)
        self.wanted = [one for one in self.every if one.name in wanted and not one.ending]
        self.opening: list[str] = []
        self.closing: list[str] = []
        self.reached: dict[str, int] = {}

    def stands(self, game: Game, opening: bool = False) -> None:
        if not self.every:
            return
        found = held(game, self.every if opening or game.over else self.wanted)
        for name in found:
            self.reached.setdefault(name, len(game.answers))
        self.wanted = [one for one in self.wanted if one.name not in self.reached]
        if opening:
            self.opening = found
        if game.over:
            self.closing = found


# ---------------------------------------------------------------------- report


@frozen
class Reached:
    """How a goal fared: how many games were looked through for it, in how many of them it was so, and the witness."""

    name: str
    ending: bool
    games: int = 0  # those that were looked through; of one that is about the end, those that came to their end
    in_games: int = 0
    opened: int = 0  # games that were begun
    always: int = 0  # and those in which it held from the first question on, or at the end if it is about the end
    witness: Transcript | None = None
    files: Mapping[str, str] = field(factory=dict)

    @property
    def verdict(self) -> str:
        """reached, never, always, or too few games to tell."""
        if self.witness is not None:
            chances = self.games if self.ending else self.opened
            return "always" if self.always >= chances >= ENOUGH else "reached"
        return "never" if self.games >= ENOUGH else "too few games to tell"

    @property
    def found(self) -> bool:
        """Whether it is a finding."""
        return self.verdict in ("never", "always")

    def line(self) -> str:
        in_all = number_of_games(self.games)
        if self.verdict == "never":
            return f"never in {in_all} (warning: nothing that was played comes to it)"
        if self.verdict == "too few games to tell":
            return f"never in {in_all} (too few games to tell)"
        often = f"in {self.in_games:,} of {in_all}"
        if self.verdict == "always":
            when = "at the end" if self.ending else "from the first question on"
            return f"{often}, {when} (warning: it says nothing; an invariant would)"
        assert self.witness is not None
        many = len(self.witness.moves)
        shown = f", replay {self.files['replay']}" if self.files else ""
        return f"{often}; shortest game found: {many} {'decision' if many == 1 else 'decisions'}{shown}"

    def data(self) -> dict[str, Any]:
        game = self.witness
        witness = None
        if game is not None:
            answers = [move.key for move in game.moves]
            witness = {"players": game.players, "seed": game.seed, "decisions": len(answers), "answers": answers}
        return {
            "law": PREFIX + self.name,
            "verdict": self.verdict,
            "games": self.games,
            "in_games": self.in_games,
            "always": self.always,
            "witness": witness,
            **self.files,
        }


def goal_lines(goals: Sequence[Reached]) -> list[str]:
    """A line a goal, those that are findings first."""
    if not goals:
        return []
    width = max(len(one.name) for one in goals)
    ordered = sorted(goals, key=lambda one: not one.found)
    return ["what is sometimes so:", *(f"  {one.name:{width}}  {one.line()}" for one in ordered)]
