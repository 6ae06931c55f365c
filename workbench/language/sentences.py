"""From structured labels to sentences: the catalogue of a game fills in what the machine only names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from fractions import Fraction

from attrs import evolve, frozen

from interpreter import Decision, Figures, Observation, Option, Shown, number_text
from warlock_dsl import Ruleset, by_preference, words_of
from warlock_dsl import types as t
from warlock_dsl.tables.components import ADDED, Column, Kind, Value
from workbench.language.phrases import LANGUAGES, Phrases, clean, fill, placeholders
from workbench.support.errors import UsageError

TIMES = "\u00d7"  # the sign of multiplication
NONE_LISTED = "\u2013"  # a dash


@frozen
class Whereabouts:
    """Where a piece lies: its zone, the seat that owns the zone (-1: nobody) or the piece that does, and its cell."""

    zone: str
    owner: int
    cell: tuple[int, int] | None
    holder: str = ""
    by: str = ""  # the table for each row of which there is such a zone
    row: str = ""


def cell_name(row: int, column: int) -> str:
    """A cell as people call it: columns are letters, rows are numbers."""
    letters = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return f"{letters}{row}"


def languages_of(ruleset: Ruleset) -> tuple[str, ...]:
    """The languages a game can be played in: those the workbench speaks, and those of the game's own catalogues."""
    return tuple(sorted({*LANGUAGES, *ruleset.components.names}))


def language_for(ruleset: Ruleset, wanted: str | None, default: str = "en") -> str:
    """The language asked for, or the default where none is, or where nobody speaks that."""
    known = languages_of(ruleset)
    if wanted and wanted not in known:
        raise UsageError(f"there is no language '{wanted}' for {ruleset.name}: {', '.join(known)}")
    return wanted or (default if default in known else "en")


def _inner(value: Shown, text: str) -> str:
    """What stands in a list: another list in brackets."""
    return f"({text})" if value.what == "list" else text


