"""The trail of a search: every state it has come to, in the order in which it did, in a file that only grows.

The file is the queue of a breadth-first search and its memory at once: states are read from the front and those they
lead to are written at the end. Each record is whole and has a checksum; one that was cut off is dropped on the next
opening, and what led to it is looked at again.
"""

from __future__ import annotations

import json
import os
import struct
import zlib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from workbench.support.errors import UsageError
from workbench.support.packed import MAX_BYTES, DamagedError, pack, unpack
from workbench.support.run_file import open_for_run, written

_HEAD = struct.Struct("<4sII")  # sign, length, checksum
SIGN = b"wtr1"
MAX_PACKED = MAX_BYTES + 1_000_000  # bytes of a record


class StateStore:
    """A file of records. A record is any JSON value; the first says which search it is."""

    def __init__(self, path: Path, heading: Mapping[str, Any], kept: bool = True) -> None:
        self.path = path
        self._kept = kept  # whether the file outlives the search; one that does not need not be waited for
        self._heading = json.loads(json.dumps(heading))
        self._out: IO[bytes] | None = None
        self.end = 0

    def __enter__(self) -> StateStore:
        self._out = open_for_run(self.path)
        try:
            with written(self.path):
                fresh = self.path.stat().st_size == 0
            if fresh:
                self.write({"search": self._heading})
            else:
                self._mend()
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, at: TracebackType | None) -> None:
        if self._out is not None:
            with suppress(OSError):  # what could not be written has been reported already
                self._out.close()

    def write(self, record: Any) -> int:
        """Add a record and give the place where it begins. It is on the disk before this comes back, if it is kept."""
        assert self._out is not None
        try:
            content = pack(record, 1)
        except DamagedError:
            raise UsageError("so many states follow at once that they cannot be kept; explore less chance") from None
        begin = self.end
        with written(self.path):
            self._out.seek(begin)
            self._out.write(_HEAD.pack(SIGN, len(content), zlib.crc32(content)) + content)
            self._out.flush()
            if self._kept:
                os.fsync(self._out.fileno())
        self.end = begin + _HEAD.size + len(content)
        return begin

    def records(self, begin: int = 0, whole: bool = True) -> Iterator[tuple[int, Any]]:
        """The records from a place on, each with the place after it; only the first is read if not the whole is wanted.
        More may be written meanwhile."""
        with self.path.open("rb") as stream:
            stream.seek(begin)
            read = True
            while (content := _content(stream)) is not None:
                try:
                    record = unpack(content) if read else None
                except DamagedError as error:
                    raise self.damaged(str(error)) from None
                yield stream.tell(), record
                read = whole

    def damaged(self, why: str) -> UsageError:
        """The error of a file that no search has written like that."""
        return UsageError(f"{self.path} is damaged, {why}; it is left alone")

    def _mend(self) -> None:
        """Take over what an earlier search has written, as far as it is whole."""
        assert self._out is not None
        first = True
        for after, record in self.records(whole=False):
            if first and (not isinstance(record, dict) or record.get("search") != self._heading):
                raise UsageError(f"{self.path} belongs to another search; name another file, or remove it")
            first, self.end = False, after
        if first:
            raise UsageError(f"{self.path} is no trail of a search; it is left alone")
        with written(self.path):
            self._out.seek(self.end)
            left = self._out.read(MAX_PACKED + 1)
            if not _cut_off(left):
                raise self.damaged(f"what begins at byte {self.end:,} is no record")
            self._out.truncate(self.end)


def _content(stream: IO[bytes]) -> bytes | None:
    """What the next record holds, still packed; None where it is cut off or damaged."""
    head = stream.read(_HEAD.size)
    if len(head) < _HEAD.size:
        return None
    sign, length, checksum = _HEAD.unpack(head)
    content = stream.read(length) if sign == SIGN and length <= MAX_PACKED else b""
    if sign != SIGN or len(content) < length or zlib.crc32(content) != checksum:
        return None
    return content


def _cut_off(left: bytes) -> bool:
    """Whether the end of a file is a record that was not written to its end."""
    if len(left) < _HEAD.size or not left.strip(b"\0"):
        return True
    sign, length, _ = _HEAD.unpack_from(left)
    return bool(sign == SIGN and len(left) <= _HEAD.size + length <= MAX_PACKED)
