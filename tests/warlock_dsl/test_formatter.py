"""The formatter by example: one layout, the same meaning, every comment kept, and a second run that changes nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from warlock_dsl.format.formatter import format_text, value_text
from warlock_dsl.syntax import tree as t
from warlock_dsl.syntax.equal import same_tree
from warlock_dsl.syntax.parse import parse, parse_expression

RULES = Path(__file__).parents[2] / "rules"
FILES = sorted(RULES.glob("**/*.warlock"))


def laid_out(text: str) -> str:
    """The text in canonical layout, checked to be stable and to mean the same."""
    result, errors = format_text(text, "t.warlock")
    assert errors == []
    before, after = parse(text, "t.warlock")[0], parse(result, "t.warlock")[0]
    assert same_tree(before, after)
    assert [comment.text for comment in before.comments] == [comment.text for comment in after.comments]
    assert format_text(result, "t.warlock") == (result, [])
    return result


# ------------------------------------------------------------------------ real files


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_the_rules_keep_their_meaning_and_their_comments(path: Path) -> None:
    laid_out(path.read_text(encoding="utf-8"))


# ---------------------------------------------------------------------------- values


@pytest.mark.parametrize(
    ("written", "printed"),
    [
        ("a   or(b and c)", "a or b and c"),
        ("( a or b )and c", "(a or b) and c"),
        ("not (a is b)", "a is not b"),
        ("not(a)", "not a"),
        ("not (a or b)", "not (a or b)"),
        ("a is (not b)", "a is (not b)"),
        ("a-(b+c)", "a - (b + c)"),
        ("(a-b)+c", "a - b + c"),
        ("(a*b)+c", "a * b + c"),
        ("a*(b+c)", "a * (b + c)"),
        ("a and (b and c)", "a and (b and c)"),
        ("1 .. count( g )", "1..count(g)"),
        ("(a + 1)..b", "a + 1..b"),
        ("0.50", "0.5"),
        ("007", "7"),
        ("[ ]", "[]"),
        ("f [ k ] ( a ,b )", "f[k](a, b)"),
        ("[x  in(a)where(b):(c)]", "[x in a where b: c]"),
        ("(can f(a)).b", "(can f(a)).b"),
        ("(a).b[(c)]", "a.b[c]"),
        (
            "if a then(if b then c else d)else(if e then f else g)",
            "if a then (if b then c else d) else if e then f else g",
        ),
        ("a + (if b then c else d)", "a + (if b then c else d)"),
    ],
)
def test_spaces_and_brackets(written: str, printed: str) -> None:
    assert laid_out(f"define f = {written}\n") == f"define f = {printed}\n"
    node, _ = parse_expression(written, "t")
    assert node is not None and value_text(node) == printed


# ---------------------------------------------------------------------------- layout

LAYOUTS = {
    "a body goes to its head": (
        "rule f:\n  if p:\n     g()\n  else:\n     h()\n  for c in deck:\n\n      move c to hand\n",
        "rule f:\n    if p: g()\n    else: h()\n    for c in deck: move c to hand\n",
    ),
    "a head does not go to a head": (
        "rule f:\n    for c in deck: if c.red: g(c)\n",
        "rule f:\n    for c in deck:\n        if c.red: g(c)\n",
    ),
    "the head of a rule keeps its choice": (
        "rule f:\n    g()\nrule h: k()\n",
        "rule f:\n    g()\n\nrule h: k()\n",
    ),
    "else with a lone if": (
        "rule f:\n    if p: g()\n    else:\n        if q: h()\n        else: k()\n",
        "rule f:\n    if p: g()\n    else if q: h()\n    else: k()\n",
    ),
    "a body too long for its head": (
        f"rule f:\n    if {'p' * 60}: move {'a' * 30} to {'b' * 30}\n",
        f"rule f:\n    if {'p' * 60}:\n        move {'a' * 30} to {'b' * 30}\n",
    ),
    "a body that just fits": (
        f"rule f:\n    if {'p' * 50}:\n        move {'a' * 26} to {'b' * 25}\n",
        f"rule f:\n    if {'p' * 50}: move {'a' * 26} to {'b' * 25}\n",
    ),
    "one blank line between declarations": (
        '\n\ndefine a = 1\nrule b: stop\n\n\n\nrule c: stop\nscore d = 2\n@printed "x"\nscore e = 3\nscore g = 4\n\n\n',
        'define a = 1\n\nrule b: stop\n\nrule c: stop\n\nscore d = 2\n\n@printed "x"\nscore e = 3\n\nscore g = 4\n',
    ),
    "short declarations of a kind stand as the author put them": (
        "define a = 1\ndefine b = 2\n\ndefine c = 3\nscore d = 4\n# on e\nscore e = 5\n",
        "define a = 1\ndefine b = 2\n\ndefine c = 3\n\nscore d = 4\n\n# on e\nscore e = 5\n",
    ),
    "no blank line under a mark": (
        '@printed  "x"  # why\n\n# note\n\n@assumed "y"\n\nrule f\n',
        '@printed "x"  # why\n# note\n@assumed "y"\nrule f\n',
    ),
    "blank lines in a body": (
        "rule f:\n\n    g()\n\n\n    h()\n    if p:\n\n        k()\n\n        k()\n\n    else: stop\n\n",
        "rule f:\n    g()\n\n    h()\n    if p:\n        k()\n\n        k()\n    else: stop\n",
    ),
    "comments": (
        "# file\n\n# on f\nrule f: # head\n  # first\n  g() # behind\n"
        "  if p:\n      h()\n      # tail of if\n  # tail of f\n# end\n",
        "# file\n\n# on f\nrule f:  # head\n    # first\n    g()  # behind\n"
        "    if p:\n        h()\n        # tail of if\n"
        "    # tail of f\n\n# end\n",
    ),
    "comments around else": (
        "rule f:\n  if p: # why\n    g()\n  # above else\n  else: # other\n    h()\n  if p:\n    g() # joined\n",
        "rule f:\n    if p:  # why\n        g()\n    # above else\n    else:  # other\n"
        "        h()\n    if p: g()  # joined\n",
    ),
    "a comment keeps else and if apart": (
        "rule f:\n  if p: g()\n  else:\n    # note\n    if q: h()\n",
        "rule f:\n    if p: g()\n    else:\n        # note\n        if q: h()\n",
    ),
    "only comments": ("\n\n  # a\n\n\n# b", "# a\n\n# b\n"),
    "nothing": (" \n\n", ""),
    "windows lines": ("rule f:\r\n    g() # why\r\n", "rule f:\n    g()  # why\n"),
    "a list with comments": (
        "define f = [\n  a,   # first\n  # alone\n  b    # second\n  # at the end\n  ]  # behind\n",
        "define f = [\n    a,  # first\n    # alone\n    b  # second\n    # at the end\n]  # behind\n",
    ),
    "a value with comments": (
        "define f = (  # open\n   a   # one\n   and ( # two\n   b or c) # three\n   )\n",
        "define f = (  # open\n    a  # one\n    and (  # two\n        b or c\n    )  # three\n)\n",
    ),
    "a comment with no place to stand": (
        "rule f:\n    g(  # why\n    )\n",
        "rule f:\n    # why\n    g()\n",
    ),
    "a selection": (
        "define offered(p: player) = [c in cards_of(p) where (option.swaps_of_full_hands or not full(p)) and"
        " (option.swaps_of_safe_cards or not safe(c)) and not (option.shields and ended)]\n",
        "define offered(p: player) = [\n    c in cards_of(p)\n    where (option.swaps_of_full_hands or not full(p))\n"
        "        and (option.swaps_of_safe_cards or not safe(c))\n        and not (option.shields and ended)\n]\n",
    ),
    "a fold": (
        "score longest = sum(g in groups(c in kept(me) where c.colour is red): sum(k in 1..count(g): series[k]) +"
        " first([c in g where c.high], 0))\n",
        "score longest = sum(\n    g in groups(c in kept(me) where c.colour is red):\n"
        "        sum(k in 1..count(g): series[k]) + first([c in g where c.high], 0)\n)\n",
    ),
    "cases": (
        "define order = if option.in_turn and rows < time.rounds then [p in asked where p.offer > 0] else"
        " falling(p in players where p.offer > 0: p.offer)\n",
        "define order = (\n    if option.in_turn and rows < time.rounds\n    then [p in asked where p.offer > 0]\n"
        "    else falling(p in players where p.offer > 0: p.offer)\n)\n",
    ),
    "brackets are added and taken away": (
        "define a = (\n    b + c\n)\n\n"
        "define readings(x: [colour], y: card) = [x] + [r in distinct(y.price) where x has"
        " option.stand_in: x - [option.stand_in] + [r]]\n",
        "define a = b + c\n\ndefine readings(x: [colour], y: card) = (\n    [x] + [r in distinct(y.price) where x has"
        " option.stand_in: x - [option.stand_in] + [r]]\n)\n",
    ),
    "a long head": (
        "rule f:\n    choose some cards in all_of(me), worth in sums(c in cards: c.value) where worth > 0 and not"
        " offers has worth and any(cards): g()\n",
        "rule f:\n    choose some cards in all_of(me), worth in sums(c in cards: c.value) where (\n"
        "        worth > 0 and not offers has worth and any(cards)\n    ):\n        g()\n",
    ),
    "a long call": (
        "rule f:\n    lay_down(count(my.hand) + count(my.other_hand), first([c in deck where c.red], any_card),"
        " the_pile_of_all_the_discards)\n",
        "rule f:\n    lay_down(\n        count(my.hand) + count(my.other_hand),\n"
        "        first([c in deck where c.red], any_card),\n        the_pile_of_all_the_discards\n    )\n",
    ),
    "long parameters": (
        f"rule f(a{'a' * 40}: number, b{'b' * 40}: [[number]], c{'c' * 20}: card): stop\n",
        f"rule f(\n    a{'a' * 40}: number,\n    b{'b' * 40}: [[number]],\n    c{'c' * 20}: card\n):\n    stop\n",
    ),
}


@pytest.mark.parametrize(("written", "wanted"), LAYOUTS.values(), ids=LAYOUTS)
def test_layout(written: str, wanted: str) -> None:
    assert laid_out(written) == wanted


# Three stretches as an author might type them, comments lined up by hand.

PILES = """\
rule renew(pile: zone, spare: zone):
  move spare to pile
  shuffle pile
