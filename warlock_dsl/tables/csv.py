"""CSV files with places: the cells of every row, each knowing its line and column."""

from __future__ import annotations

import re

from attrs import frozen

from warlock_dsl.diagnostics.collect import DiagnosticList, quoted
from warlock_dsl.diagnostics.diagnostic import Span
from warlock_dsl.limits import MAX_PIECES

# A cell, quoted or plain. Quotes inside a quoted cell are doubled; a cell does not run over the end of a line.
_QUOTED = re.compile(r'[ \t]*"([^"]*(?:""[^"]*)*)"[ \t]*(?=,|\Z)')
_PLAIN = re.compile(r'[^,"]*(?=,|\Z)')


@frozen
class CsvCell:
    """The text of a cell and where it is; `plain` if it is written as it reads, so that its parts have places."""

    text: str
    span: Span
    plain: bool

    def place(self, start: int, end: int) -> Span:
        """The span of a part of the text."""
        if not self.plain:
            return self.span
        span = self.span
        return Span(span.file, span.line, span.column + start, span.line, span.column + end)


@frozen
class CsvRow:
    cells: tuple[CsvCell, ...]
    span: Span


@frozen
class CsvFile:
    header: CsvRow
    rows: tuple[CsvRow, ...]


def read_csv(text: str, file: str, errors: DiagnosticList) -> CsvFile | None:
    """The rows of a file under its header. Empty lines are passed over; a row of the wrong length is left out."""
    rows: list[CsvRow] = []
    sound = True
    for index, line in enumerate(text.replace("\r\n", "\n").split("\n")):
        if not line.strip():
            continue
        row = _split(line, file, index + 1, errors)
        if row is None:
            sound = False
        elif rows and len(row.cells) != len(rows[0].cells):
            sound = False
            wanted, found = len(rows[0].cells), len(row.cells)
            errors.add("W214", f"this row has {found} cells, but the header has {wanted}", row.span)
        else:
            rows.append(row)
        if len(rows) > MAX_PIECES + 1:
            errors.add("W237", f"a file of pieces may have at most {MAX_PIECES:,} rows", rows[-1].span)
            return None
    if not rows:
        if sound:
            errors.add("W214", "this file is empty; its first line names its columns", Span(file, 1, 1, 1, 1))
        return None
    return CsvFile(rows[0], tuple(rows[1:])) if _header(rows[0], errors) else None


def _header(row: CsvRow, errors: DiagnosticList) -> bool:
    seen: set[str] = set()
    for cell in row.cells:
        if not cell.text:
            errors.add("W214", "a column has no name", cell.span)
        elif cell.text in seen:
            errors.add("W214", f"there are two columns {quoted(cell.text)}", cell.span)
        seen.add(cell.text)
    if row.cells[0].text != "id":
        errors.add("W214", f"the first column is 'id', not {quoted(row.cells[0].text)}", row.cells[0].span)
        return False
    return len(seen) == len(row.cells) and "" not in seen


def _split(line: str, file: str, number: int, errors: DiagnosticList) -> CsvRow | None:
    cells: list[CsvCell] = []
    at = 0
    while True:
        match = _QUOTED.match(line, at) or _PLAIN.match(line, at)
        if match is None:
            hint = 'a cell with a comma or a quote in it is put in quotes, and a quote in it is doubled: "a ""b"", c"'
            errors.add("W214", "this cell cannot be read", Span(file, number, at + 1, number, len(line) + 1), hint=hint)
            return None
        plain = match.re is _PLAIN
        text = match[0] if plain else match[1].replace('""', '"')
        lead = len(text) - len(text.lstrip()) if plain else 0
        start = at + lead
        end = max(start, at + len(match[0].rstrip()))
        cells.append(CsvCell(text.strip(), Span(file, number, start + 1, number, end + 1), plain))
        at = match.end()
        if at >= len(line):
            return CsvRow(tuple(cells), Span(file, number, 1, number, len(line) + 1))
        at += 1
