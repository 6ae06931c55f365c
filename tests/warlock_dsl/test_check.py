"""The checker: what is resolved to what, and every error with its place and its words."""

from __future__ import annotations

import pytest

from warlock_dsl.check import program as checked
from warlock_dsl.check.check import check
from warlock_dsl.diagnostics.codes import codes_of
from warlock_dsl.diagnostics.diagnostic import Diagnostic, Severity
from warlock_dsl.syntax.parse import parse
from warlock_dsl.tables.components import Components
from warlock_dsl.tables.read import read_tables
from warlock_dsl.types import NUMBER, PLAYER, KeyType, ListType, PieceType, RowType, ZoneType

TABLES = """
[game]
players = "2..4"

[table.colour]
columns = { worth = "number", side = "region" }
rows = { red = { worth = 1, side = "left" }, blue = { worth = 2.5, side = "right" } }

[table.mood]
rows = ["calm", "wild", "red"]

[kind.card]
rows = "cards.csv"
fields = { colour = "colour", value = "number", needs = "[colour]" }

[kind.token]
count = 4
fields = { value = "number" }
values = { value = 1 }

[kind.coin]
count = 3

[grid.plan]
cells = ["l.r"]
regions = { left = "l", right = "r" }

[zone]
deck = { holds = "card", sees = "none", start = "card" }
box = { holds = ["card", "token"], sees = "all" }
pool = { holds = "token", sees = "all", start = "token" }
purse = { holds = "coin", sees = "all", start = "coin" }
hand = { each = "player", holds = "card", sees = "owner" }
board = { each = "player", holds = ["card", "token"], sees = "all", grid = "plan" }
under = { each = "card", holds = "token", sees = "all" }

[variable.game]
leader = "player"
turns = "0..9"
ring = "[player]"

[variable.player]
gold = "number"
mood = "mood"

[variable.card]
spent = "truth"

[series.prizes]
is = [1, 2, 4]

[matrix.clash]
rows = "colour"
columns = "colour"
of = "mood"
cells = { red = { blue = "wild" } }

[die.cube]
of = "colour"
faces = { red = 2, blue = 1 }

[figure.size]
hand = 5
trump = { is = "blue", type = "colour" }
"""

CARDS = "id,colour,value,needs\nc1,red,1,\nc2,blue,2,red red\nc3,blue,3,blue\n"

PLAY = "rule play: finish players\n"


def components(extra: str = "") -> Components:
    read, errors = read_tables({"game/game.toml": TABLES + extra, "game/cards.csv": CARDS}, "game")
    assert read is not None, errors
    return read


def check_text(text: str, extra: str = "") -> tuple[checked.Program | None, list[Diagnostic]]:
    module, errors = parse(text, "game/rules.warlock")
    assert not errors
    return check([module], components(extra))


def program(text: str, extra: str = "") -> checked.Program:
    made, errors = check_text(text, extra)
    assert made is not None, errors
    return made


def value(expression: str, before: str = "") -> checked.Expr:
    """The checked form of an expression, with a player, a card and a grid at hand."""
    made = program(f"{before}define it(p: player, c: card, g: grid) = {expression}\n{PLAY}")
    return next(define for define in made.defines if define.address == "it").value


def body(statements: str, before: str = "") -> tuple[checked.Stmt, ...]:
    lines = "".join(f"    {line}\n" for line in statements.splitlines())
    made = program(f"{before}rule play:\n{lines}")
    return made.rules[made.start].body


# ------------------------------------------------------------------- what comes out


def test_numbers_are_counted_in_the_smallest_unit_of_tables_and_rules() -> None:
    assert program(PLAY).unit == 2  # a colour is worth 2.5
    made = program("define tiny = 0.25\nrule play: finish [p in players where p.gold > tiny]\n")
    assert made.unit == 4
    assert isinstance(made.defines[0].value, checked.Const)
    assert made.defines[0].value.value == 1


