"""A C compiler, where there is one: makes libraries of the C that is generated from rulesets, and keeps them.

What is compiled is only ever this package's own C around tables and functions written from a checked ruleset. A library
is kept in the cache under all it was made from, the compiler included, and loaded from there as anything else is:
whole, ours, and from a folder that nobody else can write to.
"""

from __future__ import annotations

import gc
import os
import platform
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from ctypes import PyDLL
from functools import cache as once
from importlib.util import find_spec
from pathlib import Path

from interpreter import compile_with, keep_in
from warlock_dsl import read_entry, write_entry
from workbench.support import cache

OFF = "WARLOCK_NO_NATIVE"  # set to anything: nothing is compiled, and nothing compiled is loaded
FLAGS = ("-O2", "-std=gnu11", "-shared", "-fPIC", "-w")
MAX_LENGTH = 60  # seconds
MACHINE = Path(__file__).resolve().parents[2] / "interpreter" / "native"


@once
def compiler() -> tuple[str, ...]:
    """The command of a C compiler: the one named by CC, the usual ones, or Zig's from its Python package; or none."""
    if os.environ.get(OFF) or os.name != "posix":
        return ()
    named = shlex.split(os.environ.get("CC", ""))
    for command in (named, ["cc"], ["gcc"], ["clang"]):
        if command and (found := shutil.which(command[0])) is not None:
            return (found, *command[1:])
    if find_spec("ziglang") is not None:
        return (sys.executable, "-m", "ziglang", "cc")
    return ()


class Libraries:
    """Libraries made from rulesets."""

    def find(self, parts: Mapping[str, str]) -> PyDLL | None:
        """The library that was made before."""
        if not compiler():
            return None
        body = read_entry(_key(parts))
        return None if body is None else _loaded(body)

    def make(self, parts: Mapping[str, str], source: str) -> PyDLL | None:
        """Compile; None where that fails, since the game can be played without."""
        if not compiler():
            return None
        with tempfile.TemporaryDirectory() as place:
            text, made = Path(place, "rules.c"), Path(place, "rules.so")
            text.write_text(source, encoding="utf-8")
            command = [*compiler(), *FLAGS, "-I", str(MACHINE), "-o", str(made), str(text)]
            try:
                subprocess.run(command, check=True, capture_output=True, timeout=MAX_LENGTH, stdin=subprocess.DEVNULL)
                body = made.read_bytes()
            except (OSError, subprocess.SubprocessError):
                return None
        write_entry(_key(parts), body)
        return _loaded(body)


def _key(parts: Mapping[str, str]) -> str:
    found = os.stat(compiler()[0])
    tool = f"{' '.join((*compiler(), *FLAGS))} {found.st_size} {found.st_mtime_ns} {platform.platform()}"
    return cache.key_of("library", {**parts, "compiler": tool})


def _loaded(body: bytes) -> PyDLL | None:
    """A library is loaded from a file of its own, in a folder that only this user can look into, and the file goes."""
    with tempfile.TemporaryDirectory() as place:
        path = Path(place, "rules.so")
        path.write_bytes(body)
        try:
            return PyDLL(str(path))
        except OSError:
            return None


def speed_up() -> None:
    """Keep generated code between runs, play whole random games in C where there is a compiler, and look for garbage
    less often: games make many small lists and no cycles."""
    gc.set_threshold(100_000, 20, 20)
    keep_in(cache.CodeStore())
    compile_with(Libraries())
