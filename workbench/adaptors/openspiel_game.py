"""A game as a Python game of OpenSpiel, registered there as `warlock`.

An action is the place of an option in its menu. Wherever an answer makes the rules shuffle or roll before the next
question, a chance node stands between the two. It has one outcome, which is sampled (SAMPLED_STOCHASTIC), or so many as
`outcomes` says, each as likely and always the same, for searches that go through the same tree again and again.
Choices at the same time are asked in turn, and no one sees another's before all have answered.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any, Self

import numpy as np
import pyspiel

from interpreter import Game
from warlock_dsl import Ruleset
from workbench.adaptors.encoding import Encoding, encoding_for
from workbench.adaptors.menu import (
    MAX_DECISIONS,
    check_room,
    has_chance,
    has_secrets,
    returns,
    room_for_options,
    ruleset_for,
    table_wins,
)
from workbench.support.errors import UsageError

NAME = "warlock"
PLAIN_NAME = r"[A-Za-z_][\w+-]*"  # what OpenSpiel takes for one word of a game's parameters
PARAMETERS = {
    "ruleset": "", "players": 2, "outcomes": 0, "max_options": 0, "max_decisions": MAX_DECISIONS, "rng_seed": -1,
}  # fmt: skip
_given: dict[str, Ruleset] = {}  # rulesets that were given as such, by what their games call them


def _type(ruleset: Ruleset | None, players: int, outcomes: int) -> Any:
    """What OpenSpiel wants to know of a kind of game; of no ruleset, the most that may be."""
    kinds = pyspiel.GameType
    chance = kinds.ChanceMode.EXPLICIT_STOCHASTIC if outcomes else kinds.ChanceMode.SAMPLED_STOCHASTIC
    secrets = ruleset is None or has_secrets(ruleset)
    alike = ruleset is not None and table_wins(ruleset, players)
    return kinds(
        short_name=NAME,
        long_name="Warlock" if ruleset is None else f"Warlock: {ruleset.name}",
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=chance if ruleset is None or has_chance(ruleset) else kinds.ChanceMode.DETERMINISTIC,
        information=kinds.Information.IMPERFECT_INFORMATION if secrets else kinds.Information.PERFECT_INFORMATION,
        utility=kinds.Utility.IDENTICAL if alike else kinds.Utility.ZERO_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=ruleset.components.max_players if ruleset is not None else 100,
        min_num_players=ruleset.components.min_players if ruleset is not None else 1,
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=PARAMETERS,
        default_loadable=False,
    )


class WarlockGame(pyspiel.Game):
    """A ruleset for a number of players."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = {**PARAMETERS, **(params or {})}
        if not given["ruleset"]:
            raise UsageError("name a ruleset: warlock(ruleset=NAME,players=N)")
        self.ruleset = _given.get(given["ruleset"]) or ruleset_for(given["ruleset"])
        self.players, self.outcomes = int(given["players"]), int(given["outcomes"])
        self.max_options = int(given["max_options"]) or room_for_options(self.ruleset, self.players)
        self.max_decisions = int(given["max_decisions"])
        self.encoding = encoding_for(self.ruleset, self.players, self.max_options)
        self.stochastic = has_chance(self.ruleset)
        self.random = random.Random(given["rng_seed"]) if given["rng_seed"] >= 0 else random.SystemRandom()
        self.first = Position(None) if self.stochastic else Position(self.begun(0))
        alike = table_wins(self.ruleset, self.players)
        information = pyspiel.GameInfo(
            num_distinct_actions=self.max_options,
            max_chance_outcomes=max(1, self.outcomes) if self.stochastic else 0,
            num_players=self.players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=None if alike else 0.0,
            max_game_length=self.max_decisions,
        )
        super().__init__(_type(self.ruleset, self.players, self.outcomes), information, given)

    def begun(self, seed: int) -> Game:
        return Game.start(self.ruleset, self.players, seed, laws=False)

    def new_initial_state(self) -> WarlockState:
        return WarlockState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """What a seat sees at this moment; there is no other observer."""
        wanted = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        if params or wanted.perfect_recall or wanted.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            raise ValueError("an observer of this game sees what one seat sees at this moment")
        return Observer(self.encoding)


