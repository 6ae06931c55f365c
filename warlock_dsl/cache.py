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


def folder() -> Path | None:
    """The folder of the cache; None where there is none that can be trusted, or none is wanted."""
    return None if os.environ.get(OFF) else cache_folder()


def read(key: str) -> bytes | None:
    """What is kept under a key (a file name); None where there is nothing that is whole and ours."""
    place = folder()
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


def write(key: str, body: bytes) -> None:
    """Keep something under a key; a reader meets all of it or nothing. Where that fails, it is made again next time."""
    place = folder()
    if place is None:
        return
    try:
        handle, name = tempfile.mkstemp(dir=place)
        with open(handle, "wb") as file:
            file.write(_head(key, body) + b"\n" + body)
        os.replace(name, place / key)
    except OSError:
        return


def _head(key: str, body: bytes) -> bytes:
    return f"{key} {hashlib.sha256(body).hexdigest()}".encode()
