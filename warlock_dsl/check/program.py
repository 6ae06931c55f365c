"""The checked program: every name resolved to a number, every expression typed. What the interpreter lowers.

Numbers are integers in the smallest unit of the ruleset (`Program.unit` of them make one whole). Players, pieces,
rows, keys and variables are small integers; a list is a tuple. A slot is a place in the frame of a rule or a
definition; slot 0 always holds `me`.
"""

from __future__ import annotations

from collections.abc import Mapping

from attrs import frozen

from warlock_dsl.diagnostics.diagnostic import Span
from warlock_dsl.tables.components import Cite
from warlock_dsl.types import Type

Constant = int | bool | tuple["Constant", ...]

# ---------------------------------------------------------------- expressions


@frozen
class Const:
    value: Constant
    type: Type
    span: Span


@frozen
class FigureRef:
    """A named figure; its value stands here too, so that nothing is looked up while a game runs."""

    group: str
    name: str
    value: Constant
    type: Type
    span: Span


@frozen
class Local:
    slot: int
    type: Type
    span: Span


@frozen
class ListOf:
    items: tuple[Expr, ...]
    type: Type
    span: Span


@frozen
class RangeOf:
    low: Expr
    high: Expr
    type: Type
    span: Span


@frozen
class Binary:
    """On numbers: + - * < <= > >=. On lists: join, without (bags). On anything: is. On a list or region: has.
    On truths: and, or (the right side only when needed)."""

    op: str
    left: Expr
    right: Expr
    type: Type
    span: Span


@frozen
class Not:
    of: Expr
    type: Type
    span: Span


@frozen
class Conditional:
    test: Expr
    then: Expr
    otherwise: Expr
    type: Type
    span: Span


@frozen
class Field:
    """A field of a piece; the piece may be of any kind that has the field."""

    name: str
    of: Expr
    type: Type
    span: Span


@frozen
class Cell:
    """A column of a row."""

    table: str
    column: str
    of: Expr
    type: Type
    span: Span


@frozen
class Lookup:
    """`series[n]`, `matrix[a, b]`, `list[n]` (from 1), `map[row]`, `board[row]`, `table[cell]`: `what` is series,
    matrix, list, map, cell (of a row) or row (of a cell). `name` is the series, the matrix or the table of the cells;
    `of` the list, the map or the zone."""

    what: str
    name: str
    of: Expr | None
    keys: tuple[Expr, ...]
    type: Type
    span: Span


@frozen
class ZoneOf:
    """A zone: by its number, and its owner where it has one."""

    zone: int
    owner: Expr | None
    type: Type
    span: Span


@frozen
class OfRow:
    """The owner of what there is for each row of a table: somebody (or nobody) and a row, of which there are `rows`.

    Its number is that of the owner times the rows, and the row: a place among all that there are.
    """

    owner: Expr | None
    key: Expr
    rows: int
    type: Type  # of the owner, where there is one
    span: Span


@frozen
class PiecesOf:
    """The pieces of a zone, read at this moment (a grid: in the order of its cells)."""

    zone: Expr
    type: Type
    span: Span


@frozen
class Narrow:
    """The pieces of a list that are of these kinds."""

    of: Expr
    kinds: tuple[str, ...]
    type: Type
    span: Span


@frozen
class VariableOf:
    variable: int
    owner: Expr | None
    type: Type
    span: Span


@frozen
class Primitive:
    """A primitive function, on its arguments in order."""

    name: str
    arguments: tuple[Expr, ...]
    type: Type
    span: Span


@frozen
class Gather:
    """`[x in S where P: E]`"""

    slot: int
    source: Expr
    where: Expr | None
    body: Expr | None
    type: Type
    span: Span


@frozen
class Keyed:
    """`most`, `fewest`, `falling`, `rising`: the elements of S where P, by the key E."""

    name: str
    slot: int
    source: Expr
    where: Expr | None
    key: Expr
    type: Type
    span: Span


@frozen
class Apply:
    """A call of a definition. `me` is handed on."""

    define: int
    arguments: tuple[Expr, ...]
    type: Type
    span: Span


