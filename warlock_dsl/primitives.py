"""One record a primitive: name, signature, doc, example, and what an analysis may assume of it.

The checker, the manual, the analyses and the machines ask these records. The plain machine has the reference function
of each, by the same name, in `interpreter/plain/primitives.py`. What a record does not say is assumed to be unsafe.

A signature is written as a person would: `first([T], T?) -> T`. In it `T` and `P` stand for any type (`P`: a piece),
`?` marks an argument that may be left out, `...` one that may be repeated, and a fold that needs a key is written
with a binder: `most(x in [T]: key) -> [T]`. A zone may stand wherever a list of its pieces is wanted.
"""

from __future__ import annotations

from enum import Flag, auto
from typing import Literal

from attrs import evolve, frozen


class Reads(Flag):
    """What a result may depend on, apart from the tables and the values of the arguments."""

    NOTHING = 0
    ME = auto()  # who acts
    ORDER = auto()  # the order of a list that is an argument: another order may give other elements
    IDENTITY = auto()  # which of several like pieces an argument has
    FACES = auto()  # what is on a piece, which may be hidden from a player
    CELLS = auto()  # on which cell a piece that is an argument lies
    PLACES = auto()  # where pieces lie: what is on a cell, whose zone a piece is in
    SCORES = auto()  # whatever the score parts read
    OTHER = auto()  # anything else


Result = Literal["", "length", "nonempty", "every", "sum", "least", "greatest", "element", "joined", "top"]
Length = Literal["", "one", "list", "players", "neighbours", "cells"]


@frozen
class Assumptions:
    """What an analysis may assume. The defaults assume nothing.

    "The list" is the first argument. `fails` and `length` are by the number of arguments after it: the first entry
    is for a call without any, the last one holds for all that have more.
    """

    fails: tuple[bool, ...] = (True,)  # whether it can end in an error
    reads: Reads = ~Reads.NOTHING
    cheap: bool = False  # takes a step, however long its lists are
    selects: bool = False  # gives elements of the list, none more often than the list has it
    distinct: bool = False  # gives no value twice
    on_cells: bool = False  # gives pieces that lie on cells
    nonempty: Literal["", "always", "list", "whole"] = ""  # an element: always; if the list has one; if nothing follows
    length: tuple[Length, ...] = ("",)  # at most this many elements
    at_least: Literal["", "players", "list"] = ""  # at least this many: as many as play, or as the list has
    inner: Literal["", "one", "asked"] = ""  # the lists that it gives have an element, or as many as are asked for
    result: Result = ""  # what it gives, where that says more: the length of the list, whether it has an element, ...

    def can_fail(self, arguments: int) -> bool:
        """Whether a call with this many arguments can end in an error."""
        return self.fails[min(max(arguments - 1, 0), len(self.fails) - 1)]

    def max_length(self, arguments: int) -> Length:
        """What bounds the length of the result of a call with this many arguments."""
        return self.length[min(max(arguments - 1, 0), len(self.length) - 1)]


@frozen
class Primitive:
    """A primitive: its kind (value, attribute, function, keyed), its signature, what it does, an example of use.

    `twin` is the primitive that is easily written for this one: it can stand in the same place.
    """

    name: str
    kind: str
    signature: str
    doc: str
    example: str
    assume: Assumptions = Assumptions()
    twin: str = ""

    @property
    def function(self) -> str:
        """What the checked program and the machines call it."""
        return f"{self.name}_of" if self.kind == "attribute" else self.name


SIMPLE = Assumptions(fails=(False,), reads=Reads.NOTHING, cheap=True)
SELECTING = evolve(SIMPLE, selects=True, nonempty="list", length=("list",))
ON_CELLS = evolve(SIMPLE, reads=Reads.PLACES, distinct=True, on_cells=True)

