"""Where this package keeps files for a user: a cache of what can be made again, the state of runs not yet finished.

The places are those of the system (`platformdirs`): XDG folders, `~/Library`, `AppData`. What is read back from the
cache may be code, so its folder is used only where nobody but its owner can write to it.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

import platformdirs

APP = "warlock-rules"


def cache_folder() -> Path | None:
    """The folder of the cache, made if it is missing; None where it cannot be trusted or made."""
    try:
        folder = _made(platformdirs.user_cache_path(APP, appauthor=False))
        found = folder.lstat()
    except (OSError, RuntimeError):
        return None
    return folder if stat.S_ISDIR(found.st_mode) and is_private(found) else None


def state_folder() -> Path:
    """The folder of unfinished runs, made if it is missing; OSError where it cannot be made."""
    return _made(platformdirs.user_state_path(APP, appauthor=False))


def is_private(found: os.stat_result) -> bool:
    """Whether a file or folder is ours, and for nobody else to write to."""
    if not hasattr(os, "getuid"):
        return True  # the folder of a user's own data, where Windows lets nobody else write
    return found.st_uid == os.getuid() and not found.st_mode & 0o022


def _made(folder: Path) -> Path:
    if not folder.is_absolute():  # a relative XDG variable, or no home
        raise OSError(f"'{folder}' is not an absolute path")
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder
