"""What `warlock diff` and `warlock replay --under` say at the terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

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
    Source,
    Witness,
)
from workbench.diff.other_rules import Crossing
from workbench.language.phrases import Phrases

OLD, NEW = "red", "green"
MAX_LINES = 12  # of a list that is told
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
STANDINGS = {
    "printed": "diff_printed",
    "derived": "diff_derived",
    "assumed": "diff_assumed",
    "secondary": "diff_secondary",
}
VERDICTS = {
    "more": "diff_verdict_more",
    "less": "diff_verdict_less",
    "same": "diff_verdict_same",
    "unsure": "diff_verdict_unsure",
}
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
    teller = _Teller(out, report)
    chapter = ""
    for difference in report.differences:
        if not difference.readings and not idle:
            continue
        if difference.chapter and difference.chapter != chapter:
            chapter = difference.chapter
            out.print()
            heading = [report.chapters[chapter]] if chapter in report.chapters.values() else []
            out.print(_line(("  ".join(heading or [chapter, report.chapters[chapter]]), "bold underline")))
        out.print()
        teller.difference(difference, names)


def tell_play(out: Console, report: DiffReport, moves: bool = False) -> None:
    """What playing showed of each difference, what they come to, and the sum."""
    teller = _Teller(out, report)
    for difference in report.differences:
        for reading in difference.readings:
            if reading.witness is not None or reading.search is not None:
                out.print()
                teller.shown(difference, reading, moves)
    if report.effect is not None:
        out.print()
        teller.effect(report.effect)
    out.print()
    out.print(_line((_summary(report, teller.say), "bold")), soft_wrap=True)


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


def where_said(source: Source, say: Phrases, titles: Mapping[str, str] | None = None) -> str:
    """Where the documents say it, then who says something else, then who says nothing. `titles` is what the documents
    are called, else they have their short names."""
    called = {one.document: (titles or {}).get(one.document, one.document) for one in source.said}
    same = [f"{called[one.document]} {one.section}" for one in source.said if one.status == "same"]
    others = [
        say("diff_otherwise" if one.says else "diff_otherwise_untold",
            where=f"{called[one.document]} {one.section}", says=one.says)
        for one in source.said
        if one.status == "differs"
    ]  # fmt: skip
    silent = [say("diff_is_silent", document=called[one.document]) for one in source.said if one.status == "silent"]
    return say.apart([*([", ".join(same)] if same else []), *others, *silent])


def standing_of(cell: Cell, say: Phrases) -> str:
    """On what the reading of a cell rests, and whether its document says anything about it."""
    known = [say(STANDINGS[one]) if one in STANDINGS else one for one in cell.standing]
    return ", ".join([*([say("diff_silent")] if cell.silent else []), *known])


class _Teller:
    """Tells the parts of a report in its language."""

    def __init__(self, out: Console, report: DiffReport) -> None:
        self.out = out
        self.report = report
        self.say = Phrases(report.lang)

    def line(self, *parts: str | tuple[str, str], wrap: bool = True) -> None:
        self.out.print(_indented(_line(*parts)), soft_wrap=not wrap)

    # ---------------------------------------------------------------- written

    def difference(self, difference: Difference, names: bool) -> None:
        say = self.say
        self.out.print(_heading(difference) + _line((f"  {difference.kind}", "dim")))
        if difference.says:
            for edition, cell in zip(self.report.editions, difference.cells, strict=True):
                where = say.apart([*([", ".join(cell.sections)] if cell.sections else []), *self._standing(cell)])
                name = edition.title + (f" ({where})" if where else "")
                self.line((say("diff_reading", name=name, found=""), _style(cell.reading)), cell.says or "-")
        played = [unit for unit in difference.units if names or unit.kind not in SILENT]
        if played:
            self.out.print(_indented(self._sides(difference, names)))
        texts = len(difference.units) - len(played)
        if texts:
            self.line((say("diff_and").lstrip() + say.many("diff_texts", texts), "dim"))
        if difference.idle:
            self.line((say("diff_changes_nothing", why=difference.idle), "dim"))
            return
        for source in difference.sources:
            standing = say(STANDINGS.get(source.standing, source.standing))
            head = f"{source.id} ({say.apart([standing, where_said(source, say)])})"
            self.line((source.id, "cyan"), say("diff_reading", name=head, found=source.says)[len(source.id) :])

    def _standing(self, cell: Cell) -> list[str]:
        told = standing_of(cell, self.say)
        return [told] if told else []

    def _sides(self, difference: Difference, names: bool) -> Table:
        """The readings side by side, an address a row."""
        table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
        table.add_column("", overflow="fold")
        having: list[list[str]] = [[] for _ in range(1 + len(difference.readings))]
        for edition, cell in zip(self.report.editions, difference.cells, strict=True):
            having[cell.reading].append(edition.title)
        for number, titles in enumerate(having):
            table.add_column(Text(self.say.together(titles), _style(number)), overflow="fold", ratio=1)
        texts: dict[str, list[str]] = {}
        for number, reading in enumerate(difference.readings, 1):
            for unit in reading.units:
                if names or unit.kind not in SILENT:
                    texts.setdefault(unit.target, [unit.old] * len(having))[number] = unit.new
        for target, row in texts.items():
            table.add_row(_line(target), *(_line((text or "-", _style(number))) for number, text in enumerate(row)))
        return table

    # ------------------------------------------------------------------ shown

    def shown(self, difference: Difference, reading: Reading, moves: bool) -> None:
        """What playing showed of one reading."""
        titles = self.say.together([self.report.editions[number].title for number in reading.editions])
        several = (f"  {titles}", NEW) if len(difference.readings) > 1 else ""
        self.out.print(_heading(difference) + _line(several))
        if reading.witness is not None:
            self._witness(reading.witness, moves)
        elif reading.search is not None:
            self.line((not_found(reading.search, self.say), "yellow"))

    def _witness(self, witness: Witness, moves: bool) -> None:
        where = self.say("diff_reading", name=f"({where_played(witness, self.say)})", found="")
        self.line((f"{self.say('diff_witness')} ", "bold magenta"), (where, "dim"), witness.what)
        _only(self.out, witness.old, witness.only_old, OLD, self.say)
        _only(self.out, witness.new, witness.only_new, NEW, self.say)
        if moves:
            for number, move in enumerate(witness.moves, 1):
                self.line((f"{number:4}  ", "dim"), move)
        if witness.table is not None:
            self._table(witness.table)
        for what, path in witness.files.items():
            self.line((f"{what}: ", "cyan"), path, wrap=False)

    def _table(self, table: SmallTable) -> None:
        """How to set up the smallest table, and what is seen on it."""
        say = self.say
        reached = say("diff_table_reached" if table.reached else "diff_table_laid")
        many = say.apart([say.many("diff_pieces", table.named), reached])
        head = say("diff_reading", name=f"({many})", found="")
        self.line((f"{say('diff_table')} ", "bold magenta"), (head, "dim"), table.moment.what)
        for place, pieces in table.setup:
            self.line("  " + say("diff_reading", name=place, found=pieces))
        for line in (*([table.begins] if table.begins else []), *table.answers):
            self.line((f"  {line}", "dim"))

    def effect(self, effect: Effect) -> None:
        say, number = self.say, self.say.number
        title = pairs_played(effect, say)
        table = Table(title=Text(title, "bold"), title_justify="left", box=box.SIMPLE_HEAD, show_edge=False)
        table.add_column("")
        first, last = self.report.editions[0].title, self.report.editions[-1].title
        for name, style in ((first, OLD), (last, NEW), (say("diff_change"), ""), (say("diff_interval"), "")):
            table.add_column(Text(name, style), justify="right")
        table.add_column("")
        for one in effect.measures:
            ends = "" if one.verdict == "same" else say("diff_ends", low=f"{one.low:.2f}", high=f"{one.high:.2f}")
            figures = f"{one.old:.2f}", f"{one.new:.2f}", f"{one.difference:+.2f}", ends
            table.add_row(_line(one.label), *map(number, figures), say(VERDICTS[one.verdict]))
        self.out.print(table)


def where_played(witness: Witness, say: Phrases) -> str:
    """The game of a witness: players, seed, and how far it went."""
    after = say.many("diff_decisions", witness.decisions)
    return say("diff_game_where", players=str(witness.players), seed=str(witness.seed), decisions=after)


def pairs_played(effect: Effect, say: Phrases) -> str:
    return say("diff_pairs", games=say.count(effect.games), players=str(effect.players), policy=effect.policy)


def not_found(search: Search, say: Phrases | None = None) -> str:
    """What can be said where no witness was found."""
    say = say or Phrases()
    if not search.games:
        return say("diff_not_looked", why=search.why)
    many = say.many("diff_games", search.games), say.many("diff_decisions", search.decisions)
    why = say.apart(["", search.why]) if search.why else ""
    return say("diff_no_witness", games=many[0], decisions=many[1], why=why)


def _summary(report: DiffReport, say: Phrases) -> str:
    found = counts(report)
    if not found.differences:
        return say("diff_alike", rulesets=say.together([edition.ruleset for edition in report.editions]))
    carried = say.many("diff_summary", found.differences - found.idle)
    if found.sought:
        carried += ", " + say("diff_seen", seen=str(found.seen), sought=str(found.sought), tables=str(found.tables))
    others = [say("diff_ids_not_sought", ids=", ".join(found.not_sought))] if found.not_sought else []
    others += [say("diff_more_in_words", count=str(found.idle))] if found.idle else []
    others += [say("diff_seed", seed=str(report.seed))] if found.sought else []
    return say.apart([carried, *others])


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


def tell_crossing(out: Console, crossing: Crossing, lang: str = "en") -> None:
    """Where the answers of a replay part under other rules."""
    say = Phrases(lang)
    out.print(_line((crossing.ruleset, OLD), f" {say('diff_replayed_under')} ", (crossing.under, NEW)))
    answers = say("diff_answers", count=say.count(crossing.answers))
    if crossing.moment is None:
        out.print(_line(say("diff_all_legal", answers=answers)))
        return
    after = say("diff_part_after", parts=say.count(crossing.parts), answers=answers, how=crossing.how)
    after = say("diff_reading", name=after, found="")
    out.print(_line((f"{say('diff_they_part')} ", "bold magenta"), (after, "dim"), crossing.moment.what))
    _only(out, crossing.moment.old, crossing.moment.only_old, OLD, say)
    _only(out, crossing.moment.new, crossing.moment.only_new, NEW, say)
    legal = say("diff_legal", legal=say.count(crossing.legal), answers=answers, under=crossing.under)
    stopped = [say("diff_stopped", why=crossing.stopped)] if crossing.stopped else []
    out.print(_line((say.apart([legal, *stopped]), "dim")))


def _only(out: Console, side: Side, lines: Sequence[str], style: str, say: Phrases) -> None:
    """What only one side has, where the sentence could not hold it all."""
    for line in lines[:MAX_LINES] if len(lines) > MAX_TOLD else ():
        out.print(_indented(_line((say("diff_reading", name=f"  {side.ruleset}", found=""), style), line)))
    if len(lines) > MAX_LINES:
        out.print(_indented(_line((f"  {say('diff_more', count=str(len(lines) - MAX_LINES))}", "dim"))))