VALUES = (
    Primitive(
        "players",
        "value",
        "[player]",
        "All players, in seat order.",
        "count(players)",
        evolve(SIMPLE, distinct=True, nonempty="always", length=("players",), at_least="players"),
        twin="opponents",
    ),
    Primitive(
        "opponents",
        "value",
        "[player]",
        "Everybody but `me`, in seat order from the next seat.",
        "any(opponents)",
        evolve(SIMPLE, reads=Reads.ME, distinct=True, length=("players",)),
        twin="players",
    ),
    Primitive(
        "everywhere",
        "value",
        "[piece]",
        "Every piece of the game, wherever it lies.",
        "count(everywhere[card])",
        evolve(SIMPLE, distinct=True),
    ),
    Primitive(
        "me",
        "value",
        "player",
        "Who acts. Handed on by calls; changed by `for me in`, `together me in` and `by`. In `play`, the first seat.",
        "me",
        evolve(SIMPLE, reads=Reads.ME),
    ),
    Primitive("my", "value", "player", "`my.x` is `me.x`.", "my.hand", evolve(SIMPLE, reads=Reads.ME)),
)

ATTRIBUTES = (
    Primitive(
        "cell",
        "attribute",
        "piece -> cell",
        "The cell a piece lies on; off every grid, a cell in no region.",
        "c.cell",
        evolve(SIMPLE, reads=Reads.CELLS),
    ),
    Primitive(
        "owner",
        "attribute",
        "piece -> player",
        "Who owns the zone a piece lies in; on the table, an error.",
        "c.owner",
        evolve(SIMPLE, fails=(True,), reads=Reads.PLACES),
    ),
    Primitive(
        "face",
        "attribute",
        "piece -> row",
        "The row of the table a piece was made from.",
        "c.face",
        evolve(SIMPLE, reads=Reads.FACES),
    ),
)

