"""Whole-program checks: what is never used, data nobody reads, gaps in ledger and catalogues, unproven choices."""

from __future__ import annotations

import pytest

from warlock_dsl.check import program as checked
from warlock_dsl.check.check import CHECKS, check, lint
from warlock_dsl.check.context import CheckInput
from warlock_dsl.check.texts.lint_names import check_names, required_names
from warlock_dsl.diagnostics.codes import codes_of
from warlock_dsl.diagnostics.diagnostic import Diagnostic, Severity
from warlock_dsl.syntax.parse import parse
from warlock_dsl.syntax.tree import Module
from warlock_dsl.tables.components import Components
from warlock_dsl.tables.read import read_tables

TABLES = """
[game]
players = "2..4"

[kind.card]
count = 6
fields = { value = "number" }
values = { value = 1 }

[zone]
deck = { holds = "card", sees = "all", start = "card" }
hand = { each = "player", holds = "card", sees = "owner" }
"""

PLAY = """
rule play:
    for me in players: move top(deck) to my.hand
    finish most(p in players: sum(c in p.hand: c.value))
"""


def game(
    rules: str, tables: str = "", names: str = "", file: str = "game/rules.warlock"
) -> tuple[checked.Program, Components, list[Module]]:
    files = {"game/game.toml": TABLES + tables}
    if names:
        files["game/names/en.toml"] = names
    components, errors = read_tables(files, "game")
    assert components is not None, errors
    module, errors = parse(rules, file)
    assert not errors
    program, errors = check([module], components)
    assert program is not None, errors
    return program, components, [module]


def linted(rules: str, tables: str = "", file: str = "game/rules.warlock") -> list[Diagnostic]:
    return lint(CheckInput(*game(rules, tables, "", file)))


def test_a_sound_game_has_no_errors() -> None:
    assert linted(PLAY) == []


# The code, rules besides `play`, tables, what the message says.
WARNINGS = [
    ("W401", "rule idle_rule: pass\n", "", "rule 'idle_rule' is never used"),
    ("W401", "define idle = 1\n", "", "definition 'idle' is never used"),
    ("W401", "rule a: b()\nrule b: a()\n", "", "rule 'a' is never used|rule 'b' is never used"),
    ("W401", "rule f[a]: pass\n", "", "rule 'f.a' is never used"),
    ("W402", "rule late after play() where false: pass\n", "", "its condition is always false"),
    ("W402", "rule event\nrule late after event(): pass\n", "", "hangs on 'event', which is never called"),
    ("W402", "rule event\ninvariant law after event() = true\n", "", "hangs on 'event', which is never called"),
    (
        "W420",
        "define t = first(tone)\nscore s = count([t])\n",
        '[table.tone]\ncolumns = { pitch = "number" }\nrows = { low = { pitch = 1 } }\n',
        "nothing reads column 'pitch' of table 'tone'",
    ),
    (
        "W421",
        "",
        '[kind.token]\ncount = 2\nfields = { weight = "number" }\nvalues = { weight = 1 }\n'
        '[zone.bag]\nholds = "token"\nsees = "all"\nstart = "token"\n',
        "nothing reads field 'weight' of kind 'token'",
    ),
    ("W422", "", "[figure.size]\nhand = 3\n", "nothing reads figure 'size.hand'"),
    (
        "W423",
        "score s = size.hand\n",
        '[figure.size]\nhand = { is = 3, idle = "nobody asks" }\n',
        "figure 'size.hand' is called idle and is read",
    ),
    ("W424", "", "[series.steps]\nis = [1, 2]\n", "nothing reads series 'steps'"),
    (
        "W424",
        "score s = if [low] has first(tone) then 1 else 0\n",
        '[table.tone]\nrows = ["low"]\n[die.cube]\nof = "tone"\nfaces = { low = 6 }\n',
        "nothing reads die 'cube'",
    ),
    ("W425", "", '[zone.box]\nholds = "card"\nsees = "all"\n', "no rule uses zone 'box'"),
    ("W426", "", '[variable.player]\ngold = "number"\n', "no rule uses variable 'gold' of player"),
    (
        "W457",
        "score s = if hush then my.gold else my.luck\n",
        '[variable.player]\ngold = { type = "number", sees = "owner" }\nluck = { type = "0..3", sees = "owner" }\n'
        '[variable.game]\nhush = { type = "truth", sees = "none" }\n',
        "hidden variable 'gold' may be any number",
    ),
    ("W427", "", '[grid.plan]\ncells = [".."]\n', "no zone has grid 'plan'"),
    (
        "W427",
        "score s = count(free(board))\n",
        '[grid.plan]\ncells = ["a."]\nregions = { rim = "a" }\n'
        '[zone.board]\nholds = "card"\nsees = "all"\ngrid = "plan"\n',
        "nothing uses region 'rim' of grid 'plan'",
    ),
    (
        "W428",
        "",
        '[kind.token]\ncount = 2\n[zone.bag]\nholds = "token"\nsees = "all"\nstart = "token"\n',
        "no rule has to do with kind 'token'",
    ),
    ("W429", "", '[table.tone]\nrows = ["low", "high"]\n', "no rule reads table 'tone'"),
]


