"""Bounds of an expression without playing: where its pieces may lie, whose they are, how large its numbers can get.

An `Estimate` of None knows nothing, and whoever asks is to keep quiet then.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

from attrs import define, evolve, field, frozen

from warlock_dsl.check import program as checked
from warlock_dsl.check.nonempty import Shape, full, gives, shape
from warlock_dsl.primitives import assumed
from warlock_dsl.tables.components import Components, Value, Variable, Zone
from warlock_dsl.types import ListType, NumberType, PieceType, PlayerType, RowType, Type

MAX_NESTED = 80  # expressions within one another, through definitions; nothing is known of what is deeper


@frozen
class Who:
    """A player: the slot that means it, and whether it is who acts: "me", "other", "any" of all, or "" (unknown)."""

    slot: int | None = None
    is_: str = ""


UNKNOWN_WHO = Who()
ME = Who(0, "me")


@frozen
class Place:
    """A zone, and whose."""

    zone: int
    owner: Who = UNKNOWN_WHO


@frozen(cache_hash=True)
class Estimate:
    """What is known of a value. Of a list: of each of its elements; `length` is how many it has at most.

    `places` are those of a piece, a zone or a cell; `low` and `high` are counted in the smallest unit.
    """

    places: frozenset[Place] | None = None
    who: Who = UNKNOWN_WHO
    low: int | None = None
    high: int | None = None
    length: int | None = None

    def at(self, places: frozenset[Place] | None) -> Estimate:
        """The same in other places."""
        return Estimate(places, self.who, self.low, self.high, self.length)

    def of_player(self, who: Who) -> Estimate:
        """The same, said of another player."""
        return Estimate(self.places, who, self.low, self.high, self.length)

    def either(self, other: Estimate) -> Estimate:
        """One of the two."""
        known = self.places is not None and other.places is not None
        return Estimate(
            (self.places or frozenset()) | (other.places or frozenset()) if known else None,
            self.who if self.who == other.who else Who(None, self.who.is_ if self.who.is_ == other.who.is_ else ""),
            None if self.low is None or other.low is None else min(self.low, other.low),
            None if self.high is None or other.high is None else max(self.high, other.high),
            None if self.length is None or other.length is None else max(self.length, other.length),
        )


NOTHING_KNOWN = Estimate()


@frozen
class Env:
    """What is known at one place of a rule: of every slot, and upper bounds of what a test compared."""

    slots: Mapping[int, Estimate] = field(factory=lambda: {0: Estimate(who=ME)})
    bounds: Mapping[Shape, int] = field(factory=dict)

    def bind(self, slot: int, found: Estimate) -> Env:
        return Env({**self.slots, slot: found}, self.bounds)

    def join(self, other: Env) -> Env:
        """After one of two ways."""
        both = self.slots.keys() & other.slots.keys()
        slots = {slot: self.slots[slot].either(other.slots[slot]) for slot in both}
        bounds = {one: max(high, other.bounds[one]) for one, high in self.bounds.items() if one in other.bounds}
        return Env(slots, bounds)


def named(found: Estimate, slot: int, type_: Type) -> Estimate:
    """The value of a name: a player who is known by no other name is known by this one."""
    if isinstance(type_, PlayerType) and found.who.slot is None:
        return found.of_player(Who(slot, found.who.is_))
    return found


def element(found: Estimate, slot: int, source: Type) -> Estimate:
    """One element of a list."""
    item = source.item if isinstance(source, ListType) else None
    inner = Estimate(found.places, found.who, found.low, found.high, 1 if isinstance(item, PieceType) else None)
    return named(inner, slot, item) if item is not None else inner


@define
class Estimator:
    """Estimates expressions of one program."""

    program: checked.Program
    components: Components
    zones: Mapping[int, Zone] = field(init=False)
    variables: Mapping[int, Variable] = field(init=False)
    limits: Mapping[int, int] = field(init=False)  # by zone: how many pieces an invariant lets it hold
    _depth: int = 0
    _applied: dict[tuple[int, Estimate, tuple[Estimate, ...]], Estimate] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        self.zones = {zone.number: zone for zone in self.components.zones.values()}
        self.variables = {one.number: one for one in self.components.variables.values()}
        self.limits = {}
        for law in self.program.invariants:
            self.limits |= self.limited(law.test)

    def limited(self, law: checked.Expr) -> dict[int, int]:
        """The zone that a law limits, as in `all(p in players: count(p.hand) <= 7)`, and to how many."""
        match law:
            case checked.Primitive(arguments=(checked.Gather(where=None, body=inner, source=source),)):
                everybody = isinstance(source, checked.Primitive) and not source.arguments and full(frozenset(), source)
                return self.limited(inner) if inner is not None and everybody and gives(law, "every") else {}
            case checked.Binary(op="<=", left=checked.Primitive(arguments=(checked.PiecesOf(zone=zone),)) as count):
                high = self.of(law.right, Env()).high
                if not isinstance(zone, checked.ZoneOf) or isinstance(zone.owner, checked.OfRow):
                    return {}  # of one row alone
                if gives(count, "length") and high is not None:
                    return {zone.zone: high // self.program.unit}
        return {}

    def of(self, node: checked.Expr, env: Env) -> Estimate:
        if self._depth > MAX_NESTED:
            return NOTHING_KNOWN
        self._depth += 1
        found = self._of(node, env)
        self._depth -= 1
        bound = env.bounds.get(shape(node)) if env.bounds and isinstance(node.type, NumberType) else None
        if bound is not None and (found.high is None or bound < found.high):
            return evolve(found, high=bound)
        return found

    def _of(self, node: checked.Expr, env: Env) -> Estimate:
        match node:
            case checked.Local():
                return env.slots.get(node.slot, NOTHING_KNOWN)
            case checked.Const():
                return self.constant(node.value, node.type)
            case checked.FigureRef():
                return self.figure(node)
            case checked.Binary():
                return self.binary(node, env)
            case checked.Conditional():
                one = self.of(node.then, self.given(node.test, True, env))
                return one.either(self.of(node.otherwise, self.given(node.test, False, env)))
            case checked.Field():
                kinds = node.of.type.kinds if isinstance(node.of.type, PieceType) else ()
                columns = [self.components.kinds[kind].fields[node.name].values for kind in kinds]
                return self.values([value for column in columns for value in column], node.type)
            case checked.Cell():
                values = self.components.tables[node.table].columns[node.column].values
                row = node.of.value if isinstance(node.of, checked.Const) else None
                return self.values(values if not isinstance(row, int) else values[row : row + 1], node.type)
            case checked.Lookup():
                return self.lookup(node, env)
            case checked.VariableOf():
                return self.variable(node)
            case checked.Apply():
                return self.apply(node, env)
            case checked.Primitive():
                return self.primitive(node, env)
            case _:
                return self.listed(node, env)

    def listed(self, node: checked.Expr, env: Env) -> Estimate:
        """Zones, and lists that are made in place."""
        match node:
            case checked.ListOf():
                items = [self.of(item, env) for item in node.items]
                return evolve(_any_of(items), length=len(items))
            case checked.RangeOf():
                low, high = self.of(node.low, env).low, self.of(node.high, env).high
                known = None if low is None or high is None else max(0, (high - low) // self.program.unit + 1)
                return Estimate(low=low, high=high, length=known)
            case checked.ZoneOf():
                return self.zone(node, env)
            case checked.OfRow():
                return NOTHING_KNOWN if node.owner is None else self.of(node.owner, env)
            case checked.PiecesOf():
                return self.of(node.zone, env)
            case checked.Narrow():
                return self.narrow(node, env)
            case checked.Gather() | checked.Keyed():
                if isinstance(node, checked.Keyed) and not assumed(node.name).selects:
                    return Estimate(length=self.values_of(node.type, None))
                source = self.of(node.source, env)
                inside = self.inside(node, env)
                if isinstance(node, checked.Keyed) or node.body is None:
                    kept = inside.slots[node.slot]
                    return evolve(source, places=kept.places, who=Who(None, kept.who.is_), high=kept.high, low=kept.low)
                body = self.of(node.body, inside)
                return evolve(body, who=Who(None, body.who.is_), length=source.length)
            case _:
                return NOTHING_KNOWN

    def inside(self, node: checked.Gather | checked.Keyed, env: Env) -> Env:
        """What is known of an element, where the condition holds; nothing of one that is found on the way."""
        if isinstance(node, checked.Keyed) and not assumed(node.name).selects:
            return env.bind(node.slot, NOTHING_KNOWN)
        bound = env.bind(node.slot, element(self.of(node.source, env), node.slot, node.source.type))
        return bound if node.where is None else self.given(node.where, True, bound)

    # ------------------------------------------------------------ values of the tables

    def constant(self, value: checked.Constant, type_: Type) -> Estimate:
        if isinstance(value, tuple):
            numbers = [item for item in value if isinstance(item, int)] if _numbers(type_) else []
            low, high = (min(numbers), max(numbers)) if numbers else (None, None)
            return Estimate(low=low, high=high, length=len(value))
        return Estimate(low=value, high=value) if isinstance(type_, NumberType) else NOTHING_KNOWN

    def figure(self, node: checked.FigureRef) -> Estimate:
        """A figure may be changed within its range: a parameter by whoever asks for the overlay."""
        found = self.constant(node.value, node.type)
        figure = self.components.figures.get((node.group, node.name))
        if figure is None or figure.high is None or found.high is None:
            return found
        return evolve(found, high=max(found.high, self.scaled(figure.high)))

    def scaled(self, value: Fraction) -> int:
        return int(value * self.program.unit)

    def values(self, values: Iterable[Value], type_: Type) -> Estimate:
        if isinstance(type_, NumberType):
            numbers = [self.scaled(value) for value in values if isinstance(value, Fraction)]
            return Estimate(low=min(numbers), high=max(numbers)) if numbers else NOTHING_KNOWN
        if isinstance(type_, ListType):
            lists = [value for value in values if isinstance(value, tuple)]
            numbers = [self.scaled(item) for value in lists for item in value if isinstance(item, Fraction)]
            length = max((len(value) for value in lists), default=0)
            inner = Estimate(low=min(numbers), high=max(numbers)) if numbers and _numbers(type_) else NOTHING_KNOWN
            return evolve(inner, length=length)
        return NOTHING_KNOWN

    def variable(self, node: checked.VariableOf) -> Estimate:
        found = self.variables[node.variable]
        if found.high is None or found.low is None:
            return NOTHING_KNOWN
        return Estimate(low=self.scaled(found.low), high=self.scaled(found.high))

    def lookup(self, node: checked.Lookup, env: Env) -> Estimate:
        if node.what == "series":
            return self.values(self.components.series[node.name].values, node.type)
        if node.what == "cell" and node.of is not None:
            return Estimate(self.of(node.of, env).places)
        if node.what == "list" and node.of is not None:
            one = isinstance(node.type, PieceType)
            return evolve(self.of(node.of, env), length=1 if one else None)
        return NOTHING_KNOWN

    # ------------------------------------------------------------ zones and pieces

    def zone(self, node: checked.ZoneOf, env: Env) -> Estimate:
        owner = UNKNOWN_WHO if node.owner is None else self.of(node.owner, env).who
        if node.owner is not None and isinstance(node.owner.type, PieceType):
            owner = self.holder(self.of(node.owner, env))
        zone = self.zones[node.zone]
        length = self.count(zone.kinds)
        if zone.grid in self.components.grids and not self.components.grids[zone.grid].stacks:
            length = min(length, len(self.components.grids[zone.grid].cells))
        length = min(length, self.limits.get(node.zone, length))
        return Estimate(frozenset({Place(node.zone, owner)}), length=length)

    def holder(self, piece: Estimate) -> Who:
        """Whose zone a piece lies in, where all the zones it may lie in are one player's."""
        owners = {place.owner for place in piece.places or ()}
        return owners.pop() if len(owners) == 1 else UNKNOWN_WHO

    def count(self, kinds: Iterable[str]) -> int:
        """How many pieces there are of some kinds; of all, where none is named."""
        chosen = tuple(kinds) or tuple(self.components.kinds)
        return sum(len(self.components.kinds[kind].pieces) for kind in chosen)

    def narrow(self, node: checked.Narrow, env: Env) -> Estimate:
        found = self.of(node.of, env)
        places = found.places
        if places is not None:
            places = frozenset(one for one in places if set(node.kinds) & set(self.zones[one.zone].kinds))
        return evolve(found, places=places, length=_smaller(self.count(node.kinds), found.length))

    # ------------------------------------------------------------ operators, functions

    def binary(self, node: checked.Binary, env: Env) -> Estimate:
        one, other = self.of(node.left, env), self.of(node.right, env)
        match node.op:
            case "join":
                length = None if one.length is None or other.length is None else one.length + other.length
                if length is not None and isinstance(node.type, ListType) and isinstance(node.type.item, PieceType):
                    length = min(length, self.count(node.type.item.kinds))
                return evolve(one.either(other), length=length)
            case "without":
                return one
            case "+":
                return Estimate(low=_plus(one.low, other.low), high=_plus(one.high, other.high))
            case "-":
                low = None if other.high is None else -other.high
                high = None if other.low is None else -other.low
                return Estimate(low=_plus(one.low, low), high=_plus(one.high, high))
            case "*":
                return self.product(one, other)
            case _:
                return NOTHING_KNOWN

    def product(self, one: Estimate, other: Estimate) -> Estimate:
        if one.low is None or one.high is None or other.low is None or other.high is None:
            return NOTHING_KNOWN
        ends = [a * b // self.program.unit for a in (one.low, one.high) for b in (other.low, other.high)]
        return Estimate(low=min(ends), high=max(ends))

    def apply(self, node: checked.Apply, env: Env) -> Estimate:
        if self.program.defines[node.define].recursive:
            return NOTHING_KNOWN
        arguments = tuple(self.of(argument, env) for argument in node.arguments)
        me = env.slots.get(0, NOTHING_KNOWN)
        key = (node.define, me, arguments)
        if key not in self._applied:
            self._applied[key] = NOTHING_KNOWN
            value = self.program.defines[node.define].value
            self._applied[key] = self.of(value, Env({0: me, **dict(enumerate(arguments, start=1))}))
        return self._applied[key]

    def primitive(self, node: checked.Primitive, env: Env) -> Estimate:
        of = [self.of(argument, env) for argument in node.arguments]
        sure = assumed(node.name)
        match sure.result:
            case "length":
                length = of[0].length
                return Estimate(low=0, high=None if length is None else length * self.program.unit)
            case "sum":
                high, length = of[0].high, of[0].length
                return Estimate(high=None if high is None or length is None else max(0, high) * length)
            case "least":
                bounds = [one.high for one in of if one.high is not None]
                return Estimate(low=_least([one.low for one in of]), high=min(bounds) if bounds else None)
            case "greatest":
                highs = [one.high for one in of]
                return Estimate(high=None if None in highs else max(high for high in highs if high is not None))
            case "element":
                one = of[0] if len(of) < 2 else of[0].either(of[1])
                return evolve(one, length=1 if isinstance(node.type, PieceType) else None)
            case "joined":
                item = node.type.item if isinstance(node.type, ListType) else None
                return evolve(of[0], length=self.count(item.kinds) if isinstance(item, PieceType) else None)
            case _:
                return self.others(node, of)

    def others(self, node: checked.Primitive, of: list[Estimate]) -> Estimate:
        """Functions by what their names mean; what they select keeps what is known of the list."""
        most = self.components.max_players
        match node.name:
            case "players" | "clockwise":
                return Estimate(who=Who(None, "any"), length=most)
            case "opponents":
                return Estimate(who=Who(None, "other"), length=most - 1)
            case "next" | "previous":
                beside = len(of) == 1 and of[0].who.is_ == "me" and self.components.min_players > 1
                return Estimate(who=Who(None, "other" if beside else ""))
            case "everywhere":
                return Estimate(frozenset(Place(number) for number in self.zones), length=self.count(()))
            case "owner_of":
                return Estimate(who=self.holder(of[0]))
            case "top":
                wanted = None if len(of) == 1 or of[1].high is None else of[1].high // self.program.unit
                return evolve(of[0], length=1 if len(of) == 1 else _smaller(wanted, of[0].length))
            case "free" | "cells" | "at" | "near" | "around" | "cell_of" | "groups" | "lines" | "step" | "ray":
                many = isinstance(node.type, ListType) and assumed(node.name).max_length(len(of)) in ("cells", "list")
                return Estimate(of[0].places, length=of[0].length if many else None)
            case "distinct":
                return evolve(of[0], length=self.values_of(node.type, of[0].length))
            case _:
                return of[0] if of and assumed(node.name).selects else NOTHING_KNOWN

    def values_of(self, type_: Type, length: int | None) -> int | None:
        """How many different values a list of this type has at most."""
        item = type_.item if isinstance(type_, ListType) else None
        most: int | None = None
        if isinstance(item, RowType):
            most = len(self.components.tables[item.table].rows)
        elif isinstance(item, PlayerType):
            most = self.components.max_players
        elif isinstance(item, PieceType):
            most = self.count(item.kinds)
        return _smaller(most, length)

    # ------------------------------------------------------------ what a test proves

    def given(self, test: checked.Expr, holds: bool, env: Env) -> Env:
        """What is known besides where a test holds, or does not."""
        match test:
            case checked.Not():
                return self.given(test.of, not holds, env)
            case checked.Binary(op="and" | "or"):
                if (test.op == "and") == holds:
                    return self.given(test.right, holds, self.given(test.left, holds, env))
                return env
            case checked.Binary(op="has", right=checked.Local(slot=slot)) if holds:
                places = self.of(test.left, env).places
                there = env.slots.get(slot, NOTHING_KNOWN)
                return env if places is None else env.bind(slot, evolve(there, places=places))
            case checked.Binary(op="is", left=checked.Local(slot=one), right=checked.Local(slot=other)) if not holds:
                return self.apart(one, other, env)
            case checked.Primitive(arguments=(checked.Gather() as some,)) if holds and gives(test, "nonempty"):
                inner = self.inside(some, env)  # what holds of an element holds of what it speaks of
                return Env({slot: one for slot, one in inner.slots.items() if slot in env.slots}, env.bounds)
            case checked.Binary(op="<" | "<=" | ">" | ">=" | "is"):
                return self.compared(test, holds, env)
            case _:
                return env

    def apart(self, one: int, other: int, env: Env) -> Env:
        """Two names that mean different players."""
        slot = one if other == 0 else other if one == 0 else 0
        if not slot or env.slots.get(slot, NOTHING_KNOWN).who.is_ != "any":
            return env
        return env.bind(slot, evolve(env.slots[slot], who=Who(slot, "other")))

    def compared(self, test: checked.Binary, holds: bool, env: Env) -> Env:
        opposite = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}
        op = test.op if holds else opposite.get(test.op, "")
        if op in (">", ">="):
            return self.at_most(test.right, self.of(test.left, env).high, op == ">", env)
        if op in ("<", "<=", "is"):
            env = self.at_most(test.left, self.of(test.right, env).high, op == "<", env)
        return self.at_most(test.right, self.of(test.left, env).high, False, env) if op == "is" else env

    def at_most(self, node: checked.Expr, high: int | None, less: bool, env: Env) -> Env:
        if high is None or not isinstance(node.type, NumberType):
            return env
        high -= 1 if less else 0
        there = env.bounds.get(shape(node))
        return evolve(env, bounds={**env.bounds, shape(node): high if there is None else min(there, high)})


def _any_of(found: list[Estimate]) -> Estimate:
    whole = found[0] if found else Estimate(frozenset())
    for one in found[1:]:
        whole = whole.either(one)
    return evolve(whole, who=Who(None, whole.who.is_))


def _numbers(type_: Type) -> bool:
    return isinstance(type_, ListType) and isinstance(type_.item, NumberType)


def _plus(one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else one + other


def _smaller(one: int | None, other: int | None) -> int | None:
    return other if one is None else one if other is None else min(one, other)


def _least(found: list[int | None]) -> int | None:
    known = [one for one in found if one is not None]
    return min(known) if len(known) == len(found) and known else None
