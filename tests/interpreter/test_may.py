"""`may x: ... else: ...`: a question that is answered with yes or no."""

from __future__ import annotations

import pytest

from interpreter import Game, play_again
from tests.interpreter.tiny import CARDS, TABLES, game, keys, ruleset, variable, zone
from warlock_dsl.diagnostics.diagnostic import Severity
from warlock_dsl.load import load_files
from workbench.coverage.features import features
from workbench.language.sentences import Words

BLUFF = """rule play:
    for me in players: move top(deck) to my.hand
    may doubt by next(me):
        move next(me).hand to next(me).shown
        set leader to next(me)
    else:
        add 1 to my.gold
        may boast:
            choose n in 1..3
            set my.step to n
    finish [leader]
"""


def test_yes_runs_the_block_and_no_what_else_says() -> None:
    found = game(BLUFF)  # on both machines
    asked = found.decision
    assert asked is not None and (asked.player, asked.rule, asked.name, asked.mode) == (1, "play", "doubt", "yes_no")
    assert keys(found) == ["yes", "decline"] and asked.may
    found.choose(0)
    assert found.over and zone(found, "shown", 1) == ["g2"] and variable(found, "leader") == "seat1"

    found = game(BLUFF)
    found.answer("decline")
    assert variable(found, "gold", 0) == "1"
    assert found.decision is not None and (found.decision.player, found.decision.name) == (0, "boast")
    found.answer("yes")
    assert keys(found) == ["1", "2", "3"]
    found.answer("3")
    assert found.over and variable(found, "step", 0) == "3" and variable(found, "leader") == "seat0"


def test_a_replay_says_yes() -> None:
    found = game(BLUFF)
    for key in ("decline", "yes", "2"):
        found.answer(key)
    again = play_again(found.ruleset, found.replay())
    assert again.over and found.replay()["answers"] == ["decline", "yes", "2"]


def test_nobody_is_asked_what_cannot_be_done() -> None:
    rules = """rule play:
    may trade:
        choose c in my.hand
        move c to heap
    else: set my.gold to 5
    finish players
"""
    found = game(rules)
    assert found.over and variable(found, "gold", 0) == "5"


@pytest.mark.parametrize(
    ("lang", "asked", "yes", "no"),
    [
        ("en", "Ben: doubt?", "yes", "no"),
        ("fr", "Ben\u202f: doubt\u202f?", "oui", "non"),
        ("de", "Ben: doubt?", "ja", "nein"),
    ],
)
def test_what_people_read(lang: str, asked: str, yes: str, no: str) -> None:
    found = game(BLUFF)
    words = Words(found.ruleset, lang, ("Ann", "Ben"))
    assert found.decision is not None
    assert words.ask(found.decision) == asked
    assert words.options(found.decision, found.observe(1)) == [yes, no]


def test_a_catalogue_has_words_for_it() -> None:
    names = '"ask.play.doubt" = "Do you believe that, {me}?"\n"choose.play.doubt" = "I doubt it"\n'
    names += '"decline.play.doubt" = "I believe it"\n'
    files = {"game.toml": TABLES, "cards.csv": CARDS, "rules.warlock": BLUFF, "names/en.toml": names}
    loaded = load_files(files, "tiny")
    assert loaded.ruleset is not None
    assert not [found for found in loaded.diagnostics if found.code in ("W431", "W432")], "the words are all used"
    missing = {found.message for found in loaded.diagnostics if found.code == "W430"}
    assert not any("play.doubt" in message for message in missing) and any("play.boast" in one for one in missing)
    found = Game.start(loaded.ruleset, 2, 0)
    words = Words(loaded.ruleset, "en", ("Ann", "Ben"))
    assert found.decision is not None
    assert words.ask(found.decision) == "Do you believe that, Ben?"
    assert words.options(found.decision, found.observe(1)) == ["I doubt it", "I believe it"]


def test_what_coverage_looks_for() -> None:
    ways = [feature.name for feature in features(ruleset(BLUFF)) if feature.sort == "branch"]
    assert len([way for way in ways if way.endswith(" declined")]) == 2
    nothing = [way for way in ways if way.endswith(" nothing")]
    assert nothing == ["rules.warlock:8:9 nothing"], "a block that begins with an effect is always offered"


@pytest.mark.parametrize(
    ("code", "rules"),
    [
        ("W304", "rule play:\n    may doubt by 3: stop_it()\n    finish players\nrule stop_it: add 1 to my.gold\n"),
        ("W301", "rule play:\n    may doubt: set my.tired to doubt\n    finish players\n"),
    ],
)
def test_what_can_be_wrong(code: str, rules: str) -> None:
    loaded = load_files({"game.toml": TABLES, "cards.csv": CARDS, "rules.warlock": rules}, "tiny")
    errors = [error.code for error in loaded.diagnostics if error.severity is Severity.ERROR]
    assert loaded.ruleset is None and code in errors
