"""One view of a table: all that one seat sees, hears and is asked, in the words of a language, as data to draw.

Terminal, pages and comparisons draw this and ask the game for nothing else, so they cannot show more than it holds; and
it is made from what the seat observes, so that what is hidden from the seat is not in it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import asdict, frozen

from interpreter import Decision, Game, Option, Progress, Shown, VariableView, ZoneView
from warlock_dsl import seen_by_all, seen_by_owner_alone
from warlock_dsl import types as t
from warlock_dsl.tables.components import OFF_BOARD, Grid
from workbench.language.event_log import tell
from workbench.language.phrases import fill
from workbench.language.sentences import TIMES, Words, cell_name

MARKS = "·:+x▪▫"  # of free cells, by the regions they lie in
EVERYBODY = -1  # a viewer to whom nothing is hidden


@frozen
class Piece:
    """A piece as the viewer sees it. Unseen, it has no `name`; `key` is then its place.

    `label` is its name in words, `short` the one for a cell, `colour` as the tables of the game write it; `remarks` are
    what is marked on it and what it holds, `holds` how many pieces; `alike` is a label without its number, where it
    lies among others and nothing tells it from them; `figures` stand beside its short label on a board.
    """

    key: str
    kind: str
    name: str
    label: str
    short: str
    colour: str
    remarks: tuple[str, ...] = ()
    holds: int = 0
    alike: str = ""
    figures: str = ""

    @property
    def full(self) -> str:
        """The label, its figures, and what there is to say beside it."""
        label = f"{self.label} {self.figures}" if self.figures else self.label
        return f"{label} ({', '.join(self.remarks)})" if self.remarks else label


@frozen
class Cell:
    """A cell of a plan: its name as people call it, in short where its lines have no names ("" where they have), its
    mark while it is free, and which of the zone's pieces lie there, the top last."""

    key: str
    name: str
    short: str
    row: int
    column: int
    mark: str
    pieces: tuple[int, ...] = ()


@frozen
class Zone:
    """A zone. `owner` is a seat, or -1; `holder` the key of the piece that owns it, or ""; `count` is None where it is
    hidden. `pieces` are in order, the last on top.

    `shape` is square, hex or graph for a plan that is drawn, slots for a row of numbered places, or ""; `rows` and
    `columns` are what its lines are called. `private`: the viewer's own, and others do not see what lies there;
    `unordered`: its order means nothing; `carries`: what lies there can hold pieces of its own.
    """

    key: str
    name: str
    label: str
    owner: int
    holder: str
    count: int | None
    pieces: tuple[Piece, ...]
    shape: str = ""
    cells: tuple[Cell, ...] = ()
    rows: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    private: bool = False
    unordered: bool = False
    carries: bool = False

    @property
    def is_map(self) -> bool:
        return self.shape in ("square", "hex", "graph")


@frozen
class Note:
    """A variable of the table or of a seat that is worth a word; `value` is "" where its name says it. `seat` is whom
    it names, where it names a player."""

    name: str
    owner: int
    label: str
    value: str
    seat: int = -1

    @property
    def text(self) -> str:
        return f"{self.label} {self.value}" if self.value else self.label


@frozen
class Choice:
    """An option of the question, from 1 on, and the keys of what it is about: pieces, cells, zones, seats."""

    number: int
    key: str
    what: str
    text: str
    pieces: tuple[str, ...] = ()
    cells: tuple[str, ...] = ()
    zones: tuple[str, ...] = ()
    seats: tuple[int, ...] = ()


@frozen
class Question:
    """What the viewer is asked. `heading` is the name of the rule that asks; `chosen` what has been picked of a set so
    far, in words, and `picked` the keys."""

    rule: str
    name: str
    mode: str
    may: bool
    heading: str
    text: str
    chosen: str
    picked: tuple[str, ...]
    options: tuple[Choice, ...]


@frozen
class SeatView:
    """A player: what he is called, and his points so far, "" where the viewer cannot know them."""

    number: int
    name: str
    total: str = ""
    parts: tuple[tuple[str, str], ...] = ()


