"""Expressions of a wanted type, written from the signatures of the primitives and the forms of the language."""

from __future__ import annotations

from collections.abc import Callable

from attrs import evolve, field, frozen

from tests.random_rules.draw import Draw, Taste
from tests.random_rules.world import Variable, World, Zone, type_word
from warlock_dsl import types as t
from warlock_dsl.primitives import ATTRIBUTES, VALUES, reads_me
from warlock_dsl.signatures import Either, Exactly, Hole, ListOf, Pattern, Signature, fits, signatures, takes_list


@frozen
class Callable_:
    """A rule or a definition that may be called."""

    name: str
    parameters: tuple[tuple[str, t.Type], ...]
    gives: t.Type | None = None
    me: bool = True  # of a definition: it speaks of who acts
    quiet: bool = False  # of a rule: it neither asks nor leaves anything to chance
    needs: bool = False  # of a rule: it requires something, or calls what does
    key: t.Type | None = None  # of a family: what picks a member
    keys: tuple[str, ...] = ()


@frozen
class Scope:
    """What an expression may speak of."""

    names: tuple[tuple[str, t.Type], ...] = ()
    me: bool = True
    past: tuple[tuple[str, t.Type], ...] | None = None  # what `was` may speak of, where it is allowed
    past_me: bool = True
    scores: bool = True  # whether `total` may be asked for
    rules: tuple[Callable_, ...] = ()  # for `can` and `would`
    defines: tuple[Callable_, ...] = field(factory=tuple)

    def bind(self, name: str, type_: t.Type) -> Scope:
        return evolve(self, names=(*self.names, (name, type_)))


def unify(pattern: Pattern, wanted: t.Type, bound: dict[str, t.Type]) -> bool:
    """Whether a result of this pattern may stand where a type is wanted; binds its letters."""
    match pattern:
        case Hole():
            if pattern.letter == "P" and not isinstance(wanted, t.PieceType):
                return False
            bound[pattern.letter] = wanted
            return True
        case ListOf():
            return (
                isinstance(wanted, t.ListType) and wanted.item is not None and unify(pattern.item, wanted.item, bound)
            )
        case Exactly():
            return fits(pattern.type, wanted)
        case _:
            return False


TypedForm = tuple[str, int, Callable[[t.Type, Scope, int], str]]  # its name, how often it is chosen, what writes it


