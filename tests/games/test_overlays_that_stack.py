"""House rules that hang on the same rules, one of each kind that once broke: they play on, or a check tells of them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import permutations
from pathlib import Path

import pytest

from tests.games.test_overlays import decided, play
from warlock_dsl.diagnostics.diagnostic import Severity
from warlock_dsl.files import read_folder
from warlock_dsl.load import load_files
from warlock_dsl.ruleset import Loaded
from warlock_dsl.stack import Use

ROOT = Path(__file__).parents[2]
GAME = "maldorf"
LANGUAGES = ("en", "fr", "de")
HEAD = f'[overlay]\non = "{GAME}"\nabout = "A house rule"\n'
MARKED = HEAD + '\n[[add]]\nat = "variable.player.marked"\nnow = "0..9"\n'
SOUND = {
    "cost": "rule cost before power[orc](card): choose gold in my.mine: move gold to discard\n",
    "acting": "rule acting before power[human](card):\n    for c in my.mine: move c to discard\n",
    "mark": "rule mark before power[orc](card): add 1 to my.marked\n\nscore mark = my.marked\n",
    "guard": "rule guard before power[orc](card): require any(my.mine), any(my.dungeon)\n",
    "due": "rule due after power[orc](card): choose payment in my.dungeon: move payment to discard\n",
    "needs_gold": "rule needs_gold before power[human](card): require any(my.mine)\n",
    "mixing": "rule mixing before power[orc](card): shuffle deck\n",
    "drawing": "rule drawing before action[mine](): fetch(1, deck, my.hand)\n",
}
QUESTIONS = {"cost": "ask.cost.gold", "due": "ask.due.payment"}
TEXTS = {"mark": ("variable.marked", "score.mark")}
DRAWN = "rule drawn before action[mine]():\n    move my.hand to discard\n    fetch(2, deck, my.hand)\n"


def overlay(name: str, rules: str) -> tuple[Use, dict[str, str]]:
    asked = [QUESTIONS[name]] if name in QUESTIONS else TEXTS.get(name, ())
    text = "".join(f'"{key}" = "something"\n' for key in asked)
    catalogues = {f"names/{language}.toml": text for language in LANGUAGES if text}
    head = MARKED if name == "mark" else HEAD
    return Use(name), {"overlay.toml": head, "rules.warlock": rules, **catalogues}


@cache
def game_files() -> dict[str, str]:
    return dict(read_folder(ROOT / "rules" / GAME)[0])


def stacked(overlays: Sequence[tuple[Use, dict[str, str]]]) -> Loaded:
    """The game with these overlays; the library comes with it."""
    return load_files(game_files(), GAME, (), overlays)


def told(loaded: Loaded) -> list[tuple[str, str]]:
    return [(one.code, one.message) for one in loaded.diagnostics if one.severity is Severity.ERROR]


PAIRS = [
    ("cost",),
    ("acting",),
    ("mark",),
    ("mixing",),
    ("drawing",),
    ("cost", "guard"),
    ("guard", "cost"),
    ("cost", "due"),
    ("due", "guard", "mark"),
    ("mark", "cost", "guard", "due"),
    ("acting", "needs_gold"),
    ("needs_gold", "acting"),
    ("mixing", "cost", "guard"),
    ("mixing", "due"),
]


@pytest.mark.parametrize("names", PAIRS, ids="+".join)
def test_costs_marks_and_requirements_on_one_rule_play_to_the_end(names: tuple[str, ...]) -> None:
    loaded = stacked([overlay(name, SOUND[name]) for name in names])
    assert told(loaded) == []
    assert loaded.ruleset is not None
    for seed in range(3):
        assert decided(play(loaded.ruleset, 3, seed))


@pytest.mark.long
@pytest.mark.parametrize("names", [*permutations(SOUND, 2)], ids="+".join)
def test_every_pair_in_both_orders(names: tuple[str, ...]) -> None:
    loaded = stacked([overlay(name, SOUND[name]) for name in names])
    assert told(loaded) == []
    assert loaded.ruleset is not None
    for seed in range(20):
        assert decided(play(loaded.ruleset, 3 + seed % 3, seed))


def test_a_hook_that_draws_is_told_of() -> None:
    loaded = stacked([overlay("drawn", DRAWN)])
    assert told(loaded) == [
        (
            "W335",
            "nobody can foresee what 'drawn' (overlay drawn) does before 'action.mine',"
            " and 'action.mine' may lack what it needs after it",
        )
    ]


def test_two_that_add_the_same_name_are_told_of() -> None:
    one, other = overlay("mark", SOUND["mark"]), overlay("other", "rule mark after turn(): set tonar to elrohir\n")
    loaded = stacked([one, other])
    assert told(loaded) == [("W610", "both 'mark' and 'other' add 'mark'")]
    assert loaded.diagnostics[0].hint.startswith("rename yours: ")
