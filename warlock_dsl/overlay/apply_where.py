"""One change over many rows: `where` in an overlay, spread into a change of each row of a table or of pieces."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from attrs import evolve, frozen

from warlock_dsl.diagnostics.collect import near, quoted
from warlock_dsl.diagnostics.diagnostic import Related
from warlock_dsl.overlay.addresses import address_place, section_of
from warlock_dsl.overlay.changes import Claims
from warlock_dsl.overlay.csv_edit import Sheet
from warlock_dsl.overlay.read import Edit, Overlay
from warlock_dsl.tables.schema import is_mark
from warlock_dsl.tables.values import cell_text, plain_value, same, toml

WHOLE = re.compile(r"-?[0-9]{1,12}\Z")  # a cell of a CSV file that is a whole number
MAX_PICKING = 200
MAX_PICKED = 20_000


@frozen
class Rows:
    """The rows that one `where` looks through: of each its address, and its cells by column."""

    columns: Sequence[str]
    cells: Mapping[str, Mapping[str, Any]]
    texts: bool  # the cells are those of a CSV file

    def value(self, address: str, column: str) -> Any:
        """A cell as an overlay would write it; that of a CSV file as a number where it is one."""
        cell = _value(self.cells[address].get(column, ""))
        return int(cell) if self.texts and WHOLE.match(cell) else cell

    def fits(self, address: str, where: Mapping[str, Any]) -> bool:
        row = self.cells[address]
        if self.texts:
            return all(row.get(column) == cell_text(value) for column, value in where.items())
        return all(column in row and same(_value(row[column]), value) for column, value in where.items())


def spread(tree: Mapping[str, Any], sheets: Sequence[Sheet], overlay: Overlay, claims: Claims) -> list[Edit]:
    """The changes of an overlay, each of one thing. All look at the tables as the overlay finds them."""
    found: list[Edit] = []
    known: dict[str, Rows | None] = {}
    picking = 0
    for edit in overlay.edits:
        if not edit.where:
            found.append(edit)
            continue
        picking += 1
        if picking > MAX_PICKING or len(found) > MAX_PICKED:
            text = f"at most {MAX_PICKING} changes may have a 'where', and they may pick {MAX_PICKED:,} rows in all"
            claims.errors.add("W603", text, edit.span)
            return []
        head = edit.at.partition(".")[0]
        if head not in known:
            known[head] = rows_of(tree, sheets, head)
        found += _each(tree, known[head], edit, overlay, claims)
    return found


def _each(tree: Mapping[str, Any], rows: Rows | None, edit: Edit, overlay: Overlay, claims: Claims) -> list[Edit]:
    head, _, column = edit.at.partition(".")
    errors = claims.errors
    if rows is None:
        known = [*section_of(tree, "table"), *section_of(tree, "kind")]
        text = f"there are no rows of {quoted(head)} to change"
        label = "a table, or a kind whose pieces are in a file"
        errors.add("W608", text, edit.span, label, near(head, known, "tables and kinds"))
        return []
    unknown = [name for name in (column, *edit.where) if name not in rows.columns]
    if unknown:
        text = f"{quoted(head)} has no column {quoted(unknown[0])}"
        span = edit.span if unknown[0] == column else overlay.places.key((*edit.path, "where", unknown[0]))
        errors.add("W608", text, span, "unknown", near(unknown[0], rows.columns, "columns"))
        return []
    if _picked_by_another(tree, rows, edit, overlay, claims):
        return []
    fitting = [address for address in rows.cells if rows.fits(address, edit.where)]
    if not fitting:
        text = f"no row of {quoted(head)} is such as 'where' says"
        errors.add("W608", text, edit.span, "changes nothing", "look at its rows with warlock show")
    others = [address for address in fitting if not rows.fits(address, {column: edit.was})]
    if others:
        now = plain_value(_value(rows.cells[others[0]].get(column, "")))
        was = plain_value(edit.was)
        text = f"{quoted(edit.at)} was expected to be {was}, but is {now or 'empty'} in {quoted(others[0])}"
        more = f" and in {len(others) - 1} more of {len(fitting)}" if len(others) > 1 else ""
        hint = f"make a change for each value: where = {toml({**edit.where, column: edit.was})}"
        errors.add("W609", text + more, edit.was_span, "expects this", hint)
        return []
    return [evolve(edit, at=f"{address}.{column}") for address in fitting]


def _picked_by_another(tree: Mapping[str, Any], rows: Rows, edit: Edit, overlay: Overlay, claims: Claims) -> bool:
    """Whether an overlay below changed a cell by which rows are picked: then others are picked than were meant."""
    for address in rows.cells:
        for column in edit.where:
            where = ("piece", address, column) if rows.texts else address_place(tree, f"{address}.{column}")
            other = claims.touched.get(where)
            if other is not None and other.overlay.name not in (*overlay.builds_on, overlay.name):
                lower, upper = other.overlay.name, overlay.name
                text = f"'{lower}' changes {quoted(other.address)}, by which '{upper}' picks what it changes"
                hint = f"take one of them, or let '{upper}' see what '{lower}' made: builds_on = [\"{lower}\"]"
                claims.errors.add("W610", text, edit.span, f"'{upper}'", hint, (Related(other.span, f"'{lower}'"),))
                return True
    return False


def rows_of(tree: Mapping[str, Any], sheets: Sequence[Sheet], head: str) -> Rows | None:
    """The rows of a table, or of the kind whose pieces are in a file; None where there is neither."""
    table = section_of(tree, "table").get(head)
    if isinstance(table, dict):
        rows, columns = table.get("rows"), table.get("columns")
        if not isinstance(rows, dict) or not isinstance(columns, dict):
            return None
        cells = {f"{head}.{name}": row for name, row in rows.items() if isinstance(row, dict) and not is_mark(name)}
        return Rows(list(columns), cells, False)
    kind = section_of(tree, "kind").get(head)
    file = kind.get("rows") if isinstance(kind, dict) else None
    for sheet in sheets:
        if sheet.file == file:
            cells = {id: dict(zip(sheet.header[1:], sheet.row(id)[1:], strict=False)) for id in sheet.at}
            return Rows(sheet.header[1:], cells, True)
    return None


def _value(cell: Any) -> Any:
    return cell["is"] if isinstance(cell, dict) and "is" in cell else cell
