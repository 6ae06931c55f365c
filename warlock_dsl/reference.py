"""The language reference, from the records of the primitives: `python -m warlock_dsl.reference > docs/language.md`."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import frozen

from warlock_dsl.diagnostics.codes import codes_of
from warlock_dsl.primitives import ATTRIBUTES, FUNCTIONS, KEYED, VALUES, Primitive
from warlock_dsl.syntax.keywords import RESERVED


@frozen
class Form:
    """A form of the grammar: how it is written, what it does, an example."""

    group: str
    pattern: str
    doc: str
    example: str


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
        "A pure definition; its type is inferred. Without parameters it is used as a bare name. It may call itself "
        "where a number falls with each call, and a test before it says that the number is above a fixed one: "
        "`if n > 0 then ... f(n - 1) ... else 0`.",
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
            "Order: before, the body or its one instead, after; several in file order. In what hangs `after`, `was(E)` "
            "looks back to the start of the call."
        ),
        "rule bonus after gained(card) where card.value > 3: add 1 to my.coins",
    ),
    Form(
        "declarations",
        "rule f after g[k in T](x) where P: ...",
        (
            "Hangs on every member of the family `g`, `before` or `after`; `k` is the key of the one that was called. "
            "T is the table whose rows are the keys, or `g` where the keys are its own. Invariants hang so, too."
        ),
        "rule counted after trick[k in suit](card) where k is not hearts: add 1 to my.coins",
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
        "sometimes f = P",
        (
            "Something that games come to: `warlock fuzz` looks for it and keeps the shortest game that shows it; "
            "never is a finding. P is tested at every decision and at the end; `after finish(w) where Q`: at the end."
        ),
        "sometimes all_in_one_hand = any(p in players where count(p.hand) is 52)",
    ),
    Form(
        "declarations",
        "share f in A..B after finish(w) where Q = P",
        (
            "In A to B percent of the games that are over, and in which Q holds, P is so; of a list of truths each "
            "place is a share of its own. `warlock sim` counts, with an interval: holds, broken, too few games to tell."
        ),
        "share seats in 20..30 after finish(w) where count(players) is 4 = [p in players: w has p]",
    ),
    Form(
        "declarations",
        "relation f with O(n = 3) = E <= there",
        (
            "This stack beside the same one with the overlay O (its settings in brackets), or `without` it: after the "
            "same answers E is at most what it is there (`<`, `<=`, `>`, `>=`, `is`; lists of numbers place by place). "
            "In E `options` is how many the question has. `warlock fuzz` plays both."
        ),
        "relation fewer with short_game(rounds = 3) = options <= there",
    ),
    Form(
        "declarations",
        "reveals f: z, v",
        (
            "The rule `f` (of a family: `f[k]`) moves what lies hidden into the zone `z` that all see, or sets the "
            "open variable `v` from it; its source is marked above. A game that has one declares all (W460, W461)."
        ),
        "reveals turn: discard",
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
            "says what happens. An option may be a list: `choose move in [m in men: [m.cell, goal(m)]]` asks for a "
            "move at once."
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
        "choose some x in S where sum(c in x: E) is N",
        "A set by its total: also `has` (a list of totals), `<`, `<=`, `>`, `>=`, and `count`. Found, not looked for:"
        " however many pieces there are.",
        "choose some cards in my.hand where sum(c in cards: c.value) is 15",
    ),
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
        "may x: ... else: ..., may x by p: ...",
        (
            "A question that is answered with yes or no, and the block for yes. `x` names it (`RULE.x`) and binds "
            "nothing. If what the block asks first cannot be answered, `else` runs and nobody is asked."
        ),
        "may doubt: move top(deck) to my.hand",
    ),
    Form(
        "statements",
        "roll x in S, roll 3 x in S",
        "Chance picks from a die, a pile or a list; several are independent picks.",
        "roll starter in players",
    ),
    Form(
        "statements",
        "roll x in S by p",
        "Only p learns what it is. No question may know it: keep it in a variable that only p sees.",
        "roll secret in players by me",
    ),
    Form("statements", "require P", "Part of the guard: without it the rule cannot begin.", "require any(deck)"),
    Form("statements", "let x = E", "A name for the rest of the block; never changed.", "let price = count(my.hand)"),
    Form(
        "statements",
        "give E",
        (
            "The rule ends here, and E is its value; what hangs `after` it runs then. Every way through a rule gives, "
            "or none does. What stands in for it (`instead`) gives, too; other hooks do not."
        ),
        "give first(most(p in players: p.coins))",
    ),
    Form(
        "statements",
        "let x = f(a), let x = f(a) by p",
        (
            "Calls a rule, or the member of a family, and takes what it gives. Without `let` the value is dropped; a "
            "call of which nothing else comes is a warning."
        ),
        "let winner = trick(card)",
    ),
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
        "show X to P",
        "A piece, a list or a zone of them, to a player or a list of players: from then on these know which pieces "
        "they are, wherever they go, until a zone they lie in is shuffled.",
        "show my.hand to next(me)",
    ),
    Form(
        "statements",
        "say f, say f(x, y), say f(x) to P",
        "Something is said, to all or to P, and nothing changes. What is said are names of the rule; its words are the "
        "text `say.RULE.f`. It cannot be taken back: what is asked before it is the opening.",
        "say announced(claim)",
    ),
    Form(
        "statements",
        "set V to E, add E to V, take E from V",
        "Variables; a counter stops at the ends of its range.",
        "add 1 to my.coins",
    ),
    Form(
        "statements",
        "move X to Z for x in S where P",
        (
            "For all of S at once, and so `swap`, `set`, `add` and `take`: everything is read for each of them before "
            "anything happens; then it happens in their order."
        ),
        "move p.hand to next(p).hand for p in players",
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
        (
            "A field of a piece, a column of a row, a zone of a row (`ruby.pile`), a zone or a variable of a player "
            "or a piece, a figure of a group."
        ),
        "card.value",
    ),
    Form(
        "expressions",
        "T[k]",
        (
            "Looks up: an entry of a series, a cell of a matrix, the n-th of a list (from 1), a figure, a variable or "
            "a zone by row (`my.purse[ruby]`), the pieces of one kind."
        ),
        "series[3]",
    ),
    Form(
        "expressions",
        "[a, b], [x in S where P: E], a..b",
        "Lists, also of lists. `+` joins, `-` takes away, doubles counted.",
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
    Form(
        "expressions",
        "x is KIND, x is not KIND",
        (
            "Whether a piece is of a kind. A name tested so is of that kind where the test holds: behind `and`, "
            "in what follows `where` or `require`, in the branch of an `if`; and of none of it in the other branch."
        ),
        "count(x in my.board where x is card and x.value > 2)",
    ),
    Form("expressions", "if P then A else B", "One of two values.", "if any(deck) then 1 else 0"),
    Form("expressions", "can f(a)", "Whether the call could begin: the guard of a rule, by name.", "can sell(card)"),
    Form(
        "expressions",
        "would f(a): E, would f(a) by p: E",
        (
            "The value of E in the position after the call, which is run on a copy. The rule, what it calls and what "
            "hangs on it neither ask nor roll nor shuffle; if it ends the game, E is read in the last position. Names "
            "keep their values, and `me` in E is who acts here. What the rule requires must hold, as for any call: "
            "`can f(a) and would f(a): E`. E reaches as far as it can. Invariants are not tested on the way."
        ),
        "would sell(card): my.coins > 10",
    ),
    Form(
        "expressions",
        "was(E)",
        (
            "In a rule or an invariant that hangs `after` a rule: the value E had when the call began, before anything "
            "hung on it ran, as in `was(card.owner)`. E may speak of `me`, of the rule's parameters, and of a player "
            "or a row that is bound around it."
        ),
        "count(deck) is was(count(deck)) - 1",
    ),
)

INTRODUCTION = """\
# The language

