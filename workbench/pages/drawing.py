"""The view of a table as a page shows it: panels with zones, grids with cells, pieces as coloured chips."""

from __future__ import annotations

from collections.abc import Container, Sequence

from attrs import evolve, frozen
from rich.style import Style
from rich.terminal_theme import TerminalTheme

from workbench.service.table import Piece, Table, Zone
from workbench.terminal.colours import style_of

# Colours that can be read on a light and on a dark ground.
DARK = ["#464646", "#c43c3c", "#2e8c46", "#b08614", "#3468c8", "#9646aa", "#1e8c96", "#787878"]
BRIGHT = ["#828282", "#d65050", "#3ca054", "#c49a28", "#4c80dc", "#ac5cc0", "#2ca0aa", "#969696"]


def _parts(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


THEME = TerminalTheme((255, 255, 255), (60, 60, 60), [*map(_parts, DARK)], [*map(_parts, BRIGHT)])


@frozen
class Chip:
    """A piece: what is written on it, its name in full, its colour, how many alike lie side by side.

    `outlined`: another picture of the same table does not have it there.
    """

    text: str
    title: str
    colour: str
    back: bool = False
    count: int = 1
    outlined: bool = False


@frozen
class Cell:
    """A cell of a grid: its name, the mark of the region it lies in, and the piece on it; None: no cell there."""

    name: str
    mark: str
    chip: Chip | None
    outlined: bool = False


@frozen
class Area:
    """A zone: a row of chips, or a grid of cells (`rows` is then not empty). `count` is "?" where it is hidden.

    `slanted`: each row begins half a cell to the right of the one above. `columns` and `lines` are what the lines of a
    plan are called, where they have names. `key` tells it from all others.
    """

    name: str
    count: str
    chips: tuple[Chip, ...]
    rows: tuple[tuple[Cell | None, ...], ...] = ()
    slanted: bool = False
    key: str = ""
    outlined: bool = False
    columns: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()


@frozen
class Panel:
    """The table or one seat: markers and counters in words, and the zones. `outlined` are those of the remarks that
    another picture of the same table does not have."""

    title: str
    asked: bool
    remarks: tuple[str, ...]
    areas: tuple[Area, ...]
    outlined: tuple[str, ...] = ()


@frozen
class Picture:
    table: Panel
    seats: tuple[Panel, ...]


def draw(table: Table, kept: Container[str] = ()) -> Picture:
    """The view of a table as a page shows it. Empty zones are left out, but for those that are to be kept."""
    seats = [
        Panel(name, number == table.to_move, _seat_remarks(table, number), _areas(table, number, kept))
        for name, number in ((seat.name, seat.number) for seat in table.seats)
    ]
    shared = tuple(note.text for note in table.notes if note.owner < 0 and note.seat < 0)
    return Picture(Panel(table.title, False, shared, _areas(table, -1, kept)), tuple(seats))


def colour_of(style: Style) -> str:
    """A style of the terminal as a colour of a page; "" where it has none."""
    if style.color is None or style.color.is_default:
        return ""
    return style.color.get_truecolor(THEME).hex


def _areas(table: Table, seat: int, kept: Container[str]) -> tuple[Area, ...]:
    return tuple(_area(zone) for zone in table.zones_of(seat) if zone.count != 0 or zone.key in kept)


def _area(zone: Zone) -> Area:
    count = "?" if zone.count is None else str(zone.count)
    if zone.is_map:
        names = (tuple(zone.columns), tuple(zone.rows)) if zone.shape == "square" else ((), ())
        return Area(zone.label, count, (), _rows(zone), zone.shape == "hex", zone.key, False, *names)
    return Area(zone.label, count, _chips(zone.pieces), key=zone.key)


def chip_of(piece: Piece) -> Chip:
    if not piece.name:
        return Chip("", piece.label, "", back=True)
    text = f"{piece.short}+{piece.holds}" if piece.holds else piece.short
    return Chip(text, piece.full, colour_of(style_of(piece.colour)))


def _chips(pieces: Sequence[Piece]) -> tuple[Chip, ...]:
    found: list[Chip] = []
    for chip in map(chip_of, pieces):
        last = found[-1] if found else None
        if last is not None and (last.text, last.title, last.back) == (chip.text, chip.title, chip.back):
            found[-1] = Chip(chip.text, chip.title, chip.colour, chip.back, last.count + 1)
        else:
            found.append(chip)
    return tuple(found)


def _rows(zone: Zone) -> tuple[tuple[Cell | None, ...], ...]:
    cells: dict[tuple[int, int], Cell] = {}
    for cell in zone.cells:
        chip = evolve(chip_of(zone.pieces[cell.pieces[-1]]), count=len(cell.pieces)) if cell.pieces else None
        cells[cell.row, cell.column] = Cell(cell.name, cell.short or cell.mark, chip)
    return tuple(tuple(cells.get((row, c)) for c in range(len(zone.columns))) for row in range(len(zone.rows)))


def _seat_remarks(table: Table, seat: int) -> tuple[str, ...]:
    notes = (note for note in table.notes if note.owner == seat or (note.owner < 0 and note.seat == seat))
    return tuple(note.text if note.owner == seat else f"\u25c6 {note.label}" for note in notes)
