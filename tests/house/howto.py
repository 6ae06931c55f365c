"""A copy of the packages in which a how-to of the documentation is followed, and the files it touches counted."""

from __future__ import annotations

import filecmp
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from attrs import frozen

ROOT = Path(__file__).parents[2]
COPIED = (
    "warlock_dsl", "interpreter", "workbench", "warlock_rules", "rules/std", "rules/classics", "docs/language.md",
    "docs/tables.md",
)  # fmt: skip
NOT_COUNTED = ("interpreter/vm/c/",)  # a form the compiler does not know is refused, and the plain machine plays

Edits = Mapping[str, Sequence[tuple[str, str]]]  # by file: a text that is there once, and what it becomes


@frozen
class ChangedCopy:
    """A checkout of its own, with a change made in it."""

    folder: Path

    def run(self, *arguments: str) -> str:
        """What Python prints in the copy, which it imports instead of the checkout."""
        environment = {**os.environ, "PYTHONPATH": str(self.folder), "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run(
            [sys.executable, *arguments], cwd=self.folder, env=environment, capture_output=True, text=True
        )
        assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
        return done.stdout

    def script(self, text: str) -> str:
        """What a small program prints in the copy."""
        return self.run("-c", text)

    def touched(self) -> list[str]:
        """The files that are not those of the checkout, whoever changed them."""
        found = []
        for name in COPIED:
            copy = self.folder / name
            for path in [copy] if copy.is_file() else sorted(copy.rglob("*")):
                where = path.relative_to(self.folder).as_posix()
                here = ROOT / where
                counted = path.is_file() and not where.startswith(NOT_COUNTED)
                if counted and not (here.is_file() and filecmp.cmp(path, here, shallow=False)):
                    found.append(where)
        return sorted(found)


def changed_copy(folder: Path, edits: Edits) -> ChangedCopy:
    """Copies the packages into an empty folder and changes named files there; a new file has one edit, of no text."""
    for name in COPIED:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / name).is_file():
            shutil.copy(ROOT / name, folder / name)
        else:
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name, changes in edits.items():
        path = folder / name
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        for old, new in changes:
            assert text.count(old) == 1, f"{name}: {text.count(old)} times {old!r}"
            text = text.replace(old, new)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return ChangedCopy(folder)
