"""Applying overlays to the tables, before they are given their shape: values changed, things added and removed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from attrs import define, evolve, field, frozen

from warlock_dsl.diagnostics.collect import near, quoted
from warlock_dsl.diagnostics.diagnostic import Diagnostic, Fix, Related, Remedy, Severity, Span, Suggestion, TextEdit
from warlock_dsl.overlay.addresses import address_place, addresses, at_path, default, is_piece, resolve
from warlock_dsl.overlay.apply_where import WHOLE, spread
from warlock_dsl.overlay.changes import Applied, Claims, ids_of
from warlock_dsl.overlay.csv_edit import Sheet, piece_at, sheets_of
from warlock_dsl.overlay.csv_rows import CsvPlaces, additions, is_file
from warlock_dsl.overlay.read import Edit, Overlay
from warlock_dsl.syntax.keywords import MARKS
from warlock_dsl.tables.merge import Document, Merged, copied
from warlock_dsl.tables.schema import ABSENT, SECTIONS
from warlock_dsl.tables.toml_spans import Path, Places
from warlock_dsl.tables.values import bare, cell_text, plain_value, same, toml


@frozen
class _Grafted:
    """What an overlay put into the tables: an address below `target` is found in the overlay's own file."""

    places: Places
    target: Path
    source: Path

    def of(self, path: Path) -> Span:
        return self.places.of((*self.source, *path[len(self.target) :]))

    def key(self, path: Path) -> Span:
        inner = path[len(self.target) :]
        if inner or self.source[-1] != "now":
            return self.places.key((*self.source, *inner))
        return self.places.of((*self.source[:-1], "at"))


Written = Mapping[tuple[str, int], Span]  # by file and line: where an overlay wrote a row of pieces


def change_tables(
    overlays: Sequence[Overlay], document: Document, files: Mapping[str, str], claims: Claims
) -> tuple[Document, dict[str, str], Written]:
    """Every change of the overlays to the tables and to the files of pieces, in the order of the stack.

    Gives the document and the files as they are then; who changed what, and what is wrong, is noted in `claims`.
    """
    now = document.copy()
    work = TableChanges(now.tree, now.places, sheets_of(files, now.tree), claims)
    for overlay in overlays:
        work.apply(overlay)
    texts = {sheet.file: "\n".join(sheet.lines) for sheet in work.sheets}
    own = {file: text for overlay in overlays for file, text in overlay.files.items() if file.endswith(".csv")}
    return now, {**files, **texts, **own}, work.written()


def at_home(error: Diagnostic, written: Written) -> Diagnostic:
    """An error in a row of pieces that an overlay wrote, with its place in the overlay."""
    span = written.get((error.span.file, error.span.line))
    return error if span is None else evolve(error, span=span)