@pytest.mark.parametrize(("code", "rules", "tables", "said"), WARNINGS, ids=[f"{w[0]}-{w[3]}" for w in WARNINGS])
def test_a_warning(code: str, rules: str, tables: str, said: str) -> None:
    found = [error for error in linted(PLAY + rules, tables) if error.code == code]
    assert len(found) == len(said.split("|"))
    for error, words in zip(found, said.split("|"), strict=True):
        assert words in error.message
        assert error.severity is Severity.WARNING


def test_what_is_used_is_not_told_of() -> None:
    rules = """
rule play:
    choose act in action: action[act]()
    for c in deck where rim has c.cell and c.tone.pitch > steps[1]: gained(c)
    finish most(p in players: total(p))
rule action[go]: roll face in cube
rule gained(c: card)
rule late after gained(x): set x.lit to true
define rich(p: player) = p.gold
score gold = rich(me)
invariant law = all(p in players: rich(p) > 0)
"""
    tables = """
[table.tone]
columns = { pitch = "number" }
rows = { low = { pitch = 1 } }
[die.cube]
of = "tone"
faces = { low = 6 }
[series.steps]
is = [1]
[grid.plan]
cells = ["a."]
regions = { rim = "a" }
[variable.player]
gold = "number"
[variable.card]
lit = "truth"
"""
    text = TABLES.replace('{ value = "number" }', '{ tone = "tone" }').replace("{ value = 1 }", '{ tone = "low" }')
    text = text.replace('hand = { each = "player", holds = "card", sees = "owner" }', "")
    text = text.replace('start = "card"', 'start = "card", grid = "plan"').replace("count = 6", "count = 2")
    components, errors = read_tables({"game/game.toml": text + tables}, "game")
    assert components is not None, errors
    module, _ = parse(rules, "game/rules.warlock")
    program, errors = check([module], components)
    assert program is not None, errors
    assert lint(CheckInput(program, components, [module])) == []


def test_a_library_may_offer_more_than_is_used() -> None:
    assert linted(PLAY + "rule spare: pass\ndefine more = 1\n", file="std/piles.warlock") == []


def test_a_guard_that_is_asked_for_is_a_use() -> None:
    rules = PLAY.replace("for me in players:", "for me in players where can act():") + "rule act: require any(deck)\n"
    assert linted(rules) == []


# ------------------------------------------------------------------------- the ledger

LEDGER = """
[document]
en = "Rules"
[ledger]
"deal.one" = { says = "x", at = { en = "1" }, status = { en = "same" }, standing = "printed" }
"deal.two" = { says = "x", at = { en = "1" }, status = { en = "same" }, standing = "printed", idle = "an aid" }
[ruling.Q-1]
question = "who?"
options = ["me"]
takes = "me"
because = "so"
"""


def test_the_ledger_and_the_rulings_are_carried_out() -> None:
    assert [error.code for error in linted(PLAY, LEDGER)] == ["W440", "W441"]
    assert linted(PLAY.replace("rule play", '@printed "deal.one, Q-1"\nrule play'), LEDGER) == []


def test_what_is_idle_is_not_cited() -> None:
    rules = PLAY.replace("rule play", '@printed "deal.one, deal.two, Q-1"\nrule play')
    assert [error.code for error in linted(rules, LEDGER)] == ["W442"]


