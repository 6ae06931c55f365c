"""Games by the name of their ruleset: start one, play a whole one with bots, play one again."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

import interpreter
from interpreter import GameFileError
from warlock_dsl.ruleset import Ruleset
from warlock_dsl.stack import is_plain_name
from warlock_rules.rulesets import ruleset_given
from workbench.players.base import play_out
from workbench.players.registry import bot_of, spec
from workbench.support.errors import UsageError
from workbench.support.files import read_json

MAX_SEATS = 4  # of a game for which nobody says how many play


class Game(interpreter.Game):
    """A game in progress, of a ruleset or of its name."""

    @classmethod
    def start(
        cls,
        ruleset: Ruleset | str | Path,
        players: int,
        seed: int = 0,
        seats: Sequence[str] = (),
        laws: bool = True,
        log: bool = False,
        backend: str | None = None,
    ) -> Self:
        """A new game, at its first question."""
        return super().start(ruleset_given(ruleset), players, seed, seats, laws, log, backend)

    @classmethod
    def again(
        cls,
        ruleset: Ruleset | str | Path,
        players: int,
        seed: int = 0,
        answers: Sequence[str] = (),
        seats: Sequence[str] = (),
        laws: bool = True,
        log: bool = False,
        backend: str | None = None,
    ) -> Self:
        """The game that these answers lead to: the expression that `repr` of a game writes."""
        return super().again(ruleset_given(ruleset), players, seed, answers, seats, laws, log, backend)

    @classmethod
    def load(
        cls,
        ruleset: Ruleset | str | Path,
        data: object,
        laws: bool = True,
        log: bool = False,
        backend: str | None = None,
    ) -> Self:
        """The game a save holds, at the question where it was. Everything in it is tested."""
        return super().load(ruleset_given(ruleset), data, laws, log, backend)


def play(
    ruleset: Ruleset | str | Path,
    players: int = 0,
    seed: int = 0,
    seats: Sequence[str] = (),
    laws: bool = True,
    log: bool = False,
) -> Game:
    """A whole game of bots. `seats` has one for each seat, or one for all: `greedy`, `mcts(iterations=50)`; default
    random. As many play as there are seats, else `players`, else four or the nearest number the game is for."""
    found = ruleset_given(ruleset)
    if not players:
        usual = max(found.components.min_players, min(found.components.max_players, MAX_SEATS))
        players = len(seats) if len(seats) > 1 else usual
    kinds = [spec(seat).bot for seat in seats or ("random",)]
    kinds = kinds * players if len(kinds) == 1 else kinds
    if len(kinds) != players:
        raise UsageError(f"{len(kinds)} seats for {players} players")
    game = Game.start(found, players, seed, kinds, laws, log)
    play_out(game, [bot_of(kind, seed) for kind in kinds])
    return game


def replay(
    data: dict[str, Any] | str | Path, ruleset: Ruleset | str | Path | None = None, laws: bool = True, log: bool = False
) -> Game:
    """The game of a replay, which is data or a file; its ruleset is found by the name in it unless one is given."""
    found = read_json(Path(data)) if isinstance(data, str | Path) else data
    if ruleset is None:
        if not isinstance(found, dict) or not isinstance(found.get("ruleset"), str):
            raise GameFileError("the replay does not name its ruleset")
        if not is_plain_name(found["ruleset"]):
            raise GameFileError("the replay names its ruleset by a path; give the ruleset yourself")
        ruleset = str(found["ruleset"])
    return Game.from_replay(ruleset_given(ruleset), found, laws, log)
