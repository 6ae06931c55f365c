"""The whole screen on a real terminal: put back as it was however the play ends, redrawn when its size changes."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from workbench.terminal.fullscreen import ENTER, LEAVE
from workbench.transcripts.running_game import Record, unfinished

ROOT = Path(__file__).parents[3]
GAME = Path(__file__).parents[1] / "data" / "tiny"
CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class Window:
    """A terminal with a command in it."""

    def __init__(self, *words: str, columns: int = 80, lines: int = 24) -> None:
        self.above, below = pty.openpty()
        self.resize(columns, lines)
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm-256color"}
        command = [sys.executable, "-m", "workbench.cli", *words]
        self.run = subprocess.Popen(
            command, cwd=ROOT, env=environment, stdin=below, stdout=below, stderr=below, start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )  # fmt: skip
        os.close(below)
        self.shown = ""

    def resize(self, columns: int, lines: int) -> None:
        fcntl.ioctl(self.above, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    def send(self, text: str) -> None:
        os.write(self.above, text.encode())

    def until(self, text: str, seconds: float = 60) -> str:
        """What is shown from now on until this text is."""
        found, end = "", time.monotonic() + seconds
        while text not in found:
            assert time.monotonic() < end, f"'{text}' is not shown:\n{CONTROL.sub('|', found)}"
            if select.select([self.above], [], [], 0.1)[0]:
                try:
                    found += os.read(self.above, 65536).decode("utf-8", "replace")
                except OSError:
                    assert text in found, f"'{text}' is not shown:\n{CONTROL.sub('|', found)}"
        self.shown += found
        return found

    def end(self) -> int:
        """The exit code, when everything has been read."""
        while True:
            try:
                more = os.read(self.above, 65536)
            except OSError:
                more = b""
            if not more:
                return self.run.wait(60)
            self.shown += more.decode("utf-8", "replace")


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[list[Window]]:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    found: list[Window] = []
    yield found
    for window in found:
        window.run.kill()
        window.run.wait()
        os.close(window.above)


def opened(windows: list[Window], *words: str, columns: int = 80, lines: int = 24) -> Window:
    windows.append(Window("play", str(GAME), "--seed", "5", *words, columns=columns, lines=lines))
    return windows[-1]


def answers() -> list[str]:
    (record,) = [one for one in unfinished() if isinstance(one, Record)]
    return list(record.answers)


def test_played_left_and_gone_on_with(windows: list[Window]) -> None:
    window = opened(windows, "--seats", "human=Ann,first")
    first = window.until("h keys")
    assert ENTER in first and "Ann (you)" in first
    window.send("1\r")
    window.until("\x1b[?2026l")
    window.send("\x1b[B\r")
    time.sleep(0.3)
    window.send("q")
    assert window.end() == 0
    assert LEAVE in window.shown and "--resume" in window.shown.rpartition(LEAVE)[2]
    given = answers()
    assert given
    windows.append(Window("play", str(GAME), "--resume"))
    assert f"{len(given)} decisions" in windows[-1].until("h keys")
    windows[-1].send("\x03")
    assert windows[-1].end() == 130 and LEAVE in windows[-1].shown and answers()[: len(given)] == given


def test_interrupted_and_killed(windows: list[Window]) -> None:
    window = opened(windows, "--seats", "human=Ann,first")
    window.until("h keys")
    window.send("1\r")
    deadline = time.monotonic() + 60
    while not any(isinstance(one, Record) and one.answers for one in unfinished()):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    window.run.kill()
    window.end()
    given = answers()
    windows.append(Window("play", str(GAME), "--resume"))
    windows[-1].until("h keys")
    windows[-1].run.send_signal(signal.SIGTERM)
    assert windows[-1].end() == 143 and LEAVE in windows[-1].shown
    assert answers()[: len(given)] == given  # the bots may have gone on


def test_resized(windows: list[Window]) -> None:
    window = opened(windows, "--seats", "human=Ann,first")
    window.until("h keys")
    for columns, lines in ((100, 30), (56, 18)):
        window.resize(columns, lines)
        window.run.send_signal(signal.SIGWINCH)  # not every kernel tells of a size that is set from outside
        window.until(f"\x1b[{lines};1H")


@pytest.mark.parametrize(("words", "size"), [(["--plain"], (80, 24)), ([], (50, 24)), ([], (80, 10))])
def test_line_by_line(windows: list[Window], words: list[str], size: tuple[int, int]) -> None:
    window = opened(windows, "--seats", "human=Ann,first", *words, columns=size[0], lines=size[1])
    window.until("h for help")
    assert ENTER not in window.shown
    window.send("\x04")
    assert window.end() == 0
