"""A game on a whole screen: people and bots in turn, until it is over or somebody leaves."""

from __future__ import annotations

import time
from io import StringIO
from pathlib import Path

from rich.console import Console
from rich.text import Text

from workbench.language.sentences import Words
from workbench.terminal.board import score_sheet, verdict
from workbench.terminal.fullscreen import RESIZED, Terminal
from workbench.terminal.screen import PlayScreen
from workbench.terminal.session import show_scores
from workbench.terminal.sitting import End, Sitting

FRAME_SECONDS = 0.05  # between two drawings while bots answer


class ScreenSession:
    """One sitting at a whole screen."""

    def __init__(self, sitting: Sitting, words: Words, console: Console, save_file: Path | None = None) -> None:
        self.sitting = sitting
        self.words = words
        self.console = console
        self.save_file = save_file
        self.screens: dict[int, PlayScreen] = {}
        self.at_keyboard = -1

    def play(self) -> End:
        """Play until the game is over or left. An interrupt leaves it, too; what was answered is kept."""
        try:
            with Terminal(self.console) as terminal:
                end = self._play(terminal)
        except KeyboardInterrupt:
            end = End.INTERRUPTED
        except BaseException:
            self.sitting.leave()
            raise
        kept = self.sitting.leave()
        if end is End.OVER:
            show_scores(self.console, self.words, self.sitting.game)
        else:
            self.console.print(Text(self.words.phrases("left_kept" if kept else "left")))
        return end

    def _play(self, terminal: Terminal) -> End:
        game = self.sitting.game
        while not game.over:
            if game.to_move in self.sitting.bots:
                self._let_bots_answer(terminal)
            elif not self._ask(terminal, game.to_move):
                return End.LEFT
        self._ending(terminal)
        return End.OVER

    def _screen(self, seat: int) -> PlayScreen:
        """What a person sees, as it is now."""
        if seat not in self.screens:
            self.screens[seat] = PlayScreen(self.words, self.sitting, seat, self.save_file)
        else:
            self.screens[seat].look()
        return self.screens[seat]

    def _let_bots_answer(self, terminal: Terminal) -> None:
        """The answers of the bots; the table is shown as they go, to the only person there is."""
        drawn, game = 0.0, self.sitting.game
        while not game.over and game.to_move in self.sitting.bots:
            if time.monotonic() - drawn > FRAME_SECONDS and len(self.sitting.humans) == 1:
                (seat,) = self.sitting.humans
                screen = self._screen(seat)
                screen.view.message = self.words.phrases("thinking_of", player=self.words.seat(game.to_move))
                self._show(terminal, screen)
                drawn = time.monotonic()
            self.sitting.let_bot_answer()

    def _ask(self, terminal: Terminal, seat: int) -> bool:
        """Let a person answer; False when the game is left."""
        if not self._hand_over(terminal, seat):
            return False
        screen = self._screen(seat)
        while True:
            self._show(terminal, screen)
            key = terminal.key()
            if key == RESIZED:
                continue
            found = "leave" if not key else screen.play(key)
            if found == "leave":
                return False
            if isinstance(found, int):
                self.sitting.answer(found)
                return True

    def _hand_over(self, terminal: Terminal, seat: int) -> bool:
        """Another person sits down: nothing of the one before stays on the screen."""
        if seat == self.at_keyboard:
            return True
        if len(self.sitting.humans) > 1:
            phrases, player = self.words.phrases, self.words.seat(seat)
            lines = ["", phrases("pass_keyboard", player=player), "", phrases("press_enter", player=player)]
            key = RESIZED
            while key not in ("enter", "", "ctrl-d"):
                _, height = terminal.size
                terminal.show([*(Text(f"  {line}") for line in lines), *[Text()] * (height - len(lines))])
                key = terminal.key()
            if key != "enter":
                return False
        self.at_keyboard = seat
        return True

    def _show(self, terminal: Terminal, screen: PlayScreen) -> None:
        terminal.show(screen.draw(*terminal.size).lines)

    def _ending(self, terminal: Terminal) -> None:
        """The last table and the score sheet, until somebody leaves. Of several people nobody's own view is shown."""
        game = self.sitting.game
        seat = next(iter(self.sitting.humans)) if len(self.sitting.humans) == 1 else game.players
        screen = PlayScreen(self.words, self.sitting, seat)
        result, keys = verdict(self.words, game.winners), self.words.phrases("screen_over_keys")
        if game.ruleset.program.scores:
            sheet = Console(width=max(40, terminal.size[0] - 4), record=True, file=StringIO())
            sheet.print(score_sheet(self.words, game.scores(), game.winners))
            screen.lay_over(result, sheet.export_text().splitlines())
        while True:
            screen.view.message = screen.view.message or result
            screen.view.keys = keys
            self._show(terminal, screen)
            key = terminal.key()
            if not key or (key == "q" and not screen.back) or key == "ctrl-d":
                return
            if key not in ("u", "r", RESIZED):  # a game that is over stays as it is
                screen.play(key)
