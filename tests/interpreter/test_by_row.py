"""Variables and zones that there are for each row of a table: of the game, of players and of pieces."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from interpreter import Game, machine_for
from interpreter.vm.machine import VmMachine
from tests.interpreter.tiny import keys
from warlock_dsl.diagnostics.diagnostic import Severity
from warlock_dsl.load import load_files
from warlock_dsl.ruleset import Loaded, Ruleset
from warlock_dsl.serialize import pack_ruleset, unpack_ruleset
from warlock_dsl.stack import Use
from workbench.language.event_log import tell
from workbench.language.sentences import Words
from workbench.scenario.read import read_scenarios
from workbench.scenario.run import run_scenario
from workbench.service.table import table_for
from workbench.terminal.board import Board

TABLES = """
[game]
players = 2

[table.gem]
columns = { worth = "number" }
rows = { ruby = { worth = 3 }, jade = { worth = 1 } }

[kind.stone]
rows = "gem"
copies = 3

[kind.cart]
count = 2

[zone]
mine = { each = "gem", holds = "stone", start = "stone" }
chest = { each = ["player", "gem"], holds = "stone", sees = "owner" }
road = { holds = "cart", start = "cart" }
load = { each = "cart", holds = "stone" }

[variable.game]
price = { type = "0..5 by gem", first = { ruby = 3, jade = 1 } }
shut = "truth by gem"

[variable.player]
purse = "number by gem"
wish = { type = "0..3 by gem", sees = "owner", first = 2 }

[variable.cart]
driven = { type = "number by gem", lasts = "move" }
"""
RULES = """
rule play:
    for me in players: choose g in gem where any(g.mine): dig(g)
    for me in players: guess()
    finish most(p in players: p.purse[ruby] + p.purse[jade])

rule dig(g: gem):
    move top(g.mine) to my.chest[g]
    add price[g] to my.purse[g]
    take 1 from price[g]
    if not any(g.mine): set shut[g] to true
    let cart = first(road)
    set cart.driven[g] to 7
    move top(g.mine) to cart.load

rule guess:
    choose n in 0..3
    set my.wish[ruby] to n

score chests = sum(g in gem: count(my.chest[g]) * g.worth)

score purse = my.purse[ruby] + my.purse[jade]

invariant prices = all(g in gem: price[g] >= 0 and price[g] <= 5)

define dug(p: player) = sum(g in gem: count(p.chest[g]))

