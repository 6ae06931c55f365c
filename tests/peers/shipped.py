"""Every game that is shipped, with every number of players it is for."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import ruleset_named

RULES = Path(__file__).parents[2] / "rules"


def tables() -> list[tuple[str, int]]:
    """Each game by its name, with each number of players."""
    found = []
    for name in sorted(file.parent.name for file in RULES.rglob("game.toml")):
        parts = ruleset_named(name).components
        found += [(name, players) for players in range(parts.min_players, parts.max_players + 1)]
    return found


EVERY_TABLE = pytest.mark.parametrize(("name", "players"), tables(), ids=lambda value: str(value))