def test_a_mark_in_the_tables_is_a_citation() -> None:
    tables = LEDGER.replace(
        "[document]", '[figure.size]\naids = { is = 1, printed = "deal.two", idle = "x" }\n[document]'
    )
    rules = PLAY.replace("rule play", '@printed "Q-1"\nrule play')
    marked = TABLES.replace('players = "2..4"', 'players = { is = "2..4", printed = "deal.one" }')
    components, errors = read_tables({"game/game.toml": marked + tables}, "game")
    assert components is not None, errors
    module, _ = parse(rules, "game/rules.warlock")
    program, errors = check([module], components)
    assert program is not None, errors
    assert lint(CheckInput(program, components, [module])) == []


# -------------------------------------------------------------------- unproven choices


def notes(statements: str, before: str = "") -> list[str]:
    lines = "".join(f"    {line}\n" for line in statements.splitlines())
    rules = f"{before}rule play:\n{lines}    finish [p in players where any(p.hand) and sum(c in deck: c.value) > 0]\n"
    return [error.code for error in linted(rules) if error.severity is Severity.NOTE]


ACT = "move top(deck) to my.hand\n"


@pytest.mark.parametrize(
    "statements",
    [
        "choose x in my.hand",  # the opening
        "require any(deck)\nchoose x in my.hand",
        f"{ACT}choose x in my.hand: pass\nelse: pass",
        f"{ACT}may choose x in my.hand: pass",
        f"{ACT}choose x in [deck, my.hand]: pass",
        f"{ACT}choose x in players: pass",
        f"{ACT}choose x in clockwise(me): pass",
        f"{ACT}choose x in 1..3: pass",
        f"{ACT}if any(my.hand):\n    choose x in my.hand: pass",
        f"{ACT}if count(my.hand) > 0:\n    choose x in my.hand: pass",
        f"{ACT}if not any(my.hand): pass\nelse:\n    choose x in my.hand: pass",
        f"{ACT}if any(my.hand) and true:\n    choose n in 1..2, x in my.hand: pass",
        f"{ACT}if any(y in my.hand where y.value > 1):\n    choose x in my.hand where x.value > 1: pass",
        "for p in players where any(p.hand):\n    choose x in p.hand: move x to deck",
        "repeat 3 where any(deck):\n    choose x in deck: move x to my.hand",
        f"{ACT}choose min(2, count(my.hand)) x in my.hand: pass",
        f"{ACT}choose 0..2 x in my.hand: pass",
        f"{ACT}let hands = [my.hand] + []\nchoose x in hands: pass",
    ],
)
def test_a_choice_that_is_proven(statements: str) -> None:
    assert notes(statements) == []


@pytest.mark.parametrize(
    "statements",
    [
        f"{ACT}choose x in my.hand: pass",
        f"if any(my.hand):\n    {ACT}    choose x in my.hand: pass",
        f"{ACT}if any(deck):\n    choose x in my.hand: pass",
        f"{ACT}if any(my.hand) or true:\n    choose x in my.hand: pass",
        f"{ACT}if any(my.hand):\n    choose x in my.hand where x.value > 1: pass",
        "if any(my.hand):\n    for me in players:\n        choose x in my.hand: move x to deck",
        f"{ACT}choose 2 x in my.hand: pass",
        f"{ACT}choose some x in my.hand: pass",
        f"{ACT}choose minimal x in my.hand where any(x): pass",
        f"{ACT}choose min(2, count(deck)) x in my.hand: pass",
        "act()\nchoose x in my.hand: pass",
    ],
)
def test_a_choice_that_is_not_proven(statements: str) -> None:
    before = f"rule act: {ACT}" if "act()" in statements else ""
    assert notes(statements, before) == ["W450"]


@pytest.mark.parametrize(
    ("statements", "codes"),
    [
        ("choose p in players where any(p.hand): move last(p.hand) to deck", []),
        ("choose p in players where any(p.hand)\nlet c = last(p.hand)\nmove c to deck", []),
        ("choose some x in my.hand: move first(x) to deck", []),
        ("choose p in players where any(deck): move last(p.hand) to deck", ["W451"]),
        ("choose 0..2 x in my.hand: move first(x) to deck", ["W451"]),
        ("choose p in players where any(p.hand):\n    move p.hand to deck\n    move last(p.hand) to deck", ["W451"]),
    ],
)
def test_what_an_answer_proves(statements: str, codes: list[str]) -> None:
    assert notes(statements) == codes


