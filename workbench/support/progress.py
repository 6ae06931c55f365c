"""How far a long task has come, on the error stream, for people; silent where nobody watches."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol

from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from workbench.support.output import complain, console


class Advance(Protocol):
    def __call__(self, more: int, word: str, total: int = 0, /) -> None:
        """How many more are done, a word on what is being done, and of how many where only this tells."""


def _unseen(more: int, word: str, total: int = 0, /) -> None:
    """Nobody watches."""


@contextmanager
def progress(title: str, total: int = 0, seconds: float = 0.0) -> Iterator[Advance]:
    """Gives a function to call as things are done. The end is known by a total, or else by how long it goes on."""
    out = console(to_stderr=True)
    if not out.is_terminal:
        yield _unseen
        return
    counts = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[count]}"))
    times = (TimeElapsedColumn(), TimeRemainingColumn(), TextColumn("{task.fields[word]}"))
    with Progress(*counts, *times, console=out, transient=True) as display:
        task = display.add_task(title, total=total or seconds or None, word="", count="")
        began, done = time.monotonic(), 0

        def advance(more: int, word: str, of: int = 0, /) -> None:
            nonlocal done
            done += more
            known = of or total
            at = done if known else min(time.monotonic() - began, seconds)
            of_time = f", {at:.0f}/{seconds:.0f} s" if seconds else ""
            count = f"{done:,}/{known:,}" if known else f"{done:,}{of_time}"
            display.update(task, completed=at, total=known or seconds or None, word=word, count=count)

        yield advance


@contextmanager
def stopped_after(done: Callable[[], str], kept: bool, how: str = "--checkpoint FILE") -> Iterator[None]:
    """A run that says what it has done when it is interrupted, and whether the same command goes on from there."""
    try:
        yield
    except KeyboardInterrupt:
        again = "the same command goes on from there" if kept else f"with {how} the same command would go on from there"
        complain(f"stopped after {done()}; {again}")
        raise
