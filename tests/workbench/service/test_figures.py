"""Figures in texts: what they say, to whom, and that no more is told than the reader may see."""

from __future__ import annotations

import re

import pytest

from interpreter import Game
from tests.conftest import ruleset_named
from warlock_dsl.diagnostics.diagnostic import Severity
from warlock_dsl.load import load_files
from warlock_dsl.ruleset import Ruleset
from workbench.language.sentences import TIMES, Words
from workbench.players.base import Random
from workbench.service.table import EVERYBODY, table_for

TABLES = """
[game]
players = 2
limits = { listed = 2 }

[kind.egg]
count = 8
fields = { worth = "number" }
values = { worth = 3 }

[zone]
box = { holds = "egg", start = "egg", sees = "none" }
nest = { each = "player", holds = "egg", sees = "owner" }

[figure.time]
days = 3

[variable.player]
eaten = { type = "0..99" }
"""
RULES = """
define riches(p: player) = sum(e in p.nest: e.worth)

rule play:
    for me in players: move top(box, 3) to my.nest
    repeat time.days: day()
    finish most(p in players: p.eaten)

rule day:
    for me in players: eat()

rule eat:
    choose some eggs in my.nest:
        move eggs to box
        add sum(e in eggs: e.worth) to my.eaten
    else: pass
"""
NAMES = """
"ask.eat.eggs" = "{sum(e in eggs: e.worth)} of {riches(me)}, {count(box)} in the box"
"add.eat.eggs" = "{added.worth} more: {sum(e in eggs: e.worth)}"
"stop.eat.eggs" = "eat {sum(e in eggs: e.worth)}"
"figure.egg" = "worth {egg.worth + 1}"
"progress.day" = "day {turn} of {turns}"
"note.table.box" = "left {count(box)}"
"note.seat.nest" = "nest {riches(me)}"
"""


@pytest.fixture(scope="module")
def eggs() -> Ruleset:
    loaded = load_files({"game.toml": TABLES, "rules.warlock": RULES, "names/en.toml": NAMES}, "eggs")
    assert loaded.ruleset is not None, loaded.diagnostics
    return loaded.ruleset


def test_a_set_has_its_running_total(eggs: Ruleset) -> None:
    """Asked for piece by piece: the question and each option say what has been chosen, and would be."""
    game, words = Game.start(eggs, 2, 1), Words(eggs)
    first = table_for(words, game, 0).question  # one of three alike is picked already
    assert first is not None and first.text == "3 of 9, 2 in the box"
    assert [option.text for option in first.options] == ["eat 3", "3 more: 6"]
    game.choose(1)
    second = table_for(words, game, 0).question
    assert second is not None and second.text == "6 of 9, 2 in the box"
    assert [option.text for option in second.options] == ["eat 6", "3 more: 9"]


def test_notes_are_for_those_who_may_know(eggs: Ruleset) -> None:
    game, words = Game.start(eggs, 2, 1), Words(eggs)

    def notes(viewer: int) -> set[str]:
        return {note.text for note in table_for(words, game, viewer).notes if not note.text.startswith("eaten")}

    assert notes(0) == notes(1) == {"day 1 of 3", "left 2", "nest 9"}
    assert [note.owner for note in table_for(words, game, 1).notes if note.text == "nest 9"] == [1]
    assert notes(2) == {"day 1 of 3", "left 2"}
    assert len([note for note in table_for(words, game, EVERYBODY).notes if note.text == "nest 9"]) == 2


def test_a_piece_shows_its_figures_to_whoever_sees_it(eggs: Ruleset) -> None:
    table = table_for(Words(eggs), Game.start(eggs, 2, 1), 0)
    own, other = (zone for zone in table.zones if zone.name == "nest")
    assert {piece.figures for piece in own.pieces} == {"worth 4"}
    assert {piece.figures for piece in other.pieces} == {""}


def test_an_expression_that_comes_upon_something_hidden_says_nothing(eggs: Ruleset) -> None:
    """The checker refuses such a text; were it shown all the same, it would say no more than a question mark."""
    figures = Game.start(eggs, 2, 1).figures(0)
    assert figures.of_seat(0, "riches(me)") is not None
    assert figures.of_seat(1, "riches(me)") is None
    assert figures.of_seat(0, "sum(e in box: e.worth)") is None
    assert figures.of_seat(0, "count(box)") is not None
    assert figures.of_seat(0, "nonsense") is None


@pytest.mark.parametrize(
    ("key", "text", "code"),
    [
        ("ask.eat.eggs", "{sum(e in box: e.worth)}", "W434"),
        ("ask.eat.eggs", "{riches(next(me))}", "W434"),
        ("note.table.nests", "{sum(p in players: riches(p))}", "W434"),
        ("note.seat.other", "{riches(next(me))}", "W434"),
        ("figure.egg", "{sum(e in box: e.worth)}", "W434"),
        ("ask.eat.eggs", "{top(box)}", "W434"),
        ("ask.eat.eggs", "{sum(e in eggs: e.wort)}", "W305"),
        ("ask.eat.eggs", "{sum(eggs}", "W107"),
        ("ask.eat.eggs", "{nonsense}", "W432"),
        ("decline.eat.eggs", "{sum(e in eggs: e.worth)}", "W431"),
        ("answer.eat.eggs", "{count(eggs)}", "W432"),
        ("choose.eat.eggs", "{added.worth}", "W301"),
        ("note.table.x", "{me}", "W432"),
        ("progress.day", "{day}", "W432"),
    ],
)
def test_a_text_is_checked_like_a_rule(key: str, text: str, code: str) -> None:
    files = {"game.toml": TABLES, "rules.warlock": RULES, "names/en.toml": f'"{key}" = "{text}"\n'}
    found = [one for one in load_files(files, "eggs").diagnostics if one.severity is Severity.ERROR]
    assert [one.code for one in found] == [code]
    assert found[0].span.file == "names/en.toml"


