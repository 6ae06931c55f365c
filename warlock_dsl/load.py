"""From a name to a checked ruleset: find the folders, read them, lay the overlays on, parse, check; all errors kept."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from attrs import evolve

from warlock_dsl.check.check import check
from warlock_dsl.check.lint_names import check_names
from warlock_dsl.check.lint_rules import lint
from warlock_dsl.check.suppress import doubts
from warlock_dsl.diagnostics.collect import DiagnosticList
from warlock_dsl.diagnostics.diagnostic import Diagnostic, Related, Severity, Span
from warlock_dsl.files import content_digest, std_files
from warlock_dsl.gather import Gathered, gather
from warlock_dsl.limits import MAX_RULES, MAX_TOLD
from warlock_dsl.overlay.apply import Applying
from warlock_dsl.overlay.read import Overlay, read_overlay
from warlock_dsl.ruleset import Final, Loaded, Ruleset
from warlock_dsl.stack import Stack, Use
from warlock_dsl.syntax.parse import parse
from warlock_dsl.syntax.tree import Module
from warlock_dsl.tables.citations import check_cite
from warlock_dsl.tables.components import Components, Entry
from warlock_dsl.tables.context import Reading
from warlock_dsl.tables.merge import Merged, Sections
from warlock_dsl.tables.names import read_names
from warlock_dsl.tables.read import read_tables
from warlock_dsl.tables.totals import check_totals

LOAD_CODES: Mapping[str, str] = {"W001": "there is no such ruleset"}


def load(name: str, roots: Sequence[Path] | None = None) -> Loaded:
    """The ruleset of this name (or in this folder), overlays included, with every error found."""
    return load_gathered(gather(name, roots))


def load_gathered(found: Gathered) -> Loaded:
    """The ruleset of the texts that were read, with every error found."""
    if not found.name:
        return Loaded(None, found.missing, {})
    return load_files(found.files, found.name, (*found.errors, *found.missing), found.overlays)


def load_files(
    files: Mapping[str, str],
    name: str,
    errors: Sequence[Diagnostic] = (),
    overlays: Sequence[tuple[Use, Mapping[str, str]]] = (),
) -> Loaded:
    """The ruleset these files make, the standard library beside them and the overlays on them."""
    found = list(errors)
    library = std_files()
    sources = {**library, **files}
    sources |= {f"+{use.name}/{file}": text for use, more in overlays for file, text in more.items()}
    if (too_long := _too_long(sources)) is not None:
        return Loaded(None, (*found, too_long), sources, name, files, tuple(overlays))
    layers = _overlays(overlays, name, found)
    applying = Applying(layers)
    texts, merged = dict(files), dict[str, Any]()
    components, errors_of_tables = read_tables(
        texts, name, lambda tree, places: merged.update(_altered(applying, texts, tree, places))
    )
    found += map(applying.at_home, errors_of_tables)
    modules = applying.modules(
        [*_parsed(library, found), *_parsed(files, found)],
        {layer.name: _parsed(layer.files, found) for layer in layers},
    )
    if components is not None and layers:
        components = evolve(components, names=_names(components, applying, layers, found))
    found += [*applying.all_errors(), *applying.warnings()]
    if components is not None:
        found += [*_unknown_cites(components, layers), *check_totals(components, applying.layers())]
    if not any(error.severity is Severity.ERROR for error in found):
        found += applying.idle()
    ruleset = None
    if components is not None:
        unread = doubts(found, sources)
        program, errors_of_rules = check(modules, components)
        found += [error for error in errors_of_rules if not unread.about(error)]
        if program is not None and program.start >= 0:  # where nothing begins, nothing is in use
            unsure = doubts(found, sources).words
            found += lint(program, components, modules, unsure | applying.retired)
            found += [error for error in check_names(program, components, unsure) if _own(error, layers)]
            if not any(error.severity is Severity.ERROR for error in found):
                stack = Stack(name, tuple(use for use, _ in overlays))
                named = {**sources, "+": str(stack)} if overlays else sources
                digest = content_digest(named)
                ruleset = Ruleset(str(stack), digest[:16], components, program, applying.layers(), digest)
    final = None
    if components is not None:
        pieces = {file: text for file, text in texts.items() if file.endswith(".csv")}
        final = Final(merged, pieces, components.names, tuple(modules))
    return Loaded(ruleset, _fewer(found), sources, name, files, tuple(overlays), final)


def _too_long(files: Mapping[str, str]) -> Diagnostic | None:
    """The error of rules that would take too long to read, though no single file does."""
    length = 0
    for path in sorted(files):
        length += len(files[path]) if path.endswith(".warlock") else 0
        if length > MAX_RULES:
            message = f"with this file the rules have more than {MAX_RULES:,} characters; none of them are read"
            return Diagnostic("W100", message, Span(path, 1, 1, 1, 2))
    return None


def _fewer(found: Sequence[Diagnostic]) -> tuple[Diagnostic, ...]:
    """The errors; where they are too many to be read, errors before warnings before notes."""
    if len(found) <= MAX_TOLD:
        return tuple(found)
    order = list(Severity)
    ranked = sorted(found, key=lambda error: order.index(error.severity))
    text = f"{len(found) - MAX_TOLD:,} further errors are not shown"
    last = Diagnostic("W299", text, ranked[MAX_TOLD - 1].span, severity=Severity.NOTE)
    return (*ranked[:MAX_TOLD], last)


def _altered(applying: Applying, texts: dict[str, str], tree: dict[str, Any], places: Merged) -> dict[str, Any]:
    applying.tables(tree, places, texts)
    return tree


def _parsed(files: Mapping[str, str], found: list[Diagnostic]) -> list[Module]:
    modules = []
    for path in sorted(files):
        if path.endswith(".warlock"):
            module, errors = parse(files[path], path)
            modules.append(module)
            found += errors
    return modules


def _names(
    components: Components, applying: Applying, layers: Sequence[Overlay], found: list[Diagnostic]
) -> dict[str, dict[str, Entry]]:
    """The catalogues of the game with those of its overlays on them."""
    entries = {}
    for layer in layers:
        reading = Reading(layer.files, Sections(), Merged(), DiagnosticList())
        entries[layer.name] = read_names(reading)
        found += reading.errors.all()
    names = {language: dict(texts) for language, texts in components.names.items()}
    applying.names(names, entries)
    return names


def _own(error: Diagnostic, layers: Sequence[Overlay]) -> bool:
    """Whether a text that nothing shows is an error of this stack: what lies below the top is checked without it."""
    return error.code != "W431" or not layers or error.span.file.startswith(f"+{layers[-1].name}/")


def _unknown_cites(components: Components, layers: Sequence[Overlay]) -> list[Diagnostic]:
    """Changes that name a source nobody knows; what they put into the tables is looked at there."""
    known = {*components.ledger, *components.rulings, *components.differences}
    cites = [cite for layer in layers for edit in layer.edits for cite in edit.cites] if components.ledger else []
    return [error for cite in cites for error in check_cite(cite, known)]


def _overlays(overlays: Sequence[tuple[Use, Mapping[str, str]]], base: str, found: list[Diagnostic]) -> list[Overlay]:
    """The overlays of a stack that can be laid on: read, and such as go together.

    What needs one that was refused is left off without a word: all its errors would follow from that.
    """
    layers: list[Overlay] = []
    seen: set[str] = set()
    refused: set[str] = set()
    for use, files in overlays:
        overlay, errors = read_overlay(files, use.name, use.given)
        if overlay is not None and not errors:
            errors = list(_misplaced(overlay, layers, seen, base))
        seen.add(use.name)
        found += errors
        if overlay is None or errors or refused.intersection(overlay.requires):
            refused.add(use.name)
        else:
            layers.append(overlay)
    return layers


def _misplaced(overlay: Overlay, layers: Sequence[Overlay], below: Collection[str], base: str) -> Iterator[Diagnostic]:
    """Why an overlay cannot stand on what is below it."""
    name, place = overlay.name, overlay.places.of
    if overlay.on != base:
        text = f"the overlay '{name}' is on '{overlay.on}', not on '{base}'"
        yield Diagnostic("W604", text, place(("overlay", "on")), "another game")
    if name in below:
        hint = "name it once"
        yield Diagnostic("W617", f"the overlay '{name}' stands twice in the stack", overlay.span, hint=hint)
    for needed in overlay.requires:
        if needed not in below:
            key = "builds_on" if needed in overlay.builds_on else "requires"
            text = f"the overlay '{name}' needs '{needed}' below it"
            hint = f"write {base}+{needed}+{name}"
            yield Diagnostic("W605", text, place(("overlay", key)), "needed", hint)
    for layer in layers:
        said = next((one for one, other in ((overlay, layer), (layer, overlay)) if other.name in one.conflicts), None)
        if said is not None:
            text = f"the overlays '{layer.name}' and '{name}' do not go together"
            other = Related(layer.span if said is overlay else overlay.span, "the other one")
            label = f"'{said.name}' says so"
            span = said.places.of(("overlay", "conflicts"))
            yield Diagnostic("W606", text, span, label, "take one of them", related=(other,))