@pytest.mark.parametrize(
    ("expression", "codes"),
    [
        ("first(deck)", ["W451"]),
        ("last(my.hand)", ["W451"]),
        ("first(deck + [last(deck, top_card)])", []),
        ("if any(deck) then first(deck) else top_card", []),
        ("first(p in players: first(p.hand, top_card))", []),
        ("first(most(p in players: count(p.hand))).hand", []),
        ("first(most(p in players where any(p.hand): count(p.hand))).hand", ["W451"]),
        ("[p in players where any(p.hand): last(p.hand)]", []),
        ("[p in players where any(deck): last(p.hand)]", ["W451"]),
        ("max(c in my.hand: c.value)", ["W451"]),
        ("min([c in my.hand: c.value])", ["W451"]),
        ("max([c in my.hand: c.value], 0)", []),
        ("max(p in players: count(p.hand))", []),
        ("if any(my.hand) then max(c in my.hand: c.value) else 0", []),
        ("max(c.value, 3)", []),
    ],
)
def test_an_element_of_a_list(expression: str, codes: list[str]) -> None:
    given = expression.replace("top_card", "c")
    rules = f"define it(c: card) = {given}\n{PLAY}score s = sum(c in deck: count([it(c)]))\n"
    assert [error.code for error in linted(rules)] == codes


@pytest.mark.parametrize(
    ("expression", "codes"),
    [
        ("deck[1]", ["W451"]),
        ("my.hand[9]", ["W451"]),
        ("deck[count(deck)]", ["W451"]),
        ("players[2].hand", []),  # at least two play
        ("players[3].hand", ["W451"]),
        ("clockwise(me)[2].hand", []),
        ("[1, 2, 3][2]", []),
        ("[1, 2, 3][4]", ["W451"]),
        ("[1, 2, 3][step]", []),
        ("[1, 2][step]", ["W451"]),
        ("[1, 2, 3][coins]", ["W451"]),
        ("size.steps[3]", []),
        ("size.steps[4]", ["W453"]),
        ("size.steps[coins]", ["W451"]),
        ("players[c.value].hand", []),  # every card has the value 1
        ("players[c.value + 1].hand", []),
        ("players[c.value + step].hand", ["W451"]),
        ("players[step - 1].hand", ["W451"]),
        ("players[tone.low.pitch + 1].hand", []),
        ("[1, 2, 3][0]", ["W451"]),
        ("(3..5)[3]", []),
        ("(3..5)[4]", ["W451"]),
        ("(deck + [c, c])[2]", []),
        ("(deck + [c, c])[3]", ["W451"]),
        ("if any(deck) then deck[1] else c", []),
        ("if any(deck) then deck[2] else c", ["W451"]),
        ("if any(deck) then deck[count(deck)] else c", []),
        ("if count(deck) >= 2 then deck[2] else c", []),
        ("if count(deck) > 2 then deck[3] else c", []),
        ("if count(deck) > 2 then deck[4] else c", ["W451"]),
        ("if count(deck) < 3 then c else deck[3]", []),
        ("if count(deck) <= 3 then c else deck[4]", []),
        ("if count(my.hand) is 2 then my.hand[2] else c", []),
        ("if count(my.hand) is 2 then deck[2] else c", ["W451"]),
        ("[n in 1..count(deck): deck[n]]", []),
        ("[n in 1..count(my.hand): deck[n]]", ["W451"]),
        ("[n in 0..count(deck): deck[n]]", ["W451"]),
        ("[n in 1..3: [1, 2, 3][n]]", []),
        ("[n in [1, 2]: players[n].hand]", []),
        ("[n in 1..3: players[n].hand]", ["W451"]),
        ("[line in [[c, c], [c]]: line[1]]", []),
        ("[line in [[c, c], [c]]: line[2]]", ["W451"]),
        ("[pair in union(p in players: [q in players: [p, q]]): pair[2].hand]", []),
        ("[pair in union(p in players: [q in players: [p, q]]): pair[3].hand]", ["W451"]),
        ("[pair in pairs: pair[2].hand]", []),
        ("[pair in pairs where count(pair[1].hand) > 1: pair[3].hand]", ["W451"]),
        ("rising(p in players: count(p.hand))[2].hand", []),
        ("most(p in players: count(p.hand))[1].hand", []),
        ("most(p in players: count(p.hand))[2].hand", ["W451"]),
    ],
)
def test_a_place_in_a_list(expression: str, codes: list[str]) -> None:
    rules = f"define it(c: card) = {expression}\n{PLAY}score s = sum(c in deck: count([it(c)])) + step + coins\n"
    rules += "define pairs = union(p in players: [q in players where p is not q: [p, q]])\nscore t = count(pairs)\n"
    tables = '[variable.game]\nstep = "1..3"\ncoins = "number"\n[figure.size]\nsteps = [1, 2, 3]\n'
    tables += '[table.tone]\ncolumns = { pitch = "number" }\nrows = { low = { pitch = 0 }, high = { pitch = 1 } }\n'
    assert sorted({error.code for error in linted(rules, tables)} - {"W420", "W422", "W423"}) == codes


