"""What `warlock diff` and `warlock replay --under` say at the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen
from rich import box
from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from workbench.diff.describe import MAX_TOLD
from workbench.diff.model import (
    Cell,
    Difference,
    DiffReport,
    Effect,
    Reading,
    Search,
    Side,
    SmallTable,
    Witness,
)
from workbench.diff.other_rules import Crossing

OLD, NEW = "red", "green"
MAX_LINES = 12  # of a list that is told
BETWEEN = " / "  # titles of editions that have the same reading
KINDS = {
    "mechanical": "diff_kind_mechanical",
    "visibility": "diff_kind_visibility",
    "component": "diff_kind_component",
    "rule": "diff_kind_rule",
    "value": "diff_kind_value",
    "wording": "diff_kind_wording",
    "misprint": "diff_kind_misprint",
    "name": "diff_kind_name",
}  # by kind, in the order of a list: the phrase for it
SILENT = ("name",)  # changes that nobody can meet in play: counted, not shown


def tell_report(out: Console, report: DiffReport, moves: bool = False, names: bool = False) -> None:
    """Every difference, and the sum of them. `moves` tells the decisions of each witness, `names` every text."""
    tell_structure(out, report, names)
    tell_play(out, report, moves)


def tell_structure(out: Console, report: DiffReport, names: bool = False, idle: bool = False) -> None:
    """What is written otherwise, chapter by chapter; with `idle` also what only the documents say otherwise."""
    titles = [edition.title for edition in report.editions]
    parts: list[str | tuple[str, str]] = [(report.title, "bold"), ": "]
    for number, title in enumerate(titles):
        parts += [", " if number else "", (title, _style(min(number, 1)))]
    out.print(_line(*parts))
    chapter = ""
    for difference in report.differences:
        if not difference.readings and not idle:
            continue
        if difference.chapter and difference.chapter != chapter:
            chapter = difference.chapter
            out.print()
            out.print(_line((f"{chapter}  {report.chapters[chapter]}", "bold underline")))
        out.print()
        _tell(out, difference, report, names)


def tell_play(out: Console, report: DiffReport, moves: bool = False) -> None:
    """What playing showed of each difference, what they come to, and the sum."""
    for difference in report.differences:
        for reading in difference.readings:
            if reading.witness is not None or reading.search is not None:
                out.print()
                _shown(out, difference, reading, report, moves)
    if report.effect is not None:
        out.print()
        _effect(out, report.effect, report)
    out.print()
    out.print(_line((_summary(report), "bold")), soft_wrap=True)


def _line(*parts: str | tuple[str, str]) -> Text:
    return Text.assemble(*parts)


def _style(reading: int) -> str:
    return NEW if reading else OLD


def _indented(what: RenderableType) -> Padding:
    return Padding(what, (0, 0, 0, 2), expand=False)


def _heading(difference: Difference) -> Text:
    title = "" if difference.title.startswith(difference.id) else f"  {difference.title}"
    shown = difference.title if not title else difference.id
    return _line((shown, "bold cyan"), (title, "bold"))


def _tell(out: Console, difference: Difference, report: DiffReport, names: bool) -> None:
    out.print(_heading(difference) + _line((f"  {difference.kind}", "dim")))
    if difference.says:
        for edition, cell in zip(report.editions, difference.cells, strict=True):
            where = f" ({_where(cell)})" if cell.sections or cell.standing else ""
            said = (f"{edition.title}{where}: ", _style(cell.reading))
            out.print(_indented(_line(said, cell.says or "-")))
    played = [unit for unit in difference.units if names or unit.kind not in SILENT]
    if played:
        out.print(_indented(_sides(difference, report, names)))
    texts = len(difference.units) - len(played)
    if texts:
        out.print(_indented(_line((f"and {texts} text{'' if texts == 1 else 's'} of the catalogues", "dim"))))
    if difference.idle:
        out.print(_indented(_line((f"changes nothing in play: {difference.idle}", "dim"))))
        return
    for source in difference.sources:
        where = f" ({source.standing}; {source.where}): {source.says}"
        out.print(_indented(_line((source.id, "cyan"), where)))


def _where(cell: Cell) -> str:
    """The sections of a cell, and on what its reading rests."""
    standing = "says nothing, assumed" if cell.silent else ", ".join(cell.standing)
    return "; ".join([*([", ".join(cell.sections)] if cell.sections else []), *([standing] if standing else [])])


def _sides(difference: Difference, report: DiffReport, names: bool) -> Table:
    """The readings side by side, an address a row."""
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    table.add_column("", overflow="fold")
    having: list[list[str]] = [[] for _ in range(1 + len(difference.readings))]
    for edition, cell in zip(report.editions, difference.cells, strict=True):
        having[cell.reading].append(edition.title)
    for number, titles in enumerate(having):
        table.add_column(Text(BETWEEN.join(titles), _style(number)), overflow="fold", ratio=1)
    texts: dict[str, list[str]] = {}
    for number, reading in enumerate(difference.readings, 1):
        for unit in reading.units:
            if names or unit.kind not in SILENT:
                texts.setdefault(unit.target, [unit.old] * len(having))[number] = unit.new
    for target, row in texts.items():
        table.add_row(_line(target), *(_line((text or "-", _style(number))) for number, text in enumerate(row)))
    return table


def _shown(out: Console, difference: Difference, reading: Reading, report: DiffReport, moves: bool) -> None:
    """What playing showed of one reading."""
    titles = BETWEEN.join(report.editions[number].title for number in reading.editions)
    several = (f"  {titles}", NEW) if len(difference.readings) > 1 else ""
    out.print(_heading(difference) + _line(several))
    if reading.witness is not None:
        _witness(out, reading.witness, moves)
    elif reading.search is not None:
        out.print(_indented(_line((not_found(reading.search), "yellow"))))


def not_found(search: Search) -> str:
    """What can be said where no witness was found."""
    if not search.games:
        return f"no position was looked for: {search.why}"
    many = (
        f"{search.games} game{'' if search.games == 1 else 's'} of {search.decisions:,} decisions in all were searched"
    )
    why = f"; {search.why}" if search.why else ""
    return f"no position was found in which the two part ways: {many}{why}. That is no proof that there is none."


def _witness(out: Console, witness: Witness, moves: bool) -> None:
    many = f"{witness.decisions} decision{'' if witness.decisions == 1 else 's'}"
    where = f"{witness.players} players, seed {witness.seed}, after {many}"
    out.print(_indented(_line(("witness ", "bold magenta"), (f"({where}): ", "dim"), witness.what)))
    _only(out, witness.old, witness.only_old, OLD)
    _only(out, witness.new, witness.only_new, NEW)
    if moves:
        for number, move in enumerate(witness.moves, 1):
            out.print(_indented(_line((f"{number:4}  ", "dim"), move)))
    if witness.table is not None:
        _table(out, witness.table)
    for what, path in witness.files.items():
        out.print(_indented(_line((f"{what}: ", "cyan"), path)), soft_wrap=True)


def _table(out: Console, table: SmallTable) -> None:
    """How to set up the smallest table, and what is seen on it."""
    reached = "reached in play" if table.reached else "laid out, not reached in play"
    many = f"{table.named} piece{'' if table.named == 1 else 's'} named"
    head = ("smallest table ", "bold magenta"), (f"({many}; {reached}): ", "dim")
    out.print(_indented(_line(*head, table.moment.what)))
    for place, pieces in table.setup:
        out.print(_indented(_line(f"  {place}: {pieces}")))
    for line in (*([table.begins] if table.begins else []), *table.answers):
        out.print(_indented(_line((f"  {line}", "dim"))))


def _only(out: Console, side: Side, lines: Sequence[str], style: str) -> None:
    """What only one side has, where the sentence could not hold it all."""
    for line in lines[:MAX_LINES] if len(lines) > MAX_TOLD else ():
        out.print(_indented(_line((f"  {side.ruleset}: ", style), line)))
    if len(lines) > MAX_LINES:
        out.print(_indented(_line((f"  and {len(lines) - MAX_LINES} more", "dim"))))


def _effect(out: Console, effect: Effect, report: DiffReport) -> None:
    title = f"{effect.games} pairs of games, {effect.players} players, {effect.policy}"
    table = Table(title=Text(title, "bold"), title_justify="left", box=box.SIMPLE_HEAD, show_edge=False)
    table.add_column("")
    first, last = report.editions[0].title, report.editions[-1].title
    for name, style in ((first, OLD), (last, NEW), ("change", ""), ("interval", "")):
        table.add_column(Text(name, style), justify="right")
    table.add_column("")
    for measure in effect.measures:
        data = measure.data()
        ends = "" if measure.verdict == "same" else f"{measure.low:.2f} to {measure.high:.2f}"
        figures = f"{measure.old:.2f}", f"{measure.new:.2f}", f"{measure.difference:+.2f}", ends
        table.add_row(_line(measure.label), *figures, str(data["verdict"]))
    out.print(table)


def _summary(report: DiffReport) -> str:
    found = counts(report)
    carried = found.differences - found.idle
    if not found.differences:
        return f"{' and '.join(edition.ruleset for edition in report.editions)} say the same"
    text = f"{carried} difference{'' if carried == 1 else 's'}"
    if found.sought:
        text += f", {found.seen} of {found.sought} shown by a position, {found.tables} by a small table"
    if found.not_sought:
        text += f"; not looked for: {', '.join(found.not_sought)}"
    if found.idle:
        text += f"; {found.idle} more in words or print alone (--kind lists them)"
    return f"{text}; seed {report.seed}" if found.sought else text


# ------------------------------------------------------------------------ counting


@frozen
class Counts:
    """`sought` are those for which games were played; `seen` those of them that a position shows, `tables` those with a
    small table. `not_sought` are the others that something is written for. A difference of three readings counts once:
    it is seen when each of them is."""

    differences: int
    idle: int
    sought: int
    seen: int
    tables: int
    not_sought: tuple[str, ...]


def counts(report: DiffReport) -> Counts:
    carried = [one for one in report.differences if one.readings]
    sought = [one for one in carried if looked_for(one)]
    seen = [one for one in sought if all(reading.witness is not None for reading in _tried(one))]
    tables = [one for one in seen if all(_has_table(reading) for reading in _tried(one))]
    others = tuple(one.id for one in carried if not looked_for(one) and one.search is not None)
    many = len(report.differences)
    return Counts(many, many - len(carried), len(sought), len(seen), len(tables), others)


def looked_for(one: Difference) -> bool:
    """Whether games were played for a difference."""
    return bool(_tried(one))


def _tried(one: Difference) -> list[Reading]:
    return [reading for reading in one.readings if reading.search is not None and reading.search.games]


def _has_table(reading: Reading) -> bool:
    return reading.witness is not None and reading.witness.table is not None


def kinds_of(report: DiffReport) -> list[str]:
    """The kinds there are, in the order of a list."""
    found = {one.kind for one in report.differences}
    return [*(kind for kind in KINDS if kind in found), *sorted(found - KINDS.keys())]


# ------------------------------------------------------------------------ replay


def tell_crossing(out: Console, crossing: Crossing) -> None:
    """Where the answers of a replay part under other rules."""
    out.print(_line((crossing.ruleset, OLD), " replayed under ", (crossing.under, NEW)))
    if crossing.moment is None:
        out.print(_line(f"all {crossing.answers} answers are legal, and nothing differs along the way"))
        return
    after = f"after {crossing.parts} of {crossing.answers} answers"
    out.print(_line(("they part ", "bold magenta"), (f"{after} ({crossing.how}): ", "dim"), crossing.moment.what))
    _only(out, crossing.moment.old, crossing.moment.only_old, OLD)
    _only(out, crossing.moment.new, crossing.moment.only_new, NEW)
    stopped = f"; then: {crossing.stopped}" if crossing.stopped else ""
    out.print(
        _line((f"{crossing.legal} of {crossing.answers} answers are legal under {crossing.under}{stopped}", "dim"))
    )
