"""The public face: load and check rulesets, play games, compare, fuzz and simulate rules, test one's own.

Everything here is documented in docs/api.md; nothing else of Warlock is public. Importing this package is cheap: what a
name needs is imported when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from warlock_rules import adaptors, errors, testing
    from warlock_rules.game import Game, play, replay
    from warlock_rules.rulesets import check, load
    from warlock_rules.tools import diff, fuzz, sim

__all__ = ["Game", "adaptors", "check", "diff", "errors", "fuzz", "load", "play", "replay", "sim", "testing"]

_HOMES = {
    "Game": "game", "play": "game", "replay": "game", "check": "rulesets", "load": "rulesets", "diff": "tools",
    "fuzz": "tools", "sim": "tools",
}  # fmt: skip


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'warlock_rules' has no attribute '{name}'")
    module = import_module(f"warlock_rules.{_HOMES.get(name, name)}")
    found = getattr(module, name) if name in _HOMES else module
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted(__all__)
