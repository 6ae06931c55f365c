"""Variables of the game, of players and of pieces: their types, ranges and first values."""

from __future__ import annotations

from collections.abc import Mapping

from warlock_dsl.diagnostics.collect import near, quoted
from warlock_dsl.limits import MAX_SLOTS
from warlock_dsl.tables.components import Kind, Variable
from warlock_dsl.tables.context import Reading
from warlock_dsl.tables.merge import Item
from warlock_dsl.tables.schema import ABSENT, MisfitError, RawVariable
from warlock_dsl.tables.values import Ranged, first_value, inside_brackets, parse_type, read_value
from warlock_dsl.types import CELL, UNKNOWN, ListType, MapType, PieceType, RegionType, RowType, Type, is_placed


def read_variables(reading: Reading, kinds: Mapping[str, Kind]) -> dict[tuple[str, str], Variable]:
    """Every variable, by owner and name; the game's own have the owner ""."""
    found: dict[tuple[str, str], Variable] = {}
    unknown: set[str] = set()
    slots = 0
    for (group, name), item in reading.sections.variables.items():
        if group not in ("game", "player", *kinds):
            if group not in unknown and ("kind", group) not in reading.sections.broken:
                known = ["game", "player", *kinds]
                hint = near(group, known, "owners")
                text = f"there is no kind of piece {quoted(group)} to have variables"
                reading.errors.add("W215", text, reading.places.key(item.path[:2]), hint=hint)
            unknown.add(group)
            continue
        owner = "" if group == "game" else group
        found[owner, name] = _variable(reading, owner, len(found), item)
        slots += reading.owners(owner, kinds, found[owner, name].by)
        if slots > MAX_SLOTS:
            text = f"there are more than {MAX_SLOTS:,} variables on the table"
            advice = "a variable counts once for each of its owners and rows"
            reading.errors.add("W237", text, reading.places.key(item.path), "with this one", advice)
            return found
    return found


def _variable(reading: Reading, owner: str, number: int, item: Item[RawVariable]) -> Variable:
    raw = item.raw
    whole = _type(reading, item)
    by = whole.type.key if isinstance(whole.type, MapType) else ""
    wanted = whole.of(whole.type.value) if isinstance(whole.type, MapType) else whole
    first = first_value(reading, wanted)
    by_row = bool(by) and isinstance(raw.first, dict)  # a first value for each row, or one for all
    if raw.first is not ABSENT and wanted.type != UNKNOWN:
        first = read_value(reading, raw.first, (*item.path, "first"), whole if by_row else wanted)
        if first and is_placed(wanted.type):
            hint = "a rule can set it when the game begins"
            text = "a list of cells or pieces is empty at first"
            reading.errors.add("W209", text, reading.places.of((*item.path, "first")), hint=hint)
    _check_settings(reading, owner, item)
    return Variable(
        item.name,
        number,
        owner,
        wanted.type,
        wanted.low,
        wanted.high,
        (first,) * len(reading.rows[by]) if by and not by_row else first,
        raw.lasts,
        raw.sees,
        reading.inherited(reading.marks(raw, item.path), item.around),
        reading.places.key(item.path),
        by,
    )


def _type(reading: Reading, item: Item[RawVariable]) -> Ranged:
    raw, span = item.raw.type, reading.places.of(item.value_path)
    if isinstance(raw, list):  # its words are a table of its own
        return Ranged(RowType(item.name) if item.name in reading.rows else UNKNOWN)
    if not isinstance(raw, str):
        reading.errors.add("W205", str(MisfitError("a type or a list of words", raw)), span)
        return Ranged(UNKNOWN)
    placed = _placed(reading, raw)
    if isinstance(placed, ListType):
        return Ranged(placed)
    if placed is not None:
        text = f"a variable cannot be a {quoted(raw.strip())}: at first there is none"
        reading.errors.add("W207", text, span, hint=f"a list can be empty: write [{raw.strip()}]")
        return Ranged(UNKNOWN)
    wanted = parse_type(reading, raw, span)
    if not _may_be(wanted):
        hint = "a variable is a number, a counter like 0..3, a truth, a player, a row of a table, a list of those, or"
        hint += " one for each row of a table: number by TABLE"
        reading.errors.add("W207", f"a variable cannot be a {quoted(raw)}", span, hint=hint)
        return Ranged(UNKNOWN)
    return wanted


def _may_be(wanted: Ranged) -> bool:
    """Whether a variable can have a type: no region, no list of counters, nothing by row within a list."""
    if isinstance(wanted.type, ListType):
        return wanted.low is None and not isinstance(wanted.type.item, MapType | RegionType)
    inner = wanted.type.value if isinstance(wanted.type, MapType) else wanted.type
    return not isinstance(inner, RegionType)


def _placed(reading: Reading, text: str) -> Type | None:
    """A type that speaks of cells or pieces, which variables alone may have; None for all others."""
    word, depth = inside_brackets(text)
    found: Type | None = CELL if word == "cell" else PieceType() if word == "piece" else None
    if word in reading.sections.kinds and word not in reading.rows:
        found = PieceType((word,))
    for _ in range(depth if found is not None else 0):
        found = ListType(found)
    return found


def _check_settings(reading: Reading, owner: str, item: Item[RawVariable]) -> None:
    """How long it lasts. Whether `lasts` names a rule is for the checker to say."""
    raw = item.raw
    if raw.lasts == "move" and owner in ("", "player"):
        text = "only a variable of a piece lasts until the piece moves"
        reading.errors.add("W229", text, reading.places.of((*item.path, "lasts")), hint="name the rule it lasts for")
