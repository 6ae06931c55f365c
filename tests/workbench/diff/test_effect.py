"""The effect of a difference: paired games, honest intervals, and a page that shows them."""

from __future__ import annotations

import re

from interpreter import Game
from tests.interpreter.tiny import CARDS, TABLES
from tests.workbench.pages.test_page import balanced
from warlock_dsl.load import load_files
from workbench.diff.effect import measure_effect
from workbench.diff.model import (
    Cell,
    Change,
    Difference,
    DiffReport,
    Edition,
    Effect,
    Measure,
    Reading,
    Search,
    Side,
    Witness,
)
from workbench.diff.page import diff_page
from workbench.language.sentences import Words
from workbench.service.table import table_for
from workbench.support.ruleset_source import RulesetSource, source_of
from workbench.support.workers import WorkerPool

RULES = """
score luck = my.gold

rule play:
    for me in players:
        repeat {turns}:
            may choose n in 1..2: add {gain} to my.gold
    finish most(p in players: total(p))
"""


def source(turns: int, gain: str) -> RulesetSource:
    rules = RULES.format(turns=turns, gain=gain)
    loaded = load_files({"game.toml": TABLES, "cards.csv": CARDS, "rules.warlock": rules}, "tiny")
    assert loaded.ruleset is not None
    return source_of(loaded)


def effect(old: RulesetSource, new: RulesetSource, games: int) -> Effect:
    return measure_effect(WorkerPool(), old, new, ["random", "random"], games, 1, lambda more, word: None)


def measure(found: Effect, key: str) -> Measure:
    return next(one for one in found.measures if one.key == key)


def test_the_same_rules_have_no_effect_at_all() -> None:
    found = effect(source(2, "n"), source(2, "n"), 6)
    assert (found.games, found.unfinished) == (6, 0)
    assert {one.verdict for one in found.measures} == {"same"}


def test_a_point_more_an_answer_is_measured_and_a_longer_game_too() -> None:
    found = effect(source(1, "1"), source(2, "2"), 40)
    assert measure(found, "length").difference == 2
    gained = measure(found, "part.luck")
    assert gained.verdict == "more" and gained.low > 0
    assert gained.difference == measure(found, "total").difference == gained.new - gained.old
    assert 0 <= measure(found, "winner").low <= measure(found, "winner").high <= 1


def test_few_games_tell_nothing() -> None:
    found = effect(source(1, "1"), source(1, "n"), 3)
    assert measure(found, "total").data()["verdict"] in ("too few games to tell", "the same in every game")


def test_the_page_holds_every_layer_and_escapes_what_the_rules_say() -> None:
    old, new = source(1, "1"), source(2, "2")
    game = Game.start(old.ruleset(), 2, 1)
    view = table_for(Words(old.ruleset()), game, 0)
    sides = [
        Side(name, 0, "play", "n", "How <many>?", ("1",), ("one",), ("0", "0"), (), (), view) for name in ("old", "new")
    ]
    witness = Witness(
        "options", "One <b>more</b> option", 0, 2, 1, "", 0, sides[0], sides[1], ("just one",), (), ("Ann: 1",), {}, ""
    )  # fmt: skip
    change = Change("play", "replace", "rule", "a < b\nsame", "a > b\nsame", "what <it> is about")
    shows = Reading((1,), (change,), witness, Search(3, 60, 1.0))
    cells = Cell(0, "it <says>", ("2.1",), ("printed",)), Cell(1, "it does not", ("2.1",), ("assumed",), True)
    report = DiffReport(
        "tiny", "Tiny", (Edition("old", "0" * 64, "Old", "", ""), Edition("new", "1" * 64, "New <one>", "", "")),
        {"2": "A chapter"},
        (
            Difference("X-1", "A title", "mechanical", ("r.1",), (shows,), cells, chapter="2"),
            Difference("X-2", "", "value", (), (Reading((1,), (), None, Search(7, 900, 1.0)),), cells),
            Difference("X-3", "Words", "wording", (), (), cells, idle="no rule asks"),
        ),
        5, 1.0, effect=effect(old, new, 8),
    )  # fmt: skip
    page = diff_page(report)
    balanced(page)
    assert "a &lt; b" in page and "One &lt;b&gt;more&lt;/b&gt; option" in page and "<b>" not in page
    assert "7 games with 900 decisions in all were searched" in page and "no proof" in page
    assert "New &lt;one&gt;" in page and "what &lt;it&gt; is about" in page and "it &lt;says&gt;" in page
    assert '<span class="changed">a &lt; b</span><span>same</span>' in page
    assert "A position shows 1 of the 2 that were looked for" in page and "3 differences." in page
    assert page.count('<svg class="plot"') >= 2
    assert not re.search(r"https?:", page)
