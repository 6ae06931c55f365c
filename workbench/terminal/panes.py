"""A whole screen of a table as lines of text: panes for the table, one's own area, the log and the options.

What is drawn is a function of the view and of the size of the screen, so that it can be tested without a terminal.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from io import StringIO

from attrs import Factory, define, frozen
from rich.console import Console, Group, RenderableType
from rich.text import Text

from workbench.language.phrases import Phrases
from workbench.service.table import Table, Zone
from workbench.terminal.board import MARK, Board, drawn_width
from workbench.terminal.choices import Line, Menu
from workbench.terminal.colours import CHOSEN, QUIET, STRONG, TOKEN, TURN

MIN_WIDTH, MIN_HEIGHT = 56, 18  # a smaller screen is asked line by line
MAX_QUESTION = 3  # lines
PANES = ("options", "table", "own", "log")  # in the order in which Tab goes through them
LEAST = {"options": 4, "own": 3, "table": 3, "log": 1}  # lines that a pane has before another gets more
GREEDY = ("options", "table", "table", "log")  # who gets what is left, line by line


@frozen
class Overlay:
    """A text that is laid over the table until a key closes it."""

    title: str
    lines: tuple[str, ...]


@define
class View:
    """What is on the screen: a table, the menu of its question, and what has been scrolled where.

    `past`: where one looks back to, in words; then nothing can be answered. `fresh` is how many lines of the log are
    new to the viewer. `given` is the place of the option that was answered, in a game that is walked through.
    """

    table: Table
    menu: Menu
    log: Sequence[str] = ()
    fresh: int = 0
    keys: str = ""
    message: str = ""
    past: str = ""
    typing: str = ""  # the prompt of what is being typed, if anything is
    typed: str = ""
    overlay: Overlay | None = None
    focus: str = "options"
    offsets: dict[str, int] = Factory(dict)
    given: int = -1


@frozen
class Screen:
    """A drawn screen: its lines, and which of them each pane has (from, to)."""

    lines: list[Text]
    panes: dict[str, tuple[int, int]]

    @property
    def text(self) -> str:
        return "\n".join(line.plain for line in self.lines)

    def pane(self, name: str) -> str:
        first, last = self.panes[name]
        return "\n".join(line.plain for line in self.lines[first:last])


def draw(view: View, width: int, height: int) -> Screen:
    """The screen, exactly as wide and as high as it may be."""
    pen = _Pen(view, width)
    question = pen.question()
    has_own = 0 <= view.table.viewer < len(view.table.seats)
    room = height - 1 - has_own - len(question) - 1
    wants = {"table": pen.table(), "options": pen.options(), "log": pen.log()}
    wants["own"] = pen.own(room - sum(min(LEAST[name], len(lines)) for name, lines in wants.items()))
    rows = share_out(room, {name: len(lines) for name, lines in wants.items()})
    lines: list[Text] = []
    panes: dict[str, tuple[int, int]] = {}

    def add(name: str, found: Sequence[Text]) -> None:
        panes[name] = (len(lines), len(lines) + len(found))
        lines.extend(found)

    add("title", [pen.rule(pen.title(), "table", rows["table"], wants["table"])])
    if view.overlay is not None:
        inner = rows["table"] + has_own + rows["own"] + rows["log"]
        add("overlay", pen.overlay(view.overlay, inner))
    else:
        add("table", pen.window("table", wants["table"], rows["table"]))
        if has_own:
            add("own_title", [pen.rule(pen.own_title(), "own", rows["own"], wants["own"])])
        add("own", pen.window("own", wants["own"], rows["own"]))
        add("log", pen.window("log", wants["log"], rows["log"], last=True))
    add("question", question)
    add("options", pen.window("options", wants["options"], rows["options"]))
    add("keys", [pen.footer()])
    return Screen([_fitted(line, width) for line in lines], panes)


def share_out(room: int, wants: dict[str, int]) -> dict[str, int]:
    """How many lines each pane gets: the least each needs, one's own area whole if it can be, then who needs more."""
    rows = {name: min(least, wants[name]) for name, least in LEAST.items()}
    left = room - sum(rows.values())
    own = max(0, min(left, wants["own"] - rows["own"]))
    rows["own"] += own
    left -= own
    while left > 0 and any(rows[name] < wants[name] for name in GREEDY):
        for name in GREEDY:
            if left > 0 and rows[name] < wants[name]:
                rows[name] += 1
                left -= 1
    rows["table"] += max(0, left)  # nobody needs it: an empty line or two
    while sum(rows.values()) > room:
        widest = max(("table", "own", "log", "options"), key=lambda name: rows[name])
        rows[widest] -= 1
    return rows