@pytest.mark.parametrize(
    ("statements", "codes"),
    [
        ("choose 2 x in deck: move x[2] to my.hand", []),
        ("choose 2 x in deck: move x[3] to my.hand", ["W451"]),
        ("choose 1..2 x in deck: move x[2] to my.hand", ["W451"]),
        ("choose 2 x in deck:\n    move my.hand to deck\n    move x[2] to my.hand", []),
        ("roll 3 x in deck\nmove x[3] to my.hand", []),
        ("roll 3 x in deck\nmove x[4] to my.hand", ["W451"]),
        ("choose n in 1..count(deck): move deck[n] to my.hand", []),
        ("choose n in 1..count(deck)\nmove deck to my.hand\nmove deck[n] to my.hand", ["W451"]),
        ("for n in 1..count(deck): move deck[n] to my.hand", ["W451"]),  # the deck shrinks on the way
        ("let cards = deck + my.hand\nfor n in 1..count(cards): move cards[n] to my.hand", []),
        ("require count(deck) > 1\nlet x = deck + []\nmove deck to my.hand\nmove x[2] to deck", []),
        ("require count(deck) > 1\nmove deck[2] to my.hand", []),
        ("require count(deck) > 1\nmove my.hand to deck\nmove deck[2] to my.hand", ["W451"]),
        ("choose some x in deck: move x[1] to my.hand", []),
    ],
)
def test_a_place_in_a_list_that_a_statement_proves(statements: str, codes: list[str]) -> None:
    assert [code for code in notes(statements) if code != "W450"] == codes


@pytest.mark.parametrize(
    ("wanted", "codes"), [("lines(f, 3) where any(at(line[3]))", []), ("lines(f, 3) where any(at(line[4]))", ["W451"])]
)
def test_every_line_is_as_long_as_was_asked(wanted: str, codes: list[str]) -> None:
    tables = '[grid.plan]\ncells = ["...", "...", "..."]\n'
    tables += '[zone.board]\nholds = "card"\ngrid = "plan"\n'
    rules = f"define row(f: cell) = any(line in {wanted})\n{PLAY}score s = count(f in free(board) where row(f))\n"
    assert [error.code for error in linted(rules, tables)] == codes


# ------------------------------------------------------------------------- catalogues

MENU = """
rule play:
    roll starter in players
    for p in players: turn(p)
    finish most(p in players: total(p))
rule turn(p: player):
    choose act in action: action[act]()
rule action[draw]:
    may choose card_ in deck, n in 1..2:
        move card_ to my.hand
rule action[pass_]: pass
score worth = sum(c in my.hand: c.value)
"""

NAMES = """
game = "A game"
"zone.deck" = "deck"
"zone.hand" = "hand"
"kind.card" = "card"
"piece.card" = "card {id} of {value}"
"card.card" = "card"
"action.draw" = "draw"
"action.pass_" = "pass"
"score.worth" = "worth"
"ask.turn.act" = "what will {me} do for {p}?"
"ask.action.draw.card_" = "which card?"
"decline.action.draw.card_" = "none"
"ask.action.draw.n" = "how many of {card_}?"
"choose.action.draw.n" = "{n} of {card_}"
"rule.turn" = "a turn"
"roll.play.starter" = "{starter} begins"
"""


