"""The intermediate form: a rule as blocks of straight steps, cut at every question, roll, call and loop.

A block either only reads (`acts` is False) or only acts. What a rule asks before its first acting block, loop or
roll is its opening: the machine runs it dry to find out whether a play can be completed.
"""

from __future__ import annotations

from collections.abc import Mapping

from attrs import frozen

from warlock_dsl import Span
from warlock_dsl.check import program as checked
from warlock_dsl.check.program import Expr
from warlock_dsl.types import Type

# -------------------------------------------------------- steps that only read


@frozen
class Bind:
    """Slot := value."""

    slot: int
    value: Expr
    span: Span


@frozen
class Clear:
    """Slot := nothing yet."""

    slot: int
    span: Span


@frozen
class Keep:
    """Slot := another slot."""

    slot: int
    other: int
    span: Span


@frozen
class Need:
    """`require`: outside the dry run an error, since nobody should have come here."""

    test: Expr
    span: Span


@frozen
class Enter:
    """Begin a loop: the list, filtered by nothing yet, and the place in it."""

    list_slot: int
    place_slot: int
    source: Expr
    span: Span


@frozen
class Times:
    """Begin a `repeat`: how often, as a plain integer."""

    slot: int
    count: Expr
    span: Span


# --------------------------------------------------------------- steps that act


@frozen
class MoveStep:
    """Each: what, where to, and whether that is a cell."""

    pairs: tuple[tuple[Expr, Expr, bool], ...]
    span: Span
    each: checked.Each | None = None  # for all of these at once


@frozen
class SwapStep:
    pairs: tuple[tuple[Expr, Expr], ...]
    span: Span
    each: checked.Each | None = None  # for all of these at once


@frozen
class ShuffleStep:
    zones: tuple[Expr, ...]
    span: Span


@frozen
class ShowStep:
    """Each: which pieces, and to whom."""

    pairs: tuple[tuple[Expr, Expr], ...]
    span: Span


@frozen
class SayStep:
    """Something is said. It changes nothing, but it cannot be taken back: so it acts."""

    say: checked.Say
    span: Span


@frozen
class ChangeStep:
    verb: str
    changes: tuple[tuple[int, Expr | None, Expr], ...]
    span: Span
    each: checked.Each | None = None  # for all of these at once


@frozen
class ResetStep:
    """The variables that last as long as this rule go back to their first value."""

    variables: tuple[int, ...]
    span: Span


@frozen
class LawStep:
    """An invariant that hangs on this place."""

    name: str
    where: Expr | None
    test: Expr
    span: Span


Reading = Bind | Clear | Keep | Need | Enter | Times | LawStep
Step = Reading | MoveStep | SwapStep | ShuffleStep | ShowStep | SayStep | ChangeStep | ResetStep

# ----------------------------------------------------------- how a block ends


@frozen
class Goto:
    to: int
    span: Span


@frozen
class Branch:
    test: Expr
    yes: int
    no: int
    span: Span


@frozen
class Ask:
    """A question. `then` with the answer bound; `otherwise` when there is none or it is declined (-1: an error).
    `known` are the slots whose names mean something there: those of a block that is left do not."""

    question: checked.Question
    then: int
    otherwise: int
    span: Span
    known: frozenset[int] = frozenset()


@frozen
class RollEnd:
    """Chance picks; `known` as of a question."""

    roll: checked.Roll
    then: int
    span: Span
    known: frozenset[int] = frozenset()


@frozen
class Call:
    target: checked.Target
    arguments: tuple[Expr, ...]
    by: Expr | None
    then: int
    span: Span


@frozen
class Instead:
    """The one `instead` whose condition holds is called, else the body runs. Two that hold are an error."""

    hooks: tuple[checked.HookRef, ...]
    parameters: int
    body: int
    then: int
    span: Span


@frozen
class NextOf:
    """The next turn of a `for`."""

    slot: int
    list_slot: int
    place_slot: int
    where: Expr | None
    body: int
    out: int
    span: Span


@frozen
class Again:
    """The next turn of a `repeat`."""

    slot: int
    where: Expr | None
    body: int
    out: int
    span: Span


@frozen
class Seats:
    """Secret answers of all seats, then the effects of each. `answers` holds the parked frames of each seat."""

    statement: checked.Together
    body: int
    out: int
    span: Span


@frozen
class FinishEnd:
    winners: Expr
    span: Span


@frozen
class Return:
    """Back to the caller, who is given the value in the slot `result`; -1: nothing is given."""

    span: Span
    result: int = -1


End = Goto | Branch | Ask | RollEnd | Call | Instead | NextOf | Again | Seats | FinishEnd | Return


@frozen
class Block:
    """`cost` is how many steps of work it counts as."""

    steps: tuple[Step, ...]
    acts: bool
    end: End
    cost: int


@frozen
class LoweredRule:
    """A rule, lowered."""

    rule: int
    address: str
    entry: int
    slots: int
    blocks: tuple[Block, ...]
    slot_types: Mapping[int, Type]  # what each slot that lives across a question holds
    names: Mapping[int, tuple[str, Type]]
    span: Span
    kept: frozenset[int] = frozenset()  # slots that only laws read: what something was when the rule began
    received: int = -1  # the slot in which a rule that it calls leaves what it gives
