"""Add texts to a catalogue of names: what is there stays as it is, and a file that cannot take more is left alone."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from warlock_dsl import table_text
from workbench.support.errors import UsageError
from workbench.support.files import why

HEADER = re.compile(r"^[ \t]*\[", re.MULTILINE)  # of a table: what comes after it belongs to the table
REMARK = "# First drafts, to be put into this language.\n"


def catalogue_lines(texts: Mapping[str, str]) -> str:
    """Texts by their keys, as a catalogue has them."""
    return table_text("", texts)


def write_catalogue(file: Path, texts: Mapping[str, str]) -> None:
    """Add texts to a catalogue; a new one is made where there is none."""
    try:
        old = file.read_bytes().decode("utf-8") if file.exists() else ""
        new = with_texts(old, texts)
        if new is None:
            raise UsageError(f"{file} is no catalogue that can be added to; it is left alone")
        file.parent.mkdir(parents=True, exist_ok=True)
        beside = file.with_name(f"{file.name}.{os.getpid()}.part")
        try:
            beside.write_bytes(new.encode("utf-8"))
            beside.replace(file)
        finally:
            beside.unlink(missing_ok=True)
    except (OSError, ValueError) as error:
        raise UsageError(f"{file} cannot be written: {why(error)}") from None


def with_texts(old: str, texts: Mapping[str, str]) -> str | None:
    """A catalogue with more texts, in front of its first table; None where they would not be read as they are meant."""
    end = "\r\n" if "\r\n" in old else "\n"
    lines = (REMARK + catalogue_lines(texts)).replace("\n", end)
    header = HEADER.search(old)
    place = header.start() if header else len(old)
    before, after = old[:place], old[place:]
    if before.strip("\ufeff") and not before.endswith("\n"):
        before += end
    gap = end if before.strip("\ufeff \t\r\n") and not before.endswith(end * 2) else ""
    new = f"{before}{gap}{lines}{end if after else ''}{after}"
    return new if _read(new) == {**_read(old), **texts} else None


def _read(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text.removeprefix("\ufeff"))
    except (tomllib.TOMLDecodeError, RecursionError):
        return {}
