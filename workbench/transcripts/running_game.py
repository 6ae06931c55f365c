"""The file of a game that is being played: every answer is in it before the player sees that it was taken.

JSON lines in the user's state folder: a heading, then a line for each answer, each answer taken back, and the end. A
line is on the disk before the game goes on. A last line that was cut off is dropped. The file may be a stranger's: it
is bounded, it names a ruleset and no path, and its answers are given again one by one, as those of a replay are.
"""

from __future__ import annotations

import json
import os
import re
import secrets
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import IO, Any, Self

from attrs import frozen

from interpreter import REPLAY_FORMAT, Game
from warlock_dsl import state_folder
from workbench.support.errors import UsageError
from workbench.support.packed import DamagedError, checked, read_json_text
from workbench.support.run_file import open_for_run, written

FORMAT = "warlock-game/1"
HEADING = {
    "format": str, "ruleset": str, "hash": str, "players": int, "seats": [str], "seed": int, "lang": str, "save?": dict,
}  # fmt: skip
MAX_LINE = 8_000_000  # bytes: a heading may hold a save
MAX_BYTES = 64_000_000
MAX_KEY = 2000  # signs of an answer
MAX_LISTED = 200  # games in the folder that are looked at, the newest
MAX_OVER = 20  # games that are over and still kept


@frozen
class Record:
    """What the file of a game says: its heading, the answers that stand, whether it is over, when it was last played.

    `size` is how many bytes of the file are whole lines."""

    path: Path
    heading: dict[str, Any]
    answers: tuple[str, ...]
    over: bool
    played: datetime
    size: int

    @property
    def ruleset(self) -> str:
        return str(self.heading["ruleset"])

    def replay(self) -> dict[str, Any]:
        """The game as a replay holds it; without a digest: the file does not say where it ends."""
        heading = {key: value for key, value in self.heading.items() if key not in ("lang", "save")}
        return {**heading, "format": REPLAY_FORMAT, "answers": list(self.answers)}


def games_folder() -> Path:
    """The folder of games in progress, made if it is missing; OSError where it cannot be made."""
    folder = state_folder() / "games"
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder


class RunningGame:
    """The open file of one game. Nobody else can go on with it meanwhile."""

    def __init__(self, path: Path, file: IO[bytes]) -> None:
        self.path = path
        self._file = file

    @classmethod
    def begin(cls, game: Game, lang: str, save: dict[str, Any] | None = None) -> Self:
        """A new file, with the answers given so far; `save` where these do not lead to the game. OSError and
        UsageError where there is no place for it."""
        folder = games_folder()
        name = re.sub(r"[^a-z0-9_+-]+", "-", game.ruleset.name.lower())[:60]
        path = folder / f"{name}-{datetime.now():%Y%m%d-%H%M%S}-{secrets.token_hex(2)}.jsonl"
        data: dict[str, Any] = game.replay()
        heading = {**{key: data[key] for key in HEADING if key in data}, "format": FORMAT, "lang": lang}
        running = cls(path, open_for_run(path))
        answers = [] if save is not None else game.answers
        lines = [{**heading, **({} if save is None else {"save": save})}, *({"answer": key} for key in answers)]
        running._write(lines)
        _forget_old(folder)
        return running

    @classmethod
    def reopen(cls, record: Record) -> Self:
        """Go on with a game. BusyError where somebody else has it open."""
        file = open_for_run(record.path)
        with written(record.path):
            file.truncate(record.size)
            file.seek(record.size)
        return cls(record.path, file)

    def answered(self, key: str) -> None:
        """An answer was given."""
        self._write([{"answer": key}])

    def taken_back(self, left: int) -> None:
        """Answers were taken back; so many are left since the heading."""
        self._write([{"left": left}])

    def over(self) -> None:
        self._write([{"over": True}])

    def close(self, forget: bool = False) -> None:
        """Let others have the file; `forget`: nothing happened in it that anybody would go on with."""
        if forget:
            with suppress(OSError):
                self.path.unlink()
        with suppress(OSError):
            self._file.close()

    def _write(self, lines: list[dict[str, Any]]) -> None:
        text = "".join(json.dumps(line, separators=(",", ":"), ensure_ascii=False) + "\n" for line in lines)
        with written(self.path):
            self._file.write(text.encode())
            self._file.flush()
            os.fsync(self._file.fileno())


