"""Types as they are written in tables, and values read in their type: from TOML and from the cells of a CSV file."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from fractions import Fraction
from itertools import chain
from typing import Any

from attrs import evolve, frozen

from warlock_dsl.diagnostics.collect import near, quoted
from warlock_dsl.diagnostics.diagnostic import Span
from warlock_dsl.limits import MAX_ENTRIES
from warlock_dsl.tables.components import Cite, Value, table_of_keys
from warlock_dsl.tables.context import Reading
from warlock_dsl.tables.merge import shaped
from warlock_dsl.tables.schema import RawCell, is_mark, named
from warlock_dsl.tables.toml_spans import Inexact, Path
from warlock_dsl.types import (
    NUMBER,
    PLAYER,
    REGION,
    TRUTH,
    UNKNOWN,
    KeyType,
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

MAX_VALUE = 10**12
FINEST = 10**6  # the smallest part of a number: a millionth
_DECIMAL = re.compile(r"[+-]?\d{1,13}(?:\.\d{1,6})?\Z")
_RANGE = re.compile(r"\s*(\S+?)\s*\.\.\s*(\S+)\s*\Z")
_PLAIN: Mapping[str, Type] = {"number": NUMBER, "truth": TRUTH, "player": PLAYER, "region": REGION}

IN_RULES_ONLY = ("cell", "zone", "grid", "piece")
DECLARED = "here it can be a number, a counter like 0..3, a truth, a player, a row of a table, or a list of those"

NOTHING: Value = ()  # in place of a value that could not be read; a game with one is never handed on


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
        hint = "write the smallest and the largest value: 0..3"
        reading.errors.add("W223", f"{quoted(text)} is not a range", span, hint=hint)
        return None
    return ends[0], ends[1]


def parse_type(reading: Reading, text: str, span: Span) -> Ranged:
    """A type from its name: number, truth, player, region, a table, a family, `[T]`, `T by TABLE` or a range."""
    word, depth = inside_brackets(text)
    found = _simple_type(reading, word, span)
    for _ in range(depth):
        found = found.of(ListType(found.type))
    return found


def inside_brackets(text: str) -> tuple[str, int]:
    """What stands inside the brackets of a list type, and how many there are."""
    word = text.strip()
    depth = 0
    while word.startswith("[") and word.endswith("]") and depth < 8:
        word, depth = word[1:-1].strip(), depth + 1
    return word, depth


def _simple_type(reading: Reading, word: str, span: Span) -> Ranged:
    head, by, key = word.rpartition(" by ")
    if by:
        value = _simple_type(reading, head.strip(), span) if " by " not in head else Ranged(UNKNOWN)
        row = _simple_type(reading, key.strip(), span)
        if not isinstance(row.type, RowType | UnknownType) or " by " in head:
            reading.errors.add("W207", f"{quoted(word)} is no type", span, hint="write: number by TABLE")
            return Ranged(UNKNOWN)
        return value.of(MapType(row.type.table, value.type)) if isinstance(row.type, RowType) else row
    if word in _PLAIN:
        return Ranged(_PLAIN[word])
    if word in reading.rows:
        return Ranged(RowType(word))
    if word in reading.families:
        table = table_of_keys(reading.families[word], reading.rows)
        return Ranged(RowType(table) if table else KeyType(word))
    if ".." in word:
        ends = parse_range(reading, word, span)
        return Ranged(NUMBER, *ends) if ends is not None else Ranged(UNKNOWN)
    if word in IN_RULES_ONLY or word in reading.sections.kinds:
        text = f"{quoted(word)} is a type of what rules speak of, not of what a table declares"
        reading.errors.add("W207", text, span, hint=DECLARED)
        return Ranged(UNKNOWN)
    if ("table", word) not in reading.sections.broken:
        form = "a list is written [T], a figure for each row of a table: number by TABLE"
        plain_value = re.match(r"\w+\Z", word) is not None
        hint = near(word, chain(_PLAIN, reading.rows, reading.families), "types") if plain_value else form
        reading.errors.add("W207", f"there is no type {quoted(word)}", span, hint=hint)
    return Ranged(UNKNOWN)


# ---------------------------------------------------------------- values in TOML


def read_cell(reading: Reading, raw: object, path: Path, wanted: Ranged, around: tuple[Cite, ...] = ()) -> Cell:
    """A value, bare or as `{ is, range, printed... }`. Without a mark of its own it has those around it."""
    span = reading.places.of(path)
    if wanted.type == UNKNOWN:
        return Cell(NOTHING, around, span)
    if not isinstance(raw, dict) or (isinstance(wanted.type, MapType) and "is" not in raw):
        return Cell(read_value(reading, raw, path, wanted), around, span)
    cell = shaped(raw, RawCell, path, reading.places, reading.errors)
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
        reading.errors.add("W223", f"only numbers have a range, not a {innermost}", span)
        return wanted
    return Ranged(wanted.type, *ends)


def read_value(reading: Reading, raw: object, path: Path, wanted: Ranged) -> Value:
    """A TOML value in its type."""
    type = wanted.type
    span = reading.places.of(path)
    if isinstance(type, ListType):
        if not isinstance(raw, list):
            return _misfit(reading, "a list", raw, span)
        if len(raw) > MAX_ENTRIES:
            reading.errors.add("W237", f"a list may have at most {MAX_ENTRIES:,} entries", span)
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
        reading.errors.add("W210", f"there is no value for {quoted(missing)}", span, hint=hint)
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
                reading.errors.add("W224", f"there is no seat {quoted(raw)} in every game", span, hint=hint)
                return 0
            return raw
        case RowType(table):
            if not isinstance(raw, str):
                return _misfit(reading, f"a row of the table '{table}'", raw, span)
            if raw not in reading.rows[table]:
                return _unknown_row(reading, raw, table, span)
            return reading.rows[table][raw]
        case KeyType(family):
            keys = reading.families[family]
            if not isinstance(raw, str):
                return _misfit(reading, f"a key of the family '{family}'", raw, span)
            if raw not in keys:
                meant = near(raw, keys, "keys")
                reading.errors.add("W208", f"the family '{family}' has no key {quoted(raw)}", span, hint=meant)
                return NOTHING
            return keys.index(raw)
        case RegionType():
            if not isinstance(raw, str):
                return _misfit(reading, "the name of a region", raw, span)
            if raw not in reading.regions:
                if not reading.all_regions:
                    return NOTHING
                known = near(raw, reading.regions, "regions")
                reading.errors.add("W217", f"there is no region {quoted(raw)}", span, hint=known)
                return NOTHING
            return reading.regions[raw]
    return NOTHING  # of an unknown type, which was reported


def number(reading: Reading, raw: object, wanted: Ranged, span: Span) -> Fraction:
    """An exact number within its range."""
    if isinstance(raw, Inexact) or (isinstance(raw, int | Fraction) and not _exact(Fraction(raw))):
        hint = f"numbers are exact: at most {MAX_VALUE:,}, at most six digits after the point"
        reading.errors.add("W238", "this number is not exact, or too large", span, hint=hint)
    elif isinstance(raw, bool) or not isinstance(raw, int | Fraction):
        _misfit(reading, "a number", raw, span)
    else:
        value = Fraction(raw)
        if wanted.low is not None and wanted.high is not None and not wanted.low <= value <= wanted.high:
            text = f"{decimal(value)} is outside the range {decimal(wanted.low)}..{decimal(wanted.high)}"
            reading.errors.add("W224", text, span)
        return value
    return Fraction(0)


def _exact(value: Fraction) -> bool:
    return abs(value) <= MAX_VALUE and FINEST % value.denominator == 0


def decimal(value: Fraction) -> str:
    """A number as one writes it."""
    if value.denominator == 1:
        return str(value.numerator)
    parts = int(abs(value) * FINEST)
    text = f"{parts // FINEST}.{parts % FINEST:06}".rstrip("0")
    return f"-{text}" if value < 0 else text


def whole(reading: Reading, raw: object, path: Path, minimum: int, maximum: int) -> Cell:
    """A whole number between two bounds, bare or with marks. Outside them it is the nearer bound."""
    cell = read_cell(reading, raw, path, Ranged(NUMBER, Fraction(minimum), Fraction(maximum)))
    value = cell.value
    assert isinstance(value, Fraction | tuple)
    if isinstance(value, tuple):
        return evolve(cell, value=minimum)
    if value.denominator != 1:
        reading.errors.add("W209", f"a whole number is wanted here, not {decimal(value)}", cell.span)
    return evolve(cell, value=max(minimum, min(maximum, int(value))))


def _misfit(reading: Reading, wanted: str, raw: object, span: Span) -> Value:
    reading.errors.add("W209", f"{wanted} is wanted here, not {named(raw)}", span)
    return NOTHING


def _unknown_row(reading: Reading, word: str, table: str, span: Span) -> Value:
    reading.errors.add(
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
        case PlayerType() | RowType() | KeyType():
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
            reading.errors.add("W209", f"a CSV cell cannot hold a {type}", whole_cell)
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
        reading.errors.add("W210", "this cell is empty", whole_cell, f"a {type} is wanted")
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


def bare(value: Any) -> Any:
    """A value without its marks."""
    if isinstance(value, dict):
        return {key: bare(inner) for key, inner in value.items() if not is_mark(key)}
    return value


def same(one: Any, other: Any) -> bool:
    """Whether two values say the same, marks apart. A truth is no number; 2 and 2.0 are one number."""
    if isinstance(one, dict) and isinstance(other, dict):
        one, other = bare(one), bare(other)
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    return isinstance(one, bool) is isinstance(other, bool) and bool(one == other)


def plain_value(value: Any) -> str:
    """A value of the tables as a person writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Fraction):
        return format(exact_decimal(value), "f") if value.denominator > 1 else str(int(value))
    if isinstance(value, list):
        return "[" + ", ".join(plain_value(item) for item in value) + "]"
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {plain_value(item)}" for key, item in value.items()) + " }"
    return str(value)


def toml(value: Any) -> str:
    """A value as one would write it into an overlay."""
    if isinstance(value, list):
        return "[" + ", ".join(toml(item) for item in value) + "]"
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {toml(item)}" for key, item in value.items()) + " }"
    return f'"{value}"' if isinstance(value, str) else plain_value(value)


def exact_decimal(value: Fraction) -> int | Decimal:
    """An exact decimal, whatever its length: numbers of the tables were written as one."""
    if value.denominator == 1:
        return int(value)
    digits = next(n for n in range(1, value.denominator.bit_length() + 1) if 10**n % value.denominator == 0)
    return Decimal(f"{value.numerator * 10**digits // value.denominator}e-{digits}")


def written(value: Any) -> Any:
    """A value as tomli-w takes it."""
    if isinstance(value, Fraction):
        return exact_decimal(value)
    if isinstance(value, list | tuple):
        return [written(item) for item in value]
    if isinstance(value, dict):
        return {key: written(item) for key, item in value.items()}
    return value


def cell_text(value: Any) -> str:
    """A value as a cell of a CSV file holds it."""
    return " ".join(cell_text(item) for item in value) if isinstance(value, list) else plain_value(value)


def csv_line(cells: list[str]) -> str:
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow(cells)
    return line.getvalue()
