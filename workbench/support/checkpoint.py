"""What a long run has found so far, a line each: whoever kills the run loses nothing that was finished."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from workbench.support.errors import UsageError


class Checkpoint:
    """A file of JSON lines: a heading that says which run it is, then one line for each finished task.

    Every line is on the disk before the next is begun. A last line that was cut off is dropped, and its task done anew.
    """

    def __init__(self, path: Path, heading: Mapping[str, Any]) -> None:
        self.path = path
        self.done: dict[str, Any] = {}
        self._heading = json.loads(json.dumps(heading))
        self._file: IO[bytes] | None = None

    def __enter__(self) -> Checkpoint:
        try:
            whole = self._read()
            self._file = self.path.open("r+b" if whole else "wb")
            self._file.truncate(whole)
            self._file.seek(whole)
            if not whole:
                self._line({"run": self._heading})
        except OSError as error:
            raise UsageError(f"{self.path} cannot be written: {error.strerror or 'the system refuses'}") from None
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, at: TracebackType | None) -> None:
        if self._file is not None:
            self._file.close()

    def note(self, key: str, data: Any) -> None:
        """A task is finished."""
        self.done[key] = data
        self._line({"key": key, "data": data})

    def _line(self, data: Any) -> None:
        assert self._file is not None
        self._file.write(json.dumps(data, separators=(",", ":"), ensure_ascii=False).encode() + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())

    def _read(self) -> int:
        """Take over what an earlier run has finished; how many bytes of the file are good."""
        if not self.path.exists():
            return 0
        content = self.path.read_bytes()
        good = 0
        for number, line in enumerate(content.split(b"\n")[:-1]):
            try:
                data = json.loads(line)
            except ValueError:
                break
            if number == 0:
                if not isinstance(data, dict) or data.get("run") != self._heading:
                    raise UsageError(f"{self.path} belongs to another run; name another file, or remove it")
            elif isinstance(data, dict) and isinstance(data.get("key"), str):
                self.done[data["key"]] = data.get("data")
            good += len(line) + 1
        if content and not good:
            raise UsageError(f"{self.path} is no checkpoint of a run; it is left alone")
        return good
