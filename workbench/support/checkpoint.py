"""What a long run has found so far, a line each: whoever kills the run loses nothing that was finished."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from workbench.support.errors import UsageError
from workbench.support.packed import MAX_BYTES, DamagedError, checked, read_json_text
from workbench.support.run_file import open_for_run, written

Reader = Callable[[str, Any], Any]
"""Given the key and the data of a finished task it gives what to keep of it; DamagedError where no run writes such."""


class Checkpoint:
    """A file of JSON lines: a heading that says which run it is, then one line for each finished task.

    Every line is on the disk before the next is begun. A last line that was cut off is dropped, and its task done anew.
    The file may be a stranger's: what does not fit is refused, and the file is left as it is. One run has it at a time.
    """

    def __init__(self, path: Path, heading: Mapping[str, Any], read: Reader) -> None:
        self.path = path
        self.done: dict[str, Any] = {}
        self._heading = json.loads(json.dumps(heading))
        self._read_task = read
        self._file: IO[bytes] | None = None

    def __enter__(self) -> Checkpoint:
        self._file = open_for_run(self.path)
        try:
            with written(self.path):
                whole = self._read(self._file)
                self._file.truncate(whole)
                self._file.seek(whole)
            if not whole:
                self._line({"run": self._heading})
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, at: TracebackType | None) -> None:
        if self._file is not None:
            with suppress(OSError):  # what could not be written has been reported already
                self._file.close()

    def note(self, key: str, data: Any) -> None:
        """A task is finished."""
        self.done[key] = data
        self._line({"key": key, "data": data})

    def _line(self, data: Any) -> None:
        assert self._file is not None
        with written(self.path):
            self._file.write(json.dumps(data, separators=(",", ":"), ensure_ascii=False).encode() + b"\n")
            self._file.flush()
            os.fsync(self._file.fileno())

    def _read(self, file: IO[bytes]) -> int:
        """Take over what an earlier run has finished; how many bytes of the file are good."""
        good = number = 0
        while (line := file.readline(MAX_BYTES)).endswith(b"\n"):
            try:
                self._take(read_json_text(line), number)
            except DamagedError as error:
                if not number:
                    raise UsageError(f"{self.path} is no checkpoint of a run; it is left alone") from None
                place = f"{self.path}:{number + 1}"
                raise UsageError(f"{place}: this line is damaged, {error}; the file is left alone") from None
            good += len(line)
            number += 1
        if len(line) == MAX_BYTES:
            raise UsageError(f"{self.path}:{number + 1}: this line is too long; the file is left alone")
        if line and not good:
            raise UsageError(f"{self.path} is no checkpoint of a run; it is left alone")
        return good

    def _take(self, data: Any, number: int) -> None:
        if number == 0:
            if not isinstance(data, dict) or "run" not in data:
                raise DamagedError("it is no heading")
            if data["run"] != self._heading:
                raise UsageError(f"{self.path} belongs to another run; name another file, or remove it")
            return
        if not isinstance(data, dict) or data.keys() != {"key", "data"}:
            raise DamagedError("it is no finished task")
        key = checked(data["key"], str)
        self.done[key] = self._read_task(key, data["data"])
