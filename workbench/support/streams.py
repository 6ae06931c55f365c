"""The streams of a command: what a stranger's file says steers no terminal, and a stream that fails is no crash."""

from __future__ import annotations

import errno
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import current_thread, main_thread
from typing import Any, TextIO


class OutputError(Exception):
    """What a command prints cannot be written. `gone`: the reader has gone, which is no mistake of anybody's."""

    def __init__(self, error: Exception) -> None:
        why = error.strerror if isinstance(error, OSError) else None
        super().__init__(f"the output cannot be written: {why or 'the stream is closed'}")
        self.gone = isinstance(error, BrokenPipeError) or getattr(error, "errno", 0) == errno.EPIPE


def shown(text: str) -> str:
    """A text as it may be printed: whatever steers a terminal or turns the order of letters is written as an escape."""
    if text.replace("\n", "").replace("\t", "").isprintable():
        return text
    from warlock_dsl import visible

    return "".join(char if char in "\n\t" or char.isprintable() else visible(char) for char in text)


class CheckedStream:
    """A stream of text whose failures are told apart from those of other files. It takes texts as they are: for what
    lays out a terminal itself and has made safe what it shows."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)

    def write(self, text: str) -> int:
        try:
            return self.stream.write(text)
        except (OSError, ValueError) as error:
            raise OutputError(error) from None

    def writelines(self, lines: list[str]) -> None:
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        try:
            self.stream.flush()
        except OSError as error:
            raise OutputError(error) from None
        except ValueError:  # closed: nothing is left to be written
            pass


class SafeStream(CheckedStream):
    """A stream that writes texts as they may be shown."""

    def write(self, text: str) -> int:
        return super().write(shown(text))

    @property
    def checked(self) -> TextIO:
        return CheckedStream(self.stream)  # type: ignore[return-value]


@contextmanager
def safe_streams() -> Iterator[None]:
    """The streams of this process as a command has them: open, safe to write to, and with an interrupt that arrives.

    A shell starts background jobs with interrupts ignored. A command reports what it has done when it is interrupted,
    so it takes them.
    """
    _open_missing()
    before = sys.stdin, sys.stdout, sys.stderr
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    sys.stdout, sys.stderr = SafeStream(sys.stdout), SafeStream(sys.stderr)
    ignored = current_thread() is main_thread() and signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    if ignored:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        if ignored:
            signal.signal(signal.SIGINT, signal.SIG_IGN)
        sys.stdin, sys.stdout, sys.stderr = before


def _open_missing() -> None:
    """A stream that was closed before the start reads nothing and writes nowhere; no file of ours takes its place."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115  # as long as the process
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115


def give_up(stream: TextIO) -> None:
    """Write what is left of a stream that failed nowhere: it must not fail again when Python closes it."""
    with suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
