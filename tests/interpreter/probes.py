"""A small game that calls primitives: each option of its one decision writes down the result of an expression.

The expressions are generated from the signatures of the records: arguments of the types that a signature asks for,
with folds and other primitives inside them. Chance deals pieces and figures first, so that every seed is another state.
"""

from __future__ import annotations

import re
from random import Random

from attrs import define, field, frozen

from tests.interpreter.tiny import ruleset
from warlock_dsl import types
from warlock_dsl.primitives import RECORDS, Primitive
from warlock_dsl.ruleset import Ruleset
from warlock_dsl.signatures import Either, Exactly, Hole, ListOf, Pattern, signatures

TABLES = """
[game]
players = "2..4"

[table.colour]
rows = ["red", "green", "blue"]

[table.omen]
columns = { copies = "number", worth = "number" }
rows = { sun = { copies = 3, worth = 2 }, moon = { copies = 2, worth = 0.5 } }

[kind.card]
rows = "cards.csv"
fields = { colour = "colour", value = "number" }

[kind.charm]
rows = "omen"
copies = "copies"

[grid.plan]
cells = ["a.a", "..."]
regions = { corners = "a" }

[zone]
deck = { holds = "card", sees = "none", start = "card" }
pool = { holds = "charm", start = "charm" }
hand = { each = "player", holds = "card", sees = "owner" }
board = { each = "player", holds = ["card", "charm"], grid = "plan" }

[variable.game]
leader = "player"
ring = "[player]"
begun = "truth"
"""

PLAY = """
score gold = my.gold
score risky = first([n in [my.gold] where n < 5])

define piece_number(one: piece) = sum(n in 1..count(everywhere) where everywhere[n] is one: n)
define all_cells = union(p in players: cells(p.board))
define cell_number(one: cell) = sum(n in 1..count(all_cells) where all_cells[n] is one: n)

rule play:
    shuffle deck
    for me in players:
        roll cards in 0..2
        roll gold in 0..5
        move top(deck, cards) to my.hand
        set my.gold to gold
        repeat 3:
            roll spot in cells(my.board)
            roll sort in 0..3
            if not any(at(spot)) and sort is 1: move top(deck) to spot
            if not any(at(spot)) and sort > 1: move top(pool) to spot
        roll seated in 0..2
        if seated > 0: set ring to ring + [me]
    roll who in players
    roll first_one in players
    set leader to first_one
    probing() by who

rule probing:
    choose act in probe: probe[act]()
"""

NUMBER = Exactly(types.NUMBER)
NUMBERS = ("0", "1", "2", "3", "0.5", "(0 - 2)", "my.gold", "leader.gold")
SINGLE = {
    "number": NUMBERS,
    "truth": ("true", "false", "(my.gold > 2)", "any(my.hand)"),
    "player": ("me", "leader", "next(me)", "last(ring, me)"),
    "cell": ("first(free(my.board), last(cells(leader.board)))", "first(cells(my.board))", "last(cells(leader.board))"),
    "region": ("corners",),
    "grid": ("my.board", "leader.board", "next(me).board"),
    "card": ("first(everywhere[card])", "last(my.hand, last(everywhere[card]))", "first(deck, last(everywhere[card]))"),
    "charm": ("first(everywhere[charm])", "first(leader.board[charm], last(everywhere[charm]))"),
    "piece": ("first(everywhere)", "first(my.board, last(everywhere))", "last(leader.board, first(everywhere))"),
    "colour": ("red", "green", "first(everywhere[card]).colour"),
}
LISTS = {
    "number": (
        "[1, 2, 2]",
        "[n in 1..4]",
        "[0.5, 3]",
        "[p in players: p.gold]",
        "[c in my.hand: c.value]",
        "[my.gold, 2, 1]",
    ),
    "truth": ("[true, false]", "[true]", "[c in my.hand: c.value > 1]", "[p in players: p.gold > 0]"),
    "player": ("players", "opponents", "ring", "clockwise(leader)", "[me]", "[leader, me, leader]"),
    "cell": (
        "cells(my.board)",
        "free(leader.board)",
        "cells(my.board, corners)",
        "[x in my.board: x.cell]",
        "all_cells",
    ),
    "card": ("my.hand", "deck", "leader.hand", "my.board[card]", "my.hand + leader.hand", "everywhere[card] - deck"),
    "charm": ("pool", "my.board[charm]", "top(pool, 2)", "leader.board[charm] + top(pool)"),
    "piece": ("my.board", "leader.board", "everywhere", "near(first(cells(my.board)))", "my.board + leader.board"),
    "colour": ("[red, green, red]", "[c in my.hand: c.colour]", "distinct(c in deck: c.colour)"),
}
LENGTHS = ("0", "1", "2", "3")
ANY_TYPE = ("number", "player", "cell", "card", "charm", "piece", "colour")
ANY_PIECE = ("card", "charm", "piece")


