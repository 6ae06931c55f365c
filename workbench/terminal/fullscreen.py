"""The terminal as a whole screen: drawn in place, key by key, put back as it was however the play ends."""

from __future__ import annotations

import os
import select
import signal
import sys
from codecs import getincrementaldecoder
from collections.abc import Sequence
from contextlib import suppress
from types import FrameType, TracebackType
from typing import Any

from rich.color import ColorSystem
from rich.console import Console
from rich.text import Text

from workbench.support.streams import shown
from workbench.terminal.keys import is_partial, keys_in
from workbench.terminal.panes import MIN_HEIGHT, MIN_WIDTH

try:
    import termios
    import tty
except ImportError:  # Windows: the table is shown line by line there
    termios = None  # type: ignore[assignment]

ENTER = "\x1b[?1049h\x1b[?25l\x1b[?7l"  # another screen, no cursor, no wrapping
LEAVE = "\x1b[?7h\x1b[?25h\x1b[?1049l"
BEGIN, END = "\x1b[?2026h", "\x1b[?2026l"  # what is between them is shown at once, where a terminal knows that
ESCAPE_SECONDS = 0.05  # after which an escape alone is the key
RESIZED = "resized"
COLOURS = {"256": ColorSystem.EIGHT_BIT, "truecolor": ColorSystem.TRUECOLOR}


def fits_here(console: Console) -> bool:
    """Whether there is a terminal to draw on: one that can be drawn in place, and is large enough."""
    if termios is None or os.environ.get("TERM", "dumb") in ("dumb", "unknown") or not console.is_terminal:
        return False
    if not sys.stdin.isatty() or not sys.stdout.isatty():
        return False
    size = os.get_terminal_size(sys.stdout.fileno())
    return size.columns >= MIN_WIDTH and size.lines >= MIN_HEIGHT


class Terminal:
    """A screen that belongs to one table for a while."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self._colours = COLOURS.get(console.color_system or "")  # of sixteen nobody knows what they look like
        self._decoder = getincrementaldecoder("utf-8")("replace")
        self._waiting: list[str] = []
        self._drawn: list[str] = []
        self._before: list[Any] = []
        self._wake: tuple[int, int] | None = None
        self._handlers: dict[int, Any] = {}

    def __enter__(self) -> Terminal:
        self._begin()
        self._wake = os.pipe()
        for end in self._wake:
            os.set_blocking(end, False)
        for number, handler in ((signal.SIGWINCH, self._resized), (signal.SIGTSTP, self._stop), (signal.SIGTERM, _end)):
            self._handlers[number] = signal.signal(number, handler)
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, at: TracebackType | None) -> None:
        for number, handler in self._handlers.items():
            signal.signal(number, handler)
        for end in self._wake or ():
            os.close(end)
        self._end()

    def _begin(self) -> None:
        descriptor = sys.stdin.fileno()
        self._before = termios.tcgetattr(descriptor)
        tty.setcbreak(descriptor)
        self._drawn = []
        self._write(ENTER)

    def _end(self) -> None:
        with suppress(OSError, ValueError):
            self._write(LEAVE)
        with suppress(OSError, termios.error):
            termios.tcsetattr(sys.stdin.fileno(), termios.TCSADRAIN, self._before)

    def _write(self, text: str) -> None:
        self.console.file.write(text)
        self.console.file.flush()

    def _resized(self, number: int, frame: FrameType | None) -> None:
        self._drawn = []
        if self._wake is not None:
            with suppress(OSError):
                os.write(self._wake[1], b"r")

    def _stop(self, number: int, frame: FrameType | None) -> None:
        """Ctrl-Z: the shell gets its terminal back, and this screen comes again with `fg`."""
        self._end()
        signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        signal.raise_signal(signal.SIGTSTP)
        signal.signal(signal.SIGTSTP, self._stop)
        self._begin()
        self._resized(number, frame)

    # -------------------------------------------------------------------- drawing

    @property
    def size(self) -> tuple[int, int]:
        """Columns and lines."""
        size = os.get_terminal_size(sys.stdout.fileno())
        return size.columns, size.lines

    def show(self, lines: Sequence[Text]) -> None:
        """Draw a screen: only the lines that have changed."""
        found = [self._line(line) for line in lines]
        changed = [
            f"\x1b[{number};1H{line}\x1b[0m\x1b[K"
            for number, line in enumerate(found, 1)
            if len(self._drawn) != len(found) or self._drawn[number - 1] != line
        ]
        if len(self._drawn) != len(found):
            changed.insert(0, "\x1b[2J")
        self._drawn = found
        if changed:
            self._write(f"{BEGIN}{''.join(changed)}{END}")

    def _line(self, line: Text) -> str:
        parts = []
        for segment in line.render(self.console):
            text = segment.text if segment.text.isprintable() else shown(segment.text)
            style = segment.style
            parts.append(style.render(text, color_system=self._colours) if style else text)
        return "".join(parts)

    # ----------------------------------------------------------------------- keys

    def key(self) -> str:
        """The next key; `resized` where the screen has another size, "" where nobody is there any more."""
        while not self._waiting:
            assert self._wake is not None
            ready, _, _ = select.select([sys.stdin, self._wake[0]], [], [])
            if self._wake[0] in ready:
                with suppress(OSError):
                    os.read(self._wake[0], 4096)
                return RESIZED
            text = self._read()
            if text is None:
                return ""
            while is_partial(text) and select.select([sys.stdin], [], [], ESCAPE_SECONDS)[0]:
                text += self._read() or ""
            self._waiting = keys_in(text)
        return self._waiting.pop(0)

    def _read(self) -> str | None:
        try:
            found = os.read(sys.stdin.fileno(), 4096)
        except OSError:
            return None
        return self._decoder.decode(found) if found else None


def _end(number: int, frame: FrameType | None) -> None:
    """The system asks to end: the screen is put back on the way out."""
    raise SystemExit(128 + number)
