"""What happened, in words: the events of a game as one player saw them.

Only events are told, never answers: an event happens when everybody may know of it, an answer may be secret. A piece is
named to those who saw which it was; a change that a player cannot see is not told to that player.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from interpreter import (
    Event,
    Game,
    is_open_variable,
    owner_seat,
    sees_count,
    sees_piece,
    sees_place,
    sees_variable,
    show_value,
)
from interpreter.ir.blocks import LoweredRule, RollEnd
from warlock_dsl.types import UNKNOWN, Type
from workbench.language.phrases import fill
from workbench.language.sentences import Words


def tell(game: Game, events: Sequence[Event], viewer: int, words: Words) -> list[str]:
    """Lines for a log; moves from one place to another in a row are one line."""
    teller = _Teller(game, viewer, words)
    lines: list[str] = []
    for (what, source, place), group in groupby(events, key=lambda e: (e.what, e.source, e.place)):
        found = list(group)
        if what == "move":
            lines += teller.moves(found, source, place)
        else:
            lines += [line for event in found if (line := teller.other(event))]
    return lines


class _Teller:
    def __init__(self, game: Game, viewer: int, words: Words) -> None:
        self.layout = game.machine.layout
        self.state = game.state
        self.lowered_rules = game.machine.lowered_rules
        self.viewer = viewer
        self.words = words

    # -------------------------------------------------------------------- moves

    def moves(self, events: Sequence[Event], source: int, place: int) -> list[str]:
        if not self._known(source) and not self._known(place):
            return []
        pieces = self.words.listed([self._piece(event) for event in events])
        owners = {self._owner(source), self._owner(place)} - {-1}
        if len(owners) == 1 and self._known(source) and self._known(place):
            player = self.words.seat(owners.pop())
            names = {"source": self._zone(source, False), "place": self._zone(place, False)}
            return [self.words.phrases("moved_own", player=player, pieces=pieces, **names)]
        names = {"source": self._zone(source, True), "place": self._zone(place, True)}
        return [self.words.phrases("moved", pieces=pieces, **names)]

    def _piece(self, event: Event) -> str:
        kind = self.layout.kind_names[self.layout.kind_of[event.piece]]
        if self.viewer not in event.seen:
            return self.words.unseen(kind)
        text = self.words.piece(self.layout.piece_names[event.piece])
        if event.cell >= 0 and not self.layout.slots_only(event.place):
            return self.words.phrases("piece_at", piece=text, place=self._cell(event.cell))
        return text

    def _cell(self, cell: int) -> str:
        place = self.layout.places[self.layout.cell_place[cell]]
        return self.words.cell(place.name, *self.layout.components.grids[place.grid].cells[self.layout.cell_plan[cell]])

    def _known(self, place: int) -> bool:
        """Whether the viewer may notice that something comes or goes here."""
        return sees_count(self.layout, self.state, place, self.viewer)

    def _owner(self, place: int) -> int:
        return owner_seat(self.layout, self.state, place)

    def _zone(self, place: int, owned: bool) -> str:
        if not self._known(place):
            return self.words.phrases("somewhere")
        found = self.layout.places[place]
        name = self.words.zone(found.name, by=found.by, row=found.row)
        if found.owner_kind not in ("", "player") and sees_piece(self.layout, self.state, found.owner, self.viewer):
            name = self.words.piece(self.layout.piece_names[found.owner])
        owner = self._owner(place) if owned else -1
        return self.words.phrases("place_of", zone=name, player=self.words.seat(owner)) if owner >= 0 else name

    # ------------------------------------------------------------------- others

    def other(self, event: Event) -> str:
        match event.what:
            case "swap":
                return self._swap(event)
            case "shuffle":
                known = self._known(event.place)
                return self.words.phrases("shuffled", zone=self._zone(event.place, True)) if known else ""
            case "variable":
                return self._variable(event)
            case "roll":
                return self._roll(event)
            case _:
                return ""

    def _swap(self, event: Event) -> str:
        """Two pieces changed places. They are named where both places are open to the viewer."""
        if not self._known(event.source) or not self._known(event.place):
            return ""
        ends = []
        for piece, place, cell in (
            (event.piece, event.source, event.old_cell), (event.other, event.place, event.cell)
        ):  # fmt: skip
            kind = self.layout.kind_names[self.layout.kind_of[piece]]
            named = self._open(place) and self._open(event.source) and self._open(event.place)
            text = self.words.piece(self.layout.piece_names[piece]) if named else self.words.unseen(kind)
            where = self._zone(place, True)
            if cell >= 0 and not self.layout.slots_only(place):
                where = self.words.phrases("cell_in", zone=where, cell=self._cell(cell))
            ends.append(self.words.phrases("piece_at", piece=text, place=where))
        return self.words.phrases("swapped", one=ends[0], other=ends[1])

    def _open(self, place: int) -> bool:
        """Whether the viewer can name whatever lies here."""
        return sees_place(self.layout, self.state, place, self.viewer)

    def _variable(self, event: Event) -> str:
        slot = self.layout.slots[event.variable]
        marked = slot.owner_kind not in ("", "player")
        if marked:  # whose the piece was then is not known any more: only what everybody sees is told
            known = is_open_variable(self.layout, event.variable)
        else:
            known = sees_variable(self.layout, self.state, event.variable, self.viewer)
        if not known:
            return ""
        value = self.words.shown(show_value(self.layout, self.state, event.value, slot.type, self.viewer), self.viewer)
        name = self.words.of_row(self.words.name(f"variable.{slot.name}"), slot.by, slot.row)
        if marked:
            piece = self.words.piece(self.layout.piece_names[slot.owner])
            seen = self.viewer in event.seen
            return self.words.phrases("became_marked", piece=piece, name=name, value=value) if seen else ""
        if slot.owner < 0:
            return self.words.phrases("became", name=name, value=value)
        return self.words.phrases("became_own", player=self.words.seat(slot.owner), name=name, value=value)

    def _roll(self, event: Event) -> str:
        name = event.name.rpartition(".")[2]
        kind = roll_type(self.lowered_rules, event.name)
        value = self.words.shown(show_value(self.layout, self.state, event.value, kind, self.viewer))
        template = self.words.text(f"roll.{event.name}")
        if template is not None:
            bound = dict(event.bound[self.viewer]) if 0 <= self.viewer < len(event.bound) else {}
            return fill(template, {**{key: self.words.shown(one) for key, one in bound.items()}, name: value})
        return self.words.phrases("rolled", name=name.replace("_", " "), value=value)


def roll_type(lowered_rules: Sequence[LoweredRule], name: str) -> Type:
    """The type of what a roll gave, by the rule's address and the name it was bound to."""
    ends = ((lowered.address, block.end) for lowered in lowered_rules for block in lowered.blocks)
    rolls = ((address, end.roll) for address, end in ends if isinstance(end, RollEnd))
    return next((roll.type for address, roll in rolls if f"{address}.{roll.name}" == name), UNKNOWN)