@frozen
class Target:
    """A rule to call: one rule, or the member of a family that a key picks (`members` by key number)."""

    rule: int
    key: Expr | None
    members: tuple[int, ...]


@frozen
class Can:
    """Whether a call would find an answer to every question before its first effect."""

    target: Target
    arguments: tuple[Expr, ...]
    type: Type
    span: Span


@frozen
class Would:
    """The value of an expression in the position after a call, which is run on a copy. It neither asks nor rolls."""

    target: Target
    arguments: tuple[Expr, ...]
    by: Expr | None
    value: Expr
    type: Type
    span: Span


Expr = (
    Const
    | FigureRef
    | Local
    | ListOf
    | RangeOf
    | Binary
    | Not
    | Conditional
    | Field
    | Cell
    | Lookup
    | ZoneOf
    | OfRow
    | PiecesOf
    | Narrow
    | VariableOf
    | Primitive
    | Gather
    | Keyed
    | Apply
    | Can
    | Would
)

# ----------------------------------------------------------------- statements


@frozen
class Question:
    """One question. `mode` is one, count, some or minimal. `item` is the slot in which the `where` of a single
    choice sees the candidate (it is `slot`); for a set, `where` sees the whole set in `slot`."""

    mode: str
    low: Expr | None
    high: Expr | None
    slot: int
    name: str
    source: Expr
    where: Expr | None
    by: Expr | None
    may: bool
    type: Type  # of what is bound
    span: Span

    @property
    def yes_no(self) -> bool:
        """Whether it is answered with yes or no: `may x: ...`."""
        return self.may and isinstance(self.source, Const) and self.source.value == (True,)


@frozen
class Choose:
    """Questions in order, then the body; `otherwise` when nothing can be chosen or it was declined.
    `otherwise` is None where the rules name no way out: then finding no option is an error in the rules."""

    questions: tuple[Question, ...]
    body: tuple[Stmt, ...]
    otherwise: tuple[Stmt, ...] | None
    span: Span


@frozen
class Roll:
    """Chance picks one (`count` is None) or several, each on its own, from the source where P; only `by` learns it."""

    count: Expr | None
    slot: int
    name: str
    source: Expr
    where: Expr | None
    type: Type
    span: Span
    by: Expr | None = None


@frozen
class Require:
    test: Expr
    span: Span


@frozen
class Let:
    slot: int
    value: Expr
    span: Span


@frozen
class Each:
    """`for x in S where P` behind an effect: it is read for each of them, and then happens for all."""

    slot: int
    source: Expr
    where: Expr | None
    span: Span


@frozen
class Move:
    """Each pair: a piece or a list of pieces, and a zone or a cell. All operands are read before it acts."""

    pairs: tuple[tuple[Expr, Expr], ...]
    span: Span
    each: Each | None = None


@frozen
class Swap:
    pairs: tuple[tuple[Expr, Expr], ...]
    span: Span
    each: Each | None = None


@frozen
class Shuffle:
    zones: tuple[Expr, ...]
    span: Span


@frozen
class Show:
    """Each pair: a piece or a list of pieces, and the players who know from then on which these are."""

    pairs: tuple[tuple[Expr, Expr], ...]
    span: Span


@frozen
class Say:
    """Something is said, and nothing changes: its name, the names in it with their values, to whom (None: all)."""

    name: str
    values: tuple[tuple[str, Expr], ...]
    to: Expr | None
    span: Span


@frozen
class Change:
    """`verb` is set, add or take; each: variable number, owner or None, value."""

    verb: str
    changes: tuple[tuple[int, Expr | None, Expr], ...]
    span: Span
    each: Each | None = None


@frozen
class Do:
    """A call. `slot` takes the value that the rule gives, of the type `gives`; -1: nobody takes it."""

    target: Target
    arguments: tuple[Expr, ...]
    by: Expr | None
    span: Span
    slot: int = -1
    gives: Type | None = None


@frozen
class Finish:
    winners: Expr
    span: Span


@frozen
class Give:
    """The rule ends, and this is its value."""

    value: Expr
    span: Span


