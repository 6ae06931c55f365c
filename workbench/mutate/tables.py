"""Mutants of the tables: a figure one too high or too low, a setting turned, a word that should be its neighbour."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from warlock_dsl import is_catalogue
from warlock_dsl.tables.components import Column, Components
from warlock_dsl.tables.toml_spans import Inexact, Path, read_toml
from warlock_dsl.types import ListType, RegionType, RowType, Type
from workbench.mutate.mutants import Collector, Mutant, Source
from workbench.mutate.rules import after, off_by_one

SHAPES = {"hex": "square", "square": "hex"}
SEES = {"all": "none", "owner": "all", "others": "all", "none": "all", "top": "all"}
LONG = 12  # rows from which on a table gives the mutants of each value once, not of each row
BEYOND = {"last": "zero", "zero": "last"}


def table_mutants(components: Components, sources: Mapping[str, Source]) -> Iterator[Mutant]:
    """The mutants of the tables and of the files of pieces."""
    for source in sources.values():
        if source.file.endswith(".toml") and not is_catalogue(source.file):
            yield from _Document(source, components).mutants()
    for table in components.tables.values():
        for column in table.columns.values():
            yield from _column(table.name, table.rows, column, components, sources)
    for kind in components.kinds.values():
        for column in kind.fields.values():
            yield from _column(kind.name, kind.pieces, column, components, sources)


# --------------------------------------------------------------------- columns


def _column(
    owner: str, rows: tuple[str, ...], column: Column, components: Components, sources: Mapping[str, Source]
) -> Iterator[Mutant]:
    """A column. Of a long one each value that occurs in it is changed once, where it first stands."""
    seen: set[object] = set()
    for row, span in zip(rows, column.spans, strict=True):
        source = sources.get(span.file)
        if source is None:
            continue
        text = source.read(span)
        key: object = text if len(rows) > LONG else span  # pieces of one count share one value
        if key in seen:
            continue
        seen.add(key)
        collector = Collector(source, f"{owner}.{row}.{column.name}", source.offsets(span))
        for operator, now in _other_texts(text, column.type, components):
            collector.change(operator, span, now)
        yield from collector.found.values()


def _other_texts(text: str, kind: Type, components: Components) -> Iterator[tuple[str, str]]:
    """What could stand in place of a value as it is written: quoted in TOML, bare in CSV, a list of words there."""
    if text.startswith(("[", "{")):
        return  # a list of a TOML table is taken apart by its document
    quote = text[:1] if text[:1] in ("'", '"') else ""
    words = text.strip(quote).split() if quote else text.split()
    item = kind.item if isinstance(kind, ListType) and kind.item is not None else kind
    if words:
        for operator, other in _other_words(words[0], item, components):
            yield operator, quote + " ".join([other, *words[1:]]) + quote
    if isinstance(kind, ListType) and words:
        yield "left-out", quote + " ".join(words[:-1]) + quote


def _other_words(word: str, kind: Type, components: Components) -> Iterator[tuple[str, str]]:
    if word in ("true", "false"):
        yield "flipped", "false" if word == "true" else "true"
    elif word.replace(".", "", 1).isdecimal():
        yield from (("number", other) for other in off_by_one(Fraction(word)))
    elif word in (words := components.words_of(kind)):
        yield "row", after(list(words), word)
    elif isinstance(kind, RegionType):
        for grid in components.grids.values():
            if word in grid.regions:
                yield "region", after(list(grid.regions), word)
                return


# ------------------------------------------------------------------- documents


class _Document:
    """One TOML file: figures, settings, series, counts, dice, matrices, zones, grids."""

    def __init__(self, source: Source, components: Components) -> None:
        self.source = source
        self.components = components
        document, self.places, _ = read_toml(source.text, source.file)
        self.document: Mapping[str, Any] = document or {}

    def mutants(self) -> Iterator[Mutant]:
        for section, read in (
            ("figure", self.figures), ("series", self.series), ("kind", self.kinds), ("die", self.dice),
            ("matrix", self.matrices), ("zone", self.zones), ("grid", self.grids), ("variable", self.variables),
        ):  # fmt: skip
            found = self.document.get(section)
            if isinstance(found, dict):
                yield from read(found, (section,))
        yield from self.overlay()

    def scalar(self, path: Path, value: Any, address: str, kind: Type | None = None) -> Iterator[Mutant]:
        """The mutants of one value; of a list, those of each of its items, and the list without its last."""
        if isinstance(value, dict):
            if "is" in value and "idle" not in value:
                yield from self.scalar((*path, "is"), value["is"], address, kind)
            return
        if isinstance(value, list):
            for place, item in enumerate(value):
                yield from self.scalar((*path, place), item, f"{address}.{place}", kind)
            return
        yield from self.at(path, address, self.others(value, kind))

    def others(self, value: Any, kind: Type | None) -> Iterator[tuple[str, str]]:
        if isinstance(value, bool):
            yield "flipped", "false" if value else "true"
        elif isinstance(value, int | Fraction) and not isinstance(value, Inexact):
            yield from (("number", other) for other in off_by_one(Fraction(value)))
        elif isinstance(value, str):
            words = () if kind is None else self.components.words_of(kind)
            if value in words:
                yield "row", f'"{after(list(words), value)}"'

    def at(self, path: Path, address: str, others: Iterator[tuple[str, str]]) -> Iterator[Mutant]:
        span = self.places.values.get(path)
        if span is None:
            return
        collector = Collector(self.source, address, self.source.offsets(span))
        for operator, now in others:
            collector.change(operator, span, now)
        yield from collector.found.values()

    # ---------------------------------------------------------------- sections

    def figures(self, section: Mapping[str, Any], path: Path) -> Iterator[Mutant]:
        for group, names in section.items():
            for name, value in names.items() if isinstance(names, dict) else ():
                figure = self.components.figures.get((group, name))
                kind = figure.type if figure is not None else None
                yield from self.scalar((*path, group, name), value, f"{group}.{name}", kind)

    def series(self, section: Mapping[str, Any], path: Path) -> Iterator[Mutant]:
        for name, series in section.items():
            if isinstance(series, dict):
                yield from self.scalar((*path, name, "is"), series.get("is"), name)
                yield from self.scalar((*path, name, "from"), series.get("from"), f"{name}.from")
                yield from self.turned((*path, name, "beyond"), series.get("beyond"), f"{name}.beyond", BEYOND)

    def kinds(self, section: Mapping[str, Any], path: Path) -> Iterator[Mutant]:
        for name, kind in section.items():
            if isinstance(kind, dict):
                yield from self.scalar((*path, name, "count"), kind.get("count"), f"kind.{name}.count")

    def dice(self, section: Mapping[str, Any], path: Path) -> Iterator[Mutant]:
        for name, die in section.items():
            for face, count in die.get("faces", {}).items() if isinstance(die, dict) else ():
                yield from self.scalar((*path, name, "faces", face), count, f"die.{name}.{face}")

    def matrices(self, section: Mapping[str, Any], path: Path) -> Iterator[Mutant]:
        for name in section:
            matrix = self.components.matrices.get(name)
            if matrix is None:
                continue
            kind = RowType(matrix.of) if matrix.of in self.components.tables else None
            for row, cells in section[name].get("cells", {}).items():
                seen: set[object] = set()
                for column, value in cells.items() if isinstance(cells, dict) else ():
                    plain = value.get("is") if isinstance(value, dict) else value
                    if plain in seen and len(self.components.tables[matrix.columns].rows) > LONG:
                        continue
                    seen.add(plain)
                    where = (*path, name, "cells", row, column)
                    yield from self.scalar(where, value, f"{name}.{row}.{column}", kind)

    def zones(self, section: Mapping[str, Any], path: Path) -> Iterator[Mutant]:
        """Who sees what lies there."""
        for name, zone in section.items():
            if isinstance(zone, dict):
                owned = "each" in zone
                sees = SEES | {"all": "owner"} if owned else SEES
                yield from self.turned((*path, name, "sees"), zone.get("sees"), f"zone.{name}.sees", sees)

    def variables(self, section: Mapping[str, Any], path: Path) -> Iterator[Mutant]:
        for owner, names in section.items():
            for name, variable in names.items() if isinstance(names, dict) else ():
                if isinstance(variable, dict):
                    first, at = variable.get("first"), f"variable.{owner}.{name}.first"
                    declared = self.components.variables.get(("" if owner == "game" else owner, name))
                    type_ = declared.type if declared is not None else None
                    rows = first.items() if isinstance(first, dict) else ()  # a first value for each row
                    for row, value in rows:
                        yield from self.scalar((*path, owner, name, "first", row), value, f"{at}.{row}", type_)
                    yield from self.scalar((*path, owner, name, "first"), first, at, type_)

    def grids(self, section: Mapping[str, Any], path: Path) -> Iterator[Mutant]:
        """A cell that belongs to the region beside it: each letter once, where it first stands."""
        for name, grid in section.items():
            if not isinstance(grid, dict):
                continue
            yield from self.turned((*path, name, "shape"), grid.get("shape"), f"grid.{name}.shape", SHAPES)
            yield from self.scalar((*path, name, "stacks"), grid.get("stacks"), f"grid.{name}.stacks")
            yield from self.scalar((*path, name, "one_way"), grid.get("one_way"), f"grid.{name}.one_way")
            rows: list[str] = grid.get("cells", []) if isinstance(grid.get("cells"), list) else []
            letters = sorted({letter for row in rows for letter in row if letter != " "})
            for letter in letters if len(letters) > 1 else ():
                place = next(number for number, row in enumerate(rows) if letter in row)
                other = after(letters, letter)
                changed = rows[place].replace(letter, other, 1)
                others = iter([("cell", f'"{changed}"')])
                yield from self.at((*path, name, "cells", place), f"grid.{name}.{place}", others)

    def turned(self, path: Path, value: Any, address: str, into: Mapping[str, str]) -> Iterator[Mutant]:
        if isinstance(value, str) and value in into:
            yield from self.at(path, address, iter([("turned", f'"{into[value]}"')]))

    def overlay(self) -> Iterator[Mutant]:
        """What an overlay puts into the tables, and the values its parameters have if nobody gives any."""
        for verb in ("change", "add"):
            edits = self.document.get(verb)
            for place, edit in enumerate(edits) if isinstance(edits, list) else ():
                if isinstance(edit, dict):
                    now = edit.get("now")
                    words = SEES if isinstance(now, str) else {}
                    path: Path = (verb, place, "now")
                    yield from self.scalar(path, now, str(edit.get("at")))
                    yield from self.turned(path, now, str(edit.get("at")), words)
        head = self.document.get("overlay")
        parameters = head.get("parameters") if isinstance(head, dict) else None
        for name, value in parameters.items() if isinstance(parameters, dict) else ():
            yield from self.scalar(("overlay", "parameters", name), value, f"overlay.{name}")