class Words:
    """The words of one game in one language.

    What a catalogue lacks is said in English, then in another language of the game, then by words made from its key.
    """

    def __init__(self, ruleset: Ruleset, lang: str = "en", seats: Sequence[str] = ()) -> None:
        self.components = ruleset.components
        self.lang = lang
        self.phrases = Phrases(lang)
        self.seats = tuple(clean(seat) for seat in seats)
        self._marks: Mapping[str, Mapping[str, str]] = {}
        self._figures: Figures | None = None
        self._catalogues = [self.components.names[name] for name in by_preference(self.components.names, lang)]
        self._kind_of = {piece: kind for kind in self.components.kinds.values() for piece in kind.pieces}

    def seeing(self, view: Observation, figures: Figures | None = None) -> Words:
        """The same words for somebody who sees this: a piece is told as it is now, where a game has words for that.
        `figures` knows the expressions in the texts."""
        seeing = copy(self)
        seeing._figures = figures
        marks: dict[str, dict[str, str]] = {}
        for variable in view.variables:
            if variable.holder and variable.value is not None:
                said = self.shown(variable.value)
                unseen = variable.holder not in self._kind_of  # then nothing but this tells what is said of it
                name = self.of_row(self.name(f"variable.{variable.name}"), variable.by, variable.row)
                marks.setdefault(variable.holder, {})[variable.word] = f"{name}: {said}" if unseen else said
        for zone in view.zones:
            if zone.holder:
                said = "?" if zone.count is None else str(zone.count)
                name = self.zone(zone.name, by=zone.by, row=zone.row)
                told = said if zone.holder in self._kind_of else f"{name}: {said}"
                marks.setdefault(zone.holder, {})[zone.word] = told
        seeing._marks = marks
        return seeing

    # ------------------------------------------------------------------- lookup

    def text(self, key: str) -> str | None:
        """The catalogue's entry for a key, or nothing."""
        for catalogue in self._catalogues:
            entry = catalogue.get(key)
            if entry is not None:
                return clean(entry.text)
        return None

    def name(self, key: str) -> str:
        """The catalogue's entry for a key, or its last word."""
        found = self.text(key)
        return clean(words_of(key)) if found is None else found

    def first_draft(self, key: str) -> str:
        """What a catalogue that lacks a key could begin with: the text that is said in its place."""
        found = self.text(key)
        if found is not None:
            return found
        match key.partition(".")[0]:
            case "game":
                return self.title()
            case "ask":
                return self.phrases("question", player="{me}", name=words_of(key))
            case "decline":
                return self.phrases("decline")
            case "piece" | "card":
                return "{id}"
            case _:
                return self.name(key)

    def short(self, address: str) -> str:
        """What a row or a kind is called on a board: in this language, else as the tables say; or nothing."""
        look = self.components.looks.get(address, {}).get("short", "")
        own = self.components.names.get(self.lang, {}).get(f"short.{address}")
        return clean(own.text) if own is not None else look

    def title(self) -> str:
        return self.text("game") or clean(self.components.name)

    def seat(self, number: int) -> str:
        if 0 <= number < len(self.seats):
            return self.seats[number]
        return self.phrases("seat", number=str(number + 1))

    def zone(self, name: str, owner: int = -1, by: str = "", row: str = "") -> str:
        """A zone, with the row of the table that it is for; somebody's with the name of its owner."""
        zone = self.of_row(self.name(f"zone.{name}"), by, row)
        return self.phrases("place_of", zone=zone, player=self.seat(owner)) if owner >= 0 else zone

    def of_row(self, text: str, by: str, row: str) -> str:
        """What there is for each row of a table, with the row that it is for."""
        return self.phrases("of_row", name=text, row=self.name(f"{by}.{row}")) if row else text

    # ------------------------------------------------------------------- values

    def shown(self, value: Shown, me: int = -1) -> str:
        """A label in words. What belongs to the seat `me` is not said to be somebody's."""
        match value.what:
            case "piece":
                return self.piece(value.name) if value.name else self._by_place(value, me)
            case "row" | "key":
                return self.name(f"{value.of}.{value.name}")
            case "player":
                return self.seat(value.owner)
            case "zone":
                zone = self.zone(value.name, by=value.for_row, row=value.for_name)
                whose = self._whose(value, me)
                return self.phrases("place_of", zone=zone, player=whose) if whose else zone
            case "cell":
                cell, whose = self.cell(value.of, value.row, value.column), self._whose(value, me)
                return self.phrases("cell_of", cell=cell, player=whose) if whose else cell
            case "region":
                return self.name(f"region.{value.name}")
            case "number":
                return self.phrases.number(value.name)
            case "truth":
                return self.phrases("no" if value.name == "false" else "yes")
            case "list":
                return self.listed([_inner(item, self.shown(item, me)) for item in value.items])
            case _:
                return self.phrases("nothing")

    def _whose(self, value: Shown, me: int) -> str:
        """Whose a zone or a cell is, a piece's or a player's; "" for nobody's and for one's own."""
        if value.holder is not None:
            return self.shown(value.holder, me)
        return "" if value.owner in (-1, me) else self.seat(value.owner)

    def cell(self, zone: str, row: int, column: int) -> str:
        """A cell as people call it: by the name of its row of a table, or by column and row of the picture."""
        grid = self.components.grids[self.components.zones[zone].grid]
        if not grid.table:
            return cell_name(grid.row_number(row), column)
        table = self.components.tables[grid.table]
        return self.name(f"{table.name}.{table.rows[grid.cells.index((row, column))]}")

    def listed(self, items: Sequence[str]) -> str:
        """Several in one line, the same ones counted."""
        counts = Counter(items)
        parts = [f"{count} {TIMES} {item}" if count > 1 else item for item, count in counts.items()]
        return " + ".join(parts) or self.phrases("nothing")

    def _by_place(self, value: Shown, me: int) -> str:
        """A piece that nobody here can name: the second card of somebody's hand, where that is told."""
        if not value.zone:
            return self.unseen(value.of)
        number = self.cell(value.zone, value.row, value.column) if value.row >= 0 else ""
        if value.number:
            number += f"/{value.number}" if number else str(value.number)
        zone = self.zone(value.zone, by=value.for_row, row=value.for_name)
        names = {"kind": self.name(f"kind.{value.of}"), "number": number, "zone": zone}
        whose = self._whose(value, me)
        found = self.phrases("unseen_of", player=whose, **names) if whose else self.phrases("unseen_in", **names)
        marks = self._marks.get(value.key(), {})  # what everybody sees of it
        return self.phrases("unseen_marked", piece=found, marks=", ".join(marks.values())) if marks else found

    def unseen(self, kind: str) -> str:
        return self.phrases("hidden", kind=self.name(f"kind.{kind}"))

    # ------------------------------------------------------------------- pieces

    def piece(self, name: str) -> str:
        """A piece in short, by its name in the tables; as it is now, to somebody who sees it."""
        kind = self._kind_of.get(name)
        if kind is None:
            return clean(name)
        now = self.text(f"now.{kind.name}") if name in self._marks else None
        template = now or self.text(f"piece.{kind.name}")
        return self._on_piece(template, name) if template is not None else clean(name)

    def figure_on(self, name: str) -> str:
        """The figures of a piece on the board, or nothing."""
        template = self.text(f"figure.{self._kind_of[name].name}")
        return self._on_piece(template, name) if template is not None else ""

    def _on_piece(self, template: str, name: str) -> str:
        return fill(template, self.fields(name), self._figure(lambda of, text: of.of_piece(name, text)))

    def note(self, key: str, seat: int = -1) -> str:
        """What is told beside the table or a seat; "" where its figures are hidden from the reader."""
        hidden = False

        def figure(of: Figures, text: str) -> Shown | None:
            nonlocal hidden
            found = of.of_seat(seat, text)
            hidden = hidden or found is None
            return found

        told = fill(self.text(key) or "", {"me": self.seat(seat)} if seat >= 0 else {}, self._figure(figure))
        return "" if hidden else told

    def notes(self, group: str) -> list[str]:
        """The keys of what is told beside the table or a seat, in the order in which a catalogue has them."""
        keys = (key for catalogue in self._catalogues for key in catalogue if key.startswith(f"note.{group}."))
        return list(dict.fromkeys(keys)) if "note" not in self.components.tables else []

    def _figure(self, read: Callable[[Figures, str], Shown | None]) -> Callable[[str], str]:
        """What an expression in a text says; a question mark where the reader cannot know it."""

        def said(text: str) -> str:
            found = read(self._figures, text) if self._figures is not None else None
            return "?" if found is None else self._amount(found)

        return said

    def _amount(self, value: Shown) -> str:
        """A value of an expression: of several numbers, any of them."""
        if value.what == "list" and value.items and all(item.what == "number" for item in value.items):
            return " / ".join(self.shown(item) for item in value.items)
        return self.shown(value)

    def one_of_many(self, name: str) -> str:
        """A piece of which there are many alike: in short, and without its number."""
        template = self.text(f"piece.{self._kind_of[name].name}")
        found = fill(template or "", {**self.fields(name), "number": ""})
        return " ".join(found.split()) or clean(name)

    def says_now(self, kind: str) -> frozenset[str]:
        """What the words for a piece as it is now tell of it."""
        return placeholders(self.text(f"now.{kind}") or "")

    def help(self, name: str) -> str:
        """A piece in full, by its name in the tables."""
        kind = self._kind_of.get(name)
        template = self.text(f"card.{kind.name}") if kind is not None else None
        return fill(template, self.fields(name)) if template is not None else self.piece(name)

    def fields(self, name: str) -> dict[str, str]:
        """What may stand in the label of a piece: its id, its number, its fields, what is known of it now."""
        kind = self._kind_of[name]
        found = {field: self._field(kind, column, name) for field, column in kind.fields.items()}
        if kind.table:
            face = kind.faces[kind.pieces.index(name)]
            found["face"] = self.name(f"{kind.table}.{self.components.tables[kind.table].rows[face]}")
        number = name.rpartition("#")[2] if "#" in name else str(kind.pieces.index(name) + 1)
        own = (variable for owner, variable in self.components.variables if owner == kind.name)
        hidden = dict.fromkeys(own, "?")  # what this reader may not see of it
        return {"id": clean(name), "number": number, **hidden, **self._marks.get(name, {}), **found}

    def _field(self, kind: Kind, column: Column, name: str) -> str:
        return self.value(column.values[kind.pieces.index(name)], column.type)

    def value(self, value: Value, kind: t.Type) -> str:
        """A value of the tables."""
        if isinstance(kind, t.RowType | t.KeyType) and isinstance(value, int):
            group = kind.table if isinstance(kind, t.RowType) else kind.family
            return self.name(f"{group}.{self.components.words_of(kind)[value]}")
        if isinstance(kind, t.ListType) and isinstance(value, tuple):
            between = " / " if isinstance(kind.item, t.NumberType) else "+"
            return between.join(self.value(item, kind.item or t.UNKNOWN) for item in value) or NONE_LISTED
        if isinstance(kind, t.MapType) and isinstance(value, tuple):
            return ", ".join(self.value(item, kind.value) for item in value)
        if isinstance(kind, t.RegionType) and isinstance(value, tuple):
            regions = (region for grid in self.components.grids.values() for region in grid.regions.items())
            return next((name for name, cells in regions if cells == value), "?")
        if isinstance(value, bool):
            return self.phrases("yes" if value else "no")
        if isinstance(value, Fraction):
            return self.phrases.number(number_text(value.numerator, value.denominator))
        return str(value)

    # ---------------------------------------------------------------- questions

    def ask(self, decision: Decision) -> str:
        """The question as a sentence."""
        template = self.text(f"ask.{decision.rule}.{decision.name}")
        if template is None:
            name = decision.name.replace("_", " ")
            phrase = "question_yes_no" if decision.mode == "yes_no" else "question"
            return self.phrases(phrase, player=self.seat(decision.player), name=name)
        return fill(template, self._asking(decision), self._figure(Figures.of_question))

    def heading(self, decision: Decision) -> str:
        """What the rule is called that asks, or nothing."""
        return fill(self.text(f"rule.{decision.rule}") or "", self._bound(decision))

    def option(self, decision: Decision, option: Option, lies: Mapping[str, Whereabouts] | None = None) -> str:
        """One answer as a sentence. `lies` says where pieces lie, where that has to be told."""
        place = f"{decision.rule}.{decision.name}"
        figure = self._figure(lambda of, text: of.of_option(decision.options.index(option), text))
        value = self._placed(option.value, decision.player, lies or {})
        match option.what:
            case "stop":
                template, bound = self.text(f"stop.{place}"), self._asking(decision)
                if template is None:
                    return self.phrases("stop", items=self._picked(decision))
            case "decline":
                template, bound = self.text(f"decline.{place}"), self._bound(decision)
                figure = self._figure(Figures.of_question)
                if template is None:
                    return self.phrases("no" if decision.mode == "yes_no" else "decline")
            case "add":
                template, bound = self.text(f"add.{place}"), {**self._bound(decision), ADDED: value}
                if template is None:
                    return self.phrases("add", item=value)
            case _:
                template, bound = self.text(f"choose.{place}"), {**self._bound(decision), decision.name: value}
                if template is None:
                    return value
        return fill(template, bound, figure)

    def _picked(self, decision: Decision) -> str:
        return self.listed([self.shown(piece, decision.player) for piece in decision.partial])

    def _asking(self, decision: Decision) -> dict[str, str]:
        """What may stand in a question: of a set also what has been picked of it."""
        picked = {decision.name: self._picked(decision)} if decision.mode in ("set", "step") else {}
        return {**self._bound(decision), **picked}

    def options(self, decision: Decision, view: Observation) -> list[str]:
        """Every answer as a sentence. Pieces that lie in cells, or in different zones, are told with their place."""
        lies = whereabouts(view)
        named = {piece for option in decision.options for piece in named_pieces(option.value)}
        on_grid = {piece for piece in named if piece in lies and self._cells_matter(lies[piece])}
        zones = {(lies[piece].zone, lies[piece].owner, lies[piece].holder) for piece in named if piece in lies}
        told = lies if len(zones) > 1 else {piece: lies[piece] for piece in on_grid}
        if len({zone for zone, _, _ in zones}) == 1 and not on_grid:  # the same zone of several: whose is all there is
            told = {piece: evolve(place, zone="") for piece, place in told.items() if place.owner >= 0 or place.holder}
        sentences = [self.option(decision, option, told) for option in decision.options]
        count = Counter(sentences)
        for number, option in enumerate(decision.options):
            ids = [clean(piece) for piece in named_pieces(option.value)]
            if ids and count[sentences[number]] > 1:  # alike in words but not in the rules: the ids tell them apart
                sentences[number] += f" [{', '.join(ids)}]"
        return sentences

    def _cells_matter(self, place: Whereabouts) -> bool:
        grid = self.components.zones[place.zone].grid
        return bool(grid) and not self.components.grids[grid].slots

    def _placed(self, value: Shown, me: int, lies: Mapping[str, Whereabouts]) -> str:
        if value.what == "list":
            return self.listed([_inner(item, self._placed(item, me, lies)) for item in value.items])
        text = self.shown(value, me)
        place = lies.get(value.name) if value.what == "piece" else None
        return self.phrases("piece_at", piece=text, place=self.place(place, me)) if place is not None else text

    def place(self, place: Whereabouts, me: int = -1) -> str:
        """Where a piece lies, in words: the cell of one's own grid, else the zone and whose it is."""
        if place.holder:
            return self.piece(place.holder)
        if not place.zone:
            return self.seat(place.owner)
        zone = self.zone(place.zone, -1 if place.owner == me else place.owner, place.by, place.row)
        if place.cell is None or not self._cells_matter(place):
            return zone
        cell = self.cell(place.zone, *place.cell)
        return cell if place.owner == me else self.phrases("cell_in", zone=zone, cell=cell)

    def _bound(self, decision: Decision) -> dict[str, str]:
        found = {"me": self.seat(decision.player)}
        found.update((name, self.shown(value, decision.player)) for name, value in decision.bound)
        return found


def whereabouts(view: Observation) -> dict[str, Whereabouts]:
    """Where the pieces lie that an observer can name."""
    found: dict[str, Whereabouts] = {}
    for zone in view.zones:
        spots = ((row, column) for row, column, _ in zone.cells)
        cells = {index: spot for spot, lying in zip(spots, zone.lying(), strict=True) for index in lying}
        for index, piece in enumerate(zone.pieces):
            if piece.name:
                lies = (zone.name, zone.owner, cells.get(index), zone.holder, zone.by, zone.row)
                found[piece.name] = Whereabouts(*lies)
    return found


def named_pieces(value: Shown) -> list[str]:
    """The pieces a label names."""
    if value.what == "list":
        return [piece for item in value.items for piece in named_pieces(item)]
    return [value.name] if value.what == "piece" and value.name else []
