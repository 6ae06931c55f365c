"""The names of a game: what the tables and the rules declare, and what is bound at the place of an expression."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from attrs import define, evolve, field, frozen

from warlock_dsl.check import program as checked
from warlock_dsl.diagnostics.diagnostic import Span
from warlock_dsl.files import STANDARD
from warlock_dsl.primitives import FUNCTION_NAMES, KEYED_NAMES, VALUE_NAMES
from warlock_dsl.syntax import tree as syntax
from warlock_dsl.tables.components import Components, Variable, Zone
from warlock_dsl.types import PLAYER, KeyType, RowType, Type

# ------------------------------------------------------------- what is bound


@frozen
class Bound:
    """A local name: its slot, its type, where it was bound."""

    slot: int
    type: Type
    span: Span


@define
class Frame:
    """The slots of one rule or definition, handed out one after another; slot 0 is `me`."""

    slots: int = 1
    names: dict[int, tuple[str, Type]] = field(factory=dict)
    bound: dict[str, Span] = field(factory=dict)  # every name that some place of it binds, and where it did last

    def new_slot(self) -> int:
        self.slots += 1
        return self.slots - 1


@frozen
class Past:
    """What an invariant or a rule that hangs after a rule reads of the moment when that rule began."""

    parameters: int  # of the rule: what `was` may speak of, beside `me`
    kept: list[tuple[int, checked.Expr]] = field(factory=list)  # by slot of what hangs on it
    places: dict[Span, int] = field(factory=dict)  # of a rule that hangs: the slot of each `was`, behind its parameters

    @property
    def in_order(self) -> tuple[tuple[int, checked.Expr], ...]:
        """What a rule is handed over, in the order of its slots."""
        return tuple(sorted(dict(self.kept).items()))


@define
class Giving:
    """What a rule gives: the type, as far as it is known, and the types of all its `give`."""

    type: Type | None = None
    found: list[Type] = field(factory=list)
    settled: bool = False  # the type is known, and everything given must fit it


@frozen
class Scope:
    """What is bound at one place. `me` is false where nobody acts; `loop` is true inside a loop."""

    frame: Frame
    names: Mapping[str, Bound]
    me: bool = True
    loop: bool = False
    depth: int = 0  # blocks around this place
    past: Past | None = None  # where `was` is allowed
    in_was: bool = False
    giving: Giving | None = None  # of the rule, if it gives a value
    no_giving: str = ""  # why nothing can be given here
    other_me: bool = False  # where `me` may be another player than when the rule began

    def bound(self, name: str, type_: Type, span: Span, *, shown: bool) -> Scope:
        """This scope with one more name in a slot of its own. A shown name may stand in labels."""
        slot = self.frame.new_slot()
        self.frame.bound[name] = span
        if shown:
            self.frame.names[slot] = (name, type_)
        return evolve(self, names={**self.names, name: Bound(slot, type_, span)})

    def looping(self) -> Scope:
        return evolve(self, loop=True)


def new_scope(*, me: bool = True) -> Scope:
    """The empty scope of a new frame."""
    frame = Frame()
    frame.names[0] = ("me", PLAYER)
    return Scope(frame, {}, me)


# --------------------------------------------------------- what is declared


@define(eq=False)
class DefineEntry:
    """A definition; once it is typed, what was made of it. One that needs itself is never made."""

    number: int
    node: syntax.Define
    parameters: tuple[tuple[str, Type], ...] = ()
    made: checked.Define | None = None


@define(eq=False)
class RuleEntry:
    """A rule: plain, a member of a family, or one that hangs on another."""

    number: int
    node: syntax.Rule
    parameters: tuple[tuple[str, Type], ...] = ()
    settled: bool = False  # its parameters are known
    target: RuleEntry | None = None
    where: checked.Expr | None = None
    frame: Frame | None = None
    past: Past | None = None  # what it reads of the moment when its target began
    giving: Giving | None = None  # if it gives a value

    @property
    def address(self) -> str:
        return address(self.node.name.text, self.node.key)

    @property
    def hooked(self) -> bool:
        return self.node.hook is not None


@define(eq=False)
class FamilyEntry:
    """A family of rules: its callable members by key, in order of definition; the table that has the keys, if any."""

    name: str
    span: Span
    members: dict[str, RuleEntry] = field(factory=dict)
    table: str = ""

    @property
    def key_type(self) -> Type:
        return RowType(self.table) if self.table else KeyType(self.name)


def address(name: str, key: syntax.Name | None) -> str:
    return name if key is None else f"{name}.{key.text}"


@define
class Names:
    """Every name of a game, by what it stands for."""

    components: Components
    defines: dict[str, DefineEntry] = field(factory=dict)
    rules: dict[str, RuleEntry] = field(factory=dict)  # by address, in the order of the files; members of families too
    rule_names: dict[str, RuleEntry] = field(factory=dict)  # the first rule of each name
    families: dict[str, FamilyEntry] = field(factory=dict)
    scores: dict[str, syntax.Score] = field(factory=dict)
    invariants: dict[str, syntax.Invariant] = field(factory=dict)
    properties: dict[str, syntax.Property] = field(factory=dict)
    groups: dict[str, Span] = field(factory=dict)
    rows: dict[str, list[str]] = field(factory=dict)  # the tables that have a row of this name
    regions: dict[str, list[str]] = field(factory=dict)  # the grids that have a region of this name

    def game_variable(self, name: str) -> Variable | None:
        return self.components.variables.get(("", name))

    def table_zone(self, name: str) -> Zone | None:
        zone = self.components.zones.get(name)
        return zone if zone is not None and not zone.owner and not zone.by else None

    def declared(self, name: str) -> tuple[str, Span] | None:
        """What the rules declare under a name, and where."""
        if name in self.defines:
            return f"definition '{name}'", self.defines[name].node.name.span
        if name in self.families:
            return f"family '{name}'", self.families[name].span
        if name in self.rules:
            return f"rule '{name}'", self.rules[name].node.name.span
        return None

    def given(self, name: str) -> tuple[str, Span] | None:
        """What the tables declare under a bare name, and where."""
        parts = self.components
        variable, zone = self.game_variable(name), self.table_zone(name)
        if variable is not None:
            return f"variable '{name}'", variable.span
        if zone is not None:
            return f"zone '{name}'", zone.span
        for what, section in (("series", parts.series), ("matrix", parts.matrices), ("die", parts.dice)):
            if name in section:
                return f"{what} '{name}'", section[name].span
        if name in self.groups:
            return f"group of figures '{name}'", self.groups[name]
        if name in parts.tables:
            return f"table '{name}'", parts.tables[name].span
        if name in self.regions:
            grid = self.regions[name][0]
            return f"region '{name}' of grid '{grid}'", parts.grids[grid].span
        if name in self.rows:
            table = parts.tables[self.rows[name][0]]
            return f"row '{name}' of table '{table.name}'", table.row_spans[table.rows.index(name)]
        return None

    def word(self, name: str) -> str:
        """What the language itself means by a name, or nothing."""
        if name in VALUE_NAMES:
            return f"the word '{name}'"
        return f"the function '{name}'" if name in FUNCTION_NAMES or name in KEYED_NAMES else ""

    def bare(self) -> Iterator[str]:
        """Every name that may stand alone in an expression, locals aside."""
        parts = self.components
        yield from VALUE_NAMES
        yield from (name for name, entry in self.defines.items() if not entry.node.parameters)
        yield from (name for owner, name in parts.variables if not owner)
        yield from (name for name, zone in parts.zones.items() if not zone.owner and not zone.by)
        yield from parts.dice
        yield from parts.tables
        yield from self.regions
        yield from self.families
        yield from self.rows

    def indexed(self) -> Iterator[str]:
        """Names that only stand before a bracket or a dot."""
        yield from self.components.series
        yield from self.components.matrices
        yield from self.groups

    def callable_rules(self) -> Iterator[str]:
        for name, entry in self.rules.items():
            if not entry.hooked and entry.node.key is None:
                yield name
        yield from self.families


def names_of(components: Components) -> Names:
    """The names the tables give; the declarations of the rules are added as they are read."""
    names = Names(components)
    for (group, _), figure in components.figures.items():
        names.groups.setdefault(group, figure.span)
    for table in components.tables.values():
        for row in table.rows:
            names.rows.setdefault(row, []).append(table.name)
    for grid in components.grids.values():
        for region in grid.regions:
            names.regions.setdefault(region, []).append(grid.name)
    return names


def in_library(span: Span) -> bool:
    """Whether a place is in the standard library, which offers more than one game uses."""
    return span.file.startswith(f"{STANDARD}/")


def listed(names: Sequence[str]) -> str:
    """Names in a sentence: `a`, `b` and `c`."""
    quoted = [f"'{name}'" for name in names]
    return quoted[0] if len(quoted) == 1 else ", ".join(quoted[:-1]) + " and " + quoted[-1]
