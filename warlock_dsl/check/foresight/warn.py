"""Trouble that only play would show: too many sets to choose from, lookups beyond the end, missing owners."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import accumulate, chain
from math import comb
from operator import mul

from attrs import define, field

from warlock_dsl.check import program as checked
from warlock_dsl.check.context import CheckInput
from warlock_dsl.check.foresight.estimate import Env, Estimator
from warlock_dsl.check.foresight.stated_totals import conditions, stated_totals
from warlock_dsl.check.foresight.walk_rules import Flow, estimator_of
from warlock_dsl.check.guards.effects import Effects, overlap
from warlock_dsl.check.lint_data import warning
from warlock_dsl.check.names import in_library, listed
from warlock_dsl.check.rule_summary import called_by
from warlock_dsl.diagnostics.diagnostic import Diagnostic, Related, Span
from warlock_dsl.primitives import ATTRIBUTES
from warlock_dsl.syntax.walk import nodes
from warlock_dsl.tables.components import Components, Zone
from warlock_dsl.tables.values import decimal
from warlock_dsl.types import CellType, ListType, PieceType, PlayerType

OF_A_PIECE = frozenset(record.function for record in ATTRIBUTES)  # what a piece has only where it is


def check_foresight(given: CheckInput) -> Iterator[Diagnostic]:
    """What can go wrong in play and can be seen without it."""
    foresight = Foresight(estimator_of(given), Effects(given.program, given.components))
    Flow(foresight.estimator, foresight.visit).run()
    yield from foresight.found.values()


@define
class Foresight:
    """The warnings so far, one for each place and code."""

    estimator: Estimator
    effects: Effects
    found: dict[tuple[str, Span], Diagnostic] = field(factory=dict)

    @property
    def components(self) -> Components:
        return self.estimator.components

    def visit(self, node: object, env: Env, via: tuple[Span, ...]) -> None:
        warnings: Iterator[Diagnostic]
        match node:
            case checked.Question():
                warnings = chain(self.endless(node, env), self.unforeseen_trial(node))
            case checked.Lookup():
                warnings = self.beyond(node, env)
            case checked.Primitive(type=PlayerType() | CellType()) if node.name in OF_A_PIECE:
                warnings = self.nowhere(node, env)
            case _:
                return
        for one in warnings:
            if not in_library(one.span) and (one.code, one.span) not in self.found:
                calls = tuple(Related(span, "called here") for span in via[-1:])
                self.found[one.code, one.span] = warning(
                    one.code, one.message, one.span, one.label, one.hint, *one.related, *calls
                )

    # ------------------------------------------------------------ a condition that tries out what nobody can foresee

    def unforeseen_trial(self, node: checked.Question) -> Iterator[Diagnostic]:
        """A `would` in what decides about the options: they would tell what the rule moves there."""
        if node.by is not None:
            return
        for one in self.trials((node.source, node.where)):
            read = self.effects.reads(one.value)
            for number in called_by(one.target) if one.by is None else ():
                effects = self.effects.of_rule(number)
                effect = next((e for e in effects if not e.foreseen and overlap(read, e.touches)), None)
                if effect is not None:
                    rule = self.estimator.program.rules[number].address
                    yield warning(
                        "W456",
                        f"what is on offer as '{node.name}' depends on what would be after '{rule}', and whoever"
                        " chooses cannot foresee that",
                        one.span,
                        "the options tell what is hidden",
                        "ask for what the player knows: E may not read pieces or variables that he does not see",
                        Related(effect.span, "moves or changes what is not seen"),
                    )

    def trials(self, parts: object) -> Iterator[checked.Would]:
        """Every `would` in expressions and in the definitions they use."""
        seen: set[int] = set()
        waiting: list[object] = [parts]
        while waiting:
            for node in nodes(waiting.pop()):
                if isinstance(node, checked.Would):
                    yield node
                elif isinstance(node, checked.Apply) and node.define not in seen:
                    seen.add(node.define)
                    waiting.append(self.estimator.program.defines[node.define].value)

    # ------------------------------------------------------------ sets too many to look through

    def endless(self, node: checked.Question, env: Env) -> Iterator[Diagnostic]:
        item = node.source.type.item if isinstance(node.source.type, ListType) else None
        pool = self.estimator.of(node.source, env).length
        if node.mode not in ("some", "count") or node.where is None or pool is None or not isinstance(item, PieceType):
            return
        if len(conditions(node.where)) == len(stated_totals(node, self.estimator.program.defines)) == 1:
            return  # sets are found by their total
        high = pool
        if node.mode == "count" and node.high is not None:
            most = self.estimator.of(node.high, env).high
            high = pool if most is None else min(pool, most // self.estimator.program.unit)
        work = self.components.limits.work
        if any(sets > work for sets in accumulate(comb(pool, size) for size in range(high + 1))) and any(
            sets > work for sets in accumulate((size + 1 for size in self.classes(item)), mul)
        ):
            yield warning(
                "W455",
                f"there may be {pool} pieces to choose '{node.name}' from: too many sets to find those that fit",
                node.span,
                f"at most {pool} pieces",
                "bound the set (choose 1..3 ...), or state how many there are in an invariant: count(...) <= 12;"
                f" by a total alone there are never too many: where sum(x in {node.name}: ...) is n",
            )

    def classes(self, item: PieceType) -> list[int]:
        """How many pieces of these kinds are alike, by class."""
        kinds = [self.components.kinds[kind] for kind in item.kinds or self.components.kinds]
        sizes: Counter[object] = Counter()
        for kind in kinds:
            varied = any(owner == kind.name for owner, _ in self.components.variables)
            for place, id in enumerate(kind.pieces):
                looks = tuple(column.values[place] for column in kind.fields.values())
                sizes[id if varied else (kind.name, looks, kind.faces[place : place + 1])] += 1
        return list(sizes.values())

    # ------------------------------------------------------------ a lookup beyond the end

    def beyond(self, node: checked.Lookup, env: Env) -> Iterator[Diagnostic]:
        if len(node.keys) != 1 or node.what not in ("series", "list"):
            return
        high = self.estimator.of(node.keys[0], env).high
        if high is None:
            return
        highest = Fraction(high, self.estimator.program.unit)
        related: tuple[Related, ...] = ()
        if node.what == "series":
            series = self.components.series[node.name]
            last = series.first + len(series.values) - 1
            what, more = (
                f"'{node.name}' ends at {last}",
                ' (or say what comes after its end: beyond = "last" or "zero")',
            )
            related = (Related(series.span, f"entries {series.first} to {last}"),)
            if series.beyond != "error":
                return
        else:
            last = _length(node.of)
            what, more = f"this list has {last} elements", ""
            if not last:
                return
        if highest > last:
            yield warning(
                "W453",
                f"{what}, and this may be {decimal(highest)}",
                node.keys[0].span,
                f"at most {decimal(highest)}",
                f"make it longer{more}, or look up min({last}, ...)",
                *related,
            )

    # ------------------------------------------------------------ the owner or the cell of a piece that has none

    def nowhere(self, node: checked.Primitive, env: Env) -> Iterator[Diagnostic]:
        owner = isinstance(node.type, PlayerType)
        piece = node.arguments[0]
        places = self.estimator.of(piece, env).places
        item = piece.type
        if not isinstance(item, PieceType):
            return
        if places is None:  # the zones its kind may lie in at all
            kinds = item.kinds or tuple(self.components.kinds)
            all_ = [zone for zone in self.components.zones.values() if set(kinds) & set(zone.kinds)]
            if any(self.has(zone, owner) for zone in all_):
                return
            bare = all_
        else:
            zones = [self.estimator.zones[place.zone] for place in places]
            zones = [zone for zone in zones if not item.kinds or set(item.kinds) & set(zone.kinds)]
            bare = [zone for zone in zones if not self.has(zone, owner)]
        if not bare:
            return
        names = sorted({zone.name for zone in bare})
        what = "no owner" if owner else "no cell"
        then = "this is an error then" if owner else "the cell is in no region then"
        good = [zone for zone in self.components.zones.values() if set(item.kinds) & set(zone.kinds)]
        tests = {"player": "any(p in players where p.{} has x)", "": "{} has x"}
        where = next((zone for zone in good if zone.owner in tests and self.has(zone, owner)), None)
        test = "" if where is None else f", or test first where it lies: {tests[where.owner].format(where.name)}"
        yield warning(
            "W454",
            f"a piece in {listed(names)} has {what}: {then}",
            node.span,
            f"it may lie in {names[0]}",
            f"ask before it is moved{test}",
            *(Related(zone.span, "nobody's" if owner else "no grid") for zone in bare[:1]),
        )

    def has(self, zone: Zone, owner: bool) -> bool:
        """Whether what lies in a zone has an owner, or a cell."""
        if not owner:
            return bool(zone.grid)
        seen: set[str] = set()
        while zone.owner not in ("", "player") and zone.name not in seen:
            seen.add(zone.name)
            around = [one for one in self.components.zones.values() if zone.owner in one.kinds]
            if any(one.owner for one in around):
                return True
            zone = around[0] if around else zone
        return zone.owner == "player"


def _length(node: checked.Expr | None) -> int:
    """The length of a list that is written out; 0 of any other."""
    if not isinstance(node, checked.Const | checked.FigureRef) or not isinstance(node.type, ListType):
        return 0
    return len(node.value) if isinstance(node.value, tuple) else 0
