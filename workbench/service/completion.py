"""What can be typed at a place: what fits there by its type, what is behind a dot, the forms of the language.

What a place asks for is found by the checker itself: a name that nobody has is put there, the rules are checked with
it, and the checker says which type it wanted and which local names it knew.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from attrs import evolve, frozen

from warlock_dsl import (
    DECLARING,
    FORMS,
    HOLE,
    MARKS,
    NAMED_TYPES,
    OVERLAY_FILE,
    RECORDS,
    SECTIONS,
    VERBS,
    Draft,
    Form,
    Seen,
    Symbols,
    check_gathered,
    loaded_so_far,
    nodes,
    parse,
    value_types,
)
from warlock_dsl import types as t
from warlock_dsl.syntax import tree as syntax
from workbench.service import table_words
from workbench.service.project import Analysis, Project, home_of, with_texts

OTHER = "other__"
OF_OVERLAYS = ("overlay", "change", "add", "remove", "replace", "drop", "before")
TAILS = (  # ways in which a line may go on
    *("", ":", ": pass", f" to {OTHER}", f" with {OTHER}", f" from {OTHER}", f" in {OTHER}", f" in {OTHER}: pass"),
    *(f" then {OTHER} else {OTHER}", f" else {OTHER}", f" = {OTHER}"),
)
OWNING = (t.PlayerType, t.PieceType, t.RowType)  # what has something behind a dot
LISTS, ZONES = t.ListType(None), t.ZoneType()
# What the tables mean by a word behind a key.
NAMED_BY = {
    "holds": ("kind",),
    "start": ("kind",),
    "each": ("kind", "table"),
    "rows": ("table",),
    "columns": ("table",),
    "of": ("table",),
    "grid": ("grid",),
    "lasts": ("rule",),
    "type": ("table", "kind"),
}


@frozen
class Option:
    """A word that can be completed: what it is, what is written for it, and how well it fits, the best with 0."""

    word: str
    what: str
    snippet: str = ""
    rank: int = 1
    about: str = ""


def completion(project: Project, analysis: Analysis, path: Path, line: int, column: int) -> list[Option]:
    """What can stand at a place of a file."""
    lines = project.text(path).split("\n")
    before = lines[line - 1][: column - 1] if line <= len(lines) else ""
    if path.suffix == ".warlock":
        found = _in_rules(project, analysis, path, line, before)
    else:
        found = _in_tables(analysis, path, lines[: line - 1], before)
    best: dict[str, Option] = {}
    for option in found:
        known = best.get(option.word)
        if known is None or option.rank < known.rank:
            best[option.word] = option
    return sorted(best.values(), key=lambda option: (option.rank, option.word))


# ---------------------------------------------------------------- rules


def _in_rules(project: Project, analysis: Analysis, path: Path, line: int, before: str) -> Iterable[Option]:
    stem = re.sub(r"\w*$", "", before)
    symbols = analysis.index.symbols
    if not stem:
        return [*forms(DECLARING), *(Option(f"@{mark}", "mark", f'@{mark} "$0"') for mark in MARKS)]
    if re.match(r'@\w+ "[^":]*$', before):
        return [Option(one, symbol[0], rank=0) for one, symbol in symbols.ids.items()]
    if stem == "@":
        return [Option(mark, "mark", f'{mark} "$0"') for mark in MARKS]
    if re.search(r"\b(after|before|instead) $", stem):
        return [Option(rule, "rule", rank=0) for rule in sorted(symbols.rules)]
    if re.match(r"(rule|define)\b[^=]*\w+: ?\[*$", stem):
        types = [*NAMED_TYPES, *symbols.kinds, *symbols.rows, *symbols.families]
        return [Option(name, "type", rank=0) for name in dict.fromkeys(types)]
    if re.fullmatch(r"\s+(?:.*:\s+)?", stem) and not _is_open(stem):
        return [*forms(VERBS), *_calls(analysis), *(Option(word, "player", rank=2) for word in _actors())]
    hole = find_hole(project, path, line, stem)
    if hole is None:
        return [*_behind_word(analysis, stem), *_everything(analysis, None, {})]
    draft, seen = hole
    if isinstance(seen.node, syntax.Attribute):
        return list(behind_dot(draft, symbols, seen.node, _made_before(draft, seen.node)))
    gap = seen.gap
    wanted = gap.wanted if gap is not None else None
    wanted = wanted if wanted is not None else _wanted_by_word(stem)
    local = {name: bound.type for name, bound in gap.locals.items()} if gap is not None else {}
    return list(_everything(analysis, wanted, local))


def forms(words: Iterable[str]) -> Iterator[Option]:
    """The forms of the language that begin with some words, as snippets; the shortest of each word before the rest."""
    for word in words:
        own = [(form, pattern) for form in FORMS for pattern in _patterns(form) if pattern.split()[0] == word]
        for number, (form, pattern) in enumerate(own):
            name = word if number == 0 else pattern
            yield Option(name, "form", snippet(pattern), 0 if number == 0 else 2, f"{form.doc}\n\n    {form.example}")


def _patterns(form: Form) -> list[str]:
    """A form, or each of those that are described together: set V to E, add E to V."""
    parts = form.pattern.split(", ")
    return parts if all(part.split()[0] in VERBS for part in parts) else [form.pattern]


def snippet(pattern: str) -> str:
    """The pattern of a form with its letters to be filled in."""
    number = 0

    def part(found: re.Match[str]) -> str:
        nonlocal number
        if found.group() == "...":
            return "$0"
        number += 1
        return f"${{{number}:{found.group()}}}"

    return re.sub(r"\b[A-Za-z]\b|\.\.\.", part, pattern)


def _is_open(stem: str) -> bool:
    return stem.count("(") + stem.count("[") > stem.count(")") + stem.count("]")


def _calls(analysis: Analysis) -> Iterator[Option]:
    """The rules that can be called, with what they take."""
    final = analysis.loaded.final
    for module in final.modules if final is not None else ():
        for rule in module.declarations:
            if isinstance(rule, syntax.Rule) and rule.hook is None:
                key = f"[{rule.key.text}]" if rule.key is not None else ""
                names = [f"${{{number}:{one.name.text}}}" for number, one in enumerate(rule.parameters, start=1)]
                told = ", ".join(f"{one.name.text}: {one.type.text}" for one in rule.parameters)
                text = f"{rule.name.text}{key}({', '.join(names)})"
                yield Option(rule.name.text + key, f"rule ({told})", text)


def _actors() -> list[str]:
    """The words for who acts."""
    return [name for name, type_ in value_types().items() if type_ == t.PLAYER]


def _wanted_by_word(stem: str) -> t.Type | None:
    """What the word before asks for, where the checker has no type for it: a list, or a place."""
    if re.search(r"\bin $", stem):
        return LISTS
    if re.search(r"\bshuffle $", stem) or re.search(r"^\s*move\b.*\bto $", stem):
        return ZONES
    return None


def _fits(found: t.Type, wanted: t.Type | None) -> int:
    """How well a type fits what is wanted: 0 as it is, 1 perhaps with something behind it, 3 not."""
    if wanted is None or isinstance(wanted, t.UnknownType):
        return 1
    if wanted is LISTS:
        return 0 if isinstance(found, t.ListType | t.ZoneType) else 1 if isinstance(found, OWNING) else 3
    if t.fits(found, wanted) or (isinstance(found, t.ZoneType) and t.fits(t.pieces_of(found), wanted)):
        return 0
    if isinstance(wanted, t.TruthType):
        return 1  # anything may be compared
    return 1 if isinstance(found, OWNING) else 3


def _everything(analysis: Analysis, wanted: t.Type | None, local: Mapping[str, t.Type]) -> Iterator[Option]:
    """Every name that may stand alone and fits, or has something behind a dot that may."""
    for option, type_ in _typed(analysis, local):
        rank = _fits(type_, wanted)
        plain = isinstance(type_, t.RowType) and not _has_columns(analysis, type_)
        if plain and rank == 1 and wanted is not None and not isinstance(wanted, t.TruthType):
            continue
        if rank < 3:
            yield evolve(option, rank=rank)
    symbols = analysis.index.symbols
    yield from (Option(group, "group of figures") for group in sorted({group for group, _ in symbols.figures}))
    for record in RECORDS.values():
        if record.kind in ("attribute", "value"):
            continue
        result = NAMED_TYPES.get(record.signature.rpartition("-> ")[2])
        rank = 1 if result is None or wanted is None else 0 if _fits(result, wanted) == 0 else 2
        yield Option(record.name, record.signature, f"{record.name}($0)", rank, record.doc)
    for word in ("true", "false", "not", "can", "would", "if"):
        yield Option(word, "word of the language", rank=0 if isinstance(wanted, t.TruthType) and word != "if" else 2)


def _has_columns(analysis: Analysis, row: t.RowType) -> bool:
    return bool(analysis.index.symbols.columns.get(row.table))


def _typed(analysis: Analysis, local: Mapping[str, t.Type]) -> Iterator[tuple[Option, t.Type]]:
    """Every name that may stand alone, with its type."""
    yield from ((Option(name, f"name: {type_}"), type_) for name, type_ in local.items() if name not in (HOLE, OTHER))
    yield from ((Option(name, str(type_)), type_) for name, type_ in value_types().items())
    draft = analysis.loaded.draft
    if draft is None:
        return
    parts = draft.components
    for zone in parts.zones.values():
        if not zone.owner and not zone.by:
            yield Option(zone.name, f"zone of {', '.join(zone.kinds)}"), t.ZoneType(zone.kinds, bool(zone.grid))
    for (owner, name), variable in parts.variables.items():
        if not owner:
            yield Option(name, f"variable: {variable.type}"), variable.type
    for table in parts.tables.values():
        yield Option(table.name, "table"), t.ListType(t.RowType(table.name))
        yield from ((Option(row, f"row of {table.name}"), t.RowType(table.name)) for row in table.rows)
    for define in draft.program.defines:
        if "__" not in define.address:
            text = f"{define.address}($0)" if define.parameters else ""
            yield Option(define.address, f"definition: {define.type}", text), define.type
    yield from ((Option(name, "series"), t.NUMBER) for name in parts.series)
    yield from ((Option(one.name, f"matrix of {one.of}"), t.RowType(one.of)) for one in parts.matrices.values())
    yield from ((Option(one.name, "die"), t.ListType(t.RowType(one.of))) for one in parts.dice.values())
    yield from ((Option(name, "region"), t.REGION) for grid in parts.grids.values() for name in grid.regions)


# ---------------------------------------------------------------- the hole


def find_hole(project: Project, path: Path, line: int, stem: str) -> tuple[Draft, Seen] | None:
    """The rules checked with a name that nobody has at a place, and what the checker made of it; the rest of the line
    is completed in some way that can be read."""
    folders = project.folders(home_of(path))
    name = folders.name_of(path)
    lines = project.text(path).split("\n")
    rest = lines[line - 1][len(stem) :] if line <= len(lines) else ""
    rest = re.sub(r"^\w*", "", rest)
    closing = "".join(reversed([{"(": ")", "[": "]"}[sign] for sign in _open_signs(stem)]))
    for tail in dict.fromkeys((rest, *(closing + tail for tail in TAILS))):
        changed = "\n".join([*lines[: line - 1], stem + HOLE + tail, *lines[line:]])
        module, _ = parse(changed, name)
        if any(_is_hole(node) for one in module.declarations if _around(one, line) for node in nodes(one)):
            texts = {**project.texts(folders), name: changed}
            read, _ = project.mended(texts, {one: Path(one) for one in texts}, False)
            draft = loaded_so_far(check_gathered(with_texts(folders.found, read))).draft
            for seen in draft.seen if draft is not None else ():
                if _is_hole(seen.node) and draft is not None:
                    return draft, seen
            return None
    return None


def _around(one: syntax.Declaration, line: int) -> bool:
    return one.span.line <= line <= one.span.end_line


def _is_hole(node: object) -> bool:
    return (isinstance(node, syntax.Name) and node.text == HOLE) or (
        isinstance(node, syntax.Attribute) and node.name == HOLE
    )


def _open_signs(stem: str) -> list[str]:
    found: list[str] = []
    for sign in re.sub(r'"[^"]*"', "", stem):
        if sign in "([":
            found.append(sign)
        elif sign in ")]" and found:
            found.pop()
    return found


# ---------------------------------------------------------------- behind a dot


def _made_before(draft: Draft, node: syntax.Attribute) -> t.Type | None:
    """The type of what is before a dot."""
    if isinstance(node.of, syntax.Name) and node.of.text in _actors():
        return t.PLAYER
    return next((seen.made.type for seen in draft.seen if seen.node is node.of and seen.made is not None), None)


def behind_dot(draft: Draft, symbols: Symbols, node: syntax.Attribute, type_: t.Type | None) -> Iterator[Option]:
    """What can stand behind a dot: what a value of the type has, the figures of a group, the rows of a table."""
    parts = draft.components
    word = node.of.text if isinstance(node.of, syntax.Name) and type_ is None else ""
    if word or type_ is None:
        yield from _of_word(symbols, word)
    owners = {"player": True} if isinstance(type_, t.PlayerType) else {}
    if isinstance(type_, t.PieceType):
        kinds = [parts.kinds[kind] for kind in type_.kinds]
        owners = dict.fromkeys(type_.kinds, True)
        shared = set.intersection(*({*kind.fields} for kind in kinds)) if kinds else set()
        yield from (Option(name, f"field: {kinds[0].fields[name].type}", rank=0) for name in sorted(shared))
        if kinds and all(kind.table for kind in kinds):
            yield Option("face", "the row it is made from", rank=0)
        given = [one for one in RECORDS.values() if one.kind == "attribute"]
        yield from (Option(one.name, one.signature, "", 1, one.doc) for one in given)
    if isinstance(type_, t.RowType):
        table = parts.tables[type_.table]
        yield from (Option(name, f"column: {column.type}", rank=0) for name, column in table.columns.items())
    for zone in parts.zones.values():
        if zone.owner in owners or (isinstance(type_, t.RowType) and zone.by == type_.table and not zone.owner):
            yield Option(zone.name, f"zone of {', '.join(zone.kinds)}", rank=0)
    for (owner, name), variable in parts.variables.items():
        if owner in owners:
            yield Option(name, f"variable: {variable.type}", rank=0)


def _of_word(symbols: Symbols, word: str) -> Iterator[Option]:
    yield from (Option(name, "figure", rank=0) for group, name in sorted(symbols.figures) if group == word)
    yield from (Option(row, f"row of {word}", rank=0) for row in symbols.rows.get(word, ()))
    yield from (Option(key, f"member of {word}", rank=0) for key in sorted(symbols.members.get(word, ())))


def _behind_word(analysis: Analysis, stem: str) -> Iterator[Option]:
    """What is behind a dot where the line cannot be read."""
    dotted = re.search(r"(\w+)\.$", stem)
    draft = analysis.loaded.draft
    if dotted and draft is not None:
        yield from _of_word(analysis.index.symbols, dotted[1])
        if dotted[1] in _actors():
            span = draft.program.rules[0].span
            node = syntax.Attribute(syntax.Name(dotted[1], span), HOLE, span, span)
            yield from behind_dot(draft, analysis.index.symbols, node, t.PLAYER)


# ---------------------------------------------------------------- tables


def _in_tables(analysis: Analysis, path: Path, above: list[str], before: str) -> Iterator[Option]:
    symbols = analysis.index.symbols
    if re.search(rf"\b(?:{'|'.join(MARKS)}|ruling|differences|rules)\b\s*=\s*\[?[^\]]*\"[^\":]*$", before):
        yield from (Option(one, symbol[0], rank=0) for one, symbol in symbols.ids.items())
        return
    key = re.search(r"(\w+)\"?\s*=\s*\[?(?:\"\w*\",\s*)*\"\w*$", before)
    if path.name == OVERLAY_FILE and re.search(r"\b(?:at|before)\s*=\s*\"[\w.]*$", before):
        yield from addresses(symbols)
    elif key and key[1] in NAMED_BY:
        for name, found in sorted(symbols.by_name.items()):
            what = next((one[0] for one in found if one[0] in NAMED_BY[key[1]]), "")
            if what:
                yield Option(name, what, rank=0)
    elif before.count('"') % 2:
        yield from (Option(name, found[0][0]) for name, found in sorted(symbols.by_name.items()))
    elif re.fullmatch(r"\[\[?\w*", before):
        sections = OF_OVERLAYS if path.name == OVERLAY_FILE else SECTIONS
        yield from (Option(one, "section", rank=0, about=table_words.SECTIONS[one]) for one in sections)
    else:
        yield from _keys(above, before)


def addresses(symbols: Symbols) -> Iterator[Option]:
    """What an overlay can change, as it says it."""
    yield from (Option(f"{group}.{name}", "figure", rank=0) for group, name in sorted(symbols.figures))
    yield from (Option(f"{table}.{row}", "row", rank=0) for table, rows in symbols.rows.items() for row in rows)
    yield from (Option(f"zone.{one[-1]}", "zone", rank=0) for one in symbols.zones.values())


def _keys(above: list[str], before: str) -> Iterator[Option]:
    """The keys that what is declared under a heading can have."""
    section = table_words.section_at([*above, before], len(above) + 1)
    yield from (Option(key, "key", rank=0, about=said) for key, said in table_words.keys_of(section).items())