def _fitted(line: Text, width: int) -> Text:
    line = line.copy()
    line.truncate(width, overflow="ellipsis", pad=True)
    return line


class _Pen:
    """Draws the parts of a screen."""

    def __init__(self, view: View, width: int) -> None:
        self.view = view
        self.width = width
        self.phrases = Phrases(view.table.lang)
        self.marks = view.menu.marks() if view.focus == "options" else frozenset()
        self.board = Board(view.table, self.marks, marking=True)
        self.console = Console(width=width, file=StringIO(), force_terminal=True, color_system="truecolor")

    # --------------------------------------------------------------------- parts

    def lines(self, *parts: RenderableType, width: int = 0) -> list[Text]:
        options = self.console.options.update(width=width or self.width, highlight=False)
        found = self.console.render_lines(Group(*parts), options, pad=False)
        return [Text.assemble(*((one.text, one.style or "") for one in line)) for line in found]

    def table(self) -> list[Text]:
        """What belongs to nobody, and the other players side by side."""
        parts: list[RenderableType] = []
        for zone in self.view.table.zones_of(-1):
            if zone.is_map:
                head = self.board.marked(Text(zone.label, STRONG), zone.key)
                parts += [head, self.board.grid(zone)]
            elif zone.count != 0:
                parts.append(self.board.line(zone, full=True))
        return [*self.lines(*parts), *self.others()] if parts else self.others()

    def others(self) -> list[Text]:
        table = self.view.table
        seats = [seat.number for seat in table.seats if seat.number != table.viewer]
        first = table.viewer + 1 if 0 <= table.viewer < len(table.seats) else 0
        seats.sort(key=lambda seat: (seat - first) % len(table.seats))
        zones = [zone for zone in table.zones if zone.owner in seats]
        widest = max([4 * len(zone.columns) + 3 for zone in zones if zone.is_map and zone.shape == "square"], default=0)
        widest = max([widest, *(drawn_width(zone) for zone in zones if zone.is_map and zone.shape != "square")])
        carried = (piece.full for zone in zones if zone.carries for piece in zone.pieces)
        widest = max([widest, 22, *(len(label) + 2 for label in carried)])
        beside = max(1, min(len(seats), (self.width + 1) // (widest + 1)))
        lines: list[Text] = []
        for start in range(0, len(seats), beside):
            row = seats[start : start + beside]
            each = (self.width + 1) // len(row) - 1
            columns = [[self.seat_title(seat, each), *self.lines(self.board.seat(seat), width=each)] for seat in row]
            for number in range(max(map(len, columns))):
                cells = [column[number] if number < len(column) else Text() for column in columns]
                lines.append(Text(" ").join(_fitted(cell, each) for cell in cells))
        return lines

    def seat_title(self, seat: int, width: int) -> Text:
        found = self.view.table.seats[seat]
        name = self.board.marked(Text(found.name, STRONG), f"seat{seat}")
        if seat == self.view.table.to_move:
            name = Text.assemble(("▶ ", TURN), name)
        points = f" {found.total}" if found.total else ""
        line = Text.assemble(("─ ", QUIET), name, points, " ")
        return line.append("─" * max(0, width - line.cell_len), QUIET)

    def own(self, room: int) -> list[Text]:
        """One's own area: plans on the left, everything else beside and below them, in full. Where that is too much,
        what the question is not about is in short, then without its figures; at last all of it is in short. What the
        question is about always has its figures."""
        table = self.view.table
        if not 0 <= table.viewer < len(table.seats):
            return []
        asked = self.asked_about()

        def is_asked(zone: Zone) -> bool:
            return any(piece.key in asked for piece in zone.pieces)

        found = self.own_lines(lambda zone: True, lambda zone: True)
        if len(found) > room and self.view.focus != "own":
            found = self.own_lines(is_asked, lambda zone: True)
        if len(found) > room and self.view.focus != "own":
            found = self.own_lines(is_asked, is_asked)
        if len(found) > room and self.view.focus != "own":
            found = self.own_lines(lambda zone: False, is_asked)
        return found

    def asked_about(self) -> frozenset[str]:
        """The keys of all pieces that the options name."""
        question = self.view.table.question
        return frozenset(key for option in question.options for key in option.pieces) if question else frozenset()

    def own_lines(self, in_full: Callable[[Zone], bool], figured: Callable[[Zone], bool]) -> list[Text]:
        table = self.view.table
        zones = table.zones_of(table.viewer)
        notes = [self.board.note(note) for note in table.notes if note.owner == table.viewer]
        parts: list[RenderableType] = [Text(" · ").join(notes)] if notes else []
        flat = [zone for zone in zones if not zone.is_map and zone.count != 0]
        parts += [
            self.board.line(zone, full=in_full(zone), short=not in_full(zone), figures=figured(zone)) for zone in flat
        ]
        plans = self.lines(*(self.board.grid(zone) for zone in zones if zone.is_map))
        if not any(zone.is_map for zone in zones):
            return self.lines(*parts) if parts else []
        return self.beside(plans, parts)

    def beside(self, plans: list[Text], parts: list[RenderableType]) -> list[Text]:
        """Plans, and what fits beside them; the rest is below, over the whole width."""
        plans = [_stripped(line) for line in plans]
        edge = max((line.cell_len for line in plans), default=0) + 2
        right: list[Text] = []
        below: list[RenderableType] = []
        for part in parts:
            more = self.lines(part, width=self.width - edge) if edge <= self.width // 2 else []
            if more and len(right) + len(more) <= len(plans):
                right += more
            else:
                below.append(part)
        right += [Text()] * (len(plans) - len(right))
        beside = [Text.assemble(_fitted(a, edge), b) for a, b in zip(plans, right, strict=True)]
        return [*beside, *self.lines(*below)] if below else beside

    def log(self) -> list[Text]:
        """What happened; a dot before what is new."""
        old = len(self.view.log) - self.view.fresh
        return [Text(f"{'•' if n >= old else ' '} {line}", QUIET) for n, line in enumerate(self.view.log)]

    def own_title(self) -> Text:
        table = self.view.table
        seat = table.seats[table.viewer]
        held = [f"◆ {note.label}" for note in table.notes if note.owner < 0 and note.seat == table.viewer]
        turn = "▶ " if table.to_move == table.viewer else ""
        name = self.board.marked(Text(f"{seat.name} ({self.phrases('you')})", STRONG), f"seat{table.viewer}")
        points = f" {seat.total}" if seat.total else ""
        return Text.assemble((turn, TURN), name, points, (f"  {'  '.join(held)}" if held else "", TOKEN))

    def title(self) -> Text:
        table = self.view.table
        notes = [note.text for note in table.notes if note.owner < 0 and note.seat < 0]
        past = f"  ⟲ {self.view.past}" if self.view.past else ""
        return Text.assemble((table.title, STRONG), f"  {' · '.join(notes)}" if notes else "", (past, TURN))

    def rule(self, title: Text, pane: str, rows: int, lines: Sequence[Text]) -> Text:
        """The line above a pane: what it is, and how much of it is out of sight."""
        sign = "═" if self.view.focus == pane else "─"
        more, count = "", len(lines)
        if count > rows:
            first = self.first(pane, lines, rows)
            more = f" {first + 1}-{first + rows}/{count} {'▲' if first else ' '}{'▼' if first + rows < count else ' '} "
        title = title.copy()
        title.truncate(self.width - len(more) - 6, overflow="ellipsis")
        line = Text.assemble((f"{sign}{sign} ", QUIET), title, " ")
        return line.append(sign * (self.width - line.cell_len - len(more)), QUIET).append(more, QUIET)

    # ------------------------------------------------------------------ scrolling

    def first(self, pane: str, lines: Sequence[Text], rows: int, last: bool = False) -> int:
        """The first line of a pane that is in sight: where it was scrolled to, or else where something is marked."""
        end = max(0, len(lines) - rows)
        first = max(0, min(self.view.offsets.get(pane, end if last else 0), end))
        follows = pane == "options" or (pane not in self.view.offsets and not last)
        marked = [number for number, line in enumerate(lines) if _is_marked(line)] if follows else []
        if marked and pane == "options":
            first = min(max(first, marked[-1] - rows + 1), marked[0])
        elif marked and not first <= marked[0] < first + rows:
            first = min(max(0, marked[0] - rows // 3), end)
        return first

    def window(self, pane: str, lines: list[Text], rows: int, last: bool = False) -> list[Text]:
        first = self.first(pane, lines, rows, last)
        if pane == "options":  # the list stays where it is as long as what is selected is in sight
            self.view.offsets[pane] = first
        return _filled(lines[first : first + rows], rows)

    # ------------------------------------------------------------------- question

    def question(self) -> list[Text]:
        view, question = self.view, self.view.table.question
        if view.typing:
            return [Text.assemble((f"{view.typing} ", TURN), view.typed, ("▏", TURN))]
        if question is None:
            return [Text(view.message, TURN)]
        heading = self.phrases("heading", rule=question.heading) if question.heading else ""
        text = Text.assemble((heading, TOKEN), (question.text, STRONG))
        if question.chosen:
            text.append(f"  {self.phrases('chosen', items=question.chosen)}")
        if view.menu.typed:
            text.append(f"  /{view.menu.typed}", TURN)
        lines = list(text.wrap(self.console, self.width - 2))[:MAX_QUESTION]
        lines = [Text.assemble(("? " if n == 0 else "  ", TURN), line) for n, line in enumerate(lines)]
        return [*lines, Text(view.message, TURN)] if view.message else lines

    def options(self) -> list[Text]:
        menu = self.view.menu
        if not menu.lines and menu.options:
            return [Text(self.phrases("nothing_fits", typed=menu.typed), QUIET)]
        return [line for place, one in enumerate(menu.lines) for line in self.option(place, one)]

    def option(self, place: int, line: Line) -> list[Text]:
        """A line of the menu; the selected one in as many lines as it needs."""
        menu, selected = self.view.menu, place == self.view.menu.place
        number = "+" if line.folded else str(menu.options[line.options[0]].number)
        sign = MARK if selected else "●" if line.options == (self.view.given,) else " "
        head = f"{sign}{number:>3} "
        if not selected:
            return [Text.assemble(head, line.text)]
        parts = list(Text(line.text).wrap(self.console, self.width - len(head) - 1)) or [Text()]
        return [Text(f"{head if n == 0 else ' ' * len(head)}{part.plain} ", CHOSEN) for n, part in enumerate(parts)]

    def footer(self) -> Text:
        return Text(self.view.keys, QUIET)

    def overlay(self, overlay: Overlay, rows: int) -> list[Text]:
        lines = [Text(overlay.title, STRONG), Text()]
        for line in overlay.lines:
            indent = len(line) - len(line.lstrip(" "))
            found = Text(line.lstrip(" ")).wrap(self.console, max(10, self.width - 5 - indent))
            lines += [Text(" " * (indent + 2 * (n > 0))) + part for n, part in enumerate(found)] or [Text()]
        first = max(0, min(self.view.offsets.get("overlay", 0), len(lines) - rows))
        self.view.offsets["overlay"] = first
        shown = lines[first : first + rows]
        if first + rows < len(lines):
            shown[-1] = Text("…  ▼", QUIET)
        return _filled([Text.assemble(("│ ", TOKEN), line) for line in shown], rows)


def _filled(lines: list[Text], rows: int) -> list[Text]:
    return [*lines, *[Text()] * (rows - len(lines))]


def _stripped(line: Text) -> Text:
    line = line.copy()
    line.rstrip()
    return line


def _is_marked(line: Text) -> bool:
    """Whether something in a line is marked: no other style is reversed."""
    styles = [line.style, *(span.style for span in line.spans)]
    return any(not isinstance(style, str) and style.reverse for style in styles)
