"""Before many games are played: less looking for garbage, and a word where the fast machine is not there."""

from __future__ import annotations

import gc
import sys
from pathlib import Path

import interpreter
from interpreter import vm_is_built

_told: list[str] = []  # at most once a process


def not_built() -> str:
    """Why the fast machine is not there, as the install noted it."""
    try:
        return (Path(interpreter.__file__).parent / "vm" / "not_built.txt").read_text(encoding="utf-8").strip()
    except OSError:
        return "the fast machine was not built with the package"


def speed_up(tell: bool = True) -> None:
    """Look for garbage less often, since games make many small lists and no cycles; say once where games are slow
    because the fast machine was not built (`tell`: not in a worker, whose parent has said it)."""
    gc.set_threshold(100_000, 20, 20)
    if tell and not _told and not vm_is_built():
        _told.append(not_built())
        print(f"warlock: the plain machine plays, and slowly: {_told[0]}", file=sys.stderr)