@pytest.mark.parametrize(
    ("expression", "kind", "type_"),
    [
        ("me", checked.Local, PLAYER),
        ("leader", checked.VariableOf, PLAYER),
        ("my.gold", checked.VariableOf, NUMBER),
        ("p.hand", checked.ZoneOf, ZoneType(("card",))),
        ("p.board", checked.ZoneOf, ZoneType(("card", "token"), True)),
        ("c.under", checked.ZoneOf, ZoneType(("token",))),
        ("c.value", checked.Field, NUMBER),
        ("c.colour.worth", checked.Cell, NUMBER),
        ("c.owner", checked.Primitive, PLAYER),
        ("size.hand", checked.FigureRef, NUMBER),
        ("colour.red", checked.Const, RowType("colour")),
        ("blue", checked.Const, RowType("colour")),
        ("colour", checked.Const, ListType(RowType("colour"))),
        ("cube", checked.Const, ListType(RowType("colour"))),
        ("prizes[2]", checked.Lookup, NUMBER),
        ("clash[blue, c.colour]", checked.Lookup, RowType("mood")),
        ("box[token]", checked.Narrow, ListType(PieceType(("token",)))),
        ("everywhere[token, card]", checked.Narrow, ListType(PieceType(("card", "token")))),
        ("p.hand[1]", checked.Lookup, PieceType(("card",))),
        ("box + pool", checked.Binary, ListType(PieceType(("card", "token")))),
        ("box - [c]", checked.Binary, ListType(PieceType(("card", "token")))),
        ("[deck, p.hand]", checked.ListOf, ListType(ZoneType(("card",)))),
        ("[deck, pool]", checked.ListOf, ListType(ZoneType(("card", "token")))),
        ("1..3", checked.RangeOf, ListType(NUMBER)),
        ("union(q in players: q.hand)", checked.Primitive, ListType(PieceType(("card",)))),
        ("most(q in players: q.gold)", checked.Keyed, ListType(PLAYER)),
        ("first(c.needs, red)", checked.Primitive, RowType("colour")),
        ("if any(box) then p.hand else []", checked.Conditional, ListType(PieceType(("card",)))),
        ("groups(x in g[card])", checked.Primitive, ListType(ListType(PieceType(("card",))))),
    ],
)
def test_what_an_expression_means(expression: str, kind: type, type_: object) -> None:
    made = value(expression)
    assert type(made) is kind
    assert made.type == type_


def test_a_zone_stands_for_its_pieces_where_a_list_is_wanted() -> None:
    counted = value("count(p.hand)")
    assert isinstance(counted, checked.Primitive)
    assert isinstance(counted.arguments[0], checked.PiecesOf)
    joined = value("union([deck, p.hand])")
    assert isinstance(joined, checked.Primitive)
    assert isinstance(joined.arguments[0], checked.ListOf)
    assert all(isinstance(item, checked.PiecesOf) for item in joined.arguments[0].items)
    given = program(f"define zones = [deck, box]\ndefine both = union(zones)\n{PLAY}").defines[1].value
    assert isinstance(given, checked.Primitive)
    assert isinstance(given.arguments[0], checked.Gather)


def test_a_row_of_two_tables_is_told_by_what_is_expected() -> None:
    for expression in ("p.mood is red", "red is p.mood", "[red, calm] has p.mood", "[red] has p.mood"):
        made = value(expression)
        assert isinstance(made, checked.Binary)
        row = made.left if isinstance(made.right, checked.VariableOf) else made.right
        row = row.items[0] if isinstance(row, checked.ListOf) else row
        assert isinstance(row, checked.Const)
        assert (row.type, row.value) == (RowType("mood"), 2)


def test_zones_are_compared_as_zones() -> None:
    made = value("p.hand is deck")
    assert isinstance(made, checked.Binary)
    assert isinstance(made.left, checked.ZoneOf)


def test_is_not_and_regions() -> None:
    assert isinstance(value("p is not me"), checked.Not)
    made = value("left has c.cell and c.colour.side has c.cell")
    assert isinstance(made, checked.Binary)
    assert isinstance(made.left, checked.Binary)
    assert made.left.op == "has"


def test_definitions_are_found_in_any_order() -> None:
    made = program(f"define a = b + 1\ndefine b = count(deck)\n{PLAY}")
    assert [define.address for define in made.defines] == ["a", "b"]
    assert isinstance(made.defines[0].value, checked.Binary)
    assert made.defines[0].value.left == checked.Apply(1, (), NUMBER, made.defines[0].value.left.span)


