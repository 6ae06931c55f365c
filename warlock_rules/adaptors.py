"""Games for other people's harnesses, PettingZoo and OpenSpiel. Needs the extra `peers`; see docs/adaptors.md."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from warlock_dsl.ruleset import Ruleset
from warlock_rules.rulesets import ruleset_given
from workbench.support.errors import UsageError

__all__ = ["openspiel_game", "openspiel_resampler", "pettingzoo_env"]


def pettingzoo_env(ruleset: Ruleset | str | Path, players: int, **options: Any) -> Any:
    """An AEC environment. Options: `max_options`, `max_decisions`, `render_mode` ("ansi" or "human")."""
    return _adaptor("pettingzoo_env", "PettingZoo").env(ruleset_given(ruleset), players, **options)


def openspiel_game(ruleset: Ruleset | str | Path, players: int, **parameters: int) -> Any:
    """A `pyspiel.Game`. Parameters: `outcomes` (of a chance node; 0: sampled), `max_options`, `max_decisions`,
    `rng_seed`."""
    return _adaptor("openspiel_game", "OpenSpiel").openspiel_game(ruleset_given(ruleset), players, **parameters)


def openspiel_resampler(rng_seed: int = 0) -> Callable[[Any, int], Any]:
    """For `ISMCTSBot.set_resampler`: worlds that look the same to a seat."""
    found: Callable[[Any, int], Any] = _adaptor("openspiel_game", "OpenSpiel").resampled(rng_seed)
    return found


def _adaptor(name: str, project: str) -> Any:
    try:
        return import_module(f"workbench.adaptors.{name}")
    except ImportError as error:
        raise UsageError(f"{project} is not installed: pip install 'warlock-rules[peers]' ({error})") from None
