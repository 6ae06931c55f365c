"""The user's cache folder: what was made once, read back only if it is whole and nobody else can have written it.

An entry begins with its key and a SHA-256 of the rest, so one that is cut short, altered or renamed is not used. The
folder must belong to the user, with nobody else allowed to write to it; where it does not, there is no cache.
"""

from __future__ import annotations

import hashlib
import os
import stat
import tempfile
from pathlib import Path

from platformdirs import user_cache_path

APPLICATION = "warlock-rules"
OFF = "WARLOCK_NO_CACHE"  # set to anything: no cache is read or written
MAX_BYTES = 30_000_000  # of an entry


def folder() -> Path | None:
    """The folder of the cache, made if it is not there; None where it cannot be trusted or made."""
    place = user_cache_path(APPLICATION, appauthor=False)
    if os.environ.get(OFF) or not place.is_absolute():
        return None
    try:
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = place.lstat()
    except OSError:
        return None
    return place if stat.S_ISDIR(found.st_mode) and _private(found) else None


def _private(found: os.stat_result) -> bool:
    """Whether this is ours and for nobody else to write to; on Windows the folder of a user's data always is."""
    return not hasattr(os, "getuid") or (found.st_uid == os.getuid() and not found.st_mode & 0o022)


def read(key: str) -> bytes | None:
    """What is kept under a key (a file name); None where there is nothing that is whole and ours."""
    place = folder()
    if place is None:
        return None
    try:
        handle = os.open(place / key, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
        with open(handle, "rb") as file:
            found = os.fstat(file.fileno())
            if not stat.S_ISREG(found.st_mode) or not _private(found) or found.st_size > MAX_BYTES:
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
