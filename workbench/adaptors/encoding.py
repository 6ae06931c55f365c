"""What a seat sees as a row of numbers, always of the same length for a ruleset and a number of players.

Every number has a name, a tuple of words (`Encoding.names`, in order); what an observation holds is added up under
these names. What has no name is left out: pieces that belong to what the seat cannot name, the order of a pile, what
was heard.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache

import numpy as np

from interpreter import Decision, Game, Observation, Option, Shown, VariableView, ZoneView
from warlock_dsl import Ruleset, nodes
from warlock_dsl import types as t
from warlock_dsl.check import program as checked

LARGEST = 1e9  # numbers beyond are cut
DECLINE, STOP = -1.0, -2.0

Name = tuple[str | int, ...]


class Encoding:
    """The names of the numbers for a ruleset and a number of players, and the numbers of an observation."""

    def __init__(self, ruleset: Ruleset, players: int, max_options: int) -> None:
        self.ruleset, self.players, self.max_options = ruleset, players, max_options
        self.parts = ruleset.components
        first = Game.start(ruleset, players, laws=False).observe(-1)
        self.cells = {_cell(zone, *cell[:2]): None for zone in first.zones for cell in zone.cells}
        self.codes = self._codes(first)
        self.names = tuple(dict.fromkeys(self._names(first)))
        self._place = {name: place for place, name in enumerate(self.names)}

    @property
    def size(self) -> int:
        return len(self.names)

    # ------------------------------------------------------------------- names

    def _names(self, first: Observation) -> Iterator[Name]:
        for seat in range(self.players):
            yield "observer", seat
        for seat in range(self.players):
            yield "asked", seat
        for rule in self.ruleset.program.rules:
            for node in nodes(rule.body):
                if isinstance(node, checked.Question):
                    yield "question", f"{rule.address}.{node.name}"
        for name in sorted({name for rule in self.ruleset.program.rules for name, _ in rule.slot_names.values()}):
            yield "bound", name
        for piece in self._classes(tuple(self.parts.kinds)):
            yield "picked", piece
        for number in range(self.max_options):
            yield "option", number
        for zone in first.zones:
            yield "count", *_zone(zone)
            yield "uncounted", *_zone(zone)
            for spot in [_cell(zone, *cell[:2]) for cell in zone.cells] or [_zone(zone)]:
                for piece in self._classes(self.parts.zones[zone.name].kinds, unseen=True):
                    yield "pieces", *spot, piece
        for variable in first.variables:
            yield "known", *_variable(variable)
            for element in self._elements(self._type(variable)):
                yield "value", *_variable(variable), element

    def _classes(self, kinds: tuple[str, ...], unseen: bool = False) -> Iterator[str]:
        """The pieces of some kinds, those that are alike once; then one that is not seen, of each kind."""
        for kind in kinds:
            yield from dict.fromkeys(map(_class, self.parts.kinds[kind].pieces))
            if unseen:
                yield f"unseen {kind}"

    def _type(self, variable: VariableView) -> t.Type:
        owners = [name for name, kind in self.parts.kinds.items() if variable.holder in kind.pieces]
        owner = "player" if variable.owner >= 0 else owners[0] if owners else ""
        return self.parts.variables[owner, variable.name].type

    def _elements(self, kind: t.Type | None) -> list[str | int]:
        """What a value of a type may be told by; of a list, what its elements may."""
        match kind:
            case t.ListType(item):
                return self._elements(item)
            case t.PlayerType():
                return [f"seat{seat}" for seat in range(self.players)]
            case t.RowType() | t.KeyType():
                return list(self.parts.words_of(kind))
            case t.PieceType(kinds):
                return list(self._classes(kinds or tuple(self.parts.kinds)))
            case t.CellType():
                return [_words(cell) for cell in self.cells]
            case _:
                return [""]

    def _codes(self, first: Observation) -> dict[Name, int]:
        """The number of everything that an option may name: its place in the list of its kind, from 1 on."""
        parts = self.parts
        lists: list[list[Name]] = [[("piece", name) for name in self._classes(tuple(parts.kinds))]]
        lists += [[("cell", _words(cell)) for cell in self.cells]]
        lists += [[("player", f"seat{seat}") for seat in range(self.players)]]
        lists += [[("row", table.name, row) for row in table.rows] for table in parts.tables.values()]
        lists += [[("key", one.name, key) for key in one.keys] for one in self.ruleset.program.families.values()]
        lists += [[("zone", _words(_zone(zone))) for zone in first.zones]]
        return {name: number for names in lists for number, name in enumerate(dict.fromkeys(names), 1)}

    # ----------------------------------------------------------------- numbers

    def encode(self, game: Game, seat: int) -> np.ndarray:
        """What a seat sees now; what is asked, and of what, only if it is the seat that is asked."""
        view, asked = game.observe(seat), game.to_move
        found: np.ndarray = np.zeros(self.size, dtype=np.float32)
        for name, number in self._told(view, game.decision if asked == seat else None, asked):
            place = self._place.get(name)
            if place is not None:
                found[place] += number
        return np.clip(found, -LARGEST, LARGEST, out=found)

    def _told(self, view: Observation, decision: Decision | None, asked: int) -> Iterator[tuple[Name, float]]:
        yield ("observer", view.player), 1
        yield ("asked", asked), 1
        if decision is not None:
            yield ("question", f"{decision.rule}.{decision.name}"), 1
            yield from ((("bound", name), self.code(shown)) for name, shown in decision.bound)
            yield from ((("picked", _class(shown.name)), 1) for shown in decision.partial)
            yield from ((("option", number), self._option(one)) for number, one in enumerate(decision.options))
        for zone in view.zones:
            yield from self._zone_told(zone)
        for variable in view.variables:
            if variable.value is not None:
                yield ("known", *_variable(variable)), 1
                yield from self._value_told(("value", *_variable(variable)), variable.value)

    def _zone_told(self, zone: ZoneView) -> Iterator[tuple[Name, float]]:
        if zone.count is None:
            yield ("uncounted", *_zone(zone)), 1
            return
        yield ("count", *_zone(zone)), zone.count
        if not zone.cells:
            yield from ((("pieces", *_zone(zone), _seen(piece)), 1) for piece in zone.pieces)
        for cell, lying in zip(zone.cells, zone.lying(), strict=True):
            yield from ((("pieces", *_cell(zone, *cell[:2]), _seen(zone.pieces[number])), 1) for number in lying)

    def _value_told(self, name: Name, value: Shown) -> Iterator[tuple[Name, float]]:
        match value.what:
            case "list":
                for item in value.items:
                    yield from self._value_told(name, item)
            case "number":
                yield (*name, ""), float(Fraction(value.name))
            case "truth":
                yield (*name, ""), float(value.name == "true")
            case "cell":
                yield (*name, _words(_shown_cell(value))), 1
            case "piece":
                yield (*name, _class(value.name)), 1
            case _:
                yield (*name, value.name), 1

    def _option(self, option: Option) -> float:
        return {"decline": DECLINE, "stop": STOP}.get(option.what) or self.code(option.value)

    def code(self, shown: Shown) -> float:
        """What is named, as a number: a number itself, else the place in the list of its kind, from 1 on. A set has
        none, nor has a piece that is not seen: 0."""
        match shown.what:
            case "number":
                return float(Fraction(shown.name))
            case "truth":
                return float(shown.name in ("true", "yes"))
            case "piece":
                return self.codes.get(("piece", _class(shown.name)), 0)
            case "cell":
                return self.codes.get(("cell", _words(_shown_cell(shown))), 0)
            case "row" | "key":
                return self.codes.get((shown.what, shown.of, shown.name), 0)
            case "zone":
                return self.codes.get(("zone", _words((shown.name, shown.owner, "", shown.for_name))), 0)
            case _:
                return self.codes.get((shown.what, shown.name), 0)


@lru_cache(maxsize=16)
def encoding_for(ruleset: Ruleset, players: int, max_options: int) -> Encoding:
    """The encoding, made once."""
    return Encoding(ruleset, players, max_options)


def _class(piece: str) -> str:
    """Pieces that are alike have one name and a number behind it."""
    return piece.partition("#")[0]


def _seen(piece: Shown) -> str:
    return _class(piece.name) or f"unseen {piece.of}"


def _zone(zone: ZoneView) -> Name:
    return zone.name, zone.owner, zone.holder, zone.row


def _cell(zone: ZoneView, row: int, column: int) -> Name:
    return *_zone(zone), row, column


def _shown_cell(cell: Shown) -> Name:
    return cell.of, cell.owner, "", cell.for_name, cell.row, cell.column


def _variable(variable: VariableView) -> Name:
    return variable.name, variable.owner, variable.holder, variable.row


def _words(name: Name) -> str:
    return " ".join(map(str, name))