def test_a_choice_without_a_block_takes_the_rest() -> None:
    (choose,) = body("choose c in my.hand, d in my.hand where d is not c\nmove c to box\nmove d to box")
    assert isinstance(choose, checked.Choose)
    assert [question.name for question in choose.questions] == ["c", "d"]
    assert len(choose.body) == 2
    assert choose.otherwise is None


def test_a_choice_that_may_be_declined_has_a_way_out() -> None:
    choose, finish = body("may choose c in my.hand, n in 1..2: move c to box\nfinish players")
    assert isinstance(choose, checked.Choose)
    assert choose.otherwise == ()
    assert [question.may for question in choose.questions] == [True, False]
    assert isinstance(finish, checked.Finish)


def test_sets_are_bound_as_lists_and_slots_are_never_shared() -> None:
    (choose,) = body("choose 1..2 cs in my.hand where count(cs) > 1\nlet n = count(cs)\nfor me in players: pass")
    assert isinstance(choose, checked.Choose)
    question = choose.questions[0]
    assert question.type == ListType(PieceType(("card",)))
    let, loop = choose.body
    assert isinstance(let, checked.Let)
    assert isinstance(loop, checked.For)
    slots = [question.slot, let.slot, loop.list_slot, loop.place_slot, loop.keep_slot]
    assert loop.slot == 0
    assert sorted(set(slots)) == slots
    made = program("rule play:\n    let n = 1\n    finish [p in players where p.gold > n]\n")
    assert made.rules[0].slot_names == {0: ("me", PLAYER), 1: ("n", NUMBER)}
    assert made.rules[0].slots == 3


def test_sibling_blocks_may_bind_the_same_name() -> None:
    first, second = body("for c in deck: move c to box\nfor c in pool: move c to box")
    assert isinstance(first, checked.For)
    assert isinstance(second, checked.For)
    assert first.slot != second.slot


MENU = """
rule play:
    choose act in action: action[act]()
    else: pass
    action[sell]()
rule action[buy]: move top(deck) to my.hand
rule action[sell]: move my.hand to deck
"""


def test_a_family_is_a_menu() -> None:
    made = program(MENU)
    assert made.families["action"] == checked.Family("action", ("buy", "sell"), (1, 2), "")
    choose, direct = made.rules[0].body
    assert isinstance(choose, checked.Choose)
    assert choose.questions[0].source.type == ListType(KeyType("action"))
    (call,) = choose.body
    assert isinstance(call, checked.Do)
    assert (call.target.rule, call.target.members) == (-1, (1, 2))
    assert isinstance(direct, checked.Do)
    assert (direct.target.rule, direct.target.key) == (2, None)


def test_a_family_keyed_by_a_table_goes_by_its_rows() -> None:
    made = program(
        "rule play:\n    for c in deck: power[c.colour](c)\n"
        "rule power[blue](c: card): move c to box\nrule power[red](c: card): move c to deck\n"
    )
    assert made.families["power"].table == "colour"
    (loop,) = made.rules[0].body
    assert isinstance(loop, checked.For)
    (call,) = loop.body
    assert isinstance(call, checked.Do)
    assert call.target.members == (2, 1)  # red is the first row


def test_hooks_hang_on_their_rule_in_the_order_of_the_files() -> None:
    made = program(
        "rule play: gained(first(deck, first(deck)), 2)\n"
        "rule gained(c: card, n: number)\n"
        "rule late after gained(x, m) where m > 1: move x to box\n"
        "rule early before gained(x, m): add m to my.gold\n"
        "invariant paid before gained(x, m) where m > 2 = my.gold > 0\n"
    )
    hooks = made.rules[1].hooks
    assert made.rules[1].event
    assert [(hook.when, hook.rule) for hook in hooks] == [("after", 2), ("before", 3), ("before", -1)]
    assert hooks[2].law is not None
    assert hooks[2].law.invariant == "paid"
    assert hooks[2].where is not None
    assert not made.invariants
    late = made.rules[2]
    assert late.hooked
    assert late.parameters == (("x", PieceType(("card",))), ("m", NUMBER))


LIT = '[variable.token]\nlit = { type = "truth", lasts = "day" }\n'


def test_a_variable_lasts_as_long_as_its_rule() -> None:
    made = program("rule play: day()\nrule day: pass\n", LIT)
    lit = components(LIT).variables["token", "lit"]
    assert [rule.lasts for rule in made.rules] == [(), (lit.number,)]


