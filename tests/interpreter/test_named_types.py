"""The keys of a family as a type, a piece tested for its kind, and names that are those of their table or kind."""

from __future__ import annotations

import pytest

from interpreter import Game
from tests.interpreter.tiny import TABLES, game, keys, ruleset, variable, zone
from warlock_dsl.check import program as checked
from warlock_dsl.diagnostics.diagnostic import Severity
from warlock_dsl.load import load_files
from warlock_dsl.serialize import pack_ruleset, unpack_ruleset
from warlock_dsl.stack import Use
from warlock_dsl.types import KeyType, ListType, RowType
from workbench.scenario.read import read_scenarios
from workbench.scenario.run import run_scenario

PLAN = TABLES.replace('ring = "[player]"', 'ring = "[player]"\ntold = "[deed]"').replace(
    'gold = "0..5"', 'gold = "0..5"\nplan = "deed"\nsecret = { type = "deed", first = "rest", sees = "owner" }'
)
RULES = """
rule play:
    for me in players: choose what in deed: remember(what)
    for me in players: deed[my.plan]()
    finish most(p in players: p.gold)

rule remember(deed: deed):
    set my.plan to deed, told to told + [deed]
    if deed is rest and my.secret is not earn: set my.secret to earn

rule deed[earn]: add 2 to my.gold

rule deed[rest]: add 1 to my.step

invariant as_told = all(p in players: count(told) < count(players) or told has p.plan)
"""


def test_a_variable_holds_a_key_which_calls_the_member() -> None:
    found = game(RULES, tables=PLAN)
    assert variable(found, "plan", 0) == "earn" and variable(found, "secret", 0) == "rest"
    assert keys(found) == ["earn", "rest"]
    found.answer("earn")
    found.answer("rest")
    assert found.over and [variable(found, name, 0) for name in ("plan", "gold", "step")] == ["earn", "2", "0"]
    assert [variable(found, name, 1) for name in ("plan", "gold", "step")] == ["rest", "0", "1"]
    assert variable(found, "told") == "earn+rest" and variable(found, "secret", 1) == "earn"


def test_it_is_shown_saved_and_dealt_like_any_other() -> None:
    made = ruleset(RULES, PLAN)
    plan = made.components.variables["player", "plan"]
    assert plan.type == KeyType("deed") and made.components.words_of(plan.type) == ("earn", "rest")
    assert made.components.variables["", "told"].type == ListType(KeyType("deed"))
    found = Game.start(made, 2)
    found.answer("rest")
    again = Game.load(made, found.save())
    assert again.observe(0) == found.observe(0) and variable(again, "plan", 0) == "rest"
    mine = {(one.name, one.owner): one.value for one in found.observe(0).variables}
    assert mine["secret", 0] is not None and mine["secret", 1] is None
    assert unpack_ruleset(pack_ruleset(made)).components.families == made.components.families


def test_an_overlay_that_adds_a_member_adds_a_value() -> None:
    files = {"game.toml": PLAN, "cards.csv": "id,colour,value\nr1,red,1\n", "rules.warlock": RULES}
    overlay = {
        "overlay.toml": '[overlay]\non = "tiny"\nabout = "One may beg"\n'
        '[[change]]\nat = "variable.player.secret.first"\nwas = "rest"\nnow = "beg"\n',
        "beg.warlock": "rule deed[beg]: take 1 from my.gold\n",
    }
    loaded = load_files(files, "tiny", (), ((Use("beg"), overlay),))
    assert loaded.ruleset is not None, loaded.diagnostics
    found = Game.start(loaded.ruleset, 2, log=True)
    assert keys(found) == ["earn", "rest", "beg"] and variable(found, "secret", 0) == "beg"
    found.answer("beg")
    assert variable(found, "plan", 0) == "beg"
    alone = load_files(files, "tiny")
    assert alone.ruleset is not None and alone.ruleset.components.families["deed"] == ("earn", "rest")


def test_a_family_by_the_rows_of_a_table_is_that_table() -> None:
    rules = """
rule play:
    set hue to blue
    shade[hue]()
    finish players

rule shade[red]: pass

rule shade[green]: pass

rule shade[blue]: add 3 to players[1].step
"""
    tables = TABLES.replace('leader = "player"', 'leader = "player"\nhue = "shade"')
    found = game(rules, tables=tables)
    assert found.ruleset.components.variables["", "hue"].type == RowType("colour")
    assert variable(found, "hue") == "blue" and variable(found, "step", 0) == "3"


# ---------------------------------------------------------------- x is KIND

MIXED = """
define worth(x: piece) = if x is card then x.value else if x is token then 10 else 100

define strong(x: piece) = x is card and x.value > 2

define weak(x: piece) = x is not card or x.value < 3

define tired = [x in players[1].board where x is card and x.tired]

rule play:
    move top(deck, 2) to players[1].board, top(pool) to players[1].board
    for x in players[1].board where x is card: add x.value to players[1].step
    for x in players[1].board:
        if not x is card: add 20 to players[1].step
        else: set x.tired to true
    for me in players:
        choose x in my.board where x is card: keep(x)
        else: pass
    finish players

rule keep(x: piece):
    require x is card, x.value > 0
    move x.band to pool
    set my.gold to x.value

score worth = sum(x in my.board: worth(x))

score strong = count(x in my.board where strong(x)) - count(x in my.board where not weak(x))

score tired = count(tired)
"""


