"""The one registry of primitives: what the checker, the reference manual and the interpreter know of each word.

A signature is written as a person would: `first([T], T?) -> T`. In it `T` and `P` stand for any type (`P`: a piece),
`?` marks an argument that may be left out, `...` one that may be repeated, and a fold that needs a key is written
with a binder: `most(x in [T]: key) -> [T]`. A zone may stand wherever a list of its pieces is wanted.
"""

from __future__ import annotations

from attrs import frozen


@frozen
class Word:
    "A primitive: its kind (value, attribute, function, keyed), its signature, what it does, an example of use."

    name: str
    kind: str
    signature: str
    doc: str
    example: str


@frozen
class Form:
    """A form of the grammar, for the reference manual."""

    group: str
    pattern: str
    doc: str
    example: str


VALUES = (
    Word("players", "value", "[player]", "All players, in seat order.", "count(players)"),
    Word("opponents", "value", "[player]", "Everybody but `me`, in seat order from the next seat.", "any(opponents)"),
    Word("everywhere", "value", "[piece]", "Every piece of the game, wherever it lies.", "count(everywhere[card])"),
    Word(
        "me",
        "value",
        "player",
        "Who acts. Handed on by calls; changed by `for me in`, `together me in` and `by`.",
        "me",
    ),
    Word("my", "value", "player", "`my.x` is `me.x`.", "my.hand"),
)

ATTRIBUTES = (
    Word(
        "cell", "attribute", "piece -> cell", "The cell a piece lies on; off every grid, a cell in no region.", "c.cell"
    ),
    Word(
        "owner", "attribute", "piece -> player", "Who owns the zone a piece lies in; on the table, an error.", "c.owner"
    ),
    Word("face", "attribute", "piece -> row", "The row of the table a piece was made from.", "c.face"),
)

FUNCTIONS = (
    Word("any", "function", "any([T]) -> truth", "Whether there is an element.", "any(deck)"),
    Word(
        "all",
        "function",
        "all([truth]) -> truth",
        "Whether every element is true; of none, true.",
        "all(c in my.hand: c.value > 2)",
    ),
    Word("count", "function", "count([T]) -> number", "How many elements.", "count(c in my.hand where c.value > 2)"),
    Word("sum", "function", "sum([number]) -> number", "The sum; of none, 0.", "sum(c in my.hand: c.value)"),
    Word(
        "union",
        "function",
        "union([[T]]) -> [T]",
        "The lists joined, in order; doubles stay.",
        "union(p in players: p.hand)",
    ),
    Word(
        "distinct",
        "function",
        "distinct([T]) -> [T]",
        "Each value once, where it first stood.",
        "distinct(c in my.hand: c.colour)",
    ),
    Word(
        "sums",
        "function",
        "sums([[number]]) -> [number]",
        "Every total there can be when each list gives one of its values, rising, each once.",
        "sums(c in cards: c.values)",
    ),
    Word(
        "groups",
        "function",
        "groups([P]) -> [[P]]",
        ("The pieces in groups that hang together side by side on their grid, in the order of their first piece."),
        "count(groups(my.board))",
    ),
    Word(
        "first",
        "function",
        "first([T], T?) -> T",
        "The first element, or the second argument where there is none.",
        "first(ring, me)",
    ),
    Word(
        "last",
        "function",
        "last([T], T?) -> T",
        "The last element, or the second argument where there is none.",
        "last(ring, me)",
    ),
    Word(
        "within",
        "function",
        "within([T], [T]) -> truth",
        "Whether the second list holds all of the first, doubles counted.",
        "within(price, purse)",
    ),
    Word("min", "function", "min(number, number...) -> number", "The least.", "min(3, count(pile))"),
    Word("max", "function", "max(number, number...) -> number", "The greatest.", "max(a, b)"),
    Word(
        "divide_up",
        "function",
        "divide_up(number, number) -> number",
        "Whole shares, rounded up; by nothing, 0.",
        "divide_up(pot, count(players))",
    ),
    Word(
        "divide_down",
        "function",
        "divide_down(number, number) -> number",
        "Whole shares, rounded down; by nothing, 0.",
        "divide_down(pot, count(players))",
    ),
    Word(
        "top",
        "function",
        "top([P], number?) -> [P]",
        (
            "The topmost piece of a pile, or that many, from the top down; the top of nothing is nothing. The"
            " last is the top."
        ),
        "move top(deck) to my.hand",
    ),
    Word("at", "function", "at(cell) -> [piece]", "What lies on a cell: a piece, or nothing.", "move at(field) to box"),
    Word(
        "near",
        "function",
        "near(cell or piece) -> [piece]",
        "The pieces side by side with a cell or a piece on its grid.",
        "any(near(field))",
    ),
    Word(
        "around", "function", "around(cell or piece) -> [piece]", "The same with the diagonals.", "any(around(field))"
    ),
    Word(
        "free",
        "function",
        "free(grid, region?) -> [cell]",
        "The empty cells of a grid, in reading order; with a region, those in it.",
        "free(my.board)",
    ),
    Word(
        "cells",
        "function",
        "cells(grid, region?) -> [cell]",
        "All cells of a grid, in reading order; with a region, those in it.",
        "count(cells(my.board))",
    ),
    Word(
        "lines",
        "function",
        "lines(cell, number) -> [[cell]]",
        "Every straight line of that many cells through a cell of its grid: across, down, on both diagonals.",
        "any(line in lines(field, 3) where all(c in line: any(at(c))))",
    ),
    Word(
        "next",
        "function",
        "next(player, [player]?) -> player",
        "The seat on the left; with a list, the next one in that ring.",
        "set leader to next(leader)",
    ),
    Word(
        "previous",
        "function",
        "previous(player, [player]?) -> player",
        "The seat on the right; with a list, the one before in that ring.",
        "previous(leader)",
    ),
    Word(
        "clockwise",
        "function",
        "clockwise(player) -> [player]",
        "All players from this seat on.",
        "for me in clockwise(leader): turn()",
    ),
    Word(
        "total",
        "function",
        "total(player) -> number",
        "The sum of the score parts of a player.",
        "finish most(p in players: total(p))",
    ),
)

