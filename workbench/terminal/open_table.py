"""A laid-out position at the terminal: one person answers for everybody, and sees what whoever is asked sees."""

from __future__ import annotations

from collections.abc import Callable

from rich.console import Console
from rich.text import Text

from workbench.language.phrases import clean
from workbench.language.sentences import Words
from workbench.scenario.opened import Opened
from workbench.service.table import question_for, table_for
from workbench.terminal.board import Board
from workbench.terminal.colours import QUIET
from workbench.terminal.session import listing


def play_position(opened: Opened, words: Words, out: Console, read: Callable[[str], str | None]) -> None:
    """Ask until nobody is asked any more, or there are no answers left. `u` takes an answer back, `q` leaves."""
    game = opened.stage
    while game.to_move >= 0:
        question = question_for(words, game)
        assert question is not None
        view = words.phrases("diff_view", player=words.seat(game.to_move))
        out.print(Text(view, QUIET))
        out.print(Board(table_for(words, game, game.to_move)).draw(out))
        out.print(Text(question.text, "bold"))
        out.print(listing([option.text for option in question.options], out.width))
        line = read(words.phrases("prompt"))
        word = (line or "q").strip()
        if word == "q":
            return
        if word == "h":
            out.print(Text(words.phrases("position_keys")))
        elif word == "u":
            if game.answers:
                game.undo()
            out.print(Text(words.phrases("undone" if game.answers else "nothing_to_undo")))
        elif word.isascii() and word.isdigit() and len(word) < 9 and 1 <= int(word) <= len(question.options):
            game.choose(int(word) - 1)
        else:
            count = str(len(question.options))
            out.print(Text(words.phrases("not_a_number", answer=clean(word)[:40], count=count)))
    out.print(Board(table_for(words, game, game.players)).draw(out))
    out.print(Text(words.phrases("diff_nobody_asked"), "bold"))