invariant none_lost = sum(g in gem: count(g.mine)) + sum(p in players: dug(p)) <= count(everywhere[stone])
"""


def loaded(rules: str = RULES, tables: str = TABLES, more: str = "") -> Loaded:
    return load_files({"game.toml": tables + more, "rules.warlock": rules}, "quarry")


def ruleset(rules: str = RULES, tables: str = TABLES) -> Ruleset:
    found = loaded(rules, tables)
    assert found.ruleset is not None, [(one.code, one.span.line, one.message) for one in found.diagnostics]
    return found.ruleset


def values(game: Game, viewer: int = -1) -> dict[str, str | None]:
    """The variables by owner and word."""
    found = game.observe(viewer).variables
    return {f"{v.owner}{v.holder}.{v.word}": None if v.value is None else v.value.key() for v in found}


def zones(game: Game, viewer: int = -1) -> dict[str, list[str]]:
    found = game.observe(viewer).zones
    return {f"{z.owner}{z.holder}.{z.word}": [piece.key() for piece in z.pieces] for z in found}


def test_each_row_has_its_own() -> None:
    game = Game.start(ruleset(), 2, log=True)
    assert zones(game)["-1.ruby.mine"] == ["ruby#1", "ruby#2", "ruby#3"] and zones(game)["0.chest[ruby]"] == []
    assert values(game)["-1.price[ruby]"] == "3" and values(game)["-1.price[jade]"] == "1"
    assert values(game)["0.wish[jade]"] == "2" and keys(game) == ["ruby", "jade"]
    game.answer("ruby")
    assert zones(game)["0.chest[ruby]"] == ["ruby#3"] and zones(game)["-1cart#1.load"] == ["ruby#2"]
    game.answer("ruby")
    found = values(game)
    assert found["0.purse[ruby]"] == "3" and found["1.purse[ruby]"] == "2" and found["0.purse[jade]"] == "0"
    assert found["-1.price[ruby]"] == "1" and found["-1.price[jade]"] == "1"
    assert found["-1.shut[ruby]"] == "true" and found["-1.shut[jade]"] == "false"
    assert found["-1cart#1.driven[ruby]"] == "7" and found["-1cart#1.driven[jade]"] == "0"
    game.answer("3")
    game.answer("1")
    assert game.over and game.winners == (0,)
    assert [sheet.parts for sheet in game.scores()] == [{"chests": 3, "purse": 3}, {"chests": 3, "purse": 2}]


def test_who_sees_what_is_as_for_any_other() -> None:
    game = Game.start(ruleset(), 2)
    game.answer("ruby")
    mine, theirs = values(game, 0), values(game, 1)
    assert mine["0.wish[ruby]"] == "2" and mine["1.wish[ruby]"] is None and theirs["0.wish[jade]"] is None
    assert zones(game, 0)["0.chest[ruby]"] == ["ruby#3"] and zones(game, 1)["0.chest[ruby]"] == ["unseen stone"]
    data = game.observe(0).data()
    assert {"name": "price", "owner": -1, "holder": "", "value": "2", "row": "ruby"} in data["variables"]
    assert [zone["row"] for zone in data["zones"] if zone["name"] == "mine"] == ["ruby", "jade"]


def test_a_save_a_redeal_and_a_key_know_them() -> None:
    made = ruleset()
    game = Game.start(made, 2)
    game.answer("ruby")
    again = Game.load(made, game.save())
    assert values(again) == values(game) and again.digest() == game.digest()
    assert pack_ruleset(unpack_ruleset(pack_ruleset(made))) == pack_ruleset(made)
    other = Game.start(made, 2)
    other.answer("jade")
    name, same, different = (one.machine.identity(one.state) for one in (game, again, other))
    assert name == same != different
    _, world = game.machine.redeal(game.state, 1, 5)
    dealt = game.at(world)
    assert values(dealt, 1) == values(game, 1)
    assert dealt.observe(1) == game.observe(1)


def test_a_hidden_one_is_dealt_anew_for_every_row() -> None:
    game = Game.start(ruleset(), 2)
    worlds = [values(game.at(game.machine.redeal(game.state, 1, stream)[1])) for stream in range(40)]
    for word in ("0.wish[ruby]", "0.wish[jade]"):
        assert {world[word] for world in worlds} == {"0", "1", "2", "3"}
    assert {world["1.wish[ruby]"] for world in worlds} == {"2"}
    assert any(world["0.wish[ruby]"] != world["0.wish[jade]"] for world in worlds)


def test_they_are_played_by_the_fast_machine() -> None:
    assert isinstance(machine_for(ruleset(), 2, True), VmMachine)


def test_the_log_and_the_board_name_the_row() -> None:
    made = ruleset()
    game = Game.start(made, 2, log=True)
    game.answer("ruby")
    words = Words(made, "en", ["Ann", "Ben"])
    told = tell(game.events, 0, words)
    assert "Ann: purse ruby: 3" in told and "price ruby: 2" in told
    assert any("mine ruby" in line and "chest ruby" in line for line in told)
    out = io.StringIO()
    console = Console(file=out, width=118)
    console.print(Board(table_for(words, game, 0)).draw(console))
    shown = out.getvalue()
    assert "mine ruby 1" in shown and "mine jade 3" in shown and "price ruby 2" in shown
    assert "chest ruby 1" in shown and "purse ruby 3" in shown and "load 1: ruby#2" in shown


def test_a_scenario_sets_and_tests_them() -> None:
    made = ruleset()
    text = """
[[scenario]]
name = "one digs"
players = ["ann", "ben"]
[scenario.given]
zones = { "ruby.mine" = ["ruby#1", "ruby#2"], "ann.chest[jade]" = ["jade#1"], "cart#2.load" = ["jade#2"] }
variables = { "price[ruby]" = 4, "ben.purse[jade]" = 2 }
rest = { stone = "jade.mine" }
begin = "dig(ruby) by ann"
[[scenario.step]]
zones = { "ruby.mine" = [], "ann.chest[ruby]" = ["ruby#2"], "cart#1.load" = ["ruby#1"] }
variables = { "price[ruby]" = 3, "ann.purse[ruby]" = 4, "ben.purse[jade]" = 2, "shut[ruby]" = false }
hidden = { ben = ["ann.chest[ruby]"] }
true = ["price[ruby] is 3", "count(ruby.mine) is 0", "sum(g in gem: count(ann.chest[g])) is 2"]
"""
    [one], errors = read_scenarios(text, "test.toml", lambda _: made, "quarry")
    assert not errors, errors
    assert not run_scenario(made, one).failures, run_scenario(made, one).failures


def test_a_wrong_name_in_a_scenario_is_told_how_to_write_it() -> None:
    made = ruleset()
    given = "given = { variables = { price = 2 } }"
    text = f'[[scenario]]\nname = "x"\nplayers = ["ann", "ben"]\n{given}\nstep = [{{ asks = "ann" }}]\n'
    _, errors = read_scenarios(text, "test.toml", lambda _: made, "quarry")
    assert [(one.code, one.hint) for one in errors] == [("W514", "there is one for each row: write 'price[ruby]'")]


def test_an_overlay_that_adds_a_row_adds_its_zones_and_variables() -> None:
    overlay = {
        "overlay.toml": '[overlay]\non = "quarry"\nabout = "Opals"\n[[add]]\nat = "gem.opal"\nnow = { worth = 5 }\n'
        '[[add]]\nat = "variable.game.price.first.opal"\nnow = 2\n',
    }
    found = load_files({"game.toml": TABLES, "rules.warlock": RULES}, "quarry", (), ((Use("opals"), overlay),))
    assert found.ruleset is not None, [(one.code, one.message, one.hint) for one in found.diagnostics]
    game = Game.start(found.ruleset, 2)
    assert keys(game) == ["ruby", "jade", "opal"] and len(zones(game)["-1.opal.mine"]) == 3
    game.answer("opal")
    assert values(game)["0.purse[opal]"] == "2"


def test_what_lasts_until_a_move_goes_back_for_every_row() -> None:
    rules = """