# -------------------------------------------------------------------------- errors


def say(statements: str) -> str:
    return "rule play:\n" + "".join(f"    {line}\n" for line in statements.splitlines())


def it(expression: str) -> str:
    return f"define it(p: player, c: card, g: grid, z: zone) = {expression}\n{PLAY}"


# The code, the rules, what stands at the caret, and words of the message, label or hint.
ERRORS = [
    ("W301", it("count(dekc)"), "dekc", "did you mean 'deck'?"),
    ("W301", it("count(hand)"), "hand", "write my.hand or p.hand"),
    ("W301", it("count(card)"), "card", "Z[card]"),
    ("W301", it("box[tokne]"), "tokne", "did you mean 'token'?"),
    ("W301", it("sum"), "sum", "needs brackets"),
    ("W301", "rule go: pass\n" + it("go"), "go", "a rule is no value"),
    ("W301", say("for p in players:\n    shuffle deck\nadd 1 to p.gold"), "p", "'p' is known only in its block"),
    ("W302", say("for deck in players: pass"), "deck", "zone 'deck'"),
    ("W302", say("let red = 1"), "red", "row 'red' of table 'colour'"),
    ("W302", say("let x = 1\nfor x in players: pass"), "x", "bound before"),
    ("W302", say("let count = 1"), "count", "the function 'count'"),
    ("W302", it("[me in players: me]"), "me", "the word 'me'"),
    ("W302", f"define deck = 1\n{PLAY}", "deck", "zone 'deck'"),
    ("W302", f"define a = 1\nrule a: pass\n{PLAY}", "a", "definition 'a'"),
    ("W302", f"rule a[x]: pass\nrule a[x]: pass\n{PLAY}", "x", "rule 'a.x'"),
    ("W302", f"rule a[x]: pass\nrule a: pass\n{PLAY}", "a", "family 'a'"),
    ("W302", f"rule a: pass\nrule a[x]: pass\n{PLAY}", "a", "rule 'a'"),
    ("W302", f"score s = 1\nscore s = 2\n{PLAY}", "s", "score 's'"),
    ("W302", f"define card = 1\n{PLAY}", "card", "kind 'card'"),
    ("W302", f"define sum = 1\n{PLAY}", "sum", "the function 'sum'"),
    ("W303", it("[red]"), "red", "write one of colour.red, mood.red"),
    ("W304", it("1 + 2 > 1 and p"), "p", "this is a player"),
    ("W304", it("count(p)"), "p", "count([T]) -> number"),
    ("W304", it("free(p.hand)"), "p.hand", "this is a zone of card"),
    ("W304", it("[x in left]"), "left", "a region is tested, not listed"),
    ("W304", it("most(q in players: q.hand)"), "q.hand", "a key must be a number"),
    ("W304", it("prizes[me]"), "me", "the key of a series must be a number"),
    ("W304", it("3 has 3"), "3", "must be a list, a zone or a region"),
    ("W304", say("finish me"), "me", "a list of one element is written in brackets"),
    ("W304", say("swap deck with deck[1]"), "deck", "take one element"),
    ("W304", say("move me to deck"), "me", "only a piece"),
    ("W304", say("move deck to me"), "me", "to a zone or a cell"),
    ("W304", say("shuffle my.board"), "my.board", "a grid is not shuffled"),
    ("W304", say("choose c in deck by 1"), "1", "who is asked must be a player"),
    ("W304", "define f(c: card) = c.value\n" + it("[x in everywhere: f(x)]"), "x", "narrow the list"),
    ("W305", it("p.gokd"), "gokd", "did you mean 'gold'?"),
    ("W305", it("p.deck"), "deck", "belongs to the whole table"),
    ("W305", it("c.vaule"), "vaule", "did you mean 'value'?"),
    ("W305", it("c.colour.wroth"), "wroth", "did you mean 'worth'?"),
    ("W305", it("size.hnad"), "hnad", "did you mean 'hand'?"),
    ("W305", it("colour.rde"), "rde", "did you mean 'red'?"),
    ("W305", it("deck.value"), "value", "take it of each element"),
    ("W305", it("c.face"), "face", "have no face"),
    ("W306", it("[x in z: x.value]"), "value", "narrow it first"),
    ("W306", it("[x in box: x.colour]"), "colour", "'token' has no field 'colour'"),
    ("W306", it("[x in box: x.spent]"), "spent", "Z[card]"),
    ("W307", it("p[1]"), "p[1]", "nothing can be looked up in a player"),
    ("W308", it("clash[red]"), "clash[red]", "2 keys"),
    ("W308", "define f(n: number) = n\n" + it("f"), "f", "write f(n)"),
    ("W308", "define f(n: number) = n\n" + it("f(1, 2)"), "f(1, 2)", "its parameters: n: number"),
    ("W308", "define f = 1\n" + it("f()"), "f()", "write f alone"),
    ("W308", it("within([1])"), "within([1])", "within([T], [T]) -> truth"),
    ("W308", say("go(1)") + "rule go: pass\n", "go(1)", "it has no parameters"),
    ("W309", "rule go: pass\n" + it("go()"), "go", "takes what a rule gives"),
    ("W309", it("p(1)"), "p", "is a value, not a function"),
    ("W309", it("can sum(1)"), "sum", "is no rule"),
    ("W309", say("action()") + "rule action[x]: pass\n", "action", "its keys: x"),
    ("W309", say("go[1]()") + "rule go: pass\n", "go", "no family"),
    ("W309", say("late()") + "rule late after play(): pass\n", "late", "it runs by itself, after 'play'"),
    ("W310", it("cuont(deck)"), "cuont", "did you mean 'count'?"),
    ("W310", it("cuont(x in deck)"), "cuont", "did you mean 'count'?"),
    ("W310", say("setpu()") + "rule setup: pass\n", "setpu", "did you mean 'setup'?"),
    ("W310", say("sum(1..2)"), "sum", "does nothing"),
    ("W310", say("go[x]()"), "go", "there is no family 'go'"),
    ("W311", f"define a = b\ndefine b = a\n{PLAY}", "a", "through b"),
    ("W311", f"define a(n: number) = a(n)\n{PLAY}", "a", "needs itself"),
    ("W312", it("p is c"), "p is c", "a player is never a card"),
    ("W312", it("deck has p"), "deck has p", "never has a player"),
    ("W312", it("box[card] is box[token]"), "box[card] is box[token]", "never the same"),
    ("W312", it("deck + c"), "deck + c", "a single element is written in brackets"),
    ("W312", it("[1, p]"), "p", "must have one type"),
    ("W312", it("if true then 1 else p"), "if true then 1 else p", "both branches"),
    ("W313", it("my"), "my", "write 'me'"),
    ("W313", it("prizes"), "prizes", "write prizes[n]"),
    ("W313", it("size"), "size", "its figures: hand, trump"),
    ("W314", it("most(players)"), "most(players)", "needs a key"),
    ("W314", it("most(q in players)"), "most(q in players)", "needs a key"),
    ("W314", it("divide_up(n in 1..3)"), "divide_up(n in 1..3)", "does not run over a selection"),
    ("W314", "define f(n: number) = n\n" + it("f(x in deck)"), "f", "hand it a list"),
    ("W315", f"define f(n: nubmer) = n\n{PLAY}", "nubmer", "did you mean 'number'?"),
    ("W316", say("move pool to deck"), "pool to deck", "it holds 'card'"),
    ("W316", it("pool[card]"), "card", "never a card"),
    ("W317", say("set size.hand to 3"), "size.hand", "never changes in play"),
    ("W317", say("let n = 1\nset n to 2"), "n", "a name bound here never changes"),
    ("W317", say("set deck to pool"), "deck", "change by 'move'"),
    ("W317", say("add me to leader"), "leader", "only numbers are added to"),
    ("W318", say("stop"), "stop", "there is no loop"),
    ("W318", say("together me in players: stop"), "stop", "there is no loop"),
    ("W319", say("for c in deck: p[c.colour]()") + "rule p[red]: pass\n", "c.colour", "no member for 'blue'"),
    ("W320", f"rule f[a](n: number): pass\nrule f[b]: pass\n{PLAY}", "b", "the first has (n: number)"),
    ("W321", f"rule f after gone(): pass\n{PLAY}", "gone", "no rule 'gone' to hang on"),
    ("W321", f"rule f after play(x): pass\n{PLAY}", "after play(x)", "it has none: write ()"),
    ("W321", f"rule f(n: number) after play(): pass\n{PLAY}", "n: number", "no parameters of its own"),
    ("W321", f"rule a[x]: pass\nrule f after a(): pass\n{PLAY}", "a", "which member?"),
    ("W322", f"rule f after f(): pass\n{PLAY}", "f", "hangs on itself"),
    ("W322", f"rule f after g(): pass\nrule g after f(): pass\n{PLAY}", "f", "'f' on 'g' on 'f'"),
    ("W323", f"rule f instead play(): pass\nrule g instead play(): pass\n{PLAY}", "g", "without a condition"),
    (
        "W324",
        say("together me in players:\n    move my.hand to box\n    choose c in deck: pass"),
        "c in deck",
        "no question may follow an effect",
    ),
    (
        "W324",
        say("together me in players:\n    a()\n    b()")
        + "rule a: move my.hand to box\nrule b:\n    choose c in deck: pass\n",
        "c in deck",
        "no question may follow an effect",
    ),
    ("W325", say("together p in players: pass"), "p", "must be 'me'"),
    (
        "W325",
        say("together me in players: go()") + "rule go: together me in players: pass\n",
        "together me in players: pass",
        "cannot stand inside another",
    ),
    ("W326", "rule other: pass\n", "rule other: pass", "no rule 'play'"),
    ("W326", "rule play(n: number): pass\n", "play", "has no parameters"),
    ("W330", f"invariant f = my.gold > 0\n{PLAY}", "my", "means nobody"),
    ("W333", f"invariant f = was(true)\n{PLAY}", "was(true)", "none has here"),
    ("W330", f"invariant f = any(opponents)\n{PLAY}", "opponents", "means nobody"),
    ("W330", f"define rich = my.gold > 9\ndefine a = rich\ninvariant f = a\n{PLAY}", "a", "speaks of who acts"),
    ("W331", say("choose minimal cs in deck"), "minimal cs in deck", "needs a condition"),
    ("W340", f"rule f: shuffle deck\nscore g = would f(): 1\n{PLAY}", "would f(): 1", "leaves something to chance"),
    ("W341", say("let x = f()") + "\nrule f: pass\n", "f()", "gives nothing back"),
]


