"""Renaming: the edits in every file that names something, proven by a load of what they make, or a refusal."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path

from attrs import define, field, frozen

from warlock_dsl import (
    REMOVED,
    Gathered,
    Loaded,
    Severity,
    Span,
    Suggestion,
    Symbol,
    TextEdit,
    is_name,
    load_gathered,
    nodes,
)
from workbench.service.project import Analysis, Project, with_texts
from workbench.service.rename_scenarios import in_scenarios

NOT_THE_SAME = "W614"  # an overlay replaces another declaration than it expects
PLAIN = (int, bool, Fraction)
START = "play"  # the rule that a game begins with


@frozen
class Refusal:
    """Why something is not renamed."""

    why: str


def rename(project: Project, path: Path, line: int, column: int, new: str) -> dict[Path, list[TextEdit]] | Refusal:
    """The edits by file that give the name at a place another one, in the game, its overlays and its scenarios."""
    here = project.check(path)
    place = here.index.at(here.name_of(path), line, column)
    if place is None:
        return Refusal("there is no name here that can be renamed")
    symbol = place.symbol
    written = re.fullmatch(r"[A-Za-z][\w.-]*", new) if symbol[0] == "ledger" else re.fullmatch(r"[A-Za-z][\w-]*", new)
    if not (is_name(new) if symbol[0] not in ("ledger", "ruling", "difference") else written):
        return Refusal(f"'{new}' cannot be a name")
    if any(one.span.file.startswith("std/") for one in here.index.definitions(symbol)):
        return Refusal(f"'{symbol[-1]}' belongs to the standard library")
    if here.loaded.ruleset is None:
        return Refusal("the rules have errors: what a name means is in doubt until they are mended")
    if symbol == ("rule", START):
        return Refusal(f"'{START}' is where a game begins: it has to be called so")
    edits = Edits()
    edits.take(here, edits_of(here, symbol, new))
    stacks = [here]
    for other in project.on_top(path, touched(here, edits) | ({symbol[-1]} if symbol[0] != "local" else set())):
        if not edits.take(other, edits_of(other, symbol, new) if symbol[0] != "local" else []):
            return Refusal(f"'{symbol[-1]}' cannot be told apart from another name in the stack {other.loaded.name}")
        stacks.append(other)
    for analysis in stacks:
        after = renamed(analysis, edits.of(analysis))
        digests = new_digests(analysis, after)
        if digests:
            edits.take(analysis, digests)
            after = renamed(analysis, edits.of(analysis))
        error = unproven(analysis.loaded, after)
        if error:
            return Refusal(error if analysis is here else f"with +{analysis.loaded.stack[-1][0].name}, {error}")
        scenarios = in_scenarios(project, analysis, after, symbol, new)
        if isinstance(scenarios, str):
            return Refusal(scenarios)
        for where, more in scenarios.items():
            edits.put(where, more)
    return edits.sorted()


@define
class Edits:
    """The edits of every file, each place once."""

    by_path: dict[Path, dict[tuple[int, int], TextEdit]] = field(factory=dict)

    def put(self, path: Path, edits: Iterable[TextEdit]) -> bool:
        """Adds some; False where two stacks want something else at one place."""
        own = self.by_path.setdefault(path, {})
        for one in edits:
            place = one.span.line, one.span.column
            if own.setdefault(place, one) != one:
                return False
        return True

    def take(self, analysis: Analysis, edits: Iterable[TextEdit]) -> bool:
        """Adds those that a stack wants in its files."""
        return all(self.put(analysis.paths[one.span.file], [one]) for one in edits)

    def of(self, analysis: Analysis) -> list[TextEdit]:
        """All those in the files of a stack."""
        return [one for path in analysis.paths.values() for one in self.by_path.get(path, {}).values()]

    def sorted(self) -> dict[Path, list[TextEdit]]:
        return {path: sorted(own.values(), key=lambda one: one.span) for path, own in self.by_path.items() if own}


def edits_of(analysis: Analysis, symbol: Symbol, new: str) -> list[TextEdit]:
    """The edits in the files of one stack; what an overlay takes away is known by its name alone."""
    index = analysis.index
    places = [*index.of(symbol), *(index.of((REMOVED, symbol[-1])) if symbol[0] != "local" else ())]
    return [TextEdit(span, new) for span in {one.span: None for one in places if one.span.file in analysis.paths}]


def touched(analysis: Analysis, edits: Edits) -> set[str]:
    """The names of the declarations that will read otherwise: an overlay that replaces one knows it by its digest."""
    final = analysis.loaded.final
    lines = {(one.span.file, one.span.line) for own in edits.by_path.values() for one in own.values()}
    return {
        one.name.text
        for module in (final.modules if final is not None else ())
        for one in module.declarations
        if any((module.file, line) in lines for line in range(one.span.line, one.span.end_line + 1))
    }


def new_digests(analysis: Analysis, after: Loaded) -> list[TextEdit]:
    """The digests by which overlays know what they replace, where that reads otherwise now."""
    found = []
    for error in after.diagnostics:
        hint = error.hint
        if error.code == NOT_THE_SAME and isinstance(hint, Suggestion) and error.span.file in analysis.paths:
            line = analysis.loaded.sources[error.span.file].split("\n")[error.span.line - 1]
            at = line.rfind(hint.word)
            if at >= 0 and hint.meant:
                place = Span(error.span.file, error.span.line, at + 1, error.span.line, at + 1 + len(hint.word))
                found.append(TextEdit(place, hint.meant[0]))
    return found


# ---------------------------------------------------------------- proof


def renamed(analysis: Analysis, edits: Sequence[TextEdit]) -> Loaded:
    """The stack after the edits."""
    loaded = analysis.loaded
    found = Gathered(loaded.name, loaded.base, loaded.stack, ())
    return load_gathered(with_texts(found, applied(loaded.sources, edits)))


def unproven(loaded: Loaded, after: Loaded) -> str:
    """Why the edits are not taken: the rules they make mean something else; "" if they mean the same."""
    if after.ruleset is None:
        errors = [one.message for one in after.diagnostics if one.severity is Severity.ERROR]
        return f"it would be an error: {errors[0]}" if errors else "it would be an error"
    if codes(after) != codes(loaded):
        return "some place that names it was not found"
    if meaning(after) != meaning(loaded):
        return "the rules would mean something else"
    return ""


def codes(loaded: Loaded) -> list[str]:
    return sorted(one.code for one in loaded.diagnostics)


def applied(texts: Mapping[str, str], edits: Sequence[TextEdit]) -> dict[str, str]:
    """The texts after the edits, each of which is within a line."""
    made = dict(texts)
    lines = {edit.span.file: made[edit.span.file].split("\n") for edit in edits}
    for edit in sorted(edits, key=lambda one: one.span, reverse=True):
        span, own = edit.span, lines[edit.span.file]
        line = own[span.line - 1]
        own[span.line - 1] = line[: span.column - 1] + edit.text + line[span.end_column - 1 :]
    return made | {file: "\n".join(own) for file, own in lines.items()}


def meaning(loaded: Loaded) -> list[tuple[object, ...]]:
    """The checked program and the tables without any name: the forms, numbers and truths, in order."""
    assert loaded.ruleset is not None
    program, parts = loaded.ruleset.program, loaded.ruleset.components
    tables = [(len(one.rows), *(column.values for column in one.columns.values())) for one in parts.tables.values()]
    pieces = [(len(kind.pieces), *(column.values for column in kind.fields.values())) for kind in parts.kinds.values()]
    figures = [(figure.value,) for figure in parts.figures.values()]
    zones = [(len(zone.kinds), zone.start) for zone in parts.zones.values()]
    return [*(_plain(node) for node in nodes(program)), *tables, *pieces, *figures, *zones]


def _plain(node: object) -> tuple[object, ...]:
    values = (getattr(node, name) for name in getattr(type(node), "__match_args__", ()))
    return (type(node).__name__, *(value for value in values if isinstance(value, PLAIN)))
