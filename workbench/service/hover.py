"""What is known of the name at a place: type, value in force, the printed sentence, who put it there, who uses it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path

from warlock_dsl import FORMS, KEYWORDS, RECORDS, Loaded, Ruleset, Span, Symbol
from workbench.inspect.addresses import Entry, every_entry
from workbench.inspect.provenance import at_address, hanging, told, touches
from workbench.inspect.statements import said_where, statements
from workbench.service.answers import declaration_of
from workbench.service.project import Analysis, Project
from workbench.service.table_words import MARKS, about_word
from workbench.service.usage import Case, Usage

UNTRACED = ("local", "group", "ledger", "ruling", "difference", "grid", "kind", "table")  # of no line that is run
SORTS = {"define": "definition", "group": "group of figures", "ledger": "rule of the ledger", "local": "name"}


def hover(
    project: Project, analysis: Analysis, path: Path, line: int, column: int, usage: Usage | None = None
) -> tuple[str, Span | None]:
    """What is known of the name at a place, as Markdown, and where the name is."""
    place = analysis.index.at(analysis.name_of(path), line, column)
    if place is None:
        if path.suffix == ".toml":
            said, ends = about_word(project.text(path).split("\n"), line, column)
            return said, Span(analysis.name_of(path), line, ends[0], line, ends[1]) if ends is not None else None
        return _word_of_the_language(project.text(path), line, column, path), None
    symbol, index = place.symbol, analysis.index
    type_ = index.types.get(place.span)
    head = f"**{SORTS.get(symbol[0], symbol[0])}** `{'.'.join(symbol[-1:] if symbol[0] == 'local' else symbol[1:])}`"
    lines = [head + (f": {type_}" if type_ is not None else "")]
    view = as_ruleset(analysis.loaded)
    for entry in entries_of(analysis, symbol) if view is not None else ():
        assert view is not None
        lines += [f"{name}: {value}" for name, value in entry.facts]
        lines += list(_sources(view, entry))
        lines += _in_blocks(told(entry, touches(entry, analysis.loaded, view)))
        lines += [one.line() for one in hanging(entry, view)]
    lines += _texts(view, symbol) if view is not None else []
    uses = [one for one in index.of(symbol) if not one.defines]
    files = {one.span.file for one in uses}
    where = f" in {len(files)} files" if len(files) > 1 else ""
    lines.append(f"used {len(uses)} times{where}" if len(uses) != 1 else "used once")
    if usage is not None and usage.cases and symbol[0] not in UNTRACED:
        lines.append(f"used in {len(cases_of(analysis, symbol, usage))} of {len(usage.cases)} scenarios")
    return "\n\n".join(lines), place.span


def _in_blocks(lines: Iterable[str]) -> list[str]:
    """Lines of which those that are indented are a piece of the rules as it was."""
    made = []
    for indented, group in groupby(lines, key=lambda line: line.startswith("    ")):
        if indented:
            text = "\n".join(line[4:] for line in group)
            made.append(f"```warlock\n{text}\n```")
        else:
            made += group
    return made


def as_ruleset(loaded: Loaded) -> Ruleset | None:
    """The ruleset, or what there is of it after errors: to be looked at."""
    if loaded.ruleset is not None or loaded.draft is None:
        return loaded.ruleset
    return Ruleset(loaded.name, "", loaded.draft.components, loaded.draft.program, loaded.draft.layers)


def cases_of(analysis: Analysis, symbol: Symbol, usage: Usage) -> list[Case]:
    """The scenarios that make use of what is declared under a name, or speak of it."""
    spans = []
    for place in analysis.index.definitions(symbol):
        declaration = declaration_of(analysis, place.span)
        spans.append(declaration.span if declaration is not None else place.span)
    found = dict.fromkeys(usage.of(spans))
    if symbol[0] in ("zone", "variable"):
        word = re.compile(rf"(?<![\w-]){re.escape(symbol[-1])}(?![\w-])")
        found |= dict.fromkeys(case for case in usage.cases if word.search(_text_of(case, usage)))
    return list(found)


def _text_of(case: Case, usage: Usage) -> str:
    lines = usage.texts[case.file].split("\n")[case.line - 1 :]
    ends = (number for number, line in enumerate(lines) if number and line.startswith("[[scenario]]"))
    return "\n".join(lines[: next(ends, len(lines))])


def address_of(symbol: Symbol) -> str:
    """The address that `warlock show` takes."""
    if symbol[0] in ("row", "figure", "column", "field", "member"):
        return f"{symbol[1]}.{symbol[2]}"
    if symbol[0] in ("define", "rule", "ledger", "ruling", "difference", "series", "matrix", "die", "table"):
        return symbol[-1]
    return f"{symbol[0]}.{symbol[-1]}"


def entries_of(analysis: Analysis, symbol: Symbol) -> list[Entry]:
    """What `warlock show` would print of it."""
    loaded, view = analysis.loaded, as_ruleset(analysis.loaded)
    if view is None or symbol[0] in ("local", "group"):
        return []
    modules = loaded.final.modules if loaded.final is not None else None
    wanted = address_of(symbol)
    every = every_entry(view, loaded.sources, modules)
    found = [entry for entry in every if entry.address == wanted]
    return (found or at_address(wanted, every, loaded, view))[:1]


def _sources(view: Ruleset, entry: Entry) -> Iterator[str]:
    """The sentences that a declaration rests on, with their sections and standing."""
    parts = view.components
    for cite in entry.cites:
        for id in cite.ids:
            row, ruling, other = parts.ledger.get(id), parts.rulings.get(id), parts.differences.get(id)
            if row is not None:
                where = said_where(statements(row, parts.differences))
                yield f"*{cite.standing}* `{id}`: {row.says} ({where})"
            elif ruling is not None:
                yield f"*{cite.standing}* `{id}`: {ruling.question} Taken: {ruling.takes}; {ruling.because}"
            elif other is not None:
                yield f"*{cite.standing}* `{id}`: {other.title}"


def _texts(view: Ruleset, symbol: Symbol) -> list[str]:
    """What it is called in each language."""
    keys = (address_of(symbol), f"{symbol[0]}.{symbol[-1]}", f"piece.{symbol[-1]}")
    said = {}
    for language, texts in view.components.names.items():
        found = next((texts[key].text for key in keys if key in texts), "")
        if found and symbol[0] not in ("local", "ledger", "ruling", "difference"):
            said[language] = found
    return ["; ".join(f"{language}: {text}" for language, text in said.items())] if said else []


def _word_of_the_language(text: str, line: int, column: int, path: Path) -> str:
    lines = text.split("\n")
    if line > len(lines) or path.suffix != ".warlock":
        return ""
    for match in re.finditer(r"\w+", lines[line - 1]):
        if match.start() < column <= match.end() + 1:
            record = RECORDS.get(match.group())
            if record is not None:
                return f"`{record.signature}`\n\n{record.doc}\n\n```\n{record.example}\n```"
            if match.group() in MARKS and lines[line - 1][: match.start()] == "@":
                return f"`@{match.group()}`\n\n{MARKS[match.group()]}"
            if match.group() in KEYWORDS:
                own = [form for form in FORMS if match.group() in form.pattern.split()]
                return "\n\n".join(f"`{form.pattern}`\n\n{form.doc}\n\n```\n{form.example}\n```" for form in own[:2])
    return ""
