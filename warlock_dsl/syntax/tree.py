"""The syntax tree of a `.warlock` file: frozen values with spans, as written, nothing resolved."""

from __future__ import annotations

from fractions import Fraction

from attrs import frozen

from warlock_dsl.diagnostics.diagnostic import Span

# ---------------------------------------------------------------- expressions


@frozen
class Number:
    value: Fraction
    span: Span


@frozen
class Truth:
    value: bool
    span: Span


@frozen
class Name:
    """A bare word. `me` and `my` are names too."""

    text: str
    span: Span


@frozen
class Attribute:
    """`x.y`"""

    of: Expression
    name: str
    name_span: Span
    span: Span


@frozen
class Index:
    """`T[k]`, `M[a, b]`"""

    of: Expression
    keys: tuple[Expression, ...]
    span: Span


@frozen
class Call:
    """`f(a)`, or `f[k](a)` for a member of a family."""

    name: Name
    key: Expression | None
    arguments: tuple[Expression, ...]
    span: Span


@frozen
class Binder:
    """`x in S where P`"""

    name: Name
    source: Expression
    where: Expression | None
    span: Span


@frozen
class Fold:
    """`f(x in S where P: E)`"""

    name: Name
    binder: Binder
    body: Expression | None
    span: Span


@frozen
class Listing:
    """`[a, b]`"""

    items: tuple[Expression, ...]
    span: Span


@frozen
class Comprehension:
    """`[x in S where P: E]`"""

    binder: Binder
    body: Expression | None
    span: Span


@frozen
class Range:
    """`a..b`"""

    low: Expression
    high: Expression
    span: Span


@frozen
class Binary:
    """`op` is one of: + - * < <= > >= is has and or; `a is not b` is a `Not` of an `is`."""

    op: str
    left: Expression
    right: Expression
    span: Span


@frozen
class Not:
    of: Expression
    span: Span


@frozen
class Conditional:
    """`if P then A else B`"""

    test: Expression
    then: Expression
    otherwise: Expression
    span: Span


@frozen
class Can:
    """`can f(a)`: the guard of a rule, by name."""

    call: Call
    span: Span


@frozen
class Would:
    """`would f(a) by p: E`: what E is in the position after a rule has run."""

    call: Call
    by: Expression | None
    value: Expression
    span: Span


Expression = (
    Number
    | Truth
    | Name
    | Attribute
    | Index
    | Call
    | Fold
    | Listing
    | Comprehension
    | Range
    | Binary
    | Not
    | Conditional
    | Can
    | Would
)

# ----------------------------------------------------------------- statements


@frozen
class Ask:
    """One question of a `choose`: `[count] name in source [where P] [by p]`.

    `mode` is "one", "count" (low and high given; equal when one number was written), "some" or "minimal".
    """

    mode: str
    low: Expression | None
    high: Expression | None
    name: Name
    source: Expression
    where: Expression | None
    by: Expression | None
    span: Span


@frozen
class Block:
    statements: tuple[Statement, ...]
    span: Span


@frozen
class Choose:
    """`[may] choose a in A, b in B [: block] [else: block]`. `else if` is an `otherwise` that holds one `If`."""

    may: bool
    asks: tuple[Ask, ...]
    body: Block | None
    otherwise: Block | None
    span: Span


@frozen
class Roll:
    """`roll [n] x in S [where P] [by p]`: chance picks, and only p learns it."""

    count: Expression | None
    name: Name
    source: Expression
    where: Expression | None
    by: Expression | None
    span: Span


@frozen
class Require:
    tests: tuple[Expression, ...]
    span: Span


@frozen
class Let:
    """`let x = E`, or `let x = f(a) by p` of a rule that gives a value."""

    name: Name
    value: Expression
    span: Span
    by: Expression | None = None


@frozen
class Pair:
    """One operand pair of a simple statement: what and to where, target and value, amount and target."""

    left: Expression
    right: Expression
    span: Span


@frozen
class Move:
    """`move X to Z, X to Z`: left is what, right is where."""

    pairs: tuple[Pair, ...]
    span: Span
    each: Binder | None = None  # for all of these at once


@frozen
class Swap:
    """`swap X with Y`"""

    pairs: tuple[Pair, ...]
    span: Span
    each: Binder | None = None  # for all of these at once


@frozen
class Shuffle:
    zones: tuple[Expression, ...]
    span: Span


@frozen
class Show:
    """`show X to P`: left is what, right is who."""

    pairs: tuple[Pair, ...]
    span: Span


@frozen
class Say:
    """`say NAME(x, y) to P`"""

    name: Name
    values: tuple[Name, ...]
    to: Expression | None
    span: Span


@frozen
class Assign:
    """`set V to E` (left V, right E), `add E to V`, `take E from V` (left E, right V). `verb` is set, add or take."""

    verb: str
    pairs: tuple[Pair, ...]
    span: Span
    each: Binder | None = None  # for all of these at once


