"""What rules reveal: each way in which something hidden becomes open is found, and nothing else is."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.interpreter.tiny import CARDS, TABLES
from warlock_dsl import Diagnostic, Loaded, Use, load_files, read_folder
from warlock_dsl.load import load
from warlock_dsl.syntax.tree import Reveals

ROOT = Path(__file__).parents[2]
FILES = {"game.toml": TABLES, "cards.csv": CARDS}

PLAY = """
rule play:
    for me in players: turn()
    finish []

rule turn:
    move top(deck, 2) to my.hand
    {line}

reveals play: shown
"""


def found(line: str, more: str = "") -> list[Diagnostic]:
    """What is told of a turn with this line; the declaration, which nothing needs, is left out."""
    files = {**FILES, "rules.warlock": PLAY.format(line=line) + more}
    loaded: Loaded = load_files(files, "tiny")
    assert loaded.ruleset is not None, [one.message for one in loaded.diagnostics]
    return [one for one in loaded.diagnostics if one.code in ("W460", "W461") and "'play'" not in one.message]


WRITTEN = "something of 'hand' is written to 'gold'"
OPENED = [
    ("move top(deck) to my.shown", "what is in 'deck' goes to 'shown'"),
    ("move my.hand to my.shown", "what is in 'hand' goes to 'shown'"),
    ("move my.hand to heap", "what is in 'hand' goes to 'heap'"),
    ("choose card in my.hand: move card to my.shown", "what is in 'hand' goes to 'shown'"),
    ("let card = first(my.hand)\n    move card to my.shown", "what is in 'hand' goes to 'shown'"),
    ("move p.hand to p.shown for p in players", "what is in 'hand' goes to 'shown'"),
    ("set my.gold to sum(c in my.hand: c.value)", WRITTEN),
    ("let n = count(c in my.hand where c.colour is red)\n    set my.gold to n", WRITTEN),
    ("choose n in [c in my.hand: c.value]\n    set my.gold to n", WRITTEN),
    ("set my.gold to worth(my.hand)", WRITTEN),
]


@pytest.mark.parametrize(("line", "told"), OPENED, ids=[line for line, _ in OPENED])
def test_what_is_opened_is_told(line: str, told: str) -> None:
    more = "\ndefine worth(cards: [card]) = sum(c in cards: c.value)\n" if "worth" in line else ""
    (one,) = found(line, more)
    assert one.code == "W460" and one.message == f"'turn' reveals what lies hidden: {told}, which all see"


QUIET = [
    "pass",
    "move my.hand to next(me).hand",
    "move my.shown to my.hand",
    "move my.shown to heap",
    "move top(heap) to my.shown",
    "set my.gold to count(my.hand)",
    "set my.gold to sum(c in my.shown: c.value)",
    "move top(pool) to first(free(my.board))",
]


@pytest.mark.parametrize("line", QUIET)
def test_what_was_open_or_stays_hidden_is_not(line: str) -> None:
    assert found(line) == []


def test_a_declaration_is_all_it_takes() -> None:
    assert found("move my.hand to my.shown", "\nreveals turn: shown\n") == []
    (one,) = found("move my.shown to my.hand", "\nreveals turn: shown\n")
    assert one.code == "W461" and one.message == "'turn' reveals nothing in 'shown'"


LEDGER = """
[document]
en = "Rules"
[ledger]
"show.hand" = { says = "x", at = { en = "1" }, status = { en = "same" }, standing = "printed" }
"""


@pytest.mark.parametrize(
    ("tables", "mark", "lines"),
    [(LEDGER, "", [10]), (LEDGER, '@printed "show.hand"\n', []), ("", "", [])],
    ids=["no source", "a source", "no ledger"],
)
def test_where_there_is_a_ledger_a_declaration_has_a_source(tables: str, mark: str, lines: list[int]) -> None:
    rules = PLAY.format(line="move my.hand to my.shown").replace("reveals play", f"{mark}reveals turn")
    loaded = load_files({**FILES, "ledger.toml": tables, "rules.warlock": rules}, "tiny")
    assert loaded.ruleset is not None, [one.message for one in loaded.diagnostics]
    assert [one.span.line for one in loaded.diagnostics if one.code == "W462"] == lines


def test_a_game_without_declarations_is_left_alone() -> None:
    rules = PLAY.format(line="move my.hand to my.shown").replace("reveals play: shown\n", "")
    loaded = load_files({**FILES, "rules.warlock": rules}, "tiny")
    assert not [one for one in loaded.diagnostics if one.code in ("W460", "W461", "W462")]


@pytest.mark.parametrize(("name", "declared"), [("maldorf", 5), ("goblin-warlord", 2), ("warlock-1980", 8)])
def test_the_games_declare_what_they_reveal(name: str, declared: int) -> None:
    loaded = load(name, [ROOT / "rules"])
    assert loaded.final is not None
    own = [one for module in loaded.final.modules for one in module.declarations if isinstance(one, Reveals)]
    assert len(own) == declared and all(one.marks for one in own)
    assert not [one for one in loaded.diagnostics if one.code in ("W460", "W461", "W462")]


def test_an_overlay_that_reveals_more_is_told_of_it() -> None:
    """A planted one: whoever lays a card into the dungeon shows his whole hand. What the game declares is not idle."""
    shown = "rule bare after action[dungeon](): move my.hand to my.dungeon\n"
    overlay = {"overlay.toml": '[overlay]\non = "maldorf"\nabout = "test"\n', "rules.warlock": shown}
    base, _ = read_folder(ROOT / "rules" / "maldorf")
    loaded = load_files(base, "maldorf", (), [(Use("own"), overlay)])
    (one,) = [one for one in loaded.diagnostics if one.code in ("W460", "W461")]
    assert one.span.file == "+own/rules.warlock"
    assert one.message == "'bare' reveals what lies hidden: what is in 'hand' goes to 'dungeon', which all see"


@pytest.mark.parametrize(("line", "idle"), [("move my.dungeon to my.hand", True), ("move top(deck) to my.hand", False)])
def test_an_overlay_may_declare_for_a_zone_that_another_opens(line: str, idle: bool) -> None:
    """Hands are closed here: what comes into them from a hidden place would be seen with open hands, the rest not."""
    rules = f'rule more after action[dungeon](): {line}\n\n@printed "deal.to_hand"\nreveals more: hand\n'
    overlay = {"overlay.toml": '[overlay]\non = "maldorf"\nabout = "test"\n', "rules.warlock": rules}
    base, _ = read_folder(ROOT / "rules" / "maldorf")
    loaded = load_files(base, "maldorf", (), [(Use("own"), overlay)])
    told = [one.message for one in loaded.diagnostics if one.code in ("W460", "W461")]
    assert told == (["'more' reveals nothing in 'hand'"] if idle else [])
