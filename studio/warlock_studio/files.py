"""The files of the folder that was opened: nothing outside it is written, and nothing is overwritten unseen."""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path

from attrs import frozen

SUFFIXES = (".warlock", ".toml", ".csv")
MAX_BYTES = 4_000_000  # of one file
AUTOSAVE = ".studio"  # a folder of its own beside the games: what was typed and is not saved


class FileError(Exception):
    """Why a file is not read or written, in words for the user."""

    def __init__(self, message: str, text: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.text = text  # what the disk has, where that is the reason


def digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


@frozen
class Folder:
    """A folder that was chosen at the start."""

    root: Path

    def inside(self, path: Path) -> bool:
        """Whether a path leads into the folder, links and all."""
        try:
            return path.resolve().is_relative_to(self.root.resolve())
        except (OSError, RuntimeError):
            return False

    def check(self, path: Path) -> None:
        """A FileError unless this may be written."""
        if path.suffix not in SUFFIXES:
            raise FileError(f"only files of rules are written: {', '.join(SUFFIXES)}")
        if not path.is_absolute() or not self.inside(path) or ".." in path.parts:
            raise FileError("the file is not in the folder that was opened")
        base = self.root.resolve()
        steps = [path, *path.parents]
        if any(step.is_symlink() for step in steps if step != base and step.is_relative_to(base)):
            raise FileError("the file is a link, or lies behind one")

    def write(self, path: Path, text: str, known: str) -> str:
        """Write a text in one step, if the disk still has what was `known` (its digest; "" for no file); the digest."""
        self.check(path)
        if len(text.encode("utf-8", "surrogatepass")) > MAX_BYTES:
            raise FileError(f"a file has at most {MAX_BYTES:,} bytes")
        now = read(path) if path.exists() else None
        if ("" if now is None else digest(now)) != known:
            raise FileError("the file has changed on the disk since it was read", now or "")
        replace(path, text)
        return digest(text)


def read(path: Path) -> str:
    """The text of a file; a FileError for one that is too large or no text."""
    try:
        with open(path, "rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise FileError(error.strerror or "the file cannot be read") from None
    if len(data) > MAX_BYTES:
        raise FileError(f"a file has at most {MAX_BYTES:,} bytes")
    try:
        return data.decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise FileError("the file is not UTF-8 text") from None


def replace(path: Path, text: str) -> None:
    """Put a text in the place of a file, whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    number, name = tempfile.mkstemp(dir=path.parent, prefix=".studio-", suffix=".part")
    try:
        with os.fdopen(number, "w", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        if path.exists():
            os.chmod(name, path.stat().st_mode & 0o777)
        os.replace(name, path)
    except OSError as error:
        Path(name).unlink(missing_ok=True)
        raise FileError(error.strerror or "the file cannot be written") from None


class Autosave:
    """Side files: each has the text that was typed and not saved, under the digest of its path."""

    def __init__(self, folder: Folder) -> None:
        self.place = folder.root / AUTOSAVE

    @property
    def is_ours(self) -> bool:
        """Whether the place is a folder of this folder: a stranger's may have put a link there."""
        return not self.place.is_symlink() and (self.place.is_dir() or not self.place.exists())

    def keep(self, path: Path, text: str) -> None:
        if not self.is_ours:
            raise FileError(f"what is typed cannot be kept beside: {AUTOSAVE} is no folder of its own")
        replace(self._file(path), text)

    def forget(self, path: Path) -> None:
        if self.is_ours:
            self._file(path).unlink(missing_ok=True)

    def found(self, path: Path) -> str | None:
        """What was typed into a file and not saved."""
        side = self._file(path)
        try:
            return read(side) if self.is_ours and side.is_file() and not side.is_symlink() else None
        except FileError:
            return None

    def _file(self, path: Path) -> Path:
        return self.place / f"{path.name}.{digest(str(path))}.unsaved"
