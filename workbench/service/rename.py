"""Renaming: the edits in every file that names something, proven by a load of what they make, or a refusal."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path

from attrs import frozen

from warlock_dsl import Gathered, Loaded, Severity, Span, Symbol, TextEdit, is_name, load_gathered, nodes
from warlock_dsl.syntax import tree as syntax
from workbench.service.project import Analysis, Project, with_texts
from workbench.service.rename_scenarios import in_scenarios

ASKED = r"(?:ask|choose|decline|roll|say|answer)\.(?P<rule>[\w.]+)\.(?P<name>\w+)"
TEXT_KEY = re.compile(rf'^"(?:{ASKED}|rule\.(?P<title>[\w.]+)|(?P<piece>(?:piece|card|now)\.\w+))"')
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
    edits: dict[Path, dict[Span, TextEdit]] = {}
    for analysis in [here, *project.on_top(path, symbol[-1])] if symbol[0] != "local" else [here]:
        found = edits_of(analysis, symbol, new)
        after = renamed(analysis, found)
        error = unproven(analysis.loaded, after)
        if error:
            return Refusal(error)
        for one in found:
            edits.setdefault(analysis.paths[one.span.file], {})[one.span] = one
        scenarios = in_scenarios(project, analysis, after, symbol, new)
        if isinstance(scenarios, str):
            return Refusal(scenarios)
        for where, more in scenarios.items():
            edits.setdefault(where, {}).update({one.span: one for one in more})
    return {where: sorted(group.values(), key=lambda one: one.span) for where, group in edits.items()}


def edits_of(analysis: Analysis, symbol: Symbol, new: str) -> list[TextEdit]:
    """The edits in the files of one stack."""
    places = [place for place in analysis.index.of(symbol) if place.span.file in analysis.paths]
    found = {place.span: TextEdit(place.span, new) for place in places}
    found |= {span: TextEdit(span, new) for span in _in_texts(analysis, symbol)}
    return list(found.values())


def _in_texts(analysis: Analysis, symbol: Symbol) -> Iterator[Span]:
    """Where the texts of catalogues speak of a name: in a key behind the rule that binds it, and in braces."""
    word = symbol[-1]
    rule = _rule_around(analysis, symbol) if symbol[0] == "local" else ""
    if not rule and symbol[0] not in ("field", "column", "variable"):
        return
    for file, text in analysis.loaded.sources.items():
        if file.split("/")[-2:-1] != ["names"]:
            continue
        for number, line in enumerate(text.split("\n"), start=1):
            key = TEXT_KEY.match(line)
            if key is None or (rule not in (key["rule"], key["title"]) if rule else not key["piece"]):
                continue
            if rule and key["name"] == word:
                yield Span(file, number, key.start("name") + 1, number, key.end("name") + 1)
            for brace in re.finditer(rf"(?<=\{{){re.escape(word)}(?=\}})", line):
                yield Span(file, number, brace.start() + 1, number, brace.end() + 1)


def _rule_around(analysis: Analysis, symbol: Symbol) -> str:
    """The address of the rule in which a local name is bound."""
    assert analysis.loaded.final is not None
    for module in analysis.loaded.final.modules:
        for one in module.declarations:
            span = one.span
            if isinstance(one, syntax.Rule) and span.file == symbol[1] and span.line <= int(symbol[2]) <= span.end_line:
                return one.name.text if one.key is None else f"{one.name.text}.{one.key.text}"
    return ""


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
