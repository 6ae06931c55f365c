"""A game on a whole screen: what each key does to what is in sight. Nothing here draws or waits for a key.

`TableScreen` is what playing and walking through a game share: the panes, the menu, the texts laid over them.
`PlayScreen` is a person's seat at a game.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from interpreter import Game, PlayError
from workbench.language.explain import explain
from workbench.language.phrases import clean
from workbench.language.sentences import Words
from workbench.language.why_words import not_asked_lines, why_lines, why_not_lines
from workbench.service.table import Table, table_for
from workbench.support.errors import UsageError
from workbench.support.files import write_game
from workbench.terminal.choices import Menu
from workbench.terminal.legend import legend
from workbench.terminal.missing import not_offered
from workbench.terminal.panes import PANES, Overlay, Screen, View, draw
from workbench.terminal.sitting import Sitting

SCROLLS = {"up": -1, "down": 1, "page-up": -5, "page-down": 5}
TAKEN_BY_KEYS = "?whnqursl[]/ "  # other printable signs begin what is typed to narrow the menu


class TableScreen:
    """A table with its menu, and what is laid over it."""

    def __init__(self, words: Words, game: Game, viewer: int) -> None:
        self.words = words
        self.phrases = words.phrases
        self.log: list[str] = []
        self.events = 0
        self.known = 0  # lines of the log that the viewer has read
        self._typing: Callable[[str], None] | None = None
        self._nothing = False  # whether nothing may be typed
        self.view = self._view(game, viewer, 0)

    def _view(self, game: Game, viewer: int, selected: int) -> View:
        """What a viewer sees of a game, with the log as it grows."""
        if self.events > len(game.events):
            self.log, self.events = [], 0
        table = table_for(self.words, game, viewer, self.events, scored=True)
        self.log += table.log
        self.events = table.events
        menu = Menu(table.question, table, selected)
        self.known = min(self.known, len(self.log))
        return View(table, menu, tuple(self.log), len(self.log) - self.known, self.phrases("screen_keys"))

    @property
    def table(self) -> Table:
        return self.view.table

    def draw(self, width: int, height: int) -> Screen:
        return draw(self.view, width, height)

    def lay_over(self, title: str, lines: list[str]) -> None:
        self.view.overlay = Overlay(title, tuple(lines))
        self.view.offsets["overlay"] = 0

    def ask_for(self, prompt: str, use: Callable[[str], None], nothing: bool = False) -> None:
        """Let something be typed, and use it; `nothing` is to be used, too."""
        self.view.typing, self.view.typed, self._typing, self._nothing = prompt, "", use, nothing

    # ----------------------------------------------------------------------- keys

    def press(self, key: str) -> bool:
        """Whether a key was meant for what every table has: what is typed, texts laid over it, panes, the menu."""
        view = self.view
        if self._typing is not None:
            self._type(key)
        elif view.overlay is not None:
            self._over(key)
        elif key == "tab":
            self._focus(1)
        elif key == "back-tab":
            self._focus(-1)
        elif view.focus != "options" and (key in SCROLLS or key in ("home", "end", "escape")):
            self._scroll(key)
        elif view.menu.options:
            return self._menu(key)
        else:
            return False
        return True

    def _type(self, key: str) -> None:
        view = self.view
        if key in ("enter", "escape"):
            use, typed = self._typing, view.typed
            self._typing, view.typing = None, ""
            if key == "enter" and use is not None and (typed.strip() or self._nothing):
                use(typed.strip())
        elif key == "backspace":
            view.typed = view.typed[:-1]
        elif len(key) == 1:
            view.typed = (view.typed + key)[:200]

    def _over(self, key: str) -> None:
        if key in SCROLLS:
            self.view.offsets["overlay"] = max(0, self.view.offsets.get("overlay", 0) + SCROLLS[key])
        else:
            self.view.overlay = None

    def _focus(self, by: int) -> None:
        panes = [pane for pane in PANES if pane != "own" or 0 <= self.table.viewer < len(self.table.seats)]
        self.view.focus = panes[(panes.index(self.view.focus) + by) % len(panes)]

    def _scroll(self, key: str) -> None:
        pane, offsets = self.view.focus, self.view.offsets
        if key == "escape":
            self.view.focus = "options"
        elif key in ("home", "end"):
            offsets[pane] = 0 if key == "home" else 1 << 20
        else:
            lines = len(self.view.log) if pane == "log" else 1 << 20
            first = offsets.get(pane, lines if pane == "log" else 0)
            offsets[pane] = max(0, first + SCROLLS[key])

    def _menu(self, key: str) -> bool:
        menu = self.view.menu
        if key in SCROLLS:
            menu.move(SCROLLS[key])
        elif key in ("home", "end"):
            menu.move(-(1 << 20) if key == "home" else 1 << 20)
        elif key == "backspace" and menu.typed:
            menu.type(menu.typed[:-1])
        elif key in ("escape", "backspace", "left"):
            menu.back()
        elif key == "/":
            menu.type("")
            self.view.message = self.phrases("type_to_find")
            return True
        elif len(key) == 1 and (menu.typed or key not in TAKEN_BY_KEYS):
            menu.type(menu.typed + key)
        elif key == "right" and menu.selected is not None and menu.selected.folded:
            menu.enter()
        else:
            return False
        self.view.message = ""
        self.view.offsets.pop("table", None)
        self.view.offsets.pop("own", None)
        return True

    def take(self) -> int | None:
        """What Enter takes: the place of an option; None where it opened a fold, or nothing fits."""
        taken = self.view.menu.enter()
        if taken is None:
            self.view.offsets.pop("options", None)
        else:
            self.known = len(self.log)
        return taken


class PlayScreen(TableScreen):
    """One person's seat. `press` gives the place of an option, or "leave", or None where the game goes nowhere."""

    def __init__(self, words: Words, sitting: Sitting, seat: int, save_file: Path | None = None) -> None:
        self.sitting = sitting
        self.seat = seat
        self.save_file = save_file
        self.back = 0  # how many answers one looks back
        super().__init__(words, sitting.game, seat)

    def look(self, message: str = "") -> None:
        """See the table as it is now."""
        self.back = 0
        self.view = self._view(self.sitting.game, self.seat, 0)
        self.view.message = message

    def play(self, key: str) -> int | str | None:
        """What a key does."""
        if self.back and key in ("escape", "enter", "q"):
            self.look()
            return None
        if not self.back and key == "enter" and self._typing is None and self.view.overlay is None:
            if self.view.focus == "options":
                return self.take()
            self.view.focus = "options"
            return None
        if self.press(key):
            return None
        match key:
            case "q" | "ctrl-d":
                return "leave"
            case "u":
                self.look(self.phrases("undone" if self.sitting.undo(self.seat) else "nothing_to_undo"))
            case "r":
                self.look("" if self.sitting.redo() else self.phrases("nothing_to_redo"))
            case "[" | "]":
                self._look_back(1 if key == "[" else -1)
            case "?":
                self._explain()
            case "w":
                self._why()
            case "n":
                self.ask_for(self.phrases("why_not_what"), self._why_not, nothing=True)
            case "s":
                self._save()
            case "h":
                self.lay_over(self.phrases("keys_title"), [*self.phrases("screen_help").strip("\n").split("\n"), "",
                                                           *legend(self.words, self.table)])  # fmt: skip
            case "l":
                self.view.focus = "log"
        return None

    # ------------------------------------------------------------------- looking

    def _look_back(self, by: int) -> None:
        """The table as it was some answers ago; the game itself stays where it is."""
        game = self.sitting.game
        back = max(0, min(self.back + by, len(self.sitting.askers)))
        if not back:
            self.look()
            return
        then = game.copy()
        for _ in range(back):
            then.undo()
        self.back = back
        table = table_for(self.words, then, self.seat, scored=True)
        self.view = View(table, Menu(None, table), table.log, 0, self.phrases("screen_back_keys"))
        self.view.past = self.phrases("looking_back", count=str(back))
        self.view.focus = "table"

    def _explain(self) -> None:
        """About the selected option; of a fold, about each in it."""
        decision, line = self.sitting.game.decision, self.view.menu.selected
        if decision is None or line is None:
            return
        lines: list[str] = []
        for number in line.options[:6]:
            lines += explain(self.words, self.sitting.game.ruleset, decision, decision.options[number])
        lines = list(dict.fromkeys(lines)) if line.folded else lines
        self.lay_over(line.text, lines or [self.phrases("no_help", item=line.text)])

    def _why(self) -> None:
        decision, line = self.sitting.game.decision, self.view.menu.selected
        if decision is None or line is None:
            return
        try:
            why = self.sitting.game.why(decision.options[line.options[0]].key)
            lines = why_lines(self.words, self.sitting.game.ruleset, why)
        except PlayError as error:
            lines = [clean(error.message)]
        self.lay_over(self.phrases("why_title", item=self.view.menu.texts[line.options[0]]), lines)

    def _why_not(self, typed: str) -> None:
        """Why something is not on offer, by its key or by what it is called; of nothing, why one was not asked."""
        game = self.sitting.game
        if not typed:
            lines = not_asked_lines(self.words, game.ruleset, game.why_not_asked(self.seat))
            self.lay_over(self.phrases("passed_title"), lines)
            return
        title, found = not_offered(self.words, game, self.table, typed)
        lines = [found] if isinstance(found, str) else why_not_lines(self.words, game.ruleset, found)
        self.lay_over(self.phrases("why_not_title", item=title), lines)

    def _save(self) -> None:
        game = self.sitting.game
        path = self.save_file or Path(f"{game.ruleset.name}-{game.seed}.save.json")
        try:
            write_game(path, game.save())
        except UsageError as error:
            self.view.message = self.phrases("not_saved", why=clean(error.message))
            return
        self.save_file = path
        self.view.message = self.phrases("saved", file=clean(str(path)))
