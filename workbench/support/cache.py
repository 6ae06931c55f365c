"""What was made from a ruleset once and need not be made again: the checked ruleset, and the code generated from it.

An entry is found by a SHA-256 of everything it was made from: every text of the ruleset, what it is for, this package's
own files and the version of Python. It begins with that key and a SHA-256 of the rest, so that one that is cut short,
altered or put in another's place is not used. Generated code is run, so the folder must be one that only its owner can
write to; where it is not (another owner, others may write, a link), there is no cache. Nothing in a rules folder can
name a place in it.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from warlock_dsl import cache_folder, is_private, state_folder
from workbench.support.errors import UsageError

HEAD = "warlock-cache/1"
MAX_BYTES = 30_000_000  # of an entry
MAX_ENTRIES = 300
OFF = "WARLOCK_NO_CACHE"  # set to anything: no cache is read or written


def folder() -> Path | None:
    """The folder of the cache; None where there is none that can be trusted, or none is wanted."""
    return None if os.environ.get(OFF) else cache_folder()


def fingerprint() -> str:
    """What tells one state of this package from another: the size and time of each of its files."""
    root = Path(__file__).resolve().parents[2]
    digest = hashlib.sha256(f"{HEAD} {sys.version}".encode())
    for package in ("warlock_dsl", "interpreter"):
        for path in sorted(file for file in (root / package).rglob("*") if file.suffix in (".py", ".c")):
            found = path.stat()
            digest.update(f"{path.relative_to(root)} {found.st_size} {found.st_mtime_ns}\n".encode())
    return digest.hexdigest()


def key_of(kind: str, parts: Mapping[str, str]) -> str:
    """The key of what is made from these texts."""
    digest = hashlib.sha256(f"{kind} {fingerprint()}\n".encode())
    for name in sorted(parts):
        for part in (name, parts[name]):
            text = part.encode("utf-8", "surrogatepass")
            digest.update(f"{len(text)}\n".encode() + text)
    return digest.hexdigest()


def read(key: str) -> str | None:
    """The text kept under a key; None where there is none that is whole and ours."""
    body = read_bytes(key)
    return None if body is None else body.decode("utf-8", "surrogatepass")


def read_bytes(key: str) -> bytes | None:
    place = folder()
    if place is None:
        return None
    try:
        handle = os.open(place / key, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
        with open(handle, "rb") as file:
            found = os.fstat(file.fileno())
            if not stat.S_ISREG(found.st_mode) or not is_private(found) or found.st_size > MAX_BYTES:
                return None
            data = file.read(MAX_BYTES)
    except OSError:
        return None
    head, _, body = data.partition(b"\n")
    return body if head == _head(key, body) else None


def write(key: str, text: str) -> None:
    """Keep a text. Where that cannot be done only time is wasted."""
    write_bytes(key, text.encode("utf-8", "surrogatepass"))


def write_bytes(key: str, body: bytes) -> None:
    place = folder()
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
    return f"{HEAD} {key} {hashlib.sha256(body).hexdigest()}".encode()


def _prune(place: Path) -> None:
    """Keep the newest entries."""
    files = (path for path in place.iterdir() if not path.is_dir())
    entries = sorted(files, key=lambda path: path.lstat().st_mtime, reverse=True)
    for path in entries[MAX_ENTRIES:]:
        path.unlink(missing_ok=True)


class CodeStore:
    """Where the generated backend keeps its source."""

    def get(self, parts: Mapping[str, str]) -> str | None:
        return read(key_of("code", parts))

    def put(self, parts: Mapping[str, str], source: str) -> None:
        write(key_of("code", parts), source)


def kept_in(command: str, heading: Mapping[str, Any]) -> Path:
    """The checkpoint of a run that was given none: in the user's state folder, named after what makes it that run."""
    try:
        folder = state_folder()
    except (OSError, RuntimeError) as error:
        raise UsageError(f"no place to keep the run in: {error}; name a file with --checkpoint") from None
    name = hashlib.sha256(json.dumps(heading, sort_keys=True).encode()).hexdigest()[:16]
    return folder / f"{command}-{name}.jsonl"
