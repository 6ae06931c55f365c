"""Whether like pieces lead to like ends, so that a guard may look at every piece and not at one of each class.

Two pieces of a class lie in the same place, show the asked player the same face and have the same variables. To change
one with the other changes nothing, then, but the order in which they lie and what is hidden of them. So a guard is
regular where nothing it reads hangs on that. One that may not be is left to the plain machine.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from attrs import frozen

from interpreter.generate.facts import children
from interpreter.generate.guards import ONLY_DONE, UnclearGuardError
from interpreter.generate.shape import called_by
from interpreter.ir import blocks as ir
from interpreter.ir.analysis import successors
from interpreter.plain.questions import item_type
from warlock_dsl import Reads, assumed
from warlock_dsl import types as t
from warlock_dsl.check import program as checked
from warlock_dsl.tables.components import Zone

if TYPE_CHECKING:
    from interpreter.generate.module import Module

Env = Mapping[int, tuple[checked.Expr, Any]]  # in a definition: what each parameter stands for, and there
IDENTITIES = ("is", "has", "without")


@frozen
class Origin:
    """Where candidates come from: all seen by who is asked; all in zones without cells; all on cells of their own."""

    seen: bool
    loose: bool
    apart: bool

    def __and__(self, other: Origin) -> Origin:
        return Origin(self.seen and other.seen, self.loose and other.loose, self.apart and other.apart)


NOWHERE = Origin(True, True, True)  # of no candidates at all
UNTOLD = Origin(False, False, False)


class Symmetry:
    def __init__(self, module: Module) -> None:
        self.m = module
        self.layout = module.layout
        self.marked = any(_names_pieces(slot.type) for slot in self.layout.slots)

    def check(self, rule: int, ask: ir.Ask) -> None:
        """Raises `UnclearGuardError` for a question of a guard that may not be regular."""
        question = ask.question
        kind = item_type(question)
        if not isinstance(kind, t.PieceType):
            return
        origin = self.origin(question.source, {}, question.by is None)
        if origin.apart or not self.used(rule, ask):
            return
        kinds = set(kind.kinds or self.layout.kind_names)
        parts = list(self.parts(rule, ask))
        if self.marked or (self.owned_by(kinds) and (self.deep(kinds) or any(map(_identity, parts)))):
            raise UnclearGuardError("pieces that others hang on")
        if any(self.ordered(part) for part in parts):
            raise UnclearGuardError("something hangs on the order of pieces")
        if not origin.seen and any(_shows(part) for part in parts):
            raise UnclearGuardError("something hangs on what the asked player does not see")
        if not origin.loose and (any(_identity(p) for p in parts) or any(_placed(p, kinds) for p in parts)):
            raise UnclearGuardError("something hangs on the slots pieces lie in")

    def owned_by(self, kinds: set[str]) -> list[Zone]:
        return [zone for zone in self.layout.zones if zone.owner in kinds]

    def deep(self, kinds: set[str]) -> bool:
        """Whether what lies in such pieces may differ though they are alike: it is on cells, unseen, or owns more."""
        return any(
            zone.grid or zone.sees != "all" or zone.hidden_by or self.owned_by(set(zone.kinds))
            for zone in self.owned_by(kinds)
        )

    def used(self, rule: int, ask: ir.Ask) -> bool:
        slot = ask.question.slot
        return slot in self.m.facts.reads(ask.question.where) or slot in self.m.guards.live(rule, ask.then)

    # ----------------------------------------------------------------- sources

    def origin(self, e: checked.Expr, env: Env, own: bool) -> Origin:
        """Where the pieces of a list lie."""
        match e:
            case checked.PiecesOf(zone=checked.ZoneOf() as zone):
                return self.zone(zone, env, own)
            case checked.ListOf(items=()):
                return NOWHERE
            case checked.Narrow():
                return self.origin(e.of, env, own)
            case checked.Gather():
                return self.origin(e.source, env, own) if e.body is None else UNTOLD
            case checked.Keyed() if assumed(e.name).selects:
                return self.origin(e.source, env, own)
            case checked.Binary(op="join"):
                return self.origin(e.left, env, own) & self.origin(e.right, env, own)
            case checked.Binary(op="without"):
                return self.origin(e.left, env, own)
            case checked.Conditional():
                return self.origin(e.then, env, own) & self.origin(e.otherwise, env, own)
            case checked.Apply():
                inner = {1 + place: (argument, env) for place, argument in enumerate(e.arguments)}
                return self.origin(self.m.facts.defines[e.define].value, inner, own)
            case checked.Primitive() if assumed(e.name).selects:
                return self.origin(e.arguments[0], env, own)
            case checked.Primitive(arguments=(checked.Gather() as joined,)) if assumed(e.name).result == "joined":
                body = joined.body
                return self.origin(body, env, own) if body is not None else UNTOLD
            case checked.Local() if e.slot in env:
                return self.origin(*env[e.slot], own)
            case _:
                return UNTOLD

    def zone(self, e: checked.ZoneOf, env: Env, own: bool) -> Origin:
        zone = self.layout.zones[e.zone]
        seen = zone.sees == "all" or (zone.sees == "owner" and zone.owner == "player" and own and _me(e.owner, env))
        apart = bool(zone.grid) and not self.layout.components.grids[zone.grid].slots
        return Origin(seen and not zone.hidden_by, not zone.grid, apart)

    # ------------------------------------------------------- what a guard reads

    def parts(self, rule: int, ask: ir.Ask) -> Iterator[Any]:
        """Every node that is looked at once this question has an answer, until the first effect."""
        waiting: list[tuple[int, int]] = [(rule, ask.then)]
        seen = set(waiting)
        roots: list[Any] = [ask.question.where]
        while waiting:
            number, block = waiting.pop()
            lowered = self.m.lowered_rules[number]
            found = lowered.blocks[block]
            if found.acts or self.m.guards.outcomes(number, block) == ONLY_DONE:
                continue
            roots += [*_read(found), found.end]
            after = [(number, n) for n in successors(found.end) if n >= 0]
            if isinstance(found.end, ir.NextOf | ir.Again | ir.Seats | ir.RollEnd):
                after = []
            after += [(other, self.m.lowered_rules[other].entry) for other in called_by(found.end)]
            waiting += [key for key in after if key not in seen]
            seen.update(after)
        yield from self.inside(roots, seen)

    def inside(self, roots: list[Any], rules: set[tuple[int, int]]) -> Iterator[Any]:
        """All nodes of these, those of definitions and of rules that `can` asks about included."""
        stack = [root for root in roots if root is not None]
        defines: set[int] = set()
        while stack:
            node = stack.pop()
            yield node
            stack += children(node)
            if isinstance(node, checked.Apply) and node.define not in defines:
                defines.add(node.define)
                stack.append(self.m.facts.defines[node.define].value)
            if isinstance(node, checked.Primitive) and Reads.SCORES in assumed(node.name).reads and -1 not in defines:
                defines.add(-1)
                stack += [score.value for score in self.layout.program.scores]
            if isinstance(node, checked.Can):
                targets = (node.target.rule,) if node.target.key is None else node.target.members
                for rule in targets:
                    for block in self.m.lowered_rules[rule].blocks:
                        if (rule, id(block)) not in rules:
                            rules.add((rule, id(block)))
                            stack += [] if block.acts else [*_read(block), block.end]
                            inner = [checked.Target(other, None, ()) for other in called_by(block.end)]
                            stack += [checked.Can(target, (), t.TRUTH, node.span) for target in inner]

    def ordered(self, node: Any) -> bool:
        match node:
            case checked.Primitive():
                return _depends_on(node, Reads.ORDER)
            case checked.Lookup(what="list"):
                return node.of is not None and _names_pieces(node.of.type)
            case _:
                return False


def _read(block: ir.Block) -> list[ir.Step]:
    """The steps a guard takes: laws are for those who play."""
    return [step for step in block.steps if not isinstance(step, ir.LawStep)]


def _names_pieces(kind: t.Type) -> bool:
    while isinstance(kind, t.ListType) and kind.item is not None:
        kind = kind.item
    return isinstance(kind, t.PieceType)


def _me(owner: checked.Expr | None, env: Env) -> bool:
    while isinstance(owner, checked.Local) and owner.slot in env:
        owner, env = env[owner.slot]
    return isinstance(owner, checked.Local) and owner.slot == 0


def _shows(node: Any) -> bool:
    """Whether a node reads what is on a piece."""
    return isinstance(node, checked.Field) or _depends_on(node, Reads.FACES)


def _identity(node: Any) -> bool:
    """Whether a node tells a piece from all others."""
    if isinstance(node, checked.Binary):
        return node.op in IDENTITIES and _names_pieces(node.left.type)
    return _depends_on(node, Reads.IDENTITY)


def _placed(node: Any, kinds: set[str]) -> bool:
    """Whether a node reads on which cell such a piece lies."""
    return _depends_on(node, Reads.CELLS, kinds)


def _depends_on(node: Any, what: Reads, kinds: set[str] | None = None) -> bool:
    """Whether a node is a primitive that reads this of pieces, or of pieces of these kinds, that it is given."""
    if not isinstance(node, checked.Primitive):
        return False
    reads = assumed(node.name).reads
    return Reads.OTHER in reads or (what in reads and any(_may_be(one.type, kinds) for one in node.arguments))


def _may_be(kind: t.Type | None, kinds: set[str] | None) -> bool:
    """Whether a value of this type may be, or hold, a piece, of one of these kinds."""
    while isinstance(kind, t.ListType):
        kind = kind.item
    if kinds is None or not isinstance(kind, t.PieceType):
        return kind is None or isinstance(kind, t.PieceType)
    return not kind.kinds or bool(kinds & set(kind.kinds))
