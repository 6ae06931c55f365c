"""Read and write a player's files: saves and replays as JSON, new folders. A foreign file is never overwritten."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path

from workbench.support.errors import UsageError

MAX_BYTES = 64_000_000
FORMATS = ("warlock-save/", "warlock-replay/")


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
        raise UsageError(f"{path} cannot be read: {why(error)}") from None
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
        raise UsageError(f"{path} cannot be written: {why(error)}") from None


def _is_game(path: Path) -> bool:
    try:
        data = read_json(path)
    except UsageError:
        return False
    return isinstance(data, dict) and str(data.get("format")).startswith(FORMATS)


def why(error: Exception) -> str:
    """What the system says of a file that cannot be read or written."""
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
        raise UsageError(f"{folder} cannot be written: {why(error)}") from None
    return [(folder / name).as_posix() for name in files]