def at_caret(text: str, error: Diagnostic) -> str:
    lines = text.splitlines()
    if error.span.line != error.span.end_line:
        return "\n".join(lines[error.span.line - 1 : error.span.end_line])[error.span.column - 1 :]
    return lines[error.span.line - 1][error.span.column - 1 : error.span.end_column - 1]


@pytest.mark.parametrize(("code", "text", "caret", "said"), ERRORS, ids=[f"{f[0]}-{f[2]}" for f in ERRORS])
def test_an_error_is_told_once_at_its_place(code: str, text: str, caret: str, said: str) -> None:
    made, errors = check_text(text)
    errors = [error for error in errors if error.severity is Severity.ERROR]
    assert made is not None, "what could be read is still there, for telling more"
    assert [error.code for error in errors] == [code], errors
    words = f"{errors[0].message} | {errors[0].label} | {errors[0].hint}"
    assert said in words
    assert at_caret(text, errors[0]) == caret


def test_every_code_of_names_and_types_has_a_test() -> None:
    apart = {"W327", "W332", "W339"}  # below, as they need tables of their own or much text
    apart |= {"W334", "W335", "W336", "W342", "W344"}  # in test_guards.py, test_cooperative.py and test_goldens.py
    assert {error[0] for error in ERRORS} | apart == set(codes_of("W3"))


