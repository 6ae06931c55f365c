"""The files of a player: saves and replays as JSON, new folders of rules. A stranger's file can do no harm."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path

MAX_BYTES = 64_000_000
FORMATS = ("warlock-save/", "warlock-replay/")


class UsageError(Exception):
    """Something a person asked for that cannot be done, as a sentence; `code` is the exit code it leads to."""

    def __init__(self, message: str, code: int = 2) -> None:
        super().__init__(message)
        self.message = message
        self.code = code


def read_json(path: Path) -> object:
    """What a JSON file holds."""
    try:
        if path.is_dir():
            raise UsageError(f"{path} is a folder, not a file")
        if not path.is_file():
            raise UsageError(f"there is no file {path}")
        with path.open("rb") as stream:
            content = stream.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        raise UsageError(f"{path} cannot be read: {_why(error)}") from None
    if len(content) > MAX_BYTES:
        raise UsageError(f"{path} is larger than {MAX_BYTES:,} bytes")
    try:
        return json.loads(content.decode("utf-8"))
    except UnicodeDecodeError:
        raise UsageError(f"{path} is not UTF-8 text") from None
    except json.JSONDecodeError as error:
        raise UsageError(f"{path}:{error.lineno}:{error.colno}: not JSON: {error.msg}") from None
    except (RecursionError, ValueError):
        raise UsageError(f"{path} holds JSON that is nested too deep or numbers that are too long") from None


def write_game(path: Path, data: Mapping[str, object]) -> None:
    """Write a save or a replay. A file that is something else is never overwritten."""
    try:
        if path.exists() and not _is_game(path):
            raise UsageError(f"{path} exists and is no game; it is left alone")
        beside = path.with_name(f"{path.name}.{os.getpid()}.part")
        try:
            beside.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
            beside.replace(path)
        finally:
            beside.unlink(missing_ok=True)
    except (OSError, ValueError) as error:
        raise UsageError(f"{path} cannot be written: {_why(error)}") from None


def _is_game(path: Path) -> bool:
    try:
        data = read_json(path)
    except UsageError:
        return False
    return isinstance(data, dict) and str(data.get("format")).startswith(FORMATS)


def _why(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or "the system refuses"


def write_folder(folder: Path, files: Mapping[str, str]) -> list[str]:
    """Write files into a new folder, and name them."""
    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise UsageError(f"{folder} is there already; it is left alone")
        for name, text in files.items():
            file = folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            with file.open("x", encoding="utf-8", newline="\n") as stream:
                stream.write(text)
    except (OSError, ValueError) as error:
        raise UsageError(f"{folder} cannot be written: {_why(error)}") from None
    return [(folder / name).as_posix() for name in files]
