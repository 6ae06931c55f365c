"""What happened, in words: the events of a game as one player noticed them.

An event is told when everybody may know of it: an answer in secret once all have answered. A piece is named to those
who saw which it was; what a player could not notice is not told to that player.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

from interpreter import Event, Heard, Shown, for_seat, heard
from workbench.language.phrases import fill, has_plain_names
from workbench.language.sentences import Words


def tell(events: Sequence[Event], viewer: int, words: Words) -> list[str]:
    """Lines for a log; moves from one place to another in a row are one line, and so are pieces shown at once."""
    teller = _Teller(viewer, words)
    lines: list[str] = []
    noticed = [(event, one) for event in events if (one := heard(event, viewer)) is not None]
    for (what, *_), group in groupby(noticed, key=_kind_of_line):
        pairs = list(group)
        if what in ("move", "show"):
            lines.append(teller.together(what, [dict(one.values) for _, one in pairs]))
        else:
            lines += [line for event, one in pairs if (line := teller.other(event, one))]
    return lines


def _kind_of_line(pair: tuple[Event, Heard]) -> tuple[object, ...]:
    """What is told in one line: pieces that are dealt from one place to the same zone of several, or shown."""
    event, one = pair
    values = dict(one.values)
    if event.what != "move":
        return event.what, event.source, event.place, event.to
    source, place = values["source"], values["place"]
    dealt = place.what == "zone" and place.owner >= 0 and source.what == "zone" and source.owner < 0
    return event.what, event.source, (place.name, place.for_name, place.holder) if dealt else event.place


class _Teller:
    def __init__(self, viewer: int, words: Words) -> None:
        self.viewer = viewer
        self.words = words

    # ------------------------------------------------------------------- pieces

    def together(self, what: str, events: Sequence[Mapping[str, Shown]]) -> str:
        """Pieces that moved from one place to another, or were shown to the same players."""
        pieces = self.words.listed([self._piece(values) for values in events])
        first = events[0]
        if what == "show":
            return self.words.phrases("shown", players=self._said(first["to"]), pieces=pieces)
        source, place = first["source"], first["place"]
        takers = dict.fromkeys(values["place"].owner for values in events)
        if len(takers) > 1:
            dealt = [
                self.words.phrases(
                    "dealt_to",
                    player=self.words.seat(taker),
                    pieces=self.words.listed([self._piece(one) for one in events if one["place"].owner == taker]),
                )
                for taker in takers
            ]
            names = {"source": self._zone(source, True), "place": self._zone(place, False)}
            return self.words.phrases("moved", pieces="; ".join(dealt), **names)
        owners = {source.owner, place.owner} - {-1}
        if len(owners) == 1 and source.what == place.what == "zone":
            names = {"source": self._zone(source, False), "place": self._zone(place, False)}
            return self.words.phrases("moved_own", player=self.words.seat(owners.pop()), pieces=pieces, **names)
        names = {"source": self._zone(source, True), "place": self._zone(place, True)}
        return self.words.phrases("moved", pieces=pieces, **names)

    def _piece(self, values: Mapping[str, Shown]) -> str:
        piece, cell = values["piece"], values.get("cell")
        text = self._said(piece)
        if piece.name and cell is not None and self._matters(cell):
            return self.words.phrases("piece_at", piece=text, place=self.words.cell(cell.of, cell.row, cell.column))
        return text

    def _matters(self, cell: Shown) -> bool:
        grid = self.words.components.grids[self.words.components.zones[cell.of].grid]
        return not grid.slots

    def _zone(self, zone: Shown, owned: bool) -> str:
        if zone.what != "zone":
            return self.words.phrases("somewhere")
        name = self.words.zone(zone.name, by=zone.for_row, row=zone.for_name)
        if zone.holder is not None and zone.holder.name:
            name = self.words.piece(zone.holder.name)
        if not owned or zone.owner < 0:
            return name
        return self.words.phrases("place_of", zone=name, player=self.words.seat(zone.owner))

    def _said(self, value: Shown) -> str:
        return self.words.shown(value, self.viewer)

    # ------------------------------------------------------------------- others

    def other(self, event: Event, one: Heard) -> str:
        values = dict(one.values)
        match one.what:
            case "swap":
                return self._swap(values)
            case "shuffle":
                return self.words.phrases("shuffled", zone=self._zone(values["place"], True))
            case "variable":
                return self._variable(one, values)
            case "roll":
                return self._roll(event, one)
            case "answer":
                return self._answer(event, one)
            case "say":
                return self._say(one, values)
            case _:
                return ""

    def _swap(self, values: Mapping[str, Shown]) -> str:
        """Two pieces changed places."""
        ends = []
        for piece, zone, cell in (("piece", "source", "old_cell"), ("other", "place", "cell")):
            where, spot = self._zone(values[zone], True), values.get(cell)
            if spot is not None and self._matters(spot):
                where = self.words.phrases("cell_in", zone=where, cell=self.words.cell(spot.of, spot.row, spot.column))
            ends.append(self.words.phrases("piece_at", piece=self._said(values[piece]), place=where))
        return self.words.phrases("swapped", one=ends[0], other=ends[1])

    def _variable(self, one: Heard, values: Mapping[str, Shown]) -> str:
        name, value, row = self.words.name(f"variable.{one.name}"), self._said(values["value"]), values.get("row")
        name = name if row is None else self.words.of_row(name, row.of, row.name)
        if "piece" in values:
            return self.words.phrases("became_marked", piece=self._said(values["piece"]), name=name, value=value)
        if one.who < 0:
            return self.words.phrases("became", name=name, value=value)
        return self.words.phrases("became_own", player=self.words.seat(one.who), name=name, value=value)

    def _roll(self, event: Event, one: Heard) -> str:
        (name, shown), *_ = one.values
        template = self.words.text(f"roll.{one.name}")
        if template is not None:
            return fill(template, self._names(event, {name: self.words.shown(shown)}))
        return self.words.phrases("rolled", name=name.replace("_", " "), value=self.words.shown(shown))

    def _answer(self, event: Event, one: Heard) -> str:
        """What somebody else chose: by a text of its own, or as the option said it."""
        if one.who == self.viewer:
            return ""
        (name, shown), *_ = one.values
        declined = shown.what == "none"
        value, cell = self._said(shown), dict(one.values).get("at")
        if cell is not None and self._matters(cell):
            value = self.words.phrases("piece_at", piece=value, place=self._said(cell))
        template = None if declined else self.words.text(f"answer.{one.name}")
        if template is not None:
            return fill(template, self._names(event, {"me": self.words.seat(one.who), name: value}))
        option = self.words.text(f"{'decline' if declined else 'choose'}.{one.name}")
        if option is not None and has_plain_names(option):
            said = fill(option, self._names(event, {name: value}))
        else:
            said = self.words.phrases("decline") if declined else f"{name.replace('_', ' ')}: {value}"
        return self.words.phrases("answered", player=self.words.seat(one.who), answer=said)

    def _say(self, one: Heard, values: Mapping[str, Shown]) -> str:
        said = {name: self._said(value) for name, value in values.items()}
        template = self.words.text(f"say.{one.name}")
        if template is not None:
            return fill(template, said)
        parts = [f"{name.replace('_', ' ')}: {value}" for name, value in said.items() if name != "me"]
        text = ", ".join([one.name.rpartition(".")[2].replace("_", " "), *parts])
        return self.words.phrases("said", player=self.words.seat(one.who), text=text)

    def _names(self, event: Event, own: Mapping[str, str]) -> dict[str, str]:
        """What may stand in a text of a rule: what its names meant to the viewer."""
        return {**{name: self.words.shown(value) for name, value in for_seat(event.bound, self.viewer) or ()}, **own}
