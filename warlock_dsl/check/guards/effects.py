"""What rules read and touch, by zones and variables, and which of their effects the acting player cannot foresee."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from attrs import evolve, frozen

from warlock_dsl.check import program as checked
from warlock_dsl.check.rule_summary import called_by
from warlock_dsl.diagnostics.diagnostic import Span
from warlock_dsl.primitives import Reads, assumed
from warlock_dsl.sight import surely_sees
from warlock_dsl.syntax.walk import nodes
from warlock_dsl.tables.components import Components, Variable, Zone
from warlock_dsl.types import CellType, ZoneType, is_placed

Thing = tuple[str, int]  # ("zone", its number) or ("variable", its number)
EVERY_ZONE: Thing = ("zone", -1)
EVERYTHING: Thing = ("all", -1)
EVERY = frozenset({EVERYTHING})
ME = 0  # the slot of who acts
MAX_CALLS = 12  # calls within one another that are followed; beyond, anything may be touched

NO_ZONES: Mapping[int, frozenset[Thing]] = {}

Where = frozenset[tuple[int, bool]] | None  # zones, and whether it is the acting player's own; None: any of them


@frozen
class Effect:
    """One effect: where a rule has it or calls it, what it touches, and whether the acting player can foresee it."""

    span: Span
    touches: frozenset[Thing]
    foreseen: bool
    takes: frozenset[Thing] = frozenset()  # of these: what there may be less of after it, or another value
    gives: frozenset[Thing] = frozenset()  # of these: what there may be more of
    lands: frozenset[Thing] = frozenset()  # of a move: where everything that it moves comes to lie


@frozen
class Frame:
    """Where the values of a rule's slots come from, and whether who acts is still the same player."""

    slots: Mapping[int, Where]
    same_player: bool = True
    depth: int = 0

    def having(self, slot: int, where: Where) -> Frame:
        return evolve(self, slots={**self.slots, slot: where})


def overlap(one: frozenset[Thing], other: frozenset[Thing]) -> bool:
    """Whether two sets may have a thing in common."""
    if one & other or (EVERYTHING in one and other) or (EVERYTHING in other and one):
        return True
    return any(EVERY_ZONE in a and any(kind == "zone" for kind, _ in b) for a, b in ((one, other), (other, one)))


