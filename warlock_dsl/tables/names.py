"""What things are called and how they look: the names files, one a language, and the section `look`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from attrs import evolve

from warlock_dsl.diagnostics.collect import DiagnosticList, quoted
from warlock_dsl.diagnostics.diagnostic import Related, Span, suggest
from warlock_dsl.sight import seen_by_nobody
from warlock_dsl.tables.components import OFF_BOARD, Entry, Kind, Variable, Zone
from warlock_dsl.tables.context import Reading
from warlock_dsl.tables.merge import Item, is_catalogue, too_large
from warlock_dsl.tables.schema import MisfitError, RawLook
from warlock_dsl.tables.toml_spans import Path, read_toml
from warlock_dsl.types import RowType, Type

_LANGUAGE = re.compile(r"[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})?\Z")
_HOLE = re.compile(r"\{[^{}\s][^{}]*\}")
_COLOUR = re.compile(r"[a-z0-9_#(),]+(?: [a-z0-9_#(),]+)*\Z")
MAX_SHORT = 8  # characters of a short name, which is shown in the cell of a drawn grid


def read_names(files: Mapping[str, str], errors: DiagnosticList) -> dict[str, dict[str, Entry]]:
    """The catalogues among these files, by language and key."""
    names: dict[str, dict[str, Entry]] = {}
    for file in sorted(files):
        if not is_catalogue(file):
            continue
        language = file.rpartition("/")[2].removesuffix(".toml")
        if not _LANGUAGE.match(language):
            text = f"{quoted(language)} is not the code of a language"
            errors.add("W234", text, Span(file, 1, 1, 1, 1), hint="en, fr, de and the like")
            continue
        _read_catalogue(file, files[file], errors, names.setdefault(language, {}))
    return names


def _read_catalogue(file: str, content: str, errors: DiagnosticList, into: dict[str, Entry]) -> None:
    if too_large(file, content, errors):
        return
    document, places, found = read_toml(content, file)
    errors.extend(evolve(error, code="W234") for error in found)
    for path, text in _texts(document or {}, ()):
        key, span = ".".join(str(part) for part in path), places.of(path)
        if not isinstance(text, str):
            errors.add("W234", str(MisfitError("a text", text)), span)
        elif key in into:
            other = Related(into[key].span, "first given here")
            errors.add("W212", f"{quoted(key)} is given twice", places.key(path), related=(other,))
        else:
            rest = _HOLE.sub("", text)
            if "{" in rest or "}" in rest:
                hint = "a name to fill in is alone in its braces: {card}"
                errors.add("W234", "the braces of this text do not match", span, hint=hint)
            into[key] = Entry(text, span, places.key(path))


def _texts(tree: dict[str, Any], path: Path) -> Iterator[tuple[Path, Any]]:
    """Every text of a document: the key of one inside a table is its path."""
    for key, value in tree.items():
        if isinstance(value, dict):
            yield from _texts(value, (*path, key))
        else:
            yield (*path, key), value


# ---------------------------------------------------------------- looks


def read_looks(
    reading: Reading,
    kinds: Mapping[str, Kind],
    variables: Mapping[tuple[str, str], Variable],
    zones: Mapping[str, Zone],
) -> dict[str, dict[str, str]]:
    """How rows and kinds are drawn, and which zones are not: what was given, by address."""
    looks = {}
    for address, item in reading.sections.looks.items():
        group, _, name = address.partition(".")
        if group == "zone" and name in zones and "zone" not in reading.rows:
            _check_off_board(reading, item)
            looks[address] = {OFF_BOARD: "true"}
            continue
        kind = kinds.get(name) if group == "kind" else None
        if kind is None and name not in reading.rows.get(group, ()):
            _unknown_address(reading, item, group, name, kinds)
        else:
            _check_look(reading, item, kind, variables)
        given = {key: getattr(item.raw, key) for key in ("colour", "short", "by")}
        looks[address] = {key: value for key, value in given.items() if value}
    return looks


def _check_off_board(reading: Reading, item: Item[RawLook]) -> None:
    raw = item.raw
    if raw.colour or raw.short or raw.by or not raw.off_board:
        hint = f"a zone is drawn as it is; {OFF_BOARD} = true keeps it off the board"
        reading.errors.add("W236", "a zone has no colour and no short name", reading.places.of(item.path), hint=hint)


def _unknown_address(reading: Reading, item: Item[RawLook], group: str, name: str, kinds: Mapping[str, Kind]) -> None:
    broken = reading.sections.broken
    if ("table", group) in broken or (group == "kind" and ("kind", name) in broken):
        return

    def hint() -> str:
        known = [f"kind.{kind}" for kind in kinds]
        known += [f"{table}.{row}" for table, rows in reading.rows.items() for row in rows]
        return suggest(item.name, known, "addresses")

    text = f"neither a row nor a kind has the address {quoted(item.name)}"
    reading.errors.add("W235", text, reading.places.key(item.path), hint=hint)


def fits_a_cell(text: str) -> bool:
    return bool(text.strip()) and len(text) <= MAX_SHORT and text.isprintable()


def _check_look(
    reading: Reading, item: Item[RawLook], kind: Kind | None, variables: Mapping[tuple[str, str], Variable]
) -> None:
    raw, path, places = item.raw, item.path, reading.places
    if raw.off_board:
        text = f"only a zone is kept off the board, and {quoted(item.name)} is none"
        reading.errors.add("W236", text, places.of((*path, OFF_BOARD)))
        return
    if not (raw.colour or raw.short or raw.by):
        hint = "give a colour, a short name or 'by'"
        reading.errors.add("W236", "this look says nothing", places.of(path), hint=hint)
    if raw.colour and not _COLOUR.match(raw.colour):
        reading.errors.add("W236", f"{quoted(raw.colour)} is not a colour", places.of((*path, "colour")))
    if raw.short and not fits_a_cell(raw.short):
        text = f"a short name has 1 to {MAX_SHORT} characters one can see"
        reading.errors.add("W236", text, places.of((*path, "short")))
    if not raw.by:
        return
    at = (*path, "by")
    if kind is None:
        reading.errors.add("W236", "only a kind of piece looks like one of its fields", places.of(at))
        return
    types: dict[str, Type] = {name: field.type for name, field in kind.fields.items()}
    types |= {name: variable.type for (owner, name), variable in variables.items() if owner == kind.name}
    if kind.table:
        types["face"] = RowType(kind.table)
    if raw.by not in types:
        reading.unknown("W220", "field", raw.by, at, types, "fields")
    elif raw.by not in kind.fields and raw.by != "face" and seen_by_nobody(variables[kind.name, raw.by]):
        text = f"nobody sees {quoted(raw.by)}, so nothing looks like it"
        reading.errors.add("W236", text, places.of(at), hint='let somebody see the variable: sees = "owner"')
    elif not isinstance(types[raw.by], RowType):
        reading.errors.add("W236", f"{quoted(raw.by)} is no row of a table, so it has no look", places.of(at))
