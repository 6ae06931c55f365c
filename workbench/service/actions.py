"""What can be done about the errors at a place: the edits of every hint that has some, the texts that are missing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from attrs import frozen

from warlock_dsl import Diagnostic, Span, TextEdit, fixes_of
from workbench.service.project import Analysis, Project, home_of
from workbench.support.catalogues import with_texts
from workbench.support.missing_texts import first_drafts, missing_texts

NEVER_USED, NO_TEXT = "W401", "W430"


@frozen
class Action:
    """Edits by file that mend an error; a file that is not there is made."""

    title: str
    edits: Mapping[Path, tuple[TextEdit, ...]]
    error: Diagnostic | None = None
    sure: bool = True  # there is no other way to mend it


def actions_at(project: Project, analysis: Analysis, path: Path, line: int, end_line: int) -> list[Action]:
    """What can be done about the errors in some lines of a file."""
    name = analysis.name_of(path)
    here = [
        error
        for error in analysis.loaded.diagnostics
        if error.span.file == name and error.span.line <= end_line and error.span.end_line >= line
    ]
    found: list[Action] = []
    for error in here:
        found += _fixes(analysis, error)
        if error.code == NEVER_USED:
            found += _taken_away(analysis, error)
    lacking = [error for error in here if error.code == NO_TEXT]
    if lacking or path.parent.name == "names":
        found += write_missing_texts(project, analysis, path, lacking[0] if lacking else None)
    return found


def _fixes(analysis: Analysis, error: Diagnostic) -> Iterator[Action]:
    fixes = fixes_of(error, analysis.loaded.sources)
    for fix in fixes:
        if all(edit.span.file in analysis.paths for edit in fix.edits):
            edits: dict[Path, tuple[TextEdit, ...]] = {}
            for edit in fix.edits:
                file = analysis.paths[edit.span.file]
                edits[file] = (*edits.get(file, ()), edit)
            yield Action(fix.title, edits, error, len(fixes) == 1)


def _taken_away(analysis: Analysis, error: Diagnostic) -> Iterator[Action]:
    """A declaration that nothing uses, with its marks and the blank lines behind it."""
    final = analysis.loaded.final
    for module in final.modules if final is not None else ():
        for one in module.declarations if module.file == error.span.file else ():
            if one.span.line <= error.span.line <= one.span.end_line:
                lines = analysis.loaded.sources[module.file].split("\n")
                first = min([one.span.line, *(mark.span.line for mark in one.marks)])
                last = one.span.end_line
                while last < len(lines) and not lines[last].strip():
                    last += 1
                end = Span(module.file, first, 1, last + 1, 1)
                if last >= len(lines):
                    end = Span(module.file, first, 1, len(lines), len(lines[-1]) + 1)
                edit = TextEdit(end, "")
                yield Action(f"take '{one.name.text}' away", {analysis.paths[module.file]: (edit,)}, error, False)


def write_missing_texts(project: Project, analysis: Analysis, path: Path, error: Diagnostic | None) -> Iterator[Action]:
    """First drafts of the texts that are missing, in the catalogues of the game or the overlay that a file is of."""
    ruleset = analysis.loaded.ruleset
    if ruleset is None:
        return
    edits: dict[Path, tuple[TextEdit, ...]] = {}
    count = 0
    for language, lacking in missing_texts(ruleset)[0].items():
        file = home_of(path) / "names" / f"{language}.toml"
        old = project.text(file)
        drafts = first_drafts(ruleset, language, lacking)
        new = with_texts(old, drafts)
        if new is not None:
            lines = old.split("\n")
            whole = Span(analysis.name_of(file) or file.as_posix(), 1, 1, len(lines), len(lines[-1]) + 1)
            edits[file] = (TextEdit(whole, new),)
            count += len(drafts)
    if edits:
        languages = ", ".join(sorted(file.stem for file in edits))
        yield Action(f"write the missing texts ({count}, {languages})", edits, error)
