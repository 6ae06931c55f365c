"""A little game and overlays on it, for tests of comparisons."""

from __future__ import annotations

from pathlib import Path

from warlock_dsl.diagnostics.diagnostic import Severity
from warlock_dsl.files import read_folder
from warlock_dsl.load import load_files
from warlock_dsl.ruleset import Loaded
from warlock_dsl.stack import Use
from workbench.diff.model import DiffReport
from workbench.diff.run import Plan, compare
from workbench.support.workers import WorkerPool

TINY = Path(__file__).parents[1] / "data" / "tiny"

HEAD = '[overlay]\non = "tiny"\nabout = "{about}"\n\n'


def little(overlay: str = "", rules: str = "", about: str = "a change", names: bool = False) -> Loaded:
    """The little game, with an overlay on it if one is given: the rest of its tables, and its rules. Without its
    catalogues, so that what is new needs no name."""
    files, _ = read_folder(TINY)
    files = {file: text for file, text in files.items() if names or not file.startswith("names/")}
    texts = {"overlay.toml": HEAD.format(about=about) + overlay}
    if rules:
        texts["rules.warlock"] = rules
    overlays = [(Use("other"), texts)] if overlay or rules else []
    loaded = load_files(files, "tiny", (), overlays)
    errors = [error for error in loaded.diagnostics if error.severity is Severity.ERROR]
    assert loaded.ruleset is not None, "\n".join(f"{e.code} {e.message} {e.hint}" for e in errors)
    return loaded


def changed(at: str, was: str, now: str) -> str:
    return f'[[change]]\nat = "{at}"\nwas = {was}\nnow = {now}\n\n'


def compared(a: Loaded, b: Loaded, seed: int = 0) -> DiffReport:
    """The report, made in this process."""
    return compare((a, b), WorkerPool(), Plan(seed), lambda *_: None)
