"""What a player sees as data for a page: panels with zones, grids with cells, pieces as coloured chips."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve, frozen
from rich.style import Style
from rich.terminal_theme import TerminalTheme

from interpreter import Observation, Shown, ZoneView
from workbench.language.sentences import Words
from workbench.terminal.board import Board, region_marks

# Colours that can be read on a light and on a dark ground.
DARK = ["#464646", "#c43c3c", "#2e8c46", "#b08614", "#3468c8", "#9646aa", "#1e8c96", "#787878"]
BRIGHT = ["#828282", "#d65050", "#3ca054", "#c49a28", "#4c80dc", "#ac5cc0", "#2ca0aa", "#969696"]


def _parts(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


THEME = TerminalTheme((255, 255, 255), (60, 60, 60), [*map(_parts, DARK)], [*map(_parts, BRIGHT)])


@frozen
class Chip:
    """A piece: what is written on it, its name in full, its colour, how many alike lie side by side."""

    text: str
    title: str
    colour: str
    back: bool = False
    count: int = 1


@frozen
class Cell:
    """A cell of a grid: its name, the mark of the region it lies in, and the piece on it; None: no cell there."""

    name: str
    mark: str
    chip: Chip | None


@frozen
class Area:
    """A zone: a row of chips, or a grid of cells (`rows` is then not empty). `count` is "?" where it is hidden.

    `slanted`: each row begins half a cell to the right of the one above.
    """

    name: str
    count: str
    chips: tuple[Chip, ...]
    rows: tuple[tuple[Cell | None, ...], ...] = ()
    slanted: bool = False


@frozen
class Panel:
    """The table or one seat: markers and counters in words, and the zones."""

    title: str
    asked: bool
    remarks: tuple[str, ...]
    areas: tuple[Area, ...]


@frozen
class Picture:
    table: Panel
    seats: tuple[Panel, ...]


def draw(words: Words, view: Observation, asked: int = -1) -> Picture:
    """The table as the observation shows it; `asked` is the seat whose turn it is."""
    return _Drawing(words, view).picture(asked)


def colour_of(style: Style) -> str:
    """A style of the terminal as a colour of a page; "" where it has none."""
    if style.color is None or style.color.is_default:
        return ""
    return style.color.get_truecolor(THEME).hex


class _Drawing(Board):
    def picture(self, asked: int) -> Picture:
        table = Panel(self.words.title(), False, tuple(self._table_remarks()), tuple(self._areas(-1)))
        seats = [
            Panel(self.words.seat(seat), seat == asked, tuple(self._seat_remarks(seat)), tuple(self._areas(seat)))
            for seat in range(self.view.players)
        ]
        return Picture(table, tuple(seats))

    def _areas(self, seat: int) -> list[Area]:
        own = [zone for zone in self.view.zones if zone.owner == seat and not zone.holder]
        return [self._area(zone) for zone in own if zone.count != 0]

    def _area(self, zone: ZoneView) -> Area:
        name = self.words.zone(zone.name, by=zone.by, row=zone.row)
        count = "?" if zone.count is None else str(zone.count)
        if self.is_map(zone):
            hexagons = self.components.grids[self.components.zones[zone.name].grid].shape == "hex"
            return Area(name, count, (), self._rows(zone), hexagons)
        return Area(name, count, self._chips(zone.pieces))

    def _chip(self, piece: Shown) -> Chip:
        label, style = self.look(piece)
        held = sum(zone.count or 0 for zone in self.held.get(piece.name, ()))
        if not piece.name:
            return Chip("", self.words.shown(piece), "", back=True)
        return Chip(f"{label}+{held}" if held else label, self.full(piece).plain, colour_of(style))

    def _chips(self, pieces: Sequence[Shown]) -> tuple[Chip, ...]:
        found: list[Chip] = []
        for chip in map(self._chip, pieces):
            last = found[-1] if found else None
            if last is not None and (last.text, last.title, last.back) == (chip.text, chip.title, chip.back):
                found[-1] = Chip(chip.text, chip.title, chip.colour, chip.back, last.count + 1)
            else:
                found.append(chip)
        return tuple(found)

    def _rows(self, zone: ZoneView) -> tuple[tuple[Cell | None, ...], ...]:
        plan = self.components.grids[self.components.zones[zone.name].grid]
        marks = [self.spot(zone, number) for number in range(len(plan.cells))] if plan.table else region_marks(plan)
        cells: dict[tuple[int, int], Cell] = {}
        for number, ((row, column, top), lying) in enumerate(zip(zone.cells, zone.lying(), strict=True)):
            chip = evolve(self._chip(zone.pieces[top]), count=len(lying)) if lying else None
            cells[row, column] = Cell(self.words.cell(zone.name, row, column), marks[number], chip)
        return tuple(tuple(cells.get((row, c)) for c in range(plan.width)) for row in range(plan.height))

    def _table_remarks(self) -> list[str]:
        found = [v for v in self.view.variables if v.owner < 0 and not v.holder and v.value is not None]
        return [self._variable(v).plain for v in found if v.value is not None and v.value.what != "player"]

    def _seat_remarks(self, seat: int) -> list[str]:
        found = []
        for variable in self.view.variables:
            value = variable.value
            if variable.holder or value is None:
                continue
            if variable.owner < 0 and value.what == "player" and value.owner == seat:
                found.append(f"\u25c6 {self.words.name(f'variable.{variable.name}')}")
            elif variable.owner == seat:
                found.append(self._variable(variable).plain)
        return found
