"""Applying overlays: changes to the tables before they are given their shape, and to the declarations of the rules."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

import attrs
from attrs import define, evolve, field, frozen

from warlock_dsl import syntax
from warlock_dsl.citations import STANDINGS, parse_cite
from warlock_dsl.diagnostics import NOWHERE, Diagnostic, Related, Span
from warlock_dsl.faults import Faults, near, quoted
from warlock_dsl.layout import declaration_text
from warlock_dsl.model import Cite
from warlock_dsl.overlay import Edit, Overlay, address_of, digest
from warlock_dsl.schema import SECTIONS
from warlock_dsl.sections import Merged
from warlock_dsl.toml_places import Path, Places

LOOKED_UP = ("series", "matrix", "die")


@frozen
class Applied:
    """One thing a layer did: which address, what stood there, what stands there now, and where that is said."""

    target: str
    was: str
    now: str
    cites: tuple[Cite, ...]
    span: Span


@frozen
class Layer:
    """An overlay of a stack as it was applied."""

    name: str
    about: str
    kind: str
    language: str
    parameters: Mapping[str, str]
    changes: tuple[Applied, ...]


@frozen
class _Grafted:
    """What an overlay put into the tables: an address below `target` stands in the overlay's own file."""

    places: Places
    target: Path
    source: Path

    def of(self, path: Path) -> Span:
        return self.places.of((*self.source, *path[len(self.target) :]))

    def key(self, path: Path) -> Span:
        inner = path[len(self.target) :]
        return self.places.key((*self.source, *inner)) if inner else self.places.of((*self.source[:-1], "at"))


