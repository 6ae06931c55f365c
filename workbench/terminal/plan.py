"""Draws plans that are no table of squares, as lines of text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.text import Text

from workbench.service.table import Zone
from workbench.terminal.colours import QUIET

Spot = tuple[int, int, Text]  # a line, a column, and what begins there


def hexagons(zone: Zone, labels: Sequence[Text]) -> list[Text]:
    """A plan of hexagons, each row half a cell to the right of the one above; `labels` are those of the cells."""
    half = (max(label.cell_len for label in labels) + 2) // 2
    spots = [
        (cell.row, (2 * cell.column + cell.row) * half, label) for cell, label in zip(zone.cells, labels, strict=True)
    ]
    for row, name in enumerate(zone.rows):
        number = Text(name, QUIET)
        first = min((column for line, column, _ in spots if line == row), default=0)
        spots.append((row, first - 1 - number.cell_len, number))
    heads = [(-1, (2 * column - 1) * half, Text(letters, QUIET)) for column, letters in enumerate(zone.columns)]
    return drawn([*heads, *spots])


def drawn(spots: Iterable[Spot]) -> list[Text]:
    """Texts where they belong, line by line; the leftmost begins at the margin."""
    found = sorted(spots, key=lambda spot: spot[:2])
    margin = min(column for _, column, _ in found)
    top, bottom = found[0][0], found[-1][0]
    lines = [Text() for _ in range(top, bottom + 1)]
    for line, column, text in found:
        there = lines[line - top]
        there.append(" " * max(column - margin - there.cell_len, 1 if there else 0))
        there.append_text(text)
    return lines
