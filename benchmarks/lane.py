"""The side of a lane that asks: a framework in a process of its own, told what to play and for how long."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping
from threading import Timer
from typing import Any

from attrs import define, field, frozen

PATIENCE = 120.0  # seconds beyond what was asked for, after which a lane is given up


@frozen
class Slice:
    """What a lane did in one go, in seconds of processor time."""

    games: int
    decisions: int
    wins: tuple[int, ...]
    seconds: float


@frozen
class Absent:
    """Why there is nothing to tell."""

    why: str


@define
class Lane:
    """A framework that plays. `like`: whose decisions a game are taken, where it does not tell its own."""

    title: str
    command: list[str]
    environment: Mapping[str, str] = field(factory=dict)
    like: str | None = None
    folder: str = ""  # where it runs, if not where all the others do
    version: str = ""
    _process: subprocess.Popen[str] | None = None
    _gone: Absent | None = None

    def start(self, folder: str) -> Absent | None:
        """Begin; what is wrong if it cannot."""
        environment, folder = {**os.environ, **self.environment}, self.folder or folder
        pipe = subprocess.PIPE
        try:
            self._process = subprocess.Popen(
                self.command, cwd=folder, env=environment, stdin=pipe, stdout=pipe, stderr=pipe, text=True
            )
        except OSError:
            self._gone = Absent("not installed")
            return self._gone
        hello = self._hear(PATIENCE)
        if isinstance(hello, Absent):
            return hello
        self.version = hello["version"]
        return None

    def ask(self, game: str, seconds: float) -> Slice | Absent:
        """Play a game over and over for so long."""
        if self._gone is not None or self._process is None or self._process.stdin is None:
            return self._gone or Absent("not started")
        try:
            self._process.stdin.write(json.dumps({"game": game, "seconds": seconds}) + "\n")
            self._process.stdin.flush()
        except OSError:
            pass  # it has ended; why is heard below
        done = self._hear(PATIENCE + 20 * seconds)
        if isinstance(done, Absent):
            return done
        if "absent" in done:
            return Absent(done["absent"])
        return Slice(done["games"], done["decisions"], tuple(done["wins"]), done["seconds"])

    def stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None

    def _hear(self, patience: float) -> dict[str, Any] | Absent:
        """The next line, or why there is none: the last line of what it complained about."""
        process = self._process
        assert process is not None and process.stdout is not None and process.stderr is not None
        watch = Timer(patience, process.kill)
        watch.start()
        line = process.stdout.readline()
        watch.cancel()
        if line:
            heard: dict[str, Any] = json.loads(line)
            return heard
        lines = [line for line in process.stderr.read().splitlines() if line.strip()]
        self._gone = Absent(_reason(lines))
        self.stop()
        return self._gone


def _reason(lines: list[str]) -> str:
    missing = [line for line in lines if "ModuleNotFoundError" in line or "Cannot find module" in line]
    if missing:
        return "not installed"
    return f"failed: {lines[-1].strip()[:80]}" if lines else "failed, and did not say why"
