"""The shipped games are complete: every game and every overlay on it has its texts in every language it speaks."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.conftest import ruleset_named
from warlock_dsl import available, available_overlays, by_preference, missing_names, stack_of
from warlock_dsl.files import shipped
from warlock_dsl.load import load
from workbench.language.sentences import Words

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


@pytest.mark.parametrize("lang", ["fr", "de"])
@pytest.mark.parametrize("name", ["maldorf", "warlock-1980", "goblin-warlord"])
def test_a_board_has_the_short_names_of_its_language(name: str, lang: str) -> None:
    """Every short name on a board begins as the thing is called in that language, and no two are the same."""
    ruleset = ruleset_named(name)
    words = Words(ruleset, lang)
    found = {address: words.short(address) for address in ruleset.components.looks if words.short(address)}
    for address, short in found.items():
        assert short[0].casefold() == words.name(address)[0].casefold(), (address, short)
    kinds: dict[str, list[str]] = {}
    for address, short in found.items():
        kinds.setdefault(address.partition(".")[0], []).append(short)
    assert all(len(set(shorts)) == len(shorts) for shorts in kinds.values())


@pytest.mark.parametrize("lang", ["fr", "de"])
def test_an_announcement_is_no_english_sentence_around_a_word(lang: str) -> None:
    """What a wizard announces is said as a whole in each language."""
    text = Words(ruleset_named("warlock-1980"), lang).text("choose.declare_wishes.wish")
    assert text is not None and not re.search(r"\bI am\b|\bje suis {|\bich bin {", text, re.IGNORECASE)