@define
class Applying:
    """The overlays of one stack on their way into a game."""

    overlays: Sequence[Overlay]
    faults: Faults = field(factory=Faults)
    touched: dict[str, tuple[Overlay, Span]] = field(factory=dict)  # by address: who changed it last, and where
    done: dict[str, list[Applied]] = field(factory=dict)  # by overlay
    retired: set[str] = field(factory=set)  # ids that only what was taken away carried out

    # ------------------------------------------------------------------ tables

    def tables(self, tree: dict[str, Any], places: Merged) -> None:
        """Every change to the merged tables, in the order of the stack."""
        for overlay in self.overlays:
            for name, figure in overlay.figures.items():
                group = tree.setdefault("figure", {}).setdefault(overlay.name, {})
                group[name] = dict(figure)
                path: Path = ("figure", overlay.name, name)
                places.origins[path] = _Grafted(overlay.places, path, ("overlay", "parameters", name))
            for edit in overlay.edits:
                if not edit.at.startswith("names.") and not is_piece(tree, edit.at):
                    self.edit(tree, places, overlay, edit)

    def edit(self, tree: dict[str, Any], places: Merged, overlay: Overlay, edit: Edit) -> None:
        path = resolve(tree, edit.at)
        holder = at_path(tree, path[:-1]) if path else None
        if not path or not isinstance(holder, dict):
            self.unknown(tree, edit)
            return
        if not self.claim(overlay, edit.at, edit.span):
            return
        key = str(path[-1])
        there = key in holder
        if edit.verb == "add":
            if there:
                other = Related(places.key(path), "already here")
                self.faults.add("W612", f"{quoted(edit.at)} is already there", edit.span, related=(other,))
                return
            holder[key] = edit.now
            places.origins[path] = _Grafted(overlay.places, path, (*edit.path, "now"))
            self.note(overlay, edit, "", plain(edit.now))
        elif edit.verb == "remove":
            if not there:
                self.unknown(tree, edit)
                return
            gone = holder.pop(key)
            self.retired |= cited_in(gone)
            self.note(overlay, edit, plain(gone), "")
        else:
            self.change(holder, path, places, overlay, edit)

    def change(self, holder: dict[str, Any], path: Path, places: Merged, overlay: Overlay, edit: Edit) -> None:
        key = str(path[-1])
        value = holder.get(key, default(path))
        if isinstance(value, dict) and "is" in value:
            holder, path, key = value, (*path, "is"), "is"
            value = value["is"]
        if value is None:
            self.faults.add("W608", f"there is no {quoted(edit.at)}", edit.span)
            return
        if value != edit.was:
            other = Related(places.of(path), f"here stands {plain(value)}")
            text = f"{quoted(edit.at)} was expected to be {plain(edit.was)}, but is {plain(value)}"
            hint = f"write was = {toml(value)} if the change still fits"
            self.faults.add("W609", text, edit.span, "stale", hint, (other,))
            return
        if value == edit.now and type(value) is type(edit.now):
            self.faults.add("W611", f"{quoted(edit.at)} is {plain(value)} already", edit.span, "changes nothing")
            return
        holder[key] = edit.now
        places.origins[path] = _Grafted(overlay.places, path, (*edit.path, "now"))
        self.note(overlay, edit, plain(value), plain(edit.now))

    def note(self, overlay: Overlay, edit: Edit, was: str, now: str) -> None:
        self.done.setdefault(overlay.name, []).append(Applied(edit.at, was, now, edit.cites, edit.span))

    def claim(self, overlay: Overlay, target: str, span: Span) -> bool:
        """Whether this overlay may change an address: nobody below it did, or it builds on who did."""
        other = self.touched.get(target)
        if other is not None and other[0].name not in (*overlay.builds_on, overlay.name):
            text = f"both '{other[0].name}' and '{overlay.name}' change {quoted(target)}"
            hint = f"take one of them, or let '{overlay.name}' build on '{other[0].name}' with builds_on"
            self.faults.add("W610", text, span, "changed here", hint, (Related(other[1], "and here"),))
            return False
        self.touched[target] = (overlay, span)
        return True

    def unknown(self, tree: dict[str, Any], edit: Edit) -> None:
        hint = near(edit.at, addresses(tree), "addresses")
        self.faults.add("W608", f"there is no {quoted(edit.at)} to {edit.verb}", edit.span, hint=hint)

    # ------------------------------------------------------------------- files

    def files(self, files: Mapping[str, str], tree: Mapping[str, Any]) -> dict[str, str]:
        """The texts of the game with the rows of pieces and the catalogues changed."""
        new = dict(files)
        for overlay in self.overlays:
            for edit in overlay.edits:
                if is_piece(tree, edit.at):
                    self.piece(new, tree, overlay, edit)
        return new

    def piece(self, files: dict[str, str], tree: Mapping[str, Any], overlay: Overlay, edit: Edit) -> None:
        """A cell or a row of a CSV file. Lines keep their numbers: a row taken away leaves an empty line."""
        name, _, column = edit.at.partition(".")
        if edit.verb == "add":
            self.add_piece(files, tree, overlay, edit)
            return
        for file in csv_files(tree):
            lines = files.get(file, "").split("\n")
            header = next(csv.reader([lines[0]]), [])
            for number, line in enumerate(lines):
                cells = next(csv.reader([line]), []) if number else []
                if not cells or cells[0].strip() != name:
                    continue
                if not self.claim(overlay, edit.at, edit.span):
                    return
                if edit.verb == "remove" and not column:
                    lines[number] = ""
                    self.note(overlay, edit, line, "")
                elif edit.verb == "change" and column in header:
                    self.cell(cells, header.index(column), overlay, edit)
                    lines[number] = written(cells)
                else:
                    hint = near(column, header, "columns")
                    self.faults.add("W608", f"there is no {quoted(edit.at)} to {edit.verb}", edit.span, hint=hint)
                files[file] = "\n".join(lines)
                return
        self.faults.add("W608", f"there is no piece {quoted(name)}", edit.span)

    def add_piece(self, files: dict[str, str], tree: Mapping[str, Any], overlay: Overlay, edit: Edit) -> None:
        """A new row at the end of the file whose columns it has."""
        row = {"id": edit.at, **edit.now} if isinstance(edit.now, dict) else {}
        for file in csv_files(tree):
            header = next(csv.reader([files.get(file, "").split("\n")[0]]), [])
            if set(row) == set(header) and self.claim(overlay, edit.at, edit.span):
                files[file] = files[file].rstrip("\n") + "\n" + written([cell_text(row[c]) for c in header]) + "\n"
                self.note(overlay, edit, "", plain(edit.now))
                return
        text = f"no file of pieces has just the columns of {quoted(edit.at)}"
        self.faults.add("W608", text, edit.span, hint="give every column but 'id'")

    def cell(self, cells: list[str], place: int, overlay: Overlay, edit: Edit) -> None:
        was, now, there = cell_text(edit.was), cell_text(edit.now), cells[place].strip()
        if there != was:
            text = f"{quoted(edit.at)} was expected to be {was or 'empty'}, but is {there or 'empty'}"
            self.faults.add("W609", text, edit.span, "stale")
        elif was == now:
            self.faults.add("W611", f"{quoted(edit.at)} is {was} already", edit.span, "changes nothing")
        else:
            cells[place] = now
            self.note(overlay, edit, was, now)

    # -------------------------------------------------------------------- names

    def names(self, names: dict[str, dict[str, Any]], entries: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> None:
        """Catalogue entries of the overlays over those of the game (`entries` by overlay, language and key)."""
        for overlay in self.overlays:
            for edit in overlay.edits:
                if edit.at.startswith("names."):
                    self.forget(names, overlay, edit)
            for language, texts in entries.get(overlay.name, {}).items():
                for key, entry in texts.items():
                    old = names.setdefault(language, {}).get(key)
                    target = f"names.{language}.{key}"
                    if old is not None and not self.claim(overlay, target, entry.span):
                        continue
                    if old is not None and old.text == entry.text:
                        self.faults.add("W611", f"{quoted(key)} is called so already", entry.span, "changes nothing")
                        continue
                    names[language][key] = entry
                    was = old.text if old is not None else ""
                    self.done.setdefault(overlay.name, []).append(Applied(target, was, entry.text, (), entry.span))

    def forget(self, names: dict[str, dict[str, Any]], overlay: Overlay, edit: Edit) -> None:
        """A text taken away; new and changed ones stand in the catalogues of the overlay."""
        language, _, key = edit.at.removeprefix("names.").partition(".")
        if edit.verb != "remove":
            hint = f"write it into names/{language}.toml of the overlay"
            self.faults.add("W603", "a text is added or changed in a catalogue", edit.span, hint=hint)
        elif key not in names.get(language, {}):
            text = f"there is no text {quoted(edit.at)} to remove"
            self.faults.add("W608", text, edit.span, hint=near(key, names.get(language, {}), "texts"))
        elif self.claim(overlay, edit.at, edit.span):
            self.note(overlay, edit, names[language].pop(key).text, "")

    # ------------------------------------------------------------------- rules

    def modules(
        self, modules: Sequence[syntax.Module], added: Mapping[str, Sequence[syntax.Module]]
    ) -> list[syntax.Module]:
        """The files of the game and of every overlay: replacements stand where the replaced stood."""
        current = list(modules)
        for overlay in self.overlays:
            own = {address_of(d): d for module in added.get(overlay.name, ()) for d in module.declarations}
            there = {address_of(d): d for module in current for d in module.declarations}
            gone = self.dropped(overlay, own, there)
            for at, declaration in own.items():
                if at in there and at not in overlay.replace:
                    old = there[at]
                    hint = f'to replace it: [replace] "{at}" = "{digest(old)}"'
                    related = (Related(old.name.span, "declared here"),)
                    text = f"{quoted(at)} is already there"
                    self.faults.add("W613", text, declaration.name.span, "declared again", hint, related)
                elif at not in there:
                    self.record(overlay, at, None, declaration)
            current = [evolve(m, declarations=tuple(kept(m.declarations, gone))) for m in current]
            for module in added.get(overlay.name, ()):
                fresh = tuple(d for d in module.declarations if address_of(d) not in there)
                current.append(evolve(module, declarations=fresh))
        return current

    def dropped(
        self, overlay: Overlay, own: Mapping[str, syntax.Declaration], there: Mapping[str, syntax.Declaration]
    ) -> dict[int, syntax.Declaration | None]:
        """What is replaced or taken away, by the identity of the old declaration."""
        gone: dict[int, syntax.Declaration | None] = {}
        for table, verb in ((overlay.replace, "replace"), (overlay.drop, "drop")):
            for at, (was, span) in table.items():
                old = there.get(at)
                new = own.get(at) if verb == "replace" else None
                if old is None:
                    text = f"there is no {quoted(at)} to {verb}"
                    self.faults.add("W608", text, span, hint=near(at, there, "declarations"))
                elif digest(old) != was:
                    text = f"{quoted(at)} is not what this overlay expects: its digest is {digest(old)}"
                    hint = f'look at it again, then write "{digest(old)}"'
                    self.faults.add("W614", text, span, "stale", hint, (Related(old.name.span, "as it stands"),))
                elif verb == "replace" and new is None:
                    text = f"the overlay declares no {quoted(at)} to stand in for the old one"
                    self.faults.add("W615", text, span)
                elif new is not None and digest(new) == was:
                    self.faults.add("W611", f"{quoted(at)} is declared just so already", new.name.span)
                elif self.claim(overlay, at, span):
                    self.retired |= {id_ for mark in old.marks for id_ in ids_of(mark.standing, mark.text)}
                    gone[id(old)] = new
                    self.record(overlay, at, old, new)
        return gone

    def record(
        self, overlay: Overlay, at: str, old: syntax.Declaration | None, new: syntax.Declaration | None
    ) -> None:
        was = declaration_text(evolve(old, marks=())).strip() if old is not None else ""
        now = declaration_text(evolve(new, marks=())).strip() if new is not None else ""
        span = new.name.span if new is not None else overlay.drop[at][1]
        self.done.setdefault(overlay.name, []).append(Applied(at, was, now, (), span))

    def layers(self) -> tuple[Layer, ...]:
        return tuple(
            Layer(o.name, o.about, o.kind, o.language, {k: plain(v) for k, v in o.parameters.items()},
                  tuple(self.done.get(o.name, ())))
            for o in self.overlays
        )  # fmt: skip

    def all_faults(self) -> list[Diagnostic]:
        return self.faults.all()


def kept(
    declarations: Sequence[syntax.Declaration], gone: Mapping[int, syntax.Declaration | None]
) -> Iterator[syntax.Declaration]:
    """The declarations of a file with those replaced that are, and without those taken away."""
    for declaration in declarations:
        now = gone.get(id(declaration), declaration)
        if now is not None:
            yield now


# ------------------------------------------------------------------ addresses


def resolve(tree: Mapping[str, Any], address: str) -> Path:
    """Where in the merged tables an address stands, whether or not there is anything; () for no address."""
    parts: list[str] = address.split(".")
    head = parts[0]
    if head == "look" and len(parts) == 4:
        return ("look", f"{parts[1]}.{parts[2]}", parts[3])
    if head in SECTIONS and head not in ("ledger", "ruling", "difference"):
        return tuple(parts) if len(parts) > 1 else ()
    if head in tree.get("figure", {}) and len(parts) == 2:
        return ("figure", *parts)
    if head in tree.get("table", {}) and len(parts) in (2, 3):
        return ("table", head, "rows", *parts[1:])
    for section in LOOKED_UP:
        if head in tree.get(section, {}):
            return (section, head, *(parts[1:] or ["is"]))
    return ()


def at_path(tree: Mapping[str, Any], path: Path) -> Any:
    value: Any = tree
    for part in path:
        if not isinstance(value, dict) or part not in value:
            return None
        value = value[part]
    return value


def default(path: Path) -> Any:
    """What stands at an address where nothing is written, such as who sees a zone."""
    shape = SECTIONS.get(str(path[0]))
    if shape is None or not attrs.has(shape) or len(path) < 3:
        return None
    found = {f.name.rstrip("_"): f.default for f in attrs.fields(shape)}.get(str(path[-1]))
    return found if isinstance(found, str | int | bool) else None


def addresses(tree: Mapping[str, Any]) -> Iterator[str]:
    """Addresses a change may name, for a did-you-mean."""
    for group, figures in tree.get("figure", {}).items():
        yield from (f"{group}.{name}" for name in figures)
    for table, content in tree.get("table", {}).items():
        rows = content.get("rows", {}) if isinstance(content, dict) else {}
        for row, cells in rows.items() if isinstance(rows, dict) else ():
            yield f"{table}.{row}"
            yield from (f"{table}.{row}.{cell}" for cell in cells) if isinstance(cells, dict) else ()
    for section in LOOKED_UP:
        yield from tree.get(section, {})
    for section in ("zone", "grid", "kind"):
        for name, content in tree.get(section, {}).items():
            yield from (f"{section}.{name}.{key}" for key in content) if isinstance(content, dict) else ()


def csv_files(tree: Mapping[str, Any]) -> list[str]:
    kinds = tree.get("kind", {})
    rows = [kind.get("rows", "") for kind in kinds.values() if isinstance(kind, dict)]
    return [file for file in rows if isinstance(file, str) and file.endswith(".csv")]


def is_piece(tree: Mapping[str, Any], address: str) -> bool:
    """Whether an address can only be a piece of a CSV file: nothing else bears such a name."""
    head = address.partition(".")[0]
    return not resolve(tree, address) and head not in SECTIONS and bool(csv_files(tree))


def ids_of(standing: str, text: str) -> tuple[str, ...]:
    return parse_cite(standing, text, NOWHERE).ids


def cited_in(value: Any) -> set[str]:
    """The ids that the marks of something in the tables name."""
    if not isinstance(value, dict):
        return set()
    found = {id_ for s in STANDINGS if isinstance(value.get(s), str) for id_ in ids_of(s, value[s])}
    return found.union(*(cited_in(inner) for inner in value.values()))


# ---------------------------------------------------------------------- texts


def plain(value: Any) -> str:
    """A value of the tables as a person writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Fraction):
        return f"{float(value):g}"
    if isinstance(value, list):
        return "[" + ", ".join(plain(item) for item in value) + "]"
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {plain(item)}" for key, item in value.items()) + " }"
    return str(value)


def toml(value: Any) -> str:
    return f'"{value}"' if isinstance(value, str) else plain(value)


def cell_text(value: Any) -> str:
    return " ".join(cell_text(item) for item in value) if isinstance(value, list) else plain(value)


def written(cells: list[str]) -> str:
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow(cells)
    return line.getvalue()
