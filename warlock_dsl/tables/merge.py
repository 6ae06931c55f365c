"""The TOML files of a folder as one set of sections: merged by address, structured item by item, all errors noted."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import Any, Generic, Protocol, TypeVar

from attrs import define, field, frozen

from warlock_dsl.diagnostics.collect import DiagnosticList, near, quoted
from warlock_dsl.diagnostics.diagnostic import Related, Span
from warlock_dsl.limits import MAX_ENTRIES, MAX_FILE_BYTES, MAX_ITEMS
from warlock_dsl.tables.schema import (
    SECTIONS,
    Marked,
    MisfitError,
    RawDie,
    RawDifference,
    RawFigure,
    RawGame,
    RawGrid,
    RawKind,
    RawLedger,
    RawLook,
    RawMatrix,
    RawRuling,
    RawSeries,
    RawTable,
    RawTotal,
    RawVariable,
    RawZone,
    is_mark,
    structure,
)
from warlock_dsl.tables.toml_spans import Path, Places, read_toml

T = TypeVar("T")

Around = tuple[tuple[Path, Marked], ...]  # the marks of the groups around something, each with its path


class Whereabouts(Protocol):
    """Something that knows where in a file an address is."""

    def of(self, path: Path) -> Span: ...

    def key(self, path: Path) -> Span: ...


@define
class Merged:
    """The places of several files that were merged: each address knows which file gave it."""

    origins: dict[Path, Whereabouts] = field(factory=dict)
    file: str = "game.toml"  # for what is in no file

    def _from(self, path: Path) -> Whereabouts | None:
        for end in range(len(path), 0, -1):
            if (places := self.origins.get(path[:end])) is not None:
                return places
        return None

    def of(self, path: Path) -> Span:
        places = self._from(path)
        return places.of(path) if places is not None else Span(self.file, 1, 1, 1, 1)

    def key(self, path: Path) -> Span:
        places = self._from(path)
        return places.key(path) if places is not None else Span(self.file, 1, 1, 1, 1)


@frozen
class Document:
    """The tables of a game as one document, before its parts are given their shape, with the errors so far."""

    tree: dict[str, Any] = field(factory=dict)
    places: Merged = field(factory=Merged)
    errors: DiagnosticList = field(factory=DiagnosticList)

    def copy(self) -> Document:
        """The same document, to be changed without changing this one."""
        return Document(copied(self.tree), Merged(dict(self.places.origins)), self.errors.copy())


def copied(value: Any) -> Any:
    """A value of a document, to be changed without changing this one."""
    if isinstance(value, dict):
        return {key: copied(inner) for key, inner in value.items()}
    return [copied(inner) for inner in value] if isinstance(value, list) else value


@frozen
class Item(Generic[T]):
    """One declaration: its name, its path in the document, its raw value and the marks of the group around it."""

    name: str
    path: Path
    raw: T
    around: Around = ()
    value_path: Path = ()  # where the value itself is, for figures


@define
class Sections:
    """Every declaration that has its proper shape, by section and name; `broken` are those that have not."""

    game: Item[RawGame] | None = None
    tables: dict[str, Item[RawTable]] = field(factory=dict)
    kinds: dict[str, Item[RawKind]] = field(factory=dict)
    grids: dict[str, Item[RawGrid]] = field(factory=dict)
    zones: dict[str, Item[RawZone]] = field(factory=dict)
    variables: dict[tuple[str, str], Item[RawVariable]] = field(factory=dict)
    series: dict[str, Item[RawSeries]] = field(factory=dict)
    matrices: dict[str, Item[RawMatrix]] = field(factory=dict)
    dice: dict[str, Item[RawDie]] = field(factory=dict)
    groups: dict[str, Path] = field(factory=dict)
    figures: dict[tuple[str, str], Item[RawFigure]] = field(factory=dict)
    totals: dict[str, Item[RawTotal]] = field(factory=dict)
    looks: dict[str, Item[RawLook]] = field(factory=dict)
    documents: dict[str, str] = field(factory=dict)
    chapters: dict[str, str] = field(factory=dict)
    ledger: dict[str, Item[RawLedger]] = field(factory=dict)
    rulings: dict[str, Item[RawRuling]] = field(factory=dict)
    differences: dict[str, Item[RawDifference]] = field(factory=dict)
    broken: set[tuple[str, ...]] = field(factory=set)


def is_catalogue(file: str) -> bool:
    """Whether a file holds the names of one language."""
    return file.split("/")[-2:-1] == ["names"] and file.endswith(".toml")


def merge_files(files: Mapping[str, str]) -> Document:
    """The TOML files of a game, catalogues of names aside, as one document."""
    whole = Document()
    for file in sorted(files):
        if not file.endswith(".toml") or is_catalogue(file):
            continue
        if too_large(file, files[file], whole.errors):
            continue
        document, where, found = read_toml(files[file], file)
        whole.errors.extend(found)
        if document is not None:
            _merge(whole.tree, document, (), where, whole.places, whole.errors)
    return whole


def sections_of(document: Document, errors: DiagnosticList) -> Sections:
    """Every declaration of a document in the shape of its section."""
    return _Structurer(document.places, errors).sections(document.tree)


def too_large(file: str, text: str, errors: DiagnosticList) -> bool:
    if len(text) <= MAX_FILE_BYTES:
        return False
    errors.add("W252", f"this file is larger than {MAX_FILE_BYTES:,} characters", Span(file, 1, 1, 1, 1))
    return True


def _open(path: Path) -> bool:
    """Whether the files of a folder may each add to this table; below that an address belongs to one file."""
    if len(path) == 1:
        return True
    if len(path) == 2:
        return path[0] in ("table", "variable", "figure")
    return len(path) == 3 and path[0] == "table" and path[2] in ("rows", "columns")


def _merge(
    tree: dict[str, Any], more: dict[str, Any], path: Path, where: Places, places: Merged, errors: DiagnosticList
) -> None:
    for key, value in more.items():
        here = (*path, key)
        if key not in tree:
            tree[key] = value
            places.origins[here] = where
        elif isinstance(value, dict) and isinstance(tree[key], dict) and _open(here):
            _merge(tree[key], value, here, where, places, errors)
        else:
            address = ".".join(str(part) for part in here)
            other = Related(places.key(here), "first given here")
            errors.add("W212", f"{quoted(address)} is given twice", where.key(here), "and again here", "", (other,))


@define
class _Structurer:
    """Gives each item of the merged document the shape of its section."""

    places: Merged
    errors: DiagnosticList
    found: Sections = field(factory=Sections)

    def sections(self, tree: dict[str, Any]) -> Sections:
        for section, content in tree.items():
            path: Path = (section,)
            if section not in SECTIONS:
                self.errors.add(
                    "W203",
                    f"there is no section {quoted(section)}",
                    self.places.key(path),
                    hint=near(section, SECTIONS, "sections"),
                )
            elif section == "game":
                self.found.game = self.item("game", path, content, RawGame)
            elif not isinstance(content, dict):
                self.errors.add("W205", str(MisfitError("a table", content)), self.places.of(path))
            else:
                self.section(section, path, self.within(section, path, content))
        return self.found

    def within(self, section: str, path: Path, content: dict[str, Any]) -> dict[str, Any]:
        """The content of a section, or as much of it as a game may have."""
        maximum = MAX_ITEMS.get(section, MAX_ENTRIES)
        if len(content) <= maximum:
            return content
        text = f"there may be at most {maximum:,} entries in {quoted(section)}"
        self.errors.add("W237", text, self.places.key((*path, list(content)[maximum])))
        return dict(islice(content.items(), maximum))

    def section(self, section: str, path: Path, content: dict[str, Any]) -> None:
        found = self.found
        match section:
            case "table":
                self.fill(found.tables, path, content, RawTable)
            case "kind":
                self.fill(found.kinds, path, content, RawKind)
            case "grid":
                self.fill(found.grids, path, content, RawGrid)
            case "zone":
                self.zones(path, content)
            case "variable" | "figure":
                self.groups(section, path, content)
            case "series":
                self.fill(found.series, path, content, RawSeries)
            case "matrix":
                self.fill(found.matrices, path, content, RawMatrix)
            case "die":
                self.fill(found.dice, path, content, RawDie)
            case "total":
                self.fill(found.totals, path, content, RawTotal)
            case "look":
                self.fill(found.looks, path, content, RawLook)
            case "document":
                self.titles(path, content, found.documents)
            case "chapter":
                self.titles(path, content, found.chapters)
            case "ledger":
                self.fill(found.ledger, path, content, RawLedger)
            case "ruling":
                self.fill(found.rulings, path, content, RawRuling)
            case "difference":
                self.fill(found.differences, path, content, RawDifference)

    def fill(self, into: dict[str, Item[T]], path: Path, content: dict[str, Any], shape: type[T]) -> None:
        for name, value in content.items():
            if (item := self.item(name, (*path, name), value, shape)) is not None:
                into[name] = item

    def item(self, name: str, path: Path, value: object, shape: type[T], around: Around = ()) -> Item[T] | None:
        raw = self.shaped(value, shape, path)
        if raw is None:
            self.found.broken.add((*(str(part) for part in path[:-1]), name))
            return None
        return Item(name, path, raw, around)

    def shaped(self, value: object, shape: type[T], path: Path) -> T | None:
        return shaped(value, shape, path, self.places, self.errors)

    def split_marks(self, path: Path, content: dict[str, Any]) -> tuple[dict[str, Any], Around]:
        """The members of a group, and the marks beside them."""
        marks = {key: value for key, value in content.items() if is_mark(key)}
        members = {key: value for key, value in content.items() if not is_mark(key)}
        marked = self.shaped(marks, Marked, path) if marks else None
        return members, ((path, marked),) if marked is not None else ()

    def zones(self, path: Path, content: dict[str, Any]) -> None:
        members, around = self.split_marks(path, content)
        for key, value in members.items():
            here = (*path, key)
            item = self.item(key, here, value, RawZone, around)
            for name in (part.strip() for part in key.split(",")):
                if item is None:
                    self.found.broken.add(("zone", name))
                elif name in self.found.zones:
                    other = Related(self.places.key(self.found.zones[name].path), "first given here")
                    self.errors.add(
                        "W212", f"the zone {quoted(name)} is given twice", self.places.key(here), related=(other,)
                    )
                else:
                    self.found.zones[name] = Item(name, here, item.raw, around)

    def groups(self, section: str, path: Path, content: dict[str, Any]) -> None:
        for group, inner in content.items():
            here = (*path, group)
            if not isinstance(inner, dict):
                self.errors.add("W205", str(MisfitError("a table", inner)), self.places.of(here))
                continue
            members, around = self.split_marks(here, self.within(section, here, inner))
            if section == "figure":
                self.found.groups[group] = here
            for name, value in members.items():
                if section == "figure":
                    self.figure(group, name, (*here, name), value, around)
                else:
                    self.variable(group, name, (*here, name), value, around)

    def figure(self, group: str, name: str, path: Path, value: object, around: Around) -> None:
        if isinstance(value, dict):
            raw = self.shaped(value, RawFigure, path)
            at = (*path, "is")
        else:
            raw, at = RawFigure(is_=value), path
        if raw is not None:
            self.found.figures[group, name] = Item(name, path, raw, around, at)

    def variable(self, owner: str, name: str, path: Path, value: object, around: Around) -> None:
        if isinstance(value, dict):
            raw = self.shaped(value, RawVariable, path)
            at = (*path, "type")
        else:
            raw, at = RawVariable(type=value), path
        if raw is None:
            self.found.broken.add(("variable", owner, name))
        else:
            self.found.variables[owner, name] = Item(name, path, raw, around, at)

    def titles(self, path: Path, content: dict[str, Any], into: dict[str, str]) -> None:
        for name, value in content.items():
            title = self.shaped(value, str, (*path, name))
            if title is not None:
                into[name] = title


def shaped(value: object, shape: type[T], path: Path, places: Merged, errors: DiagnosticList) -> T | None:
    """A value in its shape, its errors noted with their places."""
    raw, misfits = structure(value, shape, path)
    for one in misfits:
        last = quoted(one.path[-1]) if one.path else ""
        span = places.key(one.path) if one.code == "W204" else places.of(one.path)
        if one.code == "W206":
            span = places.key(one.path[:-1])
        hint = near(str(one.path[-1]), one.known, "keys") if one.known else ""
        errors.add(one.code, one.message.replace("{}", last), span, hint=hint)
    return raw