def test_a_name_taken_twice_shows_both_places() -> None:
    _, errors = check_text(f"define a = 1\ndefine a = 2\n{PLAY}")
    assert errors[0].span.line == 2
    assert errors[0].related[0].span.line == 1


def test_all_errors_of_all_files_are_told_in_one_pass() -> None:
    one, _ = parse("rule play: gp()\ndefine a = dekc\n", "game/a.warlock")
    two, _ = parse("score s = me\n", "game/b.warlock")
    _, errors = check([one, two], components())
    assert [(error.span.file, error.code) for error in errors] == [
        ("game/a.warlock", "W301"),
        ("game/a.warlock", "W310"),
        ("game/b.warlock", "W304"),
    ]


@pytest.mark.parametrize(
    ("lasts", "owner", "said"),
    [("dya", "player", "did you mean 'day'?"), ("day.x", "card", "W327")],
)
def test_a_variable_that_lasts_as_long_as_nothing(lasts: str, owner: str, said: str) -> None:
    text = TABLES.replace(
        f"[variable.{owner}]\n", f'[variable.{owner}]\nluck = {{ type = "0..3", lasts = "{lasts}" }}\n'
    )
    read, _ = read_tables({"game/game.toml": text, "game/cards.csv": CARDS}, "game")
    assert read is not None
    module, _ = parse("rule play: day()\nrule day: pass\n", "game/rules.warlock")
    made, errors = check([module], read)
    assert made is not None, "what could be read is still there, for telling more"
    assert said in f"{errors[0].code} {errors[0].hint}"


