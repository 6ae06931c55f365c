"""The first step of loading: find the folders a ruleset name stands for and read their files. Nothing is parsed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from attrs import evolve, frozen

from warlock_dsl.diagnostics.diagnostic import Diagnostic, Span, suggest
from warlock_dsl.diagnostics.render import visible
from warlock_dsl.files import (
    available,
    available_overlays,
    default_roots,
    find_overlay,
    find_ruleset,
    is_folder_here,
    overlay_roots,
    read_folder,
    searched,
    std_files,
)
from warlock_dsl.stack import Stack, Use, parse_stack


@frozen
class Gathered:
    """The texts of a ruleset: its own files, the overlays on it with theirs, and what could not be read.

    `missing` are the errors of what is not there at all: a name that cannot be read, a ruleset or an overlay that is
    not found. Without a name there is no folder, and nothing to load.
    """

    name: str
    files: Mapping[str, str]
    overlays: tuple[tuple[Use, Mapping[str, str]], ...]
    errors: tuple[Diagnostic, ...]
    missing: tuple[Diagnostic, ...] = ()
    folder: Path | None = None  # of the topmost overlay, or of the game where there is none

    def texts(self) -> dict[str, str]:
        """Everything the ruleset is made of, by its path; the standard library and the name of the stack included."""
        found = {**std_files(), **self.files}
        found |= {f"+{use.name}/{file}": text for use, more in self.overlays for file, text in more.items()}
        return {**found, "+": str(Stack(self.name, tuple(use for use, _ in self.overlays)))}


def gather(name: str, roots: Sequence[Path] | None = None) -> Gathered:
    """The files of a ruleset and its overlays, read but not looked into."""
    here = Span(name, 1, 1, 1, 1)
    whole = "+" in name and "/" in name and find_ruleset(name, roots) is not None  # a path may have a plus in it
    stack = Stack(name) if whole else parse_stack(name)
    if isinstance(stack, str):
        return Gathered("", {}, (), (), (Diagnostic("W601", stack, here),))
    folder = find_ruleset(stack.base, roots)
    if folder is None:
        known = [found.name for found in available(roots)]
        hint = _hint(suggest(stack.base, known, "rulesets"), default_roots() if roots is None else roots)
        if is_folder_here(stack.base):
            hint = f"there is a folder '{stack.base}' here: write ./{stack.base}"
        return Gathered("", {}, (), (), (Diagnostic("W001", f"there is no ruleset '{stack.base}'", here, hint=hint),))
    base = folder.resolve().name
    files, errors = read_folder(folder)
    missing: list[Diagnostic] = []
    overlays: list[tuple[Use, Mapping[str, str]]] = []
    for use in stack.uses:
        place = find_overlay(base, use.name, roots)
        if place is None:
            known = [found.name for found in available_overlays(base, roots)]
            hint = _hint(suggest(use.name, known, "overlays"), [root / base for root in overlay_roots(roots)])
            missing.append(Diagnostic("W602", f"there is no overlay '{use.name}' on {base}", here, hint=hint))
            continue
        texts, unread = read_folder(place)
        errors += unread
        overlays.append((evolve(use, name=place.resolve().name), texts))
        folder = place
    return Gathered(visible(base), files, tuple(overlays), tuple(errors), tuple(missing), folder)


def _hint(meant: str, folders: Sequence[Path]) -> str:
    """What was meant perhaps, and where it was looked for."""
    return f"{meant}{'' if meant.endswith('?') else ';'} {searched(folders)}".strip()
