"""The table on the terminal: shared zones, a panel a seat, what only the viewer sees, and the score sheet."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from attrs import frozen
from rich import box
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.panel import Panel
from rich.style import Style
from rich.table import Table as Grid
from rich.text import Text

from interpreter import ScoreSheet
from workbench.language.phrases import Phrases
from workbench.language.sentences import TIMES, Words
from workbench.service.table import Cell, Note, Piece, Table, Zone
from workbench.terminal.colours import CHOSEN, QUIET, TOKEN, TURN, style_of
from workbench.terminal.plan import hexagons

BACK = "▒▒"
MARK = "▸"  # before what the selected option is about
NARROWEST = 18  # columns of a seat's panel
MAX_LABELS = 16  # of an open pile in the middle of the table: what lies deeper is counted, not told


class Board:
    """Draws the view of a table. `marks` are the keys of what is marked: pieces, cells, zones and seats (`seat1`); with
    room for such marks (`marking`) nothing moves when they do."""

    def __init__(self, table: Table, marks: Collection[str] = (), marking: bool = False) -> None:
        self.table = table
        self.phrases = Phrases(table.lang)
        self.marks = marks
        self.marking = marking

    # ------------------------------------------------------------------- pieces

    def style(self, piece: Piece) -> Style:
        return style_of(piece.colour) if piece.name else QUIET

    def short(self, piece: Piece, figures: bool = False) -> Text:
        """A piece in short, with its figures where there is room for them; unseen, a back."""
        label = piece.short if piece.name else BACK
        text = Text(f"{label}+{piece.holds}" if piece.holds else label, self.style(piece))
        text = text.append(f"\u00a0{piece.figures}", QUIET) if figures and piece.figures else text
        return self.marked(text, piece.key)

    def stack(self, pieces: Sequence[Piece]) -> Text:
        """What lies on a cell: the top one, and how many there are."""
        label = pieces[-1].short if pieces[-1].name else BACK
        top = Text(f"{label}+{pieces[-1].holds}" if pieces[-1].holds else label, self.style(pieces[-1]))
        return top.append(f"{TIMES}{len(pieces)}", QUIET) if len(pieces) > 1 else top

    def full(self, piece: Piece, figures: bool = True) -> Text:
        """A piece by its label, with its figures, what is marked on it and what it holds."""
        text = Text(piece.alike or piece.label, self.style(piece))
        if figures and piece.figures and not piece.alike:
            text.append(f" {piece.figures}", QUIET)
        if piece.remarks and not piece.alike:
            text.append(f" ({', '.join(piece.remarks)})", QUIET)
        return self.marked(text, piece.key)

    def marked(self, text: Text, *keys: str) -> Text:
        """A text with the mark of what the selected option is about, if one of these keys is."""
        return Text.assemble((f"{MARK}{text.plain}", CHOSEN)) if any(key in self.marks for key in keys) else text

    def counted(self, pieces: Iterable[Text]) -> list[Text]:
        """Labels in their order; the same ones side by side are one, with how many."""
        groups: list[tuple[Text, int]] = []
        for piece in pieces:
            if groups and groups[-1][0] == piece:
                groups[-1] = (piece, groups[-1][1] + 1)
            else:
                groups.append((piece, 1))
        return [Text.assemble(label, (f"{TIMES}{n}" if n > 1 else "", QUIET)) for label, n in groups]

    # -------------------------------------------------------------------- zones

    def line(
        self, zone: Zone, full: bool, named: bool = True, short: bool = False, figures: bool = True
    ) -> Flow:
        """A zone in a line: its name, how many lie there, and those that can be named (where they are to be): in full,
        in full where there is room, or in short."""
        hidden = (piece.key for piece in zone.pieces if not piece.name)
        head = self.marked(Text.assemble((zone.label, "bold")), zone.key, *hidden)
        head.append(f" {'?' if zone.count is None else zone.count}", QUIET)
        seen = [piece for piece in zone.pieces if piece.name]
        if len(seen) < len(zone.pieces):
            head.append(f" {BACK} …" if seen else f" {BACK}", QUIET)
        if not named:
            return Flow(head, Items(()))
        if zone.unordered:  # a hand has no order: alike beside alike
            seen.sort(key=lambda piece: (piece.short, piece.label))
        told = self.counted(self.full(piece, figures and zone.owner >= 0) for piece in seen)  # in the middle is no room
        if zone.owner < 0 and not zone.holder and len(told) > MAX_LABELS:
            head.append(" …", QUIET)
            told = told[-MAX_LABELS:]
        labels = Items(told, " · ")
        if zone.carries:  # a short label would hide too much
            return Flow(head, labels, below=True)
        if full:
            return Flow(head, labels)
        shorts = Items(self.counted(self.short(piece, figures) for piece in seen), " ")
        return Flow(head, shorts) if short else Flow(head, shorts, labels)

    def grid(self, zone: Zone) -> RenderableType:
        """A plan; columns are letters, rows are numbers."""
        labels = [self.on_cell(zone, cell) for cell in zone.cells]
        if zone.shape == "graph":
            return self.graph(zone, labels)
        if zone.shape == "hex":
            return Group(*hexagons(zone, labels))
        cells = {(cell.row, cell.column): label for cell, label in zip(zone.cells, labels, strict=True)}
        space = 0 if self.marking else 1
        table = Grid(box=None, padding=(0, space, 0, 0), show_header=True, header_style=QUIET, pad_edge=False)
        table.add_column("")
        for letters in zone.columns:
            table.add_column(Text(f" {letters}" if self.marking else letters, QUIET), min_width=4 - 2 * space)
        for row, number in enumerate(zone.rows):
            table.add_row(Text(number, QUIET), *(cells.get((row, c), Text()) for c in range(len(zone.columns))))
        return table

    def on_cell(self, zone: Zone, cell: Cell) -> Text:
        """What a cell shows: the top of what lies there, or its mark while it is free."""
        lying = [zone.pieces[number] for number in cell.pieces]
        label = self.stack(lying) if lying else Text(cell.mark, QUIET)
        if not self.marking:
            return label
        if cell.key in self.marks or any(piece.key in self.marks for piece in lying):
            return Text.assemble((f"[{label.plain}]", CHOSEN))
        return Text.assemble(" ", label, " ")

    def graph(self, zone: Zone, labels: Sequence[Text]) -> RenderableType:
        """A board whose cells are rows of a table: each with its name, where its coordinates say."""
        found = {
            (cell.row, cell.column): Text(" ").join([Text(cell.short, QUIET), label])
            for cell, label in zip(zone.cells, labels, strict=True)
        }
        table = Grid.grid(padding=(0, 1, 0, 0))
        columns = sorted({column for _, column in found})
        for row in range(len(zone.rows)):
            table.add_row(*(found.get((row, column), Text()) for column in columns))
        return table

    # ------------------------------------------------------------------- panels

    def shared(self) -> RenderableType:
        """What belongs to nobody."""
        parts: list[RenderableType] = []
        told = [self.note(note) for note in self.table.notes if note.owner < 0 and note.seat < 0]
        if told:
            parts.append(Text(" · ").join(told))
        for zone in self.table.zones_of(-1):
            if zone.is_map:
                parts += [Text(zone.label, "bold"), self.grid(zone)]
            elif zone.count != 0:
                parts.append(self.line(zone, full=True))
        title = Text(self.table.title, "bold")
        return Panel(Group(*parts), title=title, title_align="left", box=box.ROUNDED, padding=(0, 1))

    def note(self, note: Note) -> Text:
        text = Text(note.label)
        return text.append(f" {note.value}", "bold") if note.value else text

    def seat(self, seat: int) -> Group:
        """What stands in one player's panel: markers, counters, plans, zones."""
        notes = self.table.notes
        parts: list[RenderableType] = [
            Text(f"◆ {note.label}", TOKEN) for note in notes if note.owner < 0 and note.seat == seat
        ]
        own = [note for note in notes if note.owner == seat]
        if own:
            parts.append(Text(" · ").join(map(self.note, own)))
        zones = self.table.zones_of(seat)
        parts += [self.grid(zone) for zone in zones if zone.is_map]
        for zone in zones:
            if not zone.is_map and zone.count != 0:
                parts.append(self.line(zone, full=False, named=not zone.private))
        return Group(*parts)

    def panel(self, seat: int, body: Group, height: int) -> Panel:
        name, you = self.table.seats[seat].name, seat == self.table.viewer
        name = f"{name} ({self.phrases('you')})" if you else name
        points = self.table.seats[seat].total
        name = self.phrases("seat_points", player=name, points=points) if points else name
        title = Text(f"\u25b6 {name}" if seat == self.table.to_move else name, "bold")
        border = TURN if seat == self.table.to_move else Style() if you else QUIET
        return Panel(
            body, title=title, title_align="left", box=box.ROUNDED, border_style=border, padding=(0, 1), height=height
        )

    def seats(self, console: Console) -> RenderableType:
        """The panels side by side, as many as fit, those of a row equally high."""
        zones = [zone for zone in self.table.zones if zone.owner >= 0]
        widest = max((drawn_width(zone) for zone in zones if zone.is_map), default=0)
        labels = (self.full(piece).cell_len for zone in zones if zone.carries for piece in zone.pieces)
        widest = max((widest, *(length + 2 for length in labels)))  # a label begins two columns in
        players = len(self.table.seats)
        beside = max(1, min(players, console.width // max(NARROWEST, widest + 4)))
        inner = console.options.update(width=max(1, console.width // beside - 4))
        table = Grid.grid(expand=True)
        for _ in range(beside):
            table.add_column(ratio=1)
        for first in range(0, players, beside):
            row = range(first, min(first + beside, players))
            bodies = [self.seat(seat) for seat in row]
            height = 2 + max(len(console.render_lines(body, inner)) for body in bodies)
            table.add_row(*(self.panel(seat, body, height) for seat, body in zip(row, bodies, strict=True)))
        return table

    def private(self) -> list[RenderableType]:
        """What the viewer sees and others do not, in full."""
        return [self.line(zone, full=True) for zone in self.table.zones if zone.private]

    def draw(self, console: Console) -> RenderableType:
        """The whole table."""
        return Group(self.shared(), self.seats(console), *self.private())


@frozen
class Items:
    """What stands in a line, and what stands between."""

    texts: Sequence[Text]
    between: str = "  "

    def width(self) -> int:
        return sum(text.cell_len for text in self.texts) + len(self.between) * max(0, len(self.texts) - 1)


class Flow:
    """A heading and items after it, broken into lines only between items; `longer` items where they fit in the line.

    `below`: unless all of them fit in the line, they begin below the heading.
    """

    def __init__(self, head: Text, items: Items, longer: Items | None = None, below: bool = False) -> None:
        self.head = head
        self.items = items
        self.longer = longer
        self.below = below

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        line, room = self.head.copy(), options.max_width
        items = self.items
        if self.longer is not None and line.cell_len + 2 + self.longer.width() <= room:
            items = self.longer
        fresh = True
        if self.below and line.cell_len + 2 + items.width() > room:
            yield line
            line = Text()
        for item in items.texts:
            between = "  " if fresh else items.between
            if line.cell_len + len(between) + item.cell_len > room and line.cell_len > 2:
                yield line
                line, between = Text(), "  "
            line.append(between)
            line.append_text(item)
            fresh = False
        yield line


def drawn_width(zone: Zone) -> int:
    """How many columns a plan takes, where no label is long."""
    if zone.shape == "graph":
        return 12 * len({cell.column for cell in zone.cells})
    return len(zone.columns) * 3 + 2 + (len(zone.rows) * 3 // 2 if zone.shape == "hex" else 0)


def score_sheet(words: Words, sheets: Sequence[ScoreSheet], winners: Sequence[int]) -> Grid:
    """Points by part and seat, the winners in colour."""
    phrases = words.phrases
    table = Grid(title=Text(phrases("scores"), "bold"), title_justify="left", box=box.SIMPLE_HEAVY)
    table.add_column(Text(phrases("part")))
    for seat in range(len(sheets)):
        table.add_column(Text(words.seat(seat)), justify="right", style=TURN if seat in winners else "")
    for name in sheets[0].parts if sheets else ():
        row = [phrases.number(sheet.part_texts[name]) for sheet in sheets]
        table.add_row(Text(words.name(f"score.{name}")), *map(Text, row))
    table.add_section()
    table.add_row(Text(phrases("total"), "bold"), *(Text(phrases.number(sheet.total_text), "bold") for sheet in sheets))
    return table


def verdict(words: Words, winners: Sequence[int]) -> str:
    """Who has won, as a sentence."""
    if words.components.cooperative:
        return words.phrases("table_wins" if winners else "table_loses")
    if not winners:
        return words.phrases("no_winner")
    return words.phrases("winner" if len(winners) == 1 else "winners", players=", ".join(map(words.seat, winners)))
