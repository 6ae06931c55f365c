"""A game as an environment of PettingZoo: agents are asked one after another (AEC), spaces are Gymnasium's.

An agent sees a row of numbers (`encoding`) and a mask of the options on offer; an action is the place of an option in
its menu, whose key stands in `info`. Choices at the same time are asked in turn, and no one sees another's before all
have answered. Rewards come at the end.
"""

from __future__ import annotations

import random
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers
from rich.console import Console

from interpreter import Game
from warlock_dsl import Ruleset
from workbench.adaptors.encoding import LARGEST, encoding_for
from workbench.adaptors.menu import MAX_DECISIONS, check_room, returns, room_for_options, ruleset_for
from workbench.language.sentences import Words
from workbench.service.table import table_for
from workbench.support.errors import UsageError
from workbench.terminal.board import Board

WIDTH = 100  # columns of a table that is drawn
RENDER_MODES = ("human", "ansi")


class WarlockEnv(AECEnv):
    """A ruleset for a number of players. `reset(seed=...)` plays the game of that seed, the same as `warlock play`
    does; without a seed the next game is that of the next one."""

    def __init__(
        self,
        ruleset: Ruleset | str | Path,
        players: int,
        max_options: int = 0,
        max_decisions: int = MAX_DECISIONS,
        render_mode: str | None = None,
    ) -> None:
        """`max_options` is how long a menu may be, 0 for what pieces, cells and tables suggest; a longer one is an
        error. A game of `max_decisions` is broken off: all are truncated, and nobody gets a reward."""
        super().__init__()
        if render_mode not in (None, *RENDER_MODES):
            raise UsageError(f"there is no render_mode '{render_mode}': {' or '.join(RENDER_MODES)}")
        self.ruleset = ruleset_for(ruleset)
        self.players = players
        self.max_options = max_options or room_for_options(self.ruleset, players)
        self.max_decisions = max_decisions
        self.encoding = encoding_for(self.ruleset, players, self.max_options)
        self.render_mode = render_mode
        name = f"warlock_{self.ruleset.name}"
        self.metadata = {"name": name, "render_modes": [*RENDER_MODES], "is_parallelizable": False}
        self.possible_agents = [f"player_{seat}" for seat in range(players)]
        self.agents: list[str] = []
        self._actions = {agent: spaces.Discrete(self.max_options) for agent in self.possible_agents}
        self._observations = {agent: self._space() for agent in self.possible_agents}
        self._seed = random.SystemRandom().getrandbits(32)
        self.game: Game | None = None

    def _space(self) -> Any:
        numbers = spaces.Box(-LARGEST, LARGEST, (self.encoding.size,), np.float32)
        return spaces.Dict({"observation": numbers, "action_mask": spaces.Box(0, 1, (self.max_options,), np.int8)})

    def __str__(self) -> str:
        return str(self.metadata["name"])

    def observation_space(self, agent: str) -> Any:
        return self._observations[agent]

    def action_space(self, agent: str) -> Any:
        return self._actions[agent]

    # -------------------------------------------------------------------- play

    @property
    def _playing(self) -> Game:
        if self.game is None:
            raise UsageError("no game has begun: call reset() first")
        return self.game

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin the game of a seed, or of the one after the last."""
        self._seed = self._seed + 1 if seed is None else int(seed)
        self.game = Game.start(self.ruleset, self.players, self._seed, laws=False)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]
        self._look()

    def step(self, action: int | None) -> None:
        """The answer of the agent that is asked; None of one for which the game is over."""
        agent, game = self.agent_selection, self._playing
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise UsageError(f"{agent} is asked '{game.question}', and gave no answer")
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        game.choose(int(action))
        self._look()
        self._accumulate_rewards()

    def _look(self) -> None:
        """Who is asked now, and for what; at the end, what came of it."""
        game = self._playing
        self.infos = {agent: {} for agent in self.agents}
        if game.over:
            self.rewards = dict(zip(self.possible_agents, returns(game), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
            totals = [float(sheet.total) for sheet in game.scores()]
            for seat, agent in enumerate(self.possible_agents):
                self.infos[agent] = {"winners": list(game.winners), "points": totals[seat]}
        elif len(game.answers) >= self.max_decisions:
            self.truncations = dict.fromkeys(self.agents, True)
        else:
            check_room(game, self.max_options)
            self.agent_selection = self.possible_agents[game.to_move]
            keys = [option.key for option in game.options()]
            self.infos[self.agent_selection] = {"question": game.question, "keys": keys}

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        game, seat = self._playing, self.possible_agents.index(agent)
        mask: Any = np.zeros(self.max_options, dtype=np.int8)
        if game.to_move == seat and not self.truncations.get(agent, True):
            mask[: game.option_count] = 1
        return {"observation": self.encoding.encode(game, seat), "action_mask": mask}

    # -------------------------------------------------------------------- show

    def render(self) -> str | None:
        """The table as somebody sees it who does not sit at it."""
        game, out = self._playing, StringIO()
        words = Words(self.ruleset, self.ruleset.language or "en", self.possible_agents)
        console = Console(file=out, width=WIDTH, highlight=False, markup=False, emoji=False)
        console.print(Board(table_for(words, game, game.players)).draw(console))
        if self.render_mode != "human":
            return out.getvalue()
        print(out.getvalue())
        return None

    def close(self) -> None:
        """There is nothing to close."""


def env(
    ruleset: Ruleset | str | Path,
    players: int,
    max_options: int = 0,
    max_decisions: int = MAX_DECISIONS,
    render_mode: str | None = None,
) -> Any:
    """The environment in PettingZoo's own wrappers, which refuse what is out of bounds or out of order."""
    made = WarlockEnv(ruleset, players, max_options, max_decisions, render_mode)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(made))
