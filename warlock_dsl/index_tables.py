"""Where tables, files of pieces, overlays and catalogues name something: by the path of a key, or by its meaning."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from warlock_dsl.diagnostics.diagnostic import Span
from warlock_dsl.index_texts import OF_A_RULE
from warlock_dsl.overlay.addresses import SPEAKING
from warlock_dsl.symbols import Place, Symbol, Symbols
from warlock_dsl.syntax.keywords import MARKS
from warlock_dsl.tables.merge import is_catalogue
from warlock_dsl.tables.schema import SECTIONS as SHAPES
from warlock_dsl.tables.toml_spans import Path, Places, read_toml
from warlock_dsl.types import ListType, MapType, RowType, Type

WORD = re.compile(r"[a-z_][a-z0-9_]*")
DOTTED = re.compile(r"[a-z_][a-z0-9_]*(?:\.[a-z_][a-z0-9_]*)*")
HEADING = re.compile(r"\[([\w.-]+)\]\s*(?:#.*)?$")
TEXTS = frozenset(
    {"says", "question", "options", "takes", "because", "editions", "title", "about", "idle", "at", "colour", "short"}
)
SECTIONS = frozenset({"zone", "kind", "variable", "score", "region", "rule", "piece", "card", "now", "figure", "table"})
DECLARATIONS = ("replace", "drop", "before")  # of an overlay: declarations of the rules by their address
REMOVED = "removed"  # the sort of a symbol that an overlay takes away
SORTS = ("rule", "define", "score", "invariant", "sometimes", "share", "relation")
NAMING_FIELDS = ("by", "of", "column", "copies", "called")
# What the values of some keys are, wherever they stand; the first sort that has the name.
MEANT: Mapping[str, tuple[str, ...]] = {
    "holds": ("kind",),
    "start": ("kind",),
    "each": ("kind", "table"),
    "rows": ("table",),
    "columns": ("table",),
    "of": ("table",),
    "grid": ("grid",),
    "lasts": ("rule",),
    "type": ("table", "rule", "kind"),
    "hidden_by": ("variable",),
    "sees": ("variable",),
    "cells": ("table",),
    "copies": ("column",),
}


def table_places(sources: Mapping[str, str], symbols: Symbols) -> Iterator[Place]:
    """The places of names in every text that is no `.warlock` file."""
    for file, text in sources.items():
        if file.endswith(".toml"):
            tree, places, errors = read_toml(text, file)
            if tree is not None and not errors:
                finder = _Tables(symbols, places, text.split("\n"))
                yield from finder.catalogue() if is_catalogue(file) else finder.document(tree)
        elif file.endswith(".csv"):
            yield from _csv_places(file, text, symbols)


class _Tables:
    """The names in one TOML document."""

    def __init__(self, symbols: Symbols, places: Places, lines: list[str]) -> None:
        self.symbols, self.places, self.lines = symbols, places, lines

    def document(self, tree: Mapping[str, object]) -> Iterator[Place]:
        overlay = "overlay" in tree
        for path, span in self.places.keys.items():
            if not overlay or path[0] not in ("overlay", "change", "add", "remove", *DECLARATIONS):
                yield from self.key(path, span)
            elif {"now", "was", "where"} & {*path[:-1]}:
                yield from self.word(path[-1], span, ())
            elif len(path) == 2 and path[0] in DECLARATIONS:
                yield from self.declaration(str(path[1]), span)
        for path, span in self.headings():
            yield from self.key(path, span)
        for path, span in self.places.values.items():
            text = self.text(span)
            if text is not None and overlay and path[0] in DECLARATIONS:
                yield from self.declaration(text, span) if path[0] == "before" else ()
            elif text is not None and overlay and path[-1] == "at" and len(path) == 3:
                yield from self.target(text, span, path[0])
            elif text is not None:
                yield from self.value(path, span, text, overlay)

    def text(self, span: Span) -> str | None:
        """The text at a place, if it is one in quotes on one line without escapes."""
        if span.line != span.end_line:
            return None
        raw = self.lines[span.line - 1][span.column - 1 : span.end_column - 1]
        return raw[1:-1] if len(raw) > 1 and raw[0] == raw[-1] and raw[0] in "\"'" and "\\" not in raw else None

    def headings(self) -> Iterator[tuple[Path, Span]]:
        """Every part of every heading: a table may be opened several times, and has one place for each path."""
        for number, line in enumerate(self.lines, start=1):
            heading = HEADING.match(line)
            if heading is None:
                continue
            path: Path = ()
            for part in re.finditer(r"[\w-]+", heading[1]):
                path = (*path, part.group())
                at = heading.start(1) + part.start() + 1
                yield path, Span(self.places.file, number, at, number, at + len(part.group()))

    # ------------------------------------------------------------ keys

    def key(self, path: Path, span: Span) -> Iterator[Place]:
        match path:
            case ("table" | "kind" | "grid" | "series" | "matrix" | "die" as what, str() as name):
                yield from self.put(span, (what, name), True)
            case ("table", str() as table, "columns", str() as name):
                yield from self.put(span, ("column", table, name), True)
            case ("table", str() as table, "rows", str() as name):
                yield from self.put(span, ("row", table, name), True)
            case ("table", str() as table, "rows", str(), str() as name) if name in self.symbols.columns.get(table, ()):
                yield from self.put(span, ("column", table, name))
            case ("kind", str() as kind, "fields", str() as name):
                yield from self.put(span, ("field", kind, name), True)
            case ("kind", str() as kind, "values", str() as name):
                yield from self.put(span, ("field", kind, name))
            case ("grid", str() as grid, "regions", str() as name):
                yield from self.put(span, ("region", grid, name), True)
            case ("zone", str() as names):
                for part in WORD.finditer(names):
                    yield from self.put(self.inside(span, part, names), ("zone", part.group()), True)
            case ("variable", str() as owner):
                yield from self.word(owner, span, ("kind",))
            case ("variable", str() as owner, str() as name):
                yield from self.put(span, ("variable", "" if owner == "game" else owner, name), True)
            case ("variable", _, _, "first", str() as name) | ("die", _, "faces", str() as name):
                yield from self.word(name, span, ("row",))
            case ("matrix", _, "cells", str() as name) | ("matrix", _, "cells", _, str() as name):
                yield from self.word(name, span, ("row",))
            case ("figure", str() as group):
                yield from self.put(span, ("group", group), True)
            case ("figure", str() as group, str() as name):
                yield from self.put(span, ("figure", group, name), True)
            case ("look", str() as address):
                yield from self.addresses(address, span)
            case ("ledger" | "ruling" | "difference" as what, str() as name):
                yield from self.put(span, (what, name), True)
            case _:
                return

    def inside(self, span: Span, part: re.Match[str], text: str) -> Span:
        """The place of a part of a key or a text, which may be in quotes."""
        start = span.column + (span.end_column - span.column - len(text)) // 2 + part.start()
        return Span(span.file, span.line, start, span.line, start + len(part.group()))

    def put(self, span: Span, symbol: Symbol | None, defines: bool = False) -> Iterator[Place]:
        if symbol is None or span.line != span.end_line:
            return
        length = span.end_column - span.column
        if length == len(symbol[-1]) + 2:  # in quotes
            span = Span(span.file, span.line, span.column + 1, span.line, span.end_column - 1)
        elif length != len(symbol[-1]):
            return
        known = self.symbols.canonical(symbol)
        apart = symbol[0] in ("ledger", "ruling", "difference", "member")
        if apart or known in self.symbols.by_name.get(symbol[-1], ()):
            yield Place(span, known, defines)

    def word(self, name: str | int, span: Span, whats: tuple[str, ...]) -> Iterator[Place]:
        if isinstance(name, str):
            yield from self.put(span, self.symbols.only(name, *whats))

    # ------------------------------------------------------------ values

    def value(self, path: Path, span: Span, text: str, overlay: bool) -> Iterator[Place]:
        names = [part for part in path if isinstance(part, str)]
        last = names[-1] if names else ""
        if last in (*MARKS, "ruling", "differences", "rules", "carried", "cites"):
            yield from (Place(at, symbol) for at, symbol in self.symbols.cited(text, span))
        elif overlay and last in ("before", "of"):
            yield from self.addresses(text, span)
        elif last in TEXTS or (names and names[0] in SPEAKING):
            return
        elif names[:1] == ["total"]:
            yield from self.addresses(text, span)
        else:
            yield from self.plain(path, names, last, span, text)

    def plain(self, path: Path, names: list[str], last: str, span: Span, text: str) -> Iterator[Place]:
        defined = self.words_of(path)
        if defined is not None:
            yield from self.put(span, ("row", defined, text), True)
            return
        type_ = self.cell_type(names)
        owner = names[1].removeprefix("kind.") if names[0] in ("kind", "look") and len(names) > 2 else ""
        for part in WORD.finditer(text):
            at = self.inside(span, part, text)
            table = _table(type_)
            if last in NAMING_FIELDS and part.group() in self.symbols.fields.get(owner, ()):
                yield from self.put(at, ("field", owner, part.group()))
            elif table and part.group() in self.symbols.rows.get(table, ()):
                yield from self.put(at, ("row", table, part.group()))
            elif last in MEANT or (len(names) > 3 and names[-2] in ("columns", "fields")):
                symbol = self.symbols.first(part.group(), *MEANT.get(last, MEANT["type"]))
                yield from self.put(at, symbol)
            elif len(names) == 3 and names[0] == "variable":
                yield from self.put(at, self.symbols.first(part.group(), *MEANT["type"]))
            else:
                yield from self.word(part.group(), at, ())

    def words_of(self, path: Path) -> str | None:
        """The table that a list of words declares."""
        match path:
            case ("table", str() as table, "rows", int()):
                return table
            case ("variable", _, str() as name, "type", int()) | ("variable", _, str() as name, int()):
                return name
            case ("matrix", str() as name, "of", int()):
                return name
            case _:
                return None

    def cell_type(self, names: list[str]) -> Type | None:
        """The type of a cell, or of a value of a kind."""
        if len(names) > 4 and names[0] == "table" and names[2] == "rows":
            return self.symbols.columns.get(names[1], {}).get(names[4])
        if len(names) > 3 and names[0] == "kind" and names[2] == "values":
            return self.symbols.fields.get(names[1], {}).get(names[3])
        return None

    def addresses(self, text: str, span: Span) -> Iterator[Place]:
        """The parts of addresses such as `size.hand` or `zone.hand`."""
        for whole in DOTTED.finditer(text):
            parts = [(part, whole.start() + part.start()) for part in WORD.finditer(whole.group())]
            yield from self.address([(part.group(), self.shifted(span, part, text, at)) for part, at in parts])

    def shifted(self, span: Span, part: re.Match[str], text: str, at: int) -> Span:
        start = span.column + (span.end_column - span.column - len(text)) // 2 + at
        return Span(span.file, span.line, start, span.line, start + len(part.group()))

    def address(self, parts: list[tuple[str, Span]]) -> Iterator[Place]:
        if len(parts) > 2 and parts[0][0] == "short":  # of a catalogue: the short form of a name
            parts = parts[1:]
        if len(parts) > 1 and parts[0][0] in SECTIONS:
            what = {"piece": "kind", "card": "kind", "now": "kind"}.get(parts[0][0], parts[0][0])
            if len(parts) == 2:
                yield from self.put(parts[1][1], self.symbols.only(parts[1][0], what))
                return
            parts = parts[1:]
        if len(parts) < 2:
            for name, span in parts:
                yield from self.word(name, span, ())
            return
        for (name, span), symbol in zip(parts, self.symbols.pair(parts[0][0], parts[1][0]), strict=False):
            if symbol is not None and symbol[-1] == name:
                yield from self.put(span, symbol)
        if len(parts) > 2:
            known = self.symbols.first(parts[2][0], "column", "field")
            yield from self.put(parts[2][1], known)

    # ------------------------------------------------------------ what overlays change

    def target(self, text: str, span: Span, verb: str | int) -> Iterator[Place]:
        """The parts of an address as an overlay writes it. The last of one that is added is declared there; one that is
        removed is no longer anything else."""
        parts = [(part.group(), self.inside(span, part, text)) for part in WORD.finditer(text)]
        if not parts:
            return
        names, head = [name for name, _ in parts], parts[0][0]
        if head == "names":  # the language, and the key of a text
            found = list(self.entry(parts[2:]))
            gone = verb == "remove" and not found and len(parts) > 3
            yield from [Place(parts[3][1], (REMOVED, names[3]))] if gone else found
            return
        looked_up = self.symbols.first(head, "series", "matrix", "die")
        if head in SHAPES and head not in SPEAKING and head != "look":
            path: Path = tuple(names)
        elif head in {group for group, _ in self.symbols.figures}:
            path = ("figure", *names)
        elif head in self.symbols.rows:
            path = ("table", head, "rows", *names[1:])  # its first part is the table
        elif looked_up is not None:
            path = (looked_up[0], *names)
        else:
            yield from self.address(parts[1:] if head == "look" else parts)
            return
        for number, (_, at) in enumerate(parts, start=1):
            upto = path[: len(path) - len(parts) + number]
            last, known = number == len(parts), list(self.key(upto[:2] if number == 1 else upto, at))
            yield from (Place(place.span, place.symbol, last and verb == "add") for place in known)
            if last and verb == "remove" and not known:
                yield Place(at, (REMOVED, names[-1]))

    def declaration(self, text: str, span: Span) -> Iterator[Place]:
        """The declaration that is replaced, dropped or comes before another: by its name, key and sort."""
        parts = [(part.group(), self.inside(span, part, text)) for part in WORD.finditer(text)]
        sort = parts.pop(0)[0] if len(parts) > 1 and parts[0][0] in SORTS else ""
        if not parts:
            return
        name = parts[0][0]
        symbols = [self.symbols.first(name, *([sort] if sort else ["define", "rule", *SORTS]))]
        symbols += [self.symbols.member(name, key) for key, _ in parts[1:2]]
        for (word, at), symbol in zip(parts, symbols, strict=False):
            yield from self.put(at, symbol) if symbol is not None else [Place(at, (REMOVED, word))]

    # ------------------------------------------------------------ catalogues

    def catalogue(self) -> Iterator[Place]:
        for path, span in self.places.keys.items():
            if len(path) == 1 and isinstance(path[0], str) and "." in path[0]:  # a key in quotes
                name = path[0]
                parts = [(part.group(), self.inside(span, part, name)) for part in re.finditer(r"[^.]+", name)]
            else:
                parts = [(str(part), self.places.key(path[: at + 1])) for at, part in enumerate(path)]
                parts = parts if len(parts) > 1 else []
            yield from self.entry(parts)

    def entry(self, parts: list[tuple[str, Span]]) -> Iterator[Place]:
        if not parts:
            return
        if len(parts) > 1 and parts[0][0] in OF_A_RULE:
            names, last = [part for part, _ in parts[1:]], parts[1:]
            yield from self.put(last[0][1], ("rule", names[0]) if names[0] in self.symbols.rules else None)
            if len(names) > 1:
                yield from self.put(last[1][1], self.symbols.member(names[0], names[1]))
        elif len(parts) > 2 and parts[0][0] == "difference":
            yield from self.put(parts[1][1], ("difference", parts[1][0]))
        else:
            yield from self.address(parts)


def _table(type_: Type | None) -> str:
    if isinstance(type_, ListType):
        return _table(type_.item)
    if isinstance(type_, MapType):
        return _table(type_.value)
    return type_.table if isinstance(type_, RowType) else ""


def _csv_places(file: str, text: str, symbols: Symbols) -> Iterator[Place]:
    """The columns of a file of pieces and the rows in its cells; lines with quotes are left out."""
    lines = text.split("\n")
    header = lines[0].split(",") if lines else []
    owners = [kind for kind, fields in symbols.fields.items() if {*header} - {"id", "marks"} <= {*fields}]
    if len(owners) != 1 or not header:
        return
    types = symbols.fields[owners[0]]
    for number, line in enumerate(lines, start=1):
        at = 1
        for place, cell in enumerate(line.split(",") if '"' not in line else ()):
            if number == 1 and cell in types:
                span = Span(file, 1, at, 1, at + len(cell))
                yield Place(span, symbols.canonical(("field", owners[0], cell)), True)
            elif number > 1 and place < len(header):
                table = _table(types.get(header[place]))
                for word in re.finditer(r"\S+", cell) if table else ():
                    if word.group() in symbols.rows.get(table, ()):
                        span = Span(file, number, at + word.start(), number, at + word.end())
                        yield Place(span, symbols.canonical(("row", table, word.group())))
            at += len(cell) + 1
