"""The files of the page, as they were built when the studio was installed."""

from __future__ import annotations

from importlib import resources


def asset(name: str) -> bytes | None:
    """A file of the page; None where it was not built."""
    file = resources.files("warlock_studio") / "page" / name
    return file.read_bytes() if file.is_file() else None