@frozen
class If:
    test: Expr
    then: tuple[Stmt, ...]
    otherwise: tuple[Stmt, ...]
    span: Span


@frozen
class For:
    """`slot` is 0 for `for me in`. Two more slots hold the list and the place in it; a third, the old `me`."""

    slot: int
    source: Expr
    where: Expr | None
    body: tuple[Stmt, ...]
    list_slot: int
    place_slot: int
    keep_slot: int
    span: Span


@frozen
class Together:
    """All of the source answer the questions of the body in secret, then its effects run seat by seat."""

    slot: int
    source: Expr
    where: Expr | None
    body: tuple[Stmt, ...]
    seats_slot: int
    place_slot: int
    answers_slot: int
    keep_slot: int
    span: Span


@frozen
class Repeat:
    count: Expr
    where: Expr | None
    body: tuple[Stmt, ...]
    count_slot: int
    span: Span


@frozen
class Stop:
    span: Span


@frozen
class Ensure:
    """A law tested at a step: made from an invariant that hangs on a rule. `kept` are slots of the law that hold
    what an expression was when the call began (`was`)."""

    invariant: str
    test: Expr
    span: Span
    kept: tuple[tuple[int, Expr], ...] = ()


Stmt = (
    Choose | Roll | Require | Let | Move | Swap | Shuffle | Show | Say | Change | Do | Finish | Give | If | For
    | Together | Repeat | Stop | Ensure
)  # fmt: skip

# -------------------------------------------------------------------- program


@frozen
class Define:
    """Slot 0 is `me`, then the parameters."""

    address: str
    parameters: int
    slots: int
    value: Expr
    type: Type
    cites: tuple[Cite, ...]
    span: Span
    recursive: bool = False  # it calls itself, with a number that is proven to fall


@frozen
class HookRef:
    """A rule (or law) that hangs on another. Its slots begin like the target's: `me`, then the parameters.
    For a rule `rule` is its number; for a law `rule` is -1 and `law` its test."""

    when: str
    rule: int
    where: Expr | None  # in slots of the hook's own frame
    law: Ensure | None
    slots: int
    span: Span
    kept: tuple[tuple[int, Expr], ...] = ()  # of a rule: its slots behind the parameters, what they held at the start
    key: Expr | None = None  # of one that hangs on a whole family: the key of this member, in the slot after the others


@frozen
class Rule:
    """Slot 0 is `me`, then the parameters. An event has an empty body. `lasts`: variables reset when it begins."""

    address: str  # `deal`, `action.draw`
    name: str
    key: str
    parameters: tuple[tuple[str, Type], ...]
    slots: int
    slot_names: Mapping[int, tuple[str, Type]]  # bound names that labels may show
    body: tuple[Stmt, ...]
    event: bool
    hooked: bool  # true: it hangs on another rule
    hooks: tuple[HookRef, ...]  # what hangs on it: file order, then overlay order
    lasts: tuple[int, ...]
    cites: tuple[Cite, ...]
    span: Span
    gives: Type | None = None  # the type of its value, if it gives one
    past: tuple[Type, ...] = ()  # what it is handed over behind its parameters, if it hangs on another (`was`)

    @property
    def given(self) -> int:
        """How many values it is called with."""
        return len(self.parameters) + len(self.past)


@frozen
class Family:
    """A family of rules: its keys in order of definition, the rule of each."""

    name: str
    keys: tuple[str, ...]
    rules: tuple[int, ...]
    table: str  # the table whose rows the keys are, or ""


@frozen
class Score:
    name: str
    slots: int
    value: Expr
    cites: tuple[Cite, ...]
    span: Span


@frozen
class Invariant:
    """A law. That of an ending has the winners in slot 1."""

    name: str
    slots: int
    test: Expr
    cites: tuple[Cite, ...]
    span: Span


@frozen
class Program:
    unit: int
    defines: tuple[Define, ...]
    rules: tuple[Rule, ...]
    families: Mapping[str, Family]
    scores: tuple[Score, ...]
    invariants: tuple[Invariant, ...]
    start: int  # the rule `play`
    endings: tuple[Invariant, ...] = ()  # laws that are tested when the game is over
