"""The page of `warlock diff`: editions side by side, positions drawn with what differs outlined, effects plotted."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

from attrs import frozen

from workbench.diff.model import (
    Change,
    Difference,
    DiffReport,
    Edition,
    Effect,
    Measure,
    Moment,
    Reading,
    Side,
    SmallTable,
    Witness,
)
from workbench.diff.outlined import fewer, outlined
from workbench.diff.report import (
    KINDS,
    VERDICTS,
    counts,
    kinds_of,
    not_found,
    pairs_played,
    standing_of,
    where_played,
    where_said,
)
from workbench.language.phrases import Phrases
from workbench.pages.drawing import Chip, Picture, chip_of, draw
from workbench.pages.page import render_page

Row = tuple[str, float, float, float]


@frozen
class Drawn:
    """One side of a position as the page shows it."""

    side: Side
    picture: Picture | None
    only: tuple[str, ...] = ()


@frozen
class Position:
    """A position under either reading, whose view it is, and the figures of the pieces in sight."""

    sides: tuple[Drawn, ...]
    view: str
    legend: tuple[tuple[Chip, str], ...]
    marks: str = ""  # of free cells


@frozen
class Line:
    """A line of a rule, and whether the other reading has it."""

    text: str
    changed: bool


@frozen
class Text:
    """One address as it is written under both readings."""

    change: Change
    old: tuple[Line, ...]
    new: tuple[Line, ...]


@frozen
class Shown:
    """One reading as the page shows it: who has the first reading and who this one, and where it shows."""

    reading: Reading
    old: tuple[Edition, ...]
    new: tuple[Edition, ...]
    texts: tuple[Text, ...]
    names: int  # texts of the catalogues that are not shown
    table: SmallTable | None
    small: Position | None
    whole: Position | None


@frozen
class Chapter:
    number: str
    title: str
    differences: tuple[Difference, ...]


def diff_page(report: DiffReport) -> str:
    """The whole report as one page, in its language."""
    say = Phrases(report.lang)
    return render_page(
        "diff.html",
        title=report.title,
        subtitle=say("diff_subtitle"),
        say=say,
        kinds=kinds_of(report),
        kind=lambda name: say(KINDS[name]) if name in KINDS else name,
        standing=lambda cell: standing_of(cell, say),
        titles=lambda editions: _capital(say.together([one.title for one in editions])),
        capital=_capital,
        where_said=lambda source: where_said(source, say, {one.document: one.title for one in report.editions}),
        where_played=lambda witness: where_played(witness, say),
        not_found=lambda search: not_found(search, say),
        verdict=lambda measure: say(VERDICTS[measure.verdict]),
        pairs_played=lambda effect: pairs_played(effect, say),
        report=report,
        counts=counts(report),
        not_sought=[_capital(one.title or one.id) for one in report.differences if one.id in counts(report).not_sought],
        chapters=_chapters(report, say),
        shown={one.id: [_shown(one, reading, report, say) for reading in one.readings] for one in report.differences},
        plots=_plots(report.effect, say),
    )


def _capital(text: str) -> str:
    """A title with which a line begins."""
    return text[:1].upper() + text[1:]


def moments_of(difference: Difference) -> tuple[Drawn, ...]:
    """The position under each ruleset; once, if both look the same there."""
    witness = difference.witness
    if witness is None:
        return ()
    drawn = [Drawn(side, None if side.table is None else draw(side.table)) for side in (witness.old, witness.new)]
    alike = drawn[0].picture is not None and drawn[0].picture == drawn[1].picture
    return (drawn[0], Drawn(witness.new, None)) if alike else tuple(drawn)


def _chapters(report: DiffReport, say: Phrases) -> list[Chapter]:
    found: dict[str, list[Difference]] = {number: [] for number in report.chapters}
    for one in report.differences:
        found.setdefault(one.chapter, []).append(one)
    titles = {**report.chapters, "": say("diff_other_chapter") if any(report.chapters) else ""}
    return [Chapter(number, titles[number], tuple(own)) for number, own in found.items() if own]


# ---------------------------------------------------------------------- readings


def _shown(difference: Difference, reading: Reading, report: DiffReport, say: Phrases) -> Shown:
    number = 1 + difference.readings.index(reading)
    having = list(zip(report.editions, difference.cells, strict=True))
    witness = reading.witness
    table = witness.table if witness is not None else None
    written = [unit for unit in reading.units if unit.kind != "name"]
    return Shown(
        reading,
        tuple(edition for edition, cell in having if cell.reading == 0),
        tuple(edition for edition, cell in having if cell.reading == number),
        tuple(_text(unit) for unit in written),
        len(reading.units) - len(written),
        table,
        None if table is None else _position(table.moment, say, small=True),
        None if witness is None else _position(_moment(witness), say),
    )


def _moment(witness: Witness) -> Moment:
    only = witness.only_old, witness.only_new
    return Moment(witness.what, witness.viewer, witness.old, witness.new, *only)


def _position(moment: Moment, say: Phrases, small: bool = False) -> Position:
    tables = moment.old.table, moment.new.table
    if tables[0] is not None and tables[1] is not None:
        both = outlined(tables[0], tables[1])
        pictures: Sequence[Picture | None] = fewer(*both) if small else both
    else:
        pictures = [None if table is None else draw(table) for table in tables]
    sides = (moment.old, pictures[0], moment.only_old), (moment.new, pictures[1], moment.only_new)
    seen = tables[0] or tables[1]
    view = say("diff_everybody") if moment.viewer < 0 or seen is None else _view(seen.seats[moment.viewer].name, say)
    return Position(tuple(Drawn(*side) for side in sides), view, _legend(moment), _marks(moment))


def _view(player: str, say: Phrases) -> str:
    return say("diff_view", player=player)


def _legend(moment: Moment) -> tuple[tuple[Chip, str], ...]:
    """The pieces in sight with their figures; those that are alike once."""
    found: dict[tuple[str, str], Chip] = {}
    for side in (moment.old, moment.new):
        texts = dict(side.legend)
        for zone in side.table.zones if side.table is not None else ():
            for piece in zone.pieces:
                if piece.name in texts:
                    chip = chip_of(piece)
                    found.setdefault((chip.text, texts[piece.name]), chip)
    return tuple((chip, text) for (_, text), chip in found.items())


def _marks(moment: Moment) -> str:
    """The marks of the free cells that are drawn, where there is more than one."""
    tables = [side.table for side in (moment.old, moment.new) if side.table is not None]
    cells = [cell for table in tables for zone in table.zones if zone.is_map and zone.count for cell in zone.cells]
    found = {cell.mark for cell in cells if not cell.pieces}
    return " ".join(sorted(found)) if len(found) > 1 else ""


def _text(unit: Change) -> Text:
    """What is written under both readings, line by line."""
    old, new = unit.old.split("\n"), unit.new.split("\n")
    same_old, same_new = set[int](), set[int]()
    for block in SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks():
        same_old |= set(range(block.a, block.a + block.size))
        same_new |= set(range(block.b, block.b + block.size))
    return Text(
        unit,
        tuple(Line(line, number not in same_old) for number, line in enumerate(old) if unit.old),
        tuple(Line(line, number not in same_new) for number, line in enumerate(new) if unit.new),
    )


# ------------------------------------------------------------------------ effect


def _plots(effect: Effect | None, say: Phrases) -> list[tuple[str, str, list[Row]]]:
    """The measures that can be drawn on one scale: unit, title, rows."""
    if effect is None:
        return []
    groups: dict[str, list[Measure]] = {}
    for measure in effect.measures:
        if measure.verdict != "same":
            groups.setdefault(measure.unit, []).append(measure)
    return [(unit, say("diff_change_in", unit=unit), _rows(measures)) for unit, measures in groups.items()]


def _rows(measures: Sequence[Measure]) -> list[Row]:
    return [(measure.label, measure.difference, measure.low, measure.high) for measure in measures]