def test_a_name_tested_for_its_kind_is_of_that_kind() -> None:
    found = game(MIXED)
    cards = [name for name in zone(found, "board", 0) if name != "token#4"]
    assert len(cards) == 2 and len(zone(found, "board", 0)) == 3
    values = {"r1": 1, "r2": 1, "r3": 3, "g1": 1, "g2": 2, "b1": 5}
    total = sum(values[name] for name in cards)
    sheet = found.scores()[0]
    assert sheet.parts == {"worth": total + 10, "strong": 0, "tired": 2}
    assert variable(found, "step", 0) == str(total + 20)


WRONG = [
    ("score s = sum(x in my.board: x.value)", "W306"),
    ("score s = sum(x in my.board where x is token: x.value)", "W305"),
    ("score s = sum(x in my.board where x is card or true: x.value)", "W306"),
    ("score s = sum(x in my.board where not x is token: x.value)", ""),
    ("score s = sum(x in my.board: if x is token then 1 else x.value)", ""),
    ("score s = sum(x in my.board: if x is card then 1 else x.value)", "W305"),
    ("score s = count(x in my.hand where x is token)", "W316"),
    ("score s = count(x in players where x is card)", "W301"),
    ("score s = sum(x in most(x in my.board where x is card: x.value): x.value)", ""),
    ("rule r after it(x) where x is card: add x.value to my.step", ""),
    ("rule r after it(x) where x is token: add x.value to my.step", "W305"),
    ("invariant i after it(x) where x is card = x.value > 0", ""),
    ("rule r(x: piece):\n    require x is card\n    add x.value to my.step\n\nrule s after it(x): r(x)", ""),
    ("rule r(x: piece):\n    repeat 2 where x is card: add x.value to my.step\n\nrule s after it(x): r(x)", ""),
    ("rule r(colour: colour): pass\n\nrule s after it(x): r(red)", ""),
    ("rule r(colour: omen): pass\n\nrule s after it(x): r(sun)", "W302"),
    ("rule r(deck: card): pass\n\nrule s after it(x): pass", "W302"),
    ("rule r after it(x): for colour in colour: shade(colour)\n\nrule shade(c: colour): pass", ""),
    ("score s = sum(omen in omen: omen.worth)", ""),
    ("score s = sum(omen in omen: count(omen))", "W304"),
]


@pytest.mark.parametrize(("rules", "code"), WRONG)
def test_where_a_kind_is_known_and_what_a_name_may_be(rules: str, code: str) -> None:
    play = "rule play:\n    for me in players: for x in my.board: it(x)\n    finish players\n\nrule it(x: piece)\n\n"
    loaded = load_files({"game.toml": TABLES, "cards.csv": CARDS, "rules.warlock": play + rules}, "tiny")
    errors = [one.code for one in loaded.diagnostics if one.severity is Severity.ERROR]
    assert errors == ([code] if code else [])


CARDS = "id,colour,value\nr1,red,1\nb1,blue,5\n"


def test_a_kind_and_its_table_may_lend_a_parameter_their_name() -> None:
    tables = """
[game]
players = 1

[table.spell]
columns = { cost = "number" }
rows = { fire = { cost = 2 }, frost = { cost = 3 } }

[kind.spell]
rows = "spell"

[zone]
book = { holds = "spell", start = "spell" }

[variable.game]
spent = "number"
"""
    rules = """
rule play:
    for spell in book: cast(spell)
    choose deed in deed: deed[deed]()
    finish players

rule cast(spell: spell): add spell.face.cost to spent

rule deed[more]: add 1 to spent

rule deed[less]: take 1 from spent
"""
    found = game(rules, players=1, tables=tables)
    assert variable(found, "spent") == "5"
    found.answer("less")
    assert variable(found, "spent") == "4"


def test_the_test_of_a_kind_is_made_of_what_there_was() -> None:
    made = ruleset(MIXED).program.defines[0].value
    assert isinstance(made, checked.Conditional) and isinstance(made.test, checked.Primitive)
    assert made.test.name == "any" and isinstance(made.test.arguments[0], checked.Narrow)


def test_a_scenario_sets_and_tests_a_key() -> None:
    made = ruleset(RULES, PLAN)
    text = """
[[scenario]]
name = "as planned"
players = ["ann", "ben"]
given = { variables = { "ann.plan" = "rest", told = ["earn", "rest"] }, begin = "remember(earn) by ann" }
[[scenario.step]]
variables = { "ann.plan" = "earn", told = ["earn", "rest", "earn"], "ben.secret" = "rest" }
true = ["ann.plan is earn", "told[2] is rest"]
"""
    [one], errors = read_scenarios(text, "test.toml", lambda _: made, "tiny")
    assert not errors, errors
    assert not run_scenario(made, one).failures, run_scenario(made, one).failures
    _, [wrong] = read_scenarios(text.replace('= "rest", told', '= "rset", told'), "t.toml", lambda _: made, "tiny")
    assert wrong.code == "W515" and "did you mean 'rest'" in wrong.hint
