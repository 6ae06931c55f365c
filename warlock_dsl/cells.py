"""Types as they are written in tables, and values read in their type: from TOML and from the cells of a CSV file."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import chain

from attrs import evolve, frozen

from warlock_dsl.diagnostics import Span
from warlock_dsl.faults import near, quoted
from warlock_dsl.limits import MOST_ENTRIES
from warlock_dsl.model import Cite, Value
from warlock_dsl.reading import Reading
from warlock_dsl.schema import RawCell, named
from warlock_dsl.sections import shaped
from warlock_dsl.toml_places import Inexact, Path
from warlock_dsl.types import (
    NUMBER,
    PLAYER,
    REGION,
    TRUTH,
    UNKNOWN,
    ListType,
    MapType,
    NumberType,
    PlayerType,
    RegionType,
    RowType,
    TruthType,
    Type,
    UnknownType,
)

GREATEST = 10**12
FINEST = 10**6  # the smallest part of a number: a millionth
_DECIMAL = re.compile(r"[+-]?\d{1,13}(?:\.\d{1,6})?\Z")
_RANGE = re.compile(r"\s*(\S+?)\s*\.\.\s*(\S+)\s*\Z")
_PLAIN: Mapping[str, Type] = {"number": NUMBER, "truth": TRUTH, "player": PLAYER, "region": REGION}

NOTHING: Value = ()  # stands in for a value that could not be read; a game with one is never handed on


@frozen
class Ranged:
    """A type, and the range its numbers keep to."""

    type: Type
    low: Fraction | None = None
    high: Fraction | None = None

    def of(self, type: Type) -> Ranged:
        return evolve(self, type=type)


@frozen
class Cell:
    """A value with its marks and its place."""

    value: Value
    cites: tuple[Cite, ...]
    span: Span


# ---------------------------------------------------------------- types


def parse_range(reading: Reading, text: str, span: Span) -> tuple[Fraction, Fraction] | None:
    """`a..b`, both ends included."""
    match = _RANGE.match(text)
    ends = tuple(Fraction(end) for end in match.groups() if _DECIMAL.match(end)) if match else ()
    if len(ends) != 2 or ends[0] > ends[1]:
        hint = "write the least and the greatest value: 0..3"
        reading.faults.add("W223", f"{quoted(text)} is not a range", span, hint=hint)
        return None
    return ends[0], ends[1]


def parse_type(reading: Reading, text: str, span: Span) -> Ranged:
    """A type from its name: number, truth, player, region, a table, `[T]`, `T by TABLE` or a range."""
    word = text.strip()
    depth = 0
    while word.startswith("[") and word.endswith("]") and depth < 8:
        word, depth = word[1:-1].strip(), depth + 1
    found = _simple_type(reading, word, span)
    for _ in range(depth):
        found = found.of(ListType(found.type))
    return found


def _simple_type(reading: Reading, word: str, span: Span) -> Ranged:
    head, by, key = word.rpartition(" by ")
    if by:
        value = _simple_type(reading, head.strip(), span) if " by " not in head else Ranged(UNKNOWN)
        row = _simple_type(reading, key.strip(), span)
        if not isinstance(row.type, RowType | UnknownType) or " by " in head:
            reading.faults.add("W207", f"{quoted(word)} is no type", span, hint="write: number by TABLE")
            return Ranged(UNKNOWN)
        return value.of(MapType(row.type.table, value.type)) if isinstance(row.type, RowType) else row
    if word in _PLAIN:
        return Ranged(_PLAIN[word])
    if word in reading.rows:
        return Ranged(RowType(word))
    if ".." in word:
        ends = parse_range(reading, word, span)
        return Ranged(NUMBER, *ends) if ends is not None else Ranged(UNKNOWN)
    if ("table", word) not in reading.sections.broken:
        form = "a list is written [T], a figure for each row of a table: number by TABLE"
        plain = re.match(r"\w+\Z", word) is not None
        hint = near(word, chain(_PLAIN, reading.rows), "types") if plain else form
        reading.faults.add("W207", f"there is no type {quoted(word)}", span, hint=hint)
    return Ranged(UNKNOWN)


# ---------------------------------------------------------------- values in TOML


def read_cell(reading: Reading, raw: object, path: Path, wanted: Ranged, around: tuple[Cite, ...] = ()) -> Cell:
    """A value, bare or as `{ is, range, printed... }`. Without a mark of its own it has those around it."""
    span = reading.places.of(path)
    if wanted.type == UNKNOWN:
        return Cell(NOTHING, around, span)
    if not isinstance(raw, dict) or (isinstance(wanted.type, MapType) and "is" not in raw):
        return Cell(read_value(reading, raw, path, wanted), around, span)
    cell = shaped(raw, RawCell, path, reading.places, reading.faults)
    if cell is None:
        return Cell(NOTHING, around, span)
    if cell.range:
        wanted = narrowed(reading, wanted, cell.range, (*path, "range"))
    own = reading.marks(cell, path)
    at = (*path, "is")
    return Cell(read_value(reading, cell.is_, at, wanted), own or around, reading.places.of(at))


def narrowed(reading: Reading, wanted: Ranged, text: str, path: Path) -> Ranged:
    """The type with a range of its own."""
    span = reading.places.of(path)
    ends = parse_range(reading, text, span)
    innermost = wanted.type
    while isinstance(innermost, ListType) and innermost.item is not None:
        innermost = innermost.item
    if ends is None:
        return wanted
    if not isinstance(innermost, NumberType | UnknownType):
        reading.faults.add("W223", f"only numbers have a range, not a {innermost}", span)
        return wanted
    return Ranged(wanted.type, *ends)


def read_value(reading: Reading, raw: object, path: Path, wanted: Ranged) -> Value:
    """A TOML value in its type."""
    type = wanted.type
    span = reading.places.of(path)
    if isinstance(type, ListType):
        if not isinstance(raw, list):
            return _misfit(reading, "a list", raw, span)
        if len(raw) > MOST_ENTRIES:
            reading.faults.add("W237", f"a list may have at most {MOST_ENTRIES:,} entries", span)
            return NOTHING
        inner = wanted.of(type.item if type.item is not None else UNKNOWN)
        return tuple(read_value(reading, item, (*path, index), inner) for index, item in enumerate(raw))
    if isinstance(type, MapType):
        if not isinstance(raw, dict):
            return _misfit(reading, f"a table with a value for each {type.key}", raw, span)
        inner = wanted.of(type.value)
        given = {row: read_value(reading, value, (*path, row), inner) for row, value in raw.items()}
        spans = {row: reading.places.key((*path, row)) for row in raw}
        return _by_row(reading, type, given, spans, span)
    return leaf(reading, raw, wanted, span)


def _by_row(reading: Reading, type: MapType, given: dict[str, Value], spans: dict[str, Span], span: Span) -> Value:
    rows = reading.rows[type.key]
    strange = [row for row in given if row not in rows]
    for row in strange:
        _unknown_row(reading, row, type.key, spans[row])
    if strange:
        return NOTHING
    missing = next((row for row in rows if row not in given), None)
    if missing is not None:
        hint = f"give one for each {type.key}"
        reading.faults.add("W210", f"there is no value for {quoted(missing)}", span, hint=hint)
        return NOTHING
    return tuple(given[row] for row in rows)


def leaf(reading: Reading, raw: object, wanted: Ranged, span: Span) -> Value:
    """A single value: a number, a truth, a player, a row or a region."""
    match wanted.type:
        case NumberType():
            return number(reading, raw, wanted, span)
        case TruthType():
            return raw if isinstance(raw, bool) else _misfit(reading, "true or false", raw, span)
        case PlayerType():
            if isinstance(raw, bool) or not isinstance(raw, int):
                return _misfit(reading, "the number of a seat", raw, span)
            if not 0 <= raw < reading.seats:
                hint = f"seats count from 0; with the fewest players the last is {reading.seats - 1}"
                reading.faults.add("W224", f"there is no seat {quoted(raw)} in every game", span, hint=hint)
                return 0
            return raw
        case RowType(table):
            if not isinstance(raw, str):
                return _misfit(reading, f"a row of the table '{table}'", raw, span)
            if raw not in reading.rows[table]:
                return _unknown_row(reading, raw, table, span)
            return reading.rows[table][raw]
        case RegionType():
            if not isinstance(raw, str):
                return _misfit(reading, "the name of a region", raw, span)
            if raw not in reading.regions:
                if not reading.all_regions:
                    return NOTHING
                known = near(raw, reading.regions, "regions")
                reading.faults.add("W217", f"there is no region {quoted(raw)}", span, hint=known)
                return NOTHING
            return reading.regions[raw]
    return NOTHING  # of an unknown type, which was reported


def number(reading: Reading, raw: object, wanted: Ranged, span: Span) -> Fraction:
    """An exact number within its range."""
    if isinstance(raw, Inexact) or (isinstance(raw, int | Fraction) and not _exact(Fraction(raw))):
        hint = f"numbers are exact: at most {GREATEST:,}, at most six digits after the point"
        reading.faults.add("W238", "this number is not exact, or too large", span, hint=hint)
    elif isinstance(raw, bool) or not isinstance(raw, int | Fraction):
        _misfit(reading, "a number", raw, span)
    else:
        value = Fraction(raw)
        if wanted.low is not None and wanted.high is not None and not wanted.low <= value <= wanted.high:
            text = f"{decimal(value)} lies outside the range {decimal(wanted.low)}..{decimal(wanted.high)}"
            reading.faults.add("W224", text, span)
        return value
    return Fraction(0)


def _exact(value: Fraction) -> bool:
    return abs(value) <= GREATEST and FINEST % value.denominator == 0


def decimal(value: Fraction) -> str:
    """A number as one writes it."""
    if value.denominator == 1:
        return str(value.numerator)
    parts = int(abs(value) * FINEST)
    text = f"{parts // FINEST}.{parts % FINEST:06}".rstrip("0")
    return f"-{text}" if value < 0 else text


def whole(reading: Reading, raw: object, path: Path, least: int, most: int) -> Cell:
    """A whole number between two bounds, bare or with marks. Outside them it is the nearer bound."""
    cell = read_cell(reading, raw, path, Ranged(NUMBER, Fraction(least), Fraction(most)))
    value = cell.value
    assert isinstance(value, Fraction | tuple)
    if isinstance(value, tuple):
        return evolve(cell, value=least)
    if value.denominator != 1:
        reading.faults.add("W209", f"a whole number is wanted here, not {decimal(value)}", cell.span)
    return evolve(cell, value=max(least, min(most, int(value))))


def _misfit(reading: Reading, wanted: str, raw: object, span: Span) -> Value:
    reading.faults.add("W209", f"{wanted} is wanted here, not {named(raw)}", span)
    return NOTHING


def _unknown_row(reading: Reading, word: str, table: str, span: Span) -> Value:
    reading.faults.add(
        "W208",
        f"the table '{table}' has no row {quoted(word)}",
        span,
        hint=near(word, reading.rows[table], "rows"),
    )
    return NOTHING


def first_value(reading: Reading, wanted: Ranged) -> Value:
    """The value a variable has before anything is said."""
    match wanted.type:
        case NumberType():
            return wanted.low if wanted.low is not None else Fraction(0)
        case TruthType():
            return False
        case PlayerType() | RowType():
            return 0
    return NOTHING


# ---------------------------------------------------------------- values in CSV


def read_text(reading: Reading, text: str, wanted: Ranged, place: Callable[[int, int], Span]) -> Value:
    """A CSV cell in its type. A list is separated by spaces; `place` gives the span of a part of the cell."""
    type = wanted.type
    parts = [(match[0], place(match.start(), match.end())) for match in re.finditer(r"\S+", text)]
    whole_cell = place(0, len(text))
    if isinstance(type, ListType):
        inner = wanted.of(type.item if type.item is not None else UNKNOWN)
        if isinstance(type.item, ListType | MapType):
            reading.faults.add("W209", f"a CSV cell cannot hold a {type}", whole_cell)
            return NOTHING
        return tuple(_text_leaf(reading, part, inner, span) for part, span in parts)
    if isinstance(type, MapType):
        inner = wanted.of(type.value)
        given, spans = {}, {}
        for part, span in parts:
            row, _, value = part.partition("=")
            given[row], spans[row] = _text_leaf(reading, value, inner, span), span
        return _by_row(reading, type, given, spans, whole_cell)
    if not parts:
        reading.faults.add("W210", "this cell is empty", whole_cell, f"a {type} is wanted")
        return NOTHING
    return _text_leaf(reading, text.strip(), wanted, whole_cell)


def _text_leaf(reading: Reading, text: str, wanted: Ranged, span: Span) -> Value:
    raw: object = text
    if isinstance(wanted.type, NumberType | PlayerType):
        raw = Fraction(text) if _DECIMAL.match(text) else text
        if isinstance(raw, Fraction) and raw.denominator == 1:
            raw = int(raw)
    elif isinstance(wanted.type, TruthType) and text in ("true", "false"):
        raw = text == "true"
    return leaf(reading, raw, wanted, span)
