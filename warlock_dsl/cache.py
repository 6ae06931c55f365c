"""What was made once and is kept in the user's cache folder: read back only if it is whole and nobody else wrote it.

An entry begins with its key and a SHA-256 of the rest, so one that is cut short, altered or renamed is not used.
"""

from __future__ import annotations

import hashlib
import os
import stat
import tempfile
from pathlib import Path

from warlock_dsl.user_folders import cache_folder, is_private

OFF = "WARLOCK_NO_CACHE"  # set to anything: no cache is read or written
MAX_BYTES = 30_000_000  # of an entry
MAX_ENTRIES = 300


def entries_folder() -> Path | None:
    """The folder of the cache; None where there is none that can be trusted, or none is wanted."""
    return None if os.environ.get(OFF) else cache_folder()


def read_entry(key: str) -> bytes | None:
    """What is kept under a key (a file name); None where there is nothing that is whole and ours."""
    place = entries_folder()
    if place is None:
        return None
    try:
        handle = os.open(place / key, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
        with open(handle, "rb") as file:
            found = os.fstat(file.fileno())
            if not stat.S_ISREG(found.st_mode) or not is_private(found) or found.st_size > MAX_BYTES:
                return None
            head, _, body = file.read(MAX_BYTES).partition(b"\n")
    except OSError:
        return None
    return body if head == _head(key, body) else None


def write_entry(key: str, body: bytes) -> None:
    """Keep something under a key; a reader meets all of it or nothing. Where that fails, it is made again next time."""
    place = entries_folder()
    if place is None:
        return
    try:
        handle, name = tempfile.mkstemp(dir=place)
        with open(handle, "wb") as file:
            file.write(_head(key, body) + b"\n" + body)
        os.replace(name, place / key)
        _prune(place)
    except OSError:
        return


def _head(key: str, body: bytes) -> bytes:
    return f"{key} {hashlib.sha256(body).hexdigest()}".encode()


def _prune(place: Path) -> None:
    """Keep the newest entries."""
    files = (path for path in place.iterdir() if not path.is_dir())
    entries = sorted(files, key=lambda path: path.lstat().st_mtime, reverse=True)
    for path in entries[MAX_ENTRIES:]:
        path.unlink(missing_ok=True)
