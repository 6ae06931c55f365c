"""How far a long task has come, on the error stream, for people; silent where nobody watches."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from workbench.support.output import console

Advance = Callable[[int, str], None]


def _unseen(more: int, word: str) -> None:
    """Nobody watches."""


@contextmanager
def progress(title: str, total: int | None) -> Iterator[Advance]:
    """Gives a function to call with how many more are done and a word on what is being done."""
    out = console(to_stderr=True)
    if not out.is_terminal:
        yield _unseen
        return
    counts = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    times = (TimeElapsedColumn(), TimeRemainingColumn(), TextColumn("{task.fields[word]}"))
    with Progress(*counts, *times, console=out, transient=True) as display:
        task = display.add_task(title, total=total, word="")

        def advance(more: int, word: str) -> None:
            display.update(task, advance=more, word=word)

        yield advance
