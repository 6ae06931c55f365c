"""What was made from a ruleset once and need not be made again: the checked ruleset.

An entry is found by a SHA-256 of everything it was made from: every text of the ruleset, what it is for, this package's
own files and the version of Python. Generated code is run, so the folder must be one that only its owner can write to;
where it is not (another owner, others may write, a link), there is no cache. Nothing in a rules folder can name a place
in it.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from warlock_dsl import read_entry, state_folder, write_entry
from workbench.support.errors import UsageError

HEAD = "warlock-cache/1"


def fingerprint() -> str:
    """What tells one state of this package from another: the size and time of each of its files."""
    root = Path(__file__).resolve().parents[2]
    digest = hashlib.sha256(f"{HEAD} {sys.version}".encode())
    for package in ("warlock_dsl", "interpreter"):
        for path in sorted(file for file in (root / package).rglob("*") if file.suffix in (".py", ".c", ".lark")):
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
    body = read_entry(key)
    return None if body is None else body.decode("utf-8", "surrogatepass")


def write(key: str, text: str) -> None:
    """Keep a text. Where that cannot be done only time is wasted."""
    write_entry(key, text.encode("utf-8", "surrogatepass"))


def kept_in(command: str, heading: Mapping[str, Any]) -> Path:
    """The checkpoint of a run that was given none: in the user's state folder, named after what makes it that run."""
    try:
        folder = state_folder()
    except (OSError, RuntimeError) as error:
        raise UsageError(f"no place to keep the run in: {error}; name a file with --checkpoint") from None
    name = hashlib.sha256(json.dumps(heading, sort_keys=True).encode()).hexdigest()[:16]
    return folder / f"{command}-{name}.jsonl"
