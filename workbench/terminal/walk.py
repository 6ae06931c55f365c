"""Walking through a game that was played before: on a whole screen, or line by line."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.console import Console
from rich.text import Text

from interpreter import Game
from workbench.language.sentences import Words
from workbench.service.table import EVERYBODY, table_for
from workbench.terminal.board import Board, verdict
from workbench.terminal.choices import Menu
from workbench.terminal.colours import QUIET, TURN
from workbench.terminal.fullscreen import RESIZED, Terminal
from workbench.terminal.panes import Overlay, View, draw
from workbench.terminal.recorded import Recorded, law_in_words, search
from workbench.terminal.screen import TableScreen
from workbench.terminal.session import listing

MIN_BESIDE = 112  # columns from which two tables stand side by side
STEPS = {"right": 1, "n": 1, " ": 1, "enter": 1, "left": -1, "p": -1, "page-down": 10, "page-up": -10}


class Walk:
    """Where somebody is in a game, and from whose seat it is seen (-1: one who sees everything).

    With `others` (the same answers under other rules) both are walked through up to `last`, where they diverge."""

    def __init__(
        self, found: Recorded, words: Words, other: Recorded | None = None, other_words: Words | None = None,
        last: int | None = None, diverges: str = "",
    ) -> None:  # fmt: skip
        self.found, self.words = found, words
        self.other, self.other_words = other, other_words
        self.last = found.count if last is None else last
        self.last = max(self.last, found.broken if found.fatal else 0)
        self.diverges = diverges
        self.place = 0
        self.viewer = EVERYBODY

    def go(self, place: int) -> None:
        self.place = max(0, min(place, self.last))

    def game(self) -> Game:
        return self.found.at(self.place)

    def status(self) -> str:
        """Where one is, and what there is to say of it."""
        phrases = self.words.phrases
        text = phrases("walk_at", number=str(self.place), count=str(self.last))
        if self.place == self.found.broken and self.found.violation is not None:
            return f"{text}  ✗ {law_in_words(self.found.violation)[0]}"
        if self.diverges and self.place == self.last:
            return f"{text}  ✗ {self.diverges}"
        if self.place == self.found.count and self.found.game.over:
            return f"{text}  {verdict(self.words, self.found.game.winners)}"
        return f"{text}  {phrases('walk_end')}" if self.place == self.found.count else text

    def find(self, text: str) -> bool:
        place = search(self.found, self.words, text, self.place, self.viewer)
        if place is not None:
            self.go(place)
        return place is not None

    def turn_viewer(self) -> None:
        """The next seat's eyes, and after the last those of one who sees everything."""
        self.viewer = self.viewer + 1 if self.viewer + 1 < self.found.game.players else EVERYBODY


def view_of(found: Recorded, words: Words, place: int, viewer: int, status: str) -> View:
    """A position of a game as it is shown: the question, and what was answered."""
    table = table_for(words, found.at(place), viewer, scored=True)
    before = len(found.at(place - 1).events) if 0 < place <= found.count else 0
    fresh = table_for(words, found.at(place), viewer, before).log if before else ()
    menu = Menu(table.question, table, folds=False)
    key = found.given(place)
    given = next((option.number - 1 for option in menu.options if option.key == key), -1)
    menu.place = max(0, given)
    keys = words.phrases("walk_keys")
    view = View(table, menu, table.log, len(fresh), keys, status, past=found.game.ruleset.name, given=given)
    if place == found.broken and found.violation is not None:
        view.overlay = Overlay(f"✗ {words.phrases('walk_broken', number=str(place))}",
                               tuple(law_in_words(found.violation)))  # fmt: skip
    return view


