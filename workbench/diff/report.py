"""What `warlock diff` and `warlock replay --under` say at the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich import box
from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from workbench.diff.describe import MAX_TOLD
from workbench.diff.model import Change, Difference, DiffReport, Effect, Search, Side, Witness
from workbench.diff.other_rules import Crossing

OLD, NEW = "red", "green"
MAX_LINES = 12  # of a list that is told
SILENT = ("name",)  # changes that nobody can meet in play: counted, not shown


def tell_report(out: Console, report: DiffReport, moves: bool = False, names: bool = False) -> None:
    """Every difference, and the sum of them. `moves` tells the decisions of each witness, `names` every text."""
    out.print(_line((report.title, "bold"), ": ", (report.old, OLD), " and ", (report.new, NEW)))
    for difference in report.differences:
        out.print()
        _tell(out, difference, report, moves, names)
    if report.effect is not None:
        out.print()
        _effect(out, report.effect, report)
    out.print()
    out.print(_line((_summary(report), "bold")), soft_wrap=True)


def _line(*parts: str | tuple[str, str]) -> Text:
    return Text.assemble(*parts)


def _indented(what: RenderableType) -> Padding:
    return Padding(what, (0, 0, 0, 2), expand=False)


def _tell(out: Console, difference: Difference, report: DiffReport, moves: bool, names: bool) -> None:
    title = "" if difference.title.startswith(difference.id) else f"  {difference.title}"
    shown = difference.title if not title else difference.id
    out.print(_line((shown, "bold cyan"), (title, "bold"), (f"  {difference.kind}", "dim")))
    for document, says in difference.says.items():
        out.print(_indented(_line((f"{document}: ", "cyan"), says)))
    played = [unit for unit in difference.units if names or unit.kind not in SILENT]
    out.print(_indented(_sides(played, report)))
    texts = len(difference.units) - len(played)
    if texts:
        out.print(_indented(_line((f"and {texts} text{'' if texts == 1 else 's'} of the catalogues", "dim"))))
    for source in difference.sources:
        out.print(
            _indented(
                _line(
                    (source.id, "cyan"),
                    f" ({source.standing}; {source.where}): {source.says}",
                )
            )
        )
    if difference.witness is not None:
        _witness(out, difference.witness, difference.search, moves)
    elif difference.search is not None:
        out.print(_indented(_line((not_found(difference.search), "yellow"))))


def _sides(units: Sequence[Change], report: DiffReport) -> Table:
    """Old and new side by side, an address a row."""
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    table.add_column("", overflow="fold")
    table.add_column(Text(report.old, OLD), overflow="fold", ratio=1)
    table.add_column(Text(report.new, NEW), overflow="fold", ratio=1)
    for unit in units:
        table.add_row(_line(unit.target), _line((unit.old or "-", OLD)), _line((unit.new or "-", NEW)))
    return table


def not_found(search: Search) -> str:
    """What can be said where no witness was found."""
    if not search.games:
        return f"no position was looked for: {search.why}"
    many = (
        f"{search.games} game{'' if search.games == 1 else 's'} of {search.decisions:,} decisions in all were searched"
    )
    why = f"; {search.why}" if search.why else ""
    return f"no position was found in which the two part ways: {many}{why}. That is no proof that there is none."


def _witness(out: Console, witness: Witness, search: Search | None, moves: bool) -> None:
    many = f"{witness.decisions} decision{'' if witness.decisions == 1 else 's'}"
    where = f"{witness.players} players, seed {witness.seed}, after {many}"
    out.print(_indented(_line(("witness ", "bold magenta"), (f"({where}): ", "dim"), witness.what)))
    _only(out, witness.old, witness.only_old, OLD)
    _only(out, witness.new, witness.only_new, NEW)
    if moves:
        for number, move in enumerate(witness.moves, 1):
            out.print(_indented(_line((f"{number:4}  ", "dim"), move)))
    for what, path in witness.files.items():
        out.print(_indented(_line((f"{what}: ", "cyan"), path)), soft_wrap=True)


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
    for name, style in ((report.old, OLD), (report.new, NEW), ("change", ""), ("interval", "")):
        table.add_column(Text(name, style), justify="right")
    table.add_column("")
    for measure in effect.measures:
        data = measure.data()
        ends = "" if measure.verdict == "same" else f"{measure.low:.2f} to {measure.high:.2f}"
        figures = f"{measure.old:.2f}", f"{measure.new:.2f}", f"{measure.difference:+.2f}", ends
        table.add_row(_line(measure.label), *figures, str(data["verdict"]))
    out.print(table)


def _summary(report: DiffReport) -> str:
    many = len(report.differences)
    if not many:
        return f"{report.old} and {report.new} say the same"
    sought = [one for one in report.differences if one.search is not None]
    seen = [one for one in sought if one.witness is not None]
    text = f"{many} difference{'' if many == 1 else 's'}"
    return f"{text}, {len(seen)} of {len(sought)} shown by a position; seed {report.seed}" if sought else text


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