rule draw(n: number, pile: zone, spare: zone, into: zone):
  repeat n:
    if not any(pile): renew(pile, spare)
    move top(pile) to into                     # the top of nothing is nothing
"""
PILES_LAID_OUT = """\
rule renew(pile: zone, spare: zone):
    move spare to pile
    shuffle pile

rule draw(n: number, pile: zone, spare: zone, into: zone):
    repeat n:
        if not any(pile): renew(pile, spare)
        move top(pile) to into  # the top of nothing is nothing
"""

TURNS = """\
define ended=any(p in players where full(p))   # checked before each round
define open_piles = [pile in [deck,discard] where any(pile) or any(discard)]
rule round:
    together me in clockwise(leader):                  # all are asked in secret
        choose shown in my.hand, hidden in my.hand where not (hidden is shown)
        move shown to row, hidden to my.aside
    repeat time.actions:
        for me in clockwise(leader):
            choose act in action: action[act]()        # a family is a menu
            else: pass                                 # nothing can be done
rule action[keep]: choose card in my.hand, place in [my.left, my.right]: move card to place
"""
TURNS_LAID_OUT = """\
define ended = any(p in players where full(p))  # checked before each round
define open_piles = [pile in [deck, discard] where any(pile) or any(discard)]

rule round:
    together me in clockwise(leader):  # all are asked in secret
        choose shown in my.hand, hidden in my.hand where hidden is not shown
        move shown to row, hidden to my.aside
    repeat time.actions:
        for me in clockwise(leader):
            choose act in action: action[act]()  # a family is a menu
            else: pass  # nothing can be done