*Made from the records of the primitives by `python -m warlock_dsl.reference`; a test keeps it in step.*

A game is a folder. TOML files own the nouns and the figures (pieces, zones, grids, variables, tables, names);
`.warlock` files own the verbs. Both share one namespace. Behaviour reads like a terse rulebook: indented blocks,
lower-case names, `#` comments, a line goes on only inside brackets, and `warlock fmt` knows the one layout.

Seven ideas carry the rest:

1. `x in S where P` always binds. `choose`, `roll`, `for`, `together`, `[...]` and every fold share it; `S has x` tests.
2. Chance uses the words of choice: `roll` is `choose` by nobody.
3. `T[k]` always looks up.
4. A family of rules is a menu: `rule action[k]` adds a line to it, `choose act in action: action[act]()` offers it.
5. Ask, then act. What a rule asks before its first effect is its *opening*; an option is offered only if the rest of
   the opening can be completed. From this come guards, secret simultaneous choice and "no dead ends".
6. A rule hangs on a rule: `after`, `before`, `instead` are triggers, interrupts and replacements at once.
7. Emptiness instead of null: the top of nothing is nothing, and moving nothing is no error.
"""

RUNNING = """\
## How it runs

- **Numbers** are exact: integers of the smallest unit the ruleset's data and literals need (halves, where a 0.5 stands
  somewhere). There is no division; `divide_up` and `divide_down` give whole shares.
