"""The table on the terminal: shared zones, a panel a seat, what only the viewer sees, and the score sheet."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from attrs import frozen
from rich import box
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.errors import StyleSyntaxError
from rich.panel import Panel
from rich.style import Style
from rich.table import Table
from rich.text import Text

from interpreter import Observation, ScoreSheet, Shown, VariableView, ZoneView
from warlock_dsl import seen_by_all, seen_by_owner_alone
from warlock_dsl import types as t
from warlock_dsl.tables.components import Components, Grid
from workbench.language.sentences import TIMES, Words
from workbench.terminal.plan import hexagons, letters

BACK = "▒▒"
MARKS = "·:+x▪▫"  # of free cells, by the regions they lie in
NARROWEST = 18  # columns of a seat's panel
MAX_LABELS = 16  # of an open pile in the middle of the table: what lies deeper is counted, not told


def style_of(colour: str) -> Style:
    """A style from a game's tables; what rich does not know is plain."""
    try:
        return Style.parse(colour)
    except StyleSyntaxError:
        return Style()


class Board:
    """Draws what one player sees. It asks the observation alone, so it cannot show more."""

    def __init__(self, words: Words, view: Observation) -> None:
        self.words = words.seeing(view)
        self.components: Components = words.components
        self.view = view
        self.held: dict[str, list[ZoneView]] = {}
        for zone in view.zones:
            if zone.holder and zone.count != 0:
                self.held.setdefault(zone.holder, []).append(zone)
        self.flags: dict[str, list[VariableView]] = {}
        for variable in view.variables:
            if variable.holder and variable.value is not None:
                self.flags.setdefault(variable.holder, []).append(variable)

    # ------------------------------------------------------------------- pieces

    def look(self, piece: Shown) -> tuple[str, Style]:
        """The short label and the colour of a piece, whole where its row has no short one; unseen, a back."""
        if not piece.name:
            return BACK, Style(dim=True)
        look = self.components.looks.get(f"kind.{piece.of}", {})
        by = look.get("by")
        own = self.components.looks.get(self._row(piece, by), {}) if by is not None else {}
        look = own or look
        whole = self.words.shown(piece) if own else self.words.name(f"kind.{piece.of}")[:2].capitalize()
        return look.get("short") or whole, style_of(look.get("colour", ""))

    def _row(self, piece: Shown, field: str) -> str:
        kind = self.components.kinds[piece.of]
        number = kind.pieces.index(piece.name)
        for variable in self.flags.get(piece.name, ()):
            if variable.name == field and variable.value is not None:
                return f"{variable.value.of}.{variable.value.name}"
        if field == "face" and kind.table:
            return f"{kind.table}.{self.components.tables[kind.table].rows[kind.faces[number]]}"
        column = kind.fields.get(field)
        value = column.values[number] if column is not None else None
        if column is None or not isinstance(column.type, t.RowType) or not isinstance(value, int):
            return ""
        return f"{column.type.table}.{self.components.tables[column.type.table].rows[value]}"

    def short(self, piece: Shown) -> Text:
        label, style = self.look(piece)
        held = sum(zone.count or 0 for zone in self.held.get(piece.name, ()))
        return Text(f"{label}+{held}" if held else label, style)

    def stack(self, pieces: Sequence[Shown]) -> Text:
        """What lies on a cell: the top one, and how many there are."""
        top = self.short(pieces[-1])
        return top.append(f"{TIMES}{len(pieces)}", "dim") if len(pieces) > 1 else top

    def full(self, piece: Shown, many: bool = False) -> Text:
        """A piece by its label, with what is marked on it and what it holds, unless the label tells that.

        `many`: it lies among others; of a kind all alike, one that nothing tells apart goes without its number.
        """
        style = self.look(piece)[1]
        if not piece.name:
            return Text(self.words.shown(piece), style)
        marks = [(v.name, r) for v in self.flags.get(piece.name, ()) if (r := self._remark(piece, v))]
        marks += [(zone.name, self._counted(zone)) for zone in self.held.get(piece.name, ())]
        kind = self.components.kinds[piece.of]
        if many and not marks and not kind.table and not kind.fields:
            return Text(self.words.one_of_many(piece.name), style)
        text = Text(self.words.shown(piece), style)
        told = self.words.says_now(piece.of)
        more = ", ".join(remark for name, remark in marks if name not in told)
        return text.append(f" ({more})", "dim") if more else text

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

    def _name(self, zone: ZoneView) -> str:
        return self.words.zone(zone.name, by=zone.by, row=zone.row)

    def _counted(self, zone: ZoneView) -> str:
        """What a piece holds: how many, and which, unless they are all alike."""
        count = f"{self._name(zone)} {'?' if zone.count is None else zone.count}"
        seen = [piece for piece in zone.pieces if piece.name and not self._plain(piece)]
        return f"{count}: {', '.join(text.plain for text in self.counted(map(self.full, seen)))}" if seen else count

    def _plain(self, piece: Shown) -> bool:
        """Whether there is no more to a piece than its kind."""
        kind = self.components.kinds[piece.of]
        return not kind.table and not kind.fields and piece.name not in self.flags and piece.name not in self.held

    def counted(self, pieces: Iterable[Text]) -> list[Text]:
        """Labels in their order; the same ones side by side are one, with how many."""
        groups: list[tuple[Text, int]] = []
        for piece in pieces:
            if groups and groups[-1][0] == piece:
                groups[-1] = (piece, groups[-1][1] + 1)
            else:
                groups.append((piece, 1))
        return [Text.assemble(label, (f"{TIMES}{n}" if n > 1 else "", "dim")) for label, n in groups]

    # -------------------------------------------------------------------- zones

    def line(self, zone: ZoneView, full: bool, named: bool = True) -> Flow:
        """A zone in a line: its name, how many lie there, and those that can be named (where they are to be)."""
        head = Text.assemble((self._name(zone), "bold"))
        head.append(f" {'?' if zone.count is None else zone.count}", "dim")
        seen = [piece for piece in zone.pieces if piece.name]
        if len(seen) < len(zone.pieces):
            head.append(f" {BACK} …" if seen else f" {BACK}", "dim")
        if not named:
            return Flow(head, Items(()))
        if seen_by_owner_alone(self.components.zones[zone.name]):  # a hand has no order: alike beside alike
            seen.sort(key=lambda piece: (self.look(piece)[0], self.words.shown(piece)))
        many = zone.owner < 0 and not zone.holder
        told = self.counted(self.full(piece, many) for piece in seen)
        if many and len(told) > MAX_LABELS:
            head.append(" …", "dim")
            told = told[-MAX_LABELS:]
        labels = Items(told, " · ")
        if self._carries(zone):
            return Flow(head, labels, below=True)
        if full:
            return Flow(head, labels)
        return Flow(head, Items(self.counted(self.short(piece) for piece in seen), " "), labels)

    def _carries(self, zone: ZoneView) -> bool:
        """Whether what lies here holds pieces of its own: then a short label would hide too much."""
        kinds = self.components.zones[zone.name].kinds
        return any(other.owner in kinds for other in self.components.zones.values())

    def grid(self, zone: ZoneView) -> RenderableType:
        """A grid; columns are letters, rows are numbers."""
        plan = self.components.grids[self.components.zones[zone.name].grid]
        marks = region_marks(plan)
        labels = [
            self.stack([zone.pieces[n] for n in lying]) if lying else Text(marks[number], "dim")
            for number, lying in enumerate(zone.lying())
        ]
        if plan.table:
            return self.graph(zone, plan, labels)
        if plan.shape == "hex":
            return Group(*hexagons(plan, labels))
        cells = dict(zip(plan.cells, labels, strict=True))
        table = Table(box=None, padding=(0, 1, 0, 0), show_header=True, header_style="dim", pad_edge=False)
        table.add_column("")
        for column in range(plan.width):
            table.add_column(Text(letters(column), "dim"), min_width=2)
        for row in range(plan.height):
            number = Text(str(plan.row_number(row)), "dim")
            table.add_row(number, *(cells.get((row, c), Text()) for c in range(plan.width)))
        return table

    def graph(self, zone: ZoneView, plan: Grid, labels: Sequence[Text]) -> RenderableType:
        """A board whose cells are rows of a table: each with its name, where its coordinates say."""
        names = [Text(self.spot(zone, number), "dim") for number in range(len(labels))]
        found = dict(zip(plan.cells, (Text(" ").join(one) for one in zip(names, labels, strict=True)), strict=True))
        table = Table.grid(padding=(0, 1, 0, 0))
        columns = sorted({column for _, column in found})
        for row in range(plan.height):
            table.add_row(*(found.get((row, column), Text()) for column in columns))
        return table

    def spot(self, zone: ZoneView, number: int) -> str:
        """A cell by the short label of its row, or else by its name."""
        table = self.components.tables[self.components.grids[self.components.zones[zone.name].grid].table]
        short = self.components.looks.get(f"{table.name}.{table.rows[number]}", {}).get("short")
        return short or self.words.cell(zone.name, *zone.cells[number][:2])

    def is_map(self, zone: ZoneView) -> bool:
        grid = self.components.zones[zone.name].grid
        return bool(grid) and not self.components.grids[grid].slots

    # ------------------------------------------------------------------- panels

    def shared(self) -> RenderableType:
        """What belongs to nobody."""
        parts: list[RenderableType] = []
        counters = [v for v in self.view.variables if v.owner < 0 and not v.holder and self._says(v)]
        told = [self._variable(v) for v in counters if v.value is not None and v.value.what != "player"]
        if told:
            parts.append(Text(" · ").join(told))
        for zone in self.view.zones:
            if zone.owner >= 0 or zone.holder:
                continue
            if self.is_map(zone):
                parts += [Text(self._name(zone), "bold"), self.grid(zone)]
            elif zone.count != 0:
                parts.append(self.line(zone, full=True))
        title = Text(self.words.title(), "bold")
        return Panel(Group(*parts), title=title, title_align="left", box=box.ROUNDED, padding=(0, 1))

    def _says(self, variable: VariableView) -> bool:
        """Whether a variable is worth a word: what is not so, and a list of nothing, are not."""
        value = variable.value
        if value is None or (value.what == "list" and not value.items):
            return False
        return (value.what, value.name) != ("truth", "false")

    def _variable(self, variable: VariableView) -> Text:
        text = Text(self.words.of_row(self.words.name(f"variable.{variable.name}"), variable.by, variable.row))
        if variable.value is not None and variable.value.what != "truth":
            text.append(f" {self.words.shown(variable.value)}", "bold")
        return text

    def seat(self, seat: int) -> Group:
        """What stands in one player's panel: markers, counters, grids, zones."""
        parts: list[RenderableType] = []
        for variable in self.view.variables:
            held = variable.value is not None and variable.value.what == "player" and variable.value.owner == seat
            if held and variable.owner < 0 and not variable.holder:
                parts.append(Text(f"◆ {self.words.name(f'variable.{variable.name}')}", "bold cyan"))
        own = [v for v in self.view.variables if v.owner == seat and not v.holder and self._says(v)]
        if own:
            parts.append(Text(" · ").join(self._variable(v) for v in own))
        zones = [zone for zone in self.view.zones if zone.owner == seat]
        parts += [self.grid(zone) for zone in zones if self.is_map(zone)]
        for zone in zones:
            if not self.is_map(zone) and zone.count != 0:
                parts.append(self.line(zone, full=False, named=not self._told_below(zone)))
        return Group(*parts)

    def panel(self, seat: int, body: Group, height: int, asked: int) -> Panel:
        name = self.words.seat(seat)
        title = Text(f"{name} ({self.words.phrases('you')})" if seat == self.view.player else name, "bold")
        border = "yellow" if seat == asked else "default" if seat == self.view.player else "dim"
        return Panel(
            body, title=title, title_align="left", box=box.ROUNDED, border_style=border, padding=(0, 1), height=height
        )

    def seats(self, console: Console, asked: int) -> RenderableType:
        """The panels side by side, as many as fit, those of a row equally high."""
        zones = [zone for zone in self.components.zones.values() if zone.grid and zone.owner == "player"]
        grids = [self.components.grids[zone.grid] for zone in zones]
        widest = max((drawn_width(grid) for grid in grids if not grid.slots), default=0)
        told = [zone for zone in self.view.zones if zone.owner >= 0 and self._carries(zone)]
        labels = (self.full(piece).cell_len for zone in told for piece in zone.pieces)
        widest = max((widest, *(length + 2 for length in labels)))  # a label begins two columns in
        beside = max(1, min(self.view.players, console.width // max(NARROWEST, widest + 4)))
        inner = console.options.update(width=max(1, console.width // beside - 4))
        table = Table.grid(expand=True)
        for _ in range(beside):
            table.add_column(ratio=1)
        for first in range(0, self.view.players, beside):
            row = range(first, min(first + beside, self.view.players))
            bodies = [self.seat(seat) for seat in row]
            height = 2 + max(len(console.render_lines(body, inner)) for body in bodies)
            table.add_row(*(self.panel(seat, body, height, asked) for seat, body in zip(row, bodies, strict=True)))
        return table

    def _told_below(self, zone: ZoneView) -> bool:
        """Whether a zone is the viewer's own and hidden from others: it is told in full below the panels."""
        hidden = not seen_by_all(self.components.zones[zone.name])
        return zone.owner == self.view.player and hidden and any(piece.name for piece in zone.pieces)

    def private(self) -> list[RenderableType]:
        """What the viewer sees and others do not, in full."""
        return [self.line(zone, full=True) for zone in self.view.zones if self._told_below(zone)]

    def draw(self, console: Console, asked: int = -1) -> RenderableType:
        """The whole table."""
        return Group(self.shared(), self.seats(console, asked), *self.private())


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


def drawn_width(grid: Grid) -> int:
    """How many columns a plan takes, where no label is long."""
    if grid.table:
        return 12 * len({column for _, column in grid.cells})
    return grid.width * 3 + 2 + (grid.height * 3 // 2 if grid.shape == "hex" else 0)


def region_marks(grid: Grid) -> list[str]:
    """A mark for each free cell: cells that lie in the same regions have the same one, the most frequent a dot."""
    names = [frozenset(n for n, cells in grid.regions.items() if cell in cells) for cell in range(len(grid.cells))]
    order = sorted(dict.fromkeys(names), key=lambda name: (-names.count(name), names.index(name)))
    return [MARKS[min(order.index(name), len(MARKS) - 1)] for name in names]


def score_sheet(words: Words, sheets: Sequence[ScoreSheet], winners: Sequence[int]) -> Table:
    """Points by part and seat, the winners in colour."""
    phrases = words.phrases
    table = Table(title=Text(phrases("scores"), "bold"), title_justify="left", box=box.SIMPLE_HEAVY)
    table.add_column(Text(phrases("part")))
    for seat in range(len(sheets)):
        table.add_column(Text(words.seat(seat)), justify="right", style="bold yellow" if seat in winners else "")
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