rule action[keep]:
    choose card in my.hand, place in [my.left, my.right]: move card to place
"""

HOOKS = """\
rule answer(blow: [card], force: number, foe: player):
    choose 1..4 ward in my.hand where wards(ward, blow, force): parry(blow, ward)
    else if not my.bluffed and any(my.hand):   # a first failure may be hidden
        choose card in my.hand: move card to my.cast
        set my.bluffed to true
    else: out(me, foe) by foe
rule wander after answer(blow, force, foe) where any(c in blow where c.wanders):
    roll omen in deck
    if omen.cut >= size.cut: stop
rule beaten instead out(loser, winner) where winner is not loser: take price(loser)+1 from winner.points
invariant counted before out(loser, winner) = count(loser.hand)+count(winner.hand)<=size.deck
"""
HOOKS_LAID_OUT = """\
rule answer(blow: [card], force: number, foe: player):
    choose 1..4 ward in my.hand where wards(ward, blow, force): parry(blow, ward)
    else if not my.bluffed and any(my.hand):  # a first failure may be hidden
        choose card in my.hand: move card to my.cast
        set my.bluffed to true
    else: out(me, foe) by foe

rule wander after answer(blow, force, foe) where any(c in blow where c.wanders):
    roll omen in deck
    if omen.cut >= size.cut: stop

rule beaten instead out(loser, winner) where winner is not loser: take price(loser) + 1 from winner.points

invariant counted before out(loser, winner) = count(loser.hand) + count(winner.hand) <= size.deck
"""


@pytest.mark.parametrize(
    ("written", "wanted"),
    [(PILES, PILES_LAID_OUT), (TURNS, TURNS_LAID_OUT), (HOOKS, HOOKS_LAID_OUT)],
    ids=["piles", "turns", "hooks"],
)
def test_segments_of_rules(written: str, wanted: str) -> None:
    assert laid_out(written) == wanted


def test_a_text_with_errors_is_left_alone() -> None:
    text = "rule f:\n  mov a to b\ndefine   g=3\n"
    result, errors = format_text(text, "t")
    assert result == text
    assert [error.code for error in errors] == ["W118"]


def test_same_tree_sees_what_differs() -> None:
    def tree(text: str) -> t.Module:
        return parse(text, "t")[0]

    assert same_tree(tree("define f = (a)  # x\n"), tree("\n\ndefine f = a\n"))
    assert not same_tree(tree("define f = a\n"), tree("define f = b\n"))
    assert not same_tree(tree("define f = a + b\n"), tree("define f = a - b\n"))
    assert not same_tree(tree("define f = a + (b + c)\n"), tree("define f = a + b + c\n"))
    assert not same_tree(tree('@printed "x"\nrule f\n'), tree("rule f\n"))
    assert not same_tree(tree("rule f\n"), tree("rule f\n\nrule g\n"))