def named(names: str, rules: str = MENU, tables: str = "") -> list[Diagnostic]:
    return check_names(CheckInput(*game(rules, tables, names)))


def test_a_whole_catalogue() -> None:
    assert named(NAMES) == []


@pytest.mark.parametrize(
    "key",
    [
        "game",
        "zone.deck",
        "kind.card",
        "piece.card",
        "card.card",
        "action.draw",
        "score.worth",
        "ask.turn.act",
        "decline.action.draw.card_",
        "ask.action.draw.n",
    ],
)
def test_a_text_that_is_missing(key: str) -> None:
    kept = "\n".join(line for line in NAMES.splitlines() if line.partition(" = ")[0].strip('"') != key)
    (error,) = named(kept)
    assert error.code == "W430"
    assert error.severity is Severity.WARNING
    assert error.message == f"there is no text '{key}' in 'en'"
    assert "names/en.toml" in error.hint and "until then" in error.hint


@pytest.mark.parametrize("key", ["choose.action.draw.n", "rule.turn", "roll.play.starter"])
def test_a_text_that_may_be_missing(key: str) -> None:
    assert named("\n".join(line for line in NAMES.splitlines() if f'"{key}"' not in line)) == []


def test_a_text_nobody_shows() -> None:
    (error,) = named(NAMES + '"zone.dekc" = "x"\n')
    assert (error.code, error.hint) == ("W431", "did you mean 'zone.deck'?")


def test_a_text_of_a_variable_that_nobody_sees() -> None:
    tables = '[variable.player]\nmood = { type = "number", sees = "none" }\n'
    rules = MENU + "invariant calm_ = all(p in players: p.mood is 0)\n"
    (error,) = named(NAMES + '"variable.mood" = "mood"\n', rules, tables)
    assert (error.code, error.message.rpartition(", ")[2]) == ("W431", "as nobody sees the variable")


@pytest.mark.parametrize(
    ("old", "new", "hint"),
    [
        ("{value}", "{vaule}", "did you mean 'value'?"),
        ("how many of {card_}", "how many of {n}", "known names"),  # not bound yet when it is asked
        ("what will {me}", "what will {act}", "known names"),
    ],
)
def test_a_name_a_text_cannot_use(old: str, new: str, hint: str) -> None:
    (error,) = named(NAMES.replace(old, new))
    assert error.code == "W432"
    assert hint in error.hint


def test_words_need_a_text_only_where_they_are_shown() -> None:
    tables = '[variable.player]\nmood = { type = ["calm", "wild"], sees = "none" }\n'
    rules = MENU + "invariant calm_ = all(p in players: p.mood is calm)\n"
    assert named(NAMES, rules, tables) == []
    shown = tables.replace('"none"', '"all"')
    missing = {error.message.split("'")[1] for error in named(NAMES, rules, shown)}
    assert missing == {"mood.calm", "mood.wild", "variable.mood"}


def test_required_names_lists_what_a_translator_needs() -> None:
    program, components, _ = game(MENU)
    needed = required_names(program, components)
    assert next(iter(needed)) == "game"
    assert needed["ask.action.draw.n"].names == ("me", "card_")
    assert needed["choose.action.draw.n"].names == ("me", "card_", "n")
    assert not needed["rule.turn"].required


def test_every_code_of_the_whole_program_has_a_test() -> None:
    apart = {"W403", "W430", "W431", "W432", "W440", "W441", "W442", "W450", "W451", "W453", "W454", "W455"}
    apart |= {"W404", "W433", "W434", "W456"}  # in test_goldens.py and test_would.py
    apart |= {"W460", "W461", "W462"}  # in test_reveals.py
    assert {warning[0] for warning in WARNINGS} | apart == set(codes_of("W4"))


def test_every_check_is_a_function_of_one_value() -> None:
    """What loading reports is what the list of checks gives, read from top to bottom."""
    names = 'game = "A game"\nidle = "x"\n'
    given = CheckInput(*game(PLAY + "rule idle: pass\n", LEDGER, names))
    found = [list(check_program(given)) for check_program in CHECKS]
    assert lint(given) == [error for errors in found for error in errors]
    assert {error.code for error in lint(given)} >= {"W401", "W440", "W430", "W431"}