@frozen
class Probe:
    """One option of the game: which primitive it calls, and how."""

    record: Primitive
    text: str
    type: str  # of the result: "number", "[card]", "[[cell]]", ...
    kept: bool  # whether the result is named before it is written down


@define
class Writer:
    """Writes expressions of a wanted type."""

    dice: Random
    generated: bool  # only what the generated machine knows
    names: int = 0
    bound: list[tuple[str, str]] = field(factory=list)

    def of(self, wanted: str, depth: int = 0) -> str:
        if wanted.startswith("[["):
            return self.lists(wanted[2:-2], depth)
        if wanted.startswith("["):
            return self.list(wanted[1:-1], depth)
        near = [name for name, kind in self.bound if kind == wanted]
        if near and self.dice.random() < 0.6:
            return self.dice.choice(near)
        if depth < 2 and wanted == "number" and self.dice.random() < 0.3:
            return self.dice.choice((f"count({self.of('[piece]', depth + 1)})", f"({self.of('number', 2)} + 1)"))
        if depth < 2 and wanted == "cell" and self.dice.random() < 0.4:
            return f"{self.of(self.dice.choice(ANY_PIECE), depth + 1)}.cell"
        return self.dice.choice(SINGLE[wanted])

    def list(self, item: str, depth: int) -> str:
        plain = self.dice.choice(LISTS[item])
        turn = self.dice.random() if depth < 2 else 1.0
        if turn < 0.15:
            return f"[x in {plain} where false]" if depth else f"({plain} - {plain})"
        if turn < 0.45:
            return self.inside(item, lambda name: f"[{name} in {plain} where {self.test(item, name, depth)}]")
        if turn < 0.55:
            return f"({plain} + {self.dice.choice(LISTS[item])})"
        if turn < 0.7 and item == "number":
            other = self.dice.choice(("player", "card", "cell"))
            source = self.dice.choice(LISTS[other])
            return self.inside(other, lambda name: f"[{name} in {source}: {self.of('number', depth + 1)}]")
        return plain

    def lists(self, item: str, depth: int) -> str:
        turn = self.dice.random()
        if turn < 0.3:
            return f"[{self.list(item, depth + 1)}, {self.list(item, depth + 1)}]"
        if turn < 0.6 and item in ("card", "piece"):
            return f"[p in players: p.{'hand' if item == 'card' else 'board'}]"
        if turn < 0.7 and item in ANY_PIECE:
            return f"groups({self.list(item, depth + 1)})"
        return self.inside("player", lambda name: f"[{name} in players: {self.list(item, depth + 1)}]")

    def inside(self, kind: str, write: object) -> str:
        """A text that binds a name of a type, which expressions within may use."""
        self.names += 1
        self.bound.append((f"x{self.names}", kind))
        assert callable(write)
        text: str = write(f"x{self.names}")
        self.bound.pop()
        return text

    def test(self, item: str, name: str, depth: int) -> str:
        tests = {
            "number": f"{name} > {self.of('number', 2)}",
            "truth": name,
            "player": f"{name}.gold > {self.of('number', 2)}",
            "cell": self.dice.choice((f"any(at({name}))", f"corners has {name}", f"any(near({name}))")),
            "colour": f"{name} is not red",
            "card": f"{name}.value > {self.of('number', 2)}",
            "charm": f"any(around({name}))",
            "piece": f"any(near({name}))",
        }
        return tests[item]

    # ------------------------------------------------------------------ probes

    def probe(self, record: Primitive, number: int) -> Probe:
        kept = number % 2 == 1
        if record.kind == "value":
            if record.name == "my":
                return Probe(record, "my.gold", "number", kept)
            return Probe(record, record.name, record.signature, kept)
        if record.kind == "attribute":
            of = "charm" if record.name == "face" else self.dice.choice(ANY_PIECE)
            type_ = {"row": "omen"}.get(last := record.signature.split(" -> ")[1], last)
            return Probe(record, f"{self.of(of)}.{record.name}", type_, kept)
        letters = {"T": self.dice.choice(ANY_TYPE), "P": self.dice.choice(ANY_PIECE)}
        signature = signatures()[record.name]
        result = self.named(signature.result, letters)
        if record.kind == "keyed":
            item = letters["T"]
            assert signature.key is not None
            key = self.named(signature.key, letters)
            source = self.of(f"[{item}]")
            text = self.inside(item, lambda name: f"{record.name}({name} in {source}: {self.of(key, 1)})")
            return Probe(record, text, result, kept)
        most = 3 if signature.maximum is None else signature.maximum
        wanted = [signature.parameter(n) for n in range(signature.minimum + number % (most - signature.minimum + 1))]
        given = [self.of(self.named(pattern, letters)) for pattern in wanted]
        if self.generated and isinstance(wanted[0], Either) and NUMBER in wanted[0].options:
            given[0] = self.of("number")
        if record.name == "lines":  # C knows lines of a length that is written out; another makes all of it not native
            given[1] = self.dice.choice(LENGTHS)
        return Probe(record, f"{record.name}({', '.join(given)})", result, kept)

    def named(self, pattern: Pattern, letters: dict[str, str]) -> str:
        match pattern:
            case Hole():
                return letters[pattern.letter]
            case ListOf():
                return f"[{self.named(pattern.item, letters)}]"
            case Either():
                return self.named(self.dice.choice(pattern.options), letters)
            case Exactly():
                return str(pattern.type)