@define
class TableChanges:
    """The tables and the files of pieces of a game while overlays change them."""

    tree: dict[str, Any]
    places: Merged
    sheets: list[Sheet]
    claims: Claims
    rows: dict[tuple[str, str], Span] = field(factory=dict)  # by file and id: where an overlay wrote a row of pieces

    def apply(self, overlay: Overlay) -> None:
        """Every change of one overlay."""
        self.parameters(overlay)
        for edit in spread(self.tree, self.sheets, overlay, self.claims):
            if edit.at.startswith("names."):
                continue
            if is_file(edit):
                self.file(overlay, edit)
            elif is_piece(self.tree, edit.at):
                self.piece(overlay, edit)
            else:
                self.edit(overlay, edit)

    def file(self, overlay: Overlay, edit: Edit) -> None:
        """Every row of a file of the overlay, added to a kind or a table."""
        for one in additions(self.tree, self.sheets, overlay, edit, self.claims):
            if one.sheet is not None:
                self.add_piece(overlay, one.edit, piece_at([one.sheet], one.edit.at), one.sheet)
                continue
            self.edit(overlay, one.edit)
            path = resolve(self.tree, one.edit.at)
            if isinstance(self.places.origins.get(path), _Grafted):
                self.places.origins[path] = CsvPlaces(path, one.edit.span, one.cells)

    def written(self) -> Written:
        """Where overlays wrote the rows of pieces that are still there."""
        at = {sheet.file: sheet.at for sheet in self.sheets}
        return {(file, at[file][id] + 1): span for (file, id), span in self.rows.items() if id in at[file]}

    def parameters(self, overlay: Overlay) -> None:
        """The parameters that rules read, as figures."""
        for name, figure in overlay.figures.items():
            path: Path = ("figure", overlay.name, name)
            source: Path = ("overlay", "parameters", name)
            make_room(self.tree, path)
            group = at_path(self.tree, path[:-1])
            if not isinstance(group, dict) or name in group:
                other = (Related(self.places.key(path), "already here"),)
                text = f"there is a figure '{overlay.name}.{name}' already"
                hint = "call the overlay or its parameter something else"
                self.claims.errors.add("W612", text, overlay.places.key(source), "the parameter", hint, other)
                continue
            group[name] = dict(figure)
            self.places.origins[path] = _Grafted(overlay.places, path, source)

    def edit(self, overlay: Overlay, edit: Edit) -> None:
        path = resolve(self.tree, edit.at)
        if path and edit.verb == "add":
            make_room(self.tree, path)
        holder = holder_of(self.tree, path) if path else None
        place, adds = address_place(self.tree, edit.at), edit.verb == "add"
        if path and not self.claims.claim(overlay, edit.at, place, edit.span, adds):
            return
        if not isinstance(holder, dict):
            self.unknown(edit)
            return
        key = str(path[-1])
        if edit.verb == "add":
            self.add(holder, path, overlay, edit)
        elif edit.verb == "change":
            self.change(holder, path, overlay, edit)
        elif key not in holder:
            self.unknown(edit)
        elif edit.was is not ABSENT and not same(value_of(holder[key]), edit.was):
            self.stale(edit, value_of(holder[key]), as_found(self.places.of(path), value_of(holder[key])))
        else:
            gone = holder.pop(key)
            self.claims.retired |= cited_in(gone)
            self.note(overlay, edit, plain_value(bare(gone)), "")

    def add(self, holder: dict[str, Any], path: Path, overlay: Overlay, edit: Edit) -> None:
        key = str(path[-1])
        if key in holder:
            other = Related(self.places.key(path), "already here")
            hint = "to change it, use [[change]] with its 'was' and 'now'"
            self.claims.errors.add("W612", f"{quoted(edit.at)} is already there", edit.span, "added", hint, (other,))
            return
        if edit.before and edit.before not in holder:
            text = f"there is no {quoted(edit.before)} to put it before"
            self.claims.errors.add("W608", text, edit.span, hint=near(edit.before, holder, "names"))
            return
        rest = dict(holder) if edit.before else {}
        if rest:
            holder.clear()
        for name, value in rest.items():
            if name == edit.before:
                holder[key] = copied(edit.now)
            holder[name] = value
        holder.setdefault(key, copied(edit.now))
        self.places.origins[path] = _Grafted(overlay.places, path, (*edit.path, "now"))
        self.note(overlay, edit, "", plain_value(bare(edit.now)), path)

    def change(self, holder: dict[str, Any], path: Path, overlay: Overlay, edit: Edit) -> None:
        key = str(path[-1])
        value = holder.get(key, default(path))
        if isinstance(value, dict) and "is" in value:
            holder, path, key = value, (*path, "is"), "is"
            value = value["is"]
        if value is None:
            self.unknown(edit)
        elif not same(value, edit.was):
            self.stale(edit, value, as_found(self.places.of(path), value))
        elif same(value, edit.now):
            self.needless(overlay, edit, value)
        else:
            holder[key] = copied(edit.now)
            self.places.origins[path] = _Grafted(overlay.places, path, (*edit.path, "now"))
            self.note(overlay, edit, plain_value(bare(value)), plain_value(bare(edit.now)))

    # ------------------------------------------------------------------ errors

    def unknown(self, edit: Edit) -> None:
        hint = near(edit.at, addresses(self.tree), "addresses")
        self.claims.errors.add("W608", f"there is no {quoted(edit.at)} to {edit.verb}", edit.span, "unknown", hint)

    def stale(self, edit: Edit, value: Any, there: tuple[Related, ...]) -> None:
        found = plain_value(bare(value))
        text = f"{quoted(edit.at)} was expected to be {plain_value(edit.was) or 'empty'}, but is {found or 'empty'}"
        now = toml(bare(value))
        fix = Fix(f"take what is there now: was = {now}", (TextEdit(edit.was_span, now),))
        hint = Remedy(f"look whether the change still fits, then write was = {now}", fix)
        self.claims.errors.add("W609", text, edit.was_span, "expects this", hint, there)

    def needless(self, overlay: Overlay, edit: Edit, value: Any) -> None:
        """Nothing changes: a mistake, but not where whoever gave a parameter wanted just this value."""
        text = f"{quoted(edit.at)} is {plain_value(bare(value)) or 'empty'} already"
        if edit.asked:
            self.claims.tried.add(overlay.name)
            given = edit.asked == "given"
            label = "changes nothing with this parameter" if given else "changes nothing unless its parameter is given"
            severity = Severity.NOTE if given else Severity.WARNING
        else:
            label, severity = "changes nothing", Severity.ERROR
        self.claims.errors.extend([Diagnostic("W611", text, edit.span, label, severity=severity)])

    def note(self, overlay: Overlay, edit: Edit, was: str, now: str, path: Path | None = None) -> None:
        where = address_place(self.tree, edit.at) if path is None else path
        self.claims.note(overlay, Applied(edit.at, was, now, edit.cites, edit.span, where))

    # ------------------------------------------------------------------ pieces

    def piece(self, overlay: Overlay, edit: Edit) -> None:
        """A cell or a row of a CSV file."""
        found = piece_at(self.sheets, edit.at)
        if edit.verb == "add":
            self.add_piece(overlay, edit, found)
            return
        if found is None:
            if not self.claims.claim(overlay, edit.at, self.gone(edit.at), edit.span):
                return
            known = list(addresses(self.tree)) if "." in edit.at else []
            known += [id for sheet in self.sheets for id in sheet.at]
            text = f"there is no {quoted(edit.at)} to {edit.verb}"
            self.claims.errors.add("W608", text, edit.span, "unknown", near(edit.at, known, "addresses"))
            return
        sheet, id, column = found
        if edit.verb == "change" and column not in sheet.header[1:]:
            text = f"there is no {quoted(edit.at)} to change"
            self.claims.errors.add("W608", text, edit.span, "unknown", near(column, sheet.header[1:], "columns"))
        elif edit.verb == "remove" and column:
            text, hint = f"{quoted(edit.at)} is a cell of a piece", "a piece can be removed, a cell can be changed"
            self.claims.errors.add("W608", text, edit.span, hint=hint)
        elif self.claims.claim(overlay, edit.at, ("piece", id, column)[: 2 + bool(column)], edit.span):
            if edit.verb == "remove":
                self.note(overlay, edit, sheet.take(id), "", ("piece", id))
            else:
                self.cell(sheet, id, column, overlay, edit)

    def add_piece(
        self, overlay: Overlay, edit: Edit, there: tuple[Sheet, str, str] | None, into: Sheet | None = None
    ) -> None:
        """A new row of a file of pieces: of this one, or of the one whose columns it has."""
        if there is not None and self.claims.claim(overlay, edit.at, ("piece", edit.at), edit.span, adds=True):
            other = self.row_place(there[0], there[1], "already here")
            self.claims.errors.add("W612", f"{quoted(edit.at)} is already there", edit.span, "added", "", other)
        if there is not None:
            return
        if not isinstance(edit.now, dict):
            group, _, name = edit.at.partition(".")
            hint = f'a figure of a new group is added as "figure.{group}.{name}"'
            if not name:
                hint = "a piece is added by its id, with all its columns; many of them from a file: now = \"file.csv\""
            known = not name and group in {**self.tree.get("kind", {}), **self.tree.get("table", {})}
            text = f"{quoted(group)} takes no such value" if known else f"there is no {quoted(group)} to add to"
            self.claims.errors.add("W608", text, edit.span, "" if known else "unknown", hint)
            return
        row = {"id": edit.at, **edit.now}
        fitting = [sheet for sheet in self.sheets if set(sheet.header) == set(row)]
        if not fitting:
            columns = " or ".join(", ".join(sheet.header[1:]) for sheet in self.sheets)
            text = f"no file of pieces has just the columns of {quoted(edit.at)}"
            section, dot, rest = edit.at.partition(".")
            meant = get_close_matches(section, SECTIONS, n=1, cutoff=0.7) if dot else []
            hint = Suggestion(edit.at, f"{meant[0]}.{rest}") if meant else f"give all of {columns}"
            self.claims.errors.add("W608", text, edit.span, "added", hint)
            return
        sheet = into or fitting[0]
        if edit.before and edit.before not in sheet.at:
            text = f"there is no {quoted(edit.before)} to put it before"
            self.claims.errors.add("W608", text, edit.span, hint=near(edit.before, sheet.at, "pieces"))
        elif self.claims.claim(overlay, edit.at, ("piece", edit.at), edit.span, adds=True):
            sheet.insert([cell_text(row[column]) for column in sheet.header], edit.before)
            self.rows[sheet.file, edit.at] = edit.span
            self.note(overlay, edit, "", plain_value(bare(edit.now)), ("piece", edit.at))

    def cell(self, sheet: Sheet, id: str, column: str, overlay: Overlay, edit: Edit) -> None:
        cells = sheet.row(id)
        number = sheet.header.index(column)
        there = cells[number] if number < len(cells) else ""
        if there != cell_text(edit.was):
            value = int(there) if WHOLE.match(there) else there
            self.stale(edit, value, self.row_place(sheet, id, f"found: {there or 'nothing'}"))
        elif there == cell_text(edit.now):
            self.needless(overlay, edit, there)
        else:
            cells[number:] = [cell_text(edit.now), *cells[number + 1 :]]
            sheet.put(id, cells)
            self.rows[sheet.file, id] = edit.span
            self.note(overlay, edit, there, cell_text(edit.now), ("piece", id, column))

    def gone(self, address: str) -> Path:
        """The place of something that is not there: perhaps a field of a piece that an overlay took away."""
        id, _, column = address.rpartition(".")
        return ("piece", id, column) if ("piece", id) in self.claims.touched else ("piece", address)

    def row_place(self, sheet: Sheet, id: str, text: str) -> tuple[Related, ...]:
        """Where a row is, if no overlay wrote it."""
        line = sheet.at[id] + 1
        written = (sheet.file, id) in self.rows
        return () if written else (Related(Span(sheet.file, line, 1, line, len(sheet.lines[line - 1]) + 1), text),)