KEYED = (
    Word(
        "most",
        "keyed",
        "most(x in [T]: key) -> [T]",
        "Those with the greatest key, ties kept in order. A key is a number or a list of numbers.",
        "most(p in players: total(p))",
    ),
    Word(
        "fewest",
        "keyed",
        "fewest(x in [T]: key) -> [T]",
        "Those with the least key, ties kept in order.",
        "fewest(p in players: p.coins)",
    ),
    Word(
        "falling",
        "keyed",
        "falling(x in [T]: key) -> [T]",
        "All of them, the greatest key first, ties in order.",
        "falling(p in players: p.coins)",
    ),
    Word(
        "rising",
        "keyed",
        "rising(x in [T]: key) -> [T]",
        "All of them, the least key first, ties in order.",
        "rising(c in my.hand: c.value)",
    ),
)

TYPES = {
    "number": ("An exact number, counted in the smallest unit the ruleset uses. No division, no fractions beyond it."),
    "truth": "`true` or `false`.",
    "player": "A seat.",
    "cell": "A cell of somebody's grid.",
    "region": "A named set of places on the plan of a grid; `region has cell` tests.",
    "zone": "A place for pieces. It stands for the list of its pieces, read at that moment.",
    "grid": "A zone with cells.",
    "piece": "A piece of any kind.",
}

