"""The types of the language. A value never carries its type; the checker knows it before anything runs."""

from __future__ import annotations

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
    """The type of a faulty expression: fits anything, so that one fault is reported once."""

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