def make_room(tree: dict[str, Any], path: Path) -> None:
    """The section, and the group of a figure or a variable, in which something is to be added."""
    depth = 2 if path[0] in ("figure", "variable") and len(path) > 2 else 1
    holder = tree
    for part in path[:depth]:
        inner = holder.setdefault(str(part), {})
        if not isinstance(inner, dict):
            return
        holder = inner


def holder_of(tree: dict[str, Any], path: Path) -> Any:
    """The table that holds a place. A variable that is only its type becomes a table when more is said of it."""
    holder = at_path(tree, path[:-1])
    if path[0] == "variable" and len(path) == 4 and isinstance(holder, str | list):
        holder = {"type": holder}
        at_path(tree, path[:-2])[path[-2]] = holder
    return holder


def as_found(span: Span, value: Any) -> tuple[Related, ...]:
    return (Related(span, f"found: {plain_value(bare(value))}"),)


def value_of(value: Any) -> Any:
    return value["is"] if isinstance(value, dict) and "is" in value else value


def cited_in(value: Any) -> set[str]:
    """The ids that the marks of something in the tables name."""
    if not isinstance(value, dict):
        return set()
    found = {id_ for s in MARKS if isinstance(value.get(s), str) for id_ in ids_of(s, value[s])}
    return found.union(*(cited_in(inner) for inner in value.values()))