- **A decision** is who is asked, the rule and the name it binds, and the options in source order. Pieces alike in
  every respect, in the same place, are one option; those that the asked player cannot see are told apart by their
  place. One option and no `may` is no question.
- **The opening** runs to the first effect, loop or `roll`, through calls, and down the branch an `if` takes. `can f(x)`
  asks for it by name.
- **Sets** are listed while there are at most `limits.listed` of them; else they are asked for piece by piece in one
  order, so that each set is reached one way, `stop` being offered wherever the set is good.
- **`together`** asks every seat against the same state, keeps the answers where no observation shows them, and then
  runs the effects seat by seat.
- **Triggers** run when their event is complete, on the stack, with its `me`, and may ask: first `before`, then the body
  or its one `instead`, then `after`; several in file order (files by name, the standard library first).
- **Chance** is a SplitMix64 stream inside the state. The same ruleset, seats, seed and answers give the same game
  everywhere.
- **Bounds**: `limits.depth` calls within calls, `limits.work` steps between two decisions. Whoever reaches one gets a
  error that names the rule.
- **Visibility** is declared by zone (`sees`, `count`, `hidden_by`) and variable (`sees`); what a player observes is
  derived from it.
"""


def reference() -> str:
    """The whole manual as Markdown."""
    parts = [INTRODUCTION]
    for group in ("declarations", "statements", "expressions"):
        parts.append(f"## {group.capitalize()}\n\n" + _forms(form for form in FORMS if form.group == group))
    parts.append("## Types\n\n" + "\n".join(f"- `{name}`: {doc}" for name, doc in TYPES.items()) + "\n")
    parts.append(
        "Every kind of piece, every table and every family of rules (its keys) is a type of its own; `[T]` is a list of"
        " T. Parameters are typed, results are inferred; a local name never hides another, but one may be called like"
        " the table, kind or family its value is of (`rule f(card: card)`); definitions do not call themselves.\n"
    )
    for title, records in (
        ("Values", VALUES),
        ("Attributes of pieces", ATTRIBUTES),
        ("Functions", FUNCTIONS),
        ("Functions with a key", KEYED),
    ):
        parts.append(f"## {title}\n\n" + _primitives(records))
    parts.append(RUNNING)
    parts.append("## Reserved words\n\n" + " ".join(f"`{word}`" for word in sorted(RESERVED)) + "\n")
    codes = codes_of("W0", "W1", "W2", "W3", "W4")
    rows = "\n".join(f"| {code} | {title} |" for code, title in sorted(codes.items()))
    parts.append(f"## Codes of errors\n\n| code | what is wrong |\n|---|---|\n{rows}\n")
    return "\n".join(parts)


def _forms(forms: Iterable[Form]) -> str:
    return "\n".join(f"### `{form.pattern}`\n\n{form.doc}\n\n    {form.example}\n" for form in forms)


def _primitives(records: Iterable[Primitive]) -> str:
    return "\n".join(f"### `{one.signature}`\n\n**{one.name}**: {one.doc}\n\n    {one.example}\n" for one in records)


if __name__ == "__main__":
    print(reference(), end="")