def test_numbers_may_not_be_too_fine() -> None:
    _, errors = check_text(f"define a = 0.0000000001\n{PLAY}")
    assert [error.code for error in errors] == ["W332"]


def test_a_tower_of_definitions_has_an_end() -> None:
    tower = "".join(f"define d{n} = d{n + 1} + 1\n" for n in range(2000)) + "define d2000 = 1\n"
    _, errors = check_text(tower + PLAY)
    assert [error.code for error in errors] == ["W339"]
    ring = "".join(f"define d{n} = d{(n + 1) % 2000} + 1\n" for n in range(2000))
    _, errors = check_text(ring + PLAY)
    assert [error.code for error in errors] == ["W311"]


def test_a_chain_of_hooks_may_be_long() -> None:
    chain = "".join(f"rule h{n + 1} after h{n}(): pass\n" for n in range(1500))
    made, errors = check_text(f"rule play: h0()\nrule h0\n{chain}")
    assert made is not None, errors[:3]


def test_a_chain_of_choices_has_an_end() -> None:
    lines = "".join(f"    choose c{n} in deck\n" for n in range(3000))
    _, errors = check_text(f"rule play:\n{lines}")
    assert [error.code for error in errors] == ["W339"]


def test_what_follows_stop_is_never_reached() -> None:
    made, errors = check_text(say("for p in players:\n    stop\n    move deck to box"))
    assert made is not None
    assert [(error.code, error.severity) for error in errors] == [("W403", Severity.WARNING)]


def test_a_source_that_the_ledger_lacks() -> None:
    ledger = (
        '[document]\nen = "Rules"\n'
        '[ledger]\n"draw.top" = { says = "x", at = { en = "1" }, status = { en = "same" }, standing = "printed" }\n'
    )
    made, errors = check_text(f'@printed "draw.top: as it says"\n{PLAY}', ledger)
    assert not errors
    assert made is not None
    assert made.rules[0].cites[0].ids == ("draw.top",)
    _, errors = check_text(f'@printed "draw.tpo"\n{PLAY}', ledger)
    assert [(error.code, error.hint) for error in errors] == [("W230", "did you mean 'draw.top'?")]
    assert not check_text(f'@printed "anything"\n{PLAY}')[1]


def test_a_second_run_gives_the_same() -> None:
    assert program(MENU) == program(MENU)
    assert check_text(it("dekc + hnad"))[1] == check_text(it("dekc + hnad"))[1]


def test_rules_that_call_one_another_in_a_ring() -> None:
    """Each would take the place of its first effect from the next, round and round, if nothing made an end of it."""
    ring = "".join(f"rule r{n}:\n    r{(n + 1) % 3}()\n    move deck to box\n" for n in range(3))
    _, errors = check_text(f"rule play:\n    together me in players: r0()\n    finish players\n{ring}")
    assert errors == []
    asking = ring + "rule late after r2():\n    choose c in deck: pass\n"
    _, errors = check_text(f"rule play:\n    together me in players: r0()\n    finish players\n{asking}")
    assert [error.code for error in errors] == ["W324"]


def test_a_name_that_ended_with_its_block_is_shown_where_it_was_bound() -> None:
    text = "rule play:\n    choose card in my.hand:\n        shuffle deck\n    move card to box\n"
    _, (error,) = check_text(text)
    assert (error.code, error.span.line, error.message) == ("W301", 4, "'card' is known only in its block")
    assert [(other.span.line, other.text) for other in error.related] == [(2, "bound here, for the block below it")]