class Position:
    """Where a game stands: at a question, at its end, or before chance gives something: then `answer` is what was
    answered last, and nothing of what follows has happened. Before a game begins there is no game. Never altered."""

    def __init__(self, game: Game | None, answer: int | None = None) -> None:
        self.game, self.answer = game, answer
        self._text = ""

    @property
    def waits(self) -> bool:
        """Whether chance is to give something."""
        return self.game is None or self.answer is not None

    @property
    def text(self) -> str:
        """A name for it, the same for the same position."""
        if not self._text:
            digest = self.game.digest() if self.game is not None else "not begun"
            self._text = digest if self.answer is None else f"{digest} answer {self.answer}"
        return self._text

    def after(self, number: int) -> Position:
        """Behind an answer: at the next question, or where chance is to give something before that."""
        assert self.game is not None
        game = self.game.copy()
        game.choose(number)
        return Position(game) if game.random_stream == self.game.random_stream else Position(self.game, number)

    def given(self, seed: int, begun: Callable[[int], Game]) -> Position:
        """Behind what chance gives by a seed."""
        if self.game is None:
            return Position(begun(seed))
        assert self.answer is not None
        game = self.game.with_chance(seed)
        game.choose(self.answer)
        return Position(game)

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        if self.game is None:
            return Position, (None,)
        return _unpacked, (_called(self.game.ruleset), json.dumps(self.game.save()), self.answer)


def _unpacked(name: str, saved: str, answer: int | None) -> Position:
    return Position(Game.load(_given.get(name) or ruleset_for(name), json.loads(saved), laws=False), answer)


class WarlockState(pyspiel.State):
    """A position, behind which there is nothing but positions."""

    def __init__(self, game: WarlockGame) -> None:
        super().__init__(game)
        self.position = game.first
        self.decisions = 0

    @property
    def game(self) -> Game:
        """The game as it stands; UsageError before it has begun."""
        if self.position.game is None:
            raise UsageError("the game has not begun: chance comes first")
        return self.position.game

    def current_player(self) -> int:
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if self.position.waits else self.game.to_move

    def is_terminal(self) -> bool:
        game = self.position.game
        over = game is not None and game.over
        return over or (self.decisions >= self.get_game().max_decisions and not self.position.waits)

    def _legal_actions(self, player: int) -> list[int]:
        check_room(self.game, self.get_game().max_options)
        return list(range(self.game.option_count))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        count = max(1, self.get_game().outcomes)
        return [(number, 1 / count) for number in range(count)]

    def _apply_action(self, action: int) -> None:
        game = self.get_game()
        if not self.position.waits:
            self.position = self.position.after(action)
            self.decisions += 1
            return
        seed = game.random.getrandbits(63)
        if game.outcomes:
            seed = int.from_bytes(sha256(f"{self.position.text} outcome {action}".encode()).digest()[:8], "big")
        self.position = self.position.given(seed, game.begun)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"outcome {action}"
        return str(self.game.options()[action].key)

    def returns(self) -> list[float]:
        game = self.position.game
        return returns(game) if game is not None and game.over else [0.0] * self.get_game().players

    def __str__(self) -> str:
        asked = f" {self.game.question}" if self.position.game is not None else ""
        return f"{self.get_game().ruleset.name}, decision {self.decisions + 1}{asked}: {self.position.text}"


class Observer:
    """What a seat sees, as numbers (`encoding`) and as JSON."""

    def __init__(self, encoding: Encoding) -> None:
        self.encoding = encoding
        self.tensor: Any = np.zeros(encoding.size, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: WarlockState, player: int) -> None:
        game = state.position.game
        self.tensor[:] = 0 if game is None else self.encoding.encode(game, player)

    def string_from(self, state: WarlockState, player: int) -> str:
        """All of the observation and, for the seat that is asked, the question with its options."""
        game = state.position.game
        if game is None:
            return ""
        asked = game.decision.data() if game.decision is not None and game.to_move == player else None
        return json.dumps({"sees": game.observe(player).data(), "asked": asked}, separators=(",", ":"))


def _called(ruleset: Ruleset) -> str:
    """What a game calls its ruleset: its name, where that is one word for OpenSpiel, else its hash."""
    return ruleset.name if re.fullmatch(PLAIN_NAME, ruleset.name) else f"h{ruleset.hash}"


def openspiel_game(ruleset: Ruleset | str | Path, players: int, **parameters: int) -> WarlockGame:
    """The game of a ruleset. `outcomes` (0: sampled) is how many outcomes a chance node has; `max_options`,
    `max_decisions` and `rng_seed` may be given as well."""
    found = ruleset_for(ruleset)
    _given[_called(found)] = found
    made: WarlockGame = pyspiel.load_game(NAME, {"ruleset": _called(found), "players": players, **parameters})
    return made


def resampled(rng_seed: int) -> Callable[[WarlockState, int], WarlockState]:
    """For `ISMCTSBot.set_resampler`: another state that looks the same to a seat, what it does not see dealt anew."""
    stream = random.Random(rng_seed)

    def resample(state: WarlockState, player: int) -> WarlockState:
        new: WarlockState = state.clone()
        new.position = Position(state.game.imagine(player, stream.getrandbits(63)))
        return new

    return resample


if NAME not in pyspiel.registered_names():
    pyspiel.register_game(_type(None, 0, 0), WarlockGame)