@frozen
class Effects:
    """A program with its tables, ready to be asked what its parts read and touch."""

    program: checked.Program
    components: Components

    @cached_property
    def zones(self) -> Mapping[int, Zone]:
        return {zone.number: zone for zone in self.components.zones.values()}

    @cached_property
    def variables(self) -> Mapping[int, Variable]:
        return {variable.number: variable for variable in self.components.variables.values()}

    @cached_property
    def moved_variables(self) -> frozenset[Thing]:
        """The variables that are reset when their piece is moved."""
        return frozenset(("variable", number) for number, one in self.variables.items() if one.lasts == "move")

    @cached_property
    def grid_zones(self) -> frozenset[Thing]:
        return frozenset(("zone", number) for number, zone in self.zones.items() if zone.grid)

    # ------------------------------------------------------------------ what is read

    def reads(self, *parts: object) -> frozenset[Thing]:
        """The zones and variables that expressions or statements may read, through definitions and calls."""
        found: set[Thing] = set()
        defines: set[int] = set()
        rules: set[int] = set()
        waiting: list[object] = [*parts]
        while waiting:
            for node in nodes(waiting.pop()):
                found.update(self._read_by(node))
                if isinstance(node, checked.Apply) and node.define not in defines:
                    defines.add(node.define)
                    waiting.append(self.program.defines[node.define].value)
                elif isinstance(node, checked.Target):
                    fresh = set(called_by(node)) - rules
                    rules |= fresh
                    for rule in (self.program.rules[number] for number in sorted(fresh)):
                        waiting += [rule.body, *(hook for hook in rule.hooks if hook.rule >= 0)]  # laws change nothing
                elif isinstance(node, checked.HookRef) and node.rule >= 0 and node.rule not in rules:
                    rules.add(node.rule)
                    waiting.append(self.program.rules[node.rule].body)
        return frozenset(found)

    def _read_by(self, node: object) -> Iterable[Thing]:
        match node:
            case checked.ZoneOf():
                return (("zone", node.zone),)
            case checked.VariableOf():
                return (("variable", node.variable),)
            case checked.Primitive() | checked.Keyed():
                return self._read_by_primitive(node)
            case _:
                return ()

    def _read_by_primitive(self, node: checked.Primitive | checked.Keyed) -> Iterable[Thing]:
        assume = assumed(node.name)
        if assume.reads & (Reads.SCORES | Reads.OTHER):
            return (EVERYTHING,)
        if not assume.reads & (Reads.PLACES | Reads.CELLS):
            return ()
        if isinstance(node, checked.Primitive) and any(isinstance(one.type, ZoneType) for one in node.arguments):
            return ()  # of the zone that is named there
        return self.grid_zones if assume.on_cells or assume.reads & Reads.CELLS else (EVERY_ZONE,)

    def grows(
        self, expr: checked.Expr | None, bound: Mapping[int, frozenset[Thing]] = NO_ZONES, depth: int = 0
    ) -> frozenset[Thing]:
        """Zones that a truth or a list reads such that more pieces there never make it false, or shorter. `bound`: the
        zones that a slot may mean."""
        match expr:
            case _ if depth > MAX_CALLS:
                return frozenset()
            case checked.Local():
                return bound.get(expr.slot, frozenset())
            case checked.ZoneOf():
                return frozenset({("zone", expr.zone)}) - self.reads(expr.owner)
            case checked.PiecesOf(zone=inner) | checked.Narrow(of=inner):
                return self.grows(inner, bound, depth)
            case checked.Primitive(arguments=(only,)) if assumed(expr.name).result in ("length", "nonempty"):
                return self.grows(only, bound, depth)
            case checked.Gather():
                return self.selected(expr.source, expr.slot, expr.where, bound, depth) - self.reads(expr.body)
            case checked.Binary(op="join" | "and" | "or"):
                sides = [(side, self.grows(side, bound, depth)) for side in (expr.left, expr.right)]
                hurt = [self.reads(side) - grows for side, grows in sides]
                return frozenset().union(*(grows for _, grows in sides)).difference(*hurt)
            case checked.Binary(op=">=" | ">"):
                return self.grows(expr.left, bound, depth) - self.reads(expr.right)
            case checked.Binary(op="<=" | "<"):
                return self.grows(expr.right, bound, depth) - self.reads(expr.left)
            case checked.Apply():
                value = self.program.defines[expr.define].value
                return self.grows(value, NO_ZONES, depth + 1) - self.reads(expr.arguments)
            case _:
                return frozenset()

    def selected(
        self,
        source: checked.Expr,
        slot: int,
        where: checked.Expr | None,
        bound: Mapping[int, frozenset[Thing]] = NO_ZONES,
        depth: int = 0,
    ) -> frozenset[Thing]:
        """As `grows`, for `x in S where P`, be it from a list of zones."""
        zones = frozenset[Thing]()
        if isinstance(source, checked.ListOf) and all(isinstance(item, checked.ZoneOf) for item in source.items):
            zones = self.reads(source)
        test = frozenset[Thing]() if where is None else self.grows(where, {**bound, slot: zones}, depth)
        hurt = self.reads(where) - test
        if zones - test and any(isinstance(node, checked.Local) and node.slot == slot for node in nodes(where)):
            hurt |= zones
        return (self.grows(source, bound, depth) | zones | test) - hurt

    def enough(
        self, expr: checked.Expr | None, bound: Mapping[int, frozenset[Thing]] = NO_ZONES, depth: int = 0
    ) -> frozenset[Thing]:
        """Zones of the table such that a truth holds, or a list has an element, as soon as anything lies in one."""
        match expr:
            case _ if depth > MAX_CALLS:
                return frozenset()
            case checked.Local():
                return bound.get(expr.slot, frozenset())
            case checked.ZoneOf(owner=None):
                return frozenset({("zone", expr.zone)})
            case checked.PiecesOf(zone=inner):
                return self.enough(inner, bound, depth)
            case checked.Primitive(arguments=(only,)) if assumed(expr.name).result == "nonempty":
                return self.enough(only, bound, depth)
            case checked.Gather():
                return self.enough_of(expr.source, expr.slot, expr.where, bound, depth)
            case checked.Binary(op="join" | "or"):
                return self.enough(expr.left, bound, depth) | self.enough(expr.right, bound, depth)
            case checked.Binary(op="and"):
                return self.enough(expr.left, bound, depth) & self.enough(expr.right, bound, depth)
            case checked.Apply():
                return self.enough(self.program.defines[expr.define].value, NO_ZONES, depth + 1)
            case _:
                return frozenset()

    def enough_of(
        self,
        source: checked.Expr,
        slot: int,
        where: checked.Expr | None,
        bound: Mapping[int, frozenset[Thing]] = NO_ZONES,
        depth: int = 0,
    ) -> frozenset[Thing]:
        """As `enough`, for `x in S where P`, be it from a list of zones."""
        if where is None:
            return self.enough(source, bound, depth)
        items = source.items if isinstance(source, checked.ListOf) else ()
        zones = [self.enough(item) for item in items if isinstance(item, checked.ZoneOf)]
        return frozenset().union(*(self.enough(where, {**bound, slot: zone}, depth) for zone in zones))

    # --------------------------------------------------------------- what is touched

    def of_rule(self, number: int) -> Sequence[Effect]:
        """Every effect that calling a rule may have, called by whoever acts."""
        parameters = range(1, 1 + self.program.rules[number].given)
        return list(self._call(number, Frame(dict.fromkeys(parameters))))

    def touched(self, number: int) -> frozenset[Thing]:
        return frozenset(thing for effect in self.of_rule(number) for thing in effect.touches)

    def taken(self, number: int) -> frozenset[Thing]:
        """Of these, what there may be less of then, or another value."""
        return frozenset(thing for effect in self.of_rule(number) for thing in effect.takes)

    def _call(self, number: int, frame: Frame) -> Iterator[Effect]:
        rule = self.program.rules[number]
        if frame.depth > MAX_CALLS:
            yield Effect(rule.span, EVERY, False, EVERY, EVERY)
            return
        if rule.lasts:
            yield _changed(rule.span, rule.lasts, True)
        for hook in rule.hooks:
            if hook.rule >= 0:
                slots = {**frame.slots, **dict.fromkeys(slot for slot, _ in hook.kept)}
                yield from self._call(hook.rule, evolve(frame, slots=slots, depth=frame.depth + 1))
        yield from self._block(rule.body, frame)

    def _block(self, statements: Sequence[checked.Stmt], frame: Frame) -> Iterator[Effect]:
        for node in statements:
            frame = self.bound_by(node, frame)
            yield from self.of_statement(node, frame)

    def of_statement(self, node: checked.Stmt, frame: Frame) -> Iterator[Effect]:
        """Every effect that a statement may have, in what it calls as well."""
        if isinstance(node, checked.Move | checked.Swap | checked.Change) and node.each is not None:
            frame = frame.having(node.each.slot, self.where(node.each.source, frame))
        match node:
            case checked.Choose():
                yield from self._block(node.body, self.chosen(node, frame))
                yield from self._block(node.otherwise or (), frame)
            case checked.If():
                yield from self._block(node.then, frame)
                yield from self._block(node.otherwise, frame)
            case checked.For() | checked.Together():
                yield from self._block(node.body, self.in_loop(node, frame))
            case checked.Repeat():
                yield from self._block(node.body, frame)
            case checked.Do():
                for number in called_by(node.target):
                    called = self._call(number, self.called(node, frame))
                    yield from (evolve(effect, span=node.span) for effect in called)
            case checked.Move() | checked.Swap():
                yield self._moved(node, frame)
            case checked.Change():
                numbers = [(variable, owner is not None and is_me(owner)) for variable, owner, _ in node.changes]
                known = all(self._sees_variable(number, own and frame.same_player) for number, own in numbers)
                yield _changed(node.span, [number for number, _ in numbers], known)
            case checked.Show():
                seen = [self._sees(what, self.where(what, frame)) for what, _ in node.pairs]
                yield Effect(node.span, frozenset(), all(seen))
            case checked.Say():
                yield Effect(node.span, frozenset(), True)
            case checked.Shuffle():
                found = [self.where(zone, frame) for zone in node.zones]
                yield Effect(node.span, frozenset(thing for where in found for thing in self._things(where)), False)
            case checked.Roll():
                yield Effect(node.span, frozenset(), False)
            case _:
                pass

    # ------------------------------------------------------------ where values come from, statement by statement

    def bound_by(self, node: checked.Stmt, frame: Frame) -> Frame:
        """From a statement on that binds a name for the rest of its block."""
        if isinstance(node, checked.Let):
            return frame.having(node.slot, self.where(node.value, frame))
        if isinstance(node, checked.Do) and node.slot >= 0:
            return frame.having(node.slot, None)
        if isinstance(node, checked.Roll):
            return frame.having(node.slot, self.where(node.source, frame))
        return frame

    def chosen(self, node: checked.Choose, frame: Frame) -> Frame:
        """In the body of a choice."""
        for question in node.questions:
            frame = frame.having(question.slot, self.where(question.source, frame))
        return frame

    def in_loop(self, node: checked.For | checked.Together, frame: Frame) -> Frame:
        """In the body of a loop over a list."""
        other = evolve(frame, same_player=frame.same_player and node.slot != ME)
        return other.having(node.slot, self.where(node.source, frame))

    def called(self, node: checked.Do, frame: Frame) -> Frame:
        """In the rule that is called."""
        arguments = {1 + place: self.where(one, frame) for place, one in enumerate(node.arguments)}
        return Frame(arguments, frame.same_player and (node.by is None or is_me(node.by)), frame.depth + 1)

    def _moved(self, node: checked.Move | checked.Swap, frame: Frame) -> Effect:
        takes, gains = set(self.moved_variables), set[Thing]()
        foreseen = True
        for one, other in node.pairs:
            taken = (one, other) if isinstance(node, checked.Swap) else (one,)
            for expr in taken:
                takes |= set(self._places(expr, frame))
            gains |= set(self._places(other, frame))
            foreseen &= all(self._sees(expr, self.where(expr, frame)) for expr in taken)
        gone = takes if node.each is None else takes - gains  # what everybody hands on, everybody gets
        if isinstance(node, checked.Swap):
            return Effect(node.span, frozenset(takes | gains), foreseen, frozenset(gone), frozenset(takes | gains))
        lands = frozenset(gains)
        return Effect(node.span, frozenset(takes | gains), foreseen, frozenset(gone), lands, lands)

    def _places(self, expr: checked.Expr, frame: Frame) -> Iterable[Thing]:
        found = self.where(expr, frame)
        if isinstance(expr.type, CellType) and not found:
            return self.grid_zones
        return self._things(found)

    def _things(self, where: Where) -> Iterable[Thing]:
        return (EVERY_ZONE,) if where is None else [("zone", number) for number, _ in where]

    def _sees(self, expr: checked.Expr, where: Where) -> bool:
        """Whether the acting player sees the pieces; those a rule was given he is taken to know."""
        for number, own in where or ():
            top = isinstance(expr, checked.Primitive) and len(expr.arguments) == 1
            if not surely_sees(self.zones[number], own, top):
                return False
        return True

    def _sees_variable(self, number: int, own: bool) -> bool:
        return surely_sees(self.variables[number], own)

    # ---------------------------------------------------------- where a value comes from

    def where(self, expr: object, frame: Frame) -> Where:
        """The zones that an expression names, or that the pieces it gives lie in."""
        match expr:
            case checked.Local():
                return frame.slots.get(expr.slot, frozenset())
            case checked.ZoneOf():
                return frozenset({(expr.zone, expr.owner is not None and is_me(expr.owner) and frame.same_player)})
            case checked.Apply() if self.program.defines[expr.define].recursive:
                return None
            case checked.Apply():
                arguments = {1 + place: self.where(one, frame) for place, one in enumerate(expr.arguments)}
                return self.where(self.program.defines[expr.define].value, evolve(frame, slots=arguments))
            case checked.Gather() | checked.Keyed():
                source = self.where(expr.source, frame)
                body = expr.body if isinstance(expr, checked.Gather) else None
                if isinstance(expr, checked.Keyed) and not assumed(expr.name).selects:
                    body = expr.key
                return source if body is None else _join(source, self.where(body, frame.having(expr.slot, source)))
            case checked.Would():
                return None  # wherever it would lie then
            case checked.Conditional():
                return _join(self.where(expr.then, frame), self.where(expr.otherwise, frame))
            case checked.Binary(op="without"):
                return self.where(expr.left, frame)
            case checked.Binary():
                return _join(self.where(expr.left, frame), self.where(expr.right, frame))
            case checked.PiecesOf():
                return self.where(expr.zone, frame)
            case checked.Narrow():
                return self.where(expr.of, frame)
            case checked.Primitive():
                return _join(*(self.where(one, frame) for one in expr.arguments))
            case checked.ListOf():
                return _join(*(self.where(one, frame) for one in expr.items))
            case checked.VariableOf() if is_placed(expr.type):
                return None
            case checked.Lookup():
                return frozenset() if expr.of is None else self.where(expr.of, frame)
            case _:
                return frozenset()


def _join(*parts: Where) -> Where:
    return None if any(part is None for part in parts) else frozenset(one for part in parts for one in part or ())


def _changed(span: Span, variables: Iterable[int], foreseen: bool) -> Effect:
    things = frozenset(("variable", number) for number in variables)
    return Effect(span, things, foreseen, things, things)


def is_me(expr: checked.Expr) -> bool:
    if isinstance(expr, checked.OfRow):
        return expr.owner is not None and is_me(expr.owner)
    return isinstance(expr, checked.Local) and expr.slot == ME