FUNCTIONS = (
    Primitive(
        "any",
        "function",
        "any([T]) -> truth",
        "Whether there is an element.",
        "any(deck)",
        evolve(SIMPLE, result="nonempty"),
    ),
    Primitive(
        "all",
        "function",
        "all([truth]) -> truth",
        "Whether every element is true; of none, true.",
        "all(c in my.hand: c.value > 2)",
        evolve(SIMPLE, result="every"),
    ),
    Primitive(
        "count",
        "function",
        "count([T]) -> number",
        "How many elements.",
        "count(c in my.hand where c.value > 2)",
        evolve(SIMPLE, result="length"),
    ),
    Primitive(
        "sum",
        "function",
        "sum([number]) -> number",
        "The sum; of none, 0.",
        "sum(c in my.hand: c.value)",
        evolve(SIMPLE, fails=(True,), result="sum"),
    ),
    Primitive(
        "union",
        "function",
        "union([[T]]) -> [T]",
        "The lists joined, in order; doubles stay.",
        "union(p in players: p.hand)",
        evolve(SIMPLE, result="joined"),
    ),
    Primitive(
        "distinct",
        "function",
        "distinct([T]) -> [T]",
        "Each value once, where it first stood.",
        "distinct(c in my.hand: c.colour)",
        evolve(SELECTING, reads=Reads.IDENTITY, cheap=False, distinct=True),
    ),
    Primitive(
        "sums",
        "function",
        "sums([[number]]) -> [number]",
        "Every total there can be when each list gives one of its values, rising, each once.",
        "sums(c in cards: c.values)",
        evolve(SIMPLE, fails=(True,), cheap=False, distinct=True),
    ),
    Primitive(
        "groups",
        "function",
        "groups([P]) -> [[P]]",
        "The pieces in groups that hang together side by side on their grid, in the order of their first piece.",
        "count(groups(my.board))",
        evolve(SIMPLE, reads=Reads.CELLS | Reads.PLACES, cheap=False, nonempty="list", length=("list",), inner="one"),
    ),
    Primitive(
        "first",
        "function",
        "first([T], T?) -> T",
        "The first element, or the second argument where there is none.",
        "first(ring, me)",
        evolve(SIMPLE, fails=(True, False), reads=Reads.ORDER, result="element"),
        twin="last",
    ),
    Primitive(
        "last",
        "function",
        "last([T], T?) -> T",
        "The last element, or the second argument where there is none.",
        "last(ring, me)",
        evolve(SIMPLE, fails=(True, False), reads=Reads.ORDER, result="element"),
        twin="first",
    ),
    Primitive(
        "within",
        "function",
        "within([T], [T]) -> truth",
        "Whether the second list holds all of the first, doubles counted.",
        "within(price, purse)",
        evolve(SIMPLE, reads=Reads.IDENTITY, cheap=False),
    ),
    Primitive(
        "min",
        "function",
        "min(number or [number], number...) -> number",
        "The least; a list counts as its elements. Of an empty list alone, an error.",
        "min(3, count(pile))",
        evolve(SIMPLE, fails=(True, False), result="least"),
        twin="max",
    ),
    Primitive(
        "max",
        "function",
        "max(number or [number], number...) -> number",
        "The greatest; a list counts as its elements. Of an empty list alone, an error.",
        "max([c in my.hand: c.value], 0)",
        evolve(SIMPLE, fails=(True, False), result="greatest"),
        twin="min",
    ),
    Primitive(
        "divide_up",
        "function",
        "divide_up(number, number) -> number",
        "Whole shares, rounded up; by nothing, 0.",
        "divide_up(pot, count(players))",
        evolve(SIMPLE, fails=(True,)),
        twin="divide_down",
    ),
    Primitive(
        "divide_down",
        "function",
        "divide_down(number, number) -> number",
        "Whole shares, rounded down; by nothing, 0.",
        "divide_down(pot, count(players))",
        evolve(SIMPLE, fails=(True,)),
        twin="divide_up",
    ),
    Primitive(
        "top",
        "function",
        "top([P], number?) -> [P]",
        (
            "The topmost piece of a pile, or that many, from the top down; the top of nothing is nothing."
            " The last is the top."
        ),
        "move top(deck) to my.hand",
        evolve(SELECTING, reads=Reads.ORDER, nonempty="", length=("one", "list"), result="top"),
    ),
    Primitive(
        "at",
        "function",
        "at(cell) -> [piece]",
        "What lies on a cell: a piece, or nothing; where pieces stack, all of them, the top last.",
        "move at(field) to box",
        evolve(ON_CELLS, length=("one",)),  # on a grid without stacks
    ),
    Primitive(
        "near",
        "function",
        "near(cell or piece) -> [piece]",
        "The pieces side by side with a cell or a piece on its grid, in the order of `cells`.",
        "any(near(field))",
        evolve(ON_CELLS, reads=Reads.CELLS | Reads.PLACES, length=("neighbours",)),
        twin="around",
    ),
    Primitive(
        "around",
        "function",
        "around(cell or piece) -> [piece]",
        "The same with the diagonals, where a board has some; in the order of `cells`.",
        "any(around(field))",
        evolve(ON_CELLS, reads=Reads.CELLS | Reads.PLACES, length=("neighbours",)),
        twin="near",
    ),
    Primitive(
        "free",
        "function",
        "free(grid, region?) -> [cell]",
        "The empty cells of a grid, in the order of `cells`; with a region, those in it.",
        "free(my.board)",
        evolve(SIMPLE, reads=Reads.PLACES, distinct=True, length=("cells",)),
    ),
    Primitive(
        "cells",
        "function",
        "cells(grid, region?) -> [cell]",
        "All cells of a grid, in reading order or in that of their table; with a region, those in it.",
        "count(cells(my.board))",
        evolve(SIMPLE, distinct=True, nonempty="whole", length=("cells",)),
    ),
    Primitive(
        "lines",
        "function",
        "lines(cell, number) -> [[cell]]",
        (
            "Every straight line of that many cells through a cell of its grid: across, down, then on both diagonals,"
            " each from its upper or left end; of one direction, the line that begins furthest from the cell first."
        ),
        "any(line in lines(field, 3) where all(c in line: any(at(c))))",
        evolve(SIMPLE, inner="asked"),
    ),
    Primitive(
        "step",
        "function",
        "step(cell, number, number) -> [cell]",
        "The cell so far to the right and so far down on the same grid, or nothing; less than 0 is left, or up.",
        "any(at(first(step(c, way.right, way.down), c)))",
        evolve(SIMPLE, distinct=True, length=("one",)),
        twin="ray",
    ),
    Primitive(
        "ray",
        "function",
        "ray(cell, number, number) -> [cell]",
        "The cells that step after step in that direction meets, the nearest first, up to the first gap or the edge.",
        "[d in way: ray(c, d.right, d.down)]",
        evolve(SIMPLE, distinct=True),
        twin="step",
    ),
    Primitive(
        "next",
        "function",
        "next(player, [player]?) -> player",
        "The seat on the left; with a list, the next one in that ring.",
        "set leader to next(leader)",
        evolve(SIMPLE, fails=(False, True), reads=Reads.ORDER),
        twin="previous",
    ),
    Primitive(
        "previous",
        "function",
        "previous(player, [player]?) -> player",
        "The seat on the right; with a list, the one before in that ring.",
        "previous(leader)",
        evolve(SIMPLE, fails=(False, True), reads=Reads.ORDER),
        twin="next",
    ),
    Primitive(
        "clockwise",
        "function",
        "clockwise(player) -> [player]",
        "All players from this seat on.",
        "for me in clockwise(leader): turn()",
        evolve(SIMPLE, distinct=True, nonempty="always", length=("players",), at_least="players"),
        twin="players",
    ),
    Primitive(
        "total",
        "function",
        "total(player) -> number",
        "The sum of the score parts of a player.",
        "finish most(p in players: total(p))",
        evolve(SIMPLE, fails=(True,), reads=Reads.SCORES),
    ),
)

