"""An overlay whose game has changed under it: what no longer fits, and the overlay with that taken over."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from attrs import field, frozen

from warlock_dsl import (
    OVERLAY_FILE,
    Diagnostic,
    Loaded,
    Severity,
    Stale,
    Use,
    by_address,
    declaration_digest,
    load_files,
    parse,
    plain_text,
    read_overlay,
    render_text,
    stale,
)
from workbench.support.errors import UsageError
from workbench.support.files import why

EXPECTATIONS = ("W608", "W609", "W611", "W614")  # what a check says of one that does not hold
BYTE_ORDER_MARK = "\ufeff"


@frozen
class Rebase:
    """What an overlay expects and does not find, what it expected as text where that is known, and what is wrong with
    it besides: the errors of the whole stack once everything that can be taken over is."""

    overlay: str
    below: str
    found: tuple[Stale, ...]
    old_texts: Mapping[str, str]
    left: tuple[Diagnostic, ...]
    sources: Mapping[str, str] = field(repr=False)

    @property
    def writable(self) -> list[Stale]:
        return [one for one in self.found if one.write]

    @property
    def by_hand(self) -> list[Stale]:
        return [one for one in self.found if not one.write]


def rebase(below: Loaded, use: Use, files: Mapping[str, str], old: Loaded | None = None) -> Rebase:
    """Hold an overlay against the stack below it; `old` is that stack as it was, where there is a copy."""
    overlay, errors = read_overlay(files, use.name, use.given)
    if overlay is None:
        sources = {f"+{use.name}/{file}": text for file, text in files.items()}
        raise UsageError(render_text(errors, sources).rstrip("\n"), 1)
    if below.final is None:
        raise UsageError(f"{below.name}, the stack below {use.name}, cannot be read; mend that first", 1)
    own = [parse(text, f"+{use.name}/{file}")[0] for file, text in files.items() if file.endswith(".warlock")]
    found = stale(overlay, below.final, own)
    changed = {**files, OVERLAY_FILE: taken_over(files[OVERLAY_FILE], found)}
    after = load_files(below.base, below.name, (), [*below.stack, (use, changed)])
    errors_after = [one for one in after.diagnostics if one.severity is Severity.ERROR]
    left = [one for one in errors_after if not any(_says(one, known) for known in found)]
    return Rebase(use.name, str(below.ruleset.name if below.ruleset else below.name), tuple(found),
                  _old_texts(found, old), tuple(left), after.sources)  # fmt: skip


def _says(error: Diagnostic, known: Stale) -> bool:
    """Whether an error says no more than that an expectation does not hold."""
    return error.code in EXPECTATIONS and error.span.file == known.span.file and f"'{known.at}'" in error.message


def _old_texts(found: Sequence[Stale], old: Loaded | None) -> dict[str, str]:
    """The declarations that the overlay was written for, from a copy of the old game: those with the right digest."""
    if old is None or old.final is None:
        return {}
    there = by_address(old.final.modules)
    fitting = [one.at for one in found if one.at in there and declaration_digest(there[one.at]) == one.expected]
    return {at: plain_text(there[at]) for at in fitting}


def taken_over(text: str, found: Sequence[Stale]) -> str:
    """The overlay's file with what it expects written anew; everything else stays as it is."""
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    for one in sorted(found, key=lambda one: (one.span.line, one.span.column), reverse=True):
        if one.write:
            first = starts[one.span.line - 1] + one.span.column - 1
            last = starts[one.span.end_line - 1] + one.span.end_column - 1
            text = text[:first] + one.write + text[last:]
    return text


def write_over(file: Path, found: Sequence[Stale]) -> None:
    """Write what an overlay expects into its file, whole or not at all."""
    try:
        text = file.read_bytes().decode("utf-8")
        mark = BYTE_ORDER_MARK if text.startswith(BYTE_ORDER_MARK) else ""
        beside = file.with_name(f"{file.name}.part")
        try:
            beside.write_bytes((mark + taken_over(text.removeprefix(mark), found)).encode("utf-8"))
            beside.replace(file)
        finally:
            beside.unlink(missing_ok=True)
    except (OSError, ValueError) as error:
        raise UsageError(f"{file} cannot be written: {why(error)}") from None


def data_of(rebase: Rebase, written: bool) -> dict[str, Any]:
    return {
        "overlay": rebase.overlay,
        "below": rebase.below,
        "stale": [
            {
                "at": one.at,
                "verb": one.verb,
                "file": one.span.file,
                "line": one.span.line,
                "expected": one.expected,
                "found": one.found,
                "makes": one.makes,
                "was_text": rebase.old_texts.get(one.at, ""),
                "text": one.text,
                "write": one.write,
                "why": one.why,
            }
            for one in rebase.found
        ],
        "written": written,
        "errors": [{"code": one.code, "message": one.message, "line": one.span.line} for one in rebase.left],
    }
