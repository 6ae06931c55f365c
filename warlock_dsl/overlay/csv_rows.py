"""Rows of a CSV file of an overlay, each as an addition of its own: pieces of a kind, or rows of a table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from attrs import evolve, frozen

from warlock_dsl.diagnostics.collect import near, quoted
from warlock_dsl.diagnostics.diagnostic import Span
from warlock_dsl.overlay.addresses import section_of
from warlock_dsl.overlay.changes import Claims
from warlock_dsl.overlay.csv_edit import Sheet
from warlock_dsl.overlay.read import MAX_EDITS, Edit, Overlay
from warlock_dsl.tables.csv import CsvFile, CsvRow, read_csv
from warlock_dsl.tables.toml_spans import Path


@frozen
class CsvPlaces:
    """Where the values of a row are that came from a file; `target` is its address in the tables."""

    target: Path
    row: Span
    cells: Mapping[str, Span]

    def of(self, path: Path) -> Span:
        inner = path[len(self.target) :]
        return self.cells.get(str(inner[0]), self.row) if inner else self.row

    def key(self, path: Path) -> Span:
        return self.of(path)


@frozen
class Addition:
    """One row: what is added, the file of pieces it goes into (None: a table), and where its cells are."""

    edit: Edit
    sheet: Sheet | None
    cells: Mapping[str, Span]


def is_file(edit: Edit) -> bool:
    """Whether an addition names a file of rows."""
    return edit.verb == "add" and isinstance(edit.now, str) and edit.now.endswith(".csv")


def additions(
    tree: Mapping[str, Any], sheets: Sequence[Sheet], overlay: Overlay, edit: Edit, claims: Claims
) -> list[Addition]:
    """What a file adds to a kind or a table; nothing after an error."""
    tables, kinds = section_of(tree, "table"), section_of(tree, "kind")
    sheet = _sheet(kinds.get(edit.at), sheets)
    columns = tables[edit.at].get("columns") if isinstance(tables.get(edit.at), dict) else None
    if sheet is None and not isinstance(columns, dict):
        known = [name for name, one in tables.items() if isinstance(one, dict) and one.get("columns")]
        known += [name for name, kind in kinds.items() if _sheet(kind, sheets)]
        text = f"there is no {quoted(edit.at)} to which a file can add rows"
        label = "a table with columns, or a kind whose pieces are in a file"
        claims.errors.add("W608", text, edit.span, label, near(edit.at, known, "tables and kinds"))
        return []
    found = _read(overlay, edit, claims)
    wanted = list(columns or ()) if sheet is None else sheet.header[1:]
    if found is None or not _columns_fit(found, wanted, edit, claims):
        return []
    if len(found.rows) > MAX_EDITS:
        text = f"an overlay may add at most {MAX_EDITS:,} rows from a file"
        claims.errors.add("W603", text, found.rows[MAX_EDITS].span)
        return []
    return [_addition(edit, row, found.header, sheet, columns) for row in found.rows]


def _sheet(kind: object, sheets: Sequence[Sheet]) -> Sheet | None:
    file = kind.get("rows") if isinstance(kind, dict) else None
    return next((sheet for sheet in sheets if sheet.file == file), None)


def _read(overlay: Overlay, edit: Edit, claims: Claims) -> CsvFile | None:
    file = f"+{overlay.name}/{edit.now}"
    if file not in overlay.files:
        known = [name.rpartition("/")[2] for name in overlay.files if name.endswith(".csv")]
        text = f"the overlay has no file {quoted(edit.now)}"
        claims.errors.add("W221", text, overlay.places.of((*edit.path, "now")), hint=near(edit.now, known, "CSV files"))
        return None
    return read_csv(overlay.files[file], file, claims.errors)


def _columns_fit(found: CsvFile, wanted: Iterable[str], edit: Edit, claims: Claims) -> bool:
    """Whether a file has just the columns of what it adds to."""
    names = [cell.text for cell in found.header.cells[1:]]
    if set(names) == set(wanted):
        return True
    text = f"these are not the columns of {quoted(edit.at)}"
    claims.errors.add("W608", text, found.header.span, hint=f"its columns: {', '.join(('id', *wanted))}")
    return False


def _addition(
    edit: Edit, row: CsvRow, header: CsvRow, sheet: Sheet | None, columns: Mapping[str, Any] | None
) -> Addition:
    names = [cell.text for cell in header.cells]
    id, texts = row.cells[0], dict(zip(names[1:], row.cells[1:], strict=True))
    now: dict[str, Any] = {name: cell.text for name, cell in texts.items()}
    if sheet is None:
        now = {name: value(cell.text, str((columns or {}).get(name, ""))) for name, cell in texts.items()}
    at = id.text if sheet is not None else f"{edit.at}.{id.text}"
    spans = {name: cell.span for name, cell in texts.items()}
    return Addition(evolve(edit, at=at, now=now, span=id.span), sheet, spans)


def value(text: str, type_: str) -> Any:
    """A cell as the value of a column of this type; what cannot be one stays a text, and is reported as such."""
    if type_.startswith("[") and type_.endswith("]"):
        return [value(word, type_[1:-1].strip()) for word in text.split()]
    if type_ == "truth":
        return {"true": True, "false": False}.get(text, text)
    if type_ == "number":
        try:
            number = Fraction(text) if "/" not in text else None
        except (ValueError, ZeroDivisionError):
            number = None
        return text if number is None else int(number) if number.denominator == 1 else number
    return text
