"""From a name to a checked ruleset: find the folder, read it, parse, check; every fault on the way is kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from warlock_dsl.check import check
from warlock_dsl.diagnostics import Diagnostic, Severity, Span, suggest
from warlock_dsl.doubts import doubts
from warlock_dsl.library import available, content_hash, find, read_folder, std_files
from warlock_dsl.lints import lint
from warlock_dsl.parse import parse
from warlock_dsl.required_names import check_names
from warlock_dsl.ruleset import Loaded, Ruleset
from warlock_dsl.tables import read_tables

LOAD_CODES: Mapping[str, str] = {"W001": "there is no such ruleset"}


def load(name: str, roots: Sequence[Path] | None = None) -> Loaded:
    """The ruleset of this name (or in this folder), with every fault found."""
    folder = find(name, roots)
    if folder is None:
        known = [found.name for found in available(roots)]
        place = Span(name, 1, 1, 1, 1)
        fault = Diagnostic("W001", f"there is no ruleset '{name}'", place, hint=suggest(name, known, "rulesets"))
        return Loaded(None, (fault,), {})
    files, faults = read_folder(folder)
    return load_files(files, folder.resolve().name, faults)


def load_files(files: Mapping[str, str], name: str, faults: Sequence[Diagnostic] = ()) -> Loaded:
    """The ruleset these files make, the standard library beside them."""
    found = list(faults)
    library = std_files()
    components, faults_of_tables = read_tables(files, name)
    found += faults_of_tables
    modules = []
    sources = {**library, **files}
    for path, text in sorted(sources.items(), key=lambda item: (item[0] not in library, item[0])):
        if path.endswith(".warlock"):
            module, faults_of_text = parse(text, path)
            modules.append(module)
            found += faults_of_text
    ruleset = None
    if components is not None:
        unread = doubts(found, sources)
        program, faults_of_rules = check(modules, components)
        found += [fault for fault in faults_of_rules if not unread.about(fault)]
        if program is not None and program.start >= 0:  # where nothing begins, nothing is in use
            unsure = doubts(found, sources)
            found += lint(program, components, modules, unsure.words)
            found += check_names(program, components, unsure.words)
            if not any(fault.severity is Severity.ERROR for fault in found):
                ruleset = Ruleset(name, content_hash(sources), components, program)
    return Loaded(ruleset, tuple(found), sources)