class WalkScreen(TableScreen):
    """A walk on a whole screen."""

    def __init__(self, walk: Walk) -> None:
        self.walk = walk
        self.swapped = False  # the game under other rules is in sight, where there is no room for both
        super().__init__(walk.words, walk.game(), walk.viewer)
        self.show()

    def show(self) -> None:
        walk, offsets = self.walk, self.view.offsets
        self.view = view_of(walk.found, walk.words, walk.place, walk.viewer, walk.status())
        self.view.offsets = {pane: first for pane, first in offsets.items() if pane in ("table", "own")}

    def lines(self, width: int, height: int) -> list[Text]:
        """The screen; both tables side by side where there are two and they fit."""
        walk = self.walk
        if walk.other is None or walk.other_words is None or self.view.typing:
            return self.draw(width, height).lines
        other = view_of(walk.other, walk.other_words, min(walk.place, walk.other.count), walk.viewer, walk.status())
        if width < MIN_BESIDE:
            other.focus = self.view.focus
            return draw(other if self.swapped else self.view, width, height).lines
        left = draw(self.view, (width - 1) // 2, height).lines
        right = draw(other, width - 1 - (width - 1) // 2, height).lines
        return [Text.assemble(a, ("│", QUIET), b) for a, b in zip(left, right, strict=True)]

    def walk_on(self, key: str) -> bool:
        """What a key does; False where somebody leaves."""
        walk, phrases = self.walk, self.phrases
        scrolls = self.view.focus != "options" and key in ("up", "down", "escape")
        if self._typing is not None or key in ("tab", "back-tab") or scrolls:
            self.press(key)
        elif key in STEPS:
            walk.go(walk.place + STEPS[key])
            self.show()
        elif key in ("home", "end"):
            walk.go(0 if key == "home" else walk.last)
            self.show()
        elif key == "g" or key.isdigit():
            self.ask_for(phrases("walk_jump", count=str(walk.last)), self._jump)
            self.view.typed = key if key.isdigit() else ""
        elif key == "/":
            self.ask_for(phrases("walk_search"), self._search)
        elif key == "v":
            walk.turn_viewer()
            self.show()
        elif key == "o":
            self.swapped = not self.swapped
        elif key in ("up", "down"):
            self.view.menu.move(-1 if key == "up" else 1)
        elif self.view.overlay is not None:
            self.view.overlay = None
        return key not in ("q", "", "ctrl-d")

    def _jump(self, typed: str) -> None:
        if typed.isascii() and typed.isdigit() and len(typed) < 9:
            self.walk.go(int(typed))
        self.show()

    def _search(self, typed: str) -> None:
        found = self.walk.find(typed)
        self.show()
        if not found:
            self.view.message = self.phrases("walk_not_found", text=typed)


def walk_on_screen(walk: Walk, console: Console) -> None:
    """Walk through a game until somebody leaves."""
    screen, key = WalkScreen(walk), RESIZED
    with Terminal(console) as terminal:
        while key == RESIZED or screen.walk_on(key):
            terminal.show(screen.lines(*terminal.size))
            key = terminal.key()


# ---------------------------------------------------------------- line by line


def show_position(walk: Walk, console: Console) -> None:
    """The position as text: the table, the question with its options, what was answered; under both rulesets."""
    pairs = [(walk.found, walk.words)]
    if walk.other is not None and walk.other_words is not None:
        pairs.append((walk.other, walk.other_words))
    for found, words in pairs:
        game = found.at(min(walk.place, found.count))
        if len(pairs) > 1:
            console.print(Text(found.game.ruleset.name, TURN))
        table = table_for(words, game, walk.viewer)
        console.print(Board(table).draw(console))
        if table.question is not None:
            key = found.given(walk.place)
            console.print(Text(table.question.text, "bold"))
            texts = [f"{one.text}{' ●' if one.key == key else ''}" for one in table.question.options]
            console.print(listing(texts, console.width))
    console.print(Text(walk.status(), TURN))


def walk_in_lines(walk: Walk, console: Console, read: Callable[[str], str | None]) -> None:
    """Walk through a game by typed words, for screen readers."""
    phrases = walk.words.phrases
    steps: dict[str, Callable[[], int]] = {
        "n": lambda: walk.place + 1, "": lambda: walk.place + 1, "p": lambda: walk.place - 1, "f": lambda: 0,
        "l": lambda: walk.last,
    }  # fmt: skip
    show_position(walk, console)
    while (line := read(phrases("walk_prompt"))) is not None:
        word = line.strip()
        if word == "q":
            return
        if word in steps:
            walk.go(steps[word]())
        elif word.isascii() and word.isdigit() and len(word) < 9:
            walk.go(int(word))
        elif word == "v":
            walk.turn_viewer()
        elif not word.startswith("/") or not walk.find(word[1:].strip()):
            console.print(Text(phrases("walk_help" if not word.startswith("/") else "walk_not_found", text=word[1:])))
            continue
        show_position(walk, console)


def told_moves(moves: Sequence[dict[str, object]], console: Console) -> None:
    """The decisions in words, the one that breaks a law marked."""
    for move in moves:
        sign = "✗" if move.get("breaks") else " "
        text = f"{sign}{move['number']:>4}  {move['who']}: {move['question']} {move['answer']}"
        console.print(Text(text), soft_wrap=True)