class ExpressionWriter:
    """Writes expressions. `fuel` is how deep they may nest; without any, a name or a figure is written."""

    def __init__(self, draw: Draw, world: World) -> None:
        self.draw = draw
        self.world = world
        self.taste = Taste(draw)
        self.fresh = 0
        self.bare_zones: set[str] = set()  # texts that stand for a zone, not for the list of its pieces
        self.known_forms: dict[t.Type, list[TypedForm]] = {}
        self.item_types = self._item_types()

    def name(self) -> str:
        self.fresh += 1
        return f"x{self.fresh}"

    def _item_types(self) -> tuple[list[t.Type], list[int]]:
        """The types that lists may be of, and how often they are."""
        world = self.world
        found: list[tuple[t.Type, int]] = [(t.NUMBER, 4), (t.PLAYER, 4), (t.PieceType(), 2)]
        found += [(t.PieceType((kind,)), 4) for kind in world.kinds]
        found += [(t.RowType(table), 2) for table in world.tables]
        found += [(t.CELL, 6)] if world.boards else []
        found += [(family.key_type, 1) for family in world.families.values() if not family.table]
        found += [(t.TRUTH, 1)]
        return [one for one, _ in found], [weight for _, weight in found]

    def item_type(self) -> t.Type:
        return self.draw.choose(*self.item_types)

    def exact_type(self) -> t.Type:
        """One that says which kind a piece is, so that two values of it can be compared."""
        type_ = self.item_type()
        return t.PieceType((self.draw.choose(list(self.world.kinds)),)) if type_ == t.PieceType() else type_

    # ------------------------------------------------------------------ the way in

    def expr(self, wanted: t.Type, scope: Scope, fuel: int) -> str:
        near = [name for name, type_ in scope.names if fits(type_, wanted) or self.stands_for(type_, wanted)]
        if near and self.draw.chance(35 if fuel > 0 else 60):
            return self.draw.choose(near[::-1])
        if fuel <= 0 or isinstance(wanted, t.ZoneType | t.RegionType):
            return self.leaf(wanted, scope)
        forms = self.known_forms.get(wanted)
        if forms is None:
            forms = self.known_forms[wanted] = [*self.forms_of(wanted), *self.primitives_of(wanted)]
        return self.taste.pick(forms)(wanted, scope, fuel)

    def value(self, wanted: t.Type, scope: Scope, fuel: int) -> str:
        """The same where what stands there says the type: a zone is written as the list of its pieces."""
        text = self.expr(wanted, scope, fuel)
        if not isinstance(wanted, t.ListType):
            return text
        if text in self.bare_zones or any(text == name for name, type_ in scope.names if isinstance(type_, t.ZoneType)):
            name = self.name()
            return f"[{name} in {text}]"
        return text

    def stands_for(self, found: t.Type, wanted: t.Type) -> bool:
        """Whether a zone may be written for a list of its pieces."""
        return isinstance(found, t.ZoneType) and isinstance(wanted, t.ListType) and fits(t.pieces_of(found), wanted)

    def truth(self, scope: Scope, fuel: int = 2) -> str:
        return self.expr(t.TRUTH, scope, fuel)

    def number(self, scope: Scope, fuel: int = 1) -> str:
        return self.expr(t.NUMBER, scope, fuel)

    def player(self, scope: Scope, fuel: int = 1) -> str:
        return self.expr(t.PLAYER, scope, fuel)

    def forms_of(self, wanted: t.Type) -> list[TypedForm]:
        """The forms of the language, beside its primitives, that may give what is wanted."""
        raise NotImplementedError

    # ---------------------------------------------------------------------- leaves

    def leaf(self, wanted: t.Type, scope: Scope) -> str:
        world, draw = self.world, self.draw
        found: list[str] = []
        match wanted:
            case t.NumberType():
                found = ["1", "0", "2", "3", "fig.size", "na"] + (["my.pa"] if scope.me else []) + ["(0 - 1)"]
                found += ["0.5"] if world.halves else []
                found += ["1000000000000"] if world.risky else []
            case t.TruthType():
                found = ["true", "false"] + (["fig.yes"] if "yes" in world.figures else [])
            case t.PlayerType():
                found = ["me"] * 3 if scope.me else []
                found += ["lead", "first(players)", "last(players)"]
            case t.CellType():
                return f"{draw.choose(('first', 'last'))}(cells({self.zone(draw.choose(world.boards), scope, 0)}))"
            case t.RegionType():
                found = [region for grid in world.grids.values() for region in grid.regions]
            case t.RowType():
                found = list(world.tables[wanted.table].rows)
                found += ["fig.pick"] if world.figures.get("pick", (None,))[0] == wanted else []
            case t.KeyType():
                found = [f"{wanted.family}.{key}" for key in world.families[wanted.family].keys]
            case t.PieceType():
                kinds = wanted.kinds or tuple(world.kinds)
                found = [f"{end}(everywhere[{kind}])" for kind in kinds for end in ("first", "last")]
            case t.ZoneType():
                zones = [zone for zone in world.zones.values() if fits(zone.type(world), wanted)]
                return self.zone(draw.choose(zones), scope, 0)
            case t.ListType():
                return self.list_leaf(wanted, scope)
            case _:
                raise AssertionError(wanted)
        return draw.choose(found)

    def list_leaf(self, wanted: t.ListType, scope: Scope) -> str:
        world, draw, item = self.world, self.draw, wanted.item
        found: list[str] = []
        match item:
            case t.NumberType():
                found = ["[1, 2]", "(1..3)", "[0]", "(0..2)", "[3, 1, 1]"] + (
                    ["fig.big"] if "big" in world.figures else []
                )
            case t.PlayerType():
                found = ["players", "[lead]"] + (["opponents", "[me]"] if scope.me else [])
            case t.RowType():
                found = [item.table] * 2 + [name for name, die in world.dice.items() if die["of"] == item.table]
            case t.KeyType():
                found = [item.family]
            case t.CellType():
                where = self.zone(draw.choose(world.boards), scope, 0)
                return f"{draw.choose(('cells', 'free'))}({where})"
            case t.PieceType():
                return self.pieces_leaf(item, scope)
            case None:
                found = ["[]"]
            case _:
                return f"[{self.value(item, scope, 0)}]"
        return draw.choose(found)

    def pieces_leaf(self, item: t.PieceType, scope: Scope) -> str:
        world, draw = self.world, self.draw
        zone = draw.choose(list(world.zones.values()))
        wanted = item.kinds or tuple(world.kinds)
        if set(zone.kinds) <= set(wanted):
            return self.zone(zone, scope, 0)
        both = [kind for kind in zone.kinds if kind in wanted]
        if both:
            return f"{self.zone(zone, scope, 0)}[{draw.choose(both)}]"
        return f"everywhere[{draw.choose(wanted)}]"

    # ------------------------------------------------------------------- what is owned

    def owner(self, kind: str, scope: Scope, fuel: int) -> str:
        """Whose, written before a dot."""
        if kind == "player":
            who = self.expr(t.PLAYER, scope, fuel)
            return "my" if who == "me" else who
        return self.expr(t.PieceType((kind,)), scope, fuel)

    def zone(self, zone: Zone, scope: Scope, fuel: int) -> str:
        row = self.expr(t.RowType(zone.by), scope, fuel) if zone.by else ""
        if zone.owner:
            text = f"{self.owner(zone.owner, scope, fuel)}.{zone.name}{f'[{row}]' if row else ''}"
        else:
            text = f"{row}.{zone.name}" if row else zone.name
        self.bare_zones.add(text)
        return text

    def variable(self, variable: Variable, scope: Scope, fuel: int) -> str:
        row = f"[{self.expr(t.RowType(variable.by), scope, fuel)}]" if variable.by else ""
        head = f"{self.owner(variable.owner, scope, fuel)}." if variable.owner else ""
        return f"{head}{variable.name}{row}"

    # ----------------------------------------------------------------------- primitives

    def primitives_of(self, wanted: t.Type) -> list[TypedForm]:
        """Every primitive, by its record, that may give what is wanted."""
        found: list[TypedForm] = []
        for value in VALUES:
            type_ = t.ListType(t.PieceType()) if value.name == "everywhere" else None
            if type_ is not None and fits(type_, wanted):
                found.append((value.name, 1, lambda w, s, f, name=value.name: name))  # type: ignore[misc]
            if (
                value.signature in ("[player]", "player")
                and value.name != "my"
                and value.signature == type_word(wanted)
            ):
                found.append((value.name, 1, lambda w, s, f, v=value.name: self.acting(v, w, s)))  # type: ignore[misc]
        for attribute in ATTRIBUTES:
            if self.attribute_gives(attribute.name, wanted):
                found.append((attribute.name, 2, lambda w, s, f, a=attribute.name: self.attribute(a, w, s, f)))  # type: ignore[misc]
        for name, signature in signatures().items():
            if not unify(signature.result, wanted, {}):
                continue
            if any(not self.inhabited(pattern) for pattern in signature.parameters):
                continue
            base = 1 if name == "total" else 2
            found.append((name, base, lambda w, s, f, one=signature: self.call(one, w, s, f)))  # type: ignore[misc]
        return found

    def acting(self, name: str, wanted: t.Type, scope: Scope) -> str:
        return name if scope.me or not reads_me(name) else self.leaf(wanted, scope)

    def attribute_gives(self, name: str, wanted: t.Type) -> bool:
        if name == "face":
            return any(kind.table and t.RowType(kind.table) == wanted for kind in self.world.kinds.values())
        return {"cell": t.CELL, "owner": t.PLAYER}.get(name) == wanted and (name == "owner" or bool(self.world.boards))

    def attribute(self, name: str, wanted: t.Type, scope: Scope, fuel: int) -> str:
        world = self.world
        if name == "face":
            kinds = [kind.name for kind in world.kinds.values() if t.RowType(kind.table) == wanted]
            return f"{self.expr(world.kinds_type(*self.draw.some(kinds, 1, 2)), scope, fuel - 1)}.face"
        if name == "owner" and not world.risky:
            owned = [zone for zone in world.zones.values() if zone.owner == "player"]
            zone = self.zone(self.draw.choose(owned), scope, 0)
            return self.owner_in(zone)
        piece = t.PieceType() if self.draw.chance(40) else t.PieceType((self.draw.choose(list(world.kinds)),))
        return f"{self.expr(piece, scope, fuel - 1)}.{name}"

    def owner_in(self, zone: str) -> str:
        """The owner of what lies in a zone of a player; of an empty zone, somebody."""
        name = self.name()
        return f"first([{name} in {zone}: {name}.owner], lead)"

    def inhabited(self, pattern: Pattern) -> bool:
        match pattern:
            case Exactly():
                placed = isinstance(pattern.type, t.CellType | t.RegionType) or getattr(pattern.type, "grid", False)
                return not placed or bool(self.world.boards)
            case ListOf():
                return self.inhabited(pattern.item)
            case Either():
                return any(map(self.inhabited, pattern.options))
            case _:
                return True

    def call(self, signature: Signature, wanted: t.Type, scope: Scope, fuel: int) -> str:
        draw, name = self.draw, signature.name
        if name == "total" and not scope.scores:
            return self.leaf(wanted, scope)
        bound: dict[str, t.Type] = {}
        unify(signature.result, wanted, bound)
        self.bind_rest(signature, bound)
        if signature.key is not None:
            return self.keyed(signature, bound, scope, fuel)
        if signature.minimum <= 1 and takes_list(signature.parameter(0)) and draw.chance(45):
            text = self.fold(signature, bound, scope, fuel)
            if text:
                return text
        more = 0
        if signature.maximum is None:
            more = draw.int(1, 2)
        elif signature.maximum > signature.minimum:
            more = self.optional(name)
        given = [self.argument(signature, place, bound, scope, fuel) for place in range(signature.minimum + more)]
        return f"{name}({', '.join(given)})"

    def optional(self, name: str) -> int:
        """Whether the argument that may be left out is given: mostly such that nothing can go wrong."""
        safe = 1 if name in ("first", "last") else 0
        return 1 - safe if self.draw.chance(40 if name in ("top", "cells", "free") or self.world.risky else 4) else safe

    def bind_rest(self, signature: Signature, bound: dict[str, t.Type]) -> None:
        for pattern in signature.parameters:
            inner = pattern
            while isinstance(inner, ListOf):
                inner = inner.item
            if isinstance(inner, Hole) and inner.letter not in bound:
                type_ = self.item_type()
                if inner.letter == "P" and not isinstance(type_, t.PieceType):
                    type_ = t.PieceType((self.draw.choose(list(self.world.kinds)),))
                bound[inner.letter] = type_

    def filled(self, pattern: Pattern, bound: dict[str, t.Type]) -> t.Type:
        match pattern:
            case Hole():
                return bound[pattern.letter]
            case ListOf():
                return t.ListType(self.filled(pattern.item, bound))
            case Either():
                usable = [option for option in pattern.options if self.inhabited(option)]
                if "lists_of_min" in self.draw.without:
                    usable = [option for option in usable if option != ListOf(Exactly(t.NUMBER))] or usable
                return self.filled(self.draw.choose(usable), bound)
            case Exactly():
                return pattern.type

    def argument(self, signature: Signature, place: int, bound: dict[str, t.Type], scope: Scope, fuel: int) -> str:
        if signature.name in ("step", "ray", "lines") and place > 0 and self.draw.chance(70):
            return self.draw.choose(("1", "0", "(0 - 1)", "2") if signature.name != "lines" else ("2", "1", "3"))
        if signature.name in ("next", "previous") and place == 1 and not self.world.risky:
            return "players"
        type_ = self.filled(signature.parameter(place), bound)
        if signature.name in ("min", "max") and place > 0:
            type_ = t.NUMBER
        return self.value(type_, scope, fuel - 1)

    def fold(self, signature: Signature, bound: dict[str, t.Type], scope: Scope, fuel: int) -> str:
        """`f(x in S where P: E)`."""
        pattern = signature.parameter(0)
        if isinstance(pattern, Either):
            pattern = next(option for option in pattern.options if isinstance(option, ListOf))
        assert isinstance(pattern, ListOf)
        item = self.filled(pattern.item, bound)
        if signature.name in ("first", "last", "min", "max") and not self.world.risky:
            return ""  # of nothing, an error
        source = item if self.draw.chance(30) else self.item_type()
        binder, inner, _ = self.binder(source, scope, fuel)
        if source == item and self.draw.chance(50):
            return f"{signature.name}({binder})"
        return f"{signature.name}({binder}: {self.value(item, inner, fuel - 1)})"

    def keyed(self, signature: Signature, bound: dict[str, t.Type], scope: Scope, fuel: int) -> str:
        item = bound["T"]
        assert signature.key is not None
        if signature.name == "reach" and isinstance(item, t.NumberType | t.ListType):
            return self.leaf(t.ListType(item), scope)  # of numbers there is no end
        if signature.name == "reach" and isinstance(item, t.PieceType):
            item = t.PieceType((self.draw.choose(item.kinds or tuple(self.world.kinds)),))
            bound = {"T": item}
        key = self.filled(signature.key, bound)
        binder, inner, _ = self.binder(item, scope, fuel, where=signature.name != "reach")
        return f"{signature.name}({binder}: {self.expr(key, inner, fuel - 1)})"

    def binder(self, item: t.Type, scope: Scope, fuel: int, where: bool = True) -> tuple[str, Scope, str]:
        """`x in S where P`, and what is known behind it."""
        name = self.name()
        if where and self.draw.chance(12) and self.mixed(item):
            text, inner = self.of_kind(name, item, scope, fuel)
            return text, inner, name
        text = f"{name} in {self.value(t.ListType(item), scope, fuel - 1)}"
        inner = scope.bind(name, item)
        if where and self.draw.chance(40):
            text += f" where {self.truth(inner, fuel - 1)}"
        return text, inner, name

    def mixed(self, item: t.Type) -> list[Zone]:
        """The zones of several kinds, all of them wanted."""
        if not isinstance(item, t.PieceType):
            return []
        wanted = set(item.kinds or self.world.kinds)
        return [one for one in self.world.zones.values() if len(one.kinds) > 1 and set(one.kinds) <= wanted]

    def of_kind(self, name: str, item: t.Type, scope: Scope, fuel: int) -> tuple[str, Scope]:
        """A condition that asks for a kind says which it is from then on."""
        zone = self.draw.choose(self.mixed(item))
        kind = self.draw.choose(zone.kinds)
        inner = scope.bind(name, t.PieceType((kind,)))
        return f"{name} in {self.zone(zone, scope, 0)} where {name} is {kind} and {self.truth(inner, fuel - 1)}", inner

    def any_pieces(self, scope: Scope, fuel: int) -> str:
        """A list of pieces of any kind, said to be no more than that."""
        forms = ["everywhere"]
        if self.world.boards:
            cell = self.expr(t.CELL, scope, fuel - 1)
            forms += [f"at({cell})", f"near({cell})", f"around({cell})"]
        return self.draw.choose(forms)