def probes_of(record: Primitive, count: int, generated: bool) -> list[Probe]:
    writer = Writer(Random(record.name), generated)
    return [writer.probe(record, number) for number in range(count)]


def storable(text: str, type_: str) -> tuple[str, str]:
    """An expression whose value a variable can hold, and the type of the variable: pieces and cells by number."""
    item = type_.strip("[]")
    if item not in ("piece", "card", "charm", "cell"):
        return text, type_
    call = "cell_number" if item == "cell" else "piece_number"
    one, depth = f"{call}(one)", type_.count("[")
    if depth == 0:
        return f"{call}({text})", "number"
    if depth == 1:
        return f"[one in {text}: {one}]", "[number]"
    return f"[all_of in {text}: [one in all_of: {one}]]", "[[number]]"


def probing_game(probes: list[Probe]) -> Ruleset:
    """The game whose options are these, in this order."""
    rules, types = [PLAY], set()
    for number, probe in enumerate(probes):
        value, type_ = storable("result" if probe.kept else probe.text, probe.type)
        types.add(type_)
        lines = [f"rule probe[p{number}]:", "set begun to true"]
        if probe.kept:
            lines.append(f"let result = {probe.text}")
        lines.append(f"set {variable(type_)} to {value}")
        rules.append("\n    ".join(lines))
    found = "".join(f'{variable(type_)} = "{type_}"\n' for type_ in sorted(types))
    return ruleset("\n\n".join(rules) + "\n", f"{TABLES}{found}\n[variable.player]\ngold = '0..5'\n")


def variable(type_: str) -> str:
    """The name of the variable that holds results of a type."""
    return "found_" + re.sub(r"\W", "", type_) + "_in_list" * type_.count("[")


def all_probes(count: int, generated: bool) -> list[Probe]:
    return [probe for record in RECORDS.values() for probe in probes_of(record, count, generated)]
