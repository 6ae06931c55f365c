"""The types of the language. A value never carries its type; the checker knows it before anything runs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from attrs import frozen


@frozen
class NumberType:
    def __str__(self) -> str:
        return "number"


@frozen
class TruthType:
    def __str__(self) -> str:
        return "truth"


@frozen
class PlayerType:
    def __str__(self) -> str:
        return "player"


@frozen
class CellType:
    """A cell of one grid on the table (the grid of one owner)."""

    def __str__(self) -> str:
        return "cell"


@frozen
class RegionType:
    """A set of places on the plan of a grid, the same for every owner; `region has cell` tests."""

    def __str__(self) -> str:
        return "region"


@frozen
class RowType:
    """A row of a table, a value of an inline list of words, or a face of a die."""

    table: str

    def __str__(self) -> str:
        return self.table


@frozen
class PieceType:
    """A piece of one of these kinds, in the order of their declaration; none named means any piece."""

    kinds: tuple[str, ...] = ()

    def __str__(self) -> str:
        return " or ".join(self.kinds) if self.kinds else "piece"


@frozen
class ZoneType:
    """A zone that holds these kinds (none named: any); a grid has cells."""

    kinds: tuple[str, ...] = ()
    grid: bool = False
    table: str = ""  # whose rows the cells are

    def __str__(self) -> str:
        what = "grid" if self.grid else "zone"
        return f"{what} of {' and '.join(self.kinds)}" if self.kinds else what


@frozen
class KeyType:
    """The keys of a family of rules that are not the rows of a table."""

    family: str

    def __str__(self) -> str:
        return f"key of {self.family}"


@frozen
class ListType:
    """A finite list in a stable order. The element of the empty list is unknown: None."""

    item: Type | None

    def __str__(self) -> str:
        return f"[{self.item if self.item is not None else ''}]"


@frozen
class MapType:
    """A figure for each row of a table: a column `number by colour`."""

    key: str
    value: Type

    def __str__(self) -> str:
        return f"{self.value} by {self.key}"


@frozen
class UnknownType:
    """The type of a faulty expression: fits anything, so that one error is reported once."""

    def __str__(self) -> str:
        return "?"


Type = (
    NumberType
    | TruthType
    | PlayerType
    | CellType
    | RegionType
    | RowType
    | PieceType
    | ZoneType
    | KeyType
    | ListType
    | MapType
    | UnknownType
)

NUMBER = NumberType()
TRUTH = TruthType()
PLAYER = PlayerType()
CELL = CellType()
REGION = RegionType()
UNKNOWN = UnknownType()


def fits(found: Type, wanted: Type) -> bool:
    """Whether a value of the first type may stand where the second is wanted, as it is."""
    if isinstance(found, UnknownType) or isinstance(wanted, UnknownType) or found == wanted:
        return True
    if isinstance(found, PieceType) and isinstance(wanted, PieceType):
        return not wanted.kinds or (bool(found.kinds) and set(found.kinds) <= set(wanted.kinds))
    if isinstance(found, ZoneType) and isinstance(wanted, ZoneType):
        if wanted.grid and not found.grid:
            return False
        return not wanted.kinds or (bool(found.kinds) and set(found.kinds) <= set(wanted.kinds))
    if isinstance(found, ListType) and isinstance(wanted, ListType):
        return found.item is None or (wanted.item is not None and fits(found.item, wanted.item))
    return False


def bounded(kind: Type, ranged: bool) -> bool:
    """Whether it is known what a value of a type could be; a number is known only where it is `ranged`."""
    match kind:
        case NumberType():
            return ranged
        case TruthType() | PlayerType() | RowType() | KeyType() | PieceType() | CellType():
            return True
        case ListType(item) | MapType(_, item):
            return item is not None and bounded(item, ranged)
        case _:
            return False


def merged(first: Sequence[str], second: Sequence[str], order: Iterable[str]) -> tuple[str, ...]:
    """Kinds named by either, in the order of their declaration."""
    either = {*first, *second}
    return tuple(kind for kind in order if kind in either)


def join(one: Type, other: Type, order: Sequence[str]) -> Type | None:
    """The narrowest type that both fit, or nothing. `order` is the order in which the kinds are declared."""
    if isinstance(one, UnknownType):
        return other
    if isinstance(other, UnknownType) or one == other:
        return one
    if isinstance(one, PieceType) and isinstance(other, PieceType):
        return PieceType(merged(one.kinds, other.kinds, order) if one.kinds and other.kinds else ())
    if isinstance(one, ZoneType) and isinstance(other, ZoneType):
        kinds = merged(one.kinds, other.kinds, order) if one.kinds and other.kinds else ()
        return ZoneType(kinds, one.grid and other.grid, one.table if one.table == other.table else "")
    if isinstance(one, ListType) and isinstance(other, ListType):
        if one.item is None or other.item is None:
            return one if other.item is None else other
        item = join(one.item, other.item, order)
        return None if item is None else ListType(item)
    return None


def comparable(one: Type, other: Type) -> bool:
    """Whether `is` may compare the two: the same type, or pieces that could be of the same kind."""
    if isinstance(one, UnknownType) or isinstance(other, UnknownType) or one == other:
        return True
    if isinstance(one, PieceType) and isinstance(other, PieceType):
        return not one.kinds or not other.kinds or bool(set(one.kinds) & set(other.kinds))
    if isinstance(one, ListType) and isinstance(other, ListType):
        return one.item is None or other.item is None or comparable(one.item, other.item)
    return isinstance(one, ZoneType) and isinstance(other, ZoneType)


def pieces_of(zone: ZoneType) -> ListType:
    """The type a zone has when it stands for the list of its pieces."""
    return ListType(PieceType(zone.kinds))


def words(type_: Type) -> str:
    """A type as one would say it: `a number`, `a list of card`."""
    if isinstance(type_, ListType):
        return "an empty list" if type_.item is None else f"a list of {plural(type_.item)}"
    if isinstance(type_, TruthType):
        return "a truth (true or false)"
    if isinstance(type_, RowType):
        return f"a row of {type_.table}"
    if isinstance(type_, UnknownType):
        return "of no known type"
    return f"a {type_}"


def plural(type_: Type) -> str:
    """Several values of a type, in words: `numbers`, `pieces (card or token)`."""
    if isinstance(type_, ListType):
        return "lists" if type_.item is None else f"lists of {plural(type_.item)}"
    if isinstance(type_, RowType):
        return f"rows of {type_.table}"
    if isinstance(type_, PieceType):
        return f"pieces ({type_})" if type_.kinds else "pieces"
    if isinstance(type_, ZoneType):
        return "grids" if type_.grid else "zones"
    if isinstance(type_, KeyType):
        return f"keys of {type_.family}"
    if isinstance(type_, NumberType | TruthType | PlayerType | CellType | RegionType):
        return f"{type_}s"
    return "values" if isinstance(type_, UnknownType) else f"values ({type_})"


def is_placed(type_: Type | None) -> bool:
    """Whether a type speaks of what lies on the table: pieces or cells, or lists of them."""
    while isinstance(type_, ListType):
        type_ = type_.item
    return isinstance(type_, PieceType | CellType)


def tables_in(type_: Type | None) -> tuple[str, ...]:
    """The tables whose rows a type speaks of."""
    if isinstance(type_, RowType):
        return (type_.table,)
    if isinstance(type_, ListType):
        return tables_in(type_.item)
    if isinstance(type_, MapType):
        return (type_.key, *tables_in(type_.value))
    return ()
