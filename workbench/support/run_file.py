"""The file of a long run: opened for one run at a time, and never one that is something else."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from workbench.support.errors import UsageError

try:
    import fcntl
except ImportError:  # Windows: two runs on one file are not told apart there
    fcntl = None  # type: ignore[assignment]


class BusyError(UsageError):
    """A file that another run has open."""


def open_for_run(path: Path) -> IO[bytes]:
    """Open a file for reading and writing, made if it is missing, and for this process alone.

    The system holds the lock on the open file: it goes with the process, however that ends.
    """
    while True:
        with written(path):
            if path.exists() and not path.is_file():  # a pipe would wait for ever
                raise UsageError(f"{path} is not a file")
            file = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o666), "r+b")
        try:
            if _lock(file, path) and _still_there(file, path):
                return file
        except BaseException:
            file.close()
            raise
        file.close()


def _lock(file: IO[bytes], path: Path) -> bool:
    if fcntl is None:
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in (errno.EWOULDBLOCK, errno.EACCES):
            raise BusyError(f"another run is using {path}; wait for its end, or name another file") from None
    return True  # also on a file system that knows no locks


def _still_there(file: IO[bytes], path: Path) -> bool:
    """Whether the path still means this file: a run that was over meanwhile may have removed it."""
    own = os.fstat(file.fileno())
    if not stat.S_ISREG(own.st_mode):
        raise UsageError(f"{path} is not a file")
    try:
        return os.path.samestat(own, path.stat())
    except OSError:
        return False


@contextmanager
def written(path: Path) -> Iterator[None]:
    """What the system says against writing a file, as a sentence."""
    try:
        yield
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else None
        raise UsageError(f"{path} cannot be written: {why or 'the system refuses'}") from None