@frozen
class Table:
    """All that a viewer may know: a seat, -1 for one who sees everything, or the number of players for a bystander.

    `to_move` is the seat that is asked, or -1. `question` is there if that is the viewer. `log` are the lines since the
    event that was asked for, and `events` how many there are, to ask from the next time.
    """

    title: str
    lang: str
    viewer: int
    to_move: int
    over: bool
    winners: tuple[int, ...]
    seats: tuple[SeatView, ...]
    notes: tuple[Note, ...]
    zones: tuple[Zone, ...]
    question: Question | None = None
    log: tuple[str, ...] = ()
    events: int = 0

    def data(self) -> dict[str, Any]:
        """As JSON holds it."""
        return {"format": "warlock-table/1", **asdict(self)}

    def zones_of(self, owner: int) -> list[Zone]:
        """Those of a seat, or of the table (-1), without those that pieces hold."""
        return [zone for zone in self.zones if zone.owner == owner and not zone.holder]


def table_for(words: Words, game: Game, viewer: int, since: int = 0, scored: bool = False) -> Table:
    """The table as a viewer sees it; the log from the event numbered `since` on. `scored`: with the points so far."""
    look = _Look(words, game, viewer)
    decision = game.decision if viewer in (game.to_move, EVERYBODY) else None
    events = game.events
    return Table(
        words.title(), words.lang, viewer, game.to_move, game.over, game.winners,
        _seats(words, game, viewer, scored), tuple(look.notes()),
        tuple(look.zone(zone) for zone in look.view.zones if look.is_drawn(zone)),
        None if decision is None else look.question(decision),
        tuple(tell(events[since:], viewer, words)), len(events),
    )  # fmt: skip


def question_for(words: Words, game: Game) -> Question | None:
    """The question that waits as whoever is asked reads it; None when the game is over."""
    decision = game.decision
    if decision is None:
        return None
    return _Look(words, game, decision.player).question(decision)


def _seats(words: Words, game: Game, viewer: int, scored: bool) -> tuple[SeatView, ...]:
    named = [SeatView(number, words.seat(number)) for number in range(game.players)]
    if not scored or not game.ruleset.program.scores:
        return tuple(named)
    say = words.phrases.number
    return tuple(
        seat if sheet is None else SeatView(
            seat.number, seat.name, say(sheet.total_text),
            tuple((words.name(f"score.{part}"), say(points)) for part, points in sheet.part_texts.items()),
        )
        for seat, sheet in zip(named, game.scores_seen(viewer), strict=True)
    )  # fmt: skip


def region_marks(grid: Grid) -> list[str]:
    """A mark for each free cell: cells that lie in the same regions have the same one, the most frequent a dot."""
    names = [frozenset(n for n, cells in grid.regions.items() if cell in cells) for cell in range(len(grid.cells))]
    order = sorted(dict.fromkeys(names), key=lambda name: (-names.count(name), names.index(name)))
    return [MARKS[min(order.index(name), len(MARKS) - 1)] for name in names]


def side_by_side(labels: Sequence[str]) -> list[tuple[str, int]]:
    """Labels in their order; the same ones side by side are one, with how many."""
    groups: list[tuple[str, int]] = []
    for label in labels:
        if groups and groups[-1][0] == label:
            groups[-1] = (label, groups[-1][1] + 1)
        else:
            groups.append((label, 1))
    return groups


