"""Reads what lies where: the zones and the grid pictures of a scenario, given or expected."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from warlock_dsl.diagnostics import Span
from warlock_dsl.faults import quoted
from warlock_dsl.toml_places import Path
from workbench.scenario_model import Filling, Word
from workbench.scenario_names import Names
from workbench.scenario_shapes import MOST_WORDS


def read_fillings(names: Names, zones: Mapping[str, Any], grids: Mapping[str, Any], path: Path) -> tuple[Filling, ...]:
    """Every place that is mentioned, with its pieces; each place and each named piece once."""
    reader = _Reader(names, path)
    found = [reader.zone(name, given) for name, given in zones.items()]
    found += [reader.grid(name, given) for name, given in grids.items()]
    fillings = tuple(filling for filling in found if filling is not None)
    reader.each_once(fillings)
    return fillings


def read_zone(names: Names, name: str, value: Any, path: Path) -> Filling | None:
    """The pieces of one zone, in any order; `path` is where they stand."""
    return _Reader(names, path).pieces(name, value, path)


class _Reader:
    def __init__(self, names: Names, path: Path) -> None:
        self.names = names
        self.faults = names.faults
        self.layout = names.layout
        self.path = path

    def zone(self, name: str, value: Any) -> Filling | None:
        return self.pieces(name, value, (*self.path, "zones", name))

    def pieces(self, name: str, value: Any, path: Path) -> Filling | None:
        place = self.names.place(name, self.names.shaper.places.key(path))
        texts = self.names.shaper.texts(value, path)
        if place is None or texts is None:
            return None
        if len(texts) > MOST_WORDS:
            self.faults.add("W505", f"at most {MOST_WORDS:,} words are read", self.names.of(path))
            return None
        found = [self.names.piece(text, self.names.of((*path, n))) for n, text in enumerate(texts)]
        pieces = tuple(word for word in found if word is not None and self.names.may_lie(word, place))
        return Filling(place, pieces, (-1,) * len(pieces), self.names.of(path))

    def grid(self, name: str, value: Any) -> Filling | None:
        """A picture: one text a row, one word a cell, a dot for a free one."""
        path = (*self.path, "grids", name)
        place = self.names.place(name, self.names.shaper.places.key(path))
        rows = self.names.shaper.texts(value, path)
        if place is None or rows is None:
            return None
        found = self.layout.places[place]
        if not found.grid:
            self.faults.add("W513", f"{quoted(name)} has no cells", self.names.of(path), hint="fill it under zones")
            return None
        grid = self.layout.components.grids[found.grid]
        if len(rows) != grid.height:
            text = f"this picture has {len(rows)} rows, the grid has {grid.height}"
            self.faults.add("W513", text, self.names.of(path))
            return None
        plan = {spot: number for number, spot in enumerate(grid.cells)}
        pieces: list[Word] = []
        cells: list[int] = []
        for row, text in enumerate(rows):
            span = self.names.of((*path, row))
            row_words = text.split()
            if len(row_words) != grid.width:
                message = f"this row has {len(row_words)} cells, the grid has {grid.width}"
                self.faults.add("W513", message, span, hint="one word a cell, a dot for a free one")
                continue
            for column, text_of_cell in enumerate(row_words):
                word = self.cell(text_of_cell, (row, column) in plan, span) if text_of_cell != "." else None
                if word is not None and self.names.may_lie(word, place):
                    pieces.append(word)
                    cells.append(found.first_cell + plan[row, column])
        return Filling(place, tuple(pieces), tuple(cells), self.names.of(path))

    def cell(self, text: str, there: bool, span: Span) -> Word | None:
        if not there:
            self.faults.add("W513", f"there is no cell for {quoted(text)}", span, hint="write a dot")
            return None
        word = self.names.piece(text, span)
        if word is not None and word.count != 1:
            self.faults.add("W513", "a cell holds one piece", span)
            return None
        return word

    def each_once(self, fillings: tuple[Filling, ...]) -> None:
        places: set[int] = set()
        pieces: set[str] = set()
        for filling in fillings:
            if filling.place in places:
                name = self.names.vocabulary.place_name(filling.place)
                self.faults.add("W523", f"{quoted(name)} is filled twice", filling.span)
            places.add(filling.place)
            for word in filling.pieces:
                if word.text in pieces:
                    self.faults.add("W511", f"{quoted(word.text)} lies in two places", word.span)
                if word.text in self.layout.piece_number:
                    pieces.add(word.text)