@frozen
class Do:
    """A call as a statement: `f(a) [by p]`."""

    call: Call
    by: Expression | None
    span: Span


@frozen
class Finish:
    winners: Expression
    span: Span


@frozen
class May:
    """`may x [by p]: ... else: ...`: a question that is answered with yes or no. `asked` is the place of its head."""

    name: Name
    by: Expression | None
    body: Block
    otherwise: Block | None
    asked: Span
    span: Span


@frozen
class If:
    """`if P: ... else: ...`; `else if` nests as an otherwise-block of one `If`."""

    test: Expression
    then: Block
    otherwise: Block | None
    span: Span


@frozen
class For:
    binder: Binder
    body: Block
    span: Span


@frozen
class Together:
    binder: Binder
    body: Block
    span: Span


@frozen
class Repeat:
    count: Expression
    where: Expression | None
    body: Block
    span: Span


@frozen
class Give:
    """`give E`: the rule ends here, and E is its value."""

    value: Expression
    span: Span


@frozen
class Stop:
    span: Span


@frozen
class Pass:
    span: Span


Statement = (
    Choose
    | May
    | Roll
    | Require
    | Let
    | Move
    | Swap
    | Shuffle
    | Show
    | Say
    | Assign
    | Do
    | Finish
    | Give
    | If
    | For
    | Together
    | Repeat
    | Stop
    | Pass
)

# --------------------------------------------------------------- declarations


@frozen
class Mark:
    """`@printed "ids: remark"`: standing (or `against`) and source of the declaration below."""

    standing: str
    text: str
    span: Span


@frozen
class TypeName:
    """A type as written: `number`, `card`, `[colour]`. `items` is the element of a list type."""

    text: str
    items: TypeName | None
    span: Span


@frozen
class Parameter:
    name: Name
    type: TypeName
    span: Span


@frozen
class Define:
    name: Name
    parameters: tuple[Parameter, ...]
    value: Expression
    marks: tuple[Mark, ...]
    span: Span


@frozen
class Every:
    """`k in T` of a hook on a whole family: the name of the key, and the table that has the keys."""

    name: Name
    source: Name
    span: Span


@frozen
class Hook:
    """`after g(x) where P`; `when` is before, after or instead. The names bind the parameters of the target.
    With `every` it hangs on all members of a family."""

    when: str
    target: Name
    key: Name | None
    names: tuple[Name, ...]
    where: Expression | None
    span: Span
    every: Every | None = None

    @property
    def bound(self) -> tuple[Name, ...]:
        """Every name it binds: those of the parameters, then that of the key."""
        return self.names if self.every is None else (*self.names, self.every.name)


@frozen
class Rule:
    """`rule f[k](x: T) after g(y) where P: ...`; without a body and a hook it is an event."""

    name: Name
    key: Name | None
    parameters: tuple[Parameter, ...]
    hook: Hook | None
    body: Block | None
    marks: tuple[Mark, ...]
    span: Span


@frozen
class Score:
    name: Name
    value: Expression
    marks: tuple[Mark, ...]
    span: Span


@frozen
class Invariant:
    """Without a hook: true at every decision. With one (before or after a rule): true at that step."""

    name: Name
    hook: Hook | None
    value: Expression
    marks: tuple[Mark, ...]
    span: Span


@frozen
class Other:
    """The other stack of a relation: this one `with` an overlay and its settings, or `without` it."""

    word: str
    name: Name
    settings: tuple[tuple[Name, str], ...]
    span: Span

    @property
    def use(self) -> str:
        """The overlay as the name of a stack writes it."""
        inside = ",".join(f"{name.text}={value}" for name, value in self.settings)
        return f"{self.name.text}({inside})" if inside else self.name.text


@frozen
class Property:
    """What games show and no single position does: `kind` is sometimes, share or relation. A share has its `bounds` in
    percent; a relation has the `other` stack, and its value compares something with what it is `there`."""

    kind: str
    name: Name
    hook: Hook | None
    bounds: tuple[int, int]
    other: Other | None
    value: Expression
    marks: tuple[Mark, ...]
    span: Span


@frozen
class Reveals:
    """`reveals f[k]: place, place`: what a rule makes everybody see, in which zones and variables."""

    name: Name
    key: Name | None
    places: tuple[Name, ...]
    marks: tuple[Mark, ...]
    span: Span


Declaration = Define | Rule | Score | Invariant | Property | Reveals


@frozen
class Comment:
    """A comment with its place; `text` begins with the number sign."""

    text: str
    line: int
    column: int


@frozen
class Module:
    """One file: its declarations in order and its comments, for the formatter."""

    file: str
    declarations: tuple[Declaration, ...]
    comments: tuple[Comment, ...]
