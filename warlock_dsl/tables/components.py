"""The nouns of a game, read from its TOML tables: pieces, zones, grids, variables, figures, names, sources."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from fractions import Fraction

from attrs import field, frozen

from warlock_dsl.diagnostics.diagnostic import NOWHERE, Span
from warlock_dsl.types import KeyType, RowType, Type

# A value as data: a number is a Fraction, a row, a key or a cell of a plan its place in the order of declaration,
# a truth a bool, a list or a region a tuple. What an integer means is in the type beside it.
Value = Fraction | bool | int | tuple["Value", ...]


@frozen
class Cite:
    """Where a declaration or a figure comes from: its standing, the ids it carries out, a remark."""

    standing: str
    ids: tuple[str, ...]
    remark: str
    span: Span


@frozen
class Column:
    """A column of a table or a field of a kind; `values` has one entry a row or a piece."""

    name: str
    type: Type
    values: tuple[Value, ...]
    cites: tuple[Cite | None, ...]
    spans: tuple[Span, ...]
    span: Span


@frozen
class Table:
    """A closed type: its rows are its values. An inline list of words is a table without columns."""

    name: str
    rows: tuple[str, ...]
    columns: Mapping[str, Column]
    row_spans: tuple[Span, ...]
    span: Span


@frozen
class Kind:
    """A kind of piece. Pieces are numbered through the whole game: `first` is the number of its first piece."""

    name: str
    first: int
    pieces: tuple[str, ...]  # the name of each piece, unique in the game
    fields: Mapping[str, Column]
    called_by: str  # the field a scenario may call a piece by, or ""
    table: str  # the table its pieces were made from (`face`), or ""
    faces: tuple[int, ...]  # the row of that table each piece was made from
    span: Span


@frozen
class Grid:
    """The plan of a grid: cells in reading order or in that of a table, each with its neighbours; named regions."""

    name: str
    width: int
    height: int
    cells: tuple[tuple[int, int], ...]  # (row, column), from the top left, from 0
    near: tuple[tuple[int, ...], ...]  # neighbours of each cell side by side
    around: tuple[tuple[int, ...], ...]  # the diagonal ones too, where there are some
    slots: bool  # true: cells are mere slots, pieces alike in different cells are interchangeable
    regions: Mapping[str, tuple[int, ...]]
    span: Span
    shape: str = "square"  # of its cells: square, hex (each row half a cell right of the one above) or graph
    stacks: bool = False  # true: a cell holds any number of pieces, the last that came on top
    table: str = ""  # the table whose rows the cells are, in its order, or "" (a picture)
    columns: tuple[str, ...] = ()  # of that table: what says how the cells lie
    from_below: bool = False  # true: people count its rows from the bottom

    def row_number(self, row: int) -> int:
        """A row of the picture as people count it."""
        return self.height - row if self.from_below else row + 1


@frozen
class Zone:
    """A place for pieces. `owner` is "" (the table), "player" or a kind of piece."""

    name: str
    number: int
    owner: str
    kinds: tuple[str, ...]
    grid: str
    sees: str  # who sees the pieces: a word, or the name of a variable (see `sight`)
    counted_by: str  # who sees how many: all, owner
    hidden_by: str  # a truth variable of its pieces: true hides the piece, or ""
    start: tuple[int, ...]  # the pieces it holds before the game; of a zone of each player: their sets, by seat
    cites: tuple[Cite, ...]
    span: Span
    by: str = ""  # the table for each of whose rows there is one, beside the owner; pieces start by their face


@frozen
class Variable:
    """A counter, a marker or a flag. `owner` is "" (the game), "player" or a kind of piece."""

    name: str
    number: int
    owner: str
    type: Type
    low: Fraction | None
    high: Fraction | None
    first: Value
    lasts: str  # a rule: back to `first` when it begins; "move": when the piece moves; or ""
    sees: str  # who sees its value, as of a zone
    cites: tuple[Cite, ...]
    span: Span
    by: str = ""  # the table for each of whose rows there is one, beside the owner; `first` is by row then


@frozen
class Figure:
    """A named figure or setting: `group.name`."""

    group: str
    name: str
    type: Type
    value: Value
    low: Fraction | None
    high: Fraction | None
    cites: tuple[Cite, ...]
    idle: str  # why no rule reads it, or ""
    span: Span


@frozen
class Series:
    """A list of figures looked up by number; `first` is the number of its first entry."""

    name: str
    first: int
    values: tuple[Fraction, ...]
    beyond: str  # past the end: "last" repeats the last entry, "error", or "zero"
    cites: tuple[Cite, ...]
    span: Span


@frozen
class Matrix:
    """A table looked up by two rows; a cell that is not given has the first value of its type."""

    name: str
    rows: str
    columns: str
    of: str
    cells: tuple[tuple[int, ...], ...]
    cites: tuple[Cite, ...]
    span: Span
    given: Mapping[tuple[int, int], GivenCell] = field(factory=dict)  # the cells that are written, by row and column


@frozen
class GivenCell:
    """What a written cell of a matrix rests on, and where it is."""

    cites: tuple[Cite, ...]
    span: Span


@frozen
class Die:
    """A die: a list of rows of a table, one a face."""

    name: str
    of: str
    faces: tuple[int, ...]
    cites: tuple[Cite, ...]
    span: Span


@frozen
class Total:
    """A total that the documents state, the addresses it is of, and the sum of each that is there."""

    name: str
    of: tuple[str, ...]
    stated: Fraction
    amounts: tuple[Fraction, ...]
    cites: tuple[Cite, ...]
    span: Span


@frozen
class LedgerRow:
    """One rule of the source documents, in paraphrase."""

    id: str
    says: str
    at: Mapping[str, str]
    status: Mapping[str, str]
    standing: str
    rulings: tuple[str, ...]
    differences: tuple[str, ...]
    idle: str
    span: Span


@frozen
class Ruling:
    """A question the documents leave open, and how this game settles it."""

    id: str
    question: str
    options: tuple[str, ...]
    takes: str
    because: str
    editions: str
    idle: str
    span: Span


@frozen
class Difference:
    """A point in which the documents differ: what each says, in paraphrase, and what carries it out."""

    id: str
    title: str
    kind: str
    says: Mapping[str, str]
    rules: tuple[str, ...]
    carried: tuple[str, ...]
    idle: str
    span: Span


OFF_BOARD = "off_board"  # in the look of a zone: it is not drawn
ADDED = "added"  # in a text for one more piece of a set: that piece


@frozen
class Entry:
    """A catalogue entry: a text with {names} in it; `key` is where its key is."""

    text: str
    span: Span
    key: Span = NOWHERE

    def place(self, start: int, end: int) -> Span:
        """Where a part of the text is; the whole of it where escapes or several lines hide that."""
        span = self.span
        if span.line != span.end_line or span.end_column - span.column != len(self.text) + 2:
            return span
        return Span(span.file, span.line, span.column + 1 + start, span.line, span.column + 1 + end)


@frozen
class Limits:
    """Bounds a game sets itself."""

    listed: int = 40  # sets of pieces are listed up to this many, else asked for piece by piece
    depth: int = 64  # calls within calls
    work: int = 500_000  # steps between two decisions


@frozen
class Components:
    """Everything the tables of a game say."""

    name: str
    min_players: int
    max_players: int
    limits: Limits
    kinds: Mapping[str, Kind]
    zones: Mapping[str, Zone]
    grids: Mapping[str, Grid]
    variables: Mapping[tuple[str, str], Variable]  # by owner and name
    tables: Mapping[str, Table]
    figures: Mapping[tuple[str, str], Figure]
    series: Mapping[str, Series]
    matrices: Mapping[str, Matrix]
    dice: Mapping[str, Die]
    totals: Mapping[str, Total]
    documents: Mapping[str, str]
    ledger: Mapping[str, LedgerRow]
    rulings: Mapping[str, Ruling]
    differences: Mapping[str, Difference]
    names: Mapping[str, Mapping[str, Entry]]  # by language and key
    looks: Mapping[str, Mapping[str, str]]  # address -> colour, short
    marks: tuple[Cite, ...] = field(repr=False)  # every mark of the tables, those of counts and players included
    files: Mapping[str, str] = field(repr=False)  # every file read, by its path inside the rules folder: its text
    span: Span = field(repr=False)
    cooperative: bool = False  # the table wins or loses as one: `finish players`, or `finish []`
    chapters: Mapping[str, str] = field(factory=dict)  # by the number that their sections begin with: their titles
    families: Mapping[str, tuple[str, ...]] = field(factory=dict)  # the keys of each family of rules, which are a type

    def words_of(self, type_: Type) -> tuple[str, ...]:
        """The words for the values of a type that has some, by number: the rows of a table, the keys of a family."""
        if isinstance(type_, RowType):
            return self.tables[type_.table].rows
        return self.families[type_.family] if isinstance(type_, KeyType) else ()

    @property
    def piece_count(self) -> int:
        return sum(len(kind.pieces) for kind in self.kinds.values())


def table_of_keys(keys: Collection[str], tables: Mapping[str, Collection[str]]) -> str:
    """The table whose rows the keys of a family of rules are, or "": one that has no other row before one that has."""
    having = [name for name, rows in tables.items() if all(key in rows for key in keys)]
    whole = [name for name in having if len(tables[name]) == len(keys)]
    return (whole or having or [""])[0]
