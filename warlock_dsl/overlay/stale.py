"""What an overlay expects of the rules below it and does not find: every `was` and every digest that is out of date."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from attrs import evolve, frozen

from warlock_dsl.diagnostics.collect import near
from warlock_dsl.diagnostics.diagnostic import Span
from warlock_dsl.format.formatter import declaration_text
from warlock_dsl.overlay.addresses import addresses, at_path, default, is_piece, resolve
from warlock_dsl.overlay.apply_where import WHOLE, rows_of
from warlock_dsl.overlay.csv_edit import Sheet, piece_at, sheets_of
from warlock_dsl.overlay.read import Edit, Overlay, declaration_address, declaration_digest
from warlock_dsl.ruleset import Final
from warlock_dsl.syntax import tree as syntax
from warlock_dsl.tables.schema import ABSENT
from warlock_dsl.tables.values import bare, cell_text, same, toml


@frozen
class Stale:
    """One expectation that does not hold.

    `verb` is change, remove, replace or drop. `expected` is what the overlay says is there: a value, or a digest;
    `found` what is there now, and `text` the declaration as it is now; `makes` is what the overlay puts in its place.
    `span` is where the overlay says it; `write` is what to write there, "" where that cannot be said: `why` says why.
    """

    at: str
    verb: str
    expected: str
    found: str
    makes: str
    span: Span
    write: str = ""
    why: str = ""
    text: str = ""
    place: Span | None = None  # of the declaration as it is now


def stale(overlay: Overlay, below: Final, own: Sequence[syntax.Module]) -> list[Stale]:
    """Everything an overlay expects and does not find; `own` are its .warlock files."""
    values = [one for edit in overlay.edits for one in _value(edit, below)]
    return [*values, *_declarations(overlay, below, own)]


# ---------------------------------------------------------------------- values


def _value(edit: Edit, below: Final) -> Iterator[Stale]:
    if edit.was is ABSENT or edit.at.startswith("names."):
        return
    makes = "" if edit.now is ABSENT else toml(bare(edit.now))
    known = Stale(edit.at, edit.verb, toml(bare(edit.was)), "", makes, edit.was_span)
    values = _rows(edit, below) if edit.where else _alone(edit, below)
    if not values:
        hint = "no row is such as 'where' says" if edit.where else near(edit.at, addresses(below.tree), "addresses")()
        yield evolve(known, why=f"it is gone; {hint}")
        return
    others = {at: value for at, value in values.items() if not same(value, edit.was)}
    if not others:
        return
    texts = list(dict.fromkeys(toml(bare(value)) for value in others.values()))
    if len(others) < len(values) or len(texts) > 1:
        found = ", ".join(f"{at} is {toml(bare(value))}" for at, value in list(others.items())[:4])
        yield evolve(known, found=found, why="the rows differ: make a change for each value")
    elif edit.verb == "change" and all(same(value, edit.now) for value in others.values()):
        yield evolve(known, found=texts[0], why="it is so already: the change can be taken out")
    else:
        yield evolve(known, found=texts[0], write=texts[0])


def _alone(edit: Edit, below: Final) -> dict[str, Any]:
    """What is at the address of a change now, by the address; nothing where there is nothing."""
    at = edit.at
    if is_piece(below.tree, at):
        return _piece(edit, piece_at(sheets_of(below.pieces, below.tree), at))
    path = resolve(below.tree, at)
    value = at_path(below.tree, path) if path else None
    if value is None and path and at_path(below.tree, path[:-1]) is not None:
        value = default(path)
    if isinstance(value, dict) and "is" in value:
        value = value["is"]
    return {} if value is None else {at: value}


def _piece(edit: Edit, found: tuple[Sheet, str, str] | None) -> dict[str, Any]:
    """A cell of a file of pieces; of a whole piece only whether it is there."""
    if found is None or (found[2] and found[2] not in found[0].header[1:]):
        return {}
    sheet, id, column = found
    if not column:
        return {edit.at: edit.was}
    cells, number = sheet.row(id), sheet.header.index(column)
    cell = cells[number] if number < len(cells) else ""
    return {edit.at: edit.was if cell == cell_text(edit.was) else int(cell) if WHOLE.match(cell) else cell}


def _rows(edit: Edit, below: Final) -> dict[str, Any]:
    """The cells that a change of many rows picks now."""
    head, _, column = edit.at.partition(".")
    rows = rows_of(below.tree, sheets_of(below.pieces, below.tree), head)
    if rows is None or any(name not in rows.columns for name in (column, *edit.where)):
        return {}
    return {
        f"{at}.{column}": edit.was if rows.fits(at, {column: edit.was}) else rows.value(at, column)
        for at in rows.cells
        if rows.fits(at, edit.where)
    }


# ---------------------------------------------------------------- declarations


def _declarations(overlay: Overlay, below: Final, own: Sequence[syntax.Module]) -> Iterator[Stale]:
    there = by_address(below.modules)
    declared = by_address(own)
    for table, verb in ((overlay.replace, "replace"), (overlay.drop, "drop")):
        for at, (digest, _) in table.items():
            makes = plain_text(declared[at]) if verb == "replace" and at in declared else ""
            known = Stale(at, verb, digest, "", makes, overlay.places.of((verb, at)))
            if at not in there:
                yield evolve(known, why=f"it is gone; {near(at, there, 'declarations')()}")
                continue
            now = declaration_digest(there[at])
            if now == digest:
                continue
            text, place = plain_text(there[at]), there[at].name.span
            found = evolve(known, found=now, text=text, place=place)
            if text == makes:
                yield evolve(found, why="it is declared just so already: the replacement can be taken out")
            else:
                yield evolve(found, write=f'"{now}"')


def by_address(modules: Sequence[syntax.Module]) -> Mapping[str, syntax.Declaration]:
    return {declaration_address(one): one for module in modules for one in module.declarations}


def plain_text(declaration: syntax.Declaration) -> str:
    """A declaration without its marks."""
    return declaration_text(evolve(declaration, marks=())).strip()
