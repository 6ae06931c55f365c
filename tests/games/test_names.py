"""The shipped games are complete: every game and every overlay on it has its texts in every language it speaks."""

from __future__ import annotations

from pathlib import Path

import pytest

from warlock_dsl import available, available_overlays, by_preference, missing_names, stack_of
from warlock_dsl.files import shipped
from warlock_dsl.load import load

RULES = [shipped("rules")]
GAMES = {game.name: game.path for game in available(RULES)}
OVERLAYS = {f"{game}+{one.name}": one.path for game in GAMES for one in available_overlays(game, RULES)}


@pytest.mark.parametrize("name", [*GAMES, *OVERLAYS])
def test_no_text_is_missing(name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    found = load(str(GAMES[name]) if name in GAMES else stack_of(OVERLAYS[name]), RULES)
    assert found.ruleset is not None
    assert [one.message for one in found.diagnostics if one.code == "W430"] == []
    ruleset = found.ruleset
    assert missing_names(ruleset.program, ruleset.components, ruleset.layers) == []
    game = GAMES[name.partition("+")[0]]
    wanted = ["en"] if game.parent.name == "classics" else ["en", "de", "fr"]
    assert by_preference(ruleset.components.names)[: len(wanted)] == wanted
