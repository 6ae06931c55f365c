"""A game at the terminal: people and bots in turn, until it is over or somebody leaves.

Where several people share the keyboard, the screen is cleared before another one is asked, and what is printed after
that is only what that person may see. The log is made of what that person noticed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from rich.console import Console
from rich.style import Style
from rich.table import Table
from rich.text import Text

from interpreter import Decision, Game, PlayError
from workbench.language.event_log import tell
from workbench.language.phrases import clean
from workbench.language.sentences import Words, named_pieces
from workbench.language.why_words import not_asked_lines, why_lines, why_not_lines
from workbench.service.table import question_for, table_for
from workbench.support.errors import UsageError
from workbench.support.files import write_game
from workbench.terminal.board import Board, score_sheet, verdict
from workbench.terminal.colours import QUIET, TOKEN
from workbench.terminal.sitting import End, Sitting

LOG_LINES = 60
ALONE = "urblhq"  # commands that take nothing: with more in the line they are not meant

Read = Callable[[str], str | None]  # shows a prompt; a line without its end, or None when there is no more input


class Session:
    """One sitting at the terminal."""

    def __init__(
        self, sitting: Sitting, words: Words, console: Console, read: Read, save_file: Path | None = None
    ) -> None:
        self.sitting = sitting
        self.game = sitting.game
        self.words = words
        self.phrases = words.phrases
        self.console = console
        self.read = read
        self.save_file = save_file
        self.humans = sitting.humans
        self.told: dict[int, int] = {}  # by person: how many events have been told
        self.drawn: tuple[int, int] | None = None  # for whom and at which event the board was last drawn
        self.at_keyboard = -1

    def play(self) -> End:
        """Play until the game is over or left. An interrupt leaves it, too; what was answered is kept."""
        try:
            end = self._play()
        except KeyboardInterrupt:
            end = End.INTERRUPTED
            self.console.print()
        except BaseException:
            self.sitting.leave()
            raise
        kept = self.sitting.leave()
        if end is not End.OVER:
            self.say(self.phrases("left_kept" if kept else "left"))
        return end

    def _play(self) -> End:
        game = self.game
        while not game.over:
            if self.sitting.let_bot_answer():
                continue
            number = self._ask(game.to_move)
            if number is None:
                return End.LEFT
            self.sitting.answer(number)
        self._finish()
        return End.OVER

    def say(self, text: str, style: str | Style = "") -> None:
        self.console.print(Text(text, style), soft_wrap=False)

    # ------------------------------------------------------------------- asking

    def _ask(self, seat: int) -> int | None:
        """The number of the option a person takes; None when the game is left."""
        if not self._hand_over(seat):
            return None
        fresh = True
        while True:
            if fresh:
                self._news(seat)
                self._draw(seat)
                self._question()
            line = self.read(self.phrases("prompt"))
            if line is None:
                return None
            word, _, rest = line.strip().partition(" ")
            count = self.game.option_count
            if rest.strip() and ((word.isascii() and word.isdigit()) or word.lower() in ALONE):  # not the whole line
                self.say(self.phrases("not_a_number", answer=clean(line.strip())[:40], count=str(count)))
                continue
            if word.isascii() and word.isdigit() and len(word) < 9 and 1 <= int(word) <= count:
                return int(word) - 1
            if word.lower() == "q":
                if self._leave():
                    return None
                continue
            fresh = self._command(seat, word, rest.strip())
            if self.game.over or self.game.to_move != seat:  # an undo never leads to another's question
                raise AssertionError("the question went to somebody else")

    def _command(self, seat: int, word: str, rest: str) -> bool:
        """Carry out a command; whether the question has to be shown again."""
        match word.lower():
            case "u":
                return self._undo(seat)
            case "r":
                return self._redo()
            case "b":
                self.drawn = None
                return True
            case "l":
                self._log(seat)
            case "s":
                self._save(Path(rest) if rest else None)
            case "w":
                self._why(rest)
            case "n":
                for line in not_asked_lines(self.words, self.game.ruleset, self.game.why_not_asked(seat)):
                    self.say(f"  {line}")
            case "h":
                self.say(self.phrases("keys").strip("\n"))
            case w if w.startswith("?"):
                self._help(word[1:] or rest)
            case _:
                count = str(self.game.option_count)
                self.say(self.phrases("not_a_number", answer=clean(word)[:40], count=count))
        return False

    def _hand_over(self, seat: int) -> bool:
        """Another person sits down: nothing of the one before stays on the screen."""
        if seat == self.at_keyboard:
            return True
        if len(self.humans) > 1:
            self._clear()
            player = self.words.seat(seat)
            self.say(self.phrases("pass_keyboard", player=player), "bold")
            if self.read(self.phrases("press_enter", player=player)) is None:
                return False
            self._clear()
        self.at_keyboard = seat
        self.drawn = None
        return True

    def _clear(self) -> None:
        if self.console.is_terminal:
            self.console.clear()
            self.console.file.write("\x1b[3J")  # and what has scrolled away
            self.console.file.flush()

    def _news(self, seat: int) -> None:
        """What has happened since this person last looked."""
        events = self.game.events
        lines = tell(events[self.told.get(seat, 0) :], seat, self.words)
        self.told[seat] = len(events)
        if lines:
            self.say(self.phrases("since"), QUIET)
            for line in lines[-LOG_LINES:]:
                self.say(f"  {line}", QUIET)

    def _draw(self, seat: int) -> None:
        """The board, unless nothing has changed since this person last saw it."""
        now = (seat, len(self.game.events))
        if self.drawn != now:
            self.console.print(Board(table_for(self.words, self.game, seat, scored=True)).draw(self.console))
            self.drawn = now

    def _question(self) -> None:
        question = question_for(self.words, self.game)
        assert question is not None
        heading = self.phrases("heading", rule=question.heading) if question.heading else ""
        self.console.print(Text.assemble(Text(heading, TOKEN), Text(question.text, "bold")))
        if question.chosen:
            self.say(self.phrases("chosen", items=question.chosen))
        self.console.print(listing([option.text for option in question.options], self.console.width))

    # ----------------------------------------------------------------- commands

    def _undo(self, seat: int) -> bool:
        """Back to this person's decision before, over the answers others have given since; they are not shown."""
        if not self.sitting.undo(seat):
            self.say(self.phrases("nothing_to_undo"))
            return False
        count = len(self.game.events)
        self.told = {who: min(told, count) for who, told in self.told.items()}
        self.drawn = None
        self.say(self.phrases("undone"))
        return True

    def _redo(self) -> bool:
        """What was last taken back, given again."""
        if not self.sitting.redo():
            self.say(self.phrases("nothing_to_redo"))
            return False
        self.drawn = None
        return True

    def _log(self, seat: int) -> None:
        lines = tell(self.game.events, seat, self.words)
        for line in lines[-LOG_LINES:] or [self.phrases("log_empty")]:
            self.say(f"  {line}", QUIET)

    def _help(self, word: str) -> None:
        decision = self.game.decision
        assert decision is not None
        word = word.strip()
        if not (word.isascii() and word.isdigit() and len(word) < 9 and 1 <= int(word) <= len(decision.options)):
            self.say(self.phrases("help_which"))
            return
        option = decision.options[int(word) - 1]
        pieces = dict.fromkeys(piece for piece in named_pieces(option.value))
        lines = [self.words.help(piece) for piece in pieces]
        for line in dict.fromkeys(lines) or [self._no_help(decision, int(word) - 1)]:
            self.say(f"  {line}")

    def _why(self, word: str) -> None:
        """Why an option is on offer, by its number; why something is not, by its key."""
        decision = self.game.decision
        assert decision is not None
        if not word:
            self.say(self.phrases("why_which"))
            return
        try:
            if word.isascii() and word.isdigit() and len(word) < 9 and 1 <= int(word) <= len(decision.options):
                lines = why_lines(self.words, self.game.ruleset, self.game.why(decision.options[int(word) - 1].key))
            else:
                lines = why_not_lines(self.words, self.game.ruleset, self.game.why_not(word))
        except PlayError as error:
            lines = [clean(error.message)]
        for line in lines:
            self.say(f"  {line}")

    def _no_help(self, decision: Decision, number: int) -> str:
        return self.phrases("no_help", item=self.words.option(decision, decision.options[number]))

    def _save(self, path: Path | None) -> bool:
        path = path or self.save_file or Path(f"{self.game.ruleset.name}-{self.game.seed}.save.json")
        try:
            write_game(path, self.game.save())
        except UsageError as error:
            self.say(self.phrases("not_saved", why=clean(error.message)))
            return False
        self.save_file = path
        self.say(self.phrases("saved", file=clean(str(path))))
        return True

    def _leave(self) -> bool:
        """Whether the game is really left: where it is not kept anyway, that is asked."""
        if self.sitting.kept is not None:
            return True
        answer = self.read(self.phrases("quit_save"))
        if answer is None:
            return True
        word = answer.strip().lower()
        if word == self.phrases("quit_yes"):
            return self._save(None)
        return word == self.phrases("quit_no")

    # ---------------------------------------------------------------------- end

    def _finish(self) -> None:
        for seat in self.humans if len(self.humans) == 1 else ():
            self._news(seat)
        show_scores(self.console, self.words, self.game)


def show_scores(console: Console, words: Words, game: Game) -> None:
    """The score sheet, where a game has scores, and who has won; of a game that is not over, who is asked what."""
    if game.ruleset.program.scores:
        console.print(score_sheet(words, game.scores(), game.winners))
    asked = question_for(words, game)
    if asked is None:
        console.print(Text(verdict(words, game.winners), "bold"))
        return
    names = {"player": words.seat(game.to_move), "question": asked.text, "count": str(len(game.answers))}
    console.print(Text(words.phrases("not_over", **names), "bold"))


def listing(sentences: Sequence[str], width: int) -> Table:
    """Numbered sentences, in columns where there are many and they are short."""
    wide = max((Text(sentence).cell_len for sentence in sentences), default=0) + 7
    columns = max(1, min(3, width // wide)) if len(sentences) > 8 else 1
    rows = -(-len(sentences) // columns)
    table = Table.grid(padding=(0, 2, 0, 0))
    for _ in range(columns):
        table.add_column(justify="right", style="bold", no_wrap=True)
        table.add_column()
    for row in range(rows):
        cells: list[Text] = []
        for number in range(row, len(sentences), rows):
            cells += [Text(str(number + 1)), Text(sentences[number])]
        table.add_row(*cells)
    return table