KEYED = (
    Primitive(
        "most",
        "keyed",
        "most(x in [T]: key) -> [T]",
        "Those with the greatest key, ties kept in order. A key is a number or a list of numbers.",
        "most(p in players: total(p))",
        SELECTING,
        twin="fewest",
    ),
    Primitive(
        "fewest",
        "keyed",
        "fewest(x in [T]: key) -> [T]",
        "Those with the least key, ties kept in order.",
        "fewest(p in players: p.coins)",
        SELECTING,
        twin="most",
    ),
    Primitive(
        "falling",
        "keyed",
        "falling(x in [T]: key) -> [T]",
        "All of them, the greatest key first, ties in order.",
        "falling(p in players: p.coins)",
        evolve(SELECTING, at_least="list"),
        twin="rising",
    ),
    Primitive(
        "rising",
        "keyed",
        "rising(x in [T]: key) -> [T]",
        "All of them, the least key first, ties in order.",
        "rising(c in my.hand: c.value)",
        evolve(SELECTING, at_least="list"),
        twin="falling",
    ),
    Primitive(
        "until",
        "keyed",
        "until(x in [T]: truth) -> [T]",
        "The elements up to the first one for which it is true, that one included; all, where there is none.",
        "until(c in ray(field, 1, 0): any(at(c)))",
        evolve(SELECTING, reads=Reads.ORDER),
    ),
    Primitive(
        "reach",
        "keyed",
        "reach(x in [T]: [T]) -> [T]",
        (
            "All that can be reached: the elements of the list, what each of them leads to, what that leads to, each"
            " once, in the order in which it is found."
        ),
        "reach(c in [field]: [d in steps(c) where not any(at(d))])",
        evolve(SIMPLE, reads=Reads.IDENTITY, cheap=False, distinct=True, nonempty="list"),
    ),
)

FUNCTION_NAMES = frozenset(one.name for one in FUNCTIONS)
KEYED_NAMES = frozenset(one.name for one in KEYED)
VALUE_NAMES = frozenset(one.name for one in VALUES)
ATTRIBUTE_NAMES = frozenset(one.name for one in ATTRIBUTES)
RECORDS = {one.function: one for one in (*VALUES, *ATTRIBUTES, *FUNCTIONS, *KEYED)}


def assumed(function: str) -> Assumptions:
    """What may be assumed of a primitive, by the name the checked program has for it."""
    return RECORDS[function].assume if function in RECORDS else Assumptions()


def counts(function: str) -> bool:
    """Whether a primitive reads of its list how many elements there are, and not which."""
    return assumed(function).result in ("length", "nonempty")


def takes_top(function: str) -> bool:
    """Whether a primitive gives what lies on top of a pile."""
    return assumed(function).result == "top"


def reads_me(function: str) -> bool:
    """Whether a primitive depends on who acts."""
    return Reads.ME in assumed(function).reads