FORMS = (
    Form(
        "declarations",
        "define f(x: T) = E",
        "A pure definition; its type is inferred. Without parameters it is used as a bare name.",
        "define rich(p: player) = p.coins > 10",
    ),
    Form(
        "declarations",
        "rule f(x: T): ...",
        "A procedure: may ask and act. Called with brackets.",
        "rule take_one(pile: zone): move top(pile) to my.hand",
    ),
    Form(
        "declarations",
        "rule f[k](x: T): ...",
        (
            "Member `k` of family `f`, address `f.k`. Called through a key that is only known in play, the "
            "family must have a member for every key."
        ),
        "rule action[sell]: choose card in my.hand: move card to box",
    ),
    Form(
        "declarations",
        "rule f(x: T)",
        "An event: a rule without a body, there to be hung on.",
        "rule gained(card: card)",
    ),
    Form(
        "declarations",
        "rule f after g(x) where P: ...",
        (
            "Runs when a call of `g` is complete; `before`: ahead of it; `instead`: in place of its body. "
            "Order: before, the body or its one instead, after; several in file order."
        ),
        "rule bonus after gained(card) where card.value > 3: add 1 to my.coins",
    ),
    Form(
        "declarations",
        "score f = E",
        "One named part of each player's total, `me` being that player.",
        "score coins = my.coins",
    ),
    Form(
        "declarations",
        "invariant f = E",
        "True at every decision and at the end.",
        "invariant all_there = count(everywhere) is 52",
    ),
    Form(
        "declarations",
        "invariant f before g(x) where P = E",
        "True each time a call of `g` begins; `after`: when it is complete. There `was(E)` looks back to its start.",
        "invariant paid before gained(card) = my.coins > 0",
    ),
    Form(
        "declarations",
        "invariant f after finish(w) where P = E",
        "True when the game is over; `w` are the winners.",
        "invariant best_wins after finish(winners) = all(w in winners: total(w) >= 10)",
    ),
    Form(
        "declarations",
        '@printed "ids: remark"',
        (
            "Source and standing (`printed`, `derived`, `secondary`, `assumed`) of the declaration below; the ids are "
            "those of the ledger and the rulings."
        ),
        '@printed "draw.top"',
    ),
    Form(
        "statements",
        "choose x in S where P by p",
        (
            "p (else `me`) picks one; binds x for the rest of the block. Only options are offered with which "
            "everything asked before the next effect can be answered. Finding none is an error unless `else` "
            "says what happens."
        ),
        "choose card in my.hand where card.value > 2",
    ),
    Form(
        "statements",
        "choose 2 x in S, choose 0..3 x in S",
        "A set of that size, bound as a list.",
        "choose 2 cards in my.hand",
    ),
    Form("statements", "choose some x in S", "Any set but the empty one.", "choose some cards in my.hand"),
    Form(
        "statements",
        "choose minimal x in S where P(x)",
        "Every set that satisfies P with nothing to spare. Promise: more never satisfies less.",
        "choose minimal paid in my.hand where worth(paid) >= 5",
    ),
    Form(
        "statements",
        "choose x in S: ... else: ...",
        "The same with a block of its own; `else` says what happens when nothing can be chosen.",
        "choose card in my.hand: move card to box",
    ),
    Form(
        "statements",
        "may choose x in S: ... else: ...",
        "May be declined; `else` runs then as well.",
        "may choose card in my.hand: move card to box",
    ),
    Form(
        "statements",
        "roll x in S, roll 3 x in S",
        "Chance picks from a die, a pile or a list; several are independent picks.",
        "roll starter in players",
    ),
    Form("statements", "require P", "Part of the guard: without it the rule cannot begin.", "require any(deck)"),
    Form("statements", "let x = E", "A name for the rest of the block; never changed.", "let price = count(my.hand)"),
    Form(
        "statements",
        "move X to Z",
        (
            "A piece, a list or a zone of them, to a zone (on top; on a grid, the first empty cell) or a "
            "cell. A comma repeats the verb; a line is read whole before it acts."
        ),
        "move top(deck) to my.hand, card to box",
    ),
    Form("statements", "swap X with Y", "Two pieces change places.", "swap ours with theirs"),
    Form("statements", "shuffle Z", "Chance orders a zone.", "shuffle deck"),
    Form(
        "statements",
        "set V to E, add E to V, take E from V",
        "Variables; a counter stops at the ends of its range.",
        "add 1 to my.coins",
    ),
    Form("statements", "f(a), f(a) by p", "A call; `by` makes p the `me` of the call.", "draw(1, deck, box, my.hand)"),
    Form(
        "statements",
        "finish S",
        "The game ends here and now, won by the players in S (nobody: a draw).",
        "finish most(p in players: total(p))",
    ),
    Form("statements", "if P: ... else if Q: ... else: ...", "As expected.", "if any(deck): draw_one()"),
    Form(
        "statements",
        "for x in S where P: ...",
        "S is read once, P is tested at each turn. `for me in S` changes who acts.",
        "for me in clockwise(leader): turn()",
    ),
    Form(
        "statements",
        "together me in S: ...",
        "All of S answer in secret, then the effects run in order. No question may follow an effect.",
        "together me in players: choose card in my.hand: move card to my.shown",
    ),
    Form(
        "statements",
        "repeat n where P: ...",
        "At most n times, P tested before each.",
        "repeat 3 where any(deck): draw_one()",
    ),
    Form("statements", "stop, pass", "Leave the innermost loop; do nothing.", "stop"),
    Form(
        "expressions",
        "x.y",
        ("A field of a piece, a column of a row, a zone or a variable of a player or a piece, a figure of a group."),
        "card.value",
    ),
    Form(
        "expressions",
        "T[k]",
        (
            "Looks up: an entry of a series, a cell of a matrix, the n-th of a list (from 1), a figure by "
            "row, the pieces of one kind."
        ),
        "series[3]",
    ),
    Form(
        "expressions",
        "[a, b], [x in S where P: E], a..b",
        "Lists. `+` joins, `-` takes away, doubles counted.",
        "[c in my.hand where c.value > 2]",
    ),
    Form(
        "expressions",
        "f(x in S where P: E)",
        "A function of the list `[x in S where P: E]`.",
        "sum(c in my.hand: c.value)",
    ),
    Form(
        "expressions",
        "+ - *, < <= > >=, is, is not, has, not, and, or",
        "`S has x` tests membership; `in` only binds.",
        "my.hand has card",
    ),
    Form("expressions", "if P then A else B", "One of two values.", "if any(deck) then 1 else 0"),
    Form("expressions", "can f(a)", "Whether the call could begin: the guard of a rule, by name.", "can sell(card)"),
    Form(
        "expressions",
        "was(E)",
        (
            "In an invariant after a rule: the value E had when the call began, before anything hung on it ran. E may "
            "speak of `me`, of the rule's parameters, and of a player or a row that is bound around it."
        ),
        "count(deck) is was(count(deck)) - 1",
    ),
)

ALL_WORDS = VALUES + ATTRIBUTES + FUNCTIONS + KEYED
FUNCTION_NAMES = frozenset(word.name for word in FUNCTIONS)
KEYED_NAMES = frozenset(word.name for word in KEYED)
VALUE_NAMES = frozenset(word.name for word in VALUES)
ATTRIBUTE_NAMES = frozenset(word.name for word in ATTRIBUTES)