@pytest.mark.parametrize("lang", ["en", "fr", "de"])
def test_a_bid_can_be_weighed_from_what_is_shown(maldorf: Ruleset, lang: str) -> None:
    """At every auction decision: the gold of each card of one's mine, the total so far, the highest bid."""
    game, bot, words, asked = Game.start(maldorf, 3, 4, laws=False), Random(7), Words(maldorf, lang), 0
    gold = maldorf.components.kinds["creature"].fields["gold"]
    names = maldorf.components.kinds["creature"].pieces
    while not game.over and asked < 40:
        if game.question == "bid.cards":
            asked += 1
            seat = game.to_move
            table = table_for(words, game, seat)
            assert table.question is not None
            mine = next(zone for zone in table.zones if zone.owner == seat and zone.name == "mine")
            for piece in mine.pieces:
                assert piece.figures.startswith(words.value(gold.values[names.index(piece.name)], gold.type))
            bids = [int(note.value.replace(",", ".").split(".")[0]) for note in table.notes if note.name == "bid"]
            assert f"{max(bids)}" in table.question.text.rpartition(";")[2]
            picked = [one for one in table.question.options if one.what in ("add", "value")]
            assert all(any(sign.isdigit() for sign in one.text.rpartition(":")[2]) for one in picked)
        game.choose(bot.pick(game))
    assert asked >= 3


@pytest.mark.parametrize("name", ["maldorf", "warlock-1980", "goblin-warlord"])
@pytest.mark.parametrize("lang", ["en", "fr", "de"])
def test_no_figure_is_missing_in_the_games(name: str, lang: str) -> None:
    """Whatever is asked of a player, every figure of the texts has a value: no question mark stands for one."""
    ruleset = ruleset_named(name)
    game, bot, words = Game.start(ruleset, 3, 2, laws=False), Random(2), Words(ruleset, lang)
    for _ in range(60):
        if game.over:
            break
        question = table_for(words, game, game.to_move).question
        assert question is not None
        for text in (question.text, *(option.text for option in question.options)):
            assert "{" not in text
            assert not re.search(r"(: |, |\+ )\?|\?( gold| Gold| or\b)", text.replace("\u202f", "")), text
        game.choose(bot.pick(game))


# ------------------------------------------------------------------------------ the board, and the log


def test_a_zone_can_be_kept_off_the_board() -> None:
    kept = TABLES + '\n[look]\n"zone.box" = { off_board = true }\n'
    loaded = load_files({"game.toml": kept, "rules.warlock": RULES, "names/en.toml": NAMES}, "eggs")
    assert loaded.ruleset is not None
    table = table_for(Words(loaded.ruleset), Game.start(loaded.ruleset, 2, 1), EVERYBODY)
    assert {zone.name for zone in table.zones} == {"nest"}


@pytest.mark.parametrize(
    "look",
    ['"zone.box" = { short = "B" }', '"kind.egg" = { off_board = true }', '"zone.bx" = { off_board = true }'],
)
def test_only_a_zone_is_kept_off_the_board(look: str) -> None:
    files = {"game.toml": f"{TABLES}\n[look]\n{look}\n", "rules.warlock": RULES, "names/en.toml": NAMES}
    found = [one.code for one in load_files(files, "eggs").diagnostics if one.severity is Severity.ERROR]
    assert found in (["W236"], ["W235"])


def test_a_deal_is_one_line(eggs: Ruleset) -> None:
    """Of 52 cards, one after the other to four players, and of three eggs each."""
    game = Game.start(ruleset_named("hearts"), 4, 1, log=True)
    lines = [line for line in table_for(Words(game.ruleset), game, 0).log if "\u2192" in line]
    assert len(lines) == 1 and lines[0].count(f"13 {TIMES} hidden card") == 3
    dealt = table_for(Words(eggs), Game.start(eggs, 2, 1, log=True), 0).log
    assert len([line for line in dealt if "nest" in line]) == 1


@pytest.mark.parametrize(
    ("lang", "bid", "attack"),
    [
        ("en", r"\d bids \d", r"\d attacks .*\d: .* \([A-D]\d .*\) falls"),
        ("fr", r"\d enchérit à \d", r"\d attaque .*\d\u202f: .* \([A-D]\d .*\) tombe"),
        ("de", r"\d bietet \d", r"\d greift .*\d an: .* \([A-D]\d .*\) fällt"),
    ],
)
def test_answers_are_heard(maldorf: Ruleset, lang: str, bid: str, attack: str) -> None:
    """What somebody else bids and attacks is told in words, with the field of the city."""
    told = ""
    for seed in range(3):
        game, bot = Game.start(maldorf, 3, seed, laws=False, log=True), Random(seed)
        while not game.over:
            game.choose(bot.pick(game))
        told += "\n".join(table_for(Words(maldorf, lang), game, 0).log)
    assert "{" not in told
    assert re.search(bid, told) and re.search(attack, told)