class _Look:
    """Puts what a viewer observes into words."""

    def __init__(self, words: Words, game: Game, viewer: int) -> None:
        view, self.figures = game.observe(viewer), game.figures(viewer)
        self.words = words.seeing(view, self.figures)
        self.players = game.players
        self.components = words.components
        self.view = view
        self.viewer = viewer
        self.held: dict[str, list[ZoneView]] = {}
        for zone in view.zones:
            if zone.holder and zone.count != 0:
                self.held.setdefault(zone.holder, []).append(zone)
        self.marked: dict[str, list[VariableView]] = {}
        for variable in view.variables:
            if variable.holder and variable.value is not None:
                self.marked.setdefault(variable.holder, []).append(variable)

    # ------------------------------------------------------------------- pieces

    def piece(self, piece: Shown, place: str, many: bool = False) -> Piece:
        """`place` is what an unseen piece is known by; `many`: it lies among others that belong to nobody."""
        label, kind = self.words.shown(piece), self.components.kinds[piece.of]
        if not piece.name:
            return Piece(place, piece.of, "", label, "", "")
        marks = [(v.name, r) for v in self.marked.get(piece.name, ()) if (r := self._remark(piece, v))]
        held = self.held.get(piece.name, ())
        marks += [(zone.name, self._counted(zone)) for zone in held]
        alike = self.words.one_of_many(piece.name) if many and not marks and not kind.table and not kind.fields else ""
        told = self.words.says_now(piece.of)
        remarks = tuple(remark for name, remark in marks if name not in told)
        short, colour = self.short(piece)
        return Piece(
            piece.name, piece.of, piece.name, label, short, colour, remarks,
            sum(zone.count or 0 for zone in held), alike, self.words.figure_on(piece.name),
        )  # fmt: skip

    def short(self, piece: Shown) -> tuple[str, str]:
        """The short label of a piece, or its whole name where its row has no short one; and its colour."""
        address = f"kind.{piece.of}"
        look = self.components.looks.get(address, {})
        by = look.get("by")
        row = self._row(piece, by) if by is not None else ""
        own = self.components.looks.get(row, {})
        address, look = (row, own) if own else (address, look)
        whole = self.words.shown(piece) if own else self.words.name(f"kind.{piece.of}")[:2].capitalize()
        return self.words.short(address) or whole, look.get("colour", "")

    def _row(self, piece: Shown, field: str) -> str:
        """The row of a table that a piece looks like."""
        kind = self.components.kinds[piece.of]
        number = kind.pieces.index(piece.name)
        for variable in self.marked.get(piece.name, ()):
            if variable.name == field and variable.value is not None:
                return f"{variable.value.of}.{variable.value.name}"
        if field == "face" and kind.table:
            return f"{kind.table}.{self.components.tables[kind.table].rows[kind.faces[number]]}"
        column = kind.fields.get(field)
        value = column.values[number] if column is not None else None
        if column is None or not isinstance(column.type, t.RowType) or not isinstance(value, int):
            return ""
        return f"{column.type.table}.{self.components.tables[column.type.table].rows[value]}"

    def _remark(self, piece: Shown, variable: VariableView) -> str:
        """What is marked on a piece; its first value is not worth a word."""
        declared = self.components.variables[piece.of, variable.name]
        value = variable.value
        if value is None or (value.what == "truth" and value.name == "false"):
            return ""
        name = self.words.of_row(self.words.name(f"variable.{variable.name}"), variable.by, variable.row)
        if value.what == "truth":
            return name
        first = declared.first
        if variable.row and isinstance(first, tuple):
            first = first[self.components.tables[variable.by].rows.index(variable.row)]
        if self.words.value(first, declared.type) == self.words.shown(value):
            return ""
        return f"{name} {self.words.shown(value)}"

    def _counted(self, zone: ZoneView) -> str:
        """What a piece holds: how many, and which, unless they are all alike."""
        count = f"{self._name(zone)} {'?' if zone.count is None else zone.count}"
        seen = [self.piece(piece, "").full for piece in zone.pieces if piece.name and not self._plain(piece)]
        told = [f"{label}{TIMES}{n}" if n > 1 else label for label, n in side_by_side(seen)]
        return f"{count}: {', '.join(told)}" if told else count

    def _plain(self, piece: Shown) -> bool:
        """Whether there is no more to a piece than its kind."""
        kind = self.components.kinds[piece.of]
        return not kind.table and not kind.fields and piece.name not in self.marked and piece.name not in self.held

    # -------------------------------------------------------------------- zones

    def is_drawn(self, zone: ZoneView) -> bool:
        """Whether the tables do not keep a zone off the board."""
        return OFF_BOARD not in self.components.looks.get(f"zone.{zone.name}", {})

    def _name(self, zone: ZoneView) -> str:
        return self.words.zone(zone.name, by=zone.by, row=zone.row)

    def zone(self, zone: ZoneView) -> Zone:
        declared = self.components.zones[zone.name]
        whose = zone.holder or (f"seat{zone.owner}" if zone.owner >= 0 else "")
        key = f"{whose}.{zone.word}" if whose else zone.word
        plan = self.components.grids[declared.grid] if declared.grid else None
        cells = self._cells(zone, key, plan) if plan is not None else []
        places = _places(key, cells, plan is not None and plan.stacks)
        many = zone.owner < 0 and not zone.holder
        pieces = [
            self.piece(piece, places.get(number, f"{key}[{number + 1}]"), many)
            for number, piece in enumerate(zone.pieces)
        ]
        drawn = plan is not None and not plan.slots
        return Zone(
            key, zone.name, self._name(zone), zone.owner, zone.holder, zone.count, tuple(pieces),
            "" if plan is None else "slots" if plan.slots else "graph" if plan.table else plan.shape,
            tuple(cells),
            tuple(str(plan.row_number(row)) for row in range(plan.height)) if plan is not None and drawn else (),
            tuple(cell_name(0, one)[:-1] for one in range(plan.width)) if plan is not None and drawn else (),
            0 <= zone.owner == self.viewer and not seen_by_all(declared) and any(piece.name for piece in zone.pieces),
            seen_by_owner_alone(declared),
            any(other.owner in declared.kinds for other in self.components.zones.values()),
        )  # fmt: skip

    def _cells(self, zone: ZoneView, key: str, plan: Grid) -> list[Cell]:
        marks = region_marks(plan)
        lying = zone.lying() or [range(0)] * len(plan.cells)
        rows = self.components.tables[plan.table].rows if plan.table else ()
        return [
            Cell(
                f"{key}@{rows[number] if rows else f'{row},{column}'}", self.words.cell(zone.name, row, column),
                self._spot(plan, number) if rows else "", row, column, marks[number], tuple(lying[number]),
            )
            for number, (row, column) in enumerate(plan.cells)
        ]  # fmt: skip

    def _spot(self, plan: Grid, number: int) -> str:
        """A cell that is a row of a table by the short label of the row, or else by its name."""
        row = f"{plan.table}.{self.components.tables[plan.table].rows[number]}"
        return self.words.short(row) or self.words.name(row)

    # --------------------------------------------------------------------- notes

    def notes(self) -> list[Note]:
        """How far the game is, the variables, and what the catalogue tells beside the table and the seats."""
        found = [note for one in self.figures.progress() if (note := self._progress(one)) is not None]
        found += [self._note(one, one.value) for one in self.view.variables if not one.holder and one.value is not None
                  and _worth_a_word(one.value)]  # fmt: skip
        told = [(key, -1) for key in self.words.notes("table")]
        told += [(key, seat) for key in self.words.notes("seat") for seat in range(self.players)]
        texts = ((key, seat, self.words.note(key, seat)) for key, seat in told)
        return found + [Note(key, seat, text, "") for key, seat, text in texts if text]

    def _progress(self, one: Progress) -> Note | None:
        text = self.words.text(f"progress.{one.rule}")
        told = {"turn": str(one.turn), "turns": str(one.turns)}
        return None if text is None else Note(f"progress.{one.rule}", -1, fill(text, told), "")

    def _note(self, variable: VariableView, value: Shown) -> Note:
        label = self.words.of_row(self.words.name(f"variable.{variable.name}"), variable.by, variable.row)
        said = "" if value.what == "truth" else self.words.shown(value)
        return Note(variable.name, variable.owner, label, said, value.owner if value.what == "player" else -1)

    # ------------------------------------------------------------------ question

    def question(self, decision: Decision) -> Question:
        words = self.words
        chosen = words.listed([words.shown(one, decision.player) for one in decision.partial])
        sentences = words.options(decision, self.view)
        return Question(
            decision.rule, decision.name, decision.mode, decision.may, words.heading(decision), words.ask(decision),
            chosen if decision.partial else "", tuple(one.key() for one in decision.partial),
            tuple(self._choice(number, *one) for number, one in
                  enumerate(zip(decision.options, sentences, strict=True), 1)),
        )  # fmt: skip

    def _choice(self, number: int, option: Option, text: str) -> Choice:
        found: Mapping[str, dict[str, None]] = {what: {} for what in ("piece", "cell", "zone", "player")}
        _about(option.value, found)
        pieces, cells, zones = (tuple(found[what]) for what in ("piece", "cell", "zone"))
        seats = tuple(int(seat.removeprefix("seat")) for seat in found["player"])
        return Choice(number, option.key, option.what, text, pieces, cells, zones, seats)


def _places(zone: str, cells: Sequence[Cell], stacked: bool) -> dict[int, str]:
    """What unseen pieces are known by that lie on cells."""
    return {
        number: f"{zone}@{cell.row},{cell.column}" + (f"[{n}]" if stacked else "")
        for cell in cells
        for n, number in enumerate(cell.pieces, 1)
    }


def _about(value: Shown, found: Mapping[str, dict[str, None]]) -> None:
    """The keys of what a label names, by what they are."""
    for item in value.items:
        _about(item, found)
    if value.what in found:
        found[value.what].setdefault(value.key())


def _worth_a_word(value: Shown) -> bool:
    """What is not so, and a list of nothing, are not."""
    return (value.what, value.name) != ("truth", "false") and not (value.what == "list" and not value.items)
