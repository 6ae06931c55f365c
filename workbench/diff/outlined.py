"""Two views of one table as pictures in which what differs is outlined."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from attrs import evolve

from workbench.pages.drawing import Area, Cell, Chip, Panel, Picture, draw
from workbench.service.table import Table


def outlined(old: Table, new: Table) -> tuple[Picture, Picture]:
    """The two pictures. A zone that is empty in the one is drawn there too, if it is not in the other."""
    kept = {zone.key for table in (old, new) for zone in table.zones if zone.count != 0}
    pictures = draw(old, kept), draw(new, kept)
    areas = [{area.key: area for panel in _panels(one) for area in panel.areas} for one in pictures]
    return _marked(pictures[0], pictures[1], areas[1]), _marked(pictures[1], pictures[0], areas[0])


def fewer(*pictures: Picture) -> tuple[Picture, ...]:
    """The pictures without the seats who in none of them are asked, have anything before them, or differ."""
    kept = {
        number
        for picture in pictures
        for number, seat in enumerate(picture.seats)
        if seat.asked or seat.areas or seat.outlined
    }
    return tuple(
        evolve(picture, seats=tuple(seat for number, seat in enumerate(picture.seats) if number in kept))
        for picture in pictures
    )


def _panels(picture: Picture) -> tuple[Panel, ...]:
    return picture.table, *picture.seats


def _marked(ours: Picture, theirs: Picture, areas: Mapping[str, Area]) -> Picture:
    seats = tuple(_panel(one, other, areas) for one, other in zip(ours.seats, theirs.seats, strict=True))
    return Picture(_panel(ours.table, theirs.table, areas), seats)


def _panel(ours: Panel, theirs: Panel, areas: Mapping[str, Area]) -> Panel:
    remarks = tuple(remark for remark in ours.remarks if remark not in theirs.remarks)
    return evolve(ours, areas=tuple(_area(one, areas.get(one.key)) for one in ours.areas), outlined=remarks)


def _area(ours: Area, theirs: Area | None) -> Area:
    if ours == theirs:
        return ours
    if theirs is None or bool(ours.rows) != bool(theirs.rows):
        return evolve(ours, outlined=True)
    if ours.rows:
        there = {cell.name: cell for row in theirs.rows for cell in row if cell is not None}
        rows = tuple(tuple(_cell(cell, there) for cell in row) for row in ours.rows)
        return evolve(ours, rows=rows, outlined=True)
    left = Counter({(chip.text, chip.title): chip.count for chip in theirs.chips})
    return evolve(ours, chips=tuple(_chip(chip, left) for chip in ours.chips), outlined=True)


def _cell(ours: Cell | None, theirs: Mapping[str, Cell]) -> Cell | None:
    return ours if ours is None or ours == theirs.get(ours.name) else evolve(ours, outlined=True)


def _chip(ours: Chip, left: Counter[tuple[str, str]]) -> Chip:
    """A chip that the other picture has, too, is left as it is; each of theirs stands for one of ours."""
    what = ours.text, ours.title
    same = left[what] >= ours.count
    left[what] -= ours.count
    return ours if same else evolve(ours, outlined=True)
