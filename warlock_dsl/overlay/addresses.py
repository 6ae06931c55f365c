"""Addresses of overlays: where in the tables or among the pieces something is, and what there is to name."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from typing import Any

import attrs

from warlock_dsl.syntax.keywords import MARKS
from warlock_dsl.tables.schema import SECTIONS
from warlock_dsl.tables.toml_spans import Path

LOOKED_UP = ("series", "matrix", "die")
SPEAKING = ("document", "chapter", "ledger", "ruling", "difference")  # what is said about a game, not what it is
LOOKS = ("colour", "short", "by")


def resolve(tree: Mapping[str, Any], address: str) -> Path:
    """Where in the merged tables an address points, whether or not there is anything; () for no address."""
    head, _, rest = address.partition(".")
    parts = address.split(".")
    if head == "look":
        return _look(tree, rest)
    if head in SECTIONS and head not in SPEAKING:
        return tuple(parts) if rest else ()
    if head in section_of(tree, "figure") and len(parts) == 2:
        return ("figure", *parts)
    if head in section_of(tree, "table") and len(parts) in (2, 3):
        return ("table", head, "rows", *parts[1:])
    for section in LOOKED_UP:
        if head in section_of(tree, section):
            return (section, head, *(parts[1:] or ["is"]))
    return ()


def _look(tree: Mapping[str, Any], rest: str) -> Path:
    """The keys of looks are addresses themselves, dots and all."""
    what, _, key = rest.rpartition(".")
    inside = rest not in section_of(tree, "look") and key in LOOKS and what
    return ("look", what, key) if inside else ("look", rest) if rest else ()


def address_place(tree: Mapping[str, Any], address: str) -> Path:
    """One name for whatever an address means, however it is written: two that touch one thing, touch here."""
    if address.startswith("names."):
        return ("names", address)
    path = resolve(tree, address)
    if not path:
        return ("piece", address)
    return path[:-1] if path[-1] == "is" else path


def section_of(tree: Mapping[str, Any], section: str) -> dict[str, Any]:
    content = tree.get(section)
    return content if isinstance(content, dict) else {}


def at_path(tree: Mapping[str, Any], path: Path) -> Any:
    value: Any = tree
    for part in path:
        if not isinstance(value, dict) or part not in value:
            return None
        value = value[part]
    return value


def default(path: Path) -> Any:
    """The value at an address where nothing is written, such as who sees a zone."""
    shape = SECTIONS.get(str(path[0]))
    if shape is None or not attrs.has(shape) or len(path) < 3:
        return None
    found = {f.name.rstrip("_"): f.default for f in attrs.fields(shape)}.get(str(path[-1]))
    return found if isinstance(found, str | int | bool) else None


def value_at(tree: Mapping[str, Any], address: str) -> Any:
    """What a change of this address would change: the value there, or what holds where none is written; else None."""
    path = resolve(tree, address)
    found = at_path(tree, path) if path else None
    found = found["is"] if isinstance(found, dict) and "is" in found else found
    return default(path) if found is None and path and at_path(tree, path[:-1]) is not None else found


def addresses(tree: Mapping[str, Any]) -> Iterator[str]:
    """Addresses a change may name, for a did-you-mean."""
    for group, figures in _tables(tree, "figure"):
        yield from (f"{group}.{name}" for name in figures)
    for table, content in _tables(tree, "table"):
        rows = content.get("rows", {})
        for row, cells in rows.items() if isinstance(rows, dict) else ():
            yield f"{table}.{row}"
            yield from (f"{table}.{row}.{cell}" for cell in cells) if isinstance(cells, dict) else ()
    for section in LOOKED_UP:
        for name, content in _tables(tree, section):
            yield name
            yield from (f"{name}.{key}" for key in content)
    yield from (f"total.{name}" for name, _ in _tables(tree, "total"))
    for section in ("zone", "grid", "kind"):
        for name, _ in _tables(tree, section):
            yield f"{section}.{name}"
            shape = SECTIONS[section]
            yield from (f"{section}.{name}.{one.name}" for one in attrs.fields(shape) if one.name not in MARKS)
    for owner, variables in _tables(tree, "variable"):
        yield from (f"variable.{owner}.{name}" for name in variables)
    yield from (f"game.{key}" for key in section_of(tree, "game"))


def _tables(tree: Mapping[str, Any], section: str) -> Iterator[tuple[str, dict[str, Any]]]:
    for name, inner in section_of(tree, section).items():
        if isinstance(inner, dict) and name not in MARKS:
            yield name, inner


# --------------------------------------------------------------------- pieces


def csv_files(tree: Mapping[str, Any]) -> list[str]:
    """The files that the kinds of the game take their pieces from."""
    rows = [kind.get("rows", "") for _, kind in _tables(tree, "kind")]
    return [file for file in rows if isinstance(file, str) and file.endswith(".csv")]


def is_piece(tree: Mapping[str, Any], address: str) -> bool:
    """Whether an address can only be a piece of a CSV file: nothing else has such a name."""
    head = address.partition(".")[0]
    return not resolve(tree, address) and head not in SECTIONS and bool(csv_files(tree))


def cells_of(line: str) -> list[str]:
    """The cells of a line of a CSV file, trimmed."""
    try:
        return [cell.strip() for cell in next(csv.reader([line]), [])]
    except csv.Error:  # what is wrong with the line is reported where the file is read
        return []