def _forget_old(folder: Path) -> None:
    """Remove games that are over, but for the last few."""
    over = [record for record in _records(folder) if isinstance(record, Record) and record.over]
    for record in over[MAX_OVER:]:
        with suppress(OSError):
            record.path.unlink()


# --------------------------------------------------------------------- reading


def unfinished() -> list[Record | UsageError]:
    """The games that are not over, the last played first; an error for a file that cannot be read."""
    try:
        folder = games_folder()
    except (OSError, RuntimeError) as error:
        raise UsageError(f"no game is kept: {error}") from None
    return [record for record in _records(folder) if isinstance(record, UsageError) or not record.over]


def _records(folder: Path) -> Iterator[Record | UsageError]:
    found: list[tuple[float, Path]] = []
    with suppress(OSError):
        for path in folder.glob("*.jsonl"):
            with suppress(OSError):
                found.append((path.stat().st_mtime, path))
    for _, path in sorted(found, reverse=True)[:MAX_LISTED]:
        try:
            yield read_running(path)
        except UsageError as error:
            yield error


def read_running(path: Path) -> Record:
    """What the file of a game says; UsageError where it is none, or damaged."""
    reader = _Reader(path)
    try:
        if not path.is_file():
            raise UsageError(f"there is no file {path}")
        with path.open("rb") as file:
            played = datetime.fromtimestamp(os.fstat(file.fileno()).st_mtime)
            while (line := file.readline(MAX_LINE)).endswith(b"\n"):
                reader.take(line)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else None
        raise UsageError(f"{path} cannot be read: {why or 'the system refuses'}") from None
    if len(line) == MAX_LINE:
        raise UsageError(f"{path}:{reader.number + 1}: this line is too long; the file is left alone", 1)
    if reader.heading is None:
        raise UsageError(f"{path} is no game", 1)
    return Record(path, reader.heading, tuple(reader.answers), reader.over, played, reader.size)


def is_running_game(head: bytes) -> bool:
    """Whether a file that begins like this is the file of a game."""
    return head.startswith(b'{"format":"warlock-game/')


class _Reader:
    """Reads the lines of a file, one after another."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.heading: dict[str, Any] | None = None
        self.answers: list[str] = []
        self.over = False
        self.number = 0
        self.size = 0

    def take(self, line: bytes) -> None:
        try:
            data = read_json_text(line)
            if self.heading is None:
                self.heading = self._heading(data)
            else:
                self._line(data)
        except DamagedError as error:
            place = f"{self.path}:{self.number + 1}"
            raise UsageError(f"{place}: this line is damaged, {error}; the file is left alone", 1) from None
        self.number += 1
        self.size += len(line)
        if self.size > MAX_BYTES:
            raise UsageError(f"{self.path} is larger than {MAX_BYTES:,} bytes", 1)

    def _heading(self, data: object) -> dict[str, Any]:
        if not isinstance(data, dict) or data.get("format") != FORMAT:
            raise UsageError(f"{self.path} is no game of this version ({FORMAT})", 1)
        found: dict[str, Any] = checked(data, HEADING)
        return found

    def _line(self, data: object) -> None:
        match data:
            case {"answer": str(key), **rest} if not rest and len(key) <= MAX_KEY:
                self.answers.append(key)
            case {"left": int(left), **rest} if not rest and left is not True and 0 <= left <= len(self.answers):
                del self.answers[left:]
            case {"over": True, **rest} if not rest:
                self.over = True
                return
            case _:
                raise DamagedError("it is neither an answer nor the end of a game")
        self.over = False