rule play:
    for c in road: set c.driven[jade] to 4, c.driven[ruby] to 2
    move first(road) to road
    for g in gem: add 1 to players[1].purse[g]
    finish players
"""
    game = Game.start(ruleset(rules), 2)
    found = values(game)
    assert found["-1cart#1.driven[jade]"] == "0" and found["-1cart#1.driven[ruby]"] == "0"
    assert found["-1cart#2.driven[jade]"] == "4" and found["0.purse[jade]"] == "1"


WRONG = [
    ("score s = my.purse", "W313"),
    ("score s = sum(g in gem: my.purse[g])", ""),
    ("score s = my.purse[1]", "W304"),
    ("score s = my.purse[topaz]", "W301"),
    ("score s = my.purse[ruby, jade]", "W308"),
    ("score s = count(mine)", "W301"),
    ("score s = count(ruby.mine)", ""),
    ("score s = count(ruby.chest)", "W305"),
    ("score s = count(my.chest)", "W313"),
    ("score s = count(my.mine)", "W305"),
    ("rule r: set price to 3", "W313"),
    ("rule r: set price[ruby] to true", "W304"),
    ("rule r: add 1 to shut[ruby]", "W317"),
    ("rule r: shuffle ruby.mine", ""),
]


@pytest.mark.parametrize(("more", "code"), WRONG)
def test_what_can_be_written_wrong(more: str, code: str) -> None:
    found = loaded(f"{RULES}\n{more}\n")
    errors = [one.code for one in found.diagnostics if one.severity is Severity.ERROR]
    assert errors == ([code] if code else [])


TABLE_ERRORS = [
    ('[zone.pit]\neach = "gme"\nholds = "stone"\n', "W215"),
    ('[zone.pit]\neach = ["player", "cart"]\nholds = "stone"\n', "W205"),
    ('[zone.pit]\neach = "gem"\nholds = "dust"\nstart = "dust"\n[kind.dust]\ncount = 3\n', "W227"),
    ('[zone.worth]\neach = "gem"\nholds = "stone"\n', "W232"),
    ('[zone.pit]\neach = "gem"\nholds = "stone"\nsees = "owner"\n', "W229"),
    ('[variable.game]\nx = "region by gem"\n', "W207"),
    ('[variable.game]\nx = "[number by gem]"\n', "W207"),
    ('[variable.game]\nx = { type = "number by gem", first = { ruby = 1 } }\n', "W210"),
    ('[variable.game]\nx = { type = "0..3 by gem", first = 4 }\n', "W224"),
]


@pytest.mark.parametrize(("more", "code"), TABLE_ERRORS)
def test_what_tables_can_say_wrong(more: str, code: str) -> None:
    rules = "rule play: finish players\n"
    tables = TABLES.replace("[variable.game]", "[variable.stone]") if "[variable.game]" in more else TABLES
    found = loaded(rules, tables, more)
    assert [one.code for one in found.diagnostics if one.severity is Severity.ERROR] == [code]


def test_a_piece_in_a_zone_of_a_row_has_no_owner() -> None:
    rules = f"{RULES}\nrule r after guess(): for c in ruby.mine: move c to c.owner.chest[ruby]\n"
    assert "W454" in [one.code for one in loaded(rules).diagnostics]
    mine = f"{RULES}\nrule r after guess(): for c in my.chest[ruby]: move c to c.owner.chest[jade]\n"
    assert "W454" not in [one.code for one in loaded(mine).diagnostics]


def test_guards_know_whose_a_zone_by_row_is() -> None:
    """What a hook takes from one's own chest can be foreseen, what it takes from another's cannot."""
    hook = "rule r before guess(): move {} to ruby.mine\n\nrule s after guess(): pass\n"
    need = RULES.replace("rule guess:\n", "rule guess:\n    require any(p in players where any(p.chest[ruby]))\n")
    own = loaded(f"{need}\n{hook.format('my.chest[ruby]')}")
    other = loaded(f"{need}\n{hook.format('next(me).chest[ruby]')}")
    assert "W335" not in [one.code for one in own.diagnostics]
    assert "W335" in [one.code for one in other.diagnostics]


def test_one_that_no_rule_uses_is_played_by_the_fast_machine_too() -> None:
    found = loaded("rule play: finish players\n")
    assert found.ruleset is not None
    assert isinstance(machine_for(found.ruleset, 2, True), VmMachine)
