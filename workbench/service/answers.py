"""What an editor asks of a checked project: definitions, references, symbols, colours."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from attrs import frozen

from warlock_dsl import Place, Span, Symbol, parse
from warlock_dsl.syntax import tree as syntax
from workbench.service.project import Analysis, Project


@frozen
class Outline:
    """A declaration of a file."""

    name: str
    what: str
    span: Span
    name_span: Span


def place_at(analysis: Analysis, path: Path, line: int, column: int) -> Place | None:
    return analysis.index.at(analysis.name_of(path), line, column)


def definitions(analysis: Analysis, path: Path, line: int, column: int) -> list[Span]:
    place = place_at(analysis, path, line, column)
    return [] if place is None else [one.span for one in analysis.index.definitions(place.symbol)]


def references(analysis: Analysis, path: Path, line: int, column: int) -> list[Place]:
    place = place_at(analysis, path, line, column)
    return [] if place is None else list(analysis.index.of(place.symbol))


def outline(project: Project, path: Path, analysis: Analysis) -> list[Outline]:
    """The declarations of a file, also of one with errors."""
    if path.suffix == ".warlock":
        module, _ = parse(project.text(path), path.name)
        made = []
        for one in module.declarations:
            key = f"[{one.key.text}]" if isinstance(one, syntax.Rule) and one.key is not None else ""
            made.append(Outline(one.name.text + key, type(one).__name__.lower(), one.span, one.name.span))
        return made
    places = analysis.index.files.get(analysis.name_of(path), ())
    return [Outline(".".join(one.symbol[1:]), one.symbol[0], one.span, one.span) for one in places if one.defines]


def everything(analysis: Analysis, query: str) -> Iterator[tuple[Symbol, Span]]:
    """Every declared symbol with a part of a word in its name, local names aside."""
    for symbol, places in analysis.index.places.items():
        if symbol[0] != "local" and query.lower() in symbol[-1].lower():
            yield from ((symbol, place.span) for place in places if place.defines)


def declaration_of(analysis: Analysis, name: Span) -> syntax.Declaration | None:
    """The declaration of the rules whose name, or key, is at a place."""
    final = analysis.loaded.final
    for module in final.modules if final is not None else ():
        if module.file == name.file:
            for one in module.declarations:
                key = one.key.span if isinstance(one, syntax.Rule) and one.key is not None else None
                if name in (one.name.span, key):
                    return one
    return None
