"""The CSV files of pieces while overlays change them: rows by their id, the lines kept in their places."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import define, field

from warlock_dsl.overlay.addresses import cells_of, csv_files
from warlock_dsl.tables.values import csv_line


@define
class Sheet:
    """One file. A row taken away leaves an empty line, so that the others keep their numbers."""

    file: str
    lines: list[str]
    header: list[str]
    at: dict[str, int] = field(factory=dict)  # by id: its line, from 0

    def index(self) -> None:
        self.at = {cells[0]: n for n, line in enumerate(self.lines) if n and (cells := cells_of(line))}

    def row(self, id: str) -> list[str]:
        return cells_of(self.lines[self.at[id]])

    def put(self, id: str, cells: list[str]) -> None:
        self.lines[self.at[id]] = csv_line(cells)

    def take(self, id: str) -> str:
        line = self.lines[self.at[id]]
        self.lines[self.at.pop(id)] = ""
        return line

    def insert(self, cells: list[str], before: str) -> None:
        """A new row: before another (where one was taken away, in its place), or at the end."""
        number = self.at.get(before, 0)
        if number > 1 and not self.lines[number - 1].strip():
            self.lines[number - 1] = csv_line(cells)
            self.at[cells[0]] = number - 1
            return
        if not number:
            while len(self.lines) > 1 and not self.lines[-1].strip():
                self.lines.pop()
            self.lines += [csv_line(cells), ""]
            self.at[cells[0]] = len(self.lines) - 2
            return
        self.lines.insert(number, csv_line(cells))
        self.index()


def sheets_of(files: Mapping[str, str], tree: Mapping[str, Any]) -> list[Sheet]:
    """The files the kinds of a game name, in the order of the kinds."""
    found = []
    for file in dict.fromkeys(csv_files(tree)):
        if file in files:
            lines = files[file].split("\n")
            sheet = Sheet(file, lines, cells_of(lines[0]))
            sheet.index()
            found.append(sheet)
    return found


def piece_at(sheets: list[Sheet], address: str) -> tuple[Sheet, str, str] | None:
    """The file, the id and the column an address means: `ID`, or `ID.COLUMN`."""
    id, _, column = address.rpartition(".")
    for sheet in sheets:
        if address in sheet.at:
            return sheet, address, ""
        if id in sheet.at:
            return sheet, id, column
    return None
