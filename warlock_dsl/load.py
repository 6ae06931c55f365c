"""From a name to a checked ruleset: find the folders, read them, lay the overlays on, parse, check; all faults kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from attrs import evolve

from warlock_dsl.apply import Applying
from warlock_dsl.check import check
from warlock_dsl.diagnostics import Diagnostic, Related, Severity, Span, suggest
from warlock_dsl.doubts import doubts
from warlock_dsl.faults import Faults
from warlock_dsl.library import (
    available,
    available_overlays,
    content_hash,
    find,
    find_overlay,
    read_folder,
    std_files,
)
from warlock_dsl.lints import lint
from warlock_dsl.model import Components, Entry
from warlock_dsl.names_files import read_names
from warlock_dsl.overlay import Overlay, read_overlay
from warlock_dsl.parse import parse
from warlock_dsl.reading import Reading
from warlock_dsl.required_names import check_names
from warlock_dsl.ruleset import Final, Loaded, Ruleset
from warlock_dsl.sections import Merged, Sections
from warlock_dsl.stack import Stack, Use, parse_stack
from warlock_dsl.syntax import Module
from warlock_dsl.tables import read_tables

LOAD_CODES: Mapping[str, str] = {"W001": "there is no such ruleset"}


def load(name: str, roots: Sequence[Path] | None = None) -> Loaded:
    """The ruleset of this name (or in this folder), overlays included, with every fault found."""
    here = Span(name, 1, 1, 1, 1)
    stack = parse_stack(name)
    if isinstance(stack, str):
        return Loaded(None, (Diagnostic("W601", stack, here),), {})
    folder = find(stack.base, roots)
    if folder is None:
        known = [found.name for found in available(roots)]
        hint = suggest(stack.base, known, "rulesets")
        return Loaded(None, (Diagnostic("W001", f"there is no ruleset '{stack.base}'", here, hint=hint),), {})
    base = folder.resolve().name
    files, faults = read_folder(folder)
    overlays: list[tuple[Use, Mapping[str, str]]] = []
    for use in stack.uses:
        place = find_overlay(base, use.name, roots)
        if place is None:
            hint = suggest(use.name, [found.name for found in available_overlays(base, roots)], "overlays")
            faults.append(Diagnostic("W602", f"there is no overlay '{use.name}' on {base}", here, hint=hint))
            continue
        texts, unread = read_folder(place)
        faults += unread
        overlays.append((evolve(use, name=place.resolve().name), texts))
    return load_files(files, base, faults, overlays)


def load_files(
    files: Mapping[str, str],
    name: str,
    faults: Sequence[Diagnostic] = (),
    overlays: Sequence[tuple[Use, Mapping[str, str]]] = (),
) -> Loaded:
    """The ruleset these files make, the standard library beside them and the overlays on them."""
    found = list(faults)
    library = std_files()
    layers = _overlays(overlays, name, found)
    applying = Applying(layers)
    texts, merged = dict(files), dict[str, Any]()
    components, faults_of_tables = read_tables(
        texts, name, lambda tree, places: merged.update(_altered(applying, texts, tree, places))
    )
    found += faults_of_tables
    sources = {**library, **files}
    sources |= {f"+{use.name}/{file}": text for use, more in overlays for file, text in more.items()}
    modules = applying.modules(
        [*_parsed(library, found), *_parsed(files, found)],
        {layer.name: _parsed(layer.files, found) for layer in layers},
    )
    if components is not None and layers:
        components = evolve(components, names=_names(components, applying, layers, found))
    found += applying.all_faults()
    ruleset = None
    if components is not None:
        unread = doubts(found, sources)
        program, faults_of_rules = check(modules, components)
        found += [fault for fault in faults_of_rules if not unread.about(fault)]
        if program is not None and program.start >= 0:  # where nothing begins, nothing is in use
            unsure = doubts(found, sources).words
            found += lint(program, components, modules, unsure | applying.retired)
            found += check_names(program, components, unsure)
            if not any(fault.severity is Severity.ERROR for fault in found):
                stack = Stack(name, tuple(use for use, _ in overlays))
                named = {**sources, "+": str(stack)} if overlays else sources
                ruleset = Ruleset(str(stack), content_hash(named), components, program, applying.layers())
    final = None
    if components is not None:
        pieces = {file: text for file, text in texts.items() if file.endswith(".csv")}
        final = Final(merged, pieces, components.names, tuple(modules))
    return Loaded(ruleset, tuple(found), sources, name, files, tuple(overlays), final)


def _altered(applying: Applying, texts: dict[str, str], tree: dict[str, Any], places: Merged) -> dict[str, Any]:
    texts.update(applying.files(texts, tree))
    applying.tables(tree, places)
    return tree


def _parsed(files: Mapping[str, str], found: list[Diagnostic]) -> list[Module]:
    modules = []
    for path in sorted(files):
        if path.endswith(".warlock"):
            module, faults = parse(files[path], path)
            modules.append(module)
            found += faults
    return modules


def _names(
    components: Components, applying: Applying, layers: Sequence[Overlay], found: list[Diagnostic]
) -> dict[str, dict[str, Entry]]:
    """The catalogues of the game with those of its overlays on them."""
    entries = {}
    for layer in layers:
        reading = Reading(layer.files, Sections(), Merged(), Faults())
        entries[layer.name] = read_names(reading)
        found += reading.faults.all()
    names = {language: dict(texts) for language, texts in components.names.items()}
    applying.names(names, entries)
    return names


def _overlays(
    overlays: Sequence[tuple[Use, Mapping[str, str]]], base: str, found: list[Diagnostic]
) -> list[Overlay]:
    """The overlays of a stack, read, and whether they go together."""
    layers: list[Overlay] = []
    for use, files in overlays:
        overlay, faults = read_overlay(files, use.name, use.given)
        found += faults
        if overlay is None:
            continue
        here = overlay.span
        below = {layer.name: layer for layer in layers}
        if overlay.on != base:
            text = f"the overlay '{overlay.name}' is on '{overlay.on}', not on '{base}'"
            found.append(Diagnostic("W604", text, here))
        if overlay.name in below:
            found.append(Diagnostic("W617", f"the overlay '{overlay.name}' stands twice in the stack", here))
        for needed in overlay.requires:
            if needed not in below:
                hint = f"write {base}+{needed}+{overlay.name}"
                text = f"the overlay '{overlay.name}' needs '{needed}' below it"
                found.append(Diagnostic("W605", text, here, hint=hint))
        for layer in layers:
            if layer.name in overlay.conflicts or overlay.name in layer.conflicts:
                text = f"the overlays '{layer.name}' and '{overlay.name}' do not go together"
                found.append(Diagnostic("W606", text, here, related=(Related(layer.span, "the other one"),)))
        layers.append(overlay)
    return layers
